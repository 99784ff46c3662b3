"""Measure objects of ir_measures are measures here."""

import ir_measures
import pytest

import gainful
from gainful.errors import MeasureError, UsageError
from gainful.measures._other_tools import from_ir_measures, is_of_ir_measures

QRELS = {"q": {"a": 2, "b": 0, "c": 1}}
RUN = {"q": {"b": 3.0, "a": 2.0, "c": 1.0}}

SAME = [
    ir_measures.nDCG,
    ir_measures.nDCG @ 10,
    ir_measures.AP(rel=2) @ 100,
    ir_measures.P @ 5,
    ir_measures.RR,
    ir_measures.R(rel=2) @ 20,
    ir_measures.Judged @ 10,
    ir_measures.Success @ 1,
    ir_measures.Rprec,
    ir_measures.Bpref,
    ir_measures.infAP,
    ir_measures.IPrec @ 0.1,
    ir_measures.SetP,
    ir_measures.NumRet,
]


@pytest.mark.parametrize("measure", SAME, ids=str)
def test_the_text_stays(measure: object) -> None:
    assert is_of_ir_measures(measure)
    assert str(from_ir_measures(measure)) == str(measure)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (ir_measures.nDCG(dcg="exp-log2") @ 10, "nDCG(gain=exp)@10"),
        (ir_measures.SetF(beta=2.0), "SetF(beta=2)"),
        (ir_measures.RBP(rel=1), "RBP(rel=1)"),
        (ir_measures.SetP(relative=True), "SetRelP"),
        (ir_measures.SetP(rel=2, relative=True), "SetRelP(rel=2)"),
    ],
    ids=str,
)
def test_parameters_have_the_names_that_they_have_here(theirs: object, ours: str) -> None:
    assert str(from_ir_measures(theirs)) == ours


def test_they_stand_beside_measures_and_text() -> None:
    scores = gainful.evaluate(QRELS, RUN, [ir_measures.nDCG @ 10, gainful.AP, "P@2"])
    assert list(scores.mean) == ["nDCG@10", "AP", "P@2"]
    assert scores.mean["AP"] == (1 / 2 + 2 / 3) / 2
    assert scores.mean[str(ir_measures.P @ 2)] == 1 / 2


def test_one_alone_needs_no_list() -> None:
    assert gainful.evaluate(QRELS, RUN, ir_measures.RR).mean == {"RR": 1 / 2}


def test_the_relevance_level_of_the_settings_reaches_them() -> None:
    assert list(gainful.evaluate(QRELS, RUN, [ir_measures.AP], rel=2).mean) == ["AP(rel=2)"]


def test_a_measure_of_ones_own_is_refused_by_name() -> None:
    own = ir_measures.define_byquery(lambda *_: 1.0, name="Mine")
    assert is_of_ir_measures(own)
    with pytest.raises(MeasureError, match="Mine of ir_measures has no counterpart here"):
        gainful.evaluate(QRELS, RUN, [own])


def test_other_objects_are_still_refused() -> None:
    assert not is_of_ir_measures(len)
    assert not is_of_ir_measures("nDCG@10")
    assert not is_of_ir_measures(gainful.AP)
    with pytest.raises(UsageError, match="is not a measure"):
        gainful.evaluate(QRELS, RUN, [len])  # type: ignore[list-item]
