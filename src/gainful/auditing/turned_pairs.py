"""Neighbours in the people's order that a model turns round, and the topics and documents that do it.

A topic's part in the turn is what the model adds to the difference of the two systems there, over the number of topics.
A document's part is the change of that difference, within its topic, when its label alone becomes the people's grade.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from gainful.auditing.judged_pairs import Graded
from gainful.auditing.system_values import SystemValues
from gainful.comparisons.judges.agreement_coefficients import Floats
from gainful.formats.ids import shown
from gainful.judging.ordered_lists import OrderedLists
from gainful.measures import Measure
from gainful.scores import evaluate

NAMED_PAIRS, NAMED_TOPICS, NAMED_DOCUMENTS = 6, 3, 3
"""Turned pairs whose documents are looked for, topics of each, and documents of each topic."""
_DEPTH = 100  # ranks of either list in which a document is looked for
_NOISE = 1e-12


@dataclass(frozen=True, slots=True)
class TurningDocument:
    """A document whose label turns two systems.

    grade   by people; None where they did not judge it
    label   by the model, on the people's scale; None where it has none
    ranks   in the two systems; None where one does not have it
    moved   what the label adds to the difference of the two systems in its topic
    """

    document: str
    grade: float | None
    label: float | None
    ranks: tuple[int | None, int | None]
    moved: float

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "document": shown(self.document),
            "grade": self.grade,
            "label": self.label,
            "ranks": list(self.ranks),
            "moved": self.moved,
        }


@dataclass(frozen=True, slots=True)
class TurningTopic:
    """A topic in which the model moves two systems towards the turn.

    people, model  the second system minus the first, by either judge
    """

    topic: str
    people: float
    model: float
    documents: tuple[TurningDocument, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "topic": shown(self.topic),
            "people": self.people,
            "model": self.model,
            "documents": [document.to_dict() for document in self.documents],
        }


@dataclass(frozen=True, slots=True)
class TurnedPair:
    """Two neighbours in the people's order; the model has them the other way round.

    better, worse  by people
    people, model  the worse minus the better, by either judge
    topics         those that turn the order most, first
    """

    better: str
    worse: str
    people: float
    model: float
    topics: tuple[TurningTopic, ...]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "better": shown(self.better),
            "worse": shown(self.worse),
            "people": self.people,
            "model": self.model,
            "topics": [topic.to_dict() for topic in self.topics],
        }


def turned_pairs(
    values: SystemValues,
    number: int,
    people: Graded,
    model: Graded,
    lists: Mapping[str, OrderedLists],
    settings: Mapping[str, Any],
) -> list[TurnedPair]:
    """The neighbours that the measure of this number has the other way round under the model, turned furthest first."""
    measure = values.measures[number]
    found = sorted(_turned(values, number), key=lambda pair: -abs(pair.model))
    return [
        _with_documents(pair, measure, people, model, lists, settings) if place < NAMED_PAIRS else pair
        for place, pair in enumerate(found)
    ]


def _turned(values: SystemValues, number: int) -> Iterator[TurnedPair]:
    sign = -1.0 if values.measures[number].less_is_better else 1.0
    people, model = values.people[number], values.model[number]
    means = sign * people.mean(axis=1)
    order = np.argsort(-means, kind="stable").tolist()
    for better, worse in pairwise(order):
        by_people, by_model = people[worse] - people[better], model[worse] - model[better]
        if sign * by_people.mean() < -_NOISE and sign * by_model.mean() > _NOISE:
            yield TurnedPair(
                values.names[better],
                values.names[worse],
                float(by_people.mean()),
                float(by_model.mean()),
                tuple(_topics(values.topics, by_people, by_model, sign)),
            )


def _topics(topics: Sequence[str], people: Floats, model: Floats, sign: float) -> Iterator[TurningTopic]:
    """The topics in which the model adds most to the worse system."""
    moved = sign * (model - people)
    for place in np.argsort(-moved, kind="stable")[:NAMED_TOPICS].tolist():
        if moved[place] > _NOISE:
            yield TurningTopic(topics[place], float(people[place]), float(model[place]))


def _with_documents(
    pair: TurnedPair,
    measure: Measure,
    people: Graded,
    model: Graded,
    lists: Mapping[str, OrderedLists],
    settings: Mapping[str, Any],
) -> TurnedPair:
    """The pair with the documents of its topics: every label is exchanged by itself, all in one evaluation."""
    ranked = {
        topic.topic: [_ranks(lists[system], topic.topic) for system in (pair.better, pair.worse)]
        for topic in pair.topics
    }
    qrels: Graded = {}
    copies: dict[str, tuple[str, str | None]] = {}
    for topic, ranks in ranked.items():
        differing = [
            document
            for document in dict.fromkeys([*ranks[0], *ranks[1]])
            if people[topic].get(document) != model[topic].get(document)
        ]
        for document in (None, *differing):
            if exchanged := _exchanged(model[topic], people[topic], document):
                name = f"{len(copies)}"
                copies[name] = topic, document
                qrels[name] = exchanged
    runs = {
        side: {name: _scored(ranked[topic][number]) for name, (topic, _) in copies.items()}
        for number, side in enumerate(("better", "worse"))
    }
    if not qrels:
        return pair
    scores = evaluate(
        qrels, {side: run for side, run in runs.items() if any(run.values())}, measure, **settings
    )
    difference = dict.fromkeys(qrels, 0.0)
    for scored in scores.runs:
        side = 1 if scored.name == "worse" else -1
        for topic, of_topic in scored.per_topic.items():
            difference[topic] += side * of_topic[str(measure)]
    sign = -1.0 if measure.less_is_better else 1.0
    whole = {topic: difference[name] for name, (topic, document) in copies.items() if document is None}
    moved: dict[str, list[TurningDocument]] = {topic: [] for topic in ranked}
    for name, (topic, document) in copies.items():
        if document is not None:
            ranks = ranked[topic]
            moved[topic].append(
                TurningDocument(
                    document,
                    people[topic].get(document),
                    model[topic].get(document),
                    (ranks[0].get(document), ranks[1].get(document)),
                    whole[topic] - difference[name],
                )
            )
    return replace(
        pair, topics=tuple(replace(topic, documents=_most(moved[topic.topic], sign)) for topic in pair.topics)
    )


def _most(documents: Sequence[TurningDocument], sign: float) -> tuple[TurningDocument, ...]:
    ranked = sorted(documents, key=lambda document: -sign * document.moved)[:NAMED_DOCUMENTS]
    return tuple(document for document in ranked if sign * document.moved > _NOISE)


def _exchanged(
    labels: Mapping[str, float], grades: Mapping[str, float], document: str | None
) -> dict[str, float]:
    """The labels of a topic, with the people's grade for one document."""
    exchanged = dict(labels)
    if document is not None:
        if document in grades:
            exchanged[document] = grades[document]
        else:
            exchanged.pop(document, None)
    return exchanged


def _ranks(lists: OrderedLists, topic: str) -> dict[str, int]:
    if topic not in lists.topics:
        return {}
    return {place.document: place.rank for place in lists[topic][:_DEPTH]}


def _scored(ranks: Mapping[str, int]) -> dict[str, float]:
    return {document: float(-rank) for document, rank in ranks.items()}
