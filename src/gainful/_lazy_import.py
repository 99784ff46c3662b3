"""Packages whose names are imported when they are asked for, so that a command loads only what it needs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def door(
    package: str, homes: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package whose names live in its modules: {module: (name, …)}."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def asked_for(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{home_of[name]}"), name)
        setattr(sys.modules[package], name, value)  # next time nobody asks
        return value

    return asked_for, lambda: sorted({*vars(sys.modules[package]), *home_of})
