"""Lines of text become columns as the core would read them."""

import pyarrow as pa
import pytest

import gainful
from gainful.formats.ids import to_bytes
from gainful.formats.layouts import trec
from gainful.spark.cluster_faults import LINE
from gainful.spark.cluster_files import Split


def parsed(*lines):
    batch = pa.RecordBatch.from_pydict({"line": pa.array([to_bytes(line) for line in lines], pa.binary())})
    return Split("a.run", "run", trec("run")).parsed(batch).to_pylist()


def test_a_mark_of_byte_order_goes_and_nothing_else_does():
    alike = "\uff11"  # begins with a byte of the mark
    rows = parsed("\ufeffq1 Q0 d1 1 2.5 tag", f"{alike} Q0 d1 1 1e3 tag", "# a comment", "")
    assert rows == [
        {"topic": b"q1", "document": b"d1", "value": 2.5},
        {"topic": alike.encode(), "document": b"d1", "value": 1000.0},
    ]


def test_a_line_is_a_comment_where_its_first_letter_says_so_as_on_one_machine(tmp_path):
    lines = ["#1 Q0 d1 1 2.5 tag", " #2 Q0 d1 1 2.5 tag", "\t", "q Q0 d1 1 2.5 tag"]
    (tmp_path / "a.run").write_text("\n".join(lines) + "\n")
    there = gainful.evaluate(
        {"#1": {"d1": 1}, "#2": {"d1": 1}, "q": {"d1": 1}}, str(tmp_path / "a.run"), "RR"
    )
    assert {row["topic"].decode() for row in parsed(*lines)} == {"#2", "q"}
    assert [topic for topic, values in there.per_topic.items() if values["RR"]] == ["#2", "q"]


def test_spaces_that_divide_nothing_on_one_machine_divide_nothing_here():
    (row, last) = parsed("q\x0b1 Q0  d\x0c1\t1 2.5 my own\x0ctag", "q2 Q0 caf\udce9\x0c 1 1.5 tag")
    assert (row["topic"], row["document"], row["value"]) == (b"q\x0b1", b"d\x0c1", 2.5)
    assert last["document"] == b"caf\xe9\x0c"


@pytest.mark.parametrize("other", ["1", "n/a"], ids=["alone", "beside a fault"])
def test_what_is_not_a_number_by_name_is_left_to_the_core_to_refuse(other):
    rows = parsed("q1 Q0 d1 1 nan(1) tag", f"q1 Q0 d2 1 {other} tag")
    assert rows[0]["value"] != rows[0]["value"]


def test_a_line_that_cannot_be_read_stays_as_a_row_that_says_so():
    short, wrong = parsed("q1 Q0 d1", "q1 Q0 d2 1 high tag")
    assert {short["topic"], wrong["topic"]} == {None}
    assert {row["document"].removeprefix(LINE).split(b"\x1f")[0] for row in (short, wrong)} == {
        b"columns",
        b"value",
    }
