"""When a reader's digest is due, and what is kept of it: at most one for each period, whatever happens to the process.

A period is noted before its message is handed over, so a process that is killed in between leaves a period without a mail
rather than one with two; what would have been in it comes with the next.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo

from gainful.errors import UsageError
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.mail_server import mail_address
from gainful.filtering.state.events import moment
from gainful.filtering.state.store import Row, Store
from gainful.formats.ids import shown

Period = Literal["day", "week"]
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

MOST = 100
"""Items that a digest may hold at most."""

_ASKED_AGAIN = timedelta(minutes=10)  # between two questions whether an address is right
_FIRST_RETRY, _LAST_RETRY = timedelta(minutes=5), timedelta(hours=6)
_ASTRAY = timedelta(days=8)  # a period so far ahead was noted by a clock that was wrong


@dataclass(frozen=True)
class DigestPlan:
    """When and where a reader's digest is sent.

    address    where to
    period     how often: each day, or each week
    weekday    of a weekly one; 0 is Monday
    hour       from which it is due, in the reader's time zone
    most       items it holds at most
    confirmed  whether the address was found to be the reader's
    last_period  the date of the last one that was begun
    upto       the number of the last entry that was sent
    due        before this time a failed one is not tried again
    failures, fault  attempts that failed since, and why the last one did
    """

    reader: int
    address: str
    period: Period
    weekday: int
    hour: int
    zone: str
    most: int
    confirmed: bool
    last_period: str
    upto: int
    due: datetime
    failures: int
    fault: str

    def current(self, now: datetime) -> str:
        """The date of the period that this moment belongs to: when a digest was last to be sent."""
        return current_period(now, self.period, weekday=self.weekday, hour=self.hour, zone=self.zone)


def current_period(now: datetime, period: Period, *, weekday: int, hour: int, zone: str) -> str:
    """The date on which a digest was last to be sent.

    >>> noon = datetime(2026, 11, 18, 12, tzinfo=UTC)  # a Wednesday
    >>> current_period(noon, "day", weekday=0, hour=7, zone="UTC"), current_period(noon, "day", weekday=0, hour=13, zone="UTC")
    ('2026-11-18', '2026-11-17')
    >>> current_period(noon, "week", weekday=0, hour=7, zone="UTC")
    '2026-11-16'
    """
    local = now.astimezone(time_zone(zone))
    sent = local.date() if local.hour >= hour else local.date() - timedelta(days=1)
    back = (sent.weekday() - weekday) % 7 if period == "week" else 0
    return (sent - timedelta(days=back)).isoformat()


def time_zone(name: str) -> tzinfo:
    """The time zone of this name; refused where there is none."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        raise UsageError(
            f"there is no time zone '{shown(name[:60])}'; write it as Europe/Paris, or UTC."
        ) from None


@dataclass(frozen=True)
class Claim:
    """A digest that this process, and no other, has to send: its plan, its period, and the period before."""

    plan: DigestPlan
    period: str


_PLAN = (
    "SELECT reader, address, period, weekday, hour, zone, most, confirmed, last_period, upto, due, failures, fault "
    "FROM mail_digests"
)


