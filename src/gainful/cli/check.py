"""gainful check: what is wrong with judgments and runs, before any number is made of them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from gainful.cli import say
from gainful.cli.commands import refuse_existing, refuse_two_inputs, write
from gainful.cli.options import OutputFile
from gainful.cli.progress import Bar
from gainful.errors import DataError
from gainful.presentation.numbers import counted, percent, whole
from gainful.presentation.table import Table, as_json

if TYPE_CHECKING:
    from gainful.checking import Checkup, Finding, RunFacts

_WIDTH = 100
_EXAMPLES = 5  # as many as a finding has at most
_ALIKE = 3  # findings of one kind that are told in full
_HEADS = ("run", "topics", "missing", "extra", "rows", "depth", "judged@10", "@100", "@1000", "ties@10")


@click.command("check", short_help="Find errors in judgments and runs.")
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--unjudged",
    type=click.IntRange(min=1),
    metavar="N",
    help="Instead list the unjudged documents of the top N ranks, most useful to judge first.",
)
@click.option(
    "-f", "--format", "form", type=click.Choice(("table", "json")), default="table", show_default=True
)
@click.option(
    "-o", "--output", type=OutputFile(), help="Write to this file, atomically, instead of standard output."
)
@click.option("--overwrite", is_flag=True, help="Replace an existing output file.")
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of threads.  [default: all cores]",
)
def command(
    qrels: str,
    runs: tuple[str, ...],
    unjudged: int | None,
    form: str,
    output: str | None,
    overwrite: bool,
    threads: int | None,
) -> None:
    """Find errors in judgments and runs before evaluating them.

    It reports duplicates, NaN, swapped files, ids that differ only in case, type or padding, ranks that contradict scores,
    ties, depth, missing topics and judged shares. Exits with 3 if an error would stop an evaluation or make it wrong.

    \b
    gainful check qrels.txt bm25.run dense.run
    gainful check qrels.txt *.run -f json -o check.json
    gainful check qrels.txt *.run --unjudged 10 > to-judge.txt
    """
    refuse_two_inputs(qrels, *runs)
    refuse_existing(output, overwrite=overwrite)
    from gainful.checking import check

    with Bar() as bar:
        checkup = check(qrels, list(runs), unjudged=unjudged, threads=threads, progress=bar.tell)
    if form == "json":
        write(as_json(checkup.to_dict()), output)
    elif unjudged is None:
        write(as_table(checkup), output)
    else:
        write(as_list(checkup, unjudged), output)
        for finding in checkup.findings:
            if finding.severity != "note":
                say(_finding(finding))
    if not checkup.fine:
        raise DataError(f"{counted(len(checkup.of('fault')), 'fault')} found.")


def as_list(checkup: Checkup, top: int) -> str:
    """A line for each document to judge: topic, document, how many runs have it down to that rank, its best rank."""
    from gainful.formats.ids import shown

    head = f"# topic document runs best_rank (unjudged in the top {top}, most useful first)\n"
    lines = (
        f"{shown(unjudged.topic)} {shown(unjudged.document)} {unjudged.runs} {unjudged.best_rank}\n"
        for unjudged in checkup.unjudged or ()
    )
    return head + "".join(lines)


def as_table(checkup: Checkup) -> str:
    """Facts first, then findings, then the verdict."""
    parts = []
    if checkup.qrels is not None:
        facts = checkup.qrels
        grades = ", ".join(f"{grade:g}: {count:,}" for grade, count in facts.grades.items())
        topics, judgments = counted(facts.topics, "topic"), counted(facts.judgments, "judgment")
        parts.append(f"{facts.name}: {topics}, {judgments} (grade {grades})")
    if checkup.runs:
        parts.append(Table(_HEADS, [_row(run) for run in checkup.runs]).text())
    parts += _findings(checkup)
    return "\n\n".join([*parts, _verdict(checkup)]) + "\n"


def _row(run: RunFacts) -> list[str]:
    from gainful.formats.ids import shown

    depth = "–"
    if run.depth is not None:
        depth = whole(run.depth.least)
        if run.depth.most > run.depth.least:
            depth = f"{run.depth.least:,}–{run.depth.most:,}"
    counts = [run.topics, len(run.missing), len(run.extra), run.rows]
    shares = [percent(share, 0) for share in run.judged.values()]
    return [shown(run.name), *map(whole, counts), depth, *shares, whole(run.ties[10])]


def _findings(checkup: Checkup) -> list[str]:
    """Findings in words; where more than a few are alike, the others by name."""
    alike: dict[tuple[str, str], list[Finding]] = {}
    for finding in checkup.findings:
        alike.setdefault((finding.severity, finding.code), []).append(finding)
    parts = []
    for (severity, code), same in alike.items():
        shown = same if len(same) <= _ALIKE + 1 else same[:_ALIKE]
        parts += [_finding(finding) for finding in shown]
        if len(same) > len(shown):
            said = ", ".join(finding.where for finding in same[_ALIKE:])
            parts.append(_wrapped(f"{severity}: {code} in {len(same) - _ALIKE} more: {said}", "", "    "))
    return parts


def _finding(finding: Finding) -> str:
    head = f"{finding.severity}: " + (f"{finding.where}: " if finding.where else "") + finding.text
    lines = [_wrapped(head, "", "    ")]
    if finding.examples:
        more = ", …" if finding.count > len(finding.examples) == _EXAMPLES else ""
        lines.append(_wrapped(f"such as {', '.join(finding.examples)}{more}", "    ", "    "))
    if finding.way_out:
        lines.append(_wrapped(f"→ {finding.way_out}", "    ", "      "))
    return "\n".join(lines)


def _wrapped(text: str, first: str, others: str) -> str:
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _verdict(checkup: Checkup) -> str:
    counts = {severity: len(checkup.of(severity)) for severity in ("fault", "warning", "note")}
    said = ", ".join(counted(count, name) for name, count in counts.items() if count)
    if counts["fault"]:
        return f"{said}: an evaluation would stop, or its numbers would be wrong."
    return f"{said}; no faults." if said else "No faults, nothing to note."
