"""What is not known: shares judged, reversals, what to judge first, ties."""

from dataclasses import replace

import numpy as np
import pytest

import gainful
from gainful.comparisons import unknown
from gainful.comparisons.unjudged.evidence import gather
from gainful.comparisons.unjudged.unknown_results import of_unknown, sentences
from gainful.formats.judgments import read_qrels
from gainful.formats.runs import Run
from gainful.judging.settings import Settings


def made(topics=12, seed=0, judged=15):
    """Judgments of some of thirty documents, and two runs of ten each; b is the better one."""
    chance = np.random.default_rng(seed)
    ids = [f"d{number}" for number in range(30)]
    qrels, runs = {}, {"a": {}, "b": {}}
    for topic in map(str, range(topics)):
        grade = {document: int(chance.integers(0, 3)) for document in ids}
        qrels[topic] = {document: grade[document] for document in chance.choice(ids, judged, False)}
        for name, skill in (("a", 0.2), ("b", 0.9)):
            score = {document: skill * grade[document] + chance.normal() for document in ids}
            runs[name][topic] = {one: score[one] for one in sorted(ids, key=lambda one: -score[one])[:10]}
    return qrels, runs


def with_relevant(qrels, documents, grade=2):
    completed = {topic: dict(grades) for topic, grades in qrels.items()}
    for one in documents:
        completed[one.topic][one.document] = grade
    return completed


def difference(qrels, runs, measure):
    a, b = gainful.evaluate(qrels, runs, measure)
    return b.mean[measure] - a.mean[measure]


@pytest.mark.parametrize("measure", ["nDCG@10", "nDCG", "AP", "P@5", "RBP", "ERR@10", "RR", "R@10", "Rprec"])
def test_the_documents_named_do_turn_the_sign(measure):
    qrels, runs = made()
    (pair,) = unknown(qrels, runs, measure).pairs
    assert pair.between.value == pytest.approx(difference(qrels, runs, measure))
    if pair.reversal.needed is None:
        assert measure in ("RR", "ERR@10")
        return
    turned = with_relevant(qrels, pair.reversal.documents)
    assert len(pair.reversal.documents) == pair.reversal.needed
    assert difference(qrels, runs, measure) > 0 > difference(turned, runs, measure)
    before = with_relevant(qrels, pair.reversal.documents[:-1])
    assert difference(before, runs, measure) >= -1e-12
    low = pair.between.low
    assert low - 1e-9 <= difference(turned, runs, measure)


@pytest.mark.parametrize("measure", ["nDCG@10", "P@5", "AP", "RBP"])
def test_under_condensing_everything_is_of_condensed_lists(measure):
    qrels, runs = made()

    def condensed(judgments):
        a, b = gainful.evaluate(judgments, runs, measure, unjudged="condense")
        return b.mean[measure] - a.mean[measure]

    (pair,) = unknown(qrels, runs, measure, unjudged="condense").pairs
    assert pair.between.value == pytest.approx(condensed(qrels))
    turned = condensed(with_relevant(qrels, pair.reversal.documents))
    assert np.sign(turned) == -np.sign(condensed(qrels))
    for one in pair.reversal.first[:3]:
        assert one.effect == pytest.approx(condensed(with_relevant(qrels, [one])) - condensed(qrels))
    depth = 5 if measure == "P@5" else 10
    opened = {
        topic: {document for run in runs.values() for document in list(run[topic])[:depth]} for topic in qrels
    }
    for grade, expected in ((0, pair.between.if_none), (2, pair.between.if_all)):
        judged = {topic: dict.fromkeys(opened[topic], grade) | qrels[topic] for topic in qrels}
        assert condensed(judged) == pytest.approx(expected)
        assert pair.between.low - 1e-12 <= condensed(judged) <= pair.between.high + 1e-12


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "P@5", "RBP", "ERR@10", "R@10"])
def test_the_first_to_judge_move_the_difference_as_much_as_they_say(measure):
    qrels, runs = made()
    (pair,) = unknown(qrels, runs, measure, first=4).pairs
    effects = [one.effect for one in pair.reversal.first]
    assert effects == sorted(effects, key=lambda effect: -abs(effect))
    for one in pair.reversal.first:
        moved = difference(with_relevant(qrels, [one]), runs, measure) - difference(qrels, runs, measure)
        assert one.effect == pytest.approx(moved)
        ranked = [list(runs[name][one.topic]) for name in "ab"]
        places = [ids.index(one.document) + 1 if one.document in ids else None for ids in ranked]
        assert [one.rank_a, one.rank_b] == places


def test_the_fewest_documents_of_a_sum_are_found():
    # P@1: b is right everywhere, a is unjudged everywhere
    qrels = {str(topic): {"good": 1, "bad": 0} for topic in range(5)}
    b = {topic: {"good": 1.0} for topic in qrels}
    a = {topic: {"new": 1.0} for topic in qrels}
    (pair,) = unknown(qrels, {"a": a, "b": b}, "P@1").pairs
    assert (pair.between.low, pair.between.high) == (0, 1)
    assert pair.reversal.needed is None  # five of five relevant give a tie, not a reversal
    b["0"] = {"bad": 1.0}
    (pair,) = unknown(qrels, {"a": a, "b": b}, "P@1").pairs
    assert pair.between.value == 4 / 5
    assert pair.reversal.needed == 5  # 4 draw level, 5 turn it


