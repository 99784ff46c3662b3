"""The options of `gainful compare`, under their headings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import click

from gainful.cli.options import JUDGING
from gainful.cli.output import OutputFile
from gainful.cli.sorted_help import SortedHelp
from gainful.cli.statistics_options import statistics_options

VIEWS = ("pairs", "leaderboard", "components", "topics")
STATISTICS = ("test", "interval", "correction", "family", "alpha", "power", "flips", "resamples", "seed")
SWEEPS = ("rank", "recall", "patience")
MERGES = ("max", "min", "mean", "majority")

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
        "How runs are judged": (*JUDGING, "rel", "depth", "topics", "threads"),
    }


def compared(command: _Command) -> _Command:
    """What is compared, and what is shown of it."""
    for option in reversed(
        [
            click.option(
                "-m",
                "--measures",
                multiple=True,
                metavar="MEASURES",
                help="What to compare by; takes commas and repeats.  [default: nDCG@10]",
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
                help="Readers by how deep they read, how much they need, how patient they are; repeats.  [default: all]",
            ),
            click.option(
                "--by-rank",
                metavar="MEASURE",
                help="Of --readers: what they get who stop at a rank, as nDCG; takes a cutoff.  [default: P]",
            ),
            click.option(
                "--chart", type=OutputFile(), metavar="FILE", help="Draw --readers: .svg, .png, .pdf, .html."
            ),
            click.option(
                "--moved",
                is_flag=True,
                help="Topics that gained and lost most, and the documents that made it so.",
            ),
            click.option(
                "--unknown",
                is_flag=True,
                help="What hangs on unjudged documents and on ties: bounds, reversals, what to judge first.",
            ),
            click.option(
                "--to",
                type=click.IntRange(min=1),
                metavar="RANK",
                help="Of --unknown: look at documents down to this rank.  [default: the measure's cutoff, or 100]",
            ),
            click.option(
                "--rows",
                type=click.IntRange(min=1),
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
                help="Of several judges: score also under all of them merged into one; repeats.",
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
