"""Simulations: rows, counts by hand, baselines, processes, and what learning is worth on the demo."""

import math
from multiprocessing import Pipe

import numpy as np
import pytest

import gainful
from gainful.errors import UsageError
from gainful.filtering import Feedback, LinearUtility, experiment, simulate
from gainful.filtering import simulation_output as views
from gainful.filtering.demo import demo

from .conftest import run

# ---- rows ------------------------------------------------------------------------------------------------------------


def test_nothing_and_hindsight_are_always_rows(simulation, small):
    names = [row.name for row in simulation.rows]
    assert names == [
        "beta_gamma(gamma=0.01)",
        "beta_gamma",
        "zero",
        "fixed(theta=0.3)",
        "none",
        "hindsight: beta_gamma(gamma=0.01)",
    ]
    alone = [row.name for row in run(small, rules="ratio").rows]
    assert alone == ["ratio", "none", "hindsight: ratio"]
    asked = [row.name for row in run(small, rules=["none", "zero"]).rows]
    assert asked == ["none", "zero", "hindsight: zero"]


def test_delivering_nothing_is_worth_a_third(simulation):
    nothing = simulation["none"]
    assert nothing.scores.mean["T11SU"] == pytest.approx(0.5 / 1.5)
    assert (nothing.scores.mean["NumRet"], nothing.silent, nothing.negative) == (0, 8, 0)


def test_hindsight_is_the_best_single_cut_of_the_scores_as_they_arrived(simulation, small):
    replay = simulation.trace("beta_gamma(gamma=0.01)", "garden")
    relevant = simulation.relevant_to("garden")
    best = 0
    for cut in set(replay.scores[replay.scores > 0]):
        delivered = 100 + np.flatnonzero(replay.scores >= cut)
        good = sum(int(one) in relevant for one in delivered)
        best = max(best, 2 * good - (len(delivered) - good))
    row = simulation["hindsight: beta_gamma(gamma=0.01)"]
    assert row.scores.per_topic["garden"]["T11U"] == best > 0
    assert best >= simulation["beta_gamma(gamma=0.01)"].scores.per_topic["garden"]["T11U"]


def test_measures_are_those_of_counts_by_hand(simulation, small):
    numbers = {document.id: number for number, document in enumerate(small.documents)}
    for row in simulation.rows:
        silent = negative = 0
        for place, topic in enumerate(simulation.topics):
            relevant = {numbers[one] for one in small.qrels[topic] if numbers[one] >= 100}
            delivered = row.deliveries[place].tolist()
            good = len(relevant & set(delivered))
            other = len(delivered) - good
            values = row.scores.per_topic[topic]
            assert values["T11U"] == 2 * good - other
            scaled = (max((2 * good - other) / (2 * len(relevant)), -0.5) + 0.5) / 1.5
            assert values["T11SU"] == pytest.approx(scaled, abs=1e-15)
            precision, recall = good / max(len(delivered), 1), good / len(relevant)
            f = 1.25 * precision * recall / (0.25 * precision + recall) if good else 0
            assert values["T11F"] == pytest.approx(f, abs=1e-15)
            assert (values["SetP"], values["SetR"]) == pytest.approx((precision, recall))
            assert values["NumRet"] == len(delivered)
            silent += not delivered
            negative += 2 * good < other
        assert (row.silent, row.negative) == (silent, negative)


def test_windows_add_up_to_the_whole(simulation):
    for row in simulation.rows:
        windows = row.over_time
        assert len(windows) == 8
        assert (windows[0]["from"], windows[-1]["to"]) == (100, 900)
        assert sum(one["delivered"] for one in windows) == row.scores.mean["NumRet"]
        assert sum(one["utility"] for one in windows) == pytest.approx(row.scores.mean["T11U"] * 8)
        for one in windows:
            assert one["precision"] == (one["relevant"] / one["delivered"] if one["delivered"] else None)


def test_theta_in_windows_is_the_one_in_force_at_their_end(simulation):
    replay = simulation.trace("zero", "garden")
    row = simulation["zero"]
    ends = [one["to"] for one in row.over_time]
    for number, end in enumerate(ends):
        in_force = [
            theta for at, theta in zip(replay.renewed, replay.thresholds[:, 0], strict=True) if at < end
        ][-1]
        assert row.thresholds[simulation.topics.index("garden"), number, 0] == in_force


