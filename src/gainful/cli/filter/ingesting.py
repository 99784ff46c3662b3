"""gainful filter ingest: documents arrive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from gainful.cli.filter.common import opened, state_option
from gainful.cli.options import refuse_two_inputs
from gainful.cli.progress import Bar
from gainful.errors import DataError, GainfulError
from gainful.filtering.choices import CHANGED, FORMS
from gainful.formats.ids import shown
from gainful.formats.words import counted

if TYPE_CHECKING:
    from gainful.filtering.documents import Document
    from gainful.filtering.state.filter import Filter
    from gainful.filtering.state.results import Ingested


@click.command("ingest", short_help="Take documents in, and deliver what is worth it.")
@click.argument("streams", metavar="STREAM...", nargs=-1, required=True)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="Of the streams; feed is RSS, Atom or RDF.  [default: told from name and content]",
)
@click.option(
    "--prefix", default="", metavar="TEXT", help="Put before every id, where those of sources would meet."
)
@click.option("--salvage", is_flag=True, help="Read what can be read of a feed that is broken XML.")
@click.option(
    "--changed",
    type=click.Choice(CHANGED),
    default=CHANGED[0],
    show_default=True,
    help="An id seen before with other text is a fault, or what was first seen is kept.",
)
@click.option(
    "--archive", is_flag=True, help="Fill the history only: these documents are delivered to nobody."
)
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
    """Take the documents of each STREAM in, in their order, and deliver what reaches a reader's threshold.

    A STREAM holds JSON lines with id and text (and perhaps title, date and link), CSV or Parquet with those columns, or
    a feed (RSS, Atom) as a file; plain or compressed; - is standard input. A document seen before is passed over, so that
    the same command can be run again after an interruption, or every hour on the same feed. Feeds are edited: with
    --changed keep an item whose text is another one now stays as it was first seen.

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
            "there is no profile, so nothing can be delivered; `gainful filter profile add` makes one."
        )
    for note in taken.notes:
        click.echo(f"note: {note}", err=True)
    whose = [f"{shown(name)} {number:,}" for name, number in (after - before).items()]
    who = f" ({', '.join(whose)})" if whose else ""
    click.echo(f"{_said(taken.total)}{who}.")


class _Taken:
    """Streams that are taken in one after the other."""

    def __init__(self, filter_: Filter, bar: Bar, reading: dict[str, Any], **how: Any) -> None:
        from gainful.filtering.state.results import Ingested

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
            raise _Interrupted(f"interrupted. {self._kept()} Run it again to go on.") from None
        except DataError as fault:
            # What went wrong in reading names the file already.
            where = "" if fault is self.unread else f"{'standard input' if path == '-' else shown(path)}: "
            raise DataError(f"{where}{fault} {self._kept()}") from None
        self.total += self.so_far
        self.so_far = type(self.total)()

    def _read(self, path: str) -> Iterator[Document]:
        from gainful.filtering.arriving import documents_in

        try:
            yield from documents_in(path, progress=self.bar.tell, told=self.notes.append, **self.reading)
        except DataError as fault:
            self.unread = fault
            raise

    def _tell(self, so_far: Ingested) -> None:
        self.so_far = so_far

    def _kept(self) -> str:
        done = self.total + self.so_far
        return (
            f"What came before it is kept: {_said(done)}."
            if done.documents or done.again or done.changed
            else "Nothing was taken in."
        )


class _Interrupted(GainfulError):
    """Ended by the user, with what was done said."""

    exit_code = 130


def _deliveries(filter_: Filter) -> Counter[str]:
    """How many each profile has had so far."""
    return Counter({one.name: one.deliveries for one in filter_.profiles()})


def _said(done: Ingested) -> str:
    parts = [counted(done.documents, "new document")]
    if done.again:
        parts.append(f"{done.again:,} seen before")
    if done.changed:
        parts.append(f"{done.changed:,} changed (kept as first seen)")
    if done.empty:
        parts.append(f"{done.empty:,} empty")
    return f"{', '.join(parts)}; {counted(done.deliveries, 'delivery', 'deliveries')}"
