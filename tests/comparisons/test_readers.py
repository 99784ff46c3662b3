"""Sweeps over readers: ranges, sentences, what goes in and what comes out; the bundled example with what was planted in it."""

import runpy
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful.comparisons import readers
from gainful.comparisons.readers import Sweep
from gainful.comparisons.readers import reader_sweeps as points
from gainful.errors import DataError, MeasureError, NothingInCommon, UsageError

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
DATA = EXAMPLES / "data"
RUNS = [DATA / f"{name}.run" for name in ("sprinter", "marathon", "plain")]
TWO = gainful.evaluate(DATA / "qrels.txt", RUNS[:2], "AP")
THREE = gainful.evaluate(DATA / "qrels.txt", RUNS, "AP")
FOUND = readers.sweep_scores(TWO)


def made(by, leads, *, at=None, topics=50, systems=("A", "B")):
    """A sweep with these leaders: + the first, − the second, 0 nobody."""
    low = np.array([{"+": -0.3, "-": 0.1, "0": -0.1}[sign] for sign in leads])
    places = np.arange(1.0, len(leads) + 1) if at is None else np.array(at)
    nothing = np.zeros(len(leads))
    return Sweep(
        by, "P", systems, places, np.zeros((2, len(leads))), nothing, low, low + 0.2, 0.95, 2.5, topics
    )


# ---- the bundled example ------------------------------------------------------------------------------------------


def test_the_bundled_example_says_for_whom_each_of_two_systems_is_better():
    assert FOUND.headlines == (
        "sprinter is better for readers who stop before rank 9. marathon is better for readers who need more than 42 % "
        "of the relevant documents. For others there is no significant difference for all readers at once with 50 topics.",
    )
    assert [(one.by, one.start, one.stop, one.leader) for one in FOUND.crossovers] == [
        ("rank", 1, 8, "sprinter"),
        ("rank", 9, 10, None),
        ("rank", 11, 80, "marathon"),
        ("recall", 0, 0.33, "sprinter"),
        ("recall", 0.34, 0.42, None),
        ("recall", 0.43, 1, "marathon"),
        ("patience", 0.5, 0.84, "sprinter"),
        ("patience", 0.85, 0.9, None),
        ("patience", 0.91, 0.99, "marathon"),
    ]


def test_what_the_example_says_is_what_was_planted_in_it():
    planted = _planted(topics=2000)
    crossings = {"rank": (9, 10), "recall": (0.4, 0.41), "patience": (0.88, 0.89)}
    for sweep in FOUND:
        truth = planted[sweep.by]
        turn = np.flatnonzero(np.diff(np.sign(truth)))
        assert len(turn) == 1
        assert (sweep.at[turn[0]], sweep.at[turn[0] + 1]) == crossings[sweep.by]
        assert not (
            sweep.leads * np.sign(truth) > 0
        ).any()  # the truth is A − B; nobody is said to lead who does not
        between = sweep.ranges[1]
        assert between.leader is None
        assert between.start <= sweep.at[turn[0]] < sweep.at[turn[0] + 1] <= between.stop


def _planted(topics):
    """The mean differences of many more topics made as the example's were; by sweep."""
    maker = runpy.run_path(str(EXAMPLES / "make_data.py"))
    random, qrels = Random(1), {}
    runs = {"sprinter": {}, "marathon": {}}
    for topic in map(str, range(topics)):
        others = [f"d{number}" for number in range(maker["EXIST"])]
        qrels[topic] = maker["relevant_documents"](random, others)
        ease = 0.85 + 0.3 * random.random()
        for system in maker["SYSTEMS"][:2]:
            ranked = maker["ranked_list"](random, system, qrels[topic], others, ease)
            runs[system.name][topic] = {document: -float(rank) for rank, document in enumerate(ranked)}
    scores = gainful.evaluate(qrels, runs, "NumRel")
    ways = {
        "rank": points.by_rank(scores, "P", None),
        "recall": points.by_recall(scores),
        "patience": points.by_patience(),
    }
    return {by: np.subtract(*(way.got(run)[0].mean(axis=1) for run in scores)) for by, way in ways.items()}


# ---- what readers get ---------------------------------------------------------------------------------------------


def test_curves_are_those_that_gainful_curve_gives():
    by_rank = gainful.curve(DATA / "qrels.txt", RUNS[:2], "P", to=80)
    by_recall = gainful.curve(DATA / "qrels.txt", RUNS[:2], kind="precision-recall", levels=101)
    for sweep, curves in ((FOUND["rank"], by_rank), (FOUND["recall"], by_recall)):
        for number, curve in enumerate(curves):
            assert sweep.at.tolist() == curve.points[:, 0].tolist()
            assert sweep.curves[number].tolist() == curve.values.tolist()


