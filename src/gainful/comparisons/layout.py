"""Grids for papers, and rows for programs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from typing import Any

from gainful.formats.grid import Grid, latex

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


def _plain(value: Any) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return repr(value) if isinstance(value, float) else str(value)
