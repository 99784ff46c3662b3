"""`evaluate` as an operation of PyTorch, which `torch.compile` takes into its graph as one node, CUDA graphs included.

A graph holds tensors, numbers and texts only: measures are named in it by their text.
"""

from typing import Any

import torch

from gainful.batch.dense_evaluation import Measures, evaluated, named
from gainful.measures import Measure

APART = " | "
_MEASURES: dict[
    str, dict[str, Measure]
] = {}  # by text: one's own measures are not found by their name elsewhere


def evaluate(scores: Any, grades: Any, measures: Measures, **more: Any) -> dict[str, Any]:
    """The value of each measure for each topic, inside a function that is being compiled."""
    listed = [measures] if isinstance(measures, str | Measure) else list(measures)
    text = APART.join([written(each) for each in listed])
    arrays = [more[name] for name in ("mask", "beyond", "aspects", "beyond_aspects")]
    values = _evaluate(scores, grades, *arrays, text, more["unjudged"], more["top"], more["kernels"])
    return dict(zip(_names(text), values.unbind(0), strict=True))


@torch.compiler.assume_constant_result  # type: ignore[untyped-decorator,unused-ignore]
def written(measures: str | Measure) -> str:
    """Measures as a text that leads back to them."""
    asked = named(measures)
    text = ", ".join(asked)
    _MEASURES[text] = asked
    return text


@torch.compiler.assume_constant_result  # type: ignore[untyped-decorator,unused-ignore]
def _names(text: str) -> tuple[str, ...]:
    return tuple(_asked(text))


def _asked(text: str) -> dict[str, Measure]:
    """The measures that a text leads to."""
    asked: dict[str, Measure] = {}
    for part in text.split(APART):
        asked.update(_MEASURES.get(part) or named(part))
    return asked


def _table(
    scores: torch.Tensor,
    grades: torch.Tensor,
    mask: torch.Tensor | None,
    beyond: torch.Tensor | None,
    aspects: torch.Tensor | None,
    beyond_aspects: torch.Tensor | None,
    measures: str,
    unjudged: float | None,
    top: float | None,
    kernels: bool,
) -> torch.Tensor:
    """Measures × topics."""
    values = evaluated(
        _asked(measures),
        scores,
        grades,
        mask=mask,
        beyond=beyond,
        aspects=aspects,
        beyond_aspects=beyond_aspects,
        unjudged=unjudged,
        top=top,
        kernels=kernels,
    )
    return torch.stack(list(values.values()))


_evaluate = torch.library.custom_op("gainful::evaluate", _table, mutates_args=())


@_evaluate.register_fake  # type: ignore[untyped-decorator,unused-ignore]
def _shape_of_table(scores: torch.Tensor, *others: Any) -> torch.Tensor:
    """An empty tensor as the operation gives one: integer scores are computed in 64 bits, 16-bit ones in 32."""
    wide = scores.dtype is torch.float64 or not scores.dtype.is_floating_point
    kind = torch.float64 if wide else torch.float32
    return scores.new_empty((len(_asked(others[5])), scores.shape[0]), dtype=kind)
