r"""Rows from files that are not lines of plain columns: JSON, JSON lines, CSV with quotes, Parquet.

In JSON an id that is not UTF-8 is written with `\xNN` for each such byte, and read back as those bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gainful._core import Rows
from gainful.errors import DataError, UsageError
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

LIMIT = 4 << 30
"""Bytes of content that are held at once; what is larger is refused before it fills the memory."""


def read_records(source: Source, kind: Kind, layout: Layout) -> Rows:
    """The rows of a file in one of the layouts that the core does not read by itself."""
    if layout.name == "parquet":
        return _parquet(source, kind)
    if layout.name == "json":
        return _json(source, kind)
    if layout.name == "ranx":
        return _ranx(source)
    if layout.name == "jsonl":
        return _collected(_from_records(json_lines(source), source, kind, "line"), source, kind)
    return _collected(_csv(source, layout), source, kind)


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
            yield _id(topic), _id(document), value


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
                yield _id(request["id"]), _id(rating["_id"]), rating["rating"]
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
            yield _id(record[topic]), _id(record[document]), found
        except KeyError as missing:
            raise DataError(f"{source.at(number, unit)}: {missing} is missing.") from None


def _csv(source: Source, layout: Layout) -> Iterator[tuple[Any, Any, Any]]:
    import csv

    text = io.TextIOWrapper(source.raw(), "utf-8-sig", "surrogateescape", newline="")
    reader = csv.reader(text, delimiter=layout.separator, strict=True, skipinitialspace=True)
    topic, document, value = layout.places
    try:
        header = layout.header
        for row in reader:
            if not row or row[0].startswith("#"):
                continue
            if header:
                header = False
                continue
            if len(row) <= max(layout.places):
                raise DataError(f"{source.at(reader.line_num)}: {len(row)} columns, too few.")
            found = _number(row[value], source, reader.line_num, "line")
            yield row[topic].strip(BLANKS), row[document].strip(BLANKS), -found if layout.ranked else found
    except csv.Error as fault:
        raise DataError(f"{source.at(reader.line_num)}: {fault}.") from None


def _id(found: Any) -> Any:
    return unshown(found) if isinstance(found, str) else found


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
