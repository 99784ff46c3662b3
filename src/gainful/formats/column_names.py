"""Names of columns: which of them hold topics, documents, and scores, ranks or grades."""

from __future__ import annotations

from gainful.errors import DataError
from gainful.formats.ids import shown
from gainful.formats.types import WHAT, Kind

TOPIC = ("topic", "query_id", "qid", "query-id", "topic_id", "query", "q_id", "queryid")
DOCUMENT = (
    "document",
    "doc_id",
    "docno",
    "corpus-id",
    "docid",
    "document_id",
    "doc",
    "pid",
    "corpus_id",
    "_id",
)
GRADE = ("grade", "relevance", "rel", "label", "rating", "score", "judgment", "judgement")
SCORE = ("score", "sim", "similarity")
RANK = ("rank",)


def pick(names: list[str], kind: Kind) -> tuple[str, str, str, bool]:
    """The columns that hold topic, document and value, and whether the value is a rank.

    >>> pick(["qid", "docno", "rank", "score"], "run")
    ('qid', 'docno', 'score', False)
    """
    values = SCORE if kind == "run" else GRADE
    topic, document = _one(names, TOPIC, kind), _one(names, DOCUMENT, kind)
    if kind == "run" and not column_named(names, SCORE) and column_named(names, RANK):
        return topic, document, _one(names, RANK, kind), True
    return topic, document, _one(names, values, kind), False


def _one(names: list[str], wanted: tuple[str, ...], kind: Kind) -> str:
    found = column_named(names, wanted)
    if found is None:
        raise DataError(
            f"{WHAT[kind]}: no column named {wanted[0]} (or {', '.join(wanted[1:4])}) among {', '.join(map(shown, names))}; "
            "rename the one that is meant."
        )
    return found


def column_named(names: list[str], wanted: tuple[str, ...]) -> str | None:
    """The first of the wanted names that is there, as it is written there; case does not matter."""
    plain = {name.strip().strip('"').lower(): name for name in reversed(names)}
    return next((plain[name] for name in wanted if name in plain), None)


def header_separator(line: bytes) -> str | None:
    r"""What divides the names of columns in a first line; None where no column is named as topics are.

    >>> header_separator(b"topic,document,grade"), header_separator(b"q1 0 d7 2")
    (',', None)
    """
    return next(
        (mark for mark in ("\t", ",", ";") if mark.encode() in line and names_topics(line, mark)), None
    )


def names_topics(line: bytes, separator: str) -> bool:
    """Whether one of the fields is a name of the column of topics."""
    fields = line.decode("utf-8", "surrogateescape").split(separator)
    return not {field.strip().strip('"').lower() for field in fields}.isdisjoint(TOPIC)
