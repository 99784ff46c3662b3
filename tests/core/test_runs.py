"""Runs meet judgments: the native jobs against the twin, however the rows lie in the file."""

import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful._core.plain_rows import PI, hash_id

CHECK = settings(deadline=None, max_examples=200, derandomize=True)

TOPICS = [b"1", b"2", b"10", b"02", b"q", b"\xff", b"x1"]
DOCUMENTS = [b"d%d" % i for i in range(6)] + [
    b"D",
    b"d",
    b"\xff\x80",
    "é".encode(),
    b"a-rather-long-document-id" * 2,
]
SCORES = [b"3", b"2", b"2.0", b"1", b"0", b"-0.0", b"-1", b"inf", b"-inf", b"0.1", b"1e-300"]
SCORES += [b"1.00000001", b"1.00000002", b"0.99999999", b"1e300"]  # each equal to another in 32 bits
HOWS = st.fixed_dictionaries(
    {
        "ties": st.sampled_from(["docid", "ascending", "input", "reverse", "best", "worst", "expected"]),
        "duplicates": st.sampled_from(["error", "first", "best", "counted", "once"]),
        "threads": st.integers(1, 4),
    },
    optional={"drop_self": st.booleans(), "narrow": st.booleans(), "top": st.sampled_from([1, 2, 5, 100])},
)
SIZES = st.fixed_dictionaries(
    {"_block": st.sampled_from([0, 1, 32, 64, 200, 1000]), "_memory": st.sampled_from([0, 1, 300, 5000])}
)

judgment = st.tuples(
    st.sampled_from(TOPICS[:-1]), st.sampled_from(DOCUMENTS), st.sampled_from([b"0", b"1", b"-1"])
)
row = st.tuples(st.sampled_from(TOPICS[1:]), st.sampled_from(DOCUMENTS), st.sampled_from(SCORES))
judgments = st.lists(judgment, min_size=1, max_size=20, unique_by=lambda row: row[:2])
once = st.lists(row, min_size=1, max_size=50, unique_by=lambda row: row[:2])
any_rows = st.one_of(once, once, once.map(sorted), once.map(sorted), st.lists(row, min_size=1, max_size=30))


def qrels_text(rows: list[tuple[bytes, bytes, bytes]]) -> bytes:
    return b"".join(b"%s 0 %s %s\n" % row for row in rows)


def run_text(rows: list[tuple[bytes, bytes, bytes]], between: bytes = b"") -> bytes:
    return between.join(b"%s Q0 %s 1 %s tag\n" % row for row in rows)


def index_of(pair: Any, core: Any, rows: list[tuple[bytes, bytes, bytes]]) -> Any:
    with pair.file(qrels_text(rows)) as descriptor:
        return core.Index(core.Rows.read(descriptor, kind="qrels", threads=1), duplicates="error")


@CHECK
@given(
    judged=judgments,
    rows=any_rows,
    how=HOWS,
    sizes=SIZES,
    between=st.sampled_from([b"", b"", b"\n", b"# comment\n", b"too few\n"]),
    by=st.sampled_from(["descriptor", "stream", "pipe", "rows"]),
)
def test_a_run_is_judged_as_the_twin_judges_it(pair, stream, judged, rows, how, sizes, between, by):
    data = run_text(rows, between)
    with pair.file(data) as descriptor:

        def judge(core: Any) -> Any:
            index = index_of(pair, core, judged)
            if by == "rows":
                return core.judge_rows(index, core.Rows.read(descriptor, kind="run", threads=1), **how)
            source = descriptor if by == "descriptor" else stream(data, can_rewind=by == "stream")
            return core.Job(index, source, **how, **sizes).result()

        pair(judge)


@CHECK
@given(judged=judgments, rows=once, how=HOWS, sizes=SIZES, seed=st.integers(0, 1000))
def test_scattered_rows_give_what_rows_in_one_piece_give(pair, cores, judged, rows, how, sizes, seed):
    core = cores[0]
    index = index_of(pair, core, judged)
    together = sorted(rows, key=lambda row: row[0])
    scattered = list(rows)
    random.Random(seed).shuffle(scattered)
    if how["ties"] in ("input", "reverse"):  # then the order within a topic must stay
        left = {topic: [row for row in together if row[0] == topic] for topic, _, _ in together}
        scattered = [left[topic].pop(0) for topic, _, _ in scattered]

    def judge(rows: list[tuple[bytes, bytes, bytes]]) -> Any:
        with pair.file(run_text(rows)) as descriptor:
            return pair.facts(core.Job(index, descriptor, **how, **sizes).result())

    assert judge(scattered) == judge(together)


