"""A choice of topics: a list, a text with commas, or a file with one a line."""

from __future__ import annotations

import os
from collections.abc import Iterable

from gainful.formats.ids import from_bytes, unshown
from gainful.formats.sources import Source


def read_topics(topics: str | os.PathLike[str] | Iterable[str | bytes]) -> set[str]:
    """The ids asked for; a text that names a file is that file, any other text a list with commas.

    >>> sorted(read_topics("301, 302")), sorted(read_topics([301, "q1"]))
    (['301', '302'], ['301', 'q1'])
    """
    if isinstance(topics, os.PathLike) or (isinstance(topics, str) and os.path.exists(topics)):  # noqa: PTH110 (a list of any length)
        with Source(os.fspath(topics)) as source:
            lines = list(source.lines())
        return {unshown(from_bytes(line.split()[0])) for line in lines if line.strip() and line[:1] != b"#"}
    if isinstance(topics, str):
        return {unshown(topic.strip()) for topic in topics.split(",") if topic.strip()}
    return {from_bytes(topic) if isinstance(topic, bytes) else str(topic) for topic in topics}
