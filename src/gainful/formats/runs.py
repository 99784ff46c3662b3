"""Runs: topic → documents in rank order, by one system; and the reading of many of them, one after the other."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, partial
from pathlib import Path, PurePath
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, NamedTuple

from gainful._core import Fault, Found, Job, Rows, judge_mapping, judge_rows
from gainful.errors import DataError, UsageError
from gainful.formats.faults import explain
from gainful.formats.ids import from_bytes
from gainful.formats.judgments import Judgments, cores, threads_of
from gainful.formats.kinds import Duplicates, Order
from gainful.formats.layouts import Layout
from gainful.formats.sources import Source
from gainful.formats.tables import is_columns, is_path, read_source, rows_of, told_layout

# The name of a run is that of its file, without endings that say only how it is written.
_ENDINGS = {
    *(".gz", ".bz2", ".xz", ".zst", ".lz4"),
    *(".run", ".txt", ".res", ".trec", ".results", ".csv", ".tsv", ".json", ".jsonl", ".parquet"),
}
_WAIT = 0.1
_AHEAD = 64 << 20  # bytes of files that may have been read before their turn

Progress = Callable[[str, int, int | None], None]
"""Told now and then, while a run is read: its name, bytes read, bytes in all (None where that is not known)."""


class Run:
    """What one system returned; a file is read only when the run meets judgments.

    >>> Run({"q1": {"d1": 0.9, "d2": 0.4}}, name="bm25")
    Run('bm25')
    """

    def __init__(self, given: Any, *, name: str | None = None, layout: str | None = None) -> None:
        self.layout = layout
        if isinstance(given, str | bytes | os.PathLike):
            self.path: str | None = os.fsdecode(given)
            self.held: Rows | Mapping[Any, Any] | None = None
        else:
            self.path = None
            self.held = given if isinstance(given, Rows | Mapping) else rows_of(given, "run", threads=1)
        self.name = name or (name_of(self.path) if self.path else "run")

    @cached_property
    def size(self) -> int:
        """Bytes of its file; a run in memory has been read already."""
        try:
            return Path(self.path).stat().st_size if self.path else _AHEAD
        except OSError:
            return _AHEAD  # whoever opens it will say what is wrong

    def renamed(self, name: str) -> Run:
        """The same run under another name."""
        other = copy(self)
        other.name = name
        return other

    def begin(
        self,
        judgments: Judgments,
        *,
        ties: Order,
        duplicates: Duplicates,
        threads: int,
        drop_self: bool = False,
    ) -> Pending:
        """Start to judge; the answer is `finish()` of what comes back."""
        how = _How(judgments, ties, duplicates, threads, drop_self)
        if self.path is None:
            return _PendingHeld(self, how)
        source = Source(self.path)
        try:
            layout = told_layout(source, "run", self.layout)
            return (
                _PendingFile(self, how, source)
                if layout.name == "trec"
                else _PendingTable(self, how, source, layout)
            )
        except BaseException:
            source.close()
            raise

    def to_dict(self) -> dict[str, dict[str, float]]:
        """`{topic: {document: score}}`."""
        held = rows_of(self.path, "run", threads=cores(), layout=self.layout) if self.path else self.held
        if isinstance(held, Mapping):
            return {topic: dict(documents) for topic, documents in held.items()}
        nested: dict[str, dict[str, float]] = {}
        assert held is not None
        for topic, document, score in zip(held.topics, held.documents, held.values.tolist(), strict=True):
            nested.setdefault(from_bytes(topic), {})[from_bytes(document)] = score
        return nested

    def __repr__(self) -> str:
        return f"Run({self.name!r})"


class Pending:
    """A run whose judging is under way."""

    def finish(self, progress: Progress | None = None) -> Found:
        """What the run holds of the judged documents; waits for it."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop; nothing is kept."""


class _How(NamedTuple):
    judgments: Judgments
    ties: Order
    duplicates: Duplicates
    threads: int
    drop_self: bool


class _PendingFile(Pending):
    """A file in the layout of TREC: native threads have begun to read it."""

    def __init__(self, run: Run, how: _How, source: Source) -> None:
        self.run, self.source = run, source
        self.job = Job(
            how.judgments.index,
            source.handle,
            ties=how.ties,
            duplicates=how.duplicates,
            threads=how.threads,
            drop_self=how.drop_self,
        )

    def finish(self, progress: Progress | None = None) -> Found:
        try:
            while not self.job.wait(_WAIT):
                if progress:
                    progress(self.run.name, self.source.bytes_taken(self.job.bytes_read), self.source.size)
            return self.job.result()
        except Fault as fault:
            raise explain(fault, self.source.name, "run") from None
        except OSError as fault:
            raise DataError(f"{self.source.name} cannot be read: {fault.strerror or fault}.") from None
        finally:
            self.cancel()

    def cancel(self) -> None:
        self.job.cancel()
        self.source.close()


