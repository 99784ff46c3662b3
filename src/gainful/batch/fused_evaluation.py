"""All measures of a call in one kernel, for PyTorch on an NVIDIA GPU with Triton.

The measures are traced, the text of a kernel is written from that, and Triton compiles it. What was made for a call is
kept for calls with arrays of the same kind. Nothing is written but the values, and nothing waits for the device.
"""

from __future__ import annotations

import linecache
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from math import gcd
from typing import Any, cast

from gainful.batch import kernels
from gainful.batch.kernel_text import ARGUMENTS, KernelText, Layout
from gainful.batch.measure_tracing import TracedRun
from gainful.judging import JudgedRun
from gainful.judging.namespaces import type_name
from gainful.measures import Measure
from gainful.programs.measure_symbols import SYMBOLS, Symbol, Untraceable

KEPT = 256  # kinds of calls of which the kernel is kept
HELD = 8192  # columns up to which a row is held in registers
PIECE = 8192  # columns of a longer row that are looked at together
REGISTERS = 128  # of a thread, so that enough rows are sorted at a time
SORTED, READ = 1024, 512  # columns of a row that a warp holds, where it sorts them and where it does not


class Launch:
    """A kernel for some measures, and what is needed to start it for arrays of a kind."""

    def __init__(self, names: tuple[str, ...], text: KernelText) -> None:
        self.names = names
        self.kernel = compiled(str(text))
        self.scratch = text.scratch
        self.align = text.layout.align
        self.top = text.layout.top
        # a row that may be sorted is held by one warp, as others would have to exchange numbers through memory
        per_warp = SORTED if text.sorts or text.may_sort else READ
        self.options = {"num_warps": max(1, text.layout.block // per_warp)}
        if text.sorts:
            self.options["maxnreg"] = REGISTERS

    def __call__(
        self, scores: Any, grades: Any, mask: Any, beyond: Any, unjudged: float | None, top: Any
    ) -> dict[str, Any]:
        """Start the kernel; values by name."""
        import torch

        scores, grades, mask, beyond = map(_in_lines, (scores, grades, mask, beyond))
        lines, columns = scores.shape
        device, align = scores.device, self.align
        values = scratch = torch.empty((len(self.names), lines), dtype=torch.float32, device=device)
        if self.scratch:
            scratch = torch.empty((lines, self.scratch), dtype=torch.int64, device=device)
        masking, further = (grades if array is None else array for array in (mask, beyond))  # never read
        arguments = (
            scores, grades, masking, further, scratch, values, float(unjudged or 0.0), top,
            lines, columns // align, 0 if beyond is None else beyond.shape[1],
            scores.stride(0) // align, grades.stride(0) // align, masking.stride(0) // align, further.stride(0),
        )  # fmt: skip
        if device.type == "cuda" and device.index != torch.cuda.current_device():
            with torch.cuda.device(device):
                self.kernel[(lines,)](*arguments, **self.options)
        else:
            self.kernel[(lines,)](*arguments, **self.options)
        return dict(zip(self.names, values.unbind(0), strict=True))


def fused(
    asked: dict[str, Measure],
    scores: Any,
    grades: Any,
    mask: Any,
    beyond: Any,
    unjudged: float | None,
    top: float | None,
    *,
    partial: bool = False,
) -> dict[str, Any]:
    """Values of the measures that a kernel computes; arguments as of `evaluate`. Others are not in it."""
    arrays = scores, grades, mask, beyond
    key = (
        *asked,
        *[measure.definition.function for measure in asked.values()],
        *[None if array is None else _kind(array) for array in arrays],
        unjudged is None,
        top is None,
        partial,
    )
    if key in _LAUNCHES:
        launch = _LAUNCHES[key]
    else:
        launch = _made(asked, arrays, unjudged, top, partial) if _fits(*arrays) else None
        if len(_LAUNCHES) >= KEPT:
            _LAUNCHES.clear()
        _LAUNCHES[key] = launch
    if launch is None:
        return {}
    best = float(top or 0.0) if launch.top != "array" else _best_of(*arrays, unjudged)
    return launch(*arrays, unjudged, best)


_LAUNCHES: dict[Any, Launch | None] = {}


def _kind(array: Any) -> tuple[Any, ...]:
    return (
        (array.dtype, array.shape, array.stride(), array.device)
        if hasattr(array, "stride")
        else (type(array),)
    )


def _fits(scores: Any, grades: Any, mask: Any, beyond: Any) -> bool:
    """Whether a kernel reads such arrays; those that do not fit together are refused elsewhere."""
    arrays = [array for array in (scores, grades, mask, beyond) if array is not None]
    if not all(getattr(array, "is_cuda", False) and array.device == scores.device for array in arrays):
        return False
    if any(array.dim() != 2 or array.shape[0] != scores.shape[0] for array in arrays) or not kernels.ready():
        return False
    beside = [array.shape == scores.shape for array in (grades, mask) if array is not None]
    kinds = [type_name(array) in kernels.GRADES for array in (grades, beyond) if array is not None]
    typed = type_name(scores) in kernels.SCORES and (mask is None or type_name(mask) == "bool")
    sized = 0 < scores.shape[0] < 2**31 and 0 < scores.shape[1] < 2**30
    return all(beside) and all(kinds) and typed and sized


def _made(
    asked: dict[str, Measure],
    arrays: tuple[Any, Any, Any, Any],
    unjudged: float | None,
    top: float | None,
    partial: bool,
) -> Launch | None:
    """The kernel for those of the measures that can be traced; None if none can."""
    scores, beyond = arrays[0], arrays[3]
    columns = scores.shape[1]
    documents = columns + (0 if beyond is None else beyond.shape[1])
    scale = None if top is None and partial else "array" if top is None else "number"
    layout = _layout(arrays, columns, documents, unjudged is not None, scale)
    values: dict[str, Symbol] = {}
    for name, measure in asked.items():
        try:
            value = traced(measure, columns, documents, top=scale is not None)
            str(KernelText([value], layout, columns, documents))
        except Exception:
            continue
        values[name] = value
    if not values:
        return None
    text = KernelText(list(values.values()), layout, columns, documents)
    if not any(symbol.operation == "best_of_scale" for symbol in text.symbols):
        text = KernelText(list(values.values()), replace(layout, top=None), columns, documents)
    return Launch(tuple(values), text)


def _layout(
    arrays: tuple[Any, ...], columns: int, documents: int, unjudged: bool, scale: str | None
) -> Layout:
    held = documents <= HELD
    steps = [_in_lines(array).stride(0) for array in arrays[:3] if array is not None]
    return Layout(
        block=_power_of_two(columns) if held else PIECE,
        pool=_power_of_two(documents) if held else PIECE,
        pieces=1 if held else -(-columns // PIECE),
        align=8 if gcd(columns, *steps) % 8 == 0 else 1,
        short=type_name(arrays[0]) != "float32",
        mask=arrays[2] is not None,
        unjudged=unjudged,
        beyond=documents > columns,
        top=scale,
    )


def _power_of_two(columns: int) -> int:
    return max(16, 1 << (columns - 1).bit_length())


def traced(measure: Measure, candidates: int, documents: int, *, top: bool) -> Symbol:
    """The value of a measure as an expression; NaN where a score is not a number."""
    if measure.needs is not None or measure.unjudged == "condense":
        raise Untraceable(f"{measure} reads another record")
    value = cast(Symbol, measure.evaluate(cast(JudgedRun, TracedRun(candidates, documents, top=top)))[0])
    return SYMBOLS.where(Symbol("broken", boolean=True), float("nan"), value)


def _best_of(scores: Any, grades: Any, mask: Any, beyond: Any, unjudged: float | None) -> Any:
    """The best grade of all topics, on the device."""
    from gainful.batch.dense_evaluation import dense_run

    return dense_run(scores, grades, mask=mask, beyond=beyond, unjudged=unjudged).top


@lru_cache(maxsize=KEPT)
def compiled(text: str) -> Any:
    """The text as a kernel. Triton reads the lines of a function from where Python's tracebacks do."""
    import triton

    from gainful.batch import row_kernels

    name = f"<gainful kernel {sha256(text.encode()).hexdigest()[:16]}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {**vars(row_kernels), "__name__": __name__}
    exec(compile(text, name, "exec"), names)
    return triton.jit(names["evaluated"], do_not_specialize=ARGUMENTS[-7:])


def _in_lines(array: Any) -> Any:
    """With the columns of a row side by side; booleans as bytes."""
    if array is None:
        return None
    from gainful.batch.line_kernels import _in_lines as in_lines

    return in_lines(array)
