"""Sections on runs: scores, comparison, curves, topics, lists and check-up, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gainful.comparisons import Comparison, Method, ScoreTable, compare_scores, leaderboard
from gainful.errors import GainfulError
from gainful.formats import Run
from gainful.formats.runs import read_again, runs_of
from gainful.reports.board import board
from gainful.reports.caveats import caveats, not_known
from gainful.reports.curve_section import MOST as DRAWN
from gainful.reports.curve_section import drawn
from gainful.reports.documents import read_documents
from gainful.reports.lists import Lists, lists, room
from gainful.reports.page import Evaluated, Progress
from gainful.reports.pairs import pairs
from gainful.reports.provenance import data
from gainful.reports.topics import topics as topics_of
from gainful.reports.verdict import verdict
from gainful.scores import Evaluating, Scores, evaluate

if TYPE_CHECKING:
    from gainful.comparisons.readers import Readers

DEPTH = 50
"""Documents of each list that are shown, unless said."""

_MANY = 30  # systems up to which pairs are compared on every measure
_SWEPT = 4  # systems up to which readers are swept for every pair


def evaluated(
    qrels: Any,
    runs: Any,
    measures: Any,
    *,
    documents: Any,
    shown: int | None,
    method: Method,
    evaluating: Evaluating,
    command: str | None,
    progress: Progress | None,
) -> Evaluated:
    """Every section on these runs, from judging to what is shown; the parameters are those of `report`."""
    held = _held(runs)
    scores = evaluate(
        qrels,
        list(held.values()),
        measures,
        progress=_by_run(progress, "reading", len(held)),
        **evaluating,
    )
    comparison, alone = _compared(scores, method, progress)
    boards = (
        []
        if comparison is None or method.baseline is not None
        else [leaderboard(comparison, one, progress=progress) for one in comparison.table.measures]
    )
    made = board(scores, comparison, boards, method)
    systems = made.systems
    found = None if comparison is None else pairs(comparison, systems)
    shown_first = _shown(systems, method.baseline)
    swept = _readers(scores, shown_first, method) if found is not None else None
    checkup = _checkup(scores.judgments, list(held.values()), progress)
    of_topics = topics_of(scores, systems)
    return Evaluated(
        verdict=verdict(
            made,
            found,
            readers=swept,
            caveats=[
                *caveats(scores, comparison, of_topics),
                *([] if found is None else not_known(scores, held, systems)),
            ],
        ),
        board=made,
        curves=drawn(scores, shown_first),
        drawn=shown_first,
        pairs=found,
        alone=alone,
        topics=of_topics,
        lists=_lists(scores, held, systems, shown, documents, progress),
        readers=swept,
        data=data(scores, systems, checkup, command),
    )


def _held(runs: Any) -> dict[str, Run]:
    """The runs by name, fit to be read more than once."""
    return {run.name: read_again(run) for run in runs_of(runs)}


def _compared(scores: Scores, method: Method, progress: Progress | None) -> tuple[Comparison | None, str]:
    """The comparison, or why there is none."""
    if len(scores) < 2:
        return None, "There is one run; give two or more to see them compared."
    if len(scores.runs[0].topics) < 2:
        return None, "One topic cannot tell systems apart; judge more of them."
    table = ScoreTable.of_scores(scores)
    plain = [str(measure) for measure in scores.measures if measure.summary in ("mean", "sum")]
    if not plain:
        return None, "Pairs are compared by means over topics; no measure asked for is one."
    table = table.select(plain if len(scores) <= _MANY else plain[:1])
    return compare_scores(table, method, progress=progress), ""


def _shown(systems: Sequence[str], baseline: str | None) -> tuple[str, ...]:
    """The systems whose curves are drawn: the best, and the baseline."""
    some = list(systems[:DRAWN])
    if baseline is not None and baseline not in some:
        some[-1] = baseline
    return tuple(some)


def _readers(scores: Scores, systems: Sequence[str], method: Method) -> Readers | None:
    """Who is better for whom, of the systems at the top of the board."""
    from gainful.comparisons.readers import sweep_scores

    some = replace(scores, runs=tuple(scores[system] for system in systems[:_SWEPT]))
    try:
        return sweep_scores(some, level=method.confidence, seed=method.seed)
    except GainfulError:  # too few topics in common, or nothing relevant: there is nothing to sweep
        return None


def _by_run(progress: Progress | None, what: str, runs: int) -> Progress | None:
    """Progress in runs: one line for all of them, whatever is told of each."""
    if progress is None:
        return None
    seen: set[str] = set()

    def tell(name: str, _done: int, _whole: int | None) -> None:
        seen.add(name)
        progress(what, len(seen), runs)

    return tell


def _checkup(judgments: Any, runs: list[Run], progress: Progress | None) -> Any:
    from gainful.checking import check

    try:
        return check(judgments, runs, progress=_by_run(progress, "check-up", len(runs)))
    except GainfulError:  # what cannot be checked has been evaluated all the same
        return None


def _lists(
    scores: Scores,
    runs: Mapping[str, Run],
    systems: Sequence[str],
    shown: int | None,
    documents: Any,
    progress: Progress | None,
) -> Lists:
    many, deep = room(len(systems), len(scores.runs[0].topics), shown, DEPTH)
    made = lists(scores, runs, systems[:many], deep, progress)
    notes = list(made.notes)
    if many < len(systems):
        notes.append(f"Lists are shown of the {many} best systems of {len(systems)}.")
    if shown is None and deep < DEPTH:
        notes.append(f"Lists are shown down to rank {deep}, as there are many; ask for more with --shown.")
    if documents is None:
        return replace(made, notes=tuple(notes))
    wanted = {document for topic in made.topics for document in topic.documents}
    titles = read_documents(documents, wanted, progress=progress)
    if lacking := len(wanted) - len(titles):
        notes.append(f"{lacking:,} of {len(wanted):,} documents listed are not among the documents given.")
    return replace(made, notes=tuple(notes), titles=titles)