def test_deliveries_are_a_run_that_evaluate_scores_alike(simulation, small):
    row = simulation["zero"]
    ids = [document.id for document in small.documents]
    as_run = {
        topic: {ids[number]: -place for place, number in enumerate(row.deliveries[at].tolist())}
        for at, topic in enumerate(simulation.topics)
    }
    late = set(ids[100:])
    judged = {
        topic: {one: grade for one, grade in grades.items() if one in late}
        for topic, grades in small.qrels.items()
    }
    assert gainful.evaluate(judged, as_run, "T11SU").mean["T11SU"] == row.scores.mean["T11SU"]


def test_a_utility_of_one_s_own_is_learned_and_measured(small):
    made = run(small, rules="beta_gamma", utility=LinearUtility(1, -3))
    assert [str(one) for one in made.scores.measures][:3] == [
        "T11SU(credit=1,cost=-3)",
        "T11F",
        "T11U(credit=1,cost=-3)",
    ]
    usual = run(small, rules="beta_gamma")
    assert made.rows[0].scores.mean["NumRet"] < usual.rows[0].scores.mean["NumRet"]


def test_what_is_missed_and_avoided_counts_in_every_column_alike(small):
    made = run(small, rules="zero", utility=LinearUtility(0, -1, missed=-2, avoided=0.5))
    measure = "T11U(cost=-1.5)"  # credit less missed is 2, as usual; cost less avoided is not
    for row in made.rows:
        windows = sum(one["utility"] for one in row.over_time)
        assert windows == pytest.approx(sum(values[measure] for values in row.scores.per_topic.values()))
        assert row.negative == sum(values[measure] < 0 for values in row.scores.per_topic.values())


def test_a_grade_that_is_too_low_is_not_relevant(small):
    graded = {
        topic: {one: 1 + place % 2 for place, one in enumerate(grades)}
        for topic, grades in small.qrels.items()
    }
    made = simulate(small.documents, small.topics, graded, rules="zero", reference=100, rel=2)
    plain = run(small, rules="zero")
    assert sum(map(len, made.relevant)) < sum(map(len, plain.relevant))


# ---- processes -------------------------------------------------------------------------------------------------------


def test_two_processes_give_the_same_as_one(monkeypatch):
    made = demo(documents=3000)
    given_ = {
        "rules": ["beta_gamma", "zero"],
        "examples": 1,
        "trace": ["bees"],
        "reference": 300,
        "feedback": Feedback(10, 0.8),
    }
    told = []
    one = run(made, jobs=1, **given_)
    assert len(made.documents) * 16 < experiment._ENOUGH  # too little to start processes for, so ask for them
    monkeypatch.setattr(experiment, "_ENOUGH", 0)
    two = run(made, jobs=2, on_replay=lambda done, whole: told.append((done, whole)), **given_)
    assert views.json(two, per_topic=True) == views.json(one, per_topic=True)
    assert two.trace("zero", "bees").thresholds.tobytes() == one.trace("zero", "bees").thresholds.tobytes()
    assert told[-1] == (16, 16)


def test_a_process_that_has_ended_is_said_whether_it_is_asked_or_waited_for():
    for call in (lambda end: experiment._ask(end, (0, 0, False)), experiment._answer):
        ours, theirs = Pipe()
        theirs.close()
        with pytest.raises(
            RuntimeError, match=r"a worker process ended unexpectedly; was there enough memory\?"
        ):
            call(ours)
        ours.close()


# ---- the demo --------------------------------------------------------------------------------------------------------


def test_the_demo_is_the_same_for_the_same_seed_and_other_for_another():
    assert demo(documents=300, seed=1) == demo(documents=300, seed=1)
    assert demo(documents=300, seed=1) != demo(documents=300, seed=2)
    with pytest.raises(UsageError, match="200 documents or more"):
        demo(documents=10)


def test_the_demo_drifts():
    made = demo(documents=4000)
    by_id = {document.id: document.text.lower() for document in made.documents}
    relevant = list(made.qrels["garden"])
    early, late = (" ".join(by_id[one] for one in part).split() for part in (relevant[:40], relevant[-40:]))
    assert early.count("seedling") > 3 * max(1, late.count("seedling"))
    assert late.count("harvest") > 3 * max(1, early.count("harvest"))


def test_learning_beats_standing_still_on_the_demo():
    made = demo()
    found = simulate(
        made.documents,
        made.topics,
        made.qrels,
        rules=["beta_gamma", "optimum", "zero"],
        examples=0,
    )
    means = {name: values["T11SU"] for name, values in found.mean.items()}
    assert means["beta_gamma"] > max(means["optimum"], means["zero"], means["none"]) + 0.1
    assert math.isclose(means["none"], 1 / 3)
