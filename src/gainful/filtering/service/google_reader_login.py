"""Login of the Google Reader API: who a client's request belongs to, its parameters, its token, and faults as sentences.

A client logs in with the name of the account and a password for programs, and sends that password with every request.
It is no cookie that a browser would add, so the API needs no token against forged forms; it gives and checks the one that
clients ask for all the same.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import parse_qs

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from gainful.errors import GainfulError, UsageError
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.service.accounts import Account
from gainful.filtering.service.google_reader_streams import MOST_IDS, Fields, last
from gainful.filtering.service.login_pages import check_login
from gainful.filtering.service.service_faults import reader_message
from gainful.filtering.service.service_parts import Service
from gainful.filtering.service.visitors import client_address, storable
from gainful.filtering.state.store import StoreUnavailable

_SCHEME = "googlelogin auth="
_TOKEN = 57  # characters, as of Google's; some clients count them
_TOKENLESS = ("", "x")  # FeedMe sends none, Reeder an x
_MOST_FIELDS = MOST_IDS + 100


@dataclass(frozen=True)
class Call:
    """A request of a client that is logged in.

    given   parameters of address and body
    secret  the password for programs that it was sent with
    """

    request: Request
    account: Account
    given: Fields
    secret: str

    @property
    def service(self) -> Service:
        """The service that was asked."""
        return Service.of(self.request)

    @property
    def base(self) -> str:
        """The address of the service, as the client knows it; ends in a slash."""
        return str(self.request.base_url)

    async def ask(self, work: Callable[[Inbox], object]) -> Response:
        """A JSON answer made with the inbox of the client's reader."""
        return json_response(await self.service.inboxes.ask(self.account.reader, work))


_Handler = Callable[[Call], Awaitable[Response]]


def json_response(record: object) -> Response:
    """A record as JSON."""
    return Response(msgspec.json.encode(record), media_type="application/json; charset=utf-8")


# ---- login


async def client_login(request: Request) -> Response:
    """The name of an account and a password for programs become what every later request carries."""
    given = await _fields(request)
    name, secret = storable(last(given, "Email")[:300]), last(given, "Passwd")[:300]
    account, wait = await run_in_threadpool(
        check_login, Service.of(request), name, secret, client_address(request), programs=True
    )
    if wait:
        headers = {"Retry-After": str(wait)}
        return PlainTextResponse("Error=TooManyFailedLogins\n", 429, headers=headers)
    if account is None:
        return PlainTextResponse("Error=BadAuthentication\n", 401)
    auth = f"{account.reader}/{secret}"
    if last(given, "output") == "json":
        return json_response({"SID": auth, "LSID": "null", "Auth": auth})
    return PlainTextResponse(f"SID={auth}\nLSID=null\nAuth={auth}\n")


async def _fields(request: Request) -> Fields:
    """Parameters of address and body, however many; what is not UTF-8 is replaced."""
    given: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        given.setdefault(name, []).append(storable(value))
    body = await request.body() if request.method == "POST" else b""
    try:
        sent = parse_qs(
            body.decode("utf-8", "replace"),
            keep_blank_values=True,
            max_num_fields=_MOST_FIELDS,
            errors="replace",
        )
    except ValueError:
        raise UsageError(f"a request has at most {_MOST_FIELDS:,} fields.") from None
    for name, values in sent.items():
        given.setdefault(name, []).extend(storable(value) for value in values)
    return given


def _client(service: Service, header: str) -> tuple[Account | None, str]:
    """The account that a request's header opens, and the password in it."""
    if not header.lower().startswith(_SCHEME):
        return None, ""
    number, _, secret = header[len(_SCHEME) :].strip().partition("/")
    reader = int(number) if number.isascii() and number.isdigit() and len(number) < 16 else 0
    account = service.accounts.of(reader) if reader else None
    return None if account is None else service.accounts.check_api_password(account.name, secret), secret


def client_token(secret: str) -> str:
    """What clients send with changes; it is as good as the password for programs lasts."""
    return hmac.new(secret.encode(), b"token", hashlib.sha256).hexdigest()[:_TOKEN]


def call_of_client(handler: _Handler) -> Callable[[Request], Awaitable[Response]]:
    """Whoever sends no password for programs is refused; faults become sentences."""

    @functools.wraps(handler)
    async def answered(request: Request) -> Response:
        try:
            header = request.headers.get("authorization", "")
            account, secret = await run_in_threadpool(_client, Service.of(request), header)
            if account is None:
                return _unauthorized("Unauthorized\n")
            return await handler(Call(request, account, await _fields(request), secret))
        except GainfulError as fault:
            away = isinstance(fault, StoreUnavailable)
            status = 503 if away else 400 if isinstance(fault, UsageError) else 409
            headers = {"Retry-After": "30"} if away else {}
            said = reader_message(Service.of(request).address, fault)
            return PlainTextResponse(f"{said}\n", status, headers=headers)

    return answered


def change_of_client(handler: _Handler) -> Callable[[Request], Awaitable[Response]]:
    """A call that changes something: with the token, or with none."""

    @functools.wraps(handler)
    async def checked(call: Call) -> Response:
        sent = last(call.given, "T").strip()
        if sent not in _TOKENLESS and not hmac.compare_digest(
            sent.encode(), client_token(call.secret).encode()
        ):
            return _unauthorized("Bad token\n", {"X-Reader-Google-Bad-Token": "true"})
        return await handler(call)

    return call_of_client(checked)


def _unauthorized(said: str, more: dict[str, str] | None = None) -> Response:
    return PlainTextResponse(
        said, 401, headers={"WWW-Authenticate": 'GoogleLogin realm="Gainful"', **(more or {})}
    )


@call_of_client
async def token(call: Call) -> Response:
    """The token that changes are sent with."""
    return PlainTextResponse(client_token(call.secret))


routes = [
    Route("/accounts/ClientLogin", client_login, methods=["POST"]),
    Route("/reader/api/0/token", token, methods=["GET", "POST"]),
]
