"""Screen: how wide text may be and whether it has colours; nothing wraps on a terminal of 80 columns."""

from __future__ import annotations

from dataclasses import dataclass

BETTER, WORSE, NEITHER = "better", "worse", "not significant"
"""What a colour says of a difference."""
COLOURS = {BETTER: "\x1b[32m", WORSE: "\x1b[31m", NEITHER: "\x1b[2m"}
PLAIN = "\x1b[0m"
"""Ends a colour."""


@dataclass(frozen=True, slots=True)
class Screen:
    """Where text is shown.

    columns  how many it has; None where lines may be of any length
    colours  whether it shows them
    """

    columns: int | None = 80
    colours: bool = False

    def filled(self, text: str, *, indent: str = "") -> str:
        """The text in lines that fit; words stay whole, and so do percentages and what stands between two dots.

        >>> print(Screen(20).filled("bm25 is better than dense on AP.", indent="  "))
        bm25 is better than
          dense on AP.
        """
        if self.columns is None:
            return text
        from textwrap import TextWrapper

        wrapper = TextWrapper(
            self.columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
        bound = text.replace(" %", "\xa0%") if " · " not in text else _bound_parts(text)
        return "\n".join(wrapper.wrap(bound)).replace("\xa0", " ")

    def coloured(self, text: str, tone: str) -> str:
        """The text in the colour of BETTER, WORSE or NEITHER, where the screen has colours."""
        return f"{COLOURS[tone]}{text}{PLAIN}" if self.colours and tone else text


def _bound_parts(text: str) -> str:
    return " ".join(f"{part} ·".replace(" ", "\xa0") for part in text.split(" · ")).removesuffix("\xa0·")


NARROW, WIDE = Screen(), Screen(None)
"""80 columns, on which results print themselves, and lines of any length; both without colours."""
