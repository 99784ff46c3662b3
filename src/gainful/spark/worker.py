"""What a worker does: rows sorted by topic go in, values come out; the same core and the same measures as on one machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Any

import numpy as np

from gainful._core import Fault, Found, Index, Rows, judge_mapping, judge_rows
from gainful._core.plain_index import topic_order
from gainful.errors import GainfulError
from gainful.formats.ids import to_bytes
from gainful.formats.judgments import Judgments
from gainful.formats.qrels_by import COLUMNS, IN_PARTS, read_details
from gainful.formats.rows import summed
from gainful.formats.runs import Run
from gainful.formats.types import By
from gainful.judging import JudgedRun
from gainful.judging.ordered_lists import with_ranks_of
from gainful.judging.record import judge, pool_of
from gainful.spark.worker_messages import (
    EXTRA,
    KEY,
    ONLY_RUN,
    Faults,
    FirstFault,
    Task,
    answer,
    batch,
    missing,
)


@dataclass
class Worker:
    """The work on one partition."""

    task: Task
    faults: Faults = field(default_factory=Faults)
    digests: dict[str | None, tuple[str, int]] = field(default_factory=dict)
    """For each run, and for the judgments (None): the digest so far, and how many rows."""
    extra: dict[str, tuple[list[bytes], int]] = field(default_factory=dict)

    def answers(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Batches with the rows of topics, then those with counts and faults."""
        task = self.task
        key = ("run", KEY) if task.broadcast is not None and task.many_runs else (KEY,)
        for table in chunks(batches, key):
            yield from self._joined(table) if task.broadcast is None else self._looked_up(table)
        yield from self.noticed()

    def noticed(self) -> Iterator[Any]:
        """What was counted, and the faults."""
        for run, (digest, count) in self.digests.items():
            what = "judgments" if run is None else "rows"
            yield batch(1, what=what, run=run, text=digest.encode(), count=count)
        for run, (topics, count) in self.extra.items():
            yield batch(len(topics), what="extra", run=run, topic=topics)
            yield batch(1, what="extras", run=run, count=count)
        for run, kind, topic, text, count in self.faults:
            yield batch(1, what=kind, run=run, topic=topic, text=text, count=count)

    def empties(self, judgments: Judgments, where: np.ndarray | None = None) -> Iterator[Any]:
        """The rows of a run that lacks these topics; by default all topics."""
        other = max(judgments.index.topics, key=len) + b"-"  # not judged, as it is longer than any that is
        found = judge_mapping(judgments.index, {other: {}}, ties="docid")
        judged = judge(judgments, found, self.task.settings)
        if self.task.anywhere:
            judged = with_ranks_of((), judged, judgments, Run({}), self.task.settings)
        yield from self._rows(
            "empty", None, judgments, judged, np.ones(len(judged), bool) if where is None else where
        )

    # ---- chunks ------------------------------------------------------------------------------------------

    def _joined(self, table: Any) -> Iterator[Any]:
        """Score a table that has judgments and runs of the same topics."""
        import pyarrow.compute as pc

        of_run = table["kind"].cast("bool")
        judgments = self.judgments_of(table.filter(pc.invert(of_run)))
        seen = np.zeros(0 if judgments is None else len(judgments.topics), bool)
        for run, part in self._by_run(table.filter(of_run)):
            found = self._found(run, part, judgments)
            if found is not None and judgments is not None:
                yield from self._scored(run, part, judgments, found)
                seen |= found.present
        if judgments is not None:
            # Another partition may know of a run that has none of these topics.
            yield from self.empties(judgments, None if self.task.many_runs else ~seen)

    def _looked_up(self, table: Any) -> Iterator[Any]:
        """Score rows of runs with the judgments that were broadcast."""
        assert self.task.broadcast is not None
        for run, part in self._by_run(table):
            topics = part["topic"].unique().drop_null().to_pylist()
            judgments = self.judgments_of(self.task.broadcast.of(topics), counted=False)
            found = self._found(run, part, judgments)
            if found is not None and judgments is not None:
                yield from self._scored(run, part, judgments, found)

    def _by_run(self, table: Any) -> Iterator[tuple[str, Any]]:
        import pyarrow.compute as pc

        if not table.num_rows:
            return
        if not self.task.many_runs:
            yield ONLY_RUN, table
            return
        if table["run"].null_count:
            self._note_nameless(table.filter(pc.is_null(table["run"])))
            table = table.filter(pc.is_valid(table["run"]))
        names = table["run"].unique().to_pylist()
        if len(names) <= 1:
            yield from ((name, table) for name in names)
            return
        numbers = table["run"].combine_chunks().dictionary_encode()
        order = np.argsort(numbers.indices.to_numpy(), kind="stable")
        ends = np.cumsum(np.bincount(numbers.indices.to_numpy()))
        start = 0
        for name, stop in zip(numbers.dictionary.to_pylist(), ends.tolist(), strict=True):
            yield name, pc.take(table, order[start:stop])
            start = stop

    def _note_nameless(self, table: Any) -> None:
        for topic, document in zip(table["topic"].to_pylist(), table["document"].to_pylist(), strict=True):
            self.faults.note(missing("", "run", topic, document))

    # ---- judgments and runs ------------------------------------------------------------------------------

    def judgments_of(self, table: Any, *, counted: bool = True) -> Judgments | None:
        """The judgments of some topics; None, and a fault noted, where they cannot be used or there are none."""
        task = self.task
        if not table.num_rows or self._lacking(None, table):
            return None
        try:
            if task.by is None:
                rows = Rows.of_stream(table.__arrow_c_stream__(), "topic", "document", "value")
                judgments = Judgments(Index(rows, duplicates=task.settings.judgment_duplicates))
            else:
                index, details = self._details(table, task.by)
                judgments = Judgments(index, details=details)
            pool_of(judgments, top=task.top)
        except Fault as fault:
            self.faults.note_core(None, fault)
            return None
        except GainfulError as error:
            self.faults.note(FirstFault(None, "error", b"", to_bytes(str(error)), 1))
            return None
        if counted:
            self._count(None, judgments.digest, len(judgments))
        return judgments

    def _details(self, table: Any, by: By) -> Any:
        words = IN_PARTS if self.task.parts else COLUMNS[by]
        names = ["topic", "aspect", *(["part"] if self.task.parts else []), "document", "value"]
        named = table.select(names).rename_columns(list(words))
        return read_details(
            named, by, "judgments", duplicates=self.task.settings.judgment_duplicates, placed=False
        )

    def _found(self, run: str, table: Any, judgments: Judgments | None) -> Found | None:
        """What the run has of the judged documents; None, and a fault noted, where it cannot be used."""
        if self._lacking(run, table):
            return None
        try:
            rows = Rows.of_stream(table.__arrow_c_stream__(), "topic", "document", "value")
            if judgments is None:
                self._count(run, rows.digest, len(rows))
                self._note_extra(run, table["topic"].unique().to_pylist())
                return None
            found = judge_rows(judgments.index, rows, **self.task.settings.rules._asdict(), threads=1)
        except Fault as fault:
            self.faults.note_core(run, fault)
            return None
        self._count(run, found.digest, found.rows)
        self._note_extra(run, found.extra)
        return found

    def _lacking(self, run: str | None, table: Any) -> bool:
        """Whether a value is missing; each is noted. A row without a topic may be a line that could not be read."""
        import pyarrow.compute as pc

        roles = [role for role in ("topic", "document", "value") if table[role].null_count]
        before = pc.is_null(table["topic"]).cast("int8")  # a row is counted once
        for role in roles:
            absent = pc.is_null(table[role])
            if role != "topic":
                absent = pc.and_(absent, pc.equal(before, 0))
                before = pc.max_element_wise(before, absent.cast("int8"))
            for topic, document in zip(
                *(table.filter(absent)[name].to_pylist() for name in ("topic", "document")), strict=True
            ):
                self.faults.note(missing(run, role, topic, document))
        return bool(roles)

    def _count(self, run: str | None, digest: str, rows: int) -> None:
        so_far, count = self.digests.get(run, ("0", 0))
        self.digests[run] = summed([so_far, digest]), count + rows

    def _note_extra(self, run: str, topics: list[bytes]) -> None:
        if topics:
            named, count = self.extra.get(run, ([], 0))
            self.extra[run] = nsmallest(EXTRA, [*named, *topics], key=topic_order), count + len(topics)

    # ---- values ------------------------------------------------------------------------------------------

    def _scored(self, run: str, table: Any, judgments: Judgments, found: Found) -> Iterator[Any]:
        judged = judge(judgments, found, self.task.settings)
        if self.task.anywhere:
            judged = self._anywhere(table, judgments, judged)
        yield from self._rows("topic", run, judgments, judged, judged.present)

    def _anywhere(self, table: Any, judgments: Judgments, judged: JudgedRun) -> JudgedRun:
        settings, known = self.task.settings, set(judgments.index.topics)
        if settings.unjudged == "condense":
            return with_ranks_of((), judged, judgments, Run({}), settings)
        marked = table.filter(table["anywhere"])
        pairs = dict.fromkeys(
            pair
            for pair in zip(marked["topic"].to_pylist(), marked["document"].to_pylist(), strict=True)
            if pair[0] in known
        )
        rows = Rows.of_stream(table.__arrow_c_stream__(), "topic", "document", "value")
        return with_ranks_of(pairs, judged, judgments, Run(rows), settings)

    def _rows(
        self, what: str, run: str | None, judgments: Judgments, judged: JudgedRun, where: np.ndarray
    ) -> Iterator[Any]:
        if not where.any():
            return
        try:
            yield answer(self.task, what, run, judgments, judged, where)
        except GainfulError as error:
            self.faults.note(FirstFault(run, "error", b"", to_bytes(str(error)), 1))


