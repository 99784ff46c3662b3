"""Calls of `evaluate` as in a loop: prepared judgments, the same measures, and a run in dicts.

From the second call on, the core walks the dicts and runs the measures as one program; what else the scores know is made
when somebody asks for it. Anything out of the ordinary, and every fault, goes the usual way.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from gainful.errors import GainfulError
from gainful.formats.judgments import Judgments
from gainful.judging.settings import settings_of
from gainful.measures import Measure
from gainful.scores.evaluation import Asked, asked_for, evaluate
from gainful.scores.lazy_scores import LazyRunScores, scorer_of
from gainful.scores.score_set import Scores

if TYPE_CHECKING:
    from gainful._core import Scorer

KEPT = 64
"""Lists of measures for which judgments keep a scorer."""

Key = str | tuple[Any, ...]
"""The text of what is asked for, or its texts: measures that are equal may be called otherwise."""

_LISTS = list, tuple
_seen: dict[Key, tuple[Any, Asked]] = {}  # what was asked for before


class RepeatedCall:
    """Judgments and measures, ready for many runs; kept with the judgments, and so without them."""

    def __init__(self, scorer: Scorer, judgments: Judgments, measures: Asked) -> None:
        self.scorer, self.score, self.measures = scorer, scorer.score, measures
        settings = settings_of(evaluate, {})
        self.of_run = {
            **{"name": "run", "path": None, "digest": None, "tag": ""},
            **{"topics": judgments.topics, "measures": measures, "settings": settings},
        }
        self.of_scores = {
            **{"measures": measures, "settings": settings, "texts": None},
        }


def repeated_call(
    judgments: Judgments, run: Any, measures: str | Measure | Iterable[str | Measure]
) -> Scores | None:
    """The scores, with all settings at their defaults; None where the call has to go the usual way."""
    if type(run) is not dict:
        return None
    given: Any = measures
    key: Any = measures
    if type(measures) is not str:
        given = (measures,) if type(measures) is Measure else measures
        if not isinstance(given, _LISTS):
            return None
        texts = []
        for each in given:
            texts.append(each._text if type(each) is Measure else each)  # noqa: PERF401 (in 3.11 a call more)
        given, key = tuple(given), tuple(texts)
    call = None
    try:
        of, call = judgments.kept["repeated calls"][key]
        known = of == given
    except (KeyError, TypeError):  # TypeError: what is asked for cannot be hashed
        known = False
    if not known:
        call = _first_calls(judgments, key, given)
    if call is None:
        return None
    if (scored := call.score(run)) is None:
        if call.scorer.too_deep:  # the next run as deep is not judged twice
            deeper = _made(judgments, call.measures, call.scorer.too_deep)
            judgments.kept.setdefault("repeated calls", {})[key] = given, deeper
        return None
    scores = object.__new__(Scores)
    run_scores = LazyRunScores.of(call.of_run, scored, judgments)
    scores.__dict__.update(call.of_scores, runs=(run_scores,), judgments=judgments)
    return scores


def _first_calls(judgments: Judgments, key: Key, given: Any) -> RepeatedCall | None:
    """Nothing at first; what is needed for many calls once measures are asked for again."""
    if any(isinstance(each, Measure) and not each.recordable for each in given):
        return None  # a measure of the user's own is not kept alive
    try:
        of, known = _seen.get(key, (None, None))
    except TypeError:
        return None
    if known is None or of != given:
        if len(_seen) >= KEPT:
            _seen.clear()
        with suppress(GainfulError):  # which the usual way raises again
            _seen[key] = given, asked_for(given, None)
        return None
    calls = judgments.kept.setdefault("repeated calls", {})
    if len(calls) >= KEPT:
        calls.clear()
    made = _made(judgments, known)
    calls[key] = given, made
    return made


def _made(judgments: Judgments, measures: Asked, deepest: float = 0) -> RepeatedCall | None:
    """What is needed for many calls; None where these measures or judgments need more than a program has."""
    scorer = None if judgments.texts() is not None else scorer_of(judgments, measures, deepest)
    return None if scorer is None else RepeatedCall(scorer, judgments, measures)
