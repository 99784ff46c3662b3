"""Judgments: how topics are ordered, what becomes of repeated documents."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

CHECK = settings(deadline=None, max_examples=200, derandomize=True)

topic = st.one_of(
    st.sampled_from([b"1", b"2", b"10", b"01", b"001", b"a", b"1a", b"-1", b" 1"]),
    st.sampled_from([b"9" * 30, b"1" + b"0" * 30, b"0" + b"7" * 5000]),
    st.binary(max_size=4).filter(bytes.strip),
    st.integers(0, 10**20).map(lambda n: b"%d" % n),
)


@CHECK
@given(
    rows=st.lists(
        st.tuples(topic, st.sampled_from([b"d", b"e", b"f"]), st.sampled_from([-1.0, 0.0, -0.0, 1.0, 2.5])),
        min_size=1,
        max_size=40,
    ),
    duplicates=st.sampled_from(["error", "first", "best"]),
)
def test_judgments_are_indexed_as_the_twin_indexes_them(pair, rows, duplicates):
    columns = [list(column) for column in zip(*rows, strict=True)]
    pair(lambda core: core.Index(core.Rows.of_lists(*columns), duplicates=duplicates))


def test_topics_come_by_number_and_then_by_bytes(cores):
    topics = ["b", "10", "9", "09", "a", "1", "-1", "A", "0"]
    for core in cores:
        index = core.Index(core.Rows.of_lists(topics, ["d"] * 9, range(9)), duplicates="error")
        assert index.topics == [b"0", b"1", b"09", b"9", b"10", b"-1", b"A", b"a", b"b"]
        assert index.grade.tolist() == [8, 5, 3, 2, 1, 6, 7, 4, 0]


def test_judgments_keep_their_order_within_a_topic(cores):
    for core in cores:
        rows = core.Rows.of_lists(["2", "1", "2", "1"], ["z", "y", "x", "w"], [1, 2, 3, 4])
        index = core.Index(rows, duplicates="error")
        assert index.documents(0, 4) == [b"y", b"w", b"z", b"x"]
        assert index.documents(2, 3) == [b"z"]
        assert index.offsets.tolist() == [0, 2, 4]
        assert index.digest == rows.digest
        assert len(index) == 4


def test_a_document_judged_twice_is_a_fault_or_kept_once(cores):
    for core in cores:
        rows = core.Rows.of_lists(["q"] * 4, ["a", "b", "a", "a"], [1, 2, 3, 3])
        with pytest.raises(core.Fault) as fault:
            core.Index(rows, duplicates="error")
        assert fault.value.args == ("duplicate", 3, 1, b"q\ta", 2)
        first = core.Index(rows, duplicates="first")
        assert (first.documents(0, 9), first.grade.tolist()) == ([b"a", b"b"], [1, 2])
        best = core.Index(rows, duplicates="best")
        assert (best.documents(0, 9), best.grade.tolist()) == ([b"b", b"a"], [2, 3])


def test_a_file_line_is_named_for_a_document_judged_twice(pair):
    data = b"# head\nq 0 a 1\n\nq 0 b 1\nr 0 a 1\nq 0 a 2\n"
    with pair.file(data) as descriptor:
        for block in (0, 16):
            told = pair(
                lambda core, block=block: core.Index(
                    core.Rows.read(descriptor, kind="qrels", threads=2, _block=block), duplicates="error"
                )
            )
            assert told == ("Fault", ("duplicate", 6, 2, b"q\ta", 1))


def test_arrays_outlive_the_index_and_cannot_be_changed(cores):
    core = cores[0]
    grade = core.Index(core.Rows.of_lists(["q"], ["d"], [3]), duplicates="error").grade
    assert grade.tolist() == [3.0]
    with pytest.raises(ValueError, match="read-only"):
        grade[0] = 1


def test_unknown_rules_are_refused(cores):
    for core in cores:
        rows = core.Rows.of_lists(["q"], ["d"], [3])
        with pytest.raises(ValueError, match="duplicates must be one of error, first, best; got 'last'"):
            core.Index(rows, duplicates="last")
        index = core.Index(rows, duplicates="first")
        rules = "docid, ascending, input, reverse, best, worst, expected"
        with pytest.raises(ValueError, match=f"ties must be one of {rules}; got 'grade'"):
            core.judge_rows(index, rows, ties="grade", duplicates="first", threads=1)
