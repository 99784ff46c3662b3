"""Text → rows: the native reader against the twin on ordinary, odd and hostile bytes."""

import math
import random
import tempfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

CHECK = settings(deadline=None, max_examples=200, derandomize=True)

BLOCKS = st.sampled_from([0, 1, 16, 40, 64, 100, 1000])
THREADS = st.integers(1, 4)

blank = st.sampled_from([b" ", b"\t", b"  ", b" \t ", b"\t\t"])
ident = st.one_of(
    st.sampled_from(
        [b"1", b"2", b"10", b"q", b"#x", b"d#1", b"\xff\xfe", "é".encode(), b"abcdefgh", b"a" * 40]
    ),
    st.binary(min_size=1, max_size=12).map(lambda b: bytes(c for c in b if c > 32) or b"x"),
)
number = st.one_of(
    st.sampled_from(
        [
            *(b"0", b"-0.0", b"+1", b"1e400", b"-1e400", b"1e-400", b"4.9e-324", b"2e-324", b"inf"),
            *(b"-Infinity", b"1.", b".5", b"1e5", b"1E+5", b"0.1", b"0.30000000000000004"),
            *(b"9007199254740993", b"1" * 400, b"-.5e-3"),
        ]
    ),
    st.floats(allow_nan=False).map(lambda x: repr(x).encode()),
    st.integers(-5, 5).map(lambda x: b"%d" % x),
)
bad_number = st.sampled_from(
    [
        *(b"nan", b"-NaN", b"nan(1)", b"nan(", b"n/a", b"1,5", b"0x10", b"1_0", b"+-1", b"+", b".", b"1e"),
        *(b"1e+", b"--1", b"infin", b"1\r2", b"1.2.3", "١".encode()),
    ]
)
ending = st.sampled_from([b"\n", b"\r\n", b" \n", b"\t\r\n", b"\r\r\n"])


@st.composite
def row_line(draw: st.DrawFn, kind: str, values: st.SearchStrategy[bytes] = number) -> bytes:
    fields = [draw(ident), draw(ident), draw(ident)]
    if kind == "run":
        fields.append(draw(st.sampled_from([b"1", b"-", b"rank"])))
    fields.append(draw(values))
    if kind == "run" or draw(st.integers(0, 9)) == 0:
        fields += draw(
            st.sampled_from([[], [b"tag"], [b"tag"], [b"tag"], [b"my", b"tag"], [b"tag\r"], [b"a\x0bb"]])
        )
    start = draw(st.sampled_from([b"", b"", b"", b" ", b"\t"]))
    line = start + b"".join(field + draw(blank) for field in fields[:-1]) + fields[-1]
    return line + draw(ending)


odd_line = st.sampled_from(
    [
        *(b"\n", b"\r\n", b"  \t\n", b"# comment\n", b"#\n", b"#1 0 d 1\n", b"one\n", b"one two\n"),
        *(b"#1 Q0 d 1 2\n", b"#1\tQ0\td\t1\t2\tt\n", b"#1 0 d x\n", b"# 0 d 1\n", b"q\t0\tNew York\t1\n"),
        *(b"q\tQ0\tNew York\t1\t2\n", b"q\tQ0\td\t1\t2 \t t\n", b"q 0\td 1\n", b"q 0\td\t1 1\n"),
        *(b"a b c\r\n", b"\r\n", b"a b c 1\n", b"q 0 d\x00 1 1 t\n", b"\x01\x02\n"),
        b"\xef\xbb\xbfq 0 d 1 1\n",
    ]
)


def lines_of(kind: str) -> st.SearchStrategy[list[bytes]]:
    good = row_line(kind)
    return st.one_of(
        st.lists(good, max_size=12),
        st.lists(st.one_of(good, good, good, odd_line, row_line(kind, bad_number)), max_size=20),
    )


@st.composite
def text_file(draw: st.DrawFn, kind: str) -> bytes:
    data = b"".join(draw(lines_of(kind)))
    if draw(st.booleans()):
        data = data.rstrip(b"\n")
    filler = draw(st.sampled_from([b"", b"", b"# a comment to get past the head of the file\n" * 12]))
    return draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"])) + filler + data


@pytest.mark.parametrize("kind", ["qrels", "run"])
def test_any_text_is_read_as_the_twin_reads_it(pair, stream, kind):
    @CHECK
    @given(data=text_file(kind), block=BLOCKS, threads=THREADS, step=st.sampled_from([0, 1, 3, 100]))
    def check(data: bytes, block: int, threads: int, step: int) -> None:
        with pair.file(data) as descriptor:
            pair(
                lambda core: core.Rows.read(
                    stream(data, step) if step else descriptor, kind=kind, threads=threads, _block=block
                )
            )

    check()


