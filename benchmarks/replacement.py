"""BEIR's and MTEB's evaluation of one run, with pytrec_eval and with Gainful in its place.

    build/integrations/bin/python benchmarks/replacement.py [QUERIES] [DOCUMENTS]

QUERIES (1,000) lists of DOCUMENTS (1,000), a tenth of them judged. Each library runs in a process of its own, twice in turn with
each; processor time of the quickest of three evaluations, and the largest difference between the numbers.
"""

import json
import subprocess
import sys

CUTOFFS = [1, 3, 5, 10, 100, 1000]
CALLS = {
    "beir": "from beir.retrieval.evaluation import EvaluateRetrieval\n"
    "call = lambda: [*EvaluateRetrieval.evaluate(qrels, run, {cutoffs})]",
    "mteb": "from mteb._evaluators.retrieval_metrics import calculate_retrieval_scores\n"
    "def call():\n"
    "    found = calculate_retrieval_scores(run, qrels, {cutoffs})\n"
    "    return [found.ndcg, found.map, found.recall, found.precision, found.mrr, found.hit_rate]",
}
CODE = """
import json, sys, time
from random import Random
{install}
{call}
random, qrels, run = Random(1), {{}}, {{}}
for query in range({queries}):
    documents = [f"doc{{number}}" for number in random.sample(range(1_000_000), {documents})]
    qrels[f"q{{query}}"] = {{document: random.choice([0, 1, 2]) for document in random.sample(documents, {documents} // 10)}}
    run[f"q{{query}}"] = {{document: random.random() for document in documents}}
times = []
for _ in range(3):
    start = time.process_time()
    values = call()
    times.append(time.process_time() - start)
json.dump([min(times), values], sys.stdout, default=float)
"""
INSTALL = {"pytrec_eval": "", "Gainful": 'import gainful\ngainful.install_as("pytrec_eval")'}


def measured(library, whose, queries, documents):
    """Seconds and numbers."""
    code = CODE.format(
        install=INSTALL[whose],
        call=CALLS[library].format(cutoffs=CUTOFFS),
        queries=queries,
        documents=documents,
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main(queries=1000, documents=1000):
    """The table."""
    print(f"{queries:,} queries, {documents:,} documents each; seconds of processor time")
    for library in CALLS:
        seconds, numbers = {}, {}
        for whose in [*INSTALL, *INSTALL]:
            time, values = measured(library, whose, queries, documents)
            seconds[whose] = min(time, seconds.get(whose, time))
            numbers[whose] = [value for part in values for value in part.values()]
        apart = max(abs(a - b) for a, b in zip(*numbers.values(), strict=True))
        ratio = seconds["pytrec_eval"] / seconds["Gainful"]
        each = ", ".join(f"{whose} {time:.2f}" for whose, time in seconds.items())
        print(
            f"{library}: {each}: {ratio:.1f} times as fast; {len(numbers['Gainful'])} numbers, at most {apart:.0e} apart"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
