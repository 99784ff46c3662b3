"""The file of a state: what is none is refused, other versions, other processes, a disk that is full."""

import os
import re
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import threading

import pytest

from gainful.errors import DataError, UsageError
from gainful.filtering import Document, Filter
from gainful.filtering.state.schema import SHARED, TABLES, VERSION


def state(path, states, documents=0):
    with Filter.create(path, clock=states.Clock()) as made:
        made.add_profile("one", text=states.wish(1))
        made.ingest(states.documents(documents, 1))


# ---- what is no state


def test_random_bytes_are_no_state(folder):
    (folder / "it").write_bytes(bytes(range(256)) * 40)
    with pytest.raises(DataError, match=r"it is not the state of a filter\.$"):
        Filter.open(folder / "it")


def test_another_sqlite_file_is_no_state(folder):
    with sqlite3.connect(folder / "it") as file:
        file.execute("CREATE TABLE events (number INTEGER)")
    file.close()
    with pytest.raises(DataError, match="it is not the state of a filter, but another SQLite file"):
        Filter.open(folder / "it")


def test_an_empty_file_is_called_empty(folder):
    (folder / "it").touch()
    with pytest.raises(DataError, match="it is empty; copy it again, or restore a backup"):
        Filter.open(folder / "it")


def test_a_missing_file_and_a_folder_are_no_states_and_are_not_made(folder):
    with pytest.raises(DataError, match="it is not there; create a state with `gainful filter init`"):
        Filter.open(folder / "it")
    assert not (folder / "it").exists()
    with pytest.raises(DataError, match="is not a file"):
        Filter.open(folder)


def test_a_file_that_is_there_is_not_made_again(folder):
    (folder / "it").write_text("mine")
    with pytest.raises(UsageError, match="it already exists"):
        Filter.create(folder / "it")
    assert (folder / "it").read_text() == "mine"


def test_a_state_cannot_be_made_in_a_folder_that_is_not_there(folder):
    with pytest.raises(
        DataError, match=r"it cannot be created: there is no folder .*nowhere; create it first\."
    ):
        Filter.create(folder / "nowhere" / "it")


def test_a_state_cut_in_half_is_refused_or_found_damaged(folder, states):
    state(folder / "it", states, 300)
    whole = (folder / "it").read_bytes()
    (folder / "it").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match="damaged"), Filter.open(folder / "it") as opened:
        opened.rebuild()


def test_names_of_files_may_hold_what_addresses_may_not(folder):
    path = folder / "a?b#c %41.filter"
    Filter.create(path).close()
    assert [one.name for one in folder.glob("*.filter")] == [path.name]
    Filter.open(path).close()


KILLED = """
import os, signal, sys
from gainful.filtering import Filter
from gainful.filtering.state import file_creation
from gainful.filtering.state.event_log import Log
def die(*given, **more):
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[2] == "filled":
    Log.add = die
else:
    file_creation.os.link = die
Filter.create(sys.argv[1])
"""


@pytest.mark.parametrize("moment", ["filled", "named"])
def test_a_kill_while_a_state_is_made_leaves_no_file_of_that_name(folder, moment):
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder / "it"), moment], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not (folder / "it").exists()
    Filter.create(folder / "it").close()
    with Filter.open(folder / "it") as opened:
        assert opened.check() == []


def test_a_state_is_made_beside_its_name_and_nothing_else_is_left(folder, monkeypatch):
    Filter.create(folder / "it").close()
    monkeypatch.setattr(
        "gainful.filtering.state.file_creation.os.link", refused
    )  # as on a disk without second names
    Filter.create(folder / "other").close()
    assert sorted(one.name for one in folder.iterdir()) == ["it", "other"]


def refused(*_):
    raise PermissionError(1, "Operation not permitted")


def test_a_name_that_is_taken_meanwhile_is_left_to_its_owner(folder, monkeypatch):
    def first(_, target):
        target.write_text("mine")
        raise FileExistsError

    monkeypatch.setattr("gainful.filtering.state.file_creation.os.link", first)
    with pytest.raises(UsageError, match="it already exists"):
        Filter.create(folder / "it")
    assert [(one.name, one.read_text()) for one in folder.iterdir()] == [("it", "mine")]


def test_a_write_ahead_log_of_a_file_that_is_gone_is_not_taken_for_that_of_a_new_one(folder):
    (folder / "it-wal").write_bytes(b"old")
    with pytest.raises(UsageError, match="it-wal is left of a file that is gone; remove it"):
        Filter.create(folder / "it")
    assert [one.name for one in folder.iterdir()] == ["it-wal"]


