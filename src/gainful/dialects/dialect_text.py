"""Dialects in words: a list of them, and what one of them does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields

from gainful.dialects.dialect_registry import ABOVE_ZERO, HOLE, Dialect, Spelled
from gainful.judging.settings import Settings
from gainful.presentation.table import Table
from gainful.presentation.text_style import NARROW, Screen


def listed(dialects: Sequence[Dialect], screen: Screen = NARROW) -> str:
    """A line for each dialect."""
    rows = [[dialect.title, dialect.since, dialect.tool] for dialect in dialects]
    return f"{Table(['dialect', 'since', 'tool'], rows, [0, 1, 2], [2]).text(screen)}\n"


def explained(dialect: Dialect, screen: Screen = NARROW) -> str:
    """The conventions of a dialect, and for each of its measures the measure of ours that it is."""
    parts = [f"{dialect.title}: {dialect.tool}", screen.filled(dialect.conventions.stated())]
    if dialect.since:
        parts.insert(1, f"Versions: {dialect.versions}.")
    if dialect.grades != "any":
        parts.append(f"Grades: {dialect.grades}.")
    rows = [
        [spelled.name.replace(HOLE, "K"), _ours(spelled), _differs(dialect, spelled)]
        for spelled in dialect.measures
    ]
    parts.append(Table(["measure", "here", "differs in"], rows, [0, 1, 2], [2]).text(screen))
    faults = dict.fromkeys(spelled.fault for spelled in dialect.measures if spelled.fault)
    no_rules = dict.fromkeys(spelled.no_rule for spelled in dialect.measures if spelled.no_rule)
    parts += [screen.filled(f"Known fault, reproduced: {fault}.") for fault in faults]
    parts += [screen.filled(f"Declined where tied scores decide: {reason}.") for reason in no_rules]
    parts += [screen.filled(note) for note in dialect.notes]
    parts.append(screen.filled(f"Source: {dialect.source}."))
    return "\n\n".join(parts) + "\n"


def _ours(spelled: Spelled) -> str:
    """The measure of ours, with K for the cutoff."""
    text = re.sub(rf"@{re.escape(HOLE)}", "@K", spelled.measure)
    return text.replace(f"rel={ABOVE_ZERO}", "rel>0")


def _differs(dialect: Dialect, spelled: Spelled) -> str:
    own, common = dialect.settings_of(spelled).to_dict(), dialect.conventions.to_dict()
    names = [field.name for field in fields(Settings) if own[field.name] != common[field.name]]
    return ", ".join(f"{name} {own[name]}" for name in names)
