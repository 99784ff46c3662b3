"""The door to SciPy, which is opened late: it is slow to import, and an extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gainful.errors import UsageError


def special() -> Any:
    """scipy.special: the distribution functions."""
    return _module("scipy.special")


def stats() -> Any:
    """scipy.stats: what special does not have."""
    return _module("scipy.stats")


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(
            "comparing systems needs SciPy; install it with: pip install 'gainful[stats]'"
        ) from None
