"""Documents that people judged and a model labelled, and what a label means on the people's scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.comparisons.judges.agreement_coefficients import Floats, Places, Share, summed
from gainful.comparisons.judges.topic_estimates import Chance, Estimate, estimates
from gainful.errors import DataError, NothingInCommon
from gainful.formats.ids import in_order, some_quoted
from gainful.formats.label_scales import ScaleKind, labels_in_words, reading_in_words, scale_of
from gainful.presentation.text_style import counted, percent

_DISCRETE = 12  # labels up to which each is looked at by itself
_BINS = 10
_NAMED = 5

Graded = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True)
class Calibration:
    """What people said where the model gave one label, or one of a range of labels.

    label   the label; the mean of the range where there are many different ones
    first, last  the lowest and the highest label of the range
    pairs   documents that both judged
    grade   mean grade by people
    """

    label: float
    first: float
    last: float
    pairs: int
    grade: Estimate

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        fields = {"label": self.label, "first": self.first, "last": self.last, "pairs": self.pairs}
        return fields | {"grade": self.grade.to_dict()}


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """Pairs of topic and document that both judged.

    topics     those that have pairs, in order
    topic      of each pair, counted from 0
    grade      people's
    label      the model's, as it stands in its file
    level      the label on the people's scale: the label itself, or the grade nearest to what people mean by it
    scale      "same" as the people's, "binary" where theirs is not, or any "other"
    left_out   labels that are off the people's scale, and how often they occur
    """

    topics: tuple[str, ...]
    topic: Places
    documents: tuple[str, ...]
    grade: Floats
    label: Floats
    level: Floats
    scale: ScaleKind
    calibration: tuple[Calibration, ...]
    left_out: dict[float, int]

    def __len__(self) -> int:
        return len(self.topic)

    @property
    def grades(self) -> Floats:
        """The grades that people gave."""
        return np.unique(self.grade)


def judged_pairs(people: Graded, model: Graded, chance: Chance) -> JudgedPairs:
    """The pairs that both judged.

    >>> people, model = {"q": {"a": 0, "b": 3}, "r": {"a": 1}}, {"q": {"a": 0, "b": 2}, "r": {"a": 1}}
    >>> pairs = judged_pairs(people, model, Chance(resamples=10))
    >>> pairs.scale, pairs.grade.tolist(), pairs.level.tolist()
    ('same', [0.0, 3.0, 1.0], [0.0, 2.0, 1.0])
    """
    common = in_order(set(people) & set(model))
    if not common:
        raise NothingInCommon(
            f"no topic was judged by people and labelled by the model: people's topics are {some_quoted(list(people))}, "
            f"the model's {some_quoted(list(model))}."
        )
    rows = [
        (topic, document, grade, model[topic][document])
        for topic in common
        for document, grade in people[topic].items()
        if document in model[topic]
    ]
    if not rows:
        raise NothingInCommon(
            f"no document was judged by people and labelled by the model, although "
            f"{counted(len(common), 'topic')} are in both files; are document ids written alike?"
        )
    topics, documents, grades, labels = zip(*rows, strict=True)
    grade, label = np.array(grades, np.float64), np.array(labels, np.float64)
    _refuse_infinite(grade, "grade", "people")
    _refuse_infinite(label, "label", "the model")
    if (grade == label).all():
        raise DataError(
            f"these labels are the people's own: all {counted(len(rows), 'document')} that both judged have the same grade "
            "in both files; give the model's labels as LABELS."
        )
    scale, stray = scale_of(
        grade, np.array([given for row in model.values() for given in row.values()], np.float64)
    )
    kept = ~np.isin(label, list(stray))
    names, topic = np.unique([common.index(name) for name in topics], return_inverse=True)
    topic_kept = np.unique(topic[kept])
    number = np.full(len(names), -1)
    number[topic_kept] = np.arange(len(topic_kept))
    place, grade, label = number[topic[kept]], grade[kept], label[kept]
    steps = _calibration(place, grade, label, chance)
    pairs = JudgedPairs(
        tuple(common[names[at]] for at in topic_kept),
        place,
        tuple(document for document, stays in zip(documents, kept, strict=True) if stays),
        grade,
        label,
        label,
        scale,
        steps,
        stray,
    )
    if scale == "same":
        return pairs
    means = np.interp(label, [step.label for step in steps], [step.grade.value for step in steps])
    used = np.unique(grade)
    nearest = used[np.abs(means[:, None] - used).argmin(axis=1)]
    return JudgedPairs(**{**_fields(pairs), "level": nearest})


def _fields(pairs: JudgedPairs) -> dict[str, Any]:
    return {name: getattr(pairs, name) for name in pairs.__dataclass_fields__}


def _refuse_infinite(values: Floats, what: str, whose: str) -> None:
    if not np.isfinite(values).all():
        raise DataError(f"{whose} gave an infinite {what}; agreement cannot be measured with it.")


def _calibration(topic: Places, grade: Floats, label: Floats, chance: Chance) -> tuple[Calibration, ...]:
    """People's mean grade for each label; for ranges of labels that have as many pairs, where labels are many."""
    values, code = np.unique(label, return_inverse=True)
    if len(values) > _DISCRETE:
        edges = np.unique(np.quantile(label, np.linspace(0, 1, _BINS + 1)[1:-1]))
        code = np.unique(np.searchsorted(edges, label, side="right"), return_inverse=True)[1]
    topics = int(topic.max()) + 1
    steps = []
    for number in range(int(code.max()) + 1):
        here = code == number
        statistic = Share(
            summed(topic[here], grade[here], topics), summed(topic[here], np.ones(here.sum()), topics)
        )
        estimated = estimates({"": statistic}, topics, chance, why={"": "no document has this label"})[""]
        steps.append(
            Calibration(
                float(label[here].mean()),
                float(label[here].min()),
                float(label[here].max()),
                int(here.sum()),
                estimated,
            )
        )
    return tuple(steps)


