"""One run in several files: a directory, a glob, a list; read as if it were one file."""

import gzip
import random
import subprocess
import sys
from pathlib import Path

import pytest

import gainful
from gainful import Run, evaluate, read_qrels, read_run
from gainful.errors import DataError, UsageError
from gainful.formats import multi_parquet
from gainful.formats.output_files import written
from gainful.formats.rows import rows_of
from gainful.formats.sources import name_of, opened

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


def test_no_line_is_lost_after_a_mark_of_byte_order_or_an_empty_file(tmp_path):
    folder = put(tmp_path / "parts", "trec", SCATTERED)
    for path in folder.glob("part-*"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    (folder / "part-").touch()
    same(evaluate(QRELS, folder, MEASURES))
    tables = put(tmp_path / "tables", "csv", SCATTERED)
    (tables / "part-").touch()
    same(evaluate(QRELS, tables, MEASURES), "tables")


def test_quotes_in_one_file_are_quotes_in_all(tmp_path):
    folder = put(tmp_path / "parts", "csv", RUN)
    last = folder / "part-2.csv"
    last.write_text("".join(f'"{line}\n'.replace(",", '",', 1) for line in last.read_text().splitlines()))
    same(evaluate(QRELS, folder, MEASURES))


def test_judgments_may_be_in_several_files_too(tmp_path):
    folder = put(tmp_path / "judged", "trec", QRELS, kind="qrels")
    assert read_qrels(folder).digest == WHOLE.judgments.digest
    assert read_qrels(sorted(folder.glob("part-*"))).digest == WHOLE.judgments.digest


def test_a_repetition_in_judgments_names_both_files_and_their_lines(tmp_path):
    folder = tmp_path / "judged"
    folder.mkdir()
    (folder / "1").write_text("q 0 a 1\nq 0 b 1\n")
    (folder / "2").write_text("# more\nq 0 c 1\nq 0 a 1\n")
    for given in (folder, sorted(folder.iterdir())):
        with pytest.raises(
            DataError,
            match=rf"^{folder}/2, line 3 and {folder}/1, line 1 \(.* read as one\): document 'a' of topic",
        ):
            read_qrels(given)


def test_rows_that_are_no_lines_are_counted_over_all_files(tmp_path):
    folder = tmp_path / "judged"
    folder.mkdir()
    (folder / "1.csv").write_text('topic,document,grade\nq,"a\n",1\n')
    (folder / "2.csv").write_text('topic,document,grade\nq,"b",1\nq,"b",1\n')
    with pytest.raises(
        DataError, match=f"^{folder}, row 3 and row 2: document 'b' of topic 'q' is there twice"
    ):
        read_qrels(folder)
    twice = {"topic": ["q", "q"], "document": ["a", "a"], "grade": [1, 2]}
    (tmp_path / "twice.parquet").write_bytes(parquet_of(twice))
    with pytest.raises(DataError, match=r"twice\.parquet, row 2 and row 1: document 'a'"):
        read_qrels(tmp_path / "twice.parquet")


def parquet_of(columns, **settings):
    import pyarrow as pa
    from pyarrow import parquet

    file = pa.BufferOutputStream()
    parquet.write_table(pa.table(columns), file, **settings)
    return file.getvalue().to_pybytes()


def test_a_run_of_empty_parquet_files_has_no_rows(tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    nothing = {"topic": [], "document": [], "score": []}
    for part in range(2):
        (folder / f"{part}.parquet").write_bytes(parquet_of(nothing))
    with pytest.raises(DataError, match=f"^{folder} holds no rows"):
        evaluate(QRELS, folder, MEASURES)


def test_paths_of_one_run_may_be_absolute_and_relative(tmp_path, monkeypatch):
    folder = put(tmp_path / "parts", "trec", SCATTERED)
    monkeypatch.chdir(folder)
    paths = ["part-0.trec", folder / "part-1.trec", "part-2.trec"]
    same(evaluate(QRELS, Run(paths, name="parts"), MEASURES))


def test_a_directory_that_cannot_be_listed_is_named(tmp_path, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.iterdir", refuse)
    with pytest.raises(DataError, match=f"^{tmp_path} cannot be read: Permission denied"):
        evaluate(QRELS, tmp_path, MEASURES)


def test_a_list_of_paths_given_to_evaluate_is_several_runs(tmp_path):
    folder = put(tmp_path / "parts", "trec", RUN)
    assert len(evaluate(QRELS, sorted(folder.glob("part-*")), MEASURES)) == 3


@pytest.mark.parametrize("size", [1, 20_000])
def test_parquet_that_memory_would_not_hold_is_read_in_passes(tmp_path, monkeypatch, size):
    monkeypatch.setattr(multi_parquet, "MEMORY", size)  # bytes: a pass for each, or for a few topics
    seen = []
    monkeypatch.setattr(
        multi_parquet.Tables,
        "rows",
        lambda self, do=multi_parquet.Tables.rows: seen.append(self.bucket) or do(self),
    )
    if size == 1:
        monkeypatch.setattr(multi_parquet.Tables, "size", 40)
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
        match=rf"^{broken}, line {len(lines) + 1} and {folder}/part-0.trec, line 2 \(all of {folder} is read as one\): document",
    ):
        evaluate(QRELS, folder, MEASURES)


@pytest.mark.parametrize(
    ("layout", "line", "said"),
    [
        ("csv", "q5,d1,n/a", "score 'n/a' is not a number"),
        ("csv", '"q5",d1,n/a', "'n/a' is not a number"),
        ("jsonl", '{"topic": "q5"}', "'score' is missing"),
        ("jsonl", "{", "not JSON"),
    ],
)
def test_a_fault_in_a_table_names_the_file_and_the_line_in_it(tmp_path, layout, line, said):
    folder = put(tmp_path / "parts", layout, RUN)
    (folder / f"part-.{layout}").touch()  # the first, and empty
    broken = folder / f"part-1.{layout}"
    lines = broken.read_text().splitlines(keepends=True)
    broken.write_text("".join([*lines[:6], f"{line}\n", *lines[6:]]))
    with pytest.raises(DataError, match=rf"^{broken}, line 7: {said}"):
        evaluate(QRELS, folder, MEASURES)


@pytest.fixture
def passes(monkeypatch):
    """Parquet is read in passes, a few topics in each."""
    monkeypatch.setattr(multi_parquet, "MEMORY", 5_000)


def test_passes_find_the_faults_that_one_reading_finds(tmp_path, request):
    nameless = [*SCATTERED, (None, "d1", 1.0)]
    twice = [*SCATTERED, *SCATTERED[:30]]
    folders = [put_table(tmp_path / str(place), rows) for place, rows in enumerate((nameless, twice))]

    def said(folder):
        with pytest.raises(DataError) as caught:
            evaluate(QRELS, folder, MEASURES)
        return str(caught.value)

    at_once = [said(folder) for folder in folders]
    request.getfixturevalue("passes")
    assert [said(folder) for folder in folders] == at_once
    last = len(SCATTERED) - 2 * (len(nameless) // 3) + 1
    assert at_once[0].startswith(f"{folders[0]}/part-2.parquet, row {last}: the topic is missing.\n")
    judged = {topic for topic, *_ in QRELS}
    count = sum(topic in judged for topic, *_ in SCATTERED[:30])
    assert f"is there twice ({count} repetitions in all)." in at_once[1]


def put_table(folder, rows):
    """The rows in three Parquet files; values may be missing."""
    import pyarrow as pa
    from pyarrow import parquet

    folder.mkdir()
    size = len(rows) // 3
    for part in range(3):
        columns = zip(*rows[part * size : None if part == 2 else (part + 1) * size], strict=True)
        made = pa.table(dict(zip(("topic", "document", "score"), map(list, columns), strict=True)))
        parquet.write_table(made, folder / f"part-{part}.parquet")
    return folder


def test_parquet_may_name_its_columns_differently_in_each_file(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    folder = put_table(tmp_path / "parts", SCATTERED)
    table = parquet.read_table(folder / "part-1.parquet")
    parquet.write_table(
        table.rename_columns(["qid", "docno", "sim"]).select(["sim", "docno", "qid"]),
        folder / "part-1.parquet",
    )
    same(evaluate(QRELS, folder, MEASURES))
    wrong = pa.table({"topic": ["q1"], "document": ["d1"], "score": ["high"]})
    parquet.write_table(wrong, folder / "part-1.parquet")
    for call in (evaluate, lambda _, run, __: read_run(run)):
        with pytest.raises(DataError, match=rf"^{folder}/part-1.parquet has columns of other types"):
            call(QRELS, folder, MEASURES)


@pytest.mark.skipif(sys.platform != "linux", reason="open files are told by /proc")
@pytest.mark.parametrize("rows", [RUN, SCATTERED], ids=["together", "scattered"])
def test_parquet_files_are_closed_when_they_were_read(tmp_path, rows):
    folder = put(tmp_path / "parts", "parquet", rows)

    def open_files():
        return [path.readlink() for path in Path("/proc/self/fd").iterdir() if path.is_symlink()]

    evaluate(QRELS, folder, MEASURES)
    assert not [path for path in open_files() if folder in path.parents]


def without_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)


@pytest.mark.parametrize("rows", [RUN, SCATTERED], ids=["together", "scattered"])
def test_parquet_files_are_one_run_without_pyarrow(tmp_path, monkeypatch, rows):
    folder = put(tmp_path / "parts", "parquet", rows)
    without_pyarrow(monkeypatch)
    same(evaluate(QRELS, folder, MEASURES))


def test_what_needs_pyarrow_says_so(tmp_path, monkeypatch, passes):
    scattered = put(tmp_path / "parts", "parquet", SCATTERED)
    differing = put_table(tmp_path / "differing", [*RUN[:400], *((q, d, round(s)) for q, d, s in RUN[400:])])
    without_pyarrow(monkeypatch)
    for folder, why in ((scattered, "topics are scattered"), (differing, "has columns of other types")):
        with pytest.raises(UsageError, match=f"{why} .*; this needs one more package: `pip install pyarrow`"):
            evaluate(QRELS, folder, MEASURES)


def test_a_footer_with_a_wrong_number_of_rows_costs_few_passes(tmp_path, monkeypatch):
    folder = put(tmp_path / "parts", "parquet", SCATTERED)
    monkeypatch.setattr("gainful.formats.parquet.row_count", lambda *_: 1 << 60)
    assert multi_parquet.Tables(opened(str(folder)), "run").size < multi_parquet.MEMORY
    same(evaluate(QRELS, folder, MEASURES))


@pytest.mark.skipif(sys.platform != "linux", reason="memory is told by /proc")
@pytest.mark.parametrize("installed", ["pyarrow", "arro3"])
@pytest.mark.parametrize(("files", "short", "huge"), [(2, 2000, 800), (30, 17, 50)])
def test_parquet_files_with_huge_ids_take_little_memory(tmp_path, files, short, huge, installed):
    """An id of 1 MB that repeats is stored once; of many files, each alone would be small enough."""
    import pyarrow as pa

    count = short + huge
    for part in range(files):
        ids = [*(f"d{part}-{n}" for n in range(short)), "x" * 1_000_000]
        documents = pa.DictionaryArray.from_arrays([min(n, short) for n in range(count)], ids)
        columns = {"topic": ["q1"] * count, "document": documents, "score": [float(n) for n in range(count)]}
        (tmp_path / f"{part}.parquet").write_bytes(parquet_of(columns, store_schema=False))
    program = (
        "import re, sys, gainful\n"
        "from gainful.errors import DataError\n"
        f"sys.modules.update(dict.fromkeys([] if {installed == 'pyarrow'} else ['pyarrow', 'pyarrow.parquet']))\n"
        "for call in (gainful.read_run, lambda path: gainful.evaluate({'q1': {'d0-1': 1}}, path, 'RR')):\n"
        "    try: call(sys.argv[1])\n"
        "    except DataError as fault: print('refused' if 'too many to hold' in str(fault) else fault)\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, tmp_path], capture_output=True, text=True, check=True
    )
    *refused, kilobytes = ended.stdout.split()
    assert refused == ["refused", "refused"]
    assert int(kilobytes) < 500_000


def test_ids_that_are_stored_once_are_reckoned_as_often_as_they_stand(tmp_path):
    rows = [(f"q{t}", "a-document-with-a-long-name", 1.0) for t in range(3000)]
    tables = multi_parquet.Tables(opened(str(put_table(tmp_path / "parts", rows))), "run")
    assert tables.size >= sum(len(topic) + len(document) + 8 for topic, document, _ in rows)


def test_a_fault_in_parquet_names_the_file_and_the_row_in_it(tmp_path):
    folder = put(tmp_path / "parts", "parquet", RUN)
    rows = rows_of([*RUN[210:215], RUN[0]], "run", threads=1)
    (folder / "part-1.parquet").write_bytes(written(rows, "run", "parquet", path="a.parquet"))
    with pytest.raises(
        DataError, match=rf"^{folder}/part-1.parquet, row 6 and {folder}/part-0.parquet, row 1 \(all of"
    ):
        evaluate(QRELS, folder, MEASURES)


def test_what_cannot_be_one_run_is_refused(tmp_path):
    folder = put(tmp_path / "parts", "trec", RUN)
    with pytest.raises(DataError, match=r"nothing-\*: no file matches"):
        evaluate(QRELS, f"{folder}/nothing-*", MEASURES)
    (tmp_path / "empty").mkdir()
    with pytest.raises(
        DataError, match=r"is a directory without files; give the folder that contains them, or a glob\."
    ):
        evaluate(QRELS, tmp_path / "empty", MEASURES)
    (folder / "part-9.csv").write_text("topic,document,score\nq1,d1,1\n")
    with pytest.raises(DataError, match=r"part-9.csv is csv \(.*\), and .*part-0.trec is trec;"):
        evaluate(QRELS, folder, MEASURES)
    ranks = put(tmp_path / "ranks", "csv", RUN)
    (ranks / "part-9.csv").write_text("topic,document,rank\nq1,d1,1\n")
    with pytest.raises(
        DataError, match=r"part-9.csv is csv \(topic, document, rank\), and .*part-0.csv is csv"
    ):
        evaluate(QRELS, ranks, MEASURES)
    nested = put(tmp_path / "nested", "json", RUN)
    with pytest.raises(UsageError, match="files of json cannot be combined"):
        evaluate(QRELS, nested, MEASURES)


def test_a_name_with_a_star_in_it_is_still_a_file(tmp_path):
    path = tmp_path / "a*b.run"
    path.write_text("q2 Q0 d1 1 1.0 tag\n")
    (tmp_path / "axb.run").write_text("q2 Q0 d1 1 1.0 tag\n")
    assert evaluate(QRELS, path, MEASURES).runs[0].per_topic["q2"]["NumRet"] == 1
    assert name_of("runs/bm25/") == "bm25"


SCRIPT = """
import sys
import gainful
scores = gainful.evaluate(sys.argv[1], sys.argv[2], "AP")
with open("/proc/self/status") as status:  # of this process alone; what getrusage tells begins with its parent's
    print(next(line for line in status if line.startswith("VmHWM")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is told by /proc")
def test_memory_does_not_grow_with_the_files(tmp_path):
    """Four times the rows, scattered over the files, in little more memory: what does not fit goes to a temporary file."""
    (tmp_path / "qrels").write_text("".join(f"q{topic} 0 document-{topic} 1\n" for topic in range(100)))
    peaks = []
    lines = "".join(
        f"q{t} Q0 document-PART-{d}-with-a-long-name 1 {d} x\n" for d in range(400) for t in range(100)
    )
    for parts in (30, 120):
        folder = tmp_path / f"run-{parts}"
        folder.mkdir()
        for part in range(parts):
            (folder / f"part-{part}").write_text(lines.replace("PART", str(part)))
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, tmp_path / "qrels", folder],
            capture_output=True,
            text=True,
            check=True,
        )
        peaks.append(int(done.stdout.split()[1]) >> 10)
    assert peaks[1] < peaks[0] + 60, peaks  # MB; the rows take 160 MB more
    assert peaks[1] < 170, peaks  # and docs/scale.md says 150


def test_a_run_in_parts_says_where_it_is_from(tmp_path):
    folder = put(tmp_path / "parts", "trec", RUN)
    assert evaluate(QRELS, folder, MEASURES).to_dict()["runs"][0]["path"] == str(folder)
    assert gainful.Run([folder / "part-0.trec"]).name == "part-0"
