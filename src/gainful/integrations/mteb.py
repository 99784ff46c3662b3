"""MTEB: the judgments of a retrieval task, for the predictions that it saves.

task = mteb.get_task("NFCorpus")
mteb.evaluate(model, task, prediction_folder="predictions/model")
gainful.compare(judgments(task), {"old": "predictions/old/NFCorpus_predictions.json", "new": …}, "nDCG@10")
"""

from __future__ import annotations

from typing import Any

from gainful.errors import UsageError


def judgments(
    task: Any, *, subset: str | None = None, split: str | None = None
) -> dict[str, dict[str, float]]:
    """The judgments of a retrieval task of MTEB, in the form that every call of Gainful takes; its data are loaded if need be.

    subset, split  only these; by default all that the task evaluates

    Topics are called as in the predictions: by the query, or subset/split/query where several were evaluated. Queries
    without judgments are left out, as MTEB does.
    """
    if task.dataset is None:
        task.load_data()
    parts = {
        (name, part): data["relevant_docs"]
        for name, splits in task.dataset.items()
        for part, data in splits.items()
        if subset in (None, name) and (part == split if split else part in task.eval_splits)
    }
    if not parts:
        there = ", ".join(f"{name}/{part}" for name, splits in task.dataset.items() for part in splits)
        raise UsageError(f"the task has no such subset and split; there are {there}.")
    return {
        str(query) if len(parts) == 1 else f"{name}/{part}/{query}": dict(grades)
        for (name, part), relevant in parts.items()
        for query, grades in relevant.items()
        if grades
    }
