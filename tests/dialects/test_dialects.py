"""Dialects: names, versions, what is declined, and what is printed."""

import random

import pytest

import gainful
from gainful.dialects import Spelled, dialect, dialect_registry, every, find
from gainful.errors import DataError, MeasureError, UsageError
from gainful.measures import nDCG
from gainful.scores import score_output

QRELS = {"q1": {"a": 2, "q1": 1}, "q2": {"b": 1}}
RUN = {"q1": {"q1": 3.0, "a": 2.0}, "q2": {"b": 1.0}}


def test_every_dialect_is_complete():
    for each in every():
        assert each.measures
        assert each.source
        assert each.tool
        assert each.conventions
        assert [column.name for column in each.columns()] == list(each.usual)
        for spelled in each.measures:
            assert spelled.at("10").measure.cutoff == (
                10 if "{k}" in spelled.measure else spelled.at("7").measure.cutoff
            )
            each.settings_of(spelled)


def test_the_tools_that_people_ask_about_are_there():
    names = {each.name for each in every()}
    assert names >= {
        *(
            "trec-eval",
            "pytrec-eval",
            "gdeval",
            "ir-measures",
            "ranx",
            "beir",
            "mteb",
            "sentence-transformers",
        ),
        *(
            "ms-marco",
            "scikit-learn",
            "torchmetrics",
            "spark",
            "tf-ranking",
            "rax",
            "lightgbm",
            "xgboost",
            "catboost",
        ),
        *(
            "haystack",
            "llama-index",
            "mlflow",
            "ragas",
            "elasticsearch",
            "opensearch",
            "quepid",
            "cwl-eval",
            "ntcireval",
        ),
    }
    assert [each.version for each in every() if each.name == "trec-eval"] == ["10.0", "9.0.8"]


def test_names_and_digits_are_those_of_the_tool():
    scores = gainful.evaluate(QRELS, RUN, dialect="beir@2.2")
    assert scores.mean["NDCG@10"] == 0.88009  # (0.76019 + 1) / 2: the document of the topic's own id is gone
    assert scores.dialect == scores.to_dict()["dialect"] == "beir@2.2.0"
    assert "dialect: beir@2.2.0" in str(scores)
    assert gainful.evaluate(QRELS, RUN, [nDCG @ 10], dialect="beir").mean == {"NDCG@10": 0.88009}
    assert gainful.evaluate(QRELS, RUN, "ndcg@3, MRR@3", dialect="beir").mean == {
        "NDCG@3": 0.88009,
        "MRR@3": 1.0,
    }


def test_measures_of_one_dialect_may_have_settings_of_their_own():
    missing = {"q1": RUN["q1"]}
    means = gainful.evaluate(QRELS, missing, "NDCG@10, MRR@10", dialect="beir")
    assert means.mean == {"NDCG@10": 0.76019, "MRR@10": 0.5}  # left out of one, and 0 in the other
    assert set(means.per_topic["q2"]) == {"MRR@10"}
    with pytest.raises(DataError, match="q2"):
        gainful.evaluate(QRELS, missing, dialect="ranx")


def test_an_unknown_dialect_version_or_measure_is_refused_with_what_there_is():
    with pytest.raises(UsageError, match="'bier' is not a dialect; did you mean beir"):
        find("bier")
    with pytest.raises(UsageError, match=r"nothing is known of beir 3\.0; known: beir 1\.0\.1 to 2\.2\.0"):
        find("beir@3.0")
    with pytest.raises(
        MeasureError, match=r"mlflow@3\.17\.2 has no measure 'bpref'; it has ndcg_at_K, precision_at_K"
    ):
        gainful.evaluate(QRELS, RUN, "bpref", dialect="mlflow")
    with pytest.raises(UsageError, match="a dialect has its own ties"):
        gainful.evaluate(QRELS, RUN, dialect="beir", ties="best")
    assert find("trec_eval@9").version == "9.0.8"


def test_ties_are_declined_only_where_they_decide_and_the_tool_has_no_rule():
    qrels = {"q": {"a": 1, "b": 0, "c": 1}}
    assert gainful.evaluate(qrels, {"q": {"a": 2.0, "c": 2.0, "b": 1.0}}, "map", dialect="ranx").mean == {
        "map": 1.0
    }
    with pytest.raises(DataError, match=r"no reproducible order of tied scores .* and ties decide map here"):
        gainful.evaluate(qrels, {"q": {"a": 2.0, "b": 2.0, "c": 1.0}}, "map", dialect="ranx")


