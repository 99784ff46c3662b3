"""gainful filter deliveries and feedback: what readers get, and what they say of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from gainful.cli.filter.common import opened, state_option
from gainful.cli.options import output, refuse_existing
from gainful.cli.output import write
from gainful.errors import DataError, UsageError
from gainful.filtering.choices import VERDICTS
from gainful.formats.ids import shown, unshown
from gainful.formats.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gainful.filtering.delivering.items import Item
    from gainful.filtering.records import Place
    from gainful.filtering.state.filter import Filter
    from gainful.filtering.state.results import ProfileState

_LAST = 2**63 - 1  # no event has a higher number


@click.command("deliveries", short_help="What readers get.")
@click.option("-p", "--profile", metavar="NAME", help="To this reader only.")
@click.option(
    "--since",
    metavar="EVENT|TIME",
    help="After the event of this number, or from this time on: 2026-03-13, 2026-03-13T09:30+01:00; UTC without a zone.",
)
@click.option("--last", type=click.IntRange(1), metavar="N", help="The newest N only.")
@state_option
@output(
    ("table", "jsonl", "markdown", "atom"),
    note="markdown is a digest; atom a feed that a reader can subscribe to as a file.",
)
def deliveries_command(
    profile: str | None,
    since: str | None,
    last: int | None,
    state: str | None,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
) -> None:
    """Show what was delivered: a table, JSON lines, a digest in Markdown, or an Atom feed.

    \b
    gainful filter deliveries --profile garden --state my.filter
    gainful filter deliveries --since 812 --format markdown -o today.md --state my.filter
    gainful filter deliveries --last 50 --format atom -o garden.atom --overwrite --state my.filter
    """
    refuse_existing(output, overwrite=overwrite)
    from_when = None if since is None else _since(since)
    whose = None if profile is None else unshown(profile)
    from gainful.filtering.delivering.items import items

    with opened(state) as filter_:
        found = items(filter_, deque(filter_.deliveries(profile=whose, since=from_when), last))
        write(_view(form, found, filter_, whose, places), output)
    if found:
        number = found[-1].delivery.number
        click.echo(f"note: --since {number} shows what comes after these.", err=True)


def _view(form: str, found: Sequence[Item], filter_: Filter, profile: str | None, places: int) -> str:
    if form == "atom":
        from gainful.filtering.delivering.atom import atom

        return atom(found, of=filter_.stats().created, profile=profile)
    if form == "markdown":
        from gainful.filtering.delivering.digest import digest

        return digest(found, places=places)
    if form == "jsonl":
        from gainful.filtering.delivering.lines import json_lines

        return json_lines(found)
    from gainful.filtering.delivering.table import table

    return table(found, places=places)


def _since(text: str) -> int | datetime:
    if text.isascii() and text.isdigit():
        return min(int(text), _LAST)
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"--since must be the number of an event, or a time such as 2026-03-13 or 2026-03-13T09:30Z; got {text!r}"
        ) from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


@click.command("feedback", short_help="Say what a delivery was worth.")
@click.argument("profile", required=False)
@click.argument("document", required=False)
@click.argument(
    "verdict", required=False, metavar="[relevant|not-relevant|undo]", type=click.Choice(list(VERDICTS))
)
@click.option(
    "--file", metavar="FILE", help="Many at once, all or none: records with profile, id and verdict."
)
@state_option
def feedback_command(
    profile: str | None, document: str | None, verdict: str | None, file: str | None, state: str | None
) -> None:
    """Say whether a document was worth reading; the profile and its threshold learn at once. Late feedback is fine.

    A FILE holds JSON lines (or CSV, Parquet) with profile, id and verdict; records whose verdict is null, or whose profile was
    removed, are passed over, so that the lines of `deliveries --format jsonl` can be filled in and given back.

    \b
    gainful filter feedback garden d17 relevant --state my.filter
    gainful filter feedback garden d17 undo --state my.filter
    gainful filter feedback --file answers.jsonl --state my.filter
    """
    if (file is None) == (profile is None) or (file is None and verdict is None):
        raise UsageError("give PROFILE, DOCUMENT and relevant, not-relevant or undo; or --file FILE.")
    with opened(state) as filter_:
        before = {one.name: one for one in filter_.profiles()}
        if file is not None:
            done = _given_back(filter_, file)
        else:
            done = filter_.bulk([(unshown(profile or ""), unshown(document or ""), verdict or "")])
        after = {one.name: one for one in filter_.profiles()}
    if file is not None:
        click.echo(f"{counted(done, 'answer')} taken.")
    for name, now in after.items():
        if name in before and (_moved(before[name], now) or name == unshown(profile or "")):
            click.echo(
                f"{shown(name)}: {now.n:,} judged, {now.relevant:,} of them relevant; "
                f"threshold {before[name].theta:.4f} → {now.theta:.4f}."
            )


def _moved(before: ProfileState, now: ProfileState) -> bool:
    return (before.theta, before.relevant, before.other) != (now.theta, now.relevant, now.other)


def _given_back(filter_: Filter, file: str) -> int:
    """Feedback from a file, all or none; a fault names the line, whoever found it."""
    from gainful.filtering.records import records

    at = None

    def answers() -> Iterator[tuple[str, str, str]]:
        nonlocal at
        for place, record in records(file):
            if (answer := _answer(place, record)) is not None:
                at = place
                yield answer
                at = None

    try:
        return filter_.bulk(answers())
    except DataError as fault:
        raise fault if at is None else at.fault(str(fault)) from None


def _answer(place: Place, record: Mapping[str, Any]) -> tuple[str, str, str] | None:
    from gainful.filtering.streams import given_id, given_text

    verdict = given_text(place, record, "verdict")
    if (
        not verdict or record.get("removed") is True
    ):  # another profile may have the name of one that was removed
        return None
    if verdict not in VERDICTS:
        raise place.fault(f"verdict must be {', '.join(VERDICTS)} or null; got '{shown(verdict)}'.")
    profile = given_text(place, record, "profile")
    if not profile:
        raise place.fault('feedback without a profile; name it under "profile".')
    return unshown(profile), given_id(place, record, "feedback"), verdict
