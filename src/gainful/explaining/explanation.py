"""explain: one topic's value of a measure, worked out rank by rank."""

from __future__ import annotations

import itertools
import math
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from gainful.errors import UsageError
from gainful.explaining.contributions import Parts, parts_of
from gainful.explaining.topic_list import Listed, listed, not_listed
from gainful.explaining.tracing import as_read, symbols
from gainful.formats import Judgments, Run, read_qrels
from gainful.formats.ids import shown
from gainful.formats.runs import read_again, runs_of
from gainful.formats.user_knowledge import read_known
from gainful.judging import JudgedRun
from gainful.judging.ordered_lists import ordered
from gainful.judging.settings import Conventions, Settings, settings_of
from gainful.measures import Measure, parse
from gainful.measures._discounts import DISCOUNTS
from gainful.measures._gains import GAINS
from gainful.scores import Scores, evaluate
from gainful.scores.evaluation import needed

Floats = NDArray[np.float64]
Cell = float | bool | None
CONTRIBUTES = "contributes"
_VARIANTS = 16  # how many other forms of a measure are worked out at most


@dataclass(frozen=True)
class Row:
    """One rank: the document there and what is known of it; None below the end of the list."""

    rank: int
    document: str | None
    grade: float | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True, eq=False)
class Explanation:
    """How a measure's value came about, for one topic of one run.

    columns   names of the cells: values of the measure's parameters and of the names in its code at each rank, and
              what each document contributes
    rows      rank by rank, down to the cutoff or the end of the list
    parts     what each document contributes; the contributions sum to the value
    variants  the value under the other gains, discounts and ideals that have names
    missed    judged documents that are not in the rows, best first
    below     documents of the list below the cutoff, and how many of them are judged
    """

    run: str
    topic: str
    measure: Measure
    parts: Parts
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    variants: Mapping[str, float]
    missed: tuple[tuple[str, float], ...]
    below: tuple[int, int]
    settings: Settings

    @property
    def value(self) -> float:
        """What `evaluate` says."""
        return self.parts.value

    def column(self, name: str) -> list[Cell]:
        """The cells of a column, from rank 1 on."""
        place = self.columns.index(name)
        return [row.cells[place] for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the layout of the JSON output."""
        from gainful.explaining.explanation_tables import as_dict

        return as_dict(self)

    def text(self, *, places: int = 4, fold: bool = True) -> str:
        """A table for the terminal."""
        from gainful.explaining.explanation_tables import text

        return text(self, places=places, fold=fold)

    def markdown(self, *, places: int = 4, fold: bool = True) -> str:
        """A table in Markdown."""
        from gainful.explaining.explanation_tables import markdown

        return markdown(self, places=places, fold=fold)

    def html(self, *, places: int = 4, fold: bool = True) -> str:
        """A table in HTML."""
        from gainful.explaining.explanation_tables import html

        return html(self, places=places, fold=fold)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return self.html()


def explain(
    qrels: Any,
    run: Any,
    topic: str,
    measure: str | Measure,
    *,
    known: Any = None,
    expected: Any = None,
    **conventions: Unpack[Conventions],
) -> Explanation:
    """Work out a measure for one topic, document by document.

    qrels, run  as for `evaluate`
    topic       its id
    measure     as text ("nDCG@10") or as an object
    known       what the user knew, and
    expected    how much she expected, as for `evaluate`

    The conventions (ties, missing, undefined, unjudged, duplicates, rel, depth, drop_self, scores) are the fields of
    `gainful.Settings`.

    >>> print(explain({"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}, "q", "AP").text())
    AP = 0.8333 · topic q · run
    ...
    """
    settings = settings_of(explain, conventions)
    [explanation] = explanations(qrels, [run], topic, measure, settings, known=known, expected=expected)
    return explanation


def explanations(
    qrels: Any,
    runs: Sequence[Any],
    topic: str,
    measure: str | Measure,
    settings: Settings,
    *,
    known: Any = None,
    expected: Any = None,
) -> list[Explanation]:
    """The explanation of each run."""
    measure = parse(measure) if isinstance(measure, str) else measure
    measure.require()
    judged = read_qrels(qrels, by=needed([measure]), duplicates=settings.duplicates)
    topic = str(topic)
    _check_topic(judged, topic)
    held = [read_again(one) for run in runs for one in runs_of(run)]
    if len(held) != len(runs):
        raise UsageError("an explanation is of one run; several were given.")
    if known is not None and len(read_known(known).users) > 1:
        raise UsageError("an explanation is for one user; give what one of them knew.")
    if len({one.name for one in held}) < len(held):
        held = [one.renamed(f"{one.name}#{number}") for number, one in enumerate(held, 1)]
    scores = evaluate(judged, held, [measure], known=known, expected=expected, **settings.to_dict())
    place = judged.topics.index(topic)
    return [
        _explained(judged, run, topic, scores, scored.judged.select(place, place + 1))
        for run, scored in zip(held, scores, strict=True)
    ]


def _explained(judgments: Judgments, run: Run, topic: str, scores: Scores, judged: JudgedRun) -> Explanation:
    measure, settings = scores.measures[0], scores.settings
    working, judged = as_read(measure, judged)
    places = ordered(run, settings, judgments=judgments, topics=[topic])[topic]
    everything = listed(judgments, topic, judged, places)
    parts = parts_of(working, judged)
    cutoff = measure.cutoff or len(everything)
    shown_list = everything[:cutoff]
    columns = _columns(working, judged, parts, shown_list)
    depth = max((len(cells) for cells in columns.values()), default=0)
    rows = tuple(
        Row(
            rank,
            shown_list[rank - 1].document if rank <= len(shown_list) else None,
            shown_list[rank - 1].grade if rank <= len(shown_list) else None,
            tuple(cells[rank - 1] if rank <= len(cells) else None for cells in columns.values()),
        )
        for rank in range(1, max(depth, len(shown_list)) + 1)
    )
    rest = everything[cutoff:]
    return Explanation(
        run=run.name,
        topic=topic,
        measure=measure,
        parts=parts,
        columns=tuple(columns),
        rows=rows,
        variants=_variants(measure, judged),
        missed=tuple(not_listed(judgments, topic, shown_list)),
        below=(len(rest), sum(one.grade is not None for one in rest)),
        settings=settings,
    )


def worked_columns(measure: Measure, judged: JudgedRun, rows: Sequence[Listed]) -> dict[str, list[Cell]]:
    """The columns of the worked table of one topic, for the documents at its first ranks."""
    working, judged = as_read(measure, judged)
    return _columns(working, judged, parts_of(working, judged), rows)


def _columns(
    measure: Measure, judged: JudgedRun, parts: Parts, rows: Sequence[Listed]
) -> dict[str, list[Cell]]:
    """What stands in the table: first what the parameters mean at each rank, then the names in the measure's text."""
    params, depth = measure.params, len(rows)
    made: dict[str, list[Cell]] = {}
    grades = np.array([-math.inf if row.grade is None else row.grade for row in rows])
    rank = np.arange(1.0, depth + 1)
    rel = params.get("rel")
    if rel is not None:
        relevant = grades >= rel
        made["relevant"] = relevant.tolist()
        made["relevant so far"] = np.cumsum(relevant).astype(float).tolist()
    knowledge = judged.knowledge
    if knowledge is not None and knowledge.rows is not None:
        knew = dict(zip(judged.rank.astype(int).tolist(), knowledge.rows[judged.row].tolist(), strict=True))
        made["known"] = [knew.get(place) for place in range(1, depth + 1)]
    if "gain" in params:
        made |= _gain_columns(measure, judged, grades, rank)
    seen = [[None if value is None else float(value) for value in cells] for cells in made.values()]
    seen.append([row.grade for row in rows])
    for name, values in symbols(measure, judged).items():
        cells = [values.get(place) for place in range(1, depth + 1)]
        if not any(_same(cells, column) for column in seen):
            made.setdefault(name.replace("_", " "), cells)
    made[CONTRIBUTES] = parts.contributions[:depth].tolist()
    return made


def _gain_columns(measure: Measure, judged: JudgedRun, grades: Floats, rank: Floats) -> dict[str, list[Cell]]:
    """Gain and cumulated gain; discounted, if the measure discounts; beside the ideal list's, if it has one."""
    params = measure.params
    gain, discount, base = params["gain"], params.get("discount"), params.get("base", 2)
    gained = gain(grades)
    made: dict[str, Floats] = {"gain": gained, "CG": np.cumsum(gained)}
    collected = made["CG"]
    if discount is not None:
        by = discount(rank, base)
        made |= {"discount": by, "discounted": gained / by, "DCG": np.cumsum(gained / by)}
        collected = made["DCG"]
    if "ideal" in params:
        best = judged.ideal(gain, of=params["ideal"])
        gainful = int((gain(best.grade) > 0).sum())  # below, no list gains anything
        ideal = np.zeros(max(len(rank), min(gainful, measure.cutoff or gainful)))
        there = best.rank <= len(ideal)
        ideal[best.rank[there].astype(int) - 1] = gain(best.grade[there])
        made["ideal gain"] = ideal
        along = np.arange(1.0, len(ideal) + 1)
        name, cumulated = "ideal CG", np.cumsum(ideal)
        if discount is not None:
            name, cumulated = "ideal DCG", np.cumsum(ideal / discount(along, base))
        made[name] = cumulated
        so_far = np.concatenate(
            [collected, np.full(len(ideal) - len(rank), collected[-1] if len(rank) else 0.0)]
        )
        made["ratio"] = np.divide(so_far, cumulated, out=np.zeros_like(so_far), where=cumulated > 0)
    return {name: values.tolist() for name, values in made.items()}


def _same(cells: Sequence[Cell], other: Sequence[float | None]) -> bool:
    """Whether a column says nothing new: the same wherever it says anything."""
    pairs = [(a, b) for a, b in zip(cells, other, strict=False) if a is not None]
    return all(b is not None and math.isclose(float(a), b, rel_tol=1e-12) for a, b in pairs)


def _variants(measure: Measure, judged: JudgedRun) -> dict[str, float]:
    """The value under every combination of gains, discounts and words that the measure knows by name."""
    choices: dict[str, Sequence[Any]] = {}
    hints = _hints(measure)
    for name, value in measure.params.items():
        if name == "gain":
            choices[name] = list(dict.fromkeys([value, *GAINS.values()]))
        elif name == "discount":
            choices[name] = list(dict.fromkeys([value, *DISCOUNTS.values()]))
        elif typing.get_origin(hints.get(name)) is typing.Literal:
            choices[name] = typing.get_args(hints[name])
    made: dict[str, float] = {}
    for values in itertools.islice(itertools.product(*choices.values()), _VARIANTS):
        other = measure(**dict(zip(choices, values, strict=True))) if choices else measure
        if other != measure:
            made[str(other)] = float(other(judged)[0])
    return made


def _hints(measure: Measure) -> dict[str, Any]:
    try:
        return typing.get_type_hints(measure.definition.function)
    except (NameError, TypeError):  # a measure of one's own may have types that exist for type checkers only
        return {}


def _check_topic(judgments: Judgments, topic: str) -> None:
    if topic not in judgments.topics:
        known = judgments.topics
        some = ", ".join(f"'{shown(one)}'" for one in known[:3])
        more = f" and {len(known) - 3:,} more" if len(known) > 3 else ""
        raise UsageError(f"topic '{shown(topic)}' is not judged; the judgments have {some}{more}.")
