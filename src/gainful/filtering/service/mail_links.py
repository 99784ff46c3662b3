"""Pages that links in mails lead to: an answer, the end of the mails, the confirmation of an address.

Programs that look after mail open every link of a message, so opening one changes nothing: the page has a button that does.
The address in the List-Unsubscribe header is the exception that its standard (RFC 8058) asks for: sent to by POST, it acts.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import cast

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gainful.errors import DataError
from gainful.filtering.inbox.inbox_entry import Moved
from gainful.filtering.safe_text import line
from gainful.filtering.service.mail_digest import ANSWERS, CONFIRMING, ENDING
from gainful.filtering.service.mail_plans import DigestPlans
from gainful.filtering.service.page_templates import page_response
from gainful.filtering.service.service_parts import Service
from gainful.filtering.service.signed_links import SignedLinks
from gainful.filtering.state.filter_calls import Verdict
from gainful.filtering.state.store import StoreUnavailable
from gainful.presentation.text_style import fixed

_Handler = Callable[[Request], Awaitable[Response]]
_Answer = Callable[[Request, int, int, Verdict], Awaitable[Response]]

_UNDONE_WITHIN = timedelta(hours=1)
_SAID = {"relevant": "relevant", "not-relevant": "not relevant", "undo": "not answered"}


def _page(request: Request, *, status: int = 200, **given: object) -> Response:
    """A page with a sentence, and a button where something is left to be done."""
    filled = {"message": "", "button": "", "action": "", **given}
    return page_response(request, "mail_link.html", None, status=status, **filled)


def _expired(request: Request) -> Response:
    said = "This link is too old, or was not copied whole. Everything can be done on the page of the service too."
    return _page(request, status=410, title="This link does not work", message=said)


async def _facts(request: Request, purpose: str) -> list[str | int] | None:
    """What a link says; None where it does not hold any more, or its reader's account was removed."""
    return await run_in_threadpool(_held, Service.of(request), purpose, request.path_params["token"])


def _held(service: Service, purpose: str, token: str) -> list[str | int] | None:
    facts = SignedLinks(service.ledger, purpose).facts(token)
    return None if facts is None or service.accounts.of(int(facts[0])) is None else facts


# ---- answers


def _asked(handler: _Answer) -> _Handler:
    """A page of an answer, given the reader, entry and verdict of its link; another page where the link or the entry is gone."""

    @functools.wraps(handler)
    async def handled(request: Request) -> Response:
        facts = await _facts(request, ANSWERS)
        if facts is None:
            return _expired(request)
        reader, number, verdict = facts
        try:
            return await handler(request, int(reader), int(number), cast("Verdict", verdict))
        except StoreUnavailable:
            raise
        except DataError:
            said = "It was forgotten, or its profile was removed."
            return _page(request, status=404, title="This item is gone", message=said)

    return handled


@_asked
async def answer_page(request: Request, reader: int, number: int, verdict: Verdict) -> Response:
    """What the link says, and a button that says it."""
    entry = await Service.of(request).inboxes.ask(reader, lambda inbox: inbox.entry(number))
    title, profile = line(entry.title, 200) or "An item", line(entry.profile, 100)
    action = f"/mail/answer/{request.path_params['token']}"
    return _page(
        request, title=title, message=f"Profile: {profile}", button=f"This is {_SAID[verdict]}", action=action
    )


@_asked
async def answer(request: Request, reader: int, number: int, verdict: Verdict) -> Response:
    """Take the answer down; a second time it changes nothing."""
    service = Service.of(request)
    button = action = ""
    if verdict != "undo":
        links = await run_in_threadpool(SignedLinks, service.ledger, ANSWERS)
        token = links.token(reader, number, "undo", until=service.ledger.now() + _UNDONE_WITHIN)
        button, action = "Undo", f"/mail/answer/{token}"
    moved = await service.inboxes.ask(reader, lambda inbox: inbox.answer_entry(number, verdict))
    title = f"Noted: {_SAID[verdict]}"
    return _page(request, title=title, message=_movement(moved), button=button, action=action)


def _movement(moved: Moved) -> str:
    name = line(moved.profile, 100)
    if moved.before == moved.after:
        return f"The threshold of {name} stays at {fixed(moved.after)}."
    return f"The threshold of {name} moved from {fixed(moved.before)} to {fixed(moved.after)}."


# ---- the mails themselves


async def _asking(
    request: Request, purpose: str, path: str, *, title: str, message: str, button: str
) -> Response:
    """A page with a button that does what the link allows; the address takes the place of {} in the message."""
    facts = await _facts(request, purpose)
    if facts is None:
        return _expired(request)
    action = f"/mail/{path}/{request.path_params['token']}"
    return _page(request, title=title, message=message.format(facts[1]), button=button, action=action)


async def unsubscribe_page(request: Request) -> Response:
    """A button that ends the mails."""
    said = {"title": "No more mails?", "message": "Digests are sent to {}.", "button": "Send no more mails"}
    return await _asking(request, ENDING, "unsubscribe", **said)


async def unsubscribe(request: Request) -> Response:
    """End the mails; mail programs send this by themselves when their reader asks them to."""
    facts = await _facts(request, ENDING)
    if facts is None:
        return _expired(request)
    reader, address = int(facts[0]), str(facts[1])
    await run_in_threadpool(DigestPlans(Service.of(request).ledger).end, reader, address)
    return _page(request, title="No more mails", message=f"Nothing more is sent to {address}.")


async def confirm_page(request: Request) -> Response:
    """A button that allows mails to an address."""
    said = {
        "title": "Digests by mail?",
        "message": "Digests would be sent to {}.",
        "button": "Yes, send them",
    }
    return await _asking(request, CONFIRMING, "confirm", **said)


async def confirm(request: Request) -> Response:
    """Allow mails to an address."""
    facts = await _facts(request, CONFIRMING)
    if facts is None:
        return _expired(request)
    plans = DigestPlans(Service.of(request).ledger)
    if not await run_in_threadpool(plans.confirm, int(facts[0]), str(facts[1])):
        return _expired(request)
    return _page(request, title="Digests will come", message=f"They are sent to {facts[1]}.")


routes = [
    Route("/mail/answer/{token}", answer_page),
    Route("/mail/answer/{token}", answer, methods=["POST"]),
    Route("/mail/unsubscribe/{token}", unsubscribe_page),
    Route("/mail/unsubscribe/{token}", unsubscribe, methods=["POST"]),
    Route("/mail/confirm/{token}", confirm_page),
    Route("/mail/confirm/{token}", confirm, methods=["POST"]),
]
