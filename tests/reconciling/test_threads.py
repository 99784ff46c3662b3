"""Threads in which people asked why two numbers differ: each a small collection with the thread's numbers, explained."""

import pytest

from gainful import reconcile

OWN_ID = "documents of the topic's own id are taken out"
COPIES = "every copy of a document counts"
AS_GIVEN = "tied documents stay in the order given"
NO_LONGER = "the ideal list is no longer than the list returned"
FOUND = "the sum is divided by the documents that were found"
EXPONENTIAL = "the gain is 2^grade − 1"


def explained(qrels, run, values):
    """The first answer, and what it does differently from us."""
    reconciliation = reconcile(qrels, run, values)
    assert reconciliation.answers, reconciliation
    answer = reconciliation.answers[0]
    return {answer.title, *answer.same}, answer.clauses(), reconciliation.sources[0]


def dialects(titles):
    return {title.partition("@")[0] for title in titles}


def with_own_documents(ranks):
    """Topics whose own document is retrieved first, and whose only relevant one stands at these ranks below it."""
    qrels, run = {}, []
    for number, rank in enumerate(ranks):
        topic = f"argument-{number}"
        qrels[topic] = {f"counter-{number}": 1}
        others = [f"other-{place}" for place in range(1, 10)]
        others.insert(rank - 1, f"counter-{number}")
        found = others if rank <= 10 else [other for other in others if not other.startswith("counter")]
        run += [(topic, document, 20.0 - place) for place, document in enumerate([topic, *found])]
    return qrels, run


def test_beir_91_arguana_is_41_4_or_31_5():
    qrels, run = with_own_documents([1, 1, 2, 3, 6, 6, 9, 99, 99, 99])
    titles, clauses, source = explained(qrels, run, {"nDCG@10": "41.4"})
    assert "beir" in dialects(titles)
    assert clauses == [OWN_ID]
    assert source.percent
    assert source.headline.startswith("41.4 (in percent) is what beir@")
    assert "Our own conventions give 0.3148." in source.headline
    titles, clauses, _ = explained(qrels, run, {"nDCG@10": "31.5"})
    assert {"gainful", "beir@1.0.0"} <= titles
    assert "beir@2.2.0" not in titles
    assert clauses == []


def test_beir_187_and_206_the_two_ways_still_meet_in_one_table():
    # the other pair of #91 (34.9 and 46.9), as two rows of a table that somebody compares
    qrels, run = with_own_documents([1, 1, 2, 4, 5, 9, 99, 99])
    both = reconcile(qrels, run, [{"nDCG@10": "0.349"}, {"NDCG@10": "0.469"}])
    first, second = (source.answers[0] for source in both.sources)
    assert "beir@2.2.0" not in {first.title, *first.same}
    assert "beir@2.2.0" in {second.title, *second.same}
    assert both.walk is not None
    assert [step.names for step in both.walk.steps if abs(step.share) > 1e-4] == [("drop_self",)]


def test_elasticsearch_154362_one_hit_is_1_instead_of_34_hundredths():
    qrels = {"q": dict.fromkeys("abcde", 1)}
    titles, clauses, _ = explained(qrels, [("q", "a", 1.0)], {"nDCG@10": 1.0})
    assert "elasticsearch" in dialects(titles)
    assert any(
        clause in (NO_LONGER, "the ideal list is of the retrieved documents only") for clause in clauses
    ) or ("only the documents in the list count as there to be found" in clauses)
    named = reconcile(qrels, [("q", "a", 1.0)], {"dcg(k=10, normalize=true)": 1.0}).answers[0]
    assert named.title.startswith("elasticsearch@")
    assert named.clauses() == [NO_LONGER]
    titles, clauses, _ = explained(qrels, [("q", "a", 1.0)], {"nDCG@10": "0.34"})
    assert "gainful" in titles


def test_mlflow_24541_a_short_list_is_1_instead_of_339_thousandths():
    qrels, run = {"q": dict.fromkeys("abcde", 1)}, [("q", "a", 2.0)]
    answer = reconcile(qrels, run, {"ndcg_at_3": 1.0, "recall_at_3": 0.2}).answers[0]
    assert answer.title.startswith("mlflow@")
    assert NO_LONGER in answer.clauses()
    assert "gainful" in explained(qrels, run, {"nDCG@10": "0.339"})[0]


