"""Means that installed peers give for collections; run in an environment of their own, which knows nothing of Gainful.

python peer_adapters.py TOOL < collections.json > means.json

A collection is {"judgments": {topic: {document: grade}}, "run": {topic: [[document, score], ...]}}; an answer is
{measure: mean}, or the name of the error that the tool raised.
"""

import contextlib
import json
import logging
import math
import os
import sys
import types
import warnings

CUTOFFS = (1, 3, 10)


def lists(collection):
    """For each topic of the run that is judged: labels and scores in the order given, unjudged documents labelled 0."""
    for topic, rows in collection["run"].items():
        grades = collection["judgments"].get(topic)
        if grades is not None:
            yield [grades.get(document, 0) for document, _ in rows], [score for _, score in rows]


def ranked(collection):
    """For each topic of the run that is judged: documents best first, and the relevant ones."""
    for topic, rows in collection["run"].items():
        grades = collection["judgments"].get(topic)
        if grades is not None:
            documents = [document for document, _ in sorted(rows, key=lambda row: -row[1])]
            yield documents, [document for document, grade in grades.items() if grade >= 1]


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def dictionaries(collection):
    return collection["judgments"], {topic: dict(rows) for topic, rows in collection["run"].items()}


def pytrec_eval(collection):
    import pytrec_eval as peer

    qrels, run = dictionaries(collection)
    cuts = ",".join(map(str, CUTOFFS))
    asked = {f"{name}.{cuts}" for name in ("ndcg_cut", "map_cut", "P", "recall", "success")}
    by_topic = peer.RelevanceEvaluator(
        qrels, asked | {"map", "ndcg", "recip_rank", "Rprec", "bpref"}
    ).evaluate(run)
    names = {name for values in by_topic.values() for name in values}
    return {name: mean(values[name] for values in by_topic.values()) for name in names}


def ir_measures(collection):
    import ir_measures as peer

    qrels, run = dictionaries(collection)
    texts = ["nDCG", "AP", "RR", "Rprec", "Bpref"]
    texts += [f"{name}@{cutoff}" for name in ("nDCG", "AP", "P", "R", "RR", "Success") for cutoff in CUTOFFS]
    measures = {text: peer.parse_measure(text) for text in texts}
    means = peer.calc_aggregate(list(measures.values()), qrels, run)
    return {text: means[measure] for text, measure in measures.items()}


def gdeval(collection):
    import ir_measures as peer

    numbers = {topic: str(number) for number, topic in enumerate(collection["judgments"], 1)}
    qrels = {numbers[topic]: grades for topic, grades in collection["judgments"].items()}
    run = {numbers[topic]: dict(rows) for topic, rows in collection["run"].items()}
    texts = {f"ndcg@{cutoff}": f"nDCG(dcg='exp-log2')@{cutoff}" for cutoff in CUTOFFS}
    texts |= {f"err@{cutoff}": f"ERR@{cutoff}" for cutoff in CUTOFFS}
    measures = {name: peer.parse_measure(text) for name, text in texts.items()}
    by_topic = list(peer.gdeval.iter_calc(list(measures.values()), qrels, run))
    present = {topic for topic, rows in run.items() if rows}
    return {
        name: mean(each.value for each in by_topic if each.measure == measure and each.query_id in present)
        for name, measure in measures.items()
    }


def beir(collection):
    logging.disable(logging.CRITICAL)
    from beir.retrieval.evaluation import EvaluateRetrieval as Peer

    qrels, run = dictionaries(collection)
    means = {}
    for part in Peer.evaluate(qrels, run, list(CUTOFFS)):
        means |= part
    return (
        means
        | Peer.evaluate_custom(qrels, run, list(CUTOFFS), "mrr")
        | Peer.evaluate_custom(qrels, run, list(CUTOFFS), "acc")
    )


def ranx(collection):
    import ranx as peer

    qrels, run = dictionaries(collection)
    names = ["ndcg", "map", "mrr"]
    names += [
        f"{name}@{cutoff}"
        for name in ("ndcg", "ndcg_burges", "map", "mrr", "precision", "recall", "hit_rate", "f1")
        for cutoff in CUTOFFS
    ]
    return {
        name: float(value) for name, value in peer.evaluate(peer.Qrels(qrels), peer.Run(run), names).items()
    }


def scikit_learn(collection):
    from sklearn.metrics import ndcg_score

    asked = {"ndcg_score": {}} | {f"ndcg_score(k={cutoff})": {"k": cutoff} for cutoff in CUTOFFS}
    return {
        name: mean(ndcg_score([labels], [scores], **said) for labels, scores in lists(collection))
        for name, said in asked.items()
    }


def _joined(collection):
    labels, scores, sizes = [], [], []
    for of_topic, its_scores in lists(collection):
        labels += of_topic
        scores += its_scores
        sizes.append(len(of_topic))
    return labels, scores, sizes


