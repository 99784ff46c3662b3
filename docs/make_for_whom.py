"""Writes the tables of docs/for_whom.md anew by simulation (a minute or two).

    python docs/make_for_whom.py

Everything starts from SEED, so that the same version of Gainful and NumPy writes the same page.
"""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gainful.presentation.table import Table
from gainful.statistics.anova import interactions
from gainful.statistics.differences import effective, scaled
from gainful.statistics.flips import Flips, sign_flips
from gainful.statistics.intervals import weighted_t_interval
from gainful.statistics.paired_tests.t import weighted_t_test

PAGE = Path(__file__).with_name("for_whom.md")
SEED = 6
SAMPLES, DEALS = 2_000, 999
ALPHA = 0.05

Floats = NDArray[np.float64]


def sizes() -> Table:
    """How often groups with the same mean difference are found to differ."""
    chance = np.random.default_rng(SEED)
    rows = []
    for counts in ((25, 25), (10, 40), (8, 14, 28)):
        groups = np.repeat(np.arange(len(counts)), counts)
        small = groups == 0
        spreads = {
            "equal": np.ones(50),
            "first group three times as large": np.where(small, 3.0, 1.0),
            "other groups three times as large": np.where(small, 1.0, 3.0),
        }
        row = [" + ".join(map(str, counts))]
        for spread in spreads.values():
            d = 0.1 + chance.normal(0, 0.1, (SAMPLES, 50)) * spread
            row.append(share(interactions(d, groups.tolist(), deals=DEALS, seed=SEED) <= ALPHA))
        apart = chance.normal(0, 0.1, (SAMPLES, 50)) + np.where(small, 0.1, 0.0)
        row.append(share(interactions(apart, groups.tolist(), deals=DEALS, seed=SEED) <= ALPHA))
        rows.append(row)
    heads = [
        "topics",
        *(f"standard deviation: {name}" for name in spreads),
        "power for a difference of one standard deviation",
    ]
    return Table(heads, rows)


def weighted() -> Table:
    """False positives of weighted tests, and coverage of weighted intervals."""
    chance = np.random.default_rng(SEED)
    rows = []
    for topics in (25, 50, 100):
        for spread in (0.5, 1.0, 1.5):
            weights = chance.lognormal(0, spread, topics)
            d = chance.normal(0, 0.15, (SAMPLES, topics))
            low, high = weighted_t_interval(d, weights, 1 - ALPHA)
            table = np.vstack([np.zeros(topics), scaled(d, weights)])
            pairs = (np.zeros(SAMPLES, np.int64), np.arange(1, SAMPLES + 1))
            p = sign_flips(table, pairs, Flips(topics, DEALS, SEED)).p
            rows.append(
                [
                    str(topics),
                    f"{effective(weights):.1f}",
                    share(p <= ALPHA),
                    share(weighted_t_test(d, weights) <= ALPHA),
                    share((low <= 0) & (high >= 0)),
                ]
            )
    return Table(
        [
            "topics",
            "effective topics",
            "signflip false positives",
            "t false positives",
            "t interval coverage",
        ],
        rows,
        names=0,
    )


TABLES: dict[str, Callable[[], Table]] = {"sizes": sizes, "weighted": weighted}


def share(found: NDArray[np.bool_]) -> str:
    """As a percentage."""
    return f"{found.mean():.1%}"


def main() -> None:
    """Write every table between its marks."""
    text = PAGE.read_text(encoding="utf-8")
    for name, make in TABLES.items():
        marks = rf"(<!-- table: {name} -->\n\n).*?(\n\n<!-- end -->)"
        table = make().markdown()
        text, found = re.subn(marks, lambda at, table=table: at[1] + table + at[2], text, flags=re.DOTALL)
        assert found == 1, f"{PAGE.name} has no table {name}"
        print(table, "\n")
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
