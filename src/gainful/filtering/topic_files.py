"""Topics: what readers want, from JSON lines (or CSV, Parquet) or from files in TREC's format."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gainful.errors import DataError
from gainful.filtering.document import Topic
from gainful.filtering.stream_reader import given_id, given_text, given_vector
from gainful.filtering.stream_records import Place, lines, records
from gainful.formats.ids import shown, unshown
from gainful.formats.sources import Source

_TOP = re.compile(r"<top(?:ic)?(?=[\s>])([^>]*)>(.*?)</top(?:ic)?>", re.DOTALL | re.IGNORECASE)
_PART = re.compile(r"<(\w+)[^>]*>([^<]*)")
_NUMBER = re.compile(r"(?:(?:Number|Topic)(?=[\s:]))?\s*:?\s*(\S+)", re.IGNORECASE)
_LABEL = re.compile(r"^\s*(?:Description|Narrative|Topic|Title)\s*:\s*", re.IGNORECASE)
_SAYS_WHAT = ("title", "query", "desc", "description", "question")


def read_topics(path: str | os.PathLike[str]) -> list[Topic]:
    """Every topic of a file, in its order.

    JSON lines: an id and a text, and perhaps examples (a list of document ids) and a vector. A file that begins with
    a tag is read as TREC topics: the number, title and description of each `<top>`; narratives are left out, since they
    mostly say what is not wanted.
    """
    name = os.fsdecode(path)
    found = _trec(name) if _has_tags(name) else (_topic(place, record) for place, record in records(name))
    return _apart(found, shown(name))


def _apart(found: Iterable[tuple[Place, Topic]], name: str) -> list[Topic]:
    topics: list[Topic] = []
    places: dict[str, int] = {}
    for place, topic in found:
        if topic.id in places:
            raise place.fault(
                f"the topic '{shown(topic.id)}' is there already, in {place.unit} {places[topic.id]}."
            )
        places[topic.id] = place.number
        topics.append(topic)
    if not topics:
        raise DataError(f"{name} holds no topics.")
    return topics


def _topic(place: Place, record: Mapping[str, Any]) -> tuple[Place, Topic]:
    name = given_id(place, record, "a topic")
    words = [given_text(place, record, "title"), given_text(place, record, "text")]
    examples = record.get("examples", [])
    if isinstance(examples, str):
        examples = examples.split()
    if not isinstance(examples, list) or not all(isinstance(one, str | int) for one in examples):
        raise place.fault(f"examples must be a list of document ids; got {examples!r:.60}.")
    vector = given_vector(place, record.get("vector"))
    known = tuple(unshown(str(one)) for one in examples)
    return place, Topic(name, "\n".join(filter(None, words)), known, vector, place.number)


def _has_tags(path: str) -> bool:
    if path == "-":
        return False
    with Source(path) as source:
        return source.head(256).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def _trec(path: str) -> Iterator[tuple[Place, Topic]]:
    with Source(path) as source:
        numbered = dict(lines(source))
        last = max(numbered, default=0)
        text = "".join(numbered.get(number, "\n") for number in range(1, last + 1))
        found = list(_TOP.finditer(text))
        if not found:
            raise DataError(f"{source.name} holds no topics; expected <top> ... </top>, or JSON lines.")
        for top in found:
            place = Place(source.name, "line", text.count("\n", 0, top.start()) + 1)
            yield place, _tagged(place, top[1], top[2])


def _tagged(place: Place, attributes: str, inside: str) -> Topic:
    parts = [(tag.lower(), html.unescape(words)) for tag, words in _PART.findall(inside)]
    named = re.search(r"""(?:number|id)\s*=\s*["']([^"']+)["']""", attributes)
    number = (
        named[1] if named else next((words for tag, words in parts if tag in ("num", "number", "id")), "")
    )
    name = _NUMBER.fullmatch(number.strip())
    if not name:
        raise place.fault("a topic without a number; expected <num> Number: 301.")
    words = [_LABEL.sub("", words).strip() for tag, words in parts if tag in _SAYS_WHAT]
    return Topic(name[1], "\n".join(filter(None, words)), place=place.number)
