"""Every layout is told from its content, and gives the same scores."""

import bz2
import gzip
import json
import lzma
import os
import random
import struct
import subprocess
import sys
import tracemalloc
from functools import cache
from pathlib import Path

import ir_datasets
import lz4.frame
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_datasets.formats import TrecQrels
from ir_datasets.util import LocalDownload

import gainful
from gainful._core import Rows
from gainful.errors import DataError, UsageError
from gainful.formats import parquet, parquet_pages
from gainful.formats.output_files import written
from gainful.formats.registry import written_names
from gainful.formats.rows import rows_of

QRELS = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"a": 1, "x": 0}}
RUN = {"1": {"a": 3.0, "u": 2.0, "c": 1.0}, "2": {"x": 2.5, "a": 1.5}}
AP = ((1 / 1 + 2 / 3) / 2 + (1 / 2) / 1) / 2

RUNS = {
    "trec": "1 Q0 a 1 3.0 t\n1 Q0 u 2 2.0 t\n1 Q0 c 3 1.0 t\n2 Q0 x 1 2.5 t\n2 Q0 a 2 1.5 t\n",
    "marco": "1\ta\t1\n1\tu\t2\n1\tc\t3\n2\tx\t1\n2\ta\t2\n",
    "marco in any order": "2\ta\t2\n1\tc\t3\n1\ta\t1\n2\tx\t1\n1\tu\t2\n",
    "csv": "query_id,doc_id,score\n1,a,3.0\n1,u,2.0\n1,c,1.0\n2,x,2.5\n2,a,1.5\n",
    "csv with ranks": "qid,docno,rank\n1,a,0\n1,u,1\n1,c,2\n2,x,0\n2,a,1\n",
    "csv with quotes": '"qid","docno","score","text"\n1,a,3.0,"with, comma\nand line"\n'
    '1,u,2.0,x\n1,c,1.0,x\n2,x,2.5,x\n2,"a",1.5,x\n',
    "tsv with more columns": "qid\tdocid\tdocno\trank\tscore\tquery\n"
    + "".join(
        f"{topic}\t7\t{document}\t0\t{score}\tq\n"
        for topic, found in RUN.items()
        for document, score in found.items()
    ),
    "json": json.dumps(RUN),
    "json over lines": json.dumps(RUN, indent=2),
    "json records": json.dumps(
        [{"topic": t, "document": d, "score": s} for t, found in RUN.items() for d, s in found.items()]
    ),
    "jsonl": "".join(
        json.dumps({"query-id": t, "corpus-id": d, "score": s}) + "\n"
        for t, found in RUN.items()
        for d, s in found.items()
    ),
}
JUDGMENTS = {
    "trec": "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n2 0 x 0\n",
    "marco": "1\t0\ta\t2\n1\t0\tb\t0\n1\t0\tc\t1\n2\t0\ta\t1\n2\t0\tx\t0\n",
    "three columns": "1 a 2\n1 b 0\n1 c 1\n2 a 1\n2 x 0\n",
    "beir": "query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n1\tc\t1\n2\ta\t1\n2\tx\t0\n",
    "quepid": "query,docid,rating\n1,a,2\n1,b,0\n1,c,1\n2,a,1\n2,x,0\n",
    "pyterrier": "qid,docno,label\r\n1,a,2\r\n1,b,0\r\n1,c,1\r\n2,a,1\r\n2,x,0\r\n",
    "json": json.dumps(QRELS),
    "elasticsearch": json.dumps(
        {
            "requests": [
                {"id": topic, "ratings": [{"_index": "i", "_id": d, "rating": g} for d, g in judged.items()]}
                for topic, judged in QRELS.items()
            ]
        }
    ),
}


@pytest.mark.parametrize("layout", RUNS)
def test_a_run_of_any_layout_gives_the_same_scores(layout, tmp_path):
    path = tmp_path / "run"
    path.write_text(RUNS[layout])
    assert gainful.evaluate(QRELS, path, "AP").mean == {"AP": AP}
    assert gainful.evaluate(QRELS, gainful.read_run(path), "AP").mean == {"AP": AP}