def notes_about(pairs: JudgedPairs, people: Graded, model: Graded) -> list[str]:
    """What a reader of the audit should know about the two files."""
    notes = []
    everything = {(topic, document) for topic in people for document in people[topic]}
    labelled = {topic: model.get(topic, {}) for topic in people}
    lacking = [topic for topic in people if not labelled[topic]]
    if lacking:
        notes.append(
            f"{counted(len(lacking), 'topic that people judged has', 'topics that people judged have')} no label by the model "
            f"({some_quoted(lacking)}): left out"
        )
    asked = [pair for pair in everything if labelled[pair[0]]]
    missing = sum(document not in labelled[topic] for topic, document in asked)
    if missing:
        notes.append(
            f"the model's file lacks {missing:,} of {len(asked):,} documents that people judged in its topics "
            f"({percent(missing / len(asked), 1)}): not part of agreement, and not relevant by the model "
            "unless the documents that both judged alone count (--common)"
        )
    if pairs.left_out:
        values = ", ".join(f"{value:g}" for value in list(pairs.left_out)[:_NAMED])
        notes.append(
            f"{counted(sum(pairs.left_out.values()), 'label is', 'labels are')} off the people's scale "
            f"{_range(pairs.grades)} ({values}): left out"
        )
    if pairs.scale != "same":
        notes.append(_other_scale(pairs))
    return notes


def _other_scale(pairs: JudgedPairs) -> str:
    what = labels_in_words(pairs.label, pairs.scale)
    return (
        f"labels are {what}, people's grades {_range(pairs.grades)}: where agreement is counted, each label stands for the grade "
        "nearest to the mean that people gave where the model gave it, which flatters the agreement a little; where systems are "
        f"scored, {reading_in_words(pairs.scale)}"
    )


def _range(grades: Floats) -> str:
    return f"{grades.min():g} to {grades.max():g}"
