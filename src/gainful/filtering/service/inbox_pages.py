"""Today, what was nearly delivered, one item whole; and the buttons: relevant, not relevant, undo, read, saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args
from urllib.parse import parse_qsl, urlencode

from markupsafe import Markup
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gainful.filtering.inbox.entry_selection import Which
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.inbox.inbox_entry import Entry, Moved
from gainful.filtering.service.entry_cards import cards
from gainful.filtering.service.page_templates import fragment, page_response, redirect_saying, wants_json
from gainful.filtering.service.service_parts import Service
from gainful.filtering.service.visitors import Visitor, act, page, query, text, whole_number
from gainful.filtering.state.filter_calls import Verdict
from gainful.presentation.text_style import counted, fixed

SHOWS = {
    "unread": "Unread",
    "all": "All",
    "saved": "Saved",
    "relevant": "Relevant",
    "not-relevant": "Not relevant",
}
"""Which entries a list can have."""

_NEAR = 30  # nearly delivered items on a page
_CHIPS = 12  # profiles that are named above a list
_MARKS: dict[str, dict[str, bool]] = {
    "read": {"read": True},
    "unread": {"read": False},
    "save": {"saved": True},
    "unsave": {"saved": False},
}
_MARKED = {
    "read": "Marked as read.",
    "unread": "Marked as unread.",
    "save": "Saved.",
    "unsave": "No longer saved.",
}


# ---- lists


@page
async def today(request: Request, visitor: Visitor) -> Response:
    """What was delivered, newest first."""
    words = query(request, "q", most=300).strip()
    profile = query(request, "profile") or None
    show = query(request, "show")
    show = show if show in SHOWS else ("all" if words else "unread")
    kept, before = whole_number(query(request, "keep")), whole_number(query(request, "before"))
    most = visitor.account.preferences.most
    which = _which(show, words, profile, before)

    listed = await Service.of(request).inboxes.ask(
        visitor.reader, lambda inbox: _list(inbox, profile, which, most, kept)
    )
    unread: dict[str, int] = listed["unread"]
    given = {
        **listed,
        "cards": _cards(request, listed["entries"]),
        "profile": profile,
        "show": show,
        "shows": SHOWS,
        "words": words,
        "chips": _chips(unread, profile),
        "total": sum(unread.values()) if profile is None else unread[profile],
        "back": str(request.url.query),
        "newest": max((entry.number or 0 for entry in listed["entries"]), default=0),
        "before": before,
    }
    if wants_json(request):
        return JSONResponse({"html": fragment(request, "entry_list.html", visitor, **given)})
    return page_response(request, "today.html", visitor, **given)


def _list(inbox: Inbox, profile: str | None, which: Which, most: int, kept: int | None) -> dict[str, Any]:
    """What a list shows: unread entries by profile, entries, where older ones begin, and feeds where it is empty."""
    refuse_unknown_profile(inbox, profile)
    entries = inbox.entries(most=most + 1, **which)
    return {
        "unread": inbox.unread(),
        "entries": _with_kept(inbox, entries[:most], kept),
        "older": entries[most - 1].number if len(entries) > most else None,
        "feeds": inbox.feeds.feeds(inbox.reader) if not entries else [],
    }


def refuse_unknown_profile(inbox: Inbox, name: str | None) -> None:
    """Answer 404 where the reader has no profile of this name; None stands for all profiles."""
    if name is not None and name not in inbox.profile_names().values():
        raise HTTPException(404, "You have no profile of this name.")


def _which(show: str, words: str, profile: str | None, before: int | None) -> Which:
    which: Which = {"profile": profile, "before": before, "search": words}
    if show in ("relevant", "not-relevant"):
        which["answered"] = "relevant" if show == "relevant" else "not-relevant"
    which["unread"], which["saved"] = show == "unread", show == "saved"
    return which


def _with_kept(inbox: Inbox, entries: Sequence[Entry], kept: int | None) -> list[Entry]:
    """The list, and at its place the entry that was just answered, which may belong to the list no more."""
    if kept is None or any(entry.number == kept for entry in entries):
        return list(entries)
    return sorted([*entries, *inbox.entries_of([kept])], key=lambda entry: -(entry.number or 0))


def _chips(unread: dict[str, int], profile: str | None) -> list[str]:
    """Profiles to name above a list: all, or those with most to read, the chosen one among them."""
    if len(unread) <= _CHIPS:
        return list(unread)
    fullest = sorted(unread, key=lambda name: (name != profile, -unread[name]))[:_CHIPS]
    return [name for name in unread if name in fullest]


@page
async def nearly(request: Request, visitor: Visitor) -> Response:
    """What was not delivered and nearly was: answers to it teach most."""
    profile = query(request, "profile") or None

    def look(inbox: Inbox) -> tuple[dict[str, int], list[Entry]]:
        refuse_unknown_profile(inbox, profile)
        unread = inbox.unread()
        return unread, inbox.near(profile, most=_NEAR) if unread else []

    unread, entries = await Service.of(request).inboxes.ask(visitor.reader, look)
    return page_response(
        request,
        "nearly.html",
        visitor,
        unread=unread,
        cards=_cards(request, entries),
        profile=profile,
        chips=_chips(unread, profile),
        back=str(request.url.query),
        answered=query(request, "answered"),
    )


@page
async def entry_page(request: Request, visitor: Visitor) -> Response:
    """One item with all that its feed said."""
    number = whole_number(str(request.path_params["number"]))
    if number is None:
        raise HTTPException(404, "There is no such item.")

    def look(inbox: Inbox) -> Entry:
        entries = inbox.entries_of([number])
        if not entries:
            raise HTTPException(404, "There is no such item.")
        return entries[0]

    entry = await Service.of(request).inboxes.ask(visitor.reader, look)
    return page_response(
        request, "entry_page.html", visitor, entry=entry, cards=_cards(request, [entry], alone=True)
    )


def _cards(request: Request, entries: Sequence[Entry], *, alone: bool = False) -> list[Markup]:
    return cards(entries, Service.of(request).ledger.now(), request.scope.get("root_path", ""), alone=alone)


# ---- buttons


@act
async def press(request: Request, visitor: Visitor, form: FormData) -> Response:
    """A button of an item was pressed: what it does, and the item that it belongs to."""
    action, _, reference = text(form, "press").partition(" ")
    number, alone = whole_number(reference), text(form, "alone") == "1"

    def do(inbox: Inbox) -> tuple[Entry | None, str, dict[str, int]]:
        if number is not None:
            entry, sentence = _press_entry(inbox, number, action)
        else:
            entry, sentence = _press_near(inbox, reference, action)
        return entry, sentence, inbox.unread()

    entry, sentence, unread = await Service.of(request).inboxes.ask(visitor.reader, do)
    if wants_json(request):
        html = "" if entry is None else _cards(request, [entry], alone=alone)[0]
        named = {name: unread[name] for name in _chips(unread, None if entry is None else entry.profile)}
        return JSONResponse({"html": html, "said": sentence, "total": sum(unread.values()), "unread": named})
    return redirect_saying(request, _back(form, number, reference, action), sentence)


def _press_entry(inbox: Inbox, number: int, action: str) -> tuple[Entry | None, str]:
    if not inbox.entries_of([number]):
        raise HTTPException(404, "There is no such item.")
    if action in _MARKS:
        inbox.mark([number], **_MARKS[action])
        sentence = _MARKED[action]
    else:
        sentence = _moved(inbox.answer_entry(number, _verdict(action)))
    return inbox.entry(number), sentence


def _press_near(inbox: Inbox, reference: str, action: str) -> tuple[Entry | None, str]:
    """A button of an item that was not delivered, which is known by its profile and its id."""
    number, _, item = reference.partition("/")
    profile = inbox.profile_names().get(whole_number(number) or 0, "")
    if not inbox.about([(profile, item)]):
        raise HTTPException(404, "There is no such item.")
    sentence = _moved(inbox.answer(profile, item, _verdict(action)))
    return next(iter(inbox.about([(profile, item)])), None), sentence


def _verdict(action: str) -> Verdict:
    if action not in get_args(Verdict):
        raise HTTPException(400, "There is no such button.")
    verdict: Verdict = action  # type: ignore[assignment]
    return verdict


def _moved(moved: Moved) -> str:
    """What an answer did, in a sentence."""
    if not moved.changed:
        return "You had said so before."
    noted = {True: "Noted as relevant.", False: "Noted as not relevant.", None: "Taken back."}[moved.verdict]
    before, after = fixed(moved.before, 3), fixed(moved.after, 3)
    if before == after:
        return f"{noted} The threshold of {moved.profile} stays at {after}."
    return f"{noted} The threshold of {moved.profile} went from {before} to {after}."


def _back(form: FormData, number: int | None, reference: str, action: str) -> str:
    """The list that a button was pressed in, with the item still in it, or the way to take the answer back."""
    parameters = dict(parse_qsl(text(form, "back")))
    if number is not None and text(form, "alone") == "1":
        return f"/entry/{number}"
    if number is not None:
        return f"/?{urlencode({**parameters, 'keep': number})}#entry-{number}"
    parameters.pop("answered", None)
    if action != "undo":
        parameters["answered"] = reference
    return f"/nearly?{urlencode(parameters)}"


@act
async def read_all(request: Request, visitor: Visitor, form: FormData) -> Response:
    """Everything up to the newest item of the page is read."""
    profile, until = text(form, "profile") or None, whole_number(text(form, "until"))

    def mark(inbox: Inbox) -> int:
        refuse_unknown_profile(inbox, profile)
        return inbox.mark_all_read(profile, until=until)

    marked = await Service.of(request).inboxes.ask(visitor.reader, mark)
    path = f"/?{urlencode({'profile': profile})}" if profile else "/"
    return redirect_saying(request, path, f"{counted(marked, 'item')} marked as read.")


routes = [
    Route("/", today),
    Route("/nearly", nearly),
    Route("/entry/{number}", entry_page),
    Route("/entry", press, methods=["POST"]),
    Route("/read-all", read_all, methods=["POST"]),
]
