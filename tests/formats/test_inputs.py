"""Whatever holds the rows, the scores are the same."""

import json
from collections import OrderedDict
from pathlib import Path
from types import MappingProxyType

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import gainful
from gainful.errors import DataError, NothingInCommon, UsageError

QRELS = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1, "x": 0}}
RUN = {"1": {"a": 3.0, "u": 2.0, "c": 1.0}, "2": {"x": 2.5, "a": 1.5}}
AP = ((1 / 1 + 2 / 3) / 2 + (1 / 2) / 1) / 2


def rows(nested):
    return [
        (topic, document, value)
        for topic, documents in nested.items()
        for document, value in documents.items()
    ]


def columns(nested):
    return tuple(map(list, zip(*rows(nested), strict=True)))


def named(nested, value):
    return dict(zip(("topic", "document", value), columns(nested), strict=True))


def relation(nested, value):
    return duckdb.from_arrow(pa.table(named(nested, value)))


FRAMES = {
    "pandas": lambda nested, value: pd.DataFrame(named(nested, value)),
    "pandas categories": lambda nested, value: pd.DataFrame(named(nested, value)).astype(
        {"topic": "category", "document": "category"}
    ),
    "polars": lambda nested, value: pl.DataFrame(named(nested, value)),
    "polars categories": lambda nested, value: pl.DataFrame(named(nested, value)).with_columns(
        pl.col("document").cast(pl.Categorical)
    ),
    "pyarrow": lambda nested, value: pa.table(named(nested, value)),
    "pyarrow dictionaries": lambda nested, value: pa.table(
        {
            name: pa.array(column).dictionary_encode() if name != value else column
            for name, column in named(nested, value).items()
        }
    ),
    "duckdb": relation,
}


@pytest.mark.parametrize("frame", FRAMES)
def test_frames_are_judgments_and_runs(frame):
    make = FRAMES[frame]
    assert gainful.evaluate(make(QRELS, "grade"), make(RUN, "score"), "AP").mean == {"AP": AP}


def test_frames_may_use_the_names_of_other_tools():
    qrels = pl.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [1]})
    run = pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0], "rank": [0]})
    assert gainful.evaluate(qrels, run, "AP").mean == {"AP": 1.0}


def test_numbers_may_be_ids_and_match_their_text():
    run = pl.DataFrame(
        {"topic": [1, 1, 2, 2], "document": [10, 11, 10, 12], "score": np.array([3, 2, 1, 2], np.float32)}
    )
    assert gainful.evaluate({"1": {"10": 1}, "2": {"12": 1}}, run, "AP").mean == {"AP": 1.0}
    assert gainful.evaluate({1: {10: 1}}, {1: {10: 0.5, 11: 0.7}}, "RR").mean == {"RR": 0.5}
    assert gainful.evaluate({np.int64(1): {np.int32(10): 1}}, {"1": {"10": 0.5}}, "RR").mean == {"RR": 1.0}


def test_columns_rows_and_other_mappings_are_runs():
    expected = {"AP": AP}
    topics, documents, scores = columns(RUN)
    assert gainful.evaluate(QRELS, (topics, documents, scores), "AP").mean == expected
    assert (
        gainful.evaluate(
            QRELS, (np.array(topics), np.array(documents), np.array(scores, np.float32)), "AP"
        ).mean
        == expected
    )
    series = tuple(map(pl.Series, columns(RUN)))
    chunked = tuple(pa.chunked_array([column]) for column in columns(RUN))
    for several in (series, chunked, tuple(map(pd.Series, columns(RUN)))):
        assert gainful.evaluate(QRELS, several, "AP").mean == expected
    assert gainful.evaluate(columns(QRELS), rows(RUN), "AP").mean == expected
    assert gainful.evaluate(rows(QRELS), iter(rows(RUN)), "AP").mean == expected
    proxy = MappingProxyType({topic: MappingProxyType(documents) for topic, documents in RUN.items()})
    assert gainful.evaluate(OrderedDict(QRELS), proxy, "AP").mean == expected


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.float16, np.int64, np.int8, int, float])
def test_scalars_of_every_kind_are_scores_and_grades(kind):
    qrels = {"1": {"a": kind(1), "b": kind(0)}}
    assert gainful.evaluate(qrels, {"1": {"b": kind(3), "a": kind(2)}}, "RR").mean == {"RR": 0.5}
    assert gainful.evaluate(qrels, [("1", "b", kind(3)), ("1", "a", kind(2))], "RR").mean == {"RR": 0.5}


def test_ids_are_bytes_and_str_alike():
    assert gainful.evaluate({"1": {"é": 1}}, {b"1": {"é".encode(): 1.0}}, "RR").mean == {"RR": 1.0}
    assert gainful.evaluate({"1": {"d\udcff": 1}}, {"1": {b"d\xff": 1.0}}, "RR").mean == {"RR": 1.0}


