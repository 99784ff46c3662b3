"""The text of a kernel that computes measures: a program for each topic reads its row and writes the values of all measures.

The text names what measures ask for (counts, the first k, the ideal list), calls the functions of `row_kernels` for it,
and then has a line for each operation of the measures. The end of that of P@10:

    v4 = run_rank <= 10.0
    v5 = v3 & v4
    v6 = v5 & v2
    v7 = tl.sum(tl.where(v6, 1.0, 0.0), axis=0)
    v8 = v7 / 10.0
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gainful.programs.measure_symbols import Level, Symbol, Untraceable

WHOLE = {"run": 1024, "ideal": 2048}  # columns up to which a whole row is put in order in registers
SELECTED = 512  # ranks up to which the first are selected
LEVELS = 16  # different grades up to which an ideal list is made by counting
LOWEST = -(2**63)
TRITON = {
    **{"add": "{0} + {1}", "subtract": "{0} - {1}", "multiply": "{0} * {1}", "divide": "{0} / {1}"},
    **{
        "greater_equal": "{0} >= {1}",
        "greater": "{0} > {1}",
        "less_equal": "{0} <= {1}",
        "less": "{0} < {1}",
    },
    **{
        "equal": "{0} == {1}",
        "not_equal": "{0} != {1}",
        "negative": "-{0}",
        "as_number": "{0}.to(tl.float32)",
    },
    **{"logical_and": "{0} & {1}", "logical_or": "{0} | {1}", "logical_not": "{0} == 0"},
    **{"maximum": "tl.maximum({0}, {1})", "minimum": "tl.minimum({0}, {1})", "power": "tl.exp2({1})"},
    "where": "tl.where({0}, {1}, {2})",
    "total": "tl.sum(tl.where({0}, {1}, 0.0), axis=0)",
    "most": "tl.max(tl.where({0}, {1}, 0.0), axis=0)",
    "running": "tl.cumsum(tl.where({0}, {1}, 0.0), axis=0)",
    "surviving": "shares_before(tl.where({0}, 1.0 - {1}, 1.0))",
}
"""Operations by name; others have the name that they have in Triton."""
ARGUMENTS = (
    *("score", "grade", "mask", "beyond", "scratch", "values", "unjudged", "top"),
    *("lines", "columns", "beyond_columns", "score_step", "grade_step", "mask_step", "beyond_step"),
)
HEAD = f"def evaluated({', '.join(ARGUMENTS)}):\n    line = tl.program_id(0).to(tl.int64)\n"
ROW = "line, {0}_step, mask_step, columns"


@dataclass(frozen=True)
class Layout:
    """What the text depends on beside the measures.

    block, pool  powers of two: columns that are looked at together, and judged documents of a row
    pieces       how often so many columns are looked at; 1: the row is held in registers
    align        what the number of columns and the steps from row to row are multiples of
    short        whether scores have 16 bits
    top          where the best grade of the scale comes from: "number", "array", or None
    """

    block: int
    pool: int
    pieces: int
    align: int
    short: bool
    mask: bool
    unjudged: bool
    beyond: bool
    top: str | None


class KernelText:
    """The text for some values.

    columns, documents  how many candidates, and how many judged documents, a row has
    """

    def __init__(self, values: list[Symbol], layout: Layout, columns: int, documents: int) -> None:
        self.values = values
        self.layout = layout
        self.depths = {"run": self._depth("run", columns), "ideal": self._depth("ideal", documents)}
        self.slots = {"run": self._slots("run", layout.block), "ideal": self._slots("ideal", layout.pool)}
        self._counts: dict[str, str] = {}
        self._firsts: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._known: dict[int, str] = {}
        self._read: dict[int, set[str]] = {}

    # ---- what is needed ----------------------------------------------------------------------------------

    @cached_property
    def symbols(self) -> list[Symbol]:
        """All symbols, each once."""
        known: dict[int, Symbol] = {}
        waiting = list(self.values)
        while waiting:
            symbol = waiting.pop()
            if id(symbol) not in known:
                known[id(symbol)] = symbol
                waiting += [each for each in symbol.inputs if isinstance(each, Symbol)]
        return list(known.values())

    def _depth(self, level: Level, ranks: int) -> int:
        """The last rank that is read of a list; 0: none."""
        asked = [symbol.reads[1] for symbol in self.symbols if symbol.reads and symbol.reads[0] == level]
        return max((ranks if last is None else min(last, ranks) for last in asked), default=0)

    def _slots(self, level: Level, block: int) -> int:
        """Places for the first ranks of a list: a quarter more than are needed, or all of the row."""
        depth = self.depths[level]
        if not depth:
            return 0
        room = max(32, 1 << (depth + depth // 4 - 1).bit_length())
        if self.layout.pieces == 1 and block <= WHOLE[level] and 2 * room >= block:
            return block
        if depth > SELECTED:
            raise Untraceable("more ranks than are selected")
        return room

    @property
    def sorts(self) -> bool:
        """Whether the whole row is sorted."""
        return self.slots["run"] == self.layout.block

    @property
    def may_sort(self) -> bool:
        """Whether the ideal list is sorted where there are many different grades."""
        return self.layout.pieces == 1 and self.depths["ideal"] > LEVELS

    @property
    def scratch(self) -> int:
        """Numbers of 64 bits that each row needs room for."""
        return 0 if self.sorts else self.slots["run"]

    # ---- the text ----------------------------------------------------------------------------------------

    def __str__(self) -> str:
        for symbol in self.symbols:
            if symbol.operation == "counted":
                self._counts.setdefault(
                    inline(symbol.inputs[0], {"ideal_grade": "pool"}), f"count_{len(self._counts)}"
                )
            if symbol.operation == "first":
                self._firsts.setdefault(
                    inline(symbol.inputs[0], {"run_grade": "given"}), f"first_{len(self._firsts)}"
                )
        lines = [*self._head(), *(self._held() if self.layout.pieces == 1 else self._in_pieces())]
        for place, value in enumerate(self.values):
            lines += [
                *self._written(value),
                f"tl.store(values + {place} * lines + line, {self._name(value)})",
            ]
        return HEAD + "".join(f"    {line}\n" for line in lines)

    def _head(self) -> Iterator[str]:
        for name in ("columns", "score_step", "grade_step", "mask_step"):
            yield f"{name} = {name} * {self.layout.align}"
        if self.scratch:
            yield f"scratch += line * {self.scratch}"
        if self.layout.top:
            yield f"best_of_scale = {'top' if self.layout.top == 'number' else 'tl.load(top)'}"

    def _looked_at(self, start: str) -> Iterator[str]:
        """The scores and grades of some columns."""
        layout = self.layout
        yield f"column = {start}tl.arange(0, {layout.block})"
        yield f"there = _there(mask, line, mask_step, column, columns, {layout.mask})"
        yield "key = _keys(score, line * score_step + column, there)"
        yield f"given = _grades(grade, line * grade_step + column, there, unjudged, {layout.unjudged})"

    def _held(self) -> Iterator[str]:
        """A row that is read once."""
        layout = self.layout
        yield from self._looked_at("")
        yield "pool = given"
        if layout.beyond:
            steps = "grade_step, mask_step, beyond_step, columns, beyond_columns, unjudged"
            yield f"pool = pooled(grade, mask, beyond, line, {steps}, {layout.mask}, {layout.unjudged}, {layout.pool})"
        yield "candidates = tl.sum(there.to(tl.int32), axis=0)"
        yield "high = tl.max(key, axis=0)"
        yield "highest = tl.max(pool, axis=0)"
        for condition, name in self._counts.items():
            yield f"{name} = tl.sum(({condition}).to(tl.float32), axis=0)"
        for condition, name in self._firsts.items():
            yield f"best_{name} = tl.max(tl.where({condition}, _unique(key, column), {LOWEST}), axis=0)"
            yield f"before = tl.sum((_unique(key, column) > best_{name}).to(tl.float32), axis=0)"
            yield f"{name} = tl.where(best_{name} != {LOWEST}, before + 1.0, 0.0)"
        yield from self._known_of_topic()
        if self.sorts:  # before any loop: after one, the compiler no longer knows that threads go together
            order = "where, candidate = whole_row_of_short_scores" if layout.short else "run_best = whole_row"
            yield f"{order}(key, column, {log2(layout.block)})"
            yield from self._run_list()
            yield from self._sums("run")
            if self.slots["ideal"] and not layout.beyond:  # read again, not kept in registers meanwhile
                yield f"pool = _grades(grade, line * grade_step + column, there, unjudged, {layout.unjudged})"
        if self.slots["ideal"]:
            sizes = f"{self.depths['ideal']}, {log2(layout.pool)}, {log2(self.slots['ideal'])}, {LEVELS}"
            yield f"ideal_grade = best_first(pool, highest, {sizes})"
            yield from self._sums("ideal")
        if self.scratch:
            yield "low = tl.min(tl.where(there, key, 2147483647), axis=0)"
            sizes = f"{self.depths['run']}, {self.slots['run']}"
            yield f"run_best = first_of_row(key, there, column, candidates, low, high, scratch, {sizes})"
            yield from self._run_list()

    def _in_pieces(self) -> Iterator[str]:
        """A row that is too long to be held, and is looked at in pieces several times."""
        layout = self.layout
        if layout.beyond:
            raise Untraceable("documents beyond long rows")
        yield "candidates = 0"
        yield "low, high, highest = 2147483647, -2147483648, float('-inf')"
        for name in self._counts.values():
            yield f"{name} = 0.0"
        for name in self._firsts.values():
            yield f"best_{name} = tl.full([], {LOWEST}, dtype=tl.int64)"
        yield f"for piece in range({layout.pieces}):"
        for line in self._piece():
            yield f"    {line}"
        for name in self._firsts.values():
            yield f"{name} = 0.0"
            yield f"for piece in range({layout.pieces}):"
            for line in self._looked_at(f"piece * {self.layout.block} + "):
                yield f"    {line}"
            yield f"    {name} += tl.sum((_unique(key, column) > best_{name}).to(tl.float32), axis=0)"
            yield f"{name} = tl.where(best_{name} != {LOWEST}, {name} + 1.0, 0.0)"
        yield from self._known_of_topic()
        if self.slots["run"]:
            row, sizes = (
                ROW.format("score"),
                f"{layout.mask}, {layout.pieces}, {layout.block}, {self.depths['run']}, {self.slots['run']}",
            )
            yield f"run_best = first_of_long_row(score, mask, {row}, candidates, low, high, scratch, {sizes})"
            yield from self._run_list()
        if self.slots["ideal"]:
            row, sizes = (
                ROW.format("grade"),
                f"{self.depths['ideal']}, {self.slots['ideal']}, {layout.pieces}, {layout.block}",
            )
            flags = f"{layout.mask}, {layout.unjudged}"
            yield f"ideal_grade = best_of_long_row(grade, mask, {row}, unjudged, highest, {flags}, {sizes})"
            yield from self._sums("ideal")

    def _piece(self) -> Iterator[str]:
        """What is summed up at the first look at a long row."""
        yield from self._looked_at(f"piece * {self.layout.block} + ")
        yield "pool = given"
        yield "candidates += tl.sum(there.to(tl.int32), axis=0)"
        yield "low = tl.minimum(low, tl.min(tl.where(there, key, 2147483647), axis=0))"
        yield "high = tl.maximum(high, tl.max(key, axis=0))"
        yield "highest = tl.maximum(highest, tl.max(pool, axis=0))"
        for condition, name in self._counts.items():
            yield f"{name} += tl.sum(({condition}).to(tl.float32), axis=0)"
        for condition, name in self._firsts.items():
            best = f"tl.max(tl.where({condition}, _unique(key, column), {LOWEST}), axis=0)"
            yield f"best_{name} = tl.maximum(best_{name}, {best})"

    def _known_of_topic(self) -> Iterator[str]:
        yield "retrieved = candidates.to(tl.float32)"
        yield "broken = high == 2147483647"

    def _run_list(self) -> Iterator[str]:
        """Ranks and grades of the candidates."""
        if not (self.sorts and self.layout.short):
            yield "where, candidate = columns_of(run_best)"
        yield f"run_grade = _grades(grade, line * grade_step + where, candidate, unjudged, {self.layout.unjudged})"
        yield f"run_rank = (tl.arange(0, {self.slots['run']}) + 1).to(tl.float32)"

    def _sums(self, level: Level) -> Iterator[str]:
        """Sums along one list alone: what is at its ranks need not be kept after that."""
        if level == "ideal":
            yield f"ideal_rank = (tl.arange(0, {self.slots['ideal']}) + 1).to(tl.float32)"
        for symbol in reversed(self.symbols):
            along = symbol.level == "topic" and symbol.reads and symbol.reads[0] == level
            if along and self._lists_of(symbol) == {level}:
                yield from self._written(symbol)

    def _lists_of(self, symbol: Symbol) -> set[str]:
        """The lists that a value follows from."""
        if id(symbol) not in self._read:
            lists = {str(symbol.level)} - {"topic"}
            if symbol.operation not in ("counted", "first"):
                lists = lists.union(
                    *(self._lists_of(each) for each in symbol.inputs if isinstance(each, Symbol))
                )
            self._read[id(symbol)] = lists
        return self._read[id(symbol)]

    # ---- operations --------------------------------------------------------------------------------------

    def _written(self, symbol: Any) -> Iterator[str]:
        """A line for each operation that has none yet, inputs first."""
        if not isinstance(symbol, Symbol) or id(symbol) in self._known:
            return
        if symbol.operation in ("counted", "first"):
            leaf, name, names = ("ideal_grade", "pool", self._counts)
            if symbol.operation == "first":
                leaf, name, names = "run_grade", "given", self._firsts
            self._known[id(symbol)] = names[inline(symbol.inputs[0], {leaf: name})]
            return
        if not symbol.inputs:
            self._known[id(symbol)] = symbol.operation
            return
        for each in symbol.inputs:
            yield from self._written(each)
        text = written(symbol, map(self._name, symbol.inputs))
        if text not in self._names:
            self._names[text] = f"v{len(self._names)}"
            yield f"{self._names[text]} = {text}"
        self._known[id(symbol)] = self._names[text]

    def _name(self, symbol: Any) -> str:
        return self._known[id(symbol)] if isinstance(symbol, Symbol) else number(symbol)


def log2(power: int) -> int:
    """The exponent of a power of two."""
    return power.bit_length() - 1


def inline(symbol: Any, leaves: dict[str, str]) -> str:
    """An expression in one line."""
    if not isinstance(symbol, Symbol):
        return number(symbol)
    if not symbol.inputs:
        if symbol.operation not in leaves:
            raise Untraceable(f"{symbol.operation} in a count")
        return leaves[symbol.operation]
    return f"({written(symbol, (inline(each, leaves) for each in symbol.inputs))})"


def written(symbol: Symbol, inputs: Iterable[str]) -> str:
    """An operation on inputs in Triton's language, where only powers of 2 are an operation."""
    base = symbol.inputs[0]
    if symbol.operation != "power" or base == 2:
        return TRITON.get(symbol.operation, f"tl.{symbol.operation}({{0}})").format(*inputs)
    _, exponent = inputs
    return f"tl.exp2({exponent} * {number(math.log2(base))})"


def number(x: float) -> str:
    """A number as Triton reads it, in 32 bits."""
    if not math.isfinite(x):
        return f'float("{x}")'
    if x and not 2.0**-126 <= abs(x) < 2.0**128:
        raise Untraceable(f"{x:g} in 32 bits")
    return repr(x) if x >= 0 else f"({x!r})"
