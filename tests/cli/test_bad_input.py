"""Bad input gives one clear message, the right exit code, and no file."""

import gzip
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from gainful.cli import run

EXAMPLES = Path(__file__).parents[2] / "examples" / "data"

PACKED = gzip.compress(b"".join(b"1 Q0 d%d 1 3.0 tag\n" % number for number in range(5000)), mtime=0)
DAMAGED = PACKED[:5000] + bytes(200) + PACKED[5200:]

FAULTS = {
    "too few columns": (
        b"1 Q0 a 1 3.0 tag\n1 Q0 u\n",
        ["line 2", "3 columns", "topic, Q0, document, rank, score"],
    ),
    "a score that is not a number": (
        b"1 Q0 a 1 3.0 t\n1 Q0 b 2 n/a t\n1 Q0 c 3 n/a t\n1 Q0 d 4 - t\n",
        ["line 2", "score 'n/a' is not a number", "3 such lines"],
    ),
    "a score that is NaN": (b"1 Q0 a 1 nan t\n", ["line 1", "NaN"]),
    "the same document twice": (
        b"1 Q0 a 1 3 t\n1 Q0 u 2 2 t\n1 Q0 a 3 1 t\n",
        ["line 3", "line 1", "'a'", "topic '1'", "--duplicates"],
    ),
    "the same unjudged document twice": (
        b"1 Q0 u 1 3 t\n1 Q0 a 2 2 t\n1 Q0 u 3 1 t\n",
        ["line 3", "line 1", "'u'"],
    ),
    "a binary file": (bytes(range(256)) * 20, ["binary"]),
    "a truncated gz": (gzip.compress(b"1 Q0 a 1 3.0 tag\n" * 1000)[:-20], ["cut short", "Fetch it again"]),
    "a damaged gz": (DAMAGED, ["damaged", "Fetch it again"]),
    "lines that end in a carriage return alone": (
        b"1 Q0 a 1 3 t\r1 Q0 u 2 2 t\r",
        ["carriage return", "tr '\\r' '\\n'"],
    ),
    "CSV whose lines end in a carriage return alone": (
        b"topic,document,score\r1,a,3\r1,u,2\r",
        ["carriage return", "tr '\\r' '\\n'"],
    ),
    "CSV without a line of names": (b"1,a,3\n1,u,2\n", ["line 1", "Is this CSV?", "topic,document,score"]),
    "an empty file": (b"", ["no rows"]),
    "a file of comments": (b"# nothing\n\n", ["no rows"]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_run_is_refused_with_its_place(fault, qrels, tmp_path, gainful):
    content, expected = FAULTS[fault]
    path, out = tmp_path / "bad.run", tmp_path / "out.json"
    path.write_bytes(content)
    outcome = gainful("evaluate", qrels, path, "-f", "json", "-o", out)
    assert outcome.code == 3
    assert str(path) in outcome.err
    assert all(part in outcome.err for part in expected), outcome.err
    assert "Traceback" not in outcome.err
    assert outcome.out == ""
    assert sorted(each.name for each in tmp_path.iterdir()) == ["bad.run", "qrels.txt"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"1 0 a\n", ["line 1", "3 columns", "topic, iteration, document, grade"]),
        (b"1 0 a 1\n1 0 b high\n", ["line 2", "grade 'high' is not a number"]),
        (b"1 0 a nan\n", ["line 1", "NaN"]),
        (b"1 0 a 1\n2 0 a 1\n1 0 a 2\n", ["line 3", "line 1", "'a'"]),
        (b"\0\1\2\3" * 100, ["binary"]),
        (b"", ["no rows"]),
    ],
)
def test_faulty_judgments_are_refused_with_their_place(content, expected, good_run, tmp_path, gainful):
    path = tmp_path / "bad.qrels"
    path.write_bytes(content)
    outcome = gainful("evaluate", path, good_run)
    assert outcome.code == 3
    assert all(part in outcome.err for part in expected), outcome.err


