"""trec_eval's dialect where its test files do not reach: parameters, missing topics, rare measures."""

import math
from pathlib import Path

import numpy as np
import pytest

from gainful.compat._trec_eval_columns import Options, columns
from gainful.compat._trec_eval_names import NINE, ORDER, TEN
from gainful.compat.trec_eval import NO_ZSCORE, Evaluation, evaluate, read_deviations, requested
from gainful.errors import DataError, MeasureError, NothingInCommon

QRELS = {"9": {"a": 2, "b": 0, "c": 1, "n": -1}, "10": {"a": 1, "d": 1, "e": 0}}
RUN = {"9": {"x": 4.0, "a": 3.0, "n": 2.0, "c": 1.0}, "10": {"d": 2.0, "e": 1.0}}


def values(made: Evaluation, topic: str) -> dict[str, float]:
    place = made.topics.index(topic)
    return {column.name: float(row[place]) for column, row in zip(made.columns, made.values, strict=True)}


def test_topics_are_in_the_order_of_their_bytes() -> None:
    assert evaluate(QRELS, RUN, ["map"]).topics == ("10", "9")


def test_names_are_printed_in_its_order_whatever_the_order_asked() -> None:
    made = evaluate(QRELS, RUN, ["unj.5", "P.5", "num_q", "map", "ndcg_cut.3"])
    assert [column.name for column in made.columns] == ["num_q", "map", "P_5", "ndcg_cut_3", "unj_5"]


def test_sets_have_the_measures_that_they_have_there() -> None:
    assert len(TEN.sets["all_trec"]) == 37
    assert TEN.sets["all_trec"] - NINE.sets["all_trec"] == {"rbp", "rbp_resid", "unj"}
    assert len(TEN.sets["all_prefs"]) == 2 + 14
    assert TEN.sets["prefs"] < TEN.sets["all_prefs"]
    assert set().union(*TEN.sets.values()) <= set(ORDER)


def test_the_first_parameters_of_a_name_count_and_the_others_are_told() -> None:
    asked, notes = requested(["P.5", "all_trec", "P.10", "P"])
    assert asked["P"] == "5"
    assert notes == ["P.10 is not computed: P has parameters already, and trec_eval takes the first"]
    assert requested(["P", "P.7"])[0] == {"P": "7"}


@pytest.mark.parametrize(
    "name", ["P.", "no_such", "P.0", "P.5,5", "P.5,5.4", "utility.1,2", "relstring.1,2", "ndcg.5"]
)
def test_what_makes_no_sense_is_refused(name: str) -> None:
    with pytest.raises(MeasureError):
        evaluate(QRELS, RUN, [name])


def test_cutoffs_lose_their_fractions_and_rise() -> None:
    made = columns({"P": "7.9,3", "iprec_at_recall": ".5,0"})
    assert [column.name for column in made] == ["iprec_at_recall_0.00", "iprec_at_recall_0.50", "P_3", "P_7"]


def test_interpolation_counts_in_binary() -> None:
    # of three relevant documents seven tenths are 2.1, so three are needed; 2.1 + 0.5 is cut to 2
    run = {"t": {"a": 4.0, "b": 3.0, "x": 2.0, "c": 1.0}}
    made = evaluate({"t": {"a": 1, "b": 1, "c": 1}}, run, ["iprec_at_recall.0.7"])
    assert values(made, "t") == {"iprec_at_recall_0.70": 2 / 2}


def test_the_two_versions_differ_in_what_they_add() -> None:
    # one of four relevant found at rank 1, the next at rank 4; a tenth of 4 is 0.4: 9 asks for 1, 10 for none
    from gainful.judging import judged_run

    judged = judged_run([0, 1], judged=[1, 1, 1, 1, 0])
    (nine,) = columns({"iprec_at_recall": "0.1"}, Options(NINE))
    (ten,) = columns({"iprec_at_recall": "0.6"}, Options(TEN))
    (same,) = columns({"iprec_at_recall": "0.6"}, Options(NINE))
    assert nine.values(judged).tolist() == [1 / 2]
    assert ten.values(judged).tolist() == [0.0]  # ⌊0.6 · 4 + 0.5⌋ = 2 are needed
    assert same.values(judged).tolist() == [0.0]  # ⌊0.6 · 4 + 0.9⌋ = 3
    third = judged_run([0, 1, 1], judged=[1, 1, 1, 1, 0])
    assert ten.values(third).tolist() == [2 / 3]
    assert same.values(third).tolist() == [0.0]


