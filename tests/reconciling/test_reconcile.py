"""Whose number it is: what is answered, in which order, what would tell explanations apart, and what is odd."""

import json
import random
import runpy
from pathlib import Path

import pytest

import gainful
from gainful import reconcile
from gainful.errors import DataError, MeasureError, NothingInCommon, UsageError
from gainful.reconciling.claimed_values import shown_number, without_conventions

ROOT = Path(gainful.__file__).parents[2]
MADE = runpy.run_path(str(ROOT / "docs" / "make_reconcile.py"))
DATA = ROOT / "examples" / "data"
QRELS, RUN = DATA / "qrels.txt", DATA / "marathon.run"


@pytest.fixture(scope="module")
def marathon():
    """Answers about values of the bundled run, each computed once."""
    kept = {}

    def answer(**values):
        key = tuple(values.items())
        if key not in kept:
            kept[key] = reconcile(
                QRELS, RUN, {name.replace("_at_", "@"): value for name, value in values.items()}
            )
        return kept[key]

    return answer


def test_the_first_answer_names_the_tool_what_it_does_and_our_number(marathon):
    source = marathon(nDCG_at_10="0.5691").sources[0]
    assert source.headline == (
        "0.5691 is what sentence-transformers@6.2.0 prints as ndcg@10: tied documents are ordered by id, ascending; the gain is "
        "1 for every relevant document; what else it does differently has no effect here. Our own conventions give 0.5896."
    )


def test_our_own_number_is_ours_and_names_the_tools_that_print_it(marathon):
    answer = marathon(nDCG_at_10="0.5896").answers[0]
    assert answer.title == "gainful"
    assert {"trec-eval@9.0.8", "pytrec-eval@0.5.11", "beir@2.2.0", "mteb@2.26.24"} <= set(answer.same)
    assert "0.5896 is ours: nothing differs" in str(marathon(nDCG_at_10="0.5896"))


def test_more_digits_leave_fewer_explanations(marathon):
    few = marathon(nDCG_at_10="0.6046").sources[0].search
    many = marathon(nDCG_at_10="0.60").sources[0].search
    assert few.dialects + few.combined < many.dialects + many.combined
    whole = marathon(nDCG_at_10="0.6045798432").sources[0].search
    assert whole.combined == 0
    assert whole.answers[0].title.startswith("elasticsearch@")


def test_a_topic_and_a_measure_that_tell_explanations_apart_are_named(marathon):
    reconciliation = marathon(nDCG_at_10="0.60")
    source = reconciliation.sources[0]
    first, second = source.answers[:2]
    assert not first.same_numbers(second)
    by_topic, by_measure = source.telling
    assert by_topic.startswith("The value of topic ")
    assert "of all topics tells" in by_measure
    topic = by_topic.split()[4]
    place = gainful.read_qrels(QRELS).topics.index(topic)
    assert f"{first.first.values[place]:.4f} ({first.title}" in by_topic


def test_where_nothing_fits_the_nearest_is_told_and_another_cutoff_is_found(marathon):
    value = gainful.evaluate(QRELS, RUN, "ndcg@20", dialect="lightgbm").mean["ndcg@20"]
    source = marathon(nDCG_at_10=f"{value:.4f}").sources[0]
    assert not source.answers
    assert "No known tool gives" in source.headline
    assert "Nearest: 0.6084, lightgbm@4.7.0's ndcg@10" in source.headline
    assert any(
        "lightgbm@4.7.0" in cause and "the measure is cut at rank 20" in cause for cause in source.causes
    )


def test_a_cut_list_is_found_as_the_cause():
    value = gainful.evaluate(QRELS, RUN, "AP", depth=20).mean["AP"]
    causes = reconcile(QRELS, RUN, {"AP": f"{value:.6f}"}).sources[0].causes
    assert any("gainful" in cause and "cut at rank 20" in cause for cause in causes)


def test_another_number_of_topics_is_found_as_the_cause(marathon):
    mean = gainful.evaluate(QRELS, RUN, "nDCG@10").mean["nDCG@10"]
    source = marathon(nDCG_at_10=f"{mean * 50 / 57:.4f}").sources[0]
    assert any("over 57 topics instead of 50: 7 topics more count as 0" in cause for cause in source.causes)


def test_the_value_of_another_measure_is_found_as_the_cause(marathon):
    (source,) = marathon(AP="0.5896").sources
    assert source.causes == ("It is our value of nDCG@10: another measure than AP may be meant.",)


def test_what_nothing_explains_is_left_to_other_data(marathon):
    source = marathon(nDCG_at_10="0.5520").sources[0]
    assert any("other judgments, another run" in cause for cause in source.causes)
    assert [effect.name for effect in source.effects][:2] == ["gain", "ideal"]


def test_a_convention_that_no_tool_has_is_told_as_ours_with_a_change():
    value = gainful.evaluate(QRELS, RUN, "nDCG@10", ties="reverse").mean["nDCG@10"]
    source = reconcile(QRELS, RUN, {"nDCG@10": f"{value:.6f}"}).sources[0]
    assert source.answers[0].changes == ("ties",)
    assert (
        "is ours where tied documents are in the reverse of the order given; no known tool does just that"
        in source.headline
    )


def test_a_tool_but_for_one_convention_is_told_as_that():
    value = gainful.evaluate(QRELS, RUN, "nDCG(gain=binary,ideal=uncut)@10", ties="ascending").mean.popitem()[
        1
    ]
    source = reconcile(QRELS, RUN, {"nDCG@10": f"{value:.6f}"}).sources[0]
    assert source.headline.startswith(
        f"{value:.6f} is what sentence-transformers@6.2.0 would print where the ideal list is not cut at the cutoff"
    )


