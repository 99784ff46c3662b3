"""Kinds of cases: each draws a case, runs it, and says what is wrong with the answer."""

from __future__ import annotations

import importlib
import json
import pkgutil
import random
import sys
from collections.abc import Callable
from pathlib import Path

import gainful
from gainful.errors import DataError
from tests.fuzz import filter_cases, random_files, sandbox
from tests.fuzz.mutations import mutated
from tests.fuzz.random_files import FOR_ANY_ID, LAYOUTS, SUFFIXES, Collection, Nested
from tests.fuzz.sandbox import failure_of

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


def warm_up() -> None:
    """Import what commands import, once, so that a child has only its own work to do."""
    for name in ("pyarrow.parquet", "feedparser", "Stemmer", "scipy.stats"):
        importlib.import_module(name)
    others = ("gainful.spark", "gainful.batch", "gainful.integrations", "gainful.__main__")
    for module in pkgutil.walk_packages(gainful.__path__, "gainful."):
        if not module.name.startswith(others):
            importlib.import_module(module.name)


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


def any_id(draw: random.Random, folder: Path) -> str | None:
    """Ids with blanks and ends of lines, in every layout that can hold them: the scores of the dict."""
    collection = random_files.random_collection(draw, blanks=True)
    run = collection.runs[0]
    measures = ",".join(draw.sample(_MEASURES, 4))
    expected = _scores_of_dicts(collection.qrels, run, measures, folder)
    if isinstance(expected, str):
        return expected
    paths = _other_layout(draw, folder, collection, FOR_ANY_ID)
    got = _scores(["evaluate", *paths, "-m", measures], folder)
    if isinstance(got, str):
        return got
    return None if got == expected else f"{paths}: other scores: {got} where {expected} was expected"


def missing_id(draw: random.Random, folder: Path) -> str | None:
    """One id is empty, in the judgments or in the run, in every layout that can hold it: refused as bad data."""
    collection = random_files.random_collection(draw)
    nested = {"qrels": collection.qrels, "run": collection.runs[0]}
    rows = {name: random_files.rows_of(nested[name], draw) for name in nested}
    victim, layout, suffix = draw.choice(list(nested)), draw.choice(FOR_ANY_ID), draw.choice(SUFFIXES)
    place = draw.randrange(len(rows[victim]))
    topic, document, value = rows[victim][place]
    rows[victim][place] = draw.choice([("", document, value), (topic, "", value)])
    files = [random_files.write(folder, name, layout, suffix, rows[name], name) for name in nested]
    outcome = sandbox.run(["evaluate", *map(str, files)], folder)
    if outcome.code == DataError.exit_code and " is missing" in outcome.messages:
        return None
    return f"{victim} as {layout}, row {place + 1} without an id: exit code {outcome.code}\n{outcome.messages[-600:]}"


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
    if draw.random() < 0.03:  # the slowest
        return failure_of(["report", qrels, first, second, "-f", draw.choice(["text", "json"])], folder)
    return failure_of(draw.choice(commands), folder)


def labelled(draw: random.Random, folder: Path) -> str | None:
    """A model's labels on some scale, for some of the documents, audited; one of the files may be damaged."""
    collection = random_files.random_collection(draw)
    scale = draw.choice([[0, 1, 2, 3], [0, 1], [0, 1, 2, 3, 4, 5], [0.1, 0.25, 0.9], [2], [-1, 0, 7]])
    labels = {
        topic: {document: draw.choice(scale) for document in row if draw.random() < 0.9}
        for topic, row in collection.qrels.items()
    }
    kept = set(draw.sample(list(collection.qrels), draw.randint(1, len(collection.qrels))))
    people = {topic: row for topic, row in collection.qrels.items() if topic in kept}
    nested = [("q", people, "qrels"), ("m", labels, "qrels")]
    nested += [("a", collection.runs[0], "run"), ("b", collection.runs[1], "run")]
    paths = [
        random_files.write(
            folder, name, draw.choice(LAYOUTS), draw.choice(SUFFIXES), random_files.rows_of(rows, draw), kind
        )
        for name, rows, kind in nested
    ]
    if draw.random() < 0.5:
        victim = draw.choice(paths)
        victim.write_bytes(mutated(victim.read_bytes(), draw))
    files = [str(path) for path in paths]
    more = draw.choice(
        [[], ["-f", "json", "--decide"], ["-f", "csv", "--width", "0.2"], ["-f", "markdown", "--common"]]
    )
    runs = files[2:] if more or draw.random() < 0.8 else []
    measures = ["-m", draw.choice(_MEASURES)] if runs else []
    return failure_of(["audit", *files[:2], *runs, *measures, "--resamples", "20", *more], folder)


