"""The options of `gainful compare`, under their headings, and those that cannot go together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

import click

from gainful.cli.commands import SortedHelp
from gainful.cli.options import JUDGING, OutputFile, statistics_options, texts, was_said
from gainful.errors import UsageError

SECTIONS = ("readers", "moved", "unknown")
"""What may be added to a comparison, in the order in which it stands."""
VIEWS = ("pairs", "leaderboard", "components", "topics")
STATISTICS = (
    "test",
    "interval",
    "correction",
    "family",
    "alpha",
    "power",
    "flips",
    "resamples",
    "seed",
    "matters",
)
SWEEPS = ("rank", "recall", "patience")
MERGES = ("max", "min", "mean", "majority")

DEEPEST = 2**31 - 1
"""No list is longer."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


class CompareCommand(SortedHelp):
    """Its help has headings."""

    headings: ClassVar[Mapping[str, Sequence[str]]] = {
        "Comparison": ("measures", "baseline", "view", "paper", "letters", "groups", "weights"),
        "Readers, topics, unjudged documents": (
            "readers",
            "by",
            "by_rank",
            "chart",
            "moved",
            "unknown",
            "to",
            "rows",
            "queries",
            "documents",
        ),
        "Several judges": ("qrels", "judge_column", "merge", "common"),
        "Statistics": (
            *STATISTICS,
            "target",
        ),
        "Output": ("form", "output", "overwrite", "places", "wide"),
        "Evaluation": ("names", *JUDGING, "topics", "threads", "design", "estimator", "model_qrels"),
    }