@pytest.mark.parametrize("ties", ["docid", "ascending", "input", "reverse"])
@pytest.mark.parametrize("order", ["falling", "rising", "any", "equal", "pairs"])
@pytest.mark.parametrize("scattered", [False, True])
def test_topics_of_many_documents_are_ordered_as_the_twin_orders_them(pair, ties, order, scattered):
    chance = random.Random(5)
    scores = {
        "falling": lambda i: 1000 - i,
        "rising": lambda i: i,
        "any": lambda _: chance.randrange(100),
        "equal": lambda _: 7,
        "pairs": lambda i: (1000 - i) // 2,
    }[order]
    rows = [
        (b"%d" % t, b"d%d" % chance.randrange(10**6), b"%d" % scores(i)) for t in range(3) for i in range(700)
    ]
    rows = list({row[:2]: row for row in rows}.values())
    judged = [(topic, document, b"1") for topic, document, _ in rows[::9]]
    if scattered:
        chance.shuffle(rows)
    with pair.file(run_text(rows)) as descriptor:
        for settings in ({"_block": 0}, {"_block": 500, "_memory": 2000}):
            pair(
                lambda core, settings=settings: core.Job(
                    index_of(pair, core, judged),
                    descriptor,
                    ties=ties,
                    duplicates="error",
                    threads=3,
                    **settings,
                ).result()
            )


def job(pair, cores, judged: bytes, run: bytes, **settings: Any) -> Any:
    core = cores[0]
    with pair.file(judged) as descriptor:
        index = core.Index(core.Rows.read(descriptor, kind="qrels", threads=1), duplicates="error")
    how = {"ties": "docid", "duplicates": "error", "threads": 2, **settings}
    with pair.file(run) as descriptor:
        return core.Job(index, descriptor, **how).result()


def test_hits_come_in_rank_order_with_the_ranks_of_their_tie_group(pair, cores):
    found = job(
        pair,
        cores,
        b"1 0 a 1\n1 0 b 0\n1 0 c 2\n1 0 gone 1\n2 0 x 1\n",
        b"1 Q0 a 1 5 t\n1 Q0 z 2 7 t\n1 Q0 b 3 5 t\n1 Q0 y 4 5 t\n1 Q0 c 5 1 t\n",
    )
    # By score and then by id, descending: z (7), y b a (5), c (1).
    assert found.row.tolist() == [1, 0, 2]  # b, a, c
    assert found.rank.tolist() == [3, 4, 5]
    assert found.first.tolist() == [2, 2, 5]
    assert found.last.tolist() == [4, 4, 5]
    assert found.offsets.tolist() == [0, 3, 3]
    assert found.retrieved.tolist() == [5, 0]
    assert found.present.tolist() == [True, False]


def test_topics_that_are_not_judged_are_listed_in_order(pair, cores):
    run = b"".join(b"%s Q0 d 1 1 t\n" % topic for topic in (b"b", b"10", b"9", b"09", b"a", b"1", b"-1"))
    found = job(pair, cores, b"1 0 d 1\n", run)
    assert found.extra == [b"09", b"9", b"10", b"-1", b"a", b"b"]
    assert found.rows == 7


@pytest.mark.parametrize(
    "other", [b"x", b"r"]
)  # topic x is not judged; r is, and its rows scatter those of q
@pytest.mark.parametrize(("duplicates", "rank"), [("first", 2), ("best", 1)])
def test_of_a_document_given_twice_the_first_or_the_best_is_kept(pair, cores, other, duplicates, rank):
    scores = [(b"d", 1), (b"e", 2), (b"d", 3), (b"d", 0)]
    run = b"".join(b"q Q0 %s 1 %d t\n%s Q0 %d 1 1 t\n" % (*row, other, i) for i, row in enumerate(scores))
    found = job(pair, cores, b"q 0 d 1\nr 0 d 1\n", run, duplicates=duplicates)
    assert found.rank.tolist() == [rank]
    assert found.retrieved[0] == 2


@pytest.mark.parametrize("memory", [0, 100])
def test_a_document_given_twice_is_a_fault_with_both_lines(pair, cores, memory):
    run = b"# head\nq Q0 d 1 1 t\nq Q0 e 2 1 t\n\nq Q0 d 3 1 t\nq Q0 d 3 1 t\nq Q0 e 3 1 t\n"
    for text in (run, run.replace(b"q Q0 e 2 1 t\n", b"q Q0 e 2 1 t\nr Q0 e 2 1 t\n")):
        with pytest.raises(cores[0].Fault) as fault:
            job(pair, cores, b"q 0 d 1\nr 0 d 1\n", text, _memory=memory)
        extra = text.count(b"r Q0")
        assert fault.value.args == ("duplicate", 5 + extra, 2, b"q\td", 3)
        assert fault.value.kind == "duplicate"
        assert (fault.value.line, fault.value.other, fault.value.count) == (5 + extra, 2, 3)
        assert fault.value.text == b"q\td"


