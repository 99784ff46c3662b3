"""What is not known: how far a comparison depends on unjudged documents, and on the order of tied scores.

    runs, judgments ──evidence──▶ every document and its ranks ──┬─thin─────▶ share judged, by depth
                                                                 ├─bounds───▶ least and greatest (shapes, extremes)
                                                                 └─reversal─▶ what would turn the sign (supposing)

Open documents are those in the top ranks that nobody judged: what they turn out to be is supposed in every way.
"""

from gainful.comparisons.unjudged.evidence import Evidence, gather
from gainful.comparisons.unjudged.unknown import unknown, unknown_of
from gainful.comparisons.unjudged.unknown_results import Between, PairUnknown, RunUnknown, Unknown

__all__ = [
    "Between",
    "Evidence",
    "PairUnknown",
    "RunUnknown",
    "Unknown",
    "gather",
    "unknown",
    "unknown_of",
]