def test_missing_topics_are_left_out_with_a_note_unless_they_count_as_zero() -> None:
    run = {"9": RUN["9"]}
    alone = evaluate(QRELS, run, ["map", "num_q", "num_rel"])
    assert alone.topics == ("9",)
    assert alone.notes == ("1 judged topic is not in the run and left out; -c counts it as zero: 10",)
    whole = evaluate(QRELS, run, ["map", "num_q", "num_rel"], complete=True)
    assert whole.topics == ("10", "9")
    assert whole.notes == ()
    assert whole.summary() == {"num_q": 2, "num_rel": 4, "map": (0 + (1 / 2 + 2 / 4) / 2) / 2}


def test_a_missing_topic_is_a_list_of_one_unjudged_document_with_its_traces_wiped() -> None:
    asked = ["num_ret", "utility", "rbp_resid", "unj", "relstring", "gm_map"]
    made = evaluate(QRELS, {"9": RUN["9"]}, asked, complete=True)
    found = values(made, "10")
    assert {name: value for name, value in found.items() if value} == {"gm_map": math.log(0.00001)}
    assert made.texts["relstring"] == ["", "-2.1"]
    # with parameters the names are others, and nothing is wiped: the document is noise, and unseen like the rest
    given = evaluate(
        QRELS, {"9": RUN["9"]}, ["utility.1,-3,0,0", "rbp_resid.p=0.8", "relstring.5"], complete=True
    )
    assert values(given, "10") == {
        "relstring_5": 0,
        "utility_1,-3,0,0": -3,
        "rbp_resid_p=0.8": pytest.approx(1),
    }
    assert given.texts["relstring_5"] == ["-", "-2.1"]


def test_lists_are_cut_before_the_unjudged_are_removed() -> None:
    made = evaluate(QRELS, RUN, ["num_ret", "num_rel_ret", "recip_rank"], depth=2, judged_only=True)
    # of x and a, only a is judged
    assert values(made, "9") == {"num_ret": 1, "num_rel_ret": 1, "recip_rank": 1}


def test_a_level_decides_what_is_relevant_and_leaves_gains_alone() -> None:
    one, two = (
        evaluate(QRELS, RUN, ["num_rel", "recip_rank", "ndcg", "rbp"], level=level) for level in (1, 2)
    )
    assert values(one, "10")["num_rel"] == 2
    assert values(two, "10")["num_rel"] == 0
    assert values(one, "9")["ndcg"] == values(two, "9")["ndcg"]
    assert values(one, "9")["rbp"] == values(two, "9")["rbp"]


def test_fractions_of_grades_are_cut_off_with_a_note() -> None:
    made = evaluate({"q": {"a": 0.9, "b": 2.5, "c": -0.5}}, {"q": {"a": 2.0, "b": 1.0}}, ["num_rel", "ndcg"])
    assert values(made, "q") == {"num_rel": 1, "ndcg": pytest.approx(1 / math.log2(3))}
    assert "cut to whole numbers" in made.notes[0]


def test_utility_knows_the_size_of_the_collection_if_it_is_told() -> None:
    asked = ["utility.1,-1,-2,0.5"]
    # topic 10: found 1, noise 1, missed 1; of 100 documents 97 were rightly left
    assert values(evaluate(QRELS, RUN, asked, documents=100), "10") == {
        "utility_1,-1,-2,0.5": 1 - 1 - 2 + 97 / 2
    }
    assert values(evaluate(QRELS, RUN, asked), "10") == {"utility_1,-1,-2,0.5": 1 - 1 - 2 - 3 / 2}


