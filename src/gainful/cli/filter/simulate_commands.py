"""gainful filter simulate and demo: threshold rules side by side, on judged streams."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gainful.cli import say
from gainful.cli.commands import Bar, Counted, refuse_existing, refuse_two_inputs, write
from gainful.cli.filter.filter_options import (
    Derived,
    Pictures,
    Share,
    Stretch,
    charting,
    derived,
    factor,
    make_folder,
    words_options,
)
from gainful.cli.options import output
from gainful.errors import UsageError

if TYPE_CHECKING:
    from gainful.filtering.simulation import Simulation

FORMATS = ("table", "markdown", "csv", "json")
SIMULATE, FEEDBACK = "simulation_run:simulate", "replay:Feedback"


@click.command("simulate", short_help="Simulate threshold rules on a judged stream.")
@click.argument("stream", metavar="STREAM")
@click.argument("topics", metavar="TOPICS")
@click.argument("qrels", metavar="QRELS")
@click.option(
    "-r",
    "--rule",
    "rules",
    multiple=True,
    metavar="RULE",
    cls=Derived,
    source=SIMULATE,
    only_shown=True,
    help="Threshold rule: {rules}; may be repeated. "
    "Parameters in brackets, a list of values is a grid: 'beta_gamma(beta=0.1,gamma=[0.01,0.05])'.",
)
@click.option(
    "-p",
    "--profile",
    "profiles",
    multiple=True,
    metavar="PROFILE",
    help="How profiles learn; may be repeated, a list of values is a grid: 'rocchio(terms=[60,200],other=0.5)'.",
)
@click.option(
    "-m", "--measures", multiple=True, metavar="MEASURES", help="Measures, comma-separated; may be repeated."
)
@click.option(
    "--reference",
    default="0",
    metavar="N|SHARE|FILE",
    help="Reference documents for idf and examples: the first N or this share (10%) of the stream, or another stream.",
)
@derived(
    "--examples", SIMULATE, click.IntRange(0), "Relevant reference documents given to each topic as examples."
)
@click.option(
    "--utility",
    default="2,-1",
    show_default=True,
    metavar="CREDIT,COST",
    help="Utility of relevant and other deliveries; optionally of missed relevant and avoided other documents.",
)
@derived("--rel", SIMULATE, float, "Lowest grade that is relevant.")
@derived("--delay", FEEDBACK, click.IntRange(0), "Feedback arrives after this many more documents.")
@derived(
    "--judged",
    FEEDBACK,
    Share(),
    "Share of deliveries that get feedback: 0.3 or 30%.",
    keyword="share",
    metavar="SHARE",
)
@derived("--clicks", FEEDBACK, bool, "Feedback on relevant deliveries only.", is_flag=True, metavar=None)
@derived("--wrong", FEEDBACK, Share(), "Share of answers that are wrong.", metavar="SHARE")
@derived("--away", FEEDBACK, Stretch(), "No feedback in this part of the stream: 50%,60%.", metavar="FROM,TO")
@derived(
    "--switch",
    FEEDBACK,
    bool,
    "From the middle of the stream on, the next topic's documents are wanted; only that half is measured.",
    is_flag=True,
    metavar=None,
)
@derived(
    "--seed", FEEDBACK, click.IntRange(0), "Random seed for deliveries that get feedback and wrong answers."
)
@derived(
    "--growth",
    "learner:Schedule",
    click.FloatRange(0),
    "Update when feedback has grown by this share; 0 updates after each.",
    metavar="SHARE",
)
@words_options
@derived("--windows", SIMULATE, click.IntRange(1, 10_000), "Number of time windows in JSON and charts.")
@click.option(
    "--topics",
    "only",
    metavar="FILE|LIST",
    help="Only these topics: a file with one per line, or a comma-separated list.",
)
@derived(
    "--unjudged-topics",
    SIMULATE,
    click.Choice(["error", "skip"]),
    "What to do with topics without judgments.",
    metavar=None,
)
@click.option(
    "--compare", is_flag=True, help="Test every row's first measure against the first row, paired by topic."
)
@click.option("--baseline", metavar="ROW", help="With --compare: compare with this row instead.")
@click.option("-q", "--per-topic", is_flag=True, help="Include each topic's values.")
@charting
@click.option(
    "--jobs", type=click.IntRange(1), metavar="N", help="Number of processes.  [default: all cores]"
)
@output(FORMATS, note="json includes the values over time.")
def simulate_command(
    stream: str,
    topics: str,
    qrels: str,
    rules: tuple[str, ...],
    profiles: tuple[str, ...],
    measures: tuple[str, ...],
    reference: str,
    examples: int,
    utility: str,
    rel: float,
    delay: int,
    judged: float,
    clicks: bool,
    wrong: float,
    away: tuple[float, float] | None,
    switch: bool,
    seed: int,
    growth: float,
    epochs: str,
    language: str,
    title_weight: float,
    windows: int,
    only: str | None,
    unjudged_topics: str,
    compare: bool,
    baseline: str | None,
    per_topic: bool,
    charts: str | None,
    trace: tuple[str, ...],
    chart_format: str,
    jobs: int | None,
    form: str,
    output: str | None,
    overwrite: bool,
    places: int,
) -> None:
    """Simulate filtering of a judged stream, following the TREC adaptive filtering task, with several threshold rules.

    STREAM holds documents in the order of their arrival: JSON lines with id and text, and perhaps title, date and vector;
    or CSV or Parquet with those columns. TOPICS holds JSON lines with id and text (and perhaps examples), or TREC topics.
    QRELS holds judgments in TREC format. All may be compressed.

    \b
    gainful filter simulate stream.jsonl topics.jsonl qrels.txt --reference 10%
    gainful filter simulate stream.jsonl.gz topics.jsonl qrels.txt -r 'beta_gamma(gamma=[0.01,0.05])' -r ratio --compare
    gainful filter simulate stream.jsonl topics.jsonl qrels.txt --reference 10% --judged 30% --clicks --wrong 20%
    gainful filter simulate stream.jsonl topics.jsonl qrels.txt -f json -o simulation.json --charts pictures
    """
    refuse_two_inputs(stream, topics, qrels, reference)
    pictures = Pictures(charts, chart_format, overwrite=overwrite)
    refuse_existing(output, overwrite=overwrite)

    from gainful.filtering import Analyzer, Feedback, Schedule, simulate
    from gainful.filtering.simulation import row_names
    from gainful.filtering.simulation_run import PROFILES, RULES, variants_of
    from gainful.filtering.theta_opt_and_zero import parse_utility
    from gainful.formats.judgments import cores, read_topics

    if baseline is not None:
        _check_row(baseline, row_names(variants_of(rules or RULES, profiles or PROFILES)))
    with Bar() as bar, Counted() as replays:
        simulation = simulate(
            stream,
            topics,
            qrels,
            rules=rules or RULES,
            profiles=profiles or PROFILES,
            measures=list(measures) or None,
            reference=reference,
            examples=examples,
            rel=rel,
            utility=parse_utility(utility),
            feedback=Feedback(delay, judged, seed, clicks, wrong, away, switch),
            schedule=Schedule(growth=growth),
            epochs=factor(epochs),
            analyzer=Analyzer(language=None if language == "none" else language, title_weight=title_weight),
            windows=windows,
            only=None if only is None else read_topics(only),
            unjudged_topics=unjudged_topics,
            trace=trace or (1 if charts or form == "json" else ()),
            jobs=jobs or cores(),
            progress=bar.tell,
            on_replay=partial(replays.tell, "replays"),
        )
    against = _compared(simulation, baseline) if compare or baseline else None

    from gainful.filtering.simulation_output import VIEWS

    pictures.draw(simulation)
    write(VIEWS[form](simulation, per_topic=per_topic, places=places, against=against), output)
    for note in simulation.notes:
        say(f"note: {note}")
    if form == "csv" and not output:
        say(f"settings: {simulation.stated()}")


def _check_row(name: str, known: list[str]) -> None:
    """Raise, before any work is done, where there will be no row of that name."""
    if name not in known:
        raise UsageError(f"there is no row '{name}' to compare with; the rows are {', '.join(known)}")


def _compared(simulation: Simulation, baseline: str | None) -> Any:
    from gainful.filtering.simulation_output import compared

    return compared(simulation, baseline=baseline)


@click.command("demo", short_help="Run a filter on a synthetic stream.")
@derived("--seed", "demo:demo", click.IntRange(0), "Random seed of the stream.")
@derived("--documents", "demo:demo", click.IntRange(200, 100_000), "Number of documents in the stream.")
@click.option(
    "--write",
    "folder",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Also write the stream, its topics and judgments into this folder.",
)
@click.option("--overwrite", is_flag=True, help="Replace existing files.")
@charting
def demo_command(
    seed: int,
    documents: int,
    folder: str | None,
    overwrite: bool,
    charts: str | None,
    trace: tuple[str, ...],
    chart_format: str,
) -> None:
    """Run a filter on a synthetic stream with eight profiles, each starting from three words.

    The topics drift over time, and other documents use their words without being relevant.
    """
    pictures = Pictures(charts, chart_format, overwrite=overwrite)
    if folder:
        refuse_existing(
            *(str(Path(folder) / name) for name in ("stream.jsonl", "topics.jsonl", "qrels.txt")),
            overwrite=overwrite,
        )

    from gainful.filtering import demo
    from gainful.filtering.simulation_output import over_time, table
    from gainful.filtering.simulation_run import simulate

    stream = demo.demo(documents=documents, seed=seed)
    names = [topic.id for topic in stream.topics]
    simulation = simulate(
        stream.documents, stream.topics, stream.qrels, rules=demo.RULES, examples=0, trace=[*trace, names[0]]
    )
    best = simulation.rows[0].name
    heading = f"{best}, over time (all topics together):"
    write(
        f"{table(simulation)}\n{heading}\n\n{over_time(simulation, best)}\n{demo.learned(simulation, names[0])}\n",
        None,
    )
    pictures.draw(simulation)
    if folder:
        _keep(stream, Path(folder))


def _keep(stream: Any, folder: Path) -> None:
    """The demo's stream as the files that simulate reads."""
    from gainful.filtering.demo import as_files

    make_folder(folder)
    for name, text in as_files(stream).items():
        write(text, str(folder / name))
    say(
        f"The stream is in {folder}; try: gainful filter simulate {folder}/stream.jsonl {folder}/topics.jsonl {folder}/qrels.txt"
    )
