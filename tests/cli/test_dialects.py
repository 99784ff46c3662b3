"""gainful dialects, and gainful evaluate --dialect."""

import json


def test_dialects_are_listed_and_explained(gainful):
    listed = gainful("dialects").out
    assert "beir@2.2.0" in listed
    assert "trec-eval@9.0.8" in listed
    explained = gainful("dialects", "beir").out
    assert "MRR@K" in explained
    assert "ties input, missing empty, scores 64" in explained
    assert "Source: beir 2.2.0" in explained


def test_an_unknown_dialect_is_a_wrong_usage_that_names_the_nearest(gainful, qrels, good_run):
    ended = gainful("evaluate", qrels, good_run, "--dialect", "bier")
    assert ended.code == 2
    assert "did you mean beir?" in ended.err


def test_a_run_is_scored_in_a_dialect_with_its_digits(gainful, qrels, good_run):
    ended = gainful("evaluate", qrels, good_run, "--dialect", "beir", "-m", "NDCG@10,MRR@10")
    assert "dialect: beir@2.2.0" in ended.out
    value = next(line.split()[-1] for line in ended.out.splitlines() if line.startswith("NDCG@10"))
    assert len(value.partition(".")[2]) == 5
    told = json.loads(gainful("evaluate", qrels, good_run, "--dialect", "beir", "-f", "json").out)
    assert told["dialect"] == "beir@2.2.0"
    assert told["settings"]["round_mean"] == 5
    assert told["runs"][0]["mean"]["NDCG@10"] == round(told["runs"][0]["mean"]["NDCG@10"], 5)


def test_settings_beside_a_dialect_are_refused_but_for_the_depth(gainful, qrels, good_run):
    refused = gainful("evaluate", qrels, good_run, "--dialect", "beir", "--ties", "best")
    assert refused.code == 2
    assert "a dialect has its own ties" in refused.err
    assert gainful("evaluate", qrels, good_run, "--dialect", "haystack", "--depth", "1").out
    spark = gainful("evaluate", qrels, good_run, "--dialect", "beir", "--engine", "spark")
    assert "on this machine" in spark.err


def test_the_layout_of_trec_eval_has_the_names_of_the_dialect(gainful, qrels, good_run):
    done = gainful("evaluate", qrels, good_run, "--dialect", "beir", "-m", "NDCG@10,MAP@10", "-f", "trec")
    assert [line.split()[0] for line in done.out.splitlines()] == ["runid", "NDCG@10", "MAP@10"]
