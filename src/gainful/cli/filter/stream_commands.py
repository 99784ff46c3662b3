"""gainful filter ingest, deliveries and feedback: documents arrive, readers get some and judge them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from gainful.cli import say
from gainful.cli.commands import Bar, refuse_existing, refuse_two_inputs, write
from gainful.cli.filter.filter_options import opened, state_option
from gainful.cli.options import output
from gainful.errors import DataError, GainfulError, UsageError
from gainful.filtering.document import CHANGED, FORMS, VERDICTS
from gainful.formats.ids import shown, unshown
from gainful.presentation.text_style import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gainful.filtering.delivery_forms import Item
    from gainful.filtering.document import Document
    from gainful.filtering.state.filter import Filter
    from gainful.filtering.state.filter_results import Ingested, ProfileState
    from gainful.formats.text_records import Place


@click.command("ingest", short_help="Read documents, and deliver those that reach a threshold.")
@click.argument("streams", metavar="STREAM...", nargs=-1, required=True)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="Format of the streams; feed is RSS, Atom or RDF.  [default: detected from name and content]",
)
@click.option(
    "--prefix",
    default="",
    metavar="TEXT",
    help="Prefix for every id, if ids of several sources would collide.",
)
@click.option("--salvage", is_flag=True, help="Read as much as possible of a feed with broken XML.")
@click.option(
    "--changed",
    type=click.Choice(CHANGED),
    default=CHANGED[0],
    show_default=True,
    help="If a document arrives again with a different text: an error, or keep the first version.",
)
@click.option("--archive", is_flag=True, help="Add the documents to the history without delivering any.")
@state_option
def ingest_command(
    streams: tuple[str, ...],
    form: str | None,
    prefix: str,
    salvage: bool,
    changed: str,
    archive: bool,
    state: str | None,
) -> None:
    """Read the documents of each STREAM in order, and deliver those that reach a profile's threshold.

    A STREAM holds JSON lines with id and text (optionally title, date and link), CSV or Parquet with those columns, or
    a feed (RSS, Atom) as a file; plain or compressed; - is standard input. Documents seen before are skipped, so that
    the same command can be repeated after an interruption, or every hour on the same feed. Feed items may be edited
    later: with --changed keep the first version stays.

    \b
    gainful filter ingest monday.jsonl.gz --state my.filter
    gainful filter ingest *.rss --changed keep --state my.filter
    curl -s https://example.org/feed | gainful filter ingest - --state my.filter
    """
    refuse_two_inputs(*streams)
    with opened(state) as filter_, Bar() as bar:
        before = _deliveries(filter_)
        reading = {"form": form, "prefix": prefix, "salvage": salvage}
        taken = _Taken(filter_, bar, reading, deliver=not archive, changed=changed)
        for path in streams:
            taken.take(path)
        after = _deliveries(filter_)
    if not after and not archive:
        taken.notes.append(
            "there is no profile, so nothing can be delivered; add one with `gainful filter profile add`."
        )
    for note in taken.notes:
        say(f"note: {note}")
    whose = [f"{shown(name)} {number:,}" for name, number in (after - before).items()]
    who = f" ({', '.join(whose)})" if whose else ""
    click.echo(f"{_said(taken.total)}{who}.")


class _Taken:
    """Streams that are taken in one after the other."""

    def __init__(self, filter_: Filter, bar: Bar, reading: dict[str, Any], **how: Any) -> None:
        from gainful.filtering.state.filter_results import Ingested

        self.filter, self.bar, self.reading, self.how = filter_, bar, reading, how
        self.total = self.so_far = Ingested()
        self.notes: list[str] = []
        self.unread: DataError | None = None

    def take(self, path: str) -> None:
        """Everything that the file holds; where something is wrong, what came before it stays."""
        self.so_far = type(self.total)()
        try:
            self.filter.ingest(self._read(path), progress=self._tell, **self.how)
        except KeyboardInterrupt:
            raise _Interrupted(f"interrupted. {self._kept()} Run it again to continue.") from None
        except DataError as fault:
            # What went wrong in reading names the file already.
            where = "" if fault is self.unread else f"{'standard input' if path == '-' else shown(path)}: "
            raise DataError(f"{where}{fault} {self._kept()}") from None
        self.total += self.so_far
        self.so_far = type(self.total)()

    def _read(self, path: str) -> Iterator[Document]:
        from gainful.filtering.stream_reader import documents_in

        try:
            yield from documents_in(path, progress=self.bar.tell, on_note=self.notes.append, **self.reading)
        except DataError as fault:
            self.unread = fault
            raise

    def _tell(self, so_far: Ingested) -> None:
        self.so_far = so_far

    def _kept(self) -> str:
        done = self.total + self.so_far
        return (
            f"The documents before it are kept: {_said(done)}."
            if done.documents or done.again or done.changed
            else "Nothing was taken in."
        )


class _Interrupted(GainfulError):
    """Ended by the user, with what was done said."""

    exit_code = 130


def _deliveries(filter_: Filter) -> Counter[str]:
    """How many each profile has had so far."""
    return Counter({profile.name: profile.deliveries for profile in filter_.profiles()})


def _said(done: Ingested) -> str:
    parts = [counted(done.documents, "new document")]
    if done.again:
        parts.append(f"{done.again:,} seen before")
    if done.changed:
        parts.append(f"{done.changed:,} changed (the first version is kept)")
    if done.empty:
        parts.append(f"{done.empty:,} empty")
    return f"{', '.join(parts)}; {counted(done.deliveries, 'delivery', 'deliveries')}"


_LAST = 2**63 - 1  # no event has a higher number


@click.command("deliveries", short_help="Show what was delivered.")
@click.option("-p", "--profile", metavar="NAME", help="Deliveries to this profile only.")
@click.option(
    "--since",
    metavar="EVENT|TIME",
    help="After this event number, or from this time on: 2026-03-13, 2026-03-13T09:30+01:00; UTC without a time zone.",
)
@click.option("--last", type=click.IntRange(1), metavar="N", help="The latest N only.")
@state_option
@output(
    ("table", "jsonl", "markdown", "atom"),
    note="markdown is a digest; atom a feed file for a feed reader.",
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
    from gainful.filtering.delivery_forms import items
    from gainful.filtering.inbox.reader_texts import ReaderTexts

    with opened(state) as filter_:
        texts = ReaderTexts(filter_)
        chosen = deque(filter_.deliveries(profile=whose, since=from_when), last)
        delivered = items(filter_, texts.filled(chosen))
        if form != "jsonl":  # which has terms
            delivered = [item.worded(texts) for item in delivered]
        write(_view(form, delivered, filter_, whose, places), output)
    if delivered:
        number = delivered[-1].delivery.number
        say(f"note: --since {number} shows later deliveries.")


def _view(form: str, delivered: Sequence[Item], filter_: Filter, profile: str | None, places: int) -> str:
    if form == "atom":
        from gainful.filtering.delivery_forms import atom

        return atom(delivered, of=filter_.stats().created, profile=profile)
    if form == "markdown":
        from gainful.filtering.delivery_forms import digest

        return digest(delivered, places=places)
    if form == "jsonl":
        from gainful.filtering.delivery_forms import json_lines

        return json_lines(delivered)
    from gainful.filtering.delivery_forms import table

    return table(delivered, places=places)


def _since(text: str) -> int | datetime:
    if text.isascii() and text.isdigit():
        return min(int(text), _LAST)
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"--since must be the number of an event, or a time such as 2026-03-13 or 2026-03-13T09:30Z; got {text!r}"
        ) from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


@click.command("feedback", short_help="Judge a document relevant or not.")
@click.argument("profile", required=False)
@click.argument("document", required=False)
@click.argument(
    "verdict", required=False, metavar="[relevant|not-relevant|undo]", type=click.Choice(list(VERDICTS))
)
@click.option(
    "--file", metavar="FILE", help="File of records with profile, id and verdict; all are applied, or none."
)
@state_option
def feedback_command(
    profile: str | None, document: str | None, verdict: str | None, file: str | None, state: str | None
) -> None:
    """Judge a document relevant or not; the profile and its threshold are updated immediately. Late feedback is fine.

    A FILE holds JSON lines (or CSV, Parquet) with profile, id and verdict. Records whose verdict is null, or whose profile was
    removed, are skipped, so that you can fill in the output of `deliveries --format jsonl` and pass it back.

    \b
    gainful filter feedback garden d17 relevant --state my.filter
    gainful filter feedback garden d17 undo --state my.filter
    gainful filter feedback --file answers.jsonl --state my.filter
    """
    if (file is None) == (profile is None) or (file is None and verdict is None):
        raise UsageError("give PROFILE, DOCUMENT and relevant, not-relevant or undo; or --file FILE.")
    with opened(state) as filter_:
        before = {each.name: each for each in filter_.profiles()}
        if file is not None:
            done = _given_back(filter_, file)
        else:
            done = filter_.bulk([(unshown(profile or ""), unshown(document or ""), verdict or "")])
        after = {each.name: each for each in filter_.profiles()}
    if file is not None:
        click.echo(f"{counted(done, 'answer')} taken.")
    from gainful.filtering.answer_text import threshold_change

    for name, now in after.items():
        if name in before and (_moved(before[name], now) or name == unshown(profile or "")):
            theta = before[name].theta
            change = threshold_change(
                name, judged=now.n, relevant=now.relevant, before=theta, after=now.theta
            )
            click.echo(change)


def _moved(before: ProfileState, now: ProfileState) -> bool:
    return (before.theta, before.relevant, before.other) != (now.theta, now.relevant, now.other)


def _given_back(filter_: Filter, file: str) -> int:
    """Feedback from a file, all or none; a fault names the line, whoever found it."""
    from gainful.formats.text_records import records

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
    from gainful.formats.text_records import given_id, given_text

    verdict = given_text(place, record, "verdict")
    if (
        not verdict or record.get("removed") is True
    ):  # another profile may have the name of one that was removed
        return None
    if verdict not in VERDICTS:
        raise place.fault(f"verdict must be {', '.join(VERDICTS)} or null; got '{shown(verdict)}'.")
    profile = given_text(place, record, "profile")
    if not profile:
        raise place.fault('feedback without a profile; add a field "profile".')
    return unshown(profile), given_id(place, record, "feedback"), verdict
