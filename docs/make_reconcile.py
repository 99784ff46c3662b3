"""The figures of docs/reconcile.md anew: how often reconcile names the tool that printed a number, and how long it takes.

A case is a random collection (ties, missing topics, copies, topics' own ids, topics with nothing relevant, short lists), a
random dialect and a random measure of it: `gainful.evaluate(…, dialect=…)` gives the number, four digits of it are shown
under our name of the measure, and reconcile has to name the dialect, or one that gives the same number on every topic.
"""

from __future__ import annotations

import math
import random
import sys
import time
from pathlib import Path
from typing import Any

import gainful
from gainful.dialects import Dialect, every
from gainful.errors import GainfulError
from gainful.measures import Measure

HERE = Path(__file__).parent
MARK = "<!-- made by docs/make_reconcile.py -->"
DIGITS = 4
CASES = 500
SEED = 21

Collection = tuple[dict[str, dict[str, int]], list[tuple[str, str, float]]]


def collection(rng: random.Random, topics: int | None = None, depth: int | None = None) -> Collection:
    """Judgments and the rows of a run; what may go wrong in such data is there in some of them."""
    grades = rng.choice(((0, 1), (0, 1, 2), (0, 1, 2, 3)))
    tied, missing, copies, own, empty, close = (
        rng.random() < chance for chance in (0.6, 0.3, 0.15, 0.25, 0.4, 0.15)
    )
    qrels: dict[str, dict[str, int]] = {}
    rows: list[tuple[str, str, float]] = []
    for number in range(topics or rng.randint(15, 50)):
        topic = f"q{number}"
        length = depth or rng.randint(3, 40)
        documents = [f"d{place:04d}" for place in rng.sample(range(9999), length + 10)]
        if own and rng.random() < 0.5:
            documents[rng.randrange(3)] = topic
        barren = empty and rng.random() < 0.15
        judged = rng.sample(documents, rng.randint(3, min(25, len(documents))))
        qrels[topic] = {document: 0 if barren else rng.choice(grades) for document in judged}
        if missing and number and rng.random() < 0.1:
            continue
        rows += _ranked(rng, topic, documents[:length], tied=tied, copies=copies, close=close)
    return qrels, rows


def _ranked(
    rng: random.Random, topic: str, documents: list[str], *, tied: bool, copies: bool, close: bool
) -> list[tuple[str, str, float]]:
    scores = [rng.random() * 5 for _ in documents]
    if tied:
        scores = [round(score, rng.choice((0, 1))) for score in scores]
    if close:
        scores[1:3] = [scores[0] + 1e-9, scores[0] - 1e-9][: len(scores) - 1]
    rows = [(topic, document, score) for document, score in zip(documents, scores, strict=True)]
    if copies:
        rows += [
            (topic, document, score - 0.5) for topic, document, score in rng.sample(rows, min(2, len(rows)))
        ]
    return rows


def printed(rng: random.Random, dialect: Dialect, data: Collection) -> tuple[str, float] | None:
    """A measure by the name that we have for it, and the number of the dialect; nothing where it declines."""
    spelled = rng.choice(list(dialect.measures))
    cutoff = rng.choice(("3", "5", "10", "20"))
    column = spelled.at(cutoff)
    cuts = any("{k}" in each.name for each in dialect.measures)
    depth = {} if cuts or rng.random() < 0.5 else {"depth": int(cutoff)}
    try:
        (value,) = gainful.evaluate(*data, [column.name], dialect=dialect, **depth).mean.values()
    except GainfulError:
        return None
    if math.isnan(value):
        return None
    return plain_name(column.measure, depth.get("depth"), whole="{k}" not in spelled.name), value


def plain_name(measure: Measure, depth: int | None, *, whole: bool) -> str:
    """What we call a measure, whatever its conventions are."""
    name = {"SetP": "P", "SetR": "R"}.get(measure.name, measure.name) if depth else measure.name
    name += "(summary=geometric)" if measure.summary == "geometric" else ""
    if measure.name in ("IPrec", "NCU", "SDCG", "NERR8", "IPrecAvg"):
        return str(measure)
    optional = not measure.definition.parameters["cutoff"].needed if "cutoff" in measure.params else True
    cutoff = depth or (None if whole and optional else measure.cutoff)
    return name if cutoff is None else f"{name}@{cutoff}"


def named(dialect: Dialect, data: Collection, values: dict[str, float]) -> bool:
    """Whether the first answer is the dialect, or one that gives the same number on every topic."""
    shown = {name: f"{value:.{DIGITS}f}" for name, value in values.items()}
    answers = gainful.reconcile(*data, shown, show=1).answers
    return bool(answers) and dialect.title in (answers[0].title, *answers[0].same)


def cases(seed: int, count: int, values: int) -> list[tuple[Dialect, Collection, dict[str, float]]]:
    """Random cases, each with so many values of one dialect."""
    rng, found = random.Random(seed), []
    dialects = [dialect for dialect in every() if len(dialect.measures) >= values]
    while len(found) < count:
        data, dialect = collection(rng), rng.choice(dialects)
        told: dict[str, float] = {}
        for _ in range(8):
            claim = printed(rng, dialect, data)
            if claim is not None and len(told) < values:
                told.setdefault(*claim)
        if len(told) == values:
            found.append((dialect, data, told))
    return found


def share(seed: int, count: int, values: int) -> tuple[int, list[str]]:
    """How many of the cases are named right, and which are not."""
    right, wrong = 0, []
    for dialect, data, told in cases(seed, count, values):
        if named(dialect, data, told):
            right += 1
        else:
            wrong.append(f"{dialect.title} {told}")
    return right, wrong


def seconds() -> tuple[float, int]:
    """Processor time for 50 topics of 1,000 documents with every peculiarity in them, and how many combinations were tried."""
    rng = random.Random(SEED)
    qrels: dict[str, dict[str, int]] = {}
    rows = []
    for number in range(50):
        topic = f"q{number}"
        documents = [topic, *(f"d{place:05d}" for place in rng.sample(range(99999), 1100))]
        qrels[topic] = {
            document: 0 if number == 7 else rng.choice((0, 0, 1, 2, 3))
            for document in rng.sample(documents, 200)
        }
        if number != 9:
            rows += _ranked(rng, topic, documents[:1000], tied=True, copies=True, close=True)
    begun = time.process_time()
    answer = gainful.reconcile(qrels, rows, {"nDCG@10": "0.1234"})
    return time.process_time() - begun, answer.sources[0].search.tried


def figures() -> dict[str, Any]:
    """Everything that the page states."""
    one, wrong_one = share(SEED, CASES, 1)
    three, wrong_three = share(SEED + 1, CASES, 3)
    took, tried = seconds()
    sys.stderr.write("\n".join([*wrong_one, "", *wrong_three, ""]))
    return {"one": one, "three": three, "seconds": took, "tried": tried}


def table() -> str:
    """The figures in Markdown."""
    found = figures()
    return "\n".join(
        [
            "| what | measured |",
            "|---|---|",
            f"| one value of four digits: the tool is the first answer | {found['one']} of {CASES} |",
            f"| three values of four digits | {found['three']} of {CASES} |",
            f"| 50 topics of 1,000 documents, {found['tried']:,} combinations | {found['seconds']:.1f} s of processor time |",
        ]
    )


def main() -> None:
    """Write the figures between their marks."""
    page = HERE / "reconcile.md"
    before, _, after = page.read_text("utf-8").split(MARK)
    page.write_text(f"{before}{MARK}\n{table()}\n{MARK}{after}", "utf-8")


if __name__ == "__main__":
    main()
