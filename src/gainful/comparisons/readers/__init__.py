"""For which readers one system is better, for which the other, and for which the difference is not significant.

    scores ──points──▶ what readers get, topic by topic ──bands──▶ leader at every point ──▶ ranges, sentences

Instead of fixing one reader, each sweep moves her: how deep she reads (`rank`), how much of the relevant she needs
(`recall`), how patient she is (`patience`). `sweep` takes judgments and runs, `sweep_scores` scores that are there
already; both give `Readers`, which has ranges, sentences, JSON, tables and a chart.

>>> qrels = {f"q{n}": {"a": 1, "b": 1} for n in range(8)}
>>> early, late = {"a": 4.0, "x": 3.0, "y": 2.0, "z": 1.0}, {"x": 4.0, "a": 3.0, "b": 2.0, "z": 1.0}
>>> found = sweep(qrels, {"early": dict.fromkeys(qrels, early), "late": dict.fromkeys(qrels, late)}, by="rank")
>>> [(one.start, one.stop, one.leader) for one in found.crossovers]
[(1.0, 1.0, 'early'), (2.0, 2.0, None), (3.0, 4.0, 'late')]
"""

from gainful.comparisons.readers.reader_ranges import Range, Readers, Sweep
from gainful.comparisons.readers.reader_sweeps import BY, sweep, sweep_scores
from gainful.statistics.simultaneous_bands import simultaneous

__all__ = ["BY", "Range", "Readers", "Sweep", "simultaneous", "sweep", "sweep_scores"]
