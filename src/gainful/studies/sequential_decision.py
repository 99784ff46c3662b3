"""When to stop judging: whether two runs differ, as surely as the judgments so far can say, at every look.

The question is that of a sign-flip test over the topics at level alpha, as it would be answered if every document that the
measure counts in the two runs were judged. It is settled early in two ways, by one test (`statistics.sequential_flips`):

bounds   each topic's difference lies between bounds that no judgment of open documents can leave; if the complete test must
         reject, or cannot, the rest need not be read. Valid however documents were chosen.
looks    where documents are drawn by chance, each complete batch gives an estimate of every topic's difference, and a look
         at them spends a part of alpha. Valid as long as the draw does not depend on which run is called A and which B.

Without samples there is but one look, the complete one, and alpha is spent there as a whole.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.method import LEAD
from gainful.comparisons.unjudged.evidence import OPEN, Evidence
from gainful.comparisons.unjudged.value_bounds import Bounds, bounds_of_difference, depth_of
from gainful.errors import UsageError
from gainful.formats import Run, read_run
from gainful.formats.ids import shown, some_quoted
from gainful.measures import Measure, parse
from gainful.presentation.text_style import signed
from gainful.statistics.sequential_flips import FLIPS, Look, SequentialFlips
from gainful.studies.candidates import candidates_of, pairs_of, top_of
from gainful.studies.pooling import situation_of
from gainful.studies.sample_estimates import DrawnSample, estimated_differences, judged_run
from gainful.studies.strategies import Situation, Strategy, strategy_of
from gainful.studies.study_folder import Pair, Study
from gainful.studies.study_records import Pooled

Floats = NDArray[np.float64]
Status = Literal["decided", "no difference", "waiting", "judge more"]


@dataclass(frozen=True, eq=False)
class Decision:
    """Whether two runs differ, by what was judged so far.

    status      decided: one is significantly better, and no further judgment is needed · no difference: whatever is judged,
                neither will be · waiting: documents of the last batch have no answer yet · judge more: open, and the last
                batch is judged
    better      the name of the better run; None where the status is not "decided"
    difference  mean of B − A: estimated from the sample at the last look, for the test alone (`compare`
                estimates it otherwise), or with unjudged documents not relevant
    low, high   between which values the complete difference lies, whatever the open documents turn out to be
    p           of the last look at a sample, or of the complete test at the worst bounds
    by          what decided: "looks", "bounds", or None
    open        documents that the measure counts in the two runs and nobody judged
    judged      documents of the study that were judged
    waiting     documents of the last batch that have no answer
    """

    a: str
    b: str
    measure: Measure
    alpha: float
    status: Status
    better: str | None
    difference: float
    low: float
    high: float
    p: float
    by: Literal["looks", "bounds"] | None
    topics: int
    open: int
    judged: int
    waiting: tuple[Pooled, ...]
    looks: tuple[Look, ...]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.sentence()

    def __repr__(self) -> str:
        return f"<Decision: {self.sentence()}>"

    def sentence(self, places: int = 4) -> str:
        """The decision in words."""
        a, b = shown(self.a), shown(self.b)
        difference = f"{b} − {a} = {signed(self.difference, places)}"
        bounds = f"between {signed(self.low, places)} and {signed(self.high, places)}"
        rest = f"whatever the {self.open:,} open documents are" if self.open else "with nothing left to judge"
        if self.status == "decided":
            worse = b if self.better == self.a else a
            how = f"{bounds}, {rest}; p {'≤' if self.open else '='} {self.p:.3g}"
            if self.by == "looks":
                number = f"{len(self.looks)} look{'s' if len(self.looks) > 1 else ''}"
                how = (
                    f"as estimated for the test from {self.judged:,} documents, which is not the estimate of `compare`; "
                    f"p = {self.p:.3g} after {number}"
                )
            return (
                f"decided: {shown(self.better or '')} is better than {worse} on {self.measure} "
                f"({difference}, {how}, {self.topics} topics, alpha {self.alpha:g}); "
                f"{self.open:,} documents need not be judged"
            )
        if self.status == "no difference":
            return (
                f"no difference: neither {a} nor {b} will be significantly better on {self.measure} with these "
                f"{self.topics} topics, {rest} ({difference}; {bounds}; alpha {self.alpha:g})"
            )
        waiting = f"; {len(self.waiting):,} of the last batch have no answer yet" if self.waiting else ""
        return f"not decided: {difference} on {self.measure}, {bounds}, {rest}{waiting}"

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "a": shown(self.a),
            "b": shown(self.b),
            "measure": str(self.measure),
            "alpha": self.alpha,
            "status": self.status,
            "better": None if self.better is None else shown(self.better),
            **{name: getattr(self, name) for name in ("difference", "low", "high", "p", "by", "topics")},
            **{name: getattr(self, name) for name in ("open", "judged")},
            "waiting": [{"topic": shown(row.topic), "document": shown(row.document)} for row in self.waiting],
            "looks": [{"share": look.share, "level": look.level, "p": look.p} for look in self.looks],
            "notes": list(self.notes),
        }


def decide_now(
    study: Study,
    a: str,
    b: str,
    measure: str | Measure | None = None,
    *,
    alpha: float = 0.05,
    flips: int = FLIPS,
    given_up: Collection[Pair] = (),
    evidence: Evidence | None = None,
) -> Decision:
    """Whether two runs of a study differ, by what was judged so far; may be asked again after every judgment.

    a, b      names of runs of the study, baseline first; or files of other runs
    measure   by default the study's
    alpha     significance level, for all looks together
    flips     patterns of signs
    given_up  documents that assessors skipped or could not tell about: nobody waits for them
    evidence  the documents with the grades known by now, where they have been gathered already
    """
    asked = _measure(study, measure)
    runs = compared_runs(study, a, b)
    if evidence is None:
        topics = [row.topic for row in study.topics]
        evidence = candidates_of(runs, study.judged(), best=study.best_grade, topics=topics)
    names = list(runs)
    pair = names.index(a), names.index(b)
    test = SequentialFlips(len(evidence.topics), alpha, flips=flips, seed=study.manifest.seed)
    answered = _answered(evidence, given_up)
    looks, estimate, notes = _looks(study, evidence, asked, pair, test, answered)
    notes += _other_question(study, asked, (a, b), alpha)
    if asked.cutoff is None:
        notes.append(
            f"{asked} has no cutoff; runs count down to rank {study.manifest.depth}, the depth of the study"
        )
    return _decision(study, evidence, asked, pair, test, looks, estimate, answered, notes)


def compared_runs(study: Study, a: str, b: str) -> dict[str, Run]:
    """The runs of the study, and those of the two that are files of other runs."""
    if a == b:
        raise UsageError(f"'{shown(a)}' is compared with itself; name two runs.")
    runs = dict(study.runs)
    for name in (a, b):
        if name not in runs:
            try:
                runs[name] = top_of(read_run(name), study.manifest.depth)
            except Exception as fault:
                raise UsageError(
                    f"'{shown(name)}' is neither a run of the study ({some_quoted(list(study.runs))}) "
                    f"nor a file that can be read: {fault}"
                ) from None
    return runs


def _measure(study: Study, measure: str | Measure | None) -> Measure:
    asked = parse(measure or study.manifest.measure or LEAD) if not isinstance(measure, Measure) else measure
    if asked.needs is not None:
        raise UsageError(
            f"{asked} needs more than grades; a decision is made on a measure of grades, such as nDCG@10."
        )
    if asked.cutoff is not None and asked.cutoff > study.manifest.depth:
        raise UsageError(
            f"{asked} looks deeper than the study, which has {study.manifest.depth} ranks of each run; "
            "pool again with a larger --depth."
        )
    return asked


def _other_question(study: Study, measure: Measure, pair: tuple[str, str], alpha: float) -> list[str]:
    """A note where another measure or other runs are asked about than the study was made to decide: each has its own alpha."""
    manifest = study.manifest
    own, runs = parse(manifest.measure or LEAD), manifest.compare
    if measure == own and (not runs or {*pair} == {*runs}):
        return []
    between = f" between {shown(runs[0])} and {shown(runs[1])}" if runs else ""
    return [
        f"the study was made to decide {own}{between}; this is another question, with an alpha of {alpha:g} for itself. "
        f"Who asks both has a chance of up to {min(1.0, 2 * alpha):g} that one of the answers is wrong by chance: for "
        f"{alpha:g} in all, ask each with --alpha {alpha / 2:g}"
    ]


def _answered(evidence: Evidence, given_up: Collection[Pair]) -> NDArray[np.bool_]:
    """Rows that nobody waits for: judged ones, and those that assessors gave up."""
    gone = {*given_up}
    if not gone:
        return np.asarray(evidence.grade >= 0)
    return np.asarray((evidence.grade >= 0) | np.array([pair in gone for pair in pairs_of(evidence)]))


def _looks(
    study: Study,
    evidence: Evidence,
    measure: Measure,
    pair: tuple[int, int],
    test: SequentialFlips,
    answered: NDArray[np.bool_],
) -> tuple[list[Look], Floats | None, list[str]]:
    """A look after each complete batch of a sample, until one decides; and the last estimates."""
    manifest = study.manifest
    strategy, _ = strategy_of(manifest.strategy)
    drawn_for = manifest.compare or tuple(study.runs)
    if strategy.probabilities is None:
        return [], None, []
    if not {evidence.names[run] for run in pair} <= {*drawn_for}:
        return [], None, ["the sample was drawn for other runs, so that only bounds can decide"]
    number = {row: place for place, row in enumerate(pairs_of(evidence))}
    batch_of = np.zeros(len(evidence.grade), np.int64)
    for row in study.pool:
        batch_of[number[row.pair]] = row.batch
    before = (evidence.grade >= 0) & (batch_of == 0)
    looks: list[Look] = []
    estimate = None
    for batch in range(1, study.batches + 1):
        situation = situation_of(study, evidence=evidence, batch=batch)
        drawn = _drawn(strategy, situation, before)
        if not answered[drawn].all():
            break
        chances = np.where(before, 1.0, strategy.probabilities(situation))
        share = share_drawn(evidence, measure, pair, chances, before)
        estimate = estimated_differences(evidence, measure, pair, DrawnSample(chances, drawn | before, share))
        if estimate is None:
            return [], None, [f"{measure} has no estimate from a sample here, so that only bounds can decide"]
        looks.append(test.look(estimate, share))
        if looks[-1].side:
            break
    return looks, estimate, _given_up_notes(evidence, answered)


def _drawn(strategy: Strategy, situation: Situation, before: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Rows that chance has drawn by the end of a batch; what the pool holds for other reasons stands for nothing."""
    evidence = situation.evidence
    unseen = replace(evidence, grade=np.where(before, evidence.grade, OPEN))
    nothing = np.zeros(len(before), np.bool_)
    drawn = nothing.copy()
    drawn[[choice.row for choice in strategy.choose(replace(situation, evidence=unseen, asked=nothing))]] = (
        True
    )
    return drawn


