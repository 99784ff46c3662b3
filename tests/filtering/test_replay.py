"""Replay: as a slow transcription does it; feedback on deliveries alone; history of all documents."""

import random
from dataclasses import replace

import numpy as np
import pytest

from gainful.errors import UsageError
from gainful.filtering import Analyzer, Feedback, Regression, Rocchio, Rule, Schedule
from gainful.filtering.demo import demo
from gainful.filtering.experiment import Conditions, Experiment, Variant
from gainful.filtering.learner import Learner
from gainful.filtering.replay import replay
from gainful.filtering.theta_opt_and_zero import LinearUtility, Seen
from gainful.filtering.vectors import DenseStore, Vector

PLAIN = Variant(Rule("beta_gamma"), Rocchio(description=1.0, other=0.5, terms=200))


def trial_of(demo, **given):
    return Experiment(
        demo.documents, demo.topics, demo.qrels, Conditions(**{"reference": 100, "examples": 2, **given})
    )


def relevant_of(demo, topic):
    places = {document.id: number for number, document in enumerate(demo.documents)}
    return {places[one] for one in demo.qrels[demo.topics[topic].id]}


@pytest.fixture(scope="module")
def few():
    """As many documents as the transcription, which compares each with all before it, goes through in a moment."""
    return demo(documents=450, seed=6)


@pytest.mark.parametrize("topic", [0, 3, 6])
@pytest.mark.parametrize(
    ("given_", "slowly"),
    [
        ({}, {}),
        ({"reference": 0, "examples": 0}, {"start": 0}),
        ({"feedback": Feedback(delay=25)}, {"delay": 25}),
        ({"feedback": Feedback(share=0.4, seed=5)}, {"judges": Feedback(share=0.4, seed=5)}),
    ],
    ids=["usual", "from nothing", "delayed", "partial"],
)
def test_a_replay_is_what_the_slow_transcription_does(few, slow, topic, given_, slowly):
    trial = trial_of(few, **given_)
    made = trial.replayed([topic], PLAIN)[0]
    how = Analyzer()
    counts = [how.counts(document.title, document.text) for document in few.documents]
    name, start = few.topics[topic].id, trial.conditions.reference
    slowly = dict(slowly)
    judges = slowly.pop("judges", None)
    deliveries, thetas = slow.filtered(
        counts,
        how.counts("", few.topics[topic].text),
        relevant_of(few, topic),
        **{"start": start, "examples": trial.examples[topic], **slowly},
        judges=None if judges is None else lambda number: judges.given(name, number),
    )
    assert made.deliveries.tolist() == deliveries
    assert len(deliveries) > 2
    at_delivery = [
        made.thresholds[np.searchsorted(made.renewed, one, side="right") - 1, 0] for one in deliveries
    ]
    assert at_delivery == pytest.approx(thetas, rel=1e-9)


@pytest.mark.parametrize(
    ("rule", "model"),
    [
        *((rule, PLAIN.profile) for rule in ("beta_gamma", "optimum", "zero", "ratio")),
        ("expected", Regression()),
        ("expected", Rocchio()),
    ],
)
def test_a_poisoned_label_on_an_undelivered_document_changes_nothing(small, rule, model):
    trial = trial_of(small)
    variant = Variant(Rule(rule), model)
    for topic in range(3):
        made = trial.replayed([topic], variant)[0]
        answered = {*made.deliveries.tolist(), *trial.examples[topic]}
        every = set(range(len(small.documents)))
        relevant = trial.relevant[topic]
        trial.relevant[topic] = frozenset((relevant & answered) | ((every - answered) - relevant))
        poisoned = trial.replayed([topic], variant)[0]
        assert poisoned.deliveries.tolist() == made.deliveries.tolist()
        assert poisoned.thresholds.tobytes() == made.thresholds.tobytes()
        assert poisoned.scores.tobytes() == made.scores.tobytes()


def test_a_poisoned_label_on_a_delivered_document_does_change_things(small):
    trial = trial_of(small)
    made = trial.replayed([0], PLAIN)[0]
    trial.relevant[0] = trial.relevant[0] ^ {int(made.deliveries[0])}
    assert trial.replayed([0], PLAIN)[0].thresholds.tobytes() != made.thresholds.tobytes()


