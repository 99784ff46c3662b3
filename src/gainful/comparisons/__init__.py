"""Two or more systems: which is better, how surely, and whether a candidate may pass.

    scores ──score_table──▶ systems × topics ──pair──▶ pairs ──▶ leaderboard; groups of topics
                                            ├─gate_decision──▶ pass, fail or cannot tell
                                            └─topic_changes──▶ topics and documents behind a difference
    runs and judgments ──readers──▶ for which readers which system is better
                       ├─unjudged─▶ what depends on unjudged documents and ties: bounds, reversals
                       └─judges───▶ whether it survives another judge

Arithmetic on arrays is in `gainful.statistics`. Every result says how it was made.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
