"""Types and names shared by all formats."""

from collections.abc import Callable
from typing import Literal, NamedTuple

Kind = Literal["qrels", "run"]
Ties = Literal["docid", "input", "best", "worst"]
Duplicates = Literal["error", "first", "best"]
By = Literal["subtopics", "judges", "preferences"]

WHAT: dict[Kind, str] = {"run": "a run", "qrels": "judgments"}
"""What messages call them."""

TREC = "trec"
"""The format whose lines the core reads by itself; any other text is taken for it."""

COLLECTION = "irds:"
"""Begins the name of judgments that ir_datasets holds."""


class Rules(NamedTuple):
    """How the core judges a run.

    ties        documents with equal scores: by document id, descending, or in the order given; "best" and "worst" are
                ranked by document id, and change the order of the first documents that are kept alone
    duplicates  a document twice in a topic: an error, or the first or the best scored one counts
    drop_self   a document with the id of its topic is left out
    narrow      scores are rounded to 32 bits first
    top         so many documents of each topic are kept, in order
    """

    ties: Ties = "docid"
    duplicates: Duplicates = "error"
    drop_self: bool = False
    narrow: bool = False
    top: int = 0


MARK = b"\xef\xbb\xbf"
"""The byte-order mark with which some UTF-8 files begin; not part of their content."""

Progress = Callable[[str, int, int | None], None]
"""Called now and then while a run is read: its name, bytes read, bytes in all (None if unknown)."""
