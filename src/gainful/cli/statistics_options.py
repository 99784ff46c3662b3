"""Options that say how systems are compared: names, defaults and help are those of `Method`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, TypeVar

import click

from gainful.comparisons.method import CHOICES, LIMITS, Method
from gainful.statistics import paired_tests

_Command = TypeVar("_Command", bound=Callable[..., Any])


def statistics_options(*names: str) -> Callable[[_Command], _Command]:
    """An option for each of these fields of `Method`."""
    explained = parameters(Method)
    defaults = {field.name: field.default for field in fields(Method)}

    def add(command: _Command) -> _Command:
        for name in reversed(names):
            default = None if defaults[name] is MISSING else defaults[name]
            command = click.option(
                f"--{name}",
                type=_type(name),
                default=default,
                show_default=default is not None,
                metavar=_metavar(name),
                help=explained[name],
            )(command)
        return command

    return add


def parameters(documented: Callable[..., Any]) -> dict[str, str]:
    """The lines of a docstring that explain a parameter each, by name; a line that is further in goes on.

    >>> parameters(Method)["seed"]
    'Random seed.'
    """
    found: dict[str, str] = {}
    name = None
    for line in inspect.cleandoc(documented.__doc__ or "").splitlines():
        if begun := re.match(r"([a-z_]+) {2,}(\S.*)", line):
            name = begun[1]
            found[name] = begun[2]
        elif name and line.startswith("    "):
            found[name] += " " + line.strip()
        else:
            name = None
    return found


def _type(name: str) -> Any:
    if name in CHOICES:
        return click.Choice(tuple(CHOICES[name]))
    if name in LIMITS:
        return float if isinstance(LIMITS[name][0], float) else int
    return str


def _metavar(name: str) -> str | None:
    if name == "test":
        return f"[{'|'.join(paired_tests.names())}|FILE.py]"
    return None if name in CHOICES else "NAME" if name == "baseline" else "N"
