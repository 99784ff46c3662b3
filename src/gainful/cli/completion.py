"""gainful completion: commands, options, measures and files completed by the shell.

The shell calls `gainful` with _GAINFUL_COMPLETE set at every Tab; click answers, with the classes below.
"""

from __future__ import annotations

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

from gainful.cli.commands import write

VARIABLE = "_GAINFUL_COMPLETE"
"""Set by the shell where it asks for completions."""

SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


def install() -> None:
    """Let click complete as here: what is neither a command nor an option is a measure or a file."""
    for name, kind in SHELLS.items():
        add_completion_class(type(f"Gainful{kind.__name__}", (_Completions, kind), {}), name)


class _Completions(ShellComplete):
    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Measures after -m; what click knows; else the names of files."""
        if args and args[-1] in ("-m", "--measures"):
            return _measures(incomplete)
        known = super().get_completions(args, incomplete)
        return known or ([] if incomplete.startswith("-") else [CompletionItem(incomplete, type="file")])


def _measures(incomplete: str) -> list[CompletionItem]:
    """Measures that go on from the last comma, whatever their case."""
    from gainful.measures import names

    before, comma, last = incomplete.rpartition(",")
    found = (name for name in names() if name.lower().startswith(last.lower()))
    return [CompletionItem(f"{before}{comma}{name}") for name in found]


@click.command("completion", short_help="Print the completions of a shell.")
@click.argument("shell", type=click.Choice(tuple(SHELLS)))
def command(shell: str) -> None:
    """Print a script that lets a shell complete commands, options, measures and files.

    \b
    eval "$(gainful completion bash)"                     in ~/.bashrc
    eval "$(gainful completion zsh)"                      in ~/.zshrc
    gainful completion fish | source                      in ~/.config/fish/config.fish
    """
    from gainful.cli.commands import gainful

    write(SHELLS[shell](gainful, {}, "gainful", VARIABLE).source() + "\n", None)