@CHECK
@given(data=st.binary(max_size=200), block=BLOCKS, kind=st.sampled_from(["qrels", "run"]))
def test_random_bytes_are_read_as_the_twin_reads_them(pair, data, block, kind):
    with pair.file(data) as descriptor:
        pair(lambda core: core.Rows.read(descriptor, kind=kind, threads=2, _block=block))


@CHECK
@given(
    data=st.lists(st.sampled_from([b"q", b"0", b"1", b"d", b"nan", b" ", b"\t", b"\n", b"\r\n", b"#"])).map(
        b"".join
    ),
    block=BLOCKS,
    kind=st.sampled_from(["qrels", "run"]),
)
def test_mixtures_of_fields_and_blanks_are_read_as_the_twin_reads_them(pair, data, block, kind):
    with pair.file(data) as descriptor:
        pair(lambda core: core.Rows.read(descriptor, kind=kind, threads=2, _block=block))


def read(cores, data: bytes, kind: str = "run", **settings):
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        return cores[0].Rows.read(file.fileno(), kind=kind, threads=1, **settings)


def test_fields_may_be_apart_by_any_blanks(cores):
    rows = read(cores, b" q1\tQ0  d1  1 0.5 tag \r\nq1 Q0 d2 2 -1e3 other")
    assert rows.topics == [b"q1", b"q1"]
    assert rows.documents == [b"d1", b"d2"]
    assert rows.values.tolist() == [0.5, -1000.0]
    assert rows.tag == b"tag"


def test_a_mark_of_byte_order_comments_and_blank_lines_are_passed_over(cores):
    rows = read(cores, b"\xef\xbb\xbf# made by hand\n\n  \nq 0 #d 1\n \t#q2 0 d 2\n", "qrels")
    assert rows.topics == [b"q", b"#q2"]
    assert rows.documents == [b"#d", b"d"]
    assert rows.tag == b""


def test_a_topic_may_begin_with_the_sign_of_a_comment(cores):
    rows = read(cores, b"# topic iteration document grade\n#1 0 d1 1\n#1 0 d2 0\n# 0 d 1\n", "qrels")
    assert rows.topics == [b"#1", b"#1"]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"q1\tQ0\tNew York\t1\t9.5\tt\n", ("columns", 1, 7, b"q1\tQ0\tNew York\t1\t9.5\tt", 1)),
        (b"q1\tQ0\tNew York\t1\t9.5\n", ("blank", 1, 0, b"New York", 1)),
        (b"q1 Q0 d 1 2\nq1 Q0 Room 1 9 7\n", ("uneven", 2, 5, b"q1 Q0 Room 1 9 7", 1)),
        (b"q1 Q0 d 1 2 t\n" * 50 + b"q1 Q0 e 1 2\nq1 Q0 f 1 2\n", ("uneven", 51, 6, b"q1 Q0 e 1 2", 1)),
        (b"q1 Q0 d 1 2 my tag\n", ("columns", 1, 7, b"q1 Q0 d 1 2 my tag", 1)),
    ],
)
@pytest.mark.parametrize("block", [0, 40])
def test_an_id_with_a_blank_is_never_taken_for_two_fields(pair, data, fault, block):
    with pair.file(data) as descriptor:
        got = pair(lambda core: core.Rows.read(descriptor, kind="run", threads=2, _block=block))
    assert got == ("Fault", fault)


@pytest.mark.parametrize("block", [0, 40])
def test_a_tag_may_hold_blanks_where_tabs_divide_a_line_into_six_fields(pair, block):
    data = b"q\tQ0\td\t1\t  2.5\tmy own tag\t\nq\tQ0\te\t2\t1.5\ttag\nq Q0 f 3 0.5 tag\n"
    with pair.file(data) as descriptor:
        got = pair(lambda core: core.Rows.read(descriptor, kind="run", threads=2, _block=block))
    assert (got["documents"], got["tag"]) == ([b"d", b"e", b"f"], b"my own tag")
    assert got["values"][1] == [2.5, 1.5, 0.5]


