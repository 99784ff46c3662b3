"""What moved: topics that gained and lost most, documents credited with it, and how hard each topic is."""

from gainful.comparisons.changes.finding import credited, moved
from gainful.comparisons.changes.results import Credit, PairMoved, TopicMoved
from gainful.comparisons.changes.topics import TopicSpread, difficulty

__all__ = ["Credit", "PairMoved", "TopicMoved", "TopicSpread", "credited", "difficulty", "moved"]
