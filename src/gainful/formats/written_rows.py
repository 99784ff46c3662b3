"""Rows as the content of a file, in any format that can be written."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import PurePath

from gainful._core import Rows
from gainful.errors import UsageError
from gainful.formats import registry
from gainful.formats.types import Kind

PACKED = (".gz", ".bz2", ".xz", ".zst", ".lz4")


def layout_for(path: str) -> str:
    """The layout that a file's ending asks for.

    >>> layout_for("runs/bm25.jsonl.gz")
    'jsonl'
    """
    pure = PurePath(path)
    if pure.suffix.lower() in PACKED:
        pure = pure.with_suffix("")
    form = registry.for_ending(pure.suffix.lower())
    if form is None:
        raise UsageError(
            f"{path}: the suffix does not give the format; use --to {'|'.join(registry.written_names())}."
        )
    return form.name


def written(rows: Rows, kind: Kind, layout: str, *, path: str, tag: str = "gainful") -> bytes:
    """The content of a file that holds the rows, compressed as its ending asks."""
    form = registry.find(layout)
    if form is None or form.write is None:
        raise UsageError(
            f"a file is written as one of {', '.join(registry.written_names())}; got {layout!r}."
        )
    return _packed(form.write(rows, kind, tag), path)


def triples(rows: Rows) -> Iterator[tuple[bytes, bytes, float]]:
    """Topic, document and value, row by row."""
    return zip(rows.topics, rows.documents, rows.values.tolist(), strict=True)


def number_text(value: float) -> str:
    """A number as text; whole numbers have no decimal point."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def value_names(kind: Kind) -> tuple[str, str, str]:
    """What the columns are called in a file that is written."""
    return "topic", "document", "score" if kind == "run" else "grade"


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