def share_drawn(
    evidence: Evidence,
    measure: Measure,
    pair: tuple[int, int],
    chances: Floats,
    before: NDArray[np.bool_],
) -> float:
    """How much of what the measure counts in the two runs is in the sample on average; what was judged before is left out."""
    counted = (evidence.ranks[list(pair)] <= depth_of(measure)).any(axis=0) & ~before
    return min(1.0, float(chances[counted].mean())) if counted.any() else 1.0


def _given_up_notes(evidence: Evidence, answered: NDArray[np.bool_]) -> list[str]:
    number = int((answered & (evidence.grade < 0)).sum())
    if not number:
        return []
    return [
        f"{number:,} document{'s' if number > 1 else ''} without a grade (skipped, or nobody could tell) "
        "count as not relevant in estimates, and as open in bounds"
    ]


def _decision(
    study: Study,
    evidence: Evidence,
    measure: Measure,
    pair: tuple[int, int],
    test: SequentialFlips,
    looks: list[Look],
    estimate: Floats | None,
    answered: NDArray[np.bool_],
    notes: list[str],
) -> Decision:
    opened = open_counts(evidence, measure, pair)
    current = current_differences(evidence, measure, pair)
    bounds = topic_bounds(evidence, measure, pair, opened, current)
    side = looks[-1].side if looks else 0
    foreseen = None if side else test.foreseen(bounds.low, bounds.high)
    number = {row: place for place, row in enumerate(pairs_of(evidence))}
    waiting = tuple(row for row in study.pool if not answered[number[row.pair]])
    a, b = (evidence.names[run] for run in pair)
    turned = side or foreseen or 0
    if measure.less_is_better:
        turned = -turned
    status: Status = "waiting" if waiting else "judge more"
    if turned:
        status = "decided"
    elif foreseen == 0:
        status = "no difference"
    values = current if estimate is None else estimate
    return Decision(
        a,
        b,
        measure,
        test.alpha,
        status,
        (b if turned > 0 else a) if turned else None,
        float(values.mean()),
        float(bounds.low.mean()),
        float(bounds.high.mean()),
        looks[-1].p if side else _worst_p(test, bounds),
        "looks" if side else "bounds" if foreseen is not None else None,
        len(evidence.topics),
        int(opened.sum()),
        len({row.pair for row in study.pool}) - len(waiting),
        waiting,
        tuple(looks),
        tuple(notes),
    )


