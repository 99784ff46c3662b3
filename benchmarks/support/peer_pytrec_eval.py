"""pytrec_eval on files, with its own readers: what a user of it writes."""

import sys
from pathlib import Path

import pytrec_eval

judgments, run, *measures = sys.argv[1:]
with Path(judgments).open() as file:
    qrel = pytrec_eval.parse_qrel(file)
with Path(run).open() as file:
    scores = pytrec_eval.parse_run(file)
results = pytrec_eval.RelevanceEvaluator(qrel, set(measures)).evaluate(scores)
for measure in measures:
    values = [of_topic[measure] for of_topic in results.values()]
    print(measure, pytrec_eval.compute_aggregated_measure(measure, values))
