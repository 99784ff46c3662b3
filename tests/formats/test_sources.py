"""What is taken: pipes, open file objects, ranked lists, lazy frames; and how much memory it may take."""

import gzip
import io
import lzma
import pickle
import resource
import struct
import subprocess
import sys
import zlib

import pytest

from gainful import Run, evaluate, read_qrels, read_run
from gainful.errors import DataError

QRELS = {"q1": {"a": 1, "b": 0}}
TEXT = "q1 Q0 b 1 2.0 tag\nq1 Q0 a 2 1.0 tag\n"
SECOND = 1 / 2  # AP of the only relevant document at rank 2
MEGABYTE = 1 << 20


def ap(run, qrels=QRELS):
    (scores,) = evaluate(qrels, run, "AP")
    return scores.mean["AP"]


# ---- what is taken ------------------------------------------------------------------------------------------


def test_a_mapping_of_ranked_lists_is_a_run_in_that_order():
    assert ap({"q1": ["b", "a"]}) == SECOND
    assert ap({"q1": ("a", "b")}) == 1
    assert ap({"q0": [], "q1": ["a"]}) == 1
    assert ap({1: [7, 8]}, {"1": {"8": 1}}) == SECOND
    assert Run({"q1": ["b", "a"]}).to_dict() == {"q1": {"b": -1.0, "a": -2.0}}


def test_several_runs_of_ranked_lists_are_told_by_their_names():
    scores = evaluate(QRELS, {"first": {"q1": ["a"]}, "second": {"q1": ["b", "a"]}}, "AP")
    assert {run.name: run.mean["AP"] for run in scores} == {"first": 1, "second": SECOND}


def test_a_document_twice_in_a_ranked_list_is_refused():
    with pytest.raises(DataError, match="document 'a' of topic 'q1' is there twice"):
        ap({"q1": ["a", "b", "a"]})


def test_names_with_lists_of_files_are_runs_in_several_files(tmp_path):
    for number, line in enumerate(TEXT.splitlines(keepends=True)):
        (tmp_path / f"part-{number}").write_text(line)
    scores = evaluate(QRELS, {"bm25": [str(tmp_path / "part-0"), str(tmp_path / "part-1")]}, "AP")
    assert {run.name: run.mean["AP"] for run in scores} == {"bm25": SECOND}


def test_a_lazy_frame_is_collected():
    polars = pytest.importorskip("polars")
    frame = polars.LazyFrame({"topic": ["q1", "q1"], "document": ["a", "b"], "score": [1.0, 2.0]})
    assert ap(frame) == SECOND
    judged = polars.LazyFrame({"topic": ["q1"], "document": ["a"], "grade": [1]})
    assert read_qrels(judged).to_dict() == {"q1": {"a": 1.0}}


@pytest.mark.parametrize(
    "file",
    [io.StringIO(TEXT), io.BytesIO(TEXT.encode()), io.BytesIO(gzip.compress(TEXT.encode()))],
    ids=["text", "bytes", "compressed bytes"],
)
def test_an_open_file_object_is_read_to_its_end(file):
    run = Run(file)
    assert run.name == "run"
    assert ap(run) == ap(run) == SECOND


def test_an_open_file_is_called_by_its_name(tmp_path):
    (tmp_path / "bm25.run").write_text(TEXT)
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    with (tmp_path / "bm25.run").open() as run, (tmp_path / "qrels").open("rb") as qrels:
        (scores,) = evaluate(qrels, run, "AP")
    assert (scores.name, scores.mean["AP"]) == ("bm25", SECOND)
    with pytest.raises(DataError, match=r"bm25.run cannot be read: .*closed"):
        ap(run)


def test_a_fault_in_an_open_file_has_its_line():
    with pytest.raises(DataError, match="file object, line 2: score 'x' is not a number"):
        ap(io.StringIO("q1 Q0 a 1 1.0 t\nq1 Q0 b 2 x t\n"))


@pytest.mark.parametrize(
    "run",
    [read_run([("q1", "b", 2.0), ("q1", "a", 1.0)], name="mine"), Run(io.StringIO(TEXT), name="mine")],
    ids=["rows", "file object"],
)
def test_a_run_in_memory_can_be_pickled(run):
    again = pickle.loads(pickle.dumps(run))
    assert (again.name, again.to_dict()) == ("mine", {"q1": {"b": 2.0, "a": 1.0}})


def test_a_run_of_a_file_is_pickled_as_its_path(tmp_path):
    again = pickle.loads(pickle.dumps(Run(str(tmp_path / "bm25.run"))))
    assert (again.name, again.path, again.content) == ("bm25", str(tmp_path / "bm25.run"), None)


