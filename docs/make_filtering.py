"""Measure the filter on judged streams, and write the tables of docs/filtering.md anew.

    python docs/make_filtering.py [--streams NAMES] [--conditions NAMES] [--missing] [--data FOLDER]

Names are separated by semicolons; all are taken unless named. FOLDER is ../shared/data unless said, with filtering/reuters21578,
filtering/news20 and eval/classic/cacm in it. All of it takes hours, so it can be run in parts: every row measured goes into
docs/filtering_evidence.csv, where it replaces the one measured before, and the tables are made from that file.
--missing leaves out what is there already.

Streams, conditions and rules are fixed here, and nothing is chosen: numbers are reported as they come.
"""

import argparse
import csv
import sys
import time
from collections.abc import Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from judged_streams import STREAMS, Stream

from gainful.comparisons.comparison import compare_scores
from gainful.comparisons.method import Method
from gainful.comparisons.score_table import ScoreTable
from gainful.errors import GainfulError
from gainful.filtering import Feedback, LinearUtility
from gainful.filtering.analyzer import Analyzer
from gainful.filtering.experiment import Conditions, Experiment, Variant, replays
from gainful.filtering.rule_text import parse_profiles, parse_rules
from gainful.filtering.simulation import Row, Simulation
from gainful.presentation.table import Table
from gainful.presentation.text_style import p_value

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "filtering.md"
EVIDENCE = ROOT / "docs" / "filtering_evidence.csv"
DATA = ROOT.parent / "shared" / "data"
BEGIN, END = "<!-- made by docs/make_filtering.py: begin -->", "<!-- end -->"

RULES = {  # rule and model, each with all its parameters at their defaults unless said
    "expected, regression": ("expected", "regression"),
    "expected, rocchio": ("expected", "rocchio"),
    "beta_gamma, rocchio": ("beta_gamma", "rocchio"),
    "beta_gamma(0.1, 0.05), rocchio": ("beta_gamma(beta=0.1,gamma=0.05)", "rocchio"),
}
BASELINE = "beta_gamma, rocchio"
HINDSIGHT = "hindsight"
USUAL = "all answered"
CONDITIONS: dict[
    str, dict[str, Any]
] = {  # three examples, every delivery answered, utility 2/−1, unless said
    USUAL: {},
    "20 % answered": {"feedback": Feedback(share=0.2)},
    "clicks": {"feedback": Feedback(clicks=True)},
    "no example": {"examples": 0},
    "1 example": {"examples": 1},
    "30 % answered": {"feedback": Feedback(share=0.3)},
    "20 % wrong": {"feedback": Feedback(wrong=0.2)},
    "200 late": {"feedback": Feedback(delay=200)},
    "1000 late": {"feedback": Feedback(delay=1000)},
    "away": {"feedback": Feedback(away=(0.5, 0.6))},
    "switch": {"feedback": Feedback(switch=True)},
    "utility 1/-1": {"utility": LinearUtility(1, -1)},
    "utility 3/-2": {"utility": LinearUtility(3, -2)},
}
MEASURES = ("T11SU", "T11F", "T11U", "precision", "recall")
KEYS = ("condition", "stream", "rule")
FIELDS = (*KEYS, "topics", *MEASURES, "deliveries", "silent", "negative", "starved", "p")
Record = dict[str, str]


# ---- measuring --------------------------------------------------------------------------------------------------


def simulated(stream: Stream, given: dict[str, Any]) -> Simulation:
    """Every rule on every topic, under one condition."""
    settings = Conditions(reference=stream.reference, analyzer=Analyzer(), **given)
    judgments = {topic.id: dict.fromkeys(stream.relevant[topic.id], 1.0) for topic in stream.topics}
    experiment = Experiment(stream.documents, stream.topics, judgments, settings)
    variants = [Variant(parse_rules(rule)[0], parse_profiles(model)[0]) for rule, model in RULES.values()]
    tasks = [
        (topic, number, False) for number in range(len(variants)) for topic in range(len(experiment.topics))
    ]
    outcomes: dict[tuple[int, int], Any] = {}
    for topic, number, outcome in replays(experiment, variants, tasks, 2):
        outcomes[number, topic] = outcome
        if len(outcomes) % 20 == 0:
            print(f"{len(outcomes)} of {len(tasks)} replays", file=sys.stderr)
    by_variant = [
        [outcomes[number, topic] for topic in range(len(experiment.topics))]
        for number in range(len(variants))
    ]
    return Simulation.of(experiment, variants, by_variant, None, "", [])


def records(simulation: Simulation, condition: str, name: str, topics: Sequence[str]) -> list[Record]:
    """A row of the table for each rule, over these topics."""
    rows = dict(zip([*RULES, "none", HINDSIGHT], simulation.rows, strict=True))
    places = [simulation.topics.index(topic) for topic in topics if topic in simulation.topics]
    values = {
        rule: values_of(row, [simulation.topics[place] for place in places]) for rule, row in rows.items()
    }
    p_of = p_values({rule: of[:, 0] for rule, of in values.items()})
    most = [len(rows[HINDSIGHT].deliveries[place]) for place in places]
    made = []
    for rule, row in rows.items():
        counts = [len(row.deliveries[place]) for place in places]
        won, lost = row.utility.won, row.utility.lost
        worth = [
            won * len(row.relevant[place]) + lost * (count - len(row.relevant[place]))
            for place, count in zip(places, counts, strict=True)
        ]
        means = np.nanmean(values[rule], axis=0)
        made.append(
            {
                **dict(zip(KEYS, (condition, name, rule), strict=True)),
                "topics": str(len(places)),
                **{measure: f"{mean:.6g}" for measure, mean in zip(MEASURES, means[:-1], strict=True)},
                "deliveries": str(sum(counts)),
                "silent": str(counts.count(0)),
                "negative": str(sum(value < 0 for value in worth)),
                "starved": str(sum(5 * count < best for count, best in zip(counts, most, strict=True))),
                "p": p_of.get(rule, ""),
            }
        )
    return made


