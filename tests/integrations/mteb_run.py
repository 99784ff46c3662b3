"""Evaluates retrieval tasks with the real MTEB: python mteb_run.py theirs|ours FOLDER; prints whose pytrec_eval it was.

Random embeddings of MTEB's own baseline, MTEB's own mock tasks, and one of 40 queries and 120 documents; nothing is downloaded.
"""

import json
import sys
from pathlib import Path
from random import Random

whose, folder = sys.argv[1:]
if whose == "ours":
    import gainful

    gainful.install_as("pytrec_eval")

import mteb
import pytrec_eval
from datasets import Dataset
from mteb.cache import ResultCache
from mteb.mocks.mock_tasks import (
    MockInstructionRetrieval,
    MockMultilingualRetrievalTask,
    MockRerankingTask,
    MockRetrievalTask,
)

from gainful.integrations.mteb import judgments


class Larger(MockRetrievalTask):
    """A task with grades of 0 to 2, and a query that has nothing relevant."""

    metadata = MockRetrievalTask.metadata.model_copy(update={"name": "Larger", "eval_splits": ["test"]})

    def load_data(self, **_given):
        random = Random(3)
        documents = [f"d{number}" for number in range(120)]
        queries = [f"q{number}" for number in range(40)]
        grades = {q: {d: random.choice([0, 0, 1, 2]) for d in random.sample(documents, 25)} for q in queries}
        grades["q7"] = dict.fromkeys(grades["q7"], 0)
        corpus = Dataset.from_list([{"id": d, "text": f"text {d}", "title": ""} for d in documents])
        asked = Dataset.from_list([{"id": q, "text": f"words {q}"} for q in queries])
        split = {"corpus": corpus, "queries": asked, "relevant_docs": grades, "top_ranked": None}
        self.dataset = {"default": {"test": split}}
        self.data_loaded = True


model = mteb.get_model("mteb/baseline-random-encoder")
tasks = [
    Larger(),
    MockRetrievalTask(),
    MockMultilingualRetrievalTask(),
    MockRerankingTask(),
    MockInstructionRetrieval(),
]
scores = {}
for task in tasks:
    cache = ResultCache(f"{folder}/cache")
    found = mteb.evaluate(
        model, task, cache=cache, prediction_folder=f"{folder}/predictions", co2_tracker=False
    )
    scores[task.metadata.name] = found.task_results[0].scores
qrels = {task.metadata.name: judgments(task) for task in (Larger(), MockMultilingualRetrievalTask())}
result = {"module": pytrec_eval.RelevanceEvaluator.__module__, "scores": scores, "qrels": qrels}
Path(folder, "found.json").write_text(json.dumps(result, default=float))
