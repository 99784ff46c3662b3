"""The service served: on a socket of this machine unless told otherwise, entered by a one-time link at its first start."""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from types import FrameType

from starlette.applications import Starlette

from gainful.errors import DataError, UsageError
from gainful.filtering.service.accounts import Account
from gainful.filtering.service.app import create_app
from gainful.filtering.service.service_parts import Service, ServiceOptions
from gainful.formats.ids import is_text, shown

_NAME = "reader"  # of the account that the first start makes
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_AT_ONCE = 500  # connections; more are told to come back later
_IDLE = 30  # seconds that a connection stays open between requests
_GRACE = 10  # seconds for requests under way when the server ends

Say = Callable[[str], None]


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def serve(address: str, *, host: str, port: int, options: ServiceOptions, say: Say) -> None:
    """Answer requests until the process is ended.

    address  of the main state
    host     where to listen; other machines are reached only where this is no loopback address
    port     0 takes one that is free
    options  how the service is reached, and what it does
    say      takes the lines that the operator reads
    """
    local = is_loopback(host) and not options.behind_proxy
    listening = listen(host, port)
    base = base_address(host, listening, options)
    chosen = local_options(options, base) if local else options
    with closing(listening):
        app = create_app(address, options=chosen)
        with closing(app.state.service.ledger):  # also where nobody may be let in, and no request is answered
            _welcome(app.state.service, say, local=local, base=base)
            answer_requests(app, listening)


def local_options(options: ServiceOptions, base: str) -> ServiceOptions:
    """How a service is reached that only this machine can reach: under no other names than those of loopback."""
    return replace(options, hosts=options.hosts or _LOOPBACK, public=base)


def answer_requests(app: Starlette, listening: socket.socket) -> None:
    """Answer requests at a socket until the process is ended."""
    import uvicorn

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=False,
        limit_concurrency=_AT_ONCE,
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=_GRACE,
        ws="none",
    )

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            """A second Ctrl+C does not cut the end short: what the service closes at its end is closed."""
            super().handle_exit(sig, frame)
            self.force_exit = False

    with suppress(KeyboardInterrupt):  # uvicorn raises the signal again, after the last answer
        Server(config).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """A socket at a host and port; 0 takes one that is free."""
    if not is_text(host):
        raise DataError(f"{shown(host)} is no name of a host; give an address of this machine with --host.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()  # whoever follows the link at once waits, and is not refused
    except (OSError, OverflowError) as fault:
        listening.close()
        reason = getattr(fault, "strerror", None) or str(fault)
        if isinstance(fault, socket.gaierror) or getattr(fault, "errno", None) == errno.EADDRNOTAVAIL:
            way_out = "That is no address of this machine; give one with --host."
        elif isinstance(fault, PermissionError):
            way_out = "Ports below 1024 are the administrator's; choose another with --port."
        else:
            way_out = "Is a server running there already? Choose another port with --port."
        raise DataError(f"{shown(host)}, port {port}: {shown(reason)}. {way_out}") from None
    return listening


def base_address(host: str, listening: socket.socket, options: ServiceOptions) -> str:
    """The address at which a service is reached."""
    if options.public:
        return options.public.rstrip("/")
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listening.getsockname()[1]}{options.prefix}"


def _welcome(service: Service, say: Say, *, local: bool, base: str) -> None:
    """Say how to get in: by a one-time link where nobody has a password yet and only this machine is listened to."""
    accounts = service.accounts.all()
    if not accounts and not local:
        raise UsageError(
            "there is no account yet, and other machines could reach this server; "
            "add one first: gainful filter account add NAME"
        )
    account = _linked(accounts) if accounts else service.accounts.create(_NAME)
    if account is not None and local:
        say(f"Open {base}/start?key={service.sessions.link(account.reader)}")
        say("The link works once, for an hour; the browser stays logged in. Ctrl+C ends the server.")
    else:
        say(f"Serving at {base}/  (Ctrl+C ends the server)")


def _linked(accounts: list[Account]) -> Account | None:
    """The account that a link is for: the only one, while it has no password."""
    return accounts[0] if len(accounts) == 1 and not accounts[0].has_password else None