@pytest.mark.parametrize("layout", JUDGMENTS)
def test_judgments_of_any_layout_give_the_same_scores(layout, tmp_path):
    path = tmp_path / "qrels"
    path.write_text(JUDGMENTS[layout])
    assert gainful.evaluate(path, RUN, "AP").mean == {"AP": AP}
    assert gainful.read_qrels(path).digest == gainful.read_qrels(QRELS).digest


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, lz4.frame.compress])
@pytest.mark.parametrize("layout", ["json", "csv with quotes", "marco", "jsonl"])
def test_any_layout_may_be_compressed(pack, layout, tmp_path):
    path = tmp_path / "run"
    path.write_bytes(pack(RUNS[layout].encode()))
    assert gainful.evaluate(QRELS, path, "AP").mean == {"AP": AP}


@pytest.mark.parametrize("layout", RUNS)
def test_a_mark_of_byte_order_at_the_start_is_no_part_of_the_content(layout, tmp_path):
    path = tmp_path / "run"
    path.write_text("\ufeff" + RUNS[layout], encoding="utf-8")
    assert gainful.evaluate(QRELS, path, "AP").mean == {"AP": AP}


def test_a_rank_may_have_more_digits_than_python_makes_numbers_of(tmp_path):
    path = tmp_path / "run"
    path.write_text(f"topic\tdocument\trank\n1\tb\t{'1' * 5000}\n1\ta\t1\n")
    assert gainful.evaluate({"1": {"a": 1, "b": 0}}, path, "RR").mean == {"RR": 1.0}


def test_a_quote_far_down_a_table_is_understood(tmp_path):
    path = tmp_path / "run.csv"
    filler = "".join(f"1,filler-{number},{-number}\n" for number in range(3000))
    path.write_text("topic,document,score\n" + filler + '1,"a, b",9\n')
    assert gainful.evaluate({"1": {"a, b": 1}}, path, "RR").mean == {"RR": 1.0}


def test_a_layout_can_be_named(tmp_path):
    path = tmp_path / "run"
    path.write_text("1,a,3.0\n1,u,2.0\n1,c,1.0\n2,x,2.5\n2,a,1.5\n")
    assert gainful.read_run(path, layout="csv").to_dict() == RUN
    with pytest.raises(UsageError, match="layout"):
        gainful.read_run(path, layout="nonsense")


def test_judgments_of_a_collection_are_found_by_its_id(tmp_path):
    path = tmp_path / "qrels"
    path.write_text(JUDGMENTS["trec"])
    dataset = ir_datasets.datasets.base.Dataset(
        TrecQrels(LocalDownload(path), {0: "not", 1: "yes", 2: "very"})
    )
    ir_datasets.registry.register("gainful-test", dataset)
    assert gainful.evaluate("irds:gainful-test", RUN, "AP").mean == {"AP": AP}
    with pytest.raises(DataError, match="no collection"):
        gainful.read_qrels("irds:no-such-collection")


IDS = st.binary(min_size=1, max_size=6).filter(lambda id_: id_.strip(b" \t\r\n"))
TABLES = st.dictionaries(
    st.tuples(IDS, IDS), st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8
)


FOR_OTHERS = (
    "elasticsearch",
    "opensearch",
    "quepid",
    "labels",
)  # made for other tools: tests/cli/test_convert.py


@pytest.mark.parametrize("kind", ["run", "qrels"])
@pytest.mark.parametrize("layout", [name for name in written_names() if name not in FOR_OTHERS])
@given(table=TABLES, packed=st.sampled_from(["", ".gz", ".zst"]))
@settings(max_examples=40, deadline=None)
def test_what_is_written_reads_back_to_the_same_rows_or_is_refused(
    kind, layout, table, packed, tmp_path_factory
):
    if kind == "qrels":
        table = {key: float(round(value) % 7) for key, value in table.items()}
    rows = Rows.of_lists(
        [topic for topic, _ in table], [document for _, document in table], list(table.values())
    )
    path = tmp_path_factory.mktemp("made") / f"file{packed}"
    try:
        path.write_bytes(written(rows, kind, layout, path=str(path)))
    except DataError:
        awkward = any(
            one != one.strip()
            or any(byte <= 32 or byte == 127 for byte in one)
            or one[:1] == b"#"
            or one[:3] == b"\xef\xbb\xbf"
            for key in table
            for one in key
        )
        assert awkward or any(
            not one.decode("utf-8", "surrogateescape").strip() for key in table for one in key
        )
        return
    back = rows_of(
        path,
        kind,
        threads=1,
        layout={"beir": "tsv", "marco": "marco" if kind == "run" else "trec"}.get(layout, layout),
    )
    read = dict(zip(zip(back.topics, back.documents, strict=True), back.values.tolist(), strict=True))
    if layout == "marco" and kind == "run":
        assert set(read) == set(table)
        order = sorted(table, key=lambda key: (key[0], table[key], key[1]), reverse=True)
        assert order == sorted(read, key=lambda key: (key[0], read[key]), reverse=True)
    else:
        assert read == table


