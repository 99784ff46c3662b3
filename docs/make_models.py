"""How intervals hold that rest on people's judgments and models' labels: simulated on judged collections.

    python docs/make_models.py [--data FOLDER] [--draws N] [--documents N] [--gates N] [--only TABLE ...]

Everything is judged by people in these collections, so that the truth is known. Each draw lets people judge 30 % of the
topics, or as many documents drawn by chance over all topics (`make_models_documents.py`), and the models label everything.
Printed for each collection and model, over all pairs of systems, for nDCG@10 (topics), and for DCG@10 and nDCG@10 (documents):

topics like these   coverage of 95 % intervals with topics drawn with replacement, and their median width as a share of that by
                    people alone, from 30 % of the topics
least               the width if it were known from all topics what the labels are worth; for topics like these
in sum              by documents, the sum of widths in place of their median
means               by documents, the coverage of each system's mean, for topics like these
these topics        coverage and width where only the 30 % that people judge are left to chance
none                share of the pairs that get no interval

A third table counts, for the best model and shares of topics judged by people, how the pairs of the last collection are decided
at alpha 0.05, for topics like these: right (for the system that is better under all judgments), wrong, or not at all; and
how often two systems are called different that are equally good, because on each topic their names were exchanged at random.

A fourth counts how often, at alpha 0.05, the gate decides wrongly on a candidate that is worse by just the margin, and the
comparison on two systems that are equally good: the names of a pair are exchanged at random on each topic.

"permuted" are the labels of the best model exchanged at random within each topic, "inverted" the best model's labels turned
round, "all of gpt4o" the labels of all its prompts together, as several models, "all judges" those of every real one.

The tables replace the parts of docs/models.md between the marks.
"""

from __future__ import annotations

import argparse
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from make_models_documents import ALL, DEPTH, by_documents

import gainful
from gainful.formats import Run, read_qrels
from gainful.presentation.table import Table
from gainful.statistics import prediction_powered, stats
from gainful.statistics.intervals import t_interval

HERE = Path(__file__).parent
COLLECTIONS = ("dl19_passage", "dl20_passage", "dl21_passage")
BEST, SHARE = "gpt4o_umbrela", 0.3
EVERY = "all judges"
ALPHA = 0.05
_COVERAGE = ["like these: coverage", "width", "these: coverage", "width", "none"]
HEADS = {
    "topics": (2, ["collection", "labels", *_COVERAGE[:2], "least", *_COVERAGE[2:]]),
    "documents": (3, ["collection", "measure", "labels", *_COVERAGE[:2], "in sum", "means", *_COVERAGE[2:]]),
    "decisions": (
        1,
        [
            "topics by people",
            "right",
            "wrong",
            "open",
            "right, both",
            "wrong",
            "open",
            "equal, called different",
        ],
    ),
    "gate": (2, ["collection", "labels", "topics by people", "passed", "failed", "called different"]),
}
"""Of each table, how many columns are names, and the heads of all."""
Labels = dict[str, dict[str, float]]


class Collection:
    """Judgments, labels and runs of a collection, and the value of every run under each."""

    def __init__(self, folder: Path, unpacked: Path, seed: int) -> None:
        self.name = folder.name
        self.people = read_qrels(str(next(folder.glob("qrels.human*")))).to_dict()
        for archive in ("llm.tar.xz", "runs.tar.xz"):
            with tarfile.open(folder / archive) as packed:
                packed.extractall(unpacked, filter="data")
        self.runs = [Run(str(path)).in_memory() for path in sorted((unpacked / "runs").iterdir())]
        self.tops = [first_ranks(run.to_dict()) for run in self.runs]
        self.labels = {
            path.name.removesuffix(".qrels"): read_qrels(str(path)).to_dict()
            for path in sorted((unpacked / "llm").iterdir())
        }
        self.labels = {
            name: labels for name, labels in self.labels.items() if labels.keys() >= self.people.keys()
        }
        self.labels |= {
            "permuted": permuted(self.labels[BEST], seed),
            "inverted": inverted(self.labels[BEST]),
        }

    @property
    def several(self) -> dict[str, list[str]]:
        """Models that are used together."""
        real = [name for name in self.labels if name not in ("permuted", "inverted")]
        return {ALL: [name for name in real if name.startswith("gpt4o")], EVERY: real}

    def by_model(self, name: str) -> np.ndarray:
        """Runs × topics, by the labels of a model."""
        return self.values(self.as_grades(name), f"nDCG@{DEPTH}")

    def as_grades(self, name: str) -> Labels:
        """The labels of a model; those on another scale than people's are read as grades."""
        people = gainful.judgments(self.people, models=self.labels[name])
        return people.models[0].as_grades(people).to_dict()

    def values(self, qrels: Labels, measure: str) -> np.ndarray:
        """Runs × topics."""
        scores = gainful.evaluate(qrels, self.runs, measure, topics=list(self.people))
        return np.stack([run.values[0] for run in scores.runs])


