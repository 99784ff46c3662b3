"""Measures of the user's own: what they say of themselves counts wherever systems are compared."""

from __future__ import annotations

from typing import Any

import pytest

from gainful import compare, evaluate, gate
from gainful.comparisons import (
    ScoreTable,
    compare_scores,
    difficulty,
    leaderboard,
    moved,
    read_table,
    unknown,
)
from gainful.comparisons.gate_decision import gate_scores
from gainful.comparisons.readers import sweep
from gainful.errors import UsageError
from gainful.measures import measure, parse

TOPICS = [f"q{number}" for number in range(12)]
QRELS = {topic: {"d": 1} for topic in TOPICS}
GOOD: dict[str, dict[str, float]] = {topic: {"d": 2.0, "x": 1.0} for topic in TOPICS}
BAD: dict[str, dict[str, float]] = {topic: {"d": 1.0, "x": 2.0} for topic in TOPICS}
RUNS = {"bad": BAD, "good": GOOD}


@measure(bounds=(0, 1), less_is_better=True, may_fall=True)
def Waste(judged: Any, *, cutoff: int | None = None) -> Any:
    """The share of the first rank that is wasted."""
    top = judged.cut(1)
    return 1.0 - top.total(where=top.grade >= 1)


@measure(bounds=(0, 1), summary="median")
def Middle(judged: Any) -> Any:
    """One, halfway."""
    top = judged.cut(1)
    return top.total(where=top.grade >= 1)


def test_less_of_ones_own_measure_is_better_in_the_sentence_and_in_the_counts() -> None:
    (pair,) = compare(QRELS, RUNS, [Waste])
    assert pair.measure is Waste
    assert pair.difference == -1.0
    assert (pair.wins, pair.losses) == (12, 0)
    assert pair.sentence(alpha=0.05, power=0.8).startswith("good is better than bad by 1.0000 Waste")
    assert pair.to_dict()["less_is_better"] is True
    assert pair.to_dict()["measure"] == "Waste"


def test_the_best_of_a_leaderboard_has_the_least_of_it() -> None:
    board = leaderboard(compare(QRELS, RUNS, [Waste]))
    assert [place.system for place in board.places] == ["good", "bad"]


def test_a_topic_that_has_less_of_it_has_gained() -> None:
    (changed,) = moved(compare(QRELS, RUNS, [Waste]))
    assert len(changed.gained) == 5
    assert not changed.lost


def test_the_best_system_of_a_topic_has_the_least_of_it() -> None:
    table = ScoreTable.of_scores(evaluate(QRELS, RUNS, [Waste]))
    assert {topic.best for topic in difficulty(table)} == {"good"}


def test_the_gate_stops_what_has_more_of_it_and_passes_what_has_less() -> None:
    stopped, passed = (
        gate(QRELS, *runs, [Waste], margin=0.1, flips=5000) for runs in ((GOOD, BAD), (BAD, GOOD))
    )
    assert (stopped.verdict, passed.verdict) == ("fail", "pass")
    (check,) = stopped.checks
    assert check.difference == 1.0
    assert (check.wins, check.losses) == (0, 12)
    assert {one.topic for one in check.regressed} < set(TOPICS)
    assert "more than 0.1 above" in stopped.sentence(check)


def test_bounds_of_the_gate_are_of_the_difference_itself_and_mirror_those_of_the_opposite_measure() -> None:
    rows = [[0.1 * (number % 4) for number in range(20)], [0.1 * (number % 3) + 0.02 for number in range(20)]]
    up, down = (
        gate_scores(
            ScoreTable.of_matrix([[sign * value for value in row] for row in rows], measure=one), margin=0.1
        )
        for sign, one in ((1, "score"), (-1, Waste))
    )
    assert up.verdict == down.verdict
    assert up.checks[0].lower == -down.checks[0].upper
    assert up.checks[0].upper == -down.checks[0].lower
    assert up.checks[0].p_value == down.checks[0].p_value


def test_readers_are_not_swept_with_what_they_want_less_of() -> None:
    with pytest.raises(UsageError, match="less of Waste is better"):
        sweep(QRELS, RUNS, by="rank", measure=Waste)


def test_the_pairs_whose_unjudged_documents_are_followed_are_those_of_the_best() -> None:
    runs = RUNS | {"worst": {topic: {"x": 1.0} for topic in TOPICS}}
    followed = unknown(QRELS, runs, [Waste]).pairs
    assert {frozenset((one.a, one.b)) for one in followed} == {
        frozenset(("good", "bad")),
        frozenset(("good", "worst")),
    }


def test_a_median_is_refused_where_means_are_compared_and_the_advice_is_not_what_was_asked() -> None:
    with pytest.raises(UsageError, match=r"Middle is a median over topics.*Middle\(summary=mean\)"):
        compare(QRELS, RUNS, [Middle])
    with pytest.raises(UsageError, match="Middle is a median"):
        gate(QRELS, GOOD, BAD, [Middle], margin=0.1)
    (pair,) = compare(QRELS, RUNS, [Middle(summary="mean")])
    assert pair.difference == 1.0


def test_the_advice_for_a_measure_of_ours_is_its_mean() -> None:
    with pytest.raises(UsageError, match=r"AP\(summary=geometric\) is a geometric mean.*compare by AP\."):
        compare(QRELS, RUNS, "AP(summary=geometric)")


def test_columns_of_a_table_become_measures_once_those_of_ours_and_those_that_are_only_a_name(
    tmp_path: Any,
) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("system,topic,measure,score\n" + "".join(
        f"{system},{topic},{name},{value}\n"
        for name in ("Fallout@10", "taste")
        for system, value in (("a", 0.1), ("b", 0.4))
        for topic in range(8)
    ))  # fmt: skip
    table = read_table(str(path))
    assert [str(one) for one in table.measures] == ["Fallout@10", "taste"]
    assert table.measures[0] == parse("Fallout@10")
    falling, rising = compare_scores(table).pairs
    assert (falling.wins, falling.losses) == (0, 8)
    assert (rising.wins, rising.losses) == (8, 0)


def test_two_names_of_one_measure_are_not_two_measures(tmp_path: Any) -> None:
    path = tmp_path / "scores.csv"
    rows = [f"s,q{topic},{name},0.5" for name in ("map", "AP") for topic in range(3)]
    path.write_text("\n".join(["system,topic,measure,score", *rows]) + "\n")
    with pytest.raises(Exception, match="'map' and 'AP' are the same measure"):
        read_table(str(path))
