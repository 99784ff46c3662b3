"""Profiles learned by a regression beside Rocchio's formula, against a literal transcription with scikit-learn."""

import numpy as np
import pytest

from gainful.errors import UsageError
from gainful.filtering import vectors
from gainful.filtering.profile_models import Judged, Regression, Rocchio, evenly
from gainful.filtering.vectors import NOTHING, Counts, DenseStore, Idf, TermStore, Vector

WORDS = 80


@pytest.fixture
def exact(monkeypatch):
    """Regressions are fitted to the end, so that they can be compared."""
    monkeypatch.setattr(vectors, "_PASSES", 5000)
    monkeypatch.setattr(vectors, "_TOLERANCE", 1e-12)


def stream(seed, documents=300):
    """A store of documents, each of one of four themes; their vectors as a matrix; and the themes."""
    draw = np.random.default_rng(seed)
    themes = draw.integers(0, 4, documents)
    rows = []
    for theme in themes:
        words = np.concatenate([draw.integers(0, WORDS, 12), theme * 5 + draw.integers(0, 5, 3)])
        terms, tf = np.unique(words, return_counts=True)
        rows.append((terms, tf))
    offsets = np.cumsum([0, *(len(terms) for terms, _ in rows)])
    counts = Counts(
        offsets,
        np.concatenate([terms for terms, _ in rows]).astype(np.int32),
        np.concatenate([tf for _, tf in rows]).astype(np.float64),
    )
    store = TermStore(Idf.of(counts), counts)
    matrix = np.zeros((documents, WORDS))
    for number in range(documents):
        vector = store.vector(number)
        matrix[number, vector.terms] = vector.weights
    return store, matrix, themes


def judged_of(themes, count, *, wanted=0, before=250):
    numbers = np.arange(before)
    return Judged(numbers[themes[:before] == wanted][:count], numbers[themes[:before] != wanted][: 2 * count])


def asked(*terms):
    return Vector(np.array(terms, np.int32), np.ones(len(terms))).scaled()


