"""The gate: may a candidate replace the baseline? Pass, fail, or cannot tell.

options (pyproject.toml) ──▶ deciding ──▶ results ──▶ views: text, Markdown, JSON, JUnit
"""

from gainful.comparisons.gates.deciding import gate, gate_scores
from gainful.comparisons.gates.results import Check, Gate

__all__ = ["Check", "Gate", "gate", "gate_scores"]
