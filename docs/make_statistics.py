"""Writes the tables of docs/statistics.md anew from simulated topics; `make statistics` (some minutes).

    python docs/make_statistics.py [TABLE...]

Everything starts from SEED, so that the same version of Gainful and NumPy writes the same page.
"""

import math
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons import ScoreTable
from gainful.comparisons.gate_decision import gate_scores
from gainful.presentation.table import Table
from gainful.statistics.corrections import Member, bh, holm, max_t, none, tukey
from gainful.statistics.differences import detectable, topics_needed
from gainful.statistics.flips import Flips, sign_flips
from gainful.statistics.intervals import interval
from gainful.statistics.paired_tests.bootstrap import bootstrap_test
from gainful.statistics.paired_tests.sign import sign_test
from gainful.statistics.paired_tests.t import t_test
from gainful.statistics.paired_tests.wilcoxon import wilcoxon_test

PAGE = Path(__file__).with_name("statistics.md")
SEED = 20
ALPHA = 0.05
FLIPS = 1_999  # so that alpha of the patterns is a whole number

Rows = NDArray[np.float64]


# What topics look like: paired differences of two systems, samples × topics, with mean 0.


def normal(random: np.random.Generator, samples: int, topics: int) -> Rows:
    """The same spread everywhere."""
    return random.normal(0, 0.15, (samples, topics))


def scores(random: np.random.Generator, samples: int, topics: int) -> Rows:
    """Two systems of the same quality, scores between 0 and 1, easy and hard topics, one topic in five a tie at 0."""
    ease = random.beta(1.5, 3, (samples, topics))
    first, second = (random.beta(1 + 8 * ease, 9 - 8 * ease) for _ in range(2))
    return np.where(random.random((samples, topics)) < 0.2, 0.0, second - first)


def skewed(random: np.random.Generator, samples: int, topics: int) -> Rows:
    """Mostly small losses and a few large gains: not symmetric, which flips assume and measures of success often show."""
    return random.exponential(0.15, (samples, topics)) - 0.15


TOPICS = {"normal": normal, "scores": scores, "skewed": skewed}


def flips(rows: Rows) -> Rows:
    """Sign-flip p-values of many samples at once."""
    padded = np.vstack([np.zeros(rows.shape[1]), rows])
    pairs = (np.zeros(len(rows), np.int64), np.arange(1, len(padded)))
    return sign_flips(padded, pairs, Flips(rows.shape[1], FLIPS, SEED)).p


TESTS: dict[str, Callable[[Rows], Rows]] = {
    "signflip": flips,
    "t": t_test,
    "wilcoxon": wilcoxon_test,
    "sign": sign_test,
    "bootstrap": lambda rows: bootstrap_test(rows, resamples=FLIPS, seed=SEED),
}


def null(random: np.random.Generator, samples: int = 4_000) -> Table:
    """How often each test finds a difference where there is none."""
    body = []
    for name, draw in TOPICS.items():
        for topics in (10, 25, 50, 100):
            rows = draw(random, samples, topics)
            body.append([name, str(topics), *(_percent(TESTS[test](rows) <= ALPHA) for test in TESTS)])
    return Table(["differences", "topics", *TESTS], body)


def families(random: np.random.Generator, samples: int = 4_000) -> Table:
    """How often any pair of equal systems is found different."""
    body = []
    for systems, topics in ((5, 50), (10, 25), (10, 50), (20, 50)):
        first, second = (index.astype(np.int64) for index in np.triu_indices(systems, 1))
        found: dict[str, list[bool]] = {name: [] for name in ("none", "bh", "holm", "max-t", "tukey")}
        for seed in range(samples):
            rows = random.beta(2, 3, (systems, topics)) + random.normal(0, 0.2, topics)
            family = [Member(rows, first, second)]
            p = sign_flips(rows, (first, second), Flips(topics, 20 * len(first) * 20 - 1, seed)).p
            for name, correct in (("none", none), ("bh", bh), ("holm", holm)):
                found[name].append(correct(p).min() <= ALPHA)
            found["max-t"].append(max_t(family, Flips(topics, 999, seed))[0].min() <= ALPHA)
            found["tukey"].append(tukey(family, shuffles=999, seed=seed)[0].min() <= ALPHA)
        body.append(
            [f"{systems} × {topics}", str(len(first)), *(_percent(np.array(one)) for one in found.values())]
        )
    return Table(["systems × topics", "pairs", *found], body)