def literal(
    matrix, query, judged, seen, *, strength=10.0, background=200, weight=0.25, recent=100, terms=1000
):
    """The profile as the docstring says it, over dense rows."""
    from sklearn import linear_model  # takes seconds: only where it is needed

    relevant, other = judged.relevant[-recent:], judged.other[-recent:]
    everything = set(judged.relevant.tolist()) | set(judged.other.tolist())
    unknown = np.array([number for number in seen if number not in everything], int)
    if len(unknown) > background:
        unknown = unknown[[(i * len(unknown) + len(unknown) // 2) // background for i in range(background)]]
    rows = np.vstack([matrix[relevant], query, matrix[other], matrix[unknown]])
    labels = np.array([1] * (len(relevant) + 1) + [0] * (len(other) + len(unknown)))
    costs = np.array([1.0] * (len(relevant) + 1 + len(other)) + [weight] * len(unknown))
    balance = costs[labels == 0].sum() / costs[labels == 1].sum()
    costs[labels == 1] *= min(max(balance, 1 / 20), 20)
    fitted = linear_model.LogisticRegression(
        C=strength, solver="liblinear", tol=1e-12, max_iter=100_000, random_state=0
    )
    regression = fitted.fit(rows, labels, sample_weight=costs).coef_[0]
    rocchio = query
    if len(relevant):
        rocchio = rocchio + matrix[relevant].mean(axis=0)
    if len(other):
        rocchio = rocchio - matrix[other].mean(axis=0)
    rocchio = np.maximum(rocchio, 0)
    rocchio = rocchio / np.linalg.norm(rocchio)
    mixed = sum(part / (matrix[seen] @ part).std() for part in (rocchio, regression))
    mixed[np.argsort(-np.abs(mixed))[terms:]] = 0
    return mixed / np.linalg.norm(mixed)


def dense(vector, width=WORDS):
    row = np.zeros(width)
    row[vector.terms] = vector.weights
    return row


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("count", "options"),
    [
        (3, {}),
        (25, {"background": 40, "weight": 0.5}),
        (40, {"recent": 10}),
        (20, {"terms": 12, "strength": 2.0}),
        (0, {}),
    ],
)
def test_a_regression_is_what_the_transcription_fits(exact, seed, count, options):
    store, matrix, themes = stream(seed)
    judged, seen = judged_of(themes, count), np.arange(250)
    description = asked(0, 1, 30)
    found = Regression(**options).profile(store, description, judged, seen)
    expected = literal(matrix, dense(description), judged, seen, **options)
    assert dense(found) == pytest.approx(expected, abs=2e-4)
    assert found.length == pytest.approx(1)
    assert (np.diff(found.terms) > 0).all()
    assert len(found.terms) <= options.get("terms", 1000)
    assert (found.weights < 0).any()


def test_the_usual_tolerance_is_close_enough(monkeypatch):
    store, _, themes = stream(4)
    judged, seen = judged_of(themes, 20), np.arange(250)
    quick = dense(Regression().profile(store, asked(0, 1), judged, seen))
    monkeypatch.setattr(vectors, "_PASSES", 5000)
    monkeypatch.setattr(vectors, "_TOLERANCE", 1e-12)
    assert quick @ dense(Regression().profile(store, asked(0, 1), judged, seen)) > 0.97


def test_documents_judged_long_ago_are_no_background():
    """Else what was wanted would stand among what is not, once there are more answers than are learned from."""
    store, _, themes = stream(5)
    wanted = np.flatnonzero(themes[:250] == 0)
    judged = Judged(wanted, np.empty(0, np.int64))
    model = Regression(recent=5, background=250, weight=1.0)
    asked_for = []
    separate = store.separate

    def spying(documents, *rest):
        asked_for.extend(documents.tolist())
        return separate(documents, *rest)

    store.separate = spying
    model.profile(store, asked(0, 1), judged, np.arange(250))
    assert set(asked_for) & set(wanted.tolist()) == set(wanted[-5:].tolist())
    assert len(asked_for) == len(set(asked_for)) == 250 - len(wanted) + 5


def test_regressions_repeat_to_the_bit_wherever_documents_stand():
    store, _, themes = stream(6)
    judged, seen = judged_of(themes, 12), np.arange(250)
    one, other = (Regression().profile(store, asked(0, 2), judged, seen) for _ in range(2))
    assert one.weights.tobytes() == other.weights.tobytes()
    order = np.random.default_rng(1).permutation(250)
    moved = TermStore(store.idf)
    for number in order:
        vector = store.vector(int(number))
        moved._vectors.append(np.array([0, len(vector.terms)]), vector.terms, vector.weights)
    new = np.argsort(order)  # where each document stands now
    there = Judged(new[judged.relevant], new[judged.other])
    elsewhere = Regression().profile(moved, asked(0, 2), there, new)
    assert elsewhere.terms.tolist() == one.terms.tolist()
    assert elsewhere.weights.tobytes() == one.weights.tobytes()


def test_the_cost_is_bounded_however_many_are_judged():
    store, _, themes = stream(7)
    sizes = []
    separate = store.separate
    store.separate = lambda documents, *rest: (sizes.append(len(documents)), separate(documents, *rest))[1]
    Regression(recent=20, background=30).profile(store, asked(0), judged_of(themes, 40), np.arange(250))
    assert sizes == [20 + 20 + 30]


def test_without_a_background_a_regression_is_the_formula_of_rocchio():
    store, _, _ = stream(8)
    nobody = Judged(np.empty(0, np.int64), np.empty(0, np.int64))
    found = Regression().profile(store, asked(3, 4), nobody, np.empty(0, np.int64))
    alone = Rocchio(description=1.0, terms=None).profile(store, asked(3, 4), nobody, np.empty(0, np.int64))
    assert (found.terms.tolist(), found.weights.tolist()) == (alone.terms.tolist(), alone.weights.tolist())


def test_a_description_that_no_document_has_is_still_looked_for():
    store, _, _ = stream(9)
    nobody = Judged(np.empty(0, np.int64), np.empty(0, np.int64))
    found = Regression().profile(store, asked(500, 501), nobody, np.arange(250))
    assert dense(found, 502)[[500, 501]] == pytest.approx(np.sqrt(0.5), abs=1e-3)


def test_nothing_asked_and_nothing_judged_gives_no_document_a_score_above_zero():
    store, _, _ = stream(10)
    nobody = Judged(np.empty(0, np.int64), np.empty(0, np.int64))
    found = Regression().profile(store, NOTHING, nobody, np.arange(250))
    assert np.isfinite(found.weights).all()
    assert (store.score(found, 0, 250) <= 0).all()


def test_equal_weights_keep_the_terms_that_were_known_first():
    """Nothing is judged, and the documents have nothing in common: terms of the description weigh the same."""
    counts = Counts(np.arange(5), np.arange(4, dtype=np.int32), np.ones(4))
    store = TermStore(Idf.of(counts), counts)
    nobody = Judged(np.empty(0, np.int64), np.empty(0, np.int64))
    kept = Regression(terms=2).profile(store, asked(10, 11, 12, 13), nobody, np.arange(4))
    assert kept.terms.tolist() == [10, 11]


@pytest.mark.parametrize("count", [0, 15])
def test_embeddings_are_separated_with_all_their_dimensions(exact, count):
    draw = np.random.default_rng(3)
    themes = draw.integers(0, 4, 300)
    centres = draw.normal(size=(4, 16))
    rows = centres[themes] + draw.normal(size=(300, 16))
    store = DenseStore(rows)
    matrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    judged, seen = judged_of(themes, count), np.arange(250)
    query = centres[0] / np.linalg.norm(centres[0])
    description = Vector(np.arange(16, dtype=np.int32), query)
    found = Regression(terms=3).profile(store, description, judged, seen)
    assert len(found.terms) == 16
    parts = [
        Rocchio(description=1.0, terms=None).profile(store, description, judged, seen).weights,
        Regression()
        ._regression(store, description, judged, seen[~np.isin(seen, np.concatenate(judged))])
        .weights,
    ]
    mixed = sum(part / (matrix[:250] @ part).std() for part in parts)
    assert found.weights == pytest.approx(mixed / np.linalg.norm(mixed), abs=1e-9)
    scores = store.score(found, 250, 300)
    assert scores[themes[250:] == 0].mean() > scores[themes[250:] != 0].mean() + 0.2


@pytest.mark.parametrize("growth", [0.3, 0.5, 1.0, 3.0])
def test_a_model_of_any_growth_learns_from_the_first_answer_and_when_so_much_is_new(growth):
    model = Regression(growth=growth)
    assert model.due(0, 1)
    last = 1
    for now in range(2, 500):
        if model.due(now - 1, now):
            assert now <= (last + 1) * (1 + growth) + 1
            last = now


def test_it_learns_again_at_each_answer_and_then_when_a_tenth_is_new():
    model = Regression()
    learned = [now for now in range(1, 200) if model.due(now - 1, now)]
    assert learned[:10] == list(range(1, 11))
    gaps = np.diff([one for one in learned if one >= 20]) / np.array(
        [one for one in learned if one >= 20][:-1]
    )
    assert gaps.max() <= 0.16
    assert len(learned) < 45
    assert all(model.due(before, before + max(1, round(before / 5))) for before in range(300))
    assert not model.due(57, 57)
    assert all(Rocchio().due(now, now + 1) for now in range(100))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"strength": 0}, "strength must be above 0 and finite; got 0"),
        ({"weight": float("inf")}, "weight must be above 0"),
        ({"growth": float("nan")}, "growth must be above 0"),
        ({"growth": True}, "growth must be above 0"),
        ({"background": 0}, "background must be a whole number from 1 on; got 0"),
        ({"recent": 2.5}, "recent must be a whole number"),
        ({"recent": None}, "recent must be a whole number"),
        ({"terms": -1}, "terms must be a whole number"),
    ],
)
def test_parameters_out_of_range_are_refused(given, said):
    with pytest.raises(UsageError, match=said):
        Regression(**given)


def test_an_even_sample_is_spread_over_all():
    for count in (1, 7, 200):
        sample = evenly(np.arange(1000), count)
        assert len(set(sample.tolist())) == count
        assert np.diff(sample).max(initial=0) <= 1000 / count + 1
    assert evenly(np.arange(5), 9).tolist() == [0, 1, 2, 3, 4]
