"""What streams and readers hold: documents, topics, and the words that commands name too."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gainful.presentation.page import Brief


@dataclass(frozen=True, slots=True, repr=False)
class Document(Brief):
    """One document of a stream.

    id      by which judgments know it
    text    its words; may be empty
    title   counted by a weight of its own
    date    when it appeared
    vector  its own vector (an embedding), used instead of its words
    place   line or row of the file it stands in, from 1
    link    where the whole of it can be read
    """

    id: str
    text: str = ""
    title: str = ""
    date: datetime | None = None
    vector: tuple[float, ...] | None = None
    place: int = 0
    link: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Topic(Brief):
    """What one reader wants at the start: a description, example documents of the stream, or both.

    id        by which judgments know it
    text      the description
    examples  ids of relevant documents that came before the start
    vector    the description as an embedding, where documents are embeddings
    place     line of the file it stands in, from 1
    """

    id: str
    text: str = ""
    examples: tuple[str, ...] = ()
    vector: tuple[float, ...] | None = None
    place: int = 0


FORMS = ("jsonl", "csv", "tsv", "parquet", "feed")
"""Formats that streams come in."""

CHANGED = ("error", "keep")
"""What is done with an id seen before whose text is another one now: a fault, or what was first seen is kept."""

CAP = 50_000
"""Documents of the history that stay, unless another number is given."""

VERDICTS: dict[str, bool | None] = {"relevant": True, "not-relevant": False, "undo": None}
"""What readers say of a document."""
