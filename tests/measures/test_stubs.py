"""The types of the measures: written from the measures, true to them, and enough for a type checker to find a slip."""

import inspect
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import gainful
from gainful.measures import get, names

ROOT = Path(__file__).parents[2]
HEAD = "import gainful\nfrom gainful import AP, RBP, IPrec, P, evaluate, nDCG\nfrom gainful.measures import Measure\n"
GOOD = """
asked: list[Measure] = [nDCG @ 10, AP(rel=2) @ 100, RBP(p=0.9), IPrec @ 0.1, gainful.alpha_nDCG(alpha=0.5)]
nDCG(gain="exp", discount="jk", base=3, ideal="retrieved")
nDCG(gain={1: 1, 2: 3, "other": "linear"})(cutoff=5)
P(summary="median") @ 5
evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, [nDCG @ 10, *asked])
(nDCG @ 10)(gainful.judged_run([1, 0])).sum()
"""
BAD = {
    'nDCG(gian="exp")': 'Unexpected keyword argument "gian"',
    '(nDCG @ 10)(gian="exp")': 'Unexpected keyword argument "gian"',
    'nDCG @ "ten"': "Unsupported operand types for @",
    "gainful.nDGC": 'no attribute "nDGC"',
    'AP(rel="high")': "No overload variant",
    'nDCG(ideal="best")': "No overload variant",
    'P(summary="avg")': "No overload variant",
}


def test_the_stubs_are_made_from_the_measures():
    for file, written in runpy.run_path(str(ROOT / "docs" / "make_stubs.py"))["FILES"].items():
        text = file.read_text(encoding="utf-8")
        assert text == written(text), f"{file.name}: run `make docs`"


def test_every_measure_completes_and_shows_its_parameters():
    assert set(names()) <= set(dir(gainful))
    for name in names():
        signature = inspect.signature(getattr(gainful, name))
        assert set(get(name).definition.parameters) == set(signature.parameters) - {"judged"}


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    """What mypy says of each line, by its number."""
    file = tmp_path_factory.mktemp("typed") / "slips.py"
    file.write_text(HEAD + GOOD + "".join(f"{line}\n" for line in BAD))
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--follow-imports", "silent"]
    command += ["--cache-dir", str(file.parent), "--no-pretty", str(file)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False).stdout
    lines = [
        line.removeprefix(f"{file}:").partition(": error: ")
        for line in said.splitlines()
        if ": error: " in line
    ]
    return {int(number): fault for number, _, fault in lines}


def test_a_type_checker_takes_what_is_right(faults):
    good = range(1, (HEAD + GOOD).count("\n") + 1)
    assert {number: fault for number, fault in faults.items() if number in good} == {}


@pytest.mark.parametrize("line", BAD)
def test_a_type_checker_finds_a_slip(line, faults):
    number = (HEAD + GOOD).count("\n") + list(BAD).index(line) + 1
    assert BAD[line] in faults[number]
