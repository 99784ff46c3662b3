"""The options of `gainful compare`, under their headings, and those that cannot go together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import click

from gainful.cli.commands import SortedHelp
from gainful.cli.options import JUDGING, OutputFile, was_said
from gainful.cli.statistics_options import statistics_options
from gainful.errors import UsageError

SECTIONS = ("readers", "moved", "unknown")
"""What may be added to a comparison, in the order in which it stands."""
VIEWS = ("pairs", "leaderboard", "components", "topics")
STATISTICS = ("test", "interval", "correction", "family", "alpha", "power", "flips", "resamples", "seed")
SWEEPS = ("rank", "recall", "patience")
MERGES = ("max", "min", "mean", "majority")

DEEPEST = 2**31 - 1
"""No list is longer."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


class CompareCommand(SortedHelp):
    """Its help has headings."""

    headings: ClassVar[Mapping[str, Sequence[str]]] = {
        "What is compared": ("measures", "baseline", "view", "letters", "groups", "weights"),
        "For whom, why, how surely known": (
            "readers",
            "by",
            "by_rank",
            "chart",
            "moved",
            "unknown",
            "to",
            "rows",
        ),
        "Different judges": ("qrels", "judge_column", "merge", "common"),
        "Statistics": (
            *STATISTICS,
            "target",
        ),
        "Output": ("form", "output", "overwrite", "places"),
        "How runs are judged": ("names", *JUDGING, "topics", "threads"),
    }


def compared(command: _Command) -> _Command:
    """What is compared, and what is shown of it."""
    from gainful.comparisons.method import LEAD

    for option in reversed(
        [
            click.option(
                "-m",
                "--measures",
                multiple=True,
                metavar="MEASURES",
                help=f"What to compare by; comma-separated, may be repeated.  [default: {LEAD}]",
            ),
            statistics_options("baseline"),
            click.option(
                "--view",
                type=click.Choice(VIEWS),
                help="What to show.  [default: pairs of two, or with a baseline; else leaderboard]",
            ),
            click.option(
                "--letters",
                is_flag=True,
                help="Letters on a leaderboard of more than 26 systems: those that share one do not differ significantly.",
            ),
            click.option(
                "--groups",
                metavar="FILE",
                help="Topic and group: every table for each group too, and whether differences depend on the group.",
            ),
            click.option(
                "--weights",
                metavar="FILE",
                help="Topic and weight, such as its traffic: means and tests count topics by it.",
            ),
            click.option(
                "--target",
                type=float,
                default=0.95,
                show_default=True,
                help="Of components: Eρ² and Φ for which topics are counted.",
            ),
        ]
    ):
        command = option(command)
    return command


def followed(command: _Command) -> _Command:
    """For which readers, what moved, what is not known, and whose judgment."""
    for option in reversed(
        [
            click.option(
                "--readers", is_flag=True, help="For which readers each is better: where curves cross."
            ),
            click.option(
                "--by",
                multiple=True,
                type=click.Choice(SWEEPS),
                help="Readers by how deep they read, how much they need, how patient they are; may be repeated.  [default: all]",
            ),
            click.option(
                "--by-rank",
                metavar="MEASURE",
                help="Of --readers: what they get who stop at a rank, as nDCG; takes a cutoff.  [default: P]",
            ),
            click.option(
                "--chart",
                type=OutputFile(),
                metavar="FILE",
                help="Draw --readers: .svg, .png, .pdf, .html or .json.",
            ),
            click.option(
                "--moved",
                is_flag=True,
                help="Topics that gained and lost most, and the documents behind it.",
            ),
            click.option(
                "--unknown",
                is_flag=True,
                help="What hangs on unjudged documents and on ties: bounds, reversals, what to judge first.",
            ),
            click.option(
                "--to",
                type=click.IntRange(1, DEEPEST),
                metavar="RANK",
                help="Of --unknown: look at documents down to this rank.  [default: the measure's cutoff, or 100]",
            ),
            click.option(
                "--rows",
                type=click.IntRange(1, DEEPEST),
                default=5,
                show_default=True,
                metavar="N",
                help="Topics that --moved lists each way, and documents that --unknown lists.",
            ),
            click.option(
                "--qrels",
                multiple=True,
                metavar="FILE",
                help="Judgments; all inputs are runs then. Several times: one judge each.",
            ),
            click.option(
                "--judge-column", is_flag=True, help="The second column of the judgments names the judge."
            ),
            click.option(
                "--merge",
                multiple=True,
                type=click.Choice(MERGES),
                help="Of several judges: score also under all of them merged into one; may be repeated.",
            ),
            click.option(
                "--common",
                is_flag=True,
                help="Of several judges: score with the documents alone that all of them judged.",
            ),
        ]
    ):
        command = option(command)
    return command


