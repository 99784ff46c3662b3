"""Data frames: a method on those of pandas; polars and DuckDB in and out."""

import duckdb
import pandas as pd
import polars as pl

import gainful
import gainful.integrations.pandas

QRELS = {"topic": ["q", "q", "p"], "document": ["a", "b", "a"], "grade": [1, 0, 2]}
RUN = {"topic": ["q", "q", "p", "p"], "document": ["b", "a", "x", "a"], "score": [2.0, 1.0, 4.0, 3.0]}


def test_a_pandas_frame_evaluates_itself():
    scores = pd.DataFrame(RUN).gainful.evaluate(pd.DataFrame(QRELS), "RR, AP(rel=2)")
    assert scores.mean == {"RR": 1 / 2, "AP(rel=2)": (0 + 1 / 2) / 2}
    assert pd.DataFrame(RUN).gainful.evaluate({"q": {"b": 1}}, "RR", ties="worst").mean == {"RR": 1.0}


def test_without_measures_the_usual_ones_are_computed():
    usual = gainful.evaluate(pd.DataFrame(QRELS), pd.DataFrame(RUN)).mean
    assert pd.DataFrame(RUN).gainful.evaluate(pd.DataFrame(QRELS)).mean == usual


def test_scores_become_frames_of_polars_and_tables_of_duckdb():
    scores = gainful.evaluate(pl.DataFrame(QRELS), pl.LazyFrame(RUN), "RR")
    assert pl.DataFrame(scores).group_by("measure").agg(pl.col("value").mean()).rows() == [("RR", 1 / 2)]
    with duckdb.connect() as base:
        base.register("run", pd.DataFrame(RUN))
        base.register("qrels", pd.DataFrame(QRELS))
        found = gainful.evaluate(base.sql("FROM qrels"), base.sql("FROM run"), "RR")
        assert found.mean == {"RR": 1 / 2}
        per_topic = pl.DataFrame(found).to_arrow()  # noqa: F841 (DuckDB finds it by its name)
        assert base.sql("SELECT avg(value) FROM per_topic").fetchall() == [(1 / 2,)]
