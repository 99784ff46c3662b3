"""How often the intervals of docs/judges.md hold the truth, on simulated judges: prints the table.

    python docs/make_judges.py

Topics differ in how many relevant documents they have and in how hard they are to judge, so that judgments of a topic
hang together. The truth of agreement is its value over 20,000 topics; that of tau is its mean over 2,000 collections of
as many topics.
"""

import sys

import numpy as np

from gainful.comparisons.judges.agreement import Agreement, agreement_of
from gainful.comparisons.judges.judge_files import Items
from gainful.comparisons.judges.judge_orders import orders_of
from gainful.comparisons.judges.topic_estimates import Chance
from gainful.presentation.table import Table

JUDGES, DOCUMENTS = 3, 20
SYSTEMS = (3, 8, 15)
NAMES = tuple(f"judge {number}" for number in range(JUDGES))
AGREEMENT = ("linear kappa", "ordinal alpha", "Fleiss' kappa", "overlap")


def judged(topics: int, chance: np.random.Generator) -> Items:
    """Grades 0 to 3: a topic's level and a document's worth, seen with the noise of the topic."""
    level = chance.normal(0.7, 0.7, size=(topics, 1))
    noise = chance.uniform(0.2, 1.0, size=(topics, 1, 1))
    worth = level + chance.normal(size=(topics, DOCUMENTS))
    seen = worth[..., None] + noise * chance.normal(size=(topics, DOCUMENTS, JUDGES))
    ratings = np.clip(np.round(seen), 0, 3).reshape(-1, JUDGES)
    return Items(NAMES, np.repeat(np.arange(topics), DOCUMENTS), ratings)


def scored(topics: int, chance: np.random.Generator, bias: np.ndarray) -> np.ndarray:
    """Judges × systems × topics: systems that differ, judges who like some of them more, and noise of topics."""
    systems = bias.shape[1]
    means = np.linspace(0, 0.4, systems)[:, None] + bias[:, :, None]
    shared = 0.3 * chance.normal(size=(1, systems, topics))
    return means + shared + 0.2 * chance.normal(size=(JUDGES, systems, topics))


def told(made: Agreement) -> list:
    """The estimates that the table has."""
    return [made.pairs[0].kappa_linear, made.alpha, made.fleiss, made.overlap]


def covered(estimates: list, truths: list[float]) -> np.ndarray:
    """Whether each interval holds its truth."""
    return np.array([one.low <= truth <= one.high for one, truth in zip(estimates, truths, strict=True)])


def of_agreement(topics: int, collections: int, resamples: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Share of intervals that hold the truth, with topics drawn and with documents drawn."""
    chance = np.random.default_rng(seed)
    none = Chance(resamples=1)
    truths = [one.value for one in told(agreement_of(judged(20_000, chance), 1, "ordinal", none))]
    right, naive = np.zeros(len(truths)), np.zeros(len(truths))
    for number in range(collections):
        items = judged(topics, chance)
        how = Chance(resamples, seed=number)
        right += covered(told(agreement_of(items, 1, "ordinal", how)), truths)
        apart = Items(items.judges, np.arange(len(items)), items.ratings)
        naive += covered(told(agreement_of(apart, 1, "ordinal", how)), truths)
    return right / collections, naive / collections


def of_tau(several: int, topics: int, collections: int, resamples: int, seed: int) -> np.ndarray:
    """Share of intervals of tau-b and tau_ap, means over pairs of judges, that hold what such collections give."""
    chance = np.random.default_rng(seed)
    bias = 0.05 * chance.normal(size=(JUDGES, several))
    systems = [f"s{number}" for number in range(several)]

    def made(resamples: int, number: int):
        found = orders_of("AP", systems, NAMES, scored(topics, chance, bias), Chance(resamples, number))
        return [found.tau_b, found.tau_ap]

    truths = np.mean([[one.value for one in made(1, 0)] for _ in range(2_000)], axis=0)
    return np.mean([covered(made(resamples, number), truths) for number in range(collections)], axis=0)


def table(collections: int = 400, resamples: int = 500) -> str:
    """Rows of statistics, columns of topics."""
    taus = [f"{name}, {several} systems" for several in SYSTEMS for name in ("tau-b", "tau_ap")]
    body = [[name, "", "", "", ""] for name in (*AGREEMENT, *taus)]
    for column, topics in enumerate((25, 50)):
        right, naive = of_agreement(topics, collections, resamples, seed=topics)
        for row, (good, bad) in enumerate(zip(right, naive, strict=True)):
            other = (
                "–" if AGREEMENT[row] == "overlap" else f"{bad:.1%}"
            )  # a mean over topics has no such interval
            body[row][1 + 2 * column], body[row][2 + 2 * column] = f"{good:.1%}", other
        held = [of_tau(several, topics, collections, resamples, seed=topics) for several in SYSTEMS]
        for row, share in enumerate(np.concatenate(held)):
            body[4 + row][1 + 2 * column], body[4 + row][2 + 2 * column] = f"{share:.1%}", "–"
    heads = ["95 % intervals of", "25 topics", "documents drawn", "50 topics", "documents drawn"]
    return Table(heads, body).markdown()


if __name__ == "__main__":
    print(table(*map(int, sys.argv[1:])))