def first_ranks(run: Labels) -> dict[str, dict[str, int]]:
    """The rank of each document that stands above the cutoff."""
    return {
        topic: {
            document: rank
            for rank, (_, document) in enumerate(
                sorted(((score, document) for document, score in scores.items()), reverse=True)[:DEPTH], 1
            )
        }
        for topic, scores in run.items()
    }


def permuted(labels: Labels, seed: int) -> Labels:
    """The labels of each topic exchanged among its documents."""
    random = np.random.default_rng(seed)
    return {
        topic: dict(zip(of_topic, random.permutation(list(of_topic.values())).tolist(), strict=True))
        for topic, of_topic in labels.items()
    }


def inverted(labels: Labels) -> Labels:
    """The best label for the worst."""
    top = max(max(of_topic.values()) for of_topic in labels.values())
    return {
        topic: {document: top - label for document, label in of_topic.items()}
        for topic, of_topic in labels.items()
    }


class Tally:
    """Coverage, widths and refusals, over draws and pairs."""

    def __init__(self) -> None:
        self.held: list[np.ndarray] = []
        self.widths: list[np.ndarray] = []
        self.none: list[float] = []

    def add(self, low: np.ndarray, high: np.ndarray, truth: np.ndarray, alone: np.ndarray) -> None:
        """One draw: intervals of pairs, what they should hold, and the widths by people alone."""
        given = ~np.isnan(low)
        self.none.append(1 - float(given.mean()))
        self.held.append(((low <= truth) & (truth <= high))[given])
        self.widths.append(((high - low) / alone)[given].astype(np.float32))

    def merge(self, other: Tally) -> None:
        """Add the draws of another collection."""
        self.held += other.held
        self.widths += other.widths
        self.none += other.none

    @property
    def cells(self) -> list[str]:
        """Coverage and median width; dashes where no interval was given."""
        held = np.concatenate(self.held)
        if not len(held):
            return ["–", "–"]
        return [f"{held.mean():.3f}", f"{np.median(np.concatenate(self.widths)):.2f}"]


Tallies = dict[str, tuple[Tally, Tally]]


def by_topics(collection: Collection, draws: int, seed: int, together: Tallies) -> Iterator[list[str]]:
    """A row for each model, and one for people alone; the draws of all collections are put together, too."""
    people = collection.values(collection.people, f"nDCG@{DEPTH}")
    first, second = np.triu_indices(len(people), 1)
    truly = people[second] - people[first]
    differ = np.ptp(truly, axis=1) > 0
    truly, first, second = truly[differ], first[differ], second[differ]
    size, judged = people.shape[1], round(SHARE * people.shape[1])
    several = collection.several
    for name in ("people alone", *collection.labels, *several):
        random = np.random.default_rng(seed)
        chosen = several.get(name, [name] if name in collection.labels else [])
        said = [collection.by_model(each) for each in chosen]
        said = said or [np.zeros_like(people)]
        predicted = np.array([values[second] - values[first] for values in said])
        like, these = Tally(), Tally()
        for _ in range(draws):
            for tally, order, powered in (
                (like, random.integers(0, size, size), prediction_powered.over_topics),
                (these, random.permutation(size), prediction_powered.of_these_topics),
            ):
                ours, others = order[:judged], order[judged:]
                model, elsewhere = prediction_powered.combined(
                    truly[:, ours], predicted[:, :, ours], predicted[:, :, others]
                )
                means = powered(truly[:, ours], model, elsewhere, independent=len(people) - 1)
                low, high = t_interval(truly[:, ours], 0.95)
                alone = (high - low) * (1 if tally is like else np.sqrt(1 - judged / size))
                seen = alone > 0
                ends = [end[seen] for end in means.interval(0.95)]
                tally.add(*ends, truly.mean(axis=1)[seen], alone[seen])
        least = f"{least_width(truly, predicted, judged):.2f}"
        row = [collection.name, name, *like.cells, least, *these.cells]
        yield [*row, f"{100 * np.mean(like.none):.1f} %"]
        for whole, part in zip(together.setdefault(name, (Tally(), Tally())), (like, these), strict=True):
            whole.merge(part)


def least_width(truly: np.ndarray, predicted: np.ndarray, judged: int) -> float:
    """The median width, as a share of that by people alone, if it were known from all topics what the labels are worth.

    Models are put together by the weights that predict the differences of all pairs in all topics best.
    """
    size = truly.shape[1]
    y = truly - truly.mean(axis=1, keepdims=True)
    models = predicted - predicted.mean(axis=2, keepdims=True)
    weights = np.linalg.lstsq(models.reshape(len(models), -1).T, y.ravel())[0]
    f = (1 - judged / size) * np.tensordot(weights, models, 1)
    squares = ((y - f) ** 2).sum(axis=1) / judged + (f**2).sum(axis=1) / (size - judged)
    return float(np.median(np.sqrt(squares / ((y**2).sum(axis=1) / judged))))


SHARES = (0.15, 0.2, 0.3, 0.5, 0.75)


