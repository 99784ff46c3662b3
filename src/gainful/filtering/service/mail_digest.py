"""Digests by mail: written from a reader's inbox, handed to the mail server, with links that answer and one that ends them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage

from starlette.concurrency import run_in_threadpool

from gainful.errors import DataError, GainfulError, printable
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.inbox.inbox_entry import Entry
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.mail_message import Letter, Sheet, confirmation_message, digest_message
from gainful.filtering.service.mail_plans import Claim, DigestPlan, DigestPlans
from gainful.filtering.service.mail_server import MailNotSent, MailServer
from gainful.filtering.service.service_parts import Service
from gainful.filtering.service.signed_links import SignedLinks, entry_urn, signing_key

ANSWERS, ENDING, CONFIRMING = "mail answers", "mail ending", "mail confirming"
"""Purposes of signed links."""

ANSWERED_WITHIN, CONFIRMED_WITHIN = timedelta(days=30), timedelta(days=7)
"""How long the links of a mail can be followed."""

_log = logging.getLogger("gainful.service")


@dataclass(frozen=True)
class Written:
    """A digest that is ready to be sent, and the newest entry that it accounts for."""

    message: EmailMessage
    upto: int


class DigestPost:
    """Writes and sends digests.

    public  the address of the service as readers know it; without one mails have no links to answer
    """

    def __init__(self, ledger: Ledger, server: MailServer, public: str = "") -> None:
        self._ledger, self._server, self._public = ledger, server, public.rstrip("/")
        self.plans = DigestPlans(ledger)

    def write(self, claim: Claim, inbox: Inbox) -> Written | None:
        """The digest of what is unread and unanswered since the last one; None where nothing is."""
        plan = claim.plan
        waiting = inbox.marks(after=plan.upto, unread=True, answered="none", most=None)
        entries = inbox.entries_of([marks.number for marks in waiting[: plan.most]])
        if not entries:
            return None
        letter = Letter(
            [self._sheet(plan.reader, entry) for entry in entries],
            len(waiting) - len(entries),
            self._public,
            self._address("unsubscribe", ENDING, plan.reader, plan.address),
        )
        key = signing_key(self._ledger, "messages")
        period = int(claim.period.replace("-", ""))
        message = digest_message(
            letter,
            sender=self._server.sender,
            to=plan.address,
            name=f"digest.{entry_urn(key, plan.reader, period).rpartition(':')[2]}",
            now=self._ledger.now(),
        )
        return Written(message, max(marks.number for marks in waiting))

    def _sheet(self, reader: int, entry: Entry) -> Sheet:
        number = entry.number or 0
        return Sheet(
            entry,
            self._address("answer", ANSWERS, reader, number, "relevant", lasting=ANSWERED_WITHIN),
            self._address("answer", ANSWERS, reader, number, "not-relevant", lasting=ANSWERED_WITHIN),
        )

    def _address(self, what: str, purpose: str, *facts: str | int, lasting: timedelta | None = None) -> str:
        if not self._public:
            return ""
        until = None if lasting is None else self._ledger.now() + lasting
        return f"{self._public}/mail/{what}/{SignedLinks(self._ledger, purpose).token(*facts, until=until)}"

    def send(self, claim: Claim, written: Written) -> None:
        """Hand a digest over, and note what came of it; raises where it was not sent."""
        try:
            self._server.send(written.message, claim.plan.address)
        except DataError as fault:
            self.plans.failed(claim, printable(str(fault)), again=isinstance(fault, MailNotSent))
            raise
        self.plans.sent(claim, written.upto)

    def ask(self, plan: DigestPlan) -> None:
        """Ask the owner of an address whether digests may be sent there."""
        link = self._address("confirm", CONFIRMING, plan.reader, plan.address, lasting=CONFIRMED_WITHIN)
        if not link:
            raise DataError(
                "the service does not know by which address it is reached, so no link can be mailed; start it with --public-url."
            )
        message = confirmation_message(
            link, sender=self._server.sender, to=plan.address, now=self._ledger.now()
        )
        self._server.send(message, plan.address)


def send_due(post: DigestPost, inbox_of: Callable[[int], Inbox]) -> list[tuple[int, str]]:
    """Send every digest that is due, one after the other; for each reader what came of it: empty, or a fault."""
    results = []
    for reader in post.plans.due():
        try:
            claim = post.plans.claim(reader)
            if claim is not None:
                with inbox_of(reader) as inbox:
                    written = post.write(claim, inbox)
                if written is not None:
                    post.send(claim, written)
                    results.append((reader, ""))
        except GainfulError as fault:
            results.append((reader, str(fault)))
    return results


async def send_digests(service: Service) -> None:
    """Send digests that are due, if the environment names a mail server; one that fails keeps no other back."""
    server = MailServer.from_environment()
    if server is None:
        return
    post = DigestPost(service.ledger, server, service.options.public)
    for reader in await run_in_threadpool(post.plans.due):
        try:
            claim = await run_in_threadpool(post.plans.claim, reader)
            if claim is None:
                continue
            written = await service.inboxes.ask(reader, lambda inbox, claim=claim: post.write(claim, inbox))  # type: ignore[misc]
            if written is not None:
                await run_in_threadpool(post.send, claim, written)
        except GainfulError as fault:
            _log.warning("the digest of reader %d: %s", reader, printable(str(fault)))
        except Exception:  # whatever one reader's items make a library stumble over
            _log.exception("the digest of reader %d", reader)


duties = [send_digests]
