"""Scores of disjoint topics merge to the last bit into those of all topics."""

import pickle
import random
from concurrent.futures import ProcessPoolExecutor

import pytest

import gainful
from gainful import Scores, evaluate, read_qrels
from gainful.errors import UsageError
from gainful.measures import get, names

AT = {"cutoff": (5,), "recall": (0.3,)}
TOPICS = [f"q{number}" if number % 2 else str(number) for number in range(30)]


def judgments(seed=1):
    chance = random.Random(seed)
    # the best grade is that of one topic alone
    return [
        (topic, f"d{document}", 4 if topic == "q7" else chance.choice([-1, 0, 0.5, 1, 2]))
        for topic in TOPICS
        for document in chance.sample(range(50), 12)
    ]


def run(seed):
    chance = random.Random(seed)
    topics = [*chance.sample(TOPICS, 25), "stranger", "99"]
    return [
        (t, f"d{d}", chance.choice([0.5, chance.random()]))
        for t in topics
        for d in chance.sample(range(60), 20)
    ]


QRELS, RUNS = judgments(), {"one": run(2), "two": run(3)}


def forms(needs):
    for measure in (get(name) for name in names() if get(name).needs in needs):
        at = measure.definition.at
        yield from [] if measure._lacks else [measure]
        yield from (measure @ value for value in AT[at] if at in measure.definition.parameters)


def groups(count, seed=5):
    """The topics, in some groups."""
    chance = random.Random(seed)
    number = {topic: chance.randrange(count) for topic in TOPICS}
    made = [[topic for topic in TOPICS if number[topic] == group] for group in range(count)]
    return [group for group in made if group]


def of_topics(rows, group):
    return [row for row in rows if row[0] in group]


def shards(count):
    """Judgments and runs by topic; topics that nobody judged go to the first."""
    for number, group in enumerate(groups(count)):
        mine = {*group, *(("stranger", "99") if number == 0 else ())}
        yield of_topics(QRELS, group), {name: of_topics(rows, mine) for name, rows in RUNS.items()}


def same(ours, theirs):
    assert ours.to_dict() == theirs.to_dict()
    assert [one.values.tobytes() for one in ours] == [one.values.tobytes() for one in theirs]
    assert ours.notes == theirs.notes
    for one, other in zip(ours, theirs, strict=True):
        for name in ("offsets", "rank", "grade", "first", "last", "row", "retrieved", "present"):
            assert getattr(one.judged, name).tolist() == getattr(other.judged, name).tolist()


@pytest.mark.parametrize("count", [1, 2, 7])
def test_parts_of_the_topics_merge_to_the_last_bit(count):
    measures = list(forms({None, "anywhere"}))
    parts = [evaluate(QRELS, RUNS, measures, topics=group) for group in groups(count)]
    same(Scores.merge(*reversed(parts)), evaluate(QRELS, RUNS, measures))


@pytest.mark.parametrize("count", [2, 7])
def test_parts_that_saw_only_their_own_judgments_merge_to_the_last_bit(count):
    measures = list(forms({None}))
    parts = [evaluate(qrels, runs, measures) for qrels, runs in shards(count)]
    assert {part.pool.top for part in parts} == {2, 4}  # some measures go by the best grade of all
    same(Scores.merge(*parts), evaluate(QRELS, RUNS, measures))


@pytest.mark.parametrize(
    "chosen", [{}, {"unjudged": "condense", "ties": "worst"}, {"missing": "skip"}], ids=str
)
def test_neither_the_order_of_parts_nor_their_grouping_changes_a_bit(chosen):
    measures = "ERR, nDCG@5, AP(summary=geometric), RBP"
    one, two, three, four = (evaluate(qrels, runs, measures, **chosen) for qrels, runs in shards(4))
    whole = evaluate(QRELS, RUNS, measures, **chosen)
    merge = Scores.merge
    same(merge(four, two, one, three), whole)
    same(merge(merge(three, one), merge(four, two)), whole)
    same(merge(two, merge(four, merge(one, three))), whole)


def test_a_run_that_several_parts_were_given_counts_once_in_the_digest():
    first, second, third = groups(3)
    held = {name: of_topics(rows, {*first, *second}) for name, rows in RUNS.items()}
    rest = {name: of_topics(rows, third) for name, rows in RUNS.items()}
    parts = [
        evaluate(QRELS, rows, "AP", topics=mine)
        for rows, mine in ((held, first), (held, second), (rest, third))
    ]
    whole = evaluate(QRELS, {name: of_topics(rows, TOPICS) for name, rows in RUNS.items()}, "AP")
    same(Scores.merge(*parts), whole)