@pytest.mark.parametrize("model", [Regression(), Rocchio()])
def test_answers_that_arrive_together_are_learned_one_after_the_other(small, model):
    """As in a filter in use, where they cannot be told from answers given in several calls."""
    trial = trial_of(small)
    stage = trial.collection.stages(0)[0]
    learners = [
        Learner(rule=Rule("expected"), model=model, utility=LinearUtility(), schedule=Schedule())
        for _ in range(2)
    ]
    answers = [(number, number in trial.relevant[0]) for number in range(5, 95, 6)]
    answers.append((answers[3][0], not answers[3][1]))  # one is changed
    for learner, each in zip(learners, (True, False), strict=True):
        learner.enter(stage.store, stage.description)
        learner.renew(100)
        for document, relevant in answers:
            learner.tell(document, relevant, 100)
            if each:
                learner.renew(100)
        learner.renew(100)
    assert learners[0].places == learners[1].places
    assert learners[0].threshold.theta == learners[1].threshold.theta
    assert learners[0].profile.weights.tobytes() == learners[1].profile.weights.tobytes()


def test_the_reader_is_asked_of_each_delivery_once_and_of_nothing_else(small):
    trial = trial_of(small)
    asked = []

    def reader(document):
        asked.append(document)
        return document in trial.relevant[0]

    learner = Learner(rule=Rule("zero"), model=Rocchio(), utility=LinearUtility(), schedule=Schedule())
    made = replay("x", trial.collection.stages(0), learner, reader, start=100, examples=trial.examples[0])
    assert asked == made.deliveries.tolist()
    assert not set(asked) & set(trial.examples[0])


def test_the_threshold_is_made_from_all_documents_seen_and_not_from_the_delivered_alone(small):
    trial = trial_of(small)
    made = trial.replayed([0], PLAIN)[0]
    last = made.last
    assert len(last.seen.scores) == made.renewed[-1]
    shown = sorted({*made.deliveries.tolist(), *trial.examples[0]})
    kept = np.array([number for number in shown if number < made.renewed[-1]])
    relevant = np.flatnonzero(np.isin(kept, list(trial.relevant[0])))
    alone = Rule("beta_gamma").threshold(
        Seen(last.seen.scores[kept], relevant, last.seen.judged), utility=LinearUtility(), floor=0.0
    )
    assert alone.theta_zero != last.theta_zero
    assert alone.theta != last.theta


def test_the_history_must_hold_undelivered_documents_or_other_documents_are_delivered(small, monkeypatch):
    trial = trial_of(small)
    honest = [trial.replayed([topic], PLAIN)[0].deliveries.tolist() for topic in range(4)]
    whole = Learner.renew

    def forgetful(self, seen):
        judged = {*self.relevant, *self.other}
        store = self.store

        class Forgetting:
            floor, selects = store.floor, store.selects
            mix = staticmethod(store.mix)

            @staticmethod
            def score(profile, start, stop):
                scores = store.score(profile, start, stop)
                scores[[number not in judged for number in range(start, stop)]] = 0
                return scores

        self.store = Forgetting
        try:
            return whole(self, seen)
        finally:
            self.store = store

    monkeypatch.setattr(Learner, "renew", forgetful)
    assert [trial.replayed([topic], PLAIN)[0].deliveries.tolist() for topic in range(4)] != honest


def test_nothing_is_delivered_before_the_start_and_examples_are_no_deliveries(small):
    trial = trial_of(small)
    for topic in range(4):
        made = trial.replayed([topic], PLAIN)[0]
        assert made.deliveries.min() >= 100
        assert len(trial.examples[topic]) == 2
        assert made.thresholds[0, 4] == 2  # the examples are judged from the beginning


def test_documents_after_a_moment_do_not_change_what_was_decided_before_it(small):
    whole, first = trial_of(small), trial_of(replace(small, documents=small.documents[:300]))
    assert [topic.id for topic in first.topics] == [topic.id for topic in whole.topics]
    for topic in range(4):
        long, short = whole.replayed([topic], PLAIN)[0], first.replayed([topic], PLAIN)[0]
        early = long.deliveries[long.deliveries < 300]
        # The idf epochs are the same up to there: they begin at 100 and 200 documents, and end at 300 or 400.
        assert short.deliveries.tolist() == early.tolist()


def test_feedback_that_never_comes_teaches_nothing(small):
    silent = trial_of(small, feedback=Feedback(share=0)).replayed([0], PLAIN)[0]
    assert set(silent.thresholds[:, 4]) == {2}  # the two examples