def test_completing_with_none_or_all_is_what_evaluate_says():
    qrels, runs = made()
    found = unknown(qrels, runs, "AP, nDCG@5")
    for measure, depth in (("AP", 100), ("nDCG@5", 5)):
        completed = {}
        for grade in (0, 2):
            completed[grade] = {
                topic: {document: grade for name in runs for document in list(runs[name][topic])[:depth]}
                | qrels[topic]
                for topic in qrels
            }
        (pair,) = [one for one in found.pairs if str(one.measure) == measure]
        assert pair.between.if_none == pytest.approx(difference(completed[0], runs, measure))
        assert pair.between.if_all == pytest.approx(difference(completed[2], runs, measure))


def test_shares_are_counted_and_a_run_with_less_judged_is_named():
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "b": 1}}
    known = {topic: {"a": 2.0, "b": 1.0} for topic in qrels}
    new = {topic: {"a": 2.0, "x": 1.0, "y": 0.5} for topic in qrels}
    found = unknown(qrels, {"known": known, "new": new}, "P@2")
    assert [(one.run, one.depth, one.judged, one.documents) for one in found.shares] == [
        ("known", 2, 4, 4),
        ("known", 10, 4, 4),
        ("new", 2, 2, 4),
        ("new", 10, 2, 6),
    ]
    (pair,) = found.pairs
    assert (pair.judged_a, pair.judged_b, pair.biased_against) == (1, 1 / 2, "new")
    assert (
        "100 % of the top 2 of known is judged, 50 % of new's; the comparison is biased against new"
        in sentences(pair)[0]
    )


def test_judgments_that_leave_nothing_open_are_said_to_be_whole():
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}
    first, second = ({topic: {"a": a, "b": 1.0} for topic in qrels} for a in (2.0, 0.5))
    (pair,) = unknown(qrels, {"first": first, "second": second}, "nDCG@2").pairs
    assert pair.between.low == pair.between.high == pytest.approx(pair.between.value)
    assert sentences(pair) == ["nDCG@2, second − first: everything in the top 2 of both is judged."]


def test_ties_give_a_range_and_are_called_decisive():
    qrels = {str(topic): {"a": 1, "b": 0} for topic in range(4)}
    tied = {topic: {"a": 1.0, "b": 1.0} for topic in qrels}  # by document id b comes first: RR 1/2
    steady = {topic: {"a": 2.0, "b": 1.0} for topic in qrels}
    (pair,) = unknown(qrels, {"steady": steady, "tied": tied}, "RR").pairs
    assert pair.ties.range_a == (1, 1)
    assert pair.ties.range_b == (1 / 2, 1)
    assert pair.ties.range == (1 / 2 - 1, 1 - 1)
    assert pair.ties.decides
    assert "the order of tied scores decides who is ahead" in " ".join(sentences(pair))
    plain = gainful.compare(qrels, {"steady": steady, "tied": tied}, "RR")
    assert any("the order of tied scores decides the sign" in note for note in plain.notes)
    assert "The order of tied scores decides who is ahead" in plain.sentence(plain.pairs[0])


def test_ties_are_followed_through_depth_weights_and_condensing():
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}
    tied = {topic: {"a": 1.0, "b": 1.0} for topic in qrels}
    steady = {topic: {"a": 2.0, "b": 1.0} for topic in qrels}
    for options in ({"depth": 1}, {"unjudged": "condense"}, {"weights": {"1": 3, "2": 1}}):
        (pair,) = unknown(qrels, {"steady": steady, "tied": tied}, "P@1", **options).pairs
        assert pair.ties.range == (0 - 1, 1 - 1)


def test_the_order_of_ties_is_not_said_where_grades_do_not_tell_the_best_one():
    qrels = {str(topic): {"a": 1, "b": 0} for topic in range(4)}
    tied, steady = ({topic: {"a": a, "b": 1.0} for topic in qrels} for a in (1.0, 2.0))
    for name in ("Fallout@1", "nDCG(gain={0:2,1:1})@1"):
        (pair,) = unknown(qrels, {"steady": steady, "tied": tied}, name).pairs
        assert np.isnan(pair.ties.range).all()
        assert not pair.ties.decides


@pytest.mark.parametrize("measure", ["P@5", "RBP@5"])
def test_whatever_exact_bounds_allow_some_documents_do(measure):
    # sums such as 1/5 + 1/5 − 2/5 over several topics are zero but for rounding
    for seed in range(20):
        qrels, runs = made(topics=3 + seed % 9, seed=seed)
        (pair,) = unknown(qrels, runs, measure).pairs
        far = pair.between.low < -1e-9 if pair.between.value > 0 else pair.between.high > 1e-9
        assert (pair.reversal.needed is not None) == far


