"""The page *Other programs*: passwords for programs, secret feeds, digests by mail, webhooks."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gainful.errors import GainfulError, UsageError, printable
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.service.mail_digest import DigestPost
from gainful.filtering.service.mail_plans import DAYS, DigestPlan, DigestPlans
from gainful.filtering.service.mail_server import MailServer
from gainful.filtering.service.page_templates import page_response, redirect_saying
from gainful.filtering.service.secret_feeds import SecretFeeds
from gainful.filtering.service.service_parts import Service
from gainful.filtering.service.visitors import Visitor, act, page, text
from gainful.filtering.service.webhooks import Webhooks

PATH = "/settings/programs"


@page
async def programs(request: Request, visitor: Visitor) -> Response:
    """What other programs have been given."""
    return await _shown(request, visitor)


async def _shown(request: Request, visitor: Visitor, **shown_once: str) -> Response:
    """The page; what was made just now is shown on it, once.

    shown_once  `what` it is, with its `secret` or `address`
    """
    service, reader = Service.of(request), visitor.reader
    names = await service.inboxes.ask(reader, lambda inbox: inbox.profile_names())
    given = await run_in_threadpool(_given, service, reader)
    return page_response(
        request,
        "programs.html",
        visitor,
        names=names,
        days=DAYS,
        base=str(request.base_url).rstrip("/"),
        made={"secret": "", "address": "", "what": "", **shown_once},
        **given,
    )


def _given(service: Service, reader: int) -> dict[str, Any]:
    return {
        "passwords": service.accounts.api_passwords(reader),
        "feeds": SecretFeeds(service.ledger).all(reader),
        "plan": DigestPlans(service.ledger).of(reader),
        "hooks": Webhooks(service.ledger).all(reader),
        "mails": _sends_mail(),
    }


def _sends_mail() -> bool:
    """Whether the environment names a mail server, and all that belongs to it."""
    try:
        return MailServer.from_environment() is not None
    except UsageError:
        return False


def _newest(inbox: Inbox) -> int:
    newest = inbox.marks(most=1)
    return newest[0].number if newest else 0


def _whole(value: str, what: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 16):
        raise UsageError(f"{what} must be a number.")
    return int(value)


async def _profile(request: Request, visitor: Visitor, form: FormData) -> int | None:
    """The number of the reader's profile that a form names; None for all."""
    chosen = text(form, "profile")
    if not chosen:
        return None
    names = await Service.of(request).inboxes.ask(visitor.reader, lambda inbox: inbox.profile_names())
    if _whole(chosen, "a profile") not in names:
        raise UsageError("there is no such profile.")
    return int(chosen)


# ---- passwords


@act
async def add_password(request: Request, visitor: Visitor, form: FormData) -> Response:
    """A new password for a program, shown once."""
    label = text(form, "label", most=200) or "a program"
    accounts = Service.of(request).accounts
    secret = await run_in_threadpool(accounts.add_api_password, visitor.reader, label)
    return await _shown(request, visitor, what="password", secret=secret)


@act
async def revoke_password(request: Request, visitor: Visitor, form: FormData) -> Response:
    """End a password; programs that have it are logged out."""
    number = _whole(text(form, "number"), "a password")
    await run_in_threadpool(Service.of(request).accounts.revoke_api_password, visitor.reader, number)
    return redirect_saying(request, PATH, "The password is revoked.")


# ---- secret feeds


@act
async def add_feed(request: Request, visitor: Visitor, form: FormData) -> Response:
    """A new secret address, shown once."""
    profile = await _profile(request, visitor, form)
    secret = await run_in_threadpool(SecretFeeds(Service.of(request).ledger).add, visitor.reader, profile)
    address = f"{request.base_url}secret/{secret}"
    return await _shown(request, visitor, what="feed", address=address)


@act
async def revoke_feed(request: Request, visitor: Visitor, form: FormData) -> Response:
    """End a secret address."""
    number = _whole(text(form, "number"), "a feed")
    await run_in_threadpool(SecretFeeds(Service.of(request).ledger).revoke, visitor.reader, number)
    return redirect_saying(request, PATH, "The address is revoked.")


# ---- mail


@act
async def set_mail(request: Request, visitor: Visitor, form: FormData) -> Response:
    """A digest by mail; an address that is new is asked to confirm."""
    service = Service.of(request)
    server = MailServer.from_environment()
    if server is None:
        raise UsageError(
            "this server sends no mail; whoever runs it can set GAINFUL_SMTP and GAINFUL_MAIL_FROM."
        )
    newest = await service.inboxes.ask(visitor.reader, _newest)
    post = DigestPost(service.ledger, server, service.options.public)
    try:
        plan = await run_in_threadpool(_planned, post, visitor.reader, newest, form)
    except GainfulError as fault:
        return redirect_saying(request, PATH, printable(str(fault)))
    if plan.confirmed:
        return redirect_saying(request, PATH, "The digest is set.")
    return redirect_saying(
        request, PATH, f"A mail was sent to {plan.address}: follow its link to allow digests."
    )


def _planned(post: DigestPost, reader: int, newest: int, form: FormData) -> DigestPlan:
    """The plan that a form asks for; an address that is not confirmed is asked."""
    plan = post.plans.put(
        reader,
        text(form, "address", most=320),
        upto=newest,
        period="week" if text(form, "period") == "week" else "day",
        weekday=_whole(text(form, "weekday") or "0", "a weekday"),
        hour=_whole(text(form, "hour"), "an hour"),
        zone=text(form, "zone", most=60) or "UTC",
        most=_whole(text(form, "most"), "the number of items"),
    )
    if not plan.confirmed:
        post.ask(plan)
    return plan


@act
async def end_mail(request: Request, visitor: Visitor, _form: FormData) -> Response:
    """No more digests."""
    await run_in_threadpool(DigestPlans(Service.of(request).ledger).end, visitor.reader)
    return redirect_saying(request, PATH, "No more digests are sent.")


# ---- webhooks


@act
async def add_hook(request: Request, visitor: Visitor, form: FormData) -> Response:
    """A new webhook; its secret is shown once."""
    service = Service.of(request)
    profile = await _profile(request, visitor, form)
    newest = await service.inboxes.ask(visitor.reader, _newest)
    hook = await run_in_threadpool(
        lambda: Webhooks(service.ledger).add(
            visitor.reader,
            text(form, "address", most=2000),
            upto=newest,
            profile=profile,
            allow_private=service.options.allow_private,
        )
    )
    return await _shown(request, visitor, what="hook", secret=hook.secret)


@act
async def remove_hook(request: Request, visitor: Visitor, form: FormData) -> Response:
    """End a webhook."""
    number = _whole(text(form, "number"), "a webhook")
    await run_in_threadpool(Webhooks(Service.of(request).ledger).remove, visitor.reader, number)
    return redirect_saying(request, PATH, "The webhook is removed.")


routes = [
    Route(PATH, programs),
    Route(f"{PATH}/password", add_password, methods=["POST"]),
    Route(f"{PATH}/password/revoke", revoke_password, methods=["POST"]),
    Route(f"{PATH}/feed", add_feed, methods=["POST"]),
    Route(f"{PATH}/feed/revoke", revoke_feed, methods=["POST"]),
    Route(f"{PATH}/mail", set_mail, methods=["POST"]),
    Route(f"{PATH}/mail/end", end_mail, methods=["POST"]),
    Route(f"{PATH}/webhook", add_hook, methods=["POST"]),
    Route(f"{PATH}/webhook/remove", remove_hook, methods=["POST"]),
]
