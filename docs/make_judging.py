"""Replays of judging on judged collections, and the error of the stopping rule: prints the tables of docs/judging.md.

    python docs/make_judging.py replays DATA [PAIRS]     DATA is a folder of collections: dl21_passage and others
    python docs/make_judging.py error DATA [DRAWS]

A simulated assessor answers from the human judgments of the collection; a document that they lack is not relevant.
A replay takes two runs of a collection and judges batch after batch until `next_step` would stop. The runs are those that the
collection holds, cut to the depth of the measure.
"""

import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np

from gainful.comparisons.unjudged.evidence import Evidence
from gainful.formats import Run, read_qrels, read_run
from gainful.measures import parse
from gainful.presentation.table import Table
from gainful.statistics.sequential_flips import SequentialFlips
from gainful.studies.candidates import candidates_of, pairs_of, top_of
from gainful.studies.pooling import next_batch, pool, situation_of
from gainful.studies.sample_estimates import DrawnSample, estimated_differences
from gainful.studies.sequential_decision import current_differences, decide_now, share_drawn
from gainful.studies.strategies import strategy_of
from gainful.studies.study_folder import Study

COLLECTIONS = ("dl21_passage", "dl19_passage", "dl20_passage")
STRATEGIES = (
    "depth:{depth}",
    "adaptive:mtf",
    "adaptive:bandit",
    "decide",
    "sample:ranks:1-{depth}=10%",
    "sample:change:10%",
)
ALPHA, FLIPS, BEST = 0.05, 10_000, 3
MEASURE = parse("nDCG@10")

Grades = dict[tuple[str, str], float]


@dataclass
class Collection:
    """Runs and judgments; the depth-100 pool of all runs."""

    name: str
    runs: dict[str, Run]
    grades: Grades
    topics: list[str]

    def pooled(self, depth: int, names: tuple[str, ...] | None = None) -> int:
        """How many documents the pool of these runs has down to a rank."""
        lists = [top_of(self.runs[name], depth).rows() for name in names or tuple(self.runs)]
        wanted = {topic.encode() for topic in self.topics}
        pairs = {pair for rows in lists for pair in zip(rows.topics, rows.documents, strict=True)}
        return sum(topic in wanted for topic, _ in pairs)


def read(folder: Path) -> Collection:
    """A collection as it lies in a folder: judgments, and an archive of runs."""
    qrels = read_qrels(str(folder / "qrels.human.txt.gz")).to_dict()
    grades = {(topic, name): max(0.0, grade) for topic, of in qrels.items() for name, grade in of.items()}
    runs = {}
    with tarfile.open(folder / "runs.tar.xz", "r:xz") as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            if member.isfile():
                name = Path(member.name).name
                runs[name] = read_run(archive.extractfile(member), name=name)
    return Collection(folder.name, runs, grades, sorted(qrels))


def pairs_of_runs(collection: Collection, number: int) -> list[tuple[str, str]]:
    """Pairs of runs, drawn at random."""
    pairs = list(combinations(collection.runs, 2))
    order = np.random.default_rng(1).permutation(len(pairs))[:number]
    return [pairs[place] for place in order]


