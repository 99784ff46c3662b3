"""Comparisons of documents that do not contradict each other, and the judgments by preference that they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gainful.formats.ids import in_order, to_bytes
from gainful.formats.trec_format import plain_ids
from gainful.studies.answer_files import file_stem, moment
from gainful.studies.study_records import Preference

Edges = dict[tuple[str, str], dict[str, bool]]
"""By topic and document: those that it is better than, or as good as; True where it is better."""


def consistent(preferences: Sequence[Preference]) -> tuple[list[Preference], list[Preference]]:
    """Comparisons that do not contradict each other, by topic and time, and those left out: of a contradiction the oldest.

    >>> times = [f"2026-11-18T09:0{minute}:00Z" for minute in range(3)]
    >>> circle = [Preference(topic="1", better=a, worse=b, at=at) for (a, b), at in zip(["ab", "bc", "ca"], times)]
    >>> [row.better for row in consistent(circle)[0]], [row.better for row in consistent(circle)[1]]
    (['b', 'c'], ['a'])
    """
    kept: list[Preference] = []
    dropped: list[Preference] = []
    edges: Edges = {}
    for row in sorted((row for row in preferences if row.state == "compared"), key=moment, reverse=True):
        forwards = _ways(edges, row.topic, row.better, row.worse)
        backwards = _ways(edges, row.topic, row.worse, row.better)
        if (True in forwards | backwards) if row.tie else backwards:
            dropped.append(row)
            continue
        kept.append(row)
        edges.setdefault((row.topic, row.better), {})[row.worse] = not row.tie
        if row.tie:
            edges.setdefault((row.topic, row.worse), {})[row.better] = False
    place = {topic: number for number, topic in enumerate(in_order({row.topic for row in kept}))}
    return sorted(kept, key=lambda row: (place[row.topic], moment(row))), dropped


def _ways(edges: Edges, topic: str, start: str, end: str) -> set[bool]:
    """How one document is known to stand above another: True for better, False for as good, both, or neither."""
    return {better for document, better in _seen(edges, topic, start) if document == end}


def _seen(edges: Edges, topic: str, start: str) -> set[tuple[str, bool]]:
    """Every document that one stands above, with True where it is better by one way at the least."""
    waiting, seen = [(start, False)], {(start, False)}
    while waiting:
        document, better = waiting.pop()
        for worse, strictly in edges.get((topic, document), {}).items():
            step = (worse, better or strictly)
            if step not in seen:
                seen.add(step)
                waiting.append(step)
    return seen


def implied_order(preferences: Sequence[Preference]) -> dict[tuple[str, str, str], int]:
    """What follows from comparisons, by topic and two documents in the order of their ids: 1, −1, or 0 where they tie.

    >>> stated = [Preference(topic="1", better="a", worse="b"), Preference(topic="1", better="b", worse="c", tie=True)]
    >>> implied_order(stated)
    {('1', 'a', 'b'): 1, ('1', 'a', 'c'): 1, ('1', 'b', 'c'): 0}
    """
    edges: Edges = {}
    for row in preferences:
        edges.setdefault((row.topic, row.better), {})[row.worse] = not row.tie
        if row.tie:
            edges.setdefault((row.topic, row.worse), {})[row.better] = False
    order = {}
    for topic, document in edges:
        for other, better in _reached(edges, topic, document).items():
            if document < other:
                order[topic, document, other] = int(better)
            elif other < document:
                order[topic, other, document] = -int(better)
    return dict(sorted(order.items()))


def _reached(edges: Edges, topic: str, start: str) -> dict[str, bool]:
    """The documents that one is known to be better than (True), or as good as."""
    reached: dict[str, bool] = {}
    for document, better in _seen(edges, topic, start):
        reached[document] = better or reached.get(document, False)
    return reached


def preference_lines(preferences: Mapping[str, Sequence[Preference]]) -> bytes:
    """Judgments by preference: topic, judge, part, document, level; each comparison is a part of its own.

    >>> print(preference_lines({"ann": [Preference(topic="1", better="a", worse="b")]}).decode(), end="")
    1 ann 1 a 2
    1 ann 1 b 1
    """
    lines = []
    for judge, rows in preferences.items():
        for part, row in enumerate(rows, 1):
            for document, level in ((row.better, 2), (row.worse, 2 if row.tie else 1)):
                topic, name = plain_ids(to_bytes(row.topic), to_bytes(document))
                lines.append(b"%s %s %d %s %d\n" % (topic, to_bytes(file_stem(judge)), part, name, level))
    return b"".join(lines)
