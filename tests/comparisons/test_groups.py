"""Groups of topics: the same comparison within each, and whether they answer differently."""

import itertools

import numpy as np
import pytest

from gainful.comparisons import Method, ScoreTable, compare, compare_scores
from gainful.comparisons import comparison_tables as views
from gainful.comparisons.board_tables import of_boards
from gainful.comparisons.groups import grouped, read_groups
from gainful.errors import DataError, NothingInCommon
from gainful.measures import AP, RR
from gainful.presentation.table import FORMATS
from gainful.statistics.anova import LEAST, interactions

GROUPS = np.repeat([0, 1, 2], [8, 14, 18])


def table(systems=3, topics=40, seed=0, lift=0.0):
    """The last system gains `lift` on the first twenty topics."""
    chance = np.random.default_rng(seed)
    rows = chance.random((systems, topics))
    rows[-1, :20] += lift
    return ScoreTable.of_matrix(rows, systems=[f"s{number}" for number in range(systems)], measure="AP")


HALVES = {str(number): "first" if number <= 20 else "second" for number in range(1, 41)}


def test_each_group_is_compared_as_if_alone():
    made = grouped(compare_scores(table()), HALVES)
    alone = compare_scores(table().only({topic for topic, group in HALVES.items() if group == "second"}))
    assert [pair.to_dict() for pair in made.groups.parts["second"]] == [pair.to_dict() for pair in alone]
    assert dict(made.groups.topics) == {"first": 20, "second": 20}


def test_an_interaction_is_found_and_one_that_is_not_there_is_not():
    found = grouped(compare_scores(table(lift=0.8)), HALVES).groups.interactions
    by_pair = {(one.a, one.b): one for one in found}
    assert by_pair["s0", "s2"].p_adjusted < 0.01
    assert by_pair["s0", "s1"].p_adjusted > 0.05
    assert "s2 − s0 on AP depends significantly on the group: first +0." in by_pair["s0", "s2"].sentence(0.05)
    one = by_pair["s0", "s2"]
    rows = table(lift=0.8).of("AP")[0]
    assert one.differences["first"] == pytest.approx((rows[2] - rows[0])[:20].mean())


def literal(d, labels):
    """Welch's statistic as the docstring writes it."""
    overall = d.var(ddof=1)
    parts = []
    for group in range(max(labels) + 1):
        mine = d[np.array(labels) == group]
        variance = overall if len(mine) < 2 else max(mine.var(ddof=1), LEAST * overall)
        parts.append((mine.mean(), variance / len(mine)))
    middle = sum(mean / error for mean, error in parts) / sum(1 / error for _, error in parts)
    return sum((mean - middle) ** 2 / error for mean, error in parts)


def test_the_p_value_is_the_share_of_deals_as_extreme():
    d = np.array([0.1, 0.4, 0.2, 0.9, 0.7, 0.6, 0.3])
    labels = [0, 0, 0, 1, 1, 1, 2]
    every = [literal(d, list(deal)) for deal in set(itertools.permutations(labels))]
    exact = np.mean(np.array(every) >= literal(d, labels) - 1e-12)
    assert interactions(d[None], labels, deals=20_000)[0] == pytest.approx(exact, abs=0.01)


@pytest.mark.parametrize(
    ("what", "spread", "weighted"),
    [
        ("alike", np.ones(40), False),
        ("small groups wide", np.where(GROUPS == 0, 3.0, 1.0), False),
        ("small groups narrow", np.where(GROUPS == 0, 1.0, 3.0), False),
        ("weighted", np.ones(40), True),
    ],
)
def test_equal_groups_are_found_different_in_one_of_twenty(what, spread, weighted):
    chance = np.random.default_rng(7)
    weights = chance.lognormal(0, 0.7, 40) if weighted else None
    d = 0.3 + chance.normal(0, 0.1, (400, 40)) * spread
    p = interactions(d, GROUPS.tolist(), weights=weights, deals=499, seed=3)
    assert 0.02 <= np.mean(p <= 0.05) <= 0.085, what


def test_differences_without_any_spread_have_no_interaction():
    for value in (0.0, 0.1, 1 / 3):
        assert interactions(np.full((1, 6), value), [0, 0, 0, 1, 1, 1], deals=99)[0] == 1


