"""The group `gainful` and its commands, each imported when it is called."""

from __future__ import annotations

import importlib

import click

from gainful import __version__

# command: the module that holds it, under the same name
COMMANDS = (
    *("evaluate", "compare", "gate", "correlate", "curve", "explain", "report", "measures"),
    *("check", "convert", "trec_eval", "filter"),
)


class Commands(click.Group):
    """Commands whose modules are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """The names, in the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (likewise)
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"gainful.cli.{cmd_name}").command
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
