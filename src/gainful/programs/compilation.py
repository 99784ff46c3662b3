"""Symbols become the steps of a program for the native core.

What follows from the rank alone and is no arithmetic (a power, a natural logarithm) is a table, made by NumPy, whose bits
it then has. What follows from the judgments alone is a column of numbers, computed once for all runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gainful.arrays import NDArray, np
from gainful.judging.ranking import log2
from gainful.programs import hit_tracing
from gainful.programs.hit_tracing import HitList
from gainful.programs.measure_symbols import Symbol, Untraceable

ARITHMETIC = frozenset(
    {
        *(
            "add",
            "subtract",
            "multiply",
            "divide",
            "maximum",
            "minimum",
            "negative",
            "sqrt",
            "floor",
            "ceil",
            "abs",
            "log2",
        ),
        *("greater_equal", "greater", "less_equal", "less", "equal", "not_equal", "where"),
        *("logical_and", "logical_or", "logical_not"),
    }
)
FUNCTIONS = frozenset({"log", "exp", "power"})
"""Functions whose last bit differs from library to library."""
OF_NUMBERS = ARITHMETIC | FUNCTIONS | {"as_number"}
"""What is computed place by place."""
MOST_SYMBOLS = 5_000
"""Symbols of a program at most: two hundred measures have some 4,000. What has more, or is nested too deep, stays on arrays."""

Step = tuple[str, int, int, int, int | None, int | None, int | None]
"""Operation, list of the result, list that it reads, number of the result, and up to three operands."""
TOPICS, HITS, POOL = -1, 0, 1
"""Numbers of lists."""


class Compilation:
    """The steps for some values of each topic.

    hoisted  where values that follow from the judgments alone are collected; None computes them here
    """

    def __init__(self, values: list[Symbol], hoisted: list[Symbol] | None) -> None:
        self.steps: list[Step] = []
        self.constants: list[float] = []
        self.tables: list[Symbol] = []
        self.hoisted = hoisted
        self._registers = 0
        self._lists = {hit_tracing.HITS: HITS, hit_tracing.POOL: POOL}
        self._known: dict[Any, int] = {}
        self._of_symbol: dict[Symbol, int] = {}
        self._fixed: dict[Any, bool] = {}
        self._numbers: dict[Any, int] = {}
        self._numbered: dict[Any, int] = {}
        self._of_ranks: dict[Symbol, tuple[bool, bool]] = {}
        self.outputs = [self._operand(value) for value in values]

    def _operand(self, x: Any) -> int:
        """The register of a value, or −1 − n for constant n."""
        if not isinstance(x, Symbol):
            key = "constant", float(x).hex()
            if key not in self._known:
                self._known[key] = -1 - len(self.constants)
                self.constants.append(float(x))
            return self._known[key]
        if x not in self._of_symbol:
            if len(self._of_symbol) >= MOST_SYMBOLS:
                raise Untraceable(f"more than {MOST_SYMBOLS} symbols")
            self._of_symbol[x] = self._register(x)
        return self._of_symbol[x]

    def _register(self, x: Symbol) -> int:
        if self.hoisted is not None and x.level == "topic" and self._is_fixed(x):
            return self._step("column", TOPICS, TOPICS, self._column(x))
        if x.operation == "as_number":  # what is true is 1 already
            return self._operand(x.inputs[0])
        here = TOPICS if x.level == "topic" else self._list(x.level)
        of = self._list(x.reads[0]) if x.reads else here
        if not x.inputs:
            if x.operation not in ("rank", "grade", "retrieved"):
                raise Untraceable(x.operation)
            return self._step(x.operation, here, of)
        if x.level != "topic" and x.operation in OF_NUMBERS and self._of_rank(x) == (True, True):
            return self._step("table", here, of, self._table(x))
        if x.operation == "power" and x.inputs[0] == 2:
            return self._step("exp2", here, of, self._spread(x.inputs[1], here))
        if x.operation in ARITHMETIC:
            return self._step(x.operation, here, of, *(self._spread(each, here) for each in x.inputs))
        if x.operation in FUNCTIONS:
            raise Untraceable(f"{x.operation} of what is not a rank")
        return self._step(
            x.operation, here, of, *(None if each is None else self._operand(each) for each in x.inputs)
        )

    def _spread(self, x: Any, here: int) -> int:
        """An operand of an operation place by place: a number of each topic is spread over its places."""
        operand = self._operand(x)
        if here != TOPICS and isinstance(x, Symbol) and x.level == "topic":
            return self._step("each", here, here, operand)
        return operand

    def _step(self, operation: str, here: int, of: int, *operands: int | None) -> int:
        key = operation, here, of, operands
        if key not in self._known:
            a, b, c = (*operands, None, None, None)[:3]
            self._known[key] = self._registers
            self.steps.append((operation, here, of, self._registers, a, b, c))
            self._registers += 1
        return self._known[key]

    def _list(self, places: Any) -> int:
        """The number of a list, which is made before it is used."""
        if places not in self._lists:
            of = self._list(places.of)
            key = places.made, of, self._operand(places.by)
            if key not in self._known:
                self._known[key] = len({*self._lists.values()})
                self.steps.append((places.made, of, of, self._known[key], key[2], None, None))
            self._lists[places] = self._known[key]
        return self._lists[places]

    def _column(self, x: Symbol) -> int:
        assert self.hoisted is not None
        return self._place_in("column", self.hoisted, x)

    def _table(self, x: Symbol) -> int:
        return self._place_in("table", self.tables, x)

    def _place_in(self, kind: str, symbols: list[Symbol], x: Symbol) -> int:
        """Where the same expression stands, or is added."""
        key = kind, self._number(x)
        if key not in self._known:
            self._known[key] = len(symbols)
            symbols.append(x)
        return self._known[key]

    def _number(self, x: Any) -> int:
        """A number that is the same for the same expression, and for no other."""
        if not isinstance(x, Symbol | HitList):
            return self._numbers.setdefault(repr(x), len(self._numbers))
        if x not in self._numbered:
            parts = (x.of, x.by) if isinstance(x, HitList) else (x.level, *(x.reads or ())[:1], *x.inputs)
            key = type(x), x.made if isinstance(x, HitList) else x.operation, *map(self._number, parts)
            self._numbered[x] = self._numbers.setdefault(key, len(self._numbers))
        return self._numbered[x]

    def _of_rank(self, x: Any) -> tuple[bool, bool]:
        """Whether it follows from the rank alone, and whether by a function that is no arithmetic."""
        if not isinstance(x, Symbol):
            return True, False
        if not x.inputs:
            return x.operation == "rank", False
        if x.operation not in OF_NUMBERS:
            return False, False
        if x not in self._of_ranks:
            known = [*map(self._of_rank, x.inputs)]
            by_function = x.operation in FUNCTIONS or any(each for _, each in known)
            self._of_ranks[x] = all(each for each, _ in known), by_function
        return self._of_ranks[x]

    def _is_fixed(self, x: Any) -> bool:
        """Whether it follows from the judgments alone."""
        if x is None or isinstance(x, int | float):
            return True
        if x not in self._fixed:
            if isinstance(x, HitList):
                fixed = x.made == "pool" or (
                    x.of is not None and self._is_fixed(x.of) and self._is_fixed(x.by)
                )
            else:
                lists = [x.level, *(x.reads[:1] if x.reads else ())]
                fixed = x.operation != "retrieved" and all(
                    self._is_fixed(each) for each in (*x.inputs, *(each for each in lists if each != "topic"))
                )
            self._fixed[x] = fixed
        return self._fixed[x]


def at_ranks(x: Any, rank: NDArray[np.float64]) -> Any:
    """What follows from the rank alone, at these ranks, as NumPy computes it."""
    if not isinstance(x, Symbol):
        return x
    if not x.inputs:
        return rank
    inputs = [at_ranks(each, rank) for each in x.inputs]
    if x.operation == "as_number":
        return inputs[0].astype(np.float64)
    function: Callable[..., Any] = log2 if x.operation == "log2" else getattr(np, x.operation)
    return function(*inputs)
