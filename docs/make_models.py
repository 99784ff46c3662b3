"""How intervals hold that rest on people's judgments and models' labels: simulated on judged collections.

    python docs/make_models.py [--data FOLDER] [--draws N] [--documents N] [--gates N]

Everything is judged by people in these collections, so that the truth is known. Each draw lets people judge 30 % of the
topics, or as many documents drawn by chance over all topics, and the models label everything. Printed for each
collection and model, over all pairs of systems, for nDCG@10 (topics), and for DCG@10 and nDCG@10 (documents):

topics like these   coverage of 95 % intervals with topics drawn with replacement, and their median width as a share of that by
                    people alone, from 30 % of the topics
these topics        coverage and width where only the 30 % that people judge are left to chance
none                share of the pairs that get no interval

A third table counts, for the best model and shares of topics judged by people, how the pairs of the last collection are decided
at alpha 0.05, for topics like these: right (for the system that is better under all judgments), wrong, or not at all; and
how often two systems are called different that are equally good, because on each topic their names were exchanged at random.

A fourth counts how often the gate decides wrongly at alpha 0.05 on a candidate that is worse by just the margin: the names of a
pair are exchanged at random on each topic, which makes it equally good, and the margin is taken off.

"permuted" are the labels of the best model exchanged at random within each topic, "inverted" the best model's labels turned
round, "all of gpt4o" the labels of all its prompts together, as several models.

The tables replace the parts of docs/models.md between the marks.
"""

from __future__ import annotations

import argparse
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import gainful
from gainful.comparisons.design_intervals import scored_table, these_topics
from gainful.comparisons.method import Method
from gainful.formats import Run, read_qrels
from gainful.presentation.table import Table
from gainful.statistics import prediction_powered, stats
from gainful.statistics.intervals import t_interval

HERE = Path(__file__).parent
COLLECTIONS = ("dl19_passage", "dl20_passage", "dl21_passage")
BEST, SHARE, DEPTH = "gpt4o_umbrela", 0.3, 10
ALL = "all of gpt4o"
MARGIN, ALPHA = 0.02, 0.05
BY_DOCUMENTS = (f"DCG@{DEPTH}", f"nDCG@{DEPTH}")
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
        self.lists = [run.to_dict() for run in self.runs]
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

    def values(self, qrels: Labels, measure: str) -> np.ndarray:
        """Runs × topics."""
        scores = gainful.evaluate(qrels, self.runs, measure, topics=list(self.people))
        return np.stack([run.values[0] for run in scores.runs])


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
    """Coverage, widths and refusals, summed over draws and pairs."""

    def __init__(self) -> None:
        self.held: list[float] = []
        self.widths: list[float] = []
        self.none: list[float] = []

    def add(self, low: np.ndarray, high: np.ndarray, truth: np.ndarray, alone: np.ndarray) -> None:
        """One draw: intervals of pairs, what they should hold, and the widths by people alone."""
        given = ~np.isnan(low)
        self.none.append(1 - float(given.mean()))
        if given.any():
            self.held.append(float(((low <= truth) & (truth <= high))[given].mean()))
            self.widths.append(float(np.median(((high - low) / alone)[given])))

    @property
    def cells(self) -> list[str]:
        """Coverage and median width; dashes where no interval was given."""
        if not self.held:
            return ["–", "–"]
        return [f"{np.mean(self.held):.3f}", f"{np.median(self.widths):.2f}"]


def by_topics(collection: Collection, draws: int, seed: int) -> Iterator[list[str]]:
    """A row for each model, and one for people alone."""
    people = collection.values(collection.people, f"nDCG@{DEPTH}")
    first, second = np.triu_indices(len(people), 1)
    truly = people[second] - people[first]
    differ = np.ptp(truly, axis=1) > 0
    truly, first, second = truly[differ], first[differ], second[differ]
    size, judged = people.shape[1], round(SHARE * people.shape[1])
    together = [name for name in collection.labels if name.startswith("gpt4o")]
    for name in ("people alone", *collection.labels, ALL):
        random = np.random.default_rng(seed)
        chosen = together if name == ALL else [name] if name in collection.labels else []
        said = [collection.values(collection.labels[each], f"nDCG@{DEPTH}") for each in chosen]
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
        yield [collection.name, name, *like.cells, *these.cells, f"{100 * np.mean(like.none):.1f} %"]


