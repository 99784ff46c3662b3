"""Two or more systems: which is better, how surely, and whether a candidate may pass.

    scores ──tables──▶ systems × topics ──pairwise──▶ pairs ──▶ leaderboard, letters; groups of topics
                                       ├─anova───▶ variance components
                                       ├─gates───▶ pass, fail or cannot tell
                                       └─changes─▶ what moved ──explain──▶ documents
    runs and judgments ──readers──▶ for whom which is better
                       ├─unjudged─▶ what is not known: bounds, reversals, ties
                       └─judges───▶ whether it survives another judge

Arithmetic is on arrays, in `statistics`; `comparing` and the packages beside it (`changes`, `correlating`, `gates`,
`unjudged`, `readers`, `judges`) make results of it that say how they were made; `views` of these only round.
"""

from typing import TYPE_CHECKING

from gainful._lazy_import import door
from gainful.comparisons.comparing import compare
from gainful.comparisons.comparing_scores import compare_scores
from gainful.comparisons.comparison import Comparison
from gainful.comparisons.correlating.correlation import Orders, correlate_orders, tau_ap, tau_b
from gainful.comparisons.correlating.lists import ListOverlap, correlate_runs
from gainful.comparisons.correlating.rbo import rbo
from gainful.comparisons.gates.deciding import gate
from gainful.comparisons.gates.results import Check, Gate
from gainful.comparisons.groups import Groups, Interaction
from gainful.comparisons.leaderboard import Leaderboard, leaderboard
from gainful.comparisons.method import Method
from gainful.comparisons.pair import Pair
from gainful.comparisons.reading import read_saved, read_table
from gainful.comparisons.tables import ScoreTable
from gainful.statistics.anova import Components, components

if TYPE_CHECKING:
    from gainful.comparisons.changes import PairMoved, TopicSpread, difficulty, moved
    from gainful.comparisons.unjudged import Unknown, unknown


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
__getattr__, __dir__ = door(
    __name__,
    {
        "changes": ("PairMoved", "TopicSpread", "difficulty", "moved"),
        "unjudged": ("Unknown", "unknown"),
    },
)
