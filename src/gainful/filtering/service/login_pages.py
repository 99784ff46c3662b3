"""Login, logout, and the one-time link of the first start."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gainful.filtering.service.accounts import Account
from gainful.filtering.service.page_templates import page_response, redirect_saying
from gainful.filtering.service.service_parts import Service
from gainful.filtering.service.sessions import forgery_token
from gainful.filtering.service.visitors import (
    SESSION_COOKIE,
    VISIT_COOKIE,
    Visitor,
    act,
    checked_form,
    client_address,
    drop_cookie,
    new_secret,
    query,
    redirect,
    set_cookie,
    text,
    visitor_of,
)

_WRONG = "Name and password do not belong together."
_MOST_NAME, _MOST_PASSWORD = 300, 2000


async def login_page(request: Request) -> Response:
    """The form to log in; who is logged in already goes on."""
    if await visitor_of(request) is not None:
        return redirect(request, "/")
    return _login_form(request)


def _login_form(request: Request, fault: str = "", status: int = 200) -> Response:
    secret = request.cookies.get(VISIT_COOKIE) or new_secret()
    response = page_response(
        request, "login.html", form_token=forgery_token(secret), fault=fault, status=status
    )
    set_cookie(request, response, VISIT_COOKIE, secret, life=3600)
    return response


async def log_in(request: Request) -> Response:
    """Name and password checked, at most so often."""
    form = await checked_form(request, request.cookies.get(VISIT_COOKIE, ""))
    name, password = text(form, "name", most=_MOST_NAME), text(form, "password", most=_MOST_PASSWORD)
    account, wait = await run_in_threadpool(
        check_login, Service.of(request), name, password, client_address(request)
    )
    if account is None:
        if wait:
            response = _login_form(
                request, f"Too many failed logins; try again in {-(-wait // 60)} minutes.", 429
            )
            response.headers["Retry-After"] = str(wait)
            return response
        return _login_form(request, _WRONG, 401)
    return await _begin(request, account.reader)


def check_login(
    service: Service, name: str, password: str, address: str, *, programs: bool = False
) -> tuple[Account | None, int]:
    """The account that name and password open, or None and the seconds to wait after too many failures.

    address   of the client, whose failures are counted
    programs  the password is one for programs, not the one of the page
    """
    wait = service.limits.wait(name, address)
    if wait:
        return None, wait
    check = service.accounts.check_api_password if programs else service.accounts.check_password
    account = check(name, password)
    if account is None:
        service.limits.failed(name, address)
        return None, 0
    service.limits.succeeded(name, address)
    return account, 0


async def _begin(request: Request, reader: int) -> Response:
    """A new session, whatever the browser had before."""
    service = Service.of(request)
    earlier = request.cookies.get(SESSION_COOKIE, "")
    if earlier:
        await run_in_threadpool(service.sessions.end, earlier)
    secret = await run_in_threadpool(service.sessions.begin, reader)
    response = redirect(request, "/")
    set_cookie(request, response, SESSION_COOKIE, secret)
    drop_cookie(request, response, VISIT_COOKIE)
    return response


async def start(request: Request) -> Response:
    """The one-time link: lets its reader in, once."""
    if request.method != "GET":  # a look that asks for headers alone does not use the link up
        return Response()
    reader = await run_in_threadpool(Service.of(request).sessions.follow, query(request, "key"))
    if reader is not None:
        return await _begin(request, reader)
    if await visitor_of(request) is not None:
        return redirect(request, "/")
    return _login_form(
        request, "This link was used before, or is too old. Starting the server prints a new one.", 403
    )


@act
async def log_out(request: Request, visitor: Visitor, _form: object) -> Response:
    """End this session."""
    await run_in_threadpool(Service.of(request).sessions.end, visitor.secret)
    response = redirect_saying(request, "/login", "You are logged out.")
    drop_cookie(request, response, SESSION_COOKIE)
    return response


routes = [
    Route("/login", login_page),
    Route("/login", log_in, methods=["POST"]),
    Route("/start", start),
    Route("/logout", log_out, methods=["POST"]),
]
