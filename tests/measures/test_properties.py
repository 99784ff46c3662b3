"""What is asked of every measure, with no line for any of them: the registry says which there are."""

import doctest
import inspect
import math
import pickle
import random
import re

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gainful.judging import JudgedRun, Ranking, judged_run
from gainful.measures import get, names, parse

GRADES = st.sampled_from([-1, 0, 0, 0, 0.5, 1, 1, 2, 3])
LISTS = st.lists(st.one_of(st.none(), GRADES), max_size=12)
TOPICS = st.lists(st.tuples(LISTS, st.lists(GRADES, max_size=6)), min_size=1, max_size=6)
NEEDED = {"cutoff": (1, 3, 20), "recall": (0, 0.3, 1)}


def forms(name):
    """The measure with its defaults, and at several cutoffs (or levels) where it takes them."""
    base = get(name)
    at = base.definition.at
    made = [] if base._lacks else [base]
    return made + ([base @ value for value in NEEDED[at]] if at in base.definition.parameters else [])


# those that need more than a grade for each document have records, and properties, of their own
EVERY = [form for name in names() if get(name).needs is None for form in forms(name)]
every_form = pytest.mark.parametrize("measure", EVERY, ids=str)
every_measure = pytest.mark.parametrize("measure", [get(name) for name in names()], ids=str)
many = settings(deadline=None, max_examples=100)


def record_of(topics):
    judged = [[grade for grade in ranked if grade is not None] + more for ranked, more in topics]
    return judged_run([ranked for ranked, _ in topics], judged=judged)


def same_bits(one, other):
    return one.tobytes() == other.tobytes()


@many
@given(topics=TOPICS)
def test_values_are_one_finite_number_a_topic_within_the_bounds(topics):
    record = record_of(topics)
    for measure in EVERY:
        low, high = measure.bounds
        values, undefined = measure.evaluate(record)
        assert (values.dtype, undefined.dtype) == (np.float64, np.bool_), measure
        assert values.shape == undefined.shape == (len(topics),), measure
        assert np.isfinite(values).all(), measure
        assert (values >= low - 1e-12).all(), measure
        assert (values <= high + 1e-12).all(), measure


@many
@given(topics=TOPICS)
def test_a_topic_has_the_same_bits_again_alone_and_beside_others(topics):
    record, fresh = record_of(topics), record_of(topics)
    blocks = [record.select(topic, topic + 1) for topic in range(len(topics))]
    for measure in EVERY:
        values, undefined = measure.evaluate(record)
        assert same_bits(values, measure(record)), (
            measure
        )  # what was kept from the first time changes nothing
        assert same_bits(values, measure(fresh)), measure
        for topic, block in enumerate(blocks):
            alone, nothing = measure.evaluate(block)
            assert same_bits(alone, values[topic : topic + 1]), measure
            assert nothing == undefined[topic], measure


@pytest.fixture(scope="module")
def large():
    """Lists of all lengths, many of them alike; long enough that arithmetic is done several numbers at a time."""
    chance = np.random.default_rng(3)
    lengths = [*chance.integers(0, 9, 200), *chance.integers(0, 300, 100)]
    ranked = [chance.choice([-1, 0, 0, 0.5, 1, 2, 3], n).tolist() for n in lengths]
    ranked = [
        [None if hidden else one for one, hidden in zip(some, chance.random(len(some)) < 0.4, strict=True)]
        for some in ranked
    ]
    return record_of([(some, [3, 1, 0]) for some in ranked])


@every_form
def test_a_topic_has_the_same_bits_alone_and_beside_hundreds_of_others(measure, large):
    values = measure(large)
    for topic in range(0, len(large), 7):
        assert same_bits(measure(large.select(topic, topic + 1)), values[topic : topic + 1])
    half = len(large) // 2 + 1
    halves = [measure(large.select(0, half)), measure(large.select(half, len(large)))]
    assert same_bits(np.concatenate(halves), values)


@many
@given(topics=TOPICS, order=st.randoms(use_true_random=False))
def test_the_order_of_topics_does_not_matter(topics, order):
    places = list(range(len(topics)))
    order.shuffle(places)
    record, other = record_of(topics), record_of([topics[place] for place in places])
    for measure in EVERY:
        assert same_bits(measure(other), measure(record)[places]), measure


def judged_by_hand(judgments, run):
    """A judged run from ids and scores: by score, then by id, descending."""
    ranked, judged = [], []
    for topic in sorted(judgments):
        order = sorted(run.get(topic, {}).items(), key=lambda item: (item[1], item[0]), reverse=True)
        ranked.append([judgments[topic].get(document) for document, _ in order])
        judged.append(list(judgments[topic].values()))
    return judged_run(ranked, judged=judged)


def shuffled(mapping, chance):
    items = list(mapping.items())
    chance.shuffle(items)
    return dict(items)


@every_form
def test_ids_their_order_and_a_constant_added_to_all_scores_do_not_matter(measure):
    chance = random.Random(11)
    documents = [f"d{number}" for number in range(30)]
    judgments = {t: {d: chance.choice([-1, 0, 0, 1, 2]) for d in chance.sample(documents, 12)} for t in "abc"}
    run = {
        t: dict(zip(chance.sample(documents, 20), chance.sample(range(99), 20), strict=True)) for t in "abc"
    }
    values = measure(judged_by_hand(judgments, run))
    new = dict(zip(documents, chance.sample(documents, 30), strict=True))
    renamed = [
        {t: {new[d]: x for d, x in shuffled(of, chance).items()} for t, of in m.items()}
        for m in (judgments, run)
    ]
    shifted = {t: {d: score - 1000.5 for d, score in of.items()} for t, of in renamed[1].items()}
    assert same_bits(measure(judged_by_hand(renamed[0], shifted)), values)


