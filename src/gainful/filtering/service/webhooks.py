"""Webhooks: an address of the reader's choice is told of every delivery, signed, at least once.

Messages follow the specification *Standard Webhooks*: `webhook-id` stays the same when a message is sent again,
`webhook-signature` is an HMAC over id, time and body. Requests go through the guarded network: to public hosts alone.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import random
import secrets
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from starlette.concurrency import run_in_threadpool

from gainful import __version__
from gainful.errors import DataError, GainfulError, UsageError, printable
from gainful.filtering.feeds.address_guard import refusal
from gainful.filtering.feeds.feed_address import regular_address, shown_address
from gainful.filtering.service.accounts import digest
from gainful.filtering.service.entry_forms import title_of
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.service_faults import reader_message
from gainful.filtering.state.events import moment
from gainful.filtering.state.store import Row

if TYPE_CHECKING:
    import httpx

    from gainful.filtering.inbox.inbox_entry import Entry
    from gainful.filtering.service.service_parts import Service

MOST_HOOKS = 20
"""Webhooks that one reader can have."""

_PREFIX = "whsec_"
_AT_ONCE = 20  # messages to one address in a round
_SIDE_BY_SIDE, _OF_READER = 8, 2  # addresses that are told at the same time, of all readers and of one
_SECONDS, _ROUND_SECONDS = 10.0, 60.0
_LEASE = timedelta(minutes=5)
_FIRST_RETRY, _LAST_RETRY = timedelta(minutes=1), timedelta(hours=24)

_log = logging.getLogger("gainful.service")


@dataclass(frozen=True)
class Webhook:
    """An address that is told of deliveries.

    number    by which it is known
    profile   the number of the profile whose deliveries it is told of; None for those of all profiles
    upto      the last entry that was acknowledged
    due       when it is tried next
    failures, fault  attempts that failed since, and why the last one did
    gone      whether it said that it is gone for good (status 410)
    """

    number: int
    reader: int
    profile: int | None
    address: str
    secret: str
    created: datetime
    upto: int
    due: datetime
    failures: int
    fault: str
    gone: bool

    @property
    def shown(self) -> str:
        """The address as people see it: without a password."""
        return shown_address(self.address)


_HOOK = "SELECT number, reader, for_profile, address, secret, created, upto, due, failures, fault, gone FROM webhooks"


class Webhooks:
    """The webhooks of all readers."""

    def __init__(self, ledger: Ledger, *, chance: Callable[[], float] = random.random) -> None:
        self._ledger, self._chance = ledger, chance

    def add(
        self, reader: int, address: str, *, upto: int, profile: int | None = None, allow_private: bool = False
    ) -> Webhook:
        """A new webhook, with a secret of its own.

        upto  the newest entry there is: it is told of what comes after it
        """
        target = regular_address(address)
        host = urlsplit(target).hostname or ""
        if _is_literal(host) and (reason := refusal(host, allow_private=allow_private)):
            raise UsageError(f"a webhook cannot lead to {host}, {reason}.")
        with self._ledger.writing() as store:
            if store.one("SELECT count(*) FROM webhooks WHERE reader = ?", reader) >= MOST_HOOKS:
                raise UsageError(f"a reader has at most {MOST_HOOKS} webhooks; remove one first.")
            number = store.one("SELECT coalesce(max(number), 0) + 1 AS number FROM webhooks")
            secret = _PREFIX + b64encode(secrets.token_bytes(32)).decode()
            time = self._ledger.time()
            store.execute(
                "INSERT INTO webhooks (number, reader, for_profile, address, secret, created, upto, due, failures, fault, gone, "
                "leased) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, '', 0, 0)",
                (number, reader, profile, target, secret, time, upto, time),
            )
            return _hook(store.needed("a webhook", f"{_HOOK} WHERE number = ?", number))

    def all(self, reader: int) -> list[Webhook]:
        """A reader's webhooks."""
        with self._ledger.reading() as store:
            return [_hook(row) for row in store.rows(f"{_HOOK} WHERE reader = ? ORDER BY number", (reader,))]

    def remove(self, reader: int, number: int) -> None:
        """End a webhook."""
        with self._ledger.writing() as store:
            store.execute("DELETE FROM webhooks WHERE reader = ? AND number = ?", (reader, number))

    # ---- telling

    def claim(self) -> list[Webhook]:
        """Webhooks that may be told something now, left to this process for a while."""
        time, until = self._ledger.time(), self._ledger.time(_LEASE)
        latest = self._ledger.time(_LAST_RETRY)
        with self._ledger.writing() as store:
            rows = list(
                store.rows(  # times far ahead were written by a clock that has been set back since
                    f"{_HOOK} WHERE gone = 0 AND (due <= ? OR due > ?) AND (leased <= ? OR leased > ?) ORDER BY number",
                    (time, latest, time, until),
                )
            )
            store.executemany(
                "UPDATE webhooks SET leased = ? WHERE number = ?", [(until, row[0]) for row in rows]
            )
        return [_hook(row) for row in rows]

    # A number is given again after its webhook was removed, perhaps to another reader's; a secret is not.

    def acknowledged(self, hook: Webhook, upto: int) -> None:
        """The address has taken an entry."""
        with self._ledger.writing() as store:
            store.execute(
                "UPDATE webhooks SET upto = ?, failures = 0, fault = '' WHERE number = ? AND secret = ? AND upto < ?",
                (upto, hook.number, hook.secret, upto),
            )

    def failed(self, hook: Webhook, fault: str, *, gone: bool = False) -> None:
        """The address did not take an entry; it is tried again later, unless it is gone."""
        wait = min(_FIRST_RETRY * 2 ** min(hook.failures, 12), _LAST_RETRY) * (0.5 + self._chance() / 2)
        with self._ledger.writing() as store:
            store.execute(
                "UPDATE webhooks SET failures = failures + 1, fault = ?, due = ?, gone = ? WHERE number = ? AND secret = ?",
                (fault[:500], self._ledger.time(wait), int(gone), hook.number, hook.secret),
            )

    def release(self, hook: Webhook) -> None:
        """Leave a webhook to others again."""
        with self._ledger.writing() as store:
            store.execute(
                "UPDATE webhooks SET leased = 0 WHERE number = ? AND secret = ?", (hook.number, hook.secret)
            )


