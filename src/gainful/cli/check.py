"""gainful check: what is wrong with judgments and runs, before any number is made of them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from gainful.cli import say
from gainful.cli.options import refuse_existing, refuse_two_inputs
from gainful.cli.output import OutputFile, write
from gainful.cli.progress import Bar
from gainful.errors import DataError
from gainful.presentation.numbers import counted, percent

if TYPE_CHECKING:
    from gainful.checking import Checkup, Finding, RunFacts

_WIDTH = 100
_EXAMPLES = 5  # as many as a finding has at most
_ALIKE = 3  # findings of one kind that are told in full
_HEADS = ("run", "topics", "missing", "extra", "rows", "depth", "judged@10", "@100", "@1000", "ties@10")


@click.command("check", short_help="Find faults in judgments and runs before they make wrong numbers.")
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--unjudged",
    type=click.IntRange(min=1),
    metavar="N",
    help="Write the unjudged documents of the top N ranks instead, the most useful to judge first.",
)
@click.option(
    "-f", "--format", "form", type=click.Choice(("table", "json")), default="table", show_default=True
)
@click.option("-o", "--output", type=OutputFile(), help="Write here; the file appears whole or not at all.")
@click.option("--overwrite", is_flag=True, help="Replace the output file if it is there.")
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many may read at once.  [default: all cores]",
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
    """Find faults in judgments and runs before they make wrong numbers.

    Duplicates, NaN, swapped files, ids that differ in case, type or padding only, ranks against scores, ties, depth,
    topics that only one side has, how much is judged. Exits with 3 where a fault would stop or falsify an evaluation.

    \b
    gainful check qrels.txt bm25.run dense.run
    gainful check qrels.txt *.run -f json -o check.json
    gainful check qrels.txt *.run --unjudged 10 > to-judge.txt
    """
    refuse_two_inputs(qrels, *runs)
    refuse_existing(output, overwrite=overwrite)
    from gainful.checking import check

    with Bar() as bar:
        found = check(qrels, list(runs), unjudged=unjudged, threads=threads, progress=bar.tell)
    if form == "json":
        write(as_json(found), output)
    elif unjudged is None:
        write(as_table(found), output)
    else:
        write(as_list(found, unjudged), output)
        for finding in found.findings:
            if finding.severity != "note":
                say(_finding(finding))
    if not found.fine:
        raise DataError(f"{counted(len(found.of('fault')), 'fault')} found.")


def as_json(found: Checkup) -> str:
    """Everything."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(found.to_dict()), indent=2).decode() + "\n"


def as_list(found: Checkup, top: int) -> str:
    """A line for each document to judge: topic, document, how many runs have it down to that rank, its best rank."""
    from gainful.formats.ids import shown

    lines = [
        f"{shown(one.topic)} {shown(one.document)} {one.runs} {one.best_rank}\n"
        for one in found.unjudged or ()
    ]
    return f"# topic document runs best_rank (unjudged in the top {top}, the most useful first)\n" + "".join(
        lines
    )


def as_table(found: Checkup) -> str:
    """Facts first, then findings, then the verdict."""
    parts = []
    if found.qrels is not None:
        facts = found.qrels
        grades = ", ".join(f"{grade:g}: {count:,}" for grade, count in facts.grades.items())
        topics, judgments = counted(facts.topics, "topic"), counted(facts.judgments, "judgment")
        parts.append(f"{facts.name}: {topics}, {judgments} (grade {grades})")
    if found.runs:
        parts.append(_aligned([list(_HEADS), *(_row(run) for run in found.runs)]))
    parts += _findings(found)
    return "\n\n".join([*parts, _verdict(found)]) + "\n"


def _row(run: RunFacts) -> list[str]:
    from gainful.formats.ids import shown

    depth = "–"
    if run.depth is not None:
        depth = f"{run.depth.least:,}"
        if run.depth.most > run.depth.least:
            depth = f"{run.depth.least:,}–{run.depth.most:,}"
    counts = [run.topics, len(run.missing), len(run.extra), run.rows]
    shares = [percent(share, 0) for share in run.judged.values()]
    return [shown(run.name), *(f"{count:,}" for count in counts), depth, *shares, f"{run.ties[10]:,}"]


def _findings(found: Checkup) -> list[str]:
    """Findings in words; where more than a few are alike, the others by name."""
    alike: dict[tuple[str, str], list[Finding]] = {}
    for finding in found.findings:
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


def _verdict(found: Checkup) -> str:
    counts = {severity: len(found.of(severity)) for severity in ("fault", "warning", "note")}
    said = ", ".join(counted(count, name) for name, count in counts.items() if count)
    if counts["fault"]:
        return f"{said}: an evaluation would stop or say what is not so."
    return f"{said}; no faults." if said else "No faults, nothing to note."


def _aligned(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    lines.insert(1, "  ".join("─" * width for width in widths))
    return "\n".join(lines)
