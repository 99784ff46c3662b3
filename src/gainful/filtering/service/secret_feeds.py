"""Deliveries as Atom and JSON Feed at addresses that nobody can guess, each of which its reader can revoke."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from gainful.errors import UsageError
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.inbox.inbox_entry import Entry
from gainful.filtering.service.accounts import digest
from gainful.filtering.service.entry_forms import FeedHead, atom, json_feed, unless_known
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.service_parts import Service
from gainful.filtering.service.signed_links import entry_urn, signing_key
from gainful.filtering.state.events import moment

MOST = 50
"""Entries in a feed, the newest first."""

_MOST_FEEDS = 200
_HINT = 6


@dataclass(frozen=True)
class SecretFeed:
    """An address that a reader has given away.

    number   among those of the reader
    profile  the number of the profile whose deliveries it gives; None for those of all profiles
    hint     the beginning of its secret; the rest is known to who was given it
    created  when
    """

    number: int
    profile: int | None
    hint: str
    created: datetime


class SecretFeeds:
    """The secret addresses of all readers."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def add(self, reader: int, profile: int | None = None) -> str:
        """The secret of a new address, to be shown once: only its hash is kept."""
        secret = secrets.token_urlsafe(32)
        with self._ledger.writing() as store:
            query = "SELECT count(*), coalesce(max(number), 0) + 1 FROM secret_feeds WHERE reader = ?"
            count, number = store.needed("a count", query, reader)
            if count >= _MOST_FEEDS:
                raise UsageError(f"a reader has at most {_MOST_FEEDS} secret addresses; revoke one first.")
            store.execute(
                "INSERT INTO secret_feeds (hash, reader, number, for_profile, hint, created) VALUES (?, ?, ?, ?, ?, ?)",
                (digest(secret), reader, number, profile, secret[:_HINT], self._ledger.time()),
            )
        return secret

    def all(self, reader: int) -> list[SecretFeed]:
        """A reader's addresses, without their secrets."""
        query = "SELECT number, for_profile, hint, created FROM secret_feeds WHERE reader = ? ORDER BY number"
        with self._ledger.reading() as store:
            return [
                SecretFeed(number, profile, hint, moment(created))
                for number, profile, hint, created in store.rows(query, (reader,))
            ]

    def revoke(self, reader: int, number: int) -> None:
        """End an address; whoever has it is told that there is nothing."""
        with self._ledger.writing() as store:
            store.execute("DELETE FROM secret_feeds WHERE reader = ? AND number = ?", (reader, number))

    def owner(self, secret: str) -> tuple[int, int | None] | None:
        """The reader and the profile that a secret stands for; None for one that was revoked, or never was."""
        query = "SELECT reader, for_profile FROM secret_feeds WHERE hash = ?"
        with self._ledger.reading() as store:
            row = store.row(query, digest(secret))
        return None if row is None else (row[0], row[1])


async def _feed(
    request: Request, kind: str, form: Callable[[list[Entry], FeedHead, Callable[[Entry], str]], str]
) -> Response:
    """The feed of an address in one of its forms."""
    service = Service.of(request)
    owner = await run_in_threadpool(SecretFeeds(service.ledger).owner, request.path_params["secret"])
    if owner is None:
        return PlainTextResponse("There is no such feed.\n", 404)
    reader, profile = owner
    key = await run_in_threadpool(signing_key, service.ledger, "entries")

    def feed_of(inbox: Inbox) -> str | None:
        names = inbox.profile_names()
        if profile is not None and profile not in names:
            return None
        title = "Gainful" if profile is None else names[profile]
        head = FeedHead(
            title, entry_urn(key, reader, -(profile or 0)), str(request.url), str(request.base_url)
        )
        entries = inbox.entries(profile=profile, most=MOST)
        return form(entries, head, lambda entry: entry_urn(key, reader, entry.number or 0))

    body = await service.inboxes.ask(reader, feed_of)
    if body is None:
        return PlainTextResponse("The profile of this feed was removed.\n", 410)
    answer = unless_known(request, body, kind)
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


async def atom_feed(request: Request) -> Response:
    """The newest deliveries as Atom."""
    return await _feed(
        request, "application/atom+xml", lambda entries, head, id_of: atom(entries, head, id_of=id_of)
    )


async def json_feed_document(request: Request) -> Response:
    """The newest deliveries as JSON Feed."""
    return await _feed(
        request,
        "application/feed+json",
        lambda entries, head, id_of: msgspec.json.encode(json_feed(entries, head, id_of=id_of)).decode(),
    )


routes = [
    Route("/secret/{secret}.atom", atom_feed),
    Route("/secret/{secret}.json", json_feed_document),
]
