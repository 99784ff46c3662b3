"""The migration of a state of an older version: its log is brought to this version, all else is rebuilt from it."""

from __future__ import annotations

from gainful.filtering.state.event_log import Log
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
        store.set_version(VERSION)
        derive(store, Log(store), Quiet())
        store.revise()
