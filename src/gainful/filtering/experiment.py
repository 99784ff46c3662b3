"""A judged stream ready to be replayed, topic by topic and rule by rule, in one process or in several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.filtering.analyzer import Analyzer
from gainful.filtering.document import Document, Topic
from gainful.filtering.learner import Learner, Schedule
from gainful.filtering.profile_models import ProfileModel
from gainful.filtering.replay import AT_ONCE, Feedback, Replay, Run, side_by_side
from gainful.filtering.rule_text import DEFAULT_MODEL, Rule, written
from gainful.filtering.sibling_profiles import Siblings
from gainful.filtering.stream_epochs import Collection
from gainful.filtering.theta_opt_and_zero import LinearUtility, Seen, curve_of
from gainful.filtering.vectors import Floats, Integers
from gainful.formats.ids import shown


@dataclass(frozen=True)
class Variant:
    """One way to filter: a rule for the threshold and a way to make profiles."""

    rule: Rule
    profile: ProfileModel

    def __str__(self) -> str:
        profile = written(self.profile)
        return str(self.rule) if profile == DEFAULT_MODEL else f"{self.rule} {profile}"


@dataclass(frozen=True)
class Conditions:
    """What is the same for all variants of a simulation.

    reference  documents at the beginning that come before the start
    examples   relevant documents of the reference set that each topic is given
    rel        lowest grade that is relevant
    windows    equal stretches of the stream in which things are counted over time
    """

    reference: int = 0
    examples: int = 3
    rel: float = 1.0
    utility: LinearUtility = field(default_factory=LinearUtility)
    feedback: Feedback = AT_ONCE
    schedule: Schedule = field(default_factory=Schedule)
    epochs: float | None = 2.0
    analyzer: Analyzer | None = None
    windows: int = 20


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one variant did for one topic.

    deliveries  numbers of the documents delivered, in order, as far as they are measured
    thresholds  theta, theta_opt, theta_zero, alpha and n at the end of each window; NaN where there is none
    hindsight   documents that the best single threshold would have delivered, from the scores as they arrived
    best        that threshold; None where delivering nothing is best
    replay      all of it, for topics that are to be traced
    """

    deliveries: Integers
    thresholds: Floats
    hindsight: Integers
    best: float | None
    replay: Replay | None = None


