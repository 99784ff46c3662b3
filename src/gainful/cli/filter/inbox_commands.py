"""gainful filter today, yes, no, undo, open: what is new, in a numbered list, and answers by number."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from gainful.cli import say
from gainful.cli.commands import Counted, write
from gainful.cli.filter.filter_options import (
    as_json,
    existing_state,
    feeds_extra,
    new_or_existing_state,
    state_option,
)
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown, unshown
from gainful.presentation.text_style import counted

if TYPE_CHECKING:
    from gainful.filtering.feeds.fetch_round import RoundResult
    from gainful.filtering.inbox.inbox import Inbox
    from gainful.filtering.inbox.inbox_entry import Entry, Moved
    from gainful.filtering.inbox.shown_list import ShownLine
    from gainful.filtering.state.filter_calls import Verdict

_WIDEST = 100  # columns that a list fills, on a terminal that has more


@click.command("today", short_help="Fetch feeds, and list what is new.")
@click.option("-p", "--profile", metavar="NAME", help="Only what was delivered to this profile.")
@click.option(
    "-n",
    "--most",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Length of the list; what does not fit is in the next one.",
)
@click.option("--offline", is_flag=True, help="Fetch nothing.")
@click.option("--near", is_flag=True, help="List what was not delivered and nearly was.")
@click.option("--again", is_flag=True, help="Show the last list again, with your answers.")
@state_option
@click.option(
    "-f", "--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True
)
def today_command(
    profile: str | None, most: int, offline: bool, near: bool, again: bool, state: str | None, form: str
) -> None:
    """Fetch the feeds that are due, and list what is new since the last time, with the reasons for each entry.

    Answer by number: the profile and its threshold are updated immediately.

    \b
    gainful filter today
    gainful filter yes 1 3
    gainful filter no 2
    gainful filter open 1
    """
    if near and again:
        raise UsageError("give --near for a new list, or --again for the last one.")
    address = new_or_existing_state(state)
    from gainful.filtering.inbox.inbox import Inbox

    name = None if profile is None else unshown(profile)
    if not (offline or again) and _has_feeds(address):
        _fetch(address)
    with Inbox(address) as inbox:
        arrived = 0 if again else _take_in(inbox)
        entries = _last(inbox) if again else _new(inbox, name, most, near)
        waiting = 0 if again or near else inbox.count(profile=name, fresh=True, unread=True, answered="none")
        notes = [] if again else _missing(inbox)
    if entries or form == "json":
        _print(entries, form, waiting)
    else:
        write(f"{_nothing(near, arrived)}\n", None)
    for note in notes:
        say(f"note: {note}")


def _has_feeds(address: str) -> bool:
    from gainful.filtering.inbox.inbox import Inbox

    with Inbox(address) as inbox:
        return bool(inbox.feeds.feeds(inbox.reader))


def _fetch(address: str) -> None:
    """Fetch what is due; failures are counted, and shown by `feeds`."""
    with feeds_extra():
        from gainful.filtering.feeds.fetch_round import fetch_all

    with Counted() as bar:

        def progress(done: int, total: int) -> None:
            bar.tell("feeds", done, total)

        result: RoundResult = fetch_all(address, progress=progress)
    if result.failed:
        say(f"note: {counted(result.failed, 'feed')} could not be fetched; `gainful filter feeds` shows why.")


def _take_in(inbox: Inbox) -> int:
    """Send what was fetched through the filter; how many items there were."""
    with Counted() as bar:
        return inbox.take_in(progress=lambda so_far: bar.tell("items", so_far.documents, None)).documents


def _new(inbox: Inbox, profile: str | None, most: int, near: bool) -> list[Entry]:
    """What is new or was nearly delivered, as the list that numbers refer to from now on."""
    from gainful.filtering.inbox.shown_list import ShownList

    if near:
        entries = inbox.near(profile, most)
    else:
        entries = inbox.entries(profile=profile, fresh=True, unread=True, answered="none", most=most)
    ShownList(inbox).show(entries)
    return entries


def _last(inbox: Inbox) -> list[Entry]:
    from gainful.filtering.inbox.shown_list import ShownList

    return inbox.about([(line.profile, line.item) for line in ShownList(inbox).lines()])


def _missing(inbox: Inbox) -> list[str]:
    """What a newcomer still has to do."""
    notes = []
    if not inbox.feeds.feeds(inbox.reader) and not inbox.count():
        notes.append("there are no feeds yet; `gainful filter subscribe ADDRESS` adds one.")
    if not inbox.profile_names():
        notes.append(
            'there is no profile yet; `gainful filter profile add NAME "what you want to read"` adds one, and what '
            "arrived before waits for it."
        )
    return notes


def _nothing(near: bool, arrived: int) -> str:
    """What is said where there is nothing to list."""
    if near:
        return "Nothing was nearly delivered."
    if arrived:
        return (
            f"Nothing new: {counted(arrived, 'item')} arrived, and none reached a threshold. "
            "`gainful filter today --near` lists the nearest."
        )
    return "Nothing new."


def _print(entries: Sequence[Entry], form: str, waiting: int) -> None:
    from gainful.filtering.inbox.entry_text import entry_record, numbered

    if form == "json":
        records = [entry_record(entry, number) for number, entry in enumerate(entries, 1)]
        write(as_json({"entries": records, "waiting": waiting}), None)
        return
    columns = min(shutil.get_terminal_size().columns, _WIDEST) if sys.stdout.isatty() else 80
    more = f"{counted(waiting, 'more entry', 'more entries')}: gainful filter today\n" if waiting else ""
    other = min(2, len(entries))
    answer = f"Answer by number: gainful filter yes 1, gainful filter no {other}; gainful filter open 1\n"
    write(f"{numbered(entries, columns=columns)}\n{more}{answer}", None)


class Numbers(click.ParamType[Any]):
    """Numbers of a list: 3, or 2-4."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> range:
        """The numbers, as a range."""
        first, dash, last = str(value).partition("-")
        try:
            numbers = range(int(first), int(last if dash else first) + 1)
        except ValueError:
            numbers = range(0)
        if not numbers or numbers[0] < 1 or len(numbers) > 1000:
            self.fail(f"{value!r} is not a number of the list; write 3, or 2-4 for several", param, ctx)
        return numbers


