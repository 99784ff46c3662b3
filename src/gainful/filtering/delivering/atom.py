"""Deliveries as an Atom feed (RFC 4287) that a reader can subscribe to as a file."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from xml.etree import ElementTree

from gainful import __version__
from gainful.filtering.delivering.items import Item
from gainful.filtering.delivering.writing import line, web, xml
from gainful.formats.ids import shown

_NAMESPACE = "http://www.w3.org/2005/Atom"
_TITLE, _SUMMARY = 200, 2000


def atom(found: Sequence[Item], *, of: datetime, profile: str | None = None) -> str:
    """The feed, newest first.

    of       when the state was made: ids of feed and entries depend on it, on the profile and on the document alone
    profile  whose deliveries these are; None for everybody's
    """
    ElementTree.register_namespace("", _NAMESPACE)
    feed = ElementTree.Element(_name("feed"))
    title = "Deliveries" if profile is None else f"Deliveries for {shown(profile)}"
    _add(feed, "title", line(title, _TITLE))
    _add(feed, "id", _urn(of, profile or ""))
    _add(feed, "updated", _time(max((item.delivery.time for item in found), default=of)))
    _add(_add(feed, "author"), "name", "Gainful")
    _add(feed, "generator", "Gainful", version=__version__)
    for item in reversed(found):
        _entry(feed, item, of)
    ElementTree.indent(feed)
    body = ElementTree.tostring(feed, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _entry(feed: ElementTree.Element, item: Item, of: datetime) -> None:
    one = item.delivery
    entry = _add(feed, "entry")
    _add(entry, "title", line(one.title or one.text or shown(one.document), _TITLE))
    _add(entry, "id", _urn(of, one.profile, one.document))
    _add(entry, "updated", _time(one.time))
    if one.date:
        _add(entry, "published", _time(one.date))
    if link := web(one.link):
        _add(entry, "link", rel="alternate", href=link)
    _add(entry, "category", term=item.reader)
    why = f"Score {one.score:.4f}, threshold {one.theta:.4f}"
    if item.words:
        why += f"; because of {', '.join(shown(word) for word in item.words)}"
    said = f"{line(one.text, _SUMMARY)}\n" if one.text else ""
    _add(entry, "summary", f"{said}{why}. Document {shown(one.document)}.", type="text")


def _add(
    parent: ElementTree.Element, name: str, text: str | None = None, **given: str
) -> ElementTree.Element:
    made = ElementTree.SubElement(parent, _name(name), {key: xml(value) for key, value in given.items()})
    made.text = None if text is None else xml(text)
    return made


def _name(name: str) -> str:
    return f"{{{_NAMESPACE}}}{name}"


def _urn(of: datetime, *names: str) -> str:
    """A name that stays the same for the same state, profile and document."""
    whole = "\0".join([of.isoformat(), *(shown(name) for name in names)])
    return uuid.uuid5(uuid.NAMESPACE_OID, whole.encode("utf-8", "replace").decode()).urn


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
