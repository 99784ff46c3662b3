"""Long work that is counted: its bar, and the threads that it wants."""

from __future__ import annotations

import os
import time

from gainful.cli.progress import PATIENCE, Bar


class Counted(Bar):
    """The bar for work that is counted, not measured in bytes."""

    def tell(self, name: str, done: int, whole: int | None) -> None:
        """So much of it is done."""
        if self._bar is None and not self._quiet and time.monotonic() - self._since > PATIENCE:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
            )
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
        super().tell(name, done, whole)


def one_blas_thread() -> None:
    """Resampling fills the cores by itself; threads of BLAS would be in its way. Works before NumPy is imported."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
