"""Long work that is counted: its bar, and the threads that it wants."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gainful.cli.progress import Bar

if TYPE_CHECKING:
    from rich.progress import ProgressColumn


class Counted(Bar):
    """The bar for work that is counted, not measured in bytes."""

    def _amount(self) -> ProgressColumn:
        from rich.progress import MofNCompleteColumn

        return MofNCompleteColumn()


def one_blas_thread() -> None:
    """Resampling fills the cores by itself; threads of BLAS would be in its way. Works before NumPy is imported."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
