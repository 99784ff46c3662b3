"""How alike two orders are: of systems by their scores, of documents in two runs."""

from gainful.comparisons.correlating.correlation import Orders, correlate_orders, tau_ap, tau_b
from gainful.comparisons.correlating.lists import ListOverlap, correlate_runs
from gainful.comparisons.correlating.rbo import rbo

__all__ = ["ListOverlap", "Orders", "correlate_orders", "correlate_runs", "rbo", "tau_ap", "tau_b"]
