"""Simulates estimates from samples of documents on judged collections, and writes their bias and coverage.

    python docs/make_design_estimates.py [--draws N] [--data FOLDER]

Every judged document of a collection is one that can be drawn; the value with all of them judged is the truth. Each draw takes
as many topics as there are, with replacement, and documents of each; the package's own estimators see what was drawn, and its own
rules decide on that sample whether there is an interval. Printed for each design,
share of documents judged, and estimator, over the first three collections:

bias           of the mean of a system, the largest of any system, in units of the measure; ± two standard errors of the
               simulation itself, which the largest of twelve passes often where there is no bias
given          share of draws for which the package gives an interval of a difference; in the others it gives bounds
means          how often the 95 % interval of a system's mean holds the true one
these topics   how often the 95 % interval of a difference over these topics holds the true one (chance: documents)
differences    how often the 95 % t interval holds the true difference
least          the lower of means and differences in the collection where it is least, of those with 100 intervals or more;
               after the stroke, what it is there if every document is judged: few topics make a difference, or are skewed
harder         the same in two collections with few relevant documents, by which the rules for shares were made stricter
elsewhere      the same in two collections on which nothing was chosen
width          median width of the interval of a difference, as a multiple of that with all documents judged

Coverage is of the intervals that are given; in brackets where none is, of those that there would be.

The table replaces the part of docs/design_estimates.md between the two marks.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from judged_collections import SYSTEMS, Collection, Collections, collections_of

from gainful.estimates.estimator_registry import Estimate, Kind, estimate, sample_variance
from gainful.estimates.interval_rules import refusal_of_difference
from gainful.estimates.measure_shapes import Shape, shape_of
from gainful.formats.inclusion import Inclusion
from gainful.judging import JudgedRun, Ranking
from gainful.judging.ranking import offsets_of
from gainful.judging.sampling import Sample
from gainful.measures import parse
from gainful.presentation.table import Table
from gainful.statistics import special
from gainful.statistics.intervals import skewed_t_interval

HERE = Path(__file__).parent
BEGIN, END = "<!-- written by docs/make_design_estimates.py -->", "<!-- end -->"
SHARES = (0.1, 0.2, 0.4)
LEAST_ELSEWHERE = 0.2  # share from which on further collections are drawn from
ENOUGH = 100  # intervals of a collection from which on their coverage is told
ESTIMATED: tuple[tuple[str, Kind], ...] = (
    ("P(rel=2)@10", "ht"),
    ("P(rel=2)@10", "centred"),
    ("R(rel=2)@100", "ht"),
    ("RBP(p=0.8,top=3)", "ht"),
    ("RBP(p=0.8,top=3)", "centred"),
    ("DCG@10", "ht"),
    ("DCG@10", "centred"),
    ("DCG@10", "ratio"),
    ("nDCG@10", "ht"),
    ("nDCG@10", "centred"),
    ("NCG@10", "centred"),
    ("AP(rel=2)", "ht"),
    ("statAP(rel=2)", "ht"),
    ("xinfAP(rel=2)", "ht"),  # of a simple random sample it is infAP
)
TRUTH = {"statAP": "AP", "xinfAP": "AP"}
PAIRS = list(itertools.combinations(range(SYSTEMS), 2))
Z = 1.959963984540054
Asked = tuple[str, Kind]


@dataclass
class Draws:
    """What an estimator made of each draw, in rows; systems or pairs in columns.

    off     mean less the true one of the topics drawn
    means   whether the interval of a mean holds the true one of all topics; differences likewise
    these   whether the interval of a difference for the topics drawn holds the true one of these; NaN where there is none
    whole_  the same with every document judged
    """

    off: np.ndarray
    means: np.ndarray
    differences: np.ndarray
    these: np.ndarray
    given_means: np.ndarray
    given_differences: np.ndarray
    whole_means: np.ndarray
    whole_differences: np.ndarray
    width: np.ndarray
    exact: bool = True

    @classmethod
    def of(cls, draws: int) -> Draws:
        """Room for so many draws."""
        systems, pairs = (draws, SYSTEMS), (draws, len(PAIRS))
        shapes = (systems, systems, pairs, pairs, systems, pairs, systems, pairs, pairs)
        return cls(*(np.full(shape, np.nan) for shape in shapes))


@dataclass
class Design:
    """A way of drawing documents: probabilities, strata, and their sizes; NaN where draws are independent."""

    probability: np.ndarray
    stratum: np.ndarray
    size: np.ndarray

    def again(self, docs: Collection, picked: np.ndarray, rows: np.ndarray) -> Design:
        """The design of `docs`, which are these topics, some of them several times, drawn again each time."""
        of_topic = len(self.size) // docs.topics  # strata of a topic lie together, and all have as many
        stratum = self.stratum[rows] % of_topic + docs.topic * of_topic
        return Design(self.probability[rows], stratum, self.size.reshape(-1, of_topic)[picked].ravel())

    def drawn(self, chance: np.random.Generator) -> np.ndarray:
        """Which documents a draw takes."""
        key = chance.random(len(self.probability))
        taken = key < self.probability
        fixed = np.isfinite(self.size[self.stratum])
        order = np.lexsort((key, self.stratum))
        place = np.empty(len(order), int)
        starts = offsets_of(np.bincount(self.stratum, minlength=len(self.size)))
        place[order] = np.arange(len(order)) - starts[self.stratum[order]]
        number = np.round(self.probability * np.where(fixed, self.size[self.stratum], 0.0))
        return np.where(fixed, place < number, taken)


def uniform(docs: Collection, share: float) -> Design:
    """A simple random sample of each topic's documents."""
    size = np.diff(docs.offsets).astype(float)
    number = np.maximum(np.round(share * size), 2)
    return Design((number / size)[docs.topic], docs.topic, size)


