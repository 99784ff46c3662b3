"""Runs and judgments that are already Python objects: nested mappings and lists."""

import collections
import decimal
import fractions
import types
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

CHECK = settings(deadline=None, max_examples=200, derandomize=True)


class Word(str):
    """A str of its own kind."""

    __slots__ = ()


class Table(Mapping[Any, Any]):
    """A mapping that is not a dict."""

    def __init__(self, items: dict[Any, Any]) -> None:
        self.inner = items

    def __getitem__(self, key: Any) -> Any:
        return self.inner[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.inner)

    def __len__(self) -> int:
        return len(self.inner)


class Same:
    """Hashable, and equal to nothing that is asked for."""


KEYS = ["1", "2", "10", "d", "é", "日本", "\udcff", "\udcc3\udca9", "a" * 30, "\U0001f600", " d"]
odd_keys = st.sampled_from(
    [
        *(1, 10, -5, 2**70, b"d", b"\xff", np.int64(2), np.str_("d"), Word("d"), Word("é"), np.bytes_(b"1")),
        *("", " ", "\t\n", b"", Word("")),
    ]
)
bad_keys = st.sampled_from([None, 1.5, True, ("a",), "\ud800", frozenset()])
VALUES = [3, 2.0, 1, 0.0, -0.0, -1, float("inf"), 2**60, True]
odd_values = st.sampled_from(
    [
        *(np.float32(0.1), np.float64(2), np.int64(3), np.float16(1), np.bool_(True), np.uint8(2)),
        *(decimal.Decimal("1.5"), fractions.Fraction(1, 4)),
    ]
)
bad_values = st.sampled_from(
    [None, "1", b"1", float("nan"), np.float32("nan"), 1j, [], 10**400, decimal.Decimal("nan")]
)

plain_keys, plain_values = st.sampled_from(KEYS), st.sampled_from(VALUES)
tame = st.dictionaries(plain_keys, plain_values, max_size=8)
wild = st.dictionaries(st.one_of(plain_keys, odd_keys), st.one_of(plain_values, odd_values), max_size=8)
hostile = st.dictionaries(
    st.one_of(plain_keys, odd_keys, bad_keys), st.one_of(plain_values, odd_values, bad_values), max_size=5
)
inners = st.one_of(
    tame,
    tame,
    wild,
    hostile,
    tame.map(Table),
    wild.map(collections.OrderedDict),
    tame.map(types.MappingProxyType),
    tame.map(lambda d: collections.defaultdict(float, d)),
    wild.map(lambda d: collections.ChainMap({}, d)),
    st.sampled_from([None, [], "text"]),
)
outers = st.one_of(
    st.dictionaries(plain_keys, tame, max_size=5),
    st.dictionaries(plain_keys, tame, max_size=5),
    st.dictionaries(st.one_of(plain_keys, odd_keys, bad_keys), inners, max_size=4),
    st.dictionaries(plain_keys, tame, max_size=4).map(Table),
    st.dictionaries(plain_keys, inners, max_size=4).map(collections.OrderedDict),
)
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@CHECK
@given(
    judged=st.dictionaries(
        plain_keys, st.dictionaries(plain_keys, st.integers(0, 2), min_size=1), min_size=1
    ),
    nested=outers,
    ties=st.sampled_from(["docid", "input"]),
)
def test_mappings_are_judged_as_the_twin_judges_them(pair, judged, nested, ties):
    def judge(core: Any) -> Any:
        index = core.Index(core.Rows.of_mapping(judged), duplicates="first")
        return core.judge_mapping(index, nested, ties=ties)

    pair(judge)
    pair(lambda core: core.Rows.of_mapping(nested))


@CHECK
@given(
    rows=st.lists(
        st.tuples(
            st.one_of(plain_keys, plain_keys, odd_keys),
            st.one_of(plain_keys, plain_keys, odd_keys, bad_keys),
            st.one_of(plain_values, odd_values, bad_values),
        ),
        max_size=12,
    )
)
def test_lists_are_read_as_the_twin_reads_them(pair, rows):
    columns = [[row[i] for row in rows] for i in range(3)]
    pair(lambda core: core.Rows.of_lists(*columns))


