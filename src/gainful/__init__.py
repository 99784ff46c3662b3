"""Gainful tells what a ranked list is worth to its reader.

    files, frames, dicts ──formats──▶ judgments, runs ──judging──▶ judged runs ──measures──▶ scores
        ──▶ summaries, curves, explaining, comparisons ──▶ cli          filtering: a stream, judged by the same measures

The verbs are `read_qrels`, `read_run`, `check`, `evaluate`, `curve`, `explain`, `compare`, `gate`, `parse`, and `measure` (a
decorator for measures of one's own); `gains` and `judged_run` make small examples by hand. The types are `Judgments`,
`Run`, `JudgedRun`, `Measure`, `Scores`, `Settings`, and what the verbs give. Every measure is a name here too:

>>> from gainful import evaluate, nDCG, AP
>>> evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d2": 0.9, "d1": 0.4}}, [nDCG @ 10, AP]).mean["AP"]
0.5
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from gainful.checking import Checkup, check
    from gainful.comparisons import Comparison, compare, gate
    from gainful.curves import Curve, Curves, curve
    from gainful.explaining import explain, explain_difference, gains
    from gainful.formats import Judgments, Run, read_qrels, read_run
    from gainful.judging import JudgedRun, judged_run
    from gainful.judging.settings import Settings
    from gainful.measures import Measure, measure, parse
    from gainful.reports import Report, report
    from gainful.scores import Scores, evaluate

__all__ = [
    "Checkup",
    "Comparison",
    "Curve",
    "Curves",
    "JudgedRun",
    "Judgments",
    "Measure",
    "Report",
    "Run",
    "Scores",
    "Settings",
    "check",
    "compare",
    "curve",
    "evaluate",
    "explain",
    "explain_difference",
    "gains",
    "gate",
    "judged_run",
    "measure",
    "parse",
    "read_qrels",
    "read_run",
    "report",
]

_HOMES = {
    "checking": ("Checkup", "check"),
    "comparisons": ("Comparison", "compare", "gate"),
    "curves": ("Curve", "Curves", "curve"),
    "explaining": ("explain", "explain_difference", "gains"),
    "formats": ("Judgments", "Run", "read_qrels", "read_run"),
    "judging": ("JudgedRun", "judged_run"),
    "judging.settings": ("Settings",),
    "measures": ("Measure", "measure", "parse"),
    "reports": ("Report", "report"),
    "scores": ("Scores", "evaluate"),
}


def __getattr__(name: str) -> Any:
    """A public name is imported when it is asked for; any other may be a measure."""
    from importlib import import_module

    if name.startswith("_"):
        raise AttributeError(f"module 'gainful' has no attribute {name!r}")
    for home, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(f"gainful.{home}"), name)
            break
    else:
        value = getattr(import_module("gainful.measures"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from gainful.measures import names

    return sorted([*__all__, *names()])
