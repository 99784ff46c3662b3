"""The service's tables in the main state: one connection that threads take turns to use; and leases."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from gainful.errors import DataError
from gainful.filtering.state.events import stamp
from gainful.filtering.state.filter_session import Clock, now
from gainful.filtering.state.store import Store


class Ledger:
    """The main state as the service writes to it: any thread may ask, one at a time.

    Pages and protocols keep their own tables through it; times are those of `clock`.
    """

    def __init__(self, store: Store, clock: Clock | None = None) -> None:
        self._store = store
        self._turn = threading.RLock()
        self.clock = clock or now

    @contextmanager
    def writing(self) -> Iterator[Store]:
        """A transaction on the store; committed when the block ends, rolled back if it raises."""
        with self._turn, self._store.writing():
            yield self._store

    @contextmanager
    def reading(self) -> Iterator[Store]:
        """A read transaction on the store."""
        with self._turn, self._store.reading():
            yield self._store

    def time(self, later: timedelta = timedelta()) -> int:
        """Now, or some time later, as tables hold it."""
        return stamp(self.clock() + later)

    def now(self) -> datetime:
        """What the clock says."""
        return self.clock()

    def lease(self, name: str, holder: str, lasting: timedelta) -> bool:
        """Take or renew the lease on a duty; False while another holder has it.

        name     of the duty
        holder   who does it: a text that no other process has
        lasting  how long others leave it to the holder, should it never return
        """
        time, until = self.time(), self.time(lasting)
        with self.writing() as store:
            row = store.row("SELECT holder, expires FROM leases WHERE name = ?", name)
            if row is not None and row[0] != holder and time < row[1] <= until:
                return False  # an expiry beyond `until` was written by a clock that has been set back since
            store.execute(
                "INSERT INTO leases (name, holder, expires) VALUES (?, ?, ?) "
                "ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires = excluded.expires",
                (name, holder, until),
            )
        return True

    def release(self, name: str, holder: str) -> None:
        """Give a lease back, so that another process need not wait for its end."""
        with self.writing() as store:
            store.execute("DELETE FROM leases WHERE name = ? AND holder = ?", (name, holder))

    def scrub(self) -> None:
        """Rewrite the state without what was deleted, if nobody is in the way; otherwise a later scrub does it."""
        with self._turn, suppress(DataError):
            self._store.scrub(wait=0)

    def close(self) -> None:
        """Close the connection."""
        with self._turn:
            self._store.close()