def test_a_line_of_100_MB_is_refused_without_being_held(qrels, tmp_path, gainful):
    path = tmp_path / "long.run"
    with path.open("wb") as file:
        file.write(b"1 Q0 a 1 3.0 tag\n1 Q0 ")
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.write(b" 1 2.0 tag\n")
    outcome = gainful("evaluate", qrels, path)
    assert outcome.code == 3
    assert "line 2" in outcome.err
    assert "longer than" in outcome.err


def test_an_empty_directory_a_missing_file_and_one_that_may_not_be_read_are_refused(
    qrels, good_run, tmp_path, gainful
):
    (tmp_path / "empty").mkdir()
    directory = gainful("evaluate", qrels, tmp_path / "empty")
    assert (
        directory.code,
        "is a directory without files; give the folder that contains them, or a glob." in directory.err,
    ) == (3, True)
    missing = gainful("evaluate", qrels, tmp_path / "none.run")
    assert (missing.code, "no such file" in missing.err) == (3, True)
    missing = gainful("evaluate", tmp_path / "none.qrels", good_run)
    assert (missing.code, "none.qrels: there is no such file" in missing.err) == (3, True)


@pytest.mark.skipif(
    os.geteuid() == 0 and not Path("/usr/bin/setpriv").exists(),
    reason="root may read every file, and setpriv is not there",
)
def test_a_file_that_may_not_be_read_is_refused(tmp_path):
    readable = tmp_path / "open"
    readable.mkdir()
    for folder in [tmp_path, *tmp_path.parents]:
        if folder == Path("/tmp") or not folder.is_relative_to("/tmp"):
            break
        folder.chmod(0o755)
    qrels, path = readable / "qrels", readable / "secret.run"
    qrels.write_text("1 0 a 1\n")
    path.write_text("1 Q0 a 1 1.0 t\n")
    path.chmod(0)
    # The package may lie where only root can look: read the file as another user, in a child that has loaded all it needs.
    code = (
        "import os, sys, gainful.cli.commands, gainful.cli.evaluate, gainful.scores;"
        "from gainful.cli import run;"
        "os.geteuid() == 0 and os.setuid(65534); sys.exit(run(sys.argv[1:]))"
    )
    child = subprocess.run(
        [sys.executable, "-c", code, "evaluate", str(qrels), str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == 3, child.stderr
    assert "is not readable by this user; change its permissions." in child.stderr


def test_no_common_topic_is_exit_4_and_shows_both_sides(qrels, tmp_path, gainful):
    path = tmp_path / "other.run"
    path.write_text("301 Q0 a 1 3.0 tag\n")
    outcome = gainful("evaluate", qrels, path)
    assert outcome.code == 4
    assert "'301'" in outcome.err
    assert "'1', '2'" in outcome.err


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("nDGC@10", ["nDGC", "nDCG"]),
        ("nDCG@0", ["cutoff", "1 or more", "0"]),
        ("P@-1", ["cutoff", "1 or more", "-1"]),
        ("AP(rell=2)", ["rell", "rel"]),
        ("__import__('os').system('true')", []),
        ("AP(rel=__import__('os'))", []),
        ("(lambda: 1)()", []),
        ("nDCG@", []),
        ("AP@10(rel=2)", ["the cutoff comes last", "AP(rel=2)@100"]),
        ("", []),
    ],
)
def test_a_wrong_measure_is_exit_2_and_names_the_nearest(measure, expected, qrels, good_run, gainful):
    outcome = gainful("evaluate", qrels, good_run, "-m", measure)
    assert outcome.code == 2, outcome.err
    assert all(part in outcome.err for part in expected), outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate"],
        ["evaluate", "qrels"],
        ["evaluate", "-", "-"],
        ["evaluate", "q", "r", "--ties", "random"],
        ["evaluate", "q", "r", "--depth", "0"],
        ["evaluate", "q", "r", "-o", "no/such/folder/out.json"],
        ["evaluate", "q", "r", "-o", "-"],
        ["evaluate", "q", "r", "-o", ""],
        ["evaluate", "", "r"],
        ["evaluate", str(EXAMPLES / "qrels.txt"), ""],
        ["evaluate", str(EXAMPLES / "qrels.txt"), "r", "--threads", "9" * 30],
        ["convert", "r", "-", "--to", "csv"],
        ["nonsense"],
        ["measures", "nDGC"],
    ],
)
def test_wrong_usage_is_exit_2(arguments, gainful):
    outcome = gainful(*arguments)
    assert outcome.code == 2
    assert outcome.err != ""
    assert "Traceback" not in outcome.err


