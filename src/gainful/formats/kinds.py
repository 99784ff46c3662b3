"""Words that inputs and their reading are described with."""

from collections.abc import Callable
from typing import Literal

Kind = Literal["qrels", "run"]
Order = Literal["docid", "input"]
Duplicates = Literal["error", "first", "best"]
By = Literal["subtopics", "judges", "preferences"]

Progress = Callable[[str, int, int | None], None]
"""Told now and then, while a run is read: its name, bytes read, bytes in all (None where that is not known)."""
