"""The simulated reader: what is answered, counted by hand, and never of anything but deliveries."""

import json

import pytest

from gainful.errors import NothingInCommon, UsageError
from gainful.filtering import Document, Feedback, Rocchio, Rule, Schedule, Topic, simulate
from gainful.filtering.experiment import Conditions, Experiment, Variant
from gainful.filtering.learner import Learner
from gainful.filtering.replay import replay
from gainful.filtering.theta_opt_and_zero import LinearUtility

PLAIN = Variant(Rule("beta_gamma"), Rocchio())


class Everything(Learner):
    """Delivers all documents, and notes what it is told."""

    def __init__(self):
        rule = Rule.of("fixed", theta=0.0)
        super().__init__(rule=rule, model=Rocchio(other=0.0), utility=LinearUtility(), schedule=Schedule())
        self.told = []

    def tell(self, document, relevant, seen):
        self.told.append((document, relevant, seen))
        super().tell(document, relevant, seen)


def answers(feedback, *, documents=200, start=20, asked=None):
    """What a reader who wants every third document says, when all of them are delivered."""
    stream = [Document(f"d{number}", "cocoa") for number in range(documents)]
    relevant = frozenset(range(0, documents, 3))
    trial = Experiment(
        stream,
        [Topic("t", "cocoa")],
        {"t": {f"d{number}": 1 for number in relevant}},
        Conditions(reference=start, examples=0),
    )
    learner = Everything()

    def reader(document):
        if asked is not None:
            asked.append(document)
        return document in relevant

    made = replay("t", trial.collection.stages(0), learner, reader, start=start, feedback=feedback)
    assert made.deliveries.tolist() == list(range(start, documents))
    return learner.told


def test_without_habits_every_delivery_gets_its_true_answer_at_once():
    assert answers(Feedback()) == [(number, number % 3 == 0, number + 1) for number in range(20, 200)]


def test_clicks_are_answers_to_the_relevant_deliveries_and_no_others():
    # 21, 24, … 198
    assert answers(Feedback(clicks=True)) == [(number, True, number + 1) for number in range(21, 200, 3)]


def test_some_answers_are_the_opposite_of_the_truth():
    told = answers(Feedback(wrong=0.2, seed=3), documents=5020)
    wrong = [number for number, relevant, _ in told if relevant != (number % 3 == 0)]
    assert len(told) == 5000
    assert 0.18 < len(wrong) / 5000 < 0.22
    # Neither kind of document is spared: about a third of the mistakes are about relevant ones.
    assert 0.28 < sum(number % 3 == 0 for number in wrong) / len(wrong) < 0.39
    assert answers(Feedback(wrong=1.0)) == [
        (number, number % 3 != 0, number + 1) for number in range(20, 200)
    ]


def test_a_reader_who_clicks_and_errs_clicks_on_what_she_takes_for_relevant():
    taken = {n for n, relevant, _ in answers(Feedback(wrong=0.3, seed=1)) if relevant}
    told = answers(Feedback(wrong=0.3, seed=1, clicks=True))
    assert {number for number, _, _ in told} == taken
    assert all(relevant for _, relevant, _ in told)


def test_which_answers_are_wrong_does_not_hang_on_which_are_given():
    right = {n for n, relevant, _ in answers(Feedback(wrong=0.5, seed=2)) if relevant == (n % 3 == 0)}
    some = answers(Feedback(wrong=0.5, share=0.5, seed=2))
    assert {n for n, relevant, _ in some if relevant == (n % 3 == 0)} == right & {n for n, _, _ in some}
    assert 0.3 < len(right & {n for n, _, _ in some}) / len(some) < 0.7


def test_nothing_delivered_while_the_reader_is_away_is_ever_answered():
    # Of the 180 documents after the start those from 90 to 107, half of them to 60 %: numbers 110 to 127.
    told = answers(Feedback(away=(0.5, 0.6)))
    assert [number for number, _, _ in told] == [*range(20, 110), *range(128, 200)]
    assert answers(Feedback(away=(0, 1))) == []


def test_late_answers_come_after_so_many_more_documents():
    told = answers(Feedback(delay=30, clicks=True))
    assert told == [(number, True, number + 31) for number in range(21, 170, 3)]


@pytest.mark.parametrize(
    "feedback",
    [
        Feedback(clicks=True),
        Feedback(wrong=0.2),
        Feedback(away=(0.2, 0.4)),
        Feedback(0, 0.3, 1, True, 0.2, (0.5, 0.6), True),
    ],
    ids=["clicks", "wrong", "away", "all habits"],
)
def test_the_truth_about_undelivered_documents_is_never_looked_at(small, feedback):
    trial = Experiment(
        small.documents,
        small.topics,
        small.qrels,
        Conditions(reference=100, examples=2, feedback=feedback),
    )
    every = set(range(len(small.documents)))
    for topic in (0, 3):
        made = trial.replayed([topic], PLAIN)[0]
        known = {*made.deliveries.tolist(), *trial.examples[topic]}
        relevant = trial.relevant[topic]
        trial.relevant[topic] = frozenset((relevant & known) | ((every - known) - relevant))
        poisoned = trial.replayed([topic], PLAIN)[0]
        assert poisoned.deliveries.tolist() == made.deliveries.tolist()
        assert poisoned.thresholds.tobytes() == made.thresholds.tobytes()


