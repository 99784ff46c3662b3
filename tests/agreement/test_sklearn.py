"""scikit-learn's ndcg_score knows only the documents it is given: it is nDCG with ideal=retrieved."""

import numpy as np
import pytest

import gainful

TOPICS, DOCUMENTS = 40, 25
CUTOFFS = (1, 2, 3, 5, 10, 25, None)


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    """Grades and scores of topics × documents, without ties; the last three documents are not judged."""
    random = np.random.default_rng(11)
    grades = random.choice([0, 0, 0, 1, 2, 3, 0.5], size=(TOPICS, DOCUMENTS))
    grades[:, -3:] = 0
    scores = np.array([random.permutation(DOCUMENTS) / 8 for _ in range(TOPICS)])
    return grades, scores


def as_dicts(grades: np.ndarray, scores: np.ndarray) -> tuple[dict, dict]:
    judgments = {f"t{t}": {f"d{d}": float(grades[t, d]) for d in range(DOCUMENTS - 3)} for t in range(TOPICS)}
    judgments |= {t: judged | {"never retrieved": 3.0} for t, judged in judgments.items()}
    run = {f"t{t}": {f"d{d}": float(scores[t, d]) for d in range(DOCUMENTS)} for t in range(TOPICS)}
    return judgments, run


@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_ndcg_with_the_retrieved_ideal_is_scikit_learns(cutoff: int | None, data: tuple) -> None:
    from sklearn import metrics  # takes seconds: only where it is needed

    grades, scores = data
    at = "" if cutoff is None else f"@{cutoff}"
    measure = f"nDCG(ideal=retrieved){at}"
    values = gainful.evaluate(*as_dicts(grades, scores), measure).per_topic
    assert len(values) == TOPICS
    for topic in range(TOPICS):
        expected = metrics.ndcg_score(grades[[topic]], scores[[topic]], k=cutoff, ignore_ties=True)
        assert values[f"t{topic}"][measure] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_dcg_is_scikit_learns(cutoff: int | None, data: tuple) -> None:
    from sklearn import metrics

    grades, scores = data
    measure = "DCG" if cutoff is None else f"DCG@{cutoff}"
    values = gainful.evaluate(*as_dicts(grades, scores), measure).per_topic
    for topic in range(TOPICS):
        expected = metrics.dcg_score(grades[[topic]], scores[[topic]], k=cutoff, ignore_ties=True)
        assert values[f"t{topic}"][measure] == pytest.approx(expected, abs=1e-12)


def test_the_judged_ideal_is_another_number(data: tuple) -> None:
    values = gainful.evaluate(*as_dicts(*data), "nDCG@10, nDCG(ideal=retrieved)@10").mean
    assert values["nDCG@10"] < values["nDCG(ideal=retrieved)@10"]
