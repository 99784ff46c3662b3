"""Two or more systems: which is better, how surely, and whether a candidate may pass.

    scores ──score_table──▶ systems × topics ──pairwise──▶ pairs ──▶ leaderboard; groups of topics
                                            ├─gate_decision──▶ pass, fail or cannot tell
                                            └─topic_changes──▶ topics and documents behind a difference
    runs and judgments ──readers──▶ for which readers which system is better
                       ├─unjudged─▶ what hangs on unjudged documents and ties: bounds, reversals
                       └─judges───▶ whether it survives another judge

Arithmetic on arrays is in `gainful.statistics`. Every result says how it was made.
"""

from typing import TYPE_CHECKING

import lazy_loader

from gainful.comparisons.compare_runs import compare
from gainful.comparisons.comparison import Comparison, compare_scores
from gainful.comparisons.gate_decision import gate
from gainful.comparisons.gate_verdict import Check, Gate
from gainful.comparisons.groups import Groups, Interaction
from gainful.comparisons.leaderboard import Leaderboard, leaderboard
from gainful.comparisons.list_overlap import ListOverlap, correlate_runs, rbo
from gainful.comparisons.method import Method
from gainful.comparisons.order_correlation import Orders, correlate_orders, tau_ap, tau_b
from gainful.comparisons.pair import Pair
from gainful.comparisons.saved_scores import read_saved, read_table
from gainful.comparisons.score_table import ScoreTable
from gainful.statistics.anova import Components, components

if TYPE_CHECKING:
    from gainful.comparisons.topic_changes import PairMoved, moved
    from gainful.comparisons.topic_difficulty import TopicSpread, difficulty
    from gainful.comparisons.unjudged.unknown import unknown
    from gainful.comparisons.unjudged.unknown_results import Unknown


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

# What these need takes long to import, and few want it.
__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "topic_changes": ["PairMoved", "moved"],
        "topic_difficulty": ["TopicSpread", "difficulty"],
        "unjudged.unknown": ["unknown"],
        "unjudged.unknown_results": ["Unknown"],
    },
)
