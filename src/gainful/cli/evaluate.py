"""gainful evaluate: scores of runs against judgments."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, get_args

import click

import gainful
from gainful.cli import say
from gainful.cli.commands import Bar, refuse_existing, refuse_two_inputs, screen, write
from gainful.cli.options import JUDGING, FormatName, designs, judging, output, scope, texts, users, was_said
from gainful.cli.options import names as name_options
from gainful.cli.options import wide as wide_option
from gainful.errors import DataError, UsageError
from gainful.formats.judgments import Judgments, read_qrels
from gainful.formats.registry import read_names
from gainful.formats.run_queue import Queue
from gainful.formats.runs import Names, Run, runs_of
from gainful.formats.types import By
from gainful.judging.settings import Settings

if TYPE_CHECKING:
    from gainful.scores import Scores

FORMATS = ("table", "trec", "csv", "json", "jsonl", "markdown", "latex", "parquet")
_MASTER = "local[*]"


@click.command("evaluate", short_help="Score runs against judgments.")
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "-m",
    "--measures",
    multiple=True,
    metavar="MEASURES",
    help="Measures, comma-separated; may be repeated. See `gainful measures`.",
)
@click.option("-q", "--per-topic", is_flag=True, help="Also print the values of each topic.")
@output(FORMATS, note="trec is trec_eval's output format and names.")
@wide_option
@click.option(
    "--dialect",
    metavar="NAME[@VERSION]",
    help="Print another tool's names and numbers, by its conventions; see `gainful dialects`.",
)
@judging(*JUDGING)
@scope
@name_options
@texts()
@users
@designs
@click.option(
    "--qrels-by",
    type=click.Choice(get_args(By)),
    help="Second column of QRELS: subtopics or judges; or QRELS are preferences.  [default: what the measures need]",
)
@click.option(
    "--qrels-format",
    type=FormatName(read_names),
    help="Format of QRELS.  [default: detected from its content]",
)
@click.option(
    "--run-format",
    type=FormatName(read_names),
    help="Format of every RUN.  [default: detected from its content]",
)
@click.option(
    "--engine",
    type=click.Choice(("here", "spark")),
    default="here",
    show_default=True,
    help="Evaluate on this machine, or with Spark on paths that Spark can read.",
)
@click.option(
    "--master", metavar="URL", help="Spark's master: spark://host:7077, yarn, local[4].  [default: local[*]]"
)
def command(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_topic: bool,
    form: str,
    output: str | None,
    overwrite: bool,
    dialect: str | None,
    topics: str | None,
    known: tuple[str, ...],
    expected: float | str | None,
    design: str | None,
    model_qrels: tuple[str, ...],
    estimator: str,
    qrels_by: By | None,
    qrels_format: str | None,
    run_format: str | None,
    threads: int | None,
    names: Names | None,
    queries: str | None,
    documents: str | None,
    engine: str,
    master: str | None,
    places: int,
    wide: bool,
    **settings: Any,
) -> None:
    """Score runs against judgments.

    QRELS and RUN are files in TREC format, CSV or TSV with a header, JSON, JSON lines or Parquet, MS MARCO's three
    columns or BEIR's; plain or compressed (gz, bz2, xz, zst, lz4); - is standard input. QRELS can be irds:ID for the
    judgments of a collection in ir_datasets. A directory, or a quoted glob, is one run in several files.

    \b
    gainful evaluate qrels.txt bm25.run
    gainful evaluate qrels.txt *.run -m nDCG@10,AP,RR
    gainful evaluate qrels.txt bm25.run -m 'nDCG(gain=exp)@10' -m AP@100 -q
    gainful evaluate qrels.txt bm25.run -q --queries queries.tsv --documents docs.jsonl
    gainful evaluate qrels.txt bm25.run --rel 2 -f json -o scores.json
    zcat bm25.run.gz | gainful evaluate qrels.txt - -m official -f trec
    gainful evaluate qrels.txt runs/bm25/ 'runs/dense-*.gz'
    gainful evaluate qrels.txt bm25.run --dialect beir -m NDCG@10,MRR@10
    gainful evaluate study/judgments.qrels bm25.run --design study
    gainful evaluate people.qrels bm25.run --model-qrels labels.qrels
    gainful evaluate --engine spark --master spark://host:7077 qrels.parquet runs/bm25/
    """
    refuse_two_inputs(qrels, *runs, *known, str(expected), queries or "", documents or "")
    refuse_existing(output, overwrite=overwrite)
    words = "--queries" if queries else "--documents" if documents else None
    if words and not per_topic:
        raise UsageError(f"{words} are shown beside the values of each topic; add -q.")
    chosen = Settings(**settings)
    asked: dict[str, Any] = {"topics": topics, "known": [*known] or None, "expected": expected}
    if engine != "here" or dialect or master:
        _refuse_together(
            engine,
            dialect,
            master=master,
            words=words,
            qrels_by=qrels_by,
            design=design,
            model_qrels=model_qrels,
        )
    if engine == "spark":
        scores = _on_spark(
            qrels,
            runs,
            list(measures) or None,
            chosen,
            master=master,
            by=qrels_by,
            qrels_format=qrels_format,
            run_format=run_format,
            threads=threads,
            names=names,
            **asked,
        )
    elif dialect is not None:
        asked |= {"queries": queries, "documents": documents, "threads": threads, "names": names}
        given = [Run(run, layout=run_format) for run in runs]
        scores, places = _in_dialect(
            dialect, qrels, qrels_format, given, measures, places, depth=chosen.depth, **asked
        )
    else:
        by = qrels_by or (_needed(measures) if measures else None)
        judgments = read_qrels(
            qrels,
            by=by,
            layout=qrels_format,
            duplicates=chosen.judgment_duplicates,
            threads=threads,
            design=design,
            sampled=True,
        )
        given = runs_of([Run(run, layout=run_format) for run in runs], names)
        asked |= {"queries": queries, "documents": documents, "estimator": estimator}
        if model_qrels:
            scores = _with_models(
                judgments, given, measures, model_qrels, threads=threads, **asked, **settings
            )
        else:
            queue = Queue(judgments, given, rules=chosen.rules, threads=threads)

            from gainful.scores import DEFAULT, score  # and with them NumPy, while the core reads

            if form in ("json", "jsonl"):
                import msgspec  # noqa: F401 (needed at the end; the core shares the time while it reads)
            with Bar() if sys.stderr.isatty() else nullcontext() as bar:
                asked["progress"] = bar.tell if bar else None
                scores = score(judgments, queue, list(measures) or DEFAULT, chosen, **asked)

    from gainful.scores.score_output import FORMS

    shown_on = {"screen": screen(output, wide=wide)} if form == "table" else {}
    write(FORMS[form](scores, per_topic=per_topic, places=places, **shown_on), output)
    notes = [*scores.notes, *(scores.texts.notes if scores.texts else [])]
    if notes:
        from gainful.judging.notes import grouped

        for note in grouped(notes):
            say(f"note: {note}")
    if form == "trec":
        said = chosen.stated() if scores.dialect is None else f"dialect: {scores.dialect}"
        say(f"settings: {said}")


def _in_dialect(
    name: str,
    qrels: str,
    qrels_format: str | None,
    runs: Sequence[Run],
    measures: Sequence[str],
    places: int,
    **asked: Any,
) -> tuple[Scores, int]:
    """Scores in another tool's dialect, and the decimals that it prints, unless others were asked for."""
    from gainful.dialects import find, score_in
    from gainful.dialects.dialect_scores import as_texts, refuse_settings

    dialect = find(name)
    refuse_settings(setting for setting in JUDGING if was_said(setting))
    judgments = read_qrels(qrels, layout=qrels_format, threads=asked["threads"])
    scores = score_in(dialect, judgments, list(runs), as_texts(measures) or None, **asked)
    printed = dialect.conventions.round_mean
    return scores, places if printed is None or was_said("places") else printed


