"""The shim says what pytrec_eval says: the same dicts, the same numbers, the same refusals."""

import math
from random import Random

import numpy as np
import pytest
import pytrec_eval as theirs

from gainful.compat import pytrec_eval as ours
from gainful.errors import DataError, MeasureError

JUDGED = {"q1": {"d1": 0, "d2": 1, "d3": 0}, "q2": {"d2": 1, "d3": 1}}
CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


def of_cutoffs(*roots: str) -> set[str]:
    return {f"{root}_{cutoff}" for root in roots for cutoff in CUTOFFS}


OFFICIAL = {
    "runid",
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
}
OFFICIAL |= {f"iprec_at_recall_{tenth / 10:.2f}" for tenth in range(11)} | of_cutoffs("P")
SET = {"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility"}
SET |= {"set_P", "set_recall", "set_relative_P", "set_map", "set_F"}
ALL = OFFICIAL | SET | of_cutoffs("recall", "ndcg_cut", "map_cut", "relative_P")
ALL |= {f"Rprec_mult_{fifth / 5:.2f}" for fifth in range(1, 11)} | {"success_1", "success_5", "success_10"}
ALL |= {
    "relstring",
    "infAP",
    "gm_bpref",
    "11pt_avg",
    "binG",
    "G",
    "ndcg",
    "ndcg_rel",
    "Rndcg",
    "num_nonrel_judged_ret",
}


# ---- what its published tests ask --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({"d1": 1.0, "d2": 0.0, "d3": 1.5}, 1 / math.log2(1 + 3)),
        ({"d1": 4.0, "d2": 2.0, "d3": 1.5}, 1 / math.log2(1 + 2)),
        ({"d1": 1.0, "d2": 2.0, "d3": 1.5}, 1.0),
    ],
)
@pytest.mark.parametrize("others", [{}, {"q2": {}}])
def test_ndcg_falls_with_the_rank_of_the_only_relevant_document(
    scores: dict[str, float], expected: float, others: dict[str, dict[str, float]]
) -> None:
    evaluator = ours.RelevanceEvaluator(JUDGED | {"q10": {}}, {"map", "ndcg"})
    for _ in range(2):
        assert evaluator.evaluate({"q1": scores, **others})["q1"]["ndcg"] == pytest.approx(
            expected, abs=1e-12
        )


def test_unjudged_documents_stand_in_the_way_unless_they_are_removed() -> None:
    run = {"q1": {}, "q2": {"d1": 1.0, "d2": 0.0, "d3": 1.5}, "q10": {"d1": 1.0}}
    judged = JUDGED | {"q10": {}}
    best = 1 + 1 / math.log2(3)
    whole = ours.RelevanceEvaluator(judged, {"map", "ndcg"}).evaluate(run)
    removed = ours.RelevanceEvaluator(judged, {"map", "ndcg"}, judged_docs_only_flag=True).evaluate(run)
    assert whole["q2"]["ndcg"] == pytest.approx((1 + 1 / math.log2(4)) / best, abs=1e-12)
    assert removed["q2"]["ndcg"] == 1.0
    assert list(whole) == list(removed) == ["q1", "q2"]  # nothing is judged for q10


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({"all_trec"}, ALL),
        ({"set"}, SET),
        ({"official"}, OFFICIAL),
        ({"official", "set", "ndcg"}, OFFICIAL | SET | {"ndcg"}),
    ],
)
def test_sets_of_measures_have_the_same_names(asked: set[str], names: set[str]) -> None:
    found = ours.RelevanceEvaluator(JUDGED, asked).evaluate({"q1": {}, "q2": {}})
    assert found["q1"].keys() == found["q2"].keys() == names


def test_cutoffs_are_asked_for_after_a_dot() -> None:
    run = {"q1": {"d1": 1.0, "d2": 0.0, "d3": 1.5}, "q2": {}}
    evaluator = ours.RelevanceEvaluator(JUDGED, {"ndcg_cut.1,2,3,1000"})
    for _ in range(2):
        assert evaluator.evaluate(run)["q1"] == {
            "ndcg_cut_1": 0.0,
            "ndcg_cut_2": 0.0,
            "ndcg_cut_3": 1 / math.log2(4),
            "ndcg_cut_1000": 1 / math.log2(4),
        }


