"""Options of `gainful compare` that cannot go together; refused before anything is read."""

from __future__ import annotations

from typing import Any

from gainful.cli.compare_sections import SECTIONS
from gainful.cli.options import was_said
from gainful.errors import UsageError

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
        return
    for name in ("merge", "common"):
        if options[name]:
            raise UsageError(
                f"--{name} is of several judges: give --qrels more than once, or --judge-column."
            )
    _views(options)
    _sections([name for name in SECTIONS if options[name]], options, form)


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
