"""Readings of one run, computed: the run is judged once for each rule of the core, and measured once for each formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful._core import Found
from gainful.errors import DataError, NothingInCommon
from gainful.formats.ids import from_bytes
from gainful.formats.judgments import Judgments
from gainful.formats.run_queue import Queue
from gainful.formats.runs import Run
from gainful.formats.types import Rules
from gainful.judging import JudgedRun
from gainful.judging.notes import nothing_in_common
from gainful.judging.record import judge
from gainful.judging.settings import Settings
from gainful.measures import Measure
from gainful.reconciling.convention_space import Reading
from gainful.scores.evaluation import values_of
from gainful.summaries import SUMMARIES

BY_GRADE = ("best", "worst", "expected")
"""Ties that the core orders by document id; what they mean is decided later."""

SAME = 1e-9
"""The largest difference of two values that are the same number."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a reading gives: the value of every judged topic, which of them count, and the number for all of them."""

    reading: Reading
    values: NDArray[np.float64]
    counts: NDArray[np.bool_]
    mean: float

    def same(self, other: Outcome, within: float = SAME) -> bool:
        """Whether the other has the same topics, and the same number for each of them."""
        if not np.array_equal(self.counts, other.counts):
            return False
        mine, others = self.values[self.counts], other.values[other.counts]
        return bool(np.all((np.abs(mine - others) <= within) | (np.isnan(mine) & np.isnan(others))))


