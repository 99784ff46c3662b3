"""Small random collections, and writers of every layout that share no code with the package."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import lz4.frame
from backports import zstd

Rows = list[tuple[str, str, float]]
Nested = dict[str, dict[str, float]]

_ALPHABET = "abcdXYZ0123456789-_.:/#{}[]\"',;éß中"
_BLANKS = _ALPHABET + " \t\n"
_CODECS = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstd.compress,
    ".lz4": lz4.frame.compress,
}


@dataclass(frozen=True)
class Collection:
    """Judgments, and two runs whose scores differ within each topic, so that no order depends on ids."""

    qrels: Nested
    runs: tuple[Nested, Nested]


def random_collection(draw: random.Random, *, blanks: bool = False) -> Collection:
    """One to six topics with up to thirty documents each; blanks: inside ids too, which TREC text cannot hold."""
    alphabet = _BLANKS if blanks else _ALPHABET
    topics = _ids(draw, draw.randint(1, 6), alphabet)
    qrels: Nested = {}
    runs: tuple[Nested, Nested] = ({}, {})
    for topic in topics:
        documents = _ids(draw, draw.randint(1, 30), alphabet)
        qrels[topic] = {document: draw.choice([0, 0, 1, 2, 3]) for document in documents[:12]}
        for run in runs:
            retrieved = draw.sample(documents, draw.randint(1, len(documents)))
            scores = draw.sample(range(-500, 500), len(retrieved))
            run[topic] = {document: score / 8 for document, score in zip(retrieved, scores, strict=True)}
    return Collection(qrels, runs)


def renamed(nested: Nested) -> Nested:
    """The same values under other ids."""
    return {
        f"t{topic}": {f"{document}'": value for document, value in documents.items()}
        for topic, documents in nested.items()
    }


def rows_of(nested: Nested, draw: random.Random | None = None) -> Rows:
    """Topic, document and value; shuffled where a random source is given."""
    rows = [
        (topic, document, value)
        for topic, documents in nested.items()
        for document, value in documents.items()
    ]
    if draw is not None:
        draw.shuffle(rows)
    return rows


def trec(rows: Rows, kind: str, blank: str = " ") -> bytes:
    """Lines of TREC; ranks are written as 0, since scores decide."""
    if kind == "run":
        lines = [
            blank.join((topic, "Q0", document, "0", repr(value), "tag")) for topic, document, value in rows
        ]
    else:
        lines = [blank.join((topic, "0", document, str(int(value)))) for topic, document, value in rows]
    return ("\n".join(lines) + "\n").encode()


def separated(rows: Rows, kind: str, separator: str) -> bytes:
    """CSV or TSV whose first line names the columns."""
    return lines_of_csv([("topic", "document", _value(kind)), *rows], separator)


def lines_of_csv(rows: Iterable[Iterable[object]], separator: str = ",") -> bytes:
    """Rows as the csv module writes them, with quotes where they are needed."""
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def separated_with_text(rows: Rows, kind: str) -> bytes:
    """CSV with a column of text that looks like rows, between the others."""
    texts = (
        (topic, document, f'a "text",\n{topic},{document},x,9', value) for topic, document, value in rows
    )
    return lines_of_csv([("topic", "document", "text", _value(kind)), *texts])


def json_nested(rows: Rows) -> bytes:
    """One JSON object: topic, then document, then value."""
    nested: Nested = {}
    for topic, document, value in rows:
        nested.setdefault(topic, {})[document] = value
    return json.dumps(nested).encode()


def json_lines(rows: Rows, kind: str) -> bytes:
    """A record a line."""
    names = ("topic", "document", _value(kind))
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows).encode()


def parquet(rows: Rows, kind: str) -> bytes:
    """A table as pyarrow writes it."""
    import pyarrow
    from pyarrow import parquet as writer

    topics, documents, values = (list(column) for column in zip(*rows, strict=True))
    table = pyarrow.table({"topic": topics, "document": documents, _value(kind): [float(v) for v in values]})
    file = io.BytesIO()
    writer.write_table(table, file)
    return file.getvalue()


def encoded(layout: str, rows: Rows, kind: str) -> bytes:
    """The rows in the layout of that name."""
    match layout:
        case "trec":
            return trec(rows, kind)
        case "tabs":
            return trec(rows, kind, "\t")
        case "csv":
            return separated(rows, kind, ",")
        case "tsv":
            return separated(rows, kind, "\t")
        case "text":
            return separated_with_text(rows, kind)
        case "json":
            return json_nested(rows)
        case "jsonl":
            return json_lines(rows, kind)
        case "parquet":
            return parquet(rows, kind)
    raise ValueError(layout)


LAYOUTS = ("trec", "tabs", "csv", "tsv", "text", "json", "jsonl", "parquet")
FOR_ANY_ID = LAYOUTS[2:]
SUFFIXES = tuple(_CODECS)


def write(folder: Path, name: str, layout: str, suffix: str, rows: Rows, kind: str) -> Path:
    """A file of that layout, compressed as the suffix says."""
    path = folder / f"{name}.{layout}{suffix}"
    path.write_bytes(_CODECS[suffix](encoded(layout, rows, kind)))
    return path


def write_plain(folder: Path, collection: Collection) -> tuple[str, str, str]:
    """Judgments and both runs as TREC text."""
    return tuple(  # type: ignore[return-value]
        str(write(folder, name, "trec", "", rows_of(nested), kind))
        for name, nested, kind in (
            ("q", collection.qrels, "qrels"),
            ("a", collection.runs[0], "run"),
            ("b", collection.runs[1], "run"),
        )
    )


def _value(kind: str) -> str:
    return "score" if kind == "run" else "grade"


def _ids(draw: random.Random, number: int, alphabet: str) -> list[str]:
    """Different ids; blanks around them would be no part of them in CSV, and `#` alone begins a comment in TREC text."""
    ids: dict[str, None] = {}
    while len(ids) < number:
        name = "".join(draw.choices(alphabet, k=draw.randint(1, 9))).strip()
        if name not in ("", "#"):
            ids[name] = None
    return list(ids)
