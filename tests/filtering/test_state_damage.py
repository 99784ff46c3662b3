"""Damaged and crafted states: every command ends with a sentence, never with an internal error, never without end."""

import json
import random
import shutil
import signal
import sqlite3
from contextlib import closing, contextmanager

import pytest

from gainful.cli import run
from gainful.errors import DataError
from gainful.filtering import Document, Filter
from gainful.filtering.state.store_address import open_store

VALUES = [
    *(
        None,
        "x",
        "",
        "12",
        b"",
        b"x",
        b"\x00\x00\xf8\x7f" * 4,
        b"\xff" * 16,
        b"\x00\x00\x00\x00\x00\x00\xf8\x7f" * 3,
    ),
    *(0, 1, -1, 2, 0.5, -0.25, 1e308, float("inf"), -float("inf"), 2**31, 2**53 + 1, 2**63 - 1, -(2**63)),
    *("[]", "{}", '{"keep": "x"}', "null", '{"name": 5}', "\x1b[2J", "ratio(share=9)"),
]
"""What a cell is replaced by: other types, NULL, huge, negative, NaN in a blob, text that is no JSON."""

COMMANDS = [
    *("stats", "check", "rebuild", "profile list", "profile show one", "deliveries", "deliveries -f jsonl"),
    *(
        "deliveries -f markdown",
        "deliveries -f atom",
        "explain one doc-7",
        "explain two doc-3",
        "curve one -f json",
    ),
    *("preview one --threshold 0.1", "export", "feedback one doc-9 relevant", "profile add three theme2x1"),
    *(
        "profile edit one --text theme3x1",
        "ingest {stream}",
        "ingest {archive} --archive",
        "profile remove two",
    ),
    *("forget document doc-5 --yes", "forget profile one --yes", "forget traces", "rebuild", "check"),
]


@contextmanager
def at_most(seconds):
    """Fail where something does not end; how long it takes is not measured."""

    def late(*_):
        raise AssertionError(f"it did not end within {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def whole(folder, states):
    """A state with something in every table."""
    path = folder / "whole"
    with Filter.create(path, clock=states.Clock(), cap=40) as state:
        state.add_profile("one", text=states.wish(1))
        state.add_profile("two", text=states.wish(2), rule="ratio(share=0.1)")
        state.ingest(states.documents(120, 4))
        state.add_profile("gone", text=states.wish(4))
        for delivery in list(state.deliveries())[:4]:
            state.feedback(delivery.profile, delivery.document, "relevant")
        state.feedback("one", "doc-9", "not-relevant")
        state.feedback("one", "doc-9", "undo")
        state.remove_profile("gone")
        state.forget_document("doc-2")
    lines = [json.dumps({"id": f"new-{number}", "text": "theme1x1 theme2x2 word"}) for number in range(3)]
    (folder / "stream.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "archive.jsonl").write_text('{"id": "old", "text": "theme1x3"}\n')
    return path


def damaged(path, copy, chance):
    """A copy of a state in which one cell of one row is another value; what was changed, None where SQLite refused."""
    shutil.copy(path, copy)
    with closing(sqlite3.connect(copy)) as file:
        tables = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = chance.choice(tables)
        columns = [row[1] for row in file.execute(f"PRAGMA table_info({table})")]
        column, value = chance.choice(columns), chance.choice(VALUES)
        rows = file.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
        if not rows:
            return None
        row = chance.choice(rows)
        where = " AND ".join(f"{name} IS ?" for name in columns)
        try:
            if chance.random() < 0.1:
                file.execute(f"DELETE FROM {table} WHERE {where}", row)
            else:
                file.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *row))
        except sqlite3.Error:
            return None
        file.commit()
    return table, column, value, row[0]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_one_cell_holds_every_command_ends_with_a_sentence(whole, folder, capfd, seed):
    chance = random.Random(seed)
    given = {"stream": folder / "stream.jsonl", "archive": folder / "archive.jsonl"}
    for number in range(10):
        copy = folder / f"copy-{number}"
        change = damaged(whole, copy, chance)
        if change is None:
            continue
        for command in chance.sample(COMMANDS, 12):
            with at_most(60):
                code = run(["filter", *command.format(**given).split(), "--state", str(copy)])
            _, err = capfd.readouterr()
            assert code in (0, 2, 3), (seed, number, change, command, err)
            assert "\x1b" not in err, (change, command)


def test_an_undamaged_state_goes_through_all_these_commands(whole, folder, capfd):
    given = {"stream": folder / "stream.jsonl", "archive": folder / "archive.jsonl"}
    for command in COMMANDS:
        code = run(["filter", *command.format(**given).split(), "--state", str(whole)])
        assert code == 0, (command, capfd.readouterr().err)


def changed(path, *statements):
    with closing(sqlite3.connect(path)) as file:
        for statement in statements:
            file.execute(statement)
        file.commit()


def test_a_document_without_terms_ends_forgetting_with_its_name(whole):
    changed(whole, "DELETE FROM counts WHERE document > 20")
    missing = pytest.raises(DataError, match="table counts, row 21: the terms of a document are missing")
    with at_most(60), Filter.open(whole) as state, missing:
        state.forget_document("doc-5")
    with Filter.open(whole) as state:
        assert any("documents have lost their terms" in finding for finding in state.check())


def test_a_wrong_value_is_named_with_table_row_and_column(whole):
    changed(whole, "UPDATE changes SET position = 'x' WHERE event = 2")
    with Filter.open(whole) as state:
        with pytest.raises(
            DataError, match=r"table changes, column position, where event is 2: 'x' \(Expected int"
        ):
            state.rebuild()
        assert any("column position" in finding for finding in state.check())


def test_check_compares_each_text_with_its_digest(whole):
    with Filter.open(whole) as state:
        assert state.check() == []
    changed(whole, "UPDATE documents SET text = 'another one' WHERE number = 7")
    with Filter.open(whole) as state:
        assert state.check() == [
            "the log: title or text of document doc-7 is not the one that arrived (row 7)"
        ]


def test_a_number_of_terms_beyond_reason_allocates_nothing(whole):
    changed(whole, "UPDATE counts SET terms = x'ffffff7f', tf = x'000000000000f03f' WHERE document = 6")
    with Filter.open(whole) as state:
        assert state.check()
        with pytest.raises(DataError, match="table counts, row 6, column terms: 2147483647"):
            state.ingest([Document(f"more-{number}", "theme1x1") for number in range(200)])


def test_views_and_triggers_are_refused(whole):
    changed(whole, "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM counts; END")
    with pytest.raises(DataError, match="views or triggers"):
        Filter.open(whole)


def test_a_schema_that_is_not_text_is_refused_with_a_sentence(folder, states):
    path = folder / "state"
    with Filter.create(path) as state:
        state.add_profile("one", text=states.wish(1))
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw = path.read_bytes()
    assert raw.count(b"CREATE TABLE epoch") == 1
    path.write_bytes(raw.replace(b"CREATE TABLE epoch", b"CREATE \x91\x92BLE epoch"))
    with pytest.raises(DataError, match=r"is damaged .*; restore a backup"):
        Filter.open(path)


def test_rows_that_are_read_no_further_end_quietly_after_the_state_was_closed(tmp_path):
    """A fault in one table leaves the reading of another where it is; it ends when the state is closed already."""
    path = str(tmp_path / "my.filter")
    Filter.create(path).close()
    store = open_store(path)
    rows = store.scan("SELECT 1 UNION ALL SELECT 2", checked=False)
    assert next(rows) is not None
    store.close()
    rows.close()
