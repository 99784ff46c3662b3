"""Links that act without a login: what they are for is written in them, signed, and may have an end."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import uuid
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime

import msgspec

from gainful.filtering.service.ledger import Ledger
from gainful.filtering.state.events import stamp

_LONGEST = 2_000  # characters of a token
_NEVER = 0


class SignedLinks:
    """Tokens for one purpose; a token that was made for another purpose is none here."""

    def __init__(self, ledger: Ledger, purpose: str) -> None:
        self._ledger, self._key = ledger, signing_key(ledger, purpose)

    def token(self, *facts: str | int, until: datetime | None = None) -> str:
        """The facts as a signed text for an address; `until` a time, or for ever."""
        body = msgspec.json.encode([_NEVER if until is None else stamp(until), *facts])
        return f"{_text(body)}.{_text(self._signature(body))}"

    def facts(self, token: str) -> list[str | int] | None:
        """What a token says; None where this key did not sign it, or its time is over."""
        body, _, signature = token.partition(".")
        if len(token) > _LONGEST or not token.isascii():
            return None
        try:
            said, signed = _bytes(body), _bytes(signature)
        except ValueError:
            return None
        if not hmac.compare_digest(self._signature(said), signed):
            return None
        until, *facts = msgspec.json.decode(said, type=list[str | int])
        return None if until != _NEVER and int(until) <= self._ledger.time() else facts

    def _signature(self, body: bytes) -> bytes:
        return hmac.new(self._key, body, hashlib.sha256).digest()


def signing_key(ledger: Ledger, purpose: str) -> bytes:
    """The key of a purpose, made when it is first asked for."""
    query = "SELECT key FROM signing_keys WHERE purpose = ?"
    with ledger.reading() as store:
        key = store.one(query, purpose)
    if key is None:
        with ledger.writing() as store:
            store.execute(
                "INSERT INTO signing_keys (purpose, key) VALUES (?, ?) ON CONFLICT (purpose) DO NOTHING",
                (purpose, secrets.token_bytes(32)),
            )
            key = store.one(query, purpose)
    return bytes(key)


def entry_urn(key: bytes, reader: int, number: int) -> str:
    """A name for an entry that no entry of another reader or state has, and that tells nothing about either."""
    digest = hmac.new(key, f"{reader}/{number}".encode(), hashlib.sha256).digest()
    return uuid.UUID(bytes=digest[:16], version=4).urn


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
