"""Deliveries with the terms they came for, as a table, JSON lines, a Markdown digest or an Atom feed (RFC 4287); and near
misses likewise.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree

from gainful import __version__
from gainful.filtering.inbox.reader_texts import ReaderTexts
from gainful.filtering.safe_text import code, destination, json_text, line, markdown, web, xml
from gainful.filtering.state.filter import Filter
from gainful.filtering.state.filter_results import Delivery, NearMiss, Part
from gainful.formats.ids import shown
from gainful.presentation.table import Table
from gainful.presentation.text_style import UNDEFINED, counted, fixed, percent, signed

WORDS = 4
"""Terms that a digest names for each document."""


@dataclass(frozen=True)
class Item:
    """A delivery, and the terms that add most to its score by the profile as it is now."""

    delivery: Delivery
    parts: tuple[Part, ...]

    @property
    def words(self) -> list[str]:
        """The strongest of these terms."""
        return [part.term for part in self.parts[:WORDS]]

    def worded(self, texts: ReaderTexts) -> Item:
        """With words of the document in place of the strongest terms, and without the others."""
        return replace(self, parts=texts.parts(self.delivery, self.parts[:WORDS]))

    @property
    def reader(self) -> str:
        """The name of the profile as people see it; another profile may have the name of one that was removed."""
        return shown(self.delivery.profile) + (" (removed)" if self.delivery.removed else "")


def items(state: Filter, deliveries: Iterable[Delivery]) -> list[Item]:
    """Each delivery with its terms; a document that was forgotten, or a profile that was removed since, has none."""
    delivered = list(deliveries)
    return [Item(delivery, parts) for delivery, parts in zip(delivered, state.parts(delivered), strict=True)]


def by_profile(delivered: Iterable[Item]) -> dict[int, list[Item]]:
    """The items of each profile, in their order, by the profile's number."""
    grouped: dict[int, list[Item]] = {}
    for item in delivered:
        grouped.setdefault(item.delivery.profile_number, []).append(item)
    return grouped


_TABLE_TITLE = 48


def table(delivered: Sequence[Item], *, places: int = 4) -> str:
    """A row for each delivery: event number, profile, document, and its score beside the threshold."""
    if not delivered:
        return "No deliveries.\n"
    body = [_row(item, places) for item in delivered]
    grid = Table(
        ["event", "profile", "document", "title", "because of", "said", "score", "theta"], body, names=6
    )
    return f"{grid.text()}\n"


def _row(item: Item, places: int) -> list[str]:
    delivery = item.delivery
    return [
        str(delivery.number),
        item.reader,
        shown(delivery.document),
        line(delivery.title or delivery.text, _TABLE_TITLE),
        ", ".join(shown(word) for word in item.words),
        delivery.verdict or UNDEFINED,
        fixed(delivery.score, places),
        fixed(delivery.theta, places),
    ]


def json_lines(delivered: Sequence[Item]) -> str:
    """A line for each delivery."""
    import msgspec

    encode = msgspec.json.Encoder().encode
    return json_text("".join(encode(delivery_record(item)).decode() + "\n" for item in delivered))


def delivery_record(item: Item) -> dict[str, Any]:
    """What one line holds."""
    delivery = item.delivery
    return {
        "event": delivery.number,
        "profile": shown(delivery.profile),
        "removed": delivery.removed,
        "id": shown(delivery.document),
        "title": _text(delivery.title),
        "text": _text(delivery.text),
        "link": _text(delivery.link),
        "date": delivery.date.isoformat() if delivery.date else None,
        "score": delivery.score,
        "theta": delivery.theta,
        "position": delivery.position,
        "time": delivery.time.isoformat(),
        "verdict": delivery.verdict,
        "terms": {part.term: part.adds for part in item.parts},
    }