def test_only_its_owner_can_read_a_state_and_what_lies_beside_it(folder, states):
    before = os.umask(0)
    try:
        with Filter.create(folder / "it") as made:
            made.ingest(states.documents(5, 1))
            modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()}
        with sqlite3.connect(folder / "it") as file:
            file.executescript(FIRST)
        file.close()
        Filter.open(folder / "it").close()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(["it", "it-wal", "it-shm"], 0o600)
    assert stat.S_IMODE((folder / "it.v1").stat().st_mode) == 0o600


# ---- versions


def test_a_state_of_a_newer_version_is_refused_and_left_alone(folder, states):
    state(folder / "it", states)
    with sqlite3.connect(folder / "it") as file:
        file.execute(f"PRAGMA user_version = {VERSION + 1}")
    file.close()
    before = (folder / "it").read_bytes()
    with pytest.raises(DataError, match=r"written by a newer Gainful.*update Gainful"):
        Filter.open(folder / "it")
    assert (folder / "it").read_bytes() == before


THIRD = "".join(
    f"DROP {kind} {name};" for kind, name in re.findall(r"CREATE (?:UNIQUE )?(\w+) (\w+)", SHARED)[::-1]
)
THIRD += "ALTER TABLE documents DROP COLUMN text_kept; DROP TABLE revisions; PRAGMA user_version = 3;"
"""What makes a state one of version 3."""

FIRST = (
    THIRD
    + """
DROP TABLE renewals; DROP INDEX documents_kept_back; ALTER TABLE documents DROP COLUMN link;
PRAGMA user_version = 1;
"""
)
"""What makes a state one of version 1."""


def test_a_state_of_the_first_version_is_migrated_and_a_copy_is_kept(folder, states):
    path = folder / "it"
    states.walk(path, 3, steps=30, cap=90).close()
    now = states.content(path)
    with sqlite3.connect(path) as file:
        file.executescript(FIRST)
    file.close()
    with Filter.open(path) as opened:
        assert opened.stats().version == VERSION
        assert opened.check() == []
    assert states.content(path) == now
    with sqlite3.connect(folder / "it.v1") as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (1,)
        assert copy.execute("SELECT count(*) FROM documents").fetchone() == (len(now["documents"]),)
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    copy.close()
    assert sorted(one.name for one in folder.iterdir()) == ["it", "it.v1"]


def test_a_state_of_the_fourth_version_gets_the_places_of_its_deliveries(folder, states):
    path = folder / "it"
    states.learned_life(path, 4, steps=25, cap=90).close()
    now = states.content(path)
    assert now["arrivals"]
    with sqlite3.connect(path) as file:
        file.executescript("DROP TABLE arrivals; PRAGMA user_version = 4;")
    file.close()
    with Filter.open(path) as opened:
        assert opened.stats().version == VERSION
        assert opened.check() == []
    assert states.content(path) == now


def test_a_state_of_the_second_version_gets_places_and_keeps_its_rules(folder, states):
    path = folder / "it"
    states.learned_life(path, 4, steps=25, cap=90).close()
    now = states.content(path)
    with sqlite3.connect(path) as file:
        file.executescript(THIRD + "ALTER TABLE judgments DROP COLUMN place; PRAGMA user_version = 2;")
    file.close()
    with Filter.open(path) as opened:
        assert opened.stats().version == VERSION
        assert opened.check() == []
    assert states.content(path) == now
    assert sorted(one.name for one in folder.iterdir()) == ["it", "it.v2"]


def test_a_state_of_the_third_version_loses_nul_and_gains_the_tables_of_the_fourth(folder, states):
    path = folder / "it"
    states.walk(path, 3, steps=8).close()
    with sqlite3.connect(path) as file:
        file.executescript(THIRD)
        file.execute("UPDATE documents SET text = 'a' || char(0) || 'b', title = char(0) WHERE number = 3")
    file.close()
    with Filter.open(path) as opened:
        assert opened.check() == []
        assert opened.store.row("SELECT title, text FROM documents WHERE number = 3") == ("�", "a�b")
        assert set(TABLES) <= opened.store.tables()
        assert opened.ingest([Document("doc-3", "a\0b", "\0")]).again == 1
    assert sorted(one.name for one in folder.iterdir()) == ["it", "it.v3"]