class _PendingHeld(Pending):
    """A run in memory: judged when its turn comes."""

    def __init__(self, run: Run, how: _How) -> None:
        self.run, self.how = run, how

    def finish(self, progress: Progress | None = None) -> Found:  # noqa: ARG002 (there is nothing to wait for)
        held, index = self.run.held, self.how.judgments.index
        try:
            if isinstance(held, Rows):
                return self.judged(held)
            if self.how.drop_self:
                return self.judged(Rows.of_mapping(held))
            return judge_mapping(index, held, ties=self.how.ties)
        except Fault as fault:
            raise explain(fault, f"run '{self.run.name}'", "run", unit="row") from None

    def judged(self, rows: Rows) -> Found:
        """What these rows hold of the judged documents."""
        judgments, ties, duplicates, threads, drop_self = self.how
        return judge_rows(
            judgments.index, rows, ties=ties, duplicates=duplicates, threads=threads, drop_self=drop_self
        )


class _PendingTable(_PendingHeld):
    """A file in another layout: read when its turn comes."""

    def __init__(self, run: Run, how: _How, source: Source, layout: Layout) -> None:
        super().__init__(run, how)
        self.source, self.layout = source, layout

    def finish(self, progress: Progress | None = None) -> Found:
        if progress:
            progress(self.run.name, 0, self.source.size)
        try:
            return self.judged(read_source(self.source, "run", self.layout, threads=self.how.threads))
        except Fault as fault:
            raise explain(fault, self.source.name, "run", unit=self.layout.unit) from None
        finally:
            self.cancel()

    def cancel(self) -> None:
        self.source.close()


class Queue:
    """Runs being judged, handed out in the order given; the first start when the queue is made.

    With one thread nothing is read ahead, so that one core is used. With more, a single run has them all; of several,
    so many are read at once, and a few more may have been read before their turn comes.
    """

    def __init__(
        self,
        judgments: Judgments,
        runs: Sequence[Run],
        *,
        ties: Order,
        duplicates: Duplicates,
        threads: int | None = None,
        drop_self: bool = False,
    ) -> None:
        threads = threads_of(threads)
        self._at_once = min(threads, len(runs))
        self._begin = partial(
            Run.begin,
            judgments=judgments,
            ties=ties,
            duplicates=duplicates,
            threads=threads // max(self._at_once, 1),
            drop_self=drop_self,
        )
        self._waiting = deque(runs)
        self._begun: deque[tuple[Run, Pending]] = deque()
        self._readers: _Readers | None = None
        if threads > 1:
            self._read_ahead()

    def finished(self, progress: Progress | None = None) -> Iterator[tuple[Run, Found]]:
        """Each run with what it holds, as soon as it is its turn."""
        try:
            while self._begun or self._waiting:
                if not self._begun:
                    run = self._waiting.popleft()
                    self._begun.append((run, self._begin(run)))
                run, pending = self._begun[0]
                found = pending.finish(progress)
                self._begun.popleft()
                if self._at_once > 1:
                    self._read_ahead()
                yield run, found
        finally:
            self.cancel()

    def cancel(self) -> None:
        """Stop what is under way."""
        self._waiting.clear()
        for _, pending in self._begun:
            pending.cancel()
        if self._readers is not None:
            self._readers.stop()

    def _read_ahead(self) -> None:
        if self._at_once == 1:
            run = self._waiting.popleft()
            self._begun.append((run, self._begin(run)))
            return
        if self._readers is None:
            self._readers = _Readers(self._at_once)
        while self._waiting and (len(self._begun) < self._at_once or self._ahead() < _AHEAD):
            run = self._waiting.popleft()
            self._begun.append((run, _PendingElsewhere(self._readers, partial(self._begin, run))))

    def _ahead(self) -> int:
        return sum(run.size for run, _ in self._begun)