def planted(random: np.random.Generator, samples: int = 4_000) -> Table:
    """How often a difference of the size that the formula calls detectable is found: 80 % if it is right."""
    body = []
    for name, draw in TOPICS.items():
        for topics in (10, 25, 50, 100):
            spread = float(draw(random, 1, 1_000_000).std())
            effect = detectable(topics)
            rows = draw(random, samples, topics) + effect * spread
            found = (_percent(TESTS[test](rows) <= ALPHA) for test in TESTS)
            body.append([name, str(topics), f"{effect * spread:.4f}", *found])
    return Table(["differences", "topics", "detectable", *TESTS], body)


def coverage(random: np.random.Generator, samples: int = 2_000) -> Table:
    """How often the interval holds the true difference: 95 % if it is right."""
    names = ("t", "bca", "percentile", "flips")
    body = []
    for name, draw in TOPICS.items():
        for topics in (10, 25, 50, 100):
            rows = draw(random, samples, topics)
            cells = []
            for kind in names:
                low, high = interval(kind, rows, 1 - ALPHA, resamples=FLIPS, flips=FLIPS, seed=SEED)
                cells.append(_percent((low <= 0) & (high >= 0)))
            body.append([name, str(topics), *cells])
    return Table(["differences", "topics", *names], body)


def gates(random: np.random.Generator, samples: int = 2_000) -> Table:
    """Verdicts on candidates that lose just the margin, and on equal ones with the topics that were said to do."""
    body = []
    margin, spread = 0.05, 0.15
    needed = int(topics_needed(np.array([margin / spread]), sides=1)[0])
    for loss, topics in (
        (margin, 25),
        (margin, 50),
        (margin, 100),
        (0.0, 25),
        (0.0, needed),
        (2 * margin, needed),
    ):
        verdicts = []
        for seed, row in enumerate(random.normal(-loss, spread, (samples, topics))):
            table = ScoreTable.of_matrix([np.zeros(topics), row])
            verdicts.append(gate_scores(table, margin=margin, flips=FLIPS, seed=seed).verdict)
        shares = (f"{verdicts.count(one) / samples:.1%}" for one in ("pass", "cannot tell", "fail"))
        body.append([f"−{loss:g}" if loss else "0", str(topics), *shares])
    return Table(["true difference", "topics", "pass", "cannot tell", "fail"], body)


def _percent(found: NDArray[np.bool_]) -> str:
    return f"{np.mean(found):.1%}"


def _within(share: float, samples: int) -> str:
    """Two standard errors of a share."""
    return f"±{2 * math.sqrt(share * (1 - share) / samples):.1%}"


TABLES: dict[str, tuple[Callable[[np.random.Generator], Table], str]] = {
    "null": (
        null,
        f"4,000 samples a line; a rate of 5 % is within {_within(0.05, 4_000)} with 95 % confidence.",
    ),
    "families": (
        families,
        f"4,000 families a line; a rate of 5 % is within {_within(0.05, 4_000)} with 95 % confidence.",
    ),
    "planted": (
        planted,
        f"4,000 samples a line; a rate of 80 % is within {_within(0.8, 4_000)} with 95 % confidence.",
    ),
    "coverage": (
        coverage,
        f"2,000 samples a line; a rate of 95 % is within {_within(0.95, 2_000)} with 95 % confidence.",
    ),
    "gates": (
        gates,
        f"2,000 candidates a line; a rate of 5 % is within {_within(0.05, 2_000)} with 95 % confidence.",
    ),
}


def fill(name: str) -> None:
    """Put a table into the page anew; it stands between two comments that name it."""
    make, closing = TABLES[name]
    print(f"{name}: {make.__doc__}", file=sys.stderr, flush=True)
    grid = make(np.random.default_rng([SEED, list(TABLES).index(name)]))
    text = f"\n{grid.markdown()}\n\n{closing}\n\n"
    marks = rf"(<!-- table: {name} -->\n)(?:.|\n)*?(<!-- end -->)"
    page, times = re.subn(marks, lambda found: found[1] + text + found[2], PAGE.read_text(encoding="utf-8"))
    if times != 1:
        raise SystemExit(f"{PAGE}: no place for the table {name}.")
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or TABLES:
        fill(name)
