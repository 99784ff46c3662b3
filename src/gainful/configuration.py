"""Options in a file: the [tool.gainful] table of pyproject.toml, or gainful.toml, so that CI needs no arguments.

    [tool.gainful]           what all commands share: judgments, runs, measures, margin, settings
    [tool.gainful.gate]      what the gate has beside them, or differently
    [tool.gainful.report]    likewise the report; [tool.gainful.check] likewise the check

In gainful.toml the names are without "tool.gainful". Each command takes what it knows, its own table before the shared one;
the command line comes before both. Paths count from the folder of the file.
"""

from __future__ import annotations

import difflib
import glob
import os
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown
from gainful.formats.sources import file_type
from gainful.judging.settings import CHOICES

Kinds = Mapping[str, tuple[type, ...]]

FILES = ("gainful.toml", "pyproject.toml")
"""Names of the files that are looked for, in this order."""

_WRITTEN = ("junit", "badge", "output")
_COMMON: Kinds = {
    **dict.fromkeys(("qrels", "queries", "documents", "design", "estimator"), (str,)),
    "model_qrels": (str, list),
    "measures": (str, list),
    "alpha": (int, float),
    "seed": (int,),
    "matters": (int, float),
    "rel": (int, float),
    "depth": (int,),
    "topics": (str, list),
    **dict.fromkeys(CHOICES, (str,)),
}
COMMANDS: Mapping[str, Kinds] = {
    "gate": {
        **dict.fromkeys(("baseline", "candidate", "junit", "badge"), (str,)),
        **_COMMON,
        "margin": (int, float, dict),
        "power": (int, float),
        "allow_inconclusive": (bool,),
        "flips": (int,),
        "worst": (int,),
    },
    "check": {"qrels": (str,), "runs": (str, list)},
    "report": {
        "runs": (str, list),
        **_COMMON,
        **dict.fromkeys(
            ("baseline", "interval", "correction", "names", "title", "against", "output"), (str,)
        ),
        "shown": (int,),
        "overwrite": (bool,),
    },
}
"""The options that a command takes from a file, and of what kind they are."""

_ALONE = {*_WRITTEN, "overwrite", "title"}  # of one command each
_SHARED: Kinds = {
    name: kinds for table in COMMANDS.values() for name, kinds in table.items() if name not in _ALONE
}
_PATHS = {"qrels", "candidate", "queries", "documents", "design", *_WRITTEN}
_INSIDE: Kinds = {
    "measures": (str,),
    "model_qrels": (str,),
    "margin": (int, float),
    "topics": (str, int),
    "runs": (str,),
}
"""What a list or a table of an option may hold."""
_NAMES = {
    str: "text",
    list: "a list",
    int: "a whole number",
    float: "a number",
    dict: "a table",
    bool: "true or false",
}


def find(start: Path) -> Path | None:
    """The nearest gainful.toml or pyproject.toml, in this folder or one above it."""
    files = (folder / name for folder in (start, *start.parents) for name in FILES)
    return next((file for file in files if file_type(str(file)) == stat.S_IFREG), None)


def read_options(path: Path, command: str = "gate") -> dict[str, Any]:
    """The options of a command in that file, by their Python names; nothing if the file has none.

    The shared `baseline` and `candidate` are the runs of a report or a check that names none.
    """
    place, tables = _tables(path)
    own = tables.pop(command, {})
    shared = {name: value for name, value in tables.items() if name not in COMMANDS}
    options = _options(path, place, shared, _SHARED, command="gate")
    options_alone = _options(path, f"{place}{'.' if place else ''}{command}", own, COMMANDS[command], command)
    if command != "gate":
        pair = [options.pop(name, None) for name in ("baseline", "candidate")]
        if "runs" not in options and all(pair):
            options["runs"] = pair
    return {name: value for name, value in options.items() if name in COMMANDS[command]} | options_alone


def _tables(path: Path) -> tuple[str, dict[str, Any]]:
    """What the file says of Gainful, and the name of the table that says it: "tool.gainful", or nothing in gainful.toml."""
    try:
        # Editors on Windows write a mark before the first line.
        content = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise DataError(f"{shown(str(path))}: there is no such file.") from None
    except OSError as fault:
        raise DataError(f"{shown(str(path))} cannot be read: {fault.strerror}.") from None
    except UnicodeDecodeError as fault:
        line = fault.object.count(b"\n", 0, fault.start) + 1
        raise DataError(
            f"{shown(str(path))}, line {line}: this is not UTF-8, which TOML is written in."
        ) from None
    except tomllib.TOMLDecodeError as fault:
        raise DataError(f"{shown(str(path))} is not TOML: {fault}.") from None
    place = "tool.gainful" if "tool" in content or path.name == "pyproject.toml" else ""
    table: Any = content
    for name in place.split(".") if place else ():
        table = _as_table(path, place, name, table.get(name, {}))
    for name in COMMANDS.keys() & table.keys():
        _as_table(path, f"{place}.{name}".lstrip("."), name, table[name])
    return place, dict(table)