def by_rank(docs: Collection, share: float) -> Design:
    """Strata by the best rank in any run, 1–10, 11–30 and the rest: a simple random sample of each, more of the first."""
    part = np.digitize(docs.best_rank, [10.5, 30.5])
    stratum = docs.topic * 3 + part
    size = np.bincount(stratum, minlength=docs.topics * 3).astype(float)
    rate = np.tile(np.minimum(np.array([2.0, 0.75, 0.375]) * share, 1.0), docs.topics)
    number = np.minimum(np.maximum(np.round(rate * size), 2), size)
    with np.errstate(invalid="ignore"):
        return Design((number / size)[stratum], stratum, size)


def by_weight(docs: Collection, share: float) -> Design:
    """Each document by itself, with a probability in proportion to the mean of 1/log2(rank + 1) over runs, and a floor."""
    weight = 1 / np.log2(docs.best_rank.clip(max=200) + 1)
    probability = np.empty(len(weight))
    for topic in range(docs.topics):
        part = slice(docs.offsets[topic], docs.offsets[topic + 1])
        probability[part] = _scaled(weight[part], share * (part.stop - part.start))
    return Design(probability, docs.topic, np.full(docs.topics, np.nan))


def _scaled(weight: np.ndarray, number: float) -> np.ndarray:
    """Probabilities in proportion to weights, none above 1, whose sum is the number asked for."""
    low, high = 0.0, 1e6
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(middle * weight, 1).sum() < number else (low, middle)
    return np.minimum(high * weight, 1.0)


DESIGNS: dict[str, Callable[[Collection, float], Design]] = {
    "simple random sample": uniform,
    "strata by rank": by_rank,
    "independent, by weight": by_weight,
}


def judged_runs(docs: Collection, grade: np.ndarray, design: Design) -> list[JudgedRun]:
    """The systems, judged where the grade is not below 0; the other documents are listed as not drawn."""
    inclusion = Inclusion(design.probability, design.stratum, design.size, listed=True, source="simulation")
    sample = Sample(inclusion, grade, docs.offsets)
    pool = Ranking.best_first(docs.offsets, grade, top=docs.top)
    return [
        JudgedRun(
            offsets,
            ranks[order],
            grade[order],
            pool=pool,
            retrieved=np.full(docs.topics, 100.0),
            present=np.ones(docs.topics, bool),
            row=order,
            sample=sample,
        )
        for ranks, (order, offsets) in zip(docs.ranks, docs.lists, strict=True)
    ]


