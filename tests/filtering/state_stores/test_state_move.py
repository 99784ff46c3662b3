"""A state moves between files and PostgreSQL with all its readers: the same bits, whole or not at all."""

import os
import sqlite3
import stat
from contextlib import closing

import psycopg
import pytest

from gainful.cli import run
from gainful.errors import DataError, UsageError
from gainful.filtering import Filter
from gainful.filtering.state import state_move
from gainful.filtering.state.postgres_dialect import Place
from gainful.filtering.state.reader_states import reader_address, reader_filter, readers_of
from gainful.filtering.state.schema import TABLES
from gainful.filtering.state.state_move import TableDigest, move
from gainful.filtering.state.store_address import open_store


def lived(address, states):
    """A state of three readers, of whom one was removed, with rows in shared tables."""
    states.learned_life(address, 2, steps=8, cap=90).close()
    with closing(open_store(address)) as store, store.writing():
        store.execute("INSERT INTO marks VALUES (3, 1, 0)")
        store.execute("INSERT INTO leases VALUES (?, ?, ?)", ("fetch", "it’s ? :me %s \\ \n", -7))
        store.execute("INSERT INTO signing_keys VALUES (?, ?)", ("mail", bytes(range(256))))
        store.execute("INSERT INTO renewals VALUES (1, 9999, -0.0, NULL, NULL, NULL, 0, NULL, NULL)")
        store.execute("DELETE FROM renewals WHERE seen = 9999")
    for reader in (2, 12):
        with reader_filter(address, reader, create=True, clock=states.Clock()) as state:
            state.add_profile("beans", text="cocoa")
            state.ingest([states.COCOA, states.MATCH], keep_text=False)
    return {reader: states.content(reader_address(address, reader)) for reader in (1, 2, 12)}


def held(address, states):
    return {reader: states.content(reader_address(address, reader)) for reader in readers_of(address)}


@pytest.mark.parametrize("first", ["sqlite", "postgres"])
def test_a_state_goes_to_the_other_database_and_back_with_the_same_bits(folder, postgres, states, first):
    here, there = (folder / "a", postgres) if first == "sqlite" else (postgres, folder / "a")
    back = folder / "back" if first == "sqlite" else f"{postgres}&schema=back"
    content = lived(here, states)
    moved = move(here, there)
    assert (moved.readers, moved.tables) == (3, len(TABLES))
    assert moved.rows >= sum(len(rows) for tables in content.values() for rows in tables.values())
    move(there, back)
    assert held(here, states) == held(there, states) == held(back, states) == content
    for reader in (1, 2, 12):
        with reader_filter(back, reader) as state:
            assert state.rebuild().agrees
    with closing(open_store(back)) as store:
        assert store.one("SELECT holder FROM leases") == "it’s ? :me %s \\ \n"
        assert store.one("SELECT key FROM signing_keys") == bytes(range(256))


def test_a_file_that_was_moved_to_is_its_owners_alone(folder, states):
    before = os.umask(0)
    try:
        lived(folder / "a", states)
        move(folder / "a", folder / "b")
    finally:
        os.umask(before)
    modes = {
        name: stat.S_IMODE((folder / name).stat().st_mode)
        for name in ("b", "b.readers", "b.readers/2.filter")
    }
    assert modes == {"b": 0o600, "b.readers": 0o700, "b.readers/2.filter": 0o600}
    assert sorted(path.name for path in folder.iterdir()) == ["a", "a.readers", "b", "b.readers"]


def test_nothing_is_moved_to_where_something_is(folder, postgres, states):
    lived(folder / "a", states)
    (folder / "taken").write_text("mine")
    with pytest.raises(UsageError, match="taken already exists"):
        move(folder / "a", folder / "taken")
    (folder / "left.readers").mkdir()
    with pytest.raises(UsageError, match="is left of a state that is gone"):
        move(folder / "a", folder / "left")
    Filter.create(postgres).close()
    with pytest.raises(UsageError, match="already exists"):
        move(folder / "a", postgres)
    with pytest.raises(DataError, match="is not there"):
        move(folder / "missing", folder / "b")
    names = ["a", "a.readers", "left.readers", "taken"]
    assert sorted(path.name for path in folder.iterdir()) == names