@pytest.mark.parametrize(
    ("grade", "name", "takes"),
    [
        (0.5, "pytrec-eval", "whole grades"),
        (-1, "scikit-learn", "grades of 0 or more"),
        (-1, "lightgbm", "whole grades of 0"),
    ],
)
def test_grades_that_a_tool_does_not_take_are_named(grade, name, takes):
    with pytest.raises(DataError, match=takes):
        gainful.evaluate({"q": {"a": grade, "b": 1}}, {"q": {"a": 1.0, "b": 0.5}}, dialect=name)


def test_a_tool_that_stops_at_topics_with_nothing_relevant_stops():
    with pytest.raises(DataError, match=r"llama-index@.* stops at topics with nothing relevant: q2"):
        gainful.evaluate(
            {"q1": {"a": 1}, "q2": {"a": 0}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}}, dialect="llama-index"
        )


def test_a_known_fault_is_reproduced_and_named():
    qrels = {"q": {"a": 1, "b": 1, "c": 1}}
    run = {"q": {"a": 3.0, "b": 2.0, "x": 1.0}}  # two of three found, first
    ours = gainful.evaluate(qrels, run, "IPrec@0.7, IPrecAvg").mean
    assert ours == {"IPrec@0.7": 0.0, "IPrecAvg": 7 / 11}
    nine = gainful.evaluate(qrels, run, "iprec_at_recall_0.70, 11pt_avg", dialect="trec-eval@9").mean
    assert nine == {"iprec_at_recall_0.70": 1.0, "11pt_avg": 8 / 11}
    ten = gainful.evaluate(qrels, run, "11pt_avg", dialect="trec-eval@10").mean
    assert ten == {"11pt_avg": 9 / 11}
    from gainful.dialects.dialect_text import explained

    assert "Known fault, reproduced: a level of recall asks for round(level · R)" in " ".join(
        explained(find("trec-eval@10")).split()
    )


def test_one_file_adds_a_dialect(monkeypatch):
    monkeypatch.setattr(dialect_registry, "_dialects", dict(dialect_registry._dialects))
    dialect(
        name="house",
        version="1",
        tool="a tool of one's own",
        settings={"round_mean": 1},
        measures=[Spelled("quality@{k}", "P@{k}")],
        usual=["quality@1"],
        source="us",
    )
    assert gainful.evaluate(QRELS, RUN, dialect="house").mean == {"quality@1": 1.0}


def test_the_caller_may_cut_the_lists_of_tools_without_a_cutoff():
    scores = gainful.evaluate(QRELS, RUN, "DocumentMRREvaluator", dialect="haystack", depth=1)
    assert scores.mean == {"DocumentMRREvaluator": 1.0}


def test_the_order_of_rows_and_of_topics_changes_no_number():
    chance = random.Random(4)
    rows = [(topic, f"d{number}", float(chance.randrange(4))) for topic in "pqr" for number in range(8)]
    qrels = {topic: {f"d{number}": chance.randrange(3) for number in range(0, 8, 2)} for topic in "pqr"}
    shuffled = chance.sample(rows, len(rows))
    for name in ("trec-eval@9", "beir", "catboost", "scikit-learn", "sentence-transformers"):
        asked = [column for column in find(name).usual if "MRR@" not in column]
        assert gainful.evaluate(qrels, rows, asked, dialect=name).mean == pytest.approx(
            gainful.evaluate(qrels, shuffled, asked, dialect=name).mean, abs=1e-15
        )


def test_scores_in_a_dialect_are_compared_by_what_counts_and_not_merged():
    scores = gainful.evaluate(
        QRELS, {"a": RUN, "b": {"q1": RUN["q1"], "q2": {"x": 1.0}}}, "NDCG@10", dialect="mteb"
    )
    from gainful.comparisons.comparison import compare_scores

    (pair,) = compare_scores(scores).pairs
    assert pair.difference == pytest.approx(-0.5)
    with pytest.raises(UsageError, match="in a dialect"):
        gainful.Scores.merge(scores, scores)


