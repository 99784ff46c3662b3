"""Strategies, against slow literal transcriptions; and inclusion probabilities, against many seeded draws."""

import itertools
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful.errors import DataError, UsageError
from gainful.statistics.survey_sampling import proportional
from gainful.studies.label_uncertainty import label_uncertainty
from gainful.studies.pooling import next_batch, pool
from gainful.studies.strategies import permanent_numbers, share_or_count, strategy_of
from gainful.studies.strategies.adaptive import TopicLists, bandit, move_to_front
from gainful.studies.strategies.decide import effects
from gainful.studies.strategies.sample_ranks import bands_of
from gainful.studies.study_progress import next_step

from .small_collections import answered, collection, evidence_of, fresh

A, B, GRADES = collection()
RUNS = {"a": A, "b": B}


def ranked(run):
    return {topic: sorted(scores, key=scores.get, reverse=True) for topic, scores in run.items()}


def test_depth_takes_the_first_documents_of_every_run_and_no_other():
    expected = {(topic, name) for run in (A, B) for topic, names in ranked(run).items() for name in names[:5]}
    study = pool(RUNS, strategy="depth:5")
    assert {row.pair for row in study.pool} == expected
    assert all(row.probability is None for row in study.pool)


def test_depth_in_batches_takes_the_best_ranks_first():
    study = pool(RUNS, strategy="depth:5", batch=20)
    best = {
        (topic, name): min(names.index(name) for names in (ranked(A)[topic], ranked(B)[topic]))
        for topic in A
        for name in A[topic]
    }
    worst_now = max(best[row.pair] for row in study.pool)
    rest = next_batch(study, evidence=evidence_of(study, answered(study, GRADES)))
    assert len(study.pool) == 20
    assert all(best[row.pair] >= worst_now for row in rest.pool if row.batch == 2)


def test_a_reason_names_the_rank_and_the_run():
    study = pool(RUNS, strategy="depth:1")
    for row in study.pool:
        name = row.reason.removeprefix("rank 1 of ")
        assert ranked(RUNS[name])[row.topic][0] == row.document


def test_known_documents_are_never_asked_for():
    first = ranked(A)["1"][0]
    for strategy in (
        "depth:3",
        "decide",
        "adaptive:mtf",
        "adaptive:bandit",
        "sample:ranks:1-30=100%",
        "sample:change:30",
    ):
        study = pool(RUNS, strategy=strategy, have={"1": {first: 2}})
        assert ("1", first) not in {row.pair for row in study.pool}, strategy


# ---- samples ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "strategy", ["sample:ranks:1-5=40%,6-30=10%", "sample:change:15%", "sample:change:2"]
)
@pytest.mark.parametrize("batch", [1, 2])
def test_documents_are_drawn_as_often_as_their_probability_says(strategy, batch):
    draws = 300
    study = pool({"a": {"1": A["1"]}, "b": {"1": B["1"]}}, strategy=strategy)
    chosen, _ = strategy_of(strategy)
    situation, pairs = fresh(study, 0, batch)
    chance = chosen.probabilities(situation)
    counts = Counter()
    for seed in range(draws):
        counts.update(choice.row for choice in chosen.choose(fresh(study, seed, batch)[0]))
    share = np.array([counts[row] for row in range(len(pairs))]) / draws
    assert np.abs(share - chance).max() < 4.5 * np.sqrt(0.25 / draws)
    assert np.abs(share - chance).mean() < np.sqrt(0.25 / draws)


def test_a_stratum_is_a_simple_random_sample_every_pair_of_documents_is_as_likely_as_every_other():
    study = pool(
        {"a": {"1": {name: -rank for rank, name in enumerate("uvwxyz")}}}, strategy="sample:ranks:1-6=50%"
    )
    chosen, _ = strategy_of("sample:ranks")
    draws, counts = 1000, Counter()
    for seed in range(draws):
        rows = sorted(choice.row for choice in chosen.choose(fresh(study, seed)[0]))
        assert len(rows) == 3
        counts.update(itertools.combinations(rows, 2))
    expected = 3 * 2 / (6 * 5)  # n (n − 1) / N (N − 1)
    assert len(counts) == 15
    assert max(abs(count / draws - expected) for count in counts.values()) < 4.5 * (0.2 * 0.8 / draws) ** 0.5


