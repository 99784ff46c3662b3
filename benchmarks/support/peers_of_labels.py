"""Means by tools that see the labels and the scores of lists alone."""

from peer_inputs import CUTOFFS, joined, lists, mean


def scikit_learn(collection):
    from sklearn.metrics import ndcg_score

    asked = {"ndcg_score": {}} | {f"ndcg_score(k={cutoff})": {"k": cutoff} for cutoff in CUTOFFS}
    return {
        name: mean(ndcg_score([labels], [scores], **said) for labels, scores in lists(collection))
        for name, said in asked.items()
    }


def torchmetrics(collection):
    import torch
    from torchmetrics.functional.retrieval import retrieval_normalized_dcg

    pairs = [(torch.tensor(scores), torch.tensor(labels)) for labels, scores in lists(collection)]
    asked = {"": None} | {f"(top_k={cutoff})": cutoff for cutoff in CUTOFFS}
    return {
        f"RetrievalNormalizedDCG{name}": mean(
            float(retrieval_normalized_dcg(*pair, top_k=cutoff)) for pair in pairs
        )
        for name, cutoff in asked.items()
    }


def lightgbm(collection):
    import lightgbm as peer
    import numpy as np

    labels, scores, sizes = joined(collection)
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

    labels, scores, sizes = joined(collection)
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

    labels, scores, sizes = joined(collection)
    groups = [number for number, size in enumerate(sizes) for _ in range(size)]
    names = ["NDCG", "MAP", "MRR"]
    names += [
        f"{name}:top={cutoff}"
        for name in ("NDCG", "MAP", "MRR", "PrecisionAt", "RecallAt")
        for cutoff in CUTOFFS
    ]
    names += [f"NDCG:top={cutoff};type=Exp" for cutoff in CUTOFFS]
    return {name: eval_metric(labels, scores, name, group_id=groups, thread_count=1)[0] for name in names}


def rax(collections):
    """Every list of every collection in one array: a shape of its own would be compiled anew."""
    import jax.numpy as jnp
    import numpy as np
    import rax as peer

    pairs = [(number, *pair) for number, each in enumerate(collections) for pair in lists(each)]
    longest = max(len(labels) for _, labels, _ in pairs)
    labels, scores = np.zeros((2, len(pairs), longest))
    there = np.zeros((len(pairs), longest), bool)
    for row, (_, its_labels, its_scores) in enumerate(pairs):
        labels[row, : len(its_labels)], scores[row, : len(its_labels)] = its_labels, its_scores
        there[row, : len(its_labels)] = True
    given = jnp.array(scores), jnp.array(labels)
    owner = np.array([number for number, _, _ in pairs])
    means = [{} for _ in collections]
    for name in ("ndcg_metric", "ap_metric", "mrr_metric", "precision_metric", "recall_metric"):
        for cutoff in CUTOFFS:
            values = np.asarray(
                getattr(peer, name)(*given, where=jnp.array(there), topn=cutoff, reduce_fn=None), float
            )
            for number, answer in enumerate(means):
                answer[f"{name}(topn={cutoff})"] = mean(values[owner == number].tolist())
    return means
