"""What does one call cost, as in a loop? One topic, ten documents, one measure, prepared judgments."""

import json
import sys
import timeit

from support.measuring import hold, inside, state


def answer() -> None:
    found = inside("one_topic", "calls")
    state("gainful, a call", found["gainful"])
    state("pytrec_eval, a call", found["pytrec_eval"])
    hold("one call", found["gainful"] * 1e6, most=50, unit="µs")


def per_call(call: object) -> float:
    """The best of 40 rounds of 1,000 calls: what a call costs when nothing else runs."""
    return min(timeit.repeat(call, number=1000, repeat=40)) / 1000  # type: ignore[arg-type]


def main(_: str) -> None:
    import pytrec_eval

    import gainful

    run = {"topic": {f"document-{number}": 10.0 - number for number in range(10)}}
    judgments = {"topic": {f"document-{number}": number % 4 for number in range(0, 20, 2)}}
    prepared = gainful.read_qrels(judgments)
    measure = gainful.nDCG @ 10
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, {"ndcg_cut_10"})
    ours = gainful.evaluate(prepared, run, [measure]).mean["nDCG@10"]
    theirs = evaluator.evaluate(run)["topic"]["ndcg_cut_10"]
    if abs(ours - theirs) > 1e-9:
        raise RuntimeError(f"the values differ: {ours} and {theirs}")
    found = {
        "gainful": per_call(lambda: gainful.evaluate(prepared, run, [measure])),
        "pytrec_eval": per_call(lambda: evaluator.evaluate(run)),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
