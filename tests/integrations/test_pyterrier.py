"""Measures in a real `pt.Experiment`, without Java, and the comparison of its results."""

from random import Random

import pytest

pt = pytest.importorskip("pyterrier", reason="needs pyterrier (make integrations)")

import pandas as pd
from scipy.stats import ttest_rel

import gainful
from gainful.errors import DataError
from gainful.integrations.pyterrier import compare, measure, table

TOPICS = pd.DataFrame({"qid": [str(number) for number in range(12)], "query": "words"})
RANDOM = Random(2)
QRELS = pd.DataFrame(
    [(qid, f"d{number}", RANDOM.choice([0, 1, 2])) for qid in TOPICS["qid"] for number in range(20)],
    columns=["qid", "docno", "label"],
)


def system(noise, missing=()):
    """Documents by their grade and some noise; some topics may be missing."""
    rows = [
        (qid, docno, label + noise * RANDOM.random())
        for qid, docno, label in QRELS.itertuples(index=False)
        if qid not in missing
    ]
    frame = pd.DataFrame(rows, columns=["qid", "docno", "score"])
    return pt.Transformer.from_df(pt.model.add_ranks(frame))


SYSTEMS = {"noisy": system(9), "fair": system(5, missing=("3",)), "good": system(4)}
MEASURES = ["map", measure("nDCG@10"), measure("Q@10"), measure("RBP(rel=2)", ties="worst")]


@pytest.fixture(scope="module")
def results():
    return pt.Experiment(SYSTEMS, TOPICS, QRELS, MEASURES, perquery=True)


def test_an_experiment_shows_measures_that_only_gainful_has(results):
    means = pt.Experiment(SYSTEMS, TOPICS, QRELS, MEASURES).set_index("name")
    theirs = pt.Experiment(SYSTEMS, TOPICS, QRELS, ["ndcg_cut_10"])["ndcg_cut_10"]
    assert list(means["nDCG@10"]) == pytest.approx(list(theirs), abs=1e-9)
    run = SYSTEMS["fair"].transform(TOPICS)
    ours = gainful.evaluate(
        tuple(QRELS[name] for name in QRELS), tuple(run[name] for name in ("qid", "docno", "score")), "Q@10"
    )
    assert means["Q@10"]["fair"] == pytest.approx(ours.mean["Q@10"])
    assert not pt.java.started()
    values = results[(results["name"] == "fair") & (results["qid"] == "3")]["value"]
    assert list(values) == [0, 0, 0, 0]


def test_the_table_has_their_means_with_intervals_and_corrected_p_values(results):
    theirs = pt.Experiment(SYSTEMS, TOPICS, QRELS, MEASURES, baseline="noisy", correction="holm").set_index(
        "name"
    )
    compared = compare(results, baseline="noisy", test="t")
    ours = table(compared).set_index("name").loc[list(SYSTEMS)]
    for name in ("map", "nDCG@10", "Q@10", "RBP(rel=2)"):
        for column in (name, f"{name} +", f"{name} -", f"{name} p-value", f"{name} p-value corrected"):
            assert list(ours[column]) == pytest.approx(list(theirs[column]), abs=1e-9, nan_ok=True), column
        assert (ours[f"{name} low"] < ours[name]).all()
        assert (ours[name] < ours[f"{name} high"]).all()
    values = results[results["measure"] == "map"].pivot(index="name", columns="qid", values="value")
    interval = ttest_rel(values.loc["good"], values.loc["noisy"]).confidence_interval()
    found = tuple(ours.loc["good", ["map difference low", "map difference high"]])
    assert found == pytest.approx(tuple(interval))
    assert "is better than the baseline noisy" in str(compared.verdict)


def test_without_a_baseline_all_pairs_are_compared_and_means_have_intervals(results):
    compared = compare(results)
    assert len(compared.of("map")) == 3
    assert {"name", "map", "map low", "map high"} < set(table(compared).columns)
    assert not any("p-value" in column for column in table(compared).columns)


def test_means_are_refused_as_results():
    means = pt.Experiment(SYSTEMS, TOPICS, QRELS, ["map"])
    with pytest.raises(DataError, match="perquery=True"):
        compare(means)