@pytest.mark.parametrize(
    "line",
    [
        b"q\tQ0\ta b\t1\t2\tmy tag\n",
        b"q\tQ0\td\t1\t2 my own tag\n",
        b"q\tQ0\td\t1\t2\tmy tag\tx\n",
        b"q\t0\td\t1 of 2\n",
    ],
)
@pytest.mark.parametrize("kind", ["run", "qrels"])
def test_blanks_elsewhere_than_in_the_sixth_field_between_tabs_are_refused(pair, line, kind):
    with pair.file(line) as descriptor:
        got = pair(lambda core: core.Rows.read(descriptor, kind=kind, threads=1))
    assert got[0] == "Fault"


@pytest.mark.parametrize(
    ("line", "kind"),
    [(b"q 0 %s 1\n", "qrels"), (b"%s 0 d 1\n", "qrels"), (b"q Q0 %s 1 2 t\n", "run")],
)
def test_an_id_of_more_than_4_kib_is_refused(pair, line, kind):
    for size in (4096, 4097):
        with pair.file(line % (b"d" * size)) as descriptor:
            got = pair(lambda core, file=descriptor: core.Rows.read(file, kind=kind, threads=1))
        assert isinstance(got, dict) if size == 4096 else got == ("Fault", ("id", 1, 0, b"", 1))


def test_five_columns_are_a_run_without_a_tag(cores):
    assert read(cores, b"q Q0 d 1 2\r\n").tag == b""


def test_numbers_of_any_length_are_read_to_the_last_bit(pair, cores):
    draw = random.Random(5)
    wholes, parts = (
        [str(draw.randrange(10 ** draw.randint(1, 18))) for _ in range(40_000)] for _ in range(2)
    )
    numbers = [*wholes, *(f"{whole}.{part}" for whole, part in zip(wholes, parts, strict=True))]
    numbers += [f"{draw.randint(0, 99)}.{draw.randrange(10**9):09}"[:length] for length in range(3, 12)]
    numbers += [f"-{number}" for number in numbers]
    numbers += [*map(str, range(2**53 - 3, 2**53 + 4)), "9999999999999999", "0000000000000001", "00.10"]
    numbers += [
        f"{'1' * point}.{'9' * (length - point)}" for length in range(1, 18) for point in range(length)
    ]
    numbers += [
        *("5.", "-0.5", "-0", "-0.0", "-.5", "99999999.", "1e3", "1.5e-3", "123456e-1", "1234567890e-12")
    ]
    text = "".join(f"q Q0 d{i} 1 {number} t\n" for i, number in enumerate(numbers))
    with pair.file(text.encode()) as descriptor:
        values = cores[0].Rows.read(descriptor, kind="run", threads=1).values
    assert [value.hex() for value in values.tolist()] == [float(number).hex() for number in numbers]


@pytest.mark.parametrize("number", ["1", "12.5", "1234567.", "12345678", "123456.89", "1234567890123456"])
def test_a_number_with_any_other_character_in_it_is_read_as_the_twin_reads_it(pair, number):
    for place in range(len(number)):
        for other in [*(b"%c" % code for code in range(33, 256)), b"..", b"--"]:
            field = number[:place].encode() + other + number[place + 1 :].encode()
            with pair.file(b"q Q0 a 1 1 t\nq Q0 b 1 %b t\n" % field) as descriptor:
                pair(lambda core, file=descriptor: core.Rows.read(file, kind="run", threads=1))


def test_numbers_beyond_64_bits_become_infinite_or_zero(cores):
    values = read(cores, b"q 0 a 1e999\nq 0 b -1e999\nq 0 c 1e-999\nq 0 d +inf\n", "qrels").values
    assert values.tolist() == [math.inf, -math.inf, 0.0, math.inf]


def test_ids_need_not_be_utf8(cores):
    rows = read(cores, b"\xff Q0 \xfe\x80 1 1 t\n")
    assert (rows.topics, rows.documents) == ([b"\xff"], [b"\xfe\x80"])


def test_the_digest_is_of_rows_not_of_bytes(cores):
    one = read(cores, b"q 0 a 1\nq 0 b 2\nr 0 a -0.0\n", "qrels")
    other = read(cores, b"# same\nr x a 0\r\nq\t0\tb\t2.0\nq 0 a 1e0", "qrels")
    different = [
        b"q 0 a 1\nq 0 b 2\nr 0 a 3\n",
        b"q 0 a 2\nq 0 b 1\nr 0 a 0\n",
        b"q 0 a 1\nq 0 b 2\nr 0 b 0\n",
    ]
    assert one.digest == other.digest
    assert len({one.digest, *(read(cores, data, "qrels").digest for data in different)}) == 4


