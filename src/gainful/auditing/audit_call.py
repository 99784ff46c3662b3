"""audit: people's judgments and a model's labels in; what the model is worth as a judge out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Unpack

import numpy as np

from gainful.auditing.agreement_slices import slices_of
from gainful.auditing.audit_result import Audit
from gainful.auditing.document_plan import with_documents
from gainful.auditing.judged_pairs import Graded, JudgedPairs, judged_pairs, notes_about
from gainful.auditing.judgment_savings import savings
from gainful.auditing.system_families import Family, families_given, favours_of_families
from gainful.auditing.system_orders import MODEL, PEOPLE, system_orders
from gainful.auditing.system_values import SystemValues, system_values
from gainful.auditing.turned_pairs import turned_pairs
from gainful.comparisons.judges.agreement import agreement_of
from gainful.comparisons.judges.judge_files import Items
from gainful.comparisons.judges.topic_estimates import Chance
from gainful.comparisons.method import LEAD
from gainful.errors import UsageError
from gainful.formats.ids import shown, some_quoted
from gainful.formats.judgments import Judgments, read_qrels
from gainful.formats.label_scales import read_as_grades
from gainful.formats.model_labels import read_labels
from gainful.formats.runs import Names, Run, runs_of
from gainful.formats.sources import is_path, person_of
from gainful.formats.text_matches import TextMatch, source_of
from gainful.formats.texts import Given, read_documents
from gainful.judging.ordered_lists import OrderedLists, ordered
from gainful.judging.settings import Conventions, Settings, settings_of
from gainful.measures import Measure
from gainful.presentation.text_style import counted
from gainful.statistics.prediction_powered import LEAST_TOPICS
from gainful.statistics.resampling import RESAMPLES, SEED, Progress


def audit(
    qrels: Any,
    labels: Any,
    runs: Any = None,
    measures: str | Measure | Iterable[str | Measure] = LEAD,
    *,
    compare: tuple[str, str] | None = None,
    width: float | None = None,
    decide: bool = False,
    common: bool = False,
    documents: Given | None = None,
    families: Any = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    confidence: float = 0.95,
    names: Names | None = None,
    progress: Progress | None = None,
    **conventions: Unpack[Conventions],
) -> Audit:
    """What a model is worth as a judge beside people: agreement, calibration, favour, order of systems, judgments saved.

    qrels      people's judgments, as for `evaluate`
    labels     the model's labels, in any form that judgments have; of one pass, and on any scale
    runs       systems, as for `evaluate`; without them, agreement and calibration alone
    measures   by which systems are compared, as for `evaluate`
    compare    names of two systems, baseline first: what the model saves is said of these alone
    width      wanted full width of the confidence interval of a difference: how many topics people must judge for it
    decide     also how many topics decide the differences observed, with power 0.8
    common     score only with the documents that both judged, in place of all that each did
    documents  texts of documents, for agreement by length: a file, or a mapping from ids
    families   of systems, for what the model does for each: a mapping, a file of system and family, or "names" for the
               beginnings of the systems' names
    resamples  of the topics, for intervals of this confidence

    Labels on another scale than the people's are read as grades: for systems so that as many documents reach each grade as by
    people, for agreement as the grade nearest to the mean that people gave where the model gave the label.

    >>> people = {"q": {"a": 1, "b": 0, "c": 0}, "r": {"a": 1, "b": 1}}
    >>> model = {"q": {"a": 1, "b": 1, "c": 0}, "r": {"a": 1, "b": 1}}
    >>> made = audit(people, model)
    >>> made.pairs, made.table[0.0], made.pair.same.value
    (5, {0.0: 1, 1.0: 1}, 0.8)
    """
    chance = Chance(resamples, seed, confidence)
    settings = settings_of(audit, conventions)
    _check_asked(runs, compare, width, families, decide=decide)
    _refuse_one_file(qrels, labels)
    people = read_qrels(qrels, duplicates=settings.judgment_duplicates)
    model = read_labels(labels)
    grades, given = people.to_dict(), model.to_dict()
    pairs = judged_pairs(grades, given, chance)
    notes = notes_about(pairs, grades, given)
    rel = 1.0 if settings.rel is None else settings.rel
    agreement = agreement_of(_items(pairs), rel, "ordinal", chance, progress)
    graded = _on_people_scale(pairs, given)
    if common:
        grades, graded = _common(grades, graded)
    read = [] if runs is None else [run.in_memory() for run in runs_of(runs, names)]
    lists = {run.name: _lists(run, people, settings, pairs) for run in read}
    values = system_values(grades, graded, read, measures, conventions) if read else None
    if values is not None:
        notes += _system_notes(values, grades, graded, common=common)
        _check_names(compare, values)
    turned = {
        measure: turned_pairs(values, number, grades, graded, lists, conventions)
        for number, measure in enumerate(values.measures if values else ())
        if values is not None
    }
    saved = [
        savings(
            values, number, confidence=confidence, chosen=compare, width=width, decide=decide, lists=lists
        )
        for number in range(len(values.measures) if values else 0)
        if values is not None
    ]
    return Audit(
        _name(labels),
        len(pairs),
        len(pairs.topics),
        pairs.scale,
        _table(pairs),
        agreement,
        tuple(slices_of(pairs, lists, chance, _words(pairs, documents, notes))),
        pairs.calibration,
        () if values is None else values.systems,
        () if values is None else values.measures,
        () if values is None else system_orders(values, turned, chance, progress),
        _families(values, families, confidence),
        tuple(
            with_documents(saving, lists, grades, given, width=width, decide=decide)
            for saving in saved
            if saving is not None
        ),
        settings,
        {"people": people.digest, "model": model.digest},
        width,
        decide,
        tuple(notes),
    )


def _words(pairs: JudgedPairs, documents: Given | None, notes: list[str]) -> dict[str, int]:
    """The number of words of each document whose text is known, title included."""
    if documents is None:
        return {}
    wanted, seen = set(pairs.documents), list[str]()
    texts = read_documents(documents, wanted, whole=True, seen=seen)
    match = TextMatch.of(source_of(documents, "documents"), "audited document", wanted, texts, seen)
    if match.few:
        notes.append(str(match))
    return {document: len(f"{title} {text}".split()) for document, (title, text) in texts.items()}


def _families(values: SystemValues | None, given: Any, confidence: float) -> tuple[tuple[Family, ...], ...]:
    """For each measure, what the model does for each family of systems."""
    if values is None or given is None:
        return ()
    families = families_given(given, values.names)
    return tuple(
        tuple(favours_of_families(families, values.names, people, model, confidence))
        for people, model in zip(values.people, values.model, strict=True)
    )


def _check_asked(runs: Any, compare: Any, width: float | None, families: Any, *, decide: bool) -> None:
    if width is not None and not width > 0:
        raise UsageError(f"width must be above 0; got {width:g}.")
    if runs is None and (compare is not None or width is not None or decide):
        raise UsageError("what a comparison needs is known from systems; give their runs too.")
    if runs is None and families is not None:
        raise UsageError("families are of systems; give their runs too.")


def _check_names(compare: tuple[str, str] | None, values: SystemValues) -> None:
    for name in compare or ():
        if name not in values.names:
            raise UsageError(
                f"'{shown(name)}' is none of the systems; there are {some_quoted(values.names)}."
            )
    if compare is not None and compare[0] == compare[1]:
        raise UsageError(f"'{shown(compare[0])}' cannot be compared with itself; name two systems.")


def _refuse_one_file(qrels: Any, labels: Any) -> None:
    """Raise where both are one file."""
    if is_path(qrels) and is_path(labels):
        first, second = os.fsdecode(qrels), os.fsdecode(labels)
        if first != "-" and os.path.realpath(first) == os.path.realpath(second):
            raise UsageError(
                f"{shown(second)} is given as QRELS and as LABELS: these labels are the people's own."
            )


def _name(labels: Any) -> str:
    path = labels.path if isinstance(labels, Judgments) else labels
    return person_of(os.fsdecode(path)) if is_path(path) and os.fsdecode(path) != "-" else "model"


def _items(pairs: JudgedPairs) -> Items:
    return Items((PEOPLE, MODEL), pairs.topic, np.stack([pairs.grade, pairs.level], axis=1))


def _table(pairs: JudgedPairs) -> Mapping[float, Mapping[float, int]]:
    """Documents by people's grade and the model's label; the nearest grade where labels are many."""
    columns = pairs.label if len(np.unique(pairs.label)) == len(pairs.calibration) else pairs.level
    labels = np.unique(columns).tolist()
    return {
        grade: {label: int(((pairs.grade == grade) & (columns == label)).sum()) for label in labels}
        for grade in pairs.grades.tolist()
    }


def _on_people_scale(pairs: JudgedPairs, labels: Graded) -> Graded:
    """The model's labels as grades; those off the scale are left out."""
    kept = {
        topic: {document: label for document, label in row.items() if label not in pairs.left_out}
        for topic, row in labels.items()
    }
    kept = {topic: row for topic, row in kept.items() if row}
    if pairs.scale == "same":
        return kept

    def grades(row: Mapping[str, float]) -> list[float]:
        read: list[float] = read_as_grades(
            np.array([*row.values()], np.float64), pairs.label, pairs.grade
        ).tolist()
        return read

    return {topic: dict(zip(row, grades(row), strict=True)) for topic, row in kept.items()}