HOSTILE = {
    "json that is a list of numbers": (b"[1, 2]", "record 1"),
    "json that is a number in a list": (b'{"1": 5}', "no column named topic"),
    "json cut short": (b'{"1": {"a": 1', "not JSON"),
    "json with a text for a value": (b'{"1": {"a": "high"}}', "not a number"),
    "jsonl with a broken line": (b'{"topic": 1, "document": 2, "score": 3}\n{"topic"\n', "line 2"),
    "jsonl without the columns": (b'{"a": 1, "b": 2}\n', "line 1"),
    "jsonl with a value missing": (
        b'{"topic": 1, "document": 2, "score": 3}\n{"topic": 1, "document": 5}\n',
        "line 2",
    ),
    "csv without a score": (b"topic,document,colour\n1,a,red\n", "no column named score"),
    "csv with a word for a score": (b"topic,document,score\n1,a,3\n1,b,high\n", "line 3"),
    "csv with an underscore in a quoted table": (
        b'topic,document,score\n1,"a",1_0\n',
        "line 2: '1_0' is not",
    ),
    "csv with digits of another script": (
        'topic,document,score\n1,"a",٣\n'.encode(),
        "line 2: '٣' is not a number",
    ),
    "json with an id that moves the cursor": (
        b'{"1": {"a\\u001b": "high"}}',
        r"document 'a\\x1b' of topic '1' is not",
    ),
    "csv with a name that moves the cursor": (
        b"topic,\x1b[31m,score\n1,a,1\n",
        r"among topic, \\x1b\[31m, score",
    ),
    "ranx with damaged lz4 inside": (
        lz4.frame.compress(b"\x04\x22\x4d\x18" + b"\xff" * 40),
        "cannot be decompressed",
    ),
    "ranx with a map for a topic": (
        lz4.frame.compress(lz4.frame.compress(b"\xa1\xa1\x61a\x01\x01")),
        "expected {topic: {document: value}}",
    ),
    "json nested too deep": (b"[" * 100_000, "is not JSON"),
    "jsonl nested too deep": (
        b'{"topic": 1, "document": 2, "score": 3}\n' + b'{"a":' * 100_000,
        "line 2: not JSON",
    ),
    "jsonl with a truth for a score": (
        b'{"topic": 1, "document": 2, "score": true}\n',
        "line 1: True is not a number",
    ),
    "json with a document twice": (
        b'{"1": {"a": 3, "a": 2}}',
        "row 2 and row 1: document 'a' of topic '1' is there twice",
    ),
    "json with a document twice and blanks before a colon": (
        b'{"1": {"a": 2, "a": 3, "b" : 1}}',
        "row 2 and row 1: document 'a' of topic '1' is there twice",
    ),
    "json with a topic twice": (b'{"1": 3, "1": {"a": 2}}', "topic '1' is there twice"),
    "csv too short": (b"topic,document,score\n1,a\n", "line 2"),
    "csv with an open quote": (b'topic,document,score\n1,"a,3\n', "line"),
    "csv of a header only": (b"topic,document,score\n", "no rows"),
    "parquet that is not": (b"PAR1" + bytes(100), "Parquet"),
    "a bomb of zeros": (gzip.compress(bytes(50_000_000)), "binary"),
    "a bomb of one line": (gzip.compress(b"x" * 50_000_000), "longer than"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_gets_one_clear_line(name, tmp_path):
    content, said = HOSTILE[name]
    path = tmp_path / "bad"
    path.write_bytes(content)
    with pytest.raises(DataError, match=said) as raised:
        gainful.evaluate(QRELS, path, "AP")
    assert str(path) in str(raised.value)


def test_json_may_have_blanks_before_colons_and_a_document_twice_where_that_is_decided(tmp_path):
    path = tmp_path / "run.json"
    path.write_text('{"1" : {"a" : 1, "b\\":" : 2}, "2": {"a": 3}, "1": {"a": 4}}')
    run = gainful.evaluate(QRELS, path, "NumRet, RR", duplicates="best")
    assert run.per_topic["1"] == {"NumRet": 2.0, "RR": 1.0}


def test_a_parquet_file_without_the_columns_is_refused_by_name(tmp_path: Path):
    import pyarrow as pa
    from pyarrow import parquet

    path = tmp_path / "bad.parquet"
    parquet.write_table(pa.table({"a": [1], "b": [2]}), path)
    with pytest.raises(DataError, match="no column named topic"):
        gainful.evaluate(QRELS, path, "AP")


def test_three_columns_whose_third_is_no_rank_are_not_taken_for_ranks(tmp_path):
    path = tmp_path / "run"
    for text in ("1 a 0.9\n1 u 0.1\n", "1 a 30\n1 b 20\n", "1 a 1\n1 b 1\n", "1 a 1\n1 b 2\n2 a 2\n"):
        path.write_text(text)
        with pytest.raises(DataError, match=r"is not 1, 2, 3, ….*\nAdd a header line"):
            gainful.evaluate(QRELS, path, "AP")
    path.write_text("1 a 30\n1 b 20\n")
    assert gainful.read_run(path, layout="marco").to_dict() == {"1": {"a": -30.0, "b": -20.0}}


def test_ranks_that_stop_being_ranks_far_down_are_refused(tmp_path):
    path = tmp_path / "run"
    lines = [f"{topic} d{rank} {rank}\n" for topic in range(200) for rank in range(1, 21)]
    path.write_text("".join(lines))
    assert len(gainful.read_run(path).to_dict()) == 200
    path.write_text("".join(lines) + "300 a 12.5\n300 b 11\n")
    with pytest.raises(DataError, match="line 4001: the third column of topic '300' is not 1, 2, 3"):
        gainful.read_run(path)
    path.write_text("".join(reversed(lines)))  # in any order
    assert len(gainful.read_run(path).to_dict()) == 200


def test_a_topic_that_looks_like_json_is_a_topic(tmp_path):
    judged, run = tmp_path / "qrels", tmp_path / "run"
    for topic in ("{k}", "[1]", '{"k"}', '["a"]', "{1:2}", "[", "{", "[]", '["a",', '{"a":'):
        judged.write_text(f"{topic} 0 a 1\n{topic} 0 b 0\n")
        run.write_text(f"{topic} Q0 b 1 2 t\n{topic} Q0 a 2 1 t\n")
        assert gainful.evaluate(judged, run, "RR").mean == {"RR": 0.5}
        run.write_text(f"{topic} b 1\n{topic} a 2\n")
        assert gainful.evaluate(judged, run, "RR").mean == {"RR": 0.5}


def test_a_topic_that_is_a_bracket_with_documents_that_hold_brackets_is_a_topic(tmp_path):
    path = tmp_path / "qrels"
    path.write_text("[ 0 6ZXb,[ 0\n[ 0 b 1\n")
    assert gainful.evaluate(path, {"[": {"6ZXb,[": 2.0, "b": 1.0}}, "RR").mean == {"RR": 0.5}


def test_json_whose_lines_read_as_rows_is_json(tmp_path):
    path = tmp_path / "run"
    path.write_text(
        '{ "q1": { "d0": 9000\n' + "".join(f', "d{n}": {9000 - n}\n' for n in range(1, 3000)) + "}}"
    )
    assert gainful.evaluate({"q1": {"d1": 1}}, path, "RR").mean == {"RR": 0.5}


def test_a_row_that_begins_like_a_comment_is_a_row(tmp_path):
    judged, run = {"#1": {"#d": 1}}, tmp_path / "run"
    for text in (
        "topic,document,score\n#1,#d,1\n#1,x,2\n",
        '"topic","document","score"\n"#1","#d",1\n#1,x,2\n',
        "# made by hand\ntopic\tdocument\tscore\n#1\t#d\t1\n#1\tx\t2\n",
        "#1 #d 2\n#1 x 1\n",
        "# made by hand\n#1 Q0 #d 1 1 t\n#1 Q0 x 1 2 t\n#\n",
    ):
        run.write_text(text)
        assert gainful.evaluate(judged, run, "RR").mean == {"RR": 0.5}


@pytest.mark.parametrize("quote", ["", '"'])
def test_an_empty_id_in_a_table_is_refused(tmp_path, quote):
    path = tmp_path / "run.csv"
    path.write_text(f"topic,document,score\n1,a,3\n1,{quote}{quote},2\n")
    with pytest.raises(DataError, match="line 3: the document is missing"):
        gainful.read_run(path)


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_row_of_a_table_with_a_column_too_many_is_refused(tmp_path, quote):
    path = tmp_path / "run.csv"
    path.write_text(f"topic,document,score\n1,{quote}a{quote},3\n1,New,1,2\n")
    with pytest.raises(DataError, match="line 3: 4 columns where 3 are expected"):
        gainful.read_run(path)


def test_text_in_quotes_far_down_cannot_be_taken_for_rows(tmp_path):
    """A quote is looked for in all columns, however far down."""
    path = tmp_path / "run.csv"
    filler = "".join(f"1,filler-{number},{-number},x\n" for number in range(3000))
    text = "topic,document,score,note\n" + filler + '1,b,8,"say:\n1,a,9,injected\n"\n1,c,7,y\n'
    path.write_text(text)
    expected = {f"filler-{number}": -float(number) for number in range(3000)} | {"b": 8.0, "c": 7.0}
    assert gainful.read_run(path).to_dict() == {"1": expected}


def test_a_quotation_mark_that_is_never_closed_is_refused_before_it_fills_the_memory(tmp_path):
    path = tmp_path / "run.csv.gz"
    for filler in (b"x" * (64 << 20), b"x\n" * (32 << 20), b'x\n","' * (16 << 20)):
        path.write_bytes(gzip.compress(b'topic,document,score\n1,"' + filler, 1))
        tracemalloc.start()
        with pytest.raises(DataError, match=r"longer than 1 MiB|field limit"):
            gainful.read_run(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 32 << 20


def test_an_id_longer_than_4_kib_is_refused_in_every_layout_of_text(tmp_path):
    path = tmp_path / "run"
    for text in (
        "1 Q0 {} 1 2 t\n",
        "1 {} 1\n",
        "topic,document,score\n1,{},2\n",
        'topic,document,score\n1,"{}",2\n',
    ):
        path.write_text(text.format("d" * 4097))
        with pytest.raises(DataError, match="an id longer than 4,096 bytes"):
            gainful.read_run(path)
        path.write_text(text.format("d" * 4096))
        assert len(gainful.read_run(path).to_dict()["1"]) == 1


@pytest.mark.parametrize("quoted", ["b", '"b"'])
def test_blanks_around_fields_are_no_part_of_them_with_or_without_quotes(quoted, tmp_path):
    path = tmp_path / "run.csv"
    path.write_text(f"topic, document, score\n1 , a , 3\n1, {quoted}, 2\n")
    assert gainful.read_run(path).to_dict() == {"1": {"a": 3.0, "b": 2.0}}


def test_the_name_of_a_column_may_hold_the_separator(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text('"note, long",topic,document,score,more\nx,1,a,3,y\n')
    assert gainful.read_run(path).to_dict() == {"1": {"a": 3.0}}


def test_a_quoted_table_may_begin_with_a_comment(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text('# made by hand\ntopic,document,score\n1,"a",3\n')
    assert gainful.read_run(path).to_dict() == {"1": {"a": 3.0}}


@pytest.mark.parametrize("damaged", [lambda raw: raw[:-5], lambda raw: raw[:-8] + b"\xff" * 4 + b"PAR1"])
def test_a_parquet_file_without_its_end_gets_one_line_and_nothing_else_is_printed(damaged, tmp_path, capfd):
    path = tmp_path / "run.parquet"
    rows = Rows.of_lists(["1"], ["a"], [1.0])
    path.write_bytes(damaged(written(rows, "run", "parquet", path=str(path))))
    for run in (path, gzip_of(path)):
        with pytest.raises(DataError, match="is not a readable Parquet file: its end is missing;"):
            gainful.evaluate(QRELS, run, "AP")
    assert capfd.readouterr() == ("", "")


def gzip_of(path):
    packed = path.with_suffix(".gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    return packed


def test_a_parquet_file_with_a_damaged_page_is_refused(tmp_path):
    path = tmp_path / "run.parquet"
    rows = Rows.of_lists(["1"] * 500, [f"d{number}" for number in range(500)], list(range(500)))
    content = bytearray(written(rows, "run", "parquet", path=str(path)))
    content[40:300] = bytes(byte ^ 0xFF for byte in content[40:300])
    path.write_bytes(content)
    with pytest.raises(DataError, match="Parquet"):
        gainful.evaluate(QRELS, path, "AP")


def test_a_damaged_page_of_parquet_is_one_sentence_however_it_is_asked_for(tmp_path, capfd):
    path = tmp_path / "qrels.parquet"
    count = 500
    content = bytearray(
        parquet.written(
            [
                ("topic", "u", ["1"] * count),
                ("judge", "u", ["ann"] * count),
                ("document", "u", [f"d{number}" for number in range(count)]),
                ("grade", "g", [1.0] * count),
            ],
            {},
        )
    )
    said = set()  # ways to ask that met the damage, and whether the file is named
    for start in range(8, 700, 23):
        damaged = bytearray(content)
        damaged[start : start + 60] = bytes(byte ^ 0xFF for byte in damaged[start : start + 60])
        path.write_bytes(damaged)
        for by in (None, "judges"):
            try:
                gainful.read_qrels(path, by=by)
            except DataError as fault:
                said.add((by, str(path) in str(fault)))
    assert said == {(None, True), ("judges", True)}
    assert capfd.readouterr() == ("", "")


def test_a_panic_of_the_decoder_is_one_sentence_and_nothing_of_it_is_printed(tmp_path, capfd, monkeypatch):
    class Panic(BaseException):
        """As that of arro3, which is no Exception."""

    def panics(_):
        os.write(2, b"thread panicked at src/file.rs")
        raise Panic("index out of bounds")

    path = tmp_path / "run.parquet"
    path.write_bytes(written(Rows.of_lists(["1"], ["a"], [1.0]), "run", "parquet", path=str(path)))
    monkeypatch.setattr(parquet.Decoded, "_opened", panics)
    with pytest.raises(DataError, match="is not a readable Parquet file: index out of bounds"):
        gainful.read_run(path)
    assert capfd.readouterr() == ("", "")


def test_no_damaged_byte_in_the_pages_of_a_parquet_file_ends_the_process_by_a_signal(tmp_path):
    """arro3 aborts in some damaged pages, which no caller can catch; bytes are damaged one by one, each in a child process."""
    path = tmp_path / "run.parquet"
    topics, documents = [f"q{n // 7}" for n in range(60)], [f"d{n % 13}" for n in range(60)]
    table = pa.table({"topic": topics, "document": documents, "score": [float(n) for n in range(60)]})
    pq.write_table(table, path, compression="none", store_schema=False)
    program = (
        "import os, sys, arro3.core, arro3.io, gainful, gainful.formats.parquet_format\n"
        "from gainful.errors import DataError\n"
        "path, ends = sys.argv[1], set()\n"
        "whole = open(path, 'rb').read()\n"
        "for place in range(5, 300, 2):\n"
        "    open(path, 'wb').write(whole[:place] + b'\\x7d' + whole[place + 1:])\n"
        "    child = os.fork()\n"
        "    if not child:\n"
        "        try: gainful.read_run(path)\n"
        "        except DataError as fault: os._exit(fault.exit_code)\n"
        "        os._exit(0)\n"
        "    ends.add(os.waitpid(child, 0)[1])\n"
        "print(sorted(ends))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "[0, 768]\n"  # 3 << 8
    assert "its pages are damaged" in ended.stderr
    assert "panicked" not in ended.stderr


def _huge(path, *, width, first, kind="dictionary", text=None):
    """A run whose document ids are short at first, and then one huge id again and again, stored once or compressed well."""
    short, huge = [f"d{n}" for n in range(first)], "x" * width
    schema = pa.schema([("topic", pa.string()), ("document", text or pa.string()), ("score", pa.float64())])
    stored = {"use_dictionary": True, "dictionary_pagesize_limit": 1 << 30}
    if kind != "dictionary":
        stored = {"use_dictionary": ["topic"], "column_encoding": {"document": kind}}
    with pq.ParquetWriter(path, schema, compression="zstd", data_page_size=1 << 28, **stored) as writer:
        for documents in (short, *[[huge] * 64] * 4):
            columns = [["q1"] * len(documents), documents, [float(n) for n in range(len(documents))]]
            writer.write_batch(
                pa.record_batch(
                    [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema
                )
            )


@pytest.mark.parametrize("installed", ["arro3", "pyarrow"])
@pytest.mark.parametrize(
    "kind",
    [
        {"width": 400_000, "first": 17},
        {"width": 1_000_000, "first": 3000, "text": pa.large_string()},
        {"width": 400_000, "first": 17, "kind": "DELTA_BYTE_ARRAY"},
        {"width": 2_000_000, "first": 17, "kind": "PLAIN"},
    ],
    ids=["dictionary", "large", "prefixes", "pages"],
)
def test_parquet_with_huge_ids_takes_little_memory(tmp_path, kind, installed):
    """An id that repeats is stored once, or as a prefix, or compressed: decoding many rows at once would fill memory."""
    path = tmp_path / "run.parquet"
    _huge(path, **kind)
    program = (
        "import re, sys, gainful\n"
        "from gainful.errors import DataError\n"
        f"sys.modules.update(dict.fromkeys([] if {installed == 'arro3'} else ['arro3.io', 'arro3.core']))\n"
        "try: gainful.read_run(sys.argv[1])\n"
        "except DataError as fault: print('refused' if 'too many to hold' in str(fault) else fault)\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    refused, kilobytes = ended.stdout.split()
    assert refused == "refused"
    assert int(kilobytes) < 500_000


@cache
def _bomb(codec):
    """600 MB of zeros, compressed."""
    packed = pa.BufferOutputStream()
    with pa.CompressedOutputStream(packed, codec) as stream:
        for _ in range(600):
            stream.write(bytes(1_000_000))
    return packed.getvalue().to_pybytes()


@pytest.mark.parametrize("installed", ["arro3", "pyarrow", "both"])
@pytest.mark.parametrize(("codec", "number"), [("gzip", 2), ("brotli", 4), ("lz4", 5)])
def test_a_parquet_page_that_is_larger_than_its_header_says_takes_little_memory(
    tmp_path, codec, number, installed
):
    content = _bomb(codec)
    page = parquet_pages._Page(0, len(content), 1000, 100, 0, dictionary=False, levels=0)
    path = tmp_path / "run.parquet"
    path.write_bytes(parquet_pages._file_of_page(content, page, number))
    missing = {"arro3": ["pyarrow", "pyarrow.parquet"], "pyarrow": ["arro3.io", "arro3.core"], "both": []}
    program = (
        "import re, sys\n"
        "from gainful.errors import GainfulError\n"
        "from gainful.formats.parquet import Decoded\n"
        f"sys.modules.update(dict.fromkeys({missing[installed]}))\n"
        "try: Decoded(sys.argv[1], 'run').held()\n"
        "except GainfulError as fault: print(fault)\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    said, kilobytes = ended.stdout.splitlines()
    if installed == "arro3" and codec != "gzip":
        assert "pip install pyarrow" in said
    elif installed != "pyarrow" and codec == "gzip":
        assert "a page is larger than the 1,000 bytes that its header says" in said
    else:
        assert "is not a readable Parquet file" in said
    assert int(kilobytes) < 500_000


@pytest.mark.parametrize(
    ("kind", "said"), [(13, "a page is larger than the 5 bytes"), (14, "the header of a page cannot be read")]
)
def test_a_parquet_page_is_compared_with_a_header_of_unknown_fields_too(tmp_path, monkeypatch, kind, said):
    monkeypatch.setattr(parquet_pages, "UNCHECKED", 0)
    content = gzip.compress(random.Random(1).randbytes(200_000))
    page = parquet_pages._Page(0, len(content), 5, 1, 0, dictionary=False, levels=0)
    path = tmp_path / "run.parquet"
    whole = parquet_pages._file_of_page(content, page, 2)
    # a field of 16 bytes before the end of the header; the content loses as many, so that offsets stay
    unknown = bytes([9 << 4 | kind]) + bytes(16) + b"\0"
    path.write_bytes(whole.replace(b"\0" + content, unknown + content[: -len(unknown) + 1]))
    with pytest.raises(DataError, match=said):
        parquet.Decoded(str(path), "run")


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("codec", ["gzip", "brotli"])
def test_a_parquet_page_that_is_as_large_as_its_header_says_is_read(
    tmp_path, monkeypatch, codec, dictionary, version
):
    monkeypatch.setattr(parquet_pages, "UNCHECKED", 0)
    path, chance = tmp_path / "run.parquet", random.Random(1)
    ids = [f"{chance.getrandbits(128):x}" for _ in range(20_000)]
    table = pa.table(
        {"topic": ["q1"] * len(ids), "document": ids, "score": [None, *map(float, range(len(ids) - 1))]}
    )
    pq.write_table(table, path, compression=codec, use_dictionary=dictionary, data_page_version=version)
    assert sum(batch.num_rows for batch in parquet.Decoded(str(path), "run")) == len(ids)


@pytest.mark.parametrize("codec", ["zstd", "snappy", "gzip", "none"])
@pytest.mark.parametrize("writer", ["pyarrow", "polars", "gainful"])
def test_parquet_with_ordinary_ids_is_decoded_many_rows_at_once(tmp_path, monkeypatch, writer, codec):
    path, count = tmp_path / "run.parquet", 50_000
    columns = {
        "topic": [f"q{n // 100}" for n in range(count)],
        "document": [f"https://example.org/page/{n * 7919 % 30_011}" for n in range(count)],
        "score": [float(-n) for n in range(count)],
    }
    if writer == "pyarrow":
        pq.write_table(pa.table(columns), path, compression=codec)
    elif writer == "polars":
        pl.DataFrame(columns).write_parquet(path, compression="uncompressed" if codec == "none" else codec)
    else:
        path.write_bytes(written(Rows.of_lists(*columns.values()), "run", "parquet", path=str(path)))
    asked = []
    monkeypatch.setattr(
        parquet, "rows_at_once", lambda *facts: asked.append(parquet_pages.rows_at_once(*facts)) or asked[-1]
    )
    assert len(gainful.read_run(path).rows()) == count
    assert len(asked) == 1
    assert 4000 < asked[0] <= 4096


def test_a_repetition_in_records_is_placed_by_row(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps([{"topic": "1", "document": "a", "score": score} for score in (1, 2)]))
    with pytest.raises(DataError, match="row 2 and row 1"):
        gainful.evaluate(QRELS, path, "AP")


def test_what_ranx_saves_as_lz4_is_read(tmp_path):
    def text(word):
        return bytes([0x60 + len(word)]) + word.encode()

    packed = bytes([0xA0 + len(RUN)])
    for topic, found in RUN.items():
        packed += text(topic) + bytes([0xA0 + len(found)])
        for document, score in found.items():
            packed += text(document) + b"\xfb" + struct.pack(">d", score)
    path = tmp_path / "run.lz4"
    path.write_bytes(lz4.frame.compress(lz4.frame.compress(packed)))
    assert gainful.evaluate(QRELS, path, "AP").mean == {"AP": AP}
    path.write_bytes(lz4.frame.compress(lz4.frame.compress(packed[:-3])))
    with pytest.raises(DataError, match="ranx"):
        gainful.evaluate(QRELS, path, "AP")


def test_a_later_topic_that_ends_in_a_colon_or_a_comma_does_not_make_rows_json(tmp_path):
    path = tmp_path / "q.txt"
    path.write_text("[{k} 0 a 1\nx: 0 a 1\ny, 0 a 1\n")
    run = {topic: {"a": 1.0} for topic in ("[{k}", "x:", "y,")}
    assert gainful.evaluate(path, run, "RR").mean == {"RR": 1.0}
