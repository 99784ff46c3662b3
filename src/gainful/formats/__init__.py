"""Anything becomes judgments and runs: files, frames, mappings, columns, rows.

Nothing here imports NumPy, so that a command can begin to read before the rest has loaded.
"""

from gainful.formats.judgments import Judgments, read_qrels
from gainful.formats.runs import Run, read_run

__all__ = ["Judgments", "Run", "read_qrels", "read_run"]
