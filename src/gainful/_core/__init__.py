"""The one door to the native core, which reads, matches and orders.

    Rows     a table of (topic, document, value): a file, lists, a mapping or Arrow columns
    Index    judgments, ready to be matched
    Job      a run in a file, being judged in the background
    Crew     threads that do many jobs in turn
    Found    what a run holds of the judged documents
    Top      the first documents of each topic of a run, in order

and scores sparse vectors for filtering:

    VectorStore   documents in the order of their arrival, scored by one profile
    ProfileIndex  many profiles, against which documents are scored
    HighestScores   the highest scores of each profile, kept as documents arrive
    expected_thetas  the thresholds of the best expected utility, by a PlaceCurve and Aims
    fit_curve     the probability of relevance by the place of a score, fitted to answers

and runs measures that were recorded as programs:

    Program      operations on flat arrays
    Scorer       judgments and a program, ready for many runs
    ScoredRun    what it found in one
    log2         logarithms with the bits that programs have

`plain` and the modules named after it are the same in plain Python: the oracle of its tests, and the core where none was
compiled, as in the pure wheel and in a browser. The environment variable GAINFUL_CORE=plain chooses it anywhere.

    KIND    "native" or "plain"
    SLOW    what is said once where the plain core runs and nobody chose it (PLAIN_UNASKED)

Importing the native core does not import NumPy; asking one of these objects for an array does.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from gainful._core.faults import Cancelled, Fault

_asked = os.environ.get("GAINFUL_CORE") == "plain"
KIND: Literal["native", "plain"] = (
    "native" if not _asked and find_spec("gainful._core._native") is not None else "plain"
)
PLAIN_UNASKED = KIND == "plain" and not _asked

SLOW = (
    "Gainful runs here without its native core, in plain Python: the numbers are the same, reading takes some 150 times as "
    "long. `pip install --force-reinstall gainful` on a platform with a wheel of its own, or with a C++20 compiler, is faster."
)

if TYPE_CHECKING or KIND == "native":
    from gainful._core._native import (
        Aims,
        Crew,
        Found,
        HighestScores,
        Index,
        Job,
        PlaceCurve,
        ProfileIndex,
        Program,
        Rows,
        ScoredRun,
        Scorer,
        Top,
        VectorStore,
        arrow_stream,
        columns,
        expected_thetas,
        fit_curve,
        judge_mapping,
        judge_rows,
        judge_stream,
        log2,
        say_on_abort,
    )
else:
    if PLAIN_UNASKED:
        import warnings

        from gainful.errors import PlainCore

        warnings.warn(SLOW, PlainCore, stacklevel=2)

    from gainful._core.plain import (
        Crew,
        Found,
        Index,
        Job,
        Top,
        judge_mapping,
        judge_rows,
        judge_stream,
        log2,
    )
    from gainful._core.plain_arrow import arrow_stream, columns
    from gainful._core.plain_calibration import fit_curve
    from gainful._core.plain_highest_scores import Aims, HighestScores, PlaceCurve, expected_thetas
    from gainful._core.plain_rows import Rows
    from gainful._core.plain_sparse import ProfileIndex, VectorStore

    Program = ScoredRun = Scorer = None  # measures are then computed on arrays

    def say_on_abort(sentence: str, descriptor: int, code: int) -> None:
        """Nothing: only the native core can speak where a library ends the process."""


__all__ = [
    "KIND",
    "PLAIN_UNASKED",
    "SLOW",
    "Aims",
    "Cancelled",
    "Crew",
    "Fault",
    "Found",
    "HighestScores",
    "Index",
    "Job",
    "PlaceCurve",
    "ProfileIndex",
    "Program",
    "Rows",
    "ScoredRun",
    "Scorer",
    "Top",
    "VectorStore",
    "arrow_stream",
    "columns",
    "expected_thetas",
    "fit_curve",
    "judge_mapping",
    "judge_rows",
    "judge_stream",
    "log2",
    "say_on_abort",
]
