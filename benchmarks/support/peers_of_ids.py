"""Means by tools that take lists of ids and the ids that are relevant."""

import asyncio
import sys
import types

from peer_inputs import CUTOFFS, mean, of_every_topic, ranked


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


def haystack(collection):
    from haystack import Document
    from haystack.components import evaluators as peer

    def documents(names, scores=None):
        return [
            Document(id=name, content=name, score=None if scores is None else float(scores[name]))
            for name in names
        ]

    topics = list(of_every_topic(collection))
    retrieved = [documents(names) for names, _ in topics]
    relevant = [documents(name for name, grade in grades.items() if grade >= 1) for _, grades in topics]
    graded = [documents(grades, grades) for _, grades in topics]
    multi, single = peer.document_recall.RecallMode.MULTI_HIT, peer.document_recall.RecallMode.SINGLE_HIT
    asked = {
        "DocumentNDCGEvaluator": (peer.DocumentNDCGEvaluator(), graded),
        "DocumentNDCGEvaluator(binary)": (peer.DocumentNDCGEvaluator(), relevant),
        "DocumentMAPEvaluator": (peer.DocumentMAPEvaluator(), relevant),
        "DocumentMRREvaluator": (peer.DocumentMRREvaluator(), relevant),
        "DocumentRecallEvaluator(multi_hit)": (peer.DocumentRecallEvaluator(multi), relevant),
        "DocumentRecallEvaluator(single_hit)": (peer.DocumentRecallEvaluator(single), relevant),
    }
    return {
        name: evaluator.run(ground_truth_documents=truth, retrieved_documents=retrieved)["score"]
        for name, (evaluator, truth) in asked.items()
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


def sentence_transformers(collection):
    try:
        from sentence_transformers.sentence_transformer.evaluation import (
            InformationRetrievalEvaluator as Peer,
        )
    except ImportError:
        from sentence_transformers.evaluation import InformationRetrievalEvaluator as Peer

    relevant = {
        topic: {document for document, grade in grades.items() if grade >= 1}
        for topic, grades in collection["judgments"].items()
    }
    cuts = list(CUTOFFS)
    evaluator = Peer(
        {topic: topic for topic in relevant},
        {"d": "d"},
        relevant,
        mrr_at_k=cuts,
        ndcg_at_k=cuts,
        accuracy_at_k=cuts,
        precision_recall_at_k=cuts,
        map_at_k=cuts,
    )
    hits = [
        [{"corpus_id": document, "score": score} for document, score in collection["run"].get(topic, [])]
        for topic in evaluator.queries_ids
    ]
    told = evaluator.compute_metrics(hits)
    return {name.replace("@k", f"@{cutoff}"): float(told[name][cutoff]) for name in told for cutoff in cuts}


def spark(collection):
    from pyspark.mllib.common import JavaModelWrapper, callMLlibFunc
    from pyspark.mllib.evaluation import RankingMetrics
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )
    # Its own constructor guesses the types of columns from the rows, and gives up where no topic has anything relevant.
    lists = session.createDataFrame(list(ranked(collection)), "prediction array<string>, label array<string>")
    peer = RankingMetrics.__new__(RankingMetrics)
    JavaModelWrapper.__init__(peer, callMLlibFunc("newRankingMetrics", lists._jdf))
    means = {"meanAveragePrecision": peer.meanAveragePrecision}
    for cutoff in CUTOFFS[1:]:
        means |= {
            f"meanAveragePrecisionAt({cutoff})": peer.meanAveragePrecisionAt(cutoff),
            f"precisionAt({cutoff})": peer.precisionAt(cutoff),
            f"recallAt({cutoff})": peer.recallAt(cutoff),
            f"ndcgAt({cutoff})": peer.ndcgAt(cutoff),
        }
    return means


def ragas(collection):
    missing = "langchain_community.chat_models.vertexai"  # gone from LangChain; ragas imports it all the same
    if missing not in sys.modules:
        sys.modules[missing] = types.ModuleType(missing)
        sys.modules[missing].ChatVertexAI = object
    from ragas import SingleTurnSample
    from ragas.metrics import IDBasedContextPrecision, IDBasedContextRecall

    samples = [
        SingleTurnSample(retrieved_context_ids=documents, reference_context_ids=relevant)
        for documents, relevant in ranked(collection)
    ]
    return {
        metric.name: mean(asyncio.run(metric._single_turn_ascore(sample, None)) for sample in samples)
        for metric in (IDBasedContextPrecision(), IDBasedContextRecall())
    }
