"""Decisions of a study: those that complete judgments would give, reached earlier; and what to do next."""

import json
from pathlib import Path

import numpy as np
import pytest

import gainful
from gainful.errors import UsageError
from gainful.statistics.sequential_flips import SequentialFlips
from gainful.studies import next_step, pool, read_study, study_progress
from gainful.studies.pooling import next_batch
from gainful.studies.sample_estimates import DrawnSample, estimated_differences
from gainful.studies.sequential_decision import current_differences, decide_now
from gainful.studies.study_folder import write_batch

from .small_collections import answered, collection, evidence_of

STRATEGIES = [
    "depth:10",
    "decide",
    "adaptive:mtf",
    "adaptive:bandit",
    "sample:ranks:1-10=20%",
    "sample:change:20%",
]


def written(tmp_path: Path, grades, **options):
    """A study in a folder, with its first batch judged."""
    study = pool(output=tmp_path / "study", **options)
    judge(study, grades)
    return read_study(tmp_path / "study")


def judge(study, grades, most=None) -> None:
    """Write what a simulated assessor says of the pool."""
    lines = [f"{topic} 0 {name} {grade:g}\n" for (topic, name), grade in answered(study, grades).items()]
    (study.path / "judgments.qrels").write_text("".join(lines[:most]))


def to_the_end(study, grades, **options):
    """Batch after batch, until the study is decided; and the number of batches."""
    for _ in range(100):
        step = next_step(study, **options)
        if not step.documents:
            return step
        assert step.is_new
        write_batch(step.study)
        study = read_study(study.path)
        judge(study, grades)
    raise AssertionError("no end")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("better", [2.0, 0.0])
def test_a_study_ends_and_names_the_run_that_is_better(tmp_path, strategy, better):
    a, b, grades = collection(better=better, seed=5)
    study = written(tmp_path, grades, runs={"a": a, "b": b}, strategy=strategy, measure="nDCG@10", depth=10)
    step = to_the_end(study, grades)
    qrels = nested(grades)
    complete = gainful.compare(qrels, {"a": a, "b": b}, "nDCG@10").pairs[0]
    assert step.decision.status in ("decided", "no difference")
    if better:
        assert complete.p_value < 0.05
        assert step.decision.better == "b"
        assert step.decision.difference > 0
    else:
        assert complete.p_value > 0.2
        assert step.decision.status == "no difference"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, None),
        ({"a": "b", "b": "a"}, None),
        ({"measure": "P@5"}, "decide nDCG@10 between a and b"),
        ({"a": "a", "b": "c"}, "decide nDCG@10 between a and b"),
    ],
)
def test_another_question_than_the_study_s_has_an_alpha_for_itself(tmp_path, asked, said):
    a, b, grades = collection(topics=8, documents=12)
    c, _, _ = collection(topics=8, documents=12, seed=4)
    study = written(tmp_path, grades, runs={"a": a, "b": b, "c": c}, strategy="depth:5", compare=("a", "b"))
    notes = [note for note in next_step(study, alpha=0.04, **asked).decision.notes if "alpha" in note]
    if said is None:
        assert notes == []
    else:
        (note,) = notes
        assert said in note
        assert "an alpha of 0.04 for itself" in note
        assert "up to 0.08" in note
        assert "--alpha 0.02" in note


def nested(grades):
    qrels: dict = {}
    for (topic, name), grade in grades.items():
        qrels.setdefault(topic, {})[name] = grade
    return qrels


@pytest.mark.parametrize("measure", ["P@10", "nDCG@5", "AP@10", "RR@10"])
def test_a_decision_by_bounds_is_that_of_the_complete_judgments(tmp_path, measure):
    """Judge everything that the measure counts: the decision of the batch at which judging stopped still holds."""
    for seed in range(3):
        (tmp_path / str(seed)).mkdir()
        a, b, grades = collection(topics=8, documents=15, better=0.7, seed=seed)
        study = written(
            tmp_path / str(seed), grades, runs={"a": a, "b": b}, strategy="decide", measure=measure, batch=8
        )
        step = to_the_end(study, grades)
        whole = pool({"a": a, "b": b}, strategy="depth:15")
        judged = evidence_of(
            whole,
            {row.pair: grades[row.pair] for row in step.study.pool if row}
            | {
                pair: grade
                for pair, grade in grades.items()
                if counted(pair, (a, b), gainful.parse(measure).cutoff)
            },
        )
        differences = current_differences(judged, gainful.parse(measure), (0, 1))
        side = SequentialFlips(8, 0.05).look(differences, 1.0).side
        assert step.decision.better == {1: "b", -1: "a", 0: None}[side]
        assert step.decision.low - 1e-9 <= differences.mean() <= step.decision.high + 1e-9


def counted(pair, runs, cutoff):
    topic, name = pair
    return any(sorted(run[topic], key=run[topic].get, reverse=True).index(name) < cutoff for run in runs)


