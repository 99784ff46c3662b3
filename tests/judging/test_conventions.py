"""Conventions of other tools, one at a time: each value was printed by a tool that has the convention."""

import math

import pytest

import gainful
from gainful.errors import DataError, UsageError
from gainful.judging.settings import Settings

GRADED = {"q": {"a": 3, "b": 2, "c": 1, "d": 0, "e": 1, "f": 3}}
GRADED_RUN = {"q": {"c": 5.0, "x": 4.0, "a": 3.0, "d": 2.0, "b": 1.0}}
TIED = {"q": {"b": 1.0, "a": 1.0, "d": 1.0, "c": 1.0}}
SHORT = {"q": {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}}
SHORT_RUN = {"q": {"a": 2.0, "x": 1.0}}
TWICE = {"q": {"a": 1, "b": 1, "c": 1}}
TWICE_RUN = [("q", "a", 4.0), ("q", "a", 3.0), ("q", "x", 2.0), ("q", "b", 1.0)]
HALF = {"q1": {"a": 1}, "q2": {"a": 0}}
BOTH = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 2.0, "b": 1.0}}


def value(qrels, run, measure, **conventions):
    return gainful.evaluate(qrels, run, measure, **conventions).mean[measure]


@pytest.mark.parametrize(
    ("ties", "rank"),
    [("docid", 4), ("ascending", 1), ("input", 2), ("reverse", 3), ("best", 1), ("worst", 4)],
)
def test_tied_documents_are_ordered_by_every_rule(ties, rank):
    assert value({"q": {"a": 1}}, TIED, "RR", ties=ties) == 1 / rank
    assert value({"q": {"a": 1}}, [("q", d, 1.0) for d in TIED["q"]], "RR", ties=ties) == 1 / rank


def test_an_ideal_cut_at_the_hits_returned_is_that_of_elasticsearch():
    assert math.isclose(value(SHORT, SHORT_RUN, "nDCG(ideal=hits)@10"), 0.6131471927654585, rel_tol=1e-12)
    assert value(SHORT, SHORT_RUN, "nDCG(ideal=hits)@1") == 1


def test_an_ideal_that_is_never_cut_is_that_of_haystack():
    assert math.isclose(value(GRADED, GRADED_RUN, "nDCG(ideal=uncut)@3"), 0.37256055030011764, rel_tol=1e-12)
    assert value(GRADED, GRADED_RUN, "nDCG(ideal=uncut)") == value(GRADED, GRADED_RUN, "nDCG")


def test_precision_of_the_documents_returned_divides_by_their_number():
    assert value(SHORT, SHORT_RUN, "P(divisor=retrieved)@10") == 1 / 2
    assert value(SHORT, SHORT_RUN, "P(divisor=retrieved)@1") == 1
    assert value(SHORT, {"q": {}, "p": {"x": 1.0}}, "P(divisor=retrieved)@10") == 0


def test_recall_of_no_more_than_the_cutoff_is_the_capped_one_of_beir():
    assert value(GRADED, GRADED_RUN, "R(divisor=min)@3") == 2 / 3
    assert value(GRADED, GRADED_RUN, "R(divisor=min)@10") == 3 / 5


def test_binary_gain_counts_every_relevant_document_alike():
    assert math.isclose(value(GRADED, GRADED_RUN, "nDCG(gain=binary)@3"), 0.7039180890341347, rel_tol=1e-12)


def test_signed_gain_lets_a_negative_grade_cost():
    qrels, run = {"q": {"n": -1, "t": 2}}, {"q": {"n": 3.0, "t": 2.0, "x": 1.0}}
    assert math.isclose(
        value(qrels, run, "nDCG(gain=signed)"), 0.19126813092755546, rel_tol=1e-12
    )  # Haystack
    assert math.isclose(
        value(qrels, run, "nDCG(gain=signed_exp)@10"), 0.518819533657934, rel_tol=1e-12
    )  # Quepid
    assert value({"q": {"n": -1, "t": 1}}, {"q": {"t": 1.0}}, "nDCG(gain=signed)@1") == 1
    with pytest.raises(UsageError, match="gain=signed is for sums of discounted gains"):
        value(qrels, run, "Q(gain=signed)")


def test_copies_of_a_document_may_each_count_and_then_values_exceed_one():
    def counted(measure):
        return value(TWICE, TWICE_RUN, measure, duplicates="counted")

    assert math.isclose(counted("nDCG@3"), 0.7653606369886217, rel_tol=1e-12)  # sentence-transformers
    assert counted("R@10") == 1
    assert math.isclose(counted("AP"), 0.9166666666666666, rel_tol=1e-12)
    thrice = [("q", "a", 3.0), ("q", "a", 2.0), ("q", "a", 1.0)]
    many = gainful.evaluate({"q": {"a": 1}}, thrice, "nDCG, AP, R@3", duplicates="counted").mean
    assert many["AP"] == many["R@3"] == 3
    assert math.isclose(many["nDCG"], 2.1309297535714578, rel_tol=1e-12)  # LlamaIndex


def test_copies_of_a_document_may_keep_their_ranks_and_be_credited_once():
    once = gainful.evaluate(TWICE, TWICE_RUN, "AP, nDCG, R@4, NumRet", duplicates="once").mean
    assert once["AP"] == (1 / 1 + 2 / 4) / 3  # Haystack
    assert math.isclose(once["nDCG"], 0.6713860725233041, rel_tol=1e-12)
    assert once["R@4"] == 2 / 3
    assert once["NumRet"] == 4