class JudgedReadings:
    """Every reading of one run, each computed when it is asked for and kept.

    topics  the judged topics, in the order of values
    """

    def __init__(self, judgments: Judgments, run: Run, *, threads: int | None = None) -> None:
        self.judgments, self.threads = judgments, threads
        self.name, self.path = run.name, run.path
        self.run = Run(run.rows(), name=run.name)
        self.topics = judgments.topics
        self._found: dict[Rules, Found] = {}
        self._records: dict[tuple[Any, ...], JudgedRun] = {}
        self._values: dict[tuple[Any, ...], tuple[NDArray[np.float64], NDArray[np.bool_]]] = {}
        self._outcomes: dict[tuple[str, Settings], Outcome] = {}
        if not self.present.any():
            extra = tuple(map(from_bytes, self._plain.extra))
            raise self._nothing(extra)

    def _nothing(self, extra: tuple[str, ...]) -> NothingInCommon:
        return nothing_in_common(self.name, self.path, extra, self.topics)

    # ---- what these data have, so that conventions about it matter -----------------------------------------

    @cached_property
    def _plain(self) -> Found:
        return self._judged_by(Rules(duplicates="first"))

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """The judged topics that the run has."""
        return self._plain.present

    @cached_property
    def copies(self) -> bool:
        """Whether a judged topic of the run has a document twice."""
        return self._plain.dropped > 0

    @cached_property
    def close(self) -> bool:
        """Whether scores differ in 64 bits and not in 32."""
        return len(self._plain.close_topic) > 0

    @cached_property
    def tied(self) -> bool:
        """Whether a judged document is tied with another."""
        kinds = (
            [self._plain, self._judged_by(Rules(duplicates="first", narrow=True))]
            if self.close
            else [self._plain]
        )
        if self.copies:
            kinds.append(self._judged_by(Rules(duplicates="counted")))
        return any(bool((found.first < found.last).any()) for found in kinds)

    @cached_property
    def own_ids(self) -> bool:
        """Whether a document with the id of its topic is in the list of that topic."""
        without = self._judged_by(Rules(duplicates="first", drop_self=True))
        return not np.array_equal(without.retrieved, self._plain.retrieved)

    # ---- readings ------------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> dict[str, int]:
        return {topic: place for place, topic in enumerate(self.topics)}

    def place(self, topic: str) -> int | None:
        """The place of a topic among the judged ones; None where it is not judged."""
        return self._places.get(topic)

    def plain(self, settings: Settings) -> Settings:
        """The settings with those at their default that make no difference to these data."""
        changes: dict[str, Any] = {}
        if not self.copies:
            changes["duplicates"] = "error"
        if not self.close:
            changes["scores"] = "64"
        if not self.tied:
            changes["ties"] = "docid"
        if not self.own_ids:
            changes["drop_self"] = False
        if self.present.all():
            changes["missing"] = "empty"
        return replace(settings, **changes)

    def outcome(self, reading: Reading) -> Outcome:
        """What the reading gives; an error where it stops at these data."""
        self._refuse(reading.settings)
        settings = self.plain(reading.settings)
        key = str(reading.measure), settings
        if key not in self._outcomes:
            values, undefined = self.topic_values(Reading(reading.measure, settings))
            self._outcomes[key] = self._settled(Reading(reading.measure, settings), values, undefined)
        return replace(self._outcomes[key], reading=reading)

    def topic_values(self, reading: Reading) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The value of every topic before topics are left out or rounded, and where there was nothing to find."""
        ((values, undefined),) = self.values_of_all([reading.measure], reading.settings)
        return values, undefined

    def values_of_all(
        self, measures: Sequence[Measure], given: Settings
    ) -> list[tuple[NDArray[np.float64], NDArray[np.bool_]]]:
        """The values of topics of several measures under the same settings."""
        settings = self.plain(given)
        record = settings.ties == "expected", *self._record_key(settings)
        new = [measure for measure in measures if (str(measure), *record) not in self._values]
        if new:
            values, undefined, _ = values_of(self.record(settings), tuple(new), Settings(ties=settings.ties))
            for measure, row, nothing in zip(new, values, undefined, strict=True):
                self._values[str(measure), *record] = row, nothing
        return [self._values[str(measure), *record] for measure in measures]

    def record(self, settings: Settings) -> JudgedRun:
        """The judged run under these settings."""
        key = self._record_key(settings)
        if key not in self._records:
            ties = "docid" if settings.ties in BY_GRADE else settings.ties
            rules = settings.rules._replace(ties=ties)
            if rules.duplicates == "error":
                rules = rules._replace(duplicates="first")
            self._records[key] = judge(self.judgments, self._judged_by(rules), settings)
        return self._records[key]

    @staticmethod
    def _record_key(settings: Settings) -> tuple[Any, ...]:
        ties = "docid" if settings.ties == "expected" else settings.ties
        return (
            *(ties, settings.scores, settings.duplicates, settings.drop_self),
            *(settings.depth, settings.unjudged, settings.pool),
        )

    def _judged_by(self, rules: Rules) -> Found:
        if rules not in self._found:
            queue = Queue(self.judgments, [self.run], rules=rules, threads=self.threads)
            ((_, self._found[rules]),) = queue.finished()
        return self._found[rules]

    def _refuse(self, settings: Settings) -> None:
        if settings.missing == "error" and not self.present.all():
            raise DataError("it stops where the run lacks a judged topic")
        if settings.duplicates == "error" and self.copies:
            raise DataError("it has no rule for a document that occurs twice")

    def _settled(self, reading: Reading, raw: NDArray[np.float64], undefined: NDArray[np.bool_]) -> Outcome:
        """The values as the settings want them: of topics with nothing to find, rounded, and summed up."""
        settings = reading.settings
        values, counts = raw.copy(), np.ones(len(raw), bool)
        if settings.missing == "skip":
            counts &= self.present
        if settings.undefined == "skip":
            counts &= ~undefined
        elif settings.undefined != "keep":
            values[undefined] = float(settings.undefined)
        if settings.round_topics is not None:
            values = np.array([settings.rounded(value, settings.round_topics) for value in values.tolist()])
        mean = SUMMARIES[reading.measure.summary](values[counts])
        if settings.round_mean is not None:
            mean = settings.rounded(mean, settings.round_mean)
        return Outcome(reading, values, counts, mean)