def by_aspect(draw: random.Random, folder: Path) -> str | None:
    """Judgments by subtopic or judge, or preferences, damaged; as JSON lines or TREC text."""
    collection = random_files.random_collection(draw)
    by = draw.choice(["subtopics", "judges", "preferences"])
    column = "subtopic" if by == "subtopics" else "judge"
    records = [
        {"topic": topic, column: str(draw.randint(1, 3)), "document": document, "grade": int(grade)}
        for topic, document, grade in random_files.rows_of(collection.qrels, draw)
    ]
    lines = (
        [json.dumps(record) for record in records]
        if draw.random() < 0.5
        else [" ".join(map(str, record.values())) for record in records]
    )
    qrels = folder / "q"
    qrels.write_bytes(mutated("".join(line + "\n" for line in lines).encode(), draw))
    run = random_files.write(folder, "a", "trec", "", random_files.rows_of(collection.runs[0]), "run")
    measures = "Prefs,PairPrefs,JudgePrefs" if by == "preferences" else "alpha_nDCG@10,P_IA@5"
    return failure_of(["evaluate", str(qrels), str(run), "--qrels-by", by, "-m", measures], folder)


def tables(draw: random.Random, folder: Path) -> str | None:
    """Tables of scores, damaged: compared, and their orders of systems correlated."""
    topics = [f"t{number}" for number in range(draw.randint(1, 8))]
    systems = ["bm25", 'de"nse', "a,b"][: draw.randint(2, 3)]
    values = [(system, topic, round(draw.random(), 3)) for system in systems for topic in topics]
    wide = [["topic", *systems], *([t, *(v for _, at, v in values if at == t)] for t in topics)]
    rows = wide if draw.random() < 0.5 else [["system", "topic", "score"], *values]
    content = random_files.lines_of_csv(rows, draw.choice([",", "\t", ";"]))
    intact, broken = folder / "intact.csv", folder / "broken.csv"
    intact.write_bytes(content)
    broken.write_bytes(mutated(content, draw))
    view = draw.choice(["pairs", "leaderboard", "components", "topics"])
    commands = [
        [
            "compare",
            str(broken),
            "--view",
            view,
            "--flips",
            "1000",
            "-f",
            draw.choice(["table", "json", "latex"]),
        ],
        [
            "compare",
            str(intact),
            "--view",
            view,
            "--flips",
            "1000",
            "--correction",
            draw.choice(["max-t", "tukey"]),
        ],
        [
            *("compare", str(broken), "--paper", "--flips", "1000"),
            *("-f", draw.choice(["latex", "markdown", "html"]), *draw.choice([["--letters"], []])),
        ],
        ["correlate", str(intact), str(broken)],
    ]
    return failure_of(draw.choice(commands), folder)


def beside(draw: random.Random, folder: Path) -> str | None:
    """Files that stand beside the judgments, damaged: what was known and expected, groups and weights of topics."""
    collection = random_files.random_collection(draw)
    files = random_files.write_plain(folder, collection)
    blank = draw.choice([" ", "\t"])
    words: dict[str, Callable[[str], str]] = {
        "--known": lambda topic: draw.choice(list(collection.qrels[topic])),
        "--expected": lambda _: str(draw.randint(0, 4)),
        "--groups": lambda _: draw.choice(["short", "long", "é"]),
        "--weights": lambda _: str(draw.choice([0, 1, 2.5, 1e-9, 1e300])),
        "--topics": lambda _: "",
    }
    option = draw.choice(list(words))
    content = "".join(f"{topic}{blank}{words[option](topic)}\n" for topic in collection.qrels)
    path = folder / "beside.txt"
    path.write_bytes(mutated(content.encode(), draw) if draw.random() < 0.8 else content.encode())
    of_users = ["evaluate", *files, "-m", "Coverage,Novelty,RelRecall,RecallEffort"]
    of_topics = ["compare", *files, "--flips", "1000", "-f", draw.choice(["table", "json"])]
    return failure_of(
        [*(of_users if option in ("--known", "--expected") else of_topics), option, str(path)], folder
    )