def _text(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


_DIGEST_TITLE, _TEXT = 120, 240


def digest(delivered: Sequence[Item], *, places: int = 4) -> str:
    """A page with a part for each profile, in the order of their deliveries."""
    if not delivered:
        return "# Digest\n\nThere are no deliveries.\n"
    grouped = by_profile(delivered)
    days = sorted({item.delivery.time.date().isoformat() for item in delivered})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    count = counted(len(delivered), "delivery", "deliveries")
    head = f"# Digest\n\n{count}, {when}, events {delivered[0].delivery.number} to {delivered[-1].delivery.number}.\n"
    return head + "".join(_part(some, places) for some in grouped.values())


def _part(some: Sequence[Item], places: int) -> str:
    return f"\n## {markdown(some[0].reader)}\n\n" + "".join(_item(item, places) for item in some)


def _item(item: Item, places: int) -> str:
    delivery = item.delivery
    facts = [
        f"score {fixed(delivery.score, places)}, threshold {fixed(delivery.theta, places)}",
        *_because(item.words),
        f"document {code(shown(delivery.document))}",
    ]
    if delivery.verdict:
        facts.append(f"you said: {delivery.verdict}")
    return _entry_of(delivery, facts)


def _because(words: Sequence[str]) -> list[str]:
    return ["because of " + ", ".join(f"*{markdown(shown(word))}*" for word in words)] if words else []


def _entry_of(document: Delivery | NearMiss, facts: Sequence[str]) -> str:
    """Title, text and facts of one document in a Markdown list."""
    title = markdown(line(document.title or document.text or shown(document.document), _DIGEST_TITLE))
    link = destination(document.link)
    text = markdown(line(document.text, _TEXT)) if document.title else ""
    lines = [f"- **[{title}]({link})**" if link else f"- **{title}**", *([f"  {text}  "] if text else [])]
    lines[0] += "  "
    return "\n".join([*lines, f"  {' · '.join(facts)}"]) + "\n"


Miss = tuple[NearMiss, tuple[Part, ...]]
"""A near miss, and the terms that add most to its score."""


def misses_table(misses: Sequence[Miss], *, places: int = 4) -> str:
    """A row for each near miss, highest score first, and how to answer."""
    if not misses:
        return "No near misses: no document that was not delivered has a score above 0.\n"
    body = [
        [
            shown(miss.document),
            line(miss.title or miss.text, _TABLE_TITLE),
            ", ".join(shown(part.term) for part in parts[:WORDS]),
            percent(miss.probability, 0),
            fixed(miss.score, places),
            signed(miss.score - miss.theta, places),
        ]
        for miss, parts in misses
    ]
    heads = ["document", "title", "because of", "relevant with", "score", "from theta"]
    name = shown(misses[0][0].profile)
    grid = Table(heads, body, names=3).text()
    early = ""
    if any(miss.score >= miss.theta for miss, _ in misses):
        early = (
            "With a + they would be delivered now; when they arrived, profile and threshold were different.\n"
        )
    return f"{grid}\n\n{early}Answer with: gainful filter feedback {name} DOCUMENT relevant|not-relevant\n"


def misses_lines(misses: Sequence[Miss]) -> str:
    """A line for each near miss; filled in, `gainful filter feedback --file` takes them back."""
    import msgspec

    encode = msgspec.json.Encoder().encode
    return json_text("".join(encode(_miss_record(*miss)).decode() + "\n" for miss in misses))


def _miss_record(miss: NearMiss, parts: tuple[Part, ...]) -> dict[str, Any]:
    return {
        "profile": shown(miss.profile),
        "id": shown(miss.document),
        "title": _text(miss.title),
        "text": _text(miss.text),
        "link": _text(miss.link),
        "date": miss.date.isoformat() if miss.date else None,
        "score": miss.score,
        "theta": miss.theta,
        "probability": miss.probability,
        "position": miss.position,
        "verdict": None,
        "terms": {part.term: part.adds for part in parts},
    }


def misses_digest(misses: Sequence[Miss], *, places: int = 4) -> str:
    """A Markdown page of near misses."""
    if not misses:
        return "# Near misses\n\nThere are none.\n"
    head = f"# Near misses: {markdown(shown(misses[0][0].profile))}\n\n"
    count = counted(len(misses), "document")
    entries = []
    for miss, parts in misses:
        facts = [f"score {fixed(miss.score, places)}, threshold {fixed(miss.theta, places)}"]
        if miss.probability is not None:
            facts.append(f"relevant with a probability of {percent(miss.probability, 0)}")
        facts += [*_because([part.term for part in parts[:WORDS]]), f"document {code(shown(miss.document))}"]
        entries.append(_entry_of(miss, facts))
    return f"{head}{count} not delivered, highest score first.\n\n{''.join(entries)}"


ATOM = "http://www.w3.org/2005/Atom"
"""The namespace of Atom."""

_TITLE, _SUMMARY = 200, 2000


def atom(delivered: Sequence[Item], *, of: datetime, profile: str | None = None) -> str:
    """The feed, newest first.

    of       when the state was made: ids of feed and entries depend on it, on the profile and on the document alone
    profile  whose deliveries these are; None for everybody's
    """
    feed = atom_root()
    title = "Deliveries" if profile is None else f"Deliveries for {shown(profile)}"
    add_element(feed, "title", line(title, _TITLE))
    add_element(feed, "id", _urn(of, profile or ""))
    add_element(feed, "updated", atom_time(max((item.delivery.time for item in delivered), default=of)))
    add_element(add_element(feed, "author"), "name", "Gainful")
    add_element(feed, "generator", "Gainful", version=__version__)
    for item in reversed(delivered):
        _entry(feed, item, of)
    return xml_document(feed)


def xml_document(root: ElementTree.Element) -> str:
    """An element and what it holds as an indented XML document."""
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def atom_root() -> ElementTree.Element:
    """An empty Atom feed."""
    ElementTree.register_namespace("", ATOM)
    return ElementTree.Element(_qualified("feed"))


def _entry(feed: ElementTree.Element, item: Item, of: datetime) -> None:
    delivery = item.delivery
    entry = add_element(feed, "entry")
    add_element(entry, "title", line(delivery.title or delivery.text or shown(delivery.document), _TITLE))
    add_element(entry, "id", _urn(of, delivery.profile, delivery.document))
    add_element(entry, "updated", atom_time(delivery.time))
    if delivery.date:
        add_element(entry, "published", atom_time(delivery.date))
    if link := web(delivery.link):
        add_element(entry, "link", rel="alternate", href=link)
    add_element(entry, "category", term=item.reader)
    why = f"Score {fixed(delivery.score)}, threshold {fixed(delivery.theta)}"
    if item.words:
        why += f"; because of {', '.join(shown(word) for word in item.words)}"
    said = f"{line(delivery.text, _SUMMARY)}\n" if delivery.text else ""
    add_element(entry, "summary", f"{said}{why}. Document {shown(delivery.document)}.", type="text")


def add_element(
    parent: ElementTree.Element, name: str, text: str | None = None, **given: str
) -> ElementTree.Element:
    """A new Atom element in a parent, with a text and attributes, both without what XML cannot hold."""
    element = ElementTree.SubElement(
        parent, _qualified(name), {key: xml(value) for key, value in given.items()}
    )
    element.text = None if text is None else xml(text)
    return element


def _qualified(name: str) -> str:
    return f"{{{ATOM}}}{name}"


def _urn(of: datetime, *names: str) -> str:
    """A name that depends on the state, the profile and the document alone."""
    whole = "\0".join([of.isoformat(), *(shown(name) for name in names)])
    return uuid.uuid5(uuid.NAMESPACE_OID, whole.encode("utf-8", "replace").decode()).urn


def atom_time(moment: datetime) -> str:
    """A time as Atom writes it, to the second, in UTC."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
