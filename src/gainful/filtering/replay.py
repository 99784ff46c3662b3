"""Replay: a judged stream is processed again, document by document, as it would have been for the reader.

The rules are those of the TREC adaptive filtering task: strict order, some example documents at the start, and feedback
on nothing but what was delivered. The reader is a function that is called for deliveries only.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.filtering.learner import Learner
from gainful.filtering.stream_epochs import Stage
from gainful.filtering.threshold_registry import Threshold
from gainful.filtering.vectors import Floats, Integers, Vector

Reader = Callable[[int], bool]
"""Whether a delivered document is relevant."""

_FEW, _MANY = 64, 4096  # documents scored ahead: few after a delivery, more and more while none comes


@dataclass(frozen=True)
class Feedback:
    """How the simulated reader answers deliveries.

    delay   documents that arrive before the answer does
    share   of the deliveries that get an answer
    seed    random seed of the choice which, and of which answers are wrong; all rules are compared on the same reader
    clicks  only what the reader finds relevant gets an answer; about the rest nothing is said
    wrong   share of the documents that the reader takes for the opposite of what they are
    away    deliveries in this stretch of the stream after the start, from one share of it to another, get no answer
    switch  from the middle of that stretch on, the next topic's relevant documents are wanted instead, and only
            deliveries from there on are measured

    >>> reader = Feedback(clicks=True, away=(0.5, 0.6))
    >>> reader.given("cocoa", 70, passed=0.55), reader.answer("cocoa", 70, True), reader.answer("cocoa", 71, False)
    (False, True, None)
    """

    delay: int = 0
    share: float = 1.0
    seed: int = 0
    clicks: bool = False
    wrong: float = 0.0
    away: tuple[float, float] | None = None
    switch: bool = False

    def __post_init__(self) -> None:
        if self.delay < 0:
            raise UsageError(f"the delay of feedback must be 0 documents or more; got {self.delay}")
        if not 0 <= self.share <= 1:
            raise UsageError(
                f"the share of deliveries that get feedback must be from 0 to 1; got {self.share:g}"
            )
        if not 0 <= self.wrong <= 1:
            raise UsageError(f"the share of answers that are wrong must be from 0 to 1; got {self.wrong:g}")
        bounds = [0.0, 1.0] if self.away is None else list(self.away)
        if len(bounds) != 2 or not 0 <= bounds[0] < bounds[1] <= 1:
            raise UsageError(
                "the reader is away from one share of the stream to a larger one, as in (0.5, 0.6); "
                f"got {self.away}"
            )

    def given(self, topic: str, document: int, *, passed: float = 0.0) -> bool:
        """Whether the reader of this topic looks at a delivery, when this share of the stream has passed."""
        if self.away is not None and self.away[0] <= passed < self.away[1]:
            return False
        return self._happens(self.share, "", topic, document)

    def answer(self, topic: str, document: int, relevant: bool) -> bool | None:
        """What the reader says of a document that is relevant, or is not; None where nothing is said."""
        relevant ^= self._happens(self.wrong, "wrong\0", topic, document)
        return None if self.clicks and not relevant else relevant

    def stated(self) -> list[str]:
        """What differs from a reader who answers everything at once and is always right."""
        said = []
        if self.delay:
            said.append(f"feedback after {self.delay:,} documents")
        if self.share < 1:
            said.append(f"feedback on {100 * self.share:.0f} % of deliveries, seed {self.seed}")
        if self.clicks:
            said.append("feedback on relevant deliveries only")
        if self.wrong:
            said.append(f"{100 * self.wrong:.0f} % of answers wrong, seed {self.seed}")
        if self.away:
            said.append(
                f"no feedback from {100 * self.away[0]:.0f} % to {100 * self.away[1]:.0f} % of the stream"
            )
        if self.switch:
            said.append("interest switches to the next topic in the middle; the second half is measured")
        return said

    def _happens(self, chance: float, what: str, topic: str, document: int) -> bool:
        """Whether something of that probability happens; depends on nothing but the seed and these."""
        if chance in (0, 1):
            return chance == 1
        text = f"{what}{self.seed}\0{document}\0{topic}".encode("utf-8", "surrogateescape")
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest()) < chance * 2.0**64


AT_ONCE = Feedback()
"""On every delivery, before the next document."""


@dataclass(frozen=True, eq=False)
class Replay:
    """What happened to one topic.

    deliveries  numbers of the documents delivered, in order
    scores      of every document from the start on, as it arrived
    renewed     how many documents had been seen when each threshold was set
    thresholds  those thresholds: theta, theta_opt, theta_zero, alpha, n; NaN where there is none
    last        the threshold at the end, with its whole curve
    profile     at the end
    """

    start: int
    deliveries: Integers
    scores: Floats
    renewed: Integers
    thresholds: NDArray[np.float64]
    last: Threshold
    profile: Vector


def replay(
    topic: str,
    stages: Sequence[Stage],
    learner: Learner,
    reader: Reader,
    *,
    start: int,
    examples: Sequence[int] = (),
    feedback: Feedback = AT_ONCE,
) -> Replay:
    """Process the stream from document `start` on; those before it were seen and could not be delivered.

    examples  documents before the start that the reader named as relevant; they are history, and no deliveries
    """
    return side_by_side(
        [Run(topic, stages, learner, reader, start=start, examples=examples, feedback=feedback)]
    )[0]


def side_by_side(runs: Sequence[Run]) -> list[Replay]:
    """Replay several topics of one reader together, so that a profile can learn from what the others were told before.

    Document by document: first its deliveries, then the thresholds that are due because documents were seen, then the answers
    that have come, each in the order of the topics.
    """
    steps = [run.steps() for run in runs]
    waiting = [(*next(step), number) for number, step in enumerate(steps)]
    heapify(waiting)
    while waiting:
        *_, number = waiting[0]
        following = next(steps[number], None)
        if following is None:
            heappop(waiting)
        else:
            heapreplace(waiting, (*following, number))
    return [run.outcome() for run in runs]


_DELIVERED, _SEEN, _ANSWERED = 0, 1, 2  # what comes next, after so many documents


class Run:
    """One topic on its way through the stream; the parameters are those of `replay`."""

    def __init__(
        self,
        topic: str,
        stages: Sequence[Stage],
        learner: Learner,
        reader: Reader,
        *,
        start: int,
        examples: Sequence[int] = (),
        feedback: Feedback = AT_ONCE,
    ) -> None:
        self.topic, self.learner, self.reader, self.feedback = topic, learner, reader, feedback
        self.stages, self.examples = stages, examples
        self.start = self.seen = start
        self.deliveries: list[int] = []
        self.scores: list[Floats] = []
        self.coming: deque[tuple[int, int]] = (
            deque()
        )  # (documents seen by then, document) of feedback under way
        self.renewed: list[int] = []
        self.thresholds: list[tuple[float | None, ...]] = []

    def steps(self) -> Iterator[tuple[int, int]]:
        """Go through the stream; before whatever concerns the other topics, too, how many documents were seen, and what it is."""
        self.length = max(1, self.stages[-1].stop - self.start)
        for document in self.examples:
            self.learner.tell(document, True, self.seen)
        for stage in self.stages:
            if stage.stop > self.seen or stage is self.stages[-1]:
                yield self.seen, _SEEN
                self.learner.enter(stage.store, stage.description)
                self._renew()
                yield from self._answered()
                yield from self._pass(stage)
        self._hear()

    def outcome(self) -> Replay:
        """What happened, once all steps are done."""
        last = self.learner.threshold
        assert last is not None
        return Replay(
            start=self.start,
            deliveries=np.array(self.deliveries, np.int64),
            scores=np.concatenate([np.empty(0), *self.scores]),
            renewed=np.array(self.renewed, np.int64),
            thresholds=np.array(self.thresholds, np.float64).reshape(-1, 5),
            last=last,
            profile=self.learner.profile,
        )

    def _pass(self, stage: Stage) -> Iterator[tuple[int, int]]:
        """All documents of the stage."""
        learner, ahead = self.learner, _FEW
        while self.seen < stage.stop:
            threshold = learner.threshold
            assert threshold is not None
            stop = min(self.seen + ahead, stage.stop, learner.next_refresh())
            if self.coming:
                stop = min(stop, self.coming[0][0])
            scores = stage.store.score(learner.profile, self.seen, stop)
            reached = np.flatnonzero((scores >= threshold.theta) & (scores > threshold.floor))
            passed = int(reached[0]) + 1 if len(reached) else len(scores)
            self.scores.append(scores[:passed])
            self.seen += passed
            if len(reached):
                yield self.seen, _DELIVERED
                self._deliver(self.seen - 1)
            ahead = _FEW if len(reached) else min(2 * ahead, _MANY)
            if self.seen < stage.stop:  # at its end the next epoch begins first
                if learner.due(self.seen):
                    yield self.seen, _SEEN
                    self._renew()
                yield from self._answered()

    def _answered(self) -> Iterator[tuple[int, int]]:
        """The answers that have come by now, and what follows from them."""
        if self.coming and self.coming[0][0] <= self.seen:
            yield self.seen, _ANSWERED
            self._hear()
            if self.learner.due(self.seen):
                self._renew()

    def _deliver(self, document: int) -> None:
        self.deliveries.append(document)
        self.learner.deliver(document)
        if self.feedback.given(self.topic, document, passed=(document - self.start) / self.length):
            self.coming.append((self.seen + self.feedback.delay, document))

    def _hear(self) -> None:
        """Feedback that has arrived by now."""
        while self.coming and self.coming[0][0] <= self.seen:
            _, document = self.coming.popleft()
            answer = self.feedback.answer(self.topic, document, self.reader(document))
            if answer is not None:
                self.learner.tell(document, answer, self.seen)

    def _renew(self) -> None:
        set_now = self.learner.renew(self.seen)
        self.renewed.append(self.seen)
        self.thresholds.append(
            (set_now.theta, set_now.theta_opt, set_now.theta_zero, set_now.alpha, set_now.n)
        )