def test_documents_that_are_not_judged_are_checked_for_repetition_too(pair, cores):
    with pytest.raises(cores[0].Fault) as fault:
        job(pair, cores, b"q 0 d 1\n", b"q Q0 x 1 2 t\nq Q0 x 2 1 t\n")
    assert fault.value.args == ("duplicate", 2, 1, b"q\tx", 1)


def test_lines_of_topics_that_are_not_judged_must_still_be_well_formed(pair, cores):
    with pytest.raises(cores[0].Fault) as fault:
        job(pair, cores, b"q 0 d 1\n", b"q Q0 x 1 2 t\nz Q0 x 2 high t\n")
    assert fault.value.args == ("value", 2, 0, b"high", 1)


def test_a_topic_larger_than_many_blocks_is_judged_all_the_same(pair):
    rows = [(b"q", b"d%d" % i, b"%d" % (i * 7 % 1000)) for i in range(3000)]
    judged = [(b"q", b"d%d" % i, b"1") for i in range(0, 3000, 11)]
    with pair.file(run_text(rows)) as descriptor:
        pair(
            lambda core: core.Job(
                index_of(pair, core, judged),
                descriptor,
                ties="docid",
                duplicates="error",
                threads=2,
                _block=64,
            ).result()
        )


def test_a_very_long_id_goes_through_the_buckets(pair):
    long = b"x" * 4_000
    rows = [(topic, long + b"%d" % i, b"%d" % i) for i in range(5) for topic in (b"1", b"2")]
    with pair.file(run_text(rows)) as descriptor:
        pair(
            lambda core: core.Job(
                index_of(pair, core, [(b"1", long + b"3", b"1")]),
                descriptor,
                ties="docid",
                duplicates="error",
                threads=2,
                _memory=1000,
            ).result()
        )


def colliding(count: int) -> list[bytes]:
    """Ids whose digests' hashes are all equal: with a first word of 2^32 the second one cancels out."""
    first = (PI[1] ^ 1 << 32).to_bytes(8, "little")
    return [first + b"%08d" % i + b"x" for i in range(count)]


@pytest.mark.parametrize("other", [b"q", b"r"])  # topics together, and scattered
def test_ids_made_to_meet_in_the_hash_do_not_slow_the_judge_down(pair, cores, other):
    """200,000 ids in one place of a table would take minutes."""
    ids = colliding(200_000)
    assert len({hash_id(name) for name in ids[:50]}) == 1
    rows = b"".join(b"%s Q0 %s 1 1 t\n" % ((b"q", other)[i % 2], name) for i, name in enumerate(ids))
    judged = b"# " + b"-" * 600 + b"\nq 0 d 1\nr 0 d 1\n"
    found = job(pair, cores, judged, b"# " + b"-" * 600 + b"\n" + rows)
    assert found.retrieved.sum() == 200_000


def test_judgments_and_topics_made_to_meet_in_the_hash_are_read_as_fast(pair, cores):
    ids = colliding(100_000)
    judged = b"# " + b"-" * 600 + b"\n" + b"".join(b"%s 0 %s 1\n" % (name, name) for name in ids)
    judged += b"".join(b"q 0 %s 1\n" % name for name in ids)
    found = job(pair, cores, judged, b"q Q0 d 1 1 t\n")
    assert len(found.present) == 100_001


class Interrupted(Exception):
    pass


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """A signal comes, as Ctrl-C does, and must end what is going on."""

    def interrupt(*_: Any) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with pytest.raises(Interrupted):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("read", ["rows", "table"])
def test_reading_without_end_can_be_interrupted(cores, read):
    class Endless:
        def readinto(self, buffer: Any) -> int:
            line = b"q\td\t1\n" if read == "table" else b"q Q0 d 1 1 t\n"
            count = len(buffer) // len(line)
            text = line * count or b"\n" * len(buffer)
            buffer[: len(text)] = text
            return len(text)

        def rewind(self) -> bool:
            return True

    layout = {"separator": "", "places": (0, 1, 2), "header": False, "ranked": False}
    calls = {
        "rows": lambda: cores[0].Rows.read(Endless(), kind="run", threads=1),
        "table": lambda: cores[0].Rows.read_table(Endless(), **layout, columns=3, counting=False, threads=1),
    }
    with interrupted_after(0.2):
        calls[read]()


