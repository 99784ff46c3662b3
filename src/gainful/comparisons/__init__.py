"""Two or more systems: which is better, how surely, and whether a candidate may pass.

    scores ──tables──▶ systems × topics ──pairwise──▶ pairs ──▶ leaderboard, letters
                                       ├─anova──▶ variance components
                                       └─gate───▶ pass, fail or cannot tell

Arithmetic is on arrays (`flips`, `bootstrap`, `families`, `power`, `anova`, `correlation`, `rbo`); `compare` and `gate`
make results of it that say how they were made; `views` and `reports` of them only round.
"""

from gainful.comparisons.anova import Components, components
from gainful.comparisons.comparing import Comparison, compare, compare_scores
from gainful.comparisons.correlation import Orders, correlate_orders, tau_ap, tau_b
from gainful.comparisons.gate_result import Check, Gate
from gainful.comparisons.gating import gate
from gainful.comparisons.leaderboard import Leaderboard, leaderboard
from gainful.comparisons.lists import ListOverlap, correlate_runs
from gainful.comparisons.method import Method
from gainful.comparisons.pair import Pair
from gainful.comparisons.rbo import rbo
from gainful.comparisons.reading import read_saved, read_table
from gainful.comparisons.tables import ScoreTable

__all__ = [
    "Check",
    "Comparison",
    "Components",
    "Gate",
    "Leaderboard",
    "ListOverlap",
    "Method",
    "Orders",
    "Pair",
    "ScoreTable",
    "compare",
    "compare_scores",
    "components",
    "correlate_orders",
    "correlate_runs",
    "gate",
    "leaderboard",
    "rbo",
    "read_saved",
    "read_table",
    "tau_ap",
    "tau_b",
]
