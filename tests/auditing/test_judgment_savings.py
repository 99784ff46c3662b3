"""What a model saves of the people's judgments, and how many topics a wanted width or a decision needs."""

import math

import numpy as np
import pytest
from scipy import stats

import gainful
from gainful.auditing.judgment_savings import savings
from gainful.auditing.pilot_moments import Moments
from gainful.auditing.system_values import SystemValues
from gainful.comparisons.score_table import System
from gainful.errors import UsageError
from gainful.measures import parse

from .simulated_model import RUNS, labelled, pilot, values_of


def test_what_is_saved_is_one_less_the_squared_ratio_of_widths(audited):
    people, model, made = audited
    saving = made.savings[0]
    assert (saving.people, saving.labelled, saving.assumed) == (20, 50, False)
    others = [topic for topic in model if topic not in people]
    of = {name: number for number, name in enumerate(RUNS)}
    judged, same, elsewhere = values_of(people, people), values_of(model, people), values_of(model, others)
    rows = [(of[pair.a], of[pair.b]) for pair in saving.pairs]
    y, f, more = (np.array([values[b] - values[a] for a, b in rows]) for values in (judged, same, elsewhere))
    centred = f - f.mean(axis=1, keepdims=True)
    slope = (centred * y).sum() / (centred**2).sum()
    weight = slope * 30 / 50
    for pair, people_row, model_row, more_row in zip(saving.pairs, y, f, more, strict=True):
        assert pair.difference == pytest.approx(people_row.mean())
        alone = people_row.var(ddof=1) / 20
        both = (people_row - weight * model_row).var(ddof=1) / 20 + weight**2 * more_row.var(ddof=1) / 30
        errors = 1 - both / alone  # the widths also differ by their degrees of freedom
        assert pair.saved == pytest.approx(1 - (pair.both_width / pair.people_width) ** 2)
        assert pair.saved == pytest.approx(errors, abs=0.05)
        assert pair.people_width == pytest.approx(2 * stats.t.ppf(0.975, 19) * math.sqrt(alone))


def normal(topics, others, systems=2, noise=0.5, seed=3):
    """Values with known variances: the model's are the people's and noise."""
    random = np.random.default_rng(seed)
    true = random.normal(0.5, 0.2, (systems, topics + others))
    seen = true + random.normal(0, noise * 0.2, true.shape)
    return SystemValues(
        (parse("AP"),),
        tuple(System(f"s{n}") for n in range(systems)),
        tuple(f"{n}" for n in range(topics)),
        true[None, :, :topics],
        seen[None, :, :topics],
        seen[None, :, topics:],
        gainful.Settings(),
        (),
    )


def moments_of(values, slope):
    """Of two systems, whose slope costs a degree of freedom."""
    y, f, others = (of[0][1] - of[0][0] for of in (values.people, values.model, values.elsewhere))
    variances = np.cov(y, f)
    everywhere = np.concatenate([f, others]).var(ddof=1)
    return Moments(variances[0, 0], variances[1, 1], variances[0, 1], everywhere, slope, 1.0)


def test_the_plan_finds_the_fewest_topics_by_the_formula():
    values = normal(40, 160)
    made = savings(values, 0, confidence=0.95, width=0.1, decide=True)
    (pair,) = made.pairs
    y, f = (of[0][1] - of[0][0] for of in (values.people, values.model))
    slope = np.cov(y, f)[0, 1] / f.var(ddof=1)
    labels = np.concatenate([f, values.elsewhere[0][1] - values.elsewhere[0][0]])

    def error(topics, labelled):
        weight = slope * (labelled - topics) / labelled
        more = weight**2 * labels.var(ddof=1) / (labelled - topics) if topics < labelled else 0
        return math.sqrt((y - weight * f).var(ddof=1) / topics + more)

    def width(topics, labelled=None):
        if labelled is None:
            return 2 * stats.t.ppf(0.975, topics - 1) * math.sqrt(y.var(ddof=1) / topics)
        return 2 * stats.t.ppf(0.975, topics - 2) * error(topics, labelled)

    assert pair.width.people == next(n for n in range(6, 10_000) if width(n) <= 0.1)
    assert pair.width.both == next(n for n in range(6, 200) if width(n, 200) <= 0.1)
    assert pair.width.unlimited == next(n for n in range(6, 10_000) if width(n, 1e12) <= 0.1)
    assert pair.width.both < pair.width.people

    def decides(topics, standard_error):
        critical, away = stats.t.ppf(0.975, topics - 1), abs(y.mean()) / standard_error
        return stats.nct.sf(critical, topics - 1, away) + stats.nct.cdf(-critical, topics - 1, away) >= 0.8

    alone = next(n for n in range(6, 100_000) if decides(n, math.sqrt(y.var(ddof=1) / n)))
    assert pair.decide.people == alone
    assert pair.decide.both == next((n for n in range(6, 201) if decides(n, error(n, 200))), None)


