"""What arrays mean: padding, documents that are no candidates, scores that are not numbers, and what is refused."""

import numpy as np
import pytest

from gainful import evaluate as evaluate_files
from gainful.batch import evaluate
from gainful.errors import MeasureError, UsageError
from gainful.measures import get, measure, names

SCORES = np.array([[0.9, 0.8, 0.7, 0.6]])
GRADES = np.array([[0, 1, 0, 1]])


def value(name, scores=SCORES, grades=GRADES, **more):
    return evaluate(scores, grades, name, **more)[name][0]


def test_equal_scores_stand_in_the_order_of_columns_as_with_ties_input():
    scores, grades = np.zeros((1, 5)), np.array([[0, 0, 1, 0, 2]])
    columns = [f"d{9 - column}" for column in range(5)]
    run = {"q": dict.fromkeys(columns, 0.0)}
    judgments = {"q": dict(zip(columns, grades[0].tolist(), strict=True))}
    files = evaluate_files(judgments, run, "RR, nDCG@3", ties="input")
    found = evaluate(scores, grades, "RR, nDCG@3")
    assert {name: values[0] for name, values in found.items()} == pytest.approx(files.mean, abs=1e-15)
    assert found["RR"][0] == 1 / 3


def test_padding_is_neither_retrieved_nor_judged():
    mask = np.array([[True, False, True, True]])
    assert value("NumRet", mask=mask) == 3
    assert value("NumRel", mask=mask) == 1
    assert value("RR", mask=mask) == 1 / 3


def test_minus_infinity_is_a_score_and_stands_before_padding():
    scores = np.array([[1.0, -np.inf, -np.inf, -np.inf]])
    mask = np.array([[True, False, True, True]])
    assert value("NumRet", scores, mask=mask) == 3
    assert value("AP", scores, np.array([[0, 9, 1, 0]]), mask=mask) == 1 / 2
    assert value("P@2", scores, np.array([[0, 9, 1, 0]]), mask=mask) == 1 / 2


def test_documents_beyond_the_candidates_count_in_recall_and_in_the_ideal():
    beyond = np.array([[3.0, np.nan]])
    assert value("R@4") == 1
    assert value("R@4", beyond=beyond) == 2 / 3
    ideal = 3 + 1 / np.log2(3) + 1 / 2
    gained = 1 / np.log2(3) + 1 / np.log2(5)
    assert value("nDCG@4", beyond=beyond) == pytest.approx(gained / ideal, abs=1e-15)


def test_a_candidate_that_nobody_judged_is_nan_or_a_number_of_ones_choice():
    by_nan = value("Judged@4", grades=np.array([[0, 1, np.nan, 1]]))
    by_number = value("Judged@4", grades=np.array([[0, 1, -100, 1]]), unjudged=-100)
    assert by_nan == by_number == 3 / 4
    beyond = np.array([[1, -100]])
    assert value("NumRel", grades=np.array([[0, 1, -100, 1]]), beyond=beyond, unjudged=-100) == 3


def test_a_negative_grade_is_in_the_pool_but_not_judged():
    grades = np.array([[0, 1, -1, 1]])
    assert value("Judged@4", grades=grades) == 3 / 4
    assert value("NumRel", grades=grades) == 2


def test_a_score_that_is_not_a_number_makes_its_topic_nan_and_no_other():
    scores = np.array([[0.9, np.nan, 0.7], [0.9, 0.8, 0.7]])
    grades = np.array([[0, 1, 0], [0, 1, 0]])
    for name, values in evaluate(scores, grades, "nDCG@2, AP, NumRel").items():
        assert np.isnan(values[0]), name
        assert not np.isnan(values[1]), name
    padded = np.array([[True, False, True], [True, True, True]])
    assert not np.isnan(evaluate(scores, grades, "AP", mask=padded)["AP"]).any()


def test_a_topic_with_nothing_relevant_has_the_value_that_the_measure_declares():
    nothing = np.zeros((1, 4))
    for name in ("nDCG@10", "AP", "RBPres"):
        declared = evaluate_files({"q": {"a": 0}}, {"q": {"a": 1.0}}, name).per_topic["q"][name]
        assert value(name, np.zeros((1, 1)), nothing[:, :1]) == pytest.approx(declared, abs=1e-12)


def test_no_candidates_at_all_are_empty_lists():
    found = evaluate(np.zeros((2, 0)), np.zeros((2, 0)), "nDCG@10, NumRet", beyond=np.array([[1.0], [0.0]]))
    assert found["nDCG@10"].tolist() == [0, 0]
    assert found["NumRet"].tolist() == [0, 0]


def test_no_topics_are_no_values():
    found = evaluate(np.zeros((0, 3)), np.zeros((0, 3)), "nDCG@10, P@2, ERR, RBP")
    assert all(values.shape == (0,) for values in found.values())


def test_the_best_grade_of_the_scale_can_be_said():
    assert value("RBP(p=0.5)", top=2) == value("RBP(p=0.5,top=2)")
    assert value("RBP(p=0.5)") == value("RBP(p=0.5,top=1)")


def test_a_measure_of_ones_own_runs_too():
    @measure(bounds=(0, 1), when="nothing relevant")
    def First(judged, *, rel: float = 1):
        top = judged.cut(1)
        return top.total(where=top.grade >= rel)

    found = evaluate(np.array([[1.0, 2.0]]), np.array([[0, 1]]), [First, First(rel=2)])
    assert {name: values.tolist() for name, values in found.items()} == {"First": [1], "First(rel=2)": [0]}


