"""compare and gate under a design: they say what numbers rest on, and give bounds where nothing can be estimated."""

import json
import math

import numpy as np
import pytest
from scipy import stats
from tests.scores.test_estimated_scores import sampled

from gainful import compare, evaluate
from gainful.comparisons import gate
from gainful.comparisons.gate_decision import gate_scores
from gainful.comparisons.saved_scores import read_saved
from gainful.errors import DataError
from gainful.scores.score_output import json as json_of

CHANCE = np.random.default_rng(2)
TOPICS = [str(number) for number in range(1, 31)]
DOCUMENTS = [f"d{number}" for number in range(12)]
TRUE = {
    topic: dict(zip(DOCUMENTS, CHANCE.choice([0, 0, 1, 2], 12).tolist(), strict=True)) for topic in TOPICS
}
QRELS = {
    topic: {document: grade if CHANCE.random() < 0.5 else -1 for document, grade in graded.items()}
    for topic, graded in TRUE.items()
}
DESIGN = {topic: dict.fromkeys(DOCUMENTS, 0.5) for topic in TOPICS}
RUNS = {
    name: {
        topic: {document: TRUE[topic][document] + noise * CHANCE.normal() for document in DOCUMENTS}
        for topic in TOPICS
    }
    for name, noise in (("bad", 9.0), ("good", 0.1))
}
DRAWN = sum(grade >= 0 for graded in QRELS.values() for grade in graded.values())


def test_verdict_sentence_and_notes_say_that_numbers_are_estimates():
    made = compare(QRELS, RUNS, "DCG@5", design=DESIGN)
    clause = f", estimated from {DRAWN} judgments drawn with known probabilities."
    assert made.verdict.headline.startswith("good is better than bad on DCG@5")
    assert made.verdict.headline.endswith(clause)
    assert made.sentence(made.pairs[0]).endswith(clause)
    notes = " ".join(made.notes)
    assert (
        f"all values are estimates from {DRAWN} judgments drawn with probabilities from 0.5 on (the design)"
        in notes
    )
    assert "DCG@5, good − bad for these topics alone: " in notes
    assert "estimated" not in compare(TRUE, RUNS, "DCG@5").verdict.headline


def test_the_interval_of_these_topics_has_the_variance_of_the_difference_of_weights():
    made = compare(QRELS, RUNS, "DCG@3", design=DESIGN, estimator="ht")
    (alone,) = made.to_dict()["these_topics"]
    variances = dict.fromkeys(TOPICS, 0.0)
    for topic in TOPICS:
        places = {
            name: {
                document: rank
                for rank, document in enumerate(sorted(run[topic], key=run[topic].get, reverse=True), 1)
            }
            for name, run in RUNS.items()
        }
        for document, grade in QRELS[topic].items():
            worth = {
                name: 1 / math.log2(of[document] + 1) if of[document] <= 3 else 0.0
                for name, of in places.items()
            }
            if grade > 0:
                variances[topic] += 2 * (grade * (worth["good"] - worth["bad"])) ** 2
    total = sum(variances.values())
    freedom = total**2 / sum(each**2 for each in variances.values())  # topics that make the variance
    half = stats.t.ppf(0.975, freedom) * math.sqrt(total) / len(TOPICS)
    difference = made.pairs[0].difference
    assert alone["interval"] == pytest.approx([difference - half, difference + half])


def test_next_steps_name_no_documents_where_these_stand_for_others():
    steps = compare(QRELS, RUNS, "DCG@5", design=DESIGN).next_steps
    assert steps is not None
    assert steps.unjudged is None
    assert all(not topic.documents for topic in steps.lost)


def test_a_measure_without_an_estimator_has_the_bounds_of_its_difference_in_a_note():
    made = compare(QRELS, RUNS, "DCG@5, RR", design=DESIGN)
    assert [str(measure) for measure in made.table.measures] == ["DCG@5"]
    assert any(note.startswith("RR, good − bad lies between −") for note in made.notes)


def test_where_nothing_can_be_estimated_tests_are_refused_and_bounds_given():
    with pytest.raises(DataError, match=r"RR cannot be estimated .* no test and no interval") as fault:
        compare(QRELS, RUNS, "RR", design=DESIGN)
    low, high = (
        float(end.replace("−", "-"))
        for end in str(fault.value).split("between ")[1].rstrip(".").split(" and ")
    )
    truth = np.subtract(*(evaluate(TRUE, RUNS[name], "RR").mean["RR"] for name in ("good", "bad")))
    assert low <= truth <= high


