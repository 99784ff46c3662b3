"""What MTEB saves with `prediction_folder`: {subset: {split: {query: {document: score}}}}, and whose they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gainful.errors import DataError
from gainful.formats.records import as_id
from gainful.formats.sources import Source

MODEL = "mteb_model_meta"
"""The key under which the file says which model it was."""


def predictions(whole: Mapping[str, Any], source: Source) -> Iterator[tuple[Any, Any, Any]]:
    """Query, document and score of every list; where there are several subsets or splits, queries are subset/split/query."""
    try:
        parts = {
            (subset, split): lists
            for subset, splits in whole.items()
            if subset != MODEL
            for split, lists in splits.items()
        }
        for (subset, split), lists in parts.items():
            for query, documents in lists.items():
                topic = as_id(query if len(parts) == 1 else f"{subset}/{split}/{query}", source)
                yield from ((topic, as_id(document, source), score) for document, score in documents.items())
    except AttributeError:
        raise DataError(
            f"{source.name}: expected MTEB's predictions of a retrieval task, "
            "{subset: {split: {query: {document: score}}}}."
        ) from None


_NAMED = re.compile(rb'^\s*\{\s*"mteb_model_meta"\s*:\s*\{\s*"model_name"\s*:\s*"([^"\\\\]+)"')


def model_of(head: bytes) -> str:
    """The model whose predictions begin with these bytes; empty where they are none.

    >>> model_of(b'{"mteb_model_meta": {"model_name": "org/model", "revision": "1"}, "default": {}}')
    'org/model'
    """
    named = _NAMED.match(head)
    return named[1].decode("utf-8", "replace") if named else ""
