"""The libraries that a page is made with: Altair makes charts, vl-convert draws them, Jinja2 fills the templates."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gainful.errors import UsageError
from gainful.presentation import chart_files

_EVERY = ("altair", "vl_convert", "jinja2")


def ready() -> None:
    """Raise, before any work is done, where one of them is not installed, or charts cannot be drawn."""
    for name in _EVERY:
        library(name)
    chart_files.ready()


def library(name: str) -> Any:
    """One of them, or a line on how to get it."""
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(
            "a report needs Altair, vl-convert and Jinja2: pip install 'gainful[report]'"
        ) from None