@CHECK
@given(
    scores=st.lists(st.sampled_from([1.0, 2.0, 3.0, 4]), min_size=1, max_size=200),
    order=st.sampled_from(["as they are", "falling"]),
    ties=st.sampled_from(["docid", "input"]),
    prefix=st.sampled_from(["", "é", "日"]),
)
def test_long_lists_with_ties_are_ordered_as_the_twin_orders_them(pair, scores, order, ties, prefix):
    scores = scores if order == "as they are" else sorted(scores, reverse=True)
    run = {"q": {f"{prefix}{i * 7919 % 1009}": score for i, score in enumerate(scores)}}
    judged = {"q": dict.fromkeys(list(run["q"])[::3], 1)}
    pair(
        lambda core: core.judge_mapping(
            core.Index(core.Rows.of_mapping(judged), duplicates="error"), run, ties=ties
        )
    )


def index(core: Any, judged: Any) -> Any:
    return core.Index(core.Rows.of_mapping(judged), duplicates="error")


def test_whole_numbers_and_bytes_are_ids_too(cores):
    for core in cores:
        found = core.judge_mapping(index(core, {7: {1: 1, 2: 0}}), {"7": {b"2": 0.5, 1: 0.1}}, ties="docid")
        assert found.row.tolist() == [1, 0]
        assert found.rows == 2
        assert found.digest == ""
        assert found.tag == b""


def test_a_topic_without_documents_is_present(cores):
    for core in cores:
        found = core.judge_mapping(
            index(core, {"q": {"d": 1}, "r": {"d": 1}}), {"q": {}, "x": {}}, ties="docid"
        )
        assert found.present.tolist() == [True, False]
        assert found.retrieved.tolist() == [0, 0]
        assert found.extra == [b"x"]


def test_a_topic_without_judgments_is_not_judged(cores):
    for core in cores:
        assert index(core, {"q": {"d": 1}, "r": {}}).topics == [b"q"]


@pytest.mark.parametrize(
    ("nested", "fault"),
    [
        ({}, ("empty", 0, 0, b"", 1)),
        ([], ("type", 0, 0, b"mapping\tlist", 1)),
        ({"q": ["d"]}, ("type", 0, 0, b"mapping\tlist\tq", 1)),
        ({"q": {"d": "1"}, "r": {"d": None}}, ("type", 0, 0, b"value\tstr\tq\td", 2)),
        ({"q": {None: 1}}, ("type", 0, 0, b"document\tNoneType\tq", 1)),
        ({None: {"d": 1}}, ("type", 0, 0, b"topic\tNoneType", 1)),
        ({"q": {"d": 1, "e": float("nan")}}, ("nan", 0, 0, b"q\te", 1)),
        ({"q": {"d": 1, "": 2}, "b": {" \n": 1}}, ("null", 0, 0, b"document\tq\t", 2)),
        ({"": {"d": 1}, b"\t": {}}, ("null", 0, 0, b"topic\t\t", 2)),
        ({"q": {"1": 1, 1: 2}}, ("duplicate", 0, 0, b"q\t1", 1)),
        ({"b": {"1": 1, 1: 2}, "q": {"1": 1, 1: 2}}, ("duplicate", 0, 0, b"b\t1", 2)),
        ({"x": {"d": float("nan")}}, ("nan", 0, 0, b"x\td", 1)),
        ({"q": {"d": np.array([1, 2])}}, ("type", 0, 0, b"value\tndarray\tq\td", 1)),
    ],
)
def test_what_cannot_be_used_in_a_mapping_is_named(cores, nested, fault):
    for core in cores:
        judged = index(core, {"q": {"d": 1}, "b": {"d": 1}})
        with pytest.raises(core.Fault) as told:
            core.judge_mapping(judged, nested, ties="docid")
        assert told.value.args == fault