@pytest.fixture(autouse=True)
def _few_simulations(monkeypatch):
    monkeypatch.setattr(study_progress, "IMPUTATIONS", 1)


def test_current_differences_are_those_of_evaluate():
    a, b, grades = collection()
    study = pool({"a": a, "b": b}, strategy="depth:4")
    known = answered(study, grades)
    for measure in ("nDCG@10", "AP", "P@5", "Bpref", "RR"):
        ours = current_differences(evidence_of(study, known), gainful.parse(measure), (0, 1))
        values = [gainful.evaluate(nested(known), run, measure).runs[0].values for run in (a, b)]
        assert ours == pytest.approx(values[1][0] - values[0][0]), measure


@pytest.mark.parametrize("measure", ["DCG@10", "P@10", "RBP(p=0.8)@20", "nDCG@10", "AP@10"])
def test_an_estimate_from_everything_is_the_difference_itself(measure):
    a, b, grades = collection()
    study = pool({"a": a, "b": b}, strategy="depth:30")
    evidence, parsed = evidence_of(study, grades), gainful.parse(measure)
    every = DrawnSample(np.ones(len(evidence.grade)), np.ones(len(evidence.grade), np.bool_), 1.0)
    estimate = estimated_differences(evidence, parsed, (0, 1), every)
    assert estimate == pytest.approx(current_differences(evidence, parsed, (0, 1)))


@pytest.mark.parametrize("measure", ["DCG@10", "nDCG@10", "AP@10"])
def test_an_exchange_of_runs_turns_the_sign_of_an_estimate(measure):
    a, b, grades = collection()
    study = pool({"a": a, "b": b}, strategy="depth:30")
    evidence, random = evidence_of(study, grades), np.random.default_rng(4)
    chances = random.uniform(0.1, 1, len(evidence.grade))
    sample = DrawnSample(chances, random.random(len(chances)) < chances, 0.5)
    there, back = (
        estimated_differences(evidence, gainful.parse(measure), pair, sample) for pair in ((0, 1), (1, 0))
    )
    assert there == pytest.approx(-back)
    assert np.abs(there).sum() > 0


def test_estimates_have_the_right_mean_over_many_samples():
    a, b, grades = collection(topics=6)
    study = pool({"a": a, "b": b}, strategy="depth:30")
    evidence, random = evidence_of(study, grades), np.random.default_rng(5)
    chances = random.uniform(0.2, 0.9, len(evidence.grade))
    measure, draws = gainful.parse("DCG@10"), 800
    means = [
        estimated_differences(
            evidence, measure, (0, 1), DrawnSample(chances, random.random(len(chances)) < chances, 0.5)
        ).mean()
        for _ in range(draws)
    ]
    truth = current_differences(evidence, measure, (0, 1)).mean()
    assert np.mean(means) == pytest.approx(truth, abs=4.5 * np.std(means) / draws**0.5)


def test_a_measure_without_an_estimate_is_decided_by_bounds_alone(tmp_path):
    a, b, grades = collection(better=2.0)
    study = written(
        tmp_path, grades, runs={"a": a, "b": b}, strategy="sample:ranks:1-10=30%", measure="RR@10"
    )
    decision = next_step(study).decision
    assert decision.looks == ()
    assert decision.notes == ("RR@10 has no estimate from a sample here, so that only bounds can decide",)


def test_a_measure_without_a_cutoff_counts_to_the_depth_of_the_study_and_says_so(tmp_path):
    a, b, grades = collection()
    study = written(tmp_path, grades, runs={"a": a, "b": b}, strategy="depth:5", depth=5, measure="AP")
    decision = next_step(study).decision
    assert decision.notes == ("AP has no cutoff; runs count down to rank 5, the depth of the study",)
    assert decision.open == 0
    qrels = nested(study.judged())
    cut = [gainful.evaluate(qrels, run, "AP", depth=5).mean["AP"] for run in (a, b)]
    assert decision.difference == pytest.approx(cut[1] - cut[0])


def test_unanswered_documents_are_waited_for_and_nothing_is_added(tmp_path):
    a, b, grades = collection()
    study = pool({"a": a, "b": b}, strategy="decide", batch=20, output=tmp_path / "study")
    judge(study, grades, most=15)
    step = next_step(read_study(study.path))
    assert step.decision.status == "waiting"
    assert len(step.documents) == 5
    assert not step.is_new
    assert step.study.pool == read_study(study.path).pool
    assert "5 of the last batch have no answer yet" in step.sentence()


def test_nobody_waits_for_documents_that_were_given_up(tmp_path):
    a, b, grades = collection()
    study = pool({"a": a, "b": b}, strategy="sample:change:30%", output=tmp_path / "study")
    judge(study, grades, most=len(study.pool) - 2)
    again = read_study(study.path)
    gone = [pair for pair in answered(study, grades) if pair not in again.judged()]
    assert next_step(again).decision.looks == ()
    step = next_step(again, given_up=gone)
    assert not step.decision.waiting
    assert len(step.decision.looks) == 1
    assert "2 documents without a grade" in step.decision.notes[0]