@given(st.lists(st.floats(0.001, 100), min_size=1, max_size=12), st.floats(0.1, 12))
def test_probabilities_in_proportion_to_size_add_up_and_stay_below_one(sizes, number):
    chance = proportional(np.array(sizes), number)
    assert chance.sum() == pytest.approx(min(number, len(sizes)))
    assert (chance <= 1).all()
    rest = [place for place in range(len(sizes)) if chance[place] < 1]
    for i, j in itertools.combinations(rest, 2):
        assert chance[i] * sizes[j] == pytest.approx(chance[j] * sizes[i])
    if rest and len(rest) < len(sizes):
        assert min(sizes[i] for i in range(len(sizes)) if i not in rest) >= max(sizes[i] for i in rest) * (
            1 - 1e-9
        )


@pytest.mark.parametrize("strategy", ["sample:ranks:1-5=40%,6-30=10%", "sample:change:15%"])
def test_a_later_batch_holds_the_earlier_one_and_states_the_probability_of_now(strategy):
    study = pool(RUNS, strategy=strategy)
    longer = next_batch(study, evidence=evidence_of(study, answered(study, GRADES)))
    before, now = ({row.pair: row.probability for row in each.pool} for each in (study, longer))
    assert {*before} < {*now}
    assert all(now[pair] >= before[pair] for pair in before)
    chosen, _ = strategy_of(strategy)
    situation, pairs = fresh(study, 0, batch=2)
    fitting = dict(zip(pairs, chosen.probabilities(situation), strict=True))
    assert now == {pair: pytest.approx(fitting[pair]) for pair in now}
    assert {pairs[choice.row] for choice in chosen.choose(situation)} == {*now}


@pytest.mark.parametrize("strategy", ["sample:ranks:1-5=40%,6-30=10%", "sample:change:15%"])
def test_the_pool_keeps_the_probabilities_of_earlier_batches(strategy):
    studies = [pool(RUNS, strategy=strategy)]
    for _ in range(2):
        studies.append(
            next_batch(studies[-1], evidence=evidence_of(studies[-1], answered(studies[-1], GRADES)))
        )
    for row in studies[-1].pool:
        numbers = range(row.batch, 3)
        assert [*row.earlier] == [str(number) for number in numbers]
        for number in numbers:
            then = {each.pair: each.probability for each in studies[number - 1].pool}
            assert row.earlier[str(number)] == then[row.pair]


def test_a_batch_for_another_measure_was_drawn_with_the_greater_of_the_two_probabilities():
    study = pool(RUNS, strategy="sample:change:20%", measure="DCG@5")
    deep = gainful.measures.parse("P@20")
    longer = next_batch(
        study, evidence=evidence_of(study, answered(study, GRADES)), compare=("a", "b"), measure=deep
    )
    chances, _ = strategy_of("sample:change:20%")
    first, pairs = fresh(study, study.manifest.seed, batch=1)
    second = replace(fresh(study, study.manifest.seed, batch=2)[0], measure=deep)
    greater = np.maximum(chances.probabilities(first), chances.probabilities(second))
    drawn = {
        pair: chance for pair, chance, u in zip(pairs, greater, first.uniform, strict=True) if u < chance
    }
    assert {row.pair: row.probability for row in longer.pool} == pytest.approx(drawn)
    assert any(chances.probabilities(second) < chances.probabilities(first))


def test_a_document_that_moves_the_difference_more_is_likelier():
    study = pool(RUNS, strategy="sample:change:10%", measure="DCG@10")
    situation, pairs = fresh(study, 0)
    chance = strategy_of("sample:change")[0].probabilities(situation)
    for topic in range(3):
        part = situation.evidence.part(topic)
        ranks = situation.evidence.ranks[:, part]
        weight = np.where(ranks <= 10, 1 / np.log2(ranks + 1), 0.0)
        size = abs(weight[1] - weight[0]) + 0.1 * weight.max(axis=0)
        order = np.argsort(size)
        assert (np.diff(chance[part][order]) >= -1e-12).all()
        assert ((chance[part] > 0) == (size > 0)).all()
    assert len(pairs) == len(chance)


def test_samples_do_not_depend_on_which_run_is_called_a():
    here = pool({"a": A, "b": B}, strategy="sample:change:15%")
    there = pool({"a": B, "b": A}, strategy="sample:change:15%")
    chances = {row.pair: row.probability for row in here.pool}
    assert {row.pair: row.probability for row in there.pool} == pytest.approx(chances)