def test_judgments_and_runs_read_once_are_used_many_times(tmp_path: Path):
    qrels, run = tmp_path / "q.txt", tmp_path / "bm25.run"
    qrels.write_text("".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in rows(QRELS)))
    run.write_text("".join(f"{topic} Q0 {document} 1 {score} t\n" for topic, document, score in rows(RUN)))
    judgments, held = gainful.read_qrels(qrels), gainful.read_run(run)
    for _ in range(2):
        assert gainful.evaluate(judgments, held, "AP").mean == {"AP": AP}
    assert held.name == "bm25"
    assert judgments.to_dict() == QRELS
    assert held.to_dict() == RUN
    assert judgments.digest == gainful.read_qrels(QRELS).digest


def test_several_runs_are_a_list_or_a_mapping_from_names(tmp_path: Path):
    run = tmp_path / "file.run"
    run.write_text("1 Q0 a 1 1 t\n")
    named = gainful.evaluate(QRELS, {"mine": RUN, "theirs": str(run)}, "AP")
    assert [each.name for each in named] == ["mine", "theirs"]
    assert named["mine"].mean == {"AP": AP}
    listed = gainful.evaluate(QRELS, [str(run), RUN], "AP")
    assert [each.name for each in listed] == ["file", "run"]
    with pytest.raises(UsageError, match="scores of 2 runs"):
        _ = listed.mean


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ({"1": {"a": "high"}}, "str"),
        ({"1": {"a": None}}, "None"),
        ({"1": {"a": float("nan")}}, "NaN"),
        ([("1", "a")], "row 1"),
        ([("1", "a", 1.0), ("1", "b", "x")], "row 2"),
        ([("1", "a", 1.0), ("1", "a", 2.0)], "twice"),
        ((["1"], ["a", "b"], [1.0]), "different length"),
        (pl.DataFrame({"topic": ["1"], "score": [1.0]}), "document"),
        (
            pl.DataFrame({"topic": ["1", None], "document": ["a", "b"], "score": [1.0, 2.0]}),
            "the topic is missing",
        ),
        (42, "int"),
    ],
)
def test_what_cannot_be_a_run_is_refused_with_the_reason(run, said):
    with pytest.raises(DataError, match=said):
        gainful.evaluate(QRELS, run, "AP")


@pytest.mark.parametrize(
    "bad", [{"q": {"a": "x"}}, {"q": {"a": np.nan}}, {"q": {"": 1.0}}, {"": {"a": 1.0}}, {}]
)
def test_the_rows_of_a_bad_mapping_are_refused_as_evaluating_it_is(bad):
    said = []
    for call in (lambda: gainful.evaluate(QRELS, bad, "AP"), lambda: gainful.read_run(bad).rows()):
        with pytest.raises(DataError) as refused:
            call()
        said.append(str(refused.value))
    assert said[0] == said[1]


IDS_MISSING = {
    "document": [("1", "a", 3.0), ("1", "", 2.0), ("1", "c", 1.0)],
    "blank document": [("1", "a", 3.0), ("1", " ", 2.0), ("1", "c", 1.0)],
    "topic": [("1", "a", 3.0), ("", "b", 2.0), ("1", "c", 1.0)],
}


@pytest.mark.parametrize("rows", IDS_MISSING.values(), ids=IDS_MISSING)
@pytest.mark.parametrize("kind", ["run", "qrels"])
@pytest.mark.parametrize(
    "given",
    [
        *("csv", "quoted.csv", "tsv", "parquet", "jsonl", "json", "records.json"),
        *("dict", "numpy", "triples", "pandas", "polars", "lazy", "arrow"),
    ],
)
def test_an_id_that_is_empty_or_blank_is_refused_in_every_input(tmp_path, given, kind, rows):
    columns = {name: [row[i] for row in rows] for i, name in enumerate(("topic", "document", "score"))}
    nested: dict[str, dict[str, float]] = {}
    for topic, document, score in rows:
        nested.setdefault(topic, {})[document] = score
    records = [{"topic": topic, "document": document, "score": score} for topic, document, score in rows]
    in_memory = {
        "dict": nested,
        "numpy": tuple(map(np.array, columns.values())),
        "triples": rows,
        "pandas": pd.DataFrame(columns),
        "polars": pl.DataFrame(columns),
        "lazy": pl.LazyFrame(columns),
        "arrow": pa.table(columns),
    }
    path = tmp_path / f"file.{given}"
    match given:
        case "csv" | "tsv" | "quoted.csv":
            mark, quote = "\t" if given == "tsv" else ",", '"' if given == "quoted.csv" else ""
            lines = [("topic", "document", "score"), *rows]
            path.write_text(
                "".join(mark.join(f"{quote}{cell}{quote}" for cell in line) + "\n" for line in lines)
            )
        case "parquet":
            pl.DataFrame(columns).write_parquet(path)
        case "jsonl":
            path.write_text("".join(json.dumps(record) + "\n" for record in records))
        case "json" | "records.json":
            path.write_text(json.dumps(nested if given == "json" else records))
    part = "topic" if any(row[0] == "" for row in rows) else "document"
    said = f"the {part}( of topic '1')? is missing.\nFill it in, or remove the row; nothing was evaluated."
    place = "line 3" if given in ("csv", "quoted.csv", "tsv") else "row 2"
    rows_given = in_memory.get(given, path)
    inputs = (QRELS, rows_given) if kind == "run" else (rows_given, RUN)
    with pytest.raises(DataError, match=said if given in ("json", "dict") else f"{place}: {said}"):
        gainful.evaluate(*inputs, "AP")