def test_interactions_are_corrected_as_the_pairs_are():
    for correction, used in (("bh", "bh"), ("none", "none"), ("tukey", "holm")):
        made = grouped(compare_scores(table(), Method(correction=correction, flips=200)), HALVES)
        assert made.groups.correction == used
        p = [one.p_value for one in made.groups.interactions]
        after = [one.p_adjusted for one in made.groups.interactions]
        assert after == p if used == "none" else all(b >= a for a, b in zip(p, after, strict=True))


def test_topics_without_a_group_and_groups_without_scores_are_noted():
    groups = {topic: group for topic, group in HALVES.items() if topic != "7"} | {"99": "first", "8": "alone"}
    made = grouped(compare_scores(table()), groups)
    notes = "\n".join(made.notes)
    assert "1 topic is in no group, counted in the whole only: 7" in notes
    assert "1 topic is in a group and without scores, ignored: 99" in notes
    assert "group alone has one topic (8); there is nothing to compare in it" in notes
    assert set(made.groups.parts) == {"first", "second"}
    with pytest.raises(NothingInCommon, match="no topic that is compared has a group"):
        grouped(compare_scores(table()), {"x": "y"})


def test_one_group_has_nothing_to_interact_with():
    assert grouped(compare_scores(table()), dict.fromkeys(HALVES, "only")).groups.interactions == ()


def test_weights_reach_into_groups():
    weighted = table().weighted({topic: float(topic) for topic in HALVES})
    made = grouped(compare_scores(weighted), HALVES)
    rows, topics = weighted.of("AP")
    weight = np.array([float(topic) for topic in topics])
    d = rows[1] - rows[0]
    expected = (d[:20] * weight[:20]).sum() / weight[:20].sum()
    assert made.groups.parts["first"].pairs[0].difference == pytest.approx(expected)
    assert made.groups.interactions[0].differences["first"] == pytest.approx(expected)


def test_groups_are_read_from_files_and_mappings(tmp_path):
    path = tmp_path / "groups"
    for text in ('topic,group\n1,"long tail"\n2,head\n', "1\tlong tail\n2\thead\n"):
        path.write_text(text)
        assert read_groups(path) == {"1": "long tail", "2": "head"}
    path.write_text("1,\n")
    with pytest.raises(DataError, match="group must have a name"):
        read_groups(path)


def test_compare_takes_groups():
    qrels = {f"q{number}": {"d": 1, "e": 0} for number in range(8)}
    good, bad = ({topic: {"d": d, "e": 1.0} for topic in qrels} for d in (2.0, 0.5))
    made = compare(qrels, {"bad": bad, "good": good}, "RR", groups={topic: topic[1] < "4" for topic in qrels})
    assert [part["group"] for part in made.to_dict()["groups"]["parts"]] == ["False", "True"]


@pytest.mark.parametrize("form", FORMATS)
def test_every_view_has_groups_in_every_format(form):
    from gainful.comparisons import leaderboard
    from gainful.comparisons.comparison_tables import of_components
    from gainful.statistics.anova import components

    made = grouped(compare_scores(table(), Method(flips=200, resamples=50)), HALVES)
    by_group = {group: [leaderboard(part)] for group, part in made.groups.parts.items()}
    whole = [components(made.table.of("AP")[0], measure="AP")]
    for text in (
        views.of_pairs(made, form),
        of_boards(made, [leaderboard(made)], form, by_group=by_group),
        of_components(made.table, whole, form, by_group={"first": whole, "second": whole}),
    ):
        assert "second" in text
        assert text.endswith("\n")


def test_a_group_in_which_a_measure_counts_too_few_topics_is_noted_and_left_out():
    qrels = {f"q{number}": {"d": 1} for number in range(8)} | {"n1": {"e": 0}, "n2": {"e": 0}}
    good, bad = ({topic: {"d": d, "x": 1.0} for topic in qrels} for d in (2.0, 0.5))
    kinds = {topic: "nothing" if topic[0] == "n" else "some" for topic in qrels}
    made = compare(qrels, {"a": good, "b": bad}, "RR", undefined="skip", groups=kinds)
    assert list(made.groups.parts) == ["some"]
    assert any(note.startswith("group nothing: RR: no topic is common") for note in made.notes)


def test_one_pair_on_several_measures_is_not_called_corrected():
    values = np.random.default_rng(2).random((2, 2, 40))
    one = table(systems=2)
    both = ScoreTable((AP, RR), one.systems, one.topics, values)
    assert not any("after" in line for line in views.of_interactions(grouped(compare_scores(both), HALVES)))
    every = grouped(compare_scores(both, Method(family="all")), HALVES)
    assert any("after Holm" in line for line in views.of_interactions(every))
