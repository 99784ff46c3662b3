"""FeedStore: feeds, their items and their readers, in the main state."""

from __future__ import annotations

from gainful.filtering.feeds.fetch_ledger import FetchLedger


class FeedStore(FetchLedger):
    """Feeds, subscriptions and items in a state; every call is one transaction.

    Feeds and items are stored once for all readers. What a reader is given depends on the reader's own feeds alone: which
    items tell the same story is decided among items of that reader's feeds. Numbers of readers are those of their accounts;
    the owner of a state is reader 1.

    subscribe, unsubscribe, rename, feeds, forget   are in `subscriptions`,
    unseen, seen, items, also_in, search            in `given_items`,
    due, renew, release, record                     in `fetch_ledger`

    store  the main state, which all readers share
    clock  gives the time of subscriptions and arrivals; the system's by default
    """