def test_the_table_of_the_page_is_as_it_is_made():
    import importlib.util
    from pathlib import Path

    script = Path(__file__).parents[2] / "docs" / "make_dialects.py"
    spec = importlib.util.spec_from_file_location("make_dialects", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.table() in (script.parent / "dialects.md").read_text("utf-8")


def test_what_is_said_of_a_measure_of_ours_is_found_or_refused_never_dropped():
    qrels, run = {"1": {"a": 3, "b": 1}}, {"1": {"b": 2.0, "a": 1.0}}
    for name, asked, tools in (
        ("ir-measures", "nDCG(gain=exp)@10", "nDCG(dcg='exp-log2')@10"),
        ("ir-measures", "nDCG@10", "nDCG@10"),
        ("trec-eval@9", "IPrec@0.3", "iprec_at_recall_0.30"),
        ("trec-eval@9", "AP(summary=geometric)", "gm_map"),
        ("catboost", "AP@5", "MAP:top=5"),
    ):
        assert list(gainful.evaluate(qrels, run, asked, dialect=name).mean) == [tools]
    for name, asked in (
        ("trec-eval@9", "AP(rel=2)"),
        ("beir", "AP(unjudged=condense)@5"),
        ("mteb", "nDCG(gain=exp)@5"),
    ):
        with pytest.raises(MeasureError, match="has no measure"):
            gainful.evaluate(qrels, run, asked, dialect=name)


def test_gdeval_leaves_out_topics_with_nothing_relevant_and_stops_at_grades_above_4():
    qrels, run = {"1": {"a": 1}, "2": {"a": 0}}, {"1": {"a": 1.0}, "2": {"a": 1.0}}
    assert gainful.evaluate(qrels, run, "ndcg@10, err@10", dialect="gdeval").mean == {
        "ndcg@10": 1.0,
        "err@10": 0.0625,
    }
    # ir_measures adds the topics that gdeval.pl does not print
    assert gainful.evaluate(qrels, run, "ERR@10", dialect="ir-measures").mean == {"ERR@10": 0.0625 / 2}
    for name, asked in (("gdeval", "err@10"), ("ir-measures", "ERR@10")):
        with pytest.raises(DataError, match="takes whole grades up to 4"):
            gainful.evaluate({"1": {"a": 5}}, {"1": {"a": 1.0}}, asked, dialect=name)
    assert gainful.evaluate({"1": {"a": 5}}, {"1": {"a": 1.0}}, "nDCG@10", dialect="ir-measures").mean == {
        "nDCG@10": 1.0
    }


def test_a_dialect_that_sees_lists_alone_has_the_same_numbers_for_some_of_the_topics():
    qrels = {"p": {"a": 1}, "q": {"a": 3, "b": 2, "c": 1}}
    run = {"p": {"a": 1.0}, "q": {"x": 2.0, "c": 1.0}}
    every_topic = gainful.evaluate(qrels, run, "ndcg@10, map@10", dialect="lightgbm")
    some = gainful.evaluate(qrels, run, "ndcg@10, map@10", dialect="lightgbm", topics=["q"])
    assert some.per_topic == {"q": every_topic.per_topic["q"]}


def test_haystack_gives_nothing_where_bad_documents_outweigh_the_good_ones_of_the_ideal_list():
    qrels = {"q": {"good": 1, "bad": -5}}
    for retrieved in ("good", "bad"):
        scores = gainful.evaluate(qrels, {"q": {retrieved: 1.0}}, "DocumentNDCGEvaluator", dialect="haystack")
        assert scores.mean == {"DocumentNDCGEvaluator": 0.0}


def test_measures_with_conventions_of_their_own_are_named_and_their_lines_state_them():
    scores = gainful.evaluate(QRELS, RUN, "NDCG@10, MRR@10", dialect="beir")
    assert "other conventions: MRR@10" in " ".join(str(scores).split())
    _, of_ndcg, of_mrr = score_output.long_csv(scores, per_topic=False, places=4).splitlines()
    assert "ties docid; missing skip" in of_ndcg
    assert "ties input; missing empty" in of_mrr
    own = {"ties": "input", "missing": "empty", "scores": "64"}
    assert scores.to_dict()["settings_of_measures"] == {"MRR@10": own}
    alone = gainful.evaluate(QRELS, RUN, "NDCG@10", dialect="beir")
    assert "settings_of_measures" not in alone.to_dict()
    assert "other conventions" not in str(alone)


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ("beir@2.1", "beir@2.2.0"),
        ("beir@1.0.0", "beir@1.0.0"),
        ("beir@1.0", "beir@2.2.0"),  # 1.0.1 is the newest 1.0
        ("mteb@2.18.18", "mteb@2.18.18"),
        ("mteb@2.18.19", "mteb@2.26.24"),
        ("mteb@1", "mteb@1.39.7"),
        ("llama-index@0.12", "llama-index@0.14.25"),
        ("llama-index@0.12.4", "llama-index@0.12.5"),
        ("haystack@2", "haystack@3.0.0"),
        ("gdeval@1.2a", "gdeval@1.2a"),
        ("trec-eval@9", "trec-eval@9.0.8"),
    ],
)
def test_a_version_is_found_by_the_versions_that_do_the_same(asked, title):
    assert find(asked).title == title


