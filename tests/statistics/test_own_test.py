"""A paired test, an interval and a correction of one's own: from one file outside the package."""

import json
import runpy

import numpy as np
import pytest

from gainful.comparisons import Method, ScoreTable, compare_scores
from gainful.errors import UsageError
from gainful.statistics import paired_tests
from gainful.statistics.corrections import CORRECTIONS
from gainful.statistics.intervals import INTERVALS

FILE = '''
"""The median's sign test at twice the price: a test that is simple to check."""

import numpy as np

from gainful.statistics.paired_tests import PairedSample, paired_test


def smallest(sample):
    return np.full(len(sample.first), 0.25)


@paired_test("quarter test", smallest=smallest)
def quarter(sample: PairedSample):
    return np.where((sample.differences > 0).all(axis=1), 0.25, 1.0)
'''


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    """Tests that a test makes known are known to it alone; those of the package are registered before."""
    for name in paired_tests.names():
        paired_tests.get(name)
    monkeypatch.setattr(paired_tests, "_KNOWN", dict(paired_tests._KNOWN))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "quarter.py"
    path.write_text(FILE)
    return path


ROWS = np.random.default_rng(3).random((2, 9)) + np.array([[0.0], [2.0]])


def test_a_file_outside_the_package_defines_a_test(file):
    table = ScoreTable.of_matrix(ROWS, systems=["a", "b"], measure="AP")
    made = compare_scores(table, Method(test=str(file)))
    (pair,) = made.pairs
    assert (pair.p_value, pair.p_value_method, pair.smallest_p_adjusted) == (0.25, "formula", 0.25)
    assert made.method.test == "quarter"
    assert "quarter test" in made.stated()
    assert "cannot be resolved: 9 topics give no p-value under 0.25" in made.sentence(pair)
    assert compare_scores(table, Method(test="quarter")).pairs[0].p_value == 0.25  # by its name from now on
    assert "quarter" in paired_tests.names()


def test_the_command_line_takes_the_file_too(file, tmp_path, monkeypatch, capsys):
    from click.testing import CliRunner

    from gainful.cli.commands import gainful

    scores = tmp_path / "scores.csv"
    scores.write_text("topic,a,b\n" + "".join(f"{n},0.{n},0.9\n" for n in range(1, 9)))
    made = CliRunner().invoke(gainful, ["compare", str(scores), "--test", str(file), "-f", "json"])
    assert made.exit_code == 0, made.output
    found = json.loads(made.stdout)
    assert found["statistics"]["test"] == "quarter"
    assert found["comparisons"][0]["p_value"] == 0.25


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("x = 1", "defines no test; decorate a function with"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def (", "SyntaxError"),
        (None, "there is no such file to take a test from"),
    ],
)
def test_a_file_that_defines_no_test_is_refused(tmp_path, content, words):
    path = tmp_path / "mine.py"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UsageError, match=words):
        Method(test=str(path))


@pytest.mark.parametrize("values", ["[0.5, 0.5]", "[1.5]", "[float('nan')]"])
def test_p_values_that_are_none_are_refused(tmp_path, values):
    path = tmp_path / "odd.py"
    path.write_text(
        "from gainful.statistics.paired_tests import paired_test\n"
        f"@paired_test('odd test')\ndef odd(sample): return {values}\n"
    )
    with pytest.raises(UsageError, match="test odd must give a p-value between 0 and 1 for each of 1 pairs"):
        compare_scores(ScoreTable.of_matrix(ROWS), Method(test=str(path)))


def test_what_goes_wrong_inside_it_is_said(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text(
        "from gainful.statistics.paired_tests import paired_test\n"
        "@paired_test('broken test')\ndef broken(sample): return sample.nothing\n"
    )
    with pytest.raises(
        UsageError, match="test broken: AttributeError: 'PairedSample' object has no attribute"
    ):
        compare_scores(ScoreTable.of_matrix(ROWS), Method(test=str(path)))


def test_every_test_of_the_package_says_what_it_is():
    for name in paired_tests.names():
        test = paired_tests.get(name)
        assert test.name == name
        assert test.title.endswith("test")
        assert test.function.__doc__
        sample = paired_tests.PairedSample(ROWS, np.array([0]), np.array([1]), flips=99, resamples=99)
        assert test.smallest(sample)[0] <= test(sample).p[0] <= 1


ADDED = """
import numpy as np

from gainful.statistics.corrections import CORRECTIONS, Correction
from gainful.statistics.intervals import INTERVALS, Interval


def extremes(sample, confidence):
    return sample.differences.min(axis=1), sample.differences.max(axis=1)


INTERVALS["extremes"] = Interval("least to most", extremes)
CORRECTIONS["double"] = Correction("doubled", lambda p: np.minimum(2 * p, 1))
"""


@pytest.fixture
def kept():
    """Intervals and corrections as they were, once the test is over."""
    before = [(known, dict(known)) for known in (INTERVALS, CORRECTIONS)]
    yield
    for known, names in before:
        known.clear()
        known.update(names)


def test_a_file_outside_the_package_adds_an_interval_and_a_correction(tmp_path, kept):
    (tmp_path / "added.py").write_text(ADDED)
    runpy.run_path(str(tmp_path / "added.py"))
    table = ScoreTable.of_matrix(ROWS, systems=["a", "b"], measure="AP")
    method = Method(test="sign", interval="extremes", correction="double")
    comparison = compare_scores(table, method)
    (pair,) = comparison.pairs
    differences = ROWS[1] - ROWS[0]
    assert pair.interval == pytest.approx((differences.min(), differences.max()))
    assert pair.p_adjusted == 2 * pair.p_value == 2 * 2 / 2**9
    assert "least to most interval" in comparison.stated()
    with pytest.raises(
        UsageError, match="interval must be one of t, bca, percentile, flips, extremes; got 'x'"
    ):
        Method(interval="x")