@many
@given(topic=st.tuples(LISTS, st.lists(GRADES, max_size=6)), data=st.data())
def test_moving_a_better_document_up_never_lowers_it_or_it_says_so(topic, data):
    ranked, more = topic
    worth = [
        0 if grade is None or grade < 1 else grade for grade in ranked
    ]  # better: relevant, of a better grade
    better = [(i, j) for j in range(len(ranked)) for i in range(j) if worth[j] > worth[i]]
    assume(better)
    above, below = data.draw(st.sampled_from(better))
    moved = list(ranked)
    moved[above], moved[below] = moved[below], moved[above]
    before, after = record_of([(ranked, more)]), record_of([(moved, more)])
    for measure in EVERY:
        assert measure.may_fall or measure(after) >= measure(before) - 1e-12, measure


@many
@given(topic=st.tuples(LISTS, st.lists(GRADES, max_size=6)), tail=LISTS)
def test_documents_below_the_cutoff_do_not_matter(topic, tail):
    ranked, more = topic
    judged = [grade for grade in ranked + tail if grade is not None] + more
    for cutoff in NEEDED["cutoff"]:
        filled = ranked + [None] * max(0, cutoff - len(ranked))
        short, long = judged_run([filled], judged=[judged]), judged_run([filled + tail], judged=[judged])
        for measure in EVERY:
            if measure.cutoff == cutoff:
                assert same_bits(measure(short), measure(long)), measure


@every_form
def test_an_empty_list_is_scored_and_is_worth_nothing_where_there_was_something_to_find(measure):
    values, undefined = measure.evaluate(
        judged_run([[], [], [1]], judged=[[2, 1, 0], [1], [1]], present=[True, False, True])
    )
    assert not undefined.any()
    if measure.when:
        # Delivering nothing is not the worst that a filter can do: T11SU's scale leaves a third below it.
        nothing = 0.5 / 1.5 if measure.name == "T11SU" else 0.0
        assert values[:2].tolist() == [nothing, nothing]
    assert math.isfinite(values[0])


@every_form
@pytest.mark.parametrize("judged", [[], [0], [0, -1], [-1]])
def test_a_topic_with_nothing_to_find_has_the_declared_value_and_is_marked(measure, judged):
    for ranked in ([], [None, *judged]):
        values, undefined = measure.evaluate(judged_run([ranked, [1]], judged=[judged, [1]]))
        assert undefined.tolist() == [measure.when is not None, False]
        if measure.when:
            assert values[0] == measure.undefined


@every_form
def test_values_are_ones_own_to_change(measure):
    record = judged_run([[1, None, 0], [2]], judged=[[1, 1, 0], [2]])
    before = measure(record).copy()
    measure(record)[:] = 77
    assert same_bits(measure(record), before)


@every_form
def test_no_topics_give_no_values(measure):
    none = np.zeros(0)
    offsets = np.zeros(1, dtype=np.int64)
    pool = Ranking(offsets, none, none)
    record = JudgedRun(offsets, none, none, pool=pool, retrieved=none, present=none.astype(bool))
    values, undefined = measure.evaluate(record)
    assert values.shape == undefined.shape == (0,)


@every_form
def test_its_name_is_read_back_as_itself(measure):
    assert parse(str(measure)) == measure
    assert pickle.loads(pickle.dumps(measure)) == measure
    for name in measure.trec_names:
        assert parse(name) == measure


@every_measure
def test_its_docstring_says_what_a_reader_needs(measure):
    parameters = measure.definition.parameters
    assert measure.title.endswith(".")
    assert "\n" not in measure.title
    assert measure.formula.startswith(f"{measure.name} = ")
    assert set(measure.parameters) == set(parameters)
    told = (f"{name} {text}".split() for name, text in measure.parameters.items())
    written = re.search(r"^ {4}(?! )(\w+ {2,}\S.*?)\n\n", measure.__doc__, re.DOTALL | re.MULTILINE)
    assert sorted(word for words in told for word in words) == sorted(written[1].split() if written else [])
    assert measure.misleads.startswith("Misleads when")
    assert measure.cite
    assert len(doctest.DocTestParser().get_examples(measure.__doc__)) >= 2  # the import, and a value


@every_measure
def test_it_stands_in_a_file_of_its_name_that_says_what_it_is(measure):
    module = inspect.getmodule(measure.definition.function)
    assert module.__name__ == f"gainful.measures.{measure.name.lower()}"
    assert module.__doc__.startswith(f"{measure.name}: ")
    assert getattr(module, measure.name) == measure


@every_measure
def test_parameters_are_named_alike_everywhere(measure):
    """A cutoff, a level of relevance, a gain and so on are called the same, and their lines begin alike."""
    lines = measure.parameters
    if "rel" in lines:
        assert lines["rel"].startswith(("lowest grade that is relevant", "count only"))
    if "cutoff" in lines:
        assert lines["cutoff"].startswith("last rank counted")
    if "gain" in lines:
        assert lines["gain"].startswith("worth of a grade")