def test_what_cannot_be_used_in_lists_is_named_with_its_row(cores):
    for core in cores:
        for columns, fault in [
            ((["q", "q"], ["d", 1.5], [1, 2]), ("type", 2, 0, b"document\tfloat", 1)),
            ((["q", None], ["d", 1.5], [1, 2]), ("type", 2, 0, b"topic\tNoneType", 1)),
            ((["q", "q"], ["d", "e"], [1, "2"]), ("type", 2, 0, b"value\tstr", 1)),
            ((["q", "q"], ["d", "e"], [1, float("nan")]), ("nan", 2, 0, b"q\te", 1)),
            ((["q", "q"], ["d", " "], [1, 2]), ("null", 2, 0, b"document\tq\t", 1)),
            ((["q", b""], ["d", "e"], [1, 2]), ("null", 2, 0, b"topic\t\te", 1)),
            (([], [], []), ("empty", 0, 0, b"", 1)),
        ]:
            with pytest.raises(core.Fault) as told:
                core.Rows.of_lists(*columns)
            assert told.value.args == fault
        with pytest.raises(ValueError, match=r"equally long|shorter"):
            core.Rows.of_lists(["q"], ["d"], [])


def test_numpy_arrays_serve_as_lists(cores):
    columns = np.array([3, 3]), np.array(["a", "b"]), np.array([0.5, 0.25], np.float32)
    for core in cores:
        rows = core.Rows.of_lists(*columns)
        assert rows.topics == [b"3", b"3"]
        assert rows.documents == [b"a", b"b"]
        assert rows.values.tolist() == [0.5, 0.25]


def test_values_are_taken_and_the_rows_given_up(cores):
    for core in cores:
        rows = core.Rows.of_lists(["q", "q", "r"], ["a", "b", "a"], [0.5, 0.25, 3])
        assert rows.take_values().tolist() == [0.5, 0.25, 3.0]
        assert (len(rows), rows.values.tolist()) == (0, [])


def test_what_a_value_raises_is_passed_on(cores):
    class Angry:
        def __float__(self) -> float:
            raise LookupError("not today")

    for core in cores:
        judged = index(core, {"q": {"d": 1}})
        with pytest.raises(LookupError, match="not today"):
            core.judge_mapping(judged, {"q": {"d": Angry()}}, ties="docid")


def test_a_value_that_changes_its_own_dict_does_no_harm(cores):
    core = cores[0]
    run: dict[str, dict[Any, Any]] = {"q": {}}

    class Sly:
        def __float__(self) -> float:
            run["q"].clear()
            run.clear()
            return 1.0

    run["q"].update({f"d{i}": 2.0 - i for i in range(50)})
    run["q"]["sly"] = Sly()
    run["q"].update({f"e{i}": -60.0 - i for i in range(50)})
    found = core.judge_mapping(index(core, {"q": {"d7": 1, "sly": 1, "e9": 1}}), run, ties="docid")
    assert found.rank.tolist() == [2, 9, 61]
    assert run == {}


def test_a_list_that_changes_while_it_is_read_does_no_harm(cores):
    documents = ["a", "b", "c"]

    class Sly:
        def __float__(self) -> float:
            documents.clear()
            return 1.0

    with pytest.raises(ValueError, match="equally long"):
        cores[0].Rows.of_lists(["q"] * 3, documents, [Sly(), 1, 2])


def test_the_caller_keeps_its_references(cores):
    import sys

    core, key, value = cores[0], "a-document", 123.456
    run = {"q": {key: value}}
    judged = index(core, {"q": {"a-document": 1}})
    before = sys.getrefcount(key), sys.getrefcount(value), sys.getrefcount(run["q"])
    for _ in range(10):
        core.judge_mapping(judged, run, ties="docid")
        core.judge_mapping(judged, Table(run), ties="docid")
        core.judge_mapping(judged, {"q": {7: 1, key: value}}, ties="input")
        core.Rows.of_mapping(run)
        core.Rows.of_lists(["q"], [key], [value])
    assert (sys.getrefcount(key), sys.getrefcount(value), sys.getrefcount(run["q"])) == before