class DigestPlans:
    """The digests of all readers."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def of(self, reader: int) -> DigestPlan | None:
        """A reader's plan; None where there is none."""
        with self._ledger.reading() as store:
            return _plan_of(store, reader)

    def all(self) -> list[DigestPlan]:
        """Every plan."""
        with self._ledger.reading() as store:
            return [_plan(row) for row in store.rows(f"{_PLAN} ORDER BY reader")]

    def put(
        self,
        reader: int,
        address: str,
        *,
        upto: int,
        period: Period = "day",
        weekday: int = 0,
        hour: int = 7,
        zone: str = "UTC",
        most: int = 20,
        confirmed: bool = False,
    ) -> DigestPlan:
        """Set or change a reader's plan; an address that was confirmed stays so. The first digest comes at its next time.

        upto  the newest entry there is: digests begin with what comes after it
        """
        to = mail_address(address)
        _check(period, weekday, hour, most)
        now = self._ledger.now()
        begun = current_period(now, period, weekday=weekday, hour=hour, zone=zone)
        known = self.of(reader)
        sure = confirmed or (known is not None and known.confirmed and known.address == to)
        if not sure and not self._may_ask(reader):
            raise UsageError("an address was asked to confirm only minutes ago; try again in a while.")
        with self._ledger.writing() as store:
            before = _plan_of(store, reader)
            last = before.last_period if before is not None and before.period == period else begun
            values = (to, period, weekday, hour, zone, most, int(sure), max(begun, last) if sure else begun)
            due = self._ledger.time(timedelta() if sure else _ASKED_AGAIN)
            store.execute("DELETE FROM mail_digests WHERE reader = ?", (reader,))
            store.execute(
                "INSERT INTO mail_digests (address, period, weekday, hour, zone, most, confirmed, last_period, reader, upto, "
                "due, failures, fault) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '')",
                (*values, reader, upto if before is None else before.upto, due),
            )
            return _needed(store, reader)

    def _may_ask(self, reader: int) -> bool:
        """Whether another address may be asked; noted apart from the plan, which its reader can end and make again."""
        return self._ledger.lease(f"mail question of {reader}", secrets.token_hex(8), _ASKED_AGAIN)

    def confirm(self, reader: int, address: str) -> bool:
        """The owner of the address agrees; False where it is not the plan's address any more."""
        with self._ledger.writing() as store:
            plan = _plan_of(store, reader)
            if plan is None or plan.address != address:
                return False
            if not plan.confirmed:
                store.execute(
                    "UPDATE mail_digests SET confirmed = 1, last_period = ?, due = ? WHERE reader = ?",
                    (plan.current(self._ledger.now()), self._ledger.time(), reader),
                )
        return True

    def end(self, reader: int, address: str | None = None) -> bool:
        """No more digests for a reader, or only if they go to this address; whether there were any."""
        with self._ledger.writing() as store:
            plan = _plan_of(store, reader)
            if plan is None or address not in (None, plan.address):
                return False
            store.execute("DELETE FROM mail_digests WHERE reader = ?", (reader,))
        return True

    # ---- sending

    def due(self) -> list[int]:
        """Readers whose digest is due."""
        now = self._ledger.now()
        return [plan.reader for plan in self.all() if _is_due(plan, now) or _is_astray(plan, now)]

    def claim(self, reader: int) -> Claim | None:
        """Note that a reader's digest is being sent; None where it is not due, or another process has noted it."""
        now = self._ledger.now()
        with self._ledger.writing() as store:
            plan = _plan_of(store, reader)
            if plan is None:
                return None
            period = plan.current(now)
            if _is_astray(plan, now):  # begin anew with the next period
                _note(store, reader, period)
                return None
            if not _is_due(plan, now):
                return None
            _note(store, reader, period)
        return Claim(plan, period)

    def sent(self, claim: Claim, upto: int) -> None:
        """The server has the message; its entries are not sent again."""
        with self._ledger.writing() as store:
            store.execute(
                "UPDATE mail_digests SET upto = ?, failures = 0, fault = '' WHERE reader = ? AND upto <= ?",
                (upto, claim.plan.reader, upto),
            )

    def failed(self, claim: Claim, fault: str, *, again: bool) -> None:
        """The message was not sent.

        again  try once more within the period, after a while; otherwise its entries come with the next digest
        """
        wait = min(_FIRST_RETRY * 2 ** min(claim.plan.failures, 10), _LAST_RETRY)
        with self._ledger.writing() as store:
            store.execute(
                "UPDATE mail_digests SET failures = failures + 1, fault = ? WHERE reader = ?",
                (fault[:500], claim.plan.reader),
            )
            if again:
                store.execute(
                    "UPDATE mail_digests SET last_period = ?, due = ? WHERE reader = ? AND last_period = ?",
                    (claim.plan.last_period, self._ledger.time(wait), claim.plan.reader, claim.period),
                )


def _check(period: str, weekday: int, hour: int, most: int) -> None:
    if period not in ("day", "week"):
        raise UsageError(f"a digest comes each day or each week; got {shown(period[:40])}.")
    if not 0 <= weekday <= 6 or not 0 <= hour <= 23:
        raise UsageError("a digest comes on a weekday from 0 to 6 (0 is Monday), at an hour from 0 to 23.")
    if not 1 <= most <= MOST:
        raise UsageError(f"a digest holds 1 to {MOST} items; got {most:,}.")


def _is_due(plan: DigestPlan, now: datetime) -> bool:
    waits = now < plan.due <= now + _LAST_RETRY
    return plan.confirmed and not waits and plan.current(now) > plan.last_period


def _is_astray(plan: DigestPlan, now: datetime) -> bool:
    return date.fromisoformat(plan.last_period) > date.fromisoformat(plan.current(now)) + _ASTRAY


def _note(store: Store, reader: int, period: str) -> None:
    store.execute("UPDATE mail_digests SET last_period = ? WHERE reader = ?", (period, reader))


def _plan_of(store: Store, reader: int) -> DigestPlan | None:
    row = store.row(f"{_PLAN} WHERE reader = ?", reader)
    return None if row is None else _plan(row)


def _needed(store: Store, reader: int) -> DigestPlan:
    return _plan(store.needed("a digest", f"{_PLAN} WHERE reader = ?", reader))


def _plan(row: Row) -> DigestPlan:
    reader, address, period, weekday, hour, zone, most, confirmed, last_period, upto, due, failures, fault = (
        row
    )
    return DigestPlan(
        reader,
        address,
        period,
        weekday,
        hour,
        zone,
        most,
        bool(confirmed),
        last_period,
        upto,
        moment(due),
        failures,
        fault,
    )
