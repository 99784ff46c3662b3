"""Profiles: what each looks for, its threshold as pictures, another threshold tried on the last month; added and changed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import numpy as np
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gainful.errors import GainfulError
from gainful.filtering.answer_text import in_words
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.service.accounts import clean_line
from gainful.filtering.service.background_worker import wake
from gainful.filtering.service.inbox_pages import refuse_unknown_profile
from gainful.filtering.service.page_templates import fragment, page_response, redirect_saying
from gainful.filtering.service.service_faults import reader_message
from gainful.filtering.service.service_parts import Service
from gainful.filtering.service.visitors import Visitor, act, page, query, text
from gainful.filtering.state.filter_results import History, Preview, ProfileState
from gainful.filtering.threshold_charts import threshold_over_time, utility_curve
from gainful.presentation.chart_parts import Spec
from gainful.presentation.text_style import listed

MONTH = timedelta(days=30)
"""What another threshold is tried on: the documents of the last month."""

BALANCES = {
    "1,-2": "only what is almost certainly relevant",
    "1,-1": "rather too little than too much",
    "2,-1": "balanced",
    "4,-1": "rather too much than too little",
}
"""What a relevant delivery is worth and another one costs, in words."""

_TERMS, _AGAINST = 24, 12
_PREVIEWED = 12  # titles on each side of a preview
_MOST_NAME, _MOST_TEXT = 100, 5000


@dataclass(frozen=True)
class _Look:
    """A profile as its page shows it: words with their weights from 0 to 1, charts, and the ends of the slider."""

    state: ProfileState
    unread: int
    words: list[tuple[str, float]]
    against: list[str]
    charts: dict[str, Spec]
    top: float
    preview: Preview | None


# ---- what is seen


@page
async def profiles(request: Request, visitor: Visitor) -> Response:
    """All profiles, and the form for another."""

    def look(inbox: Inbox) -> tuple[list[ProfileState], dict[str, int]]:
        return inbox.filter.profiles(), inbox.unread()

    states, unread = await Service.of(request).inboxes.ask(visitor.reader, look)
    return page_response(request, "profiles.html", visitor, profiles=states, unread=unread)


@page
async def profile(request: Request, visitor: Visitor) -> Response:
    """One profile."""
    service, name, given = (
        Service.of(request),
        query(request, "name"),
        _threshold(query(request, "threshold")),
    )
    since = service.ledger.now() - MONTH
    look = await service.inboxes.ask(visitor.reader, lambda inbox: _look(inbox, name, given, since))
    pictures = {key: await service.pictures.svg(spec, key) for key, spec in look.charts.items()}
    return page_response(
        request,
        "profile.html",
        visitor,
        look=look,
        profile=look.state,
        sentence=in_words(look.state).strip(),
        pictures=pictures,
        balances=BALANCES,
        threshold=look.state.theta if given is None else given,
        most=_PREVIEWED,
    )


@page
async def preview(request: Request, visitor: Visitor) -> Response:
    """What another threshold would have delivered, for the slider."""
    service, name, given = (
        Service.of(request),
        query(request, "name"),
        _threshold(query(request, "threshold")),
    )
    if given is None:
        raise HTTPException(400, "A threshold must be a number.")
    since = service.ledger.now() - MONTH
    tried = await service.inboxes.ask(visitor.reader, lambda inbox: _previewed(inbox, name, given, since))
    html = fragment(request, "preview.html", visitor, preview=tried, most=_PREVIEWED)
    return JSONResponse({"html": html})


def _threshold(given: str) -> float | None:
    try:
        value = float(given)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _look(inbox: Inbox, name: str, given: float | None, since: datetime) -> _Look:
    refuse_unknown_profile(inbox, name)
    state = inbox.filter.profile(name)
    history = inbox.filter.history(name)
    words, against = _words(inbox, state)
    top = float(history.scores.max()) if len(history.scores) else 0.0
    tried = None if given is None else _previewed(inbox, name, given, since)
    return _Look(
        state, inbox.unread()[name], words, against, _charts(history), max(top, state.theta) * 1.05, tried
    )


def _previewed(inbox: Inbox, name: str, threshold: float, since: datetime) -> Preview:
    refuse_unknown_profile(inbox, name)
    return inbox.filter.preview(name, threshold, since=since)


def _words(inbox: Inbox, state: ProfileState) -> tuple[list[tuple[str, float]], list[str]]:
    """The strongest terms as whole words with their weights, the highest 1; and those that speak against a document."""
    wanted = [pair for pair in state.terms if pair[1] > 0][:_TERMS]
    unwanted = [term for term, weight in state.terms[::-1] if weight < 0][:_AGAINST]
    whole = inbox.whole_words(state.name, [*(term for term, _ in wanted), *unwanted])
    highest = wanted[0][1] if wanted else 1.0
    return [(whole[term], weight / highest) for term, weight in wanted], [whole[term] for term in unwanted]


def _charts(history: History) -> dict[str, Spec]:
    """The utility curve and the threshold over time, those of them that can be drawn."""
    charts: dict[str, Spec] = {}
    if len(history.threshold.curve):
        charts["utility"] = utility_curve(history.threshold)
    if len(history.replay.renewed):
        other = history.documents[np.flatnonzero(history.verdicts == 0)].tolist()
        charts["threshold"] = threshold_over_time(
            history.replay, relevant=history.relevant, other=frozenset(other)
        )
    return charts


# ---- what is changed


@act
async def add(request: Request, visitor: Visitor, form: FormData) -> Response:
    """A new profile, from a sentence."""
    service = Service.of(request)
    name, sentence = _name(text(form, "name")), text(form, "text", most=_MOST_TEXT)

    def create(inbox: Inbox) -> str:
        inbox.filter.add_profile(name, text=sentence)
        state = inbox.filter.profile(name)
        return listed([word for word, _ in _words(inbox, state)[0][:6]])

    try:
        words = await service.inboxes.ask(visitor.reader, create)
    except GainfulError as fault:
        return redirect_saying(request, "/profiles", reader_message(Service.of(request).address, fault))
    wake(service)
    return redirect_saying(
        request, "/", f"Profile {name} looks for {words}. New items come here as feeds are fetched."
    )


@act
async def edit(request: Request, visitor: Visitor, form: FormData) -> Response:
    """Another name, sentence or balance for a profile."""
    name = text(form, "name")
    given: dict[str, Any] = {
        "text": text(form, "text", most=_MOST_TEXT),
        "rename": _name(text(form, "rename")),
    }
    if text(form, "utility") in BALANCES:
        given["utility"] = text(form, "utility")

    def change(inbox: Inbox) -> ProfileState:
        refuse_unknown_profile(inbox, name)
        return inbox.filter.edit_profile(name, **given)

    try:
        state = await Service.of(request).inboxes.ask(visitor.reader, change)
    except GainfulError as fault:
        return redirect_saying(request, _address(name), reader_message(Service.of(request).address, fault))
    return redirect_saying(
        request, _address(state.name), "The profile is changed; its history was scored again."
    )


@act
async def remove(request: Request, visitor: Visitor, form: FormData) -> Response:
    """No more deliveries to a profile; with `forget` its past is removed too, for good."""
    name, forget = text(form, "name"), text(form, "do") == "forget"

    def end(inbox: Inbox) -> None:
        refuse_unknown_profile(inbox, name)
        if forget:
            inbox.filter.forget_profile(name)
        else:
            inbox.filter.remove_profile(name)

    await Service.of(request).inboxes.ask(visitor.reader, end)
    done = "is forgotten, with all that was delivered to it and said of it" if forget else "delivers no more"
    return redirect_saying(request, "/profiles", f"Profile {name} {done}.")


def _name(given: str) -> str:
    name = clean_line(given)
    if not 1 <= len(name) <= _MOST_NAME:
        raise HTTPException(400, f"The name of a profile has 1 to {_MOST_NAME} characters.")
    return name


def _address(name: str) -> str:
    return f"/profile?{urlencode({'name': name})}"


routes = [
    Route("/profiles", profiles),
    Route("/profiles/add", add, methods=["POST"]),
    Route("/profile", profile),
    Route("/profile/preview", preview),
    Route("/profile/edit", edit, methods=["POST"]),
    Route("/profile/remove", remove, methods=["POST"]),
]
