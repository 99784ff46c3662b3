"""Several judges of the same topics: scores under each, how far they agree, and whether the order of systems survives.

    judgments of each ──▶ items × judges ──▶ agreement: kappa, alpha, overlap
                      └─▶ scores under each ──▶ spread; orders of systems, their correlation, swaps

Every interval is over topics drawn again, since judgments within a topic depend on each other.
"""

from gainful.comparisons.judges.agreement import Agreement, PairAgreement, agree
from gainful.comparisons.judges.compare_judges import compare_judges
from gainful.comparisons.judges.judge_files import merge, read_judges
from gainful.comparisons.judges.judge_results import Judges, OrderPair, Orders, SystemPair, SystemScores
from gainful.comparisons.judges.topic_estimates import Chance, Estimate

__all__ = [
    "Agreement",
    "Chance",
    "Estimate",
    "Judges",
    "OrderPair",
    "Orders",
    "PairAgreement",
    "SystemPair",
    "SystemScores",
    "agree",
    "compare_judges",
    "merge",
    "read_judges",
]
