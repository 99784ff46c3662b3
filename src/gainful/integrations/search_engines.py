"""What search engines are asked over HTTP, and how they answer: Elasticsearch, OpenSearch, Solr.

One's own engine is an entry of `ENGINES`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gainful.errors import DataError

Hit = tuple[str, float | None]
"""A document and its score; some queries give none."""

BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
"""What an engine answers when asking again may help."""


class TryAgain(Exception):
    """There is no answer, or it is not complete; it may be when it is asked for again, after so many seconds.

    advice  what to do where it stays so
    """

    def __init__(
        self,
        reason: str,
        wait: float = 0.0,
        advice: str = "Try fewer --connections, a longer --timeout or more --retries.",
    ) -> None:
        super().__init__(reason)
        self.wait, self.advice = wait, advice


@dataclass(frozen=True)
class Engine:
    """A search engine.

    template  the body of a request where the user gives none, {{query}} where the text of the query stands
    path      of its search below the address of an index
    batch     how many queries it takes in one request
    body      of a request for these queries, each a body of its own, to so many documents, whose ids are in a field
    lists     the documents of each query in an answer
    media     the type of the body
    """

    template: Mapping[str, Any]
    path: str
    body: Callable[[Sequence[Mapping[str, Any]], int, str], bytes]
    lists: Callable[[Any, Sequence[str], str], list[list[Hit]]]
    batch: int = 1
    media: str = "application/json"


def _msearch(bodies: Sequence[Mapping[str, Any]], depth: int, field: str) -> bytes:
    """Searches of one request: a line without options and a line of the search, each."""
    source = False if field == "_id" else [field]
    fixed = {"size": depth, "_source": source, "track_total_hits": False}
    return "".join(f"{{}}\n{json.dumps({**fixed, **body})}\n" for body in bodies).encode()


def _of_msearch(answer: Any, topics: Sequence[str], field: str) -> list[list[Hit]]:
    """The lists of an answer to _msearch, which has one for each search, or an error in its place."""
    lists = []
    for topic, each in zip(topics, answer["responses"], strict=True):
        if "error" in each:
            cause = (each["error"].get("root_cause") or [each["error"]])[0]
            reason = f"query '{topic}': {cause.get('reason') or cause.get('type')}"
            if each.get("status") in BUSY:
                raise TryAgain(reason)
            raise DataError(
                f"{reason}.\nThe template of the query may not fit the index; nothing was written."
            )
        shards = each.get("_shards", {})
        if each.get("timed_out") or shards.get("failed"):
            failed = f"{shards.get('failed', 0)} of {shards.get('total', 0)} shards failed"
            raise TryAgain(f"query '{topic}': {'timed out' if each.get('timed_out') else failed}")
        lists.append([(_id(hit, field, topic), hit.get("_score")) for hit in each["hits"]["hits"]])
    return lists


def _id(hit: Mapping[str, Any], field: str, topic: str) -> str:
    if field == "_id":
        return str(hit["_id"])
    value: Any = hit.get("_source", {})
    for name in field.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return _known(value, field, topic)


def _known(value: Any, field: str, topic: str) -> str:
    if value is None or isinstance(value, Mapping | list):
        raise DataError(
            f"query '{topic}': a document has no id in the field {field}; name the field with --id-field."
        )
    return str(value)


def _select(bodies: Sequence[Mapping[str, Any]], depth: int, field: str) -> bytes:
    """Solr's JSON request; it takes one search at a time."""
    fixed = {"limit": depth, "fields": [_solr_field(field), "score"]}
    return json.dumps({**fixed, **bodies[0]}).encode()


def _solr_field(field: str) -> str:
    return "id" if field == "_id" else field


def _of_select(answer: Any, topics: Sequence[str], field: str) -> list[list[Hit]]:
    """The list of an answer of Solr."""
    if answer.get("responseHeader", {}).get("partialResults"):
        raise TryAgain(f"query '{topics[0]}': partial results")
    documents = answer["response"]["docs"]
    name = _solr_field(field)
    return [[(_known(each.get(name), name, topics[0]), each.get("score")) for each in documents]]


_OF_ELASTICSEARCH = Engine(
    template={"query": {"multi_match": {"query": "{{query}}"}}},
    path="_msearch",
    body=_msearch,
    lists=_of_msearch,
    batch=20,
    media="application/x-ndjson",
)
ENGINES = {
    "elasticsearch": _OF_ELASTICSEARCH,
    "opensearch": _OF_ELASTICSEARCH,  # which kept its interface
    "solr": Engine(
        template={"query": {"edismax": {"query": "{{query}}"}}}, path="select", body=_select, lists=_of_select
    ),
}
