"""Many runs at once: few files open, and nothing left behind when something goes wrong."""

import gzip
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import gainful
from gainful._core import Cancelled, Rows
from gainful.errors import DataError
from gainful.formats import run_queue as module
from gainful.formats.output_files import written
from gainful.formats.run_queue import Queue
from gainful.formats.runs import Run
from gainful.formats.types import Rules

QRELS = {"1": {"a": 1}}
LINES = "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n"
ROWS = [("1", "a", 2.0), ("1", "b", 1.0)]


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    made = [tmp_path / f"{number}.run" for number in range(60)]
    for path in made:
        path.write_text(LINES)
    return made


def lowest_free_descriptor() -> int:
    descriptor = os.open(os.devnull, os.O_RDONLY)
    os.close(descriptor)
    return descriptor


def threads_of_ours() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "gainful"]


def python(code: str, *arguments: Path, cwd: Path | None = None, given: str = "") -> Any:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(
        command, cwd=cwd, input=given, capture_output=True, text=True, timeout=60, check=False
    )


def test_more_runs_are_read_than_files_may_be_open(paths):
    for path in paths[:2]:  # long enough to keep all threads from the others
        path.write_text("".join(f"1 Q0 d{number} 1 1 t\n" for number in range(200_000)))
    done = python(FEW_FILES, *paths)
    assert (done.stdout, done.stderr) == ("60\n", "")


def test_a_run_may_be_in_more_parquet_files_than_may_be_open(tmp_path):
    for number in range(60):  # of one topic, so that it is met again
        rows = Rows.of_lists(["1"], [f"d{number}"], [number])
        path = tmp_path / f"{number}.parquet"
        path.write_bytes(written(rows, "run", "parquet", path=str(path)))
    done = python(FEW_FILES, tmp_path)
    assert (done.stdout, done.stderr) == ("1\n", "")


FEW_FILES = """
import resource, sys, gainful, pyarrow.parquet
gainful.evaluate  # and all that it imports
resource.setrlimit(resource.RLIMIT_NOFILE, (40, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
print(len(gainful.evaluate({"1": {"a": 1}}, sys.argv[1:], "RR", threads=2)))
"""


def test_files_are_closed_after_a_fault_even_if_its_traceback_is_kept(paths):
    paths[0].write_text("1 Q0 a 1 high t\n")
    free = lowest_free_descriptor()
    with pytest.raises(DataError, match="line 1") as kept:
        gainful.evaluate(QRELS, paths, "RR", threads=2)
    assert lowest_free_descriptor() == free
    assert kept.tb is not None


def test_threads_end_when_a_queue_cannot_be_made(paths, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    begun = Run.begin_in
    monkeypatch.setattr(Run, "begin_in", lambda run, *how: (interrupted if run.path else begun)(run, *how))
    with pytest.raises(KeyboardInterrupt):
        gainful.evaluate(QRELS, [ROWS, paths[0]], "RR", threads=2)
    for thread in threads_of_ours():
        thread.join(10)
    assert not threads_of_ours()


def test_a_run_that_is_cancelled_while_it_is_opened_is_not_read(tmp_path, monkeypatch):
    path = tmp_path / "run.gz"
    path.write_bytes(gzip.compress(LINES.encode()))
    opening, go_on, begin = threading.Event(), threading.Event(), Run.begin

    def slow(run, how):
        opening.set()
        assert go_on.wait(10)
        return begin(run, how)

    monkeypatch.setattr(Run, "begin", slow)
    runs = [Run(path), Run(path)]
    queue = Queue(gainful.read_qrels(QRELS), runs, rules=Rules(), threads=2)
    assert opening.wait(10)
    first = queue._begun[0].pending
    queue.cancel()
    go_on.set()
    with pytest.raises(Cancelled):
        first.finish()


def test_mappings_are_judged_without_a_thread(monkeypatch):
    for name in ("Crew", "Thread"):
        monkeypatch.setattr(module, name, None)
    mapping = {"1": {"a": 1.0}}
    assert len(gainful.evaluate(QRELS, [mapping, mapping], "RR", threads=2)) == 2


def test_standard_input_is_read_even_beside_a_file_of_its_name(paths):
    (paths[0].parent / "-").write_text("other Q0 a 1 1 t\n")
    code = "import gainful; print(gainful.evaluate({'1': {'a': 1}}, ['0.run', '-'], 'NumRet', threads=2)['stdin'].mean)"
    done = python(code, cwd=paths[0].parent, given=LINES)
    assert (done.stdout, done.stderr) == ("{'NumRet': 2.0}\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="a file that cannot be read is one of /proc")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_file_that_the_system_does_not_give_is_named_in_its_turn(paths, threads):
    with pytest.raises(DataError, match=r"^/proc/self/mem cannot be read: Input/output error"):
        gainful.evaluate(QRELS, [*paths, "/proc/self/mem"], "RR", threads=threads)
    paths[0].write_text("1 Q0 a 1 high t\n")
    with pytest.raises(DataError, match=r"0\.run, line 1"):
        gainful.evaluate(QRELS, [*paths, "/proc/self/mem"], "RR", threads=threads)
