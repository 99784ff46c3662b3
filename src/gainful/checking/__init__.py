"""The input doctor: what is wrong with judgments and runs, before any number is made of them."""

from gainful.checking.checkup import Checkup, Depth, Finding, QrelsFacts, RunFacts, Unjudged
from gainful.checking.examination import check

__all__ = ["Checkup", "Depth", "Finding", "QrelsFacts", "RunFacts", "Unjudged", "check"]
