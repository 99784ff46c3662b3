"""What the commands of a filter in use share: the state, and records as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gainful.errors import UsageError

if TYPE_CHECKING:
    from gainful.filtering.state.filter import Filter

_Command = TypeVar("_Command", bound=Callable[..., Any])
VARIABLE = "GAINFUL_STATE"


def state_option(command: _Command) -> _Command:
    """--state."""
    return click.option(
        "--state",
        envvar=VARIABLE,
        metavar="FILE",
        type=click.Path(dir_okay=False),
        help=f"The file that holds the filter.  [default: what {VARIABLE} names]",
    )(command)


def words_options(command: _Command) -> _Command:
    """How text becomes weighted words: --epochs, --language, --title-weight."""
    for option in (
        click.option(
            "--title-weight",
            type=click.FloatRange(0),
            default=1.0,
            show_default=True,
            metavar="N",
            help="Of words in titles.",
        ),
        click.option(
            "--language",
            default="english",
            show_default=True,
            metavar="NAME|none",
            help="Of stems and stop words.",
        ),
        click.option(
            "--epochs",
            default="2",
            show_default=True,
            metavar="FACTOR|never",
            help="New idf when documents have grown by this factor.",
        ),
    ):
        command = option(command)
    return command


def named(state: str | None) -> str:
    """The path of the state, which must have been given."""
    if not state:
        raise UsageError(f"which filter? Name its file with --state FILE, or in {VARIABLE}.")
    return state


def opened(state: str | None) -> Filter:
    """The state, open; to be closed."""
    from gainful.filtering.state.filter import Filter

    return Filter.open(named(state))


def as_json(record: Any) -> str:
    """A record for programs."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(record), indent=2).decode() + "\n"
