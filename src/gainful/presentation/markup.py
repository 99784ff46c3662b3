"""Text as LaTeX and Markdown print it, and its width in columns of a terminal."""

from __future__ import annotations

import re

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
_SPECIAL = re.compile("[" + re.escape("".join(_LATEX)) + "]")
# An underscore inside a word and a sign of order are no marks.
_MARK = re.compile(r"[\\|*`\[\]]|<(?=[A-Za-z/!?])|(?<!\w)_|_(?!\w)")
# Letters and signs that are one column wide: ASCII, Latin, Greek, dashes and dots, arithmetic, lines of tables.
_NARROW = re.compile("[ -~\xa1-\xac\xae-\u02ff\u0391-\u03c9\u2010-\u2027\u2190-\u22ff\u2500-\u257f]*")


def latex(text: str) -> str:
    r"""The text as LaTeX prints it.

    >>> latex("R_cap & 50%")
    'R\\_cap \\& 50\\%'
    """
    return _SPECIAL.sub(lambda match: _LATEX[match[0]], text).replace(r" $\le$ ", r"~$\le$~")


def markdown_text(text: str) -> str:
    r"""The text as Markdown prints it: what would be a mark (a column's bar, emphasis, code, a link, a tag) is escaped.

    >>> print(markdown_text("a|b *c* <d> x_y p <0.01"))
    a\|b \*c\* \<d> x_y p <0.01
    """
    return _MARK.sub(r"\\\g<0>", text)


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