def test_parameters_of_one_name_are_put_together() -> None:
    asked = ["ndcg_cut", "ndcg_cut.1,4", "ndcg_cut_20,4", "ndcg_cut_15", "recall.1000", "P"]
    names = {"ndcg_cut_1", "ndcg_cut_4", "ndcg_cut_15", "ndcg_cut_20", "recall_1000"} | of_cutoffs("P")
    assert ours.RelevanceEvaluator(JUDGED, asked).evaluate({"q1": {"d2": 1.0}})["q1"].keys() == names


def test_nothing_in_gives_nothing_out() -> None:
    run = {"q1": {"d2": 1.0}, "q2": {}}
    assert ours.RelevanceEvaluator(JUDGED, {"map"}).evaluate({}) == {}
    assert ours.RelevanceEvaluator(JUDGED, set()).evaluate(run) == {"q1": {}, "q2": {}}
    assert ours.RelevanceEvaluator(JUDGED, set()).evaluate({}) == {}
    assert ours.RelevanceEvaluator({}, {"map"}).evaluate(run) == {}
    assert ours.RelevanceEvaluator({}, {}).evaluate({}) == {}


# ---- the same as the peer ----------------------------------------------------------------------------------


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("names", [{"map"}, {"map", "gm_map"}], ids=len)
def test_a_run_of_topics_that_nobody_judged_gives_nothing_out(names: set[str], judged_only: bool) -> None:
    evaluator = ours.RelevanceEvaluator({"q1": {"d1": 1}}, names, judged_docs_only_flag=judged_only)
    assert [evaluator.evaluate({"other": {"d1": 1.0}}) for _ in range(2)] == [{}, {}]


def test_a_run_deeper_than_tables_is_scored_in_the_core_the_next_time() -> None:
    qrels = {"q": {f"d{place}": place % 3 for place in range(0, 3000, 40)}}
    run = {"q": {f"d{place}": float(-place) for place in range(3000)}}
    evaluator = ours.RelevanceEvaluator(qrels, {"ndcg", "map"})
    wanted = theirs.RelevanceEvaluator(qrels, {"ndcg", "map"}).evaluate(run)["q"]
    for _ in range(2):
        assert evaluator.evaluate(run)["q"] == pytest.approx(wanted, abs=1e-12)
    assert evaluator._scorer is not None
    assert evaluator._scorer.by_topic(run, evaluator._names) is not None


def test_its_lists_of_names_are_the_same() -> None:
    assert ours.supported_measures == theirs.supported_measures
    assert ours.supported_nicknames == theirs.supported_nicknames


Case = tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]


def make(seed: int, *, close: bool) -> Case:
    """Judgments and a run with ties; with `close`, scores that only 64 bits tell apart."""
    random = Random(seed)
    judged: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number in range(25):
        ids = [f"{random.choice('dDé')}{document}" for document in random.sample(range(500), 120)]
        judged[f"q{number}"] = {d: random.choice([-1, 0, 0, 1, 1, 2, 3]) for d in ids[:50]} | {"zero": 0}
        retrieved = random.sample(ids, random.randrange(1, 100))
        run[f"q{random.randrange(30) if number % 5 == 0 else number}"] = {
            d: random.randrange(30) / 4 + (random.choice([0.0, 1e-9, -1e-9]) if close else 0.0)
            for d in retrieved
        }
    return judged, run


PARAMETERS = {"P.3,7", "iprec_at_recall.0.25,0.7", "Rprec_mult.0.35,3", "set_F.0.5", "11pt_avg.0.2,0.5,0.8"}


