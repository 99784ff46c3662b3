"""Names and parameters of ranx, BEIR, MTEB and ir_measures: understood, and written our way."""

import ir_measures
import pytest

from gainful.errors import MeasureError
from gainful.judging import judged_run
from gainful.measures import get, parse, parse_many
from gainful.measures._other_tools import from_ir_measures


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # ranx
        ("hits@5", "NumRelRet(summary=mean)@5"),
        ("hit_rate@5", "Success@5"),
        ("precision@5", "P@5"),
        ("recall@100", "R@100"),
        ("f1@10", "F@10"),
        ("f1@10-l2", "F(rel=2)@10"),
        ("r-precision", "Rprec"),
        ("r-precision-l2", "Rprec(rel=2)"),
        ("mrr", "RR"),
        ("mrr@10-l2", "RR(rel=2)@10"),
        ("map@100", "AP@100"),
        ("map@100-l3", "AP(rel=3)@100"),
        ("dcg@10", "DCG@10"),
        ("dcg_burges@10", "DCG(gain=exp)@10"),
        ("ndcg@10", "nDCG@10"),
        ("ndcg@10-l1", "nDCG@10"),
        ("ndcg@10-l3", "nDCG(gain={1:0,2:0,other:linear})@10"),
        ("ndcg_burges@10", "nDCG(gain=exp)@10"),
        ("bpref", "Bpref"),
        ("rbp.95", "RBP(p=0.95)"),
        ("rbp.8", "RBP(p=0.8)"),
        # BEIR
        ("NDCG@10", "nDCG@10"),
        ("MAP@1000", "AP@1000"),
        ("Recall@100", "R@100"),
        ("P@3", "P@3"),
        ("MRR@10", "RR@10"),
        ("R_cap@10", "RelP@10"),
        ("Hole@10", "Hole@10"),
        # MTEB
        ("ndcg_at_10", "nDCG@10"),
        ("map_at_5", "AP@5"),
        ("recall_at_100", "R@100"),
        ("precision_at_1", "P@1"),
        ("mrr_at_10", "RR@10"),
        ("hit_rate_at_5", "Success@5"),
        ("accuracy_at_5", "Success@5"),
        # ir_measures
        ("nDCG(dcg='log2')@10", "nDCG@10"),
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain=exp)@10"),
        ("nDCG(gains={0:0,1:5})@10", "nDCG(gain={0:0,1:5,other:linear})@10"),
        ("P(judged_only=True)@10", "P(unjudged=condense)@10"),
        ("P(judged_only=False,rel=2)@10", "P(rel=2)@10"),
        ("BPM(T=2,min_rel=1,max_rel=3)@20", "BPM(T=2,top=3,bottom=1)@20"),
        ("SDCG(dcg='log2',max_rel=4)@10", "SDCG(top=4)@10"),
        ("INST(max_rel=1)", "INST(top=1)"),
        ("NERR10(p=0.8,max_rel=1)", "NERR10(p=0.8,top=1)"),
        ("NERR8(max_rel=1)@10", "NERR8(top=1)@10"),
        ("α_nDCG@20", "alpha_nDCG@20"),
        ("α_DCG(alpha=0.3)@20", "alpha_DCG(alpha=0.3)@20"),
        ("MAP_IA", "AP_IA"),
        ("StRecall@10", "StRecall@10"),
        ("Compat(p=0.8,normalize=False)", "Compat(p=0.8,normalize=False)"),
        ("Accuracy@10", "Accuracy@10"),
    ],
)
def test_a_name_of_another_tool_is_understood_and_never_written(text, expected):
    assert [str(one) for one in parse_many(text)] == [expected]
    assert str(parse(expected)) == expected


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, "SetRelP"),
        ({"rel": 2}, "SetRelP(rel=2)"),
        ({"judged_only": True, "rel": 2}, "SetRelP(rel=2,unjudged=condense)"),
    ],
)
def test_relative_precision_of_ir_measures_is_understood_wherever_it_says_relative(parameters, expected):
    for ordered in ({"relative": True, **parameters}, {**parameters, "relative": True}):
        assert str(from_ir_measures(ir_measures.SetP(**ordered))) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ndcg_burges@10-l2", "ndcg_burges@10-l2: nDCG(gain=exp)@10 has no level of relevance"),
        ("ndcg@10-l99999999", "'ndcg@10-l99999999' is not a measure's name"),
        ("nDCG(dcg='exp')", "dcg must be log2 or exp-log2; got 'exp'"),
        ("AP(dcg='log2')", "AP has no parameter dcg"),
        ("SDCG(dcg='exp-log2')@10", "SDCG has no parameter dcg"),
        ("AP(judged_only=1)", "judged_only must be True or False; got 1"),
        ("AP(max_rel=3)", "AP has no parameter max_rel"),
        ("nDCG(gains=3)", "gain must be linear, exp, binary, signed, signed_exp, or a table"),
        ("AP(unjudged=remove)", "unjudged must be nonrelevant or condense; got 'remove'"),
        ("alpha_nDCG(alpha=2)", "alpha must be a number, 0 or more and 1 or less; got 2"),
        ("NCU(readers=all)", "readers must be graded or biased or uniform; got 'all'"),
        ("INST(part=gain)", "part must be utility or total or cost or residual; got 'gain'"),
    ],
)
def test_what_means_nothing_here_is_refused(text, said):
    with pytest.raises(MeasureError) as fault:
        parse_many(text)
    assert said in str(fault.value)


def test_a_level_of_relevance_takes_the_gain_of_lower_grades():
    record = judged_run([1, 3, 2], judged=[3, 2, 2, 1, 1])
    only = judged_run([0, 3, 2], judged=[3, 2, 2, 0, 0])
    assert parse("ndcg@3-l2")(record).tolist() == (get("nDCG") @ 3)(only).tolist()


def test_a_condensed_measure_has_a_name_of_its_own_and_none_in_trec_eval():
    condensed = get("AP")(unjudged="condense")
    assert str(condensed) == "AP(unjudged=condense)"
    assert condensed != get("AP")
    assert condensed.trec_name is None
    assert condensed(unjudged="nonrelevant") == get("AP")
    record = judged_run([None, 1, None, 1, 0], judged=[1, 1, 1, 0])
    assert condensed(record).tolist() == [(1 + 1) / 3]
    assert get("AP")(record).tolist() == [(1 / 2 + 2 / 4) / 3]
