"""Items given to readers: which are new to whom, which tell the same story, and what is known of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from gainful.errors import UsageError
from gainful.filtering.feeds.feed_address import shown_address
from gainful.filtering.feeds.feed_records import FeedItem
from gainful.filtering.feeds.same_story import LINK, SAMPLE, WORDS, StoryText, link_key, same_words
from gainful.filtering.feeds.subscriptions import Subscriptions
from gainful.filtering.state.events import moment
from gainful.filtering.state.store import question_marks

_CANDIDATES = 20  # items that are compared with a new one
_PORTION = 50  # items that are looked at within one transaction: others wait for it to end
_MOST_GIVEN = 500  # values of one query
_ITEM = (
    "SELECT items.number, items.feed, feeds.title AS feed_title, address, items.title, link, author, html, text, published, "
    "arrived FROM items JOIN feeds ON feeds.number = items.feed"
)

_EITHER = "items.title LIKE ? ESCAPE '!' OR text LIKE ? ESCAPE '!'"
_EITHER_LOWER = "lower(items.title) LIKE ? ESCAPE '!' OR lower(text) LIKE ? ESCAPE '!'"


class GivenItems(Subscriptions):
    """Items of readers' feeds, each given to each reader once."""

    # ---- items on their way to a reader

    def unseen(self, reader: int, *, most: int = 500) -> list[FeedItem]:
        """Items that the reader's filter does not have yet, oldest first; `seen` says that it has them.

        Until then they are given again. Of items that tell the same story, one is given.
        """
        if most < 1:
            raise UsageError(f"most must be 1 or more; got {most}")
        with self.store.reading():
            waiting = self._waiting(reader, most)
            behind = len(waiting) < most and bool(self._behind(reader, 1))
        if not behind:
            return waiting
        while behind:
            with self.store.writing():
                behind = self._offer(reader, most)
        with self.store.reading():
            return self._waiting(reader, most)

    def _waiting(self, reader: int, most: int) -> list[FeedItem]:
        query = "SELECT item FROM given WHERE reader = ? AND taken = 0 ORDER BY item LIMIT ?"
        numbers = [number for (number,) in self.store.rows(query, (reader, most))]
        items = self._items(numbers, reader)
        return [items[number] for number in numbers if number in items]

    def _behind(self, reader: int, most: int) -> list[tuple[int, int]]:
        """Items of the reader's feeds that were not looked at yet, oldest first, and their feeds."""
        return [
            (number, feed)
            for number, feed in self.store.rows(
                "SELECT items.number, items.feed FROM subscriptions JOIN items ON items.feed = subscriptions.feed "
                "AND items.number > upto WHERE reader = ? ORDER BY items.number LIMIT ?",
                (reader, most),
            )
        ]

    def _offer(self, reader: int, most: int) -> bool:
        """Look at some items that arrived since the last time; whether there are more to look at.

        Each is a story of its own, or belongs to one that the reader was given.
        """
        query = "SELECT count(*) FROM given WHERE reader = ? AND taken = 0"
        free = most - self.store.one(query, reader)
        behind = self._behind(reader, min(free, _PORTION)) if free > 0 else []
        for number, feed in behind:
            self._offer_one(reader, number)
            self.store.execute(
                "UPDATE subscriptions SET upto = ? WHERE reader = ? AND feed = ?", (number, reader, feed)
            )
        return bool(behind)

    def _offer_one(self, reader: int, number: int) -> None:
        """Note an item as given to the reader: as a story of its own, or as one more of a story."""
        if self.store.one("SELECT item FROM given WHERE reader = ? AND item = ?", reader, number) is not None:
            return
        story = self._story(reader, number)
        self.store.execute(
            "INSERT INTO given (reader, item, story, taken) VALUES (?, ?, ?, ?)",
            (reader, number, story or number, int(story is not None)),
        )

    def _story(self, reader: int, number: int) -> int | None:
        """The story of this reader that an item belongs to; None where it is a new one."""
        text = self._story_text(number)
        marks = [mark for (mark,) in self.store.rows("SELECT hash FROM item_keys WHERE item = ?", (number,))]
        for kind in (LINK, WORDS, SAMPLE):
            of_kind = [mark for mark in marks if mark.startswith(kind)]
            for item, story in self._candidates(reader, number, text.feed, of_kind) if of_kind else ():
                if self._same(text, self._story_text(item)):
                    return story
        return None

    def _candidates(self, reader: int, number: int, feed: int, marks: list[bytes]) -> list[tuple[int, int]]:
        """Items given to this reader that share keys of a kind with an item, and their stories; those that share most first.

        Of its own feed only items with the same link are compared. A bounded number of rows is read, however many items
        share a key; the order of the join is that of the query, for a reader has many items and a key has few.
        """
        ranges = ("<", ">", "=") if marks[0].startswith(LINK) else ("<", ">")
        shared: Counter[tuple[int, int]] = Counter()
        for sign in ranges:
            query = (
                "SELECT given.item, given.story FROM item_keys CROSS JOIN given WHERE given.item = item_keys.item "
                f"AND given.reader = ? AND item_keys.hash IN ({question_marks(marks)}) "
                f"AND item_keys.feed {sign} ? LIMIT ?"
            )
            rows = self.store.rows(query, (reader, *marks, feed, _CANDIDATES * len(marks)))
            shared.update((item, story) for item, story in rows if item != number)
        return [pair for pair, _ in shared.most_common(_CANDIDATES)]

    def _same(self, text: StoryText, other: StoryText) -> bool:
        key = link_key(text.link)
        if key is not None and key == link_key(other.link):
            if text.feed == other.feed:
                return same_words(text, other)
            if self._names_a_story(key, text.feed, other.feed):
                return True
        return text.feed != other.feed and same_words(text, other)

    def _names_a_story(self, key: bytes, *feeds: int) -> bool:
        """Whether a link stands for one item: in none of the feeds do several items have it."""
        query = "SELECT item FROM item_keys WHERE hash = ? AND feed = ? LIMIT 2"
        return all(len(list(self.store.rows(query, (key, feed)))) < 2 for feed in feeds)

    def _story_text(self, number: int) -> StoryText:
        query = "SELECT feed, title, text, link FROM items WHERE number = ?"
        return StoryText(*self.store.needed("an item", query, number))

    def seen(self, reader: int, numbers: Iterable[int]) -> None:
        """Say that the reader's filter has these items, so that they are not given again."""
        with self.store.writing():
            self.store.executemany(
                "UPDATE given SET taken = 1 WHERE reader = ? AND item = ?",
                [(reader, number) for number in numbers],
            )

    # ---- items that a reader has

    def items(self, numbers: Iterable[int], reader: int) -> dict[int, FeedItem]:
        """Items that a reader was given, by their numbers, with the reader's own titles of feeds; others are left out."""
        with self.store.reading():
            return self._items(list(dict.fromkeys(numbers)), reader)

    def _items(self, numbers: list[int], reader: int) -> dict[int, FeedItem]:
        named, stories = self._names(reader), self._stories(reader, numbers)
        return {
            row[0]: _item(row, stories[row[0]], named.get(row[1], ""))
            for row in self._among(f"{_ITEM} WHERE items.number IN", list(stories))
        }

    def _stories(self, reader: int, numbers: list[int]) -> dict[int, int]:
        query = "SELECT item, story FROM given WHERE reader = ? AND item IN"
        return dict(self._among(query, numbers, reader))

    def _names(self, reader: int) -> dict[int, str]:
        query = "SELECT feed, title AS own_title FROM subscriptions WHERE reader = ?"
        return dict(self.store.rows(query, (reader,)))

    def _among(self, query: str, numbers: Sequence[object], *given: object) -> Iterator[tuple[Any, ...]]:
        """Rows of a query that ends in IN, for many numbers."""
        for start in range(0, len(numbers), _MOST_GIVEN):
            batch = numbers[start : start + _MOST_GIVEN]
            yield from self.store.rows(f"{query} ({question_marks(batch)})", (*given, *batch))

    def also_in(self, reader: int, numbers: Iterable[int]) -> dict[int, list[str]]:
        """Titles of the other feeds of this reader that tell the same stories, by the numbers of the items asked for.

        Items of which no other feed tells are left out.
        """
        with self.store.reading():
            others = self._others(reader, list(dict.fromkeys(numbers)))
            asked = self._items(list(others), reader)
            items = self._items(list(chain.from_iterable(others.values())), reader)
        titles = {
            number: [items[other].feed_title for other in same if items[other].feed != asked[number].feed]
            for number, same in others.items()
        }
        return {number: list(dict.fromkeys(named)) for number, named in titles.items() if named}

    def _others(self, reader: int, numbers: list[int]) -> dict[int, list[int]]:
        """Other items of the stories of these items, in feeds that the reader has now."""
        stories = self._stories(reader, numbers)
        by_story: dict[int, list[int]] = {}
        query = (
            "SELECT given.story, given.item FROM given JOIN items ON number = item JOIN subscriptions "
            "ON subscriptions.feed = items.feed AND subscriptions.reader = given.reader WHERE given.reader = ? "
            "AND given.story IN"
        )
        for story, item in self._among(query, sorted(set(stories.values())), reader):
            by_story.setdefault(story, []).append(item)
        others = {
            number: sorted(item for item in by_story.get(story, ()) if item != number)
            for number, story in stories.items()
        }
        return {number: items for number, items in others.items() if items}

    def search(self, reader: int, words: Iterable[str], *, most: int = 1_000) -> set[int]:
        """Stories given to this reader of which an item has all these words in its title or text; the latest ones.

        Words are found anywhere, also within others, whatever their case.
        """
        query = ["SELECT story FROM given JOIN items ON number = item WHERE reader = ?"]
        given: list[object] = [reader]
        for word in words:
            # The database knows the case of ASCII letters alone; other letters are tried in each case.
            forms = [word.lower()] if word.isascii() else [word.lower(), word.capitalize(), word.upper()]
            query.append(f"({' OR '.join([_EITHER_LOWER, *([_EITHER] * (len(forms) - 1))])})")
            given += [f"%{_literal(form)}%" for form in forms for _ in range(2)]
        with self.store.reading():
            rows = self.store.rows(f"{' AND '.join(query)} ORDER BY item DESC LIMIT ?", (*given, most))
            return {story for (story,) in rows}


def _literal(text: str) -> str:
    """Text as it stands in a pattern of LIKE, where ! makes marks stand for themselves."""
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_").replace("\0", "")


def _item(row: tuple[Any, ...], story: int, named: str) -> FeedItem:
    number, feed, feed_title, address, title, link, author, html, text, published, arrived = row
    known = named or feed_title or shown_address(address)
    return FeedItem(
        number,
        story,
        feed,
        known,
        title,
        link,
        author,
        html,
        text,
        None if published is None else moment(published),
        moment(arrived),
    )
