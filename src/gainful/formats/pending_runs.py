"""A run whose judging is under way: a file of TREC, a table, or rows that are in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from gainful._core import Crew, Fault, Found, Job, Rows, judge_mapping, judge_rows
from gainful.formats.fault_messages import explain
from gainful.formats.layouts import Layout
from gainful.formats.rows import read_source
from gainful.formats.sources import Source, unreadable
from gainful.formats.types import Progress, Rules

if TYPE_CHECKING:
    from gainful.formats.judgments import Judgments
    from gainful.formats.runs import Run

_WAIT = 0.1


class Pending(ABC):
    """A run whose judging is under way."""

    @abstractmethod
    def finish(self, progress: Progress | None = None) -> Found:
        """What the run holds of the judged documents; waits for it."""

    @abstractmethod
    def cancel(self) -> None:
        """Stop; nothing is kept."""


class How(NamedTuple):
    """The settings that matter while a run is read."""

    judgments: Judgments
    rules: Rules
    threads: int


class PendingFile(Pending):
    """A file in the layout of TREC: native threads have begun to read it, or a crew of them will."""

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
        """Waits for the native threads, and tells how far they are."""
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
        """The threads stop soon; the file is closed."""
        self.job.cancel()
        self.source.close()


class PendingHeld(Pending):
    """A run in memory: judged when its turn comes."""

    def __init__(self, run: Run, how: How) -> None:
        self.run, self.how = run, how

    def finish(self, progress: Progress | None = None) -> Found:  # noqa: ARG002 (there is nothing to wait for)
        """Judges what is held."""
        held, rules = self.run.held, self.how.rules
        try:
            if isinstance(held, Rows):
                return self.judged(held)
            if rules.drop_self:
                return self.judged(Rows.of_mapping(held))
            return judge_mapping(
                self.how.judgments.index, held, ties=rules.ties, narrow=rules.narrow, top=rules.top
            )
        except Fault as fault:
            where = f"run '{self.run.name}'" if self.run.path is None else self.run.path
            raise explain(fault, where, "run", unit="row" if self.run.path is None else "line") from None

    def cancel(self) -> None:
        """There is nothing to stop."""

    def judged(self, rows: Rows) -> Found:
        """What these rows hold of the judged documents."""
        judgments, rules, threads = self.how
        return judge_rows(judgments.index, rows, **rules._asdict(), threads=threads)


class PendingTable(PendingHeld):
    """A file in another layout: read when its turn comes."""

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
        """judge: finds the judged documents while the file is read; None where it cannot, and the rows are read first."""

    def finish(self, progress: Progress | None = None) -> Found:
        """Reads the table and judges it."""
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
        """The file is closed."""
        self.source.close()
