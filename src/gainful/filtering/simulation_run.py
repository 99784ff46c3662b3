"""simulate: many rules and parameters, side by side, on one judged stream."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from gainful.errors import DataError, UsageError
from gainful.filtering.analyzer import Analyzer
from gainful.filtering.document import Document, Topic
from gainful.filtering.experiment import Conditions, Experiment, Outcome, Variant, line_of, replays
from gainful.filtering.learner import Schedule
from gainful.filtering.profile_models import ProfileModel, Regression, Rocchio
from gainful.filtering.replay import AT_ONCE, Feedback
from gainful.filtering.rule_text import DEFAULT_MODEL, DEFAULT_RULE, Rule, parse_profiles, parse_rules
from gainful.filtering.simulation import Simulation
from gainful.filtering.stream_reader import backwards, read_stream, read_topics
from gainful.filtering.theta_opt_and_zero import LinearUtility
from gainful.formats.ids import shown
from gainful.formats.judgments import read_qrels
from gainful.formats.types import Progress
from gainful.measures import Measure, parse_many
from gainful.presentation.text_style import counted

RULES = (DEFAULT_RULE, "beta_gamma", "beta_gamma(beta=0.1,gamma=0.05)", "optimum", "zero", "ratio")
"""The rules that are compared by default."""

PROFILES = (DEFAULT_MODEL,)
"""The way to learn profiles that is taken by default."""

OnReplay = Callable[[int, int], None]
"""Called after each replay: how many are done, of how many."""


def simulate(
    stream: str | os.PathLike[str] | Sequence[Document],
    topics: str | os.PathLike[str] | Sequence[Topic],
    qrels: Any,
    *,
    rules: str | Rule | Iterable[str | Rule] = RULES,
    profiles: str | ProfileModel | Iterable[str | ProfileModel] = PROFILES,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    reference: float | str | os.PathLike[str] | Sequence[Document] = 0,
    examples: int = 3,
    rel: float = 1.0,
    utility: LinearUtility | None = None,
    feedback: Feedback = AT_ONCE,
    schedule: Schedule | None = None,
    epochs: float | None = 2.0,
    analyzer: Analyzer | None = None,
    windows: int = 20,
    only: Iterable[str] | None = None,
    unjudged_topics: str = "error",
    trace: int | Iterable[str] = (),
    jobs: int = 1,
    progress: Progress | None = None,
    on_replay: OnReplay | None = None,
) -> Simulation:
    """Replay a judged stream for every topic, with every rule and every way to make profiles.

    stream, topics   files, or lists of `Document` and `Topic`
    qrels            judgments, as `evaluate` takes them
    rules            rules by name, with parameters; a list in brackets is a grid: `beta_gamma(gamma=[0.01,0.05])`
    profiles         likewise: `rocchio(terms=[60,200])`
    measures         what is measured of the deliveries
    reference        documents before the start: so many of the stream, a share of it (`10%` or 0.1), or another stream
    examples         relevant documents of the reference set that a topic begins with, unless it names its own
    rel              lowest grade that is relevant
    utility          what deliveries are worth; sets thresholds, and T11SU where measures are not given
    feedback         how the simulated reader answers: late, in part, only by clicks, wrongly, …
    schedule         when profile and threshold are renewed
    epochs           idf is recomputed when the documents seen have grown by this factor; None keeps the first
    analyzer         how text becomes terms
    windows          stretches of the stream in which things are counted over time
    only             ids of the topics to take
    unjudged_topics  a topic without judgments is an "error", or is left out ("skip")
    trace            topics of which everything is kept, for charts: their ids, or how many of the first ones
    jobs             processes; a script that asks for more than one must be importable (`if __name__ == "__main__":`)
    progress         called while the stream is read, with its name, bytes read and total bytes
    on_replay        called after each replay, with how many are done and how many there are

    Delivering nothing, and the best threshold in hindsight, are always among the rows.
    """
    variants = variants_of(rules, profiles)
    asked_for = _parsed(measures)
    documents = (
        read_stream(stream, progress=progress) if isinstance(stream, str | os.PathLike) else list(stream)
    )
    asked = read_topics(topics) if isinstance(topics, str | os.PathLike) else list(topics)
    name = shown(os.fspath(topics)) if isinstance(topics, str | os.PathLike) else "topics"
    judgments = read_qrels(qrels)
    graded = judgments.to_dict()
    before, documents = _reference(reference, documents)
    conditions = Conditions(
        reference=before,
        examples=_at_least(examples, 0, "examples"),
        rel=rel,
        utility=utility or LinearUtility(),
        feedback=feedback,
        schedule=schedule or Schedule(),
        epochs=epochs,
        analyzer=(analyzer or Analyzer()) if documents and documents[0].vector is None else None,
        windows=_at_least(windows, 1, "windows"),
    )
    chosen, unjudged = _chosen(asked, graded, only, unjudged_topics, name)
    experiment = Experiment(documents, chosen, graded, conditions, topics_name=name)
    traced = _traced(trace, experiment)
    tasks = [
        (topic, number, topic in traced)
        for number in range(len(variants))
        for topic in range(len(experiment.topics))
    ]
    outcome_of: dict[tuple[int, int], Outcome] = {}
    for done, (topic, number, outcome) in enumerate(
        replays(experiment, variants, tasks, _at_least(jobs, 1, "jobs")), 1
    ):
        outcome_of[number, topic] = outcome
        if on_replay:
            on_replay(done, len(tasks))
    outcomes = [
        [outcome_of[number, topic] for topic in range(len(experiment.topics))]
        for number in range(len(variants))
    ]
    notes = _notes(experiment, documents, unjudged, sorted(set(graded) - {topic.id for topic in asked}))
    return Simulation.of(experiment, variants, outcomes, asked_for, judgments.digest, notes)


def variants_of(rules: Any, profiles: Any = PROFILES) -> list[Variant]:
    """Every rule with every way to make profiles; each may be a grid."""
    found_rules = _each(rules, Rule, parse_rules)
    found_profiles = _each(profiles, Rocchio | Regression, parse_profiles)
    variants = list(
        dict.fromkeys(Variant(rule, profile) for profile in found_profiles for rule in found_rules)
    )
    if not variants:
        raise UsageError("no rule was given.")
    return variants


def _parsed(measures: str | Measure | Iterable[str | Measure] | None) -> list[Measure] | None:
    """The measures, known before any work is done."""
    if measures is None:
        return None
    listed = [measures] if isinstance(measures, str | Measure) else list(measures)
    return [measure for item in listed for measure in (parse_many(item) if isinstance(item, str) else [item])]


def _each(given: Any, kind: Any, parse: Callable[[str], list[Any]]) -> list[Any]:
    listed: list[Any] = [given] if isinstance(given, str | kind) else list(given)
    return [parsed for item in listed for parsed in (parse(item) if isinstance(item, str) else [item])]


def _reference(given: Any, documents: list[Document]) -> tuple[int, list[Document]]:
    """How many documents come before the start, and all documents with them."""
    count = _count(given, len(documents))
    if count is None:
        before = read_stream(given) if isinstance(given, str | os.PathLike) else list(given)
        known = {document.id for document in before}
        for document in documents:
            if document.id in known:
                raise DataError(
                    f"document '{shown(document.id)}' is in the reference set and in the stream; take it out of one."
                )
        _check_vectors(before, documents)
        return len(before), [*before, *documents]
    if not 0 <= count < len(documents):
        raise UsageError(
            f"reference {given}: of {len(documents):,} documents, some must remain after the start"
        )
    return count, documents


def _count(given: Any, documents: int) -> int | None:
    """So many documents, or a share of them; None where it is neither."""
    if isinstance(given, str) and given.endswith("%"):
        try:
            return round(documents * float(given[:-1]) / 100)
        except (ValueError, OverflowError):
            raise UsageError(f"reference {given!r} is no share; write it as 10% or 0.1") from None
    if isinstance(given, float) or (isinstance(given, str) and re.fullmatch(r"[0-9]*\.[0-9]+", given)):
        if not 0 <= float(given) < 1:
            raise UsageError(f"reference {given} is no share; write it as 10% or 0.1")
        return round(documents * float(given))
    if isinstance(given, str) and re.fullmatch("[0-9]{1,18}", given):
        return int(given)
    return given if isinstance(given, int) else None


def _check_vectors(before: Sequence[Document], documents: Sequence[Document]) -> None:
    """Raise where the reference set and the stream are not of one kind; each of them is, as it was read."""
    has, had = (_vector(some) for some in (before, documents))
    if before and documents and has != had:
        raise DataError(
            f"the documents of the reference set have {has}, and those of the stream have {had}; "
            "give all of them vectors of one length, or none."
        )


def _vector(documents: Sequence[Document]) -> str:
    given = documents[0].vector if documents else None
    return "no vector" if given is None else f"vectors of {len(given)} numbers"


def _chosen(
    topics: Sequence[Topic],
    graded: dict[str, dict[str, float]],
    only: Iterable[str] | None,
    unjudged: str,
    name: str,
) -> tuple[list[Topic], int]:
    if unjudged not in ("error", "skip"):
        raise UsageError(f"unjudged_topics must be error or skip; got {unjudged!r}")
    kept = list(topics)
    if only is not None:
        chosen = set(only)
        kept = [topic for topic in topics if topic.id in chosen]
        if unknown := sorted(chosen - {topic.id for topic in kept}):
            raise UsageError(
                f"{len(unknown)} of the topics asked for are not in {name}: {', '.join(map(shown, unknown[:3]))}"
            )
    without = [topic for topic in kept if topic.id not in graded]
    if without and unjudged == "error":
        many = f" ({len(without):,} such topics)" if len(without) > 1 else ""
        raise DataError(
            f"{line_of(name, without[0])}topic '{shown(without[0].id)}' has no judgments{many}; "
            "take it out, or leave such topics out with --unjudged-topics skip."
        )
    return [topic for topic in kept if topic.id in graded], len(without)


def _traced(trace: int | Iterable[str], experiment: Experiment) -> set[int]:
    if isinstance(trace, int):
        return set(range(min(trace, len(experiment.topics))))
    places = {topic.id: number for number, topic in enumerate(experiment.topics)}
    traced = list(trace)
    for topic in traced:
        if topic not in places:
            some = ", ".join(map(shown, list(places)[:5]))
            raise UsageError(
                f"topic '{shown(topic)}' is not among those replayed: {some}{' …' if len(places) > 5 else ''}"
            )
    return {places[topic] for topic in traced}


def _notes(experiment: Experiment, documents: list[Document], unjudged: int, extra: list[str]) -> list[str]:
    notes = []
    if falls := backwards(documents):
        notes.append(
            f"{falls:,} times a document is dated before the one that it follows; the order is that of the file."
        )
    if unjudged:
        notes.append(f"{counted(unjudged, 'topic')} without judgments left out.")
    if extra:
        notes.append(f"{counted(len(extra), 'topic')} judged but not described, left out: {_some(extra)}.")
    if experiment.nothing_to_find:
        count, names = len(experiment.nothing_to_find), _some(experiment.nothing_to_find)
        notes.append(f"{counted(count, 'topic')} with nothing to find after the start left out: {names}.")
    if experiment.elsewhere:
        notes.append(
            f"judgments of documents that are not in the stream count for nothing: {experiment.elsewhere:,}."
        )
    fewer = sum(len(given) < experiment.conditions.examples for given in experiment.examples)
    if fewer and experiment.conditions.reference:
        notes.append(
            f"{counted(fewer, 'topic')} with fewer than {experiment.conditions.examples} examples in the reference set."
        )
    return notes


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(shown, names[:3])) + (" …" if len(names) > 3 else "")


def _at_least(value: int, least: int, name: str) -> int:
    if value < least:
        raise UsageError(f"{name} must be {least} or more; got {value}")
    return value
