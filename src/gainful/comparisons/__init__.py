"""Two or more systems: which is better, how surely, and whether a candidate may pass.

    scores ──tables──▶ systems × topics ──pairwise──▶ pairs ──▶ leaderboard, letters; groups of topics
                                       ├─anova──▶ variance components
                                       ├─gate───▶ pass, fail or cannot tell
                                       └─moving─▶ what moved ──explain──▶ documents
    runs and judgments ──evidence──▶ what is not known: bounds, reversals, ties
                       ├─readers───▶ for whom which is better
                       └─judges────▶ whether it survives another judge

Arithmetic is on arrays (`flips`, `bootstrap`, `families`, `power`, `anova`, `correlation`, `rbo`); `compare` and `gate`
make results of it that say how they were made; `views` and `reports` of them only round.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gainful.comparisons.anova import Components, components
from gainful.comparisons.comparing import Comparison, compare, compare_scores
from gainful.comparisons.correlation import Orders, correlate_orders, tau_ap, tau_b
from gainful.comparisons.difficulty import TopicSpread, difficulty
from gainful.comparisons.gate_result import Check, Gate
from gainful.comparisons.gating import gate
from gainful.comparisons.groups import Groups, Interaction
from gainful.comparisons.leaderboard import Leaderboard, leaderboard
from gainful.comparisons.lists import ListOverlap, correlate_runs
from gainful.comparisons.method import Method
from gainful.comparisons.pair import Pair
from gainful.comparisons.rbo import rbo
from gainful.comparisons.reading import read_saved, read_table
from gainful.comparisons.tables import ScoreTable

if TYPE_CHECKING:
    from gainful.comparisons.moving import PairMoved, moved
    from gainful.comparisons.not_known import unknown
    from gainful.comparisons.unknown_result import Unknown

_HOMES = {"PairMoved": "moving", "Unknown": "unknown_result", "moved": "moving", "unknown": "not_known"}
"""Names that are imported when they are asked for: what they need takes long, and few want it."""

__all__ = [
    "Check",
    "Comparison",
    "Components",
    "Gate",
    "Groups",
    "Interaction",
    "Leaderboard",
    "ListOverlap",
    "Method",
    "Orders",
    "Pair",
    "PairMoved",
    "ScoreTable",
    "TopicSpread",
    "Unknown",
    "compare",
    "compare_scores",
    "components",
    "correlate_orders",
    "correlate_runs",
    "difficulty",
    "gate",
    "leaderboard",
    "moved",
    "rbo",
    "read_saved",
    "read_table",
    "tau_ap",
    "tau_b",
    "unknown",
]


def __getattr__(name: str) -> Any:
    """A name that is imported when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
