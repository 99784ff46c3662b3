"""Names of measures: written, read back, refused."""

import pickle
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gainful.measures
from gainful.errors import MeasureError
from gainful.judging import judged_run
from gainful.measures import (
    AP,
    RBP,
    RR,
    IPrec,
    P,
    Utility,
    get,
    measure,
    names,
    nDCG,
    parse,
    parse_many,
)
from gainful.measures._gains import Gain, Table, exp, linear


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (nDCG, "nDCG"),
        (nDCG @ 10, "nDCG@10"),
        (AP(rel=2) @ 100, "AP(rel=2)@100"),
        (AP(rel=2, cutoff=100), "AP(rel=2)@100"),
        (AP(rel=2.0) @ np.int64(100), "AP(rel=2)@100"),
        (AP(rel=1), "AP"),
        (AP(divisor="min") @ 5, "AP(divisor=min)@5"),
        (AP(summary="geometric"), "AP(summary=geometric)"),
        (AP(rel=2)(rel=1), "AP"),
        (RBP(p=0.9), "RBP(p=0.9)"),
        (RBP(rel=1, p=0.9), "RBP(p=0.9,rel=1)"),
        (IPrec @ 0.1, "IPrec@0.1"),
        (nDCG(gain="exp", discount="jk", base=2) @ 10, "nDCG(gain=exp,discount=jk)@10"),
        (nDCG(gain=exp, discount="jk", base=10), "nDCG(gain=exp,discount=jk,base=10)"),
        (nDCG(gain={3: 3, 1: 0.5, 2: 2.0}), "nDCG(gain={1:0.5,2:2,3:3})"),
        (nDCG(gain={0.1234567: 1, 1234567: 2}), "nDCG(gain={0.1234567:1,1234567:2})"),
        (nDCG(gain={1: 3, "other": "linear"}), "nDCG(gain={1:3,other:linear})"),
        (nDCG(ideal="retrieved"), "nDCG(ideal=retrieved)"),
        (get("IPrecAvg")(levels=(0.25, 0.5, 1.0)), "IPrecAvg(levels=(0.25,0.5,1))"),
        (get("IPrecAvg")(levels=[0.25]), "IPrecAvg(levels=(0.25,))"),
        (Utility(found=2, missed=-1), "Utility(found=2,missed=-1)"),
    ],
)
def test_a_measure_is_written_one_way_and_read_back(made, name):
    assert str(made) == repr(made) == name
    assert parse(name) == made
    assert hash(parse(name)) == hash(made)
    assert str(parse(name)) == name
    assert pickle.loads(pickle.dumps(made)) == made


def test_measures_with_the_same_parameters_are_the_same():
    assert nDCG @ 10 == nDCG(cutoff=10)
    assert nDCG @ 10 != nDCG @ 5
    assert nDCG(gain={0.1234567: 1}) != nDCG(gain={0.1234568: 1})
    assert nDCG != AP
    assert nDCG != "nDCG"
    assert len({nDCG, nDCG(gain="linear"), nDCG(gain=linear), nDCG(base=2.0)}) == 1
    assert (nDCG @ 10) @ None == nDCG


@pytest.mark.parametrize("text", ["RBP(p=0.8)", "RBP(p=0.8)@10", "RBPres(p=0.8)", "RBP(p=0.8,rel=1)"])
def test_the_patience_of_a_reader_stays_in_the_name_where_it_is_written(text):
    assert str(parse(text.replace("0.8", ".8"))) == text
    assert str(parse("RBP")) == "RBP"
    assert parse("RBP(p=0.8)") == parse("RBP")
    assert len({parse("RBP(p=0.8)"), parse("RBP"), parse("RBP(p=0.5)")}) == 2
    assert pickle.loads(pickle.dumps(parse(text))) == parse(text)


