"""Runs being judged, each from a file of TREC lines, a table, or rows in memory; many of them in a queue, with threads."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, NamedTuple

from gainful._core import Crew, Fault, Found, Job, Rows, judge_mapping, judge_rows
from gainful.formats.fault_messages import explain
from gainful.formats.judgments import Judgments, threads_of
from gainful.formats.layouts import Layout, read_source
from gainful.formats.sources import Source, unreadable
from gainful.formats.types import Progress, Rules
from gainful.system_calls import system_limit

if TYPE_CHECKING:
    from gainful.formats.runs import Run

_WAIT = 0.1  # seconds between two reports of progress

# What may be read ahead of its turn, of which only the hits are kept: bytes of files, and how many are open at once.
_AHEAD = 256 << 20
_OPEN = 128


class Pending(ABC):
    """A run whose judging is under way."""

    @abstractmethod
    def finish(self, progress: Progress | None = None) -> Found:
        """The judged documents in the run; waits until they are known."""

    @abstractmethod
    def cancel(self) -> None:
        """Stop reading; the result is dropped."""


class How(NamedTuple):
    """The settings that matter while a run is read."""

    judgments: Judgments
    rules: Rules
    threads: int


class PendingFile(Pending):
    """A file of TREC lines, read by native threads of its own or by a crew of them."""

    def __init__(self, run: Run, how: How, source: Source, crew: Crew | None = None) -> None:
        self.run, self.source = run, source
        try:
            self.job = Job(
                how.judgments.index,
                source.handle,
                **how.rules._asdict(),
                threads=how.threads,
                crew=crew,
            )
        except OSError as fault:
            raise unreadable(source.name, fault) from None

    def finish(self, progress: Progress | None = None) -> Found:
        """Wait for the native threads, and report progress."""
        try:
            while not self.job.wait(_WAIT):
                if progress:
                    progress(self.run.name, self.source.bytes_taken(self.job.bytes_read), self.source.size)
            return self.job.result()
        except Fault as fault:
            raise explain(*self.source.place(fault, "line"), "run") from None
        except OSError as fault:
            raise unreadable(self.source.name, fault) from None
        finally:
            self.cancel()

    def cancel(self) -> None:
        """Tell the threads to stop, and close the file."""
        self.job.cancel()
        self.source.close()


class PendingInMemory(Pending):
    """A run in memory: judged when its turn comes."""

    def __init__(self, run: Run, how: How) -> None:
        self.run, self.how = run, how

    def finish(self, progress: Progress | None = None) -> Found:  # noqa: ARG002 (there is nothing to wait for)
        """Judge the rows, or the mapping as it is where the rules allow it."""
        content, rules = self.run.content, self.how.rules
        try:
            if isinstance(content, Rows) or rules.drop_self:
                return self.judged(self.run.rows())
            return judge_mapping(
                self.how.judgments.index, content, ties=rules.ties, narrow=rules.narrow, top=rules.top
            )
        except Fault as fault:
            where = f"run '{self.run.name}'" if self.run.path is None else self.run.path
            raise explain(fault, where, "run", unit="row" if self.run.path is None else "line") from None

    def cancel(self) -> None:
        """Do nothing: nothing has begun."""

    def judged(self, rows: Rows) -> Found:
        """The judged documents in these rows."""
        judgments, rules, threads = self.how
        return judge_rows(judgments.index, rows, **rules._asdict(), threads=threads)


class PendingTable(PendingInMemory):
    """A file in another format, read when its turn comes."""

    def __init__(
        self,
        run: Run,
        how: How,
        source: Source,
        layout: Layout,
        judge: Callable[[Source, How], Found | None] | None = None,
    ) -> None:
        super().__init__(run, how)
        self.source, self.layout, self.judge = source, layout, judge
        """judge: finds the judged documents while the file is read; None if the rows must be read first."""

    def finish(self, progress: Progress | None = None) -> Found:
        """Read the table and judge it."""
        if progress:
            progress(self.run.name, 0, self.source.size)
        try:
            if self.judge is not None and (found := self.judge(self.source, self.how)):
                return found
            return self.judged(read_source(self.source, "run", self.layout, threads=self.how.threads))
        except Fault as fault:
            raise explain(*self.source.place(fault, self.layout.unit), "run", unit=self.layout.unit) from None
        finally:
            self.cancel()

    def cancel(self) -> None:
        """Close the file."""
        self.source.close()


class Queue:
    """Runs being judged, returned in the order given; reading starts when the queue is created.

    With one thread nothing is read ahead, so that one core is used. With more threads, a single run gets all of them;
    of many runs, one per thread is read at a time, and some are read ahead of their turn. Plain files of TREC lines are
    read by a native crew, which never waits for Python; mappings, which only Python can walk through, are judged in
    their turn; everything else is read by Python threads.
    """

    def __init__(
        self,
        judgments: Judgments,
        runs: Sequence[Run],
        *,
        rules: Rules,
        threads: int | None = None,
    ) -> None:
        threads = threads_of(threads)
        self._at_once = min(threads, len(runs))
        self._how = How(judgments, rules, threads // max(self._at_once, 1))
        self._waiting = deque(runs)
        self._begun: deque[_Begun] = deque()
        self._bytes_ahead = 0
        self._readers: _Readers | None = None
        self._crew: Crew | None = None
        try:
            if self._at_once > 1:
                self._read_ahead()
            elif threads > 1 and runs:
                self._begin()
        except BaseException:
            self.cancel()  # nobody else can, and the reading threads would wait for ever
            raise

    def finished(self, progress: Progress | None = None) -> Iterator[tuple[Run, Found]]:
        """Each run with its judged documents, in turn."""
        try:
            while self._begun or self._waiting:
                if not self._begun:
                    self._begin()
                run, pending, size = self._begun[0]
                found = pending.finish(progress)
                self._begun.popleft()
                self._bytes_ahead -= size
                if self._at_once > 1:
                    self._read_ahead()
                yield run, found
        finally:
            self.cancel()

    def cancel(self) -> None:
        """Stop reading; files are closed and threads end, even if a traceback keeps this queue alive."""
        self._waiting.clear()
        if self._readers is not None:
            self._readers.stop()
        for _, pending, _ in self._begun:
            pending.cancel()
        self._begun.clear()
        self._crew = None

    def _begin(self) -> None:
        """Start the next run. A single file of TREC lines is read by native threads; a table by a Python thread."""
        run = self._waiting.popleft()
        pending = self._one_of_many(run) if self._at_once > 1 else run.begin(self._how)
        if self._at_once == 1 and self._how.threads > 1 and isinstance(pending, PendingTable):
            table = pending
            pending = self._elsewhere(lambda: table)
        size = _size(run) if self._at_once > 1 else 0
        self._begun.append(_Begun(run, pending, size))
        self._bytes_ahead += size

    def _read_ahead(self) -> None:
        while self._waiting and (len(self._begun) < self._at_once or self._may_read_ahead()):
            self._begin()

    def _may_read_ahead(self) -> bool:
        return len(self._begun) < most_open() and self._bytes_ahead < _AHEAD

    def _one_of_many(self, run: Run) -> Pending:
        if isinstance(run.content, Mapping):
            return run.begin(self._how)
        if self._crew is None:
            self._crew = Crew(self._at_once)
        return run.begin_in(self._crew, self._how) or self._elsewhere(partial(run.begin, self._how))

    def _elsewhere(self, begin: Callable[[], Pending]) -> Pending:
        if self._readers is None:
            self._readers = _Readers(self._at_once)
        return _PendingElsewhere(self._readers, begin)


def most_open() -> int:
    """How many files may be open ahead of their turn; the process may have others open."""
    limit = system_limit("SC_OPEN_MAX")
    return min(_OPEN, limit // 4) if limit >= 0 else _OPEN


class _Begun(NamedTuple):
    run: Run
    pending: Pending
    size: int


def _size(run: Run) -> int:
    """Bytes of its file; where that is unknown (in memory, or no such file), enough to read nothing further ahead."""
    try:
        return os.stat(run.path).st_size if run.path else _AHEAD  # noqa: PTH116 (pathlib takes 2 ms to import)
    except OSError:
        return _AHEAD


class _PendingElsewhere(Pending):
    """A run that another thread opens, reads and judges."""

    def __init__(self, readers: _Readers, begin: Callable[[], Pending]) -> None:
        self.begin = begin
        self.pending: Pending | None = None
        self.outcome: Found | BaseException | None = None
        self.cancelled = False
        self.done = Event()
        readers.add(self.read)

    def read(self) -> None:
        """Open, read and judge the run in this thread; `finish` raises what goes wrong."""
        try:
            self.pending = self.begin()
            if self.cancelled:  # while it was opened
                self.cancel()
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
        self.cancelled = True
        if isinstance(self.pending, PendingFile):
            self.pending.job.cancel()  # its own thread closes the file


class _Readers:
    """Threads that read runs; importing `concurrent.futures` takes as long as reading a small run."""

    def __init__(self, count: int) -> None:
        self.count, self.started = count, 0
        self.tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()

    def add(self, task: Callable[[], None]) -> None:
        """Add a task, started after those before it."""
        self.tasks.put(task)
        if self.started < self.count:
            self.started += 1
            Thread(target=self._work, name="gainful").start()  # no daemon: the interpreter waits for its end

    def _work(self) -> None:
        while (task := self.tasks.get()) is not None:
            task()

    def stop(self) -> None:
        """Drop the tasks that have not begun; the threads end after those that have."""
        with suppress(Empty):
            while True:
                self.tasks.get_nowait()
        for _ in range(self.started):
            self.tasks.put(None)
