"""Words that come from the code, as Markdown shows them."""

from __future__ import annotations

import re
from collections.abc import Callable


def cell(text: str) -> str:
    """Text for a cell of a table, in one line; what stands in backquotes stays as it is.

    >>> print(cell("a|b `c|d`"))
    a&#124;b `c|d`
    """
    return _outside_code(" ".join(text.split()), lambda part: _plain(part).replace("|", "&#124;"))


def prose(text: str) -> str:
    """Text in which no character but a backquote means anything to Markdown.

    >>> len(prose("per_topic of `a_b`")) - len("per_topic of `a_b`")
    1
    """
    return _outside_code(text, _plain)


def _plain(text: str) -> str:
    return re.sub(r"([*_<>\[\]])", r"\\\1", text)


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else change(part) for part in parts)
