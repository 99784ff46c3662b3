"""xinfAP: average precision, estimated from samples that were drawn at different rates from strata of the pool."""

from gainful.arrays import np
from gainful.errors import MeasureError
from gainful.judging import JudgedRun, PerTopic
from gainful.measures._measure import measure

EPSILON = 0.00001


@measure(
    group="recall",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Yilmaz, Kanoulas & Aslam 2008, doi:10.1145/1390334.1390437",
    needs="probabilities",
    may_fall=True,
)
def xinfAP(judged: JudgedRun, *, rel: float = 1) -> PerTopic:
    """Extended inferred average precision.

        xinfAP = Σ over strata: R_s / R · (Σ precision over relevant documents drawn from s / their number)

        precision = 1/rank + Σ over strata: above_s / rank · (r_s + ε) / (r_s + n_s + 2ε);  R_s = N_s · share relevant in s

    rel  lowest grade that is relevant

    r_s relevant and n_s not relevant documents of the stratum were drawn above, out of above_s that stand there; N_s is the
    size of the stratum. Documents that were not drawn are in the judgments, with a grade below 0; ε = 0.00001.

    Misleads when the documents of a stratum were not a simple random sample of it. With one stratum it is infAP.

    Rank 1 relevant for certain, of two in a stratum at ranks 2 and 3 the last was drawn, relevant:
    R = 1 + 2, precision 1 and 1/3 + 1/3 + 1/3 · 1/2 for what was not drawn above:  1/3 · 1 + 2/3 · 5/6

    >>> from gainful.judging.sampling import sampled_run
    >>> drawn = {"a": (1, 1, "top"), "b": (-1, 0.5, "rest"), "c": (1, 0.5, "rest")}
    >>> xinfAP(sampled_run("abc", drawn)).round(4)
    array([0.8889])
    """
    sample = judged.require_sample()
    pool, rows = sample.pool, sample.rows
    stratum = sample.inclusion.stratum
    drawn = pool.grade >= 0
    if not sample.inclusion.listed and (sample.inclusion.probability[rows] < 1).any():
        raise MeasureError(
            "xinfAP needs the documents that could have been drawn and were not, in the judgments with grade −1 and their stratum"
        )
    codes, size = stratum[rows], int(stratum.max(initial=-1)) + 1
    _refuse_unequal(sample.inclusion.probability[rows], codes, size)
    number, sampled = (np.bincount(codes[where], minlength=size) for where in (slice(None), drawn))
    hit_relevant = np.bincount(codes[pool.grade >= rel], minlength=size)
    R_s = number * hit_relevant / np.maximum(sampled, 1)
    R = pool.total((R_s / np.maximum(number, 1))[codes])
    own = stratum[judged.row]
    local = own - judged.each(_first(codes, pool.offsets)) if len(own) else own
    relevant = judged.grade >= rel
    precision = 1 / judged.rank
    for place in range(int(local.max(initial=-1)) + 1):
        here = local == place
        above_s = judged.running(here) - here
        r_s = judged.running(here & relevant) - (here & relevant)
        drawn_s = judged.running(here & (judged.grade >= 0)) - (here & (judged.grade >= 0))
        precision = precision + above_s / judged.rank * (r_s + EPSILON) / (drawn_s + 2 * EPSILON)
    share = np.where(hit_relevant > 0, R_s / np.maximum(hit_relevant, 1), 0.0)
    summed = judged.total(precision * share[own], where=relevant)
    return np.where(R > 0, summed / np.where(R > 0, R, 1.0), np.nan)


def _refuse_unequal(probability: np.ndarray, codes: np.ndarray, size: int) -> None:
    least = np.full(size, np.inf)
    with np.errstate(invalid="ignore"):  # what was not drawn may have an unknown probability
        np.minimum.at(least, codes, probability)
    if not np.allclose(probability, least[codes]):
        raise MeasureError("xinfAP needs one probability for all documents of a stratum, drawn or not")


def _first(codes: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """The least number of a stratum of each topic; 0 for a topic without documents."""
    first = np.zeros(len(offsets) - 1, dtype=np.intp)
    filled = np.diff(offsets) > 0
    if filled.any():
        first[filled] = np.minimum.reduceat(codes, offsets[:-1][filled])
    return first
