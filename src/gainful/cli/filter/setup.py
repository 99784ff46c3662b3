"""gainful filter init: a new state."""

from __future__ import annotations

import click

from gainful.cli.filter.common import VARIABLE, factor, named, state_option, words_options
from gainful.errors import UsageError
from gainful.formats.ids import shown


@click.command("init", short_help="Make a new filter.")
@words_options
@click.option(
    "--cap",
    metavar="N|none",
    help="Documents of the history that stay; judged ones and the high-scoring tail always do.  [default: 50000]",
)
@state_option
def init_command(language: str, title_weight: float, epochs: str, cap: str | None, state: str | None) -> None:
    """Make a new filter in a file, which only its owner can read. How text becomes words is settled here and stays.

    \b
    gainful filter init --state my.filter
    gainful filter init --state zeitung.filter --language german
    """
    path = named(state)
    from gainful.filtering import Analyzer
    from gainful.filtering.state.events import CAP
    from gainful.filtering.state.filter import Filter

    analyzer = Analyzer(language=None if language == "none" else language, title_weight=title_weight)
    kept = CAP if cap is None else None if cap == "none" else _whole(cap)
    with Filter.create(path, analyzer=analyzer, epochs=factor(epochs), cap=kept):
        pass
    name = shown(path)
    click.echo(
        f"{name} is ready. Say what you want to read:\n"
        f'gainful filter profile add NAME "a sentence that says it" --state {name}\n'
        f"(with {VARIABLE}={name} in the environment, --state can be left out)"
    )


def _whole(text: str) -> int:
    try:
        return int(text.replace("_", "").replace(",", ""))
    except ValueError:
        raise UsageError(f"--cap must be a number of documents, or none; got {text!r}") from None
