"""Values as tools print them and as papers show them."""

import json

import pytest

import gainful
from gainful import reconcile
from gainful.errors import DataError, UsageError
from gainful.reconciling.value_files import read_values

QRELS = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1, "x": 0}}
RUN = {"1": {"a": 3.0, "u": 2.0, "c": 1.0}, "2": {"x": 2.5, "a": 1.5}}


@pytest.fixture
def read(tmp_path):
    """The values in a file of this content: {measure: (text of the mean, {topic: text})}."""

    def call(content, name="values.txt", *, run="bm25", row=None):
        path = tmp_path / name
        path.write_text(content)
        shown = read_values(str(path), topics={"1", "2"}, run=run, row=row)
        assert shown.source == str(path)
        return {
            claimed.name: (
                None if claimed.mean is None else claimed.mean.text,
                {topic: number.text for topic, number in claimed.topics.items()},
            )
            for claimed in shown.claims
        }

    return call


def test_lines_of_trec_eval_are_read_with_their_digits(read):
    lines = "runid\tall\tbm25\nmap\t1\t0.8333\nmap\t2\t0.5000\nmap\tall\t0.6667\nndcg_cut_10\tall\t0.8148\n"
    assert read(lines) == {"map": ("0.6667", {"1": "0.8333", "2": "0.5000"}), "ndcg_cut_10": ("0.8148", {})}
    assert read("nDCG@10 0.8148\nAP 0.6667\n") == {"nDCG@10": ("0.8148", {}), "AP": ("0.6667", {})}


@pytest.mark.parametrize(
    "content",
    [
        {"AP": 0.6667, "nDCG@10": 0.8148},
        [{"AP": 0.6667}, {"nDCG@10": 0.8148}],
        [{"measure": "AP", "value": 0.6667}, {"measure": "nDCG@10", "value": 0.8148, "topic": "all"}],
    ],
)
def test_json_of_means_is_read(read, content):
    assert read(json.dumps(content)) == {"AP": ("0.6667", {}), "nDCG@10": ("0.8148", {})}


@pytest.mark.parametrize(
    "content",
    [
        {"1": {"map": 0.8333}, "2": {"map": 0.5}, "all": {"map": 0.6667}},
        {"map": {"1": 0.8333, "2": 0.5, "all": 0.6667}},
    ],
)
def test_json_of_topics_is_read_either_way_round(read, content):
    assert read(json.dumps(content)) == {"map": ("0.6667", {"1": "0.8333", "2": "0.5"})}


def test_what_evaluate_saved_is_read_for_the_run_of_that_name(read):
    saved = {
        "gainful": "1",
        "runs": [{"name": "other", "mean": {"AP": 0.1}}, {"name": "bm25", "mean": {"AP": 0.5}}],
    }
    assert read(json.dumps(saved)) == {"AP": ("0.5", {})}
    assert read(json.dumps(saved), row="other") == {"AP": ("0.1", {})}
    with pytest.raises(UsageError, match=r"2 rows .*none is named 'dense'; choose one with --row"):
        read(json.dumps(saved), run="dense")


def test_tables_of_topics_of_values_and_of_systems_are_read(read):
    assert read("topic,AP,notes\n1,0.8333,x\n2,0.5000,y\nall,0.6667,z\n") == {
        "AP": ("0.6667", {"1": "0.8333", "2": "0.5000"})
    }
    assert read("run;measure;topic;value\nbm25;AP;1;0.8333\nbm25;AP;all;0.6667\nother;AP;1;0.1\n") == {
        "AP": ("0.6667", {"1": "0.8333"})
    }
    assert read("Model,Size,nDCG@10,MAP\nDense,1B,51.2,30.0\nBM25,-,41.4,25.1\n") == {
        "nDCG@10": ("41.4", {}),
        "MAP": ("25.1", {}),
    }
    assert read("metric,BM25,Dense\nnDCG@10,41.4,51.2\n") == {"nDCG@10": ("41.4", {})}


def test_a_table_of_a_paper_is_read_without_its_marks(read):
    table = "| Model | nDCG@10 | MRR@10 |\n|:--|--:|--:|\n| BM25 | **0.414**† | 0.38 ± 0.01 |\n| Dense | 0.512 | – |\n"
    assert read(table, "table.md") == {"nDCG@10": ("0.414", {}), "MRR@10": ("0.38", {})}
    assert read(table, "table.md", row="dense") == {"nDCG@10": ("0.512", {})}


def test_pairs_need_no_file():
    shown = read_values("nDCG@10=0.81, AP(rel=2)@5=0.5", topics=set(), run="bm25")
    assert {claimed.name: claimed.mean.text for claimed in shown.claims} == {
        "nDCG@10": "0.81",
        "AP(rel=2)@5": "0.5",
    }
    with pytest.raises(UsageError, match="neither a file nor measure=value"):
        read_values("nDCG@10=high", topics=set(), run="bm25")
    with pytest.raises(UsageError, match=r"written with =, as in nDCG@10=0\.5371"):
        read_values("nDCG@10:0.81", topics=set(), run="bm25")


def test_a_percent_sign_divides_by_a_hundred():
    (claimed,) = read_values("AP=53.7%", topics=set(), run="bm25").claims
    assert (claimed.mean.text, claimed.mean.value) == ("53.7%", 0.537)
    assert claimed.mean.fits(0.5374)
    assert not claimed.mean.fits(0.5376)


def test_percent_signs_of_a_table_are_read(read):
    table = "| Model | AP | RR % |\n|---|---|---|\n| BM25 | **0.8%** | 61.2 % |\n"
    assert read(table, "table.md") == {"AP": ("0.8%", {}), "RR": ("61.2 %", {})}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("{oops", "is not JSON"),
        ('{"weather": 3}', "holds no value of a measure"),
        ("[1, 2]", "expected objects of measures"),
        ("model,weather\nbm25,3\n", "no column is named after a measure"),
    ],
)
def test_files_without_values_are_refused(read, content, message):
    with pytest.raises(DataError, match=message):
        read(content)


def test_outputs_of_two_tools_are_explained_side_by_side(tmp_path):
    ours, theirs = tmp_path / "ours.json", tmp_path / "theirs.txt"
    ours.write_text(json.dumps(gainful.evaluate(QRELS, RUN, "nDCG@10").runs[0].mean))
    exponential = gainful.evaluate(QRELS, RUN, "ndcg@10", dialect="lightgbm").mean["ndcg@10"]
    theirs.write_text(f"ndcg@10\tall\t{exponential:.4f}\n")
    both = reconcile(QRELS, RUN, [str(ours), str(theirs)])
    assert both.fits
    assert both.walk is not None
    assert both.walk.values == pytest.approx((both.sources[0].answers[0].first.mean, exponential), abs=5e-5)
    assert str(theirs) in both.view("text")
    assert both.walk.sentence() in " ".join(both.view("markdown").split())