def test_dcg_and_its_ideal_make_ndcg() -> None:
    made = values(evaluate(QRELS, RUN, ["dcg", "ideal_dcg", "ndcg"]), "9")
    assert made["dcg"] == pytest.approx(2 / math.log2(3) + 1 / math.log2(5))
    assert made["ideal_dcg"] == pytest.approx(2 + 1 / math.log2(3))
    assert made["ndcg"] == pytest.approx(made["dcg"] / made["ideal_dcg"])
    gains = values(evaluate(QRELS, RUN, ["ideal_dcg.1=3,2=9"]), "9")
    assert gains == {"ideal_dcg_1=3,2=9": pytest.approx(9 + 3 / math.log2(3))}


def test_yaap_is_a_smoothed_logarithm() -> None:
    s = 1 / 2 + 2 / 4
    assert values(evaluate(QRELS, RUN, ["yaap"]), "9") == {
        "yaap": pytest.approx(math.log((1 + s) / (1 + 2 - s)))
    }


def test_rbp_divides_by_the_best_gain_of_the_topic() -> None:
    made = evaluate(QRELS, RUN, ["rbp"])
    assert values(made, "9")["rbp"] == pytest.approx(0.1 * (2 * 0.9 + 1 * 0.9**3) / 2)
    assert values(made, "10")["rbp"] == pytest.approx(0.1 * 1)
    given = values(evaluate(QRELS, RUN, ["rbp.p=0.5,1=0.25"]), "9")
    assert given == {"rbp_p=0.5,1=0.25": pytest.approx(0.5 * (2 * 0.5 + 0.25 * 0.5**3) / 2)}


def test_the_residual_is_nothing_where_all_is_judged() -> None:
    made = evaluate(QRELS, RUN, ["rbp_resid"])
    assert values(made, "10")["rbp_resid"] == 0.0
    assert values(made, "9")["rbp_resid"] == pytest.approx(0.9**4 + 0.1 * (1 + 0.9**2))  # x, and n below zero


def test_letters_tell_grades() -> None:
    qrels = {"q": {"a": 12, "b": 0, "c": -3, "d": 9}}
    run = {"q": {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0, "e": 1.0}}
    assert evaluate(qrels, run, ["relstring"]).texts == {"relstring": [">0.9-"]}
    assert evaluate(qrels, run, ["relstring.2"]).texts == {"relstring_2": [">0"]}
    assert evaluate(qrels, run, ["relstring"]).text() == ""


def test_sums_are_added_up_one_after_the_other() -> None:
    made = evaluate(QRELS, RUN, ["map"])
    many = np.array([[1.0, 1e-16, 1e-16, 1e-16]])
    shown = Evaluation("", ("a", "b", "c", "d"), made.columns, many, {})
    assert shown.summary() == {"map": 1 / 4}  # summed exactly, it would be more


def test_preferences_put_the_lower_id_first_among_equal_scores() -> None:
    rows = [("q", "judge", "a", 2), ("q", "judge", "b", 1)]
    tied = {"q": {"a": 1.0, "b": 1.0, "x": 1.0}}
    assert evaluate(rows, tied, ["prefs_simp"], relation="qrels_prefs").summary() == {"prefs_simp": 1.0}
    assert evaluate({"q": {"a": 1, "b": 0}}, tied, ["recip_rank"]).summary() == {"recip_rank": 1 / 3}


def test_nothing_in_common_is_said() -> None:
    with pytest.raises(NothingInCommon, match="no topic is judged"):
        evaluate(QRELS, {"7": {"a": 1.0}}, ["map"])


def test_deviations_have_a_value_for_what_is_not_known() -> None:
    known = {("9", "map"): (0.25, 0.5), ("9", "num_ret"): (4.0, 0.0), ("10", "num_ret"): (3.0, 0.0)}
    made = evaluate(QRELS, RUN, ["map", "num_ret", "num_q"], deviations=known)
    assert values(made, "9") == {"num_q": 1, "num_ret": 0.0, "map": (1 / 2 - 0.25) / 0.5}
    assert values(made, "10") == {"num_q": 1, "num_ret": NO_ZSCORE, "map": NO_ZSCORE}
    assert made.text().splitlines()[0] == "Znum_q                 \tall\t2.0000"


