"""Text of any origin: HTML becomes the text that a reader would see, and text is made safe for a terminal, Markdown or XML.

Titles and texts come from strangers: control characters could move a terminal's cursor, marks could become markup.
The HTML parser of the standard library takes time in proportion to the square of a hostile input; this one takes time in
proportion to the input, whatever it is.
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
    r"""[^>"']*+(?:"[^"]*+"[^>"']*+|'[^']*+'[^>"']*+)*>"""
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
    while (bracket := markup.find("<", place)) >= 0:
        parts.append(markup[place:bracket])
        name = _NAME.match(markup, bracket)
        if name is None and not markup.startswith(("<!", "<?"), bracket):
            parts.append("<")
            place = bracket + 1
            continue
        tag = name[1].lower() if name else ""
        end = _after(markup, bracket, tag)
        if end < 0:  # it is never closed: text to the end
            parts.append(markup[bracket:])
            return parts
        place = end
        if tag in _BLOCKS:
            parts.append("\n")
        elif tag in _UNSEEN and markup[bracket + 1] != "/" and markup[end - 2] != "/":
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


_MARKS = re.compile(r"([\\`*_\[\]|~])")
_BEGINS = re.compile(r"^(\d{0,9})([-+#=.)])")  # what makes a list or a heading at the beginning of a line
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WEB = re.compile(r"https?://[^\s<>\"\\^`{|}\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+", re.IGNORECASE)
_CONTROLS = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_UNSAFE = {"&": "&amp;", "(": "%28", ")": "%29", "[": "%5B", "]": "%5D", "*": "%2A", "_": "%5F"}


def line(text: str, longest: int | None = None) -> str:
    r"""The text on one line, cut where it is too long.

    >>> line("two\n lines \x1b[2J here"), line("rather long", 8)
    ('two lines [2J here', 'rather…')
    """
    whole = tidied(text).replace("\n", " ")
    return whole if longest is None or len(whole) <= longest else whole[: longest - 1].rstrip() + "…"


def markdown(text: str) -> str:
    r"""The text on one line of Markdown, where every mark stands for itself.

    >>> print(markdown("<b>[5 * 3](x) & more"))
    &lt;b&gt;\[5 \* 3\](x) &amp; more
    >>> print(markdown("# 1"), markdown("2. two"))
    \# 1 2\. two
    """
    marked = _BEGINS.sub(r"\1\\\2", _MARKS.sub(r"\\\1", line(text)))
    return marked.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def code(text: str) -> str:
    """An id as `shown` gives it, in Markdown, letter for letter, to be copied.

    >>> print(code("a_b"), code("a`b"))
    `a_b` `` a`b ``
    """
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence, space = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{space}{text}{space}{fence}"


def web(link: str) -> str:
    """The link, if it leads to a web page and nowhere else; nothing otherwise.

    >>> web("https://example.org/a_(b)"), web("javascript:alert(1)")
    ('https://example.org/a_(b)', '')
    """
    return link.strip() if _WEB.fullmatch(link.strip()) else ""


def destination(link: str) -> str:
    """The link, if it leads to a web page, as it stands in the round brackets of Markdown; nothing otherwise.

    >>> destination("https://example.org/a_(b)?c&d")
    'https://example.org/a%5F%28b%29?c&amp;d'
    """
    return "".join(_UNSAFE.get(letter, letter) for letter in web(link))


def json_text(encoded: str) -> str:
    r"""JSON that a terminal may print: control characters that JSON leaves as they are become escapes of the same value.

    >>> print(json_text('"a' + chr(0x9B) + '31m"'))
    "a\u009b31m"
    """
    return _CONTROLS.sub(lambda control: f"\\u{ord(control[0]):04x}", encoded)


def xml(text: str) -> str:
    """The text without what XML cannot hold.

    >>> xml("a" + chr(0) + "b")
    'ab'
    """
    return _NOT_XML.sub("", text)
