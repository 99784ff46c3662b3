"""Letters, ranks and their intervals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.comparisons import Method, ScoreTable, compare_scores, leaderboard
from gainful.comparisons.board_tables import of_boards
from gainful.comparisons.rank_board import groups, letters, rank_intervals, short, split
from gainful.errors import UsageError


@st.composite
def relations(draw):
    size = draw(st.integers(1, 9))
    different = np.zeros((size, size), bool)
    for one in range(size):
        for other in range(one):
            different[one, other] = different[other, one] = draw(st.booleans())
    return different


@given(relations())
@settings(max_examples=200, deadline=None)
def test_two_systems_share_a_letter_just_when_they_cannot_be_told_apart(different):
    marks = [set(split(mark)) for mark in letters(different)]
    assert all(marks)
    for one in range(len(different)):
        for other in range(one):
            assert bool(marks[one] & marks[other]) != different[one, other]


@given(relations())
@settings(max_examples=100, deadline=None)
def test_no_group_could_be_left_out(different):
    found = groups(different)
    for left_out in found:
        others = [set(group) for group in found if group != left_out]
        covered = all(any({a, b} <= group for group in others) for a in left_out for b in left_out)
        assert not covered


def test_groups_overlap_where_telling_apart_is_not_transitive():
    apart = (
        np.abs(np.subtract.outer(np.arange(6), np.arange(6))) > 2
    )  # each differs from those three places away
    assert letters(apart) == ["a", "ab", "abc", "bcd", "cd", "d"]


def test_all_the_same_is_one_letter_and_all_different_as_many_as_systems():
    assert letters(np.zeros((4, 4), bool)) == ["a"] * 4
    assert letters(~np.eye(4, dtype=bool)) == ["a", "b", "c", "d"]


def test_long_runs_of_letters_are_written_as_their_ends():
    many = letters(np.abs(np.subtract.outer(np.arange(60), np.arange(60))) > 8)
    assert many[30] == "wxyza1b1c1d1e1"
    assert [short(mark) for mark in (many[0], many[2], many[30], many[59])] == ["a", "abc", "w–e1", "z1"]


def boards(rows, **options):
    names = [f"s{number}" for number in range(len(rows))]
    table = ScoreTable.of_matrix(rows, systems=names, measure="AP")
    return leaderboard(compare_scores(table, Method(**options)))


def test_the_best_mean_comes_first_with_its_letters():
    random = np.random.default_rng(0)
    topics = random.random(40)
    rows = [topics + 0.5, topics + random.normal(0, 0.1, 40), topics + random.normal(0.01, 0.1, 40)]
    board = boards(rows, flips=2000)
    assert board.places[0].system == "s0"
    assert board.places[0].letters == "a"
    assert board.places[0].ranks == (1, 1)
    assert board.places[1].letters == board.places[2].letters == "b"
    assert board.places[1].ranks == board.places[2].ranks == (2, 3)
    assert (board.significant, board.unresolved) == (1, 0)
    assert board.sentence().startswith("AP: 1 of 2 neighbours on this board do not differ significantly;")


def test_the_lowest_comes_first_where_less_is_better():
    table = ScoreTable.of_matrix(
        [[0.5, 0.4, 0.6], [0.1, 0.2, 0.1]], systems=["high", "low"], measure="Fallout@10"
    )
    board = leaderboard(compare_scores(table))
    assert [place.system for place in board.places] == ["low", "high"]
    assert [place.rank for place in board.places] == [1, 2]
    assert [place.ranks for place in board.places] == [(1, 1), (2, 2)]


def test_systems_that_are_the_same_share_their_rank():
    row = np.random.default_rng(1).random(12)
    board = boards([row, row, row - 0.1], flips=5000)
    assert [place.rank for place in board.places] == [1, 1, 3]
    assert board.places[0].ranks == board.places[1].ranks == (1, 1)


def test_rank_intervals_are_quantiles_of_resampled_ranks():
    rows = np.random.default_rng(2).random((5, 9))
    low, high = rank_intervals(rows, resamples=400, seed=3, confidence=0.9)
    from gainful.statistics.resampling import counts

    ranks = []
    for drawn in counts(3, 9, 0, 400):
        means = rows @ drawn
        ranks.append([1 + int((means > mean + 1e-12).sum()) for mean in means])
    ordered = np.sort(ranks, axis=0)
    assert low.tolist() == ordered[int(np.ceil(0.05 * 400)) - 1].tolist()
    assert high.tolist() == ordered[int(np.ceil(0.95 * 400)) - 1].tolist()


def test_a_board_needs_all_pairs():
    table = ScoreTable.of_matrix([[0.1, 0.2, 0.3], [0.2, 0.1, 0.3], [0.5, 0.4, 0.6]], systems=["a", "b", "c"])
    with pytest.raises(UsageError, match="leave the baseline out"):
        leaderboard(compare_scores(table, Method(baseline="a")))
    with pytest.raises(UsageError, match="is not among the scores"):
        leaderboard(compare_scores(table), "AP")


def test_a_board_that_the_test_cannot_resolve_says_so_and_has_no_letters():
    rows = (
        np.random.default_rng(0).random((4, 5)) + np.arange(4)[:, None]
    )  # five topics: p is 2/2⁵ at the least
    board = boards(rows)
    assert (board.significant, board.unresolved) == (0, 3)
    assert {place.letters for place in board.places} == {""}
    assert board.sentence().startswith(
        "AP: the test cannot resolve 3 of 3 neighbours on this board: 5 topics give no p-value under 0.38 after Holm"
    )
    assert "significant" not in board.sentence()


@pytest.mark.parametrize(
    ("systems", "asked", "shown"), [(26, None, True), (27, None, False), (27, True, True)]
)
def test_letters_of_more_than_an_alphabet_of_systems_are_shown_on_request(systems, asked, shown):
    rows = np.random.default_rng(1).random((systems, 12))
    made = compare_scores(ScoreTable.of_matrix(rows, measure="AP"), Method(test="t"))
    board = leaderboard(made)
    for form in ("table", "markdown"):
        _, table, *_ = of_boards(made, [board], form, letters=asked).split("\n\n")
        head = table.splitlines()[0]
        assert ("letters" in head) == shown
        assert "rank, 95 %" in head
    assert ("share a letter" in of_boards(made, [board], "latex", letters=asked)) == shown
    assert "letters" in of_boards(made, [board], "csv").splitlines()[0]
