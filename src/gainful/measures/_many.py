"""A measure at many cutoffs at once: its own text, run once."""

from collections.abc import Sequence

from gainful.arrays import np
from gainful.errors import MeasureError
from gainful.judging.cutoffs import ManyCutoffs, OneAtATime
from gainful.judging.ranking import Booleans, Floats
from gainful.judging.record import JudgedRun
from gainful.measures._measure import Measure


def takes_cutoff(measure: Measure) -> bool:
    """Whether the measure can be asked for the first ranks alone."""
    return "cutoff" in measure.definition.parameters


def without_cutoff(measure: Measure) -> Measure:
    """The measure at every rank: nDCG for nDCG@10.

    >>> from gainful.measures import AP
    >>> without_cutoff(AP(rel=2) @ 10)
    AP(rel=2)
    """
    given = {name: value for name, value in measure._given.items() if name != "cutoff"}
    return Measure(measure.definition, given, measure.summary, measure.unjudged)


def at_cutoffs(
    measure: Measure, judged: JudgedRun, cutoffs: Sequence[int] | Floats
) -> tuple[Floats, Booleans]:
    """The value of each topic at each cutoff, and where there was nothing to measure: cutoffs × topics.

    The bits are those of asking for each cutoff alone. A measure of one's own whose text needs its cutoff to be one
    number (it asks which is larger, or counts up to it) is asked for them one after the other.

    >>> from gainful.judging import judged_run
    >>> from gainful.measures import P
    >>> at_cutoffs(P, judged_run([1, 0, 1, 1]), [1, 2, 4])[0].ravel()
    array([1.  , 0.5 , 0.75])
    """
    if not takes_cutoff(measure):
        raise MeasureError(f"{measure} has no cutoff, so it has no value at each rank")
    judged = measure.reads(judged)
    ranks = np.asarray(cutoffs, dtype=np.float64)
    sound = ranks.ndim == 1 and len(ranks) and ((ranks >= 1) & (ranks % 1 == 0)).all()
    if not sound or not (np.diff(ranks) > 0).all():
        raise MeasureError("cutoffs must be whole numbers, 1 or more, each larger than the one before")
    shape = len(ranks), len(judged)
    values = _at_once(measure, judged, ranks)
    if values is None:
        alone = [measure.definition.function(judged, **{**measure._given, "cutoff": int(k)}) for k in ranks]
        values = np.array(alone)
    values = np.broadcast_to(values, shape)
    undefined = np.isnan(values)
    if measure._nothing is not None:
        undefined = undefined | measure._nothing(judged)
    return np.where(undefined, measure.definition.undefined, values), undefined


def _at_once(measure: Measure, judged: JudgedRun, ranks: Floats) -> Floats | None:
    """All values, or None where the text of the measure does not take many cutoffs."""
    given = {**measure._given, "cutoff": ranks.reshape(-1, 1)}
    measure(cutoff=int(ranks[0])).require()
    try:
        values = measure.definition.function(ManyCutoffs.of(judged), **given)
    except (OneAtATime, TypeError, ValueError):
        return None
    sound = getattr(values, "shape", None) in ((len(ranks), len(judged)), (len(judged),))
    return values if sound else None
