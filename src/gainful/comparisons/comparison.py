"""compare_scores: systems on the same topics, pair by pair, corrected for how many pairs there are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.comparisons.comparison_notes import notes_about, tie_range
from gainful.comparisons.design_intervals import design_to_dict, with_design
from gainful.comparisons.method import LIMITS, Method, adjusted, p_values
from gainful.comparisons.model_intervals import (
    POWERED_TEST,
    check_method,
    limit_of,
    models_of,
    notes_of_skewness,
    powered_pairs,
    tested,
)
from gainful.comparisons.pair import Pair, described, which_pairs
from gainful.comparisons.score_table import ScoreTable
from gainful.comparisons.topic_attributes import check_weighted
from gainful.comparisons.verdict import Verdict, verdict_of
from gainful.errors import NothingInCommon, UsageError
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.text_style import counted, signed
from gainful.scores import Scores
from gainful.scores.score_set import named_measures
from gainful.statistics.corrections import CORRECTIONS
from gainful.statistics.differences import differences
from gainful.statistics.resampling import Progress
from gainful.summaries import in_words

if TYPE_CHECKING:
    from gainful.comparisons.groups import Groups
    from gainful.comparisons.next_steps import NextSteps


@dataclass(frozen=True, eq=False)
class Comparison:
    """Pairwise comparison of systems, with the methods used.

    >>> from gainful.comparisons import compare_scores
    >>> scores = [[0.1, 0.4, 0.3, 0.2, 0.6, 0.5], [0.2, 0.6, 0.4, 0.3, 0.8, 0.6]]
    >>> made = compare_scores(ScoreTable.of_matrix(scores, systems=["old", "new"], measure="AP"))
    >>> print(made.verdict)
    new is better than old on AP: +0.133 (95 % CI 0.079 to 0.188).
    >>> print(made.pairs[0].sentence(alpha=0.05, power=0.8))
    new is better than old by 0.1333 AP (95 % confidence interval 0.0791 to 0.1875), p = 0.031, 6 topics.
    """

    table: ScoreTable
    method: Method
    pairs: tuple[Pair, ...]
    notes: tuple[str, ...]
    groups: Groups | None = None
    """The comparison within each group of topics, where groups were given."""

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    def of(self, measure: str | Measure) -> tuple[Pair, ...]:
        """The pairs of one measure."""
        return tuple(pair for pair in self.pairs if str(pair.measure) == str(measure))

    @property
    def queries(self) -> Mapping[str, str]:
        """`{topic: text}` of the topics whose queries are known."""
        return self.table.queries

    def pair(self, measure: str | Measure, first: str, second: str) -> Pair:
        """Two systems on one measure, whichever stands first."""
        for pair in self.of(measure):
            if {pair.a, pair.b} == {first, second}:
                return pair
        raise KeyError(f"{first!r} and {second!r} were not compared on {measure}")

    @cached_property
    def verdict(self) -> Verdict:
        """Who wins, by how much and how surely, in at most two sentences."""
        return verdict_of(self)

    @cached_property
    def next_steps(self) -> NextSteps | None:
        """What to look at next: topics and documents that cost most, and what would make the result surer."""
        from gainful.comparisons.next_steps import next_steps

        return next_steps(self)

    @cached_property
    def means(self) -> dict[str, dict[str, float]]:
        """The mean of each system, measure by measure."""
        if models_of(self.table) is None:
            return {str(measure): self.table.mean(measure) for measure in self.table.measures}
        of_pairs: dict[str, dict[str, float]] = {str(measure): {} for measure in self.table.measures}
        for pair in self.pairs:
            of_pairs[str(pair.measure)] |= {pair.a: pair.mean_a, pair.b: pair.mean_b}
        return of_pairs

    @property
    def corrected(self) -> bool:
        """Whether p-values were corrected: there is a correction and more than one comparison."""
        return self.comparisons > 1 and self.method.correction != "none"

    @cached_property
    def comparisons(self) -> int:
        """The number of comparisons that are corrected together."""
        return len(self.pairs) // (1 if self.method.family == "all" else len(self.table.measures))

    def sentence(self, pair: Pair) -> str:
        """One pair's answer in words; where the order of tied scores decides who is ahead, that follows."""
        method = self.method
        said = pair.sentence(
            alpha=method.alpha,
            power=method.power,
            adjusted=method.correction_stated if self.corrected else None,
            against_the_mean=method.test_stated if self.against_the_mean(pair) else None,
            limit=self.limit(pair),
        )
        said = with_design(said, self.table)
        ties = tie_range(self.table, pair.measure, pair.a, pair.b, pair.difference)
        if ties is None or not ties.decides:
            return said
        low, high = ties.range
        return (
            f"{said} The order of tied scores decides who is ahead: "
            f"by their order the difference is {signed(low)} to {signed(high)} (--ties)."
        )

    def summary(self) -> list[str]:
        """How many differences are significant, measure by measure, in sentences for many pairs."""
        return [self._counted(measure) for measure in self.table.measures]

    def _counted(self, measure: Measure) -> str:
        pairs, alpha = self.of(measure), self.method.alpha
        significant = sum(pair.significant(alpha) for pair in pairs)
        unresolved = [pair for pair in pairs if pair.unresolved(alpha)]
        sentence = f"{measure}: {significant:,} of {len(pairs):,} differences are significant"
        if unresolved:
            sentence += f"; {len(unresolved):,} cannot be resolved: {self.limit(unresolved[0])}"
        return sentence + "."

    def limit(self, pair: Pair) -> str | None:
        """Why the test could not have detected any difference between the two, and what it would take; None if it could."""
        method = self.method
        if not pair.unresolved(method.alpha):
            return None
        if models_of(self.table) is not None:
            return limit_of(self.table)
        comparisons = self.comparisons if self.corrected and not method.shared else 1
        after = (
            f" after {method.correction_stated} over {comparisons:,} comparisons" if comparisons > 1 else ""
        )
        least = f"no p-value under {pair.smallest_p_adjusted:.2g}{after}, whatever the scores"
        drawn = "flips" if method.shared else method.paired_test.draws
        number = method.resamples if drawn == "resamples" else method.asked
        different = pair.topics if method.shared else pair.wins + pair.losses
        if drawn == "resamples" or (method.shared and pair.smallest_p_adjusted * (number + 1) <= 1):
            by_draws = True
        else:
            # without a number of flips asked for, smaller p-values come from the tail
            few = method.flips is not None and not method.shared
            by_draws = drawn == "flips" and few and different > 1 + math.log2(number)
        if by_draws and drawn:
            needed = method.needed(self.comparisons)
            possible = needed <= LIMITS[drawn][1]
            advice = f"ask for {needed:,} (--{drawn})" if possible else "use test signflip without --flips"
            return f"{number:,} {drawn} give {least}; {advice}"
        verb = "s" if different == 1 else ""
        topics = counted(different, "topic") + ("" if different == pair.topics else f" that differ{verb}")
        least = f"give{verb} {least}"
        if method.correction == "tukey" or not method.paired_test.patterns:
            return f"{topics} {least}; more are needed"
        times = CORRECTIONS[method.correction].times(comparisons)
        fewest = math.ceil(1 + math.log2(times / method.alpha))
        fewer = ", or compare fewer systems" if times > 1 else ""
        # Where patterns would do, a normal approximation (Wilcoxon with ties) does not reach as far: no number is known.
        number_of_topics = f"{fewest:,}" if fewest > different else "more"
        return f"{topics} {least}; {number_of_topics} are needed{fewer}"

    def against_the_mean(self, pair: Pair) -> bool:
        """Whether the test, where it does not look at the mean, is on the side of the other system."""
        side_of = self.method.paired_test.side
        if side_of is None:
            return False
        rows, _ = self.table.of(pair.measure)
        a, b = (np.array([self.table.names.index(name)]) for name in (pair.a, pair.b))
        side = float(side_of(differences(rows, a, b))[0])
        return bool(side != 0 and np.sign(side) != np.sign(pair.difference))

    def stated(self) -> str:
        """The test, interval, correction, topics and random seed, in a line."""
        counts = self._topics
        topics = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
        parts = [f"{topics} topics, paired", *self.method.stated()]
        if (models := models_of(self.table)) is not None:
            parts[:2] = [models.in_words, POWERED_TEST]
        if self.table.weights is not None:
            effective_topics = min(pair.effective_topics for pair in self.pairs)
            parts.insert(1, f"weighted, equivalent to {effective_topics:,.1f} topics of equal weight")
        if self.corrected:
            what = "comparisons" if self.method.family == "all" else "pairs"
            parts.append(f"{self.method.correction_stated} over {self.comparisons:,} {what}")
        parts += self._flips_stated()
        return " · ".join([*parts, f"seed {self.method.seed}"])

    def _flips_stated(self) -> list[str]:
        """How many flips, and for how many pairs the p-value was too small for them."""
        flips = sorted({pair.flips for pair in self.pairs if pair.flips})
        if not flips:
            return []
        number = f"{flips[0]:,}" if len(flips) == 1 else f"{flips[0]:,} to {flips[-1]:,}"
        ways = Counter(pair.p_value_method for pair in self.pairs)
        if not ways["flips"] and not ways["saddlepoint"]:
            return [f"all {number} flips"] if 2 ** min(self._topics) <= flips[-1] else [f"{number} flips"]
        parts = [f"{number} flips"]
        if ways["saddlepoint"]:
            parts.append(f"{ways['saddlepoint']:,} small p-values by saddlepoint approximation")
        if ways["exact"]:
            parts.append(f"{ways['exact']:,} small p-values counted exactly")
        return parts

    @property
    def _topics(self) -> list[int]:
        """How many topics each measure counts."""
        return sorted({pair.topics for pair in self.pairs})

    def paper(self, form: str = "latex", *, places: int = 4, letters: bool = False) -> str:
        r"""A table for a paper: the mean of each system by each measure, the best in bold, and a caption of one sentence.

        form     "latex" (needs the package booktabs), "markdown", "html" or "table" (plain text)
        places   decimals
        letters  letters instead of daggers: systems that share a letter do not differ significantly

        † and ‡ mark differences from the baseline that are significant after correction, at alpha and at alpha / 5.
        Where the comparison has no baseline, the systems are compared with the first one.

        >>> from gainful.comparisons import compare_scores
        >>> scores = [[0.1, 0.4, 0.3, 0.2, 0.6, 0.5], [0.2, 0.6, 0.4, 0.3, 0.8, 0.6]]
        >>> made = compare_scores(ScoreTable.of_matrix(scores, systems=["old", "new"], measure="AP"))
        >>> print(made.paper("markdown").split("<!--")[0].strip())
        | system | AP |
        |:---|---:|
        | old | 0.3500 |
        | new | **0.4833 †** |
        <BLANKLINE>
        Mean AP over 6 topics; best in bold; † p ≤ 0.05 and ‡ p ≤ 0.01 for the difference from old (sign-flip test).
        """
        from gainful.comparisons.board_tables import paper

        return paper(self, form, places=places, letters=letters)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful import __version__

        return {
            "gainful": __version__,
            "settings": None if self.table.settings is None else self.table.settings.to_dict(),
            "qrels": self.table.qrels,
            **design_to_dict(self.table, self.pairs, self.method),
            "systems": [
                system.to_dict()
                | {"mean": {measure: means[system.name] for measure, means in self.means.items()}}
                for system in self.table.systems
            ],
            "statistics": self.method.to_dict()
            | ({} if self.table.weights is None else {"weights": self._weights()}),
            "verdict": self.verdict.to_dict(),
            "comparisons": [pair.to_dict() for pair in self.pairs],
            **({} if self.groups is None else {"groups": self.groups.to_dict()}),
            "next": None if self.next_steps is None else self.next_steps.to_dict(),
            "notes": list(map(str, self.notes)),
        }

    def _weights(self) -> dict[str, float]:
        weights = self.table.weights_of(self.table.topics)
        assert weights is not None
        return dict(zip(map(shown, self.table.topics), weights.tolist(), strict=True))

    def __repr__(self) -> str:
        size = f"{counted(len(self.table.systems), 'system')}, {counted(len(self.pairs), 'pair')}"
        return f"Comparison({size}: {named_measures(self.table.measures)})"

    def __str__(self) -> str:
        from gainful.comparisons.comparison_tables import of_pairs

        return of_pairs(self, "table").rstrip("\n")

    def _repr_html_(self) -> str:
        from gainful.comparisons.comparison_tables import inline

        return inline(self)


