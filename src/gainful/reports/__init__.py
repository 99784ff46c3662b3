"""Reports: one page that shows what was measured, how surely, where systems differ and why.

    scores, comparison, curves, check-up ──sections──▶ Report ─┬─ tables, views ──▶ text, Markdown, LaTeX, JSON
    (or a filter simulation)                                   ├─ charts, pictures ──▶ SVG, PDF, PNG
                                                               └─ rendering, painter (templates/) ──▶ HTML

A report is data first: each section is a frozen dataclass. What is shown of it only rounds.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gainful.reports.page import Report
    from gainful.reports.verb import report

_HOMES = {"Report": "page", "report": "verb"}
__all__ = ["Report", "report"]


def __getattr__(name: str) -> Any:
    """A public name is imported when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