SHARES = (0.15, 0.2, 0.3, 0.5, 0.75)


def decisions(collection: Collection, draws: int, seed: int) -> Iterator[list[str]]:
    """A row for each share of topics that people judge: decided right, wrong and not at all, by people alone and with a model."""
    people = collection.values(collection.people, f"nDCG@{DEPTH}")
    said = collection.values(collection.labels[BEST], f"nDCG@{DEPTH}")
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
    """A row for each of some models: how often the gate passes, and fails, a candidate that is worse by just the margin."""
    people = collection.values(collection.people, f"nDCG@{DEPTH}")
    size = people.shape[1]
    judged = round(SHARE * size)
    for name in ("people alone", BEST, "llama3.2_umbrela_pass1", "permuted"):
        random = np.random.default_rng(seed)
        said = (
            collection.values(collection.labels[name], f"nDCG@{DEPTH}")
            if name in collection.labels
            else np.zeros_like(people)
        )
        passed = failed = decided = 0
        for _ in range(draws):
            a, b = random.choice(len(people), 2, replace=False)
            order, exchanged = random.integers(0, size, size), random.choice([-1.0, 1.0], size)
            y, f = ((values[b] - values[a])[order] * exchanged for values in (people, said))
            y = y - MARGIN
            means = prediction_powered.over_topics(y[None, :judged], f[None, :judged], f[None, judged:])
            (gained,) = means.each()  # as the gate of one pair has it
            if not gained.error > 0:
                continue
            decided += 1
            passed += gained.p_above(-MARGIN) <= ALPHA
            failed += gained.p_below(-MARGIN) <= ALPHA
        shares = [f"{100 * number / decided:.1f} %" for number in (passed, failed)]
        yield [collection.name, name, f"{judged} of {size}", *shares]


def by_documents(collection: Collection, draws: int, seed: int) -> Iterator[list[str]]:
    """A row for each of some models: as many judgments as 30 % of the topics take, drawn over the documents of all topics."""
    chosen = {"no model": None} | {
        name: collection.labels[name]
        for name in (BEST, "llama3.2_umbrela_pass1", "permuted")
        if name in collection.labels
    }
    people = {measure: collection.values(collection.people, measure) for measure in BY_DOCUMENTS}
    tallies = {(measure, name): (Tally(), Tally()) for measure in BY_DOCUMENTS for name in chosen}
    random = np.random.default_rng(seed)
    for number in range(draws):
        a, b = random.choice(len(people[BY_DOCUMENTS[0]]), 2, replace=False)
        truths = {measure: values[b] - values[a] for measure, values in people.items()}
        if any(np.ptp(truth) == 0 for truth in truths.values()):
            continue
        drawn_again = number % 2 == 0
        size = people[BY_DOCUMENTS[0]].shape[1]
        order = random.integers(0, size, size) if drawn_again else random.permutation(size)
        judged = round(SHARE * size)
        alone = {}
        for measure, truth in truths.items():
            low, high = t_interval(truth[order[:judged]][None], 0.95)
            alone[measure] = (high - low) * (1 if drawn_again else np.sqrt(1 - judged / size))
        if not all(width[0] > 0 for width in alone.values()):
            continue
        qrels, design, runs, renamed = drawn(collection, (a, b), order, random)
        for name, labels in chosen.items():
            model = None if labels is None else {new: labels[old] for new, old in renamed.items()}
            for measure, ends in intervals_of(qrels, design, runs, model, these=not drawn_again).items():
                tallies[measure, name][0 if drawn_again else 1].add(
                    *(np.array([end]) for end in ends), np.array([truths[measure].mean()]), alone[measure]
                )
    for (measure, name), (like, these) in tallies.items():
        yield [collection.name, measure, name, *like.cells, *these.cells, f"{100 * np.mean(like.none):.0f} %"]