def test_deviations_are_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "z"
    path.write_text("# mean and deviation\n301 map 0.5 0.25\n\n302 map 1 0\n")
    assert read_deviations(str(path)) == {("301", "map"): (0.5, 0.25), ("302", "map"): (1.0, 0.0)}
    path.write_text("301 map 0.5\n")
    with pytest.raises(DataError, match="line 1: expected topic, measure, mean, standard deviation"):
        read_deviations(str(path))
    with pytest.raises(DataError, match="cannot be read"):
        read_deviations(str(path) + ".nowhere")


def test_an_empty_list_has_no_precision_to_interpolate_as_pytrec_eval_says() -> None:
    """Under -J a list may lose all its documents; where no relevant one is needed, 0/0 is printed as C prints it."""
    import pytrec_eval

    qrels = {"a": {"d1": 1, "d2": 0, "d3": 2}, "b": {"d1": 1}, "c": {"d1": 0}}
    run = {"a": {"x": 3.0, "d3": 2.0, "d2": 1.0}, "b": {"y": 1.0}, "c": {"y": 2.0}}
    oracle = pytrec_eval.RelevanceEvaluator(
        qrels, {"iprec_at_recall.0.0", "11pt_avg"}, judged_docs_only_flag=True
    )
    theirs = oracle.evaluate(run)
    made = evaluate(qrels, run, ["iprec_at_recall.0.0", "11pt_avg"], judged_only=True)
    for topic in ("b", "c"):
        np.testing.assert_equal(values(made, topic), theirs[topic])
    assert made.text().splitlines()[0] == f"{'iprec_at_recall_0.00':<22}\tall\t-nan"
    # of one relevant document a tenth is 0.1: trec_eval 10 asks for none, and so for the precision of an empty list
    levels = evaluate(qrels, run, ["iprec_at_recall"], judged_only=True)
    assert [name for name, value in values(levels, "b").items() if math.isnan(value)] == [
        f"iprec_at_recall_0.{tenth}0" for tenth in range(5)
    ]


def test_num_rel_of_all_topics_counts_grades_above_0_whatever_the_level() -> None:
    qrels = {"1": {"a": 2, "b": 1, "n": -1}, "2": {"a": 1, "c": 0, "d": 2}}
    made = evaluate(qrels, {"1": {"a": 1.0}}, ["num_rel"], complete=True, level=2)
    assert made.text(per_topic=True).split() == [
        "num_rel",
        "1",
        "1",
        "num_rel",
        "2",
        "1",
        "num_rel",
        "all",
        "4",
    ]
    assert evaluate(qrels, {"1": {"a": 1.0}}, ["num_rel"], level=2).summary() == {"num_rel": 1}


def test_a_mean_at_an_exact_half_is_added_up_topic_by_topic() -> None:
    """(0 + 22 + 59 + 52) / 4000 is 0.03325: the nearest float prints 0.0333, adding up one after the other 0.0332."""
    found = [0, 22, 59, 52]
    qrels = {f"{topic}": {f"d{n}": 1 for n in range(60)} for topic in range(4)}
    run = {f"{topic}": {"x": 2.0} | {f"d{n}": 1.0 for n in range(many)} for topic, many in enumerate(found)}
    total = 0.0
    for many in found:  # as C does it
        total += many / 1000
    assert (f"{total / 4:.4f}", f"{sum(found) / 4000:.4f}") == ("0.0332", "0.0333")
    assert evaluate(qrels, run, ["P.1000"]).text() == f"{'P_1000':<22}\tall\t0.0332\n"


@pytest.mark.parametrize("content", ["{k} 0 a 1\n", "[k] 0 a 1\n", "topic 0 a 1\n"])
def test_judgments_are_never_taken_for_another_layout(tmp_path: Path, content: str) -> None:
    (tmp_path / "qrels").write_text(content)
    topic = content.split(maxsplit=1)[0]
    (tmp_path / "run").write_text(f"{topic} Q0 a 1 1.0 t\n")
    made = evaluate(str(tmp_path / "qrels"), str(tmp_path / "run"), ["map"])
    assert (made.topics, made.summary()) == ((topic,), {"map": 1.0})