@pytest.mark.parametrize("line", [b"q 0 d 1\n", b"q 0 d 1\nr 0 d 1\n"])  # one topic, and two in turn
def test_indexing_judgments_can_be_interrupted(pair, cores, line):
    """The repeated documents are a fault, which would be told in the end."""
    with pair.file(line * (6_000_000 // line.count(b"\n"))) as descriptor:
        rows = cores[0].Rows.read(descriptor, kind="qrels", threads=1)
    with interrupted_after(0.001):
        cores[0].Index(rows, duplicates="error")


def test_rows_that_are_dropped_are_counted(pair, cores):
    run = b"q Q0 d 1 3 t\nq Q0 d 2 2 t\nq Q0 e 3 1 t\nq Q0 d 4 9 t\nx Q0 d 1 1 t\nx Q0 d 1 1 t\n"
    assert job(pair, cores, b"q 0 d 1\n", run, duplicates="first").dropped == 2
    assert job(pair, cores, b"q 0 d 1\n", run, duplicates="best").dropped == 2


def test_scores_of_32_bits_are_tied_where_they_round_to_one_number(pair, cores):
    judged, run = b"q 0 a 1\n", b"q Q0 a 1 0.30000000001 t\nq Q0 b 2 0.3 t\nq Q0 c 3 0.2 t\n"
    wide, narrow = (job(pair, cores, judged, run, narrow=narrow) for narrow in (False, True))
    assert (wide.rank.tolist(), wide.last.tolist()) == ([1], [1])
    assert (narrow.rank.tolist(), narrow.first.tolist(), narrow.last.tolist()) == ([2], [1], [2])
    assert [wide.close_topic.tolist(), wide.close_first.tolist(), wide.close_last.tolist()] == [[0], [1], [2]]
    assert narrow.close_topic.tolist() == []


@pytest.mark.parametrize(
    ("ties", "documents"),
    [
        ("docid", [b"z", b"y", b"c", b"b", b"a"]),
        ("input", [b"z", b"a", b"b", b"y", b"c"]),
        ("best", [b"z", b"a", b"y", b"b", b"c"]),
        ("worst", [b"z", b"b", b"y", b"a", b"c"]),
    ],
)
def test_the_first_documents_of_a_topic_come_in_the_order_of_the_tie_rule(pair, cores, ties, documents):
    judged = b"q 0 a 1\nq 0 b -1\nq 0 c 2\n"
    run = b"q Q0 z 1 7 t\nq Q0 a 2 5 t\nq Q0 b 3 5 t\nq Q0 y 4 5 t\nq Q0 c 5 1 t\n"
    if ties == "docid":
        run = run.replace(b" 5 1 t", b" 5 5 t")
    top = job(pair, cores, judged, run, ties=ties, top=9).top
    assert top.documents(0, 9) == documents
    assert job(pair, cores, judged, run, ties=ties, top=2).top.documents(0, 9) == documents[:2]


def test_the_temporary_file_leaves_nothing_behind(pair, cores, tmp_path, monkeypatch, open_descriptors):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    rows = [(b"%d" % (i % 5), b"d%d" % i, b"1") for i in range(500)]
    before = open_descriptors()
    found = job(pair, cores, b"1 0 d1 1\n2 0 d2 1\n", run_text(rows), _memory=100)
    assert found.rows == 500
    assert list(tmp_path.iterdir()) == []
    assert open_descriptors() == before


def test_the_judged_share_of_the_top_ranks_is_over_all_topics(cores):
    """Of four documents in the top two ranks, one is judged; a grade below 0 is no judgment."""
    judged = [("q", "a", 1.0), ("q", "b", -1.0), ("q", "c", 0.0), ("p", "a", 1.0)]
    run = [
        ("q", "b", 3.0),
        ("q", "a", 2.0),
        ("q", "c", 1.0),
        ("p", "x", 2.0),
        ("p", "y", 1.0),
        ("p", "a", 0.5),
    ]
    for core in cores:
        index, rows = (
            core.Index(core.Rows.of_lists(*zip(*judged, strict=True)), duplicates="error"),
            core.Rows.of_lists(*zip(*run, strict=True)),
        )
        found = core.judge_rows(index, rows, ties="docid", duplicates="error", threads=1)
        assert [found.judged_share(index, cutoff) for cutoff in (1, 2, 3)] == [0 / 2, 1 / 4, 3 / 6]
