"""Real tables of topic × system scores; skipped where they are not beside the repository."""

from pathlib import Path

import numpy as np
import pytest

from gainful.comparisons import Method, compare_scores, leaderboard, read_table
from gainful.comparisons.rank_board import split
from gainful.statistics.anova import components

SHARED = Path(__file__).parents[3] / "shared" / "data" / "eval" / "topic_by_system"


@pytest.fixture(scope="module")
def tables():
    if not SHARED.is_dir():
        pytest.skip(
            "the tables of topic × system scores are not beside the repository (../shared/data/eval/topic_by_system)"
        )
    return SHARED


@pytest.mark.parametrize(
    ("name", "systems", "topics"),
    [
        ("urbano_sigir2019/data/adhoc5_ap.csv", 61, 50),
        ("urbano_sigir2019/data/adhoc8_p10.csv", 129, 50),
        ("urbano_sigir2019/data/web2013_ndcg20.csv", 34, 50),
        ("rmit_bayesian_risk/rb04_data.csv", 45, 50),
        ("rmit_bayesian_shallow/round1_data.csv", 107, 30),
    ],
)
def test_tables_are_read_and_analysed(tables, name, systems, topics):
    table = read_table(str(tables / name))
    (measure,) = table.measures
    rows, ids = table.of(measure)
    assert (rows.shape, len(ids)) == ((systems, topics), topics)
    made = components(rows, measure=measure)
    assert 0.5 < made.e_rho2 < 1
    assert made.phi < made.e_rho2


@pytest.mark.parametrize("correction", ["tukey", "max-t"])
def test_129_systems_get_letters_and_rank_intervals(tables, correction):
    table = read_table(str(tables / "urbano_sigir2019/data/adhoc8_ap.csv"))
    made = compare_scores(table, Method(correction=correction, flips=1000, resamples=1000))
    assert len(made.pairs) == 129 * 128 / 2
    board = leaderboard(made)
    marks = {place.system: set(split(place.letters)) for place in board.places}
    for pair in made:
        assert bool(marks[pair.a] & marks[pair.b]) == (pair.p_adjusted > 0.05)
    assert all(place.ranks[0] <= place.rank <= place.ranks[1] for place in board.places)
    assert np.mean([place.ranks[1] - place.ranks[0] for place in board.places]) > 5
    assert [place.mean for place in board.places] == sorted(
        (place.mean for place in board.places), reverse=True
    )


def test_the_corrections_find_less_in_the_order_that_theory_says(tables):
    table = read_table(str(tables / "urbano_sigir2019/data/web2013_ndcg20.csv"))
    found = {
        correction: sum(
            pair.significant(0.05)
            for pair in compare_scores(
                table,
                Method(
                    correction=correction,
                    test="t" if correction not in ("max-t",) else "signflip",
                    flips=5000,
                ),
            )
        )
        for correction in ("none", "bh", "max-t", "holm", "bonferroni")
    }
    assert found["none"] > found["bh"] > found["holm"] >= found["bonferroni"]
    assert found["max-t"] >= found["bonferroni"]
