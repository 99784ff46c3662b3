"""Every command ends with a sentence and an exit code of its own, whatever the machine refuses; never as an internal error."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click import Group

from gainful.cli import run
from gainful.cli.commands import COMMANDS, gainful

MAIN = "from gainful.cli import main; main()"
EXAMPLES = Path(__file__).parents[2] / "examples" / "data"

# every command and file that it reads or writes; PLACE is the one that the machine refuses
WITH_A_FILE = {
    "evaluate, judgments": "evaluate PLACE RUN",
    "evaluate, run": "evaluate QRELS PLACE",
    "evaluate, output": "evaluate QRELS RUN -o PLACE",
    "evaluate, topics": "evaluate QRELS RUN --topics PLACE",
    "compare, judgments": "compare PLACE RUN RUN2",
    "compare, run": "compare QRELS RUN PLACE",
    "compare, output": "compare QRELS RUN RUN2 -o PLACE",
    "gate, judgments": "gate PLACE RUN RUN2 -m AP --margin 0",
    "gate, run": "gate QRELS RUN PLACE -m AP --margin 0",
    "gate, junit": "gate QRELS RUN RUN2 -m AP --margin 0 --junit PLACE",
    "correlate": "correlate PLACE SCORES",
    "curve, judgments": "curve PLACE RUN",
    "curve, run": "curve QRELS PLACE",
    "curve, output": "curve QRELS RUN -o PLACE",
    "explain, judgments": "explain PLACE RUN --topic 1 -m AP",
    "explain, run": "explain QRELS PLACE --topic 1 -m AP",
    "report, judgments": "report PLACE RUN -o OUT",
    "report, run": "report QRELS PLACE -o OUT",
    "report, output": "report QRELS RUN -o PLACE",
    "reconcile, judgments": "reconcile PLACE RUN --value 0.5 -m AP",
    "reconcile, run": "reconcile QRELS PLACE --value 0.5 -m AP",
    "search, queries": "search http://localhost:9/index PLACE",
    "search, template": "search http://localhost:9/index TOPICS --template PLACE",
    "search, output": "search http://localhost:9/index TOPICS -o PLACE",
    "pool, run": "pool RUN PLACE -o OUT",
    "pool, output": "pool RUN RUN2 -o PLACE",
    "judge": "judge PLACE",
    "judge, answers": "judge --collect STUDY PLACE",
    "judge, prompts": "judge --prompts PLACE STUDY",
    "judge, labels": "judge --collect-labels STUDY PLACE",
    "audit, judgments": "audit PLACE QRELS RUN",
    "audit, labels": "audit QRELS PLACE RUN",
    "audit, chart": "audit QRELS QRELS2 --chart PLACE",
    "audit, output": "audit QRELS QRELS2 -o PLACE",
    "check, judgments": "check PLACE RUN",
    "check, run": "check QRELS PLACE",
    "check, output": "check QRELS RUN -o PLACE",
    "convert, input": "convert PLACE OUT --to csv",
    "convert, output": "convert RUN PLACE --to csv",
    "trec_eval, judgments": "trec_eval PLACE RUN",
    "trec_eval, run": "trec_eval QRELS PLACE",
    "trec_eval, deviations": "trec_eval QRELS RUN -Z PLACE",
    "install-trec-eval": "install-trec-eval PLACE",
    "filter init": "filter init --state PLACE",
    "filter ingest": "filter ingest STREAM --state PLACE",
    "filter ingest, stream": "filter ingest PLACE --state STATE",
    "filter stats": "filter stats --state PLACE",
    "filter check": "filter check --state PLACE",
    "filter rebuild": "filter rebuild --state PLACE",
    "filter export": "filter export --state STATE -o PLACE",
    "filter simulate, stream": "filter simulate PLACE TOPICS QRELS",
    "filter simulate, topics": "filter simulate STREAM PLACE QRELS",
    "filter simulate, judgments": "filter simulate STREAM TOPICS PLACE",
    "filter demo": "filter demo --documents 200 --write PLACE",
}


@pytest.fixture
def files(tmp_path, capfd):
    """Small files of every kind, by the words of the table."""
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n")
    (tmp_path / "model.qrels").write_text("1 0 a 0\n1 0 b 0\n2 0 a 1\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 2 a\n1 Q0 b 2 1 a\n2 Q0 a 1 1 a\n")
    (tmp_path / "b.run").write_text("1 Q0 b 1 2 b\n1 Q0 a 2 1 b\n2 Q0 a 1 1 b\n")
    (tmp_path / "stream.jsonl").write_text('{"id": "a", "text": "cocoa"}\n{"id": "b", "text": "oil"}\n')
    (tmp_path / "topics.jsonl").write_text('{"id": "1", "text": "cocoa"}\n')
    (tmp_path / "scores.csv").write_text("system,score\na,1\nb,2\nc,3\n")
    assert run(["filter", "init", "--state", str(tmp_path / "my.filter")]) == 0
    texts = ["--documents", str(tmp_path / "stream.jsonl")]
    assert run(["pool", str(tmp_path / "a.run"), *texts, "-o", str(tmp_path / "study")]) == 0
    capfd.readouterr()
    names = {
        "QRELS": "qrels",
        "QRELS2": "model.qrels",
        "RUN": "a.run",
        "RUN2": "b.run",
        "STREAM": "stream.jsonl",
        "TOPICS": "topics.jsonl",
    }
    names |= {"SCORES": "scores.csv", "STATE": "my.filter", "STUDY": "study", "OUT": "out"}
    return {word: str(tmp_path / name) for word, name in names.items()}


def check_refusal(capfd, words, *reasons):
    """It ends with wrong usage or a bad file, and says one of the reasons; check says it among its findings."""
    code = run(words)
    out, err = capfd.readouterr()
    assert code in (2, 3), err
    assert any(reason in (out if words[0] == "check" and out else err) for reason in reasons), err
    assert "Traceback" not in err
    assert err.startswith(("gainful: ", "Usage: "))


@pytest.mark.parametrize("length", [300, 5000])
@pytest.mark.parametrize("case", WITH_A_FILE)
def test_a_name_that_is_too_long_is_refused(case, length, files, tmp_path, capfd):
    place = str(tmp_path / ("n" * length))
    words = [{"PLACE": place}.get(word, files.get(word, word)) for word in WITH_A_FILE[case].split()]
    check_refusal(capfd, words, "n" * 100, "longer than 255 bytes", "File name too long")


@pytest.mark.parametrize("case", WITH_A_FILE)
def test_a_folder_that_may_not_be_entered_is_refused(case, files, tmp_path, capfd, monkeypatch):
    (tmp_path / "closed").mkdir()
    closed = tmp_path / "closed" / "file"

    def refusing(call):
        def refused(path, *rest, **named):
            given = path if isinstance(path, str | bytes | os.PathLike) else ""
            if os.fsdecode(given).startswith(f"{closed.parent}/"):
                raise PermissionError(13, "Permission denied", os.fsdecode(given))
            return call(path, *rest, **named)

        return refused

    # root enters every folder: what the system would say is said here
    for name in ("stat", "lstat", "open", "scandir", "listdir"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    monkeypatch.setattr("builtins.open", refusing(open))
    monkeypatch.setattr("io.open", refusing(open))
    words = [{"PLACE": str(closed)}.get(word, files.get(word, word)) for word in WITH_A_FILE[case].split()]
    check_refusal(capfd, words, str(closed.parent))


def commands(group, before=()):
    """All commands, groups too, as lists of words."""
    yield before
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        yield from commands(command, (*before, name)) if isinstance(command, Group) else [(*before, name)]


def test_the_table_has_every_command():
    read_no_file = {"measures", "dialects", "completion"}
    assert {case.replace(",", "").split()[0] for case in WITH_A_FILE} == set(COMMANDS) - read_no_file


class Full(io.StringIO):
    """A stream on a full disk."""

    def flush(self):
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("eval", "No such command 'eval'; did you mean evaluate?"),
        ("comp", "No such command 'comp'; did you mean compare or completion?"),
        ("c", "did you mean compare or correlate or curve or check or convert or completion?"),
        ("measure", "did you mean measures?"),
        ("zzz", "No such command 'zzz'."),
        ("", "No such command ''."),
    ],
)
def test_a_command_that_is_not_there_names_the_nearest(word, said, capfd):
    assert run([word, "qrels.txt"]) == 2
    assert said in capfd.readouterr().err


def test_help_that_cannot_be_written_is_exit_3_in_every_command(capfd, monkeypatch):
    monkeypatch.setattr(sys, "stdout", Full())
    for words in commands(gainful):
        code = run([*words, "--help"])
        err = capfd.readouterr().err
        assert code == 3, (words, err)
        assert (
            err == "gainful: a file or standard stream cannot be read or written: No space left on device.\n"
        )


def test_help_to_a_full_device_is_exit_3():
    with open("/dev/full", "wb") as full:  # noqa: PTH123 (a device)
        child = subprocess.run([sys.executable, "-c", MAIN, "check", "--help"], stdout=full, check=False)
    assert child.returncode == 3


@pytest.mark.parametrize(
    "line",
    [
        *(
            "evaluate q r",
            "compare q a b",
            "gate q a b -m AP --margin 0",
            "correlate a b",
            "curve q r",
            "explain q r --topic 1 -m AP",
        ),
        *("report q r -o out", "measures AP", "check q r", "convert r out --to csv", "trec_eval q r"),
        *(
            "filter init --state s",
            "filter ingest s --state t",
            "filter simulate a b c",
            "filter stats",
            "filter demo --documents 200 --write d",
        ),
    ],
)
def test_a_current_folder_that_is_gone_is_no_internal_error(line, tmp_path, capfd, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    code = run(line.split())
    err = capfd.readouterr().err
    assert code in ((0,) if "measures" in line else (2, 3)), err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "line", ["evaluate q r", "compare q a b", "report q r -o out", "filter init --state s"]
)
def test_modules_are_imported_where_the_current_folder_is_gone(line, tmp_path):
    code = f"import os, shutil, sys; os.chdir(sys.argv[1]); os.rmdir(sys.argv[1]); del sys.argv[1]; {MAIN}"
    (tmp_path / "gone").mkdir()
    child = subprocess.run(
        # -P, as a script has no "" in sys.path: Python 3.13.0 with it cannot import NumPy in a folder that is gone
        [sys.executable, "-P", "-c", code, str(tmp_path / "gone"), *line.split()],
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode in (2, 3), child.stderr
    assert "Traceback" not in child.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "module", ["click", "gainful.cli.evaluate", "gainful._core", "numpy", "gainful.scores.evaluation"]
)
def test_a_signal_while_modules_are_imported_is_one_sentence(module, number):
    code = f"""