@pytest.mark.parametrize("strategy", ["adaptive:mtf", "depth:2", "decide"])
def test_the_random_part_was_drawn_from_all_documents_of_the_topic(strategy):
    study = pool(RUNS, strategy=strategy, random=0.2, batch=24)
    longer = next_batch(study, evidence=evidence_of(study, answered(study, GRADES)))
    alone = pool(RUNS, strategy=strategy, batch=24)
    assert {row.pair for row in study.pool if row.stratum == "chosen"} == {row.pair for row in alone.pool}
    assert all(row.probability is None for row in alone.pool)
    for row in (*study.pool, *longer.pool):
        number = len({**A[row.topic], **B[row.topic]})
        expected = 1.0 if row.stratum == "chosen" else math.ceil(0.2 * number) / number
        assert row.probability == pytest.approx(expected)
    assert sum(row.topic == "1" for row in study.pool if row.reason == "drawn at random") <= 6  # 20 % of 30
    assert {row.pair for row in study.pool} <= {row.pair for row in longer.pool}
    before = {row.pair: row.probability for row in study.pool}
    assert {row.pair: row.earlier["1"] for row in longer.pool if row.batch == 1} == before


def test_the_strategy_does_not_know_what_was_found_in_the_random_part():
    study = pool(RUNS, strategy="adaptive:mtf", random=0.3)
    random = {row.pair for row in study.pool if row.stratum == "random part"}
    turned = {
        pair: (3.0 - grade if pair in random else grade) for pair, grade in answered(study, GRADES).items()
    }
    here, there = (
        next_batch(study, evidence=evidence_of(study, known)) for known in (answered(study, GRADES), turned)
    )
    assert [row.pair for row in here.pool] == [row.pair for row in there.pool]


def test_with_a_random_part_the_number_of_relevant_documents_is_estimated_without_bias():
    run = {"1": A["1"], "2": A["2"]}
    truth = sum(GRADES[topic, name] > 0 for topic in run for name in run[topic])
    estimates = []
    for seed in range(200):
        study = pool(
            {"a": run, "b": {"1": B["1"], "2": B["2"]}},
            strategy="adaptive:mtf",
            random=0.3,
            batch=8,
            seed=seed,
        )
        study = next_batch(study, evidence=evidence_of(study, answered(study, GRADES)))
        estimates.append(sum((GRADES[row.pair] > 0) / row.probability for row in study.pool))
    assert np.mean(estimates) == pytest.approx(truth, abs=4.5 * np.std(estimates) / 200**0.5)
    assert np.std(estimates) > 0.5


def test_the_estimate_has_no_bias_where_the_strategy_takes_the_whole_random_part_at_times():
    run = {"1": A["1"]}
    truth = sum(GRADES["1", name] > 0 for name in run["1"])
    estimates = []
    for seed in range(600):
        study = pool({"a": run, "b": {"1": B["1"]}}, strategy="depth:12", random=0.05, seed=seed)
        estimates.append(sum((GRADES[row.pair] > 0) / row.probability for row in study.pool))
    assert np.mean(estimates) == pytest.approx(truth, abs=4.5 * np.std(estimates) / 600**0.5)
    assert np.std(estimates) > 0.5


def test_permanent_numbers_are_uniform_and_differ_by_seed():
    pairs = [("1", str(number)) for number in range(4000)]
    numbers = permanent_numbers(pairs, 3)
    assert abs(np.histogram(numbers, 10, (0, 1))[0] - 400).max() < 4.5 * (400 * 0.9) ** 0.5
    assert np.corrcoef(numbers, permanent_numbers(pairs, 4))[0, 1] == pytest.approx(0, abs=0.08)
    assert (permanent_numbers(pairs[::-1], 3) == numbers[::-1]).all()


# ---- adaptive -----------------------------------------------------------------------------------------------


def literal_move_to_front(lists, relevant, free):
    """Cormack, Palmer and Clarke, run by run: the queue is searched anew at every step."""
    queues = [list(documents) for documents in lists]
    priority = [0 for _ in lists]
    done, order = set(), []
    while True:
        waiting = [run for run in range(len(queues)) if queues[run]]
        if not waiting:
            return order
        highest = max(priority[run] for run in waiting)
        run = next(run for run in waiting if priority[run] == highest)
        document = queues[run].pop(0)
        if document in done:
            continue
        done.add(document)
        if relevant[document] is None and free[document]:
            order.append((document, run))
        if relevant[document] is not True:
            priority[run] -= 1


