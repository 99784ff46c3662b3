"""gainful gate: may the candidate replace the baseline?"""

from __future__ import annotations

import inspect
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from gainful.cli import say
from gainful.cli.commands import Bar, refuse_existing, refuse_one_file, refuse_two_inputs, screen, write
from gainful.cli.options import (
    CONFIG_HELP,
    JUDGING,
    OR_CONFIG,
    OutputFile,
    designs,
    judging,
    nearest_config,
    parameters,
    scope,
    texts,
    was_said,
)
from gainful.cli.options import output as output_options
from gainful.cli.options import wide as wide_option
from gainful.errors import DataError, GainfulError, UsageError
from gainful.formats.sources import Source, file_type

_Command = TypeVar("_Command", bound=Callable[..., Any])

FORMATS = ("table", "markdown", "json")


class GateFailed(GainfulError):
    """The candidate may not pass; the command exits with 1."""

    exit_code = 1


def statistics(command: _Command) -> _Command:
    """An option for each parameter of the test, with the defaults and the words of `gainful.gate`."""
    from gainful.comparisons.gate_decision import gate

    explained, known = parameters(gate), inspect.signature(gate).parameters
    kinds = {"flips": click.IntRange(min=1), "seed": click.IntRange(min=0), "worst": click.IntRange(min=0)}
    for name in reversed(("alpha", "power", "flips", "seed", "worst", "matters")):
        command = click.option(
            f"--{name}",
            type=kinds.get(name, float),
            default=known[name].default,
            show_default=True,
            metavar="N",
            help=explained[name],
        )(command)
    return command


@click.command("gate", short_help="Fail if a candidate is worse than the baseline (for CI).")
@click.argument("inputs", metavar="[QRELS BASELINE CANDIDATE]", nargs=-1)
@click.option(
    "-m",
    "--measures",
    multiple=True,
    metavar="MEASURES",
    help="Measures, comma-separated; all must pass.",
)
@click.option(
    "--margin",
    multiple=True,
    metavar="N|MEASURE=N",
    help="Acceptable loss, in units of the measure; for all measures, or for one by name.",
)
@statistics
@click.option("--allow-inconclusive", is_flag=True, help="Pass if there are too few topics to decide.")
@click.option("--junit", type=OutputFile(), help="Write JUnit XML here too; an older JUnit file is replaced.")
@click.option(
    "--badge", type=OutputFile(), help="Write an SVG badge of the verdict here too; an older SVG is replaced."
)
@click.option("--config", type=click.Path(), help=CONFIG_HELP)
@output_options(FORMATS)
@wide_option
@judging(*JUDGING)
@scope
@texts()
@designs
def command(
    inputs: tuple[str, ...],
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
    wide: bool,
    config: str | None,
    **options: Any,
) -> None:
    """Pass the candidate if it is not worse than the baseline by more than a margin (non-inferiority test).

    To pass, the lower confidence bound of the difference must lie above −margin. If there are too few topics to decide,
    the gate reports how many are needed, and fails unless --allow-inconclusive is given. Exit code 0 or 1.

    QRELS are judgments; BASELINE and CANDIDATE are runs, or results saved by `gainful evaluate -q -f json`.
    They and all options can be set in [tool.gainful] and [tool.gainful.gate] tables in pyproject.toml, or in gainful.toml
    (allow-inconclusive = true); then CANDIDATE alone, or no argument, is enough.
    A Markdown summary is added to the file named by GITHUB_STEP_SUMMARY.

    \b
    gainful gate qrels.txt main.run branch.run -m nDCG@10 --margin 0.01
    gainful gate qrels.txt main.json branch.run -m nDCG@10,RR --margin 0.01 --margin RR=0.03
    gainful gate qrels.txt main.run branch.run -m RR --margin 0.01 --queries queries.tsv --documents docs.jsonl
    gainful gate branch.run --junit gate.xml         the rest is in pyproject.toml
    """
    chosen = _chosen(inputs, config, options)
    junit, badge = chosen.pop("junit", None), chosen.pop("badge", None)
    refuse_existing(output, overwrite=overwrite)
    inputs_read = {name: str(chosen[name]) for name in ("qrels", "baseline", "candidate")}
    inputs_read |= {name: str(chosen[name]) for name in ("queries", "documents") if chosen.get(name)}
    refuse_one_file("JUnit file", junit, output=output, badge=badge, **inputs_read)
    refuse_one_file("badge", badge, output=output, **inputs_read)
    _refuse_other_file(junit, "JUnit XML", b"<testsuite")
    _refuse_other_file(badge, "an SVG picture", b"<svg")
    refuse_two_inputs(*inputs_read.values())

    from gainful.comparisons import gate
    from gainful.comparisons.gate_verdict import VIEWS, markdown
    from gainful.comparisons.gate_verdict import junit as junit_xml

    with Bar() as bar:
        gated = gate(progress=bar.tell, **chosen)
    shown_on = {"screen": screen(output, wide=wide)} if form == "table" else {}
    write(VIEWS[form](gated, places=places, **shown_on), output)
    if junit:
        write(junit_xml(gated), junit, overwrite=True)
    if badge:
        write(_badge(gated.verdict), badge, overwrite=True)
    _summarise(markdown(gated, places=places))
    from gainful.judging.notes import grouped

    text_notes = gated.table.texts.notes if gated.table.texts else []
    for note in grouped([*gated.notes, *text_notes]):
        say(f"note: {note}")
    if not gated.passed:
        stopped = [
            f"{check.measure}: {check.verdict}, {gated.reason(check)}"
            for check in gated.checks
            if check.verdict != "pass"
        ]
        raise GateFailed(f"the candidate does not pass ({'; '.join(stopped)}).")


