"""Types and names shared by all formats."""

from collections.abc import Callable
from typing import Literal, NamedTuple

Kind = Literal["qrels", "run"]
Ties = Literal["docid", "ascending", "input", "reverse", "best", "worst", "expected"]
JudgmentDuplicates = Literal["error", "first", "best"]
Duplicates = Literal["error", "first", "best", "counted", "once"]
By = Literal["subtopics", "judges", "preferences"]

WHAT: dict[Kind, str] = {"run": "a run", "qrels": "judgments"}
"""What messages call them."""

TREC = "trec"
"""The format whose lines the core reads by itself; any other text is taken for it."""

COLLECTION = "irds:"
"""Begins the name of judgments that ir_datasets holds."""


class Rules(NamedTuple):
    """How the core judges a run.

    ties        documents with equal scores: by document id, descending or ascending, or in the order given or its reverse;
                "best", "worst" and "expected" are ranked by document id, and the first two change the order of the first
                documents that are kept
    duplicates  a document twice in a topic: an error, or the first or the best scored one counts; or all keep their ranks,
                and each is credited, or only the one that ranks first
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