@pytest.mark.parametrize("close", [False, True])
@pytest.mark.parametrize(("level", "flag"), [(1, False), (2, False), (1, True)])
@pytest.mark.parametrize("asked", [{"all_trec"}, {"all_trec"} | PARAMETERS, PARAMETERS])
def test_every_number_is_the_same_in_the_same_order(
    asked: set[str], level: int, flag: bool, close: bool
) -> None:
    compared = 0
    for seed in range(3):
        judged, run = make(seed, close=close)
        if flag:  # without a judged document the peer divides 0 by 0
            run = {q: d for q, d in run.items() if any(judged.get(q, {}).get(one, -1) >= 0 for one in d)}
        expected = theirs.RelevanceEvaluator(judged, asked, level, flag).evaluate(run)
        found = ours.RelevanceEvaluator(judged, asked, level, flag).evaluate(run)
        assert list(found) == list(expected)
        for topic, values in expected.items():
            assert list(found[topic]) == list(values)
            for name, value in values.items():
                assert found[topic][name] == pytest.approx(value, abs=1e-9), (topic, name)
                compared += 1
    assert compared > 3 * 18 * (8 if asked is PARAMETERS else 70)


def test_scores_are_compared_as_32_bit_floats() -> None:
    judged = {"q": {"a": 1, "z": 0}}
    near = {"q": {"a": 0.900000001, "z": 0.9}}  # one score in 32 bits: then the higher id stands first
    for module in (ours, theirs):
        assert module.RelevanceEvaluator(judged, {"recip_rank"}).evaluate(near) == {
            "q": {"recip_rank": 1 / 2}
        }


def test_scores_beyond_32_bits_are_infinite_and_tied() -> None:
    judged = {"q": {"a": 1, "z": 0}}
    for scores, rank in (
        ({"a": 2e300, "z": 1e300}, 2),
        ({"a": -1e300, "z": -2e300}, 2),
        ({"a": 1e300, "z": 1.0}, 1),
    ):
        found = ours.RelevanceEvaluator(judged, {"recip_rank"}).evaluate({"q": scores})
        assert found == {"q": {"recip_rank": 1 / rank}}


def test_many_topics_are_looked_at_one_by_one_for_scores_that_meet() -> None:
    judged = {f"q{number}": {"a": 1, "z": 0} for number in range(4000)}
    run = {f"q{number}": {"a": 1.1, "z": 1.0} for number in range(4000)}
    run["q7"] = {"a": 0.900000001, "z": 0.9}
    found = ours.RelevanceEvaluator(judged, {"recip_rank"}).evaluate(run)
    assert {topic for topic, values in found.items() if values["recip_rank"] == 1 / 2} == {"q7"}


def test_geometric_means_are_given_as_logarithms() -> None:
    found = ours.RelevanceEvaluator(JUDGED, {"gm_map", "map"}).evaluate(
        {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {}}
    )
    assert found["q1"] == {"map": 1 / 2, "gm_map": math.log(1 / 2)}
    assert found["q2"] == {"map": 0.0, "gm_map": math.log(0.00001)}


def test_an_empty_list_is_worth_nothing_where_the_peer_divides_by_zero() -> None:
    found = ours.RelevanceEvaluator(JUDGED, {"all_trec"}).evaluate({"q1": {}})["q1"]
    positive = {name: value for name, value in found.items() if value != 0}
    assert positive == {"num_q": 1, "num_rel": 1, "gm_map": math.log(0.00001), "gm_bpref": math.log(0.00001)}


@pytest.mark.parametrize(
    ("name", "values"),
    [("num_ret", [3.0, 4.0]), ("map", [0.25, 0.5]), ("gm_map", [-1.0, -3.0]), ("P_10", [0.1])],
)
def test_many_topics_become_one_number_in_the_same_way(name: str, values: list[float]) -> None:
    assert ours.compute_aggregated_measure(name, values) == pytest.approx(
        theirs.compute_aggregated_measure(name, values), abs=1e-15
    )


def test_topics_come_in_the_order_of_the_run() -> None:
    run = {"q2": {"d2": 1.0}, "q9": {"d2": 1.0}, "q1": {"d2": 1.0}}
    assert list(ours.RelevanceEvaluator(JUDGED, {"map"}).evaluate(run)) == ["q2", "q1"]


