"""Writes the tables of docs/readers.md anew from simulated pairs of systems; `make readers` (some minutes).

    python docs/make_readers.py [TABLE...]

Topics are drawn from populations whose curves are known exactly, so that it can be said whether a band holds them.
Everything starts from SEED, so that the same version of Gainful and NumPy writes the same page.
"""

import math
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from simulated_readers import KINDS, everything

from gainful.presentation.table import Table
from gainful.statistics import simultaneous_bands as bands
from gainful.statistics import special

PAGE = Path(__file__).with_name("readers.md")
SEED = 6
PAIRS = 1_000  # of curves, in a line of a table
SYSTEMS = 20  # pairs of systems; for each, topics are drawn PAIRS / SYSTEMS times
TOPICS, ENOUGH = (10, 25, 50, 100, 200), 25
LEVEL, RESAMPLES = 0.95, 499

Floats = NDArray[np.float64]


class Draw(NamedTuple):
    """What topics drawn by chance said of one sweep of a pair, and the truth.

    holds   whether the whole truth is in the band, wherever there is one
    leads   1 where the first system is said to lead, −1 where the second is, else 0
    alone   whether anybody would be said to lead if each point had an interval of its own
    """

    truth: Floats
    holds: bool
    leads: Floats
    alone: bool


def draw(values: Floats, truth: Floats, seed: int) -> Draw:
    """The band of a pair from the topics drawn."""
    made = bands.simultaneous(
        values, np.array([0]), np.array([1]), level=LEVEL, resamples=RESAMPLES, seed=seed
    )
    difference, low, high = made.difference[0], made.low[0], made.high[0]
    outside = (truth < low - 1e-12) | (truth > high + 1e-12)
    leads = (low > 0).astype(float) - (high < 0)
    student = float(special().stdtrit(values.shape[2] - 1, (1 + LEVEL) / 2))
    alone = np.abs(difference) > (high - low) / 2 * (student / made.critical)
    return Draw(truth, not outside.any(), leads, bool(alone.any()))


@cache
def draws(name: str, topics: int) -> list[dict[str, Draw]]:
    """What 1,000 draws of topics say, by sweep."""
    print(f"  {name}, {topics} topics", file=sys.stderr, flush=True)
    return [
        {by: draw(values, truth, seed) for by, (values, truth) in sample.items()}
        for seed, sample in samples(name, topics)
    ]


