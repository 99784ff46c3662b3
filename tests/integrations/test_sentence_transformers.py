"""The evaluator with a real model (static embeddings of random weights, made here) against the numbers of their evaluator."""

import pytest

pytest.importorskip("sentence_transformers", reason="needs sentence-transformers (make integrations)")

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

import gainful
from gainful.comparisons.mean_intervals import mean_intervals
from gainful.integrations.sentence_transformers import RankingEvaluator

WORDS = [f"w{number}" for number in range(60)]
CORPUS = {f"d{number}": " ".join(WORDS[number : number + 8]) for number in range(50)}
QUERIES = {f"q{number}": " ".join(WORDS[5 * number : 5 * number + 3]) for number in range(8)}
RELEVANT = {f"q{number}": {f"d{5 * number}", f"d{5 * number + 1}", "d7"} for number in range(8)}


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(5)
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(["[UNK]", *WORDS])}, "[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    return SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=4)], device="cpu")


def test_their_numbers_stay_and_ours_are_beside_them_with_intervals(model):
    evaluator = RankingEvaluator(QUERIES, CORPUS, RELEVANT, measures="nDCG@10, RR@10, P@5", name="dev")
    metrics = evaluator(model)
    assert 0 < metrics["dev_cosine_ndcg@10"] < 1
    for ours, theirs in {"nDCG@10": "ndcg@10", "RR@10": "mrr@10", "P@5": "precision@5"}.items():
        assert metrics[f"dev_cosine_{ours}"] == pytest.approx(metrics[f"dev_cosine_{theirs}"], abs=1e-9)
        ends = mean_intervals(evaluator.scores["cosine"].runs[0])[ours]
        assert (metrics[f"dev_cosine_{ours}_low"], metrics[f"dev_cosine_{ours}_high"]) == ends
    assert evaluator.primary_metric == "dev_cosine_nDCG@10"


def test_in_its_dialect_all_numbers_are_theirs(model):
    names = "accuracy@1, precision@5, recall@5, ndcg@10, mrr@10, map@100"
    theirs = RankingEvaluator(QUERIES, CORPUS, RELEVANT, measures="RR")(model)
    ours = RankingEvaluator(QUERIES, CORPUS, RELEVANT, measures=names, dialect="sentence-transformers")(model)
    for name in names.split(", "):
        assert ours[f"cosine_{name}"] == pytest.approx(theirs[f"cosine_{name}"], abs=1e-9)


def test_runs_and_judgments_are_written_for_compare(model, tmp_path):
    graded = {query: dict.fromkeys(ids, 1) | {"d7": 2, "d9": 0} for query, ids in RELEVANT.items()}
    evaluator = RankingEvaluator(
        QUERIES,
        CORPUS,
        graded | {"nobody asks": {"d1": 1}},
        name="dev",
        score_functions={"cosine": model.similarity, "worse": lambda a, b: -(a @ b.T)},
        write_csv=False,
    )
    metrics = evaluator(model, output_path=str(tmp_path), epoch=1, steps=20)
    files = {path.name for path in tmp_path.iterdir()}
    assert files == {"dev.qrels", "dev_cosine_epoch1_step20.run", "dev_worse_epoch1_step20.run"}
    runs = [tmp_path / f"dev_{name}_epoch1_step20.run" for name in ("worse", "cosine")]
    compared = gainful.compare(tmp_path / "dev.qrels", runs, "nDCG@10")
    means = list(compared.means["nDCG@10"].values())
    assert means == pytest.approx([metrics["dev_worse_nDCG@10"], metrics["dev_cosine_nDCG@10"]], abs=1e-9)
    assert evaluator.primary_metric == "dev_cosine_nDCG@10"
    assert compared.table.topics == tuple(sorted(QUERIES))
