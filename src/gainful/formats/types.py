"""Words that inputs and their reading are described with."""

from collections.abc import Callable
from typing import Literal

Kind = Literal["qrels", "run"]
Order = Literal["docid", "input"]
Duplicates = Literal["error", "first", "best"]
By = Literal["subtopics", "judges", "preferences"]

MARK = b"\xef\xbb\xbf"
"""Of byte order: some files of UTF-8 begin with it, and it is no part of what they hold."""

Progress = Callable[[str, int, int | None], None]
"""Told now and then, while a run is read: its name, bytes read, bytes in all (None where that is not known)."""
