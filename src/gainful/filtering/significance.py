"""Rules compared pair by pair on the same topics, by the tests of `gainful.comparisons`."""

from __future__ import annotations

from gainful.comparisons.comparing_scores import compare_scores
from gainful.comparisons.comparison import Comparison
from gainful.comparisons.method import Method
from gainful.comparisons.tables import ScoreTable
from gainful.errors import UsageError
from gainful.filtering.simulation import Simulation


def compared(
    simulation: Simulation, *, measure: str | None = None, baseline: str | None = None
) -> Comparison:
    """Every row against one of them.

    measure   the first one measured, unless named
    baseline  the row that the others are compared with; the first, unless named
    """
    names = [row.name for row in simulation.rows]
    against = names[0] if baseline is None else baseline
    if against not in names:
        raise UsageError(f"there is no row '{against}' to compare with; there are {', '.join(names)}")
    table = ScoreTable.of_scores(simulation.scores).select([measure or str(simulation.scores.measures[0])])
    return compare_scores(table, Method(baseline=against))
