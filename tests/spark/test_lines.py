"""Lines of text become columns as the core would read them."""

import pyarrow as pa
import pytest

import gainful
import gainful.errors
from gainful.formats.ids import to_bytes
from gainful.formats.layouts import layout_of
from gainful.spark.cluster_files import LineParser
from gainful.spark.worker_messages import LINE


def parsed(*lines):
    batch = pa.RecordBatch.from_pydict({"line": pa.array([to_bytes(line) for line in lines], pa.binary())})
    return LineParser("a.run", "run", layout_of(b"", "run", "trec"), None, lines).parsed(batch).to_pylist()


def test_a_mark_of_byte_order_goes_and_nothing_else_does():
    alike = "\uff11"  # begins with a byte of the mark
    rows = parsed("\ufeffq1 Q0 d1 1 2.5 tag", f"{alike} Q0 d1 1 1e3 tag", "# a comment", "")
    assert rows == [
        {"topic": b"q1", "document": b"d1", "value": 2.5},
        {"topic": alike.encode(), "document": b"d1", "value": 1000.0},
    ]


def test_a_line_is_a_comment_or_a_topic_like_one_as_on_one_machine(tmp_path):
    lines = [
        "#1 Q0 d1 1 2.5 tag",
        "# Q0 d1 1 2.5 tag",
        "# made by hand",
        " #2 Q0 d1 1 2.5 tag",
        "\t",
        "q Q0 d1 1 2.5 tag",
    ]
    (tmp_path / "a.run").write_text("\n".join(lines) + "\n")
    there = gainful.read_run(str(tmp_path / "a.run")).to_dict()
    assert {row["topic"].decode() for row in parsed(*lines)} == set(there)


def test_spaces_that_divide_nothing_on_one_machine_divide_nothing_here():
    (row, last) = parsed("q\x0b1 Q0  d\x0c1\t1 2.5 my\x0ctag", "q2 Q0 caf\udce9\x0c 1 1.5 tag")
    assert (row["topic"], row["document"], row["value"]) == (b"q\x0b1", b"d\x0c1", 2.5)
    assert last["document"] == b"caf\xe9\x0c"


def test_lines_that_cannot_be_read_become_a_row_that_tells_of_the_first_and_counts_them():
    (row,) = parsed("q1 Q0 d1", "q1 Q0 d2 1 2.5 tag", "q1 Q0 d3")
    assert (row["topic"], row["value"]) == (None, None)
    assert row["document"].removeprefix(LINE).split(b"\x1f") == [
        b"columns",
        b"2",
        b"a.run",
        b"3",
        b"topic, Q0, document, rank, score, tag",
        b"q1 Q0 d1",
    ]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("q1\tQ0\tNew York\t1\t9.5\tt", b"columns"),
        ("q1\tQ0\tNew York\t1\t9.5", b"blank"),
        ("q1 Q0 d2 1 high tag", b"value"),
        ("q1 Q0 d2 1 nan tag", b"nan"),
        ("q1 Q0 d2 1 2.5", b"uneven"),
    ],
)
def test_a_line_is_refused_as_on_one_machine(line, kind, tmp_path):
    lines = ["q1 Q0 d1 1 9.5 t", line]
    (row,) = parsed(*lines)
    assert row["document"].removeprefix(LINE).split(b"\x1f")[0] == kind
    (tmp_path / "a.run").write_text("\n".join(lines) + "\n")
    with pytest.raises(gainful.errors.DataError):
        gainful.read_run(str(tmp_path / "a.run"))