class Experiment:
    """The stream, the topics with something to find after the start, and what is relevant to each.

    first  the document from which on deliveries are measured: that of the start, or the middle where interest switches
    """

    def __init__(
        self,
        documents: Sequence[Document],
        topics: Sequence[Topic],
        judgments: Mapping[str, Mapping[str, float]],
        conditions: Conditions,
        *,
        topics_name: str = "topics",
    ) -> None:
        numbers = {document.id: number for number, document in enumerate(documents)}
        start = conditions.reference
        self.first = start + (len(documents) - start) // 2 if conditions.feedback.switch else start
        if conditions.feedback.switch and len(topics) < 2:
            raise UsageError("interest can switch from topic to topic only where there are two or more.")
        kept, relevant, examples, self.judgments = [], [], [], {}
        self.nothing_to_find: list[str] = []
        self.elsewhere = 0
        for topic, later in zip(topics, [*topics[1:], *topics[:1]], strict=True):
            grades = judgments.get(topic.id, {})
            grade_of = {numbers[document]: grade for document, grade in grades.items() if document in numbers}
            self.elsewhere += len(grades) - len(grade_of)
            if conditions.feedback.switch:
                grade_of = _switched(grade_of, judgments.get(later.id, {}), numbers, self.first)
            good = sorted(number for number, grade in grade_of.items() if grade >= conditions.rel)
            given = _examples(topic, good, numbers, conditions, topics_name)
            _check_start(topic, given, documents, topics_name)
            if not any(number >= self.first for number in good):
                self.nothing_to_find.append(topic.id)
                continue
            kept.append(topic)
            relevant.append(frozenset(good))
            examples.append(given)
            self.judgments[topic.id] = {
                documents[number].id: grade for number, grade in grade_of.items() if number >= self.first
            }
        if not kept:
            raise NothingInCommon(
                "no topic has a relevant document in the stream after the start; there is nothing to simulate."
            )
        self.conditions = conditions
        self.topics = kept
        self.relevant = relevant
        self.examples = examples
        self.collection = Collection(
            documents, kept, reference=start, epochs=conditions.epochs, analyzer=conditions.analyzer
        )

    @property
    def edges(self) -> Integers:
        """Where windows begin and end, in documents."""
        return np.linspace(self.first, len(self.collection), self.conditions.windows + 1).astype(np.int64)

    def run(
        self, topics: Sequence[int], variant: Variant, *, trace: AbstractSet[int] = frozenset()
    ) -> list[Outcome]:
        """Replay the stream for some topics; the result does not depend on the process.

        trace  topics of which everything is kept
        """
        outcomes = []
        for topic, replayed in zip(topics, self.replayed(topics, variant), strict=True):
            deliveries, best = self.in_hindsight(topic, replayed)
            measured = replayed.deliveries[replayed.deliveries >= self.first]
            kept = replayed if topic in trace else None
            outcomes.append(Outcome(measured, self._windows(replayed), deliveries, best, kept))
        return outcomes

    def replayed(self, topics: Sequence[int], variant: Variant) -> list[Replay]:
        """What happens to some topics, known by nothing but the reader's answers to deliveries.

        They are the profiles of one reader, and learn from each other where the rule says so.
        """
        conditions, most = self.conditions, variant.rule.siblings
        siblings = Siblings(most) if most else None
        runs = [
            Run(
                self.topics[topic].id,
                self.collection.stages(topic),
                Learner(
                    rule=variant.rule,
                    model=variant.profile,
                    utility=conditions.utility,
                    schedule=conditions.schedule,
                    siblings=None if siblings is None else (siblings, topic),
                ),
                self.relevant[topic].__contains__,
                start=conditions.reference,
                examples=self.examples[topic],
                feedback=conditions.feedback,
            )
            for topic in topics
        ]
        return side_by_side(runs)

    def in_hindsight(self, topic: int, replayed: Replay) -> tuple[Integers, float | None]:
        """What the best single threshold on the scores as they arrived would have delivered."""
        first, scores = self.first, replayed.scores[self.first - replayed.start :]
        good = np.array(
            sorted(number - first for number in self.relevant[topic] if number >= first), np.int64
        )
        curve = curve_of(Seen(scores, good, len(good)), self.conditions.utility, replayed.last.floor)
        if not len(curve) or curve.ahead.max() <= 0:
            return np.empty(0, np.int64), None
        best = float(curve.score[np.argmax(curve.ahead)])
        return first + np.flatnonzero((scores >= best) & (scores > replayed.last.floor)), best

    def _windows(self, replayed: Replay) -> Floats:
        last = np.searchsorted(replayed.renewed, self.edges[1:], side="left") - 1
        return replayed.thresholds[np.maximum(last, 0)]


def _switched(
    grade_of: Mapping[int, float], later: Mapping[str, float], numbers: Mapping[str, int], middle: int
) -> dict[int, float]:
    """The grades of one topic up to the middle of the stream, and of another from there on."""
    afterwards = {numbers[document]: grade for document, grade in later.items() if document in numbers}
    return {number: grade for number, grade in grade_of.items() if number < middle} | {
        number: grade for number, grade in afterwards.items() if number >= middle
    }


def _check_start(topic: Topic, given: Sequence[int], documents: Sequence[Document], name: str) -> None:
    """Raise where a topic gives its profile nothing to begin with."""
    vector = documents[0].vector
    where = f"{line_of(name, topic)}topic '{shown(topic.id)}'"
    if vector is not None and topic.vector is not None and len(topic.vector) != len(vector):
        raise DataError(
            f"{where} has a vector of {len(topic.vector)} numbers, and the documents have {len(vector)}."
        )
    what = "text" if vector is None else "vector"
    if not given and not (topic.text.strip() if vector is None else topic.vector):
        raise DataError(
            f"{where} has no {what} and no examples; give it a {what}, or examples from a reference set."
        )


def line_of(name: str, topic: Topic) -> str:
    """Where a topic stands, for messages."""
    return f"{name}, line {topic.place}: " if topic.place else f"{name}: "


