"""Items as they stand on pages. What is rendered depends on what is shown alone, and is kept while that stays the same."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from gainful.filtering.inbox.inbox_entry import Entry
from gainful.filtering.service.page_templates import ago, environment, safe_link, whole_time
from gainful.presentation.text_style import percent

_KEPT = 8192  # rendered items; one has some 2 kB
_LENGTH = 120  # of the bar that shows a score
_TITLE, _NAME, _WORD = 300, 100, 60  # characters of a title, of a profile's name, of a word


class _Card(NamedTuple):
    """Everything that a card shows, as it is shown.

    reference  by which buttons name the item: the number of its delivery, or PROFILE/ITEM for one that was not delivered
    place      an id for the page
    more       whether the item has more to read than its excerpt
    alone      whether the card stands on a page of its own
    """

    root: str
    reference: str
    place: str
    profile: str
    feed: str
    also_in: str
    iso: str
    exact: str
    when: str
    title: str
    link: str
    excerpt: str
    more: bool
    score: str
    threshold: str
    filled: str
    tick: str
    words: tuple[str, ...]
    against: str
    chance: str
    verdict: bool | None
    read: bool
    saved: bool
    delivered: bool
    alone: bool


def cards(entries: Sequence[Entry], now: datetime, root: str, *, alone: bool = False) -> list[Markup]:
    """The entries of a page, rendered.

    now    for how long ago they appeared
    root   the path under which the service stands
    alone  on a page of its own: with the title as its heading
    """
    return [_rendered(_card(entry, now, root, alone)) for entry in entries]


def _card(entry: Entry, now: datetime, root: str, alone: bool) -> _Card:
    title = entry.title[:_TITLE] or entry.excerpt[:80] or "Without a title"
    reference = str(entry.number) if entry.number is not None else f"{entry.profile_number}/{entry.item}"
    time = entry.published or entry.delivered
    end = max(entry.score, entry.threshold, 1e-4) * 1.15
    return _Card(
        root=root,
        reference=reference,
        place=f"entry-{reference.replace('/', '-')}",
        profile=entry.profile[:_NAME],
        feed=entry.feed,
        also_in=", ".join(entry.also_in),
        iso=time.isoformat(timespec="seconds") if time else "",
        exact=whole_time(time) if time else "",
        when=ago(time, now) if time else "",
        title=title,
        link=safe_link(entry.link),
        excerpt=entry.excerpt if entry.excerpt != title else "",
        more=entry.number is not None and len(entry.text) > len(entry.excerpt),
        score=f"{entry.score:.3f}",
        threshold=f"{entry.threshold:.3f}",
        filled=f"{max(entry.score, 0) / end * _LENGTH:.1f}",
        tick=f"{max(entry.threshold, 0) / end * _LENGTH - 1:.1f}",
        words=tuple(word[:_WORD] for word in entry.words),
        against=", ".join(word[:_WORD] for word in entry.against),
        chance="" if entry.probability is None else percent(entry.probability, 0),
        verdict=entry.verdict,
        read=entry.read,
        saved=entry.saved,
        delivered=entry.number is not None,
        alone=alone,
    )


@lru_cache(maxsize=_KEPT)
def _rendered(card: _Card) -> Markup:
    return Markup(environment().get_template("entry.html").render(card=card))