def test_profiles_learn_from_silence_where_the_reader_probably_answers_only_what_is_relevant():
    """Fifteen of twenty deliveries have an answer, "relevant"; the silent ones share a term, which then counts against."""
    store = DenseStore(np.array([[1.0, 0.0, 0.0]] * 15 + [[1.0, 1.0, 0.0]] * 5 + [[0.0, 0.0, 1.0]] * 40))

    def weights(hint, said):
        rule = Rule.of("expected", hint=hint)
        learner = Learner(rule=rule, model=Regression(), utility=LinearUtility(), schedule=Schedule())
        learner.enter(store, Vector(np.arange(3, dtype=np.int32), np.array([1.0, 0.5, 0.0])))
        learner.renew(60)
        for document in range(20):
            learner.deliver(document)
            if document in said:
                learner.tell(document, said[document], 60)
        learner.learn(60)
        return learner.profile.weights

    liked = dict.fromkeys([*range(14), 19], True)
    both = liked | dict.fromkeys(range(15, 19), False)
    waiting = dict.fromkeys(range(14), True)
    assert weights(0.8, liked)[1] < weights(1, liked)[1] - 0.1
    assert (weights(0.8, waiting) == weights(1, waiting)).all()
    assert (weights(0.8, both) == weights(1, both)).all()


def test_feedback_that_is_delayed_comes_later(small):
    at_once, later = (
        trial_of(small, feedback=Feedback(delay=delay)).replayed([0], PLAIN)[0] for delay in (0, 50)
    )
    first = int(later.deliveries[0])
    known = {int(at): int(n) for at, n in zip(later.renewed, later.thresholds[:, 4], strict=True)}
    assert all(n == 2 for at, n in known.items() if at < first + 51)
    assert known[first + 51] == 3
    assert at_once.thresholds[np.searchsorted(at_once.renewed, first + 1), 4] == 3


def test_the_same_readers_judge_the_same_documents_under_every_rule():
    some = Feedback(share=0.3, seed=1)
    judged = [some.given("topic", number) for number in range(2000)]
    assert judged == [some.given("topic", number) for number in range(2000)]
    assert 0.26 < sum(judged) / 2000 < 0.34
    assert judged != [Feedback(share=0.3, seed=2).given("topic", number) for number in range(2000)]
    assert judged != [some.given("other", number) for number in range(2000)]


@pytest.mark.parametrize(
    ("given_", "reason"), [({"growth": -1}, "growth must be"), ({"refresh": 0}, "refresh must be")]
)
def test_schedules_that_cannot_be_are_refused(given_, reason):
    with pytest.raises(UsageError, match=reason):
        Schedule(**given_)


def test_a_schedule_renews_less_often_and_still_at_last(small):
    often = trial_of(small).replayed([0], PLAIN)[0]
    seldom = trial_of(small, schedule=Schedule(growth=0.5, refresh=0.5)).replayed([0], PLAIN)[0]
    assert len(seldom.renewed) < len(often.renewed) / 2


# ---- the learner: everything can be rebuilt from what was said -------------------------------------------------------


def learned(small, order, *, revoke=()):
    trial = trial_of(small, epochs=None)
    stage = trial.collection.stages(0)[0]
    learner = Learner(rule=Rule("beta_gamma"), model=Rocchio(), utility=LinearUtility(), schedule=Schedule())
    learner.enter(stage.store, stage.description)
    for document in order:
        learner.tell(document, document in trial.relevant[0], 0)
    for document in revoke:
        learner.tell(document, None, 0)
    threshold = learner.renew(400)
    return learner.profile.weights.tobytes(), threshold.theta, threshold.n


def test_profile_and_threshold_do_not_depend_on_when_feedback_came(small):
    judged = [3, 17, 40, 90, 110, 170, 201, 333]
    shuffled = list(judged)
    random.Random(1).shuffle(shuffled)
    assert learned(small, shuffled) == learned(small, judged)


def test_feedback_that_was_taken_back_leaves_no_trace(small):
    assert learned(small, [3, 17, 40, 90, 333], revoke=[40, 333]) == learned(small, [3, 17, 90])


def test_feedback_that_was_changed_counts_as_it_was_last_said(small):
    trial = trial_of(small, epochs=None)
    stage = trial.collection.stages(0)[0]
    learner = Learner(rule=Rule("zero"), model=Rocchio(), utility=LinearUtility(), schedule=Schedule())
    learner.enter(stage.store, stage.description)
    for said in (True, False, True):
        learner.tell(5, said, 0)
    assert (list(learner.relevant), list(learner.other), learner.judged) == ([5], [], 1)