def test_a_point_of_patience_is_rbp():
    scores = gainful.evaluate(DATA / "qrels.txt", RUNS[:2], "RBP(p=0.8), RBP(p=0.5)")
    sweep = FOUND["patience"]
    for number, run in enumerate(scores):
        assert sweep.curves[number, 30] == run.mean["RBP(p=0.8)"]
        assert sweep.curves[number, 0] == run.mean["RBP(p=0.5)"]
    assert (sweep.at[30], sweep.at[-1]) == (0.8, 0.99)


def test_the_difference_is_the_first_less_the_second():
    for sweep in FOUND:
        assert sweep.difference.tolist() == (sweep.curves[1] - sweep.curves[0]).tolist()
        assert ((sweep.low < sweep.difference) & (sweep.difference < sweep.high)).all()


def test_another_measure_and_fewer_ranks_can_be_asked_for():
    sweep = readers.sweep_scores(TWO, "rank", measure="nDCG(gain=exp)", ranks=20)["rank"]
    assert (str(sweep.measure), sweep.at[-1]) == ("nDCG(gain=exp)", 20)


def test_the_lowest_relevant_grade_moves_all_that_count_relevant_documents():
    found = readers.sweep(DATA / "qrels.txt", RUNS[:2], "rank, recall", rel=2)
    assert [str(sweep.measure) for sweep in found] == ["P(rel=2)", "IPrec(rel=2)"]
    expected = gainful.evaluate(DATA / "qrels.txt", RUNS[0], "P(rel=2)@5, IPrec(rel=2)@0.5").mean
    assert found["rank"].curves[0, 4] == expected["P(rel=2)@5"]
    assert found["recall"].curves[0, 50] == expected["IPrec(rel=2)@0.5"]


def test_the_sweep_by_rank_ends_with_the_longest_list_or_at_rank_1000():
    qrels = {f"q{n}": {"d0": 1, "d2": 1} for n in range(12)}
    runs = {
        name: {topic: {f"d{n}": float(-n) for n in range(long)} for topic in qrels}
        for name, long in (("a", 3), ("b", 1500))
    }
    assert readers.sweep(qrels, runs, "rank")["rank"].at[-1] == 1000
    assert readers.sweep(qrels, {"a": runs["a"], "b": runs["a"]}, "rank")["rank"].at[-1] == 3


# ---- systems and topics -------------------------------------------------------------------------------------------


def test_three_systems_give_three_pairs_and_wider_bands():
    found = readers.sweep_scores(THREE)
    assert found.pairs == (("sprinter", "marathon"), ("sprinter", "plain"), ("marathon", "plain"))
    assert len(found) == 9
    for alone, among in zip(FOUND, found.of("sprinter", "marathon"), strict=True):
        assert among.critical > alone.critical
        assert (among.low <= alone.low).all()
    assert found.of("plain", "sprinter")[0].dominant == "sprinter"


def test_a_baseline_is_in_every_pair():
    assert readers.sweep_scores(THREE, "rank", baseline="plain").pairs == (
        ("plain", "sprinter"),
        ("plain", "marathon"),
    )
    with pytest.raises(UsageError, match="no system is called 'plan'; did you mean plain"):
        readers.sweep_scores(THREE, "rank", baseline="plan")


def test_the_same_run_twice_has_no_leader_anywhere():
    found = readers.sweep(DATA / "qrels.txt", {"one": str(RUNS[0]), "other": str(RUNS[0])})
    assert found.headlines == (
        "one and other do not differ significantly for all readers at once with 50 topics.",
    )
    assert {one.leader for one in found.crossovers} == {None}
    assert len(found.crossovers) == 3
    assert any("by rank, too few topics tell one from other for any band" in note for note in found.notes)


def test_few_topics_are_noted():
    found = readers.sweep(DATA / "qrels.txt", RUNS[:2], "rank", topics=[str(n) for n in range(1, 13)])
    assert any(note.startswith("12 topics are few for a simultaneous band") for note in found.notes)
    assert not any("are few" in note for note in FOUND.notes)


def test_one_topic_or_one_run_is_refused():
    with pytest.raises(NothingInCommon, match="one topic \\('7'\\) is not enough"):
        readers.sweep(DATA / "qrels.txt", RUNS[:2], topics=["7"])
    with pytest.raises(NothingInCommon, match="there is only one run \\('sprinter'\\)"):
        readers.sweep(DATA / "qrels.txt", RUNS[0])