def _examples(
    topic: Topic, good: Sequence[int], numbers: Mapping[str, int], conditions: Conditions, name: str
) -> tuple[int, ...]:
    """Documents that the topic begins with: those it names, or else the first relevant ones of the reference set."""
    if not topic.examples:
        return tuple(number for number in good if number < conditions.reference)[: conditions.examples]
    for example in topic.examples:
        where = f"{line_of(name, topic)}example '{shown(example)}' of topic '{shown(topic.id)}'"
        if example not in numbers:
            raise DataError(f"{where} is not in the stream.")
        if numbers[example] >= conditions.reference:
            raise DataError(
                f"{where} is document {numbers[example] + 1:,} of the stream, after the start; take it into --reference."
            )
    return tuple(sorted({numbers[example] for example in topic.examples}))


Task = tuple[int, int, bool]
"""A topic, a variant, and whether everything is kept."""

Done = tuple[int, int, Outcome]
"""A topic, a variant, and the outcome."""

_ENOUGH = 400_000  # documents × replays from which other processes are worth starting


def replays(
    experiment: Experiment, variants: Sequence[Variant], tasks: Sequence[Task], jobs: int
) -> Iterator[Done]:
    """The outcome of every task, with its topic and its variant, as they come; `jobs` processes at the most."""
    ordered = _parts(experiment, variants, tasks)
    if jobs == 1 or len(experiment.collection) * len(tasks) < _ENOUGH:
        each: Iterator[list[Done]] = (_done(experiment, variants, part) for part in ordered)
    else:
        each = _shared_out(experiment, variants, ordered, min(jobs, len(ordered)))
    return chain.from_iterable(each)


def _parts(experiment: Experiment, variants: Sequence[Variant], tasks: Sequence[Task]) -> list[list[Task]]:
    """Tasks that are done together: all topics of a variant whose profiles learn from each other, any other by itself."""
    together: dict[tuple[int, int], list[Task]] = {}
    for task in tasks:
        topic, number, _ = task
        together.setdefault((number, -1 if variants[number].rule.siblings else topic), []).append(task)
    # What takes longest goes first: topics with much to find.
    return sorted(
        together.values(), key=lambda part: -sum(len(experiment.relevant[topic]) for topic, _, _ in part)
    )


def _done(experiment: Experiment, variants: Sequence[Variant], part: Sequence[Task]) -> list[Done]:
    number = part[0][1]
    topics = sorted(topic for topic, _, _ in part)
    trace = {topic for topic, _, kept in part if kept}
    outcomes = experiment.run(topics, variants[number], trace=trace)
    return [(topic, number, outcome) for topic, outcome in zip(topics, outcomes, strict=True)]


def _shared_out(
    experiment: Experiment, variants: Sequence[Variant], tasks: Sequence[list[Task]], jobs: int
) -> Iterator[list[Done]]:
    """The tasks done by some processes, each given the next one as soon as it has answered.

    Pipes and processes alone: when it is interrupted, nothing is left behind.
    """
    from multiprocessing import get_context
    from multiprocessing.connection import wait

    context = get_context("spawn")
    ends, workers = [], []
    try:
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            worker = context.Process(target=_work, args=(theirs, experiment, list(variants)), daemon=True)
            worker.start()
            theirs.close()
            ends.append(ours)
            workers.append(worker)
        waiting = list(reversed(tasks))
        for end in ends:
            _ask(end, waiting.pop())
        answers = 0
        while answers < len(tasks):
            ready: list[Any] = wait(ends)
            for process in ready:
                answer = _answer(process)
                answers += 1
                if waiting:
                    _ask(process, waiting.pop())
                yield answer
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def _ask(end: Any, task: list[Task]) -> None:
    try:
        end.send(task)
    except OSError:  # not to be taken for a reader of our output that went away
        raise _ended() from None


def _answer(end: Any) -> list[Done]:
    try:
        answer: list[Done] | Exception = end.recv()
    except (EOFError, OSError):
        raise _ended() from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _ended() -> RuntimeError:
    return RuntimeError("a worker process ended unexpectedly; was there enough memory?")


def _work(end: Any, experiment: Experiment, variants: Sequence[Variant]) -> None:
    """A process that answers task after task until it is ended."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process is interrupted, and ends this one
    try:
        while True:
            task = end.recv()
            try:
                end.send(_done(experiment, variants, task))
            except Exception as fault:
                end.send(fault)
    except (EOFError, OSError):
        return
