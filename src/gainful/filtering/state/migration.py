"""The migration of a state of an older version: its log is brought to this version, all else is rebuilt from it."""

from __future__ import annotations

from gainful.filtering.document import Document
from gainful.filtering.state.event_log import Log
from gainful.filtering.state.events import digest_of, plain
from gainful.filtering.state.rebuild import Quiet, derive
from gainful.filtering.state.schema import SHARED, VERSION
from gainful.filtering.state.store import Store

STEPS: dict[int, str] = {
    # Version 1 knew no links of documents, kept neither start nor top, and did not keep how thresholds came about.
    1: """
        ALTER TABLE documents ADD COLUMN link TEXT NOT NULL DEFAULT '';
        CREATE INDEX documents_kept_back ON documents (number) WHERE NOT deliverable;
    """,
    # Version 2 did not keep the places of judged documents; they follow from the log.
    2: "",
    # Version 3 kept every text, knew no revisions, and no tables beside those of one reader.
    3: """
        ALTER TABLE documents ADD COLUMN text_kept INTEGER NOT NULL DEFAULT 1;
        DROP INDEX documents_kept_back;
        CREATE INDEX documents_kept_back ON documents (number) WHERE deliverable = 0;
        CREATE TABLE revisions (revision INTEGER NOT NULL);
    """
    + SHARED,
    # Version 4 did not keep the places of deliveries; they follow from the log.
    4: "",
    # Version 5 kept the threshold that holds beside the profile, too.
    5: "",
}
"""What makes the log of a version that of the next one; tables made from the log are rebuilt after the last step."""


def migrate(store: Store) -> None:
    """Bring a state to this version, in one transaction; a copy of what was there is kept."""
    with store.writing():
        before = store.version
        if before == VERSION:  # another process has done it meanwhile
            return
        store.keep_copy()
        for version in range(before, VERSION):
            store.script(STEPS[version])
        if before < 4:
            _take_nul_out(store)
        store.set_version(VERSION)
        store.drop_derived()
        derive(store, Log(store), Quiet())
        store.revise()


def _take_nul_out(store: Store) -> None:
    """Texts of older versions may hold NUL, which not every database can."""
    changed = []
    for number, title, text, link in store.scan("SELECT number, title, text, link FROM documents"):
        if "\0" in title + text + link:
            document = Document("", plain(text), plain(title), link=plain(link))
            changed.append((digest_of(document), document.title, document.text, document.link, number))
    store.executemany(
        "UPDATE documents SET digest = ?, title = ?, text = ?, link = ? WHERE number = ?", changed
    )
