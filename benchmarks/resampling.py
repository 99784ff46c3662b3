"""What does chance cost? Sign flips of one pair, and 129 systems × 50 topics with all 8,256 pairs."""

import json
import resource
import sys
import time
from collections.abc import Callable

from support.measuring import hold, inside, state

FLIPS, TOPICS = 100_000, 250
SYSTEMS, SHARED = 129, 10_000


def answer() -> None:
    pair = inside("resampling", "pair")
    state(f"gainful, {FLIPS:,} flips of {TOPICS} topics", pair["gainful"])
    state("scipy.stats.permutation_test, as many", pair["scipy"])
    hold("faster than SciPy", pair["scipy"] / pair["gainful"], least=20)
    for name, what in (
        ("max-t", "max-T, 10,000 shared flips"),
        ("tukey", "randomised Tukey HSD, 10,000 shuffles"),
    ):
        found = inside("resampling", name)
        state(f"gainful, 8,256 pairs, {what}", found["seconds"], found["megabytes"])
        hold(f"8,256 pairs, {name}", found["seconds"], most=10, unit="s")
    found = inside("resampling", "holm")
    state(f"gainful, 8,256 pairs, Holm, {found['flips']:,} flips", found["seconds"], found["megabytes"])


def best(call: Callable[[], object], repeat: int) -> float:
    """The shortest of a few calls."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def pair() -> dict[str, float]:
    import numpy as np
    from scipy.stats import permutation_test

    from gainful.statistics.flips import sign_flip

    differences = np.random.default_rng(1).normal(0.01, 0.1, TOPICS)

    def theirs() -> float:
        made = permutation_test(
            (differences,),
            lambda values, axis: values.mean(axis=axis),
            permutation_type="samples",
            n_resamples=FLIPS,
            vectorized=True,
            batch=1000,  # without it more than a gigabyte is held, and it is slower
            rng=1,
        )
        return float(made.pvalue)

    if abs(theirs() - sign_flip(differences, flips=FLIPS)) > 0.01:
        raise RuntimeError("the p-values differ")
    return {"gainful": best(lambda: sign_flip(differences, flips=FLIPS), 7), "scipy": best(theirs, 3)}


def many(correction: str) -> dict[str, float]:
    import numpy as np

    from gainful.comparisons import Method, ScoreTable, compare_scores

    random = np.random.default_rng(2)
    skill, ease = random.normal(0, 0.08, (SYSTEMS, 1)), random.normal(0, 0.2, 50)
    rows = np.clip(0.3 + skill + ease + random.normal(0, 0.1, (SYSTEMS, 50)), 0, 1)
    table = ScoreTable.of_matrix(rows, systems=[f"system {number}" for number in range(SYSTEMS)])
    start = time.perf_counter()
    made = compare_scores(table, Method(correction=correction))
    seconds = time.perf_counter() - start
    assert len(made.pairs) == SYSTEMS * (SYSTEMS - 1) // 2
    return {
        "seconds": seconds,
        "flips": max(one.flips or 0 for one in made.pairs),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main(what: str) -> None:
    print(json.dumps(pair() if what == "pair" else many(what)))


if __name__ == "__main__":
    main(*sys.argv[1:])
