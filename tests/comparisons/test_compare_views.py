"""What compare says: JSON and CSV to build on, sentences that name the better system, every view in every format."""

import json

import msgspec
import numpy as np
import pytest
import scipy.stats

from gainful.comparisons import Method, ScoreTable, compare_scores
from gainful.comparisons import comparison_tables as views
from gainful.comparisons.board_tables import of_boards
from gainful.presentation.table import FORMATS
from gainful.presentation.text_style import WIDE

from .scored import TABLE, A, B, many


def test_the_json_layout_is_the_one_to_build_on():
    made = json.loads(views.of_pairs(compare_scores(many(3), Method(flips=200)), "json"))
    assert {"gainful", "settings", "qrels", "systems", "comparisons"} <= set(made)
    assert [system["name"] for system in made["systems"]] == ["s0", "s1", "s2"]
    keys = [
        "measure",
        "a",
        "b",
        "mean_a",
        "mean_b",
        "difference",
        "interval",
        "p_value",
        "p_adjusted",
        "effect_size",
    ]
    keys += ["wins", "ties", "losses", "topics", "minimum_detectable"]
    for pair in made["comparisons"]:
        assert set(keys) <= set(pair)
        assert len(pair["interval"]) == 2
    assert made["statistics"]["seed"] == 0


def test_what_has_no_value_is_null_in_json_and_empty_in_csv():
    same = compare_scores(ScoreTable.of_matrix([A, A]))
    pair = json.loads(views.of_pairs(same, "json"))["comparisons"][0]
    assert pair["effect_size"] is None
    assert pair["topics_needed"] is None
    assert pair["p_value"] == 1
    row = views.of_pairs(same, "csv").splitlines()[1].split(",")
    assert row[views.of_pairs(same, "csv").splitlines()[0].split(",").index("effect_size")] == ""


def test_csv_has_all_digits():
    made = compare_scores(TABLE)
    head, row = views.of_pairs(made, "csv").splitlines()
    value = dict(zip(head.split(","), row.split(","), strict=True))
    assert float(value["difference"]) == made.pairs[0].difference
    assert (float(value["low"]), float(value["high"])) == made.pairs[0].interval


def test_sentences_say_what_was_found_and_what_was_not():
    better = ScoreTable.of_matrix([A, A + 0.1 + 0.01 * np.arange(8)], systems=["old", "new"], measure="AP")
    made = compare_scores(better)
    assert made.sentence(made.pairs[0]).startswith(
        "new is better than old by 0.1350 AP (95 % confidence interval 0."
    )
    turned = compare_scores(
        ScoreTable.of_matrix([A + 0.1 + 0.01 * np.arange(8), A], systems=["old", "new"], measure="AP")
    )
    assert turned.sentence(turned.pairs[0]).startswith(
        "old is better than new by 0.1350 AP (95 % confidence interval 0."
    )
    unsure = compare_scores(ScoreTable.of_matrix([A, B[::-1]], systems=["old", "new"], measure="AP"))
    words = unsure.sentence(unsure.pairs[0])
    assert words.startswith(
        "new and old do not differ significantly on AP: difference +0.1375 (95 % confidence interval −"
    )
    assert "with power 0.8, these topics detect a difference of" in words
    same = compare_scores(ScoreTable.of_matrix([A, A], systems=["old", "new"], measure="AP"))
    assert same.sentence(same.pairs[0]) == "old and new have the same AP on every one of 8 topics."


def test_no_interval_is_called_one_of_all():
    made = compare_scores(TABLE, Method(alpha=1e-5, flips=100))
    assert "(99.999 % confidence interval" in made.sentence(made.pairs[0])
    assert "99.999 % CI" in views.of_pairs(made, "table").split("\n\n")[1]
    assert "99.999 % interval" in views.of_pairs(made, "table", screen=WIDE).splitlines()[2]


@pytest.mark.parametrize("measure", ["AP", "Fallout@10"])
def test_a_test_that_speaks_against_the_means_names_no_better_system(measure):
    # 17 small wins outweigh 3 large losses by number and not by size; or the reverse, where less is better
    many_small = np.concatenate([np.full(17, 0.002), np.full(3, -0.4)])
    table = ScoreTable.of_matrix([np.full(20, 0.5), 0.5 + many_small], systems=["a", "b"], measure=measure)
    made = compare_scores(table, Method(test="sign"))
    words = made.sentence(made.pairs[0])
    assert made.pairs[0].p_adjusted < 0.05
    assert "is better than" not in words
    b, a = (17, 3) if measure == "AP" else (3, 17)
    assert f"the sign test goes against the means ({b} topics favour b, {a} a)" in words
    assert "difference of the means −0.0583" in words
    by_mean = compare_scores(table, Method(test="t", alpha=0.2))
    assert " is better than " in by_mean.sentence(by_mean.pairs[0])


def test_a_test_on_the_side_of_the_means_names_the_better_system():
    table = ScoreTable.of_matrix([A, A + 0.1 + 0.01 * np.arange(8)], systems=["old", "new"], measure="AP")
    for test in ("sign", "wilcoxon"):
        made = compare_scores(table, Method(test=test))
        assert made.sentence(made.pairs[0]).startswith("new is better than old by 0.1350 AP")


def test_the_side_of_wilcoxon_is_that_of_the_ranks():
    # ranks 2 to 20 are wins, rank 1 and the mean are not: the largest by far is a loss
    wins = np.concatenate([np.arange(1.0, 18), [-0.5], [-300.0]]) / 1000
    table = ScoreTable.of_matrix([np.full(19, 0.5), 0.5 + wins], systems=["a", "b"], measure="AP")
    made = compare_scores(table, Method(test="wilcoxon"))
    assert made.pairs[0].difference < 0
    assert made.pairs[0].p_value == scipy.stats.wilcoxon(wins).pvalue < 0.05
    assert "the Wilcoxon signed-rank test goes against the means" in made.sentence(made.pairs[0])


def test_less_is_better_where_the_measure_says_so():
    table = ScoreTable.of_matrix([A + 0.2, A], systems=["old", "new"], measure="Fallout@10")
    made = compare_scores(table)
    pair = made.pairs[0]
    assert (pair.wins, pair.losses, pair.favours_b) == (8, 0, 1)
    assert made.sentence(pair).startswith("new is better than old by 0.2000 Fallout@10")
    assert made.sentence(pair).endswith("less is better.")


@pytest.mark.parametrize("form", FORMATS)
def test_every_view_has_every_format(form):
    from gainful.comparisons import leaderboard
    from gainful.comparisons.comparison_tables import of_components
    from gainful.statistics.anova import components

    made = compare_scores(many(3), Method(flips=200, resamples=50))
    boards = [leaderboard(made, measure) for measure in made.table.measures]
    parts = [components(made.table.of(measure)[0], measure=str(measure)) for measure in made.table.measures]
    texts = [
        views.of_pairs(made, form),
        of_boards(made, boards, form),
        of_components(made.table, parts, form),
    ]
    for text in texts:
        assert "nDCG@10" in text
        assert text.endswith("\n")
        if form == "json":
            msgspec.json.decode(text)


def test_latex_has_raised_letters_and_no_bare_signs():
    from gainful.comparisons import leaderboard

    made = compare_scores(many(3), Method(flips=200, resamples=50))
    text = of_boards(made, [leaderboard(made)], "latex")
    assert "\\toprule" in text
    assert "\\textsuperscript{a}" in text
    pairs = views.of_pairs(made, "latex")
    assert "95 \\% interval" in pairs
    assert "−" not in pairs
    assert "Systems that share a letter" in text
