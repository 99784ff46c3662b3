"""The pytest fixture, used as a team would."""

import pytest

pytest_plugins = ["pytester"]

QRELS = "".join(f"{topic} 0 d 1\n" for topic in range(1, 9))
GOOD = "".join(f"{topic} Q0 d 1 2 x\n{topic} Q0 e 2 1 x\n" for topic in range(1, 9))
BAD = "".join(f"{topic} Q0 e 1 2 x\n{topic} Q0 d 2 1 x\n" for topic in range(1, 9))
OPTIONS = '[tool.gainful.gate]\nqrels = "qrels.txt"\nbaseline = "good.run"\nmeasures = "RR"\nmargin = 0.01\n'


@pytest.fixture
def project(pytester):
    for name, text in {"qrels.txt": QRELS, "good.run": GOOD, "bad.run": BAD}.items():
        (pytester.path / name).write_text(text)

    def run(code, options=""):
        (pytester.path / "pyproject.toml").write_text(options)
        pytester.makepyfile(code)
        return pytester.runpytest_inprocess("-p", "gainful.pytest_plugin", "-p", "no:cacheprovider")

    return run


def test_a_candidate_that_is_as_good_passes(project):
    made = project("""
        def test_search(gainful_gate):
            made = gainful_gate("qrels.txt", "good.run", "good.run", "RR", margin=0.01)
            assert made.verdict == "pass"
    """)
    made.assert_outcomes(passed=1)


def test_a_candidate_that_is_worse_fails_with_the_reason(project):
    made = project("""
        def test_search(gainful_gate):
            gainful_gate("qrels.txt", "good.run", "bad.run", "RR", margin=0.01)
    """)
    made.assert_outcomes(failed=1)
    made.stdout.fnmatch_lines(["*fail: RR 1.0000 → 0.5000*", "*the 5 that lost most, of 8 topics that lost*"])


def test_options_come_from_pyproject(project):
    made = project('def test_search(gainful_gate): gainful_gate(candidate="good.run")', OPTIONS)
    made.assert_outcomes(passed=1)
    made = project("def test_search(gainful_gate): gainful_gate()", OPTIONS + 'candidate = "bad.run"\n')
    made.assert_outcomes(failed=1)


def test_what_is_lacking_or_wrong_is_a_sentence_and_no_traceback(project):
    made = project('def test_search(gainful_gate): gainful_gate("qrels.txt", "good.run")')
    made.stdout.fnmatch_lines(["*gainful_gate needs candidate, measures, margin*"])
    made = project('def test_search(gainful_gate): gainful_gate("q", "good.run", "good.run", "RR", margin=0)')
    made.stdout.fnmatch_lines(["*gainful_gate: q: there is no such file.*"])
    made.stdout.no_fnmatch_line("*Traceback*")


def test_the_plugin_loads_nothing_heavy():
    import subprocess
    import sys

    code = "import sys, gainful.pytest_plugin; print([name for name in ('numpy', 'scipy', 'gainful._core') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
