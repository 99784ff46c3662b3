"""pytrec_eval's classes and functions: the same dicts in and out, the same numbers, in less time.

    from gainful.compat import pytrec_eval

>>> evaluator = RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "ndcg_cut.5,10"})
>>> evaluator.evaluate({"q1": {"d2": 0.9, "d1": 0.4}})["q1"]["map"]
0.5

The numbers are those of trec_eval 9.0.8, which pytrec_eval is made of: scores are compared as 32-bit floats,
interpolated precision is found in binary arithmetic, geometric means are given as logarithms, and topics that the
run lacks are left out. Beyond it, grades may have fractions, and numbers of NumPy are numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from gainful._core import Fault, Scorer, judge_mapping
from gainful.compat._trec_eval_columns import Column, Options, columns
from gainful.compat._trec_eval_names import CUTOFFS, NINE
from gainful.compat.trec_eval import present_only
from gainful.errors import DataError, MeasureError, UsageError
from gainful.formats.fault_messages import explain
from gainful.formats.ids import shown
from gainful.formats.judgments import Judgments, read_qrels
from gainful.judging import JudgedRun
from gainful.judging.record import judge, pool_of
from gainful.judging.settings import Settings
from gainful.judging.transforms import condense
from gainful.programs.program import Program, traced

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

__version__ = "0.5.11"  # the version of pytrec-eval-terrier whose calls these are; ir_measures asks for it

supported_measures: set[str] = set(NINE.sets["all_trec"])
supported_nicknames: dict[str, set[str]] = {name: set(roots) for name, roots in NINE.sets.items()}

_PARAMETERS = re.compile(r"(.+?)[._](\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)*)\Z")
_SETTINGS = Settings()

Nested = Mapping[str, Mapping[str, Any]]


class WrongArgument(UsageError, TypeError):
    """An argument that pytrec_eval refuses with a TypeError."""


class RelevanceEvaluator:
    """Judgments and measures, ready for many runs.

    query_relevance        `{topic: {document: grade}}`; a topic without documents is left out
    measures               names of trec_eval, with parameters (`P.5,10`, `P_5`), or sets such as `official`
    relevance_level        lowest grade that is relevant
    judged_docs_only_flag  unjudged documents are removed before ranking
    """

    def __init__(
        self,
        query_relevance: Nested,
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        if not isinstance(query_relevance, Mapping):
            raise WrongArgument(
                f"query_relevance must be {{topic: {{document: grade}}}}; got {type(query_relevance).__name__}."
            )
        if relevance_level < 1:
            raise WrongArgument(f"relevance_level must be 1 or more; got {relevance_level}.")
        self._columns = _columns(tuple(_asked(measures).items()), relevance_level)
        self._names = tuple(
            column.name if column.root in CUTOFFS else column.root for column in self._columns
        )
        self._condense = bool(judged_docs_only_flag)
        self._judgments = _judgments(query_relevance)
        self._place = (
            {topic: place for place, topic in enumerate(self._judgments.topics)} if self._judgments else {}
        )

    def evaluate(self, scores: Nested) -> dict[str, dict[str, float]]:
        """`{topic: {measure: value}}` for the topics of the run `{topic: {document: score}}` that are judged."""
        if not scores:
            return {}
        if not isinstance(scores, Mapping):
            raise WrongArgument(f"a run must be {{topic: {{document: score}}}}; got {type(scores).__name__}.")
        if self._judgments is None:
            return {}
        if self._scorer is not None:
            of_topics: dict[str, dict[str, float]] | None = self._scorer.by_topic(scores, self._names)
            if of_topics is not None:
                return of_topics
            if self._scorer.too_deep:  # the next run as deep is not judged twice
                self._scorer = self._scorer_down_to(self._scorer.too_deep)
        judged, row = self._judge(self._judgments, scores)
        if not row:
            return {}
        values = np.array([column.values(judged) for column in self._columns]).reshape(-1, len(judged))
        rows = values.T.tolist()
        return {
            topic: dict(zip(self._names, rows[row[place]], strict=True))
            for topic, place in ((topic, self._place.get(_text(topic))) for topic in scores)
            if place is not None
        }

    @cached_property
    def _scorer(self) -> Scorer | None:
        """What scores dicts in the core; None where a measure is no program."""
        return self._scorer_down_to(0)

    def _scorer_down_to(self, deepest: float) -> Scorer | None:
        if self._judgments is None or self._condense:
            return None
        program = _program(self._columns, pool_of(self._judgments).top)
        return None if program is None else program.scorer(self._judgments.index, deepest)

    def _judge(self, judgments: Judgments, scores: Nested) -> tuple[JudgedRun, dict[int, int]]:
        """The topics that the run has, judged; and for their places among the judged topics, their rows."""
        try:
            found = judge_mapping(judgments.index, scores, ties="docid", narrow=True)
        except Fault as fault:
            raise _refused(explain(fault, "a run", "run"), fault) from None
        judged = judge(judgments, found, _SETTINGS)
        if self._condense:
            judged = condense(judged)
        there = np.flatnonzero(judged.present).tolist()
        if len(there) == 1:  # a topic at a time is how notebooks and learners ask
            judged = judged.select(there[0], there[0] + 1)
        elif len(there) < len(judged):
            judged = present_only(judged)
        return judged, {place: row for row, place in enumerate(there)}


@lru_cache(maxsize=256)
def _columns(asked: tuple[tuple[str, str | None], ...], level: int) -> tuple[Column, ...]:
    return columns(dict(asked), Options(NINE, level, empty=0.0))


@lru_cache(maxsize=256)
def _program(of: tuple[Column, ...], top: float) -> Program | None:
    """Kept, as evaluators with the same measures are often made for one topic each."""
    return traced(lambda judged: tuple(column.values(judged) for column in of), top)[0]


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """One number for many topics: the sum of a count (`num_…`), the geometric mean of logarithms (`gm_…`), or the mean.

    >>> compute_aggregated_measure("num_ret", [3.0, 4.0]), compute_aggregated_measure("map", [0.25, 0.75])
    (7.0, 0.5)
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    mean = float(np.mean(values))
    return math.exp(mean) if measure.startswith("gm_") else mean


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """A run from lines of topic, Q0, document, rank, score, tag.

    >>> parse_run(["q1 Q0 d1 1 2.5 tag", "q1 Q0 d2 2 1.5 tag"])
    {'q1': {'d1': 2.5, 'd2': 1.5}}
    """
    run: dict[str, dict[str, float]] = {}
    for number, line in enumerate(f_run, 1):
        try:
            topic, _, document, _, score, _ = line.split()
            value = float(score)
        except ValueError:
            raise _line_fault(number, line, "topic, Q0, document, rank, score, tag") from None
        _put(run, topic, document, value, number)
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Judgments from lines of topic, iteration, document, grade.

    >>> parse_qrel(["q1 0 d1 1", "q1 0 d2 0"])
    {'q1': {'d1': 1, 'd2': 0}}
    """
    judgments: dict[str, dict[str, int]] = {}
    for number, line in enumerate(f_qrel, 1):
        try:
            topic, _, document, grade = line.split()
            value = int(grade)
        except ValueError:
            raise _line_fault(number, line, "topic, iteration, document, whole grade") from None
        _put(judgments, topic, document, value, number)
    return judgments


class Repeated(DataError, AssertionError):
    """A document twice in a topic, which pytrec_eval refuses with an AssertionError."""


def _put(nested: dict[str, dict[str, Any]], topic: str, document: str, value: float, number: int) -> None:
    documents = nested.setdefault(topic, {})
    if document in documents:
        raise Repeated(
            f"line {number}: document '{shown(document)}' of topic '{shown(topic)}' is there twice."
        )
    documents[document] = value


def _line_fault(number: int, line: str, wanted: str) -> DataError:
    return DataError(f"line {number}: expected {wanted}; got '{shown(line.strip()[:60])}'.")


def _asked(measures: Iterable[str]) -> dict[str, str | None]:
    """Names with their parameters; those of one name are put together, and nothing but the name asks for the usual ones."""
    parameters_of: dict[str, set[str]] = {}
    for measure in measures:
        if measure in supported_nicknames:
            for root in supported_nicknames[measure]:
                parameters_of.setdefault(root, set())
        elif measure in supported_measures:
            parameters_of.setdefault(measure, set())
        else:
            given = _PARAMETERS.match(measure)
            if given is None or given[1] not in supported_measures:
                raise MeasureError(
                    f"unsupported measure {measure}; pytrec_eval has {', '.join(sorted(supported_measures))}."
                )
            parameters_of.setdefault(given[1], set()).update(given[2].split(","))
    return {root: ",".join(sorted(parameters)) or None for root, parameters in parameters_of.items()}


def _judgments(query_relevance: Nested) -> Judgments | None:
    judged = {}
    for topic, documents in query_relevance.items():
        if not isinstance(documents, Mapping):
            raise WrongArgument(
                f"the judgments of a topic must be {{document: grade}}; '{topic}' has {type(documents).__name__}."
            )
        if len(documents) > 0:
            judged[topic] = documents
    if not judged:
        return None
    try:
        return read_qrels(judged)
    except DataError as error:
        raise _refused(error, error.__context__) from None


def _refused(error: DataError, fault: BaseException | None) -> Exception:
    """A value of the wrong type is a TypeError, as there."""
    return WrongArgument(str(error)) if isinstance(fault, Fault) and fault.kind == "type" else error


def _text(topic: Any) -> Any:
    return topic if isinstance(topic, str) else str(topic)
