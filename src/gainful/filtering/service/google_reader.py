"""The Google Reader API, as feed readers speak it to FreshRSS and its like: each profile is a feed."""

from __future__ import annotations

from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from gainful.errors import GainfulError, UsageError
from gainful.filtering.feeds.feed_finder import find_feed
from gainful.filtering.inbox.inbox import Inbox
from gainful.filtering.service import entry_forms, google_reader_edits, google_reader_forms
from gainful.filtering.service.background_worker import wake
from gainful.filtering.service.google_reader_edits import MOST_EDITED, TagEdit
from gainful.filtering.service.google_reader_login import (
    Call,
    call_of_client,
    change_of_client,
    json_response,
)
from gainful.filtering.service.google_reader_streams import (
    MOST_IDS,
    MOST_ITEMS,
    StreamQuery,
    entry_number,
    label_named,
    last,
    long_id,
    profile_numbered,
)
from gainful.filtering.service.service_faults import reader_message
from gainful.filtering.service.visitors import storable

# ---- what is there


@call_of_client
async def user_info(call: Call) -> Response:
    """Who the client is logged in as."""
    reader, name = str(call.account.reader), call.account.name
    return json_response({"userId": reader, "userName": name, "userProfileId": reader, "userEmail": ""})


@call_of_client
async def tag_list(_: Call) -> Response:
    """States and labels."""
    return json_response(google_reader_forms.tags())


@call_of_client
async def subscription_list(call: Call) -> Response:
    """The reader's profiles."""
    return await call.ask(lambda inbox: google_reader_forms.subscriptions(inbox.profile_names(), call.base))


@call_of_client
async def unread_count(call: Call) -> Response:
    """How many entries of each profile are unread."""
    return await call.ask(_unread)


def _unread(inbox: Inbox) -> object:
    counts = inbox.unread()
    unread = {}
    for number, name in inbox.profile_names().items():
        newest = inbox.marks(profile=number, unread=True, most=1) if counts.get(name) else []
        unread[number] = (counts.get(name, 0), newest[0].delivered if newest else None)
    return google_reader_forms.unread_counts(unread)


@call_of_client
async def preference_list(_: Call) -> Response:
    """Preferences of clients are not kept."""
    return json_response({"prefs": []})


@call_of_client
async def stream_preferences(_: Call) -> Response:
    """Preferences for streams are not kept."""
    return json_response({"streamprefs": {}})


# ---- entries


def _stream(call: Call) -> str:
    asked = call.request.path_params.get("stream") or last(call.given, "s")
    return storable(asked) or google_reader_forms.READING_LIST


@call_of_client
async def stream_contents(call: Call) -> Response:
    """The entries of a stream, with their content."""
    stream, now = _stream(call), call.service.ledger.now()

    def contents(inbox: Inbox) -> object:
        query = StreamQuery.of(stream, call.given, inbox.profile_names(), most=MOST_ITEMS)
        marks, continuation = query.entries(inbox)
        entries = inbox.entries_of([entry.number for entry in marks])
        return google_reader_forms.stream(stream, entries, now=now, continuation=continuation)

    return await call.ask(contents)


@call_of_client
async def item_ids(call: Call) -> Response:
    """The ids of a stream's entries."""
    stream = _stream(call)

    def ids(inbox: Inbox) -> object:
        query = StreamQuery.of(stream, call.given, inbox.profile_names(), most=MOST_IDS)
        return google_reader_forms.item_references(*query.entries(inbox))

    return await call.ask(ids)


@call_of_client
async def item_contents(call: Call) -> Response:
    """Entries by their ids; unknown ones are left out."""
    numbers, now = _numbers(call, MOST_ITEMS), call.service.ledger.now()
    return await call.ask(
        lambda inbox: google_reader_forms.stream(
            google_reader_forms.READING_LIST, inbox.entries_of(numbers), now=now
        )
    )


def _numbers(call: Call, most: int) -> list[int]:
    items = call.given.get("i", [])
    if len(items) > most:
        raise UsageError(f"one request names at most {most:,} items; got {len(items):,}.")
    numbers = [entry_number(item.strip()) for item in items]
    return list(dict.fromkeys(number for number in numbers if number is not None))


@call_of_client
async def atom(call: Call) -> Response:
    """The entries of a stream as an Atom feed; a client that has this very one is told so."""
    stream = _stream(call)

    def feed(inbox: Inbox) -> str:
        names = inbox.profile_names()
        marks, _ = StreamQuery.of(stream, call.given, names, most=MOST_ITEMS).entries(inbox)
        head = entry_forms.FeedHead(
            names.get(profile_numbered(stream) or 0, "Gainful"),
            f"tag:google.com,2005:reader/{stream}",
            str(call.request.url),
            call.base,
        )
        return entry_forms.atom(
            inbox.entries_of([entry.number for entry in marks]),
            head,
            id_of=lambda entry: long_id(entry.number or 0),
            labels=google_reader_forms.states_of,
        )

    body = await call.service.inboxes.ask(call.account.reader, feed)
    return entry_forms.unless_known(call.request, body, "application/atom+xml")


