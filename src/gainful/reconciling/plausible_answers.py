"""Whose number it is: dialects and combinations of conventions that give the values shown, the most plausible first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gainful.dialects import Dialect, every
from gainful.errors import GainfulError
from gainful.judging.settings import Settings
from gainful.reconciling.claimed_values import Claimed, Number, measure_of
from gainful.reconciling.convention_search import Grid, fitting_together, shared_settings
from gainful.reconciling.convention_space import MEASURE, SPACE, Reading, convention, plain_value
from gainful.reconciling.dialect_readings import (
    IN_32_BITS,
    OURS,
    Declined,
    Printed,
    TieRange,
    cut_by_measure,
    known_values,
    left_to_chance,
    outcome_of,
    plausibility,
    printed_by,
)
from gainful.reconciling.explanations import SAME_DIGITS, Answer, Search
from gainful.reconciling.judged_readings import JudgedReadings, Outcome

NARROW_SLACK = 1e-6
MOST_CLASSES = 200
"""Combinations of conventions that are told apart; beyond, they are only counted."""
_IRRELEVANT_FIRST = ("round_mean", "round_halves", "cutoff", "depth", MEASURE)


class Searcher:
    """Looks for explanations of values on one collection."""

    def __init__(self, readings: JudgedReadings) -> None:
        self.readings = readings
        self.base = Settings(duplicates="first") if readings.copies else Settings()

    def search(self, claims: Sequence[Claimed]) -> Search:
        """Every explanation of these values: ours, dialects, and combinations of conventions."""
        ours = self.ours(claims)
        dialects, declined, by_chance = self._of_dialects(claims)
        grids = self._grids(claims)
        points = fitting_together(grids)
        fitting = [answer for answer in [ours, *dialects] if answer.fits]
        combined = [answer for answer in self._of_points(claims, points) if answer.fits]
        if not fitting:
            combined += self._beside_dialects(claims, grids, dialects)
        fitting.sort(key=lambda answer: answer.order)
        combined.sort(key=lambda answer: answer.order)
        digits = max([SAME_DIGITS, *(number.within for claimed in claims for number in claimed.numbers)])
        answers = self._apart([*fitting, *combined], min(digits, 1e-4))
        near = [ours, *dialects, *self._of_points(claims, self._near_points(grids))]
        near = self._apart(
            sorted(near, key=lambda answer: (-answer.matched, self._off(claims, answer), answer.order))
        )
        return Search(
            claims,
            self._explained(ours),
            _simplest([self._explained(answer) for answer in answers]),
            [self._explained(answer) for answer in near[:5]],
            declined,
            {
                title: ends
                for title, ends in by_chance.items()
                if not any(title == each.title for each in answers)
            },
            tried=sum(map(len, grids)) + len(dialects) + len(declined),
            dialects=sum(bool(answer.title) + len(answer.same) for answer in answers),
            combined=sum(not answer.title for answer in answers),
        )

    def ours(self, claims: Sequence[Claimed]) -> Answer:
        """Our own conventions; of copies of a document the first."""
        printed = {
            claimed.name: Printed(str(claimed.measure), Reading(claimed.measure, self.base))
            for claimed in claims
        }
        return self._answer(OURS, claims, printed, order=(0.5,))

    def variants(
        self, claims: Sequence[Claimed], changes: Sequence[Mapping[str, Any]]
    ) -> Iterator[tuple[Answer, Mapping[str, Any]]]:
        """Ours and every dialect with each of these changes of conventions, where that gives every value shown."""
        return self._varied(claims, [self.ours(claims), *self._of_dialects(claims)[0]], changes)

    def _beside_dialects(
        self, claims: Sequence[Claimed], grids: Sequence[Grid], dialects: Sequence[Answer]
    ) -> list[Answer]:
        """Dialects with one convention changed that give every value shown."""
        space = {name: values for grid in grids for name, values in grid.space.items() if name != MEASURE}
        changes = [{name: value} for name, values in space.items() for value in values]
        beside = []
        for answer, change in self._varied(claims, dialects, changes):
            ((name, value),) = change.items()
            order = (2, 2.5, *answer.order)  # further than two changes of ours, nearer than three
            but = convention(name).clause(value)
            beside.append(replace(answer, title="", near=answer.title, but=but, order=order))
        return beside

    def _varied(
        self, claims: Sequence[Claimed], bases: Sequence[Answer], changes: Sequence[Mapping[str, Any]]
    ) -> Iterator[tuple[Answer, Mapping[str, Any]]]:
        """Answers with each of these changes of conventions, where that gives every value shown and another number."""
        for answer in sorted(bases, key=lambda answer: answer.order):
            for change in changes:
                try:
                    printed = {
                        name: replace(each, reading=each.reading.switched(change))
                        for name, each in answer.printed.items()
                    }
                    varied = self._answer(answer.title, claims, printed, order=answer.order)
                except GainfulError:  # conventions that exclude each other, or a measure without this one
                    continue
                if varied.fits and not varied.same_numbers(answer):
                    yield varied, change

    # ---- where answers come from ---------------------------------------------------------------------------

    def _of_dialects(
        self, claims: Sequence[Claimed]
    ) -> tuple[list[Answer], list[Declined], dict[str, TieRange]]:
        answers, declined, by_chance = [], [], {}
        for dialect in every():
            printed: dict[str, Printed] = {}
            key: tuple[float, ...] = (0.0,)
            for claimed in claims:
                best, reason, between = self._best(dialect, claimed)
                if between is not None and claimed.mean and _lies(claimed.mean, (between.low, between.high)):
                    by_chance[dialect.title] = between
                if reason:
                    declined.append(Declined(dialect.title, reason))
                if best is not None:
                    printed[claimed.name] = best
                    key = max(key, plausibility(dialect, best))
            if printed:
                slack = NARROW_SLACK if dialect.name in IN_32_BITS else 0.0
                exact = all(each.exact for each in printed.values())
                answers.append(
                    self._answer(dialect.title, claims, printed, order=(0 if exact else 1, *key), slack=slack)
                )
        return answers, declined, by_chance

    def _best(self, dialect: Dialect, claimed: Claimed) -> tuple[Printed | None, str, TieRange | None]:
        """What a tool most plausibly printed as this measure; or why it printed nothing; or between what it lies."""
        best: tuple[tuple[Any, ...], Printed] | None = None
        reason, between = "", None
        for printed in printed_by(dialect, claimed):
            outcome = outcome_of(dialect, printed, self.readings)
            if isinstance(outcome, str):
                reason = reason or outcome
                continue
            chance = left_to_chance(printed, self.readings)
            if chance is not None:
                between = between or chance
                continue
            matched, _ = _matched(claimed, outcome, self.readings)
            ranked = (-matched, *plausibility(dialect, printed)), printed
            best = ranked if best is None or ranked[0] < best[0] else best
        if best is None:
            return None, reason, between
        return cut_by_measure(best[1], claimed.measure, self.readings), "", between

    def _grids(self, claims: Sequence[Claimed]) -> list[Grid]:
        settings = shared_settings(claims, self.readings)
        return [Grid.of(claimed, settings, self.readings) for claimed in claims]

    def _near_points(self, grids: Sequence[Grid]) -> list[dict[str, dict[str, Any]]]:
        if len(grids) > 1:
            return []
        return [{grids[0].claimed.name: point} for point in grids[0].nearest(5)]

    def _of_points(
        self, claims: Sequence[Claimed], points: Sequence[Mapping[str, Mapping[str, Any]]]
    ) -> list[Answer]:
        """Combinations of conventions as answers, each number on every topic once.

        Those with the fewest changes come first; a value that no known tool has counts as two.
        """
        bases = {claimed.name: Reading(claimed.measure, self.base) for claimed in claims}
        counted, known = [], known_values()
        for point in points:
            changed = {
                (name, str(plain_value(value)))
                for measure, values in point.items()
                for name, value in values.items()
                if plain_value(value) != plain_value(bases[measure].conventions().get(name, value))
            }
            counted.append((sum(1 if change in known else 2 for change in changed), point))
        answers: dict[bytes, Answer] = {}
        for changes, point in sorted(counted, key=lambda entry: entry[0]):
            if len(answers) >= MOST_CLASSES:
                break
            printed = {
                name: Printed(str(reading.measure), reading)
                for name, values in point.items()
                for reading in [bases[name].switched(values)]
            }
            answer = self._answer("", claims, printed, order=(2, changes))
            answers.setdefault(_signature(answer), answer)
        return list(answers.values())

    # ---- what an answer is -----------------------------------------------------------------------------------

    def _answer(
        self,
        title: str,
        claims: Sequence[Claimed],
        printed: Mapping[str, Printed],
        *,
        order: tuple[float, ...],
        slack: float = 0.0,
    ) -> Answer:
        outcomes = {name: self.readings.outcome(each.reading) for name, each in printed.items()}
        matched = of = 0
        for claimed in claims:
            of += len(claimed.numbers)
            if claimed.name in outcomes:
                matched += _matched(claimed, outcomes[claimed.name], self.readings, slack)[0]
        return Answer(title, printed, outcomes, matched, of, order=order)

    def _apart(self, answers: Iterable[Answer], within: float = SAME_DIGITS) -> list[Answer]:
        """Answers that differ on some topic, also in the digits shown; of those that do not, the first stands for all."""
        kept: list[Answer] = []
        for answer in answers:
            place = next(
                (place for place, other in enumerate(kept) if answer.same_numbers(other, within)), None
            )
            if place is None:
                kept.append(answer)
            elif answer.title:
                kept[place] = replace(kept[place], same=(*kept[place].same, answer.title))
        return kept

    def _off(self, claims: Sequence[Claimed], answer: Answer) -> float:
        return math.fsum(
            claimed.mean.off(answer.outcomes[claimed.name].mean) if claimed.name in answer.outcomes else 1.0
            for claimed in claims
            if claimed.mean is not None
        )

    def _explained(self, answer: Answer) -> Answer:
        """The answer with the conventions that matter: each that can be as ours without changing a topic is left out."""
        ours = {name: Reading(measure_of(name), self.base) for name in answer.printed}
        names = {
            name for key, printed in answer.printed.items() for name in printed.reading.differing(ours[key])
        }
        matter, tried = set(names), _revert_order(names)
        for name in tried:
            reverted = names - matter | {name}
            if all(self._unchanged(answer, key, ours[key], reverted) for key in answer.printed):
                matter.discard(name)
        order = [convention.name for convention in SPACE]
        changes = sorted(matter, key=lambda name: order.index(name) if name in order else len(order))
        return replace(answer, changes=tuple(changes), idle=len(matter) < len(names))

    def _unchanged(self, answer: Answer, key: str, ours: Reading, names: set[str]) -> bool:
        theirs = answer.printed[key].reading
        mine = ours.conventions()
        try:
            outcome = self.readings.outcome(theirs.towards(ours, {name for name in names if name in mine}))
        except GainfulError:
            return False
        return outcome.same(answer.outcomes[key])


def _lies(number: Number, between: tuple[float, float]) -> bool:
    """Whether a value between these is shown as the number.

    >>> _lies(Number("0.54", 0.54, 0.005), (0.52, 0.536)), _lies(Number("0.54", 0.54, 0.005), (0.52, 0.534))
    (True, False)
    """
    return between[0] - number.tolerance <= number.value <= between[1] + number.tolerance


def _simplest(answers: Sequence[Answer]) -> list[Answer]:
    """Answers without combinations of conventions that are an earlier answer and something more."""
    kept: list[Answer] = []
    for answer in answers:
        if answer.title or not any(set(other.clauses()) <= set(answer.clauses()) for other in kept):
            kept.append(answer)
    return kept


def _revert_order(names: Iterable[str]) -> list[str]:
    """Conventions in the order in which they are tried as idle: those that tell least first."""
    order = [*_IRRELEVANT_FIRST, *reversed([convention.name for convention in SPACE])]
    return sorted(names, key=lambda name: order.index(name) if name in order else -1)


def _matched(
    claimed: Claimed, outcome: Outcome, readings: JudgedReadings, slack: float = 0.0
) -> tuple[int, int]:
    """How many of the numbers of a measure an outcome gives, and how many there are."""
    matched = 0 if claimed.mean is None else int(claimed.mean.fits(outcome.mean, slack))
    for topic, number in claimed.topics.items():
        place = readings.place(topic)
        if place is not None and outcome.counts[place]:
            matched += number.fits(float(outcome.values[place]), slack)
    return matched, len(claimed.numbers)


def _signature(answer: Answer) -> bytes:
    """The numbers of every topic, to tell combinations of conventions apart."""
    return b"".join(
        np.round(outcome.values[outcome.counts], 5).tobytes() + outcome.counts.tobytes()
        for outcome in answer.outcomes.values()
    )
