"""The migration of a state of an older version: its log is brought to this version, all else is rebuilt from it."""

from __future__ import annotations

from gainful.filtering.document import Document
from gainful.filtering.state.event_log import Log
from gainful.filtering.state.events import digest_of, plain
from gainful.filtering.state.rebuild import Quiet, derive
from gainful.filtering.state.schema import STEPS, VERSION
from gainful.filtering.state.store import Store


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
