"""A state is the same in SQLite and in PostgreSQL: the same bits, the same errors, the same manners between processes."""

import io
import json
import subprocess
import sys
import threading
from contextlib import closing
from datetime import timedelta

import pytest

from gainful.errors import DataError, UsageError
from gainful.filtering import Document, Filter
from gainful.filtering.analyzer import Analyzer
from gainful.filtering.state import schema
from gainful.filtering.state.reader_states import reader_filter, readers_of, remove_reader
from gainful.filtering.state.schema import COLUMNS, DERIVED_TABLES, TABLES, VERSION
from gainful.filtering.state.store_address import open_store

TEXT = Document(
    "kept-elsewhere", "Cocoa prices rise after a poor harvest", "Cocoa", link="https://example.org/1"
)

COLUMNS_OF_THRESHOLDS = ("seen", "theta", "theta_opt", "theta_zero", "alpha", "n", "start", "top")


@pytest.fixture
def both(folder, schemas):
    return [folder / "state", next(schemas)]


@pytest.mark.parametrize("life", ["walk", "learned_life"])
def test_both_databases_hold_the_same_bits_after_the_same_life(both, states, life):
    for address in both:
        with getattr(states, life)(address, 5, steps=16, cap=90) as made:
            assert made.rebuild().agrees
            assert made.check() == []
    file, schema = map(states.content, both)
    assert file == schema
    assert len(file["deliveries"]) > 5


def test_an_export_of_either_database_has_the_same_lines(both, states):
    lines = []
    for address in both:
        with states.walk(address, 7, steps=10) as made:
            made.store.execute("INSERT INTO marks VALUES (3, 1, 0)")
            made.export(file := io.StringIO())
            lines.append(file.getvalue().splitlines())
    assert lines[0] == lines[1]
    assert json.loads(lines[0][-1]) == {"kind": "mark", "document": "doc-3", "read": True, "saved": False}


def test_types_of_columns_agree_wherever_a_name_is_used():
    for part in (schema.LOG_COLUMNS, schema.FEED_COLUMNS, schema.INBOX_COLUMNS, schema.SERVICE_COLUMNS):
        for name, kind in part.items():
            assert COLUMNS[name] == kind, name


def test_every_column_of_every_table_has_a_type_or_is_known_by_another_name(address):
    Filter.create(address).close()
    with closing(open_store(address)) as store:
        assert set(TABLES) <= store.tables()
        columns = {column for table in TABLES for column in store.columns(table)}
    assert columns - COLUMNS.keys() == set()


# ---- texts kept elsewhere


def test_the_log_can_leave_out_texts_and_still_knows_them_again(address):
    with Filter.create(address) as state:
        state.add_profile("beans", text="cocoa")
        assert state.ingest([TEXT], keep_text=False).deliveries == 1
        (delivery,) = state.deliveries()
        assert (delivery.title, delivery.text, delivery.link) == ("Cocoa", "", "https://example.org/1")
        assert state.ingest([TEXT], keep_text=False).again == 1
        assert state.ingest([TEXT]).again == 1
        with pytest.raises(DataError, match="arrived before with a different text"):
            state.ingest([Document(TEXT.id, "Another text")], keep_text=False)
        assert state.check() == []
        assert state.rebuild().agrees
        state.export(file := io.StringIO())
        document = next(
            line for line in map(json.loads, file.getvalue().splitlines()) if line["kind"] == "document"
        )
        assert document["text"] is None
        state.store.execute("UPDATE documents SET text = 'put in later'")
        assert state.check() == [
            "the log: title or text of document kept-elsewhere is not the one that arrived (row 0)"
        ]


# ---- what is long


def test_ids_terms_and_names_may_be_longer_than_an_index_takes(address):
    chain = "".join(chr(97 + (7 * place) % 26) + chr(97 + (place * place) % 26) for place in range(20_000))
    with Filter.create(address) as state:
        state.add_profile(chain, text=f"cocoa {chain}")
        assert state.ingest([Document(chain, f"cocoa {chain}")]).deliveries == 1
        assert state.ingest([Document(chain, f"cocoa {chain}")]).again == 1
        with pytest.raises(DataError, match="already exists"):
            state.add_profile(chain, text="cocoa")
        state.feedback(chain, chain, "relevant")
        assert state.rebuild().agrees


# ---- processes beside each other


def test_what_another_connection_wrote_is_seen_by_the_next_call(address, states):
    Filter.create(address).close()
    with Filter.open(address) as one, Filter.open(address) as other:
        one.add_profile("one", text="theme1x1")
        other.ingest([Document("from other", "theme1x1 theme1x2")])
        one.feedback("one", "from other", "relevant")
        assert other.profile("one").relevant == 1
        other.rebuild()
        one.ingest([Document("more", "theme1x1")])
        assert one.check() == other.check() == []


