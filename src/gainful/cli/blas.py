"""NumPy without threads of its own."""

from __future__ import annotations

import os


def one_blas_thread() -> None:
    """Reading and resampling fill the cores by themselves; threads of BLAS would be in the way.

    To be called before NumPy is imported.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
