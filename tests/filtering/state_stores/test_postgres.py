"""States in PostgreSQL: addresses and passwords, connections that are lost, servers that go away, erasure, migration."""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from gainful.cli import run
from gainful.errors import DataError, UsageError
from gainful.filtering import Document, Filter
from gainful.filtering.state.postgres_dialect import Place, placeholders
from gainful.filtering.state.schema import SHARED, VERSION
from gainful.filtering.state.store import StoreUnavailable
from gainful.filtering.state.store_address import address_name, open_store

# ---- addresses


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("postgresql://me:secret@db.example.org:5433/news", "postgresql://me@db.example.org:5433/news"),
        ("postgres://me@localhost/news?schema=other", "postgresql://me@localhost/news?schema=other"),
        ("postgresql:///news?host=/run/pg&password=secret", "postgresql:///run/pg/news"),
        ("postgresql://me:se%40cret@localhost/news?sslmode=require", "postgresql://me@localhost/news"),
    ],
)
def test_an_address_is_shown_without_its_password(address, name):
    assert address_name(address) == name
    place = Place.of(address)
    assert Place.of(place.address) == place
    assert Place.of(place.reader(4).address).schema == f"{place.schema}_reader_4"


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (
            "postgresql://me:secret@[::1/news",
            "is not one; it is written postgresql://user@host:port/database",
        ),
        ("postgresql://me:secret@localhost/news?nonsense=secret", "is not one"),
        ("postgresql://localhost/news?schema=A", "of a to z, 0 to 9 and _"),
        ('postgresql://localhost/news?schema=x"; DROP', "of a to z, 0 to 9 and _"),
        (f"postgresql://localhost/news?schema={'x' * 64}", "at most 63 letters"),
        ("postgresql://localhost/news?schema=a&schema=b", "names one schema; got 2"),
    ],
)
def test_what_is_no_address_is_refused_and_no_password_is_shown(address, why):
    with pytest.raises(UsageError, match=re.escape(why)) as refused:
        Filter.open(address)
    assert "secret" not in str(refused.value)


def test_a_database_that_is_not_there_is_told_without_the_password(postgres_server, capfd):
    address = postgres_server.address("nowhere").replace("gainful@", "gainful:secret@")
    with pytest.raises(StoreUnavailable, match=r'cannot be reached: .*database "nowhere" does not exist\.$'):
        Filter.open(address)
    for command in ("stats", "check", "forget traces", "init"):
        assert run(["filter", *command.split(), "--state", address]) == 3
        assert "secret" not in "".join(capfd.readouterr())


def test_a_server_that_is_not_there_is_told(folder):
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        Filter.open(f"postgresql://gainful@/news?host={folder}")