def _by_number(command: Callable[..., None]) -> Callable[..., None]:
    """NUMBER..., and --state."""
    return click.argument("numbers", metavar="NUMBER...", nargs=-1, required=True, type=Numbers())(
        state_option(command)
    )


@click.command("yes", short_help="Judge entries of the last list relevant.")
@_by_number
def yes_command(numbers: tuple[range, ...], state: str | None) -> None:
    """Judge entries of the last list relevant, by number; the profile and its threshold are updated immediately.

    \b
    gainful filter yes 1 3
    gainful filter yes 2-4
    """
    _answer(numbers, "relevant", state)


@click.command("no", short_help="Judge entries of the last list not relevant.")
@_by_number
def no_command(numbers: tuple[range, ...], state: str | None) -> None:
    """Judge entries of the last list not relevant, by number; the profile and its threshold are updated immediately.

    \b
    gainful filter no 2
    """
    _answer(numbers, "not-relevant", state)


@click.command("undo", short_help="Take answers back.")
@click.argument("numbers", metavar="[NUMBER]...", nargs=-1, type=Numbers())
@state_option
def undo_command(numbers: tuple[range, ...], state: str | None) -> None:
    """Take back the answers to entries of the last list, by number; without a number, the latest answer.

    \b
    gainful filter undo
    gainful filter undo 2
    """
    _answer(numbers, "undo", state)


_DONE: dict[Verdict, str] = {
    "relevant": "relevant",
    "not-relevant": "not relevant",
    "undo": "answer taken back",
}


def _answer(numbers: tuple[range, ...], verdict: Verdict, state: str | None) -> None:
    from gainful.filtering.answer_text import threshold_change
    from gainful.filtering.inbox.inbox import Inbox
    from gainful.filtering.inbox.shown_list import ShownList

    moves: dict[str, list[Moved]] = {}
    with Inbox(existing_state(state)) as inbox:
        shown_list = ShownList(inbox)
        for line in shown_list.lines(_flat(numbers) or [shown_list.latest_answer()]):
            moved = inbox.answer(line.profile, line.item, verdict)
            unchanged = "nothing to take back" if verdict == "undo" else "as before"
            click.echo(f"{line.line}. {_titled(line)}: {_DONE[verdict] if moved.changed else unchanged}.")
            moves.setdefault(line.profile, []).append(moved)
    for profile, moved_by in moves.items():
        last = moved_by[-1]
        change = threshold_change(
            profile, judged=last.judged, relevant=last.relevant, before=moved_by[0].before, after=last.after
        )
        click.echo(change)


def _flat(numbers: tuple[range, ...]) -> list[int]:
    """Every number of several ranges, in their order."""
    return list(chain.from_iterable(numbers))


@click.command("open", short_help="Open entries of the last list in the browser.")
@_by_number
def open_command(numbers: tuple[range, ...], state: str | None) -> None:
    """Print the links of entries of the last list, by number, and open them in the browser if this is a terminal.

    Opened entries count as read; that alone says nothing about relevance.

    \b
    gainful filter open 1
    """
    from gainful.filtering.inbox.inbox import Inbox
    from gainful.filtering.inbox.shown_list import ShownList

    with Inbox(existing_state(state)) as inbox:
        lines = ShownList(inbox).lines(_flat(numbers))
        if linkless := [line for line in lines if not line.link]:
            raise DataError(
                f"{linkless[0].line}. {_titled(linkless[0])}: it came without a link to a web page."
            )
        inbox.mark([line.item for line in lines], read=True)
    for line in lines:
        click.echo(line.link)
        if sys.stdout.isatty():
            click.launch(line.link)


def _titled(line: ShownLine) -> str:
    from gainful.filtering import safe_text

    return safe_text.line(line.title, 60) or shown(line.item)
