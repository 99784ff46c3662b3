"""One column of trec_eval's output for each number that it prints of a topic.

What trec_eval defines as Gainful does is taken from the measures. What it computes in its own way stands here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Literal

import numpy as np

from gainful.compat._trec_eval_names import ORDER, TEN, Version
from gainful.errors import MeasureError
from gainful.judging import JudgedRun, PerTopic, log2, namespace, share
from gainful.measures import Measure
from gainful.measures._gains import Gain, as_gain
from gainful.measures._parse import trec_root
from gainful.measures._trec import Each, Gains, numbers, one_number
from gainful.summaries import FLOOR

TENTHS = tuple(tenth / 10 for tenth in range(11))
MULTIPLES = tuple(fifth / 5 for fifth in range(1, 11))
UTILITY = (1.0, -1.0, 0.0, 0.0)
RELSTRING = 10


@dataclass(frozen=True)
class Column:
    """A number of each topic, and how it is printed.

    name     as it is printed, with its parameters
    values   a judged run to one number for each topic; of text, to nothing
    text     a judged run to what is printed for each topic, where that is not a number
    summary  how topics become one number; geometric values are logarithms already
    whole    printed without decimals
    single   printed for single topics too
    root     the name without parameters
    """

    name: str
    values: Callable[[JudgedRun], PerTopic]
    root: str
    text: Callable[[JudgedRun], list[str]] | None = None
    summary: Literal["mean", "sum", "geometric"] = "mean"
    whole: bool = False
    single: bool = True


@dataclass(frozen=True)
class Options:
    """What holds for all names.

    version    whose numbers they are
    level      lowest relevant grade (-l)
    documents  in the collection (-N)
    empty      precision of an empty list, where trec_eval divides zero by zero
    """

    version: Version = TEN
    level: float = 1
    documents: int = 0
    empty: float = math.nan


def columns(asked: Mapping[str, str | None], options: Options = Options()) -> tuple[Column, ...]:  # noqa: B008 (frozen)
    """Columns for the names asked for, each with the text of its parameters, in the order in which they are printed.

    >>> [column.name for column in columns({"P": "10,5", "map": None})]
    ['map', 'P_5', 'P_10']
    """
    for root in asked:
        if root not in ORDER:
            raise MeasureError(
                f"trec_eval has no measure '{root}'; `gainful measures --all` lists Gainful's own."
            )
    columns_asked: list[Column] = []
    for root in ORDER:
        if root in asked:
            try:
                columns_asked += _OWN.get(root, _measured)(root, asked[root], options)
            except MeasureError as fault:
                raise MeasureError(f"{root}: {fault}") from None
    return tuple(columns_asked)


# ---- columns in trec_eval's own way; each takes the name, the text of its parameters and the options ----


def _runid(root: str, text: str | None, options: Options) -> Iterator[Column]:  # noqa: ARG001 (all are called alike)
    yield Column(root, _nothing, root, single=False)


def _num_q(root: str, text: str | None, options: Options) -> Iterator[Column]:  # noqa: ARG001
    yield Column(root, _one, root, summary="sum", whole=True, single=False)


def _relstring(root: str, text: str | None, options: Options) -> Iterator[Column]:  # noqa: ARG001
    length = RELSTRING if text is None else int(one_number(text))
    yield Column(_named(root, text), _nothing, root, text=partial(_letters, length=length))


def _iprec_at_recall(root: str, text: str | None, options: Options) -> Iterator[Column]:
    for recall in TENTHS if text is None else _rising(numbers(text)):
        yield Column(f"{root}_{recall:.2f}", _interpolation((recall,), options), root)


def _11pt_avg(root: str, text: str | None, options: Options) -> Iterator[Column]:
    recalls = TENTHS if text is None else tuple(numbers(text))
    yield Column(_named(root, text), _interpolation(recalls, options), root)


def _rprec_mult(root: str, text: str | None, options: Options) -> Iterator[Column]:
    for multiple in MULTIPLES if text is None else _rising(numbers(text)):
        values = partial(_precision_at, multiple=multiple, level=options.level)
        yield Column(f"{root}_{multiple:.2f}", values, root)


def _utility(root: str, text: str | None, options: Options) -> Iterator[Column]:
    worth = UTILITY if text is None else tuple(numbers(text))
    if len(worth) != 4:
        raise MeasureError(f"it takes four numbers; got '{text}'")
    values = partial(_worth, worth=worth, documents=options.documents, level=options.level)
    yield Column(_named(root, text), values, root)


def _ideal_dcg(root: str, text: str | None, options: Options) -> Iterator[Column]:  # noqa: ARG001
    yield Column(_named(root, text), partial(_best_dcg, gain=_gain(text)), root)


def _rbp(root: str, text: str | None, options: Options) -> Iterator[Column]:  # noqa: ARG001
    p, rest = _persistence(text)
    yield Column(_named(root, text), partial(_rank_biased, p=p, gain=_gain(rest)), root)


def _yaap(root: str, text: str | None, options: Options) -> Iterator[Column]:
    if text is not None:
        raise MeasureError(f"it takes no parameters; got '{text}'")
    yield Column(root, partial(_smoothed, level=options.level), root)


_OWN: dict[str, Callable[[str, str | None, Options], Iterator[Column]]] = {
    "runid": _runid,
    "num_q": _num_q,
    "relstring": _relstring,
    "iprec_at_recall": _iprec_at_recall,
    "11pt_avg": _11pt_avg,
    "Rprec_mult": _rprec_mult,
    "utility": _utility,
    "ideal_dcg": _ideal_dcg,
    "rbp": _rbp,
    "yaap": _yaap,
}


def _named(root: str, text: str | None) -> str:
    return root if text is None else f"{root}_{text}"


def _interpolation(recalls: tuple[float, ...], options: Options) -> Callable[[JudgedRun], PerTopic]:
    return partial(_interpolated, recalls=recalls, options=options)


def _measured(root: str, text: str | None, options: Options) -> Iterator[Column]:
    """Columns whose numbers are those of a measure."""
    known = trec_root(root)
    if known is None:
        raise MeasureError("trec_eval has this measure, and Gainful does not")
    measure, form, _ = known
    if isinstance(form, Each):
        values = form.usual if text is None else _rising(numbers(text))
        if form.places == 0 and text is not None:
            values = _rising([int(value) for value in values])
        for value in values:
            yield _column(
                f"{root}_{value:.{form.places}f}", measure(**{form.name: value}), root, options.level
            )
    else:
        (given,) = form.read(text)
        yield _column(_named(root, text), measure(**given), root, options.level)


def _column(name: str, measure: Measure, root: str, level: float) -> Column:
    bound = measure(rel=level) if measure.leaves("rel") else measure
    values = _with_rest_of_list if root == "rbp_resid" else _values
    if measure.summary == "geometric":
        return Column(name, partial(_logarithms, measure=bound), root, summary="geometric", single=False)
    counts = measure.summary == "sum"
    return Column(
        name, partial(values, measure=bound), root, summary="sum" if counts else "mean", whole=counts
    )


def _values(judged: JudgedRun, *, measure: Measure) -> PerTopic:
    return measure.evaluate(judged)[0]


def _logarithms(judged: JudgedRun, *, measure: Measure) -> PerTopic:
    """What trec_eval adds up for a geometric mean."""
    logarithms: PerTopic = np.log(np.maximum(measure.evaluate(judged)[0], FLOOR))
    return logarithms


def _with_rest_of_list(judged: JudgedRun, *, measure: Measure) -> PerTopic:
    """Residual of RBP: trec_eval says 0 where every document is judged, though what lies beyond the list is unseen."""
    all_judged = judged.total(where=judged.grade >= 0) == judged.retrieved
    return np.where(all_judged, 0.0, measure.evaluate(judged)[0])


def _nothing(judged: JudgedRun) -> PerTopic:
    return 0.0 * judged.retrieved


def _one(judged: JudgedRun) -> PerTopic:
    return 0.0 * judged.retrieved + 1.0


def _interpolated(judged: JudgedRun, *, recalls: tuple[float, ...], options: Options) -> PerTopic:
    """Best precision from recall · R relevant documents on, averaged over levels of recall.

    How many documents that is, trec_eval finds in binary arithmetic: 9 adds 0.9 and cuts, 10 adds 0.5 and cuts.
    Where that is none, it begins with the precision of the whole list; of an empty list, that is zero divided by zero.
    """
    so_far = judged.running(judged.grade >= options.level)
    precision = so_far / judged.rank
    R = judged.count(options.level)
    xp, summed = namespace(R), 0.0 * R
    for recall in reversed(recalls):
        needed = xp.floor(recall * R + options.version.added)
        best = judged.most(precision, where=so_far >= judged.each(needed))
        summed = summed + xp.where((judged.retrieved == 0) & (needed == 0), options.empty, best)
    return summed / len(recalls)


def _precision_at(judged: JudgedRun, *, multiple: float, level: float) -> PerTopic:
    """Precision at a multiple of R; the rank is found in binary arithmetic, with 0.9 added and the fraction cut off."""
    R = judged.count(level)
    cutoff = namespace(R).floor(multiple * R + 0.9)
    top = judged.cut(cutoff)
    return share(top.total(where=top.grade >= level), cutoff)


def _worth(judged: JudgedRun, *, worth: tuple[float, ...], documents: int, level: float) -> PerTopic:
    """Found, noise, missed and avoided documents, each at its price; a collection of unknown size counts as empty."""
    hits = judged.total(where=judged.grade >= level)
    noise, missed = judged.retrieved - hits, judged.count(level) - hits
    avoided = documents - hits - noise - missed
    return worth[0] * hits + worth[1] * noise + worth[2] * missed + worth[3] * avoided


def _best_dcg(judged: JudgedRun, *, gain: Gain) -> PerTopic:
    best = judged.ideal(gain)
    return best.total(gain(best.grade) / log2(best.rank + 1))


def _rank_biased(judged: JudgedRun, *, p: float, gain: Gain) -> PerTopic:
    """(1 − p) · Σ gain · p^(rank − 1), with gains above 1 divided by the highest gain of the topic, not of all topics."""
    top = np.maximum(judged.pool.most(gain(judged.pool.grade)), 1.0)
    return (1 - p) * judged.total(gain(judged.grade) * p ** (judged.rank - 1)) / top


def _smoothed(judged: JudgedRun, *, level: float) -> PerTopic:
    """log((1 + s) / (1 + R − s)), where s sums the precision at each relevant document (Robertson 2012)."""
    relevant = judged.grade >= level
    s = judged.total(judged.running(relevant) / judged.rank, where=relevant)
    smoothed: PerTopic = np.log((1 + s) / (1 + judged.count(level) - s))
    return smoothed


def _letters(judged: JudgedRun, *, length: int) -> list[str]:
    """A letter for each of the first documents: its grade, > above 9, - without judgment, . in the pool but not judged."""
    first = judged.every_rank(max(length, 0))
    letters = [_letter(grade) for grade in first.grade.tolist()]
    offsets = first.offsets.tolist()
    return ["".join(letters[start:stop]) for start, stop in pairwise(offsets)]


def _letter(grade: float) -> str:
    if grade == -np.inf:
        return "-"
    if grade < 0:
        return "."
    return str(int(grade)) if grade < 10 else ">"


def _gain(text: str | None) -> Gain:
    """Gains as they are written after a name, 1=3,2=9; levels that are not listed are worth themselves."""
    if text is not None and not all("=" in pair for pair in text.split(",")):
        raise MeasureError(f"it takes pairs of level and gain, as in 1=3,2=9; got '{text}'")
    return as_gain(Gains().read(text)[0].get("gain", "linear"))


def _persistence(text: str | None) -> tuple[float, str | None]:
    """The p of rbp.p=0.8,1=0.5, and the gains that stand beside it."""
    p, rest = 0.9, []
    for pair in [] if text is None else text.split(","):
        name, sign, value = pair.partition("=")
        if name == "p" and sign:
            p = one_number(value)
        else:
            rest.append(pair)
    return p, ",".join(rest) or None


def _rising(values: list[float] | list[int]) -> list[float]:
    rising = sorted(values)
    if len(set(rising)) < len(rising):
        raise MeasureError("a cutoff stands there twice")
    return rising
