"""The layout of a file, recognised by its first bytes, and the rows of a file in that layout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gainful._core import Fault, Rows
from gainful.errors import DataError, GainfulError, UsageError
from gainful.formats import registry
from gainful.formats.fault_messages import explain
from gainful.formats.ids import shown
from gainful.formats.multi_file import Parts
from gainful.formats.records import header_separator
from gainful.formats.sources import Source, unreadable
from gainful.formats.types import MARK, TREC, Kind

_MARKS = frozenset(b"\t,;")  # between names of columns

NOWHERE = (0, 0, 0)
"""Places in a file that the core does not read by itself."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The format of a file and, if the core reads it line by line, the columns of topic, document and value."""

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
        """Whether places in it are lines or rows, for messages."""
        return "line" if self.streams else "row"

    @property
    def streams(self) -> bool:
        """Whether the core reads it line by line."""
        return self.places != NOWHERE and not self.quoted


def layout_of_source(source: Source, kind: Kind, name: str | None) -> Layout:
    """The layout of an open file, recognised from its first bytes unless its name is given."""
    head = source.head(line=True)
    try:
        layout = layout_of(head, kind, name)
    except DataError as fault:
        raise DataError(f"{source.name}: {fault}") from None
    if isinstance(source, Parts):
        layout = replace(layout, quoted=_check_alike(source, kind, layout, name))
        source.chain.header = layout.header
    return layout


def layout_of(head: bytes, kind: Kind, name: str | None = None) -> Layout:
    r"""The layout of a file that begins with these bytes; the name of a format decides where the bytes do not.

    >>> layout_of(b"q1 Q0 d7 1 12.5 bm25\n", "run").name
    'trec'
    >>> layout_of(b"1048585\t7187158\t1\n", "run").name
    'marco'
    >>> layout_of(b"query-id\tcorpus-id\tscore\nq1\td7\t2\n", "qrels").places
    (0, 1, 2)
    """
    form = recognised(head, kind) if name is None else registry.named(name)
    if form is None or form.name == TREC:
        return trec_layout(head, kind, named=name is not None)
    return Layout(form.name) if form.layout is None else form.layout(head, kind, named=name is not None)


def recognised(head: bytes, kind: Kind) -> registry.Format | None:
    """The format of a run, or of judgments, that begin with these bytes; None for TREC.

    Formats of one's own are asked first, then TREC, the most common, so that nothing else is imported. Text that no format
    recognises, installed packages included, is read as TREC too: the reader says which line is wrong.
    """
    own = next((form for form in registry.OWN.values() if form.recognises(head, kind)), None)
    if own is not None:
        return own
    line = first_line(head.removeprefix(MARK))
    fields = line.split()
    if not 3 < len(fields) < 7 or line.lstrip().startswith((b"{", b"[")) or b"\0" in line:
        return registry.recognised(head, kind)
    names_columns = not _MARKS.isdisjoint(line) and header_separator(line) is not None
    of_trec = is_number(fields[min(len(fields), 5) - 1]) and not names_columns
    return None if of_trec else registry.recognised(head, kind)


def trec_layout(head: bytes, kind: Kind, *, named: bool) -> Layout:
    """The columns of topic, document and value in TREC lines; judgments that look like a run are refused, unless named."""
    text = head.removeprefix(MARK)
    if b"\n" not in text:
        check_newlines(text)
    fields = first_line(text).split() if kind == "qrels" and not named else []
    if len(fields) >= 6 and fields[1].upper() == b"Q0" and is_number(fields[4]):
        raise DataError(
            "this looks like a run, not like judgments; the order is QRELS RUN (--qrels-format trec, "
            "layout='trec' in Python, reads it anyhow)."
        )
    return Layout(TREC, places=(0, 2, 4) if kind == "run" else (0, 2, 3))


def _check_alike(source: Parts, kind: Kind, layout: Layout, name: str | None) -> bool:
    """Raise if the files of one run differ in layout or cannot be combined; returns whether any of them has quotes."""
    if not registry.named(layout.name).joins:
        raise UsageError(
            f"{source.name}: files of {layout.name} cannot be combined; give JSON lines or Parquet."
        )
    quoted, first = layout.quoted, ""
    for path in source.paths:
        with Source(path) as part:
            if not part.head(1):
                continue
            of_part = layout_of_source(part, kind, name)
        first = first or path
        quoted |= of_part.quoted
        if replace(of_part, quoted=layout.quoted) != layout:
            raise unlike(path, of_part, first, layout, kind)
    return quoted


def unlike(path: str, layout: Layout, first: str, of_first: Layout, kind: Kind) -> DataError:
    """The error for a file whose format differs from that of the first file of the run."""
    return DataError(
        f"{shown(path)} is {_described(layout, kind)}, and {shown(first)} is {_described(of_first, kind)}; "
        "files of one run must have the same format."
    )


def _described(layout: Layout, kind: Kind) -> str:
    return f"{layout.name} ({layout.described(kind)})" if layout.header else layout.name


def read_source(source: Source, kind: Kind, layout: Layout, *, threads: int) -> Rows:
    """Read the rows of an open file in that layout into memory."""
    source.hold()
    if layout.separator and not source.can_rewind:  # at the first quote it would have to be read again
        layout = replace(layout, quoted=True)
    try:
        if layout.name == TREC:
            return Rows.read(source.handle, kind=kind, threads=threads)
        if not layout.streams:
            return _read_by_format(source, kind, layout)
        return Rows.read_table(
            source.handle,
            separator=layout.separator,
            places=layout.places,
            header=layout.header,
            ranked=layout.ranked,
            columns=layout.columns,
            counting=layout.counting,
            threads=threads,
        )
    except Fault as fault:
        if fault.args[0] == "quoted" and source.rewind():
            return read_source(source, kind, replace(layout, quoted=True), threads=threads)
        placed = source.place(fault, layout.unit)
        raise explain(*placed, kind, unit=layout.unit, columns=layout.described(kind)) from None
    except OSError as fault:
        raise unreadable(source.name, fault) from None


def _read_by_format(source: Source, kind: Kind, layout: Layout) -> Rows:
    """The rows of a file that the core does not read by itself."""
    from gainful.formats.records import collected

    form = registry.named(layout.name)
    try:
        if layout.quoted and form.quoted is not None:
            return collected(form.quoted(source, layout), source, kind)
        assert form.read is not None
        rows = form.read(source, kind)
        if isinstance(rows, Rows | Mapping):
            return rows if isinstance(rows, Rows) else Rows.of_mapping(rows)
        return collected(rows, source, kind)
    except (GainfulError, Fault):
        raise
    except (ValueError, TypeError, KeyError, IndexError) as fault:
        raise DataError(f"{source.name} cannot be read as {form.name}: {shown(str(fault))}.") from None


def check_newlines(text: bytes) -> None:
    """Raise if lines end in a carriage return alone, since the whole file would then be one line."""
    if b"\n" not in text and b"\r" in text.rstrip(b"\r"):
        raise DataError("lines end in a carriage return alone; write newlines: tr '\\r' '\\n' < FILE.")


def reads_as_rows(text: bytes) -> bool:
    """Whether every whole line has three to six columns separated by blanks, with a number where grade or score is."""
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
