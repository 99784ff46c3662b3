"""Judged runs and measures become scores."""

from gainful.scores.results import RunScores, Scores
from gainful.scores.scoring import DEFAULT, Evaluating, evaluate, score

__all__ = ["DEFAULT", "Evaluating", "RunScores", "Scores", "evaluate", "score"]
