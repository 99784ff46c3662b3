"""gainful judge: pages on which people judge, their answers collected, and whether enough is judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from gainful.cli import say
from gainful.cli.commands import SortedHelp, refuse_existing, screen, write
from gainful.cli.judge_modes import MODES, check_options
from gainful.cli.judge_rounds import after_collecting, round_commands, served
from gainful.cli.options import OutputFile
from gainful.comparisons.judges.judge_files import MERGED
from gainful.errors import DataError, UsageError
from gainful.formats.ids import is_text, shown, some_quoted
from gainful.presentation.text_style import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gainful.studies.study_folder import Study

_ADJUDICATOR = "adjudicator"


class JudgeCommand(SortedHelp):
    """The command, its options under the mode that they belong to."""

    headings: ClassVar = {
        "What to do (pages are written unless one of these is given)": [*MODES],
        "Pages": ["assessors", "output"],
        "Collecting": ["merge", "rel", "form", "wide"],
        "Adjudicating": ["apart", "adjudicator"],
        "Deciding": ["compare", "measure", "alpha", "documents", "dry_run"],
        "Serving": ["host", "port", "behind_proxy", "prefix", "public_url"],
    }


@click.command("judge", cls=JudgeCommand, short_help="Make pages for assessors, and collect their answers.")
@click.argument("study")
@click.argument("answers", metavar="[ANSWERS...]", nargs=-1)
@click.option("--collect", is_flag=True, help="Join the answers of all assessors and write judgments.")
@click.option(
    "--adjudicate", is_flag=True, help="Write a page of the documents that assessors disagree about."
)
@click.option("--serve", is_flag=True, help="Serve the pages to several assessors at once.")
@click.option(
    "--next",
    is_flag=True,
    help="Say whether two runs differ, or add the documents to the study that should be judged next.",
)
@click.option(
    "--prompts",
    type=OutputFile(),
    metavar="FILE",
    help="Write a prompt for each document as JSON lines, for a language model to label it.",
)
@click.option(
    "--collect-labels",
    is_flag=True,
    help="Read a model's labels (JSON lines with id, label and reason; a file for each model) and write them as judgments.",
)
@click.option(
    "--password",
    metavar="NAME",
    help="Set the password with which an assessor logs in: asked for, or taken from GAINFUL_PASSWORD.",
)
@click.option(
    "--assessor",
    "assessors",
    multiple=True,
    metavar="NAME",
    help="Only the page of this assessor; may be repeated.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Folder for the pages.  [default: pages in the study]",
)
@click.option("--overwrite", is_flag=True, help="Replace files that were written before.")
@click.option(
    "--merge",
    type=click.Choice(MERGED),
    default="majority",
    show_default=True,
    help="How several grades of one document become one; majority is the highest grade that more than half reach. "
    "Grades that were adjudicated stand instead.",
)
@click.option("--rel", type=float, default=1, show_default=True, help="Lowest grade that is relevant.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["table", "markdown", "json"]),
    default="table",
    show_default=True,
)
@click.option(
    "--wide",
    is_flag=True,
    help="Show every table and column, in lines of any length, instead of a summary in 80 columns.",
)
@click.option(
    "--apart",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Smallest difference between grades of a document that is adjudicated.",
)
@click.option(
    "--adjudicator", default=_ADJUDICATOR, show_default=True, metavar="NAME", help="Who decides the disputed."
)
@click.option(
    "--compare",
    nargs=2,
    metavar="A B",
    help="Runs to decide between, baseline first: names of runs of the study, or files.  [default: the study's]",
)
@click.option(
    "-m",
    "--measure",
    metavar="MEASURE",
    help="Measure that is decided.  [default: the study's, else nDCG@10]",
)
@click.option(
    "--model-qrels",
    metavar="LABELS",
    help="With --next and the strategy decide: labels by a model; people are asked where it is least sure and it matters most.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Significance level, for all looks together.",
)
@click.option(
    "--documents", metavar="FILE", help="Texts of documents that are added.  [default: as in `gainful pool`]"
)
@click.option("--dry-run", is_flag=True, help="Do not add documents to the study, only say which.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8401, show_default=True, help="Port; 0 takes a free one."
)
@click.option("--behind-proxy", is_flag=True, help="Believe the X-Forwarded headers of the proxy in front.")
@click.option("--prefix", default="", metavar="PATH", help="Path under which a proxy serves it.")
@click.option("--public-url", default="", metavar="URL", help="Address as assessors know it.")
def command(study: str, answers: tuple[str, ...], **options: Any) -> None:
    """Let people judge the documents of a study, and collect what they say.

    Without a mode, one HTML file is written for each assessor. It works without a server and without a network, keeps
    every answer in the browser, and saves them to a file, which --collect reads.

    \b
    gainful judge study
    gainful judge --collect study answers-ann.json answers-bob.json
    gainful judge --adjudicate study
    gainful judge --collect study answers-adjudicator.json --overwrite
    gainful judge --next study --compare bm25 dense -m nDCG@10
    gainful judge --next study --model-qrels gpt.qrels
    gainful judge --serve study
    gainful judge --prompts prompts.jsonl study
    gainful judge --collect-labels study gpt.jsonl
    """
    modes = [name for name in MODES if options.get(name)]
    if len(modes) > 1:
        first, second = (name.replace("_", "-") for name in modes[:2])
        raise UsageError(f"--{first} and --{second} exclude each other; give one of them.")
    mode = modes[0] if modes else "pages"
    if answers and mode not in ("collect", "adjudicate", "collect_labels"):
        raise UsageError(
            f"answers ({some_quoted(answers)}) are read with --collect, --adjudicate or --collect-labels only."
        )
    check_options(mode)
    from gainful.studies.study_folder import read_study

    opened = read_study(study)
    _DEEDS[mode](opened, answers, options)


def _pages(study: Study, _answers: Sequence[str], options: dict[str, Any]) -> None:
    from gainful.studies.answer_files import answers_in, file_stem
    from gainful.studies.judging_page import assessor_page

    assigned = {row.assessor for row in study.assignments}
    asked = options["assessors"] or tuple(name for name in study.manifest.assessors if name in assigned)
    if not asked:
        raise DataError(
            f"{shown(str(study.path))} assigns nothing to anybody; `gainful pool` assigns documents."
        )
    folder = _folder(study, options["output"])
    paths = {name: str(folder / f"{file_stem(name)}.html") for name in asked}
    refuse_existing(*paths.values(), overwrite=options["overwrite"])
    answered = answers_in(study)
    pages = {name: assessor_page(study, name, answered.get(name)) for name in asked}
    folder.mkdir(exist_ok=True)
    for name, path in paths.items():
        write(pages[name], path)
        say(f"{shown(name)}: {path}")
    _say_without_text(study)


def _folder(study: Study, given: str | None) -> Path:
    """The folder for pages, which can be made."""
    assert study.path is not None
    folder = Path(given) if given else study.path / "pages"
    if not folder.parent.is_dir():
        raise UsageError(f"there is no folder {folder.parent} to make {folder} in; create it first.")
    return folder


def _say_without_text(study: Study) -> None:
    asked = {row.document for row in study.assignments}
    without = [row.document for row in study.documents if row.document in asked and not row.text.strip()]
    if without:
        say(
            f"Documents without a text: {len(without):,} ({some_quoted(without)}); they are shown by title and id, and "
            "an assessor can answer 'cannot tell'. Texts come from `gainful pool --documents`."
        )


def _collect(study: Study, answers: Sequence[str], options: dict[str, Any]) -> None:
    from gainful.studies.answer_collection import Collection, collect
    from gainful.studies.collection_summary import waiting_for_answers

    collection = Collection.of(collect(study, answers, merge=options["merge"]), rel=options["rel"])
    files = collection.write(overwrite=options["overwrite"])
    where = screen(None, wide=options["wide"])
    short = options["form"] == "table" and not options["wide"]
    write(collection.summary(where) if short else collection.text(options["form"], where), None)
    folder = shown(str(study.path))
    say(f"Written into {folder}: {', '.join(files)}.")
    if short:
        say(f"The tables of agreement are in {folder}/data_sheet.md; --wide shows them.")
    left = len(collection.collected.disputed(options["apart"]))
    if left:
        say(
            f"Documents that assessors disagree about: {left:,}. `gainful judge --adjudicate {folder}` makes a page of them."
        )
    if _drawn(study):
        say(
            f"Documents were drawn by chance: other commands take {folder}/judgments.qrels with --design {folder}."
        )
    if step := after_collecting(study, waiting_for_answers(collection.collected), options["merge"]):
        say(f"Next: {step}.")


def _adjudicate(study: Study, answers: Sequence[str], options: dict[str, Any]) -> None:
    from gainful.studies.answer_collection import collect
    from gainful.studies.answer_files import file_stem
    from gainful.studies.judging_page import adjudication_page

    name = options["adjudicator"]
    if not is_text(name):
        raise UsageError(f"--adjudicator '{shown(name)}' is not UTF-8; choose another name.")
    if name in study.manifest.assessors:
        raise UsageError(
            f"'{shown(name)}' is an assessor of the study and cannot decide where assessors disagree; "
            "choose another name with --adjudicator."
        )
    disputed = collect(study, answers, merge=options["merge"]).disputed(options["apart"])
    if not disputed:
        raise DataError(
            f"assessors disagree about no document by {options['apart']} or more that is not adjudicated already."
        )
    folder = _folder(study, options["output"])
    path = str(folder / f"{file_stem(name)}.html")
    refuse_existing(path, overwrite=options["overwrite"])
    page = adjudication_page(study, name, disputed)
    folder.mkdir(exist_ok=True)
    write(page, path)
    say(f"{counted(len(disputed), 'disputed document is', 'disputed documents are')} in {path}.")


def _prompts(study: Study, _answers: Sequence[str], options: dict[str, Any]) -> None:
    from gainful.studies.model_prompts import study_prompts

    path = options["prompts"]
    if study.owns(path):
        raise UsageError(f"{shown(path)} is a file of the study itself; choose another name for the prompts.")
    refuse_existing(path, overwrite=options["overwrite"])
    made = study_prompts(study)
    write(made.content(), path)
    say(f"{counted(len(made.prompts), 'prompt is', 'prompts are')} in {shown(path)}.")
    if made.without_text:
        without = [document for _, document in made.without_text]
        say(f"Documents without a text have no prompt: {len(without):,} ({some_quoted(without)}).")
    say("`gainful judge --collect-labels` reads the labels back; `gainful audit` says what they are worth.")


def _collect_labels(study: Study, answers: Sequence[str], options: dict[str, Any]) -> None:
    from gainful.studies.collected_labels import all_labels

    if not answers:
        raise UsageError("--collect-labels reads files of a model's labels; name one after the study.")
    found = list(all_labels(study, tuple(answers)))
    for collected in found:
        collected.check_place(overwrite=options["overwrite"])
    for collected in found:
        files = collected.write(overwrite=options["overwrite"])
        write(collected.text(options["form"], screen(None, wide=options["wide"])), None)
        say(f"Written into {shown(str(study.path))}: {', '.join(files)}.")


def _next(study: Study, _answers: Sequence[str], options: dict[str, Any]) -> None:
    from gainful.presentation.table import as_json
    from gainful.studies.answer_collection import given_up
    from gainful.studies.study_folder import write_batch
    from gainful.studies.study_progress import next_step

    baseline, candidate = options["compare"] or (None, None)
    step = next_step(
        study,
        baseline,
        candidate,
        options["measure"],
        options["alpha"],
        given_up=given_up(study),
        documents=options["documents"],
        model_qrels=options["model_qrels"],
    )
    where = screen(None, wide=options["wide"])
    judged_next = bool(step.documents) and not (step.is_new and options["dry_run"])
    pairs = [row.pair for row in step.documents]
    commands = [f"  {line}\n" for line in round_commands(step.study, pairs)] if judged_next else []
    write(
        as_json(step.to_dict()) if options["form"] == "json" else f"{step.text(where)}\n{''.join(commands)}",
        None,
    )
    for note in (*step.decision.notes, *step.notes):
        say(f"Note: {note}.")
    folder = shown(str(study.path))
    if step.decision.status == "decided" and _drawn(study):
        say(
            f"How large the difference is: `gainful compare {folder}/judgments.qrels RUN RUN --design {folder}`."
        )
    if step.is_new and not options["dry_run"]:
        write_batch(step.study)
        say(f"Batch {step.documents[0].batch} is added to {folder}; answers given before stay.")
        if served(study):
            say("A server reads the study when it starts: end it, and start it again with the same options.")


def _drawn(study: Study) -> bool:
    """Whether documents were drawn by chance, so that they stand for others."""
    return any(row.probability is not None for row in study.pool)


def _serve(study: Study, _answers: Sequence[str], options: dict[str, Any]) -> None:
    from gainful.cli.filter.service_commands import needed, path_prefix, web_address

    needed()
    from gainful.filtering.service.service_parts import ServiceOptions
    from gainful.studies.judging_server import serve_study

    chosen = ServiceOptions(
        behind_proxy=options["behind_proxy"],
        prefix=path_prefix(options["prefix"]),
        public=web_address(options["public_url"]),
        fetch=False,
    )
    serve_study(study, host=options["host"], port=options["port"], options=chosen, say=say)


def _password(study: Study, _answers: Sequence[str], options: dict[str, Any]) -> None:
    import os

    from gainful.cli.filter.service_commands import asked_password, needed

    needed()
    from gainful.studies.judging_server import check_assessor, set_password

    check_assessor(study, options["password"])  # before anybody types one
    password = os.environ.get("GAINFUL_PASSWORD") or asked_password()
    set_password(study, options["password"], password)
    say(f"{shown(options['password'])} has a new password.")


_DEEDS = {
    "pages": _pages,
    "collect": _collect,
    "adjudicate": _adjudicate,
    "serve": _serve,
    "next": _next,
    "prompts": _prompts,
    "collect_labels": _collect_labels,
    "password": _password,
}
