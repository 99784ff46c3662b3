r"""Rows from files that are not lines of plain columns: JSON, JSON lines, CSV with quotes, Parquet.

In JSON an id that is not UTF-8 is written with `\xNN` for each such byte, and read back as those bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gainful._core import Fault, Rows
from gainful.errors import DataError, GainfulError, UsageError
from gainful.formats import registry
from gainful.formats.fault_messages import LONGEST_ID
from gainful.formats.ids import shown, to_bytes, unshown
from gainful.formats.layouts import Layout, pick
from gainful.formats.multi_file import Parts
from gainful.formats.sources import Source
from gainful.formats.streams import Stream, decompressor_of, held_content
from gainful.formats.types import MARK, Kind

if TYPE_CHECKING:
    from gainful.formats.parquet import Decoded

BLANKS = " \t\r"
"""Around fields of text they are no part of them; the core reads them so."""

LONGEST_ROW = 1 << 20
"""Bytes of a row of CSV, as of a line in the core."""

LIMIT = 4 << 30
"""Bytes of content that are held at once; what is larger is refused before it fills the memory."""


def read_records(source: Source, kind: Kind, layout: Layout) -> Rows:
    """The rows of a file in one of the layouts that the core does not read by itself."""
    match layout.name:
        case "parquet":
            return _parquet(source, kind)
        case "json":
            return _json(source, kind)
        case "ranx":
            return _ranx(source)
        case "jsonl":
            return _collected(_from_records(json_lines(source), source, kind, "line"), source, kind)
        case "csv" | "tsv":
            return _collected(_csv(source, layout), source, kind)
    return _registered(source, kind, layout.name)


def _registered(source: Source, kind: Kind, name: str) -> Rows:
    """The rows of a file in a format that was registered."""
    form = registry.find(name)
    assert form is not None
    try:
        rows = form.read(source, kind)
        if isinstance(rows, Rows | Mapping):
            return rows if isinstance(rows, Rows) else Rows.of_mapping(rows)
        return _collected(iter(rows), source, kind)
    except (GainfulError, Fault):
        raise
    except (ValueError, TypeError, KeyError, IndexError) as fault:
        raise DataError(f"{source.name} cannot be read as {name}: {shown(str(fault))}.") from None


def _collected(triples: Iterator[tuple[Any, Any, Any]], source: Source, kind: Kind) -> Rows:
    topics, documents, values = [], [], []
    for topic, document, value in triples:
        topics.append(topic)
        documents.append(document)
        values.append(value)
    if not topics:
        raise DataError(f"{source.name} holds no rows of {'a run' if kind == 'run' else 'judgments'}.")
    return Rows.of_lists(topics, documents, values)


def whole_json(source: Source) -> tuple[Any, bytes]:
    """What a file of JSON holds, and its text."""
    import msgspec

    text = source.read_all(LIMIT).removeprefix(MARK)
    try:
        return msgspec.json.decode(text), text
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise DataError(f"{source.name} is not JSON: {fault}.") from None


def _json(source: Source, kind: Kind) -> Rows:
    whole, text = whole_json(source)
    if isinstance(whole, dict) and isinstance(whole.get("requests"), list):
        return _collected(_ratings(whole["requests"], source), source, kind)
    if isinstance(whole, list):
        return _collected(_from_records(enumerate(whole, 1), source, kind, "record"), source, kind)
    if not isinstance(whole, dict) or not all(isinstance(documents, dict) for documents in whole.values()):
        raise DataError(f"{source.name}: expected {{topic: {{document: value}}}} or a list of records.")
    for topic, documents in whole.items():
        for document, value in documents.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise DataError(
                    f"{source.name}: the value of document '{shown(document)}' of topic '{shown(topic)}' "
                    f"is not a number: {value!r:.60}."
                )
    longest = max((id_ for ids in (whole, *whole.values()) for id_ in ids), key=len, default="")
    _id(longest, source)
    names = len(whole) + sum(map(len, whole.values()))
    if text.count(b'"') != 2 * names:  # one is there twice, or has a quotation mark in it
        return _collected(_every_pair(text, source), source, kind)
    if any(
        "\\" in topic or any("\\" in document for document in documents) for topic, documents in whole.items()
    ):
        whole = {
            unshown(topic): {unshown(d): v for d, v in documents.items()}
            for topic, documents in whole.items()
        }
    return Rows.of_mapping(whole)


def _every_pair(text: bytes, source: Source) -> Iterator[tuple[Any, Any, Any]]:
    """The rows of JSON in which a document may stand twice under its topic, so that what that means can be decided."""
    import json

    for topic, documents in json.loads(text, object_pairs_hook=tuple):
        if not isinstance(documents, tuple):
            raise DataError(f"{source.name}: topic '{shown(topic)}' is there twice, once without documents.")
        for document, value in documents:
            yield _id(topic, source), _id(document, source), value


def _ranx(source: Source) -> Rows:
    """What ranx saves: {topic: {document: value}} in CBOR, packed with lz4, and packed again."""
    try:
        import cbor2
    except ImportError:
        raise UsageError(
            "reading what ranx saves needs one more package: `pip install 'gainful[lz4]'`."
        ) from None
    content = source.read_all(LIMIT)
    while inflate := decompressor_of(content):
        content = held_content(Stream(io.BytesIO(content), b"", inflate, source.name, can_rewind=False))
    try:
        nested = cbor2.loads(content)
    except (cbor2.CBORError, ValueError, RecursionError) as fault:
        raise DataError(f"{source.name} is not what ranx saves as lz4: {fault}.") from None
    if not isinstance(nested, dict) or not all(isinstance(documents, dict) for documents in nested.values()):
        raise DataError(f"{source.name}: expected {{topic: {{document: value}}}}.")
    return Rows.of_mapping(nested)


def _ratings(requests: list[Any], source: Source) -> Iterator[tuple[Any, Any, Any]]:
    """Ratings as Elasticsearch's ranking evaluation takes them."""
    for request in requests:
        try:
            for rating in request["ratings"]:
                yield _id(request["id"], source), _id(rating["_id"], source), rating["rating"]
        except (KeyError, TypeError):
            raise DataError(
                f"{source.name}: expected requests with an id and ratings of _id and rating."
            ) from None