ROWS = 1 << 18
"""Rows of a chunk; more only where one topic has more."""


def chunks(batches: Iterator[Any], key: Sequence[str], rows: int = ROWS) -> Iterator[Any]:
    """Tables of at least so many rows, the last one excepted, in which every group is whole.

    Rows with the same key must stand together; a batch may end anywhere.
    """
    import pyarrow as pa

    blocks: list[Any] = []
    count = 0
    for block in batches:
        if not block.num_rows:
            continue
        if count >= rows:
            begins = _last_begins(block, key)
            follows = begins == 0 and _key(blocks[-1], key, -1) != _key(block, key, 0)
            if begins or follows:
                yield pa.Table.from_batches([*blocks, block.slice(0, begins)])
                blocks, count, block = [], 0, block.slice(begins)  # noqa: PLW2901 (the rest of it)
        blocks.append(block)
        count += block.num_rows
    if blocks:
        yield pa.Table.from_batches(blocks)


def _last_begins(batch: Any, key: Sequence[str]) -> int:
    """Where the last group of a batch begins, found by halving: equal keys stand together."""
    last = _key(batch, key, -1)
    low, high = 0, batch.num_rows - 1
    while low < high:
        middle = (low + high) // 2
        if _key(batch, key, middle) == last:
            high = middle
        else:
            low = middle + 1
    return low


def _key(batch: Any, key: Sequence[str], row: int) -> tuple[Any, ...]:
    return tuple(batch.column(name)[row].as_py() for name in key)
