"""Reports: one page that shows what was measured, how surely, where systems differ and why.

    scores, comparison, curves, check-up ──sections──▶ Report ─┬─ tables, views ──▶ text, Markdown, LaTeX, JSON
    (or a filter simulation)                                   ├─ charts, pictures ──▶ SVG, PDF, PNG
                                                               └─ rendering, painter (templates/) ──▶ HTML

A report is data first: each section is a frozen dataclass. What is shown of it only rounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gainful._lazy_import import door

if TYPE_CHECKING:
    from gainful.reports.page import Report
    from gainful.reports.verb import report

__all__ = ["Report", "report"]

__getattr__, __dir__ = door(
    __name__,
    {
        "page": ("Report",),
        "verb": ("report",),
    },
)
