"""ranx on files, with its own readers; asked only where it is installed."""

import sys

from ranx import Qrels, Run, evaluate

judgments, run = sys.argv[1:]
measures = ["map", "ndcg@10", "mrr", "precision@10", "recall@1000"]
print(evaluate(Qrels.from_file(judgments, kind="trec"), Run.from_file(run, kind="trec"), measures))
