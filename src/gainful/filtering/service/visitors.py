"""Who asks, and for what: the reader of a session, and forms that only their own pages can send."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gainful.filtering.service.accounts import Account
from gainful.filtering.service.service_parts import Service
from gainful.filtering.service.sessions import is_forgery_token

SESSION_COOKIE, VISIT_COOKIE = "gainful_session", "gainful_visit"
"""Cookies: of a reader who is logged in, and of a visitor before that, whose login form must be its own too."""

MOST_FIELD = 20_000
"""Characters of one field of a form."""

_COOKIE_LIFE = 400 * 24 * 3600  # the longest that browsers keep a cookie; the state says when a session ends


@dataclass(frozen=True)
class Visitor:
    """A reader who is logged in, and the secret of the session."""

    account: Account
    secret: str

    @property
    def reader(self) -> int:
        """The reader's number."""
        return self.account.reader


_Page = Callable[[Request, Visitor], Awaitable[Response]]
_Act = Callable[[Request, Visitor, FormData], Awaitable[Response]]
_Handler = Callable[[Request], Awaitable[Response]]


async def visitor_of(request: Request) -> Visitor | None:
    """The reader whose session the request belongs to; None where there is none."""
    secret = request.cookies.get(SESSION_COOKIE, "")
    return await run_in_threadpool(_visitor, Service.of(request), secret) if secret else None


def _visitor(service: Service, secret: str) -> Visitor | None:
    reader = service.sessions.reader_of(secret)
    account = None if reader is None else service.accounts.of(reader)
    return None if account is None else Visitor(account, secret)


def page(handler: _Page) -> _Handler:
    """A page for readers who are logged in; others are shown the way to the login."""

    @functools.wraps(handler)
    async def handled(request: Request) -> Response:
        visitor = await visitor_of(request)
        if visitor is None:
            return redirect(request, "/login")
        return await handler(request, visitor)

    return handled


def act(handler: _Act) -> _Handler:
    """A form that changes something: from a reader who is logged in, sent by a page of that session."""

    @functools.wraps(handler)
    async def handled(request: Request) -> Response:
        visitor = await visitor_of(request)
        if visitor is None:
            return redirect(request, "/login")
        form = await checked_form(request, visitor.secret)
        try:
            return await handler(request, visitor, form)
        finally:
            await form.close()

    return handled


async def checked_form(request: Request, secret: str) -> FormData:
    """The fields of a form that carries the token of the session; any other is refused."""
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise HTTPException(403, "The form came from another site.")
    form = await request.form(max_files=1, max_fields=500, max_part_size=1_000_000)
    if not secret or not is_forgery_token(secret, text(form, "token", most=100)):
        await form.close()
        raise HTTPException(403, "The form does not belong to this session; load the page again and retry.")
    return form


def text(form: FormData, name: str, *, most: int = MOST_FIELD) -> str:
    """A field of a form as text that a database takes; empty where there is none, refused where it is too long."""
    value = form.get(name)
    if not isinstance(value, str):
        return ""
    if len(value) > most:
        raise HTTPException(413, f"The field {name} has more than {most:,} characters.")
    return storable(value)


def storable(value: str) -> str:
    """Text without what no database keeps: NUL, and halves of characters."""
    return value.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def query(request: Request, name: str, *, most: int = 1000) -> str:
    """A parameter of the address, as text that a database takes."""
    return storable(request.query_params.get(name, "")[:most])


def whole_number(value: str) -> int | None:
    """A number of an address or of a form that a table can hold; None for anything else."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None


def redirect(request: Request, path: str) -> RedirectResponse:
    """On to a page of the service, after a form."""
    return RedirectResponse(request.scope.get("root_path", "") + path, status_code=303)


def client_address(request: Request) -> str:
    """Where a request comes from; behind a proxy, what the proxy says."""
    return request.client.host if request.client else ""


def set_cookie(
    request: Request, response: Response, name: str, value: str, *, life: int = _COOKIE_LIFE
) -> None:
    """A cookie that scripts cannot read and other sites do not send; over https it stays there."""
    response.set_cookie(
        name,
        value,
        max_age=life,
        path=request.scope.get("root_path", "") or "/",
        secure=request.url.scheme == "https" or Service.of(request).options.public.startswith("https:"),
        httponly=True,
        samesite="lax",
    )


def drop_cookie(request: Request, response: Response, name: str) -> None:
    """Remove a cookie."""
    response.delete_cookie(
        name, path=request.scope.get("root_path", "") or "/", httponly=True, samesite="lax"
    )


def new_secret() -> str:
    """A random text that nobody guesses."""
    return secrets.token_urlsafe(24)