def test_the_digest_of_a_row_stays_what_it_is(cores):
    """Digests are printed and stored, so they must not change from version to version."""
    assert read(cores, b"q1 0 d1 1\n", "qrels").digest == cores[1].Rows.of_lists(["q1"], ["d1"], [1]).digest
    assert read(cores, b"q1 0 d1 1\n", "qrels").digest == "941a09cabd49c6457dbf3324c75ac396"


FAULTS = [
    # content after a head of plain comments, kind, then what the fault says: kind, line, other, text, count
    (b"q Q0 d 1\nq Q0 d 1 1 t\nq\n", "run", ("columns", 1, 4, b"q Q0 d 1", 2)),
    (b"q 0 d\n", "qrels", ("columns", 1, 3, b"q 0 d", 1)),
    (b"\n# x\nq Q0 d 1 n/a t\nq Q0 e 1 n/a t\nq Q0 f 1\n", "run", ("value", 3, 0, b"n/a", 2)),
    (b"q 0 d 1\nq 0 e NaN\nq 0 f x\nq 0 g nan\n", "qrels", ("nan", 2, 0, b"NaN", 2)),
    (b"q 0 \x00 1\n", "qrels", ("binary", 1, 0, b"", 1)),
    (b"q 0 d 1\nPK\x03\x04\n", "qrels", ("binary", 2, 0, b"", 1)),
    (b"", "run", ("empty", 0, 0, b"", 1)),
    (b"\xef\xbb\xbf\n# nothing\n\n", "run", ("empty", 0, 0, b"", 1)),
    (b"q 0 d 1\n" + b"x" * (1 << 20) + b"y\n", "qrels", ("long", 2, 0, b"", 1)),
    (b"q 0 d 1\n" + b"x" * (3 << 20), "qrels", ("long", 2, 0, b"", 1)),
    (b"q 0 d 1 " + b"x" * (3 << 20) + b"\nq 0 e oh\n" + b" " * (2 << 20), "qrels", ("long", 1, 0, b"", 2)),
    (b"q 0 d 1\n" * 100 + b"#" + b"x" * (1 << 20) + b"\nq 0 d oh\n", "qrels", ("long", 101, 0, b"", 1)),
]


@pytest.mark.parametrize(("data", "kind", "fault"), FAULTS)
@pytest.mark.parametrize("block", [0, 64])
def test_a_fault_names_its_line_and_how_many_there_are(pair, cores, data, kind, fault, block):
    with pair.file(data) as descriptor:
        assert pair(lambda core: core.Rows.read(descriptor, kind=kind, threads=2, _block=block)) == (
            "Fault",
            fault,
        )


def test_a_line_of_exactly_the_limit_is_read(cores):
    start = b"q 0 d 1"
    rows = read(cores, start + b" " * ((1 << 20) - len(start)) + b"\n", "qrels")
    assert rows.documents == [b"d"]


def test_control_characters_after_the_head_are_part_of_ids(cores):
    head = b"#" * 600 + b"\n"
    assert read(cores, head + b"q 0 d\x01\x1f 1\n", "qrels").documents == [b"d\x01\x1f"]


def test_unknown_kinds_and_thread_counts_are_refused(cores):
    for core in cores:
        with pytest.raises(ValueError, match="kind must be one of qrels, run; got 'trec'"):
            core.Rows.read(0, kind="trec", threads=1)
        with pytest.raises(ValueError, match="threads must be 1 or more; got 0"):
            core.Rows.read(0, kind="run", threads=0)


table_line = st.one_of(
    st.tuples(ident, ident, st.one_of(number, bad_number, st.sampled_from([b"1", b"2", b"3"]))).map(list),
    st.lists(st.one_of(ident, number, st.sampled_from([b"", b" ", b'"x"', b"New York"])), max_size=5),
)


@CHECK
@given(
    rows=st.lists(table_line, max_size=12),
    separator=st.sampled_from([",", "\t", ""]),
    header=st.booleans(),
    ranked=st.booleans(),
    ending=ending,
    block=BLOCKS,
)
def test_any_table_is_read_as_the_twin_reads_it(pair, rows, separator, header, ranked, ending, block):
    data = b"".join((separator.encode() or b" ").join(row) + ending for row in rows)
    with pair.file(data) as descriptor:
        pair(
            lambda core: core.Rows.read_table(
                descriptor,
                separator=separator,
                places=(0, 1, 2),
                header=header,
                ranked=ranked,
                columns=3,
                counting=ranked,
                threads=2,
                _block=block,
            )
        )
