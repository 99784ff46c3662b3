"""Judging pages served to several assessors at once, on the foundations of the filter's service.

Accounts, sessions and limits on logins are those of `filtering.service`, kept in a state of its own in the study's folder;
answers are kept by `answer_journal`, and a page is told that one was kept when it is on the disk.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from gainful.errors import DataError, UsageError
from gainful.filtering.service import login_pages, page_templates
from gainful.filtering.service.accounts import Account, Accounts, clean_name
from gainful.filtering.service.app import FAULT_HANDLERS, HEALTH
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.open_inboxes import OpenInboxes
from gainful.filtering.service.request_guard import RequestGuard
from gainful.filtering.service.server import (
    Say,
    answer_requests,
    base_address,
    is_loopback,
    listen,
    local_options,
)
from gainful.filtering.service.service_parts import Service, ServiceOptions
from gainful.filtering.service.sessions import forgery_token, is_forgery_token
from gainful.filtering.service.threshold_pictures import Pictures
from gainful.filtering.service.visitors import Visitor, visitor_of
from gainful.filtering.service.visitors import page as page_for
from gainful.filtering.state.filter import Filter
from gainful.filtering.state.filter_session import Clock
from gainful.filtering.state.store_address import open_store
from gainful.formats.ids import shown, some_quoted
from gainful.studies.answer_journal import AnswerJournal
from gainful.studies.judging_page import assessor_data, filled_page, page_policy, page_script
from gainful.studies.study_folder import Study, shown_record

ACCOUNTS = "accounts.filter"
"""The file in the folder of a study that holds the accounts of its assessors."""

_MOST_RECORDS = 1000


class Judging:
    """What the handlers use: the study, and a journal for each assessor to whom something is assigned."""

    def __init__(self, study: Study) -> None:
        self.study = study
        _refuse_alike(study.manifest.assessors)
        assigned = {row.assessor for row in study.assignments}
        self.journals: dict[str, AnswerJournal] = {}
        try:
            for name in study.manifest.assessors:
                if name in assigned:
                    self.journals[name] = AnswerJournal(study, name)
        except BaseException:
            self.close()
            raise
        self.data = cache(lambda assessor: assessor_data(study, assessor))

    def journal_of(self, account: Account) -> AnswerJournal:
        """The journal of the assessor who is logged in."""
        for name, journal in self.journals.items():
            if clean_name(name).casefold() == account.name.casefold():
                return journal
        raise HTTPException(403, f"Nothing is assigned to {shown(account.name)} in this study.")

    def close(self) -> None:
        """Write every assessor's file, and close the journals."""
        for journal in self.journals.values():
            journal.close()


def _refuse_alike(assessors: Sequence[str]) -> None:
    """Raise where two assessors would have one account: upper and lower case are alike there."""
    names: dict[str, str] = {}
    for name in assessors:
        before = names.setdefault(clean_name(name).casefold(), name)
        if before != name:
            raise UsageError(
                f"assessors '{shown(before)}' and '{shown(name)}' cannot have accounts of their own; rename one."
            )


def create_judging_app(
    study: Study, *, options: ServiceOptions | None = None, clock: Clock | None = None
) -> Starlette:
    """The application that serves the pages of a study's assessors and takes their answers.

    options  how it is reached
    clock    gives the time of sessions; the system's by default
    """
    chosen = options or ServiceOptions(fetch=False)
    address = accounts_state(study)
    judging = Judging(study)
    ledger = Ledger(open_store(address), clock)
    service = Service(address, chosen, ledger, OpenInboxes(address, clock=clock), Pictures())
    for name in judging.journals:
        service.accounts.named(name) or service.accounts.create(name)

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(judging.close)
        await run_in_threadpool(ledger.close)

    app = Starlette(
        routes=[HEALTH, *login_pages.routes, *page_templates.routes, *_routes],
        lifespan=running,
        middleware=[Middleware(RequestGuard, options=chosen)],
        exception_handlers=FAULT_HANDLERS,
    )
    app.state.service, app.state.judging = service, judging
    return app


def accounts_state(study: Study) -> str:
    """The address of the state that holds the accounts; made where it is not there yet."""
    if study.path is None:
        raise UsageError("the study has no folder yet; write it with write_study first.")
    path = study.path / ACCOUNTS
    if not path.exists():
        Filter.create(path).close()
    return str(path)