def test_an_output_file_is_not_overwritten_unless_asked(qrels, good_run, tmp_path, gainful):
    out = tmp_path / "scores.json"
    out.write_text("mine")
    refused = gainful("evaluate", qrels, good_run, "-f", "json", "-o", out)
    assert (refused.code, out.read_text()) == (2, "mine")
    assert "--overwrite" in refused.err
    assert gainful("evaluate", qrels, good_run, "-f", "json", "-o", out, "--overwrite").code == 0
    assert out.read_text().startswith("{")


def test_an_internal_error_is_exit_70(qrels, good_run, gainful, monkeypatch):
    def broken(*arguments: object, **named: object) -> None:
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("gainful.scores.score", broken)
    outcome = gainful("evaluate", qrels, good_run)
    assert outcome.code == 70
    assert "internal error" in outcome.err


def test_an_interrupt_is_exit_130_and_leaves_no_file(qrels, tmp_path):
    out = tmp_path / "out.json"
    command = [
        sys.executable,
        "-c",
        "from gainful.cli import main; main()",
        "evaluate",
        qrels,
        "-",
        "-f",
        "json",
        "-o",
        str(out),
    ]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdin is not None
    child.stdin.write(b"1 Q0 a 1 1.0 t\n" * 20)
    child.stdin.flush()
    # It waits for the rest of the run, which never comes; one second is for starting up, more does no harm.
    for _ in range(100):
        time.sleep(0.1)
        if (
            "gainful" in Path(f"/proc/{child.pid}/maps").read_text()
            and "_multiarray_umath" in Path(f"/proc/{child.pid}/maps").read_text()
        ):
            break
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=30)
    assert child.returncode == 130, err
    assert b"Traceback" not in err
    assert sorted(each.name for each in tmp_path.iterdir()) == ["qrels.txt"]


