"""Scores know their values, their settings and what would surprise."""

import json
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import AP, RR, nDCG
from gainful.errors import UsageError

QRELS = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1, "x": 0}, "3": {"z": 0}}
RUN = {"1": {"a": 3.0, "u": 2.0, "c": 1.0}, "2": {"x": 2.5, "a": 1.5}, "3": {"z": 1.0}}


def test_measures_are_objects_or_text_and_keys_are_their_names():
    by_object = gainful.evaluate(QRELS, RUN, [nDCG @ 10, AP(rel=2), RR])
    assert list(by_object.mean) == ["nDCG@10", "AP(rel=2)", "RR"]
    assert gainful.evaluate(QRELS, RUN, "nDCG@10, AP(rel=2), RR").mean == by_object.mean
    assert list(gainful.evaluate(QRELS, RUN, RR).mean) == ["RR"]


def test_the_default_is_a_useful_handful():
    assert list(gainful.evaluate(QRELS, RUN).mean) == ["nDCG@10", "AP", "RR", "P@10", "R@100", "Judged@10"]


def test_summaries_are_the_means_or_what_the_measure_names():
    scores = gainful.evaluate(
        QRELS, RUN, "RR, RR(summary=median), RR(summary=geometric), RR(summary=std), NumRet"
    )
    values = [1.0, 0.5, 0.0]
    assert scores.mean == {
        "RR": sum(values) / 3,
        "RR(summary=median)": 0.5,
        "RR(summary=geometric)": pytest.approx((1 * 0.5 * 0.00001) ** (1 / 3), rel=1e-14),
        "RR(summary=std)": pytest.approx(math.sqrt(((1 - 0.5) ** 2 + 0 + (0 - 0.5) ** 2) / 2), rel=1e-14),
        "NumRet": 6,
    }
    assert scores.runs[0].summary("median")["RR"] == 0.5


def test_topics_are_in_order_numbers_first():
    qrels = {topic: {"d": 1} for topic in ("b", "10", "9", "a1", "1")}
    run = {topic: {"d": 1.0} for topic in qrels}
    assert list(gainful.evaluate(qrels, run, "AP").per_topic) == ["1", "9", "10", "a1", "b"]


@given(st.permutations(list(range(7))), st.lists(st.floats(0, 1), min_size=7, max_size=7))
def test_no_order_of_topics_changes_a_bit_of_the_mean(order, scores):
    qrels = {f"t{topic}": {"a": 3, "b": 1, "c": 2} for topic in range(7)}
    run = {f"t{topic}": {"a": scores[topic], "b": scores[topic - 1], "u": 0.5} for topic in range(7)}
    shuffled = {f"t{topic}": run[f"t{topic}"] for topic in order}
    assert (
        gainful.evaluate(qrels, run, "nDCG@10,AP").mean
        == gainful.evaluate(qrels, shuffled, "nDCG@10,AP").mean
    )


def test_blocks_of_topics_change_no_bit(monkeypatch):
    qrels = {
        str(topic): {f"d{document}": (topic * document) % 4 for document in range(30)} for topic in range(40)
    }
    run = {
        str(topic): {f"d{document}": math.sin(topic + document) for document in range(0, 50, 1 + topic % 3)}
        for topic in range(40)
    }
    measures = "nDCG@10,AP,RBP,Bpref,ERR@20,infAP,R@5,IPrec@0.3"
    whole = gainful.evaluate(qrels, run, measures).per_topic
    monkeypatch.setattr("gainful.scores.evaluation.BLOCK", 50)
    assert gainful.evaluate(qrels, run, measures).per_topic == whole


def test_scores_become_frames_through_arrow():
    scores = gainful.evaluate(QRELS, {"x": RUN, "caf\udce9": RUN}, "RR,P@1")
    frame = pl.DataFrame(scores)
    assert frame.columns == ["run", "topic", "measure", "value"]
    assert frame.row(0) == ("x", "1", "RR", 1.0)
    assert len(frame) == 2 * 3 * 2
    assert frame["run"].unique().sort().to_list() == ["caf\\xe9", "x"]
    assert pa.table(scores).column("value").to_pylist() == frame["value"].to_list()
    assert pd.DataFrame.from_arrow(scores)["value"].tolist() == frame["value"].to_list()


def test_scores_of_which_no_topic_counts_are_an_empty_frame():
    scores = gainful.evaluate({"3": {"z": 0}}, RUN, "RR", undefined="skip")
    frame = pl.DataFrame(scores)
    assert (frame.columns, len(frame)) == (["run", "topic", "measure", "value"], 0)


def test_scores_show_themselves_in_a_notebook_with_ids_as_text():
    html = gainful.evaluate(QRELS, {"<script>": RUN}, "RR")._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html
    assert "0.5000" in html
    assert "ties: by document id" in html


def test_flat_names_suit_experiment_trackers():
    flat = gainful.evaluate(QRELS, {"a": RUN, "b/c": RUN}, [nDCG(gain="exp") @ 10, AP]).to_flat_dict()
    assert list(flat) == ["a/nDCG.gain_exp_at_10", "a/AP", "b_c/nDCG.gain_exp_at_10", "b_c/AP"]


def test_rel_is_applied_where_a_measure_leaves_it_open():
    scores = gainful.evaluate(QRELS, RUN, "AP,P(rel=2)@5,nDCG", rel=2)
    assert list(scores.mean) == ["AP(rel=2)", "P(rel=2)@5", "nDCG"]


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("ties", "random"),
        ("missing", "zero"),
        ("undefined", "2"),
        ("unjudged", "x"),
        ("duplicates", "last"),
        ("depth", 0),
    ],
)
def test_settings_out_of_range_are_refused_by_name(setting, value):
    with pytest.raises(UsageError, match=setting):
        gainful.evaluate(QRELS, RUN, "AP", **{setting: value})


def test_settings_may_be_numbers_of_numpy():
    scores = gainful.evaluate(QRELS, RUN, "AP", depth=np.int64(2), rel=np.float32(2), threads=np.int64(1))
    assert scores.to_dict() == gainful.evaluate(QRELS, RUN, "AP", depth=2, rel=2).to_dict()
    json.dumps(scores.to_dict())


def test_something_that_is_not_a_measure_is_refused():
    with pytest.raises(UsageError, match="not a measure"):
        gainful.evaluate(QRELS, RUN, [len])
    with pytest.raises(UsageError):
        gainful.evaluate(QRELS, RUN, [])


def test_measures_travel_between_processes():
    assert pickle.loads(pickle.dumps([nDCG @ 10, AP(rel=2)])) == [nDCG @ 10, AP(rel=2)]


def test_a_measure_that_is_defined_anew_is_used_anew():
    def defined(worth):
        @gainful.measure(bounds=(0, 9))
        def Mine(judged):
            """Mine."""
            return judged.retrieved * 0 + worth

        return Mine

    assert gainful.evaluate(QRELS, RUN, [defined(1)]).mean == {"Mine": 1}
    assert gainful.evaluate(QRELS, RUN, [defined(2)]).mean == {"Mine": 2}
