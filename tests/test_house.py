"""The house keeps its bars: how often a run is opened, how far a command goes, and names that tell modules apart."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1] / "benchmarks" / "house.py"


def traced(command):
    done = subprocess.run(
        [sys.executable, HOUSE, "--trace", command], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    ("command", "most"), [("evaluate", 1), ("plain compare", 1), ("compare", 1), ("report", 2)]
)
def test_a_command_opens_each_run_once_and_the_report_at_most_twice(command, most):
    assert 1 <= traced(command)["opens of a run"] <= most


def test_evaluate_is_followed_with_a_finger():
    counts = traced("evaluate")
    assert counts["functions"] <= 120, counts["names"]
    assert counts["modules"] <= 28, counts["names"]
    assert counts["recording"] <= 55  # of measures, for the core that runs them


def test_no_two_modules_have_one_name_and_none_needs_a_table_of_contents():
    import runpy

    import gainful

    shape = runpy.run_path(str(HOUSE))["shape"](Path(gainful.__file__).parent)
    assert shape["repeated names"] == {}
    largest = int(shape["largest"].rpartition("(")[2].rstrip(")"))
    assert largest <= 400, shape["largest"]