def test_runs_with_saved_scores_of_other_probabilities_are_not_mixed(tmp_path):
    saved = tmp_path / "old.json"
    other = {topic: dict.fromkeys(DOCUMENTS, 0.25) for topic in TOPICS}
    content = evaluate(QRELS, {"old": RUNS["bad"]}, "DCG@5", design=other).to_dict()
    saved.write_text(json.dumps(content))
    new = tmp_path / "new.run"
    new.write_text("".join(f"{t} Q0 {d} 1 {s} n\n" for t, of in RUNS["good"].items() for d, s in of.items()))
    with pytest.raises(DataError, match="was scored with other judgments"):
        compare(QRELS, [str(saved), str(new)], "DCG@5", design=DESIGN)


def test_a_gate_decides_on_estimates_and_says_so():
    made = gate(QRELS, RUNS["bad"], RUNS["good"], "DCG@5", margin=0.01, design=DESIGN)
    assert made.verdict == "pass"


def test_a_measure_that_is_estimated_but_has_no_interval_is_not_tested(tmp_path):
    made = compare(QRELS, RUNS, "DCG@5, statAP", design=DESIGN)
    assert [str(measure) for measure in made.table.measures] == ["DCG@5"]
    assert any(note.startswith("statAP, good − bad lies between −") for note in made.notes)
    with pytest.raises(
        DataError,
        match=r"statAP: it is biased by an amount .* take AP, .* no test and no interval, and a gate cannot tell",
    ):
        gate(QRELS, RUNS["bad"], RUNS["good"], "statAP", margin=0.01, design=DESIGN)
    saved = tmp_path / "scores.json"
    saved.write_text(json_of(evaluate(QRELS, RUNS, "DCG@5, statAP", design=DESIGN), per_topic=True, places=4))
    read = read_saved(str(saved))
    assert [str(measure) for measure in read.measures] == ["DCG@5"]
    assert any(
        note.startswith("statAP of ") and "bounds in place of an interval" in note for note in read.notes
    )
    assert read.qrels["design"]["drawn"] == DRAWN
    with pytest.raises(
        DataError, match="a gate cannot tell"
    ):  # one measure of two has no interval: the question stays open
        gate(QRELS, RUNS["bad"], RUNS["good"], "DCG@5, statAP", margin=0.01, design=DESIGN)


@pytest.mark.parametrize("seed", range(6))
def test_a_gate_cannot_tell_where_nothing_that_makes_a_difference_was_drawn(seed):
    """Thirty topics, twenty documents, probability 0.03: the true DCG@5 of the one is about 1.6, of the other 0."""
    qrels, design, good, poor = sampled(seed)
    with pytest.raises(
        DataError, match=r"a gate cannot tell.\n.* lies between −[0-9.]+ and \+[0-9.]+"
    ) as fault:
        gate(qrels, good, poor, "DCG@5", margin=0.01, design=design)
    assert "95 % sure" not in str(fault.value)
    with pytest.raises(DataError, match="no test and no interval"):
        compare(qrels, {"good": good, "poor": poor}, "DCG@5", design=design)


def test_the_same_lists_are_compared_however_little_was_drawn():
    qrels, design, good, _ = sampled(1, 60, 0.3)
    assert gate(qrels, good, good, "DCG@5", margin=0.01, design=design).verdict == "pass"


def test_a_pair_of_which_too_little_was_drawn_is_named():
    qrels, design, good, _ = sampled(1, 60, 0.3)
    other = {
        topic: of | ({"d0": -5.5} if number < 4 else {}) for number, (topic, of) in enumerate(good.items())
    }
    third = {topic: of | {"d1": 5.0, "d2": 4.0} for topic, of in good.items()}
    with pytest.raises(
        DataError, match=r"make a difference were drawn in \d topics?, .*so between good, other"
    ):
        compare(qrels, {"good": good, "other": other, "third": third}, "DCG@5", design=design)


def test_a_gate_on_saved_estimates_that_are_all_alike_cannot_tell(tmp_path):
    saved = tmp_path / "scores.json"
    content = json.loads(json_of(evaluate(QRELS, RUNS, "DCG@5", design=DESIGN), per_topic=True, places=4))
    for run in content["runs"]:
        run["per_topic"] = {topic: {"DCG@5": 0.0} for topic in run["per_topic"]}
    saved.write_text(json.dumps(content))
    assert gate_scores(read_saved(str(saved)), margin=0.01).verdict == "cannot tell"
