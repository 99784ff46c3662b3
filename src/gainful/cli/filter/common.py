"""What the commands share: the state, how text becomes words, folders, and records as JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown

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


def factor(text: str) -> float | None:
    """What --epochs says: a factor, or None for never."""
    if text == "never":
        return None
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"--epochs must be a factor above 1, or never; got {text!r}") from None


def make_folder(path: Path) -> None:
    """The folder, made where it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise DataError(f"{shown(str(path))} cannot be made: {fault.strerror}.") from None


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