def test_an_interrupt_in_python_is_exit_130(qrels, good_run, monkeypatch):
    def interrupted(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gainful.scores.score", interrupted)
    assert run(["evaluate", qrels, good_run]) == 130


@pytest.mark.parametrize("arguments", [["measures"], ["evaluate", "QRELS", "RUN", "-q"], ["--help"]])
def test_a_reader_that_goes_away_is_told_from_a_failed_gate(qrels, good_run, arguments):
    words = [{"QRELS": qrels, "RUN": good_run}.get(word, word) for word in arguments]
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", "from gainful.cli import main; main()", *words]
    child = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (child.returncode, child.stderr) == (141, "")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("evaluate QRELS RUN -o OUT >&-", 0),
        ("evaluate QRELS RUN -o OUT 2>&-", 0),
        ("evaluate QRELS RUN <&- >&- 2>&-", 0),
        ("evaluate QRELS - <&-", 3),
        ("evaluate QRELS nothing 2>&-", 3),
        ("evaluate QRELS nothing 2>/dev/full", 3),
        ("evaluate QRELS 2>/dev/full", 2),
        ("evaluate QRELS RUN -m P@1 2>/dev/full", 3),  # the run lacks a topic, which nobody can be told
    ],
)
def test_streams_that_are_closed_or_full_do_not_look_like_a_failed_gate(command, code, tmp_path):
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 1.0 tag\n")
    words = {"QRELS": "qrels.txt", "RUN": "a.run", "OUT": "out.txt"}
    line = " ".join(words.get(word, word) for word in command.split())
    child = subprocess.run(
        ["sh", "-c", f'"$0" -c "from gainful.cli import main; main()" {line}', sys.executable],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == code
    assert "Traceback" not in child.stdout + child.stderr
    if "OUT" in command:
        assert (tmp_path / "out.txt").read_text().startswith("measure")


@pytest.mark.parametrize(
    "command",
    [
        "evaluate QRELS RUN -o QRELS",
        "evaluate QRELS RUN -o ./good.run",
        "evaluate QRELS RUN -o LINK",
        "compare QRELS RUN OTHER -o OTHER",
        "curve QRELS RUN -f json -o RUN",
        "curve QRELS RUN --chart CHART",
        "explain QRELS RUN --topic 1 -o RUN",
        "report QRELS RUN --queries TEXTS -o TEXTS",
        "report QRELS RUN -o QRELS",
        "check QRELS RUN -o QRELS",
        "audit QRELS LABELS -o LABELS",
        "reconcile QRELS RUN --value 0.4 -m AP -o QRELS",
        "correlate RUN OTHER -o OTHER",
        "convert RUN QRELS --to labels --qrels QRELS",
        "filter deliveries --state STATE -o STATE",
        "filter export --state STATE -o STATE",
    ],
)
def test_a_file_that_is_read_is_not_written_over(qrels, good_run, gainful, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    for name in ("other.run", "chart.svg"):
        shutil.copy(good_run, name)
    Path("labels.qrels").write_text("1 0 a 1\n2 0 x 1\n")
    Path("texts.tsv").write_text("1\tone\n2\ttwo\n")
    Path("link.run").hardlink_to(good_run)
    assert gainful("filter", "init", "--state", "it.filter").code == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    places = {
        **{
            "QRELS": qrels,
            "RUN": good_run,
            "OTHER": "other.run",
            "LABELS": "labels.qrels",
            "LINK": "link.run",
        },
        **{"TEXTS": "texts.tsv", "STATE": "it.filter", "CHART": "chart.svg"},
    }
    words = [places.get(word, word) for word in command.split()]
    if "CHART" in command:
        words[2] = "chart.svg"
    refused = gainful(*words, "--overwrite")
    assert refused.code == 2
    assert "is read by this command, and would be lost" in " ".join(refused.err.split())
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_may_be_converted_in_its_place(good_run, gainful):
    assert gainful("convert", good_run, good_run, "--to", "csv", "--overwrite").code == 0
    assert Path(good_run).read_text().startswith("topic,")


def test_no_room_for_the_copy_of_standard_input_is_told_with_the_folder(
    qrels, gainful, monkeypatch, tmp_path
):
    fifo = tmp_path / "pipe.run"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_text, args=("1 Q0 a 1 3.0 tag\n",))
    writer.start()
    with monkeypatch.context() as full:
        full.setattr(tempfile, "TemporaryFile", lambda: open("/dev/full", "r+b", buffering=0))  # noqa: PTH123, SIM115 (the caller closes it)
        refused = gainful("check", qrels, fifo)
    writer.join()
    assert refused.code == 3
    assert f"its copy in {tempfile.gettempdir()} cannot be written: No space left on device." in refused.err
    assert "set TMPDIR to a folder with room" in refused.err


def test_a_file_of_a_run_in_several_files_keeps_its_name(qrels, gainful, tmp_path, monkeypatch):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "part-0.txt").write_text("1 0 a 2\n")
    monkeypatch.chdir(tmp_path)
    assert "fault: parts: part-0.txt, line 1: 4 columns" in gainful("check", qrels, "parts").out
    monkeypatch.chdir("parts")
    assert "fault: .: part-0.txt, line 1: 4 columns" in gainful("check", qrels, ".").out


def test_files_in_the_wrong_order_are_recognised(qrels, good_run, gainful):
    swapped = gainful("evaluate", good_run, qrels)
    assert (swapped.code, "QRELS RUN" in swapped.err) == (3, True)
    twice = gainful("evaluate", qrels, qrels)
    assert (twice.code, "QRELS RUN" in twice.err) == (3, True)


