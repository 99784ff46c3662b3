"""Rows as a file, in any of the layouts that are read."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import PurePath
from typing import Any

from gainful._core import Rows
from gainful.errors import DataError, UsageError
from gainful.formats import registry
from gainful.formats.ids import from_bytes, shown
from gainful.formats.types import MARK, Kind

SUFFIXES = {
    **dict.fromkeys((".run", ".trec", ".txt", ".qrels", ".res"), "trec"),
    **{f".{name}": name for name in ("csv", "tsv", "json", "jsonl", "parquet")},
}
PACKED = (".gz", ".bz2", ".xz", ".zst", ".lz4")
LAYOUTS = ("trec", "marco", "csv", "tsv", "beir", "json", "jsonl", "parquet")
_BLANK = re.compile(rb"[\x00-\x20\x7f]")
_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")


def layout_for(path: str) -> str:
    """The layout that a file's ending asks for.

    >>> layout_for("runs/bm25.jsonl.gz")
    'jsonl'
    """
    pure = PurePath(path)
    if pure.suffix.lower() in PACKED:
        pure = pure.with_suffix("")
    layout = SUFFIXES.get(pure.suffix.lower())
    if layout is None and (own := registry.for_ending(pure.suffix.lower())):
        return own.name
    if layout is None:
        raise UsageError(
            f"{path}: the ending does not say the layout; name it with --to {'|'.join(LAYOUTS)}."
        )
    return layout


def written(rows: Rows, kind: Kind, layout: str, *, path: str, tag: str = "gainful") -> bytes:
    """The content of a file that holds the rows, compressed as its ending asks."""
    writers: dict[str, Callable[[Rows, Kind, str], bytes]] = {
        "trec": _trec,
        "marco": _marco,
        "csv": _csv,
        "tsv": _tsv,
        "beir": _beir,
        "json": _json,
        "jsonl": _jsonl,
        "parquet": _parquet,
    }
    own = None if layout in writers else registry.find(layout)
    write = writers.get(layout) or (own.write if own else None)
    if write is None:
        raise UsageError(f"a file is written as one of {', '.join(writers)}; got {layout!r}.")
    return _packed(write(rows, kind, tag), path)


def _triples(rows: Rows) -> Iterator[tuple[bytes, bytes, float]]:
    return zip(rows.topics, rows.documents, rows.values.tolist(), strict=True)


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _trec(rows: Rows, kind: Kind, tag: str) -> bytes:
    if kind == "qrels":
        lines = (
            b"%s 0 %s %s\n" % (*_plain(topic, document), _number(grade).encode())
            for topic, document, grade in _triples(rows)
        )
        return b"".join(lines)
    label = tag.encode("utf-8", "surrogateescape")
    if _BLANK.search(label):
        raise UsageError(f"the tag '{shown(tag)}' has blanks; a tag is one word.")
    ranked = zip(_triples(rows), _ranks(rows), strict=True)
    return b"".join(
        b"%s Q0 %s %d %s %s\n" % (*_plain(topic, document), rank, repr(score).encode(), label)
        for (topic, document, score), rank in ranked
    )


def _marco(rows: Rows, kind: Kind, tag: str) -> bytes:
    if kind == "qrels":
        return _trec(rows, kind, tag).replace(b" ", b"\t")
    ranked = sorted(zip(_triples(rows), _ranks(rows), strict=True), key=lambda one: (one[0][0], one[1]))
    return b"".join(
        b"%s\t%s\t%d\n" % (*_plain(topic, document), rank) for (topic, document, _), rank in ranked
    )


def _plain(topic: bytes, document: bytes) -> tuple[bytes, bytes]:
    for one in (topic, document):
        if not one or _BLANK.search(one) or topic.startswith((b"#", MARK)):
            raise DataError(
                f"the id '{shown(from_bytes(one))}' cannot stand in columns told apart by blanks; write csv, json or parquet."
            )
    return topic, document


def _ranks(rows: Rows) -> list[int]:
    """The rank of each row in its topic: score descending, then document id descending."""
    by_topic: dict[bytes, list[int]] = {}
    triples = list(_triples(rows))
    for place, (topic, _, _) in enumerate(triples):
        by_topic.setdefault(topic, []).append(place)
    ranks = [0] * len(triples)
    for places in by_topic.values():
        places.sort(key=lambda place: (triples[place][2], triples[place][1]), reverse=True)
        for rank, place in enumerate(places, 1):
            ranks[place] = rank
    return ranks


def _names(kind: Kind) -> tuple[str, str, str]:
    return "topic", "document", "score" if kind == "run" else "grade"


def _csv(rows: Rows, kind: Kind, tag: str) -> bytes:  # noqa: ARG001 (writers are called alike)
    return _delimited(rows, _names(kind), ",")


def _tsv(rows: Rows, kind: Kind, tag: str) -> bytes:  # noqa: ARG001 (writers are called alike)
    return _delimited(rows, _names(kind), "\t")


def _beir(rows: Rows, kind: Kind, tag: str) -> bytes:  # noqa: ARG001 (writers are called alike)
    return _delimited(rows, ("query-id", "corpus-id", "score"), "\t")


def _delimited(rows: Rows, names: tuple[str, str, str], separator: str) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(names)
    for topic, document, value in _triples(rows):
        writer.writerow([_cell(topic), _cell(document), _number(value)])
    return text.getvalue().encode("utf-8", "surrogateescape")


def _cell(one: bytes) -> str:
    text = from_bytes(one)
    if text != text.strip() or not text or text.startswith("#") or _CONTROL.search(one):
        raise DataError(
            f"the id '{shown(text)}' would not come back from a table of text; write json or parquet."
        )
    return text


def _json(rows: Rows, kind: Kind, tag: str) -> bytes:  # noqa: ARG001 (writers are called alike)
    import msgspec

    nested: dict[str, dict[str, float | int]] = {}
    for topic, document, value in _triples(rows):
        documents = nested.setdefault(shown(from_bytes(topic)), {})
        name = shown(from_bytes(document))
        if name in documents:
            raise DataError(
                f"document '{name}' of topic '{shown(from_bytes(topic))}' is there twice; JSON can hold it once."
            )
        documents[name] = int(value) if kind == "qrels" and value.is_integer() else _finite(value)
    return msgspec.json.encode(nested) + b"\n"


def _jsonl(rows: Rows, kind: Kind, tag: str) -> bytes:  # noqa: ARG001 (writers are called alike)
    import msgspec

    names = _names(kind)
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
        for topic, document, value in _triples(rows)
    )


def _finite(value: float) -> float:
    if value in (float("inf"), float("-inf")):
        raise DataError(f"a score of {value} cannot be written as JSON; write trec, csv or parquet.")
    return value


def _parquet(rows: Rows, kind: Kind, tag: str) -> bytes:  # noqa: ARG001 (writers are called alike)
    from gainful.formats import parquet

    topic, document, value = _names(kind)
    values: list[Any] = rows.values.tolist()
    return parquet.written(
        [_ids(topic, rows.topics), _ids(document, rows.documents), (value, "g", values)], {}
    )


def _ids(name: str, ids: list[bytes]) -> Any:
    """Text where all ids are UTF-8, bytes otherwise."""
    try:
        return name, "u", [one.decode() for one in ids]
    except UnicodeDecodeError:
        return name, "z", ids


def _packed(content: bytes, path: str) -> bytes:
    suffix = PurePath(path).suffix.lower()
    modules = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".lz4": "lz4.frame"}
    modules[".zst"] = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    if suffix not in modules:
        return content
    try:
        packed: bytes = import_module(modules[suffix]).compress(content)
    except ImportError:
        raise UsageError(
            f"writing {suffix} needs one more package: `pip install {'lz4' if suffix == '.lz4' else 'backports.zstd'}`."
        ) from None
    return packed