def _worst_p(test: SequentialFlips, bounds: Bounds) -> float:
    """The largest p-value that the complete test can have."""
    if bounds.low.sum() > 0:
        return test.last_p(bounds.low)
    return test.last_p(bounds.high) if bounds.high.sum() < 0 else 1.0


def open_counts(evidence: Evidence, measure: Measure, pair: tuple[int, int]) -> NDArray[np.int64]:
    """Of each topic, the documents that the measure counts in the two runs and nobody judged."""
    topics = range(len(evidence.topics))
    return np.array([evidence.open(topic, pair, depth_of(measure)).sum() for topic in topics], np.int64)


def topic_bounds(
    evidence: Evidence,
    measure: Measure,
    pair: tuple[int, int],
    opened: NDArray[np.int64],
    current: Floats,
) -> Bounds:
    """Bounds of each topic's difference; where nothing is open it is the difference itself."""
    topics = np.flatnonzero(opened)
    bounds = bounds_of_difference(evidence, measure, *pair, topics.tolist())
    low, high = current.copy(), current.copy()
    low[topics], high[topics] = bounds.low, bounds.high
    return Bounds(low, high, bounds.kind)


def current_differences(evidence: Evidence, measure: Measure, pair: tuple[int, int]) -> Floats:
    """B − A of each topic, with documents that nobody judged not relevant."""
    a, b = (measure(judged_run(evidence, run)) for run in pair)
    return np.asarray(b - a)