def test_without_psycopg_an_address_says_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("gainful.filtering.state.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match=r"pip install 'gainful\[postgres\]'"):
        Filter.open("postgresql://localhost/news")


def test_every_command_works_and_none_shows_the_password(postgres, folder, capfd):
    address = postgres.replace("gainful@", "gainful:secret@")
    (folder / "stream.jsonl").write_text(
        '{"id": "a", "text": "cocoa prices"}\n{"id": "b", "text": "a goal"}\n'
    )
    for command in (
        *(
            "init",
            "profile add beans cocoa",
            f"ingest {folder / 'stream.jsonl'}",
            "profile list",
            "profile show beans",
        ),
        *(
            "deliveries",
            "feedback beans a relevant",
            "near beans",
            "explain beans a",
            "preview beans --threshold 0.1",
        ),
        *("curve beans", "stats", "check", "rebuild", "export", "profile edit beans --text harvest"),
        *(
            "forget document b --yes",
            "forget profile beans --yes",
            "forget traces",
            "feeds",
            "today --offline",
        ),
    ):
        code = run(["filter", *command.split(), "--state", address])
        printed = "".join(capfd.readouterr())
        assert code == 0, (command, printed)
        assert "secret" not in printed, command
    assert run(["filter", "init", "--state", address]) == 2
    assert "secret" not in "".join(capfd.readouterr())


# ---- what is no state


def test_a_database_without_a_state_and_a_schema_of_somebody_else_are_refused(postgres):
    with pytest.raises(DataError, match="is not there; create a state with `gainful filter init`"):
        Filter.open(postgres)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA gainful")
        connection.execute("CREATE TABLE gainful.mine (n BIGINT)")
    with pytest.raises(DataError, match="is not the state of a filter: schema gainful is another's"):
        Filter.open(postgres)
    with pytest.raises(UsageError, match="already exists; choose another schema"):
        Filter.create(postgres)
    Filter.create(f"{postgres}&schema=free").close()
    with pytest.raises(UsageError, match="already exists"):
        Filter.create(f"{postgres}&schema=free")


def test_an_empty_schema_that_was_made_for_it_is_taken(postgres):
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA gainful")
    with Filter.create(postgres) as state:
        assert state.check() == []


def test_a_state_that_cannot_be_made_leaves_nothing(postgres, monkeypatch):
    monkeypatch.setattr("gainful.filtering.state.filter.Log", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Filter.create(postgres)
    with psycopg.connect(postgres) as connection:
        query = "SELECT count(*) FROM pg_namespace WHERE nspname = 'gainful'"
        assert connection.execute(query).fetchone() == (0,)


def test_a_state_of_a_newer_version_is_refused(schemas):
    address = next(schemas)
    with Filter.create(address) as state:
        state.store.set_version(VERSION + 1)
    with pytest.raises(DataError, match=r"written by a newer Gainful.*update Gainful"):
        Filter.open(address)


# ---- connections


def end_others(address):
    """End every other connection to a database, as an administrator may."""
    with psycopg.connect(Place.of(address).conninfo, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )


def test_a_connection_lost_between_calls_is_made_again_unnoticed(postgres, states):
    with Filter.create(postgres) as state:
        state.add_profile("beans", text="cocoa")
        end_others(postgres)
        assert state.ingest([states.COCOA]).deliveries == 1
        end_others(postgres)
        assert state.stats().documents == 1
        end_others(postgres)
        with pytest.raises(DataError, match="no profile 'tea'"):
            state.profile("tea")
        assert state.check() == []


def test_a_connection_lost_within_a_call_is_told_and_nothing_of_it_is_kept(postgres, states):
    def arriving():
        yield states.COCOA
        end_others(postgres)  # while documents are being read, no transaction is under way
        yield states.MATCH

    with Filter.create(postgres) as state:
        state.add_profile("beans", text="cocoa")
        with pytest.raises(StoreUnavailable, match=r"was lost.*Nothing of this step was kept"):
            state.bulk(ending(postgres))
        assert state.stats().feedback == 0
        assert state.ingest(arriving(), batch=1).documents == 2
        assert state.rebuild().agrees


def ending(address):
    """Feedback in the midst of which the connection is lost."""
    end_others(address)
    yield "beans", "cocoa", "relevant"


def test_a_change_whose_commit_got_no_answer_says_that_it_may_be_there(postgres, states):
    with Filter.create(postgres) as state:
        state.add_profile("beans", text="cocoa")
        revise = state.store.revise
        state.store.revise = lambda: (revise(), end_others(postgres))[0]
        with pytest.raises(StoreUnavailable, match="look whether it is there before you repeat it"):
            state.ingest([states.COCOA])
        state.store.revise = revise
        assert state.ingest([states.COCOA]).documents + state.ingest([states.COCOA]).again == 2


def test_a_part_that_failed_is_never_kept_though_its_error_was_passed_over(schemas):
    address = next(schemas)
    Filter.create(address).close()
    with closing(open_store(address)) as store:
        with pytest.raises(DataError, match="nothing of this step was kept"):
            passed_over(store)
        assert store.one("SELECT count(*) FROM marks") == 0


def passed_over(store):
    with store.writing():
        store.execute("INSERT INTO marks VALUES (0, 1, 0)")
        with pytest.raises(psycopg.Error):
            store.execute("SELECT 1 / 0")


@pytest.fixture
def small_disk():
    """A folder on a disk of 24 MB, that every user may look into."""
    folder = Path(tempfile.mkdtemp(prefix="gainful-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m,mode=755", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        folder.rmdir()
        pytest.skip("a small disk can only be made where mounting is allowed")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


def test_a_full_disk_gives_an_error_and_an_intact_state(postgres_server, small_disk):
    (space := small_disk / "space").mkdir()
    shutil.chown(space, "postgres", "postgres")
    with psycopg.connect(postgres_server.address("postgres"), autocommit=True) as server:
        server.execute(f"CREATE TABLESPACE small LOCATION '{space}'")
        server.execute("CREATE DATABASE small TABLESPACE small")
        (small_disk / "ballast").write_bytes(bytes(4 << 20))
        acknowledged = []
        big = (Document(f"big-{n}", random.Random(n).randbytes(20_000).hex()) for n in range(2000))
        with Filter.create(postgres_server.address("small")) as state:
            state.add_profile("one", text="theme1x1")
            with pytest.raises(DataError, match=r"cannot be written: .*what was there before is intact"):
                state.ingest(big, batch=4, progress=acknowledged.append)
            (small_disk / "ballast").unlink()
            assert state.stats().documents == acknowledged[-1].documents > 20
            assert state.check() == []
            assert state.ingest([Document("after", "theme1x1")]).deliveries == 1
        server.execute("DROP DATABASE small")
        server.execute("DROP TABLESPACE small")


# ---- SQL


def test_placeholders_in_texts_and_comments_are_none():
    query = "SELECT '?:x''?', ? -- really?\nFROM t WHERE a = :a AND b LIKE 'x%' AND c::text = ?"
    assert placeholders(query).decode() == (
        "SELECT '?:x''?', %s -- really?\nFROM t WHERE a = %(a)s AND b LIKE 'x%%' AND c::text = %s"
    )


# ---- for good


def test_erased_text_is_in_no_table_file_any_more(postgres, postgres_server):
    def in_tables():
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute("CHECKPOINT")
            (database,) = connection.execute(
                "SELECT oid FROM pg_database WHERE datname = current_database()"
            ).fetchone()
        files = (postgres_server.folder / "data" / "base" / str(database)).iterdir()
        return any(b"zanzibar" in file.read_bytes() for file in files)

    with Filter.create(postgres) as state:
        state.add_profile("beans", text="cocoa")
        state.ingest([Document("one", "cocoa from zanzibar", "zanzibar"), Document("two", "cocoa")])
        assert in_tables()
        forgotten = state.forget_document("one")
        assert "write-ahead log" in forgotten.remains
        assert not in_tables()
        assert state.check() == []


def test_traces_that_somebody_keeps_are_told_and_removed_by_the_next_command(schemas):
    address = next(schemas)
    with Filter.create(address) as state:
        state.add_profile("beans", text="cocoa")
        state.ingest([Document("one", "cocoa from zanzibar")])
    with closing(open_store(address)) as reader, Filter.open(address, wait=0.05) as state:
        with reader.reading():
            assert reader.one("SELECT count(*) FROM documents") == 1
            with pytest.raises(DataError, match=r"the document was removed.*could not be rewritten"):
                state.forget_document("one")
            assert state.store.unfinished
        Filter.open(address).close()
        assert not state.store.unfinished


# ---- migration


def test_an_older_version_is_migrated_and_a_copy_is_kept(schemas, states):
    address = next(schemas)
    with states.walk(address, 3, steps=8, cap=90) as state:
        live = states.content(address)
        for kind, name in re.findall(r"CREATE (?:UNIQUE )?(\w+) (\w+)", SHARED)[::-1]:
            state.store.execute(f"DROP {kind} {name}")
        state.store.execute("ALTER TABLE documents DROP COLUMN text_kept")
        state.store.execute("DROP TABLE revisions")
        state.store.set_version(3)
    with Filter.open(address) as state:
        assert state.stats().version == VERSION
        assert state.check() == []
        copies = state.forget_document("doc-3").copies
        assert copies == (f"schema {Place.of(address).schema}_v3",)
        copied = state.store.one(f"SELECT count(*) FROM {Place.of(address).schema}_v3.documents")
    assert copied == len(live["documents"])
