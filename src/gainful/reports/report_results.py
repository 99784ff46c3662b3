"""What the sections of a report are made from: scores, comparison, sweeps over readers, lists, check-up; each made once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

from gainful.comparisons import Comparison, Method, ScoreTable, compare_scores
from gainful.comparisons.design_intervals import scored_table
from gainful.errors import GainfulError
from gainful.formats import Run
from gainful.measures import Measure
from gainful.presentation.chart_parts import SERIES
from gainful.reports.section_registry import Section
from gainful.scores import Scores
from gainful.scores.estimated_scores import without_intervals, without_tests

if TYPE_CHECKING:
    from gainful.checking import Checkup
    from gainful.comparisons.readers import Readers
    from gainful.reports.simulation_records import Simulated

Progress = Callable[[str, int, int | None], None]
"""Called now and then: what is being done, how much of it is done, and how much there is."""

DRAWN = 7
"""Systems that are drawn together; of more, lines cannot be distinguished."""

_MANY = 30  # systems up to which pairs are compared on every measure
_SWEPT = 4  # systems up to which readers are swept for every pair
_FOLLOWED = 1000  # topics up to which unjudged documents are followed

Kind = TypeVar("Kind", bound=Section)


@dataclass(frozen=True, eq=False)
class Results:
    """What was given, and what follows from it; a section takes what it needs, and whatever is asked for twice is made once.

    scores  None for a report on a simulation alone
    runs    as they were evaluated, held in memory: no file is read again for lists and unjudged documents
    shown   documents of each list that are to be shown; None for as many as a page can hold
    against  the tool whose numbers are set beside ours; None for none
    """

    scores: Scores | None
    runs: Sequence[Run]
    simulation: Simulated | None
    method: Method
    shown: int | None
    progress: Progress | None
    against: str | None = None
    _sections: dict[type[Section], Section | None] = field(default_factory=dict)

    def section(self, kind: type[Kind]) -> Kind | None:
        """A section of this report; None where it does not apply."""
        if kind not in self._sections:
            self._sections[kind] = kind.of(self)
        return cast("Kind | None", self._sections[kind])

    @property
    def of_runs(self) -> Scores:
        """The scores, where it is known that there are some."""
        assert self.scores is not None
        return self.scores

    @property
    def estimated(self) -> bool:
        """Whether the scores are estimates: documents that were drawn stand for others, of which nothing is known."""
        return self.of_runs.judgments.inclusion is not None

    @cached_property
    def bounded(self) -> frozenset[Measure]:
        """The measures that have bounds in place of intervals, many of them in place of values too."""
        return bounded_measures(self.of_runs)

    @cached_property
    def untested(self) -> frozenset[Measure]:
        """The measures whose pairs have no interval and no test."""
        return frozenset(without_tests(self.of_runs.runs))

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems, best first by the first measure; those without a value last."""
        first = self.of_runs.measures[0]
        sign = 1 if first.less_is_better else -1
        means = {run.name: run.mean[str(first)] for run in self.of_runs}
        return tuple(sorted(means, key=lambda name: (means[name] != means[name], sign * means[name])))

    @cached_property
    def drawn(self) -> tuple[str, ...]:
        """The systems whose curves are drawn: the best, and the baseline."""
        drawn = list(self.systems[:DRAWN])
        baseline = self.method.baseline
        if baseline is not None and baseline not in drawn:
            drawn[-1] = baseline
        return tuple(drawn)

    @cached_property
    def positions(self) -> dict[str, int]:
        """The position of each system, which decides its colour in every chart: as given, as in the charts of `curve`.

        Of more systems than there are colours, those that are drawn come first, so that their colours differ.
        """
        given = [run.name for run in self.of_runs]
        if len(given) > len(SERIES):
            given = list(dict.fromkeys([*self.drawn, *given]))
        return {system: place for place, system in enumerate(given)}

    @cached_property
    def comparison(self) -> Comparison | None:
        """Every pair of systems, or each with the baseline; None where nothing can be compared."""
        if self.scores is None or self.not_compared:
            return None
        measures = self._of_means
        table = scored_table(self.scores, self.runs)
        table = table.select(measures if len(self.scores) <= _MANY else measures[:1])
        return compare_scores(table, self.method, progress=self.progress)

    @cached_property
    def not_compared(self) -> str:
        """Why there is no comparison, in a sentence; "" where there is one."""
        if len(self.of_runs) < 2:
            return "There is one run; give two or more to see them compared."
        if len(self.of_runs.runs[0].topics) < 2:
            return "One topic is not enough to compare systems; judge more of them."
        if not self._of_means:
            return "Pairs are compared by means over topics; no measure asked for is one."
        return ""

    @property
    def _of_means(self) -> list[Measure]:
        return [
            measure
            for measure in self.of_runs.measures
            if measure.summary in ("mean", "sum") and measure not in self.untested
        ]

    @cached_property
    def readers(self) -> Readers | None:
        """Which system is better for which readers, of the best systems; None where there is nothing to sweep."""
        from gainful.comparisons.readers.reader_ranges import consistent_with
        from gainful.comparisons.readers.reader_sweeps import sweep_scores, swept_by

        comparison = self.comparison
        if comparison is None or self.estimated:
            return None
        best = replace(self.of_runs, runs=tuple(self.of_runs[system] for system in self.drawn[:_SWEPT]))
        try:
            measure = swept_by(self.of_runs.measures)
            swept = sweep_scores(best, measure=measure, level=self.method.confidence, seed=self.method.seed)
            return consistent_with(swept, comparison)
        except GainfulError:  # too few topics in common, or nothing relevant
            return None

    @cached_property
    def unjudged(self) -> list[str]:
        """How far the lead on the first measure depends on unjudged documents and on tied scores, in sentences."""
        from gainful.comparisons.unjudged.evidence import gather
        from gainful.comparisons.unjudged.unknown import unknown_of
        from gainful.comparisons.unjudged.unknown_results import sentences
        from gainful.comparisons.unjudged.value_bounds import depth_of

        scores, measure = self.of_runs, self.of_runs.measures[0]
        many = len(scores.runs[0].topics) > _FOLLOWED
        if (
            self.comparison is None
            or self.estimated
            or many
            or measure.needs is not None
            or measure.summary != "mean"
        ):
            return []
        two = replace(scores, runs=tuple(scores[system] for system in self.systems[:2]))
        runs = {run.name: run for run in self.runs}
        try:
            table = ScoreTable.of_scores(two).select([str(measure)])
            held = [runs[system] for system in self.systems[:2]]
            deepest = depth_of(measure, None)
            evidence = gather(scores.judgments, held, scores.settings, names=table.names, depth=deepest)
            unknowns = unknown_of(compare_scores(table, Method()), evidence, [measure])
        except GainfulError:  # there is a lead all the same; what it depends on is not known
            return []
        steps = self.comparison.next_steps
        same = steps is not None and {steps.a, steps.b} == set(self.systems[:2])
        reversals = not (
            same and steps and steps.judge_first
        )  # there the next steps say what reverses the sign
        return [
            line
            for pair in unknowns.pairs
            for line in sentences(pair, brief=pair.reversal.open == 0, reversals=reversals)
        ]

    @cached_property
    def checkup(self) -> Checkup | None:
        """What `gainful check` finds in these data; None where it cannot be made.

        Of estimates it would say that unjudged documents count as not relevant, which they do not.
        """
        from gainful.checking import check

        if self.estimated:
            return None
        try:
            return check(self.of_runs.judgments, self.runs, progress=self._by_run("check-up"))
        except GainfulError:  # what cannot be checked has been evaluated all the same
            return None

    def _by_run(self, what: str) -> Progress | None:
        return by_run(self.progress, what, len(self.runs))