MAIN = "from gainful.cli import main; main()"
COMMANDS = {
    "evaluate": [],
    "check": [],
    "compare": [],
    "curve": [],
    "report": ["-f", "text"],
    "explain": ["-m", "AP", "--topic", "1"],
    "trec_eval": [],
    "gate": ["-m", "AP", "--margin", "0.1"],
    "convert": [],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_that_may_not_be_entered_is_no_fault_of_ours(
    command, qrels, good_run, tmp_path, gainful, as_nobody, monkeypatch
):
    monkeypatch.chdir(tmp_path)  # names count from here: the folders above are root's
    tmp_path.chmod(0o777)
    (tmp_path / "locked").mkdir()
    (tmp_path / "locked" / "run").write_text(Path(good_run).read_text())
    given = {"convert": ["locked/run", "out.csv"], "compare": ["qrels.txt", "good.run", "locked/run"]}
    given["gate"] = given["compare"]
    call = command, *COMMANDS[command], *given.get(command, ["qrels.txt", "locked/run"])
    assert gainful(*call).code in (0, 1)  # and what it needs is imported now
    (tmp_path / "out.csv").unlink(missing_ok=True)
    (tmp_path / "locked").chmod(0o000)
    with as_nobody():
        outcome = gainful(*call)
    assert outcome.code == 3, outcome.err
    assert "is not readable by this user; change its permissions." in " ".join(
        (outcome.err + outcome.out).lower().split()
    )


@pytest.mark.parametrize("command", [command for command in COMMANDS if command != "convert"])
def test_a_name_that_is_too_long_is_no_fault_of_ours(command, qrels, good_run, gainful):
    given = [qrels, good_run, "x" * 300] if command in ("gate", "compare") else [qrels, "x" * 300]
    outcome = gainful(command, *COMMANDS[command], *given)
    assert outcome.code == 3, outcome.err
    assert "File name too long" in " ".join((outcome.err + outcome.out).split())


def test_an_output_whose_name_is_too_long_is_refused_before_any_work(qrels, good_run, gainful):
    outcome = gainful("evaluate", qrels, good_run, "-o", "x" * 256)
    assert outcome.code == 2
    assert "longer than 255 bytes" in outcome.err
    assert gainful("evaluate", qrels, good_run, "-o", "/tmp/" + "x" * 4096).code == 2


def test_a_small_json_takes_little_memory(tmp_path, good_run):
    (tmp_path / "qrels.json").write_text('{"1":{"a":1}}')
    ended = subprocess.run(
        [
            "bash",
            "-c",
            'ulimit -v 4194304; exec "$0" -c "$1" evaluate qrels.json "$2" -m AP',
            sys.executable,
            MAIN,
            good_run,
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    "arguments", [["check", "QRELS", "PIPE"], ["report", "QRELS", "PIPE", "RUN", "-f", "text"]]
)
def test_a_pipe_is_read_once_and_serves_all_readings(arguments, packed, qrels, good_run, tmp_path):
    content = Path(good_run).read_bytes()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    given = {"QRELS": qrels, "PIPE": str(pipe), "RUN": good_run}
    (tmp_path / "content").write_bytes(gzip.compress(content) if packed else content)
    writer = subprocess.Popen(["sh", "-c", f"cat {tmp_path}/content > {pipe}"])
    try:
        ended = subprocess.run(
            [sys.executable, "-c", MAIN, *(given.get(word, word) for word in arguments)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        writer.kill()
        writer.wait()
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "no rows" not in ended.stdout + ended.stderr


def test_an_output_that_appears_while_the_command_works_is_not_replaced(
    qrels, good_run, tmp_path, gainful, monkeypatch
):
    out = tmp_path / "out.json"

    def meanwhile(*_, **__):
        out.write_text("theirs")
        return "ours"

    from gainful.scores.score_output import FORMS

    monkeypatch.setitem(FORMS, "json", meanwhile)
    outcome = gainful("evaluate", qrels, good_run, "-f", "json", "-o", out)
    assert (outcome.code, out.read_text()) == (2, "theirs")
    assert "already exists; choose another name, or replace it with --overwrite." in outcome.err
    assert gainful("evaluate", qrels, good_run, "-f", "json", "-o", out, "--overwrite").code == 0
    assert out.read_text() == "ours"
