"""What Gainful asks of msgspec for scores and reports, by the standard library: msgspec is not built for the browser's Python.

Values are those of msgspec; numbers may be written in another way (1e-07, not 1e-7).
"""

from __future__ import annotations

from msgspec import json, structs
from msgspec.json import DecodeError

__all__ = ["DecodeError", "Struct", "json", "structs"]


class Struct:
    """A record that is read from JSON; none of those is read for a report on runs."""

    def __init_subclass__(cls, **options: object) -> None:
        """Take the options of msgspec."""
