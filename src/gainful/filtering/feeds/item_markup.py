"""Markup of items: what is left of it when all that runs, loads or hides something is gone."""

from __future__ import annotations

import html
import re
from importlib import import_module
from typing import Any
from urllib.parse import urljoin

from gainful.errors import UsageError
from gainful.filtering.safe_text import text_of, web

LONGEST = 200_000
"""Characters of markup and of text that are kept of an item."""

_TAGS = {
    *("a", "abbr", "b", "blockquote", "br", "cite", "code", "dd", "del", "dfn", "dl", "dt", "em"),
    *("figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "ins", "kbd", "li", "mark"),
    *("ol", "p", "pre", "q", "s", "samp", "small", "strong", "sub", "sup", "table", "tbody", "td"),
    *("tfoot", "th", "thead", "time", "tr", "u", "ul", "var"),
}
_UNSEEN = {"script", "style", "template", "head", "title", "noscript", "iframe", "object", "svg", "math"}
_ATTRIBUTES = {"a": {"href"}, "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"}}
_DEEPEST = 200  # elements within each other; the time to clean markup grows with the square of their number
_OPENED = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,15})")
_UNCLOSED = {  # elements that end by themselves
    *("area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"),
    *("p", "li", "dd", "dt", "option"),
}


def whole_link(base: str, link: str) -> str:
    """A link made whole; empty where it is no web address."""
    try:
        return web(urljoin(base, link.strip())) if link.strip() else ""
    except ValueError:
        return ""


def cleaned(markup: str, base: str) -> str:
    """Markup without all that runs, loads or hides something: text, its structure, and links to web pages.

    Of markup that is nested beyond measure the text is left.

    base  the address that links are relative to

    >>> cleaned('<p onclick="x()">a <a href="/b">b</a><img src="c"><script>d</script></p>', "https://example.org/a")
    '<p>a <a href="https://example.org/b" rel="noopener noreferrer nofollow">b</a></p>'
    """

    def kept(_: str, attribute: str, value: str) -> str | None:
        if attribute == "href":
            return whole_link(base, value) or None
        return value if attribute == "rel" or (value.isdecimal() and len(value) < 3) else None

    bounded = markup[:LONGEST].replace("\0", "")
    if _is_deep(bounded):
        return paragraphs(text_of(bounded))
    clean: str = _nh3().clean(
        bounded,
        tags=_TAGS,
        clean_content_tags=_UNSEEN,
        attributes=_ATTRIBUTES,
        attribute_filter=kept,
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )
    return clean.strip()


def _is_deep(markup: str) -> bool:
    """Whether more elements are open within each other than any text needs, by a count that errs on the safe side."""
    depth = 0
    for closing, tag in _OPENED.findall(markup):
        if tag.lower() not in _UNCLOSED:
            depth = max(depth - 1, 0) if closing else depth + 1
            if depth > _DEEPEST:
                return True
    return False


def paragraphs(text: str) -> str:
    """Plain text as markup, a paragraph a line."""
    return "".join(
        f"<p>{html.escape(paragraph)}</p>" for paragraph in text[:LONGEST].split("\n") if paragraph
    )


def _nh3() -> Any:
    try:
        return import_module("nh3")
    except ImportError:
        raise UsageError("fetching feeds needs nh3: pip install 'gainful[feeds]'") from None
