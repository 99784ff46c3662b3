"""Descriptions of topics: what a query is about, in more words, for those who judge."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from gainful.formats.records import column_named
from gainful.formats.sources import Source
from gainful.formats.text_records import form_of, given_id, given_text, records_in
from gainful.formats.texts import ID, LONGEST_QUERY, Given, tagged_topics
from gainful.formats.types import MARK

_NAMES = ("description", "narrative")
_TAGS = ("desc", "description", "narr", "narrative")


def read_descriptions(given: Given, topics: Collection[str]) -> dict[str, str]:
    """Description and narrative of these topics, of those that have one.

    given  TREC topics (`<desc>`, `<narr>`), or JSON lines with `description` or `narrative`; other files and mappings have none

    >>> read_descriptions({"q1": "red shoes"}, ["q1"])
    {}
    """
    if isinstance(given, Mapping):
        return {}
    with Source(os.fsdecode(given)) as source:
        source.hold()
        head = source.head(line=True).removeprefix(MARK).lstrip()
        if form_of(source) is None and head.startswith(b"<"):
            texts = {
                topic: [text for tag in _TAGS for text in parts.get(tag, [])]
                for _, topic, parts in tagged_topics(source)
            }
        elif form_of(source) is None and head.startswith(b"{"):
            texts = {}
            for place, record in records_in(source, "jsonl"):
                key = column_named(list(record), ID)
                if key is not None:
                    topic = given_id(place, record, "a query", (key,))
                    texts[topic] = [given_text(place, record, name) for name in _NAMES]
        else:
            return {}
    joined = {
        topic: "\n\n".join(part.strip() for part in parts if part.strip()) for topic, parts in texts.items()
    }
    return {topic: joined[topic][: 4 * LONGEST_QUERY] for topic in topics if joined.get(topic)}