def test_the_reader_is_asked_of_answered_deliveries_alone():
    asked = []
    told = answers(Feedback(share=0.3, away=(0.5, 0.6), seed=1), asked=asked)
    assert asked == [number for number, _, _ in told]


# ---- interest that switches --------------------------------------------------------------------------------------


def switched(**given):
    """Two topics of ten documents each that take turns; the first two documents are the reference set."""
    stream = [Document(f"d{number}", ("cocoa", "tin")[number % 2]) for number in range(20)]
    topics = [Topic("cocoa", "cocoa"), Topic("tin", "tin")]
    judgments = {
        "cocoa": {f"d{number}": 1 for number in range(0, 20, 2)},
        "tin": {f"d{number}": 1 for number in range(1, 20, 2)},
    }
    return stream, topics, judgments, {"reference": 2, "feedback": Feedback(switch=True), **given}


def test_from_the_middle_on_the_next_topic_is_wanted_and_the_last_is_followed_by_the_first():
    *stream, given = switched()
    trial = Experiment(*stream, Conditions(examples=0, **given))
    # 18 documents after the start: the middle is document 2 + 9 = 11.
    assert trial.first == 11
    assert sorted(trial.relevant[0]) == [0, 2, 4, 6, 8, 10, 11, 13, 15, 17, 19]
    assert sorted(trial.relevant[1]) == [1, 3, 5, 7, 9, 12, 14, 16, 18]
    assert sorted(trial.judgments["cocoa"]) == ["d11", "d13", "d15", "d17", "d19"]


def test_only_the_second_half_is_measured():
    stream, topics, judgments, given = switched(examples=1)
    # A filter that stays with cocoa delivers 12, 14, 16 and 18 in the second half, where tin is wanted: 5 documents.
    made = simulate(
        stream, topics, judgments, rules="fixed(theta=0.5)", profiles="rocchio(other=0)", only=None, **given
    )
    row = made["fixed(theta=0.5) rocchio(other=0)"]
    delivered = dict(zip(made.topics, (numbers.tolist() for numbers in row.deliveries), strict=True))
    assert delivered["cocoa"] == [12, 14, 16, 18]
    assert row.scores.per_topic["cocoa"]["T11U"] == -4
    assert made["none"].scores.per_topic["cocoa"]["T11U"] == 0
    # In hindsight the score of tin is no better: nothing would have been best.
    hindsight = made.rows[-1]
    assert dict(zip(made.topics, map(len, hindsight.deliveries), strict=True))["cocoa"] == 0
    first = made.to_dict()["rows"][0]
    assert first["per_topic"]["cocoa"]["relevant"] == 5
    assert first["over_time"][0]["from"] == 11
    assert sum(window["delivered"] for window in first["over_time"]) == 4 + 5


def test_topics_whose_successor_has_nothing_to_find_are_left_out():
    stream, topics, judgments, given = switched()
    judgments["tin"] = {"d1": 1, "d3": 1}
    made = simulate(stream, topics, judgments, rules="zero", examples=0, **given)
    assert made.nothing_to_find == ("cocoa",)
    judgments["cocoa"] = {"d0": 1, "d2": 1}
    with pytest.raises(NothingInCommon):
        simulate(stream, topics, judgments, rules="zero", examples=0, **given)


def test_interest_in_a_single_topic_cannot_switch():
    stream, topics, judgments, given = switched()
    with pytest.raises(UsageError, match="two or more"):
        simulate(stream, topics[:1], judgments, rules="zero", **given)


# ---- the same reader for all, and none that cannot be --------------------------------------------------------------


def test_the_seed_decides_who_is_wrong_and_the_topic_too():
    def wrong(topic, **given):
        reader = Feedback(wrong=0.2, **given)
        return [reader.answer(topic, number, True) for number in range(500)]

    assert wrong("a") == wrong("a")
    assert wrong("a") != wrong("b")
    assert wrong("a") != wrong("a", seed=1)


def test_the_habits_are_part_of_the_results(small):
    given = Feedback(5, 0.5, 2, True, 0.1, (0.25, 0.5), True)
    made = simulate(small.documents, small.topics, small.qrels, rules="zero", reference=100, feedback=given)
    said = json.loads(json.dumps(made.to_dict()["settings"]["feedback"]))
    assert said == {
        "delay": 5,
        "share": 0.5,
        "seed": 2,
        "clicks": True,
        "wrong": 0.1,
        "away": [0.25, 0.5],
        "switch": True,
    }


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"delay": -1}, "delay"),
        ({"share": 1.5}, "share of deliveries that get feedback must be from 0 to 1; got 1.5"),
        ({"wrong": -0.1}, "share of answers that are wrong must be from 0 to 1; got -0.1"),
        ({"wrong": float("nan")}, "got nan"),
        ({"away": (0.6, 0.5)}, r"as in \(0.5, 0.6\); got \(0.6, 0.5\)"),
        ({"away": (0.5, 1.5)}, "got"),
        ({"away": (0.5,)}, "got"),
    ],
)
def test_a_reader_who_cannot_be_is_refused(given, reason):
    with pytest.raises(UsageError, match=reason):
        Feedback(**given)


@pytest.mark.parametrize(
    ("given", "count"), [(0.1, 60), ("0.1", 60), (".1", 60), ("10%", 60), ("60", 60), (60, 60)]
)
def test_a_reference_set_is_a_number_or_a_share_of_documents(small, given, count):
    made = simulate(small.documents[:600], small.topics, small.qrels, rules="zero", reference=given)
    assert made.conditions.reference == count
