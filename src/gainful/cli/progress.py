"""A bar on standard error for long work, on a terminal only."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

from gainful.errors import printable

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

PATIENCE = 0.7
"""Seconds before there is anything to show."""


class Bar:
    """Shows how far a file has been read, once that takes long enough to wonder."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._bar: Any = None
        self._tasks: dict[str, Any] = {}
        self._quiet = not sys.stderr.isatty()

    def tell(self, name: str, done: int, whole: int | None) -> None:
        """So much of this is done."""
        if self._quiet or time.monotonic() - self._since < PATIENCE:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                self._amount(),
                TimeRemainingColumn(),
            )
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
        if name not in self._tasks:
            self._tasks[name] = self._bar.add_task(printable(name), total=whole)
        self._bar.update(self._tasks[name], completed=done)

    def _amount(self) -> ProgressColumn:
        from rich.progress import DownloadColumn

        return DownloadColumn()

    def __enter__(self) -> Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


class Counted(Bar):
    """The bar for work that is counted, not measured in bytes."""

    def _amount(self) -> ProgressColumn:
        from rich.progress import MofNCompleteColumn

        return MofNCompleteColumn()
