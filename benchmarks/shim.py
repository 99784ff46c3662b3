"""How fast is gainful.compat.pytrec_eval beside pytrec_eval: many long lists, a few, one short one?"""

import gc
import json
import random
import sys
import time
from collections.abc import Callable

from dicts import build
from support.measuring import hold, inside, state

NAMES = ["map", "ndcg_cut_10", "recip_rank", "P_10", "recall_100"]
BARS = {"long": 3, "exact": 3, "shuffled": 2, "hundred": 1, "some": 1}
MOST = 8  # microseconds for one list
WHAT = {
    "long": "6,980 × 1,000, 32-bit scores in order",
    "exact": "6,980 × 1,000, 64-bit scores in order",
    "shuffled": "6,980 × 1,000, 64-bit scores, shuffled",
    "hundred": "100 × 10",
    "some": "50 × 100",
    "one": "1 × 10",
}

Nested = dict[str, dict[str, float]]


def answer() -> None:
    found = inside("shim", "all")
    for case, (ours, theirs) in found.items():
        state(f"gainful, {WHAT[case]}", ours)
        state(f"pytrec_eval, {WHAT[case]}", theirs)
        if case in BARS:
            hold(f"faster than pytrec_eval, {WHAT[case]}", theirs / ours, least=BARS[case])
        if case == "one":
            hold("one list", ours * 1e6, most=MOST, unit="µs")


def cases(run: Nested) -> dict[str, tuple[Nested, int]]:
    """Runs, and how often each is evaluated in one measurement."""
    chance = random.Random(1)
    exact = {
        topic: {document: score + 1e-12 * chance.random() for document, score in scored.items()}
        for topic, scored in run.items()
    }
    shuffled = {
        topic: dict(chance.sample(list(scored.items()), len(scored))) for topic, scored in exact.items()
    }
    hundred = {topic: dict(list(scored.items())[:10]) for topic, scored in list(run.items())[:100]}
    some = {topic: dict(list(scored.items())[:100]) for topic, scored in list(run.items())[:50]}
    one = {topic: dict(list(scored.items())[:10]) for topic, scored in list(run.items())[:1]}
    return {
        "long": (run, 1),
        "exact": (exact, 1),
        "shuffled": (shuffled, 1),
        "hundred": (hundred, 50),
        "some": (some, 10),
        "one": (one, 500),
    }


def seconds(call: Callable[[Nested], object], run: Nested, times: int) -> float:
    """Processor seconds of a call: the median of three, or where many calls are made the best of many rounds."""
    measured = []
    for _ in range(3 if times == 1 else 40):
        gc.collect()
        start = time.process_time()
        for _ in range(times):
            call(run)
        measured.append((time.process_time() - start) / times)
    return sorted(measured)[1] if times == 1 else min(measured)


def main(_: str) -> None:
    import pytrec_eval

    from gainful.compat.pytrec_eval import RelevanceEvaluator

    judgments, run = build("own")
    found = {}
    for case, (given, times) in cases(run).items():
        judged = {topic: judgments[topic] for topic in given}
        ours, theirs = RelevanceEvaluator(judged, NAMES), pytrec_eval.RelevanceEvaluator(judged, set(NAMES))
        expected = theirs.evaluate(given)
        for topic, values in ours.evaluate(given).items():
            if any(abs(value - expected[topic][name]) > 1e-9 for name, value in values.items()):
                raise RuntimeError(f"the values of {topic} differ")
        found[case] = seconds(ours.evaluate, given, times), seconds(theirs.evaluate, given, times)
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
