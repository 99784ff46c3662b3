"""gainful pool: from runs to a study, the documents that people should judge first."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from gainful.cli import say
from gainful.cli.commands import SortedHelp, refuse_two_inputs
from gainful.cli.options import names as name_options
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gainful.studies.study_records import ScaleGrade

_SCALE = re.compile(r"(-?\d+)(?:=(.*))?")


class Share(click.ParamType[float]):
    """A share: 20%, or 0.2."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The share as a number from 0 to 1."""
        if isinstance(value, float):
            return value
        text = str(value).strip()
        try:
            number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            number = -1.0
        if not 0 <= number <= 1:
            self.fail(f"{value!r} is not a share from 0 to 1, such as 20%.", param, ctx)
        return number


class PoolCommand(SortedHelp):
    """The command, its options under headings."""

    headings: ClassVar = {
        "What is judged": ("queries", "documents", "have", "topics", "depth"),
        "Which documents first": ("strategy", "compare", "measure", "batch", "random", "seed"),
        "Who judges": ("assessors", "overlap", "calibration", "scale", "preferences", "instructions"),
        "Output": ("output",),
    }


@click.command("pool", cls=PoolCommand, short_help="Choose the documents of runs that people should judge.")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--queries",
    metavar="FILE",
    help="Texts of queries, and descriptions if there are any: TSV or CSV of id and text, JSON lines, or TREC topics.",
)
@click.option(
    "--documents",
    metavar="FILE",
    help="Titles and texts of documents: JSON lines with id, title and text (or CSV, Parquet).",
)
@click.option(
    "--have", metavar="QRELS", help="Judgments that are there already; these are never asked for again."
)
@click.option(
    "--topics",
    metavar="FILE|LIST",
    help="Only these topics: a file with one per line, or a comma-separated list.",
)
@click.option(
    "--depth",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    metavar="RANK",
    help="Ranks of each run that are looked at.",
)
@click.option(
    "--strategy",
    default="depth:20",
    show_default=True,
    metavar="STRATEGY",
    help="depth:K, sample:ranks:1-10=50%,11-100=10%, sample:change:10%, adaptive:mtf, adaptive:bandit or decide.",
)
@click.option(
    "--compare",
    nargs=2,
    metavar="A B",
    help="Runs to decide between, baseline first.  [default: both, where there are two]",
)
@click.option("-m", "--measure", metavar="MEASURE", help="Measure to decide.  [default: nDCG@10]")
@click.option(
    "--batch",
    type=click.IntRange(min=1),
    metavar="N",
    help="Documents in a batch.  [default: all for depth:K, otherwise 2 for each topic; samples have their own size]",
)
@click.option(
    "--random",
    type=Share(),
    default=0.0,
    metavar="SHARE",
    help="Share of each topic's documents drawn at random beside an adaptive strategy, so that estimates can be corrected.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")
@click.option(
    "--assessors",
    default="assessor",
    show_default=True,
    metavar="NAMES",
    help="Who judges: names, comma-separated.",
)
@click.option(
    "--overlap",
    type=Share(),
    default=0.0,
    metavar="SHARE",
    help="Share of the documents that a second assessor judges too, for agreement.",
)
@click.option(
    "--calibration",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Documents of --have that every assessor judges first.",
)
@click.option(
    "--scale",
    metavar="SCALE",
    help="Grades and what they are called.  [default: 0=not relevant,1=marginally relevant,2=relevant,3=highly relevant]",
)
@click.option("--preferences", is_flag=True, help="Ask which of two documents is better, not for grades.")
@click.option("--instructions", metavar="FILE", help="Text that assessors see, in plain words or Markdown.")
@click.option("-o", "--output", required=True, metavar="FOLDER", help="Folder of the study, which is made.")
@name_options
def command(runs: tuple[str, ...], output: str, **options: Any) -> None:
    """Choose the documents of runs that people should judge, and make a study of them: a folder of plain files.

    Every document carries the reason why it is there and, where it was drawn by chance, its inclusion probability.
    `gainful judge` makes pages for the assessors, collects their answers, and says when enough is judged.

    \b
    gainful pool bm25.run dense.run --queries queries.tsv --documents docs.jsonl -o study
    gainful pool *.run --strategy depth:10 --have old.qrels -o study
    gainful pool bm25.run dense.run --strategy decide -m nDCG@10 -o study
    gainful pool bm25.run dense.run --strategy sample:change:10% -o study
    gainful pool *.run --strategy adaptive:mtf --random 10% --assessors ann,bob --overlap 20% -o study
    """
    if not output:
        raise UsageError("-o needs the name of a folder; got ''.")
    if Path(output).exists():
        raise UsageError(f"{shown(output)} already exists; choose another name for the study.")
    refuse_two_inputs(*runs, options["have"] or "", options["queries"] or "", options["documents"] or "")
    from gainful.studies.pooling import pool

    study = pool(
        list(runs) if len(runs) > 1 else runs[0],
        assessors=[name.strip() for name in options.pop("assessors").split(",") if name.strip()],
        scale=_scale(options.pop("scale")),
        mode="preferences" if options.pop("preferences") else "grades",
        instructions=_text(options.pop("instructions")),
        compare=options.pop("compare") or (),
        output=output,
        **options,
    )
    say(f"{shown(str(study.path))}: {study}.")
    for note in study.notes:
        say(f"note: {note}")


def _scale(text: str | None) -> Sequence[ScaleGrade]:
    from gainful.studies.study_records import GRADES, ScaleGrade

    if text is None:
        return GRADES
    steps = []
    for part in text.split(","):
        match = _SCALE.fullmatch(part.strip())
        if match is None:
            raise UsageError(
                f"a grade is written 2=relevant, or 2 alone; got {part.strip()!r} in the scale {text!r}."
            )
        grade = int(match[1])
        steps.append(
            ScaleGrade(
                grade=grade, label=match[2] or f"grade {grade}", key=str(grade) if 0 <= grade <= 9 else ""
            )
        )
    return steps


def _text(path: str | None) -> str:
    from gainful.formats.sources import Source

    if path is None:
        return ""
    with Source(path) as source:
        try:
            return source.read_all(1 << 30).decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            raise DataError(
                f"{source.name}: byte {fault.start + 1} is not UTF-8; write the file in UTF-8."
            ) from None
