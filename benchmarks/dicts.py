"""How fast are nested dicts of 7 million rows, with ids of their own and with ids that are shared objects?"""

import gc
import json
import sys
import time
from collections.abc import Callable

from support.data import DEPTH, MEDIUM
from support.measuring import MEASURES, TREC_MEASURES, hold, inside, state

BARS = {"own": 6, "shared": 3}


def answer() -> None:
    for ids, bar in BARS.items():
        found = inside("dicts", ids)
        state(f"gainful, {ids} ids", found["gainful"])
        state(f"pytrec_eval, {ids} ids", found["pytrec_eval"])
        hold(f"faster than pytrec_eval, {ids} ids", found["pytrec_eval"] / found["gainful"], least=bar)


def build(ids: str, topics: int = MEDIUM) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgments and a run; shared ids are the same string objects wherever they occur."""
    import numpy as np

    random = np.random.default_rng(6)
    names = [f"document-{number}" for number in range(20 * DEPTH)]
    scores = np.sort(random.random((topics, DEPTH)).astype(np.float32))[:, ::-1]
    run, judgments = {}, {}
    for topic in range(topics):
        chosen = random.permutation(len(names))[: DEPTH + 10].tolist()
        documents = [names[number] if ids == "shared" else f"document-{number}" for number in chosen]
        run[f"topic-{topic}"] = dict(zip(documents, scores[topic].tolist(), strict=False))
        judged = documents[:50:5] + documents[DEPTH:]
        if ids == "own":
            judged = ["".join(letters) for letters in map(list, judged)]
        judgments[f"topic-{topic}"] = {document: place % 4 for place, document in enumerate(judged)}
    return judgments, run


def median_time(call: Callable[..., object], *arguments: object) -> float:
    """Median seconds of three calls."""
    seconds = []
    for _ in range(3):
        gc.collect()
        start = time.perf_counter()
        call(*arguments)
        seconds.append(time.perf_counter() - start)
    return sorted(seconds)[1]


def main(ids: str) -> None:
    import pytrec_eval

    import gainful

    judgments, run = build(ids)
    prepared = gainful.read_qrels(judgments)
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, set(TREC_MEASURES))
    ours = median_time(gainful.evaluate, prepared, run, MEASURES)
    theirs = median_time(evaluator.evaluate, run)
    mean = gainful.evaluate(prepared, run, MEASURES).mean["AP"]
    results = evaluator.evaluate(run).values()
    if abs(mean - sum(of_topic["map"] for of_topic in results) / MEDIUM) > 1e-9:
        raise RuntimeError("the means differ")
    print(json.dumps({"gainful": ours, "pytrec_eval": theirs}))


if __name__ == "__main__":
    main(*sys.argv[1:])