def texts(draw: random.Random, folder: Path) -> str | None:
    """Texts of queries and documents in every format, damaged."""
    collection = random_files.random_collection(draw)
    files = random_files.write_plain(folder, collection)
    topics, documents = list(collection.qrels), [d for docs in collection.qrels.values() for d in docs]
    word = draw.choice(["red shoes", 'a "b", c', "中文 " * 30, "\x1b[2J", "<b>&amp;", ""])
    tagged = "".join(f"<top>\n<num> Number: {topic}\n<title> {word}\n</top>\n" for topic in topics)
    queries = {
        "tsv": "".join(f"{topic}\t{word}\n" for topic in topics).encode(),
        "csv": random_files.lines_of_csv([("id", "text"), *((topic, word) for topic in topics)]),
        "jsonl": "".join(json.dumps({"_id": topic, "text": word}) + "\n" for topic in topics).encode(),
        "trec": tagged.encode(),
    }
    titles = "".join(json.dumps({"id": name, "title": word}) + "\n" for name in documents).encode()
    form = draw.choice(list(queries))
    content = {"queries": queries[form], "documents": titles}
    broken = draw.choice(list(content))
    content[broken] = mutated(content[broken], draw)
    given = []
    for name, raw in content.items():
        path = folder / f"{name}.{form if name == 'queries' else 'jsonl'}"
        path.write_bytes(raw)
        given += [f"--{name}", str(path)]
    qrels, first, second = files
    commands = [
        ["evaluate", *files, "-q", *given[:2]],
        [
            "compare",
            *files,
            "--moved",
            "--flips",
            "1000",
            "-f",
            draw.choice(["table", "markdown", "json"]),
            *given,
        ],
        ["gate", *files, "-m", "RR", "--margin", "0.1", "--flips", "1000", *given[:2]],
        ["explain", qrels, first, "--topic", topics[0], "--compare", second, *given],
        ["curve", qrels, first, "-m", "P", "--topic", topics[0], *given[:2]],
    ]
    return failure_of(draw.choice(commands), folder)


def options(draw: random.Random, folder: Path) -> str | None:
    """Numbers that no user means, where numbers are asked for."""
    collection = random_files.random_collection(draw)
    files = random_files.write_plain(folder, collection)
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
    return failure_of(draw.choice(choices), folder)


KINDS: dict[str, Callable[[random.Random, Path], str | None]] = {
    "equal": equal,
    "damaged": damaged,
    "labelled": labelled,
    "by_aspect": by_aspect,
    "any_id": any_id,
    "missing_id": missing_id,
    "tables": tables,
    "beside": beside,
    "texts": texts,
    "options": options,
    "feed": filter_cases.feed,
    "state": filter_cases.state,
    "simulation": filter_cases.simulation,
}


def _scores(arguments: list[str], folder: Path) -> dict[str, dict[str, float]] | str:
    """The scores of each topic; or what went wrong."""
    outcome = sandbox.run([*arguments, "-q", "-f", "json"], folder)
    if outcome.code != 0:
        return f"exit code {outcome.code}: gainful {' '.join(arguments)}\n{outcome.messages[-600:]}"
    per_topic = json.loads(outcome.output)["runs"][0]["per_topic"]
    # control characters in ids are written \\xNN, in JSON too
    return {
        topic.replace(r"\x09", "\t").replace(r"\x0a", "\n"): values for topic, values in per_topic.items()
    }


def _scores_of_dicts(
    qrels: Nested, run: Nested, measures: str, folder: Path
) -> dict[str, dict[str, float]] | str:
    def task() -> int:
        scores = gainful.evaluate(qrels, run, measures)
        json.dump(scores.per_topic, sys.stdout)
        return 0

    outcome = sandbox.call(task, folder)
    if outcome.code != 0:
        return f"exit code {outcome.code} of gainful.evaluate\n{outcome.messages[-600:]}"
    return json.loads(outcome.output)  # type: ignore[no-any-return]


def _other_layout(
    draw: random.Random, folder: Path, collection: Collection, layouts: tuple[str, ...] = LAYOUTS
) -> list[str]:
    paths = []
    for name, nested, kind in (("q2", collection.qrels, "qrels"), ("a2", collection.runs[0], "run")):
        rows = random_files.rows_of(nested, draw)
        layout, suffix = draw.choice(layouts), draw.choice(SUFFIXES)
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