@pytest.mark.parametrize("name", [name for name in names() if get(name).needs is not None])
def test_a_measure_that_needs_more_than_grades_says_so(name):
    one = get(name) @ 10 if get(name)._lacks else get(name)
    with pytest.raises(MeasureError, match=f"^{name}.* needs "):
        evaluate(SCORES, GRADES, one)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"grades": GRADES[:, :3]}, r"grades must have the shape of scores, \(1, 4\); got \(1, 3\)"),
        ({"scores": SCORES[0]}, r"scores must be topics × candidates; got the shape \(4,\)"),
        ({"scores": [[1, 2, 3, 4]]}, "scores must be an array; got list"),
        ({"grades": GRADES + 0j}, "grades must hold numbers; got the type complex128"),
        ({"mask": GRADES}, "mask must be boolean; got type int64"),
        ({"mask": GRADES[:, :2] > 0}, "mask must have the shape of scores"),
        ({"beyond": np.zeros((3, 2))}, "beyond must have a row for each of 1 topics; got 3"),
        ({"beyond": np.zeros(3)}, r"beyond must be topics × documents; got the shape \(3,\)"),
        ({"grades": np.ma.masked_equal(GRADES, 0)}, "grades is a masked array; pass its .data"),
        ({"measures": 10}, "expected measures, such as 'nDCG@10, AP'; got 10"),
        ({"measures": []}, "give at least one measure, such as 'nDCG@10'"),
        ({"measures": "nDGC@10"}, "did you mean nDCG"),
        ({"measures": "F(beta=2)"}, r"F\(beta=2\) needs a cutoff, as in F@10"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(arguments, says):
    with pytest.raises(UsageError, match=says):
        evaluate(**{"scores": SCORES, "grades": GRADES, "measures": "AP", **arguments})


def test_arrays_of_two_libraries_do_not_mix():
    torch = pytest.importorskip("torch")
    with pytest.raises(UsageError, match="grades and scores must be arrays of the same library"):
        evaluate(torch.zeros(1, 4), GRADES, "AP")


def test_levels_with_many_digits_are_refused_on_other_libraries_than_numpy():
    torch = pytest.importorskip("torch")
    assert value("IPrec@0.123456789") >= 0
    with pytest.raises(MeasureError, match="too many digits for arrays"):
        evaluate(torch.zeros(1, 4), torch.ones(1, 4), "IPrec@0.123456789")


def test_nothing_is_computed_on_another_device_or_asked_of_it():
    """PyTorch's meta device has shapes and no numbers: whoever looked at one would fail."""
    torch = pytest.importorskip("torch")
    scores = torch.zeros((5, 7), device="meta")
    measures = [
        one @ {"cutoff": 10, "recall": 0.3}[one.definition.at] if one._lacks else one
        for one in map(get, names())
        if one.needs is None
    ]
    mask = torch.ones((5, 7), device="meta", dtype=torch.bool)
    beyond = torch.zeros((5, 2), device="meta")
    for name, values in evaluate(scores, scores, measures, mask=mask, beyond=beyond).items():
        assert values.device.type == "meta", name
        assert values.shape == (5,), name


def test_no_gradients_are_recorded_under_no_grad_and_none_flow_into_scores():
    torch = pytest.importorskip("torch")
    scores = torch.randn(3, 4, requires_grad=True)
    with torch.no_grad():
        assert not evaluate(scores, torch.ones(3, 4), "nDCG@2")["nDCG@2"].requires_grad
    assert not evaluate(scores, torch.ones(3, 4), "nDCG@2")["nDCG@2"].requires_grad


@pytest.mark.parametrize("kind", ["uint8", "int8", "int16"])
@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_numbers_that_the_type_of_grades_cannot_hold_do_not_wrap_around(library, kind):
    module = pytest.importorskip(library)
    scores, grades = module.asarray(SCORES), module.asarray(np.array([[44, 1, 2, 3]]).astype(kind))
    assert float(evaluate(scores, grades, "NumRel", unjudged=300)["NumRel"][0]) == 4  # 300 is 256 + 44
    assert float(evaluate(scores, grades, "NumRel(rel=257)")["NumRel(rel=257)"][0]) == 0  # and 257 is 256 + 1


@pytest.mark.parametrize("kind", ["int64", "bool"])
def test_grades_without_fractions_are_compared_with_fractions_where_the_library_would_not(kind):
    strict = pytest.importorskip("array_api_strict")
    scores, grades = strict.asarray(SCORES), strict.asarray(GRADES.astype(kind))
    found = evaluate(scores, grades, "P(rel=0.5)@4, NumRel(rel=1.5), NumRel", unjudged=-0.5)
    assert [float(values[0]) for values in found.values()] == [2 / 4, 0, 2]


def test_numbers_may_come_in_the_other_byte_order():
    swapped = SCORES.dtype.newbyteorder(">")
    assert value("AP", SCORES.astype(swapped), GRADES.astype(">i4")) == value("AP")
    assert value("ERR@3", SCORES.astype(">f4"), GRADES.astype(">f4")) == pytest.approx(
        value("ERR@3"), abs=1e-6
    )
