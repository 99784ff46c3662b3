"""Files that other tools take: ratings for Elasticsearch, OpenSearch and Quepid, and labels with scores, list by list."""

from __future__ import annotations

import json
from typing import Any

from gainful._core import Rows
from gainful.errors import DataError, UsageError
from gainful.formats.ids import from_bytes, shown
from gainful.formats.output_files import number_text, triples
from gainful.formats.registry import Format, register
from gainful.formats.types import Kind

LABELS = "labels"


def _ratings(rows: Rows, kind: Kind, tool: str) -> dict[str, list[tuple[str, float]]]:
    """Documents and grades by topic; an error where the rows are those of a run."""
    if kind == "run":
        raise UsageError(
            f"{tool} takes judgments and fetches the lists itself; convert judgments (--kind qrels)."
        )
    by_topic: dict[str, list[tuple[str, float]]] = {}
    for topic, document, grade in triples(rows):
        by_topic.setdefault(from_bytes(topic), []).append((from_bytes(document), grade))
    return by_topic


def _text(whole: Any) -> bytes:
    return (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogateescape")


def _elasticsearch(rows: Rows, kind: Kind, tag: str) -> bytes:
    """A request to _rank_eval; `tag` is the index, and the queries are for the user to fill in."""
    requests = []
    for topic, ratings in _ratings(rows, kind, "Elasticsearch").items():
        for document, grade in ratings:
            if grade < 0 or grade % 1:
                raise DataError(
                    f"Elasticsearch takes whole ratings of 0 or more; document '{shown(document)}' of topic '{shown(topic)}' "
                    f"has {grade:g}."
                )
        rated = [{"_index": tag, "_id": document, "rating": int(grade)} for document, grade in ratings]
        requests.append({"id": topic, "request": {"query": {"match_all": {}}}, "ratings": rated})
    return _text({"requests": requests, "metric": {"dcg": {"k": 10, "normalize": True}}})


def _opensearch(rows: Rows, kind: Kind, tag: str) -> bytes:
    """Judgments to import into the Search Relevance Workbench, under the name `tag`."""
    ratings = [
        {
            "query": topic,
            "ratings": [{"docId": document, "rating": number_text(grade)} for document, grade in rated],
        }
        for topic, rated in _ratings(rows, kind, "OpenSearch").items()
    ]
    return _text({"name": tag, "type": "IMPORT_JUDGMENT", "judgmentRatings": ratings})


def _quepid(rows: Rows, kind: Kind, _tag: str) -> bytes:
    """Ratings to import into a Quepid case."""
    import csv
    import io

    page = io.StringIO()
    lines = csv.writer(page, lineterminator="\n")
    lines.writerow(["query", "docid", "rating"])
    for topic, rated in _ratings(rows, kind, "Quepid").items():
        lines.writerows([topic, document, number_text(grade)] for document, grade in rated)
    return page.getvalue().encode("utf-8", "surrogateescape")


def _without_judgments(_rows: Rows, _kind: Kind, _tag: str) -> bytes:
    raise UsageError("labels are those of judgments: give a run as IN, and --qrels FILE.")


def label_lists(run: Rows, judgments: Rows) -> bytes:
    """Documents, labels and scores of each list, in the order of the run; unjudged documents are labelled 0.

    Topics without judgments are left out, as by tools that see labels alone.
    """
    grades: dict[bytes, dict[bytes, float]] = {}
    for topic, document, grade in triples(judgments):
        grades.setdefault(topic, {})[document] = grade
    lists: dict[str, dict[str, list[Any]]] = {}
    for topic, document, score in triples(run):
        if topic in grades:
            each = lists.setdefault(from_bytes(topic), {"documents": [], "labels": [], "scores": []})
            each["documents"].append(from_bytes(document))
            each["labels"].append(grades[topic].get(document, 0.0))
            each["scores"].append(score)
    return _text(lists)


register(Format("elasticsearch", write=_elasticsearch, joins=False))
register(Format("opensearch", write=_opensearch, joins=False))
register(Format("quepid", write=_quepid, joins=False))
register(Format(LABELS, write=_without_judgments, joins=False))
