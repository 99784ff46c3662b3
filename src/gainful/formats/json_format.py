"""JSON ({topic: {document: value}}, records, Elasticsearch's ratings, MTEB's predictions), JSON lines, ranx's .lz4."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

from gainful._core import Rows
from gainful.errors import DataError, UsageError
from gainful.formats.decompressors import unpacking_of
from gainful.formats.ids import from_bytes, shown, unshown
from gainful.formats.layouts import reads_as_rows, whole_lines
from gainful.formats.mteb_predictions import MODEL, predictions
from gainful.formats.output_files import triples, value_names
from gainful.formats.records import LIMIT, as_id, collected, from_records, ids_as_they_are, named_records
from gainful.formats.registry import Format, register
from gainful.formats.sources import Source
from gainful.formats.streams import Stream, held_content
from gainful.formats.types import MARK, Kind

_LZ4 = b"\x04\x22\x4d\x18"  # still there after one unpacking
JSON = re.compile(rb'\{\s*(?:["}]|$)|\[\s*(?:[][{"\d-]|$)')
"""How JSON that can hold rows begins: an object or a list, and then what may stand in it."""


def _recognise(head: bytes) -> bool:
    text = head.removeprefix(MARK)
    return JSON.match(text.lstrip()) is not None and (not reads_as_rows(text) or _begins_json(text))


def _begins_json(text: bytes) -> bool:
    """Whether whole lines that also read as rows are JSON as far as they go, as pretty-printed numbers may be."""
    import json

    whole = whole_lines(text).decode("utf-8", "replace").rstrip()
    try:
        json.loads(whole)
    except json.JSONDecodeError as fault:
        return fault.pos >= len(whole) or fault.msg.startswith("Unterminated string")
    except RecursionError:
        pass
    return True


def _recognise_lines(head: bytes) -> bool:
    return _recognise(head) and _is_record(head.removeprefix(MARK).lstrip().partition(b"\n")[0])


def _is_record(line: bytes) -> bool:
    """Whether a first line is a record on its own, and so one of many; anything else is one document."""
    import msgspec

    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return (
        isinstance(record, dict)
        and bool(record)
        and not any(isinstance(value, dict | list) for value in record.values())
    )


def _read(source: Source, kind: Kind) -> Rows:
    whole, text = whole_json(source)
    if isinstance(whole, dict) and isinstance(whole.get("requests"), list):
        return collected(_ratings(whole["requests"], source), source, kind)
    if isinstance(whole, dict) and MODEL in whole:
        return collected(predictions(whole, source), source, kind)
    if isinstance(whole, list):
        return collected(from_records(enumerate(whole, 1), source, kind, "record"), source, kind)
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
    as_id(longest, source)
    names = len(whole) + sum(map(len, whole.values()))
    if text.count(b'"') != 2 * names:  # one is there twice, or has a quotation mark in it
        return collected(_every_pair(text, source), source, kind)
    if any(
        "\\" in topic or any("\\" in document for document in documents) for topic, documents in whole.items()
    ):
        whole = {
            unshown(topic): {unshown(d): v for d, v in documents.items()}
            for topic, documents in whole.items()
        }
    return Rows.of_mapping(whole)


def whole_json(source: Source) -> tuple[Any, bytes]:
    """What a file of JSON holds, and its text."""
    import msgspec

    text = source.read_all(LIMIT).removeprefix(MARK)
    try:
        return msgspec.json.decode(text), text
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise DataError(f"{source.name} is not JSON: {fault}.") from None


def _every_pair(text: bytes, source: Source) -> Iterator[tuple[Any, Any, Any]]:
    """The rows of JSON in which a document may stand twice under its topic, so that what that means can be decided."""
    import json

    for topic, documents in json.loads(text, object_pairs_hook=tuple):
        if not isinstance(documents, tuple):
            raise DataError(f"{source.name}: topic '{shown(topic)}' is there twice, once without documents.")
        for document, value in documents:
            yield as_id(topic, source), as_id(document, source), value


def _ratings(requests: list[Any], source: Source) -> Iterator[tuple[Any, Any, Any]]:
    """Ratings as Elasticsearch's ranking evaluation takes them."""
    for request in requests:
        try:
            for rating in request["ratings"]:
                yield as_id(request["id"], source), as_id(rating["_id"], source), rating["rating"]
        except (KeyError, TypeError):
            raise DataError(
                f"{source.name}: expected requests with an id and ratings of _id and rating."
            ) from None


def _read_lines(source: Source, kind: Kind) -> Iterator[tuple[Any, Any, Any]]:
    return from_records(json_lines(source), source, kind, "line")


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


def _named(source: Source) -> tuple[Any, str]:
    whole, _ = whole_json(source)
    if isinstance(whole, list):
        return named_records(enumerate(whole, 1), source, "record"), "record"
    return ids_as_they_are(whole), "row"


def _named_lines(source: Source) -> tuple[Any, str]:
    return named_records(json_lines(source), source, "line"), "line"


def _write(rows: Rows, kind: Kind, tag: str) -> bytes:  # noqa: ARG001 (writers are called alike)
    import msgspec

    nested: dict[str, dict[str, float | int]] = {}
    for topic, document, value in triples(rows):
        documents = nested.setdefault(shown(from_bytes(topic)), {})
        name = shown(from_bytes(document))
        if name in documents:
            raise DataError(
                f"document '{name}' of topic '{shown(from_bytes(topic))}' is there twice; JSON can hold it once."
            )
        documents[name] = int(value) if kind == "qrels" and value.is_integer() else _finite(value)
    return msgspec.json.encode(nested) + b"\n"


def _write_lines(rows: Rows, kind: Kind, tag: str) -> bytes:  # noqa: ARG001 (writers are called alike)
    import msgspec

    names = value_names(kind)
    encode = msgspec.json.encode
    return b"".join(
        encode(
            dict(
                zip(
                    names,
                    (shown(from_bytes(topic)), shown(from_bytes(document)), _finite(value)),
                    strict=True,
                )
            )
        )
        + b"\n"
        for topic, document, value in triples(rows)
    )


def _read_ranx(source: Source, kind: Kind) -> dict[Any, Any]:  # noqa: ARG001 (readers are called alike)
    """What ranx saves as .lz4: {topic: {document: value}} in CBOR, packed with lz4, and packed again."""
    try:
        import cbor2
    except ImportError:
        raise UsageError(
            "reading what ranx saves needs one more package: `pip install 'gainful[lz4]'`."
        ) from None
    content = source.read_all(LIMIT)
    while unpack := unpacking_of(content):
        content = held_content(Stream(io.BytesIO(content), b"", unpack, source.name, can_rewind=False))
    try:
        nested = cbor2.loads(content)
    except (cbor2.CBORError, ValueError, RecursionError) as fault:
        raise DataError(f"{source.name} is not what ranx saves as lz4: {fault}.") from None
    if not isinstance(nested, dict) or not all(isinstance(documents, dict) for documents in nested.values()):
        raise DataError(f"{source.name}: expected {{topic: {{document: value}}}}.")
    return nested


def _finite(value: float) -> float:
    if value in (float("inf"), float("-inf")):
        raise DataError(f"a score of {value} cannot be written as JSON; write trec, csv or parquet.")
    return value


register(
    Format(
        "jsonl",
        _read_lines,
        recognise=_recognise_lines,
        write=_write_lines,
        endings=(".jsonl",),
        named=_named_lines,
    )
)
register(
    Format("json", _read, recognise=_recognise, write=_write, endings=(".json",), named=_named, joins=False)
)
register(Format("ranx", _read_ranx, recognise=lambda head: head.startswith(_LZ4), joins=False))
