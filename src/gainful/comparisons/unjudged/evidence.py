"""Evidence: every document that the runs compared have, judged or not, and where each run has it.

Scores see judged documents alone. What is not known depends on the others: they are put into one index together with
the judged ones, and every run is ranked once more against it, by the same rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from gainful._core import Index, Rows
from gainful.errors import UsageError
from gainful.formats.ids import from_bytes
from gainful.formats.judgments import Judgments, cores
from gainful.formats.run_queue import How
from gainful.formats.runs import Run
from gainful.judging.record import judge
from gainful.judging.settings import Settings
from gainful.presentation.page import Brief

Floats = NDArray[np.float64]

OPEN = -1e-300
"""Stands for the grade of a document that nobody judged: below 0, above every other grade below 0."""


@dataclass(frozen=True, eq=False, repr=False)
class Evidence(Brief):
    """The documents of the judged topics, and the rank of each in each run.

    topics     ids, in the order of the judgments
    offsets    documents of topic t are offsets[t] to offsets[t + 1]
    grade      of each document; below 0 where nobody judged it
    ranks      runs × documents; infinity where a run does not have it
    retrieved  runs × topics: how many documents a run has
    best       the best grade that a judgment can give; None where it is the best that was given
    """

    runs: tuple[Run, ...]
    names: tuple[str, ...]
    topics: tuple[str, ...]
    offsets: NDArray[np.intp]
    grade: Floats
    ranks: Floats
    retrieved: Floats
    judgments: Judgments
    settings: Settings
    _index: Index
    best: float | None = None

    @cached_property
    def place(self) -> dict[str, int]:
        """The number of each topic."""
        return {topic: number for number, topic in enumerate(self.topics)}

    @cached_property
    def top(self) -> float:
        """The grade of what is wholly relevant: the best possible or else the best given, 1 where none is above 0."""
        return self.best or float(self.grade.max(initial=0.0)) or 1.0

    def part(self, topic: int) -> slice:
        """Where the documents of a topic stand."""
        return slice(int(self.offsets[topic]), int(self.offsets[topic + 1]))

    def documents(self, topic: int) -> list[str]:
        """The ids of a topic's documents."""
        part = self.part(topic)
        return list(map(from_bytes, self._index.documents(part.start, part.stop)))

    def open(self, topic: int, runs: Sequence[int], depth: float) -> NDArray[np.bool_]:
        """Documents of the topic that nobody judged and that one of the runs has down to that rank."""
        part = self.part(topic)
        return np.asarray((self.grade[part] < 0) & (self.ranks[list(runs), part] <= depth).any(axis=0))


def gather(
    judgments: Judgments,
    runs: Sequence[Run],
    settings: Settings,
    *,
    names: Sequence[str] | None = None,
    depth: int | None = None,
) -> Evidence:
    """The evidence of these runs; those that are not in memory are read.

    names  what the systems are called; by default the names of the runs
    depth  unjudged documents further down every list are left out; None keeps all

    >>> from gainful.formats.judgments import read_qrels
    >>> made = gather(read_qrels({"q": {"a": 1, "b": 0}}), [Run({"q": {"x": 2.0, "a": 1.0}})], Settings())
    >>> made.documents(0), made.ranks.tolist(), (made.grade < 0).tolist()
    (['a', 'b', 'x'], [[2.0, inf, 1.0]], [False, False, True])
    """
    settings.need_an_order("how far unjudged documents matter")
    if settings.pool == "retrieved" or settings.duplicates in ("counted", "once"):
        odd = f"pool={settings.pool}" if settings.pool == "retrieved" else f"duplicates={settings.duplicates}"
        raise UsageError(
            f"how far unjudged documents matter is not known under {odd}; leave it out (or leave --unknown out)."
        )
    rows = [run.rows() for run in runs]
    # where a document may stand twice, who knows at which rank a row ends up
    last = None if depth is None or settings.duplicates != "error" else depth + settings.drop_self
    index = _everything(judgments, rows, last)
    everything = Judgments(index)
    ranks = np.full((len(runs), len(index)), np.inf)
    retrieved = np.zeros((len(runs), len(judgments.topics)))
    how = How(everything, settings.rules, cores())
    for number, rows_of_run in enumerate(rows):
        read = Run(rows_of_run).begin(how).finish()
        judged = judge(everything, read, replace(settings, unjudged="nonrelevant"))
        ranks[number, judged.row] = judged.rank
        retrieved[number] = judged.retrieved
    called = tuple(names) if names is not None else tuple(run.name for run in runs)
    return Evidence(
        tuple(runs),
        called,
        judgments.topics,
        index.offsets,
        index.grade.copy(),
        ranks,
        retrieved,
        judgments,
        settings,
        index,
    )


def _everything(judgments: Judgments, runs: Sequence[Rows], depth: int | None) -> Index:
    """Judged documents with their grades, and all others that the runs have of judged topics in their top ranks."""
    index = judgments.index
    counts = np.diff(index.offsets).tolist()
    topics = [topic for topic, count in zip(index.topics, counts, strict=True) for _ in range(count)]
    judged = list(zip(topics, index.documents(0, len(index)), strict=True))
    known, wanted = set(judged), set(index.topics)
    retrieved: dict[tuple[bytes, bytes], None] = {}
    for rows in runs:
        pairs_of = zip(rows.topics, rows.documents, strict=True)
        retrieved |= dict.fromkeys(pairs_of if depth is None else compress(pairs_of, _top(rows, depth)))
    others = [pair for pair in retrieved if pair[0] in wanted and pair not in known]
    pairs = [*judged, *others]
    grades = [*index.grade.tolist(), *[OPEN] * len(others)]
    return Index(
        Rows.of_lists([topic for topic, _ in pairs], [document for _, document in pairs], grades),
        duplicates="error",
    )


def _top(rows: Rows, depth: int) -> list[bool]:
    """Which rows may be within the first of their topic: those with a score no lower than that at this rank."""
    names = rows.topics
    codes = {topic: number for number, topic in enumerate(dict.fromkeys(names))}
    topic = np.fromiter(map(codes.__getitem__, names), np.intp, len(names))
    order = np.lexsort((-rows.values, topic))
    starts = np.searchsorted(topic[order], np.arange(len(codes) + 1))
    at = np.minimum(starts[:-1] + min(depth, len(names)), starts[1:]) - 1
    least = rows.values[order[at]]
    kept: list[bool] = (rows.values >= least[topic]).tolist()
    return kept