def statistics(command: _Command) -> _Command:
    """How differences are tested."""
    return statistics_options(*STATISTICS)(command)


_NOT_WITH_JUDGES = (
    *("baseline", "view", "groups", "weights", "readers", "moved", "unknown", "test", "interval"),
    *("correction", "family", "flips", "power", "target"),
)
_PARTS = {
    "by": ("readers", "says which readers --readers follows"),
    "by_rank": ("readers", "says what --readers get"),
    "chart": ("readers", "draws what --readers finds"),
    "to": ("unknown", "says how far down --unknown looks"),
}
"""Options that say more of a section: which, and what they do."""


def refuse(options: dict[str, Any], form: str, chart: str | None, *, under_judges: bool) -> None:
    """Raise where options contradict each other, or one would have no effect."""
    _parts(options)
    if chart:
        from gainful.presentation.chart_files import check_suffix, ready

        check_suffix(chart)
        ready()
    if under_judges:
        _judges()
        return
    for name in ("merge", "common"):
        if options[name]:
            raise UsageError(
                f"--{name} is of several judges: give --qrels more than once, or --judge-column."
            )
    _views(options)
    _sections([name for name in SECTIONS if options[name]], options, form)


def _judges() -> None:
    for name in _NOT_WITH_JUDGES:
        if was_said(name):
            raise UsageError(
                f"--{name} is for the judgments of one judge; compare under one at a time, or leave it out."
            )


def _parts(options: dict[str, Any]) -> None:
    for name, (section, does) in _PARTS.items():
        if was_said(name) and not options[section]:
            raise UsageError(f"--{name.replace('_', '-')} {does}; ask for --{section} too.")
    if options["by_rank"] and options["by"] and "rank" not in options["by"]:
        raise UsageError("--by-rank is of readers by rank; ask for --by rank too, or leave --by out.")
    if was_said("rows") and not options["moved"] and not options["unknown"]:
        raise UsageError("--rows says how much --moved and --unknown list; ask for one of them too.")


def _views(options: dict[str, Any]) -> None:
    if was_said("target") and options["view"] != "components":
        raise UsageError("--target is of variance components; ask for --view components too.")
    if options["view"] == "components" and options["weights"]:
        raise UsageError("variance components do not take weights; leave --weights out.")
    if options["view"] == "leaderboard" and options["baseline"] is not None:
        raise UsageError(
            "a leaderboard has letters for all pairs; leave --baseline out, or ask for --view pairs."
        )


def _sections(asked: list[str], options: dict[str, Any], form: str) -> None:
    if asked and options["view"] in ("components", "topics"):
        raise UsageError(f"--{asked[0]} adds to pairs or a leaderboard; leave --view {options['view']} out.")
    if options["readers"] and options["weights"]:
        raise UsageError("--readers does not take weights; leave --weights out, or ask for it by itself.")
    if form == "csv" and len(asked) > 1:
        names = " and ".join(f"--{name}" for name in asked)
        raise UsageError(f"csv holds one table; ask for {names} one at a time, or for -f json.")