def test_values_of_single_topics_tell_where_judgments_differ():
    scores = gainful.evaluate(QRELS, RUN, "AP", ties="input").runs[0].per_topic
    values = {topic: f"{measures['AP']:.4f}" for topic, measures in scores.items()}
    fits = reconcile(QRELS, RUN, {"AP": values}).answers[0]
    assert "tied documents stay in the order given" in fits.clauses()
    odd = dict(values)
    odd["7"], odd["9"] = "0.9999", "0.0001"
    source = reconcile(QRELS, RUN, {"AP": odd}).sources[0]
    assert not source.answers
    assert any("of 48 of 50 topics" in cause and "7, 9" in cause for cause in source.causes)


def test_values_of_topics_that_are_not_judged_are_a_finding():
    source = reconcile(QRELS, RUN, {"AP": {"1": "0.5", "nowhere": "0.5"}}).sources[0]
    assert source.findings == ("Of the topics shown, 1 not judged here: nowhere.",)
    with pytest.raises(DataError, match="none of the topics is judged"):
        reconcile(QRELS, RUN, {"AP": {"nowhere": "0.5"}})


def test_a_value_that_is_not_a_number_is_looked_for_too():
    qrels, run = {"q": {"a": 0}, "r": {"a": 1}}, [("q", "a", 1.0), ("r", "a", 1.0)]
    assert reconcile(qrels, run, {"AP@10": "nan"}).answers[0].title.startswith("quepid@")


def test_a_tool_that_leaves_ties_to_chance_may_have_printed_it(marathon):
    source = marathon(nDCG_at_10="0.5925695").sources[0]
    assert "ranx@0.3.21" in source.search.by_chance
    said = source.sentences()
    assert any("ranx@0.3.21 leaves tied documents to chance: its ndcg@10 is between" in line for line in said)
    assert any("its ndcg_score(k=10, ignore_ties=True) is between" in line for line in said)


def test_several_values_must_be_of_one_tool(marathon):
    answer = marathon(AP="0.5209", nDCG_at_10="0.5711").answers[0]
    assert "spark@4.3.0" in {answer.title, *answer.same}
    assert answer.of == answer.matched == 2


def test_a_name_as_one_tool_spells_it_puts_that_tool_first():
    answer = reconcile(QRELS, RUN, {"ndcg_cut_10": "0.5896"}).answers[0]
    assert answer.title.startswith(("trec-eval@", "pytrec-eval@"))


def test_percentages_are_understood_and_sums_of_gains_explained(marathon):
    source = marathon(nDCG_at_10="60.84").sources[0]
    assert source.percent
    assert source.answers[0].title.startswith("lightgbm@")
    dcg = marathon(nDCG_at_10=11.917).sources[0]
    assert dcg.answers[0].title.startswith("elasticsearch@")
    assert "is above 1, the most that nDCG@10 can be" in dcg.findings[0]
    assert dcg.effects[0].name == "measure"


def test_a_number_has_the_digits_it_is_written_with():
    assert shown_number("0.50").within == 0.005
    assert shown_number(0.5, 4).within == 0.00005
    assert shown_number("5e-2").within == 0.005
    assert shown_number("41.4").as_percentage().fits(0.4144)
    assert shown_number("nan").fits(float("nan"))
    assert not shown_number("nan").fits(0.5)
    assert str(without_conventions(gainful.parse("AP(rel=2,divisor=min)@10"))) == "AP@10"


def test_bad_input_is_refused_with_the_way_out():
    with pytest.raises(UsageError, match="no value is given"):
        reconcile(QRELS, RUN, {})
    with pytest.raises(UsageError, match="is not a number"):
        reconcile(QRELS, RUN, {"nDCG@10": "about half"})
    with pytest.raises(MeasureError, match="no dialect has it either"):
        reconcile(QRELS, RUN, {"qualty@10": 0.5})
    with pytest.raises(UsageError, match="values are those of one run"):
        reconcile(QRELS, [RUN, DATA / "sprinter.run"], {"AP": 0.5})
    with pytest.raises(NothingInCommon):
        reconcile({"other": {"d": 1}}, RUN, {"AP": 0.5})
    with pytest.raises(UsageError, match="not float"):
        reconcile(QRELS, RUN, 0.5)


def test_json_has_everything_and_markdown_is_a_page(marathon):
    reconciliation = marathon(nDCG_at_10="0.60")
    told = json.loads(reconciliation.view("json"))
    source = told["sources"][0]
    assert source["fits"]
    assert len(source["explanations"]) == len(reconciliation.answers)
    first = source["explanations"][0]["measures"]["nDCG@10"]
    again = gainful.evaluate(QRELS, RUN, first["measure"], **first["settings"]).mean[first["measure"]]
    assert again == pytest.approx(first["value"], abs=1e-12)
    assert reconciliation.view("markdown").startswith("**")


@pytest.mark.parametrize(("values", "count"), [(1, 12), (3, 6)])
def test_the_tool_that_printed_a_number_is_the_first_answer(values, count):
    right, wrong = MADE["share"](7, count, values)
    assert right >= count - 1, wrong


def test_random_collections_are_the_same_for_a_seed():
    assert MADE["collection"](random.Random(3)) == MADE["collection"](random.Random(3))
