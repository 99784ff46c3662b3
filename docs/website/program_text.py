"""A recorded measure in words: an expression as a reader writes it, without what is done where there is nothing to divide by."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from docs.website.recorded_measure import Recorded

INFIX = {
    **{"add": ("+", 4), "subtract": ("−", 4), "multiply": ("·", 5), "divide": ("/", 5), "power": ("^", 7)},
    **{"ge": ("≥", 3), "gt": (">", 3), "le": ("≤", 3), "lt": ("<", 3), "eq": ("=", 3), "ne": ("≠", 3)},
    **{"and": ("and", 2), "or": ("or", 1)},
}
WORDS = {
    **{"rank": "rank", "grade": "grade", "following": "next rank", "ideal_rank": "ideal rank"},
    **{"retrieved": "retrieved", "best_grade": "best grade", "expected": "expected"},
}
FORMS: dict[str, tuple[str, list[tuple[int, int]]]] = {
    "where": ("({1} if {0} else {2})", [(0, 0), (1, 0), (2, 0)]),
    "running": ("{0} so far", [(1, 8)]),
    "surviving": ("Π above (1 − {0})", [(1, 5)]),
    "take": ("weights({0})", [(1, 0)]),
    "not": ("not {0}", [(0, 8)]),
}
"""Words around inputs: which ones, and how strongly they must hold together."""


def simpler(x: Any) -> Any:
    """Without what is done where there is nothing to divide by, or with rounding errors.

    share(a, b) is 0 where b is 0, and part(a, b) at most 1: both are written a / b.
    """
    if not isinstance(x, Recorded):
        return x
    inputs = [simpler(each) for each in x.inputs]
    if x.operation == "where":
        condition, yes, no = inputs
        tests = list(_operations(condition))
        if "isnan" in tests and not isinstance(yes, Recorded):
            return no
        if condition.operation == "eq" and _is(condition.inputs[1], 0) and not isinstance(yes, Recorded):
            return no
        if condition.operation == "gt" and _is_number(condition.inputs[1]) and 1 < condition.inputs[1] < 1.01:
            return yes
    kept = _without_neutral(x.operation, inputs)
    if kept is not None:
        return kept
    changed = type(x)(x.operation, *inputs)
    changed.original = getattr(x, "original", x)
    return changed


def _without_neutral(operation: str, inputs: list[Any]) -> Any:
    """X for x + 0, 1 · x, x / 1 and the like; None where there is nothing of the kind."""
    x, y = [*inputs, None, None][:2]
    if operation in ("subtract", "add") and _is(y, 0):
        return x
    if operation == "add" and _is(x, 0):
        return y
    if operation in ("divide", "power") and _is(y, 1):
        return x
    if operation == "multiply" and (_is(x, 0) or _is(y, 0)):
        return 0.0
    if operation == "multiply" and (_is(x, 1) or _is(y, 1)):
        return y if _is(x, 1) else x
    if operation in ("add", "subtract") and _is_number(y) and y < 0:
        return Recorded("subtract" if operation == "add" else "add", x, -y)
    if operation == "add" and isinstance(y, Recorded) and y.operation == "multiply" and _is(y.inputs[0], -1):
        return Recorded("subtract", x, y.inputs[1])
    return None


def _operations(x: Any) -> Iterator[str]:
    if isinstance(x, Recorded):
        yield x.operation
        for each in x.inputs:
            yield from _operations(each)


def _is(x: Any, number: float) -> bool:
    return _is_number(x) and x == number


def _is_number(x: Any) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool)


def written(x: Any, labels: Mapping[int, str], around: int = 0) -> str:
    """An expression as a reader writes it, with the names of sums in it."""
    if not isinstance(x, Recorded):
        return _number(x)
    label = labels.get(id(getattr(x, "original", x)))
    if label:
        return label
    inputs = x.inputs
    if x.operation in INFIX:
        sign, strength = INFIX[x.operation]
        if x.operation == "subtract" and _is(inputs[0], 0):
            return f"−{written(inputs[1], labels, 6)}"
        left, right = written(inputs[0], labels, strength), written(inputs[1], labels, strength + 1)
        text = f"{left}^{right}" if sign == "^" else f"{left} {sign} {right}"
        return f"({text})" if strength < around else text
    if x.operation in WORDS:
        return WORDS[x.operation]
    if x.operation in FORMS:
        form, places = FORMS[x.operation]
        return form.format(*(written(inputs[place], labels, strength) for place, strength in places))
    if x.operation == "at":
        return f"{list_of(inputs[0])[0].replace('run', 'list')}({written(inputs[1], labels)})"
    names = {"maximum": "max", "minimum": "min", "total": "sum"}
    kept = inputs[1:] if x.operation in ("total", "most") else inputs
    return f"{names.get(x.operation, x.operation)}({', '.join(written(each, labels) for each in kept)})"


def _number(x: Any) -> str:
    if isinstance(x, bool | tuple):
        return "…" if isinstance(x, tuple) else str(x)
    if not math.isfinite(x):
        return "∞" if x > 0 else "−∞"
    return f"{x:.6g}".replace("-", "−")


def list_of(documents: Recorded) -> tuple[str, Any, list[str]]:
    """Which list it is, where it is cut, and which documents of it."""
    which, last, conditions = documents, None, []
    while which.operation in ("cut", "only"):
        which, limit = which.inputs
        last = limit if documents.operation == "cut" else last
        conditions += [written(simpler(limit), {})] if documents.operation == "only" else []
    return ("run" if which.operation == "run" else "ideal"), last, conditions
