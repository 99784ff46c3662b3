"""Arrow streams: every frame library, every type that may be an id or a value, slices, chunks and nulls."""

from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

CHECK = settings(deadline=None, max_examples=150, derandomize=True)

TOPICS = ["2", "10", "2", "x", "10"]
DOCUMENTS = ["d1", "a document id of more than twelve bytes", "é", " x", "d1"]
VALUES = [3.0, 2.0, 0.0, -1.0, 0.5]
NAMES = ("topic", "document", "value")


def columns(values: list[float] = VALUES) -> dict[str, list[Any]]:
    return {"other": [None] * len(values), "value": values, "document": DOCUMENTS, "topic": TOPICS}


def rows_of(core: Any, frame: Any) -> Any:
    return core.Rows.of_stream(frame.__arrow_c_stream__(), *NAMES)


EXPECTED = [text.encode() for text in DOCUMENTS]


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(columns()),
        pl.DataFrame(columns()).with_columns(pl.col("topic", "document").cast(pl.Categorical)),
        pl.DataFrame(columns()).with_columns(pl.col("topic").cast(pl.Enum(["x", "10", "2"]))),
        pd.DataFrame(columns()),
        pd.DataFrame(columns()).astype({"topic": "category", "document": "string"}),
        pd.DataFrame(columns()).astype({"topic": "object"}),
        pa.table(columns()),
        pa.Table.from_batches(pa.table(columns()).to_batches(max_chunksize=2)),
        pa.concat_tables([pa.table(columns()).slice(0, 2), pa.table(columns()).slice(2)]),
        pa.RecordBatch.from_pydict(columns()),
    ],
    ids=lambda frame: f"{type(frame).__module__.split('.')[0]}.{type(frame).__name__}",
)
def test_frames_of_any_library_are_read(cores, frame):
    rows = rows_of(cores[0], frame)
    assert rows.topics == [text.encode() for text in TOPICS]
    assert rows.documents == EXPECTED
    assert rows.values.tolist() == VALUES
    assert rows.tag == b""
    assert rows.digest == cores[0].Rows.of_lists(TOPICS, DOCUMENTS, VALUES).digest


def test_duckdb_results_are_read(cores):
    frame = pl.DataFrame(columns())
    connection = duckdb.connect()
    connection.register("frame", frame)
    relation = connection.sql("select topic, document, value from frame")
    rows = rows_of(cores[0], relation)
    assert sorted(zip(rows.topics, rows.documents, rows.values.tolist(), strict=True)) == sorted(
        zip([t.encode() for t in TOPICS], EXPECTED, VALUES, strict=True)
    )


STRINGS = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]
INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
INDEXES = INTEGERS[:7]


def dictionary(index: pa.DataType, value: pa.DataType) -> pa.DataType:
    return pa.dictionary(index, value)


@pytest.mark.parametrize(
    "kind",
    [
        *STRINGS,
        *(dictionary(index, pa.string()) for index in INDEXES),
        dictionary(pa.int8(), pa.large_string()),
    ],
    ids=str,
)
def test_every_type_of_text_is_an_id(pair, kind):
    if pa.types.is_dictionary(kind):
        array = pa.array(DOCUMENTS, pa.string()).dictionary_encode().cast(kind)
    else:
        array = pa.array(EXPECTED, pa.binary()).cast(kind)
    table = pa.table({"topic": array, "document": array, "value": VALUES})
    assert pair(lambda core: rows_of(core, table))["documents"] == EXPECTED


@pytest.mark.parametrize("kind", INTEGERS, ids=str)
def test_every_type_of_whole_number_is_an_id_and_a_value(pair, kind):
    low, high = (-(2 ** (kind.bit_width - 1)), 2 ** (kind.bit_width - 1) - 1)
    if str(kind).startswith("u"):
        low, high = 0, 2**kind.bit_width - 1
    array = pa.array([low, 0, 1, high], kind)
    value = array if kind.bit_width < 64 else pa.array([0, 1, 2**53, 5], kind)
    table = pa.table({"topic": array, "document": array, "value": value})
    assert pair(lambda core: rows_of(core, table))["documents"] == [b"%d" % low, b"0", b"1", b"%d" % high]


