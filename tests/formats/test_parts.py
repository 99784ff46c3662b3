"""One run in several files: a directory, a glob, a list; read as if it were one file."""

import gzip
import random
import subprocess
import sys

import pytest

import gainful
from gainful import Run, evaluate, read_qrels, read_run
from gainful.errors import DataError, UsageError
from gainful.formats import parquet_parts
from gainful.formats.runs import name_of
from gainful.formats.tables import rows_of
from gainful.formats.writing import written

MEASURES = "nDCG@10, AP, RR, NumRet"


def data(seed=1):
    chance = random.Random(seed)
    qrels = [
        (f"q{t}", f"d{d}", chance.choice([0, 1, 2])) for t in range(20) for d in chance.sample(range(80), 15)
    ]
    run = [(f"q{t}", f"d{d}", chance.random()) for t in range(2, 23) for d in chance.sample(range(90), 30)]
    return qrels, run


QRELS, RUN = data()
SCATTERED = random.Random(2).sample(RUN, len(RUN))
WHOLE = evaluate(QRELS, RUN, MEASURES)


def put(folder, layout, rows, *, parts=3, ending="", kind="run"):
    """The rows in a folder of files; topics are scattered over them where the rows are."""
    folder.mkdir()
    size = -(-len(rows) // parts)
    for part in range(parts):
        name = f"part-{part}.{layout}{ending}"
        raw = written(
            rows_of(rows[part * size : (part + 1) * size], kind, threads=1), kind, layout, path=name
        )
        (folder / name).write_bytes(raw)
    (folder / "_SUCCESS").touch()
    (folder / ".part-0.crc").write_bytes(b"\0")
    return folder


def same(scores, name="parts"):
    ours, theirs = scores.to_dict()["runs"][0], WHOLE.to_dict()["runs"][0]
    assert ours["name"] == name
    for part in ("digest", "mean", "per_topic", "topics"):
        assert ours[part] == theirs[part], part


@pytest.mark.parametrize("layout", ["trec", "csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("rows", [RUN, SCATTERED], ids=["together", "scattered"])
def test_a_directory_a_glob_and_a_list_are_one_run(tmp_path, layout, rows):
    folder = put(tmp_path / "parts", layout, rows)
    same(evaluate(QRELS, folder, MEASURES))
    same(evaluate(QRELS, f"{folder}/part-*", MEASURES), "part-*")
    same(evaluate(QRELS, Run(sorted(folder.glob("part-*"))), MEASURES))
    same(evaluate(QRELS, read_run(str(folder)), MEASURES))
    same(evaluate(QRELS, read_run(sorted(folder.glob("part-*")), name="mine"), MEASURES), "mine")


def test_parts_may_be_compressed_and_end_without_a_newline(tmp_path):
    folder = put(tmp_path / "parts", "trec", SCATTERED)
    for number, path in enumerate(sorted(folder.glob("part-*"))):
        raw = path.read_bytes().rstrip(b"\n")
        path.write_bytes(gzip.compress(raw) if number == 1 else b"\xef\xbb\xbf# a comment\r\n" + raw)
    same(evaluate(QRELS, folder, MEASURES))


def test_judgments_may_be_in_several_files_too(tmp_path):
    folder = put(tmp_path / "judged", "trec", QRELS, kind="qrels")
    assert read_qrels(folder).digest == WHOLE.judgments.digest
    assert read_qrels(sorted(folder.glob("part-*"))).digest == WHOLE.judgments.digest


def test_a_list_of_paths_given_to_evaluate_is_several_runs(tmp_path):
    folder = put(tmp_path / "parts", "trec", RUN)
    assert len(evaluate(QRELS, sorted(folder.glob("part-*")), MEASURES)) == 3


@pytest.mark.parametrize("size", [1, 20_000])
def test_parquet_that_memory_would_not_hold_is_read_in_passes(tmp_path, monkeypatch, size):
    monkeypatch.setattr(parquet_parts, "MEMORY", size)  # bytes: a pass for each, or for a few topics
    seen = []
    monkeypatch.setattr(
        parquet_parts.PendingTables,
        "_pass",
        lambda *call, do=parquet_parts.PendingTables._pass: seen.append(call) or do(*call),
    )
    if size == 1:
        monkeypatch.setattr(parquet_parts.Tables, "size", 40)
    same(evaluate(QRELS, put(tmp_path / "parts", "parquet", SCATTERED), MEASURES))
    assert len(seen) > 1


def test_a_fault_names_the_file_and_the_line_in_it(tmp_path):
    folder = put(tmp_path / "parts", "trec", RUN)
    broken = folder / "part-1.trec"
    lines = broken.read_text().splitlines(keepends=True)
    broken.write_text("".join([*lines[:4], "q5 Q0 d1 1 n/a tag\n", *lines[4:]]))
    with pytest.raises(DataError, match=rf"^{broken}, line 5: score 'n/a' is not a number\."):
        evaluate(QRELS, folder, MEASURES)
    broken.write_text(
        "".join([*lines, (folder / "part-0.trec").read_text().splitlines()[1] + "\n", lines[2]])
    )
    with pytest.raises(
        DataError,
        match=rf"^{folder}/part-1.trec, line {len(lines) + 1} and {folder}/part-0.trec, line 2: document '.*' of topic 'q2' is",
    ):
        evaluate(QRELS, folder, MEASURES)


def test_a_fault_in_parquet_names_the_file_and_the_row_in_it(tmp_path):
    folder = put(tmp_path / "parts", "parquet", RUN)
    rows = rows_of([*RUN[210:215], RUN[0]], "run", threads=1)
    (folder / "part-1.parquet").write_bytes(written(rows, "run", "parquet", path="a.parquet"))
    with pytest.raises(
        DataError, match=rf"^{folder}/part-1.parquet, row 6 and {folder}/part-0.parquet, row 1: document"
    ):
        evaluate(QRELS, folder, MEASURES)


def test_what_cannot_be_one_run_is_refused(tmp_path):
    folder = put(tmp_path / "parts", "trec", RUN)
    with pytest.raises(DataError, match=r"nothing-\*: no file matches"):
        evaluate(QRELS, f"{folder}/nothing-*", MEASURES)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="is a directory that holds no files"):
        evaluate(QRELS, tmp_path / "empty", MEASURES)
    (folder / "part-9.csv").write_text("topic,document,score\nq1,d1,1\n")
    with pytest.raises(DataError, match=r"part-9.csv is laid out as csv, and .*part-0.trec as trec"):
        evaluate(QRELS, folder, MEASURES)
    nested = put(tmp_path / "nested", "json", RUN)
    with pytest.raises(UsageError, match="files of json cannot be read as one"):
        evaluate(QRELS, nested, MEASURES)


def test_a_name_with_a_star_in_it_is_still_a_file(tmp_path):
    path = tmp_path / "a*b.run"
    path.write_text("q2 Q0 d1 1 1.0 tag\n")
    (tmp_path / "axb.run").write_text("q2 Q0 d1 1 1.0 tag\n")
    assert evaluate(QRELS, path, MEASURES).runs[0].per_topic["q2"]["NumRet"] == 1
    assert name_of("runs/bm25/") == "bm25"


SCRIPT = """
import resource, sys
import gainful
scores = gainful.evaluate(sys.argv[1], sys.argv[2], "AP")
print(scores.mean["AP"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform == "darwin", reason="memory is counted in other units there")
def test_memory_does_not_grow_with_the_files(tmp_path):
    """Four times the rows, scattered over the files, in little more memory: what does not fit goes to a temporary file."""
    (tmp_path / "qrels").write_text("".join(f"q{topic} 0 document-{topic} 1\n" for topic in range(100)))
    peaks = []
    for parts in (30, 120):
        folder = tmp_path / f"run-{parts}"
        folder.mkdir()
        for part in range(parts):
            lines = (
                f"q{t} Q0 document-{part}-{d}-with-a-long-name 1 {d} x\n"
                for d in range(400)
                for t in range(100)
            )
            (folder / f"part-{part}").write_text("".join(lines))
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, tmp_path / "qrels", folder],
            capture_output=True,
            text=True,
            check=True,
        )
        peaks.append(int(done.stdout.split()[1]) >> 10)
    assert peaks[1] < peaks[0] + 60, peaks  # MB; the rows take 160 MB more


def test_a_run_in_parts_says_where_it_is_from(tmp_path):
    folder = put(tmp_path / "parts", "trec", RUN)
    assert evaluate(QRELS, folder, MEASURES).to_dict()["runs"][0]["path"] == str(folder)
    assert gainful.Run([folder / "part-0.trec"]).name == "part-0"
