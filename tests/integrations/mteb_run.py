"""Evaluates retrieval tasks with the real MTEB: python mteb_run.py theirs|ours FOLDER, which gets found.json.

Random embeddings of MTEB's own baseline, MTEB's own mock tasks, and one of 40 queries and 120 documents; nothing is downloaded.
"""

import json
import sys
from pathlib import Path
from random import Random


def larger():
    """What a task with grades of 0 to 2 has, and a query that has nothing relevant."""
    from datasets import Dataset

    random = Random(3)
    documents = [f"d{number}" for number in range(120)]
    queries = [f"q{number}" for number in range(40)]
    grades = {q: {d: random.choice([0, 0, 1, 2]) for d in random.sample(documents, 25)} for q in queries}
    grades["q7"] = dict.fromkeys(grades["q7"], 0)
    corpus = Dataset.from_list([{"id": d, "text": f"text {d}", "title": ""} for d in documents])
    asked = Dataset.from_list([{"id": q, "text": f"words {q}"} for q in queries])
    return {"test": {"corpus": corpus, "queries": asked, "relevant_docs": grades, "top_ranked": None}}


def main(whose, folder):
    if whose == "ours":
        import gainful

        gainful.install_as("pytrec_eval")

    import mteb
    import pytrec_eval
    from mteb.cache import ResultCache
    from mteb.mocks import mock_tasks as mocks

    from gainful.integrations.mteb import judgments

    class Larger(mocks.MockRetrievalTask):
        metadata = mocks.MockRetrievalTask.metadata.model_copy(
            update={"name": "Larger", "eval_splits": ["test"]}
        )

        def load_data(self, **_given):
            self.dataset, self.data_loaded = {"default": larger()}, True

    several = mocks.MockMultilingualRetrievalTask
    kinds = [
        Larger,
        several,
        mocks.MockRetrievalTask,
        mocks.MockRerankingTask,
        mocks.MockInstructionRetrieval,
    ]
    model = mteb.get_model("mteb/baseline-random-encoder")
    scores = {}
    for kind in kinds:
        found = mteb.evaluate(
            model,
            kind(),
            cache=ResultCache(f"{folder}/cache"),
            prediction_folder=f"{folder}/predictions",
            co2_tracker=False,
        )
        scores[kind.metadata.name] = found.task_results[0].scores
    qrels = {kind.metadata.name: judgments(kind()) for kind in (Larger, several)}
    result = {"module": pytrec_eval.RelevanceEvaluator.__module__, "scores": scores, "qrels": qrels}
    Path(folder, "found.json").write_text(json.dumps(result, default=float))


if __name__ == "__main__":
    main(*sys.argv[1:])
