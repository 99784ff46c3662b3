"""gainful filter subscribe, unsubscribe, feeds, opml: the feeds of a filter, and how they are doing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gainful.cli import say
from gainful.cli.commands import refuse_existing, refuse_two_inputs, write
from gainful.cli.filter.filter_options import (
    as_json,
    existing_state,
    feeds_extra,
    new_or_existing_state,
    state_option,
)
from gainful.cli.options import OutputFile
from gainful.errors import DataError, GainfulError, UsageError
from gainful.formats.ids import shown
from gainful.presentation.text_style import counted

if TYPE_CHECKING:
    from datetime import datetime

    from gainful.filtering.feeds.feed_records import Feed
    from gainful.filtering.feeds.feed_store import FeedStore

READER = 1
"""The owner of a state."""


def _into_file(command: Any) -> Any:
    """--output and --overwrite."""
    command = click.option("--overwrite", is_flag=True, help="Replace an existing file.")(command)
    return click.option("-o", "--output", type=OutputFile(), help="Write to this file, atomically.")(command)


@click.command("subscribe", short_help="Subscribe to feeds, by address or from an OPML file.")
@click.argument("sources", metavar="ADDRESS|OPML...", nargs=-1, required=True)
@click.option("--folder", default="", metavar="NAME", help="Folder for these feeds; A/B is B within A.")
@click.option("--title", default="", metavar="TEXT", help="Your own title, for one feed.")
@click.option("--unchecked", is_flag=True, help="Take addresses as they are, without fetching anything now.")
@state_option
def subscribe_command(
    sources: tuple[str, ...], folder: str, title: str, unchecked: bool, state: str | None
) -> None:
    """Subscribe to each ADDRESS, or to all feeds of an OPML file; - is an OPML file on standard input.

    An ADDRESS is that of a feed (RSS, Atom, RDF, JSON Feed), or of a web page that names one. It is fetched once, to
    find out; `gainful filter today` fetches feeds when they are due. Passwords belong into the address,
    https://name:password@host/feed; they are kept in the state and never shown.

    \b
    gainful filter subscribe https://example.org/blog
    gainful filter subscribe feeds.opml --folder News
    """
    refuse_two_inputs(*sources)
    if title and len(sources) > 1:
        raise UsageError("--title is for one feed; give one address.")
    with _feeds(new_or_existing_state(state)) as feeds:
        faults = [
            fault for source in sources if (fault := _subscribed(feeds, source, folder, title, unchecked))
        ]
    if faults:
        kind = UsageError if all(isinstance(fault, UsageError) for fault in faults) else DataError
        raise kind("\n".join(map(str, faults)))


def _subscribed(
    feeds: FeedStore, source: str, folder: str, title: str, unchecked: bool
) -> GainfulError | None:
    """Subscribe to a source; returns the error where it is refused, so that the other sources are tried too."""
    try:
        if _is_file(source):
            _take_list(feeds, source, folder)
        else:
            address, feed_title = (source, "") if unchecked else _checked(source)
            feed = feeds.subscribe(READER, address, title=title, folder=folder, feed_title=feed_title)
            click.echo(f"Subscribed to {_named(feed)}.")
    except GainfulError as fault:
        return fault
    return None


def _is_file(source: str) -> bool:
    return source == "-" or (
        not source.lower().startswith(("http:", "https:", "feed:")) and Path(source).exists()
    )


def _checked(source: str) -> tuple[str, str]:
    """The address of the feed at `source`, and its title; other feeds that the page names are printed as a note."""
    with feeds_extra():
        from gainful.filtering.feeds.feed_finder import found_feed
    feed = found_feed(source)
    if feed.others:
        names = "; ".join(
            shown(link.address) + (f" ({shown(link.title)})" if link.title else "") for link in feed.others
        )
        say(f"note: the page names other feeds too: {names}.")
    return feed.address, feed.title


def _take_list(feeds: FeedStore, source: str, folder: str) -> None:
    from gainful.filtering.feeds.opml import LARGEST, read_opml
    from gainful.formats.sources import Source

    with Source(source) as file:
        listed = read_opml(file.raw().read(LARGEST + 1), file.name)
    new = feeds.subscribe_all(
        READER,
        [(feed.address, feed.title, "/".join(filter(None, (folder, feed.folder)))) for feed in listed.feeds],
    )
    known = (
        f"; {counted(len(listed.feeds) - new, 'feed')} you have already" if new < len(listed.feeds) else ""
    )
    click.echo(f"{shown(source)}: subscribed to {counted(new, 'feed')}{known}.")
    if listed.refused:
        examples = ", ".join(listed.refused[:3])
        say(
            f"note: {counted(len(listed.refused), 'entry', 'entries')} left out, not web addresses: {examples}."
        )


@click.command("unsubscribe", short_help="Unsubscribe from feeds.")
@click.argument("which", metavar="FEED...", nargs=-1, required=True)
@state_option
def unsubscribe_command(which: tuple[str, ...], state: str | None) -> None:
    """Unsubscribe from each FEED: its number in `gainful filter feeds`, its address, or its title.

    What came from it stays, with your answers.

    \b
    gainful filter unsubscribe 3
    """
    with _feeds(existing_state(state)) as feeds:
        chosen = {feed.number: feed for name in which for feed in [_chosen(feeds, name)]}
        for feed in chosen.values():
            feeds.unsubscribe(READER, feed.number)
            click.echo(f"Unsubscribed from {_named(feed)}.")


def _chosen(feeds: FeedStore, name: str) -> Feed:
    """The feed that a number, an address or a title names."""
    from gainful.filtering.feeds.feed_address import regular_address, shown_address

    listed = feeds.feeds(READER)
    if name.isdecimal():
        return feeds.feed(READER, int(name[:15]))
    try:
        address = shown_address(regular_address(name))
    except DataError:
        address = ""
    matches = [feed for feed in listed if feed.address == address]
    matches = matches or [feed for feed in listed if feed.title.casefold() == name.casefold()]
    if len(matches) == 1:
        return matches[0]
    if matches:
        numbers = ", ".join(str(feed.number) for feed in matches)
        raise UsageError(f"several feeds are called '{shown(name)}'; give one of the numbers {numbers}.")
    raise UsageError(
        f"there is no feed '{shown_address(name)}' among yours; `gainful filter feeds` lists them."
    )


@click.command("feeds", short_help="List feeds and their health.")
@click.option(
    "-f", "--format", "form", type=click.Choice(("table", "json")), default="table", show_default=True
)
@_into_file
@state_option
def feeds_command(state: str | None, form: str, output: str | None, overwrite: bool) -> None:
    """List the feeds: when each was last fetched, when it last had something new, and what is wrong with it.

    \b
    gainful filter feeds
    """
    refuse_existing(output, overwrite=overwrite)
    with _feeds(existing_state(state)) as feeds:
        listed, now = feeds.feeds(READER), feeds.clock()
    write(as_json([_record(feed) for feed in listed]) if form == "json" else _table(listed, now), output)


def _record(feed: Feed) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(feed)


def _table(feeds: list[Feed], now: datetime) -> str:
    from gainful.presentation.table import Cell, Table

    if not feeds:
        return "There are no feeds yet; `gainful filter subscribe ADDRESS` adds one.\n"
    body: list[list[str | Cell]] = []
    for feed in feeds:
        named = f"{feed.folder}/{feed.title}" if feed.folder else feed.title
        body.append(
            [
                str(feed.number),
                shown(named),
                _ago(feed.fetched, now),
                _ago(feed.renewed, now),
                _state(feed, now),
            ]
        )
        if feed.fault:
            body.append(["", Cell(shown(feed.fault), note=True), "", "", ""])
    return f"{Table(['', 'feed', 'last fetched', 'last new', 'next'], body, names=5).text()}\n"


def _state(feed: Feed, now: datetime) -> str:
    """When it is fetched next, and how often it has failed."""
    if feed.gone or feed.due is None:
        return "gone for good"
    minutes = (feed.due - now).total_seconds() / 60
    when = "now" if minutes < 1 else f"in {_long(minutes)}"
    return f"{when}, failed {counted(feed.failures, 'time')}" if feed.failures else when


def _ago(time: datetime | None, now: datetime) -> str:
    if time is None:
        return "never"
    minutes = (now - time).total_seconds() / 60
    return "just now" if minutes < 1 else f"{_long(minutes)} ago"


def _long(minutes: float) -> str:
    if minutes < 60:
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.0f} h" if minutes < 48 * 60 else f"{minutes / 1440:.0f} days"


@click.command("opml", short_help="Write the list of feeds as OPML.")
@click.option("--passwords", is_flag=True, help="Keep passwords in addresses; they are left out otherwise.")
@_into_file
@state_option
def opml_command(passwords: bool, state: str | None, output: str | None, overwrite: bool) -> None:
    """Write the feeds as OPML, which other feed readers take in.

    \b
    gainful filter opml -o feeds.opml
    """
    refuse_existing(output, overwrite=overwrite)
    from gainful.filtering.feeds.opml import subscriptions_opml

    with _feeds(existing_state(state)) as feeds:
        write(subscriptions_opml(feeds, READER, passwords=passwords), output)


@contextmanager
def _feeds(address: str) -> Iterator[FeedStore]:
    """The feeds of a state, open."""
    from gainful.filtering.feeds.feed_store import FeedStore
    from gainful.filtering.state.store_address import open_store

    with closing(open_store(address)) as store:
        yield FeedStore(store)


def _named(feed: Feed) -> str:
    title = "" if feed.title == feed.address else f"{shown(feed.title)}, "
    return f"{title}{feed.address} (feed {feed.number})"