def test_where_a_strategy_has_no_more_documents_those_that_matter_follow(tmp_path):
    a, b, grades = collection(better=0.4)
    study = written(tmp_path, grades, runs={"a": a, "b": b}, strategy="depth:1")
    step = next_step(study)
    assert step.is_new
    assert step.notes[0].startswith("depth:1 has no more documents")
    assert {row.batch for row in step.documents} == {2}
    assert to_the_end(study, grades).decision.status in ("decided", "no difference")


def test_a_decision_is_about_the_runs_and_the_measure_that_are_asked_for(tmp_path):
    a, b, grades = collection(better=2.0)
    c = {topic: {name: -score for name, score in scores.items()} for topic, scores in b.items()}
    study = written(tmp_path, grades, runs={"a": a, "b": b, "c": c}, strategy="depth:10")
    with pytest.raises(UsageError, match="--compare A B"):
        next_step(study)
    assert next_step(study, "c", "b", "P@10").decision.better == "b"
    assert next_step(study, "b", "c", "P@10").decision.better == "b"
    assert next_step(study, "b", "c", "P@10").decision.difference < 0
    with pytest.raises(UsageError, match="compared with itself"):
        next_step(study, "b", "b")
    with pytest.raises(UsageError, match="neither a run of the study"):
        next_step(study, "b", "x.run")
    with pytest.raises(UsageError, match="looks deeper than the study"):
        next_step(study, "a", "b", "P@200")


def test_a_run_that_was_not_pooled_may_be_compared_by_bounds(tmp_path):
    a, b, grades = collection(better=2.0)
    path = tmp_path / "other.run"
    path.write_text("".join(f"{t} Q0 {d} 0 {s} x\n" for t, scores in b.items() for d, s in scores.items()))
    study = written(tmp_path, grades, runs={"a": a, "b": a}, strategy="sample:change:50%")
    decision = decide_now(study, "a", str(path), "nDCG@10")
    assert decision.notes == ("the sample was drawn for other runs, so that only bounds can decide",)


def test_a_lower_value_is_better_where_the_measure_says_so(tmp_path):
    a, b, grades = collection(better=2.5, documents=20)
    study = written(tmp_path, grades, runs={"a": a, "b": b}, strategy="depth:20", measure="Fallout@10")
    decision = next_step(study).decision
    assert decision.difference < 0
    assert decision.better == "b"


def test_the_expected_number_of_judgments_is_about_what_it_takes(tmp_path, monkeypatch):
    monkeypatch.setattr(study_progress, "IMPUTATIONS", 5)
    a, b, grades = collection(topics=20, better=1.0)
    study = written(tmp_path, grades, runs={"a": a, "b": b}, strategy="decide", batch=20, measure="nDCG@10")
    expected = next_step(study).expected
    needed = len(to_the_end(study, grades).study.pool) - 20
    assert 0.5 * needed <= expected <= 2 * needed


def test_a_step_is_written_as_json(tmp_path):
    a, b, grades = collection()
    study = written(tmp_path, grades, runs={"a": a, "b": b}, strategy="sample:change:20%")
    fields = json.loads(json.dumps(next_step(study).to_dict()))
    assert fields["status"] in ("judge more", "decided")
    assert fields["looks"][0].keys() == {"share", "level", "p"}
    assert [row.keys() for row in fields["next"][:1]] in ([], [{"topic", "document", "reason"}])


def test_where_chance_draws_nothing_for_a_batch_the_next_one_that_it_draws_is_asked_for(tmp_path):
    a, b, grades = collection(seed=2)
    options = {"strategy": "sample:change:0.05", "measure": "nDCG@10", "depth": 10, "seed": 2}
    study = written(tmp_path, grades, runs={"a": a, "b": b}, compare=["a", "b"], **options)
    for _ in range(6):
        step = next_step(study)
        assert step.documents
        assert all(row.probability is not None for row in step.documents)
        write_batch(step.study)
        study = read_study(study.path)
        judge(study, grades)
    assert len({row.batch for row in study.pool}) < study.batches


def test_documents_that_chance_did_not_draw_stand_for_nothing_at_a_look(tmp_path):
    a, b, grades = collection(seed=3)
    options = {"strategy": "sample:change:2", "measure": "nDCG@10", "depth": 10}
    study = written(tmp_path, grades, runs={"a": a, "b": b}, compare=["a", "b"], **options)
    looked = decide_now(study, "a", "b")
    longer = next_batch(study, strategy="decide", compare=["a", "b"])
    assert len(longer.pool) > len(study.pool)
    write_batch(longer)
    study = read_study(study.path)
    judge(study, grades)
    again = decide_now(study, "a", "b")
    assert [look.p for look in again.looks] == [look.p for look in looked.looks]
    assert again.difference == pytest.approx(looked.difference)
