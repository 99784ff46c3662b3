"""Sessions of browsers, one-time links, anti-forgery tokens, and limits on failed logins."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from datetime import timedelta

from gainful.filtering.service.accounts import clean_line, digest
from gainful.filtering.service.ledger import Ledger

LASTING = timedelta(days=30)
"""How long a session lasts after it was last used, give or take half of it."""

LINK_LASTING = timedelta(hours=1)
"""How long a one-time link can be followed."""


class Sessions:
    """Who is logged in where: a browser has a random secret, the state only its hash."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def begin(self, reader: int) -> str:
        """A new session of a reader; the secret for the cookie."""
        secret = secrets.token_urlsafe(32)
        time = self._ledger.time()
        with self._ledger.writing() as store:
            store.execute("DELETE FROM sessions WHERE expires <= ?", (time,))
            store.execute(
                "INSERT INTO sessions (hash, reader, created, expires) VALUES (?, ?, ?, ?)",
                (digest(secret), reader, time, self._ledger.time(LASTING)),
            )
        return secret

    def reader_of(self, secret: str) -> int | None:
        """The reader whose session this is; None where it is none, or has ended."""
        hashed = digest(secret)
        with self._ledger.reading() as store:
            row = store.row("SELECT reader, expires FROM sessions WHERE hash = ?", hashed)
        if row is None or row[1] <= self._ledger.time():
            return None
        if row[1] < self._ledger.time(LASTING / 2):
            with self._ledger.writing() as store:
                store.execute(
                    "UPDATE sessions SET expires = ? WHERE hash = ?", (self._ledger.time(LASTING), hashed)
                )
        return int(row[0])

    def end(self, secret: str) -> None:
        """End one session."""
        with self._ledger.writing() as store:
            store.execute("DELETE FROM sessions WHERE hash = ?", (digest(secret),))

    def end_all(self, reader: int, *, but: str = "") -> None:
        """End all sessions of a reader, but for one, and links that were not followed yet."""
        with self._ledger.writing() as store:
            store.execute("DELETE FROM sessions WHERE reader = ? AND hash <> ?", (reader, digest(but)))
            store.execute("DELETE FROM login_links WHERE reader = ?", (reader,))

    def link(self, reader: int) -> str:
        """The secret of a new one-time link; earlier ones of the reader end."""
        secret = secrets.token_urlsafe(32)
        with self._ledger.writing() as store:
            store.execute("DELETE FROM login_links WHERE reader = ?", (reader,))
            store.execute(
                "INSERT INTO login_links (hash, reader, expires) VALUES (?, ?, ?)",
                (digest(secret), reader, self._ledger.time(LINK_LASTING)),
            )
        return secret

    def follow(self, secret: str) -> int | None:
        """The reader whom a one-time link lets in, once; None where it was followed before, or is too old."""
        with self._ledger.writing() as store:
            query = "DELETE FROM login_links WHERE hash = ? RETURNING reader, expires"
            row = next(iter(list(store.rows(query, (digest(secret),)))), None)
        return None if row is None or row[1] <= self._ledger.time() else int(row[0])


def forgery_token(secret: str) -> str:
    """What every form of a session carries, and no other site can know."""
    return hmac.new(secret.encode(), b"form", hashlib.sha256).hexdigest()


def is_forgery_token(secret: str, token: str) -> bool:
    """Whether a form carries the token of the session that sends it."""
    return hmac.compare_digest(forgery_token(secret).encode(), token.encode("utf-8", "surrogatepass"))


_WINDOW = timedelta(minutes=15)
_ALLOWED = {"name and address": 5, "address": 30, "name": 100}
"""Failed logins within the window after which more are refused: of one client on one name, of a client, on a name."""


class LoginLimits:
    """Counts failed logins, in the state, so that several processes count together."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def wait(self, name: str, address: str) -> int:
        """Seconds until a login may be tried; 0 for now."""
        began = self._ledger.time(-_WINDOW)
        longest = 0
        with self._ledger.reading() as store:
            for kind, hashed in _keys(name, address).items():
                row = store.row("SELECT failures, since FROM login_failures WHERE hash = ?", hashed)
                if row is not None and row[0] >= _ALLOWED[kind] and row[1] > began:
                    longest = max(longest, min(row[1] - began, _WINDOW // timedelta(microseconds=1)))
        return -(-longest // 1_000_000)

    def failed(self, name: str, address: str) -> None:
        """Count a failed login."""
        time, began = self._ledger.time(), self._ledger.time(-_WINDOW)
        with self._ledger.writing() as store:
            store.execute("DELETE FROM login_failures WHERE since <= ? OR since > ?", (began, time))
            for hashed in _keys(name, address).values():
                store.execute(
                    "INSERT INTO login_failures (hash, failures, since) VALUES (?, 1, ?) "
                    "ON CONFLICT (hash) DO UPDATE SET failures = login_failures.failures + 1",
                    (hashed, time),
                )

    def succeeded(self, name: str, address: str) -> None:
        """Forget the failures of this client on this name."""
        hashed = _keys(name, address)["name and address"]
        with self._ledger.reading() as store:
            counted = store.one("SELECT count(*) FROM login_failures WHERE hash = ?", hashed)
        if counted:
            with self._ledger.writing() as store:
                store.execute("DELETE FROM login_failures WHERE hash = ?", (hashed,))


def _keys(name: str, address: str) -> dict[str, bytes]:
    known, network = clean_line(name).casefold(), _network(address)
    return {
        "name and address": digest(f"both\0{known}\0{network}"),
        "address": digest(f"address\0{network}"),
        "name": digest(f"name\0{known}"),
    }


def _network(address: str) -> str:
    """What one client has: an address, or of IPv6 the network of 64 bits that a single line is given.

    >>> _network("192.0.2.7"), _network("2001:db8::7:1")
    ('192.0.2.7', '2001:db8::/64')
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return address if parsed.version == 4 else str(ipaddress.ip_network((parsed, 64), strict=False))