def _added(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """The options on a command, in this order."""

    def add(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def compared(command: _Command) -> _Command:
    """What is compared, and what is shown of it."""
    from gainful.comparisons.method import LEAD

    return _added(
        click.option(
            "-m",
            "--measures",
            multiple=True,
            metavar="MEASURES",
            help=f"Measures, comma-separated; may be repeated.  [default: {LEAD}]",
        ),
        statistics_options("baseline"),
        click.option(
            "--view",
            type=click.Choice(VIEWS),
            help="What to show.  [default: pairs for two systems or with a baseline, otherwise leaderboard]",
        ),
        click.option(
            "--paper",
            is_flag=True,
            help="A table for a paper: systems by measures, the best in bold, † and ‡ where the difference "
            "from the baseline is significant, and a caption. Without --baseline the first system is it. "
            "With -f latex, markdown or html.",
        ),
        click.option(
            "--letters",
            is_flag=True,
            help="Show letters for more than 26 systems too, or with --paper instead of † and ‡: "
            "systems that share a letter do not differ significantly.",
        ),
        click.option(
            "--groups",
            metavar="FILE",
            help="File of topic and group: adds tables for each group, and tests whether differences depend on the group.",
        ),
        click.option(
            "--weights",
            metavar="FILE",
            help="File of topic and weight, such as its traffic, for weighted means and tests.",
        ),
        click.option(
            "--target",
            type=float,
            default=0.95,
            show_default=True,
            help="With --view components: target of Eρ² and Φ for the number of topics needed.",
        ),
    )(command)


def reader_options(command: _Command) -> _Command:
    """For which readers each system is better."""
    return _added(
        click.option(
            "--readers",
            is_flag=True,
            help="Which readers each system is better for: where the curves cross.",
        ),
        click.option(
            "--by",
            multiple=True,
            type=click.Choice(SWEEPS),
            help="With --readers: by depth read, by recall needed, by patience; may be repeated.  [default: all]",
        ),
        click.option(
            "--by-rank",
            metavar="MEASURE",
            help="With --readers: the measure by rank, such as nDCG.  [default: the first measure if it has a cutoff, or P]",
        ),
        click.option(
            "--chart",
            type=OutputFile(),
            metavar="FILE",
            help="With --readers: write a chart (.svg, .png, .pdf, .html or .json).",
        ),
    )(command)


def change_options(command: _Command) -> _Command:
    """Which topics and documents moved, and what depends on unjudged documents and ties."""
    return _added(
        click.option(
            "--moved",
            is_flag=True,
            help="Topics that gained and lost most, and the documents that caused it.",
        ),
        click.option(
            "--unknown",
            is_flag=True,
            help="Effect of unjudged documents and ties: bounds, reversals, and which documents to judge first.",
        ),
        click.option(
            "--to",
            type=click.IntRange(1, DEEPEST),
            metavar="RANK",
            help="With --unknown: consider documents down to this rank.  [default: the measure's cutoff, or 100]",
        ),
        click.option(
            "--rows",
            type=click.IntRange(1, DEEPEST),
            default=5,
            show_default=True,
            metavar="N",
            help="Number of topics listed by --moved in each direction, and of documents listed by --unknown.",
        ),
        texts(),
    )(command)


def judge_options(command: _Command) -> _Command:
    """Whose judgments count."""
    return _added(
        click.option(
            "--qrels",
            multiple=True,
            metavar="FILE",
            help="Judgments; all arguments are then runs. If repeated, each file is one judge.",
        ),
        click.option(
            "--judge-column", is_flag=True, help="The second column of the judgments names the judge."
        ),
        click.option(
            "--merge",
            multiple=True,
            type=click.Choice(MERGES),
            help="With several judges: also score under their merged judgments; may be repeated.",
        ),
        click.option(
            "--common",
            is_flag=True,
            help="With several judges: use only documents that all of them judged.",
        ),
    )(command)


def statistics(command: _Command) -> _Command:
    """How differences are tested."""
    return statistics_options(*STATISTICS)(command)


_NOT_WITH_JUDGES = (
    *(
        "baseline",
        "view",
        "paper",
        "groups",
        "weights",
        "readers",
        "moved",
        "unknown",
        "queries",
        "documents",
    ),
    *("test", "interval", "correction", "family", "flips", "power", "target"),
)
_PARTS = {
    "by": ("readers", "is an option of --readers"),
    "by_rank": ("readers", "says what --readers get"),
    "chart": ("readers", "draws what --readers finds"),
    "to": ("unknown", "is an option of --unknown"),
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
                f"--{name} needs several judges: give --qrels more than once, or --judge-column."
            )
    _paper(options, form)
    _views(options)
    _sections([name for name in SECTIONS if options[name]], options, form)


def _judges() -> None:
    for name in _NOT_WITH_JUDGES:
        if was_said(name):
            raise UsageError(
                f"--{name} cannot be used with several judges; leave it out, or use one judge at a time."
            )


def _parts(options: dict[str, Any]) -> None:
    for name, (section, does) in _PARTS.items():
        if was_said(name) and not options[section]:
            raise UsageError(f"--{name.replace('_', '-')} {does}; add --{section}.")
    if options["by_rank"] and options["by"] and "rank" not in options["by"]:
        raise UsageError("--by-rank needs --by rank; add it, or leave --by out.")
    if was_said("rows") and not options["moved"] and not options["unknown"]:
        raise UsageError("--rows is an option of --moved and --unknown; add one of them.")


def _paper(options: dict[str, Any], form: str) -> None:
    if not options["paper"]:
        if form == "html":
            raise UsageError("-f html is for --paper; add it, or use `gainful report` for a page.")
        return
    if form in ("csv", "json"):
        raise UsageError(f"--paper makes a table for people; leave it out: -f {form} has all the numbers.")
    for name in ("view", "groups", *SECTIONS):
        if options[name]:
            raise UsageError(f"--paper is one table of systems by measures; leave --{name} out.")
    if options["letters"] and options["baseline"] is not None:
        raise UsageError("letters compare all pairs of systems; leave --baseline or --letters out.")


def _views(options: dict[str, Any]) -> None:
    if was_said("target") and options["view"] != "components":
        raise UsageError("--target is an option of variance components; add --view components.")
    if options["view"] == "components" and options["weights"]:
        raise UsageError("variance components do not support weights; leave --weights out.")
    if options["view"] == "leaderboard" and options["baseline"] is not None:
        raise UsageError("a leaderboard compares all pairs; leave --baseline out, or use --view pairs.")


def _sections(asked: list[str], options: dict[str, Any], form: str) -> None:
    if asked and options["view"] in ("components", "topics"):
        raise UsageError(
            f"--{asked[0]} needs --view pairs or leaderboard; leave --view {options['view']} out."
        )
    if options["readers"] and options["weights"]:
        raise UsageError("--readers does not support weights; leave one of the two out.")
    if form == "csv" and len(asked) > 1:
        names = " and ".join(f"--{name}" for name in asked)
        raise UsageError(f"csv can hold only one table; use one of {names} at a time, or -f json.")
