"""Lines of text become columns as the core would read them."""

import pyarrow as pa
import pytest

from gainful.formats.layouts import trec
from gainful.spark.faults import LINE
from gainful.spark.lines import Split


def parsed(*lines):
    batch = pa.RecordBatch.from_pydict({"line": pa.array([line.encode() for line in lines], pa.binary())})
    return Split("a.run", "run", trec("run")).parsed(batch).to_pylist()


def test_a_mark_of_byte_order_goes_and_nothing_else_does():
    alike = "\uff11"  # begins with a byte of the mark
    rows = parsed("\ufeffq1 Q0 d1 1 2.5 tag", f"{alike} Q0 d1 1 1e3 tag", "# a comment", "")
    assert rows == [
        {"topic": b"q1", "document": b"d1", "value": 2.5},
        {"topic": alike.encode(), "document": b"d1", "value": 1000.0},
    ]


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
