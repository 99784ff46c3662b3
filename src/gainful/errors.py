"""What can go wrong, as one tree.

    GainfulError
    ├── UsageError          asked for something that is not there; the command exits with 2
    │   └── MeasureError    a measure's name or a parameter of it
    ├── DataError           a file or a value in it; the message names the place; the command exits with 3
    └── NothingInCommon     judgments and run share no topic; the command exits with 4

Every message says where, what and what to do, and is meant to be shown as it is; `printable`
makes control characters in it visible.
"""

import re

# control characters but tab and newline; bytes that are not UTF-8; ends of lines and turns of direction in Unicode
_UNPRINTABLE = "[\udc80-\udcff\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"  # compiled when something is printed


class GainfulError(Exception):
    """Anything that Gainful refuses; its text is written for the user."""

    exit_code = 70


class UsageError(GainfulError, ValueError):
    """Asked for something that is not there, or for two things that exclude each other."""

    exit_code = 2


class MeasureError(UsageError):
    """A measure's name that is not known, or a parameter that it does not take."""


class DataError(GainfulError, ValueError):
    """A file that cannot be read, or a value in the data that cannot be used."""

    exit_code = 3


class NothingInCommon(GainfulError, ValueError):
    """No topic of the run is judged: there is nothing to score."""

    exit_code = 4


class PlainCore(RuntimeWarning):
    """Gainful runs without its native core, in plain Python, which is slow; a warning, as the numbers are the same."""


def printable(text: str) -> str:
    r"""A message as a terminal may print it: its lines and tabs stay, other control characters are written `\xNN`.

    >>> printable("a file\x1b[2J of\nothers: disk \x9b error")
    'a file\\x1b[2J of\nothers: disk \\xc2\\x9b error'
    """
    return re.sub(
        _UNPRINTABLE,
        lambda found: "".join(f"\\x{byte:02x}" for byte in found[0].encode("utf-8", "surrogateescape")),
        text,
    )
