"""Gainful tells what a ranked list is worth to its reader.

    files, frames, dicts ──formats──▶ judgments, runs ──judging──▶ judged runs ──measures──▶ scores
        ──▶ summaries, curves, explaining, comparisons ──▶ cli          filtering: a stream, judged by the same measures

The verbs are `read_qrels`, `read_run`, `judgments`, `check`, `evaluate`, `curve`, `explain`, `compare`, `gate`, `audit`,
`reconcile`, `parse`, and `measure` (a decorator for measures of one's own); `gains` and `judged_run` make small examples by
hand; `install_as` puts Gainful in place of pytrec_eval. The types are `Judgments`, `Run`, `JudgedRun`, `Measure`, `Scores`,
`Settings`, and what the verbs give. Every measure is a name here too:

>>> from gainful import evaluate, nDCG, AP
>>> evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d2": 0.9, "d1": 0.4}}, [nDCG @ 10, AP]).mean["AP"]
0.5
"""

from typing import Any

import lazy_loader

__version__ = "0.1.0"

_public, _, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    """A public name is imported when it is asked for; any other may be a measure."""
    if name in __all__ or name.startswith("_"):
        return _public(name)
    from importlib import import_module

    value = globals()[name] = getattr(import_module("gainful.measures"), name)
    return value


def __dir__() -> list[str]:
    from gainful.measures import names

    return sorted([*__all__, *names()])
