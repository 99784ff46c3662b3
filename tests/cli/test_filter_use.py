"""The commands of a filter in use: the state and its profiles, what is wrong, what is kept and what is forgotten."""

import io
import json
import sqlite3
import stat
from pathlib import Path

import pytest

from gainful.errors import DataError
from gainful.filtering import Filter

from .stream import STREAM, delivered, lines


def test_the_state_is_named_by_option_or_environment_or_asked_for(gainful, tmp_path, monkeypatch):
    monkeypatch.delenv("GAINFUL_STATE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    nowhere = gainful("filter", "stats")
    assert (nowhere.code, nowhere.out) == (2, "")
    assert "--state FILE" in nowhere.err
    assert "GAINFUL_STATE" in nowhere.err
    assert gainful("filter", "init", "--state", tmp_path / "a.filter").code == 0
    assert gainful("filter", "stats", "--state", tmp_path / "a.filter").code == 0
    again = gainful("filter", "init", "--state", tmp_path / "a.filter")
    assert again.code in (2, 3)
    assert len(again.err.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("feedback", "cocoa", "nowhere", "relevant"),
        ("feedback", "nobody", "d1", "relevant"),
        ("explain", "cocoa", "nowhere"),
        ("explain", "nobody", "d1"),
        ("curve", "nobody"),
        ("preview", "nobody", "--threshold", "0.2"),
        ("profile", "show", "nobody"),
        ("profile", "edit", "nobody", "--text", "x"),
        ("profile", "remove", "nobody"),
        ("profile", "add", "empty", "the of and"),
        ("profile", "add", "cocoa", "again"),
        ("forget", "profile", "nobody", "--yes"),
        ("forget", "document", "nowhere", "--yes"),
        ("deliveries", "--profile", "nobody"),
        ("ingest", "nowhere.jsonl"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(full, gainful, words):
    done = gainful("filter", *words)
    assert (done.code, done.out) == (3, "")
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("content", [b"", b"hello\n" * 100, b"SQLite format 3\0" + b"\0" * 4096])
def test_a_file_that_is_no_state_is_refused_and_left_alone(gainful, tmp_path, content):
    path = tmp_path / "other"
    path.write_bytes(content)
    done = gainful("filter", "stats", "--state", path)
    assert (done.code, done.out) == (3, "")
    assert len(done.err.splitlines()) == 1
    assert path.read_bytes() == content


def test_another_database_is_no_state(gainful, tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (a)")
    other.close()
    done = gainful("filter", "ingest", "-", "--state", path)
    assert done.code == 3
    assert len(done.err.splitlines()) == 1


def test_a_state_that_is_not_there_is_not_made_by_the_way(gainful, tmp_path):
    done = gainful("filter", "profile", "list", "--state", tmp_path / "none.filter")
    assert done.code == 3
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ("feedback",),
        ("feedback", "cocoa"),
        ("feedback", "cocoa", "d1"),
        ("feedback", "cocoa", "d1", "good"),
        ("feedback", "cocoa", "d1", "relevant", "--file", "x"),
        ("deliveries", "--since", "soon"),
        ("profile", "edit", "cocoa"),
        ("profile", "add", "new", "words", "--beta", "7"),
        ("profile", "add", "new", "words", "--rule", "best"),
        ("profile", "add", "new", "words", "--utility", "1"),
        ("curve", "cocoa", "--chart", "x.gif"),
        ("preview", "cocoa", "--threshold", "high"),
        ("ingest", "-", "-"),
        ("forget", "document", "d1"),
        ("init", "--state", "new", "--cap", "few"),
    ],
)
def test_wrong_usage_is_told_apart_from_bad_data(full, gainful, words, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    done = gainful("filter", *words)
    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err


def test_the_text_of_a_new_profile_is_an_argument_and_who_tries_an_option_is_told(state, gainful, use):
    done = gainful("filter", "profile", "add", "tea", "--text", "tea and its leaves")
    assert done.code == 2
    assert "comes after the name, without --text: gainful filter profile add NAME TEXT" in done.err
    assert use("profile", "add", "tea", "tea and its leaves") == "Profile tea looks for: tea, leaves.\n"
    assert "--text" not in use("profile", "add", "--help")


def test_a_new_profile_says_what_it_looks_for_and_not_what_speaks_against_a_document(
    tmp_path, monkeypatch, use
):
    """A description is set against the documents so far, so that other terms have weights below 0."""
    monkeypatch.setenv("GAINFUL_STATE", str(tmp_path / "news.filter"))
    folder = Path(__file__).parents[2] / "examples" / "data" / "filter"
    use("init")
    use(
        "profile", "add", "garden", "gardening: flowers and vegetables, soil and compost, sowing and planting"
    )
    use("ingest", folder / "monday.jsonl")
    use("feedback", "garden", "mon-002f", "not-relevant")
    use("feedback", "garden", "mon-140g", "relevant")
    use("ingest", folder / "tuesday.jsonl")
    assert use("profile", "add", "pots", "flowers in a pot") == "Profile pots looks for: pot, flowers.\n"
    weights = json.loads(use("profile", "show", "pots", "-f", "json"))["terms"]
    assert min(weights.values()) < 0


def test_profiles_are_listed_changed_and_removed(full, use):
    assert use("profile", "list").splitlines()[2].split()[:2] == ["cocoa", "cocoa"]
    assert "threshold 0.0500 → 0.9000" in use("profile", "edit", "cocoa", "--rule", "fixed(theta=0.9)")
    use("profile", "edit", "cocoa", "--rename", "beans")
    assert [one["name"] for one in json.loads(use("profile", "list", "-f", "json"))] == ["beans"]
    use("profile", "add", "like", "--example", "d4")
    assert json.loads(use("profile", "show", "like", "-f", "json"))["relevant"] == 1
    use("profile", "remove", "like")
    assert [one["name"] for one in json.loads(use("profile", "list", "-f", "json"))] == ["beans"]
    assert "strongest" not in use("profile", "show", "beans", "--terms", 1)


def test_examples_may_come_from_a_file(state, use):
    (state / "liked.jsonl").write_text(lines([STREAM[3]]))
    assert "bean" in use("profile", "add", "beans", "--examples", "liked.jsonl")
    assert json.loads(use("profile", "show", "beans", "-f", "json"))["judged"] == 1


def test_rebuild_and_check_agree_with_the_log(full, use):
    use("feedback", "cocoa", "d1", "relevant")
    before = use("profile", "show", "cocoa", "-f", "json")
    assert use("rebuild").endswith("everything agrees.\n")
    assert use("profile", "show", "cocoa", "-f", "json") == before
    assert use("check") == "my.filter is in order.\n"


def test_export_has_everything_as_json_lines(full, use):
    use("feedback", "cocoa", "d1", "relevant")
    use("export", "-o", "all.jsonl")
    rows = [json.loads(line) for line in (full / "all.jsonl").read_text().splitlines()]
    text = json.dumps(rows)
    assert all(one["text"] in text for one in STREAM)
    assert use("export").splitlines() == (full / "all.jsonl").read_text().splitlines()


def test_an_export_can_be_read_by_its_owner_only_and_is_utf_8_on_any_terminal(full, use, monkeypatch):
    use("export", "-o", "mine.jsonl")
    assert stat.S_IMODE((full / "mine.jsonl").stat().st_mode) == 0o600
    (full / "more.jsonl").write_text(lines([{"id": "ö", "text": "cocoa"}]))
    use("ingest", "more.jsonl")
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(open(1, "wb", closefd=False), "ascii"))  # noqa: SIM115
    assert '"id": "ö"' in use("export")


def test_traces_are_removed_where_forgetting_could_not_finish(full, use, gainful):
    reader = sqlite3.connect("my.filter", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM documents").fetchone()
    with Filter.open("my.filter", wait=0.05) as state, pytest.raises(DataError, match="forget traces"):
        state.forget_document("d1")
    reader.close()
    assert use("forget", "traces").startswith("my.filter was rewritten")
    assert not any(b"poor harvest" in one.read_bytes() for one in full.glob("my.filter*"))


def test_what_is_forgotten_is_in_no_file(full, use):
    use("forget", "document", "d1", "--yes")
    assert not [
        path
        for path in full.iterdir()
        if path.name.startswith("my.filter") and b"poor harvest" in path.read_bytes()
    ]
    assert delivered(use) == ["d4"]
    assert use("ingest", "stream.jsonl").startswith("0 new documents, 4 seen before")
    use("forget", "profile", "cocoa", "--yes")
    assert use("profile", "list") == "No profiles.\n"
    assert use("check") == "my.filter is in order.\n"


def test_stats_count(full, use):
    found = json.loads(use("stats", "-f", "json"))
    assert (found["documents"], found["empty"], found["deliveries"], found["profiles"]) == (4, 1, 2, 1)
    assert use("stats").splitlines()[0].split() == ["state", "my.filter"]


def test_every_command_has_help_with_an_option_for_the_state(gainful):
    names = "init ingest deliveries feedback explain curve preview rebuild export stats check today yes no undo open".split()  # noqa: SIM905 (a line of names)
    groups = [["profile", one] for one in ("add", "list", "show", "edit", "remove")]
    for words in [*([name] for name in names), *groups, ["forget", "document"], ["forget", "profile"]]:
        shown = gainful("filter", *words, "--help")
        assert shown.code == 0
        assert "--state FILE" in shown.out, words
