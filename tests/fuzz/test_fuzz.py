"""The fuzzer notices what it looks for; `make fuzz` runs it."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import cases, sandbox
from tests.fuzz.mutations import mutated

ROOT = Path(__file__).parents[2]

# Newer Pythons mind a fork beside threads that other tests have started; these children do little.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


def test_a_command_that_ends_well_is_fine(tmp_path):
    outcome = sandbox.run(["measures", "AP"], tmp_path)
    assert sandbox.fault(outcome, sandbox.FINE) is None
    assert b"AP" in outcome.output


def test_exit_codes_signals_tracebacks_memory_and_escapes_are_noticed(tmp_path):
    def grow() -> int:
        return len(bytearray(2 * sandbox.PEAK)) and 0

    def say(text: str) -> int:
        print(text, file=sys.stderr)
        return 0

    faults = [
        sandbox.fault(sandbox.call(task, tmp_path), sandbox.FINE)
        for task in (
            lambda: 70,
            lambda: os.kill(os.getpid(), signal.SIGTERM) or 0,
            grow,
            lambda: say("Traceback (most recent call last):"),
            lambda: say("\x1b[31m"),
        )
    ]
    assert faults[0] == "exit code 70"
    assert faults[1] == f"ended by signal {signal.SIGTERM.value}"
    assert faults[2].endswith("MB of memory")
    assert faults[3] == "a traceback on standard error"
    assert faults[4] == "'\\x1b' printed raw on standard error"


def test_a_command_that_never_ends_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0.1)
    assert sandbox.fault(sandbox.call(signal.pause, tmp_path), sandbox.FINE) == "still running after 0.1 s"


def test_other_scores_for_the_same_data_are_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(cases, "_other_layout", lambda *_: cases._renamed(tmp_path, _[2]))
    monkeypatch.setattr(cases, "_in_parts", lambda *_: ["q.trec", "q.trec"])
    monkeypatch.setattr(cases, "_scores_of_dicts", lambda *_: {})
    failures = []
    for number in range(6):
        folder = tmp_path / str(number)
        folder.mkdir()
        failures.append(cases.equal(random.Random(f"planted/{number}"), folder))
    assert any(failures)


def test_damage_is_drawn_from_the_seed_alone():
    first, again, other = (mutated(b"1 0 a 1\n" * 9, random.Random(seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_a_case_runs_by_the_command_that_make_fuzz_gives():
    """Some packages install a `tests` of their own, and PyTorch need not be there."""
    words = [sys.executable, "-m", "tests.fuzz", "--cases", "1"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("1 cases of seed 1 (")
