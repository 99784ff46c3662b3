"""What is forgotten is gone from every byte of the file, and the rest goes on."""

import io
import re
import resource
import sqlite3
import subprocess
import sys

import pytest

from gainful.errors import DataError
from gainful.filtering import Document, Filter

SECRET = Document(
    "secret-id-4711",
    "zanzibar theme1x1 theme1x2 quetzalcoatlus",
    "Xylophonist",
    link="https://hidden.example/1",
)
WORDS = ("zanzibar", "quetzalcoatlus", "ylophonist", "secret-id", "hidden.example")


def bytes_of(folder):
    return b"".join(one.read_bytes() for one in sorted(folder.iterdir()))


@pytest.fixture
def state(folder, states):
    with Filter.create(folder / "state", cap=150, clock=states.Clock()) as made:
        made.add_profile("one", text=states.wish(1), rule="ratio(share=0.1)")
        made.add_profile(
            "hush-name", text="whispering theme2x1", examples=[Document("ex", "murmurings theme2x2")]
        )
        made.ingest(states.documents(120, 1))
        made.ingest([SECRET])
        made.feedback("one", SECRET.id, "relevant")
        made.feedback("hush-name", "doc-3", "relevant")
        made.ingest(states.documents(150, 2, first=120))
        yield made


def test_a_forgotten_document_is_in_no_byte_of_the_file(state, folder):
    assert all(word.encode() in bytes_of(folder) for word in WORDS)
    before = state.stats()
    found = state.forget_document(SECRET.id)
    assert found.events >= 2  # the document, what was said of it, and perhaps its delivery
    assert found.terms == 3
    assert not [word for word in WORDS if word.encode() in bytes_of(folder)]
    after = state.stats()
    assert (after.documents, after.forgotten, after.terms) == (before.documents, 1, before.terms - 3)
    assert state.profile("one").n == 0
    assert "zanzibar" not in dict(state.profile("one").terms)
    assert state.check() == []


def test_a_forgotten_document_is_not_taken_in_again(state, folder):
    state.forget_document(SECRET.id)
    done = state.ingest([SECRET])
    assert (done.documents, done.again) == (0, 1)
    assert b"zanzibar" not in bytes_of(folder)
    with pytest.raises(DataError, match="no document 'secret-id-4711': it was erased"):
        state.forget_document(SECRET.id)
    with pytest.raises(DataError, match="it was erased"):
        state.add_profile("other", examples=[SECRET])


def test_a_forgotten_profile_is_in_no_byte_of_the_file(state, folder):
    assert b"hush-name" in bytes_of(folder)
    state.forget_profile("hush-name")
    for word in (b"hush-name", b"whisper"):
        assert word not in bytes_of(folder)
    assert [one.name for one in state.profiles()] == ["one"]
    assert {one.profile for one in state.deliveries()} == {"one"}
    assert state.check() == []
    with pytest.raises(DataError, match="no profile 'hush-name'"):
        state.forget_profile("hush-name")


def test_a_profile_that_was_removed_or_renamed_can_be_forgotten_too(state, folder):
    state.edit_profile("hush-name", rename="quiet-name")
    state.remove_profile("quiet-name")
    assert b"hush-name" in bytes_of(folder)
    state.forget_profile("quiet-name")
    for word in (b"hush-name", b"quiet-name", b"whisper"):
        assert word not in bytes_of(folder)


def test_forgetting_leaves_the_numbers_of_events_and_says_so_in_the_export(state):
    state.forget_document(SECRET.id)
    file = io.StringIO()
    state.export(file)
    lines = file.getvalue().splitlines()
    assert len(lines) == 1 + state.stats().events
    assert any('"kind": "forgotten"' in line for line in lines)
    found = state.rebuild()
    assert found.agrees
    assert found.unchecked > 0  # decisions of a time when more was known


def test_after_forgetting_new_decisions_are_checked_again(state, states):
    state.forget_document(SECRET.id)
    done = state.ingest(states.documents(100, 3, first=400))
    assert done.deliveries > 0
    assert state.rebuild().decisions == done.deliveries


def test_traces_that_another_process_keeps_are_told_and_a_second_call_removes_them(state, folder):
    other = sqlite3.connect(folder / "state", isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM events").fetchone()
    with Filter.open(folder / "state", wait=0.1) as mine:
        with pytest.raises(DataError, match=r"open in another process.*close it there, and remove them"):
            mine.forget_document(SECRET.id)
        other.close()
        mine.scrub()
    assert b"zanzibar" not in bytes_of(folder)


def test_copies_of_older_versions_are_named(state, folder):
    for name in ("state.v1", "state.v1-2", "state.vacation", "state.v1.txt"):
        (folder / name).write_bytes(b"old")
    copies = state.forget_document(SECRET.id).copies
    assert copies == (str(folder / "state.v1"), str(folder / "state.v1-2"))


FORGET = """
import sys
from gainful.cli import run
sys.exit(run(["filter", "forget", "document", sys.argv[2], "--yes", "--state", sys.argv[1]]))
"""


def test_on_a_full_disk_forgetting_says_what_is_so_and_is_finished_later(folder, states):
    path = folder / "state"
    with Filter.create(path, clock=states.Clock()) as made:
        made.add_profile("one", text=states.wish(1))
        made.ingest([SECRET, *(Document(f"big-{n}", "theme1x1 " + "x" * 50_000) for n in range(40))])
    size = path.stat().st_size  # rewriting it needs a little more than that

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    command = [sys.executable, "-c", FORGET, str(path), SECRET.id]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limited)
    assert done.returncode == 3, done.stderr
    assert re.search(
        r"the document was removed, with \d events? of the log; but .* could not be rewritten", done.stderr
    )
    assert "Nothing of this step was kept" not in done.stderr
    with sqlite3.connect(path) as file:
        assert file.execute("SELECT count(*) FROM documents WHERE id IS NULL").fetchone() == (1,)
        assert file.execute("SELECT count(*) FROM unfinished").fetchone() == (1,)
    file.close()
    with Filter.open(path) as later:  # there is room again
        assert later.check() == []
    with sqlite3.connect(path) as file:
        assert file.execute("SELECT count(*) FROM sqlite_master WHERE name = 'unfinished'").fetchone() == (0,)
    file.close()
    assert not [word for word in WORDS if word.encode() in bytes_of(folder)]