def bounded_measures(scores: Scores) -> frozenset[Measure]:
    """The measures that have bounds in place of intervals; none where scores are no estimates."""
    return frozenset(without_intervals(scores.runs))


def by_run(progress: Progress | None, what: str, runs: int) -> Progress | None:
    """Progress counted in runs: one line for all of them, whatever is reported of each."""
    if progress is None:
        return None
    seen: set[str] = set()

    def tell(name: str, _done: int, _whole: int | None) -> None:
        seen.add(name)
        progress(what, len(seen), runs)

    return tell


@dataclass(frozen=True, slots=True)
class Card:
    """What a measure means, shown on request.

    settings  its parameters, their values and a line on each
    """

    name: str
    title: str
    formula: str
    settings: tuple[tuple[str, str, str], ...]
    bounds: str
    misleads: str
    cite: str


def card(measure: Measure) -> Card:
    """What the measure's own file says of it."""
    params = measure.params
    low, high = measure.bounds
    return Card(
        name=str(measure),
        title=measure.title,
        formula=measure.formula,
        settings=tuple(
            (name, "none" if params[name] is None else str(params[name]), text)
            for name, text in measure.parameters.items()
            if name in params
        ),
        bounds=f"from {low:g} to {high:g}".replace("inf", "∞")
        + ("; less is better" if measure.less_is_better else ""),
        misleads=measure.misleads,
        cite=measure.cite,
    )
