"""A threshold rule of one's own comes from one file outside the package, and is known wherever rules are named."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from gainful.errors import DataError, UsageError
from gainful.filtering import Document, Filter, simulate, threshold_registry, threshold_rule
from gainful.filtering.demo import as_files
from gainful.filtering.state.events import logged_rule
from gainful.filtering.threshold_registry import Range, rule_named, rule_names

MINE = """
from gainful.filtering import threshold_rule

@threshold_rule
def mine(seen, *, x: float = 0.5):
    "theta = x · the highest score seen"
    return x * max(seen.scores, default=0.0)
"""


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """What a test registers is forgotten after it."""
    rule_names()
    monkeypatch.setattr(threshold_registry, "_RULES", dict(threshold_registry._RULES))


@pytest.fixture
def own_file(tmp_path):
    path = tmp_path / "my_rules.py"
    path.write_text(MINE, encoding="utf-8")
    return path


def command(own_file, *arguments):
    """A command in a process of its own, which knows nothing but the environment."""
    return subprocess.run(
        [sys.executable, "-c", "from gainful.cli import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "GAINFUL_RULES": str(own_file)},
    )


def test_a_rule_of_ones_own_is_simulated(small):
    @threshold_rule
    def mine(seen, *, x: float = 0.5):
        return x * max(seen.scores, default=0.0)

    made = simulate(small.documents, small.topics, small.qrels, rules="mine(x=[0.8,0.5])", examples=0)
    assert [row.name for row in made.rows] == ["mine(x=0.8)", "mine", "none", "hindsight: mine(x=0.8)"]
    assert made.mean["mine"]["NumRet"] > made.mean["mine(x=0.8)"]["NumRet"] > 0


def test_the_command_line_and_a_filter_in_use_know_the_rule_of_a_file(own_file, small, tmp_path):
    for name, text in as_files(small).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [tmp_path / name for name in ("stream.jsonl", "topics.jsonl", "qrels.txt")]
    done = command(own_file, "filter", "simulate", *files, "-r", "mine(x=0.8)", "--jobs", "2", "-f", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"][0]["rule"] == {"name": "mine", "x": 0.8}

    state = ("--state", tmp_path / "my.filter")
    assert command(own_file, "filter", "init", *state).returncode == 0
    assert (
        command(own_file, "filter", "profile", "add", "bees", "bee hive", "--rule", "mine", *state).returncode
        == 0
    )
    assert command(own_file, "filter", "ingest", files[0], *state).returncode == 0
    shown = json.loads(command(own_file, "filter", "profile", "show", "bees", "-f", "json", *state).stdout)
    assert shown["rule"] == "mine(x=0.5)"
    assert shown["theta"] > 0
    assert "mine" in command(own_file, "filter", "profile", "add", "--help").stdout

    without = command("", "filter", "feedback", "bees", "d00001", "relevant", *state)
    assert without.returncode == 3
    assert "profile 'bees': there is no rule 'mine'" in without.stderr


def test_a_file_that_cannot_be_imported_is_named(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("1 / 0\n", encoding="utf-8")
    done = command(path, "filter", "simulate", "a", "b", "c", "-r", "mine")
    assert done.returncode == 3
    assert "broken.py cannot be imported (ZeroDivisionError: division by zero)" in done.stderr


def test_parameters_are_checked_by_the_ranges_that_a_rule_states():
    @threshold_rule(x=Range("above 0", lambda value: value > 0))
    def bounded(seen, *, x: float = 1.0, y: float):
        return x + y

    assert bounded([], [], y=2).theta == 3.0
    with pytest.raises(UsageError, match="x must be above 0; got 0"):
        bounded([], [], x=0, y=1)
    with pytest.raises(UsageError, match=r"bounded needs y: bounded\(y=0.2\)"):
        bounded([], [])
    with pytest.raises(UsageError, match="bounded has no parameter 'z'; it takes x, y"):
        bounded([], [], z=1)


def test_a_rule_must_return_a_number_and_have_a_name_of_its_own():
    @threshold_rule
    def wordy(seen):
        return "high"

    with pytest.raises(UsageError, match="the rule wordy must return a number; got 'high'"):
        wordy([0.5], [None])
    with pytest.raises(UsageError, match="there is a threshold rule 'ratio' already"):

        @threshold_rule
        def ratio(seen):
            return 0.0


def test_no_rule_and_the_rule_by_its_name_mean_the_same(made, states):
    made.add_profile("one", text=states.wish(1))
    made.add_profile("two", text=states.wish(1), rule="expected", model="regression")
    one, two = made.profile("one").settings, made.profile("two").settings
    assert (one.rule, one.rocchio) == (two.rule, two.rocchio)
    assert rule_named("beta_gamma").parameters == {"beta": 0.4, "gamma": 0.02, "share": 0.005}


def test_a_log_that_left_out_defaults_keeps_the_values_of_then(states, folder):
    assert logged_rule("beta_gamma").parameters == {"beta": 0.1, "gamma": 0.05, "share": 0.005}
    assert logged_rule("beta_gamma(beta=0.4,gamma=0.02)").parameters["gamma"] == 0.02
    path = folder / "state"
    with Filter.create(path) as made:
        made.add_profile("then", text=states.wish(1), rule="beta_gamma(beta=0.1,gamma=0.05)")
        made.ingest(states.documents(80, 4))
        sure = made.profile("then")
    with closing(sqlite3.connect(path)) as file:  # as an earlier version wrote it
        for table in ("changes", "profiles"):
            file.execute(f"UPDATE {table} SET body = replace(body, '(beta=0.1,gamma=0.05,share=0.005)', '')")
        file.commit()
    with Filter.open(path) as opened:
        assert opened.rebuild().agrees
        assert opened.profile("then").settings.rule == "beta_gamma"
        assert opened.profile("then").theta == sure.theta
        opened.ingest([Document("more", "theme1x1 theme1x2")])
        assert (
            opened.edit_profile("then", beta=0.2).settings.rule
            == "beta_gamma(beta=0.2,gamma=0.05,share=0.005)"
        )
        with pytest.raises(DataError, match="no profile"):
            opened.profile("nobody")