def samples(name: str, topics: int) -> Iterator[tuple[int, dict[str, tuple[Floats, Floats]]]]:
    """1,000 times topics drawn by chance: a seed, and by sweep the values and the truth."""
    random = np.random.default_rng([SEED, list(KINDS).index(name), topics])
    for _ in range(SYSTEMS):
        values, truth = everything(random, name)
        many = values["rank"].shape[2]
        for _ in range(PAIRS // SYSTEMS):
            chosen, seed = random.integers(many, size=topics), int(random.integers(1 << 30))
            yield seed, {by: (one[:, :, chosen], truth[by]) for by, one in values.items()}


BY = ("rank", "recall", "patience")


def coverage() -> Table:
    """How often the band holds the whole true difference: 95 % if it is right."""
    body = []
    shares: dict[str, list[float]] = {by: [] for by in BY}
    for name in KINDS:
        for topics in TOPICS:
            found = draws(name, topics)
            held = {by: sum(one[by].holds for one in found) / len(found) for by in BY}
            body.append([name, str(topics), *(_percent(held[by]) for by in BY)])
            for by in BY if topics >= ENOUGH else ():
                shares[by].append(held[by])
    body.append([f"all, {ENOUGH} topics or more", "", *(_percent(float(np.mean(shares[by]))) for by in BY)])
    return Table(["pairs", "topics", *BY], body)


def nobody() -> Table:
    """How often no leader is named among systems that are equal: 95 % if it is right."""
    body = []
    for name in ("equal", "equal, hard topics"):
        for topics in TOPICS:
            found = draws(name, topics)
            cells = []
            for by in BY:
                ours = sum(not one[by].leads.any() for one in found)
                alone = sum(not one[by].alone for one in found)
                cells += [_percent(ours / len(found)), _percent(alone / len(found))]
            body.append([name, str(topics), *cells])
    return Table(["pairs", "topics", *(head for by in BY for head in (by, "point by point"))], body)


def planted() -> Table:
    """Where curves cross: how often both leaders are found, and whether the crossing lies between them."""
    body = []
    for by in BY:
        for topics in TOPICS:
            found = [one[by] for one in draws("crossing", topics)]
            wrong = sum(bool((one.leads * one.truth < 0).any()) for one in found)
            both = [one for one in found if (one.leads > 0).any() and (one.leads < 0).any()]
            inside = _percent(sum(map(_between, both)) / len(both)) if both else "–"
            body.append(
                [by, str(topics), _percent(len(both) / len(found)), inside, _percent(wrong / len(found))]
            )
    return Table(["sweep", "topics", "both leaders found", "crossing between them", "a wrong leader"], body)


# Other ways to the critical value: of centred differences (topics × points) and the sum of their squares.


def plain_draws(random: np.random.Generator, apart: Floats, square: Floats) -> Floats:
    """Topics drawn anew, the spread as it was seen."""
    topics = len(apart)
    return np.abs(_times(random, topics) @ apart) / np.sqrt(square * topics / (topics - 1))


def studentised_draws(random: np.random.Generator, apart: Floats, square: Floats) -> Floats:
    """Topics drawn anew, the spread of each draw; not less than half of what was seen."""
    topics, times = len(apart), _times(random, len(apart))
    moved = times @ apart
    spread = np.maximum(times @ apart**2 - moved**2 / topics, square / 4)
    return np.abs(moved) / np.sqrt(spread * topics / (topics - 1))


def studentised_signs(random: np.random.Generator, apart: Floats, square: Floats) -> Floats:
    """Random signs; the spread under them follows from the sum."""
    topics = len(apart)
    moved = (2.0 * random.integers(0, 2, (RESAMPLES, topics)) - 1) @ apart
    return np.abs(moved) / np.sqrt((square - moved**2 / topics) * topics / (topics - 1))


def multivariate_t(random: np.random.Generator, apart: Floats, square: Floats) -> Floats:
    """Normal numbers with the correlations that were seen, over the root of a chi-square."""
    topics = len(apart)
    chi = np.sqrt(random.chisquare(topics - 1, (RESAMPLES, 1)) / (topics - 1))
    return np.abs(random.normal(size=(RESAMPLES, topics)) @ apart) / np.sqrt(square) / chi


def _times(random: np.random.Generator, topics: int) -> Floats:
    return random.multinomial(topics, np.full(topics, 1 / topics), size=RESAMPLES).astype(float)


def methods() -> Table:
    """Other ways to the critical value, all points with any spread: how often the whole band holds."""
    ways = (plain_draws, studentised_signs, multivariate_t, studentised_draws)
    body = []
    for name, topics in (("crossing", 25), ("crossing", 50), ("crossing, hard topics", 50)):
        held = {(way.__name__, by): 0 for way in ways for by in BY}
        for seed, sample in samples(name, topics):
            for by, (values, truth) in sample.items():
                apart, random = (values[0] - values[1]).T, np.random.default_rng(seed)
                centred = apart - apart.mean(axis=0)
                square = (centred**2).sum(axis=0)
                seen = square > 1e-20
                off = np.abs(apart.mean(axis=0) - truth)
                missed = bool((off[~seen] > 1e-12).any())
                off = off[seen] / np.sqrt(square[seen] / (topics * (topics - 1)))
                for way in ways:
                    largest = way(random, centred[:, seen], square[seen]).max(axis=1)
                    held[way.__name__, by] += bool(off.max() <= np.quantile(largest, LEVEL)) and not missed
        ours = {by: sum(one[by].holds for one in draws(name, topics)) for by in BY}
        for label, found in [
            *((way.__name__.replace("_", " "), {by: held[way.__name__, by] for by in BY}) for way in ways),
            ("Gainful", ours),
        ]:
            body.append([name, str(topics), label, *(_percent(found[by] / PAIRS) for by in BY)])
    return Table(["pairs", "topics", "critical value from", *BY], body, names=3)


def _between(one: Draw) -> bool:
    """Whether the truth changes its sign between the last lead of the first system and the first of the second."""
    last, start = np.flatnonzero(one.leads > 0).max(), np.flatnonzero(one.leads < 0).min()
    return bool(last < start and one.truth[last] > 0 > one.truth[start])


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _within(share: float, samples: int) -> str:
    """Two standard errors of a share."""
    return f"±{2 * math.sqrt(share * (1 - share) / samples):.1%}"


_CLOSING = f"1,000 pairs a line; a rate of 95 % is within {_within(0.95, PAIRS)} with 95 % confidence."
TABLES: dict[str, Callable[[], Table]] = {
    "coverage": coverage,
    "nobody": nobody,
    "planted": planted,
    "methods": methods,
}


def fill(name: str) -> None:
    """Put a table into the page anew; it stands between two comments that name it."""
    make = TABLES[name]
    print(f"{name}: {make.__doc__}", file=sys.stderr, flush=True)
    grid = make()
    text = f"\n{grid.markdown()}\n\n{_CLOSING}\n\n"
    marks = rf"(<!-- table: {name} -->\n)(?:.|\n)*?(<!-- end -->)"
    page, times = re.subn(marks, lambda found: found[1] + text + found[2], PAGE.read_text(encoding="utf-8"))
    if times != 1:
        raise SystemExit(f"{PAGE}: no place for the table {name}.")
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or TABLES:
        fill(name)
