"""How answers are laid out: pages for people, tables for papers, rows and JSON for programs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from typing import Any

from gainful.errors import UsageError
from gainful.formats.grid import Grid, latex

FORMATS = ("table", "csv", "json", "markdown", "latex")

_UP, _DOWN = "\ue000", "\ue001"  # letters that no text has
_SIGNS = {
    _UP: r"\textsuperscript{",
    _DOWN: "}",
    "−": "$-$",
    "–": "--",
    "∞": r"$\infty$",
    "<": "$<$",
    "ρ": r"$\rho$",
    "²": r"\textsuperscript{2}",
    "Φ": r"$\Phi$",
    "×": r"$\times$",
    "·": r"$\cdot$",
}


def page(
    tables: Sequence[Grid | tuple[str, Grid]],
    said: Sequence[str],
    closing: str,
    form: str,
    *,
    title: str | None = None,
) -> str:
    """Tables, each under its own line if it has one, sentences, and how it was made; as "table" or "markdown".

    >>> print(page([Grid(["run", "AP"], [["a", "0.25"]])], ["a is alone."], "50 topics", "markdown"), end="")
    | run | AP |
    |:---|---:|
    | a | 0.25 |
    <BLANKLINE>
    - a is alone.
    <BLANKLINE>
    _50 topics_
    """
    if form not in ("table", "markdown"):
        raise UsageError(f"format must be one of {', '.join(FORMATS)}; got {form!r}.")
    marked = form == "markdown"
    lines = [] if title is None else [f"## {title}" if marked else title.upper(), ""]
    for one in tables:
        above, grid = one if isinstance(one, tuple) else ("", one)
        lines += [heading(above, form), ""] if above else []
        lines += [grid.markdown() if marked else grid.text(), ""]
    lines += [f"- {line}" if marked else line for line in said]
    lines += [""] if said else []
    return "\n".join([*lines, f"_{closing}_" if marked else closing]) + "\n"


def heading(text: str, form: str) -> str:
    """A line above a table."""
    return f"### {text}" if form == "markdown" else text


def raised(base: str, above: str) -> str:
    """A cell for `paper` with its last part as a superscript."""
    return f"{base}{_UP}{above}{_DOWN}" if above else base


def paper(grid: Grid, caption: str) -> str:
    r"""The grid as a LaTeX table with a caption, for booktabs.

    >>> print(paper(Grid(["run", "AP"], [["a_b", raised("0.25", "ab")]]), "50 topics"), end="")
    % \usepackage{booktabs}
    \begin{table}
    \centering
    \caption{50 topics}
    \begin{tabular}{lr}
    \toprule
    run & AP \\
    \midrule
    a\_b & 0.25\textsuperscript{ab} \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    body = "".join(_SIGNS.get(sign, sign) for sign in grid.latex())
    said = "".join(_SIGNS.get(sign, sign) for sign in latex(caption))
    lines = [
        "% \\usepackage{booktabs}",
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{said}}}",
        body,
        "\\end{table}",
    ]
    return "\n".join(lines) + "\n"


def as_csv(rows: Sequence[dict[str, Any]]) -> str:
    """Rows of the same keys, values in full; what has no value is left empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0] if rows else [])
    writer.writerows([_plain(value) for value in row.values()] for row in rows)
    return text.getvalue()


def as_json(made: dict[str, Any]) -> str:
    """JSON with all digits; what has no value (NaN, infinite) is null."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(made), indent=2).decode() + "\n"


def _plain(value: Any) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return repr(value) if isinstance(value, float) else str(value)
