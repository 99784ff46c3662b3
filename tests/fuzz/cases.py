"""Kinds of cases: each draws a case, runs it, and says what is wrong with the answer."""

from __future__ import annotations

import json
import random
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

from tests.fuzz import random_files, sandbox
from tests.fuzz.mutations import mutated
from tests.fuzz.random_files import LAYOUTS, SUFFIXES, Collection, Nested

FINE = frozenset({0, 2, 3, 4})
GATE = FINE | {1}

_EXTREMES = (
    "0",
    "1",
    "-1",
    "1e-320",
    "1e308",
    "nan",
    "inf",
    str(10**23),
    str(2**31),
    str(2**63),
    "",
    "x",
    "٣",
)
_MEASURES = ("nDCG@10", "AP", "RR", "P@5", "RBP(p=0.8)", "Judged@10", "NumRet", "ERR@20", "Bpref", "R@100")

_FEED = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>News</title>
<item><guid>g1</guid><title>Roses</title><description>flowers and soil</description><link>http://example.org/1</link>
<pubDate>Mon, 02 Nov 2026 08:00:00 GMT</pubDate></item>
<item><guid>g2</guid><title>Engines</title><description>cars &amp; pistons</description></item>
</channel></rss>
"""
_ATOM = """<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><id>urn:1</id><title>Compost</title>
<updated>2026-11-02T08:00:00Z</updated><content type="html">&lt;b&gt;soil&lt;/b&gt;</content></entry></feed>
"""


def warm_up() -> None:
    """Import what commands import, once, so that a child has only its own work to do."""
    import pyarrow.parquet  # noqa: F401

    import gainful.batch
    import gainful.checking
    import gainful.cli.commands
    import gainful.comparisons
    import gainful.curves
    import gainful.explaining
    import gainful.filtering
    import gainful.scores

    for name in gainful.cli.commands.COMMANDS:
        gainful.cli.commands.gainful.get_command(None, name)  # type: ignore[arg-type]


def equal(draw: random.Random, folder: Path) -> str | None:
    """The same data in another layout, order, compression, under other ids, in parts, or as a dict: the same scores."""
    collection = random_files.random_collection(draw)
    measures = ",".join(draw.sample(_MEASURES, 4))
    run = collection.runs[0]
    qrels = random_files.write(folder, "q", "trec", "", random_files.rows_of(collection.qrels), "qrels")
    plain = random_files.write(folder, "a", "trec", "", random_files.rows_of(run), "run")
    expected = _scores(["evaluate", str(qrels), str(plain), "-m", measures], folder)
    if isinstance(expected, str):
        return expected
    variants: dict[str, Callable[[], list[str]]] = {
        "layout": lambda: _other_layout(draw, folder, collection),
        "parts": lambda: _in_parts(draw, folder, qrels, run),
        "renamed": lambda: _renamed(folder, collection),
    }
    kind = draw.choice([*variants, "dict"])
    if kind == "dict":
        got = _scores_of_dicts(collection.qrels, run, measures, folder)
    else:
        got = _scores(["evaluate", *variants[kind](), "-m", measures], folder)
    if isinstance(got, str):
        return f"{kind}: {got}"
    if kind == "renamed":
        got = {topic.removeprefix("t"): values for topic, values in got.items()}
    return None if got == expected else f"{kind}: other scores: {got} where {expected} was expected"


def damaged(draw: random.Random, folder: Path) -> str | None:
    """A command on files of which one is damaged."""
    collection = random_files.random_collection(draw)
    names = {}
    for name, nested, kind in (
        ("q", collection.qrels, "qrels"),
        ("a", collection.runs[0], "run"),
        ("b", collection.runs[1], "run"),
    ):
        rows = random_files.rows_of(nested, draw)
        layout, suffix = draw.choice(LAYOUTS), draw.choice(SUFFIXES)
        names[name] = random_files.write(folder, name, layout, suffix, rows, kind)
    victim = names[draw.choice(list(names))]
    victim.write_bytes(mutated(victim.read_bytes(), draw))
    qrels, first, second = map(str, names.values())
    measure = draw.choice(_MEASURES)
    topic = next(iter(collection.qrels))
    commands = [
        ["evaluate", qrels, first, second, "-m", measure, "-q"],
        ["evaluate", qrels, first, "--duplicates", "best", "--ties", "worst", "-f", "json"],
        ["check", qrels, first, second],
        ["compare", qrels, first, second, "-m", measure],
        ["compare", qrels, first, second, "--moved", "--unknown", "-f", "json"],
        ["gate", qrels, first, second, "-m", measure],
        ["convert", first, "out.jsonl", "--kind", "run"],
        ["convert", qrels, "out.parquet", "--kind", "qrels"],
        ["curve", qrels, first, second, "-f", "csv"],
        ["explain", qrels, first, "--topic", topic, "-m", measure],
        ["correlate", first, second, "--qrels", qrels],
        ["trec_eval", qrels, first],
    ]
    return _run(draw.choice(commands), folder)


def by_aspect(draw: random.Random, folder: Path) -> str | None:
    """Judgments by subtopic or judge, damaged."""
    collection = random_files.random_collection(draw)
    column = draw.choice(["subtopic", "judge"])
    records = [
        {"topic": topic, column: str(draw.randint(1, 3)), "document": document, "grade": int(grade)}
        for topic, document, grade in random_files.rows_of(collection.qrels, draw)
    ]
    qrels = folder / "q.jsonl"
    qrels.write_bytes(mutated("".join(json.dumps(record) + "\n" for record in records).encode(), draw))
    run = random_files.write(folder, "a", "trec", "", random_files.rows_of(collection.runs[0]), "run")
    by = "subtopics" if column == "subtopic" else "judges"
    return _run(["evaluate", str(qrels), str(run), "--qrels-by", by, "-m", "alpha_nDCG@10,P_IA@5"], folder)


def feed(draw: random.Random, folder: Path) -> str | None:
    """A damaged feed, taken into a filter and shown again."""
    path = folder / "feed.xml"
    path.write_bytes(mutated(draw.choice([_FEED, _ATOM]).encode(), draw))
    state = ["--state", "my.filter"]
    for command in (
        ["init", *state],
        ["profile", "add", "garden", "flowers, soil and compost", *state],
        ["ingest", str(path), *state],
        ["deliveries", "-f", draw.choice(["table", "markdown", "jsonl", "atom"]), *state],
        ["check", *state],
    ):
        if failure := _run(["filter", *command], folder):
            return failure
    return None


def state(draw: random.Random, folder: Path) -> str | None:
    """A filter whose file is damaged, in its bytes or in one cell of its tables."""
    here = ["--state", "my.filter"]
    (folder / "feed.xml").write_text(_FEED)
    for command in (
        ["init", *here],
        ["profile", "add", "garden", "flowers and soil", *here],
        ["ingest", "feed.xml", *here],
        ["feedback", "garden", "g1", "relevant", *here],
    ):
        sandbox.run(["filter", *command], folder)
    path = folder / "my.filter"
    if draw.random() < 0.3:
        path.write_bytes(mutated(path.read_bytes(), draw))
    else:
        _damage_cell(path, draw)
    commands = [
        *(["check"], ["stats"], ["deliveries"], ["rebuild"], ["export"], ["profile", "list"]),
        *(
            ["explain", "garden", "g1"],
            ["forget", "document", "g1"],
            ["ingest", "feed.xml"],
            ["curve", "garden"],
        ),
    ]
    for command in draw.sample(commands, 3):
        if failure := _run(["filter", *command, *here], folder):
            return failure
    return None


def options(draw: random.Random, folder: Path) -> str | None:
    """Numbers that no user means, where numbers are asked for."""
    collection = random_files.random_collection(draw)
    qrels = random_files.write(folder, "q", "trec", "", random_files.rows_of(collection.qrels), "qrels")
    runs = [
        random_files.write(folder, name, "trec", "", random_files.rows_of(nested), "run")
        for name, nested in zip("ab", collection.runs, strict=True)
    ]
    files = [str(qrels), *map(str, runs)]
    extreme = draw.choice(_EXTREMES)
    topic = next(iter(collection.qrels))
    choices = [
        ["evaluate", *files, draw.choice(["--rel", "--depth", "--places", "--threads"]), extreme],
        ["evaluate", *files, "-m", f"{draw.choice(['nDCG', 'P', 'AP', 'RBP', 'ERR'])}@{extreme}"],
        ["evaluate", *files, "-m", f"RBP(p={extreme})"],
        [
            "compare",
            *files,
            draw.choice(["--alpha", "--power", "--flips", "--resamples", "--seed", "--to"]),
            extreme,
        ],
        ["curve", *files, draw.choice(["--to", "--depth"]), extreme],
        ["explain", *files[:2], "--topic", topic, "-m", f"nDCG@{extreme}"],
        ["gate", *files, "--margin", extreme],
        ["correlate", *files[1:], draw.choice(["-p", "--depth"]), extreme],
    ]
    return _run(draw.choice(choices), folder)


KINDS: dict[str, Callable[[random.Random, Path], str | None]] = {
    "equal": equal,
    "damaged": damaged,
    "by_aspect": by_aspect,
    "feed": feed,
    "state": state,
    "options": options,
}


def _run(arguments: list[str], folder: Path) -> str | None:
    outcome = sandbox.run(arguments, folder)
    failure = sandbox.fault(outcome, GATE if arguments[0] == "gate" else FINE)
    return failure and f"{failure}: gainful {' '.join(arguments)}\n{outcome.messages[-600:]}"


def _scores(arguments: list[str], folder: Path) -> dict[str, dict[str, float]] | str:
    """The scores of each topic; or what went wrong."""
    outcome = sandbox.run([*arguments, "-q", "-f", "json"], folder)
    if outcome.code != 0:
        return f"exit code {outcome.code}: gainful {' '.join(arguments)}\n{outcome.messages[-600:]}"
    return json.loads(outcome.output)["runs"][0]["per_topic"]  # type: ignore[no-any-return]


def _scores_of_dicts(
    qrels: Nested, run: Nested, measures: str, folder: Path
) -> dict[str, dict[str, float]] | str:
    def task() -> int:
        import gainful

        scores = gainful.evaluate(qrels, run, measures)
        json.dump(scores.per_topic, sys.stdout)
        return 0

    outcome = sandbox.call(task, folder)
    if outcome.code != 0:
        return f"exit code {outcome.code} of gainful.evaluate\n{outcome.messages[-600:]}"
    return json.loads(outcome.output)  # type: ignore[no-any-return]


def _other_layout(draw: random.Random, folder: Path, collection: Collection) -> list[str]:
    paths = []
    for name, nested, kind in (("q2", collection.qrels, "qrels"), ("a2", collection.runs[0], "run")):
        rows = random_files.rows_of(nested, draw)
        layout, suffix = draw.choice(LAYOUTS), draw.choice(SUFFIXES)
        paths.append(str(random_files.write(folder, name, layout, suffix, rows, kind)))
    return paths


def _in_parts(draw: random.Random, folder: Path, qrels: Path, run: Nested) -> list[str]:
    parts = folder / "parts"
    parts.mkdir()
    rows = random_files.rows_of(run, draw)
    layout, cut = draw.choice(LAYOUTS[:4]), draw.randint(1, len(rows))
    for number, part in enumerate((rows[:cut], rows[cut:])):
        if part:
            random_files.write(parts, str(number), layout, "", part, "run")
    return [str(qrels), str(parts)]


def _renamed(folder: Path, collection: Collection) -> list[str]:
    qrels, run = random_files.renamed(collection.qrels), random_files.renamed(collection.runs[0])
    return [
        str(random_files.write(folder, "q3", "trec", "", random_files.rows_of(qrels), "qrels")),
        str(random_files.write(folder, "a3", "trec", "", random_files.rows_of(run), "run")),
    ]


def _damage_cell(path: Path, draw: random.Random) -> None:
    values = [
        None,
        "x",
        "",
        -1,
        0,
        2**62,
        1e300,
        float("inf"),
        b"\x00\xff",
        b"",
        "2026-99-99",
        '{"a":1}',
        3.5,
    ]
    with sqlite3.connect(path) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        table = draw.choice(sorted(tables))
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column = draw.choice(columns)
        connection.execute("PRAGMA ignore_check_constraints = 1")
        try:
            if draw.random() < 0.2:
                connection.execute(f"DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table} LIMIT 1)")
            else:
                connection.execute(
                    f"UPDATE {table} SET {column} = ? WHERE rowid IN (SELECT rowid FROM {table} ORDER BY random() LIMIT 1)"
                    if draw.random() < 0.5
                    else f"UPDATE {table} SET {column} = ?",
                    (draw.choice(values),),
                )
        except sqlite3.Error:  # a constraint that the file itself keeps
            connection.rollback()
    connection.close()