class Wrong(TableDigest):
    """Finds the second reader's deliveries changed on the way."""

    seen = 0
    __hash__ = None

    def __eq__(self, other):
        Wrong.seen += 1
        return Wrong.seen != len(TABLES) + TABLES.index("deliveries") + 1


def test_a_move_that_fails_leaves_nothing_behind(folder, postgres, states, monkeypatch):
    lived(folder / "a", states)
    monkeypatch.setattr(state_move, "TableDigest", Wrong)
    for target in (folder / "b", postgres):
        Wrong.seen = 0
        with pytest.raises(DataError, match=r"does not hold table deliveries as .*nothing was moved"):
            move(folder / "a", target)
    assert sorted(path.name for path in folder.iterdir()) == ["a", "a.readers"]
    with psycopg.connect(Place.of(postgres).conninfo) as connection:
        query = "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'gainful%'"
        assert connection.execute(query).fetchone() == (0,)


def test_a_name_that_is_taken_at_the_end_leaves_only_its_owners_file(folder, states, monkeypatch):
    lived(folder / "a", states)

    def link(source, target, original=os.link):
        if str(target) == str(folder / "b"):
            (folder / "b").write_text("mine")
        original(source, target)

    monkeypatch.setattr("gainful.filtering.state.file_creation.os.link", link)
    with pytest.raises(UsageError, match="b already exists"):
        move(folder / "a", folder / "b")
    assert sorted(path.name for path in folder.iterdir()) == ["a", "a.readers", "b"]


def test_nobody_writes_while_a_state_is_moved_and_new_readers_are_noticed(folder, states, monkeypatch):
    lived(folder / "a", states)
    told = []

    def looking(*given, original=state_move._copied):
        with Filter.open(folder / "a", wait=0) as state:
            try:
                state.ingest([states.EMPTY])
            except DataError as fault:
                told.append(str(fault))
        reader_filter(folder / "a", 13, create=True).close()
        return original(*given)

    monkeypatch.setattr(state_move, "_copied", looking)
    with pytest.raises(DataError, match="a reader was added"):
        move(folder / "a", folder / "b")
    assert len(told) == 3
    assert all("is in use by another process" in fault for fault in told)
    assert not (folder / "b").exists()


def test_a_digest_knows_every_bit_and_no_order():
    def digest(*rows):
        passed = TableDigest()
        assert list(passed.passing(rows)) == list(rows)
        return passed

    rows = [(1, 0.1 + 0.2, b"\0", "é", None), (2, 0.3, b"", "", 1), (2, 0.3, b"", "", 1)]
    assert digest(*rows) == digest(*rows[::-1])
    assert digest(*rows) != digest(*rows[:2])
    assert digest((0.1 + 0.2,)) != digest((0.3,))
    assert digest((1,)) != digest((1.0,)) != digest(("1",))
    assert digest((0.0,)) == digest((-0.0,))


def test_the_command_says_what_it_did_and_shows_no_password(folder, postgres, states, capfd):
    with Filter.create(folder / "a", clock=states.Clock()) as state:
        state.add_profile("beans", text="cocoa")
    target = postgres.replace("gainful@", "gainful:secret@")
    assert run(["filter", "move", str(folder / "a"), target]) == 0
    out, err = capfd.readouterr()
    assert "every digest agrees" in out
    assert "secret" not in out + err
    assert run(["filter", "stats", "--state", target]) == 0
    assert run(["filter", "move", str(folder / "a"), target]) == 2
    assert "secret" not in "".join(capfd.readouterr())
    with sqlite3.connect(folder / "a") as file:
        assert file.execute("SELECT count(*) FROM events").fetchone() == (2,)
    file.close()
