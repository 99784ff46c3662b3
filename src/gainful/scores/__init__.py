"""Judged runs and measures become scores."""

from gainful.scores.evaluate import DEFAULT, evaluate, score
from gainful.scores.results import RunScores, Scores

__all__ = ["DEFAULT", "RunScores", "Scores", "evaluate", "score"]
