"""The script of pages with live charts, kept in the user's cache folder: making it takes a second, and it is always the same.

The file is named after vl-convert's version and begins with a digest of what follows. One that does not agree with its
digest is made anew; where the folder cannot be read or written, the script is made each time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from gainful.errors import GainfulError
from gainful.formats.output_files import put


def cache_folder() -> Path:
    """Gainful's folder among the user's caches: that of XDG_CACHE_HOME, or of the system."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    if Path(given).is_absolute():
        return Path(given) / "gainful"
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local) / "gainful" / "Cache"
    if not Path.home().is_dir():  # as of a user of the system, for whom none is made
        raise RuntimeError("there is no home")
    folder = ("Library", "Caches") if sys.platform == "darwin" else (".cache",)
    return Path.home().joinpath(*folder, "gainful")


def kept_script(version: str, made: Callable[[], str]) -> str:
    """The script that this version of vl-convert makes."""
    with suppress(OSError, RuntimeError, ValueError):  # no such folder; no home; no text
        digest, _, kept = _file(version).read_bytes().decode().partition("\n")
        if digest == _digest(kept):
            return kept
    script = made()
    with suppress(OSError, RuntimeError, GainfulError):
        _file(version).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        put(f"{_digest(script)}\n{script}".encode(), str(_file(version)), overwrite=True)
    return script


def _file(version: str) -> Path:
    return cache_folder() / f"vega-{version}.js"


def _digest(script: str) -> str:
    return sha256(script.encode()).hexdigest()