def values_of(row: Row, topics: Sequence[str]) -> Any:
    """Topics × measures."""
    measures = [str(measure) for measure in row.scores.measures]
    per_topic = row.scores.per_topic
    return np.array([[per_topic[topic].get(measure, np.nan) for measure in measures] for topic in topics])


def p_values(scores: dict[str, Any]) -> dict[str, str]:
    """Of T11SU against the baseline, paired by topic, adjusted for the number of rows."""
    table = ScoreTable.of_matrix(list(scores.values()), systems=list(scores))
    pairs = compare_scores(table, Method(baseline=BASELINE)).pairs
    return {(pair.b if pair.a == BASELINE else pair.a): p_value(pair.p_adjusted) for pair in pairs}


# ---- the file of results, and the page ---------------------------------------------------------------------------


def kept() -> dict[tuple[str, ...], Record]:
    """All rows measured so far."""
    if not EVIDENCE.exists():
        return {}
    with EVIDENCE.open(encoding="utf-8", newline="") as lines:
        return {tuple(record[key] for key in KEYS): record for record in csv.DictReader(lines)}


def keep(measured: Iterable[Record]) -> None:
    """Put rows into the file, each in its place, and write the page."""
    rows = kept() | {tuple(record[key] for key in KEYS): record for record in measured}
    names = [name for stream in STREAMS for name in (stream, *parts_of(stream))]
    orders = [list(CONDITIONS), names, [*RULES, "none", HINDSIGHT]]
    rows = {
        key: rows[key]
        for key in sorted(rows, key=lambda key: [o.index(k) for o, k in zip(orders, key, strict=True)])
    }
    with EVIDENCE.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows.values())
    page = PAGE.read_text(encoding="utf-8")
    head, tail = page.split(BEGIN)[0], page.split(END, 1)[1]
    parts = [
        BEGIN,
        "### Three examples, every delivery answered",
        usual_table(rows.values()).markdown(),
        "### Other readers, examples and utilities",
        "T11SU. p compares the first rule with `beta_gamma, rocchio`; the last three columns are those of the first rule.",
        condition_table(rows.values()).markdown(),
        END,
    ]
    PAGE.write_text(head + "\n\n".join(parts) + tail, encoding="utf-8")


def parts_of(stream: str) -> list[str]:
    """Names of topics that are reported on their own too."""
    return ["reuters, choosing half", "reuters, held-out half"] if stream == "reuters" else []


def usual_table(rows: Iterable[Record]) -> Table:
    """Every rule on every stream, under the usual condition."""
    columns = [name for name in FIELDS[1:] if name not in ("topics", "T11U")]
    body = [
        [f"{float(record[name]):.3f}" if name in MEASURES else record[name] or "–" for name in columns]
        for record in rows
        if record["condition"] == USUAL
    ]
    return Table(columns, body, names=2)


def condition_table(rows: Iterable[Record]) -> Table:
    """T11SU of each rule on every stream, under the other conditions."""
    cells: dict[tuple[str, str], dict[str, Record]] = {}
    for record in rows:
        if record["condition"] != USUAL:
            cells.setdefault((record["condition"], record["stream"]), {})[record["rule"]] = record
    default, shown = next(iter(RULES)), [*RULES, "none", HINDSIGHT]
    body = [
        [
            condition,
            stream,
            *(f"{float(of[rule]['T11SU']):.3f}" for rule in shown),
            *(of[default][name] for name in ("p", "silent", "negative", "starved")),
        ]
        for (condition, stream), of in cells.items()
    ]
    return Table(["condition", "stream", *shown, "p", "silent", "negative", "starved"], body, names=2)


def main(streams: Sequence[str], conditions: Sequence[str], data: Path, *, missing: bool) -> None:
    """Measure condition by condition, keep and print what was measured."""
    made = {name: cache(partial(STREAMS[name], data)) for name in streams}
    for condition in conditions:
        for name in streams:
            if missing and (condition, name, BASELINE) in kept():
                continue
            begun = time.monotonic()
            stream = made[name]()
            simulation = simulated(stream, CONDITIONS[condition])
            measured = records(simulation, condition, name, simulation.topics)
            for part, topics in stream.parts.items():
                measured += records(simulation, condition, part, topics)
            keep(measured)
            columns = [column for column in FIELDS if column != "condition"]
            print(f"{condition} · {name} · {time.monotonic() - begun:.0f} s")
            print(
                Table(columns, [[record[c] for c in columns] for record in measured], names=2).text(),
                flush=True,
            )


def chosen(text: str | None, known: Iterable[str]) -> list[str]:
    """Names that were asked for, separated by semicolons; all unless there are some."""
    names = list(known) if text is None else [name.strip() for name in text.split(";")]
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"there is no {unknown[0]!r}; there are {'; '.join(known)}")
    return names


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--streams", help=f"separated by semicolons: {'; '.join(STREAMS)}")
    parser.add_argument(
        "--conditions", help=f"separated by semicolons: {'; '.join(CONDITIONS)}".replace("%", "%%")
    )
    parser.add_argument(
        "--missing", action="store_true", help="only what docs/filtering_evidence.csv does not have"
    )
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    if not (options.data / "filtering").is_dir():
        sys.exit(f"there is no {options.data / 'filtering'}; name the folder of the data with --data.")
    try:
        main(
            chosen(options.streams, STREAMS),
            chosen(options.conditions, CONDITIONS),
            options.data,
            missing=options.missing,
        )
    except GainfulError as error:
        sys.exit(str(error))