def _common(people: Graded, model: Graded) -> tuple[Graded, Graded]:
    """Both, restricted in the topics of both to the documents that both judged; other topics of the model stay whole."""
    shared = {
        topic: [document for document in row if document in model[topic]]
        for topic, row in people.items()
        if topic in model
    }
    shared = {topic: kept for topic, kept in shared.items() if kept}
    first = {
        topic: {document: people[topic][document] for document in kept} for topic, kept in shared.items()
    }
    second = {
        topic: {document: row[document] for document in shared[topic]} if topic in shared else row
        for topic, row in model.items()
        if topic in shared or topic not in people
    }
    return first, second


def _lists(run: Run, people: Judgments, settings: Settings, pairs: JudgedPairs) -> OrderedLists:
    return ordered(run, settings, judgments=people, topics=list(pairs.topics))


def _system_notes(values: SystemValues, people: Graded, model: Graded, *, common: bool) -> list[str]:
    notes = list(values.notes)
    topics = len(values.topics)
    more = sum(
        document not in people[topic] for topic in people if topic in model for document in model[topic]
    )
    if more and not common:
        notes.append(
            f"the model labelled {counted(more, 'document')} of people's topics that people did not judge: values differ by that "
            "too, unless the common ones alone count (--common)"
        )
    if topics < LEAST_TOPICS and len(values.systems) > 1:
        notes.append(
            f"{counted(topics, 'topic')} judged by both are too few to say what the model saves; {LEAST_TOPICS} are needed"
        )
    if values.elsewhere.shape[2] == 0 and topics >= LEAST_TOPICS and len(values.systems) > 1:
        notes.append(
            "people judged every topic that the model labelled: what it saves is foreseen from these, as if people judged fewer"
        )
    return notes
