"""What `gainful compare` is given: runs to be scored, results that were saved, tables of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gainful.cli.options import JUDGING, was_said
from gainful.cli.progress import Bar
from gainful.errors import UsageError
from gainful.formats.ids import shown

if TYPE_CHECKING:
    from gainful.comparisons import ScoreTable
    from gainful.formats.judgments import Judgments
    from gainful.formats.runs import Run
    from gainful.measures import Measure

DEFAULT = "nDCG@10"


@dataclass(frozen=True)
class Loaded:
    """Scores, and the lists behind them where there are any.

    judgments, runs, measures  None where only scores were given
    saved                      inputs that are scores already
    """

    table: ScoreTable
    judgments: Judgments | None = None
    runs: tuple[Run, ...] = ()
    measures: tuple[Measure, ...] = ()
    saved: tuple[str, ...] = ()

    def lists(self, option: str) -> tuple[Judgments, tuple[Run, ...], tuple[Measure, ...]]:
        """Judgments, runs and measures, refused where there are scores alone."""
        if self.judgments is None or self.saved:
            which = f"{shown(self.saved[0])} holds scores alone" if self.saved else "these are scores alone"
            raise UsageError(
                f"{option} looks at the documents of runs, and {which}: give judgments and the runs themselves."
            )
        return self.judgments, self.runs, self.measures


def loaded(
    inputs: Sequence[str], measures: Sequence[str], settings: dict[str, Any], bar: Bar, *, hold: bool
) -> Loaded:
    """The scores; with `hold`, runs that can be read only once are kept in memory."""
    from gainful.comparisons.saved_scores import kind
    from gainful.comparisons.score_inputs import load, load_saved, measures_of
    from gainful.formats.judgments import read_qrels
    from gainful.formats.runs import Run, read_again
    from gainful.scores.needs import needed

    kinds = [kind(path) for path in inputs]
    if all(one in ("saved", "table") for one in kinds):
        _refuse_judging()
        table = load_saved(inputs, ",".join(measures) or None, topics=settings["topics"])
        return Loaded(table, saved=tuple(inputs))
    if len(inputs) < 2:
        raise UsageError(
            "one file is not enough: give judgments and two runs (QRELS RUN RUN), or a table of scores."
        )
    qrels, *given = inputs
    if len(given) == 1 and kinds[1] != "saved":
        raise UsageError(
            f"there is one run ({given[0]}); a comparison needs two or more: gainful compare QRELS RUN RUN"
        )
    asked = measures_of(",".join(measures) or DEFAULT, settings["rel"])
    judgments = read_qrels(
        qrels, by=needed(asked), duplicates=settings["duplicates"], threads=settings["threads"]
    )
    saved = tuple(path for path, one in zip(given, kinds[1:], strict=True) if one in ("saved", "table"))
    runs = [Run(path) for path in given] if not saved else []
    if hold and runs:
        runs = [read_again(run) for run in runs]
    table = load(judgments, runs or given, asked, progress=bar.tell, **settings)
    return Loaded(table, judgments, tuple(runs), tuple(asked), saved)


def _refuse_judging() -> None:
    """Raise where an option says how runs are judged, and there are none."""
    for name in (*JUDGING, "rel", "depth"):
        if was_said(name):
            raise UsageError(
                f"--{name} says how runs are judged; these are scores already, and it would have no effect."
            )