def test_systems_judged_on_different_topics_are_refused():
    qrels = {f"q{n}": {"d": 1} for n in range(12)}
    whole = {topic: {"d": 1.0} for topic in qrels}
    part = {topic: {"d": 1.0} for topic in list(qrels)[:10]}
    with pytest.raises(DataError, match="part lacks 2: q10, q11"):
        readers.sweep(qrels, {"whole": whole, "part": part}, missing="skip")


def test_topics_with_nothing_relevant_are_left_out_where_that_is_asked_for():
    qrels = {f"q{n}": {"d": int(n > 3), "e": 0} for n in range(24)}
    runs = {name: {topic: {"d": d, "e": 1.0} for topic in qrels} for name, d in (("a", 2.0), ("b", 0.0))}
    assert {one.topics for one in readers.sweep(qrels, runs)} == {24}
    assert {one.topics for one in readers.sweep(qrels, runs, undefined="skip")} == {20}


@pytest.mark.parametrize(
    ("wrong", "fault", "said"),
    [
        ({"by": "depth"}, UsageError, "vary by rank, recall, patience; got 'depth'"),
        ({"by": ()}, UsageError, "no sweep is given; name some of"),
        ({"measure": "P@5", "ranks": 9}, MeasureError, "'P@5' and to end the curves at different ranks"),
        ({"measure": "P, R"}, UsageError, "a sweep is of one measure; got P, R"),
        ({"measure": "NumRel"}, MeasureError, "NumRel has no cutoff"),
        (
            {"measure": "STrecall"},
            UsageError,
            "cannot be used for readers; choose a measure that needs only grades, such as P.",
        ),
        ({"measure": "Fallout"}, UsageError, "less of Fallout is better"),
        ({"ranks": 0}, UsageError, "last rank of a curve, must be 1 or more"),
        ({"level": 0.0}, UsageError, "level must lie between"),
    ],
)
def test_what_cannot_be_swept_is_refused(wrong, fault, said):
    with pytest.raises(fault, match=said):
        readers.sweep_scores(TWO, **wrong)


def test_a_sweep_that_is_not_there_or_a_pair_that_was_not_compared_is_a_key_error():
    with pytest.raises(KeyError, match="no sweep by 'depth'; there are rank, recall, patience"):
        FOUND["depth"]
    with pytest.raises(KeyError, match="'sprinter' and 'plain' were not compared"):
        FOUND.of("sprinter", "plain")


# ---- ranges and sentences -----------------------------------------------------------------------------------------


@given(st.text("+-0", min_size=1, max_size=40))
def test_ranges_cover_the_sweep_once_and_neighbours_differ(leads):
    sweep = made("rank", leads)
    again = "".join(
        {"A": "+", "B": "-", None: "0"}[one.leader] * int(one.stop - one.start + 1) for one in sweep.ranges
    )
    assert again == leads
    assert all(one.leader != other.leader for one, other in zip(sweep.ranges, sweep.ranges[1:], strict=False))
    assert (sweep.dominant is not None) == (len(set(leads)) == 1 and leads[0] != "0")
    assert sweep.sentence.endswith(".")
    assert "50 topics" in sweep.sentence


