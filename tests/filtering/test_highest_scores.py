"""The highest scores of profiles, kept as documents arrive: what follows from them follows from all scores."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.filtering.states import Clock, content, documents
from tests.filtering.test_sparse import apart

from gainful._core import (
    Aims,
    HighestScores,
    PlaceCurve,
    ProfileIndex,
    VectorStore,
    expected_thetas,
    plain_highest_scores,
    plain_sparse,
)
from gainful.filtering import Filter
from gainful.filtering.state import engine
from gainful.filtering.threshold_registry import rule_named

CORES = pytest.mark.parametrize("core", [HighestScores, plain_highest_scores.HighestScores])
PLACES = {"first": 0.8, "shared": -0.1, "second": 0.02, "usual": 0.15, "far": 0.001, "least_place": 0.001}


def drawn(seed):
    """Scores of some documents, highest first, and what thresholds are made of; the same for both cores."""
    draw = np.random.default_rng(seed)
    scores = np.round(draw.exponential(0.1, draw.integers(1, 300)), draw.choice([2, 12]))
    scores[draw.random(len(scores)) < draw.choice([0.0, 0.5, 0.97])] *= -draw.choice([0.0, 0.3])
    curve = {
        "intercept": draw.choice([-8.0, -4.0, 0.5, -30.0]),
        "slope": draw.choice([0.05, 1.3, 2.4]),
        "nearness": draw.choice([0.0, 1.5]),
        **PLACES,
    }
    aims = {
        "needed": draw.choice([-0.7, 1.0, -math.inf]),
        "won": draw.choice([2.0, 1e300]),
        "lost": draw.choice([-1.0, 0.0, -20.0]),
        "optimism": draw.choice([0.0, 0.0, 1.0]),
        "floor": draw.choice([0.0, 0.0, -math.inf]),
    }
    dropped = int(draw.choice([0, 700]))
    return -np.sort(-scores), len(scores) + dropped, curve, aims


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 10**9))
def test_thetas_have_the_same_bits_in_both_cores(seed):
    scores, seen, curve, aims = drawn(seed)
    twin = plain_highest_scores
    assert expected_thetas(scores, seen, PlaceCurve(**curve), Aims(**aims)) == twin.expected_thetas(
        scores, seen, twin.PlaceCurve(**curve), twin.Aims(**aims)
    )


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from([1, 4, 30]))
def test_thetas_of_the_highest_scores_are_those_of_all_or_none(seed, depth):
    scores, seen, curve, aims = drawn(seed)
    expected = expected_thetas(scores, seen, PlaceCurve(**curve), Aims(**aims))
    twin = plain_highest_scores
    for kept, parts in (
        (HighestScores(depth), (PlaceCurve(**curve), Aims(**aims))),
        (twin.HighestScores(depth), (twin.PlaceCurve(**curve), twin.Aims(**aims))),
    ):
        for _ in range(12):  # twice as many each time they are too few
            kept.keep(7, scores)
            best, zero = kept.expected_thetas(np.array([7, 3]), len(scores), seen, *parts, threads=2)
            assert np.isnan([best[1], zero[1]]).all()  # nothing is kept of the other one
            if not math.isnan(best[0]):
                break
            assert 7 not in kept
        if math.isnan(best[0]):
            assert scores[-1] <= 0  # which are not kept
        else:
            assert (best[0], zero[0]) == expected


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from([1, 3, 50]), st.booleans())
def test_documents_that_arrive_join_the_highest_scores(seed, depth, threaded):
    draw = np.random.default_rng(seed)
    profiles, terms = int(draw.integers(1, 12)), 8

    def rows(count):
        there = draw.random((count, terms)) < 0.6
        offsets = np.cumsum([0, *there.sum(axis=1)], dtype=np.int64)
        weights = np.round(draw.normal(0.3, 1, there.sum()), 1)
        return offsets, np.nonzero(there)[1].astype(np.int32), weights

    made, before, coming = rows(profiles), rows(20), rows(40)
    numbers = draw.permutation(profiles + 3)[:profiles].astype(np.int64)
    store = VectorStore()
    for documents_ in (before, coming):
        store.append(*documents_)
    theta = draw.choice([0.2, 1.0, np.inf], profiles)
    outcomes = []
    for index, kept in (
        (ProfileIndex(*apart(*made)), HighestScores(depth)),
        (plain_sparse.ProfileIndex(*apart(*made)), plain_highest_scores.HighestScores(depth)),
    ):
        for profile in range(profiles - 1):  # nothing is kept of the last one
            span = slice(made[0][profile], made[0][profile + 1])
            kept.keep(int(numbers[profile]), store.score(made[1][span], made[2][span], 0, 20))
        outcomes.append(
            index.arrive(
                *coming, theta, floor=0.0, threads=2 if threaded else 1, highest=kept, numbers=numbers
            )
        )
        assert [part.tolist() for part in outcomes[-1][:3]] == [
            part.tolist() for part in index.reach(*coming, theta, floor=0.0, threads=1)
        ]
    assert [part.tolist() for part in outcomes[0]] == [part.tolist() for part in outcomes[1]]
    for document, profile, score, higher in zip(*(part.tolist() for part in outcomes[0]), strict=True):
        span = slice(made[0][profile], made[0][profile + 1])
        scores = store.score(made[1][span], made[2][span], 0, 20 + document)
        if profile == profiles - 1:
            assert higher == -1
        elif higher >= 0 or depth == 50:
            assert higher == int((scores > score).sum())


def test_a_batch_of_any_size_gives_what_its_parts_give():
    draw = np.random.default_rng(4)
    weights = draw.random((2500, 3))
    terms = np.arange(3, dtype=np.int32)
    index, numbers = ProfileIndex([terms] * 2, [draw.random(3) for _ in range(2)]), np.array([5, 9])
    outcomes = []
    for size in (2500, 100):
        kept, parts = HighestScores(20), []
        for number in numbers.tolist():
            kept.keep(number, np.empty(0))
        for start in range(0, 2500, size):
            some = weights[start : start + size]
            rows = np.arange(len(some) + 1) * 3, np.tile(terms, len(some)), some.ravel()
            found = index.arrive(
                *rows, np.array([0.9, 1.4]), floor=0.0, threads=2, highest=kept, numbers=numbers
            )
            parts.append((found[0] + start, *found[1:]))
        outcomes.append([np.concatenate(part).tolist() for part in zip(*parts, strict=True)])
    assert outcomes[0] == outcomes[1]
    assert len(outcomes[0][0]) > 500


def test_profiles_in_many_stretches_are_scored_as_documents_are():
    draw = np.random.default_rng(5)
    profiles, documents_, terms = 700, 40, 900
    there = draw.random((profiles, terms)) < np.linspace(
        1, 0.1, terms
    )  # most have the first ones: they are dense
    offsets = np.cumsum([0, *there.sum(axis=1)], dtype=np.int64)
    made = offsets, np.nonzero(there)[1].astype(np.int32), draw.normal(size=there.sum())
    has = draw.random((documents_, terms + 5)) < 0.1
    coming = (
        np.cumsum([0, *has.sum(axis=1)], dtype=np.int64),
        np.nonzero(has)[1].astype(np.int32),
        draw.random(has.sum()),
    )
    store = VectorStore()
    store.append(*coming)
    index, out = ProfileIndex(*apart(*made)), np.empty((documents_, profiles))
    index.score(*coming, out=out, threads=2)
    for profile in range(profiles):
        span = slice(offsets[profile], offsets[profile + 1])
        expected = store.score(made[1][span], made[2][span], 0, documents_)
        assert out[:, profile].tobytes() == expected.tobytes()
    rows, columns, scores = index.reach(*coming, np.full(profiles, 1.5), floor=0.0, threads=2)
    assert [(*pair, score) for *pair, score in zip(rows, columns, scores, strict=True)] == [
        (*pair, out[tuple(pair)]) for pair in np.argwhere(out >= 1.5).tolist()
    ]


@CORES
def test_a_depth_of_none_is_refused(core):
    with pytest.raises(ValueError, match="1 or more"):
        core(0)


@CORES
def test_memory_is_in_proportion_to_the_profiles_not_to_their_numbers(core):
    kept = core(4)
    kept.keep(1 << 62, np.ones(2))
    assert 1 << 62 in kept


@CORES
def test_what_is_dropped_is_not_kept(core):
    kept = core(4)
    for number in (2, 5):
        kept.keep(number, np.ones(2))
    kept.drop(2)
    assert (2 in kept, 5 in kept, 9 in kept) == (False, True, False)
    kept.clear()
    assert 5 not in kept


@pytest.mark.parametrize("rule", ["expected", "expected(siblings=0)", "expected(nearness=0,caution=1)"])
@pytest.mark.parametrize("cap", [None, 60])
def test_profiles_without_answers_have_the_thresholds_that_each_would_have_alone(
    folder, monkeypatch, rule, cap
):
    stream = documents(320, 4)

    def lived(name):
        with Filter.create(folder / name, cap=cap, clock=Clock()) as made:
            made.ingest(stream[:100], deliver=False)
            for theme in range(6):
                made.add_profile(f"theme {theme}", text=f"theme{theme}x1 theme{theme}x2 common7", rule=rule)
            made.ingest(stream[100:220], batch=50)
            some = list(made.deliveries(profile="theme 1"))[:4]
            for number, delivery in enumerate(some):
                made.feedback("theme 1", delivery.document, "not-relevant" if number else "relevant")
            made.ingest(stream[220:], batch=50)
            assert made.check() == []
            assert next(made.deliveries(), None) is not None
        return content(folder / name)

    monkeypatch.setattr(engine, "DEPTH", 8)  # too few as a rule
    together = lived("together")
    monkeypatch.setattr(rule_named("expected"), "unanswered", None)
    assert lived("alone") == together
