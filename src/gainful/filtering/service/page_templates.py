"""Templates filled for a visitor; short messages that survive a redirect; style and script with the name of their content."""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote, unquote, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gainful.filtering.service.service_parts import Service
from gainful.filtering.service.sessions import forgery_token
from gainful.filtering.service.visitors import Visitor, drop_cookie, redirect, set_cookie, storable
from gainful.presentation.page_theme import theme
from gainful.presentation.text_style import percent

_SAID_COOKIE = "gainful_said"
_MOST_SAID = 600  # characters of a message: cookies are small
_KINDS = {"style.css": "text/css", "page.js": "text/javascript", "icon.svg": "image/svg+xml"}


def page_response(
    request: Request, name: str, visitor: Visitor | None = None, *, status: int = 200, **given: Any
) -> HTMLResponse:
    """A page: the template of this name with what it is given, and with what every page has."""
    said = given.pop("said", None) or storable(unquote(request.cookies.get(_SAID_COOKIE, "")))[:_MOST_SAID]
    body = fragment(request, name, visitor, said=said, **given)
    response = HTMLResponse(body, status_code=status)
    if _SAID_COOKIE in request.cookies:
        drop_cookie(request, response, _SAID_COOKIE)
    return response


def fragment(request: Request, name: str, visitor: Visitor | None, **given: Any) -> str:
    """A template filled, as text."""
    root = request.scope.get("root_path", "")

    def url(path: str, **parameters: object) -> str:
        chosen = {key: value for key, value in parameters.items() if value not in (None, "", False)}
        return f"{root}{path}{'?' if chosen else ''}{urlencode(chosen)}"

    text: str = (
        environment()
        .get_template(name)
        .render(
            url=url,
            here=str(request.scope["path"]).removeprefix(root) or "/",
            static=lambda file: f"{root}/static/{file}?v={_digest(file)}",
            token="" if visitor is None else forgery_token(visitor.secret),
            account=None if visitor is None else visitor.account,
            now=Service.of(request).ledger.now(),
            **given,
        )
    )
    return text


def redirect_saying(request: Request, path: str, message: str) -> Response:
    """A redirect to a page, which then shows the message."""
    response = redirect(request, path)
    set_cookie(request, response, _SAID_COOKIE, quote(message[:_MOST_SAID]), life=60)
    return response


def wants_json(request: Request) -> bool:
    """Whether a script of the page asks, which takes the answer as data."""
    return request.headers.get("accept", "").startswith("application/json")


@cache
def environment() -> Any:
    """The templates of this package, with the filters that they use."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("gainful.filtering.service"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {"ago": ago, "whole_time": whole_time, "percent": percent, "link": safe_link}
    return templates


def ago(time: datetime, now: datetime) -> str:
    """How long ago something was, in the largest unit that says it; a date where it is long ago.

    >>> from datetime import timedelta
    >>> noon = datetime(2026, 11, 18, 12)
    >>> ago(noon - timedelta(minutes=5), noon), ago(noon - timedelta(hours=30), noon), ago(noon - timedelta(days=40), noon)
    ('5 min ago', 'yesterday', '9 Oct')
    """
    seconds = (now - time).total_seconds()
    if seconds < 60:
        return "now" if seconds > -3600 else whole_time(time)
    if seconds < 3600:
        return f"{seconds // 60:.0f} min ago"
    if seconds < 24 * 3600:
        return f"{seconds // 3600:.0f} h ago"
    if (days := (now.date() - time.date()).days) < 7:
        return "yesterday" if days <= 1 else f"{days} days ago"
    return f"{time.day} {time:%b}" if time.year == now.year else f"{time.day} {time:%b %Y}"


def whole_time(time: datetime) -> str:
    """A time to the minute, in UTC."""
    return f"{time:%Y-%m-%d %H:%M} UTC"


def safe_link(address: str) -> str:
    """An address that a link may have: of the web, or nothing."""
    return address if address.lower().startswith(("https://", "http://")) else ""


# ---- style and script


@cache
def _static(name: str) -> bytes:
    text = files("gainful.filtering.service").joinpath("static", name).read_text(encoding="utf-8")
    return f"{theme()}\n{text}".encode() if name == "style.css" else text.encode()


@cache
def _digest(name: str) -> str:
    return hashlib.sha256(_static(name)).hexdigest()[:12]


async def _static_file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _KINDS:
        return HTMLResponse("There is no such file.", status_code=404)
    kept = (
        "public, max-age=31536000, immutable"
        if request.query_params.get("v") == _digest(name)
        else "no-cache"
    )
    headers = {"Cache-Control": kept}
    return Response(_static(name), media_type=_KINDS[name], headers=headers)


routes = [Route("/static/{name}", _static_file)]
