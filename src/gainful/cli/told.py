"""Judgments that are told apart by subtopic or by judge, or are preferences: as said, or as the measures need it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, get_args

import click

from gainful.formats.types import By

_Command = TypeVar("_Command", bound=Callable[..., Any])

# In the names of measures that need more than a grade for each document, and in few others. Only where one of these
# stands are measures looked up before the judgments are read: that imports NumPy, which reading need not wait for.
WORDS = re.compile(r"alpha|α|_ia|nrbp|strec|pref|jg", re.IGNORECASE)


def told_apart(command: _Command) -> _Command:
    """--qrels-by."""
    return click.option(
        "--qrels-by",
        type=click.Choice(get_args(By)),
        help="What the second column of QRELS names, or that they are preferences.  [default: what the measures need]",
    )(command)


def by_of(measures: Sequence[str], said: By | None) -> By | None:
    """By what the judgments are told apart: what was said, or what the measures need."""
    if said is not None or not any(WORDS.search(text) for text in measures):
        return said
    from gainful.measures import parse_many
    from gainful.scores.needs import needed

    return needed(measure for text in measures for measure in parse_many(text))