# ---- changes


@change_of_client
async def edit_tag(call: Call) -> Response:
    """Marks and verdicts of entries."""
    numbers = _numbers(call, MOST_IDS)
    shares = "newsboat" in call.request.headers.get("user-agent", "").lower()
    edit = TagEdit.of(call.given.get("a", []), call.given.get("r", []), shares=shares)
    await call.service.inboxes.ask(call.account.reader, lambda inbox: edit.apply(inbox, numbers))
    return PlainTextResponse("OK")


@change_of_client
async def mark_all_as_read(call: Call) -> Response:
    """Everything in a stream is read, up to a time."""
    stream, until = _stream(call), google_reader_edits.older_than(last(call.given, "ts"))

    def mark(inbox: Inbox) -> None:
        target = google_reader_edits.stream_target(stream, inbox.profile_names())
        google_reader_edits.mark_all_read(inbox, target, until)

    await call.service.inboxes.ask(call.account.reader, mark)
    return PlainTextResponse("OK")


@change_of_client
async def subscription_edit(call: Call) -> Response:
    """Profiles renamed or removed, feeds subscribed to, renamed, moved or left."""
    given, action = call.given, last(call.given, "ac")
    if action not in ("subscribe", "unsubscribe", "edit"):
        raise UsageError("ac must be subscribe, unsubscribe or edit.")
    streams, titles = given.get("s", []), given.get("t", [])
    if len(streams) > MOST_EDITED:
        raise UsageError(f"one request edits at most {MOST_EDITED} subscriptions; got {len(streams):,}.")
    added, removed = label_named(last(given, "a")), label_named(last(given, "r"))
    folder = added if added is not None else "" if removed is not None else None

    def edit(inbox: Inbox) -> None:
        for place, stream in enumerate(streams):
            google_reader_edits.edit_subscription(
                inbox,
                inbox.profile_names(),
                stream,
                action=action,
                title=titles[place] if place < len(titles) else "",
                folder=folder,
            )

    await call.service.inboxes.ask(call.account.reader, edit)
    wake(call.service)
    return PlainTextResponse("OK")


@change_of_client
async def quick_add(call: Call) -> Response:
    """A feed by its address or that of its page, or a new profile by what it looks for."""
    wish = last(call.given, "quickadd").strip().removeprefix("feed/")
    try:
        if not wish:
            raise UsageError("quickadd needs the address of a feed, or words to look for.")
        stream, title = await (_add_feed(call, wish) if "://" in wish else _add_profile(call, wish))
    except GainfulError as fault:
        return json_response(
            {"query": wish, "numResults": 0, "error": reader_message(call.service.address, fault)}
        )
    return json_response({"query": wish, "numResults": 1, "streamId": stream, "streamName": title})


async def _add_feed(call: Call, address: str) -> tuple[str, str]:
    service, reader = call.service, call.account.reader
    if reader in service.seekers:
        raise UsageError("the address before is still being looked at; try again in a moment.")
    service.seekers.add(reader)
    try:
        async with service.finding:
            discovered = await find_feed(address, rules=service.options.network, clock=service.ledger.clock)
    finally:
        service.seekers.discard(reader)
    feed = await service.inboxes.ask(
        reader, lambda inbox: inbox.feeds.subscribe(inbox.reader, discovered.address)
    )
    wake(service)
    return f"feed/{feed.address}", discovered.title or feed.title


async def _add_profile(call: Call, wish: str) -> tuple[str, str]:
    return await call.service.inboxes.ask(
        call.account.reader, lambda inbox: google_reader_edits.add_profile(inbox, wish)
    )


_API = "/reader/api/0"
_READ, _WRITE, _BOTH = ["GET"], ["POST"], ["GET", "POST"]

routes = [
    Route(f"{_API}/user-info", user_info, methods=_READ),
    Route(f"{_API}/tag/list", tag_list, methods=_READ),
    Route(f"{_API}/subscription/list", subscription_list, methods=_READ),
    Route(f"{_API}/subscription/edit", subscription_edit, methods=_WRITE),
    Route(f"{_API}/subscription/quickadd", quick_add, methods=_BOTH),
    Route(f"{_API}/unread-count", unread_count, methods=_READ),
    Route(f"{_API}/preference/list", preference_list, methods=_READ),
    Route(f"{_API}/preference/stream/list", stream_preferences, methods=_READ),
    Route(f"{_API}/stream/contents", stream_contents, methods=_BOTH),
    Route(f"{_API}/stream/contents/{{stream:path}}", stream_contents, methods=_BOTH),
    Route(f"{_API}/stream/items/ids", item_ids, methods=_BOTH),
    Route(f"{_API}/stream/items/contents", item_contents, methods=_BOTH),
    Route("/reader/atom", atom, methods=_READ),
    Route("/reader/atom/{stream:path}", atom, methods=_READ),
    Route(f"{_API}/edit-tag", edit_tag, methods=_WRITE),
    Route(f"{_API}/mark-all-as-read", mark_all_as_read, methods=_WRITE),
]