def _needed(measures: Sequence[str]) -> By | None:
    """By what the judgments are to be read apart, as the measures declare it; None where a grade for each will do.

    Looking a measure up imports modules for some 10 ms, which reading need not wait for: a measure's own name (not an alias,
    nor a name of trec_eval) leads to its file, and measures are looked up only where such a file declares a need.
    """
    names = (
        re.split(r"[@(]", name)[0].strip()
        for text in measures
        for name in re.sub(r"\([^()]*\)", "", text).split(",")
    )
    files = [f"{name.lower()}.py" for name in names if not name.isdigit()]
    folder = gainful.__file__.removesuffix("__init__.py") + "measures"
    there = set(os.listdir(folder))  # noqa: PTH208 (pathlib takes 2 ms to import)
    if there.issuperset(files) and not any("needs=" in _text(f"{folder}{os.sep}{file}") for file in files):
        return None
    from gainful.measures import parse_many
    from gainful.measures._needs import needed

    return needed(measure for text in measures for measure in parse_many(text))


def _refuse_together(
    engine: str,
    dialect: str | None,
    *,
    master: str | None,
    words: str | None,
    qrels_by: str | None,
    design: str | None,
    model_qrels: tuple[str, ...],
) -> None:
    """Raise where options do not go together."""
    if engine == "here" and master is not None:
        raise UsageError("--master is for --engine spark.")
    if dialect is not None and (engine == "spark" or qrels_by):
        raise UsageError("--dialect evaluates judgments of one grade for each document, on this machine.")
    for name, said in (("design", design), ("model-qrels", model_qrels)):
        if said and (dialect is not None or engine == "spark"):
            raise UsageError(
                f"--{name} is for measures of our own, on this machine; leave --dialect and --engine out."
            )
    if engine == "spark" and words:
        raise UsageError(f"{words} are read on this machine; leave --engine spark out.")


