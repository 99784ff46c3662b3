"""The verdict: who wins, by how much and how surely; and that headline, table, strip and readers never contradict each other."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gainful
from gainful.comparisons import Method, ScoreTable, compare_scores
from gainful.comparisons.next_steps import next_steps
from gainful.comparisons.readers.reader_ranges import consistent_with
from gainful.comparisons.readers.reader_sweeps import sweep_scores, swept_by
from gainful.comparisons.verdict import verdict_of
from gainful.formats.texts import Texts
from gainful.measures import parse


def table(measures, systems):
    """Scores of systems by name, a row of topics for each measure."""
    values = np.array([[systems[name][number] for name in systems] for number in range(len(measures))], float)
    first = ScoreTable.of_matrix(values[0], systems=list(systems))
    return ScoreTable(tuple(map(parse, measures)), first.systems, first.topics, values)


TOPICS = np.linspace(0.2, 0.6, 20)
WOBBLE = 0.02 * np.array([1, -1] * 10)


def test_two_sentences_say_who_wins_where_and_who_wins_elsewhere():
    scores = {"bm25": [TOPICS, TOPICS], "dense": [TOPICS + 0.1 + WOBBLE, TOPICS - 0.05 + WOBBLE]}
    verdict = compare_scores(table(["nDCG@10", "R@100"], scores)).verdict
    half = 2.093024054408263 * np.std(WOBBLE, ddof=1) / np.sqrt(20)  # t for 19 degrees of freedom
    assert verdict.headline == (
        f"dense is better than bm25 on nDCG@10: +0.100 (95 % CI {0.1 - half:.3f} to {0.1 + half:.3f})."
    )
    assert verdict.second == "bm25 is better on R@100 (+0.050)."
    assert str(verdict) == f"{verdict.headline} {verdict.second}"


def test_what_is_smaller_than_matters_gets_no_second_sentence():
    scores = {"a": [TOPICS, TOPICS], "b": [TOPICS + 0.1 + WOBBLE, TOPICS - 0.05 + WOBBLE]}
    both = table(["nDCG@10", "R@100"], scores)
    assert compare_scores(both, Method(matters=0.05)).verdict.second
    assert compare_scores(both, Method(matters=0.06)).verdict.second == ""
    assert compare_scores(both, Method(matters=0.06)).to_dict()["verdict"]["matters"] == 0.06


def test_many_measures_on_which_another_wins_are_counted():
    names = ["nDCG@10", "R@100", "P@5", "AP", "RR"]
    losing = [TOPICS - size + WOBBLE for size in (0.05, 0.15, 0.06, 0.07)]
    verdict = compare_scores(table(names, {"a": [TOPICS] * 5, "b": [TOPICS + 0.1 + WOBBLE, *losing]})).verdict
    assert verdict.second == "a is better on P@5 (+0.150), RR (+0.070) and 2 more."


@pytest.mark.parametrize(
    ("scores", "method", "said"),
    [
        ({"a": TOPICS, "b": TOPICS}, {}, "a and b have the same AP on all 20 topics."),
        (
            {"a": TOPICS, "b": TOPICS + WOBBLE},
            {},
            "a and b are level on AP: both have a mean of 0.400.",
        ),
        (
            {"a": TOPICS, "b": TOPICS + WOBBLE + 0.001},
            {},
            "b and a do not differ significantly on AP: b +0.001 (95 % CI −0.009 to 0.011).",
        ),
        (
            {"a": TOPICS, "b": TOPICS + 0.2},
            {},
            "b is better than a on AP: +0.200 (the same on all 20 topics).",
        ),
        (
            {"a": TOPICS[:3], "b": TOPICS[:3] + np.array([0.1, 0.2, 0.3])},
            {},
            "b is ahead of a on AP (+0.200, 95 % CI −0.048 to 0.448), but the test cannot resolve it: "
            "3 topics give no p-value under 0.25, whatever the scores; 6 are needed.",
        ),
        (
            {"a": TOPICS, "b": TOPICS + np.array([-0.01] * 16 + [0.15] * 4)},
            {"test": "sign"},
            "b has the better mean AP (+0.022, 95 % CI −0.009 to 0.053), but the sign test favours a.",
        ),
        (
            {"a": TOPICS, "b": TOPICS + WOBBLE + 0.1, "c": TOPICS - WOBBLE + 0.3},
            {},
            "c is better than both other systems on AP: +0.200 over b (95 % CI 0.181 to 0.219).",
        ),
        (
            {"a": TOPICS, "b": TOPICS + WOBBLE + 0.3, "c": TOPICS - WOBBLE + 0.299},
            {},
            "b is first on AP, but 1 of 2 others does not differ significantly from it; the next is c: ",
        ),
        (
            {"a": TOPICS, "b": TOPICS + WOBBLE + 0.1, "c": TOPICS - WOBBLE + 0.3},
            {"baseline": "a"},
            "c, the best of 2, is better than the baseline a on AP: +0.300 (95 % CI 0.290 to 0.310).",
        ),
        (
            {"a": TOPICS, "b": TOPICS + WOBBLE + 0.1, "c": TOPICS - WOBBLE + 0.3},
            {"baseline": "c"},
            "the baseline c is better than b, the best of 2, on AP: +0.200 (95 % CI 0.181 to 0.219).",
        ),
    ],
)
def test_every_outcome_is_a_plain_sentence_with_sizes(scores, method, said):
    of_measure = table(["AP"], {name: [row] for name, row in scores.items()})
    assert compare_scores(of_measure, Method(**method)).verdict.headline.startswith(said)


def test_less_is_better_is_said_and_the_least_wins():
    verdict = compare_scores(table(["Fallout@10"], {"a": [TOPICS], "b": [TOPICS - 0.1 + WOBBLE]})).verdict
    assert verdict.headline.startswith("b is better than a on Fallout@10: +0.100 (95 % CI 0.09")
    assert verdict.headline.endswith("; less is better).")


def test_a_measure_that_counts_has_no_headline():
    scores = {"a": [TOPICS * 100, TOPICS], "b": [TOPICS * 50, TOPICS + 0.1 + WOBBLE]}
    assert " on AP: " in compare_scores(table(["NumRet", "AP"], scores)).verdict.headline


def test_the_gate_opens_with_the_verdict_of_compare():
    qrels = {f"q{n}": {"d": 1} for n in range(8)}
    good, bad = ({topic: {"d": d, "x": 1.0} for topic in qrels} for d in (2.0, 0.5))
    made = gainful.gate(qrels, bad, good, "RR", margin=0.01)
    found = gainful.compare(qrels, {made.baseline: bad, made.candidate: good}, "RR").verdict
    assert made.found.headline == found.headline
    assert str(made).startswith(f"{found.headline}\n")
    assert made.to_dict()["found"]["headline"] == found.headline


def test_what_to_look_at_next_are_the_topics_lost_and_how_many_would_do():
    ahead = np.array([0.3, -0.1, 0.2, -0.3, 0.1, -0.05])
    of_measure = table(["AP"], {"a": [TOPICS[:6]], "b": [TOPICS[:6] + ahead]})
    comparison = compare_scores(replace(of_measure, texts=Texts(queries={"4": "red shoes"})))
    steps = next_steps(comparison)
    assert steps.title == "What to look at next: b loses most against a on"
    assert steps.table().rows == [["4 red shoes", "−0.300"], ["2", "−0.100"], ["6", "−0.050"]]
    needed = comparison.pairs[0].topics_needed
    assert steps.sentences() == [
        f"To find a difference of 0.025 AP with power 0.8 takes {needed:,.0f} topics; there are 6."
    ]
    won = next_steps(compare_scores(table(["AP"], {"a": [TOPICS], "b": [TOPICS + 0.1 + WOBBLE]})))
    assert (won.tables(), won.sentences()) == ([], [])  # nothing is lost, and nothing is unsure


@st.composite
def collections(draw):
    """Judgments, two or three runs, measures and a paired test, all small and by chance."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    topics, documents = draw(st.integers(2, 14)), [f"d{number}" for number in range(12)]
    qrels = {
        f"q{topic}": {document: int(random.integers(0, 3)) for document in documents[:8]}
        for topic in range(topics)
    }
    skill = draw(st.lists(st.floats(-1.0, 3.0), min_size=2, max_size=3))
    runs = {
        f"s{number}": {
            topic: {
                document: float(worth * grades.get(document, 0) + random.normal())
                for document in random.permutation(documents)[: random.integers(3, 12)]
            }
            for topic, grades in qrels.items()
        }
        for number, worth in enumerate(skill)
    }
    lead = draw(st.sampled_from(["nDCG@5", "P@3", "AP", "RR@4", "Bpref"]))
    others = draw(
        st.lists(st.sampled_from(["P@10", "R@5", "IPrec@0.1", "RBP(p=0.8)", "nDCG@2"]), unique=True)
    )
    method = Method(
        test=draw(st.sampled_from(["signflip", "t", "sign", "wilcoxon"])),
        baseline=draw(st.sampled_from([None, "s0"])),
        alpha=draw(st.sampled_from([0.05, 0.3])),
        flips=999,
    )
    return qrels, runs, [lead, *others], method