def replayed(collection: Collection, a: str, b: str, strategy: str, measure: str, seed: int) -> dict:
    """One replay: how many judgments it took, who was called better, and who is under all judgments."""
    depth = parse(measure).cutoff or 100
    written = strategy.format(depth=depth)
    sampled = written.startswith("sample")
    study = pool(
        {a: collection.runs[a], b: collection.runs[b]},
        strategy=written,
        measure=measure,
        topics=collection.topics,
        depth=depth,
        batch=None if sampled else max(1, depth // 5) * len(collection.topics),
        seed=seed,
    )
    truth = whole_difference(collection, study, measure)
    while True:
        grades = {row.pair: collection.grades.get(row.pair, 0.0) for row in study.pool}
        evidence = candidates_of(study.runs, grades, best=BEST, topics=collection.topics)
        decision = decide_now(study, a, b, alpha=ALPHA, flips=FLIPS, evidence=evidence)
        if decision.status != "judge more":
            break
        longer = next_batch(study, evidence=evidence)
        study = longer if longer is not study else next_batch(study, evidence=evidence, strategy="decide")
    better = {None: 0, a: -1, b: 1}[decision.better]
    return {"number": len(study.pool), "better": better, "truth": truth}


def whole_difference(collection: Collection, study: Study, measure: str) -> int:
    """The sign of the mean difference when everything is judged that the collection has judgments of."""
    evidence = candidates_of(study.runs, collection.grades, best=BEST, topics=collection.topics)
    return int(np.sign(current_differences(evidence, parse(measure), (0, 1)).sum()))


def replays(folder: Path, number: int) -> Iterator[str]:
    """A table for each collection and measure."""
    for name in COLLECTIONS:
        collection = read(folder / name)
        whole = collection.pooled(100)
        deep = [("AP@100", max(number // 8, 1))] if name == COLLECTIONS[0] else []
        for measure, some in [("nDCG@10", number), *deep]:
            yield _replays(collection, whole, measure, pairs_of_runs(collection, some))


def _replays(collection: Collection, whole: int, measure: str, pairs: list[tuple[str, str]]) -> str:
    depth = parse(measure).cutoff
    own = np.array([collection.pooled(depth, pair) for pair in pairs])
    body = []
    for strategy in STRATEGIES:
        results = [replayed(collection, *pair, strategy, measure, seed) for seed, pair in enumerate(pairs)]
        numbers = np.array([result["number"] for result in results])
        decided = np.array([result["better"] != 0 for result in results])
        wrong = sum(result["better"] == -result["truth"] != 0 for result in results)
        body.append(
            [
                strategy.format(depth=depth),
                f"{numbers.mean():,.0f}",
                f"{100 * numbers.mean() / whole:.1f} %",
                f"{100 * (numbers / own).mean():.0f} %",
                f"{100 * (numbers[decided] / own[decided]).mean():.0f} %" if decided.any() else "–",
                f"{decided.sum()} of {len(pairs)}",
                f"{wrong}",
            ]
        )
        print(collection.name, measure, *body[-1], file=sys.stderr, flush=True)
    heads = [
        "strategy",
        "judgments",
        f"of depth 100, {len(collection.runs)} runs",
        f"of depth {depth}, 2 runs",
    ]
    table = Table([*heads, "the same, if decided", "decided", "wrong"], body, names=1)
    said = f"{collection.name}, {measure}: {len(collection.runs)} runs, {len(collection.topics)} topics, "
    return f"{said}{whole:,} documents in the depth-100 pool, {len(pairs)} pairs\n\n{table.markdown()}\n"


def error(folder: Path, draws: int) -> str:
    """How often two runs whose labels were exchanged at random, topic by topic, are called different."""
    body = []
    for name in COLLECTIONS:
        collection = read(folder / name)
        pairs = pairs_of_runs(collection, 10)
        for strategy in ("sample:ranks:1-10=10%", "sample:change:10%", "decide"):
            nulls = [Null.of(collection, pair, strategy) for pair in pairs]
            random = np.random.default_rng([11, len(body)])
            hits = sum(nulls[draw % len(nulls)].rejects(random) for draw in range(draws))
            body.append([name, strategy, f"{draws:,}", f"{100 * hits / draws:.1f} %"])
            print(*body[-1], file=sys.stderr, flush=True)
    return Table(["collection", "strategy", "draws", "called different"], body, names=2).markdown()


@dataclass
class Null:
    """Two runs of a collection and a strategy, prepared for many draws.

    looks  inclusion probabilities after each batch, and the share of the documents that they are on average
    """

    evidence: Evidence
    true: np.ndarray
    looks: list[tuple[np.ndarray, float]]
    fixed: bool

    @classmethod
    def of(cls, collection: Collection, pair: tuple[str, str], strategy: str) -> "Null":
        """The candidates, the true grades, and the probabilities, which do not depend on who is called A."""
        two = {name: collection.runs[name] for name in pair}
        study = pool(two, strategy=strategy, measure="nDCG@10", topics=collection.topics, depth=10)
        evidence = candidates_of(study.runs, {}, best=BEST, topics=collection.topics)
        nothing = np.zeros(len(evidence.grade), np.bool_)
        true = np.array([collection.grades.get(row, 0.0) for row in pairs_of(evidence)])
        chosen, _ = strategy_of(strategy)
        looks = []
        for batch in range(1, 10) if chosen.probabilities else ():
            situation = replace(situation_of(study, evidence=evidence, batch=batch), asked=nothing)
            chances = chosen.probabilities(situation)
            looks.append((chances, share_drawn(evidence, MEASURE, (0, 1), chances, nothing)))
        return cls(evidence, true, looks, strategy.startswith("sample:ranks"))

    def rejects(self, random: np.random.Generator) -> bool:
        """Whether a study of a draw, whose runs are equally good, ends with a difference."""
        flipped = random.random(len(self.evidence.topics)) < 0.5
        rows = np.repeat(flipped, np.diff(self.evidence.offsets))
        ranks = np.where(rows, self.evidence.ranks[::-1], self.evidence.ranks)
        retrieved = np.where(flipped, self.evidence.retrieved[::-1], self.evidence.retrieved)
        judged = replace(self.evidence, ranks=ranks, retrieved=retrieved, grade=self.true)
        test = SequentialFlips(len(flipped), ALPHA, flips=2_000, seed=int(random.integers(1 << 31)))
        uniform = random.random(len(rows))
        for chances, share in self.looks:
            sample = DrawnSample(chances, self._drawn(chances, uniform), share)
            if share < 1 and test.look(estimated_differences(judged, MEASURE, (0, 1), sample), share).side:
                return True
        return test.look(current_differences(judged, MEASURE, (0, 1)), 1.0).side != 0

    def _drawn(self, chances: np.ndarray, uniform: np.ndarray) -> np.ndarray:
        """Documents in the sample: each for itself, or of each topic, one stratum here, as many as it has to be."""
        if not self.fixed:
            return uniform < chances
        drawn = np.zeros(len(uniform), np.bool_)
        for start, stop in pairwise(self.evidence.offsets):
            number = round(float(chances[start:stop].sum()))
            drawn[start + np.argsort(uniform[start:stop])[:number]] = True
        return drawn


if __name__ == "__main__":
    what, data, *rest = sys.argv[1:]
    if what == "replays":
        for part in replays(Path(data), int(rest[0]) if rest else 40):
            print(part, flush=True)
    else:
        print(error(Path(data), int(rest[0]) if rest else 1_000))