def drawn(collection: Collection, pair: tuple[int, int], order: np.ndarray, random: np.random.Generator):
    """Judgments of documents drawn in proportion to what they can change, their probabilities, the runs, and the topics."""
    topics = list(collection.people)
    lists = [collection.lists[run] for run in pair]
    renamed = {f"{number}.{topics[place]}": topics[place] for number, place in enumerate(order)}
    runs: list[Labels] = [{}, {}]
    effects: dict[tuple[str, str], float] = {}
    for new, old in renamed.items():
        for side, ranked in enumerate(lists):
            top = sorted(ranked.get(old, {}).items(), key=lambda each: (each[1], each[0]), reverse=True)[
                :DEPTH
            ]
            runs[side][new] = dict(top)
            for rank, (document, _) in enumerate(top, 1):
                sign = 1 if side else -1
                effects[new, document] = effects.get((new, document), 0.0) + sign / np.log2(rank + 1)
    weight = np.abs(np.array(list(effects.values())))
    budget = SHARE * len(weight)
    chance = np.minimum(1.0, weight * scale_for(weight, budget))
    taken = random.random(len(chance)) < chance
    qrels: Labels = {}
    design: dict[str, dict[str, float]] = {}
    for (new, document), probability, was_drawn in zip(effects, chance, taken, strict=True):
        if probability <= 0:
            continue
        grade = max(collection.people[renamed[new]].get(document, 0.0), 0.0)
        qrels.setdefault(new, {})[document] = grade if was_drawn else -1.0
        design.setdefault(new, {})[document] = float(probability)
    for new in renamed.keys() - qrels.keys():  # both lists are the same: judged or not, the difference is 0
        document = next(iter(runs[0][new]))
        qrels[new], design[new] = {document: 0.0}, {document: 1.0}
    return qrels, design, [{topic: run[topic] for topic in qrels} for run in runs], renamed


def scale_for(weight: np.ndarray, budget: float) -> float:
    """The factor with which probabilities, at most 1 each, sum up to the budget."""
    low, high = 0.0, 1e6
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if np.minimum(1, weight * middle).sum() > budget else (middle, high)
    return low


def intervals_of(
    qrels: Labels, design: Labels, runs: list[Labels], model: Labels | None, *, these: bool
) -> dict[str, tuple[float, float]]:
    """The intervals that the package gives for the difference of two runs, by measure; NaN where it gives none."""
    named = {"a": runs[0], "b": runs[1]}
    scores = gainful.evaluate(
        qrels, named, list(BY_DOCUMENTS), design=design, estimator="centred", model_qrels=model
    )
    table = scored_table(scores)
    found = dict.fromkeys(BY_DOCUMENTS, (np.nan, np.nan))
    for measure in table.measures:
        values, _ = table.of(measure)
        apart = (values[1] - values[0])[None]
        if not these:
            low, high = t_interval(apart, 0.95)
            found[str(measure)] = float(low[0]), float(high[0])
            continue
        pair: Any = SimpleNamespace(measure=measure, a="a", b="b", difference=float(apart.mean()))
        for alone in these_topics(table, [pair], Method()):
            found[str(measure)] = alone.interval
    return found


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
    asked = parser.parse_args()
    stats()
    topics, documents, gated = [], [], []
    for name in COLLECTIONS:
        with tempfile.TemporaryDirectory() as unpacked:
            collection = Collection(asked.data / name, Path(unpacked), asked.seed)
            topics += list(by_topics(collection, asked.draws, asked.seed))
            gated += list(gates(collection, asked.gates, asked.seed))
            documents += list(by_documents(collection, asked.documents, asked.seed))
            if name == COLLECTIONS[-1]:
                decided = list(decisions(collection, asked.draws, asked.seed))
    heads = ["collection", "labels", "like these: coverage", "width", "these: coverage", "width"]
    page = HERE / "models.md"
    replaced(page, "topics", Table([*heads, "none"], topics, names=2).markdown())
    heads_of_decisions = [
        "topics by people",
        "right",
        "wrong",
        "open",
        "right, both",
        "wrong",
        "open",
        "equal, called different",
    ]
    replaced(page, "decisions", Table(heads_of_decisions, decided, names=1).markdown())
    heads.insert(1, "measure")
    replaced(page, "documents", Table([*heads, "none"], documents, names=3).markdown())
    of_gates = ["collection", "labels", "topics by people", "passed", "failed"]
    replaced(page, "gate", Table(of_gates, gated, names=2).markdown())


if __name__ == "__main__":
    main()