def claims(comparison):
    """By measure and pair, the system that the table calls significantly better; None where it calls none so."""
    better = {}
    for pair in comparison:
        won = pair.significant(comparison.method.alpha) and not comparison.against_the_mean(pair)
        higher = pair.b if (pair.difference > 0) != pair.less_is_better else pair.a
        better[str(pair.measure), frozenset((pair.a, pair.b))] = higher if won and not pair.same else None
    return better


@settings(max_examples=60, deadline=None)
@given(collections())
def test_headline_table_strip_and_readers_never_contradict_each_other(collection):
    qrels, runs, measures, method = collection
    scores = gainful.evaluate(qrels, runs, measures)
    comparison = compare_scores(scores, method)
    swept = sweep_scores(
        scores,
        measure=swept_by(scores.measures),
        baseline=method.baseline,
        level=method.confidence,
        resamples=99,
    )
    readers = consistent_with(swept, comparison)
    verdict, better = verdict_of(comparison, readers=readers), claims(comparison)

    lead = verdict.leads[0]
    winner = better[str(lead.measure), frozenset((lead.leader, lead.behind))]
    claimed = re.match(r"(?:the baseline )?(s\d)(?:, the best of \d,)? is better than", verdict.headline)
    if claimed:
        assert claimed[1] == lead.leader == winner
    if winner is None:
        assert claimed is None
    elif len(runs) == 2 or method.baseline:
        assert claimed is not None

    for one in verdict.leads[1:]:  # the second sentence names no measure that the table does not
        if f"{one.leader} is better on {one.measure} " in verdict.second:
            assert better[str(one.measure), frozenset((one.leader, one.behind))] == one.leader

    for sweep in readers:
        pair = frozenset(sweep.systems)
        for stretch in sweep.ranges:
            for at in sweep.at[(sweep.at >= stretch.start) & (sweep.at <= stretch.stop)]:
                for measure in measures_at(sweep, at, comparison):
                    assert stretch.leader in (None, better[measure, pair])
        named = {
            system
            for system in pair
            if re.search(rf"(^{system} is better|; {system} for readers)", sweep.sentence)
        }
        assert named == {stretch.leader for stretch in sweep.ranges if stretch.leader}
        assert "not differ significantly" not in sweep.sentence or "at once" in sweep.sentence

    ahead = re.match(r"(s\d) is ahead (at|up to|from) rank (\d+)", verdict.second)
    if ahead:
        (by_rank,) = [sweep for sweep in readers.of(lead.leader, lead.behind) if sweep.by == "rank"]
        assert ahead[1] in {stretch.leader for stretch in by_rank.ranges}
        assert ahead[1] != winner


def measures_at(sweep, at, comparison):
    """The measures of the table that stand at this point of the sweep."""
    names = {
        "rank": f"{sweep.measure}@{at:g}",
        "recall": f"IPrec@{at:g}",
        "patience": f"RBP(p={at:g})",
    }
    there = set(map(str, comparison.table.measures))
    whole = {str(sweep.measure)} if sweep.by == "rank" and at == sweep.at[-1] else set()
    return ({names[sweep.by]} | whole) & there
