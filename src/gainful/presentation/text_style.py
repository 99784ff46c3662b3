"""How text looks: numbers with their signs, width and colours on a screen, and the marks of LaTeX and Markdown.

One minus sign (−), one dash for what is undefined (–), one way to write a share; nothing wraps on a screen of 80 columns.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

UNDEFINED = "–"
_NAMED = 5  # at either end of a long list


def fixed(value: float | None, places: int = 4, *, whole: bool = False) -> str:
    """A number with the given decimals; what rounds to zero has no sign, what is undefined is a dash.

    whole  the number is a count: no decimals, and a comma between thousands

    >>> fixed(0.25, 2), fixed(-0.5, 2), fixed(-0.00001), fixed(math.nan), fixed(None)
    ('0.25', '−0.50', '0.0000', '–', '–')
    >>> fixed(1200.0, whole=True), fixed(1200.5, 1, whole=True)
    ('1,200', '1200.5')
    """
    if value is None or math.isnan(value):
        return UNDEFINED
    counts = whole and float(value).is_integer()
    digits = f"{abs(value):,.0f}" if counts else f"{abs(value):.{places}f}".replace("inf", "∞")
    return f"−{digits}" if value < 0 and digits.strip("0.,") else digits


def signed(value: float | None, places: int = 4, *, whole: bool = False) -> str:
    """A difference with its sign; what rounds to zero has none.

    >>> signed(0.03125), signed(-0.5, 2), signed(-0.00001), signed(3.0, whole=True)
    ('+0.0312', '−0.50', '0.0000', '+3')
    """
    text = fixed(value, places, whole=whole)
    return f"+{text}" if value is not None and value > 0 and text.strip("0.,") else text


def rounded(value: float | None, *, like: float | None = None) -> str:
    """A number for a sentence: three decimals, fewer where it is large, two digits where it is very small.

    like  the number whose decimals are used, so that the ends of an interval look like its middle

    >>> rounded(0.09823), rounded(12.345), rounded(1500.0), rounded(0.00042), rounded(-0.0123, like=0.0004)
    ('0.098', '12.3', '1500', '0.00042', '−0.01230')
    """
    if value is None or not math.isfinite(value):
        return fixed(value)
    size = abs(value if like is None else like)
    places = next((places for places, most in enumerate((100, 10, 1, 0.00095)) if size > most), None)
    if places is None:
        places = 3 if size == 0 else min(12, 1 - math.floor(math.log10(size)))
    return fixed(value, places)


def whole(value: float | None) -> str:
    """A whole number, with a comma between thousands.

    >>> whole(1200.0), whole(math.nan), whole(math.inf)
    ('1,200', '–', '∞')
    """
    return fixed(value, 0) if value is None or not math.isfinite(value) else fixed(round(value), whole=True)


def percent(share: float | None, places: int | None = None) -> str:
    """A share in percent; without places, all the digits it has. 100 % is exactly all, and 0 % nothing.

    >>> percent(0.95), percent(1 - 0.9), percent(1 - 1e-6), percent(0.126, 0), percent(math.nan)
    ('95 %', '10 %', '99.9999 %', '13 %', '–')
    >>> percent(1, 0), percent(0.996, 0), percent(0.9999, 1), percent(0.004, 0)
    ('100 %', '>99 %', '>99.9 %', '<1 %')
    """
    if share is None or math.isnan(share):
        return UNDEFINED
    if places is None:
        return f"{round(100 * share, 8):.10g} %"
    text, step = fixed(100 * share, places), 10.0**-places
    if 0 < share < 1 and text in (fixed(100, places), fixed(0, places)):
        text = f">{fixed(100 - step, places)}" if share > 0.5 else f"<{fixed(step, places)}"
    return f"{text} %"


def interval(ends: Sequence[float | None], look: Callable[[float | None], str] = signed) -> str:
    """From the lower end to the upper one.

    >>> interval((-0.01, 0.25)), interval((0.1, 0.2), fixed)
    ('−0.0100 to +0.2500', '0.1000 to 0.2000')
    """
    low, high = ends
    return f"{look(low)} to {look(high)}"


def p_value(p: float | None) -> str:
    """A p-value in a table.

    >>> p_value(0.0321), p_value(0.00001), p_value(math.nan)
    ('0.0321', '<0.0001', '–')
    """
    if p is None or math.isnan(p):
        return UNDEFINED
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def stated_p(p: float) -> str:
    """A p-value in a sentence, after the letter p.

    >>> stated_p(0.0321), stated_p(0.00001), stated_p(1.0)
    ('= 0.032', '< 0.0001', '= 1')
    """
    if math.isnan(p):
        return "unknown"
    if p < 0.0001:
        return "< 0.0001"
    return f"= {p:.2g}" if p < 0.0995 else f"= {p:.2f}".rstrip("0").rstrip(".")


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number and the noun it counts, singular or plural.

    >>> counted(1, "topic"), counted(1200, "document"), counted(2, "delivery", "deliveries")
    ('1 topic', '1,200 documents', '2 deliveries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def extremes(values: Mapping[str, float], look: Callable[[float], str]) -> str:
    """Names with their values, the highest first; of many, those at both ends.

    >>> extremes({"a": 10, "b": 1000}, whole), extremes({"a": 0.5}, percent)
    ('b 1,000, a 10', 'a 50 %')
    """
    ordered = sorted(values.items(), key=lambda item: -item[1])
    ends = ordered if len(ordered) <= 2 * _NAMED else [*ordered[:_NAMED], *ordered[-_NAMED:]]
    said = ", ".join(f"{name} {look(value)}" for name, value in ends)
    return said if len(ends) == len(ordered) else f"{said} (the first and last five)"


# Letters and signs that are one column wide: ASCII, Latin, Greek, dashes and dots, arithmetic, lines of tables.
_NARROW = re.compile("[ -~\xa1-\xac\xae-\u02ff\u0391-\u03c9\u2010-\u2027\u2190-\u22ff\u2500-\u257f]*")


def width(text: str) -> int:
    """Columns of a terminal that a text takes: Chinese and Japanese letters take two, accents that combine none.

    >>> width("bm25"), width("検索"), width("e" + chr(0x301))
    (4, 4, 1)
    """
    if _NARROW.fullmatch(text):
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def cut_to(text: str, most: int) -> str:
    """The beginning of a text that takes no more than so many columns of a terminal; … stands for the rest.

    >>> cut_to("red running shoes", 12), cut_to("検索エンジン", 6), cut_to("shoes", 12)
    ('red running…', '検索…', 'shoes')
    """
    if width(text) <= most:
        return text
    from rich.cells import set_cell_size

    return f"{set_cell_size(text, most - 1).rstrip()}…"


def shortened(name: str, columns: int) -> str:
    """The name, no wider than that: its middle is left out, as names of runs differ at either end.

    >>> shortened("bm25", 4), shortened("runs/one/bm25.run", 12)
    ('bm25', 'runs/o…5.run')
    """
    if width(name) <= columns:
        return name
    from rich.cells import set_cell_size

    tail = columns // 2 - 1
    return (
        f"{set_cell_size(name, columns - tail - 1).rstrip()}…{set_cell_size(name[::-1], tail).rstrip()[::-1]}"
    )


def narrowed_widths(
    widths: Sequence[int], words: Sequence[int], columns: int | None, least: int
) -> list[int]:
    """The widths of columns where the widest words are cut until all columns fit, or none can be cut further."""
    narrowed = list(widths)
    while columns is not None and _across(narrowed) > columns:
        widest = max(words, key=lambda column: narrowed[column], default=None)
        if widest is None or narrowed[widest] <= least:
            break
        narrowed[widest] -= 1
    return narrowed


def column_blocks(widths: Sequence[int], words: Sequence[int], columns: int | None) -> list[list[int]]:
    """The columns that stand side by side: all, or as many as fit, each time after the first words and what precedes them."""
    stop = min(words, default=0)
    while stop in words:
        stop += 1
    names = list(range(stop))
    blocks = [[*names]]
    for column in range(len(names), len(widths)):
        across = _across([widths[place] for place in (*blocks[-1], column)])
        if columns is not None and across > columns and len(blocks[-1]) > len(names):
            blocks.append([*names])
        blocks[-1].append(column)
    return blocks


def _across(widths: Sequence[int]) -> int:
    return sum(widths) + 2 * (len(widths) - 1)


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
        bound = text.replace(" %", "\xa0%")
        if " · " in text:  # a part that is longer than a line is broken all the same
            most = self.columns - 2
            parts = (part if len(part) > most else part.replace(" ", "\xa0") for part in text.split(" · "))
            bound = "\xa0· ".join(parts)
        return "\n".join(wrapper.wrap(bound)).replace("\xa0", " ")

    def coloured(self, text: str, tone: str) -> str:
        """The text in the colour of BETTER, WORSE or NEITHER, where the screen has colours."""
        return f"{COLOURS[tone]}{text}{PLAIN}" if self.colours and tone else text


NARROW, WIDE = Screen(), Screen(None)
"""80 columns, on which results print themselves, and lines of any length; both without colours."""


_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
_LATEX = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    **dict(
        zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ", (f"$\\{name}$" for name in _GREEK.split()), strict=True)
    ),
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "−": "$-$",
    "–": "--",
    "∞": r"$\infty$",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    # After a row's end, LaTeX would take these for an option of the line break.
    "[": "{[}",
    "*": "{*}",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "²": r"\textsuperscript{2}",
    "×": r"$\times$",
    "·": r"$\cdot$",
}
_SPECIAL = "[" + re.escape("".join(_LATEX)) + "]"
# An underscore inside a word and a sign of order are no marks.
_MARK = r"[\\|*`\[\]]|<(?=[A-Za-z/!?])|(?<!\w)_|_(?!\w)"


def latex(text: str) -> str:
    r"""The text as LaTeX prints it.

    >>> latex("R_cap & 50%")
    'R\\_cap \\& 50\\%'
    """
    return re.sub(_SPECIAL, lambda match: _LATEX[match[0]], text).replace(r" $\le$ ", r"~$\le$~")


def html_text(text: str) -> str:
    """The text as a page shows it, whatever signs are in it.

    >>> html_text("a < b & c")
    'a &lt; b &amp; c'
    """
    from html import escape  # its table of entities takes a millisecond to load, and most output is no page

    return escape(text)


def markdown_text(text: str) -> str:
    r"""The text as Markdown prints it: what would be a mark (a column's bar, emphasis, code, a link, a tag) is escaped.

    >>> print(markdown_text("a|b *c* <d> x_y p <0.01"))
    a\|b \*c\* \<d> x_y p <0.01
    """
    return re.sub(_MARK, r"\\\g<0>", text)


def narrow_formula(formula: str, most: int) -> str:
    """A formula whose lines are no wider, where that can be: what stands side by side stands below each other.

    >>> print(narrow_formula("P = found / cutoff      found = relevant documents retrieved", 40))
    P = found / cutoff
    found = relevant documents retrieved
    """
    import re

    lines = formula.splitlines()
    return "\n".join(
        re.sub(r"(?<=\S) {3,}|(?<=;) {2,}", "\n", line) if width(line) > most else line for line in lines
    )
