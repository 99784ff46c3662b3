"""The reading of several runs, one after the other, by as many threads as there may be."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread

from gainful._core import Found
from gainful.formats.judgments import Judgments, threads_of
from gainful.formats.kinds import Duplicates, Order, Progress
from gainful.formats.pending import Pending, PendingFile, PendingTable
from gainful.formats.runs import Run

_AHEAD = 256 << 20  # bytes of files that may have been read before their turn; of each only the hits are kept


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
            self._read_the_only_one()
            return
        if self._readers is None:
            self._readers = _Readers(self._at_once)
        while self._waiting and (len(self._begun) < self._at_once or self._ahead() < _AHEAD):
            run = self._waiting.popleft()
            self._begun.append((run, _PendingElsewhere(self._readers, partial(self._begin, run))))

    def _read_the_only_one(self) -> None:
        """A file in the layout of TREC is read by native threads already; a table by a thread of ours."""
        run = self._waiting.popleft()
        pending = self._begin(run)
        if isinstance(pending, PendingTable):
            self._readers = _Readers(1)
            table = pending
            pending = _PendingElsewhere(self._readers, lambda: table)
        self._begun.append((run, pending))

    def _ahead(self) -> int:
        return sum(_size(run) for run, _ in self._begun)


def _size(run: Run) -> int:
    """Bytes of its file; a run in memory has been read already, and whoever opens a bad file will say what is wrong."""
    try:
        return Path(run.path).stat().st_size if run.path else _AHEAD
    except OSError:
        return _AHEAD


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
        if isinstance(self.pending, PendingFile):
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
        with suppress(Empty):
            while True:
                self.tasks.get_nowait()
        for _ in range(self.count):
            self.tasks.put(None)
