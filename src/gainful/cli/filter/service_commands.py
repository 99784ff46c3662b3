"""gainful filter serve and account: the filter as a service, and who may log in."""

from __future__ import annotations

import warnings
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import click

from gainful.cli import say
from gainful.cli.filter.filter_options import existing_state, new_or_existing_state, state_option
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gainful.filtering.service.accounts import Account, Accounts


@click.command("serve", short_help="Serve the filter as a web page and to other programs.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8400, show_default=True, help="Port; 0 takes a free one."
)
@click.option("--no-fetch", is_flag=True, help="Do not fetch feeds; another process does.")
@click.option(
    "--behind-proxy",
    is_flag=True,
    help="Believe the X-Forwarded headers of the proxy in front of the server.",
)
@click.option(
    "--prefix", default="", metavar="PATH", help="Path under which a proxy serves it, such as /news."
)
@click.option(
    "--public-url",
    default="",
    metavar="URL",
    help="Address as readers know it, for links in mails and feeds.",
)
@state_option
def serve_command(
    host: str, port: int, no_fetch: bool, behind_proxy: bool, prefix: str, public_url: str, state: str | None
) -> None:
    """Serve a page to read and answer what the filter delivers, fetch feeds in the background, and speak to other programs.

    \b
    gainful filter serve
    gainful filter serve --state postgresql://gainful@localhost/news --port 8401
    gainful filter serve --behind-proxy --prefix /news --public-url https://example.org/news
    """
    needed()
    from gainful.filtering.service.server import serve
    from gainful.filtering.service.service_parts import ServiceOptions

    options = ServiceOptions(
        behind_proxy=behind_proxy,
        prefix=path_prefix(prefix),
        fetch=not no_fetch,
        public=web_address(public_url),
    )
    serve(new_or_existing_state(state), host=host, port=port, options=options, say=say)


def path_prefix(prefix: str) -> str:
    """The path of --prefix as the service takes it: none, or with a slash before it and none behind."""
    path = "/" + prefix.strip("/") if prefix.strip("/") else ""
    if not path.isascii() or any(letter in path for letter in "?#%\\ "):
        raise UsageError(f"--prefix must be a path such as /news; got {prefix!r}")
    return path


def web_address(address: str) -> str:
    """The address of --public-url, which must be one of the web.

    >>> web_address("https://example.org/news/")
    'https://example.org/news'
    """
    from urllib.parse import urlsplit

    try:
        sound = not address or (urlsplit(address).scheme in ("http", "https") and urlsplit(address).hostname)
    except ValueError:  # as of http://[
        sound = False
    if not sound:
        raise UsageError(f"--public-url must be an address such as https://example.org/news; got {address!r}")
    return address.rstrip("/")


def needed() -> None:
    """Raise where a package is missing that the service needs."""
    from importlib.util import find_spec

    missing = [
        name
        for name in ("starlette", "uvicorn", "argon2", "httpx", "feedparser", "nh3")
        if find_spec(name) is None
    ]
    if missing:
        raise UsageError(f"the service needs {', '.join(missing)}: pip install 'gainful[service]'")


@click.group("account", short_help="Add, list and remove accounts of the service; set passwords.")
def account_group() -> None:
    """Manage who may log in to `gainful filter serve`.

    Each account has a reader of its own: profiles, answers and feeds that no other account sees.

    \b
    gainful filter account add ada
    gainful filter account password ada
    gainful filter account list
    """


@contextmanager
def _accounts(state: str | None) -> Iterator[Accounts]:
    needed()
    from gainful.filtering.service.accounts import Accounts
    from gainful.filtering.service.ledger import Ledger
    from gainful.filtering.state.store_address import open_store

    with closing(Ledger(open_store(existing_state(state)))) as ledger:
        yield Accounts(ledger)


def _known(accounts: Accounts, name: str) -> Account:
    account = accounts.named(name)
    if account is None:
        raise DataError(f"there is no account '{shown(name)}'; `gainful filter account list` lists them.")
    return account


def asked_password() -> str:
    """The password that somebody types twice, unseen; an error where there is no terminal to ask on."""
    from getpass import GetPassWarning

    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "error", GetPassWarning
            )  # it would be read, and shown, from what is no terminal
            password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    except GetPassWarning:
        raise UsageError(
            "a password is asked for on a terminal, and there is none here; "
            "set GAINFUL_PASSWORD in the environment instead."
        ) from None
    return password


def _given_or_asked(ctx: click.Context, _: click.Parameter, given: str | None) -> str:
    return given or ("" if ctx.resilient_parsing else asked_password())


_PASSWORD = click.option(
    "--password",
    callback=_given_or_asked,
    envvar="GAINFUL_PASSWORD",
    help="The password; asked for where it is not given, or taken from GAINFUL_PASSWORD.",
)


@account_group.command("add", short_help="Add an account.")
@click.argument("name")
@_PASSWORD
@state_option
def add_command(name: str, password: str, state: str | None) -> None:
    """Add an account with a password of 10 characters or more."""
    new_or_existing_state(state)
    with _accounts(state) as accounts:
        account = accounts.create(name, password)
    click.echo(f"Account {shown(account.name)} is there; it is reader {account.reader}.")


@account_group.command("list", short_help="List the accounts.")
@state_option
def list_command(state: str | None) -> None:
    """List the accounts."""
    from gainful.presentation.table import Table

    with _accounts(state) as accounts:
        rows = [
            [
                str(account.reader),
                shown(account.name),
                "yes" if account.has_password else "no",
                f"{account.created:%Y-%m-%d}",
            ]
            for account in accounts.all()
        ]
    text = (
        Table(["reader", "name", "password", "since"], rows, names=4).text()
        if rows
        else "There is no account yet."
    )
    click.echo(text)


@account_group.command("password", short_help="Set another password.")
@click.argument("name")
@_PASSWORD
@state_option
def password_command(name: str, password: str, state: str | None) -> None:
    """Set another password for an account. Its sessions end."""
    from gainful.filtering.service.sessions import Sessions

    with _accounts(state) as accounts:
        account = _known(accounts, name)
        accounts.set_password(account.reader, password)
        Sessions(accounts.ledger).end_all(account.reader)
    click.echo(f"Account {shown(account.name)} has its new password; its sessions have ended.")


@account_group.command("remove", short_help="Remove an account, with everything its reader has.")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@state_option
def remove_command(name: str, yes: bool, state: str | None) -> None:
    """Remove an account, and its reader's profiles, answers and feeds, for good."""
    from gainful.filtering.service.open_inboxes import forget_reader

    with _accounts(state) as accounts:
        account = _known(accounts, name)
        if not yes:
            click.confirm(
                f"Erase everything of {shown(account.name)} (reader {account.reader}), for good?",
                abort=True,
                err=True,
            )
        forget_reader(existing_state(state), account.reader)
        accounts.remove(account.reader)
    click.echo(f"Account {shown(account.name)} is removed, and what its reader had is erased.")