def test_writing_beside_the_log_makes_no_engine_read_again(address):
    with Filter.create(address) as state, closing(open_store(address)) as beside:
        state.add_profile("one", text="theme1x1")
        with state.reading() as engine:
            pass
        with beside.writing():
            beside.execute("INSERT INTO marks VALUES (0, 1, 0)")
        with state.reading() as again:
            assert again is engine
        with Filter.open(address) as other:
            other.ingest([Document("new", "theme1x1")])
        with state.reading() as again:
            assert again is not engine


def test_a_writer_is_told_after_the_wait_and_readers_never_wait(address):
    with (
        Filter.create(address) as state,
        closing(open_store(address)) as other,
        Filter.open(address, wait=0.05) as waiting,
    ):
        state.add_profile("one", text="theme1x1")
        with other.writing():
            other.execute("INSERT INTO marks VALUES (0, 1, 0)")
            with pytest.raises(
                DataError, match=r"is in use by another process, after 0\.05 s of waiting; nothing"
            ):
                waiting.ingest([Document("new", "theme1x1")])
            assert waiting.stats().documents == 0
            assert waiting.store.one("SELECT count(*) FROM marks") == 0
        assert waiting.ingest([Document("new", "theme1x1")]).documents == 1


def test_a_writer_waits_for_another_one(address):
    with Filter.create(address) as state, closing(open_store(address)) as other:
        begun, may_end = threading.Event(), threading.Event()

        def write():
            with other.writing():
                other.execute("INSERT INTO marks VALUES (0, 1, 0)")
                begun.set()
                may_end.wait(20)

        writer = threading.Thread(target=write)  # a connection may pass from one thread to another
        writer.start()
        assert begun.wait(20)
        threading.Timer(0.2, may_end.set).start()
        assert state.ingest([Document("new", "theme1x1")]).documents == 1
        writer.join()
        assert state.store.one("SELECT count(*) FROM marks") == 1


def test_a_call_that_raises_has_changed_nothing(address):
    with Filter.create(address) as state:
        state.add_profile("one", text="theme1x1")
        before = state.stats()
        with pytest.raises(DataError, match="no document"):
            state.bulk([("one", "doc", "relevant")])
        with pytest.raises(RuntimeError, match="halfway"):
            half_done(state.store)
        assert state.stats() == before


def half_done(store):
    with store.writing():
        store.execute("DELETE FROM events")
        raise RuntimeError("halfway")


INGEST = """
import sys
from gainful.filtering import Document, Filter
with Filter.open(sys.argv[1]) as state:
    for number in range(12):
        state.ingest([Document(f"{sys.argv[2]}-{number}", f"theme1x{number % 9} word{number} {sys.argv[2]}")])
        for one in list(state.deliveries())[-1:]:
            state.feedback("one", one.document, "relevant")
"""


def test_two_processes_at_once_lose_nothing(schemas):
    address = next(schemas)
    with Filter.create(address) as state:
        state.add_profile("one", text="theme1x1 theme1x2")
    processes = [
        subprocess.Popen([sys.executable, "-c", INGEST, address, name]) for name in ("left", "right")
    ]
    assert [process.wait(timeout=120) for process in processes] == [0, 0]
    with Filter.open(address) as state:
        assert state.stats().documents == 2 * 12
        assert state.check() == []


# ---- readers


def test_each_reader_has_a_state_and_it_is_removed_for_good(address):
    Filter.create(address).close()
    with pytest.raises(DataError, match="is not there"):
        reader_filter(address, 2)
    for reader in (2, 3):
        with reader_filter(address, reader, create=True) as state:
            state.add_profile(f"of reader {reader}", text="cocoa")
    with reader_filter(address, 2, create=True) as state:
        assert [profile.name for profile in state.profiles()] == ["of reader 2"]
    with reader_filter(address, 1) as state:
        assert state.profiles() == []
    assert readers_of(address) == [1, 2, 3]
    with reader_filter(address, 2) as state, state.store.writing():
        state.store.execute("DROP TABLE events")  # a damaged state can be removed
    remove_reader(address, 2)
    assert readers_of(address) == [1, 3]
    with pytest.raises(DataError, match="has no reader 2"):
        remove_reader(address, 2)
    with pytest.raises(UsageError, match="cannot be removed"):
        remove_reader(address, 1)
    with pytest.raises(UsageError, match="numbered from 1"):
        reader_filter(address, 0)