def test_equal_means_are_parted_in_either_direction():
    qrels = {topic: {"d": 1, "e": 0} for topic in "12"}
    first, second = ({topic: {one: 2.0, "d": 1.0} for topic in qrels} for one in "xe")
    for runs in ({"a": first, "b": second}, {"b": second, "a": first}):
        (pair,) = unknown(qrels, runs, "P@1").pairs
        assert (pair.between.value, pair.reversal.needed) == (0, 1)
        assert "1 of them, if relevant, would break the tie" in sentences(pair)[-1]
        rounded = replace(pair, between=replace(pair.between, value=1e-17))
        assert "1 of them, if relevant, would break the tie" in sentences(rounded)[-1]


def test_a_sign_that_is_certain_is_said_to_be():
    qrels = {str(topic): {"a": 1, "b": 0, "c": 0} for topic in range(4)}
    good, bad = (
        dict.fromkeys(qrels, ranked) for ranked in ({"a": 2.0, "x": 1.0}, {"b": 3.0, "c": 2.0, "y": 1.0})
    )
    (pair,) = unknown(qrels, {"bad": bad, "good": good}, "RR").pairs
    assert (pair.between.low, pair.between.high) == (1 - 1 / 3, 1)
    assert "its sign cannot change" in sentences(pair)[-1]


def test_of_many_runs_the_best_is_held_against_the_others():
    qrels, runs = made()
    runs["c"] = {topic: dict(list(documents.items())[:3]) for topic, documents in runs["a"].items()}
    found = unknown(qrels, runs, "nDCG@10")
    assert all("b" in (pair.a, pair.b) for pair in found.pairs)
    assert len(found.pairs) == 2
    found = unknown(qrels, runs, "nDCG@10", baseline="c")
    assert [pair.a for pair in found.pairs] == ["c", "c"]


@pytest.mark.parametrize("ties", ["docid", "input", "best", "worst"])
@pytest.mark.parametrize("depth", [1, 3, 5])
def test_documents_below_the_top_are_left_out_and_nothing_else_changes(ties, depth):
    chance = np.random.default_rng(depth)
    qrels = {str(topic): {f"d{n}": int(chance.integers(-1, 3)) for n in range(6)} for topic in range(6)}
    rows = [
        (topic, document, float(chance.integers(0, 4)))  # scores with many ties, topics scattered
        for document in chance.permutation([f"d{n}" for n in range(12)])
        for topic in chance.permutation([*qrels, "other"])
    ]
    judgments, run = read_qrels(qrels), Run(rows)
    whole = gather(judgments, [run], Settings(ties=ties))
    part = gather(judgments, [run], Settings(ties=ties), depth=depth)
    for topic in range(len(qrels)):
        every, some = (
            dict(zip(one.documents(topic), one.ranks[0, one.part(topic)].tolist(), strict=True))
            for one in (whole, part)
        )
        assert some == {document: every[document] for document in some}
        assert set(every) - set(some) <= {document for document, rank in every.items() if rank > depth}
        assert set(qrels[str(topic)]) <= set(some)
    assert part.retrieved.tolist() == whole.retrieved.tolist()
    assert len(part.grade) < len(whole.grade)


def test_measures_by_subtopic_are_not_followed():
    rows = [("1", "s1", "d1", 1), ("1", "s2", "d2", 1), ("2", "s1", "d1", 1), ("2", "s2", "d2", 0)]
    runs = {
        name: {"1": {"d1": a, "d2": 1.0}, "2": {"d1": a, "d2": 1.0}} for name, a in (("a", 2.0), ("b", 0.5))
    }
    found = unknown(rows, runs, "alpha_nDCG@2")
    assert found.pairs == ()
    assert (
        ": it needs more than grades, so the effect of unjudged documents cannot be computed"
        in found.notes[0]
    )


def test_evidence_keeps_the_rules_of_judging():
    qrels = {"1": {"a": 1, "b": -1}}
    run = Run({"1": {"a": 1.0, "b": 1.0, "x": 1.0, "1": 2.0}})
    plain = gather(read_qrels(qrels), [run], Settings())
    assert dict(zip(plain.documents(0), plain.ranks[0].tolist(), strict=True)) == {
        "1": 1,
        "x": 2,
        "b": 3,
        "a": 4,
    }
    dropped = gather(read_qrels(qrels), [run], Settings(drop_self=True))
    assert dict(zip(dropped.documents(0), dropped.ranks[0].tolist(), strict=True)) == {
        **{"1": np.inf, "x": 1, "b": 2, "a": 3}
    }
    best = gather(read_qrels(qrels), [run], Settings(ties="best"))
    assert dict(zip(best.documents(0), best.ranks[0].tolist(), strict=True)) == {
        "1": 1,
        "a": 2,
        "x": 3,
        "b": 4,
    }
    assert plain.open(0, [0], 2).tolist() == [name in ("1", "x") for name in plain.documents(0)]
    assert plain.open(0, [0], 3).tolist() == [
        name != "a" for name in plain.documents(0)
    ]  # below 0 is not judged


@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown", "latex"])
def test_every_format_has_what_is_not_known(form):
    qrels, runs = made()
    text = of_unknown(unknown(qrels, runs, "nDCG@10")).text(form)
    assert "nDCG@10" in text
    assert text.endswith("\n")