@given(st.data())
def test_move_to_front_is_its_literal_transcription(data):
    number = data.draw(st.integers(1, 8))
    lists = [
        data.draw(st.permutations(range(number)).map(lambda x: x[:5]))
        for _ in range(data.draw(st.integers(1, 4)))
    ]
    relevant = data.draw(st.lists(st.sampled_from([True, False, None]), min_size=number, max_size=number))
    free = [value is None for value in relevant]
    ours = list(move_to_front(TopicLists(lists, relevant, free), np.random.default_rng(0)))
    assert ours == literal_move_to_front(lists, relevant, free)


def test_the_bandit_plays_a_run_as_often_as_its_rate_is_the_larger_one():
    # a: 2 relevant of 2, Beta(3, 1); b: 0 of 2, Beta(1, 3). P(Beta(3, 1) > Beta(1, 3)) = 1 − 1/20
    lists = TopicLists(
        [[0, 1, 4], [2, 3, 5]], [True, True, False, False, None, None], [False] * 4 + [True] * 2
    )
    first = [next(bandit(lists, np.random.default_rng(seed)))[1] for seed in range(2000)]
    assert np.mean(first) == pytest.approx(1 / 20, abs=4.5 * (0.05 * 0.95 / 2000) ** 0.5)


def test_the_bandit_takes_every_free_document_once():
    lists = TopicLists([[0, 1, 2], [2, 3, 0]], [None, False, None, None], [True, False, True, True])
    assert sorted(document for document, _ in bandit(lists, np.random.default_rng(1))) == [0, 2, 3]


def test_an_adaptive_strategy_asks_as_much_of_each_topic_as_of_the_others():
    for name in ("mtf", "bandit"):
        study = pool(RUNS, strategy=f"adaptive:{name}", batch=26)
        counts = Counter(row.topic for row in study.pool)
        assert sum(counts.values()) == 26
        assert {*counts.values()} == {2, 3}


# ---- decide -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["nDCG@5", "P@5", "AP@10", "RR"])
def test_the_effect_of_a_document_is_what_evaluate_gives_when_it_has_the_best_grade(measure):
    known = {pair: grade for pair, grade in GRADES.items() if hash_of(pair) < 0.3} | {("1", "zz"): 3.0}
    study = pool(RUNS, strategy="decide", measure=measure)
    evidence = evidence_of(study, known)
    moved = effects(evidence, gainful.parse(measure), (0, 1))
    qrels: dict = {}
    for (topic, name), grade in known.items():
        qrels.setdefault(topic, {})[name] = grade
    part = evidence.part(evidence.place["1"])
    for row, name in list(
        zip(range(part.start, part.stop), evidence.documents(evidence.place["1"]), strict=True)
    )[:12]:
        if (
            evidence.grade[row] < 0
            and (evidence.ranks[:, row] <= (gainful.parse(measure).cutoff or 100)).any()
        ):
            more = qrels | {"1": qrels["1"] | {name: 3.0}}
            assert moved[row] == pytest.approx(
                mean_difference(more, measure) - mean_difference(qrels, measure)
            )


def hash_of(pair):
    return float(permanent_numbers([pair], 5)[0])


def mean_difference(qrels, measure):
    a, b = (gainful.evaluate(qrels, run, measure).mean[measure] for run in (A, B))
    return b - a


def test_decide_asks_first_for_the_largest_effect_times_chance():
    study = pool(RUNS, strategy="decide", batch=10, measure="DCG@5")
    situation, pairs = fresh(study, 0)
    # nothing is judged: every chance is a half, and the effect is the difference of discounts
    ranks = situation.evidence.ranks
    size = abs(np.diff(np.where(ranks <= 5, 1 / np.log2(ranks + 1), 0.0), axis=0)[0])
    taken = {row.pair for row in study.pool}
    least = min(size[row] for row, pair in enumerate(pairs) if pair in taken)
    assert least >= max(size[row] for row, pair in enumerate(pairs) if pair not in taken) - 1e-12


