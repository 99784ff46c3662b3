"""The group `gainful`, its commands, each imported when it is called, and what commands share as commands."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import ClassVar

import click

from gainful import __version__

COMMANDS = (
    *("evaluate", "compare", "gate", "correlate", "curve", "explain", "report", "measures"),
    *("check", "convert", "trec_eval", "filter"),
)
"""Names of the commands; each is held by the module of that name, but for those in `_MODULES`."""

_MODULES = {"trec_eval": "trec_eval_command"}  # gainful.compat.trec_eval has the name already


class Commands(click.Group):
    """Commands whose modules are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """The names, in the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (click's signature)
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"gainful.cli.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = module.command
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@click.version_option(__version__, prog_name="gainful", message="%(prog)s %(version)s")
def gainful() -> None:
    """What a ranked list is worth to its reader.

    \b
    gainful evaluate qrels.txt bm25.run dense.run
    gainful evaluate qrels.txt bm25.run -m nDCG@10,AP -q -f json -o scores.json
    gainful measures nDCG
    """


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
