"""Small random collections, and writers of every layout that share no code with the package."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import random
from dataclasses import dataclass
from pathlib import Path

Rows = list[tuple[str, str, float]]
Nested = dict[str, dict[str, float]]

_ALPHABET = "abcdXYZ0123456789-_.:/#{}[]\"',;éß中"
_CODECS = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


@dataclass(frozen=True)
class Collection:
    """Judgments, and two runs whose scores differ within each topic, so that no order depends on ids."""

    qrels: Nested
    runs: tuple[Nested, Nested]


def random_collection(draw: random.Random) -> Collection:
    """One to six topics with up to thirty documents each."""
    topics = _ids(draw, draw.randint(1, 6))
    qrels: Nested = {}
    runs: tuple[Nested, Nested] = ({}, {})
    for topic in topics:
        documents = _ids(draw, draw.randint(1, 30))
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
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(["topic", "document", _value(kind)])
    writer.writerows(rows)
    return text.getvalue().encode()


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
        case "json":
            return json_nested(rows)
        case "jsonl":
            return json_lines(rows, kind)
        case "parquet":
            return parquet(rows, kind)
    raise ValueError(layout)


LAYOUTS = ("trec", "tabs", "csv", "tsv", "json", "jsonl", "parquet")
SUFFIXES = tuple(_CODECS)


def write(folder: Path, name: str, layout: str, suffix: str, rows: Rows, kind: str) -> Path:
    """A file of that layout, compressed as the suffix says."""
    path = folder / f"{name}.{layout}{suffix}"
    path.write_bytes(_CODECS[suffix](encoded(layout, rows, kind)))
    return path


def _value(kind: str) -> str:
    return "score" if kind == "run" else "grade"


def _ids(draw: random.Random, number: int) -> list[str]:
    made: dict[str, None] = {}
    while len(made) < number:
        made["".join(draw.choices(_ALPHABET, k=draw.randint(1, 9)))] = None
    return list(made)
