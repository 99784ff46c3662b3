"""Words that a filter and its commands share; light, so that commands can name them before anything is read."""

from __future__ import annotations

FORMS = ("jsonl", "csv", "tsv", "parquet", "feed")
"""Formats that streams come in."""

CHANGED = ("error", "keep")
"""What is done with an id seen before whose text is another one now: a fault, or what was first seen is kept."""

VERDICTS: dict[str, bool | None] = {"relevant": True, "not-relevant": False, "undo": None}
"""What readers say of a document."""
