"""gainful compare: which of two or more systems is better, and how surely."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from gainful.cli.options import judging, refuse_existing, refuse_two_inputs
from gainful.cli.options import output as output_options
from gainful.cli.output import write
from gainful.cli.progress import _PATIENCE, Bar
from gainful.errors import UsageError

if TYPE_CHECKING:
    from gainful.comparisons import Method, ScoreTable

FORMATS = ("table", "csv", "json", "markdown", "latex")
VIEWS = ("pairs", "leaderboard", "components")
TESTS = ("signflip", "t", "wilcoxon", "sign", "bootstrap")
INTERVALS = ("t", "bca", "percentile", "flips")
JUDGING = ("ties", "missing", "undefined", "unjudged", "duplicates")
CORRECTIONS = ("holm", "bonferroni", "bh", "max-t", "tukey", "none")


class Counted(Bar):
    """The bar for work that is counted, not measured in bytes."""

    def tell(self, name: str, done: int, whole: int | None) -> None:
        """So much of it is done."""
        if self._bar is None and not self._quiet and time.monotonic() - self._since > _PATIENCE:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
            )
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
        super().tell(name, done, whole)


def one_blas_thread() -> None:
    """Resampling fills the cores by itself; threads of BLAS would be in its way. Works before NumPy is imported."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@click.command("compare", short_help="Which system is better, and how surely.")
@click.argument("inputs", metavar="QRELS RUN RUN... | TABLE...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measures",
    multiple=True,
    metavar="MEASURES",
    help="What to compare by; takes commas and repeats.  [default: nDCG@10]",
)
@click.option(
    "--baseline", metavar="NAME", help="Compare every system with this one only; otherwise all pairs."
)
@click.option(
    "--view",
    type=click.Choice(VIEWS),
    help="What to show.  [default: pairs of two, or with a baseline; else leaderboard]",
)
@click.option(
    "--test", type=click.Choice(TESTS), default=TESTS[0], show_default=True, help="Paired test, two-sided."
)
@click.option(
    "--interval",
    type=click.Choice(INTERVALS),
    default=INTERVALS[0],
    show_default=True,
    help="Of the difference, at 1 − alpha.",
)
@click.option(
    "--correction",
    type=click.Choice(CORRECTIONS),
    default=CORRECTIONS[0],
    show_default=True,
    help="For many comparisons.",
)
@click.option(
    "--family",
    type=click.Choice(("measure", "all")),
    default="measure",
    show_default=True,
    help="Correct the pairs of each measure together, or all pairs and measures.",
)
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Chance of a false find that is accepted."
)
@click.option(
    "--power",
    type=float,
    default=0.8,
    show_default=True,
    help="For the detectable difference and topics needed.",
)
@click.option(
    "--flips",
    type=click.IntRange(min=1),
    metavar="N",
    help="Sign flips, or shuffles of tukey.  [default: 100,000, or what the correction needs; max-t and tukey 10,000]",
)
@click.option(
    "--resamples",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Of the bootstrap.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Where chance starts.",
)
@click.option(
    "--target",
    type=float,
    default=0.95,
    show_default=True,
    help="Of components: Eρ² and Φ for which topics are counted.",
)
@output_options(FORMATS)
@judging(*JUDGING)
@click.option(
    "--depth", type=click.IntRange(min=1), metavar="N", help="Count only the first N ranks of each list."
)
@click.option(
    "--topics", metavar="FILE|LIST", help="Only these topics: a file with one a line, or a list with commas."
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many may read at once.  [default: all cores]",
)
def command(
    inputs: tuple[str, ...],
    measures: tuple[str, ...],
    view: str | None,
    target: float,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
    **options: Any,
) -> None:
    """Which of two or more systems is better, by how much, and how surely.

    Systems are runs that are scored with the judgments QRELS, or results that `gainful evaluate -q -f json` saved.
    TABLE is a table of scores instead, with no judgments: CSV with a line for each topic and a column for each system,
    or with columns named system, topic and score (and measure); also a saved result by itself.
    Topics are paired by their id.

    \b
    gainful compare qrels.txt bm25.run dense.run -m nDCG@10,AP
    gainful compare qrels.txt *.run --baseline bm25
    gainful compare qrels.txt *.run -m AP --correction tukey -f latex
    gainful compare scores.csv                       letters and rank intervals
    gainful compare scores.csv --view components     would the ranking survive other topics?
    gainful compare qrels.txt saved.json new.run -f json -o comparison.json
    """
    refuse_existing(output, overwrite=overwrite)
    refuse_two_inputs(*inputs)
    one_blas_thread()
    from gainful.comparisons import Method, views

    settings = {name: options.pop(name) for name in (*JUDGING, "rel", "depth", "topics", "threads")}
    method = Method(**options)
    with Bar() as bar:
        table = _loaded(inputs, measures, settings, bar)
    with Counted() as bar:
        if view == "components":
            text, notes = _components(table, target, form), table.notes
        else:
            text, notes = _compared(table, method, view, form, places, bar)
    write(text, output)
    for note in notes:
        click.echo(f"note: {note}", err=True)
    if form == "csv" and not output and view != "components":
        click.echo(f"settings: {'; '.join(method.stated())}{views.evaluated(table)}", err=True)


def _loaded(inputs: Sequence[str], measures: Sequence[str], settings: dict[str, Any], bar: Bar) -> ScoreTable:
    from gainful.comparisons.loading import load, load_saved
    from gainful.comparisons.reading import kind

    if all(kind(path) in ("saved", "table") for path in inputs):
        ctx = click.get_current_context()
        said = [
            name
            for name in (*JUDGING, "rel", "depth")
            if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        ]
        if said:
            raise UsageError(
                f"--{said[0]} says how runs are judged; these are scores already, and it would have no effect."
            )
        return load_saved(inputs, ",".join(measures) or None, topics=settings["topics"])
    if len(inputs) < 2:
        raise UsageError(
            "one file is not enough: give judgments and two runs (QRELS RUN RUN), or a table of scores."
        )
    qrels, *runs = inputs
    if len(runs) == 1 and kind(runs[0]) != "saved":
        raise UsageError(
            f"there is one run ({runs[0]}); a comparison needs two or more: gainful compare QRELS RUN RUN"
        )
    return load(qrels, runs, ",".join(measures) or "nDCG@10", progress=bar.tell, **settings)


def _compared(
    table: ScoreTable, method: Method, view: str | None, form: str, places: int, bar: Bar
) -> tuple[str, tuple[str, ...]]:
    from gainful.comparisons import compare_scores, leaderboard, views

    view = view or ("pairs" if method.baseline is not None or len(table.systems) == 2 else "leaderboard")
    if view == "leaderboard" and method.baseline is not None:
        raise UsageError(
            "a leaderboard has letters for all pairs; leave --baseline out, or ask for --view pairs."
        )
    made = compare_scores(table, method, progress=bar.tell)
    if view == "pairs":
        return views.of_pairs(made, form, places=places), made.notes
    boards = [leaderboard(made, measure, progress=bar.tell) for measure in table.measures]
    return views.of_boards(made, boards, form, places=places), made.notes


def _components(table: ScoreTable, target: float, form: str) -> str:
    from gainful.comparisons import components, views

    found = [components(table.of(measure)[0], measure=measure, target=target) for measure in table.measures]
    return views.of_components(table, found, form)