@pytest.mark.parametrize("kind", [pa.float16(), pa.float32(), pa.float64()], ids=str)
def test_every_type_of_float_is_a_value(pair, kind):
    values = np.array([0.1, -0.0, np.inf, -np.inf, 65504, 6e-8, 1, -2.5, 6.1e-5], kind.to_pandas_dtype())
    ids = list(range(len(values)))
    table = pa.table({"topic": ids, "document": ids, "value": pa.array(values, kind)})
    got = pair(lambda core: rows_of(core, table))
    assert got["values"] == ("float64", values.astype(np.float64).tolist())


def test_fixed_size_binary_is_an_id(pair):
    array = pa.array([b"\xff\x00a", b"abc"], pa.binary(3))
    table = pa.table({"topic": array, "document": array, "value": [1, 2]})
    assert pair(lambda core: rows_of(core, table))["documents"] == [b"\xff\x00a", b"abc"]


@CHECK
@given(
    kinds=st.tuples(
        st.sampled_from([*STRINGS, dictionary(pa.int16(), pa.string())]),
        st.sampled_from([*STRINGS, dictionary(pa.int32(), pa.string())]),
        st.sampled_from([pa.float64(), pa.float32(), pa.int16(), pa.uint64()]),
    ),
    rows=st.lists(
        st.tuples(
            st.sampled_from(["q", "10", "a topic of many letters", None]),
            st.sampled_from(["d", "e", "a document of many letters"]),
            st.sampled_from([0, 1, 2, 3, 4]),
        ),
        max_size=40,
    ),
    nulls=st.booleans(),
    cuts=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4),
)
def test_slices_and_chunks_with_and_without_nulls_are_read_as_the_twin_reads_them(
    pair, kinds, rows, nulls, cuts
):
    rows = rows if nulls else [row for row in rows if row[0] is not None]
    arrays = []
    for i, kind in enumerate(kinds):
        cells = [row[i] for row in rows]
        if pa.types.is_dictionary(kind):
            arrays.append(pa.array(cells, pa.string()).dictionary_encode().cast(kind))
        elif i < 2:
            arrays.append(pa.array(cells, pa.string()).cast(kind))
        else:
            arrays.append(pa.array(cells, kind))
    table = pa.table(dict(zip(NAMES, arrays, strict=True)))
    parts = [table.slice(start, length) for start, length in cuts] or [table]
    pair(lambda core: rows_of(core, pa.concat_tables(parts)))


def test_a_slice_of_a_struct_is_read_from_its_own_start(cores):
    array = pa.StructArray.from_arrays(
        [pa.array(TOPICS), pa.array(DOCUMENTS), pa.array(VALUES)], names=list(NAMES)
    ).slice(1, 3)
    batch = pa.RecordBatch.from_struct_array(array)
    assert rows_of(cores[0], batch).documents == EXPECTED[1:4]

    class Chunked:
        def __arrow_c_stream__(self, schema: object = None) -> object:
            return pa.chunked_array([array]).__arrow_c_stream__(schema)

    assert rows_of(cores[0], Chunked()).values.tolist() == VALUES[1:4]


@pytest.mark.parametrize("role", NAMES)
def test_a_null_is_a_fault_with_its_row(pair, role):
    data = columns()
    data[role] = [None if i in (2, 4) else cell for i, cell in enumerate(data[role])]
    fault = ("Fault", ("null", 3, 0, role.encode(), 2))
    assert pair(lambda core: rows_of(core, pa.table(data))) == fault
    assert pair(lambda core: rows_of(core, pl.DataFrame(data))) == fault


def test_a_null_in_a_dictionary_is_a_fault_too(pair):
    words = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0]), pa.array(["d", None]))
    table = pa.table({"topic": ["q"] * 3, "document": words, "value": [1, 2, 3]})
    assert pair(lambda core: rows_of(core, table)) == ("Fault", ("null", 2, 0, b"document", 1))


