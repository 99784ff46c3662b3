"""Accounts: the names, passwords and preferences of readers. A reader's number is never given to another one."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from threading import BoundedSemaphore
from typing import Any, Literal

import msgspec

from gainful.errors import DataError, UsageError
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.state.events import moment
from gainful.filtering.state.store import Row, Store
from gainful.filtering.state.tables_beside_log import SERVICE_TABLES
from gainful.formats.ids import shown

LEAST_PASSWORD, MOST_PASSWORD = 10, 1024
"""Characters of a password: fewer are guessed, more are an attack."""

_MOST_NAME = 64
_MOST_API_PASSWORDS = 50
_HASHING = BoundedSemaphore(2)  # a hash takes 64 MiB; more at once would let strangers fill the memory


class Preferences(msgspec.Struct, frozen=True):
    """What a reader chose for the pages.

    theme  colours: those of the system, or always light or dark
    most   items on a page
    """

    theme: Literal["system", "light", "dark"] = "system"
    most: int = 50


@dataclass(frozen=True)
class Account:
    """A reader who can log in.

    reader        the reader's number
    name          by which the reader logs in
    created       when the account was made
    has_password  False where only a one-time link lets the reader in
    preferences   what the reader chose for the pages
    """

    reader: int
    name: str
    created: datetime
    has_password: bool
    preferences: Preferences


@dataclass(frozen=True)
class ApiPassword:
    """A password for a program: its number among those of its reader, what it is for, and when it was made."""

    number: int
    label: str
    created: datetime


_OWNED = tuple(re.findall(r"CREATE TABLE (\w+) \([^;]*\breader INTEGER", SERVICE_TABLES))
"""Tables of the service in which a row belongs to a reader."""

_ACCOUNT = "SELECT reader, name, created, password, body FROM accounts"


class Accounts:
    """The accounts of a main state."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def create(self, name: str, password: str | None = None) -> Account:
        """A new account; without a password only a one-time link opens it.

        The first account is reader 1, whose log is the main state itself.
        """
        cleaned = clean_name(name)
        hashed = "" if password is None else _hashed(password)
        with self.ledger.writing() as store:
            _refuse_taken(store, cleaned)
            reader = 1 + int(store.one("SELECT coalesce(max(highest), 0) FROM account_numbers"))
            store.execute(
                "INSERT INTO account_numbers (single, highest) VALUES (1, ?) "
                "ON CONFLICT (single) DO UPDATE SET highest = excluded.highest",
                (reader,),
            )
            store.execute(
                "INSERT INTO accounts (reader, name, name_key, password, created, body) VALUES (?, ?, ?, ?, ?, ?)",
                (reader, cleaned, _key(cleaned), hashed, self.ledger.time(), "{}"),
            )
            return _account(store.needed("a new account", f"{_ACCOUNT} WHERE reader = ?", reader))

    def all(self) -> list[Account]:
        """Every account, in the order of their making."""
        with self.ledger.reading() as store:
            return [_account(row) for row in store.rows(f"{_ACCOUNT} ORDER BY reader")]

    def of(self, reader: int) -> Account | None:
        """The account of a reader; None where there is none."""
        with self.ledger.reading() as store:
            row = store.row(f"{_ACCOUNT} WHERE reader = ?", reader)
        return None if row is None else _account(row)

    def named(self, name: str) -> Account | None:
        """The account of this name, upper or lower case; None where there is none."""
        with self.ledger.reading() as store:
            row = store.row(f"{_ACCOUNT} WHERE name_key = ?", _key(name))
        return None if row is None else _account(row)

    def check_password(self, name: str, password: str) -> Account | None:
        """The account that name and password open; None where they open none.

        An unknown name takes as long as a wrong password.
        """
        with self.ledger.reading() as store:
            row = store.row(f"{_ACCOUNT} WHERE name_key = ?", _key(name))
        kept = "" if row is None else row[3]
        right = _matches(kept or _nobody(), password)
        return _account(row) if right and kept and row is not None else None

    def set_password(self, reader: int, password: str) -> None:
        """Another password for the account of a reader; its sessions elsewhere should be ended by the caller."""
        hashed = _hashed(password)
        with self.ledger.writing() as store:
            store.execute("UPDATE accounts SET password = ? WHERE reader = ?", (hashed, reader))

    def rename(self, reader: int, name: str) -> None:
        """Another name for the account of a reader."""
        cleaned = clean_name(name)
        with self.ledger.writing() as store:
            _refuse_taken(store, cleaned, but=reader)
            store.execute(
                "UPDATE accounts SET name = ?, name_key = ? WHERE reader = ?",
                (cleaned, _key(cleaned), reader),
            )

    def prefer(self, reader: int, preferences: Preferences) -> None:
        """Keep what a reader chose for the pages."""
        body = msgspec.json.encode(preferences).decode()
        with self.ledger.writing() as store:
            store.execute("UPDATE accounts SET body = ? WHERE reader = ?", (body, reader))

    def remove(self, reader: int) -> None:
        """Remove the account with its sessions and passwords; the reader's log is removed by `remove_reader`."""
        with self.ledger.writing() as store:
            for table in _OWNED:
                store.execute(f"DELETE FROM {table} WHERE reader = ?", (reader,))
        self.ledger.scrub()

    # ---- passwords for programs

    def add_api_password(self, reader: int, label: str) -> str:
        """A new password for a program, to be shown once: only its hash is kept."""
        secret = secrets.token_urlsafe(18)
        with self.ledger.writing() as store:
            query = "SELECT count(*), coalesce(max(number), 0) + 1 FROM api_passwords WHERE reader = ?"
            count, number = store.needed("a count", query, reader)
            if count >= _MOST_API_PASSWORDS:
                raise UsageError(
                    f"an account has at most {_MOST_API_PASSWORDS} passwords for programs; revoke one first."
                )
            store.execute(
                "INSERT INTO api_passwords (hash, reader, number, label, created) VALUES (?, ?, ?, ?, ?)",
                (digest(secret), reader, number, clean_line(label)[:_MOST_NAME], self.ledger.time()),
            )
        return secret

    def api_passwords(self, reader: int) -> list[ApiPassword]:
        """The passwords for programs of a reader, without their secrets."""
        query = "SELECT number, label, created FROM api_passwords WHERE reader = ? ORDER BY number"
        with self.ledger.reading() as store:
            return [
                ApiPassword(number, label, moment(created))
                for number, label, created in store.rows(query, (reader,))
            ]

    def revoke_api_password(self, reader: int, number: int) -> None:
        """End a password for a program."""
        with self.ledger.writing() as store:
            store.execute("DELETE FROM api_passwords WHERE reader = ? AND number = ?", (reader, number))

    def check_api_password(self, name: str, secret: str) -> Account | None:
        """The account that a name and a password for programs open; a login password opens none here."""
        query = (
            "SELECT a.reader, a.name, a.created, a.password, a.body FROM accounts AS a "
            "JOIN api_passwords AS p ON p.reader = a.reader WHERE a.name_key = ? AND p.hash = ?"
        )
        with self.ledger.reading() as store:
            row = store.row(query, _key(name), digest(secret))
        return None if row is None else _account(row)


