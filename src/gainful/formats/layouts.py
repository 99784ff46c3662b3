"""Where topic, document and value stand in a file, and what its first bytes tell of them."""

from __future__ import annotations

from dataclasses import dataclass

from gainful.errors import DataError
from gainful.formats.ids import shown
from gainful.formats.types import WHAT, Kind

TREC = "trec"
"""The format whose lines the core reads by itself; any other text is taken for it."""

SNIFFED = 1 << 14
"""Bytes of the content that are looked at."""

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

NOWHERE = (0, 0, 0)
"""Places in a file that the core does not read by itself."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The format of a file and, where the core reads it line by line, where topic, document and value stand."""

    name: str
    separator: str = ""  # any run of blanks
    places: tuple[int, int, int] = NOWHERE
    header: bool = False
    ranked: bool = False  # the value is a rank: the smaller, the better
    quoted: bool = False  # a quote was seen: fields may hold separators and line ends
    columns: int = 3  # of every line, where places are used
    counting: bool = (
        False  # ranks must be 1, 2, 3, … within each topic, since nothing else says that they are ranks
    )

    def described(self, kind: Kind) -> str:
        """The columns that a line must have; empty for the usual ones."""
        if self.name == TREC or self.places == NOWHERE:
            return ""
        value = "rank" if self.ranked else "score" if kind == "run" else "grade"
        names = dict(zip(self.places, ("topic", "document", value), strict=True))
        return ", ".join(names.get(place, "…") for place in range(self.columns))

    @property
    def unit(self) -> str:
        """What a place in it counts."""
        return "line" if self.streams else "row"

    @property
    def streams(self) -> bool:
        """Whether the core reads it line by line."""
        return self.places != NOWHERE and not self.quoted


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


def header_separator(text: bytes) -> str | None:
    r"""What divides the names of columns in the first line; None where no column there is named as topics are.

    >>> header_separator(b"topic,document,grade\nq1,d7,2\n"), header_separator(b"q1 0 d7 2\n")
    (',', None)
    """
    line = first_line(text)
    return next(
        (mark for mark in ("\t", ",", ";") if mark.encode() in line and names_topics(line, mark)), None
    )


def names_topics(line: bytes, separator: str) -> bool:
    """Whether one of the fields is a name of the column of topics."""
    fields = line.decode("utf-8", "surrogateescape").split(separator)
    return not {field.strip().strip('"').lower() for field in fields}.isdisjoint(TOPIC)


def check_newlines(text: bytes) -> None:
    """Raise where lines end as on very old machines, so that all would be read as one."""
    if b"\n" not in text and b"\r" in text.rstrip(b"\r"):
        raise DataError("lines end in a carriage return alone; write newlines: tr '\\r' '\\n' < FILE.")


def reads_as_rows(text: bytes) -> bool:
    """Whether every whole line is a row of columns that blanks divide: three, four (a grade), five or six (a score)."""
    rows = [line.split() for line in whole_lines(text).splitlines() if line.strip()]
    return bool(rows) and all(3 <= len(row) <= 6 and is_number(row[min(len(row), 5) - 1]) for row in rows)


def whole_lines(text: bytes) -> bytes:
    """The text up to the end of its last whole line; all of it where no line ends."""
    return text[: text.rfind(b"\n") + 1] or text


def is_number(field: bytes) -> bool:
    """Whether a field of text is a number."""
    try:
        float(field)
    except ValueError:
        return False
    return True


def first_line(text: bytes) -> bytes:
    """The first line that holds something and is no comment; a comment where there is nothing else."""
    lines = [line.rstrip(b"\r") for line in text.split(b"\n") if line.strip()]
    return next((line for line in lines if not line.startswith(b"#")), lines[0] if lines else b"")