def compare_scores(
    scores: Scores | ScoreTable, method: Method | None = None, *, progress: Progress | None = None
) -> Comparison:
    """Compare systems by existing scores: those of `evaluate`, or a table of topic × system."""
    method = method or Method()
    table = ScoreTable.of_scores(scores) if isinstance(scores, Scores) else scores
    _comparable(table)
    models = models_of(table)
    if models is not None:
        method = check_method(table, method)
    if table.weights is not None:
        check_weighted(method)
    first, second = which_pairs(table.names, method.baseline)
    rows = {measure: table.of(measure) for measure in table.measures}
    for measure, (_, topics) in rows.items():
        if len(topics) < 2:
            raise NothingInCommon(
                f"{measure}: one topic ('{shown(topics[0])}') is not enough to compare systems; give two or more."
            )
    comparisons = len(first) * (len(rows) if method.family == "all" else 1)
    weights = {measure: table.weights_of(topics) for measure, (_, topics) in rows.items()}
    powered = {} if models is None else {measure: tested(table, measure, first, second) for measure in rows}
    alone = (
        {measure: tested_pairs for measure, (tested_pairs, _) in powered.items()}
        if powered
        else p_values(
            {measure: values for measure, (values, _) in rows.items()},
            first,
            second,
            method,
            comparisons,
            progress,
            weights=weights,
        )
    )
    together = adjusted(table.topics, rows, first, second, alone, method, progress, weights=weights)
    pairs: list[Pair] = []
    for measure, (values, _) in rows.items():
        of_measure = list(
            described(
                measure,
                values,
                table.names,
                first,
                second,
                alone[measure],
                together[measure],
                method,
                progress,
                weights=weights[measure],
            )
        )
        pairs += (
            powered_pairs(of_measure, table, measure, powered[measure][1], method) if powered else of_measure
        )
    notes = [
        *notes_about(table, pairs, method, comparisons),
        *notes_of_skewness({measure: means for measure, (_, means) in powered.items()}),
    ]
    return Comparison(table, method, tuple(pairs), tuple(notes))


def _comparable(table: ScoreTable) -> None:
    """Raise if there are fewer than two systems, or a measure is no mean over topics."""
    if len(table.systems) < 2:
        raise NothingInCommon(
            f"there is only one system ('{shown(table.names[0])}'); a comparison needs two or more."
        )
    refuse_other_summaries(table.measures)


def refuse_other_summaries(measures: Sequence[Measure]) -> None:
    """Raise if a measure is no mean over topics: paired tests compare means."""
    for measure in measures:
        if measure.summary not in ("mean", "sum"):
            raise UsageError(
                f"{measure} is a {in_words(measure.summary)} over topics, and comparisons are of means; "
                f"compare by {measure(summary='mean')}."
            )