import os, sys
class Hook:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), {int(number)})
sys.meta_path.insert(0, Hook())
{MAIN}
"""
    words = [
        "evaluate",
        str(EXAMPLES / "qrels.txt"),
        str(EXAMPLES / "plain.run"),
        "-m",
        "RBP",
    ]  # which needs NumPy
    child = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert (child.returncode, child.stdout) == (128 + number, "")
    assert child.stderr.strip() == "gainful: interrupted; no file is half written."


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (OSError(28, "No space left on device"), 3, "No space left on device"),
        (
            PermissionError(13, "Permission denied", "/x/\x1b[2J"),
            3,
            "gainful: /x/\\x1b[2J: Permission denied.\n",
        ),
        (MemoryError("Unable to allocate 8 GiB"), 3, "out of memory (Unable to allocate 8 GiB)"),
        (RecursionError("maximum recursion depth exceeded"), 3, "nested too deeply"),
        (RuntimeError("can't start new thread"), 3, "--threads 1"),
        (RuntimeError("broken \x9b on purpose"), 70, "internal error"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_an_exception_has_its_exit_code_and_a_clean_sentence(error, code, said, monkeypatch, capfd):
    def broken(*arguments, **named):
        raise error

    monkeypatch.setattr("gainful.cli.commands.gainful.main", broken)
    assert run(["evaluate"]) == code
    err = capfd.readouterr().err
    assert said in err
    assert not set(err) & {"\x1b", "\x9b"}


def test_notes_are_clean_too(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "evil\x1b[2J.run").write_text("1 Q0 a 1 1.0 tag\n")
    child = subprocess.run(
        [sys.executable, "-c", MAIN, "evaluate", "qrels", "evil\x1b[2J.run"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert b"note: " in child.stderr
    assert b"\x1b" not in child.stdout + child.stderr