def truths(docs: Collection, name: str) -> np.ndarray:
    """The values (systems × topics) with every document judged."""
    measure = parse(name)
    plain = parse(name.replace(measure.name, TRUTH.get(measure.name, measure.name)))
    certain = Design(np.ones(len(docs.grade)), docs.topic, np.full(docs.topics, np.nan))
    return np.array([plain(run) for run in judged_runs(docs, docs.grade, certain)])


def simulated(
    docs: Collection,
    make: Callable[[Collection, float], Design],
    share: float,
    asked: list[Asked],
    draws: int,
) -> dict[Asked, Draws]:
    """What each estimator makes of the same draws."""
    chance = np.random.default_rng(7)
    made = {each: Draws.of(draws) for each in asked}
    truth = {name: truths(docs, name) for name, _ in asked}
    of_all = make(docs, share)
    for draw in range(draws):
        picked = chance.integers(docs.topics, size=docs.topics)
        again, rows = docs.again(picked)
        design = of_all.again(again, picked, rows)
        runs = judged_runs(again, np.where(design.drawn(chance), again.grade, -1.0), design)
        for (name, kind), of_estimator in made.items():
            estimates = [estimate(parse(name), run, kind) for run in runs]
            of_means(of_estimator, draw, estimates, truth[name], picked)
            of_pairs(
                of_estimator, draw, estimates, runs, shape_of(parse(name), docs.top), truth[name], picked
            )
    return made


def of_means(
    made: Draws, draw: int, estimates: list[Estimate], truth: np.ndarray, picked: np.ndarray
) -> None:
    """Enters a draw's means."""
    values = np.array([each.values for each in estimates])
    made.off[draw] = np.nanmean(values, axis=1) - truth[:, picked].mean(axis=1)
    made.means[draw] = holds(level_interval(values), truth)
    made.whole_means[draw] = holds(level_interval(truth[:, picked]), truth)
    made.given_means[draw] = [not each.refused for each in estimates]


def of_pairs(
    made: Draws,
    draw: int,
    estimates: list[Estimate],
    runs: list[JudgedRun],
    shape: Shape | None,
    truth: np.ndarray,
    picked: np.ndarray,
) -> None:
    """Enters a draw's differences."""
    first, second = np.array(PAIRS).T
    values = np.array([each.values for each in estimates])
    apart, true = values[second] - values[first], truth[second] - truth[first]
    ends, whole = interval(apart), interval(true[:, picked])
    made.differences[draw], made.whole_differences[draw] = holds(ends, true), holds(whole, true)
    made.width[draw] = (ends[1] - ends[0]) / (whole[1] - whole[0])
    made.exact = estimates[0].exact
    for number, (a, b) in enumerate(PAIRS):
        refused = estimates[a].refused or estimates[b].refused
        made.given_differences[draw, number] = not (
            refused or refusal_of_difference(runs[a], runs[b], shape, apart[number])
        )
        one, other = estimates[a].influence, estimates[b].influence
        if one is not None and other is not None:
            counted = int((~np.isnan(apart[number])).sum())
            variance = sample_variance(runs[0].require_sample(), other - one).sum() / counted**2
            off = abs(np.nanmean(apart[number]) - true[number, picked].mean())
            made.these[draw, number] = off <= Z * np.sqrt(variance)


def holds(ends: tuple[np.ndarray, np.ndarray], truth: np.ndarray) -> np.ndarray:
    """Whether each interval holds the mean of all topics."""
    low, high = ends
    mean = truth.mean(axis=1)
    return (low <= mean) & (mean <= high)


