"""Data frames: methods on those of pandas and polars, expressions of polars, functions of DuckDB; in and out."""

import duckdb
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gainful
import gainful.integrations.pandas
from gainful.errors import UsageError
from gainful.integrations.duckdb import register as duckdb_register
from gainful.integrations.polars import measure as polars_measure

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


def test_frames_of_polars_evaluate_themselves():
    expected = {"RR": 1 / 2, "AP(rel=2)": (0 + 1 / 2) / 2}
    assert pl.DataFrame(RUN).gainful.evaluate(pl.DataFrame(QRELS), "RR, AP(rel=2)").mean == expected
    assert pl.LazyFrame(RUN).gainful.evaluate(pl.DataFrame(QRELS), "RR", ties="worst").mean == {"RR": 1 / 2}
    usual = gainful.evaluate(pl.DataFrame(QRELS), pl.DataFrame(RUN)).mean
    assert pl.DataFrame(RUN).gainful.evaluate(pl.DataFrame(QRELS)).mean == usual


@st.composite
def collections(draw):
    """Judgments and a run of a few topics, with tied scores, unjudged documents and topics that one of them lacks."""
    ids = st.integers(0, 8).map("d{}".format)
    topics = st.sampled_from(["a", "b", "c", "d"])
    qrels = draw(st.dictionaries(topics, st.dictionaries(ids, st.integers(0, 2), min_size=1), min_size=1))
    run = draw(st.dictionaries(topics, st.dictionaries(ids, st.integers(0, 3), min_size=1), min_size=1))
    return qrels, run


def rows(nested, value):
    flat = [(topic, document, number) for topic, of in nested.items() for document, number in of.items()]
    return pl.DataFrame(flat, schema={"topic": str, "document": str, value: pl.Float64}, orient="row")


@pytest.mark.parametrize("measure", ["nDCG@3", "AP", "R@2", "RR(rel=2)"])
@settings(max_examples=25)
@given(collection=collections())
def test_expressions_and_functions_of_sql_give_what_evaluate_gives(measure, collection):
    qrels, run = rows(collection[0], "grade"), rows(collection[1], "score")
    expected = dict.fromkeys(collection[0] | collection[1])
    if collection[0].keys() & collection[1].keys():
        scores = gainful.evaluate(*collection, measure, ties="expected")
        expected |= {topic: values[measure] for topic, values in scores.per_topic.items()}
    else:
        expected |= dict.fromkeys(collection[0], 0)
    joined = qrels.join(run, on=["topic", "document"], how="full", coalesce=True)
    lists = joined.lazy().group_by("topic").agg("grade", "score")
    frame = lists.select("topic", polars_measure(measure)).collect()
    assert dict(frame.rows()) == pytest.approx(expected, abs=1e-12)
    with duckdb.connect() as base:
        for name, table in (("qrels", qrels), ("run", run)):
            base.register(name, table.to_arrow())
        name = duckdb_register(base, measure, name="m")
        found = base.sql(
            f"SELECT topic, {name}(list(grade), list(score)) FROM qrels FULL JOIN run USING (topic, document) GROUP BY topic"
        )
        assert dict(found.fetchall()) == pytest.approx(expected, abs=1e-12)


def test_lists_may_be_empty_or_null_and_functions_are_named_after_their_measure():
    lists = pl.DataFrame(
        {"grade": [[1, 0], [], None], "score": [[1.0, 2.0], [], None]},
        schema={"grade": pl.List(pl.Int8), "score": pl.List(pl.Float32)},
    )
    assert lists.select(polars_measure("RR"))["RR"].to_list() == [1 / 2, None, None]
    with duckdb.connect() as base:
        assert duckdb_register(base, "nDCG(gain=exp)@10") == "nDCG_gain_exp_10"
        found = base.sql(
            "SELECT nDCG_gain_exp_10(g, s) FROM (VALUES ([3], [1]), ([], []), (NULL, NULL)) lists(g, s)"
        )
        assert found.fetchall() == [(1.0,), (None,), (None,)]
        with pytest.raises(UsageError, match="cannot be the name"):
            duckdb_register(base, "RR", name="reciprocal rank")


def test_lists_of_unlike_lengths_are_refused():
    with pytest.raises(UsageError, match="as many grades as scores"):
        pl.DataFrame({"grade": [[1, 0]], "score": [[1.0]]}).select(polars_measure("RR"))