def test_a_measure_is_not_changed():
    with pytest.raises(AttributeError, match="immutable"):
        nDCG.name = "other"
    with pytest.raises(AttributeError, match="immutable"):
        nDCG.summary = "sum"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("map", ["AP"]),
        ("gm_map", ["AP(summary=geometric)"]),
        ("map_cut.10,100", ["AP@10", "AP@100"]),
        ("map_cut_10", ["AP@10"]),
        ("gm_bpref", ["Bpref(summary=geometric)"]),
        ("P.5,10", ["P@5", "P@10"]),
        ("P.5,7,3", ["P@3", "P@5", "P@7"]),
        ("P_10", ["P@10"]),
        ("P", [f"P@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]),
        ("recall", [f"R@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]),
        ("recall_20", ["R@20"]),
        ("ndcg", ["nDCG"]),
        ("ndcg_cut_10", ["nDCG@10"]),
        ("ndcg_cut.10,100", ["nDCG@10", "nDCG@100"]),
        ("ndcg.1=3,2=9,4=4.5", ["nDCG(gain={1:3,2:9,4:4.5,other:linear})"]),
        ("ndcg_1=3,2=9,4=4.5", ["nDCG(gain={1:3,2:9,4:4.5,other:linear})"]),
        ("Rndcg.1=3", ["Rndcg(gain={1:3,other:linear})"]),
        ("recip_rank", ["RR"]),
        ("success", ["Success@1", "Success@5", "Success@10"]),
        ("success.2,5,20", ["Success@2", "Success@5", "Success@20"]),
        ("iprec_at_recall", [f"IPrec@{r}" for r in (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)]),
        ("iprec_at_recall..10,.20", ["IPrec@0.1", "IPrec@0.2"]),
        ("iprec_at_recall_0.10", ["IPrec@0.1"]),
        ("11pt_avg", ["IPrecAvg"]),
        ("11pt_avg..25,.5,.75", ["IPrecAvg(levels=(0.25,0.5,0.75))"]),
        ("11pt_avg_.25,.5,.75", ["IPrecAvg(levels=(0.25,0.5,0.75))"]),
        ("Rprec", ["Rprec"]),
        ("Rprec_mult.5.0,0.2,0.35", ["Rprec(mult=0.2)", "Rprec(mult=0.35)", "Rprec(mult=5)"]),
        ("Rprec_mult_0.20", ["Rprec(mult=0.2)"]),
        ("Rprec_mult_1.00", ["Rprec"]),
        ("bpref", ["Bpref"]),
        ("infAP", ["infAP"]),
        ("set_P, set_recall", ["SetP", "SetR"]),
        ("set_relative_P,set_map", ["SetRelP", "SetAP"]),
        ("set_F", ["SetF"]),
        ("set_F.4", ["SetF(beta=2)"]),
        ("set_F_0.25", ["SetF(beta=0.5)"]),
        ("relative_P.10", ["RelP@10"]),
        ("utility", ["Utility"]),
        ("utility.2,-1,0,0", ["Utility(found=2)"]),
        ("utility_2,-1,0,0,map", ["Utility(found=2)", "AP"]),
        ("num_q,num_ret", ["NumQ", "NumRet"]),
        ("num_rel,num_rel_ret", ["NumRel", "NumRelRet"]),
        ("num_nonrel_judged_ret", ["NumNonrelJudgedRet"]),
        ("ndcg_rel,G,binG", ["nDCGrel", "G", "binG"]),
        ("unj.5,10", ["Unjudged@5", "Unjudged@10"]),
        ("unj", ["Unjudged@5", "Unjudged@10", "Unjudged@20"]),
        ("rbp", ["RBP(p=0.9)"]),
        ("rbp.0.8,rbp.p=0.5", ["RBP(p=0.8)", "RBP(p=0.5)"]),
        ("rbp_resid.0.5", ["RBPres(p=0.5)"]),
        (
            "MAP,MRR,NDCG@10,Precision@5,Recall@5,BPref,RPrec",
            ["AP", "RR", "nDCG@10", "P@5", "R@5", "Bpref", "Rprec"],
        ),
        ("map@10,mrr,ndcg@10,precision@5,recall@5", ["AP@10", "RR", "nDCG@10", "P@5", "R@5"]),
        ("ndcg_at_10,mrr_at_10", ["nDCG@10", "RR@10"]),
        ("P@5,10", ["P@5", "P@10"]),
        ("nDCG(gain={1:1,2:3})@5,10, AP", ["nDCG(gain={1:1,2:3})@5", "nDCG(gain={1:1,2:3})@10", "AP"]),
        ("IPrec@.1,.2", ["IPrec@0.1", "IPrec@0.2"]),
        ("AP,map,MAP", ["AP"]),
        (" nDCG @ 10 ", ["nDCG@10"]),
        ("nDCG@10 AP", ["nDCG@10", "AP"]),
        ("AP (rel=2) nDCG @ 10\tmap P@5 10", ["AP(rel=2)", "nDCG@10", "AP", "P@5", "P@10"]),
        ("alpha-nDCG@10, ERR-IA", ["alpha_nDCG@10", "ERR_IA"]),
        ("α-nDCG(alpha=0.3)@10", ["alpha_nDCG(alpha=0.3)@10"]),
        ("nDCG(gain='exp')@10", ["nDCG(gain=exp)@10"]),
    ],
)
def test_lists_and_the_names_of_trec_eval_are_understood(text, expected):
    assert [str(one) for one in parse_many(text)] == expected


def test_sets_of_trec_eval_hold_its_measures_in_its_order():
    official = [one.trec_name for one in parse_many("official")]
    assert official[:9] == [
        "num_q",
        "num_ret",
        "num_rel",
        "num_rel_ret",
        "map",
        "gm_map",
        "Rprec",
        "bpref",
        "recip_rank",
    ]
    assert official[9:11] == ["iprec_at_recall_0.00", "iprec_at_recall_0.10"]
    assert official[-1] == "P_1000"
    assert len(official) == 9 + 11 + 9
    assert len(parse_many("all_trec")) == 9 + 11 + 5 * 9 + 9 + 3 + 15 + 5  # Rprec_mult_1.00 is Rprec
    assert [one.trec_name for one in parse_many("set")] == [
        *("num_q", "num_ret", "num_rel", "num_rel_ret", "utility"),
        *("set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    ]


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("nDCG@10", ["ndcg_cut_10"]),
        ("nDCG", ["ndcg"]),
        ("nDCG(gain=exp)@10", []),
        ("nDCG(gain={1:3,2:9,4:4.5,other:linear})", ["ndcg_1=3,2=9,4=4.5"]),
        ("nDCG(gain={1234567:0.1234567,other:linear})", ["ndcg_1234567=0.1234567"]),
        ("nDCG(gain={1:3})", []),
        ("AP", ["map"]),
        ("AP(rel=2)", ["map"]),
        ("AP@100", ["map_cut_100"]),
        ("AP(divisor=min)@100", []),
        ("AP(summary=geometric)", ["gm_map"]),
        ("AP(summary=median)", []),
        ("IPrec@0.1", ["iprec_at_recall_0.10"]),
        ("IPrec@0", ["iprec_at_recall_0.00"]),
        ("IPrecAvg", ["11pt_avg"]),
        ("IPrecAvg(levels=(0.25,0.5,0.75))", ["11pt_avg_.25,.5,.75"]),
        ("Rprec", ["Rprec", "Rprec_mult_1.00"]),
        ("Rprec(mult=0.2)", ["Rprec_mult_0.20"]),
        ("Rprec(mult=5)", ["Rprec_mult_5.00"]),
        ("Utility(found=2)", ["utility_2,-1,0,0"]),
        ("Utility(documents=5)", []),
        ("SetF", ["set_F"]),
        ("SetF(beta=2)", ["set_F_4"]),
        ("RBP", ["rbp_p=0.8"]),
        ("RBP(p=0.9)", ["rbp"]),
        ("RBP(p=0.9,rel=1)", []),
        ("NumRet", ["num_ret"]),
        ("NumRet(rel=1)", []),
        ("P@5", ["P_5"]),
        ("ERR@20", []),
    ],
)
def test_the_names_that_trec_eval_prints(name, printed):
    assert list(parse(name).trec_names) == printed
    assert parse(name).trec_name == (printed[0] if printed else None)


@pytest.mark.parametrize("set_", ["official", "set", "all_trec"])
def test_a_name_that_trec_eval_prints_is_understood(set_):
    for one in parse_many(set_):
        assert [parse(name) for name in one.trec_names] == [one] * len(one.trec_names)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nDCG@0", "nDCG: cutoff must be 1 or more, or None for every rank; got 0"),
        ("P@-1", "P: cutoff must be 1 or more; got -1"),
        ("P@None", "P: cutoff must be 1 or more; got None"),
        ("P@2.5", "P: cutoff must be 1 or more and whole; got 2.5"),
        ("P@ten", "P: cutoff must be 1 or more; got 'ten'"),
        ("P@True", "P: cutoff must be 1 or more; got True"),
        ("ndcg_cut.10,23.4", "ndcg_cut.10,23.4: nDCG: cutoff must be 1 or more and whole"),
        ("AP(foo=2)", "AP has no parameter foo. It takes cutoff, rel, divisor, summary"),
        ("AP(rell=2)", "AP has no parameter rell; did you mean rel? It takes cutoff, rel, divisor, summary"),
        ("AP(rel=-1)", "AP: rel must be a number, 0 or more; got -1"),
        ("AP(divisor=max)", "AP: divisor must be relevant or min or retrieved; got 'max'"),
        ("AP(summary=max)", "summary must be mean or geometric"),
        ("AP(2)", "parameters have names, as in AP(rel=2)"),
        ("AP(**rel)", "parameters have names"),
        ("AP(rel=1,rel=2)", "sets a parameter twice"),
        ("IPrec@1.5", "IPrec: recall must be a number, 0 or more and 1 or less; got 1.5"),
        ("RBP(p=1)", "RBP: p must be a number, above 0 and below 1; got 1"),
        ("nDCG(base=1)", "nDCG: base must be a number, above 1; got 1"),
        ("F(beta=1e200)@10", "F: beta must be a number, 0 or more and 1e+100 or less; got 1e+200"),
        ("Rprec(mult=1e308)", "Rprec: mult must be a number, above 0 and 1e+06 or less; got 1e+308"),
        ("IPrecAvg(points=1000000000)", "IPrecAvg: points must be from 2 to 100001; got 1000000000"),
        ("INST(T=1e30)", "INST: T must be a number, above 0 and 1e+06 or less; got 1e+30"),
        (
            "nDCG(gain=cubic)",
            "gain must be linear, exp, binary, signed, signed_exp, or a table such as {1:1,2:3}; got 'cubic'",
        ),
        ("nDCG(gain={})", "a gain table needs at least one grade"),
        ("nDCG(gain={1:-1})", "in a gain table every gain must be a number, 0 or more; got -1"),
        ("nDCG(gain={-1:1})", "in a gain table every grade must be a number, 0 or more; got -1"),
        ("nDCG(gain={1:1,other:5})", "a gain table may say other:linear"),
        ("nDCG(discount=exp)", "discount must be log or jk; got 'exp'"),
        ("nDCG(ideal=best)", "ideal must be judged or retrieved or hits or uncut; got 'best'"),
        ("IPrecAvg(levels=5)", "levels must be a list of numbers in brackets, or None; got 5"),
        ("ERR(top=0)", "top must be a number, above 0, or None; got 0"),
        ("nDGC@10", "'nDGC' is not a measure; did you mean nDCG"),
        ("ndcg10", "'ndcg10' is not a measure; did you mean nDCG@10?"),
        ("Map1000", "'Map1000' is not a measure; did you mean AP@1000?"),
        ("ndcg_cutt_10", "'ndcg_cutt_10' is not a measure; did you mean ndcg_cut"),
        ("recal_10", "did you mean"),
        ("zzzzqqqq", "'zzzzqqqq' is not a measure. `gainful measures --all` lists them."),
        ("P_x", "is not a measure"),
        ("map_10", "map_10: it takes no parameters there; got '10'"),
        ("utility.1,2", "utility.1,2: expected 4 numbers (found, noise, missed, avoided); got '1,2'"),
        ("set_F.-1", "set_F.-1: expected a number, 0 or more"),
        ("rbp.0.5,0.6", "rbp.0.5,0.6: expected one number"),
        ("ndcg.1", "ndcg.1: expected comma-separated numbers"),
        ("P.5,inf", "not a measure"),
        ("R", "R needs a cutoff, as in R@10"),
        ("IPrec(rel=2)", "IPrec(rel=2) needs a recall, as in IPrec@0.1"),
        ("", "no measure was named"),
        (" , ,", "no measure was named"),
        ("nDCG@", "not a measure's name"),
        ("@10", "not a measure's name"),
        ("__import__('os').system('true')", "not a measure's name"),
        (
            "AP(rel=__import__('os'))",
            "a parameter is a number, a word, a table {1:1,2:3} or a list (0.2,0.5)",
        ),
        ("AP(rel=1+1)", "a parameter is a number"),
        ("nDCG(gain={{1:1}:1})", "a parameter is a number"),
        ("nDCG(gain={**a})", "a parameter is a number"),
        ("nDCG(gain={1:{2:3}})", "every gain must be a number"),
        ("P@" + "9" * 400, "P: cutoff must be 1 or more; got 999"),
        ("P@" + "9" * 20, "P: cutoff must be 1,000,000,000 or less; got 999"),
        ("nDCG@2147483648", "nDCG: cutoff must be 1,000,000,000 or less"),
        ("AP(rel=1e999)", "rel must be a number, 0 or more; got inf"),
        ("(lambda: 1)()", "not a measure's name"),
        ("AP.rel", "not a measure"),
        ("AP[0]", "not a measure"),
        ("_measure", "is not a measure"),
        ("nDCG@10@5", "not a measure's name"),
        ("AP(" + "(" * 500, "not a measure's name"),
        ("A" * 1001, "a measure's name of 1001 characters is too long"),
        ("AP(rel=\0)", "not a measure's name"),
        ("P@1or 2", "not a measure's name"),
    ],
)
def test_what_is_not_a_measure_is_refused_with_the_way_out(text, said):
    with pytest.raises(MeasureError) as fault:
        parse_many(text)
    assert said in str(fault.value)