def test_an_empty_run_and_empty_judgments_are_refused():
    with pytest.raises(DataError, match="no rows"):
        gainful.evaluate(QRELS, {}, "AP")
    with pytest.raises(DataError, match="no rows"):
        gainful.evaluate({}, RUN, "AP")


def test_a_run_of_other_topics_has_nothing_in_common():
    with pytest.raises(NothingInCommon, match="'9'"):
        gainful.evaluate(QRELS, {"9": {"a": 1.0}}, "AP")


def test_a_mapping_may_have_a_topic_with_no_documents():
    scores = gainful.evaluate({"1": {"a": 1}}, {"1": {}}, "AP")
    assert (scores.mean, scores.runs[0].missing) == ({"AP": 0.0}, ())


def test_documents_with_the_id_of_their_topic_can_be_dropped_from_any_run():
    run = {"q1": {"q1": 9.0, "d": 8.0}}
    rows = [("q1", "q1", 9.0), ("q1", "d", 8.0)]
    for given in (run, rows, pl.DataFrame(rows, schema=["topic", "document", "score"], orient="row")):
        assert gainful.evaluate({"q1": {"d": 1}}, given, "RR", drop_self=True).mean == {"RR": 1.0}
        assert gainful.evaluate({"q1": {"d": 1}}, given, "RR").mean == {"RR": 0.5}


def test_names_given_to_runs_hold_and_the_callers_runs_keep_theirs():
    held = gainful.read_run(RUN, name="mine")
    scores = gainful.evaluate(QRELS, {"a": held, "b": held}, "AP")
    assert [run.name for run in scores] == ["a", "b"]
    assert [run.name for run in gainful.evaluate(QRELS, [held, held], "AP")] == ["mine", "mine#2"]
    assert held.name == "mine"


def test_a_value_of_the_wrong_type_is_placed_in_words():
    with pytest.raises(
        DataError, match="the score of document 'a' of topic '1' is of type str; expected a number"
    ):
        gainful.evaluate(QRELS, {"1": {"a": "high"}}, "AP")
    with pytest.raises(DataError, match="row 1"):
        gainful.read_qrels([b"abc", ("1", "a", 1)])
    with pytest.raises(DataError, match="abc: there is no such file"):  # a list of texts is one of paths
        gainful.read_qrels(["abc", "d12"])


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"threads": -1}, "threads"),
        ({"threads": 0}, "threads"),
        ({"threads": "2"}, "threads"),
        ({"threads": 10**30}, "threads"),
        ({"topics": "nosuch.txt"}, "there is no file of that name"),
        ({"topics": " ,"}, "no topic is named"),
        ({"topics": ["1", "5"]}, "1 is not judged: '5'"),
        ({"duplicates": "zzz"}, "duplicates"),
        ({"measures": 5}, "5"),
    ],
)
def test_arguments_out_of_range_are_refused_by_name(keywords, said):
    with pytest.raises(UsageError, match=said):
        gainful.evaluate(QRELS, [RUN, RUN], **{"measures": "AP", **keywords})
    with pytest.raises(UsageError, match="by"):
        gainful.read_qrels(QRELS, by="subtopic")


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_many_files_come_back_in_order_and_a_bad_one_is_named(threads, tmp_path: Path):
    paths = []
    for number in range(12):
        paths.append(tmp_path / f"system-{number:02}.run")
        score = 3.0 if number % 2 else 1.0
        paths[-1].write_text(f"1 Q0 a 1 {score} t\n1 Q0 u 2 2.0 t\n")
    scores = gainful.evaluate(QRELS, paths, "RR", threads=threads)
    assert [run.name for run in scores] == [f"system-{number:02}" for number in range(12)]
    assert [run.per_topic["1"]["RR"] for run in scores] == [0.5, 1.0] * 6
    paths[7].write_text("1 Q0 a 1 high t\n")
    with pytest.raises(DataError, match=r"system-07\.run, line 1"):
        gainful.evaluate(QRELS, paths, "RR", threads=threads)


def test_topics_are_chosen_by_a_file_a_list_or_text(tmp_path: Path):
    path = tmp_path / "topics.txt"
    path.write_bytes(b"\xef\xbb\xbf2 a title\n# not 1\n\n")
    for topics in (path, str(path), ["2"], [2], [b"2"], "2", " 2 ,"):
        assert list(gainful.evaluate(QRELS, RUN, "AP", topics=topics).per_topic) == ["2"]