def test_versions_of_a_tool_differ_where_it_changed():
    def mean(name, measure, qrels=QRELS, run=RUN, **said):
        return gainful.evaluate(qrels, run, measure, dialect=name, **said).mean[measure]

    own_id = [mean(f"beir@{version}", "NDCG@10") for version in ("2.2", "1.0.0")]
    assert own_id == [0.88009, 0.92986]  # the document of the topic's own id goes, and stays
    tied = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}
    assert [mean(f"mteb@{version}", "MRR@10", *tied) for version in ("2.18.19", "2.18.18")] == [0.5, 1.0]
    short = {"q": {"a": 1, "b": 1}}, {"q": {"a": 1.0}}
    average = [mean(f"haystack@{version}", "DocumentMAPEvaluator", *short) for version in ("3.1", "3.0")]
    assert average == [0.5, 1.0]
    ideal = [mean(f"llama-index@{version}", "ndcg", *short) for version in ("0.12.6", "0.12.5")]
    assert ideal == pytest.approx([0.6131471927654584, 1.0])
    with pytest.raises(MeasureError, match="has no measure 'ndcg'"):
        mean("llama-index@0.12.2", "ndcg", *short)
    with pytest.raises(DataError, match="no reproducible order"):
        mean("torchmetrics@1.1", "RetrievalNormalizedDCG", *tied)


def test_a_default_that_is_said_of_a_measure_of_ours_is_not_dropped():
    qrels, run = {"1": {"a": 3, "b": 1}}, {"1": {"b": 2.0, "a": 1.0}}
    assert list(gainful.evaluate(qrels, run, "nDCG@10", dialect="lightgbm").mean) == ["ndcg@10"]
    assert list(gainful.evaluate(qrels, run, "nDCG(gain=exp)@10", dialect="lightgbm").mean) == ["ndcg@10"]
    assert list(gainful.evaluate(qrels, run, "nDCG(gain=linear)@10", dialect="beir").mean) == ["NDCG@10"]
    for name, asked in (
        ("lightgbm", "nDCG(gain=linear)@10"),
        ("llama-index", "nDCG(ideal=judged)"),
        ("lightgbm", "AP(divisor=relevant)@10"),
    ):
        with pytest.raises(MeasureError, match="has no measure"):
            gainful.evaluate(qrels, run, asked, dialect=name)


def test_a_depth_is_refused_in_the_words_of_a_tool_that_averages_over_ties():
    with pytest.raises(
        UsageError, match=r"leave --depth out, and give its measures a cutoff, as in ndcg_score\(k=10\)"
    ):
        gainful.evaluate(QRELS, RUN, dialect="scikit-learn", depth=5)


def test_an_ideal_list_worth_less_than_nothing_is_0_in_opensearch_and_declined_for_quepid():
    qrels, run = {"q": {"good": 1, "bad": -5, "worse": -6}}, {"q": {"bad": 2.0, "good": 1.0}}
    only_bad = {"q": {"bad": -5}}
    assert gainful.evaluate(only_bad, run, "NDCG@10", dialect="opensearch").mean == {"NDCG@10": 0.0}
    with pytest.raises(
        DataError, match="divides ndcg@10 of topic q by an ideal list that is worth less than nothing"
    ):
        gainful.evaluate(only_bad, run, "ndcg@10", dialect="quepid")
    with pytest.raises(DataError, match="less than nothing"):
        gainful.evaluate(qrels, run, "ndcg@1", dialect="quepid")
    assert gainful.evaluate(qrels, run, "ndcg_cut@1", dialect="quepid").mean["ndcg_cut@1"] < 0


def test_what_opensearch_takes_for_relevant_by_percentile_is_refused_and_not_given_by_the_older_rule():
    qrels, run = {"q": {"a": 3, "b": 1, "c": -1}}, {"q": {"b": 3.0, "a": 2.0, "c": 1.0}}
    with pytest.raises(
        MeasureError, match=r"opensearch@2026.02 has no measure 'MAP@10'; it has NDCG@K, DCG@K"
    ):
        gainful.evaluate(qrels, run, "MAP@10", dialect="opensearch")
    assert gainful.evaluate(qrels, run, "MAP@10", dialect="opensearch@2025.06").mean == {"MAP@10": 1.0}
    # 1 + 7 / log2 3 − 1/2 / log2 4 = 5.1665, to two decimals
    assert gainful.evaluate(qrels, run, "DCG@10", dialect="opensearch").mean == {"DCG@10": 5.17}