def test_one_measure_is_wanted_where_one_is_asked_for():
    with pytest.raises(MeasureError, match="is 3 measures"):
        parse("success")
    assert parse("P") == P  # without its cutoff, to which @ may be added


@settings(deadline=None, max_examples=200)
@given(text=st.text(alphabet=st.sampled_from("nDCGAPR@()[]{}=,.:+-*'\"_ 0123456789relx\\\n"), max_size=30))
def test_any_text_is_a_list_of_measures_or_a_measure_error(text):
    try:
        found = parse_many(text)
    except MeasureError:
        return
    assert all(parse(str(one)) == one for one in found)


def test_a_measure_lacking_a_parameter_says_so_when_it_is_used():
    with pytest.raises(MeasureError, match="P needs a cutoff, as in P@10"):
        P(judged_run([1]))
    with pytest.raises(MeasureError, match=r"AP\(2\): parameters have names, as in AP\(rel=2\)"):
        AP(2)


def test_names_and_aliases_find_their_measure():
    assert [get(one).name for one in names()] == names()
    assert names() == sorted(names(), key=str.lower)
    assert get("MAP") is get("AP")
    assert get("ndcg") is get("nDCG")
    with pytest.raises(MeasureError, match="did you mean"):
        get("nDGC")
    assert set(names()) <= set(dir(gainful.measures))
    with pytest.raises(AttributeError):
        gainful.measures.NoSuchThing  # noqa: B018


