"""Bands: topics drawn anew, seeded, the same for all runs."""

import numpy as np
import pytest

import gainful
from gainful.curves import by_rank, curve, precision_recall
from gainful.curves.topic_averages import draws, limits, limits_in_blocks, resampled
from gainful.errors import UsageError

CHANCE = np.random.default_rng(8)
QRELS = {f"q{n}": {f"d{m}": int(CHANCE.integers(0, 3)) for m in range(15)} for n in range(30)}
RUNS = {
    name: {topic: {f"d{m}": float(CHANCE.random()) for m in range(15)} for topic in QRELS}
    for name in ("a", "b")
}
SCORES = gainful.evaluate(QRELS, RUNS, "AP")


def test_a_draw_has_as_many_topics_as_there_are():
    times = draws(30, resamples=50, seed=4)
    assert times.shape == (50, 30)
    assert (times.sum(axis=1) == 30).all()
    assert times.tolist() == draws(30, resamples=50, seed=4).tolist()
    assert times.tolist() != draws(30, resamples=50, seed=5).tolist()


def drawn(resamples, seed):
    """The topics of each resample one by one, as many times as they are drawn."""
    return np.array(
        [np.repeat(np.arange(30), times.astype(int)) for times in draws(30, resamples=resamples, seed=seed)]
    )


def test_the_band_is_that_of_drawing_by_hand():
    made = by_rank(SCORES, "nDCG", to=7, band=0.8, resamples=200, seed=11)["a"]
    scored = gainful.evaluate(QRELS, RUNS["a"], [f"nDCG@{k}" for k in range(1, 8)])
    values = np.array([list(one.values()) for one in scored.per_topic.values()])
    chosen = drawn(200, 11)
    means = values[chosen].mean(axis=1)
    assert made.band.low == pytest.approx(np.quantile(means, 0.1, axis=0))
    assert made.band.high == pytest.approx(np.quantile(means, 0.9, axis=0))
    assert (made.band.level, made.band.resamples, made.band.seed) == (0.8, 200, 11)


def test_the_band_of_a_difference_pairs_the_topics():
    *_, apart = by_rank(SCORES, "nDCG", to=3, band=0.95, difference=True, seed=2)
    scored = gainful.evaluate(QRELS, RUNS, "nDCG@3")
    a, b = (np.array([one["nDCG@3"] for one in run.per_topic.values()]) for run in scored)
    chosen = drawn(2000, 2)
    means = (b - a)[chosen].mean(axis=1)
    assert apart.band.low[2] == pytest.approx(np.quantile(means, 0.025))
    assert apart.band.high[2] == pytest.approx(np.quantile(means, 0.975))


def test_a_run_does_not_differ_from_itself():
    scores = gainful.evaluate(QRELS, {"a": RUNS["a"], "same": RUNS["a"]}, "AP")
    *_, apart = by_rank(scores, "nDCG", to=5, band=0.95, difference=True)
    assert apart.band.low.tolist() == apart.band.high.tolist() == [0] * 5


def test_the_ratio_is_taken_anew_in_each_draw():
    [made] = by_rank(gainful.evaluate(QRELS, RUNS["a"], "AP"), "NCG", to=4, average="ratio", band=0.9, seed=1)
    raw, ideal = (np.array(one) for one in _cg_at_four())
    chosen = drawn(2000, 1)
    ratios = raw[chosen].sum(axis=1) / ideal[chosen].sum(axis=1)
    assert made.band.low[3] == pytest.approx(np.quantile(ratios, 0.05))


def _cg_at_four():
    scored = gainful.evaluate(QRELS, RUNS["a"], "CG@4").per_topic
    best = {topic: sum(sorted(grades.values(), reverse=True)[:4]) for topic, grades in QRELS.items()}
    return [one["CG@4"] for one in scored.values()], [
        best[topic] for topic in scored
    ]  # in the order of topics


def test_topics_that_do_not_count_are_drawn_and_not_counted():
    scores = gainful.evaluate(
        QRELS, {topic: RUNS["a"][topic] for topic in list(QRELS)[:10]}, "AP", missing="skip"
    )
    [made] = by_rank(scores, "P", to=3, band=0.95)
    assert made.topics == 10
    assert (made.band.low < made.values).all()
    assert (made.values < made.band.high).all()


def test_the_ideal_has_no_band_and_other_curves_have_one():
    *runs, ideal = precision_recall(SCORES, band=0.95, ideal=True)
    assert ideal.band is None
    assert [one.band is not None for one in runs] == [True] * len(RUNS)
    assert curve(QRELS, RUNS["a"], kind="roc", band=0.5)[0].band is not None


def test_blocks_of_points_have_the_same_limits(monkeypatch):
    import gainful.curves.topic_averages as module

    above = np.random.default_rng(0).random((9, 30))
    below, times = np.ones_like(above), draws(30, resamples=100)
    whole = limits(resampled(above, below, times), 0.95)
    monkeypatch.setattr(module, "_AT_ONCE", 250)
    low, high = limits_in_blocks(above, below, times, 0.95)
    assert low == pytest.approx(whole[0])
    assert high == pytest.approx(whole[1])


@pytest.mark.parametrize("level", [0, 1, 95, -0.5])
def test_a_band_holds_a_share(level):
    with pytest.raises(UsageError, match=r"between 0 and 1, such as 0\.95"):
        by_rank(SCORES, "P", band=level)


def test_there_is_at_least_one_resample():
    with pytest.raises(UsageError, match="resamples must be 1 or more"):
        by_rank(SCORES, "P", band=0.9, resamples=0)
    with pytest.raises(UsageError, match="seed must be 0 or more; got -1"):
        by_rank(SCORES, "P", band=0.9, seed=-1)


def test_about_so_many_means_of_other_topics_lie_in_the_band():
    """Of 150 samples of 40 topics from a known population, the band holds the population's mean in 95 % or nearly."""
    chance = np.random.default_rng(3)
    held = 0
    for number in range(150):
        above = chance.beta(2, 3, (1, 40))
        low, high = limits(resampled(above, np.ones_like(above), draws(40, resamples=300, seed=number)), 0.95)
        held += bool(low[0] <= 2 / 5 <= high[0])
    assert 0.88 <= held / 150 <= 0.99