def test_a_nan_is_a_fault_with_its_row(pair):
    table = pa.table(columns([1.0, float("nan"), 2.0, float("nan"), 0.0]))
    assert pair(lambda core: rows_of(core, table)) == (
        "Fault",
        ("nan", 2, 0, b"10\t" + EXPECTED[1], 2),
    )


@pytest.mark.parametrize(
    ("role", "cells", "name"),
    [
        ("value", pa.array([True] * 5), b"bool"),
        ("value", pa.array(["1"] * 5), b"string"),
        ("value", pa.array([1] * 5).dictionary_encode(), b"dictionary"),
        ("value", pa.array([1] * 5).cast(pa.decimal128(25, 2)), b"decimal"),
        ("document", pa.array([1.5] * 5), b"float"),
        ("document", pa.array([True] * 5), b"bool"),
        ("topic", pa.array([["a"]] * 5), b"list"),
        ("topic", pa.array([1] * 5).cast(pa.timestamp("us")), b"timestamp"),
        ("topic", pa.array([{"a": 1}] * 5), b"struct"),
    ],
)
def test_a_type_that_cannot_be_used_is_named(cores, role, cells, name):
    table = pa.table({**columns(), role: cells})
    with pytest.raises(cores[0].Fault) as fault:
        rows_of(cores[0], table)
    assert fault.value.args == ("type", 0, 0, role.encode() + b"\t" + name, 1)
    with pytest.raises(cores[1].Fault) as fault:
        rows_of(cores[1], table)
    assert fault.value.kind == "type"


@pytest.mark.parametrize("blank", ["", " ", "\t\r\n"])
@pytest.mark.parametrize("words", [False, True])
def test_an_id_of_nothing_but_blanks_is_missing(cores, pair, blank, words):
    for topics, documents, text in (
        (["q", "q", "r"], ["a", blank, "b"], b"document\tq\t"),
        (["q", blank, "q"], ["a", "b", "c"], b"topic\t\tb"),
    ):
        table = pa.table({"topic": topics, "document": documents, "value": [3.0, 2.0, 1.0]})
        if words:
            table = pa.table(
                {name: table[name].dictionary_encode() if name != "value" else table[name] for name in NAMES}
            )
        fault = ("Fault", ("null", 2, 0, text, 1))
        assert pair(lambda core, table=table: rows_of(core, table)) == fault
        for core in cores:
            index = core.Index(core.Rows.of_mapping({"q": {"a": 1}}), duplicates="error")
            rules = {"ties": "docid", "duplicates": "error", "threads": 2}
            assert core.judge_stream(index, table.__arrow_c_stream__(), NAMES, **rules) is None


def test_no_rows_are_a_fault(pair):
    assert pair(lambda core: rows_of(core, pa.table(columns()).slice(0, 0))) == (
        "Fault",
        ("empty", 0, 0, b"", 1),
    )


def test_a_column_that_is_not_there_is_named(cores):
    for core in cores:
        with pytest.raises(KeyError, match="score"):
            core.Rows.of_stream(pa.table(columns()).__arrow_c_stream__(), "topic", "document", "score")


def test_the_names_of_the_columns_can_be_asked_for_first(cores):
    capsule = pa.table(columns()).__arrow_c_stream__()
    assert cores[0].columns(capsule) == ["other", "value", "document", "topic"]
    assert len(cores[0].Rows.of_stream(capsule, *NAMES)) == 5
    assert cores[1].columns(pa.table(columns()).__arrow_c_stream__()) == [
        "other",
        "value",
        "document",
        "topic",
    ]


def test_a_stream_can_be_read_once_only(cores):
    capsule = pa.table(columns()).__arrow_c_stream__()
    cores[0].Rows.of_stream(capsule, *NAMES)
    with pytest.raises(ValueError, match="the stream has been read already"):
        cores[0].Rows.of_stream(capsule, *NAMES)
    with pytest.raises(ValueError, match="incorrect name"):
        cores[0].Rows.of_stream(pa.array([1]).__arrow_c_array__()[1], *NAMES)


