"""Jobs from outside: waiting, stopping, sources that fail, and the end of the interpreter."""

import gc
import os
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from typing import Any

import pytest

RUN = b"".join(b"%d Q0 d%d 1 %d t\n" % (i // 100, i, i % 7) for i in range(20_000))


@pytest.fixture(scope="module")
def index(cores):
    return cores[0].Index(cores[0].Rows.of_lists(["7", "9"], ["d701", "d999"], [1, 2]), duplicates="error")


HOW: dict[str, Any] = {"ties": "docid", "duplicates": "error", "threads": 2}


def test_waiting_says_when_the_job_is_done(pair, cores, index):
    with pair.file(RUN) as descriptor:
        job = cores[0].Job(index, descriptor, **HOW)
        while not job.wait(1):
            pass
        assert job.wait(0)
        assert job.result().rows == 20_000
        assert job.result() is job.result()
        assert job.bytes_read == len(RUN)


def test_the_descriptor_may_be_closed_while_the_job_reads_and_its_offset_stays(cores, index, tmp_path):
    path = tmp_path / "run"
    path.write_bytes(RUN)
    with path.open("rb") as file:
        file.seek(5)
        job = cores[0].Job(index, os.dup(file.fileno()), **HOW)
        assert job.result().rows == 20_000
        assert os.lseek(file.fileno(), 0, os.SEEK_CUR) == 5
    descriptor = os.open(path, os.O_RDONLY)
    job = cores[0].Job(index, descriptor, **HOW)
    os.close(descriptor)
    assert job.result().rows == 20_000


def test_a_file_is_closed_as_soon_as_its_job_is_done(cores, index, tmp_path):
    path = tmp_path / "run"
    path.write_bytes(RUN)
    with path.open("rb") as file:
        lowest_free = os.dup(file.fileno())
        os.close(lowest_free)
        job = cores[0].Job(index, file.fileno(), **HOW)
        job.result()
        assert os.dup(file.fileno()) == lowest_free
        os.close(lowest_free)
        assert job.bytes_read == len(RUN)


def test_a_cancelled_job_has_no_result(cores, index):
    for core in cores:
        judged = core.Index(core.Rows.of_lists(["7"], ["d"], [1]), duplicates="error")
        job = core.Job(judged, Gate(open_=True), **HOW)
        job.cancel()
        with pytest.raises(core.Cancelled):
            job.result()


class Gate:
    """A source that waits until it is opened."""

    def __init__(self, open_: bool = False) -> None:
        self.gate, self.at, self.rewound = threading.Event(), 0, 0
        self.entered = threading.Event()
        if open_:
            self.gate.set()

    def readinto(self, buffer: Any) -> int:
        self.entered.set()
        self.gate.wait()
        part = RUN[self.at : self.at + len(buffer)]
        buffer[: len(part)] = part
        self.at += len(part)
        return len(part)

    def rewind(self) -> bool:
        self.rewound += 1
        self.at = 0
        return True


def test_python_runs_on_while_a_job_waits_for_its_source(cores, index):
    gate = Gate()
    job = cores[0].Job(index, gate, **HOW)
    assert gate.entered.wait(10)
    assert not job.wait(0.01)
    assert job.bytes_read == 0
    gate.gate.set()
    assert job.result().rows == 20_000
    assert gate.rewound == 1


def test_a_source_is_rewound_when_topics_turn_out_to_be_scattered(cores, index):
    class Scattered(Gate):
        def readinto(self, buffer: Any) -> int:
            text = b"7 Q0 d701 1 3 t\n9 Q0 d999 1 2 t\n7 Q0 d702 1 1 t\n"
            part = text[self.at : self.at + len(buffer)]
            buffer[: len(part)] = part
            self.at += len(part)
            return len(part)

    source = Scattered()
    job = cores[0].Job(index, source, **HOW)
    assert job.result().rank.tolist() == [1, 1]
    assert source.rewound == 2


def test_a_job_whose_source_never_comes_back_can_be_given_up(cores, index):
    gate = Gate()
    job = cores[0].Job(index, gate, **HOW)
    assert gate.entered.wait(10)
    del job
    gate.gate.set()


@pytest.mark.parametrize("where", ["readinto", "rewind"])
def test_what_a_source_raises_is_raised_by_the_result(cores, index, where):
    class Broken(Gate):
        pass

    def broken(*_: Any) -> Any:
        raise EOFError("truncated")

    setattr(Broken, where, broken)
    job = cores[0].Job(index, Broken(open_=True), **HOW)
    for _ in range(2):
        with pytest.raises(EOFError, match="truncated"):
            job.result()
    if where == "readinto":
        with pytest.raises(EOFError, match="truncated"):
            cores[0].Rows.read(Broken(open_=True), kind="run", threads=1)


def test_a_job_and_its_source_are_let_go_of(cores, index):
    class Broken(Gate):
        def readinto(self, _: Any) -> int:
            raise EOFError

    def gone(kind: type[Gate]) -> bool:
        source = kind(open_=True)
        job = cores[0].Job(index, source, **HOW)
        with suppress(EOFError):
            job.result()
        reference = weakref.ref(source)
        del source, job
        gc.collect()
        return reference() is None

    assert gone(Gate)
    assert gone(Broken)


@pytest.mark.parametrize(
    ("given", "error"), [(None, TypeError), (-1, ValueError), (10**9, ValueError), ("3", TypeError)]
)
def test_a_source_that_tells_nonsense_is_refused(cores, index, given, error):
    class Nonsense(Gate):
        def readinto(self, _: Any) -> Any:
            return given

    with pytest.raises(error):
        cores[0].Job(index, Nonsense(), **HOW).result()


def test_a_source_cannot_write_after_its_turn(cores, index):
    kept = []

    class Keeper(Gate):
        def readinto(self, buffer: Any) -> int:
            kept.append(buffer)
            return super().readinto(buffer)

    cores[0].Job(index, Keeper(open_=True), **HOW).result()
    with pytest.raises(ValueError, match="released"):
        kept[0][0] = 1


def test_what_is_no_source_is_refused(cores, index):
    with pytest.raises(AttributeError):
        cores[0].Job(index, object(), **HOW)
    with pytest.raises(OSError, match="Bad file descriptor"):
        cores[0].Job(index, 987, **HOW)
    with pytest.raises(ValueError, match="descriptor"):
        cores[0].Job(index, -1, **HOW)


def test_a_folder_cannot_be_read(cores, index, tmp_path):
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises(IsADirectoryError):
            cores[0].Job(index, descriptor, **HOW).result()
        with pytest.raises(IsADirectoryError):
            cores[0].Rows.read(descriptor, kind="run", threads=1)
    finally:
        os.close(descriptor)


def test_a_temporary_folder_that_cannot_be_written_is_an_error(pair, cores, index, monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", "/proc/self")
    scattered = b"".join(b"%d Q0 d%d 1 1 t\n" % (7 + i % 2 * 2, i) for i in range(1000))
    with pair.file(scattered) as descriptor, pytest.raises(OSError, match=r"\S"):
        cores[0].Job(index, descriptor, **HOW, _memory=1).result()


def test_many_jobs_can_run_at_once(pair, cores, index):
    with pair.file(RUN) as descriptor:
        jobs = [cores[0].Job(index, descriptor, **HOW) for _ in range(20)]
        assert {job.result().digest for job in jobs} == {jobs[0].result().digest}


def test_a_crew_does_its_jobs_in_turn_and_finds_the_same(pair, cores, index):
    with pair.file(RUN) as descriptor:
        alone = cores[0].Job(index, descriptor, **HOW).result()
        for threads in (1, 3):
            crew = cores[0].Crew(threads)
            jobs = [cores[0].Job(index, descriptor, **HOW, crew=crew) for _ in range(20)]
            del crew  # the jobs keep it
            assert all(pair.facts(job.result()) == pair.facts(alone) for job in reversed(jobs))


def test_a_job_that_waits_for_its_crew_can_be_given_up(pair, cores, index, tmp_path):
    long = tmp_path / "long.run"
    long.write_bytes(b"".join(b"7 Q0 d%d 1 %d t\n" % (i, i % 7) for i in range(400_000)))
    crew = cores[0].Crew(1)
    with long.open("rb") as file, pair.file(RUN) as descriptor:
        first = cores[0].Job(index, file.fileno(), **HOW, crew=crew)
        given_up = [cores[0].Job(index, descriptor, **HOW, crew=crew) for _ in range(20)]
        last = cores[0].Job(index, descriptor, **HOW, crew=crew)
        last.cancel()
        del given_up
        assert first.result().rows == 400_000
        with pytest.raises(cores[0].Cancelled):
            last.result()


def test_a_crew_takes_files_only(cores, index):
    with pytest.raises(ValueError, match="files only"):
        cores[0].Job(index, Gate(open_=True), **HOW, crew=cores[0].Crew(1))
    with pytest.raises(ValueError, match="threads"):
        cores[0].Crew(0)


@pytest.mark.parametrize("before", ["pass", "[job.result() for job in jobs]"], ids=["at work", "waiting"])
def test_a_forked_child_lets_a_crew_go(before, tmp_path):
    path = tmp_path / "run"
    path.write_bytes(RUN)
    done = python(f"""
import os, warnings, gainful._core as core
warnings.simplefilter("ignore")
index = core.Index(core.Rows.of_lists(["7"], ["d"], [1]), duplicates="first")
crew = core.Crew(2)
file = open({str(path)!r}, "rb")
jobs = [core.Job(index, file.fileno(), ties="docid", duplicates="error", threads=1, crew=crew) for _ in range(50)]
{before}
child = os.fork()
if child == 0:
    del jobs, crew
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), len({{job.result().digest for job in jobs}}))
""")
    assert (done.stdout, done.stderr) == ("7 1\n", "")


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )


def test_importing_the_core_does_not_import_numpy():
    done = python("import sys, gainful._core; print('numpy' in sys.modules)")
    assert done.stdout == "False\n", done.stderr


START = """
import os, sys, tempfile, threading, gainful._core as core
class Endless:
    def readinto(self, buffer):
        {body}
        line = b"7 Q0 d%d 1 1 t\\n" % id(buffer)
        buffer[:len(line)] = line
        return len(line)
    def rewind(self):
        return False
index = core.Index(core.Rows.of_lists(["7"], ["d"], [1]), duplicates="first")
job = core.Job(index, Endless(), ties="docid", duplicates="first", threads=2)
job.wait(0.05)
print("end", flush=True)
"""


@pytest.mark.parametrize("body", ["pass", "threading.Event().wait()", "import time; time.sleep(0.001)"])
@pytest.mark.parametrize("ending", ["", "raise SystemExit(0)", "sys.job = job"])
def test_the_interpreter_ends_while_a_job_runs(body, ending):
    done = python(START.format(body=body) + ending)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")