def test_what_every_document_is_judged_for_cannot_be_known_from_parts_of_the_judgments():
    parts = [evaluate(qrels, runs, "Hole@5") for qrels, runs in shards(2)]
    with pytest.raises(
        UsageError,
        match=r"needs to know which documents are judged for any topic",
    ):
        Scores.merge(*parts)


@pytest.mark.parametrize("by", ["subtopics", "judges", "preferences"])
def test_judgments_by_subtopic_or_judge_merge_too(by):
    chance = random.Random(3)
    rows = [(t, aspect, d, max(0, g)) for t, d, g in QRELS for aspect in chance.sample(["a", "b", "c"], 2)]
    measures = list(forms({by}))
    whole = evaluate(read_qrels(rows, by=by), RUNS, measures)
    parts = [evaluate(read_qrels(rows, by=by), RUNS, measures, topics=group) for group in groups(3)]
    same(Scores.merge(*parts), whole)
    parts = [
        evaluate(read_qrels(of_topics(rows, {row[0] for row in qrels}), by=by), runs, measures)
        for qrels, runs in shards(3)
    ]
    same(Scores.merge(*parts), whole)


def test_users_and_their_mean_merge_too():
    users = {"known": {"ann": {"q1": ["d1", "d2"], "q7": ["d3"]}, "bob": {"4": ["d4"]}}, "expected": 2}
    measures = [*forms({"known", "expected"}), "ERR"]
    whole = evaluate(QRELS, RUNS, measures, **users)
    parts = [evaluate(QRELS, RUNS, measures, topics=group, **users) for group in groups(3)]
    same(Scores.merge(*parts), whole)
    parts = [evaluate(qrels, runs, measures, **users) for qrels, runs in shards(3)]
    assert [one.values.tobytes() for one in Scores.merge(*parts)] == [one.values.tobytes() for one in whole]


def test_settings_stay_with_the_scores():
    chosen = {"missing": "skip", "undefined": "skip", "depth": 7, "ties": "best"}
    parts = [evaluate(QRELS, RUNS, "AP, nDCG", topics=group, **chosen) for group in groups(4)]
    same(Scores.merge(*parts), evaluate(QRELS, RUNS, "AP, nDCG", **chosen))


def test_scores_travel_between_processes():
    scores = evaluate(QRELS, RUNS, list(forms({None})), duplicates="best")
    same(pickle.loads(pickle.dumps(scores)), scores)
    doubled = evaluate([*QRELS, QRELS[0]], RUNS, "AP", duplicates="first")
    assert pickle.loads(pickle.dumps(doubled)).to_dict() == doubled.to_dict()
    with ProcessPoolExecutor(1) as pool:
        same(pool.submit(evaluate, QRELS, RUNS, "AP").result(), evaluate(QRELS, RUNS, "AP"))


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (
            lambda: evaluate(QRELS, RUNS, "P@5", topics=["q1"]),
            "part 2 has other measures than part 1: P@5, not AP.",
        ),
        (
            lambda: evaluate(QRELS, RUNS, "AP", topics=["q1"], depth=5),
            "part 2 has other settings than part 1: ties: by document id",
        ),
        (
            lambda: evaluate(QRELS, RUNS["one"], "AP", topics=["q1"]),
            "part 2 has other runs than part 1: run, not one, two.",
        ),
        (
            lambda: evaluate(QRELS, RUNS, "AP", topics=["q5"]),
            "topic 'q5' is in part 1 and in part 2; parts must be",
        ),
        (
            lambda: evaluate([*QRELS, ("q1", "new", 1)], RUNS, "AP", topics=["q1"]),
            "the parts have different judgments of topic '0';",
        ),
    ],
)
def test_parts_that_do_not_belong_together_are_refused(other, said):
    with pytest.raises(UsageError) as caught:
        Scores.merge(evaluate(QRELS, RUNS, "AP", topics=["q3", "q5"]), other())
    assert str(caught.value).startswith(said)


def test_a_list_is_told_how_to_be_given():
    parts = [evaluate(QRELS, RUNS, "AP", topics=group) for group in groups(2)]
    with pytest.raises(
        UsageError, match=r"expected scores, not list; give each by itself: Scores.merge\(\*parts\)"
    ):
        Scores.merge(parts)


def test_nothing_is_nothing_to_merge():
    with pytest.raises(UsageError, match="no scores to merge"):
        gainful.Scores.merge()
