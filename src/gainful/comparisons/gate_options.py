"""Options of the gate from the `[tool.gainful.gate]` table of pyproject.toml."""

from __future__ import annotations

import difflib
import os
import stat
import tomllib
from pathlib import Path
from typing import Any

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown
from gainful.formats.sources import file_type
from gainful.judging.settings import CHOICES

_PATHS = ("qrels", "baseline", "candidate", "junit")
_KINDS: dict[str, tuple[type, ...]] = {
    "qrels": (str,),
    "baseline": (str,),
    "candidate": (str,),
    "junit": (str,),
    "measures": (str, list),
    "margin": (int, float, dict),
    "alpha": (float,),
    "power": (float,),
    "allow_inconclusive": (bool,),
    "flips": (int,),
    "seed": (int,),
    "worst": (int,),
    "rel": (int, float),
    "depth": (int,),
    "topics": (str, list),
    **dict.fromkeys(CHOICES, (str,)),
}
_INSIDE: dict[str, tuple[type, ...]] = {"measures": (str,), "margin": (int, float), "topics": (str, int)}
"""What a list or a table of an option may hold."""
_NAMES = {
    str: "text",
    list: "a list",
    int: "a whole number",
    float: "a number",
    dict: "a table",
    bool: "true or false",
}


def read_options(path: Path) -> dict[str, Any]:
    """The options in that file, by their Python names; paths count from the file's folder. Nothing if there is no such table."""
    try:
        with path.open("rb") as file:
            content = tomllib.load(file)
    except FileNotFoundError:
        raise DataError(f"{shown(str(path))}: there is no such file.") from None
    except OSError as fault:
        raise DataError(f"{shown(str(path))} cannot be read: {fault.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise DataError(f"{shown(str(path))} is not TOML: {fault}.") from None
    table: Any = content
    for name in ("tool", "gainful", "gate"):
        table = table.get(name, {})
        if not isinstance(table, dict):
            raise UsageError(
                f"{shown(str(path))}: [tool.gainful.gate] must be a table; '{name}' is {table!r}."
            )
    made = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        _known(path, key, name, value)
        if name == "junit":
            _check_inside(path, value)
        made[name] = str(path.parent / value) if _is_path(path.parent, name, value) else value
    return made


def find(start: Path) -> Path | None:
    """The nearest pyproject.toml in this folder or one above it."""
    for folder in (start, *start.parents):
        if file_type(str(folder / "pyproject.toml")) == stat.S_IFREG:
            return folder / "pyproject.toml"
    return None


def _check_inside(path: Path, junit: str) -> None:
    """Raise where a file would be written outside the folder of the configuration: that is for the command line to say."""
    folder = os.path.realpath(path.parent)
    if os.path.commonpath([folder, os.path.realpath(path.parent / junit)]) != folder:
        raise UsageError(
            f"{shown(str(path))}, [tool.gainful.gate]: junit = '{shown(junit)}' lies outside the folder of this file; "
            "name it on the command line with --junit."
        )


def _is_path(folder: Path, name: str, value: Any) -> bool:
    """Topics are a file if there is one of that name; any other text is a list of them."""
    return name in _PATHS or (
        name == "topics" and isinstance(value, str) and os.path.exists(folder / value)  # noqa: PTH110 (a list of any length)
    )


def _known(path: Path, key: str, name: str, value: object) -> None:
    where = f"{shown(str(path))}, [tool.gainful.gate]"
    if name not in _KINDS:
        near = difflib.get_close_matches(name, _KINDS, 1)
        hint = (
            f"did you mean {near[0].replace('_', '-')}?"
            if near
            else f"it takes {', '.join(_KINDS).replace('_', '-')}."
        )
        raise UsageError(f"{where}: there is no option '{key}'; {hint}")
    _of_kind(where, f"{key} must be", value, _KINDS[name])
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _of_kind(where, f"all in {key} must be", one, _INSIDE[name])


def _of_kind(where: str, what: str, value: object, kinds: tuple[type, ...]) -> None:
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        said = " or ".join(dict.fromkeys(_NAMES[kind] for kind in kinds))
        raise UsageError(f"{where}: {what} {said}; got {value!r}.")
