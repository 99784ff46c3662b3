"""Traces of a simulation as data: for each topic that was traced, how utility and threshold came about."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.formats.ids import shown

if TYPE_CHECKING:
    from gainful.filtering.replay import Replay
    from gainful.filtering.simulation import Simulation

_MOST = 600  # points of a curve; more cannot be seen
_THRESHOLDS = ("theta", "theta_opt", "theta_zero")


def trace_dicts(made: Simulation) -> list[dict[str, Any]]:
    """Every trace, in the layout of the JSON output."""
    return [
        {"row": rule, "topic": shown(topic), **_trace(replay, made.relevant_to(topic))}
        for (rule, topic), replay in made.traces.items()
    ]


def _trace(replay: Replay, relevant: frozenset[int]) -> dict[str, Any]:
    last, curve = replay.last, replay.last.curve
    some = _spread(len(curve))
    return {
        "documents": [replay.start, replay.start + len(replay.scores)],
        "curve": {
            "nothing": curve.nothing,
            "score": curve.score[some].tolist(),
            "utility": curve.utility[some].tolist(),
        },
        "last": {name: _finite(getattr(last, name)) for name in (*_THRESHOLDS, "alpha")} | {"n": last.n},
        "thresholds": [
            {"seen": int(at), **{name: _finite(value) for name, value in zip(_THRESHOLDS, row, strict=False)}}
            for at, row in zip(replay.renewed.tolist(), replay.thresholds.tolist(), strict=True)
        ],
        "deliveries": [
            {
                "document": int(one),
                "score": float(replay.scores[one - replay.start]),
                "relevant": one in relevant,
            }
            for one in replay.deliveries.tolist()
        ],
    }


def _spread(length: int) -> Any:
    """Places spread over a curve: all at its top, where it bends, and fewer below."""
    if length <= _MOST:
        return np.arange(length)
    top = np.arange(_MOST // 2)
    return np.unique(np.concatenate([top, np.linspace(_MOST // 2, length - 1, _MOST // 2).astype(np.int64)]))


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)