@pytest.mark.parametrize(
    ("by", "leads", "said"),
    [
        (
            "rank",
            "++++",
            "A is better than B for all readers, wherever they stop from rank 1 to 4 (50 topics).",
        ),
        ("rank", "0000", "A and B do not differ significantly for all readers at once with 50 topics."),
        (
            "rank",
            "--0+",
            "B is better for readers who stop before rank 3; A for readers who stop at rank 4; "
            "between, no significant difference for all readers at once with 50 topics.",
        ),
        (
            "rank",
            "+--",
            "A is better for readers who stop at rank 1; "
            "B for readers who go on to rank 2 or deeper (50 topics).",
        ),
        (
            "rank",
            "0++0",
            "A is better than B for readers who stop at rank 2 to 3; "
            "elsewhere, no significant difference for all readers at once with 50 topics.",
        ),
        (
            "rank",
            "00++",
            "A is better than B for readers who go on to rank 3 or deeper; "
            "before, no significant difference for all readers at once with 50 topics.",
        ),
        (
            "rank",
            "--00",
            "B is better than A for readers who stop before rank 3; "
            "beyond, no significant difference for all readers at once with 50 topics.",
        ),
        (
            "rank",
            "++0++0--",
            "A is better for readers who stop before rank 3 or who stop at rank 4 to 5; "
            "B for readers who go on to rank 7 or deeper; "
            "between, no significant difference for all readers at once with 50 topics.",
        ),
        (
            "rank",
            "+0+0+0+0+0",
            "A is better than B for readers who stop in one of 5 stretches between rank 1 and 9; "
            "elsewhere, no significant difference for all readers at once with 50 topics.",
        ),
        (
            "recall",
            "-0000",
            "B is better than A for readers who need one relevant document; "
            "beyond, no significant difference for all readers at once with 50 topics.",
        ),
        (
            "recall",
            "++0--",
            "A is better for readers who need no more than 25 % of the relevant documents; "
            "B for readers who need more than 50 % of the relevant documents; "
            "between, no significant difference for all readers at once with 50 topics.",
        ),
        (
            "recall",
            "0+0-0",
            "A is better for readers who need 25 % of the relevant documents; "
            "B for readers who need 75 % of the relevant documents; "
            "elsewhere, no significant difference for all readers at once with 50 topics.",
        ),
        (
            "recall",
            "-----",
            "B is better than A for all readers, however many of the relevant documents they need (50 topics).",
        ),
        (
            "patience",
            "++0--",
            "A is better for readers whose persistence is 0.25 or less; "
            "B for readers whose persistence is more than 0.5; "
            "between, no significant difference for all readers at once with 50 topics.",
        ),
        ("patience", "00000", "A and B do not differ significantly for all readers at once with 50 topics."),
    ],
)
def test_a_sweep_is_said_in_one_sentence(by, leads, said):
    at = None if by == "rank" else [0, 0.25, 0.5, 0.75, 1]
    assert made(by, leads, at=at).sentence == said


def test_names_are_shown_as_text():
    assert made("rank", "++", systems=("a\tb", "c\udce9")).sentence.startswith(
        "a\\x09b is better than c\\xe9 for all"
    )


@pytest.mark.parametrize(
    ("rank", "recall", "said"),
    [
        ("+++", "+++++", "A is better than B for all readers of every sweep (50 topics)."),
        ("000", "00000", "A and B do not differ significantly for all readers at once with 50 topics."),
        (
            "+0-",
            "++0--",
            "A is better for readers who stop at rank 1. "
            "B is better for readers who need more than 50 % of the relevant documents. "
            "For others there is no significant difference for all readers at once with 50 topics.",
        ),
        (
            "+++",
            "++0--",
            "A is better for readers of every kind, wherever they stop from rank 1 to 3. "
            "B is better for readers who need more than 50 % of the relevant documents (50 topics).",
        ),
        (
            "000",
            "++000",
            "A is better than B for readers who need no more than 25 % of the relevant documents; "
            "beyond, no significant difference for all readers at once with 50 topics.",
        ),
        (
            "+00",
            "++000",
            "A is better than B for readers who stop at rank 1; "
            "beyond, no significant difference for all readers at once with 50 topics.",
        ),
        (  # no gap in one of the two: nothing lies between
            "++-",
            "++0--",
            "A is better for readers who stop before rank 3. "
            "B is better for readers who need more than 50 % of the relevant documents (50 topics).",
        ),
        (  # A leads again further down: "between, no significant difference" would be wrong
            "+0+0",
            "++0--",
            "A is better than B for readers who stop at rank 1 or who stop at rank 3; "
            "elsewhere, no significant difference for all readers at once with 50 topics. "
            "A is better for readers who need no more than 25 % of the relevant documents; "
            "B for readers who need more than 50 % of the relevant documents; "
            "between, no significant difference for all readers at once with 50 topics.",
        ),
        (  # what one sweep says of B is not lost because another speaks of A
            "+00",
            "00--0",
            "A is better than B for readers who stop at rank 1; "
            "beyond, no significant difference for all readers at once with 50 topics. "
            "B is better than A for readers who need 50 % to 75 % of the relevant documents; "
            "elsewhere, no significant difference for all readers at once with 50 topics.",
        ),
        (  # leaders that take turns twice
            "+-+",
            "-----",
            "A is better for readers who stop at rank 1 or who stop at rank 3; "
            "B for readers who stop at rank 2 (50 topics).",
        ),
    ],
)
def test_a_pair_has_one_headline(rank, recall, said):
    from gainful.comparisons.readers.reader_text import of_pair

    assert of_pair([made("rank", rank), made("recall", recall, at=[0, 0.25, 0.5, 0.75, 1])]) == said