def json_lines(source: Source) -> Iterator[tuple[int, Any]]:
    """Each line that is not empty, decoded, with its number."""
    import msgspec

    decode = msgspec.json.Decoder().decode
    for number, line in enumerate(source.lines(), 1):
        if line.strip():
            try:
                yield number, decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
                raise DataError(f"{source.at(number)}: not JSON: {fault}.") from None


def _from_records(records: Any, source: Source, kind: Kind, unit: str) -> Iterator[tuple[Any, Any, Any]]:
    names: tuple[str, str, str, bool] | None = None
    for number, record in records:
        if not isinstance(record, dict):
            raise DataError(
                f"{source.at(number, unit)}: expected an object with named values, not {record!r:.60}."
            )
        if names is None:
            try:
                names = pick(list(record), kind)
            except DataError as fault:
                raise DataError(f"{source.at(number, unit)}: {fault}") from None
        topic, document, value, ranked = names
        try:
            found = record[value]
            if ranked:
                found = -_number(found, source, number, unit)
            elif isinstance(found, bool):
                raise _no_number(found, source, number, unit)
            yield _id(record[topic], source), _id(record[document], source), found
        except KeyError as missing:
            raise DataError(f"{source.at(number, unit)}: {missing} is missing.") from None


def _csv(source: Source, layout: Layout) -> Iterator[tuple[Any, Any, Any]]:
    topic, document, value = layout.places
    header = layout.header
    for line, row in csv_rows(source, layout.separator):
        if header:
            header = row[0].startswith("#")  # comments may stand before the names
            continue
        if len(row) != layout.columns:
            raise DataError(f"{source.at(line)}: {len(row)} columns where {layout.columns} are expected.")
        ids = row[topic].strip(BLANKS), row[document].strip(BLANKS)
        for name, text in zip(("topic", "document"), ids, strict=True):
            if not text or len(text) > LONGEST_ID or len(to_bytes(text)) > LONGEST_ID:
                wrong = f"an id longer than {LONGEST_ID:,} bytes" if text else f"the {name} is missing"
                raise DataError(f"{source.at(line)}: {wrong}.")
        number = _number(row[value], source, line, "line")
        yield *ids, -number if layout.ranked else number


def csv_rows(source: Source, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of CSV, with the line that each ends on; a row longer than LONGEST_ROW is refused before it is whole."""
    import csv

    taken = 0  # bytes of the row that is being read

    def lines() -> Iterator[str]:
        nonlocal taken
        for number, line in enumerate(source.lines(LONGEST_ROW), 1):
            taken += len(line)
            if taken > LONGEST_ROW:
                raise DataError(
                    f"{source.at(number)}: a row longer than {LONGEST_ROW >> 20} MiB; is a quotation mark never closed?"
                )
            yield line.decode("utf-8", "surrogateescape")

    reader = csv.reader(lines(), delimiter=separator, strict=True, skipinitialspace=True)
    try:
        for row in reader:
            taken = 0
            if row:
                yield reader.line_num, row
    except csv.Error as fault:
        raise DataError(f"{source.at(reader.line_num)}: {fault}.") from None


def _id(found: Any, source: Source) -> Any:
    if not isinstance(found, str):
        return found
    if len(found) > LONGEST_ID:
        raise DataError(f"{source.name}: an id longer than {LONGEST_ID:,} bytes, '{shown(found[:60])}…'.")
    return unshown(found)


def _number(found: Any, source: Source, place: int, unit: str) -> float:
    number: float | None
    try:
        number = number_of(to_bytes(found)) if isinstance(found, str) else float(found)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None:
        raise _no_number(found, source, place, unit)
    return number


def _no_number(found: Any, source: Source, place: int, unit: str) -> DataError:
    return DataError(f"{source.at(place, unit)}: {found!r:.60} is not a number.")


def number_of(field: bytes) -> float | None:
    """The number that a field of text is, as the core reads it: no digits of other scripts, and no 1_000."""
    try:
        return None if b"_" in field else float(field)
    except ValueError:
        return None


def parquet_columns(source: Source, kind: Kind) -> tuple[Decoded, tuple[str, str, str]]:
    """A Parquet file, with the names of its topics, documents and values."""
    from gainful.formats.parquet import Decoded

    table = Decoded(source.path if source.on_disk else io.BytesIO(source.read_all(LIMIT)), source.name)
    try:
        topic, document, value, ranked = pick(list(table.schema.names), kind)
    except DataError as fault:
        raise DataError(f"{source.name}: {fault}") from None
    if ranked:
        raise DataError(
            f"{source.name} has ranks and no scores; add a column score (for example minus the rank)."
        )
    return table, (topic, document, value)


def _parquet(source: Source, kind: Kind) -> Rows:
    if isinstance(source, Parts):
        from gainful.formats.multi_parquet import Tables

        return Tables(source, kind).rows()
    table, names = parquet_columns(source, kind)
    return table.asked(lambda: Rows.of_stream(table.__arrow_c_stream__(), *names))