def test_haystack_11959_ndcg_is_1_63_where_a_document_is_retrieved_twice():
    qrels, run = {"q": {"A": 1}}, [("q", "A", 2.0), ("q", "A", 1.0)]
    titles, clauses, source = explained(qrels, run, {"nDCG": "1.6309"})
    assert COPIES in clauses
    assert any("1.6309 is above 1" in finding and "twice" in finding for finding in source.findings)
    titles, clauses, _ = explained(qrels, run, {"DocumentNDCGEvaluator": 1.0})
    assert "haystack" in dialects(titles) or "gainful" in titles


def test_llama_index_22683_ap_is_2_where_an_id_is_retrieved_twice():
    qrels, run = {"q": {"id1": 1}}, [("q", "id1", 2.0), ("q", "id1", 1.0)]
    titles, clauses, source = explained(qrels, run, {"ap": 2.0, "ndcg": "1.63"})
    assert "llama-index" in dialects(titles)
    assert clauses == [COPIES]
    assert source.findings
    assert explained(qrels, run, {"AP": 1.0})[1] == []


def test_mteb_5136_mrr_changed_between_versions():
    # a scorer that gives every document the same score: the relevant one is first in the file, and last by its id
    documents = ["a-relevant", *(f"b{place:02d}" for place in range(12))]
    qrels, run = {"q": {"a-relevant": 1}}, [("q", document, 1.0) for document in documents]
    titles, clauses, _ = explained(qrels, run, {"MRR@10": 1.0, "nDCG@10": 0.0})
    assert AS_GIVEN in clauses or dialects(titles) & {"mteb", "beir"}
    newest = explained(qrels, run, {"MRR@10": 0.0, "nDCG@10": 0.0})
    assert "mteb" in dialects(newest[0]) or "gainful" in newest[0]


def test_lightgbm_6814_is_not_scikit_learn_on_the_same_predictions():
    # the labels of the thread, in the order predicted
    labels = [0, 1, 0, 0, 4, *[0] * 15]
    run = [("q", f"d{place:02d}", 20.0 - place) for place in range(20)]
    qrels = {"q": {f"d{place:02d}": grade for place, grade in enumerate(labels)}}
    titles, clauses, _ = explained(qrels, run, {"nDCG@20": "0.4116"})
    assert "lightgbm" in dialects(titles)
    assert clauses == [EXPONENTIAL]
    titles, _, _ = explained(qrels, run, {"nDCG@20": "0.4704"})
    assert "scikit-learn" in dialects(titles)


def test_pytorch_geometric_9989_map_at_k_is_1_or_one_half():
    qrels, run = {"q": {"a": 1, "b": 1}}, [("q", "a", 3.0), ("q", "x", 2.0), ("q", "y", 1.0)]
    _, clauses, _ = explained(qrels, run, {"AP@3": 1.0})
    assert FOUND in clauses or "only the documents in the list count as there to be found" in clauses
    assert explained(qrels, run, {"AP@3": 0.5})[1] == []


@pytest.mark.parametrize(("name", "other"), [("a", 1.0), ("z", 0.6309)])
def test_trec_eval_22_renaming_a_document_changes_ndcg(name, other):
    # the relevant document and m are tied; by id, descending, it depends on the name which of them is first
    qrels, run = {"q": {name: 1}}, [("q", name, 1.0), ("q", "m", 1.0)]
    assert "trec-eval" in dialects(explained(qrels, run, {"nDCG@10": round(1.6309 - other, 4)})[0])
    _, clauses, _ = explained(qrels, run, {"nDCG@10": other})
    assert any("tied documents" in clause for clause in clauses)


def test_beir_105_map_is_not_mrr_with_one_relevant_document():
    qrels, run = {"q": {"a": 1}}, [("q", document, 1.0) for document in "badc"]
    titles, _, _ = explained(qrels, run, {"MAP@10": 0.25, "MRR@10": 0.5})
    assert dialects(titles) & {"beir", "mteb"}


def test_opensearch_191_ndcg_exceeds_1_where_hits_repeat():
    qrels = {"q": {"a": 1, "b": 1}}
    run = [("q", "a", 4.0), ("q", "a", 3.0), ("q", "b", 2.0)]
    # 1 + 1/log2 3 + 1/2 over 1 + 1/log2 3
    _, clauses, source = explained(qrels, run, {"NDCG@10": "1.31"})
    assert COPIES in clauses
    assert source.findings
