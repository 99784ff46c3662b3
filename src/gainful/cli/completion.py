"""gainful completion: commands, options, measures, dialects and files completed by the shell.

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


class _Completions(ShellComplete):
    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Measures after -m, dialects after --dialect; what click knows; else the names of files."""
        if args == ["measures"] or (args and args[-1] in ("-m", "--measure", "--measures")):
            return _measures(incomplete)
        if args == ["dialects"] or (args and args[-1] in ("--dialect", "--against")):
            return _dialects(incomplete)
        known = super().get_completions(args, incomplete)
        return known or ([] if incomplete.startswith("-") else [CompletionItem(incomplete, type="file")])


class _Bash(_Completions, BashComplete):
    """Bash splits words at @: nDCG@10,er comes as nDCG, @ and 10,er, and what it replaces is @10,er."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """The words joined again, and of what completes them the part from the last @ on."""
        whole, before = list(args), ""
        while len(whole) > 1 and whole[-1] == "@":
            before = f"{whole[-2]}@{before}"
            del whole[-2:]
        found = super().get_completions(whole, before + incomplete)
        for item in found:
            item.value = item.value.removeprefix(before[:-1])
        return found


class _Zsh(_Completions, ZshComplete):
    pass


class _Fish(_Completions, FishComplete):
    """Click's script ends what completes a word at its second comma; a list of measures has several."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split --max 1 ","')


SHELLS: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}


def install() -> None:
    """Let click complete as here: what is neither a command nor an option is a measure or a file."""
    for name, kind in SHELLS.items():
        add_completion_class(kind, name)


def _measures(incomplete: str) -> list[CompletionItem]:
    """Measures that go on from the last comma, whatever their case."""
    from gainful.measures import names

    before, comma, last = incomplete.rpartition(",")
    found = (name for name in names() if name.lower().startswith(last.lower()))
    return [CompletionItem(f"{before}{comma}{name}") for name in found]


def _dialects(incomplete: str) -> list[CompletionItem]:
    """Dialects without a version, or where one is begun with it."""
    from gainful.dialects.dialect_registry import every

    known = ((dialect.name, dialect.version) for dialect in every())
    found = ("@".join(each) if "@" in incomplete else each[0] for each in known)
    return [CompletionItem(name) for name in dict.fromkeys(found) if name.startswith(incomplete.lower())]


@click.command("completion", short_help="Print the completions of a shell.")
@click.argument("shell", type=click.Choice(tuple(SHELLS)))
def command(shell: str) -> None:
    """Print a script that lets a shell complete commands, options, measures, dialects and files.

    \b
    eval "$(gainful completion bash)"                     in ~/.bashrc
    eval "$(gainful completion zsh)"                      in ~/.zshrc
    gainful completion fish | source                      in ~/.config/fish/config.fish
    """
    from gainful.cli.commands import gainful

    write(SHELLS[shell](gainful, {}, "gainful", VARIABLE).source() + "\n", None)
