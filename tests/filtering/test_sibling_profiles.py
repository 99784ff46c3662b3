"""Profiles of one reader learn from each other: what they count, and what follows from it."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.filtering import Feedback, Filter, threshold_registry, threshold_rule
from gainful.filtering.experiment import Conditions, Experiment, Variant, replays
from gainful.filtering.relevance_calibration import PRIOR, answers_only_relevant, calibrated
from gainful.filtering.rule_text import parse_profiles, parse_rules
from gainful.filtering.sibling_profiles import OTHER, RELEVANT, SILENT, STEP, Siblings
from gainful.filtering.state.events import learning_of, logged_rule
from gainful.filtering.theta_opt_and_zero import Answers, Seen

NOBODY = np.empty(0, np.int64)
CALIBRATING = {"example": 0.5, "recent": 0.1, "least": 15.0, "silence": 1.0, "nearness": 1.5}

events = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([RELEVANT, OTHER, SILENT]), st.floats(0.001, 25)),
    max_size=60,
)


def literal(listed, profile, most):
    """What the others were told, counted one by one."""
    total = {kind: Counter() for kind in (RELEVANT, OTHER, SILENT)}
    for other in {number for number, _, _ in listed} - {profile}:
        own = [(kind, min(int(place / STEP), 79)) for number, kind, place in listed if number == other]
        weight = math.floor(65536 * min(1, most / len(own)))
        for kind, step in own:
            total[kind][step] += weight
    return {kind: {step: sum_ / 65536 for step, sum_ in of.items() if sum_} for kind, of in total.items()}


@given(events, st.randoms(use_true_random=False), st.sampled_from([0.5, 3.0, 10.0]))
def test_counts_are_those_of_all_other_profiles_in_any_order(listed, random, most):
    one, another = Siblings(most), Siblings(most)
    for number, kind, place in listed:
        one.count(number, kind, place)
    mixed = [(*event, 1) for event in listed] + [(2, OTHER, 7.0, 1), (2, OTHER, 7.0, -1)]
    random.shuffle(mixed)
    for number, kind, place, by in mixed:
        another.count(number, kind, place, by)
    for profile in range(4):
        told, again = one.told(profile), another.told(profile)
        wanted = literal(listed, profile, most)
        for kind, counts in ((RELEVANT, told.relevant), (OTHER, told.other), (SILENT, told.silent)):
            assert (
                dict(zip(np.flatnonzero(counts).tolist(), counts[counts > 0].tolist(), strict=True))
                == wanted[kind]
            )
        assert all(np.array_equal(a, b) for a, b in zip(told, again, strict=True))
        said = [(number, kind) for number, kind, _ in listed if number != profile and kind != SILENT]
        assert told.profiles == len({number for number, _ in said})
        assert (told.yes, told.no) == (
            sum(kind == RELEVANT for _, kind in said),
            sum(kind == OTHER for _, kind in said),
        )


def test_a_document_without_a_place_does_not_count():
    both = Siblings(10)
    both.count(1, RELEVANT, math.nan)
    assert both.told(2).profiles == both.told(2).yes == 0


def test_a_place_beyond_all_steps_counts_at_the_nearest_one():
    """A damaged state may hold any number."""
    siblings = Siblings(3)
    for place in (1e308, -5.0):
        siblings.count(1, RELEVANT, place)
    assert np.flatnonzero(siblings.told(2).relevant).tolist() == [0, len(siblings.places) - 1]


def told_of(relevant, other, *, silent=(), profiles=1):
    """What a profile learns where that many others were told the same."""
    siblings = Siblings(10)
    for number in range(1, profiles + 1):
        for kind, places in ((RELEVANT, relevant), (OTHER, other), (SILENT, silent)):
            for place in places:
                siblings.count(number, kind, place)
    return siblings.told(0)


def curve(told, answers=None):
    seen = Seen(np.linspace(0.5, 0.01, 50), NOBODY, 0)
    nothing = Answers(NOBODY, np.empty(0), np.empty(0, np.bool_), NOBODY)
    return calibrated(seen, (answers or nothing)._replace(siblings=told), **CALIBRATING)


def test_a_profile_without_answers_begins_with_the_curve_of_the_others():
    alone = curve(None)
    assert (alone.intercept, alone.slope) == (PRIOR.intercept, PRIOR.slope)
    asked_in_vain = curve(told_of([], [5.0] * 8, profiles=3))
    found = curve(told_of([5.0] * 8, [], profiles=3))
    at = np.array([5.0])
    assert asked_in_vain.probability(at) < alone.probability(at) < found.probability(at)
    places, labels = np.array([5.125]), np.array([0.0])  # the middle of the step
    weights = np.array([24.0])

    def standing(intercept, slope):
        """Minus the log-posterior of the pooled answers."""
        ahead = np.array([intercept - PRIOR.intercept, slope - PRIOR.slope])
        logits = intercept + slope * places
        return (
            ahead @ PRIOR.precision @ ahead / 2
            + (weights * (np.logaddexp(0, logits) - labels * logits)).sum()
        )

    least = standing(asked_in_vain.intercept, asked_in_vain.slope)
    around = [(a, b) for a in (-0.01, 0, 0.01) for b in (0, 0.01) if a or b]
    assert asked_in_vain.slope == 1  # the least that the others are believed
    assert all(standing(asked_in_vain.intercept + a, asked_in_vain.slope + b) > least for a, b in around)


def test_unlike_topics_do_not_close_a_profile_for_ever():
    """Over all others high places were no better than low ones; after a first miss higher places are still worth a guess."""
    unlike = told_of([3.0, 4.0] * 5, [6.0, 7.0] * 5, profiles=3)
    assert curve(unlike).slope == 1  # the least
    missed = Answers(np.arange(1), np.array([5.0]), np.array([False]), NOBODY)
    after = curve(unlike, missed)
    assert after.probability(np.array([5.0])) < 1 / 3 < after.probability(np.array([10.0]))


def test_a_habit_is_learned_over_all_profiles_of_a_reader():
    rows, places = np.arange(2), np.array([5.0, 6.0])
    yes_yes = Answers(rows, places, np.array([True, True]), NOBODY)
    alone = answers_only_relevant(yes_yes)
    clicks = answers_only_relevant(yes_yes._replace(siblings=told_of([5.0] * 8, [], profiles=5)))
    answers = answers_only_relevant(yes_yes._replace(siblings=told_of([5.0] * 4, [5.0] * 4, profiles=5)))
    assert answers < 0.001 < alone < 0.9 < clicks
    untold = Answers(NOBODY, np.empty(0), np.empty(0, np.bool_), NOBODY)
    assert answers_only_relevant(untold) == 0
    assert answers_only_relevant(untold._replace(siblings=told_of([5.0] * 8, [], profiles=5))) > 0.9


def test_silence_on_other_profiles_counts_where_the_reader_answers_only_what_is_relevant():
    at = np.array([5.0])
    heard = told_of([6.0] * 4, [], profiles=5)
    beside = told_of([6.0] * 4, [], silent=[5.0] * 4, profiles=5)
    assert curve(beside).probability(at) < curve(heard).probability(at)
    heard = told_of([6.0] * 4, [5.0] * 4, profiles=5)
    beside = told_of([6.0] * 4, [5.0] * 4, silent=[5.0] * 2, profiles=5)
    assert beside.silent.sum() > 0
    assert (
        curve(beside).silence == curve(heard).silence == 0
    )  # she answers some of everything: silence says nothing


# ---- in a simulation and in use


@pytest.fixture
def trial(small):
    return Experiment(small.documents, small.topics, small.qrels, Conditions(reference=100, examples=1))


def variant(rule):
    return Variant(parse_rules(rule)[0], parse_profiles("regression")[0])


def test_without_others_every_topic_is_replayed_as_if_it_were_alone(trial):
    together = trial.replayed(range(len(trial.topics)), variant("expected(siblings=0)"))
    for number, made in enumerate(together):
        (alone,) = trial.replayed([number], variant("expected(siblings=0)"))
        (only,) = trial.replayed([number], variant("expected"))
        assert made.deliveries.tolist() == alone.deliveries.tolist() == only.deliveries.tolist()
        assert made.thresholds.tobytes() == alone.thresholds.tobytes() == only.thresholds.tobytes()


def test_topics_that_learn_from_each_other_are_not_replayed_as_if_alone(trial):
    together = trial.replayed(range(len(trial.topics)), variant("expected"))
    assert any(
        made.thresholds.tobytes() != trial.replayed([number], variant("expected"))[0].thresholds.tobytes()
        for number, made in enumerate(together)
    )


def test_poisoned_labels_of_what_no_profile_was_delivered_change_nothing(trial):
    whole = range(len(trial.topics))
    honest = trial.replayed(whole, variant("expected"))
    for number, made in enumerate(honest):
        sent = set(made.deliveries.tolist())
        trial.relevant[number] = (
            frozenset(
                document
                for document in range(len(trial.collection))
                if (document in trial.relevant[number]) == (document in sent)
            )
            if sent
            else trial.relevant[number]
        )
    assert [made.thresholds.tobytes() for made in trial.replayed(whole, variant("expected"))] == [
        made.thresholds.tobytes() for made in honest
    ]


def test_the_number_of_processes_changes_nothing(trial, monkeypatch):
    monkeypatch.setattr("gainful.filtering.experiment._ENOUGH", 0)
    variants = [variant("expected"), variant("expected(siblings=0)")]
    tasks = [(topic, number, False) for number in range(2) for topic in range(len(trial.topics))]

    def found(jobs):
        return {
            (topic, number): outcome.deliveries.tolist()
            for topic, number, outcome in replays(trial, variants, tasks, jobs)
        }

    assert found(1) == found(2)
    assert found(1).keys() == {(topic, number) for topic, number, _ in tasks}


def test_a_log_from_before_profiles_learned_from_each_other_keeps_them_apart():
    assert logged_rule("expected(hint=0.8,nearness=1.5)").siblings == 0
    assert parse_rules("expected")[0].siblings > 0


@pytest.mark.parametrize("feedback", [Feedback(), Feedback(clicks=True)])
def test_a_state_that_is_taken_through_every_change_is_what_its_log_says(states, folder, feedback):
    """Answers that change or are taken back, profiles that are edited and removed: all is as it is rebuilt."""
    with Filter.create(folder / "state", clock=states.Clock(), cap=None) as made:
        for theme in (1, 2, 3):
            made.add_profile(str(theme), text=states.wish(theme))
        for start in range(0, 400, 50):
            made.ingest(states.documents(50, 11, first=start))
            for delivery in [one for one in made.deliveries() if one.verdict is None][-6:]:
                good = f"theme{delivery.profile}" in delivery.text
                if good or not feedback.clicks:
                    made.feedback(delivery.profile, delivery.document, "relevant" if good else "not-relevant")
        answered = [one for one in made.deliveries() if one.verdict]
        made.feedback(answered[0].profile, answered[0].document, "undo")
        made.feedback(answered[1].profile, answered[1].document, "not-relevant")
        assert made.check() == []
        made.edit_profile("2", rule="expected(siblings=0)")
        made.ingest(states.documents(40, 12, first=400))
        made.edit_profile("2", rule="expected")
        made.remove_profile("3")
        made.ingest(states.documents(40, 13, first=440))
        live = states.content(folder / "state")
        assert len(live["arrivals"]) > 20
        assert made.rebuild().differing == ()
        assert states.content(folder / "state") == live


def test_a_profile_whose_rule_is_not_known_here_is_nobodys_sibling(states, folder, monkeypatch):
    monkeypatch.setattr(threshold_registry, "_RULES", dict(threshold_registry._RULES))

    @threshold_rule
    def mine(seen, *, x: float = 1.0):
        """A rule of a file that another process does not load."""
        return 0.1 * x

    with Filter.create(folder / "state", clock=states.Clock(), cap=None) as made:
        made.ingest(states.documents(100, 5), deliver=False)
        for theme, rule in (("1", "expected"), ("2", "expected"), ("3", "mine")):
            made.add_profile(theme, text=states.wish(int(theme)), rule=rule)
        made.ingest(states.documents(20, 6, first=100), deliver=False)
    del threshold_registry._RULES["mine"]
    learning_of.cache_clear()
    with Filter.open(folder / "state") as opened:
        before = opened.profile("1").estimate
        opened.feedback("2", "doc-10", "relevant")
        after = opened.profile("1").estimate
        assert (before.shared_relevant, after.shared_relevant) == (0, 1)
        assert opened.explain("1", "doc-11").profile.name == "1"


def test_places_of_another_kind_do_not_count_for_other_profiles(states, folder):
    """A profile that comes from another nearness counts from then on, live, opened again and rebuilt."""
    path = folder / "state"
    with Filter.create(path, clock=states.Clock(), cap=None) as made:
        made.ingest(states.documents(200, 5), deliver=False)
        made.add_profile("1", text=states.wish(1), rule="expected(nearness=0)")
        made.add_profile("2", text=states.wish(2))
        stream = states.documents(300, 11, first=200)
        made.ingest(stream)
        good = [one.id for one in stream if "theme1x" in one.text][:12]
        made.bulk([("1", one, "relevant") for one in good[:8]])
        made.edit_profile("1", rule="expected")
        assert made.profile("2").estimate.shared_relevant == 0
        made.ingest(states.documents(20, 13, first=500), deliver=False)
        made.bulk([("1", good[8], "relevant"), ("1", good[0], "undo")])
        made.bulk(
            [("1", good[0], "relevant"), ("1", good[1], "not-relevant")]
        )  # the place of the second stays
    with Filter.open(path, clock=states.Clock()) as made:
        assert made.profile("2").estimate.shared_relevant == 2
        assert made.profile("2").estimate.shared_other == 0
        made.feedback("1", good[9], "relevant")
        made.ingest(states.documents(60, 12, first=520))
        live, estimate = states.content(path), made.profile("2").estimate
        assert estimate.shared_relevant == 3
        assert made.rebuild().differing == ()
        assert states.content(path) == live
        assert made.profile("2").estimate == estimate


def test_a_new_name_leaves_what_profiles_have_counted(states, folder, monkeypatch):
    with Filter.create(folder / "state", clock=states.Clock(), cap=None) as made:
        made.add_profile("1", text=states.wish(1))
        made.add_profile("2", text=states.wish(2))
        made.ingest(states.documents(200, 11))
        made.bulk([("1", one.document, "relevant") for one in made.deliveries() if one.profile == "1"])
        before = made.profile("2").estimate.shared_relevant
        counted = []
        monkeypatch.setattr("gainful.filtering.state.sibling_index._count", lambda *one: counted.append(one))
        made.edit_profile("1", rename="first")
        assert counted == []
        assert made.profile("2").estimate.shared_relevant == before > 0