@page_for
async def _judging_page(request: Request, visitor: Visitor) -> Response:
    judging: Judging = request.app.state.judging
    journal = judging.journal_of(visitor.account)
    root = request.scope.get("root_path", "")
    served = {"address": f"{root}/answers", "leave": f"{root}/logout", "token": forgery_token(visitor.secret)}

    def filled() -> str:
        name = journal.assessor
        return filled_page(judging.study, name, judging.data(name), journal.answers(), served=served)

    headers = {
        "Content-Security-Policy": page_policy(page_script(), connect="'self'") + "; frame-ancestors 'none'"
    }
    return HTMLResponse(await run_in_threadpool(filled), headers=headers)


async def _take_answers(request: Request) -> Response:
    """Answers that the page sends: acknowledged when they are on the disk."""
    visitor = await visitor_of(request)
    if visitor is None:
        raise HTTPException(401, "The session has ended; log in again.")
    elsewhere = request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
    if elsewhere or not is_forgery_token(visitor.secret, request.headers.get("x-gainful-token", "")):
        raise HTTPException(403, "The answers do not come from a page of this session; load the page again.")
    judging: Judging = request.app.state.judging
    journal = judging.journal_of(visitor.account)
    records = _records(await request.body(), judging.study)
    kept = await run_in_threadpool(journal.add, records)
    return JSONResponse({"records": [msgspec.to_builtins(shown_record(reply)) for reply in kept]})


def _records(body: bytes, study: Study) -> list[Any]:
    try:
        fields = msgspec.json.decode(body)
    except (msgspec.DecodeError, ValueError, RecursionError):
        raise DataError("the message is not JSON.") from None
    records = fields.get("records") if isinstance(fields, dict) else None
    if not isinstance(records, list) or len(records) > _MOST_RECORDS:
        raise DataError(f"the message must hold a list of at most {_MOST_RECORDS:,} records.")
    if fields.get("study") != study.manifest.id:
        raise DataError("the answers belong to another study; load the page again.")
    return records


_routes = [Route("/", _judging_page), Route("/answers", _take_answers, methods=["POST"])]


def serve_study(study: Study, *, host: str, port: int, options: ServiceOptions, say: Say) -> None:
    """Serve the pages until the process is ended.

    host     where to listen; other machines are reached only where this is no loopback address
    port     0 takes one that is free
    options  how the service is reached
    say      takes the lines that the operator reads
    """
    local = is_loopback(host) and not options.behind_proxy
    listening = listen(host, port)
    base = base_address(host, listening, options)
    try:
        app = create_judging_app(study, options=local_options(options, base) if local else options)
        try:
            _welcome(app.state.service, app.state.judging, say, local=local, base=base)
        except UsageError:
            app.state.judging.close()
            app.state.service.ledger.close()
            raise
        answer_requests(app, listening)
    finally:
        listening.close()


def _welcome(service: Service, judging: Judging, say: Say, *, local: bool, base: str) -> None:
    """Say how each assessor gets in: by a one-time link while nobody else can reach the server, or with a password."""
    accounts = {name: service.accounts.named(name) for name in judging.journals}
    without = [name for name, account in accounts.items() if account is not None and not account.has_password]
    if without and not local:
        raise UsageError(
            f"other machines could reach this server, and {some_quoted(without)} have no password; "
            "set one for each first: gainful judge --password NAME STUDY"
        )
    for name in without:
        account = accounts[name]
        assert account is not None
        say(f"{shown(name)}: open {base}/start?key={service.sessions.link(account.reader)}")
    if without:
        say("Each link works once, for an hour; the browser stays logged in.")
    if len(without) < len(accounts):
        say(f"Log in at {base}/")
    say(
        f"Answers are kept in {shown(str(Path(judging.study.path or '') / 'answers'))}. Ctrl+C ends the server."
    )


def check_assessor(study: Study, name: str) -> None:
    """Raise where nobody of that name judges in the study."""
    if name not in study.manifest.assessors:
        raise UsageError(
            f"'{shown(name)}' is no assessor of this study; it has {some_quoted(study.manifest.assessors)}."
        )


def set_password(study: Study, assessor: str, password: str) -> None:
    """Set the password with which an assessor logs in; earlier sessions end."""
    from gainful.filtering.service.sessions import Sessions

    check_assessor(study, assessor)
    with closing(Ledger(open_store(accounts_state(study)))) as ledger:
        accounts = Accounts(ledger)
        account = accounts.named(assessor) or accounts.create(assessor)
        accounts.set_password(account.reader, password)
        Sessions(ledger).end_all(account.reader)