def test_no_two_measures_share_a_name_an_alias_or_a_name_of_trec_eval():
    every = [get(name) for name in names()]
    assert len({one.name.lower() for one in every}) == len(every)
    others = [alias.lower() for one in every for alias in one.aliases if alias.lower() != one.name.lower()]
    roots = [root for one in every for root in one.trec]
    assert len(set(others)) == len(others)
    assert len(set(roots)) == len(roots)
    assert all(
        name != name.lower() for name in names()
    )  # a name in lower case would be hidden by its own file


def test_importing_one_measure_imports_no_other(tmp_path):
    import subprocess

    code = (
        "import sys, gainful.measures; gainful.measures.nDCG; gainful.measures.parse('nDCG(gain=exp)@10');"
        "print(sorted(n for n in sys.modules if n.startswith('gainful.measures.') and '._' not in n),"
        "'gainful._core' in sys.modules, 'gainful.formats' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.strip() == "['gainful.measures.ndcg'] False False"


def test_a_function_of_ones_own_becomes_a_measure():
    @measure
    def Plain(judged):
        return judged.total()

    assert Plain(judged_run([1, 0])).tolist() == [2.0]
    assert Plain.bounds == (float("-inf"), float("inf"))

    @measure(when="nothing relevant", undefined=0.25)
    def Own(judged, *, rel: float = 1, strength: int = 2, flag: bool = False, word: str = "a", free=None):
        return judged.total(where=judged.grade >= rel) * strength

    assert (
        str(Own(strength=3.0, flag=True, word="it is", free=0.5))
        == "Own(strength=3,flag=True,word='it is',free=0.5)"
    )
    assert Own(judged_run([[1], [0]])).tolist() == [2.0, 0.25]
    assert Own(judged_run([[1], [0]]), strength=5).tolist() == [5.0, 0.25]
    for wrong in ({"strength": 1.5}, {"flag": 1}, {"word": 2}, {"rel": "x"}):
        with pytest.raises(MeasureError):
            Own(**wrong)
    assert measure(lambda judged: judged.present)(judged_run([1])).dtype == np.float64
    for wrong in (lambda judged: float(len(judged)), lambda judged: judged.rank):
        with pytest.raises(MeasureError, match="one number for each of 1 topics"):
            measure(wrong)(judged_run([1, 0]))
    with pytest.raises(TypeError, match="summary"):
        measure(lambda judged, *, summary=1: judged.total() * summary)


def test_annotations_may_be_text_as_they_are_in_a_module_that_postpones_them():
    @measure
    def Later(judged, *, strength: "int" = 2):
        return judged.total() * strength

    with pytest.raises(MeasureError, match="whole number"):
        Later(strength=1.5)

    @measure
    def Unknown(judged, *, strength: "NoSuchType" = 2):  # noqa: F821
        return judged.total() * strength

    assert Unknown(strength=1.5)(judged_run([1])) == 1.5


def test_a_gain_of_ones_own_works_and_shows_its_name():
    squared = Gain("squared", np.square, rising=True)
    made = nDCG(gain=squared)
    assert str(made) == "nDCG(gain=squared)"
    assert made(judged_run([2, 3])) == (4 + 9 / np.log2(3)) / (9 + 4 / np.log2(3))
    assert pickle.loads(pickle.dumps(squared)) == squared
    table = Table({1: 2, "other": "linear"})
    assert pickle.loads(pickle.dumps(table)) == table


def test_what_a_measure_leaves_open():
    assert AP.leaves("rel")
    assert not AP(rel=2).leaves("rel")
    assert not RBP.leaves("rel")  # there None is a meaning of its own
    assert not nDCG.leaves("rel")
    assert (nDCG @ 5).cutoff == 5
    assert nDCG.cutoff is None
    assert (IPrec @ 0.5).cutoff is None
    assert (RR @ 5).params == {"cutoff": 5, "rel": 1}
    assert P.params == {"rel": 1, "divisor": "cutoff"}


def test_several_measures_where_one_is_expected_are_counted():
    with pytest.raises(MeasureError, match=r"'nDCG@10,AP' is 2 measures \(nDCG@10, AP\); expected one"):
        parse("nDCG@10,AP")
