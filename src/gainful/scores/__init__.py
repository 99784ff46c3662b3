"""Judged runs and measures become scores."""

from gainful.scores.evaluation import DEFAULT, Evaluating, evaluate, score
from gainful.scores.run_scores import RunScores, Scores

__all__ = ["DEFAULT", "Evaluating", "RunScores", "Scores", "evaluate", "score"]
