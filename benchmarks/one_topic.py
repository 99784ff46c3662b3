"""What does one call cost, as in a loop? One topic, ten documents, prepared judgments, one measure and five."""

import json
import sys
import timeit

from support.measuring import MEASURES, TREC_MEASURES, hold, inside, state

CASES = {"one measure": (["nDCG@10"], ["ndcg_cut_10"], 5), "five measures": (MEASURES, TREC_MEASURES, 12)}
"""Measures of Gainful and of pytrec_eval, and the most microseconds that a call may take."""


def answer() -> None:
    found = inside("one_topic", "calls")
    for case, (_, _, most) in CASES.items():
        state(f"gainful, {case}", found[case]["gainful"])
        state("the same, and its mean read", found[case]["mean"])
        state(f"pytrec_eval, {case}", found[case]["pytrec_eval"])
        hold(f"one call, {case}", found[case]["gainful"] * 1e6, most=most, unit="µs")


def per_call(call: object) -> float:
    """The best of 200 rounds of 500 calls: what a call costs when nothing else runs."""
    return min(timeit.repeat(call, number=500, repeat=200)) / 500  # type: ignore[arg-type]


def main(_: str) -> None:
    import pytrec_eval

    import gainful

    run = {"topic": {f"document-{number}": 10.0 - number for number in range(10)}}
    judgments = {"topic": {f"document-{number}": number % 4 for number in range(0, 20, 2)}}
    prepared = gainful.read_qrels(judgments)
    found = {}
    for case, (names, trec_names, _) in CASES.items():
        measures = [gainful.parse(name) for name in names]
        evaluator = pytrec_eval.RelevanceEvaluator(judgments, set(trec_names))
        for _ in range(3):  # the first calls are not those of a loop
            ours = gainful.evaluate(prepared, run, measures).mean
        theirs = evaluator.evaluate(run)["topic"]
        for name, trec_name in zip(names, trec_names, strict=True):
            if abs(ours[name] - theirs[trec_name]) > 1e-9:
                raise RuntimeError(f"the values differ: {ours[name]} and {theirs[trec_name]}")
        found[case] = {
            "gainful": per_call(lambda: gainful.evaluate(prepared, run, measures)),  # noqa: B023
            "mean": per_call(lambda: gainful.evaluate(prepared, run, measures).mean),  # noqa: B023
            "pytrec_eval": per_call(lambda: evaluator.evaluate(run)),  # noqa: B023
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