def digest(secret: str) -> bytes:
    """What is kept of a long random secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def clean_line(text: str) -> str:
    """A text as one line without control characters, in Unicode's composed form."""
    composed = unicodedata.normalize("NFKC", text)
    spaced = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in composed)
    return " ".join(spaced.split())


def clean_name(name: str) -> str:
    """The name of an account as it is kept; refused where it is empty or long.

    >>> clean_name("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    cleaned = clean_line(name)
    if not 1 <= len(cleaned) <= _MOST_NAME:
        raise UsageError(f"a name has 1 to {_MOST_NAME} characters; got {len(cleaned):,}.")
    return cleaned


def _key(name: str) -> str:
    """By which names are compared: upper and lower case are one."""
    return clean_line(name).casefold()


def _refuse_taken(store: Store, name: str, but: int | None = None) -> None:
    owner = store.one("SELECT reader FROM accounts WHERE name_key = ?", _key(name))
    if owner is not None and owner != but:
        raise DataError(f"an account '{shown(name)}' already exists; choose another name.")


def _account(row: Row) -> Account:
    reader, name, created, password, body = row
    return Account(reader, name, moment(created), bool(password), _preferences(body))


def _preferences(body: str) -> Preferences:
    try:
        return msgspec.json.decode(body, type=Preferences)
    except msgspec.MsgspecError:  # of a later version
        return Preferences()


# ---- argon2


@cache
def _hasher() -> Any:
    try:
        from argon2 import PasswordHasher
    except ImportError:
        raise UsageError("accounts need argon2-cffi: pip install 'gainful[service]'") from None
    return PasswordHasher()


def _hashed(password: str) -> str:
    if not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
        raise UsageError(
            f"a password has {LEAST_PASSWORD} to {MOST_PASSWORD:,} characters; got {len(password):,}."
        )
    with _HASHING:
        return str(_hasher().hash(password.encode("utf-8", "surrogatepass")))


def _matches(kept: str, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    tried = password if len(password) <= MOST_PASSWORD else ""
    with _HASHING:
        try:
            return bool(_hasher().verify(kept, tried.encode("utf-8", "surrogatepass")))
        except (VerificationError, InvalidHashError):
            return False


@cache
def _nobody() -> str:
    """The hash of a password that nobody knows."""
    return _hashed(secrets.token_urlsafe(32))
