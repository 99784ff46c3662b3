"""Text of any origin, made safe for where it is to stand: a line of a terminal, Markdown, XML.

Titles and texts come from strangers: control characters could move a terminal's cursor, marks could become markup.
"""

from __future__ import annotations

import re

from gainful.filtering.feeds.html_text import tidied

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
    return "".join(_UNSAFE.get(one, one) for one in web(link))


def json_text(encoded: str) -> str:
    r"""JSON that a terminal may print: control characters that JSON leaves as they are become escapes of the same value.

    >>> print(json_text('"a' + chr(0x9B) + '31m"'))
    "a\u009b31m"
    """
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", encoded)


def xml(text: str) -> str:
    """The text without what XML cannot hold.

    >>> xml("a" + chr(0) + "b")
    'ab'
    """
    return _NOT_XML.sub("", text)
