"""Means by tools that take judgments and runs as dictionaries."""

import importlib.util
import logging
import math
import sys
import types
from pathlib import Path
from unittest.mock import MagicMock

from peer_inputs import CUTOFFS, dictionaries, mean


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


def trec_eval(collection):
    """trec_eval 9, which pytrec_eval holds, with the measures that it computes its own way."""
    import pytrec_eval as peer

    qrels, run = dictionaries(collection)
    asked = {"map", "ndcg", "recip_rank", "Rprec", "bpref", "iprec_at_recall", "11pt_avg", "P.5,10"}
    by_topic = peer.RelevanceEvaluator(qrels, asked | {"num_ret", "num_rel", "num_rel_ret"}).evaluate(run)
    names = {name for values in by_topic.values() for name in values}
    return {
        name: (math.fsum if name.startswith("num_") else mean)([values[name] for values in by_topic.values()])
        for name in names
    }


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
    # the script prints topics with something relevant alone, and ir_measures adds the others as 0
    present = {topic for topic, rows in run.items() if rows and max(qrels[topic].values()) > 0}
    return {
        name: mean(each.value for each in by_topic if each.measure == measure and each.query_id in present)
        for name, measure in measures.items()
    }


def cwl_eval(collection):
    import ir_measures as peer

    qrels, run = dictionaries(collection)
    texts = {"AP": "AP", "RR": "RR"} | {f"P@{cutoff}": f"P@{cutoff}" for cutoff in CUTOFFS}
    texts |= {
        f"{name}(max_rel=3)@{cutoff}": f"{name}(max_rel=3)@{cutoff}"
        for name in ("SDCG", "NERR8")
        for cutoff in CUTOFFS
    }
    measures = {name: peer.parse_measure(text) for name, text in texts.items()}
    means = peer.cwl_eval.calc_aggregate(list(measures.values()), qrels, run)
    return {name: means[measure] for name, measure in measures.items()}


def beir(collection):
    logging.disable(logging.CRITICAL)
    sys.modules |= {name: MagicMock() for name in ("faiss", "elasticsearch", "elasticsearch.helpers")}
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


def loaded(name, path):
    """A module from its file alone."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def mteb(collection):
    """Its file of retrieval metrics: the package imports what these do not need."""
    peer = sys.modules.get("retrieval_metrics")
    if peer is None:
        stub = types.ModuleType("mteb.types")
        stub.RetrievalEvaluationResult = types.SimpleNamespace
        sys.modules |= {"mteb": types.ModuleType("mteb"), "mteb.types": stub}
        places = (Path(place, "mteb/_evaluators/retrieval_metrics.py") for place in sys.path)
        peer = loaded("retrieval_metrics", next(filter(Path.exists, places)))
        sys.modules["retrieval_metrics"] = peer
    qrels, run = dictionaries(collection)
    told = peer.calculate_retrieval_scores(run, qrels, list(CUTOFFS))
    return {**told.ndcg, **told.map, **told.recall, **told.precision, **told.mrr}


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
