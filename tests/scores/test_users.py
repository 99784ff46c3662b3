"""Scores as users see them: one row for each, and their mean."""

import pytest

import gainful
from gainful.errors import UsageError

QRELS = {"1": {"a": 1, "b": 1, "c": 0}, "2": {"a": 1, "d": 2}}
RUN = {"1": {"a": 3.0, "x": 2.0, "b": 1.0}, "2": {"y": 2.0, "d": 1.0}}
USERS = {"ann": {"1": ["a"], "2": ["a", "d"]}, "bob": {"1": ["a", "b"]}}


def test_one_user_is_a_run_as_any_other():
    scores = gainful.evaluate(QRELS, RUN, "Coverage, Novelty, AP", known=USERS["ann"], expected=2)
    assert [run.name for run in scores] == ["run"]
    assert scores.per_topic["1"] == {"Coverage": 1, "Novelty": 1 / 2, "AP": pytest.approx((1 + 2 / 3) / 2)}
    assert "user" not in scores.to_dict()["runs"][0]


def test_several_users_have_a_row_each_and_the_mean():
    scores = gainful.evaluate(QRELS, RUN, "Coverage, Novelty@1", known=USERS)
    assert [run.name for run in scores] == ["run · ann", "run · bob", "run · all users"]
    ann, bob, mean = (run.per_topic for run in scores)
    assert [one["1"]["Coverage"] for one in (ann, bob, mean)] == [1, 1, 1]
    assert [one["2"]["Coverage"] for one in (ann, bob, mean)] == [1 / 2, 0, 1 / 4]
    assert [run.undefined.get("Coverage", []) for run in scores] == [[], ["2"], []]
    assert [run["user"] for run in scores.to_dict()["runs"]] == ["ann", "bob", "all users"]


def test_users_for_whom_a_topic_is_left_out_are_no_part_of_its_mean():
    scores = gainful.evaluate(QRELS, RUN, "Coverage", known=USERS, undefined="skip")
    ann, bob, mean = (run.per_topic for run in scores)
    assert (ann["2"], bob["2"], mean["2"]) == ({"Coverage": 1 / 2}, {}, {"Coverage": 1 / 2})
    assert mean["1"] == {"Coverage": 1}


def test_several_runs_and_users():
    scores = gainful.evaluate(QRELS, {"x": RUN, "y": RUN}, "Coverage", known=USERS)
    assert [run.name for run in scores][:4] == ["x · ann", "x · bob", "x · all users", "y · ann"]


def test_topics_may_be_chosen():
    scores = gainful.evaluate(
        QRELS, RUN, "Coverage, RecallEffort", known=USERS["ann"], expected={"2": 1}, topics=["2"]
    )
    assert scores.per_topic == {"2": {"Coverage": 1 / 2, "RecallEffort": 1 / 2}}


def test_a_topic_without_an_expectation_is_undefined():
    scores = gainful.evaluate(QRELS, RUN, "RelRecall", expected={"1": 2})
    assert scores.runs[0].undefined == {"RelRecall": ["2"]}


def test_what_was_not_met_or_not_judged_is_noted():
    scores = gainful.evaluate(
        QRELS, RUN, "RecallEffort, RecallEffort@1, Coverage", known={"1": ["a", "zz"], "9": ["k"]}, expected=2
    )
    assert scores.notes == [
        "user: 1 topic of what was known not judged, ignored: 9",
        "user: 1 of 2 known documents not judged, and so not relevant",
        "run: RecallEffort: more was expected than found in 1 topic, where the whole list counts as examined: 2",
        "run: RecallEffort@1: more was expected than found in 2 topics, where the whole list counts as examined: 1, 2",
    ]


def test_what_holds_for_all_users_is_noted_once():
    notes = gainful.evaluate(QRELS, {"1": RUN["1"]}, "RecallEffort", known=USERS, expected=5).notes
    assert sum("not in the run" in note for note in notes) == 1
    assert sum("more was expected" in note for note in notes) == 2


def test_curves_and_tables_know_the_user():
    made = gainful.curve(QRELS, RUN, "Coverage, RelRecall", to=3, known=USERS["ann"], expected=2)
    assert made[0].values.tolist() == [(1 + 0) / 2, (1 + 1 / 2) / 2, (1 + 1 / 2) / 2]
    each = gainful.curve(QRELS, RUN, "Coverage", to=3, known=USERS)
    assert [one.run for one in each] == ["run · ann", "run · bob", "run · all users"]
    scored = gainful.evaluate(QRELS, RUN, "Coverage@1, Coverage@2, Coverage@3", known=USERS)
    assert [one.values.tolist() for one in each] == [list(run.mean.values()) for run in scored]
    table = gainful.explain(QRELS, RUN, "1", "Novelty", known=USERS["ann"])
    assert table.column("known") == [True, None, False]
    assert sum(table.column("contributes")) == table.value == 1 / 2
    with pytest.raises(UsageError, match="for one user"):
        gainful.explain(QRELS, RUN, "1", "Coverage", known=USERS)


@pytest.mark.parametrize(
    "name", ["Coverage", "Coverage@2", "Novelty@2", "RelRecall", "RecallEffort", "RecallEffort@2"]
)
def test_parts_sum_to_what_evaluate_says(name):
    for topic in QRELS:
        table = gainful.explain(QRELS, RUN, topic, name, known=USERS["ann"], expected=1)
        scores = gainful.evaluate(QRELS, RUN, name, known=USERS["ann"], expected=1)
        assert table.value == scores.per_topic[topic][name]
        assert table.parts.start + table.parts.contributions.sum() == pytest.approx(table.value)
