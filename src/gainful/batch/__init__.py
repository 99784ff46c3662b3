"""Measures on dense arrays: topics × candidates, on any device, inside a training loop.

    evaluate     the value of each measure for each topic, where the scores are
    Accumulator  the same over many batches and processes
    deliver      documents × profiles: who is to get what, without ever writing all scores

Arrays are those of NumPy, PyTorch, JAX, CuPy, or any library that follows the array API; the measures are the same
functions as everywhere in Gainful.

>>> import numpy as np
>>> from gainful.batch import evaluate
>>> evaluate(np.array([[0.2, 0.9]]), np.array([[1, 0]]), "nDCG@10")["nDCG@10"].round(4)
array([0.6309])
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gainful.batch.accumulator import Accumulator
    from gainful.batch.delivering import Deliveries, deliver
    from gainful.batch.evaluating import evaluate

__all__ = ["Accumulator", "Deliveries", "deliver", "evaluate"]

_HOMES = {
    "Accumulator": "accumulator",
    "Deliveries": "delivering",
    "deliver": "delivering",
    "evaluate": "evaluating",
}


def __getattr__(name: str) -> Any:
    """A public name is imported when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
