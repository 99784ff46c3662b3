"""The input doctor: what is wrong with judgments and runs, before any number is made of them."""

from gainful.checking.examining import check
from gainful.checking.results import Checkup, Depth, Finding, QrelsFacts, RunFacts, Unjudged

__all__ = ["Checkup", "Depth", "Finding", "QrelsFacts", "RunFacts", "Unjudged", "check"]
