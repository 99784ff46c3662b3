"""What the page's script works with: values by topic, pairs, and the lists of each topic, as compact as they can be."""

from __future__ import annotations

from typing import Any

from gainful.formats.ids import shown
from gainful.reports.page import Evaluated

_PLACES = 6  # of what documents bring, and of worked tables


def embedded(one: Evaluated) -> dict[str, Any]:
    """What is read when the page opens: systems, measures, values of topics, and pairs."""
    board = one.board
    return {
        "systems": list(map(shown, board.systems)),
        "measures": list(board.measures),
        "lower": list(board.lower),
        "formulas": {card.name: card.formula for card in board.cards},
        "topics": [
            [shown(topic.id), topic.relevant, topic.judgments, topic.judged] for topic in one.topics.topics
        ],
        "values": {measure: rows.tolist() for measure, rows in one.topics.values.items()},
        "listed": list(map(shown, one.lists.systems)),
        "depth": one.lists.depth,
        "worked": list(one.lists.measures),
        "pairs": None if one.pairs is None else _pairs(one),
    }


def _pairs(one: Evaluated) -> dict[str, Any]:
    assert one.pairs is not None
    place = {system: number for number, system in enumerate(one.board.systems)}
    alpha = one.pairs.alpha
    return {
        "measures": list(one.pairs.measures),
        "corrected": one.pairs.comparison.corrected,
        "with": place[one.first],
        "first": [place[system] for system in one.pairs.chosen],
        "rows": {
            measure: [
                [
                    place[pair.a],
                    place[pair.b],
                    pair.difference,
                    *pair.interval,
                    pair.p_value,
                    pair.p_adjusted,
                    pair.effect_size,
                    pair.wins,
                    pair.ties,
                    pair.losses,
                    int(pair.found(alpha)),
                ]
                for pair in one.pairs.of(measure)
            ]
            for measure in one.pairs.measures
        },
    }


def of_topic(one: Evaluated, number: int) -> dict[str, Any]:
    """The lists of one topic, read when it is opened.

    d  documents    g  their grades    t  their titles and texts, 0 where there are none
    l  for each system the places of its documents in d
    b  for each measure and system, [rank, what the document there brings, …]
    w  for each measure and system, the columns of the worked table
    """
    listed, titles = one.lists.topics[number], one.lists.titles
    made: dict[str, Any] = {
        "d": list(map(shown, listed.documents)),
        "g": [None if grade is None else _whole(grade) for grade in listed.grades],
        "l": [list(places) for places in listed.lists],
        "b": {
            measure: [
                [part for rank, value in sorted(brings.items()) for part in (rank, _short(value))]
                for brings in of_systems
            ]
            for measure, of_systems in listed.brings.items()
        },
    }
    if any(listed.worked.values()):
        made["w"] = {
            measure: [
                {name: list(map(_short, cells)) for name, cells in columns.items()} for columns in of_systems
            ]
            for measure, of_systems in listed.worked.items()
        }
    if titles:
        found = (titles.get(document) for document in listed.documents)
        made["t"] = [0 if one is None else [shown(part) for part in one] for one in found]
    return made


def _short(value: Any) -> Any:
    if isinstance(value, float):
        return _whole(round(value, _PLACES))
    return value


def _whole(value: float) -> float:
    return int(value) if value.is_integer() else value