def test_a_migration_that_fails_leaves_the_state_as_it_was(folder, states, monkeypatch):
    path = folder / "it"
    states.walk(path, 3, steps=10).close()
    with sqlite3.connect(path) as file:
        file.executescript(FIRST)
    file.close()
    monkeypatch.setattr("gainful.filtering.state.migration.derive", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Filter.open(path)
    with sqlite3.connect(path) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (1,)
        assert file.execute("SELECT count(*) FROM sqlite_master WHERE name = 'renewals'").fetchone() == (0,)
    file.close()


# ---- two processes


def test_a_state_in_use_is_told_after_the_wait_and_nothing_is_changed(folder, states):
    state(folder / "it", states, 20)
    other = sqlite3.connect(folder / "it", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Filter.open(folder / "it", wait=0.05) as opened:
        with pytest.raises(DataError, match=r"it is in use by another process, after 0\.05 s of waiting"):
            opened.ingest([Document("new", "theme1x1")])
        assert opened.stats().documents == 20  # reading goes on
        other.execute("ROLLBACK")
        assert opened.ingest([Document("new", "theme1x1")]).documents == 1
    other.close()


def test_a_writer_waits_for_another_one(folder, states):
    state(folder / "it", states, 20)
    other = sqlite3.connect(folder / "it", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.2, other.execute, ["ROLLBACK"])
    release.start()
    with Filter.open(folder / "it", wait=30) as opened:
        assert opened.ingest([Document("new", "theme1x1")]).documents == 1
    release.join()
    other.close()


INGEST = """
import sys
from gainful.filtering import Document, Filter
with Filter.open(sys.argv[1]) as state:
    for number in range(60):
        state.ingest([Document(f"{sys.argv[2]}-{number}", f"theme1x{number % 9} word{number} {sys.argv[2]}")])
        for one in list(state.deliveries())[-1:]:
            state.feedback("one", one.document, "relevant")
"""


def test_two_processes_at_once_lose_nothing(folder, states):
    state(folder / "it", states, 20)
    both = [
        subprocess.Popen([sys.executable, "-c", INGEST, str(folder / "it"), name])
        for name in ("left", "right")
    ]
    assert [one.wait(timeout=120) for one in both] == [0, 0]
    with Filter.open(folder / "it") as opened:
        assert opened.stats().documents == 20 + 2 * 60
        assert opened.check() == []
    with sqlite3.connect(folder / "it") as file:
        ids = [bytes(one).decode() for (one,) in file.execute("SELECT id FROM documents ORDER BY number")]
    file.close()
    for name in ("left", "right"):
        assert [one for one in ids if one.startswith(name)] == [f"{name}-{number}" for number in range(60)]


def test_what_another_process_wrote_is_seen_by_the_next_call(folder, states):
    state(folder / "it", states, 100)
    with Filter.open(folder / "it") as one, Filter.open(folder / "it") as other:
        one.ingest([Document("from one", "theme1x1 theme1x2")])
        other.feedback("one", "from one", "relevant")
        assert one.profile("one").relevant == 1
        other.add_profile("two", text="theme2x1")
        assert one.ingest([Document("for two", "theme2x1")]).deliveries >= 1
        assert one.check() == []


# ---- a full disk

FILL = """
import sys
from gainful.errors import DataError
from gainful.filtering import Document, Filter
state = Filter.open(sys.argv[1])
last = 0
def told(done):
    global last
    last = done.documents
    print(last, flush=True)
try:
    state.ingest((Document(f"big-{n}", f"theme1x1 {n} " + "x" * 5000) for n in range(2000)), batch=4, progress=told)
except DataError as fault:
    print(fault, flush=True)
    try:
        state.feedback("one", "doc-3", "relevant")
        print("room")
    except DataError as again:
        print("none" if "cannot be written" in str(again) else again)
"""


def filled(path, **given):
    done = subprocess.run(
        [sys.executable, "-c", FILL, str(path)], capture_output=True, text=True, check=True, **given
    )
    *acknowledged, fault, after = done.stdout.splitlines()
    assert "cannot be written" in fault
    assert "what was there before is intact" in fault
    assert after in ("room", "none")
    return int(acknowledged[-1])


def intact(path, acknowledged, room):
    with Filter.open(path) as opened:
        assert opened.check() == []
        assert opened.stats().documents == 50 + acknowledged
        if room:
            opened.ingest([Document("after", "theme1x1")])


def test_a_limit_on_the_size_of_files_gives_an_error_and_an_intact_state(folder, states):
    state(folder / "it", states, 50)

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))

    intact(folder / "it", filled(folder / "it", preexec_fn=limited), room=True)


def test_a_full_disk_gives_an_error_and_an_intact_state(folder, states):
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", str(disk)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small disk can only be made where mounting is allowed")
    try:
        state(disk / "it", states, 50)
        intact(disk / "it", filled(disk / "it"), room=False)
    finally:
        subprocess.run(["umount", str(disk)], check=True)