def _with_models(
    judgments: Judgments,
    runs: list[Run],
    measures: tuple[str, ...],
    model_qrels: tuple[str, ...],
    **asked: Any,
) -> Scores:
    from gainful.scores import DEFAULT, evaluate

    return evaluate(judgments, runs, list(measures) or DEFAULT, model_qrels=model_qrels, **asked)


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 (pathlib takes 2 ms to import)
        return file.read()


def _on_spark(
    qrels: str,
    runs: Sequence[str],
    measures: Any,
    settings: Settings,
    *,
    master: str | None,
    topics: str | None,
    known: Any,
    expected: Any,
    by: By | None,
    qrels_format: str | None,
    run_format: str | None,
    threads: int | None,
    names: Names | None,
) -> Scores:
    """The scores of runs at paths that Spark can read."""
    if threads is not None:
        raise UsageError(
            "--threads is for one machine; with Spark use --master, for example --master 'local[4]'."
        )
    if names == "tag":
        raise UsageError("--names tag reads files on this machine; evaluate without --engine spark.")
    if settings.by_order_of_rows:
        name = "duplicates first" if settings.duplicates == "first" else f"ties {settings.ties}"
        raise UsageError(
            f"--{name} depends on the order of lines, which Spark does not keep; evaluate without --engine spark."
        )
    from gainful.scores.evaluation import DEFAULT, asked_for
    from gainful.spark.cluster_files import Path as ClusterPath
    from gainful.spark.cluster_files import refuse_unreadable
    from gainful.spark.frame_evaluation import BROADCAST, Evaluation
    from gainful.spark.frames import said, started

    asked = asked_for(measures or DEFAULT, settings.rel)
    refuse_unreadable(qrels, *runs)
    session = started(master or _MASTER, "gainful evaluate")
    from pyspark.errors import PySparkException

    named = {run.name: str(run.path) for run in runs_of([Run(run) for run in runs], names or "file")}
    try:
        judged = ClusterPath(session, qrels, "qrels", qrels_format)
        paths = {name: ClusterPath(session, path, "run", run_format) for name, path in named.items()}
        evaluation = Evaluation(
            asked,
            settings,
            known=known,
            expected=expected,
            by=by,
            path=qrels,
            paths=named,
            tags={name: path.tag for name, path in paths.items()},
        )
        frames = {name: path.frame() for name, path in paths.items()}
        return evaluation.scores(
            judged.frame(evaluation.by), frames, topics=topics, broadcast=BROADCAST
        ).scores
    except PySparkException as fault:
        raise DataError(f"Spark failed: {said(fault)}") from None
    finally:
        session.stop()