def interval(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Student's 95 % interval of the mean of each row, over the topics that count."""
    number = (~np.isnan(values)).sum(axis=1)
    half = special().stdtrit(number - 1, 0.975) * np.nanstd(values, axis=1, ddof=1) / np.sqrt(number)
    middle = np.nanmean(values, axis=1)
    return middle - half, middle + half


def level_interval(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The interval that the package gives beside the mean of each row, over the topics that count."""
    low, high = np.empty(len(values)), np.empty(len(values))
    known = ~np.isnan(values)
    number = known.sum(axis=1)
    for count in np.unique(number):
        here = number == count
        rows = values[here][known[here]].reshape(-1, count)
        low[here], high[here] = skewed_t_interval(rows, 0.95)
    return low, high


def coverage(parts: list[tuple[np.ndarray, np.ndarray]], *, given: bool = True) -> str:
    """How often intervals held, of those that were given; in brackets where none was, of all.

    parts  of each collection, whether intervals held, and whether they were given
    """
    held, shown = (np.concatenate([part[end].ravel() for part in parts]) for end in (0, 1))
    if np.isnan(held).all():
        return "–"
    some = shown > 0
    value = np.nanmean(held[some] if some.any() else held)
    return f"{value:.3f}" if given and some.any() else f"({value:.3f})"


def least(made: list[Draws]) -> str:
    """The coverage of means or of differences, whichever is lower, of the collection where it is least; and what it is there
    with every document judged.
    """
    parts = [(of.means, of.given_means, of.whole_means) for of in made]
    parts += [(of.differences, of.given_differences, of.whole_differences) for of in made]
    parts = [part for part in parts if (part[1] > 0).sum() >= ENOUGH]
    held = [(held[given > 0].mean(), whole[given > 0].mean()) for held, given, whole in parts]
    return "{:.3f} / {:.3f}".format(*min(held)) if held else "–"


def rows(collections: Collections, draws: int, shares: list[float], only: str) -> Iterator[list[str]]:
    """A row of the table for each design, share and estimator."""
    for title, make in DESIGNS.items():
        asked = [each for each in ESTIMATED if each[0].startswith(only)]
        asked = [each for each in asked if make is not by_weight or not each[0].startswith("xinfAP")]
        for share in shares if asked else []:
            others = ((), ()) if share < LEAST_ELSEWHERE else (collections.harder, collections.elsewhere)
            made, harder, elsewhere = (
                [simulated(docs, make, share, asked, draws) for docs in group]
                for group in (collections.first, *others)
            )
            for name, kind in asked:
                found = [of[name, kind] for of in made]
                biases = [
                    (mean, 2 * error / np.sqrt(draws))
                    for part in found
                    for mean, error in zip(part.off.mean(axis=0), part.off.std(axis=0, ddof=1), strict=True)
                ]
                bias, error = max(biases, key=lambda pair: abs(pair[0]))
                means = [(part.means, part.given_means) for part in found]
                differences = [(part.differences, part.given_differences) for part in found]
                these = [(part.these, part.given_differences) for part in found]
                given = float(np.mean([part.given_differences.mean() for part in found]))
                row = [
                    title,
                    f"{share:.0%}",
                    name,
                    kind,
                    f"{bias:+.3f} ± {error:.3f}".replace("-", "−"),
                    f"{given:.0%}" if given else "refused",
                    coverage(means),
                    coverage(these, given=found[0].exact),
                    coverage(differences),
                    least(found),
                    *(least([of[name, kind] for of in group]) for group in (harder, elsewhere)),
                    f"{np.nanmedian(np.concatenate([part.width for part in found])):.2f}",
                ]
                print(*row, sep="\t", flush=True)
                yield row


def main() -> None:
    """Simulate, and write the table into the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=334, help="draws of each design from each collection")
    parser.add_argument("--data", type=Path, default=HERE.parents[1] / "shared" / "data")
    parser.add_argument(
        "--shares", type=float, nargs="+", help="only print rows of these shares of documents"
    )
    parser.add_argument("--only", default="", help="only print rows of measures that begin so, such as nDCG")
    asked = parser.parse_args()
    collections = collections_of(asked.data)
    made = list(rows(collections, asked.draws, asked.shares or list(SHARES), asked.only))
    if asked.shares or asked.only:
        return
    heads = ["design", "judged", "measure", "estimator", "bias", "given"]
    heads += ["means", "these topics", "differences", "least", "harder", "elsewhere", "width"]
    table = Table(heads, made, names=(0, 1, 2, 3)).markdown()
    page = HERE / "design_estimates.md"
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    first, harder, elsewhere = (
        ", ".join(f"{docs.name} ({docs.topics} topics, {len(docs.grade):,} documents)" for docs in group)
        for group in collections
    )
    stated = (
        f"{asked.draws:,} draws of each design from each of {first}; harder: {harder}; elsewhere: {elsewhere}. "
        f"{SYSTEMS} systems of each, all pairs. The last four collections are drawn from {LEAST_ELSEWHERE:.0%} on."
    )
    page.write_text(f"{before}{BEGIN}\n\n{table}\n\n{stated}\n\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