def decisions(collection: Collection, draws: int, seed: int) -> Iterator[list[str]]:
    """A row for each share of topics that people judge: decided right, wrong and not at all, by people alone and with a model."""
    people = collection.values(collection.people, f"nDCG@{DEPTH}")
    said = collection.by_model(BEST)
    first, second = np.triu_indices(len(people), 1)
    truly, predicted = people[second] - people[first], said[second] - said[first]
    better = np.sign(truly.mean(axis=1))
    size, random = people.shape[1], np.random.default_rng(seed)
    for share in SHARES:
        judged = round(share * size)
        counts: dict[str, list[np.ndarray]] = {"alone": [], "both": [], "equal": []}
        for _ in range(draws):
            order = random.integers(0, size, size)
            exchanged = random.choice([-1.0, 1.0], size)
            for name, model, sign in (("alone", 0.0, 1.0), ("both", 1.0, 1.0), ("equal", 1.0, exchanged)):
                y, f = truly[:, order] * sign, model * predicted[:, order] * sign
                means = prediction_powered.over_topics(
                    y[:, :judged], f[:, :judged], f[:, judged:], independent=len(people) - 1
                )
                found = np.nan_to_num(means.p_values(), nan=1.0) <= 0.05
                counts[name].append(np.where(found, np.sign(means.estimate), 0.0))
        cells = []
        for name in ("alone", "both"):
            side = np.array(counts[name]) * better
            cells += [f"{100 * (side == value).mean():.1f} %" for value in (1, -1, 0)]
        yield [f"{judged} of {size}", *cells, f"{100 * (np.array(counts['equal']) != 0).mean():.1f} %"]


def gates(collection: Collection, draws: int, seed: int) -> Iterator[list[str]]:
    """A row for each of some models: how often the gate passes, and fails, a candidate that is worse by just the margin, and how
    often the comparison calls two systems different that are equally good.

    A margin that is taken off all differences and allowed by the gate changes nothing, and is left out.
    """
    people = collection.values(collection.people, f"nDCG@{DEPTH}")
    size = people.shape[1]
    judged = round(SHARE * size)
    for name in ("people alone", BEST, "llama3.2_umbrela_pass1", "permuted"):
        random = np.random.default_rng(seed)
        said = collection.by_model(name) if name in collection.labels else np.zeros_like(people)
        passed = failed = called = decided = 0
        for _ in range(draws):
            a, b = random.choice(len(people), 2, replace=False)
            order, exchanged = random.integers(0, size, size), random.choice([-1.0, 1.0], size)
            y, f = ((values[b] - values[a])[order] * exchanged for values in (people, said))
            means = prediction_powered.over_topics(y[None, :judged], f[None, :judged], f[None, judged:])
            (gained,) = means.each()  # as the gate and the comparison of one pair have it
            if not gained.error > 0:
                continue
            decided += 1
            passed += gained.p_above(0.0) <= ALPHA  # less the margin, which is taken off again
            failed += gained.p_below(0.0) <= ALPHA
            called += means.p_values()[0] <= ALPHA
        shares = [f"{100 * number / decided:.1f} %" for number in (passed, failed, called)]
        yield [collection.name, name, f"{judged} of {size}", *shares]


def replaced(path: Path, name: str, content: str) -> None:
    """Put a table between the marks of that name."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    text = path.read_text()
    before, rest = text.split(begin)
    path.write_text(f"{before}{begin}\n{content.rstrip()}\n{end}{rest.split(end)[1]}")


def main() -> None:
    """Simulate all collections and write the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="../shared/data/judging", type=Path)
    parser.add_argument("--draws", default=1000, type=int)
    parser.add_argument("--documents", default=2000, type=int)
    parser.add_argument("--gates", default=10_000, type=int)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--only", nargs="*", default=list(HEADS), choices=list(HEADS))
    asked = parser.parse_args()
    stats()
    together: Tallies = {}
    rows: dict[str, list[list[str]]] = {name: [] for name in asked.only}
    for name in COLLECTIONS:
        with tempfile.TemporaryDirectory() as unpacked:
            collection = Collection(asked.data / name, Path(unpacked), asked.seed)
        made = {
            "topics": lambda one: by_topics(one, asked.draws, asked.seed, together),
            "documents": lambda one: by_documents(one, Tally, SHARE, asked.documents, asked.seed),
            "decisions": lambda one: decisions(one, asked.draws, asked.seed),
            "gate": lambda one: gates(one, asked.gates, asked.seed),
        }
        for table in asked.only:
            if table != "decisions" or name == COLLECTIONS[-1]:
                rows[table] += list(made[table](collection))
    if "topics" in rows:
        rows["topics"] += [
            ["all three", name, *like.cells, "", *these.cells, f"{100 * np.mean(like.none):.1f} %"]
            for name, (like, these) in together.items()
            if sum(row[1] == name for row in rows["topics"]) == len(COLLECTIONS)
        ]
    for table in asked.only:
        names, heads = HEADS[table]
        replaced(HERE / "models.md", table, Table(heads, rows[table], names=names).markdown())


if __name__ == "__main__":
    main()
