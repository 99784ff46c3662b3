"""Words that come from the code, as Markdown shows them."""

from __future__ import annotations

import re


def cell(text: str) -> str:
    """Text for a cell of a table; what stands in backquotes stays as it is but for bars.

    >>> print(cell("a|b `c*d`"))
    a&#124;b `c*d`
    """
    return prose(" ".join(text.split())).replace("|", "&#124;")


def prose(text: str) -> str:
    """Text in which no character but a backquote means anything to Markdown.

    >>> len(prose("per_topic of `a_b`")) - len("per_topic of `a_b`")
    1
    """
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<>\[\]])", r"\\\1", part) for part in parts)
