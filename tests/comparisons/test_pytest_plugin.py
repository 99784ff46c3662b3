"""The pytest fixture, used as a team would."""

import subprocess
import sys

pytest_plugins = ["pytester"]

QRELS = "".join(f"{topic} 0 d 1\n" for topic in range(1, 9))
GOOD = "".join(f"{topic} Q0 d 1 2 x\n{topic} Q0 e 2 1 x\n" for topic in range(1, 9))
BAD = "".join(f"{topic} Q0 e 1 2 x\n{topic} Q0 d 2 1 x\n" for topic in range(1, 9))
OPTIONS = '[tool.gainful.gate]\nqrels = "qrels.txt"\nbaseline = "good.run"\nmeasures = "RR"\n'

TESTS = """
def test_as_good(gainful_gate):
    assert gainful_gate(candidate="good.run", margin=0.01).verdict == "pass"

def test_all_said_here(gainful_gate):
    assert gainful_gate("qrels.txt", "bad.run", "good.run", "P@1", margin=0).passed

def test_worse(gainful_gate):
    gainful_gate(candidate="bad.run", margin=0.01)

def test_lacking(gainful_gate):
    gainful_gate("qrels.txt", "good.run")

def test_wrong(gainful_gate):
    gainful_gate("nowhere.txt", candidate="good.run", margin=0)
"""


def test_the_fixture_passes_or_fails_with_the_reason_and_no_traceback(pytester):
    files = {"qrels.txt": QRELS, "good.run": GOOD, "bad.run": BAD, "pyproject.toml": OPTIONS}
    for name, text in files.items():
        (pytester.path / name).write_text(text)
    pytester.makepyfile(TESTS)
    made = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    made.assert_outcomes(passed=2, failed=3)
    made.stdout.fnmatch_lines(
        [
            "*fail: RR 1.0000 → 0.5000*",
            "*the 5 that lost most, of 8 topics that lost*",
            "*gainful_gate needs candidate, margin, given or in [[]tool.gainful[]] or [[]tool.gainful.gate[]].*",
            "*gainful_gate: nowhere.txt: there is no such file.*",
        ]
    )
    made.stdout.no_fnmatch_line("*Traceback*")


def test_the_plugin_loads_nothing_heavy():
    heavy = "('numpy', 'scipy', 'gainful._core', 'gainful.comparisons')"
    code = f"import sys, gainful.pytest_plugin; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
