"""Settings: name, password, colours; sessions elsewhere ended; everything exported, or forgotten for good."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from typing import IO

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from gainful.errors import GainfulError
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.service.accounts import LEAST_PASSWORD, Preferences
from gainful.filtering.service.page_templates import page_response, redirect_saying
from gainful.filtering.service.service_faults import reader_message
from gainful.filtering.service.service_parts import Service
from gainful.filtering.service.visitors import (
    SESSION_COOKIE,
    Visitor,
    act,
    client_address,
    drop_cookie,
    page,
    text,
    whole_number,
)

THEMES = {"system": "as the system", "light": "light", "dark": "dark"}
SIZES = (20, 50, 100, 200)
"""Items on a page."""

_CHUNK = 1 << 16
_MOST_PASSWORD = 2000


@page
async def settings(request: Request, visitor: Visitor) -> Response:
    """What a reader can choose."""
    return page_response(
        request,
        "settings.html",
        visitor,
        themes=THEMES,
        sizes=SIZES,
        least=LEAST_PASSWORD,
        reader=visitor.reader,
    )


@act
async def prefer(request: Request, visitor: Visitor, form: FormData) -> Response:
    """Colours, and items on a page."""
    theme, most = text(form, "theme"), whole_number(text(form, "most"))
    if theme not in THEMES or most not in SIZES:
        raise HTTPException(400, "There is no such choice.")
    chosen = Preferences(theme=theme, most=most)  # type: ignore[arg-type]
    await run_in_threadpool(Service.of(request).accounts.prefer, visitor.reader, chosen)
    return redirect_saying(request, "/settings", "Preferences saved.")


@act
async def rename(request: Request, visitor: Visitor, form: FormData) -> Response:
    """Another name to log in by."""
    try:
        await run_in_threadpool(
            Service.of(request).accounts.rename, visitor.reader, text(form, "name", most=300)
        )
    except GainfulError as fault:
        return redirect_saying(request, "/settings", reader_message(Service.of(request).address, fault))
    return redirect_saying(request, "/settings", "The account has its new name.")


@act
async def set_password(request: Request, visitor: Visitor, form: FormData) -> Response:
    """Another password; who has one must know it. Other sessions end."""
    service = Service.of(request)
    new = text(form, "new", most=_MOST_PASSWORD)
    if new != text(form, "again", most=_MOST_PASSWORD):
        return redirect_saying(request, "/settings", "The two passwords differ; nothing was changed.")
    if not await _confirmed(request, visitor, text(form, "password", most=_MOST_PASSWORD)):
        return redirect_saying(request, "/settings", "That is not your password; nothing was changed.")
    try:
        await run_in_threadpool(service.accounts.set_password, visitor.reader, new)
    except GainfulError as fault:
        return redirect_saying(request, "/settings", reader_message(Service.of(request).address, fault))
    await run_in_threadpool(lambda: service.sessions.end_all(visitor.reader, but=visitor.secret))
    return redirect_saying(request, "/settings", "The password is set; sessions elsewhere have ended.")


async def _confirmed(request: Request, visitor: Visitor, password: str) -> bool:
    """Whether it is the reader who asks: by the password, where there is one; failures count as those of logins do."""
    from gainful.filtering.service.login_pages import check_login

    if not visitor.account.has_password:
        return True
    account, _ = await run_in_threadpool(
        check_login, Service.of(request), visitor.account.name, password, client_address(request)
    )
    return account is not None and account.reader == visitor.reader


@act
async def end_elsewhere(request: Request, visitor: Visitor, _form: FormData) -> Response:
    """End all other sessions."""
    sessions = Service.of(request).sessions
    await run_in_threadpool(lambda: sessions.end_all(visitor.reader, but=visitor.secret))
    return redirect_saying(request, "/settings", "Sessions elsewhere have ended.")


# ---- export and forget


@page
async def export(request: Request, visitor: Visitor) -> Response:
    """The reader's whole log as JSON lines."""

    def write(inbox: Inbox) -> IO[bytes]:
        file = tempfile.TemporaryFile()  # noqa: SIM115 (closed when it is sent)
        text = io.TextIOWrapper(file, encoding="utf-8", newline="\n")
        inbox.filter.export(text)
        text.flush()
        text.detach()
        file.seek(0)
        return file

    file = await Service.of(request).inboxes.ask(visitor.reader, write)
    headers = {"Content-Disposition": 'attachment; filename="gainful-export.jsonl"'}
    return StreamingResponse(_chunks(file), media_type="application/x-ndjson", headers=headers)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(_CHUNK):
            yield chunk


@act
async def forget(request: Request, visitor: Visitor, form: FormData) -> Response:
    """Everything of a reader removed for good, the account last."""
    service = Service.of(request)
    if text(form, "name", most=300).strip() != visitor.account.name:
        return redirect_saying(
            request, "/settings", "Write the name of the account to confirm; nothing was forgotten."
        )
    if not await _confirmed(request, visitor, text(form, "password", most=_MOST_PASSWORD)):
        return redirect_saying(request, "/settings", "That is not your password; nothing was forgotten.")
    await service.inboxes.forget(visitor.reader)
    await run_in_threadpool(service.accounts.remove, visitor.reader)
    response = redirect_saying(request, "/login", "Everything is forgotten, and the account is removed.")
    drop_cookie(request, response, SESSION_COOKIE)
    return response


routes = [
    Route("/settings", settings),
    Route("/settings/preferences", prefer, methods=["POST"]),
    Route("/settings/name", rename, methods=["POST"]),
    Route("/settings/password", set_password, methods=["POST"]),
    Route("/settings/elsewhere", end_elsewhere, methods=["POST"]),
    Route("/settings/export", export),
    Route("/settings/forget", forget, methods=["POST"]),
]