def _as_table(path: Path, place: str, name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{shown(str(path))}: [{place}] must be a table; '{name}' is {value!r}.")
    return value


def _options(path: Path, place: str, table: Mapping[str, Any], kinds: Kinds, command: str) -> dict[str, Any]:
    """The options of a table, checked, with paths as seen from here."""
    where = f"{shown(str(path))}, [{place}]" if place else shown(str(path))
    options: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        _check(where, key, name, value, kinds)
        if name in _WRITTEN:
            _check_inside(path, where, key, value)
        if name == "runs":
            options[name] = _files(path, where, [value] if isinstance(value, str) else value)
        elif name == "model_qrels":
            options[name] = [
                str(path.parent / each) for each in ([value] if isinstance(value, str) else value)
            ]
        elif _is_path(path.parent, name, value, command):
            options[name] = str(path.parent / value)
        else:
            options[name] = value
    return options


def _is_path(folder: Path, name: str, value: Any, command: str) -> bool:
    """A baseline is a file of the gate, and a name in a report. Topics are a file if there is one of that name."""
    if name == "baseline":
        return command == "gate"
    return name in _PATHS or (
        name == "topics" and isinstance(value, str) and os.path.exists(folder / value)  # noqa: PTH110 (a list of any length)
    )


def _files(path: Path, where: str, patterns: list[str]) -> list[str]:
    """The files of these names; `*` and `?` stand for what they stand for in a shell."""
    files: list[str] = []
    for pattern in patterns:
        if not glob.has_magic(pattern):
            files.append(str(path.parent / pattern))
            continue
        found = sorted(glob.glob(pattern, root_dir=path.parent))  # noqa: PTH207 (Path.glob refuses absolute patterns)
        if not found:
            raise DataError(f"{where}: no file is named '{shown(pattern)}'.")
        files += [str(path.parent / name) for name in found]
    return list(dict.fromkeys(files))


def _check_inside(path: Path, where: str, key: str, file: str) -> None:
    """Raise where a file would be written outside the folder of the configuration: that is for the command line to say."""
    if "\0" in file:
        raise UsageError(f"{where}: {key} = '{shown(file)}' cannot be the name of a file.")
    # Path.resolve refuses loops of links, on which the writer says more.
    folder, place = map(os.path.realpath, (path.parent, path.parent / file))
    if not Path(place).is_relative_to(folder):
        raise UsageError(
            f"{where}: {key} = '{shown(file)}' lies outside the folder of this file; "
            f"name it on the command line with --{key}."
        )


def _check(where: str, key: str, name: str, value: object, kinds: Kinds) -> None:
    if name not in kinds:
        what = "table" if isinstance(value, dict) else "option"
        near = difflib.get_close_matches(name, COMMANDS, 1) if isinstance(value, dict) else []
        hint = f"did you mean [{near[0]}]?" if near else _hint(name, kinds).replace("_", "-")
        raise UsageError(f"{where}: there is no {what} '{key}'; {hint}")
    _check_kind(where, f"{key} must be", value, kinds[name])
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_kind(where, f"all in {key} must be", item, _INSIDE[name])


def _hint(name: str, kinds: Kinds) -> str:
    """What is said of an unknown option: where it belongs, what it may have been meant to be, or which options there are."""
    if owners := [command for command, taken in COMMANDS.items() if name in taken]:
        return f"it belongs in the table of {' or '.join(owners)}."
    near = difflib.get_close_matches(name, kinds, 1)
    return f"did you mean {near[0]}?" if near else f"it takes {', '.join(kinds)}."


def _check_kind(where: str, what: str, value: object, kinds: tuple[type, ...]) -> None:
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        said = " or ".join(_NAMES[kind] for kind in kinds if kind is not int or float not in kinds)
        got = str(value).lower() if isinstance(value, bool) else repr(value)
        raise UsageError(f"{where}: {what} {said}; got {got}.")
