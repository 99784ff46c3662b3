"""Calls of `evaluate` as in a loop: prepared judgments, the same measures, and a run in dicts.

From the second call on, the core walks the dicts and runs the measures as one program; what else the scores know is made
when somebody asks for it. Anything out of the ordinary, and every fault, goes the usual way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from gainful.errors import GainfulError
from gainful.formats.ids import from_bytes
from gainful.formats.judgments import Judgments
from gainful.judging.record import judge, pool_of
from gainful.judging.settings import settings_of
from gainful.measures import Measure
from gainful.measures._recorded import recorded
from gainful.scores.evaluation import Asked, asked_for, close_scores, evaluate
from gainful.scores.score_set import RunScores, Scores
from gainful.summaries import SUMMARIES

if TYPE_CHECKING:
    from gainful._core import DictScorer, ScoredDicts

KEPT = 64
"""Lists of measures for which judgments keep a scorer."""

_seen: dict[Any, Asked] = {}  # what was asked for before


class LazyRunScores(RunScores):
    """Topics × measures for one run, of which the core keeps what nobody has asked for yet."""

    _scored: ScoredDicts
    _judgments: Judgments

    if not TYPE_CHECKING:  # the fields are known

        def __getattr__(self, name: str) -> Any:
            """A field that is made of what the core found."""
            if name not in LATER or "_scored" not in self.__dict__:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            value = self.__dict__[name] = LATER[name](self, self._scored)
            return value

    def _summed(self, summary: str, number: int) -> float:
        if summary == "mean" and "_scored" in self.__dict__:
            values: Any = self._scored.row(number)
            return SUMMARIES["mean"](values)
        return super()._summed(summary, number)

    def __getstate__(self) -> dict[str, Any]:
        """The fields, all of them made: what the core keeps stays in this process."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


LATER: dict[str, Callable[[LazyRunScores, ScoredDicts], Any]] = {
    "judged": lambda run, scored: judge(run._judgments, scored.found, run.settings),
    "extra": lambda _, scored: tuple(map(from_bytes, scored.found.extra)),
    "values": lambda _, scored: scored.values,
    "nothing_to_find": lambda _, scored: scored.undefined,
}
"""Fields that are made when somebody asks for them."""


class RepeatedCall:
    """Judgments and measures, ready for many runs; kept with the judgments, and so without them."""

    def __init__(self, scorer: DictScorer, judgments: Judgments, measures: Asked) -> None:
        self.score = scorer.score
        settings = settings_of(evaluate, {})
        self.of_run = {
            **{"name": "run", "path": None, "digest": None, "tag": ""},
            **{"topics": judgments.topics, "measures": measures, "settings": settings},
        }
        self.of_scores = {
            **{"measures": measures, "settings": settings, "pool": pool_of(judgments), "texts": None},
        }


def repeated_call(
    judgments: Judgments, run: Any, measures: str | Measure | Iterable[str | Measure]
) -> Scores | None:
    """The scores, with all settings at their defaults; None where the call has to go the usual way."""
    if type(run) is not dict:
        return None
    key: Any = tuple(measures) if type(measures) is list else measures
    try:
        call = judgments.kept["repeated calls"][key]
    except (KeyError, TypeError):  # TypeError: what is asked for cannot be hashed
        call = _first_calls(judgments, key)
    if call is None or (scored := call.score(run)) is None:
        return None
    run_scores, scores = object.__new__(LazyRunScores), object.__new__(Scores)
    of_run, of_scores = run_scores.__dict__, scores.__dict__
    of_run.update(call.of_run)
    of_run["_scored"], of_run["_judgments"] = scored, judgments
    if scored.close:
        of_run["close"] = close_scores(scored.found, None)
    of_scores.update(call.of_scores)
    of_scores["runs"], of_scores["judgments"] = (run_scores,), judgments
    return scores


def _first_calls(judgments: Judgments, key: Any) -> RepeatedCall | None:
    """Nothing at first; what is needed for many calls once measures are asked for again."""
    if not isinstance(key, str | Measure | tuple):
        return None
    try:
        known = _seen.get(key)
    except TypeError:
        return None
    if known is None:
        if len(_seen) >= KEPT:
            _seen.clear()
        with suppress(GainfulError):  # which the usual way raises again
            _seen[key] = asked_for(key, None)
        return None
    calls = judgments.kept.setdefault("repeated calls", {})
    if len(calls) >= KEPT:
        calls.clear()
    calls[key] = made = _made(judgments, known)
    return made


def _made(judgments: Judgments, measures: Asked) -> RepeatedCall | None:
    """What is needed for many calls; None where these measures or judgments need more than a program has."""
    by_more = judgments.details is not None or judgments.inclusion is not None or bool(judgments.models)
    condensing = any(measure.unjudged != "nonrelevant" for measure in measures)
    if by_more or condensing or measures.needs or judgments.texts() is not None:
        return None
    pool = pool_of(judgments)
    program = recorded(tuple(measures)).program(pool.top)
    scorer = None if program is None else program.scorer(judgments.index, pool)
    return None if scorer is None else RepeatedCall(scorer, judgments, measures)
