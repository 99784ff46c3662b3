"""Feeds: those a reader has and how they are doing; subscribed, renamed and removed; OPML in and out."""

from __future__ import annotations

from datetime import datetime

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gainful.errors import GainfulError
from gainful.filtering.feeds.feed_finder import find_feed
from gainful.filtering.feeds.feed_records import Feed
from gainful.filtering.feeds.opml import Outlines, read_opml, subscriptions_opml
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.service.background_worker import wake
from gainful.filtering.service.page_templates import page_response, redirect_saying
from gainful.filtering.service.service_faults import reader_message
from gainful.filtering.service.service_parts import Service
from gainful.filtering.service.visitors import Visitor, act, page, query, text, whole_number
from gainful.presentation.text_style import counted

_MOST_ADDRESS, _MOST_NAME = 2000, 300
_ON_A_PAGE = 100  # feeds


def health(feed: Feed, now: datetime) -> str:
    """How a feed is doing, in a word: "gone", "failing", "new", "quiet" or "fine"."""
    if feed.gone:
        return "gone"
    if feed.failures:
        return "failing"
    if feed.fetched is None:
        return "new"
    return "quiet" if feed.renewed is not None and (now - feed.renewed).days >= 60 else "fine"


@page
async def feeds(request: Request, visitor: Visitor) -> Response:
    """The feeds of a reader, and their health."""
    service = Service.of(request)
    subscribed = await service.inboxes.ask(visitor.reader, lambda inbox: inbox.feeds.feeds(inbox.reader))
    now = service.ledger.now()
    listed = [(feed, health(feed, now)) for feed in subscribed]
    faulty = [(feed, state) for feed, state in listed if state in ("failing", "gone")]
    chosen = faulty if query(request, "show") == "failing" else listed
    first = max(0, min(whole_number(query(request, "from")) or 0, len(chosen) - 1))
    return page_response(
        request,
        "feeds.html",
        visitor,
        total=len(listed),
        faulty=len(faulty),
        only_faulty=chosen is faulty,
        chosen=len(chosen),
        first=first,
        step=_ON_A_PAGE,
        feeds=chosen[first : first + _ON_A_PAGE],
        health_words=_HEALTH_WORDS,
    )


_HEALTH_WORDS = {
    "gone": "gone for good",
    "failing": "failing",
    "new": "not fetched yet",
    "quiet": "quiet",
    "fine": "fine",
}


@act
async def subscribe(request: Request, visitor: Visitor, form: FormData) -> Response:
    """Another feed: its address, or that of a page that has one."""
    service, given = Service.of(request), text(form, "address", most=_MOST_ADDRESS).strip()
    if visitor.reader in service.seekers:
        return redirect_saying(
            request, "/feeds", "The address before is still being looked at; try again in a moment."
        )
    service.seekers.add(visitor.reader)
    try:
        async with service.finding:
            feed_found = await find_feed(given, rules=service.options.network, clock=service.ledger.clock)
        feed = await service.inboxes.ask(
            visitor.reader, lambda inbox: inbox.feeds.subscribe(inbox.reader, feed_found.address)
        )
    except GainfulError as fault:
        return redirect_saying(request, "/feeds", reader_message(Service.of(request).address, fault))
    finally:
        service.seekers.discard(visitor.reader)
    wake(service)
    return redirect_saying(request, "/feeds", f"Subscribed to {feed_found.title or feed.title}.")


@act
async def unsubscribe(request: Request, visitor: Visitor, form: FormData) -> Response:
    """A feed less; what came from it stays."""
    number = _number(form)
    gone = await Service.of(request).inboxes.ask(
        visitor.reader, lambda inbox: inbox.feeds.unsubscribe(inbox.reader, number)
    )
    return redirect_saying(request, "/feeds", f"Unsubscribed from {gone.title}. What came from it stays.")


@act
async def rename(request: Request, visitor: Visitor, form: FormData) -> Response:
    """A title and a folder of the reader's own."""
    number, title, folder = (
        _number(form),
        text(form, "title", most=_MOST_NAME),
        text(form, "folder", most=_MOST_NAME),
    )
    await Service.of(request).inboxes.ask(
        visitor.reader, lambda inbox: inbox.feeds.rename(inbox.reader, number, title=title, folder=folder)
    )
    return redirect_saying(request, "/feeds", "The feed is renamed.")


def _number(form: FormData) -> int:
    number = whole_number(text(form, "feed"))
    if number is None:
        raise HTTPException(400, "There is no such feed among yours.")
    return number


# ---- OPML


@act
async def take_opml(request: Request, visitor: Visitor, form: FormData) -> Response:
    """The feeds of an OPML file."""
    file = form.get("file")
    content = await file.read() if isinstance(file, UploadFile) else b""
    service = Service.of(request)

    def add(inbox: Inbox) -> Outlines:
        outlines = read_opml(content)
        inbox.feeds.subscribe_all(
            inbox.reader, [(feed.address, feed.title, feed.folder) for feed in outlines.feeds]
        )
        return outlines

    try:
        outlines = await service.inboxes.ask(visitor.reader, add)
    except GainfulError as fault:
        return redirect_saying(request, "/feeds", reader_message(Service.of(request).address, fault))
    wake(service)
    refused = f" {counted(len(outlines.refused), 'other')} had no web address." if outlines.refused else ""
    return redirect_saying(
        request, "/feeds", f"Subscribed to {counted(len(outlines.feeds), 'feed')} of the file.{refused}"
    )


@page
async def give_opml(request: Request, visitor: Visitor) -> Response:
    """All feeds of a reader as an OPML file."""
    content = await Service.of(request).inboxes.ask(
        visitor.reader, lambda inbox: subscriptions_opml(inbox.feeds, inbox.reader)
    )
    headers = {"Content-Disposition": 'attachment; filename="feeds.opml"'}
    return Response(content, media_type="text/x-opml; charset=utf-8", headers=headers)


routes = [
    Route("/feeds", feeds),
    Route("/feeds/subscribe", subscribe, methods=["POST"]),
    Route("/feeds/unsubscribe", unsubscribe, methods=["POST"]),
    Route("/feeds/rename", rename, methods=["POST"]),
    Route("/feeds/opml", take_opml, methods=["POST"]),
    Route("/feeds.opml", give_opml),
]