@pytest.mark.parametrize(("far", "given"), [(0.5, True), (20.0, False)])
def test_widths_are_those_of_the_comparison_where_single_topics_make_most_of_the_spread(far, given):
    values = normal(12, 30)
    values.people[0, 1, 3] += far
    (pair,) = savings(values, 0, confidence=0.95).pairs
    y = values.people[0, 1] - values.people[0, 0]
    assert stats.kurtosis(y) > 0.5
    assert pair.people_width == pytest.approx(2 * stats.t.ppf(0.975, 11) * stats.sem(y))
    assert (not math.isnan(pair.saved), not math.isnan(pair.both_width)) == (given, given)


def test_foreseen_widths_come_true():
    pilot_run = normal(10_000, 20_000, seed=5)
    foreseen = savings(pilot_run, 0, confidence=0.95)
    moments = moments_of(pilot_run, foreseen.slope)
    later = [savings(normal(30, 90, seed=seed), 0, confidence=0.95).pairs[0] for seed in range(100, 160)]
    alone, both = (
        np.mean([getattr(pair, name) for pair in later]) for name in ("people_width", "both_width")
    )
    assert moments.width(30, 0.95) == pytest.approx(alone, rel=0.05)
    assert moments.width(30, 0.95, 120) == pytest.approx(both, rel=0.05)


def test_the_curve_is_the_width_of_the_pair_for_every_number_of_topics():
    values = normal(40, 160)
    made = savings(values, 0, confidence=0.95)
    moments = moments_of(values, made.slope)
    assert (made.curve[0][0], made.curve[-1][0]) == (6, 200)
    for topics, alone, both in made.curve:
        assert alone == pytest.approx(moments.width(topics, 0.95))
        assert both == pytest.approx(moments.width(topics, 0.95, 200))


def test_a_perfect_model_saves_the_share_that_was_not_judged_and_a_useless_one_nothing():
    perfect = savings(normal(400, 1200, noise=0.0), 0, confidence=0.95)
    assert perfect.median == pytest.approx(1200 / 1600, abs=0.05)
    random = savings(normal(400, 1200, noise=100.0), 0, confidence=0.95)
    assert random.median == pytest.approx(0, abs=0.02)


def test_where_people_judged_every_topic_the_saving_is_foreseen_for_fewer():
    people, _ = pilot(40)
    made = gainful.audit(people, labelled(people), RUNS, resamples=20)
    saving = made.savings[0]
    assert (saving.assumed, saving.people, saving.labelled) == (True, 12, 40)
    assert 0 < saving.median < 1
    assert any("if they judge 12 of the 40 topics" in sentence for sentence in made.sentences)
    assert any(note.startswith("people judged every topic that the model labelled") for note in made.notes)
    assert saving.curve[-1][1:] == pytest.approx(
        (saving.curve[-1][1],) * 2, rel=0.02
    )  # all judged: the model adds nothing


def test_too_few_topics_give_no_saving():
    people, model = pilot(5)
    made = gainful.audit(people, model, RUNS, resamples=20)
    assert made.savings == ()
    assert "5 topics judged by both are too few to say what the model saves; 6 are needed" in made.notes


def test_a_pair_that_was_chosen_is_told_in_its_own_direction(audited):
    people, model, whole = audited
    made = gainful.audit(people, model, RUNS, compare=("sprinter", "plain"), width=0.12, resamples=20)
    (pair,) = made.savings[0].pairs
    same = next(each for each in whole.savings[0].pairs if {each.a, each.b} == {"sprinter", "plain"})
    assert (pair.a, pair.b) == ("sprinter", "plain")
    assert pair.difference < 0
    assert abs(pair.difference) == pytest.approx(abs(same.difference))
    assert (pair.saved, pair.width) == (same.saved, same.width)
    assert any("this comparison (plain against sprinter) this model saves" in each for each in made.sentences)


def test_plans_need_runs():
    people, model = pilot()
    with pytest.raises(UsageError, match="give their runs too"):
        gainful.audit(people, model, width=0.1)
    with pytest.raises(UsageError, match="families are of systems"):
        gainful.audit(people, model, families="names")


def test_the_plan_counts_the_documents_that_two_systems_have_above_the_cutoff():
    people, model = pilot(20)
    made = gainful.audit(
        people, model, RUNS, "nDCG@10", compare=("marathon", "sprinter"), width=0.12, resamples=20
    )
    lists = {name: gainful.read_run(RUNS[name]).to_dict() for name in ("marathon", "sprinter")}

    def top(name, topic):
        ranked = lists[name].get(topic, {})
        return set(sorted(ranked, key=lambda document: (ranked[document], document), reverse=True)[:10])

    number = np.mean([len(top("marathon", topic) | top("sprinter", topic)) for topic in people])
    (pair,) = made.savings[0].pairs
    assert pair.documents == pytest.approx(number)
    topics = pair.width.people
    assert any(
        f"{topics} topics (about {math.ceil(number * topics)} documents) judged" in line
        for line in made.sentences
    )
    whole = gainful.audit(people, model, RUNS, "AP", width=0.12, resamples=20)
    assert math.isnan(whole.savings[0].pairs[0].documents)
    assert "documents)" not in " ".join(whole.sentences)