class _PendingElsewhere(Pending):
    """A run that another thread reads, when it has the time."""

    def __init__(self, readers: _Readers, begin: Callable[[], Pending]) -> None:
        self.begin = begin
        self.pending: Pending | None = None
        self.outcome: Found | BaseException | None = None
        self.done = Event()
        readers.tasks.put(self.read)

    def read(self) -> None:
        """Read it; what goes wrong is told to whoever waits for it."""
        try:
            self.pending = self.begin()
            self.outcome = self.pending.finish()
        except BaseException as fault:
            self.outcome = fault
        self.done.set()

    def finish(self, progress: Progress | None = None) -> Found:  # noqa: ARG002 (its own thread waits for the file)
        self.done.wait()
        assert self.outcome is not None
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome

    def cancel(self) -> None:
        if isinstance(self.pending, _PendingFile):
            self.pending.job.cancel()  # its own thread closes the file


class _Readers:
    """Threads that read runs; `concurrent.futures` does more, and takes as long to import as some runs to read."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        for _ in range(count):
            Thread(
                target=self._work, name="gainful"
            ).start()  # not a daemon: the interpreter waits for it to end

    def _work(self) -> None:
        while (task := self.tasks.get()) is not None:
            task()

    def stop(self) -> None:
        """Let go of what has not begun; the threads end."""
        while not self.tasks.empty():
            self.tasks.get()
        for _ in range(self.count):
            self.tasks.put(None)


def read_run(
    given: Any, *, name: str | None = None, layout: str | None = None, threads: int | None = None
) -> Run:
    """A run held in memory, from a path (plain or compressed; `-` is standard input) or a Python object.

    given    path · `{topic: {document: score}}` · anything with an Arrow stream (pandas, polars, pyarrow, duckdb) ·
             three columns (topics, documents, scores) · rows of (topic, document, score)
    name     what tables call it; the file's name, unless said
    layout   of a file: trec, marco, csv, tsv, json, jsonl or parquet; told from its content, unless said
    threads  how many may read at once; as many as there are cores, unless said

    >>> read_run([("q1", "d2", 0.4), ("q1", "d1", 0.9)]).to_dict()
    {'q1': {'d2': 0.4, 'd1': 0.9}}
    """
    if isinstance(given, Run):
        return given if name is None else given.renamed(name)
    if is_path(given):
        rows = rows_of(given, "run", threads=threads_of(threads), layout=layout)
        return Run(rows, name=name or name_of(os.fsdecode(given)))
    return Run(given, name=name)


def runs_of(given: Any) -> list[Run]:
    """One run or several: a list of runs, or a mapping from their names, is several.

    >>> runs_of({"a": {"q1": {"d1": 1.0}}, "b": {"q1": {"d2": 1.0}}})
    [Run('a'), Run('b')]
    >>> runs_of({"q1": {"d1": 1.0}})
    [Run('run')]
    """
    if isinstance(given, Run):
        return [given]
    if isinstance(given, Mapping) and _names_runs(given):
        return [
            run.renamed(str(name)) if isinstance(run, Run) else Run(run, name=str(name))
            for name, run in given.items()
        ]
    if isinstance(given, list | tuple) and given and not is_columns(given) and not _is_triple(given[0]):
        return _named_apart([run if isinstance(run, Run) else Run(run) for run in given])
    if isinstance(given, list | tuple) and not given:
        raise UsageError("no run was given.")
    return [Run(given)]


def name_of(path: str) -> str:
    """The name of a run: its file's, without endings such as .run and .gz.

    >>> name_of("runs/bm25.run.gz"), name_of("-")
    ('bm25', 'stdin')
    """
    if path == "-":
        return "stdin"
    pure = PurePath(path)
    while pure.suffix.lower() in _ENDINGS and pure.stem:
        pure = pure.with_suffix("")
    return pure.name


def _names_runs(given: Mapping[Any, Any]) -> bool:
    first = next(iter(given.values()), None)
    if isinstance(first, Mapping):
        return isinstance(next(iter(first.values()), None), Mapping)
    return first is not None


def _is_triple(row: object) -> bool:
    return isinstance(row, tuple) and not is_columns(row)


def _named_apart(runs: list[Run]) -> list[Run]:
    """Runs of the same name are told apart by their folder, or else by a number."""
    names = [run.name for run in runs]
    told = [
        str(PurePath(run.path).parent / run.name) if names.count(run.name) > 1 and run.path else run.name
        for run in runs
    ]
    times: Counter[str] = Counter()
    apart = []
    for run, name in zip(runs, told, strict=True):
        times[name] += 1
        only = f"{name}#{times[name]}" if times[name] > 1 else name
        apart.append(run if run.name == only else run.renamed(only))
    return apart