def test_judgments_with_copies_are_an_error_where_copies_in_runs_count():
    twice = [("q", "a", 1), ("q", "a", 1)]
    with pytest.raises(DataError, match="'a'"):
        gainful.evaluate(twice, TIED, "AP", duplicates="counted")


@pytest.mark.parametrize(
    ("undefined", "mean"), [("keep", 0.5), ("0", 0.5), ("1", 1.0), ("skip", 1.0), ("nan", math.nan)]
)
def test_a_topic_with_nothing_relevant_is_worth_what_is_asked(undefined, mean):
    scores = gainful.evaluate(HALF, BOTH, "nDCG@10", undefined=undefined)
    assert scores.mean["nDCG@10"] == pytest.approx(mean, nan_ok=True)
    assert scores.runs[0].undefined == {"nDCG@10": ["q2"]}
    assert scores.mean["nDCG@10"] == pytest.approx(
        float(gainful.curve(HALF, BOTH, "nDCG", undefined=undefined, to=10)[0].values[-1]), nan_ok=True
    )


def test_a_missing_topic_may_be_an_error_that_names_it():
    with pytest.raises(DataError, match=r"run 'run': 1 judged topic not in the run: q2\. .*--missing empty"):
        gainful.evaluate(HALF, {"q1": {"a": 1.0}}, "AP", missing="error")
    assert gainful.evaluate(HALF, BOTH, "AP", missing="error").mean == gainful.evaluate(HALF, BOTH, "AP").mean


def test_a_pool_of_retrieved_documents_is_all_that_label_lists_know():
    def listed(measure):
        return value(GRADED, GRADED_RUN, measure, pool="retrieved")

    assert math.isclose(listed("nDCG"), 0.6874847125494649, rel_tol=1e-12)  # scikit-learn
    assert math.isclose(listed("nDCG@3"), 0.5250049893849102, rel_tol=1e-12)
    assert listed("R@3") == 2 / 3  # rax
    assert math.isclose(listed("AP@3"), 0.5555555820465088, rel_tol=1e-6)
    assert value(GRADED, GRADED_RUN, "nDCG(ideal=retrieved)@3") == listed("nDCG@3")


def test_topics_are_rounded_before_the_mean_and_the_mean_after():
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    run = {q: {"x": 3.0, "y": 2.0, "a": 1.0} for q in qrels}  # 1/3 each
    assert value(qrels, run, "RR", round_topics=2) == 0.33
    mixed = {"q1": run["q1"], "q2": {"a": 1.0}}
    assert value(qrels, mixed, "RR", round_topics=2) == (0.33 + 1) / 2
    assert value(qrels, mixed, "RR", round_mean=2) == 0.67
    assert value(GRADED, GRADED_RUN, "nDCG(gain=exp)@10", round_topics=5) == 0.41216  # gdeval
    eighth = {"q": {f"x{place}": -float(place) for place in range(7)} | {"a": -7.0}}
    assert value({"q": {"a": 1}}, eighth, "RR", round_topics=2) == 0.12
    assert value({"q": {"a": 1}}, eighth, "RR", round_topics=2, round_halves="up") == 0.13  # OpenSearch


def test_settings_state_what_was_changed_and_refuse_what_is_not_known():
    said = Settings(
        ties="reverse", undefined="1", pool="retrieved", round_topics=5, duplicates="counted"
    ).stated()
    for words in (
        "ties: in the reverse of the order given",
        "topics with nothing relevant: score 1",
        "relevant documents: those in the list",
        "values of topics: rounded to 5 decimals",
        "documents twice in a topic: each copy counts",
    ):
        assert words in said
    with pytest.raises(
        UsageError, match="round_mean must be a whole number, from 0 to 15, or None for no rounding; got 16"
    ):
        Settings(round_mean=16)


def test_bounds_of_unjudged_documents_are_refused_where_they_are_not_known():
    from gainful.comparisons.unjudged.unknown import unknown

    for odd in ({"pool": "retrieved"}, {"duplicates": "once"}):
        with pytest.raises(UsageError):
            unknown(HALF, {"a": BOTH, "b": BOTH}, "P@1", **odd)


@pytest.mark.parametrize("measure", ["nDCG@2", "R@2", "AP", "RR"])
def test_a_pool_of_retrieved_documents_is_that_of_the_list_for_some_of_the_topics_too(measure):
    qrels = {"p": {"a": 1}, "q": {"a": 3, "b": 2, "c": 1}}
    run = {"p": {"a": 1.0}, "q": {"x": 2.0, "c": 1.0}}
    whole = gainful.evaluate(qrels, run, measure, pool="retrieved")
    some = gainful.evaluate(qrels, run, measure, pool="retrieved", topics=["q"])
    assert some.per_topic == {"q": whole.per_topic["q"]}


@pytest.mark.parametrize("ties", ["best", "worst", "expected"])
def test_tied_copies_of_which_one_is_credited_need_an_order(ties):
    with pytest.raises(UsageError, match=f"duplicates=once has no ties={ties}"):
        gainful.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "RR", ties=ties, duplicates="once")