def lightgbm(collection):
    import lightgbm as peer
    import numpy as np

    labels, scores, sizes = _joined(collection)
    said = {
        "objective": "lambdarank",
        "metric": ["ndcg", "map"],
        "eval_at": list(CUTOFFS),
        "verbosity": -1,
        "num_threads": 1,
        "min_data_in_bin": 1,
        "min_data_in_leaf": 1,
        "feature_pre_filter": False,
    }
    columns = np.arange(len(labels), dtype=float).reshape(-1, 1)
    train = peer.Dataset(columns, labels, group=sizes, params=said)
    valid = peer.Dataset(
        columns, labels, group=sizes, init_score=np.array(scores), reference=train, params=said
    )
    booster = peer.Booster(said, train)
    booster.add_valid(valid, "valid")
    return {name: value for _, name, value, _ in booster.eval_valid()}


def xgboost(collection):
    import numpy as np
    import xgboost as peer

    labels, scores, sizes = _joined(collection)
    binary = set(labels) <= {0, 1}
    names = ["ndcg", *(f"ndcg@{cutoff}{sign}" for cutoff in CUTOFFS for sign in ("", "-"))]
    if binary:
        names += ["map", "pre", *(f"{name}@{cutoff}" for name in ("map", "pre") for cutoff in CUTOFFS)]
    data = peer.DMatrix(np.zeros((len(labels), 1)), label=labels, base_margin=np.array(scores))
    data.set_group(sizes)
    objective = "rank:map" if binary else "rank:ndcg"
    booster = peer.Booster(
        {"objective": objective, "eval_metric": names, "nthread": 1, "verbosity": 0}, [data]
    )
    printed = (each.rpartition(":") for each in booster.eval(data).split("\t")[1:])
    return {name.partition("-")[2]: float(value) for name, _, value in printed}


def catboost(collection):
    from catboost.utils import eval_metric

    labels, scores, sizes = _joined(collection)
    groups = [number for number, size in enumerate(sizes) for _ in range(size)]
    names = ["NDCG", "MAP", "MRR"]
    names += [
        f"{name}:top={cutoff}"
        for name in ("NDCG", "MAP", "MRR", "PrecisionAt", "RecallAt")
        for cutoff in CUTOFFS
    ]
    names += [f"NDCG:top={cutoff};type=Exp" for cutoff in CUTOFFS]
    return {name: eval_metric(labels, scores, name, group_id=groups, thread_count=1)[0] for name in names}


def rax(collection):
    import jax.numpy as jnp
    import rax as peer

    functions = {
        "ndcg_metric": peer.ndcg_metric,
        "ap_metric": peer.ap_metric,
        "mrr_metric": peer.mrr_metric,
        "precision_metric": peer.precision_metric,
        "recall_metric": peer.recall_metric,
    }
    means = {}
    pairs = [(jnp.array(scores), jnp.array(labels, dtype=float)) for labels, scores in lists(collection)]
    for name, function in functions.items():
        for cutoff in CUTOFFS:
            means[f"{name}(topn={cutoff})"] = mean(float(function(*pair, topn=cutoff)) for pair in pairs)
    return means


def llama_index(collection):
    from llama_index.core.evaluation.retrieval import metrics as peer

    kinds = {
        "hit_rate": peer.HitRate,
        "mrr": peer.MRR,
        "precision": peer.Precision,
        "recall": peer.Recall,
        "ap": peer.AveragePrecision,
        "ndcg": peer.NDCG,
    }
    return {
        name: mean(
            kind().compute(expected_ids=relevant, retrieved_ids=documents).score
            for documents, relevant in ranked(collection)
        )
        for name, kind in kinds.items()
    }


def mlflow(collection):
    import pandas as pd
    from mlflow.metrics.metric_definitions import (
        _ndcg_at_k_eval_fn,
        _precision_at_k_eval_fn,
        _recall_at_k_eval_fn,
    )

    documents, relevant = map(pd.Series, zip(*ranked(collection), strict=True))
    functions = {
        "ndcg": _ndcg_at_k_eval_fn,
        "precision": _precision_at_k_eval_fn,
        "recall": _recall_at_k_eval_fn,
    }
    return {
        f"{name}_at_{cutoff}": mean(function(cutoff)(documents, relevant).scores)
        for name, function in functions.items()
        for cutoff in CUTOFFS
    }


TOOLS = {
    name: value
    for name, value in list(globals().items())
    if isinstance(value, types.FunctionType)
    and name not in ("lists", "ranked", "mean", "dictionaries", "_joined")
}


def main():
    warnings.simplefilter("ignore")
    tool, answers = TOOLS[sys.argv[1]], []
    out = os.dup(1)
    os.dup2(2, 1)  # what tools print goes elsewhere
    with contextlib.redirect_stdout(sys.stderr):
        for collection in json.load(sys.stdin):
            try:
                answers.append(tool(collection))
            except Exception as error:
                answers.append(f"{type(error).__name__}: {error}"[:200])
    os.write(out, json.dumps(answers).encode())


if __name__ == "__main__":
    main()
