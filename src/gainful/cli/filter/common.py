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


def count(number: int, one: str, many: str | None = None) -> str:
    """So many of something.

    >>> count(1, "document"), count(2000, "delivery", "deliveries")
    ('1 document', '2,000 deliveries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