def test_a_new_reader_has_the_settings_of_the_first(address):
    Filter.create(address, analyzer=Analyzer("german", stop=False), cap=77, epochs=None).close()
    with reader_filter(address, 1) as first, reader_filter(address, 2, create=True) as second:
        assert second.settings == first.settings


def test_everything_of_a_reader_is_forgotten_and_what_is_shared_stays(address, states):
    with states.walk(address, 4, steps=6, cap=70) as state:
        state.store.execute("INSERT INTO marks VALUES (3, 1, 0)")
        state.store.execute("INSERT INTO leases VALUES ('fetch', 'me', 7)")
        settings, before = state.settings, state.stats()
        forgotten = state.forget_everything()
        assert (forgotten.events, forgotten.terms) == (before.events, before.terms)
        assert state.settings == settings
        assert state.profiles() == list(state.deliveries()) == []
        assert state.store.one("SELECT count(*) FROM marks") == 0
        assert state.store.one("SELECT count(*) FROM leases") == 1
        assert state.check() == []
        state.add_profile("again", text="cocoa")
        assert state.ingest([states.COCOA]).deliveries == 1
        assert state.rebuild().agrees


def test_marks_of_what_is_forgotten_are_forgotten(address, states):
    with Filter.create(address) as state:
        state.add_profile("beans", text="cocoa")
        state.ingest([states.COCOA, states.MATCH])
        state.store.execute("INSERT INTO marks VALUES (0, 1, 1)")
        state.store.execute("INSERT INTO marks VALUES (1, 1, 1)")
        state.forget_document("cocoa")
        assert [row[0] for row in state.store.rows("SELECT document FROM marks")] == [1]


# ---- previews


def test_a_preview_can_begin_at_a_time(address, states):
    clock = states.Clock()
    with Filter.create(address, clock=clock) as state:
        state.add_profile("one", text=states.wish(1))
        state.ingest(states.documents(40, 4))
        since = clock.now + timedelta(seconds=1)
        state.ingest(states.documents(30, 5, first=40))
        everything, late = state.preview("one", 0.01), state.preview("one", 0.01, since=since)
        assert (everything.history, late.history) == (70, 30)
        assert late.would_come == tuple(one for one in everything.would_come if one.position > 40)
        assert state.preview("one", 0.01, since=since + timedelta(days=9)).history == 0


# ---- damage


def test_missing_tables_that_follow_from_the_log_are_made_anew(address, states):
    with states.walk(address, 6, steps=6) as state:
        live = states.content(address)
        state.store.execute("DROP TABLE learned")
        with pytest.raises(DataError, match=r"is damaged.*learned"):
            state.profiles()
        assert not state.rebuild().agrees
        assert state.rebuild().agrees
    assert states.content(address) == live


def test_a_missing_table_of_the_log_is_told_and_nothing_is_built_on_it(address):
    with Filter.create(address) as state:
        state.store.execute("DROP TABLE feedback")
        assert state.check() == ["the database: table feedback is missing"]
        with pytest.raises(DataError, match="table feedback is missing"):
            state.rebuild()


def test_tampering_is_found_by_check_and_mended_by_rebuild(address, states):
    with states.walk(address, 6, steps=6) as state:
        state.store.execute("UPDATE renewals SET theta = theta + 1")
        assert state.check() == ["thresholds are not what the log says; rebuild computes it again"]
        assert DERIVED_TABLES.keys() <= state.store.tables()
        assert not state.rebuild().agrees
        assert state.check() == []


# ---- migration


def test_a_state_of_the_fifth_version_keeps_its_thresholds(address, states):
    with states.learned_life(address, 6, steps=25, cap=90) as state:
        live = states.content(address)
        thresholds = [(profile.name, profile.theta, profile.top) for profile in state.profiles()]
        for column in COLUMNS_OF_THRESHOLDS:
            kind = "INTEGER" if column in ("seen", "n") else "REAL"
            state.store.script(f"ALTER TABLE learned ADD COLUMN {column} {kind};")
            state.store.execute(
                f"UPDATE learned SET {column} = (SELECT {column} FROM renewals AS every WHERE every.profile = learned.profile "
                "ORDER BY every.seen DESC LIMIT 1)"
            )
        for column in ("start", "top"):
            state.store.execute(f"ALTER TABLE renewals DROP COLUMN {column}")
        state.store.set_version(5)
    with Filter.open(address) as state:
        assert state.stats().version == VERSION
        assert len(state.store.copies()) == 1
        assert [(profile.name, profile.theta, profile.top) for profile in state.profiles()] == thresholds
        assert state.check() == []
    assert states.content(address) == live
