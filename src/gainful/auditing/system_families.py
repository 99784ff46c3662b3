"""Families of systems: whether a model favours systems that are made alike, such as those that use it.

    favour of a family = mean over its systems of their favour (`system_orders`)

Its intervals are those of systems, at a confidence that holds for all families together.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gainful.auditing.system_orders import Favour, apart_from_mean, favour_of
from gainful.comparisons.judges.agreement_coefficients import Floats
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown, some_quoted

BY_NAME = "names"
"""In place of a file: the family of a system is the beginning of its name."""


@dataclass(frozen=True, slots=True)
class Family:
    """What the model does for the systems of one family."""

    systems: tuple[str, ...]
    favour: Favour

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        said = self.favour.to_dict()
        return {"family": said.pop("system"), "systems": list(map(shown, self.systems)), **said}


def family_of_name(name: str) -> str:
    """The beginning of a system's name, up to the first hyphen, underscore, dot or slash.

    >>> [family_of_name(name) for name in ("bm25-k1", "bm25_tuned", "dense.large", "_x")]
    ['bm25', 'bm25', 'dense', '_x']
    """
    return re.split(r"[-_./]", name)[0] or name


def families_given(given: Any, names: Sequence[str]) -> dict[str, str]:
    """The family of each system.

    given  a mapping from systems to families; a file with a system and its family on each line, divided by a comma, a tab or
           blanks; or "names", for the beginnings of the systems' names

    >>> families_given({"a": "x", "b": "x", "c": "y"}, ["a", "b", "c"])
    {'a': 'x', 'b': 'x', 'c': 'y'}
    """
    if isinstance(given, Mapping):
        named = {str(system): str(family) for system, family in given.items()}
    elif os.fsdecode(given) == BY_NAME:
        named = {name: family_of_name(name) for name in names}
    else:
        named = _of_file(os.fsdecode(given))
    lacking = [name for name in names if name not in named]
    if lacking:
        raise DataError(
            f"no family is given for {some_quoted(lacking)}; the families name {some_quoted(list(named))}."
        )
    found = {name: named[name] for name in names}
    if len(set(found.values())) < 2:
        raise UsageError(
            f"every system is of the family '{shown(next(iter(found.values())))}', so that none can be favoured over another; "
            "give families that differ, in a file of system and family."
        )
    return found


def _of_file(path: str) -> dict[str, str]:
    if not Path(path).is_file():
        raise UsageError(
            f"there is no file '{shown(path)}' of families; give one with a system and its family on each line, or "
            f"'{BY_NAME}' for the beginnings of the systems' names."
        )
    text = Path(path).read_bytes().decode("utf-8-sig", "surrogateescape")
    named = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [
            part.strip() for part in re.split(r"[,\t]" if re.search(r"[,\t]", line) else r"\s+", line.strip())
        ]
        if len(parts) != 2 or not all(parts):
            raise DataError(
                f"{shown(path)}, line {number}: a system and its family are wanted, not '{shown(line)}'."
            )
        named[parts[0]] = parts[1]
    return named


def favours_of_families(
    families: Mapping[str, str], names: Sequence[str], people: Floats, model: Floats, confidence: float
) -> list[Family]:
    """Of each family, the most favoured first; people and model are systems × topics.

    Two topics; the model adds 0.2 and 0.4 to a and b, and nothing to c and d:

    >>> import numpy as np
    >>> added = np.array([[0.2, 0.4], [0.2, 0.4], [0.0, 0.0], [0.0, 0.0]])
    >>> found = favours_of_families(dict(zip("abcd", "xxyy")), "abcd", np.zeros((4, 2)), added, 0.95)
    >>> [(each.systems, round(each.favour.favour, 12)) for each in found]
    [(('a', 'b'), 0.15), (('c', 'd'), -0.15)]
    """
    apart = apart_from_mean(people, model)
    kinds = sorted(set(families.values()))
    comparisons = len(kinds) if len(kinds) > 2 else 1
    found = []
    for kind in kinds:
        of_kind = [number for number, name in enumerate(names) if families[name] == kind]
        ours, said, added = (values[of_kind].mean(axis=0) for values in (people, model, apart))
        favour = favour_of(kind, ours, said, added, comparisons, confidence)
        found.append(Family(tuple(names[number] for number in of_kind), favour))
    return sorted(found, key=lambda each: -each.favour.favour)
