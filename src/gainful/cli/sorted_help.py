"""A command with many options, whose help shows them in groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import click


class SortedHelp(click.Command):
    """A command whose options stand under headings; those that no heading claims stand last, under Options."""

    headings: ClassVar[Mapping[str, Sequence[str]]] = {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, heading by heading."""
        records = {
            param.name: record
            for param in self.get_params(ctx)
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx))
        }
        for heading, names in self.headings.items():
            with formatter.section(heading):
                formatter.write_dl([records.pop(name) for name in names if name in records])
        if records:
            with formatter.section("Options"):
                formatter.write_dl([*records.values()])