def _chosen(inputs: tuple[str, ...], config: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """What was said on the command line, then what pyproject.toml says, then the defaults."""
    from gainful.configuration import read_options

    where = Path(config) if config else nearest_config()
    written = read_options(where) if where else {}
    if written:
        say(f"options: {where}")
    said = {name for name in options if was_said(name)}
    chosen = options | written | {name: options[name] for name in said}
    chosen |= dict(zip(_places(inputs), inputs, strict=True))
    for name in ("qrels", "baseline", "candidate"):
        if name not in chosen:
            raise UsageError(f"no {name} is given: gainful gate QRELS BASELINE CANDIDATE, {OR_CONFIG}.")
    if isinstance(chosen["model_qrels"], tuple):
        chosen["model_qrels"] = list(chosen["model_qrels"]) or None
    if "measures" in said or isinstance(chosen["measures"], tuple):
        chosen["measures"] = ",".join(chosen["measures"])
    if not chosen["measures"]:
        raise UsageError("no measure is given; add one, for example -m nDCG@10.")
    if isinstance(chosen["margin"], tuple):
        chosen["margin"] = _margin(chosen["margin"], chosen["measures"], chosen["rel"])
    return chosen


def _refuse_other_file(path: str | None, kind: str, mark: bytes) -> None:
    """Raise, before any work is done, where a file would be replaced that lacks the mark of its kind."""
    if path and file_type(path) == stat.S_IFREG:
        with Source(path) as source:
            head = source.head(1 << 12)
        if head and mark not in head:
            raise UsageError(f"{path} already exists and is not {kind}; choose another name.")


def _badge(verdict: str) -> str:
    from gainful.presentation.badge import BAD, GOOD, OPEN, badge

    return badge("search", verdict, {"pass": GOOD, "fail": BAD}.get(verdict, OPEN))


def _places(inputs: tuple[str, ...]) -> tuple[str, ...]:
    names = {0: (), 1: ("candidate",), 3: ("qrels", "baseline", "candidate")}
    if len(inputs) not in names:
        raise UsageError(
            f"give QRELS BASELINE CANDIDATE, or CANDIDATE alone with the rest in pyproject.toml; got {len(inputs)} files."
        )
    return names[len(inputs)]


def _margin(said: tuple[str, ...], measures: Any, rel: float | None) -> dict[str, float]:
    """Margins by measure: `0.01` is for all that have none of their own."""
    from gainful.comparisons.compare_call import measures_of

    everywhere: float | None = None
    named: dict[str, float] = {}
    for text in said:
        name, _, value = text.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            raise UsageError(
                f"margin must be a number such as 0.01, or nDCG@10=0.01 for one measure; got '{text}'."
            ) from None
        if name:
            named[str(measures_of(name, rel)[0])] = number
        else:
            everywhere = number
    if not said:
        raise UsageError(
            "no margin is given; set the acceptable loss, for example --margin 0.01 (0 allows none)."
        )
    rest = {} if everywhere is None else dict.fromkeys(map(str, measures_of(measures, rel)), everywhere)
    return rest | named


def _summarise(markdown: str) -> None:
    """Add the summary to the step summary of a GitHub job, where there is one."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(markdown + "\n")
    except OSError as fault:
        raise DataError(
            f"{path}, named by GITHUB_STEP_SUMMARY, cannot be written: {fault.strerror}."
        ) from None
