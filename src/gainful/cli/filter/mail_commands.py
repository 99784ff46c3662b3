"""gainful filter mail: digests of what was delivered, by mail; set up, shown, ended, and sent where no server runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gainful.cli import say
from gainful.cli.filter.filter_options import existing_state, new_or_existing_state, state_option
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown, unshown

if TYPE_CHECKING:
    from gainful.filtering.inbox.inbox import Inbox
    from gainful.filtering.service.ledger import Ledger
    from gainful.filtering.service.mail_plans import DigestPlan

_Command = TypeVar("_Command", bound=Callable[..., Any])
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@click.group("mail", short_help="Send digests by mail.")
def mail_group() -> None:
    """Send what was delivered by mail, once a day or once a week.

    `gainful filter serve` sends digests by itself; without it, let cron call `gainful filter mail send` every hour. At most one
    digest is sent in each period, whatever happens in between.

    \b
    gainful filter mail set ada@example.org --hour 7 --zone Europe/London
    gainful filter mail send --smtp smtp://localhost:25 --sender gainful@example.org
    gainful filter mail off
    """


def _account_option(command: _Command) -> _Command:
    return click.option(
        "--account", metavar="NAME", help="The reader, on a server with several.  [default: the first]"
    )(command)


@contextmanager
def _ledger(address: str) -> Iterator[Ledger]:
    from gainful.filtering.service.ledger import Ledger
    from gainful.filtering.state.store_address import open_store

    with closing(Ledger(open_store(address))) as ledger:
        yield ledger


def _reader(ledger: Ledger, account: str | None) -> int:
    """The number of a reader; the first, unless an account is named."""
    if account is None:
        return 1
    from gainful.filtering.service.accounts import Accounts

    named = Accounts(ledger).named(unshown(account))
    if named is None:
        raise UsageError(f"there is no account '{shown(account)}'; `gainful filter account list` shows them.")
    return named.reader


@mail_group.command("set", short_help="Set or change a digest.")
@click.argument("address")
@click.option(
    "--every", type=click.Choice(("day", "week")), default="day", show_default=True, help="How often."
)
@click.option(
    "--weekday", type=click.Choice(_DAYS), default="monday", show_default=True, help="Of a weekly digest."
)
@click.option(
    "--hour", type=click.IntRange(0, 23), default=7, show_default=True, help="From which it is sent."
)
@click.option("--zone", default="UTC", show_default=True, metavar="NAME", help="Time zone, Europe/London.")
@click.option(
    "-n",
    "--most",
    type=click.IntRange(1, 100),
    default=20,
    show_default=True,
    metavar="N",
    help="Items at most.",
)
@_account_option
@state_option
def set_command(
    address: str,
    every: Any,
    weekday: str,
    hour: int,
    zone: str,
    most: int,
    account: str | None,
    state: str | None,
) -> None:
    """Send digests to ADDRESS, beginning with what is delivered from now on.

    \b
    gainful filter mail set ada@example.org
    gainful filter mail set ada@example.org --every week --weekday friday --hour 16 --zone Europe/Paris
    """
    place = new_or_existing_state(state)
    from gainful.filtering.inbox.inbox import Inbox
    from gainful.filtering.service.mail_plans import DigestPlans

    with _ledger(place) as ledger:
        reader = _reader(ledger, account)
        with Inbox(place, reader) as inbox:
            newest = inbox.marks(most=1)
        plan = DigestPlans(ledger).put(
            reader,
            address,
            upto=newest[0].number if newest else 0,
            period=every,
            weekday=_DAYS.index(weekday),
            hour=hour,
            zone=zone,
            most=most,
            confirmed=True,  # whoever may write to the state is trusted with it
        )
    click.echo(_sentence(plan))


@mail_group.command("show", short_help="Show where digests are sent.")
@_account_option
@state_option
def show_command(account: str | None, state: str | None) -> None:
    """Show where and when digests are sent, and whether the last one failed."""
    from gainful.filtering.service.mail_plans import DigestPlans

    with _ledger(existing_state(state)) as ledger:
        plan = DigestPlans(ledger).of(_reader(ledger, account))
    click.echo("No digests are sent." if plan is None else _sentence(plan))


@mail_group.command("off", short_help="Send no more digests.")
@_account_option
@state_option
def off_command(account: str | None, state: str | None) -> None:
    """Send no more digests."""
    from gainful.filtering.service.mail_plans import DigestPlans

    with _ledger(existing_state(state)) as ledger:
        ended = DigestPlans(ledger).end(_reader(ledger, account))
    click.echo("No more digests are sent." if ended else "No digests were sent.")


@mail_group.command("send", short_help="Send the digests that are due.")
@click.option(
    "--smtp",
    envvar="GAINFUL_SMTP",
    metavar="URL",
    help="The mail server, smtp://USER@HOST:587 or smtps://USER@HOST:465.  [default: $GAINFUL_SMTP]",
)
@click.option(
    "--sender",
    envvar="GAINFUL_MAIL_FROM",
    metavar="ADDRESS",
    help="The address that mails come from.  [default: $GAINFUL_MAIL_FROM]",
)
@click.option("--public-url", default="", metavar="URL", help="The service's address, for links that answer.")
@state_option
def send_command(smtp: str | None, sender: str | None, public_url: str, state: str | None) -> None:
    """Send the digests of all readers that are due; those that are not stay for the next time.

    The password of the mail server is read from GAINFUL_SMTP_PASSWORD.

    \b
    gainful filter mail send --smtp smtp://localhost:25 --sender gainful@example.org
    """
    import os

    from gainful.cli.filter.service_commands import web_address
    from gainful.filtering.inbox.inbox import Inbox
    from gainful.filtering.service.mail_digest import DigestPost, send_due
    from gainful.filtering.service.mail_server import PASSWORD, MailServer

    if not smtp or not sender:
        raise UsageError(
            "name the mail server with --smtp URL, and the address that mails come from with --sender."
        )
    public = web_address(public_url)
    server = MailServer.of(smtp, sender=sender, password=os.environ.get(PASSWORD, ""))
    place = existing_state(state)

    def inbox_of(reader: int) -> Inbox:
        return Inbox(place, reader)

    with _ledger(place) as ledger:
        results = send_due(DigestPost(ledger, server, public), inbox_of)
    faults = [fault for _, fault in results if fault]
    say(f"{len(results) - len(faults)} sent.")
    if faults:
        raise DataError("\n".join(faults))


def _sentence(plan: DigestPlan) -> str:
    """A plan in a sentence, and its last fault in another."""
    when = "day" if plan.period == "day" else _DAYS[plan.weekday].capitalize()
    sure = "" if plan.confirmed else " The address has not been confirmed yet."
    fault = f"\nThe last one was not sent ({plan.failures}×): {shown(plan.fault)}" if plan.fault else ""
    return f"Every {when} from {plan.hour}:00 ({plan.zone}) to {plan.address}, at most {plan.most} items.{sure}{fault}"
