"""The options of `gainful compare`, under their headings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import click

from gainful.cli.options import JUDGING, chance
from gainful.cli.output import OutputFile
from gainful.cli.sorted_help import SortedHelp

VIEWS = ("pairs", "leaderboard", "components", "topics")
TESTS = ("signflip", "t", "wilcoxon", "sign", "bootstrap")
INTERVALS = ("t", "bca", "percentile", "flips")
CORRECTIONS = ("holm", "bonferroni", "bh", "max-t", "tukey", "none")
SWEEPS = ("rank", "recall", "patience")
MERGES = ("max", "min", "mean", "majority")

_Command = TypeVar("_Command", bound=Callable[..., Any])


class CompareCommand(SortedHelp):
    """Its help has headings."""

    headings: ClassVar[Mapping[str, Sequence[str]]] = {
        "What is compared": ("measures", "baseline", "view", "groups", "weights"),
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
            *("test", "interval", "correction", "family", "alpha", "power", "flips", "resamples", "seed"),
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
            click.option(
                "--baseline",
                metavar="NAME",
                help="Compare every system with this one only; otherwise all pairs.",
            ),
            click.option(
                "--view",
                type=click.Choice(VIEWS),
                help="What to show.  [default: pairs of two, or with a baseline; else leaderboard]",
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
    resampling = [
        click.option(
            "--flips",
            type=click.IntRange(min=1),
            metavar="N",
            help="Sign flips, or shuffles of tukey.  [default: 100,000, or what the correction needs; max-t and tukey 10,000]",
        ),
        click.option(
            "--resamples",
            type=click.IntRange(min=1),
            default=10_000,
            show_default=True,
            metavar="N",
            help="Of the bootstrap; of --readers, 2,000 unless said.",
        ),
    ]
    for option in [
        *reversed(resampling),
        chance(
            "Chance of a false find that is accepted.", "For the detectable difference and topics needed."
        ),
        _choice(
            "--family",
            ("measure", "all"),
            "Correct the pairs of each measure together, or all pairs and measures.",
        ),
        _choice("--correction", CORRECTIONS, "For many comparisons."),
        _choice("--interval", INTERVALS, "Of the difference, at 1 − alpha."),
        _choice("--test", TESTS, "Paired test, two-sided."),
    ]:
        command = option(command)
    return command


def _choice(name: str, choices: tuple[str, ...], text: str) -> Callable[[_Command], _Command]:
    return click.option(name, type=click.Choice(choices), default=choices[0], show_default=True, help=text)