def test_one_topic_among_many_is_scored_as_it_is_with_all() -> None:
    judged, run = make(4, close=False)
    evaluator = ours.RelevanceEvaluator(judged, {"all_trec"})
    whole = evaluator.evaluate(run)
    for topic, values in whole.items():
        assert evaluator.evaluate({topic: run[topic]}) == {topic: values}
    some = dict(list(run.items())[:9])
    assert evaluator.evaluate(some) == {topic: whole[topic] for topic in some if topic in whole}


# ---- files -------------------------------------------------------------------------------------------------

RUN_LINES = ["q1 Q0 d1 1 2.5 tag\n", "q2 Q0 d1 1 1e-3 tag\n", "q1 Q0 d2 2 -1 tag\n"]
QREL_LINES = ["q1 0 d1 1\n", "q1 0 d2 0\n", "q2 0 d1 -1"]


def test_lines_become_the_same_dicts() -> None:
    assert ours.parse_run(RUN_LINES) == dict(theirs.parse_run(RUN_LINES))
    assert ours.parse_qrel(QREL_LINES) == dict(theirs.parse_qrel(QREL_LINES))


def test_a_document_twice_is_refused_with_its_line() -> None:
    for parse, lines in ((ours.parse_run, RUN_LINES), (ours.parse_qrel, QREL_LINES)):
        with pytest.raises(AssertionError, match="line 4: document 'd1' of topic 'q1' is there twice"):
            parse([*lines, lines[0]])


@pytest.mark.parametrize("line", ["q1 0 d1", "q1 0 d1 1.5", "q1 0 d1 1 2"])
def test_a_line_that_cannot_be_read_is_named(line: str) -> None:
    with pytest.raises(ValueError, match="line 2: expected topic, iteration, document, whole grade"):
        ours.parse_qrel(["q1 0 d9 1", line])


# ---- refusals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["no_such", "P_", "P.x", "ndcg@10", "prefs_simp"])
def test_a_measure_that_it_does_not_have_is_a_value_error(name: str) -> None:
    with pytest.raises(ValueError, match="unsupported measure"):
        ours.RelevanceEvaluator(JUDGED, {name})


def test_parameters_that_make_no_sense_are_refused_where_the_peer_aborts() -> None:
    for name in ("P_0", "ndcg.1", "G_1", "utility_1,2"):
        with pytest.raises(MeasureError):
            ours.RelevanceEvaluator(JUDGED, {name})


def test_wrong_types_are_type_errors() -> None:
    with pytest.raises(TypeError, match="relevance_level must be 1 or more"):
        ours.RelevanceEvaluator(JUDGED, {"map"}, relevance_level=0)
    with pytest.raises(TypeError):
        ours.RelevanceEvaluator([], {"map"})  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        ours.RelevanceEvaluator({"q": ["d"]}, {"map"})  # type: ignore[dict-item]
    with pytest.raises(TypeError):
        ours.RelevanceEvaluator({"q": {"d": "high"}}, {"map"})
    evaluator = ours.RelevanceEvaluator(JUDGED, {"map"})
    for run in ({"q1": {"d1": "high"}}, {"q1": {"d1": None}}, {"q1": [("d1", 1.0)]}, [1]):
        with pytest.raises(TypeError):
            evaluator.evaluate(run)  # type: ignore[arg-type]


def test_nan_is_refused_where_the_peer_takes_it_for_a_number() -> None:
    with pytest.raises(DataError, match="NaN"):
        ours.RelevanceEvaluator(JUDGED, {"map"}).evaluate({"q1": {"d1": math.nan}})


def test_numbers_of_numpy_and_fractions_of_grades_are_welcome() -> None:
    judged = {"q": {"a": np.int64(2), "b": 0.5, "c": True}}
    run = {"q": {"a": np.float32(1.5), "b": np.float64(2.5), "c": np.int32(3)}}
    found = ours.RelevanceEvaluator(judged, {"ndcg_cut.3", "num_rel"}).evaluate(run)["q"]
    gained = 1 + 0.5 / math.log2(3) + 2 / 2
    assert found == {"num_rel": 2.0, "ndcg_cut_3": pytest.approx(gained / (2 + 1 / math.log2(3) + 0.5 / 2))}