def test_what_goes_wrong_in_the_stream_is_passed_on(cores):
    def batches() -> Any:
        yield pa.RecordBatch.from_pydict(columns(), schema=schema)
        raise LookupError("the source ran dry")

    schema = pa.table(columns()).schema
    reader = pa.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(RuntimeError, match="the source ran dry"):
        cores[0].Rows.of_stream(reader.__arrow_c_stream__(), *NAMES)


# Runs judged as they come


@st.composite
def run_rows(draw: Any) -> list[tuple[int, int, float]]:
    """Rows with topics that stand together, mostly; now and then one that comes back, or a document twice."""
    topics = draw(st.lists(st.integers(0, 6), max_size=8, unique=draw(st.integers(0, 3)) > 0))
    return [
        (topic, document, score)
        for topic in topics
        for document, score in draw(
            st.lists(
                st.tuples(st.integers(0, 30), st.sampled_from([0.0, 0.5, 1.0, 2.0])),
                max_size=12,
                unique_by=(lambda row: row[0]) if draw(st.integers(0, 4)) else None,
            )
        )
    ]


@CHECK
@given(
    rows=run_rows(),
    size=st.integers(1, 5),
    ids=st.sampled_from(["text", "numbers", "words"]),
    ties=st.sampled_from(["docid", "input"]),
)
def test_a_stream_whose_topics_stand_together_is_judged_as_it_comes(cores, pair, rows, size, ids, ties):
    topics, documents = [row[0] for row in rows], [row[1] for row in rows]
    if ids != "numbers":
        topics, documents = [f"t{one}" for one in topics], [f"d{one}" for one in documents]
    table = pa.table(
        {
            "topic": pa.array(topics, pa.int64() if ids == "numbers" else pa.string()),
            "document": pa.array(documents, pa.int32() if ids == "numbers" else pa.large_string()),
            "value": pa.array([row[2] for row in rows], pa.float64()),
        }
    )
    if ids == "words":
        table = table.set_column(0, "topic", table["topic"].dictionary_encode())
        table = table.set_column(1, "document", table["document"].dictionary_encode())
    batches = pa.Table.from_batches(table.to_batches(max_chunksize=size), schema=table.schema)
    prefix = ("", "") if ids == "numbers" else ("t", "d")
    judged = [(f"{prefix[0]}{t}", f"{prefix[1]}{d}", (t + d) % 3) for t in range(0, 7, 2) for d in range(31)]

    def asked(core: Any) -> Any:
        index = core.Index(core.Rows.of_lists(*map(list, zip(*judged, strict=True))), duplicates="error")
        return core.judge_stream(
            index, batches.__arrow_c_stream__(), NAMES, ties=ties, duplicates="error", threads=2
        )

    found, expected = map(asked, cores)
    assert (found is None) == (expected is None)
    if found is not None:
        assert pair.facts(found) == pair.facts(expected)


def test_a_topic_that_fills_many_batches_is_whole(cores):
    native = cores[0]
    count = 200_000
    frame = pl.DataFrame(
        {
            "topic": ["a"] * 3 + ["b"] * count + ["c"] * 3,
            "document": [f"d{number}" for number in range(count + 6)],
            "value": [float(number) for number in range(count + 6, 0, -1)],
        }
    )
    judgments = native.Rows.of_lists(["b", "b", "c"], ["d3", f"d{count + 2}", f"d{count + 5}"], [1, 1, 1])
    found = native.judge_stream(
        native.Index(judgments, duplicates="error"),
        pa.Table.from_batches(frame.to_arrow().to_batches(max_chunksize=10_000)).__arrow_c_stream__(),
        NAMES,
        ties="docid",
        duplicates="error",
        threads=2,
    )
    assert found.rank.tolist() == [1, count, 3]
    assert found.retrieved.tolist() == [count, 3]
    assert found.extra == [b"a"]