def test_with_labels_decide_asks_first_for_the_largest_effect_times_what_the_label_leaves_open():
    study = pool(RUNS, strategy="decide", batch=10, measure="DCG@5")
    judged = {row.pair: float(int(4 * hash_of(row.pair))) for row in study.pool}
    situation, pairs = fresh(study, 0, grades=judged)
    evidence = situation.evidence
    labels = np.array([int(3 * hash_of(pair[::-1])) for pair in pairs], float)
    labels[::7] = np.nan
    situation = replace(situation, labels=labels, size=12)
    moved = np.abs(effects(evidence, situation.measure, situation.compared))
    unsure = label_uncertainty(labels, evidence.grade, evidence.top)
    free = situation.free & (moved > 0)
    wanted = np.sort((moved * unsure)[free])[::-1][:12]
    chosen = strategy_of("decide")[0].choose(situation)
    assert (moved * unsure)[[choice.row for choice in chosen]] == pytest.approx(wanted)
    assert all("people's grades there vary by" in choice.reason for choice in chosen)


def test_next_takes_labels_for_decide_alone_and_asks_where_they_leave_most_open():
    labels = {topic: dict.fromkeys(of, 0) for topic, of in A.items()}
    decide = pool(RUNS, strategy="decide", batch=10, measure="DCG@5")
    grades = {row.pair: float(int(4 * hash_of(row.pair))) for row in decide.pool}
    judged = replace(decide, known=grades)
    plain, asked = (next_step(judged, model_qrels=given) for given in (None, labels))
    assert plain.is_new
    assert asked.is_new
    assert all("label 0" in row.reason for row in asked.documents)
    sample = pool(RUNS, strategy="sample:change:10%", measure="DCG@5")
    with pytest.raises(UsageError, match="labels by a model say what to ask next for the strategy decide"):
        next_step(sample, model_qrels=labels)
    with pytest.raises(DataError, match="the model labelled none of the documents of this study"):
        next_step(decide, model_qrels={"other": {"x": 1}})


def test_decide_needs_two_runs():
    third = {topic: dict.fromkeys(scores, 1.0) for topic, scores in A.items()}
    with pytest.raises(UsageError, match="needs two runs to decide between"):
        pool({"a": A, "b": B, "c": third}, strategy="decide")
    chosen = pool({"a": A, "b": B, "c": third}, strategy="decide", compare=("a", "c"))
    assert chosen.manifest.compare == ("a", "c")


# ---- words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (
            "depht:3",
            "no strategy 'depht:3'; there are adaptive, decide, depth, sample:change, sample:ranks. Did you mean depth?",
        ),
        ("sample:chnge:10%", "Did you mean sample:change?"),
        ("zzz:10%", "sample:change, sample:ranks."),
        ("depth", "depth needs a rank, 1 or more, such as depth:20; got depth."),
        ("depth:0", "depth needs a rank"),
        ("depth:200", "looks deeper than rank 100; add --depth 200"),
        ("adaptive:x", "adaptive is one of mtf, bandit"),
        ("decide:3", "decide has no parameters"),
        ("sample:ranks:1-10", "a band of ranks is written 1-10=50%"),
        ("sample:ranks:5-1=10%", "a band of ranks"),
        ("sample:ranks:1-10=0%", "above 0"),
        ("sample:ranks:1-10=10%,5-20=10%", "overlaps ranks 1-10"),
        ("sample:change:none", "must be a number above 0"),
        ("sample:change:200%", "must be a number above 0, or a share of 100% at the most"),
    ],
)
def test_a_strategy_that_is_written_wrongly_is_refused(strategy, message):
    with pytest.raises(UsageError) as refused:
        pool(RUNS, strategy=strategy)
    assert message in str(refused.value)


def test_bands_and_shares_are_read():
    assert bands_of("1-2=5%")[0].share == pytest.approx(0.05)
    assert share_or_count(" 12.5% ", "x") == (0.125, True)


def test_a_batch_whose_documents_were_all_drawn_at_random_is_followed_by_one_with_new_documents():
    runs = {"a": {"1": A["1"]}, "b": {"1": B["1"]}}
    study = pool(runs, strategy="depth:30", random=0.9, batch=1)
    for _ in range(40):
        longer = next_batch(study, evidence=evidence_of(study, answered(study, GRADES)))
        if longer is study:
            break
        assert longer.batches == study.batches + 1
        assert len(longer.pool) == len(study.pool) + 1
        study = longer
    assert {row.document for row in study.pool} == {*A["1"]}
