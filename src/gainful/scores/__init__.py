"""Judged runs and measures become scores."""

from gainful.scores.evaluation import DEFAULT, Evaluating, evaluate, score
from gainful.scores.score_set import RunScores, Scores

__all__ = ["DEFAULT", "Evaluating", "RunScores", "Scores", "evaluate", "score"]
