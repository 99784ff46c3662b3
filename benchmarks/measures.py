"""How long does each measure take, once runs are judged? 6,980 topics × 1,000 ranks, 2 % of them judged; and diversity."""

import json
import sys
import time

from support.measuring import hold, inside, state

TOPICS, DEPTH, JUDGED, MORE = 6980, 1000, 20, 5
DIVERSE, SUBTOPICS = 250, 20
SLOWEST = 8


def answer() -> None:
    found = inside("measures", "times")
    plain, diverse = found["plain"], found["diverse"]
    for name, seconds in sorted(plain.items(), key=lambda item: -item[1])[:SLOWEST]:
        state(name, seconds)
    state("the median of all", sorted(plain.values())[len(plain) // 2])
    hold("the slowest measure", max(plain.values()) * 1e3, most=20, unit="ms")
    for name, seconds in diverse.items():
        state(f"{name}, with its ideal list", seconds)
    hold("the slowest measure of diversity", max(diverse.values()) * 1e3, most=200, unit="ms")


def main(_: str) -> None:
    import numpy as np

    from gainful.judging.aspects import Aspects
    from gainful.judging.ranking import Ranking
    from gainful.judging.record import JudgedRun
    from gainful.measures import get, names, parse

    chance = np.random.default_rng(1)

    def record(topics: int, subtopics: int, judged: int):  # type: ignore[no-untyped-def]
        """A maker of the same record anew: nothing of it has been worked out yet."""
        pool = judged + MORE
        rank = np.concatenate(
            [np.sort(chance.choice(DEPTH, judged, replace=False)) + 1.0 for _ in range(topics)]
        )
        row = np.concatenate([t * pool + chance.permutation(pool)[:judged] for t in range(topics)])
        said = chance.choice([0, 0, 0, 1, 1, 2, 3], (topics, subtopics, pool)).astype(float)
        said *= chance.random(said.shape) < 4 / (subtopics + 3)  # a document is relevant to a few subtopics
        best = said.max(axis=1).ravel()
        places = np.broadcast_to(np.arange(topics * pool).reshape(topics, 1, pool), said.shape).ravel()

        def make(kept=None):  # type: ignore[no-untyped-def]
            """The record; what belongs to the judgments is made anew, unless another record has it already."""
            aspects = Aspects(
                np.arange(0, topics * subtopics + 1, subtopics),
                np.arange(0, topics * subtopics * pool + 1, pool),
                places,
                said.ravel(),
                ids=np.tile(np.arange(pool), topics),
            )
            return JudgedRun(
                np.arange(0, topics * judged + 1, judged),
                rank,
                best[row],
                pool=kept.pool if kept else Ranking.best_first(np.arange(0, topics * pool + 1, pool), best),
                retrieved=np.full(topics, float(DEPTH)),
                present=np.ones(topics, dtype=np.bool_),
                row=row,
                aspects=kept.aspects if kept else aspects,
            )

        return make

    def best_of(measure, make, kept=None) -> float:  # type: ignore[no-untyped-def]
        taken = []
        for _ in range(5):
            judged = make(kept)
            start = time.process_time()
            measure(judged)
            taken.append(time.process_time() - start)
        return min(taken)

    make = record(TOPICS, 1, JUDGED)
    first = make()
    plain = {}
    for name in names():
        measure = get(name)
        if measure.needs in ("known", "expected", "anywhere", "probabilities"):
            continue
        if measure._lacks:
            measure = measure @ {"cutoff": 10, "recall": 0.3}[measure.definition.at]
        forms = [measure]
        forms += [measure(part="residual")] if "part" in measure.params else []
        forms += [measure(nonrel="balanced")] if "nonrel" in measure.params else []
        plain |= {str(one): best_of(one, make, first) for one in forms}
    make = record(DIVERSE, SUBTOPICS, 300)
    diverse = {
        name: best_of(parse(name), make)
        for name in (
            "alpha_nDCG@20",
            "alpha_nDCG",
            "nERR_IA@20",
            "nNRBP",
            "ERR_IA@20",
            "AP_IA",
            "StRecall@20",
        )
    }
    print(json.dumps({"plain": plain, "diverse": diverse}))


if __name__ == "__main__":
    main(*sys.argv[1:])