def _hook(row: Row) -> Webhook:
    number, reader, profile, address, secret, created, upto, due, failures, fault, gone = row
    return Webhook(
        number,
        reader,
        profile,
        address,
        secret,
        moment(created),
        upto,
        moment(due),
        failures,
        fault,
        bool(gone),
    )


def _is_literal(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()


# ---- messages


def message_of(entry: Entry, *, time: datetime) -> bytes:
    """The body that tells of an entry."""
    return msgspec.json.encode(
        {
            "type": "entry.delivered",
            "timestamp": time.isoformat(),
            "data": {
                "number": entry.number,
                "profile": entry.profile,
                "title": title_of(entry),
                "link": entry.link,
                "feed": entry.feed,
                "also_in": entry.also_in,
                "published": entry.published,
                "delivered": entry.delivered,
                "excerpt": entry.excerpt,
                "words": entry.words,
                "score": entry.score,
                "threshold": entry.threshold,
                "probability": entry.probability,
            },
        }
    )


def signed_headers(secret: str, name: str, body: bytes, *, time: datetime) -> dict[str, str]:
    """The headers of a message: its name, its time, and the signature over both and the body.

    >>> from datetime import UTC
    >>> headers = signed_headers("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_1", b"{}", time=datetime(2026, 1, 1, tzinfo=UTC))
    >>> headers["webhook-timestamp"], headers["webhook-signature"]
    ('1767225600', 'v1,o+7OWx9F/e0IkY2H8XoMTEeKvetbI61gFwrdec+R5lY=')
    """
    stamped = str(int(time.timestamp()))
    key = b64decode(secret.removeprefix(_PREFIX))
    signature = hmac.new(key, f"{name}.{stamped}.".encode() + body, hashlib.sha256).digest()
    return {
        "webhook-id": name,
        "webhook-timestamp": stamped,
        "webhook-signature": f"v1,{b64encode(signature).decode()}",
        "Content-Type": "application/json",
        "User-Agent": f"Gainful/{__version__}",
    }


async def deliver_webhooks(service: Service) -> None:
    """Tell every webhook that is due of what came since; one that fails or is slow keeps no other back."""
    hooks = Webhooks(service.ledger)
    claimed = await run_in_threadpool(hooks.claim)
    if not claimed:
        return
    from gainful.filtering.feeds.guarded_network import guarded_client

    random.shuffle(claimed)  # those that come too late for this round are not always the same
    async with guarded_client(rules=service.options.network, timeout=_SECONDS) as client:
        round_ = _Round(service, hooks, client, asyncio.get_running_loop().time() + _ROUND_SECONDS)
        await asyncio.gather(*(round_.tell(hook) for hook in claimed))


@dataclass
class _Round:
    """Webhooks told side by side: a few at a time, fewer of one reader, so that slow addresses keep back their own alone.

    until  when the round is over, by the clock of the loop; what was not told by then is told in the next one
    """

    service: Service
    hooks: Webhooks
    client: httpx.AsyncClient
    until: float
    places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_SIDE_BY_SIDE))
    of_readers: dict[int, asyncio.Semaphore] = field(default_factory=dict)

    async def tell(self, hook: Webhook) -> None:
        """Send what a webhook has not acknowledged, oldest first, until it fails or the round is over."""
        own = self.of_readers.setdefault(hook.reader, asyncio.Semaphore(_OF_READER))
        async with own, self.places:
            try:
                await self._send_all(hook)
            except GainfulError as fault:
                said = reader_message(self.service.address, fault)
                await run_in_threadpool(self.hooks.failed, hook, said)
            except Exception:  # whatever an address makes a library stumble over
                _log.exception("webhook %d", hook.number)
                await run_in_threadpool(
                    self.hooks.failed, hook, "it could not be told; the server's log says why"
                )
            finally:
                await run_in_threadpool(self.hooks.release, hook)

    async def _send_all(self, hook: Webhook) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() > self.until:
            return
        entries = await self.service.inboxes.ask(
            hook.reader,
            lambda inbox: inbox.entries(
                after=hook.upto, profile=hook.profile, oldest_first=True, most=_AT_ONCE
            ),
        )
        for entry in entries:
            if loop.time() > self.until:
                break
            fault, gone = await _send(self.client, hook, entry, self.service.ledger.now())
            if fault:
                await run_in_threadpool(self.hooks.failed, hook, fault, gone=gone)
                break
            await run_in_threadpool(self.hooks.acknowledged, hook, entry.number or 0)


async def _send(client: httpx.AsyncClient, hook: Webhook, entry: Entry, time: datetime) -> tuple[str, bool]:
    """Send one message; why it was not taken, and whether the address is gone for good."""
    import httpx

    body = message_of(entry, time=time)
    name = f"{digest(hook.secret).hex()[:16]}-{entry.number}"  # no other webhook has it, of whatever reader or state
    headers = signed_headers(hook.secret, name, body, time=time)
    try:
        async with (
            asyncio.timeout(_SECONDS),
            client.stream("POST", hook.address, content=body, headers=headers) as answer,
        ):
            status = answer.status_code
    except DataError as fault:  # an address that is not asked
        return printable(str(fault)), False
    except TimeoutError:
        return f"it did not answer within {_SECONDS:g} s", False
    except (httpx.HTTPError, httpx.InvalidURL) as fault:
        return printable(str(fault)) or type(fault).__name__, False
    return ("", False) if 200 <= status < 300 else (f"it answered with status {status}", status == 410)


duties = [deliver_webhooks]
