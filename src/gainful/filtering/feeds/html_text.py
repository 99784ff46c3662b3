"""HTML becomes the text that a reader would see: no tags, no scripts, no styles, entities decoded.

The parser of the standard library takes time in proportion to the square of the input where the input wants it; this
takes time in proportion to the input, whatever it is.
"""

from __future__ import annotations

import html
import re

LONGEST = 1 << 20
"""Characters of markup that are read of one item; what comes after is left out."""

_UNSEEN = frozenset({"script", "style", "template", "head"})
_BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "figure"),
        *(
            "footer",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "li",
            "main",
            "nav",
            "ol",
            "p",
            "pre",
        ),
        *("section", "table", "td", "th", "tr", "ul"),
    }
)
_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9:_-]{0,63})")
_QUOTED = re.compile(
    r"""[^>"']*+(?:"[^"]*+"[^>"']*+|'[^']*+'[^>"']*+)*+>"""
)  # the rest of a tag; > may be quoted
_TAG = 4096  # characters of a tag that are searched for its end with quotes minded
_HIDDEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")
_NUMBER = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{7,});?")  # beyond all characters


def text_of(markup: str) -> str:
    r"""The text of a piece of HTML; paragraphs and the like begin new lines.

    >>> text_of("<p>Fish &amp; chips</p><script>alert(1)</script><p>for <b>two</b></p>")
    'Fish & chips\nfor two'
    >>> text_of("1 &lt; 2 and 3 < 4")
    '1 < 2 and 3 < 4'
    """
    return tidied(html.unescape(_NUMBER.sub("\ufffd", "".join(_texts(markup[:LONGEST])))))


def tidied(text: str) -> str:
    r"""The text with single spaces, without empty lines, control characters and turns of the writing direction.

    >>> tidied(" a\t b \n\n c\x00")
    'a b\nc'
    """
    return _LINES.sub("\n", _SPACES.sub(" ", _HIDDEN.sub(" ", text))).strip()


def _texts(markup: str) -> list[str]:
    """What stands between the tags; an opening bracket that begins none is text."""
    parts, place = [], 0
    while (found := markup.find("<", place)) >= 0:
        parts.append(markup[place:found])
        name = _NAME.match(markup, found)
        if name is None and not markup.startswith(("<!", "<?"), found):
            parts.append("<")
            place = found + 1
            continue
        tag = name[1].lower() if name else ""
        end = _after(markup, found, tag)
        if end < 0:  # it is never closed: text to the end
            parts.append(markup[found:])
            return parts
        place = end
        if tag in _BLOCKS:
            parts.append("\n")
        elif tag in _UNSEEN and markup[found + 1] != "/" and markup[end - 2] != "/":
            closing = re.compile(f"</{tag}", re.IGNORECASE).search(markup, end)
            if closing is None:
                return parts
            place = closing.start()
    parts.append(markup[place:])
    return parts


def _after(markup: str, start: int, tag: str) -> int:
    """Where the tag, comment or declaration that begins here has ended; −1 where it does not."""
    if markup.startswith("<!--", start):
        closing = markup.find("-->", start + 4)
        return len(markup) if closing < 0 else closing + 3
    if tag and (whole := _QUOTED.match(markup, start + 1, start + _TAG)):
        return whole.end()
    return markup.find(">", start) + 1 or -1
