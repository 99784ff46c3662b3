"""Dialects against the tools that are installed here, on random collections; `make peers` compares the others."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "peers.py"
NUMBERS = {"pytrec_eval": 20, "trec_eval": 22, "ir_measures": 23, "gdeval": 6, "scikit_learn": 4}


@pytest.fixture(scope="module")
def peers():
    spec = importlib.util.spec_from_file_location("peers", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("tool", NUMBERS)
def test_random_collections_have_the_numbers_of_the_tool(peers, tool):
    if tool == "gdeval" and shutil.which("perl") is None:
        reason = "gdeval is a Perl script, and there is no perl"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    count = 10 if tool == "gdeval" else 100  # it starts a process for each
    collections, numbers, _, different = peers.compared(tool, sys.executable, count)
    assert different == []
    assert collections == count
    assert numbers == count * NUMBERS[tool]


def test_random_collections_have_what_the_tools_differ_in(peers):
    import random

    chance = random.Random(0)
    drawn = [
        peers.collection(
            chance, peers.Peer("", peers.ANY, missing=True, empty=True, copies=True, own_ids=True)
        )
        for _ in range(200)
    ]
    lists = [rows for each in drawn for rows in each["run"].values()]
    assert any(len({score for _, score in rows}) < len(rows) for rows in lists)
    assert any(len({document for document, _ in rows}) < len(rows) for rows in lists)
    assert [] in lists
    assert any(each["run"].keys() < each["judgments"].keys() for each in drawn)
    assert any(
        topic == document for each in drawn for topic, rows in each["run"].items() for document, _ in rows
    )
    assert any(
        grade < 0 for each in drawn for grades in each["judgments"].values() for grade in grades.values()
    )
    assert any(
        grade % 1 for each in drawn for grades in each["judgments"].values() for grade in grades.values()
    )
    assert any(max(grades.values()) < 1 for each in drawn for grades in each["judgments"].values())
