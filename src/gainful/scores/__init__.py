"""Judged runs and measures become scores."""

from gainful.scores.results import RunScores, Scores
from gainful.scores.scoring import DEFAULT, evaluate, score

__all__ = ["DEFAULT", "RunScores", "Scores", "evaluate", "score"]
