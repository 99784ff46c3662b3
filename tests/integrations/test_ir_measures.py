"""The provider against those of ir_measures, and measures both ways."""

from random import Random

import ir_measures
import pandas as pd
import pytest
from ir_measures import AP, RBP, RR, IPrec, Judged, P, R, Rprec, SetF, SetP, Success, nDCG

import gainful
from gainful.errors import MeasureError
from gainful.integrations.ir_measures import register, to_ir_measures
from gainful.measures._other_tools import from_ir_measures

ASKED = [
    *(nDCG @ 10, nDCG(gains={1: 4}) @ 5, nDCG(judged_only=True) @ 10, AP(rel=2) @ 20, AP(judged_only=True)),
    *(P @ 5, P(judged_only=True) @ 5, R @ 10, RR, RR @ 10, RR(rel=2), Rprec, SetF, SetP(relative=True)),
    *(Success @ 1, Judged @ 10, ir_measures.NumRet, ir_measures.NumRel, ir_measures.NumRelRet),
    *(ir_measures.Bpref, ir_measures.infAP, ir_measures.SetAP, ir_measures.SetR),
]


def made(topics=25):
    """Judgments and a run without tied scores, which lacks one judged topic and has one that is not judged."""
    random = Random(11)
    judgments, run = {}, {}
    for number in range(topics):
        ids = [f"d{document}" for document in random.sample(range(300), 60)]
        judgments[f"t{number}"] = {document: random.choice([0, 0, 1, 2]) for document in ids[:30]}
        listed = random.sample(ids, 30)
        run[f"t{number}"] = {document: float(60 - place) for place, document in enumerate(listed)}
    run["other"] = run.pop("t3")
    return judgments, run


@pytest.fixture
def chain(monkeypatch):
    """ir_measures' own choice of providers, restored afterwards."""
    providers = list(ir_measures.DefaultPipeline.providers)
    monkeypatch.setattr(ir_measures.DefaultPipeline, "providers", providers)
    return providers


def test_every_topic_has_the_value_of_the_other_providers(chain):
    judgments, run = made()
    provider = register()
    theirs = {
        (metric.query_id, metric.measure): metric.value
        for measure in ASKED  # one by one: beside others NumRet may be counted among judged documents alone
        for metric in ir_measures.iter_calc([measure], judgments, run)
    }
    ours = {
        (metric.query_id, metric.measure): metric.value
        for metric in provider.iter_calc(ASKED, judgments, run)
    }
    assert len(ours) == len(ASKED) * len(judgments)
    assert ours == pytest.approx(theirs, abs=1e-9)
    assert provider not in chain
    assert ir_measures.providers.registry["gainful"] is provider


def test_means_are_theirs_too_from_frames_and_named_tuples():
    judgments, run = made()
    qrels = [ir_measures.Qrel(q, d, grade) for q, grades in judgments.items() for d, grade in grades.items()]
    lists = pd.DataFrame(
        [(q, d, score) for q, scores in run.items() for d, score in scores.items()],
        columns=["query_id", "doc_id", "score"],
    )
    ours = register().calc_aggregate(ASKED, qrels, lists)
    theirs = {measure: ir_measures.calc_aggregate([measure], judgments, run)[measure] for measure in ASKED}
    assert ours == pytest.approx(theirs, abs=1e-9)


def test_asked_first_it_answers_what_it_can_and_leaves_the_rest(chain, monkeypatch):
    provider = register(first=True)
    assert register(first=True) is provider
    assert chain.count(provider) == 1
    judgments, run = made(4)
    beta = SetF(beta=2.0)
    assert not provider.supports(beta)
    assert not provider.supports(RBP)
    means = ir_measures.calc_aggregate([nDCG @ 10, beta], judgments, run)
    assert means[beta] == ir_measures.pytrec_eval.calc_aggregate([beta], judgments, run)[beta]
    monkeypatch.setattr(type(provider), "_evaluator", None)
    with pytest.raises(TypeError):
        ir_measures.calc_aggregate([nDCG @ 10], judgments, run)


def test_nothing_judged_is_retrieved_gives_the_values_of_ir_measures():
    assert register().calc_aggregate([RR], {"q": {"a": 1}}, {"p": {"a": 1.0}}) == {RR: 0.0}
    assert list(register().iter_calc([RR], {}, {"p": {"a": 1.0}})) == []


def test_interpolated_precision_is_exact():
    """Recall 0.7 of ten relevant documents is reached at the seventh, not later."""
    judgments = {"q": {f"d{number}": 1 for number in range(10)}}
    run = {"q": {**{f"d{number}": 20.0 - number for number in range(7)}, "x": 1.0}}
    assert register().calc_aggregate([IPrec @ 0.7], judgments, run) == {IPrec @ 0.7: 1.0}


@pytest.mark.parametrize("theirs", [*ASKED, IPrec @ 0.1, RBP(p=0.9), ir_measures.ERR @ 5], ids=str)
def test_a_measure_there_and_back_is_the_same(theirs):
    assert to_ir_measures(from_ir_measures(theirs)) == theirs


def test_ours_become_theirs_by_name_or_as_objects():
    assert str(to_ir_measures("nDCG(gain={2:7,other:linear})@10")) == "nDCG(gains={2:7})@10"
    assert to_ir_measures(gainful.AP(rel=2) @ 100) == AP(rel=2) @ 100
    assert to_ir_measures("NumRelRet") == ir_measures.NumRelRet


@pytest.mark.parametrize(
    "measure",
    [
        "nDCG(discount=jk)@10",
        "AP(summary=geometric)",
        "NCG@10",
        "AP(rel=0.5)",
        "nDCG(gain={2:7})@10",
        "RR(rel=1.5)",
    ],
)
def test_what_ir_measures_lacks_is_refused_and_not_approximated(measure):
    with pytest.raises(MeasureError, match="has no counterpart in ir_measures"):
        to_ir_measures(measure)