def test_json_lines_may_begin_with_a_long_line(tmp_path):
    lines = [f'{{"topic": "q1", "document": "a", "score": 1, "text": "{"x" * 40_000}"}}']
    lines += ['{"topic": "q1", "document": "b", "score": 2}']
    (tmp_path / "run.jsonl").write_text("\n".join(lines))
    assert ap(str(tmp_path / "run.jsonl")) == SECOND


@pytest.mark.parametrize(
    "content",
    [
        '{"q1": {"%s": 1}}',
        '{"%s": {"a": 1}}',
        '[{"topic": "q1", "document": "%s", "score": 1}]',
        '{"topic": "q1", "document": "%s", "score": 1}\n{"topic": "q1", "document": "a", "score": 1}\n',
    ],
)
def test_an_id_of_more_than_4_KiB_is_refused(content, tmp_path):
    (tmp_path / "run.json").write_text(content % ("x" * 4097))
    with pytest.raises(DataError, match=r"run.json: an id longer than 4,096 bytes"):
        ap(str(tmp_path / "run.json"))


# ---- how much memory it takes -------------------------------------------------------------------------------


def lz4_bomb():
    lz4 = pytest.importorskip("lz4.frame")
    return lz4.compress(lz4.compress(bytes(600 * MEGABYTE)))


def xz_bomb():
    """A dictionary of 4 GiB is declared, in the header of the block."""
    content = bytearray(lzma.compress(b"q1 Q0 a 1 1.0 t\n", filters=[{"id": lzma.FILTER_LZMA2, "preset": 0}]))
    content[content.index(b"\x21\x01") + 2] = 40
    end = 12 + (content[12] + 1) * 4
    content[end - 4 : end] = struct.pack("<I", zlib.crc32(bytes(content[12 : end - 4])))
    return bytes(content)


def json_bomb():
    return gzip.compress(b'{"q1": {"' + b"a" * (200 * MEGABYTE) + b'": 1}}', 1)


def lines_bomb():
    line = b'{"topic": "q1", "document": "%s", "score": 1}\n' % (b"a" * 60_000)
    return gzip.compress(line * 4_000, 1)


def parquet_bomb(*, as_dictionary=False):
    """One id of 60 kB, 60,000 times; written out row by row when it is decoded, or kept as a dictionary."""
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    count = 60_000
    ids = pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int32()), pa.array(["a" * 60_000]))
    topics = pa.array([f"q{number}" for number in range(count)])
    file = io.BytesIO()
    table = pa.table({"topic": topics, "document": ids, "score": [1.0] * count})
    parquet.write_table(table, file, compression="zstd", store_schema=as_dictionary)
    return file.getvalue()


BOMBS = {
    "lz4 in lz4": (lz4_bomb, "unpack to more than"),
    "xz with a large dictionary": (xz_bomb, "dictionary of more than 256 MiB"),
    "json with a long id": (json_bomb, "unpack to more than"),
    "json lines with long ids": (lines_bomb, "an id longer than 4,096 bytes"),
    "parquet with a long id": (parquet_bomb, "decode to more than"),
    "parquet with a dictionary of one long id": (
        lambda: parquet_bomb(as_dictionary=True),
        "an id longer than 4,096 bytes",
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_that_unpacks_to_very_much_is_refused_in_500_MB(name, tmp_path):
    make, message = BOMBS[name]
    (tmp_path / "bomb").write_bytes(make())
    (tmp_path / "good").write_text("q1 0 a 1\n")
    program = (
        "import re, sys; from gainful.cli import run; code = run(sys.argv[1:]);"
        # not ru_maxrss, which a child takes over from the process that starts it
        "print(code, re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1])"
    )
    limit = 6 << 30
    for files in (("good", "bomb"), ("bomb", "good")):
        ended = subprocess.run(
            [sys.executable, "-c", program, "evaluate", *(str(tmp_path / file) for file in files)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        )
        code, kilobytes = map(int, ended.stdout.split())
        assert code == 3, ended.stderr
        assert message in ended.stderr
        assert kilobytes < 500_000


def test_a_run_that_is_read_in_blocks_may_unpack_to_any_size(tmp_path):
    """The rows of a topic are judged as they come, and nothing is held."""
    line = "q{0} Q0 {1}{2} {2} {3} t\n"
    with gzip.open(tmp_path / "run.gz", "wt", compresslevel=1) as file:
        for topic in range(1000):
            file.write("".join(line.format(topic, "d" * 900, rank, 100 - rank) for rank in range(1, 100)))
    assert (tmp_path / "run.gz").stat().st_size * 32 < 64 * MEGABYTE
    assert ap(str(tmp_path / "run.gz"), {"q1": {"d" * 900 + "2": 1}}) == SECOND
