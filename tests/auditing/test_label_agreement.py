"""Agreement of a model with people, and what its labels mean on their scale."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import gainful
from gainful.errors import DataError, NothingInCommon, UsageError

from .simulated_model import RUNS, bundled, labelled, pilot, written


def columns(people, model):
    pairs = [(t, d) for t in people if t in model for d in people[t] if d in model[t]]
    return [[of[t][d] for t, d in pairs] for of in (people, model)]


@pytest.fixture(scope="module")
def audited():
    people, model = pilot()
    return people, model, gainful.audit(people, model, resamples=200)


@pytest.mark.parametrize(
    ("name", "weights"), [("kappa", None), ("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")]
)
def test_kappa_is_that_of_scikit_learn(name, weights, audited):
    people, model, made = audited
    first, second = columns(people, model)
    found = getattr(made.pair, name)
    assert found.value == pytest.approx(cohen_kappa_score(first, second, weights=weights), abs=1e-12)
    assert found.low < found.value < found.high


def test_relevant_or_not_follows_rel():
    people, model = pilot()
    first, second = (np.array(column) >= 2 for column in columns(people, model))
    made = gainful.audit(people, model, rel=2, resamples=10)
    assert made.pair.kappa_relevant.value == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)


def test_the_table_counts_every_pair_once(audited):
    people, model, made = audited
    first, second = columns(people, model)
    assert made.pairs == len(first)
    for grade, row in made.table.items():
        for label, number in row.items():
            assert number == sum(a == grade and b == label for a, b in zip(first, second, strict=True))


def test_slices_by_hand():
    people = {"1": {"a": 0, "b": 1, "c": 2}, "2": {"a": 0, "b": 2}}
    model = {"1": {"a": 0, "b": 2, "c": 2}, "2": {"a": 2, "b": 0}}
    made = gainful.audit(people, model, resamples=10)
    by_grade = {piece.name: piece for piece in made.by("grade")}
    assert {name: (piece.pairs, piece.same.value, piece.lean.value) for name, piece in by_grade.items()} == {
        "0": (2, 1 / 2, (0 + 2) / 2),
        "1": (1, 0.0, 1.0),
        "2": (2, 1 / 2, (0 - 2) / 2),
    }
    worst, best = made.by("topic")
    assert (worst.name, worst.same.value, worst.apart) == ("2", 0.0, (2 + 2) / 2)
    assert (best.name, best.same.value, best.apart) == ("1", 2 / 3, 1 / 3)
    assert np.isnan(worst.same.low)  # one topic gives no interval


def test_ranks_and_systems_look_at_the_documents_that_are_there():
    people = {"1": {f"d{n}": n % 2 for n in range(30)}}
    model = {"1": {document: 1 - grade for document, grade in people["1"].items()}}
    run = {"1": {f"d{n}": float(-n) for n in range(25)}}  # d0 has rank 1
    made = gainful.audit(people, model, {"only": run}, resamples=10)
    assert {piece.name: piece.pairs for piece in made.by("ranks")} == {
        "1 to 5": 5,
        "6 to 10": 5,
        "11 to 20": 10,
        "21 to 50": 5,
        "nowhere": 5,
    }
    (system,) = made.by("system")
    assert (system.name, system.pairs) == ("only", 10)


def test_calibration_is_the_mean_grade_of_each_label(audited):
    people, model, made = audited
    first, second = map(np.array, columns(people, model))
    for step in made.calibration:
        assert step.first == step.last == step.label
        assert step.pairs == (second == step.label).sum()
        assert step.grade.value == pytest.approx(first[second == step.label].mean())
        assert step.grade.low < step.grade.value < step.grade.high


def test_labels_on_another_scale_are_calibrated_and_it_is_said():
    people, _ = pilot()
    model = labelled(people)
    wide = {t: {d: 10 + 20 * label for d, label in row.items()} for t, row in model.items()}
    made = gainful.audit(people, wide, RUNS, resamples=50)
    assert made.scale == "other"
    assert any("labels are from 10 to 70, people's grades 0 to 3" in note for note in made.notes)
    # 10, 30, 50 and 70 mean what 0 to 3 meant: in agreement each the grade nearest to the mean of the people's there
    first, second = map(np.array, columns(people, wide))
    expected = gainful.evaluate(model, RUNS, "nDCG@10")
    for favour in made.orders[0].favours:
        assert favour.model == pytest.approx(expected[favour.system].mean["nDCG@10"])
    means = {label: first[second == label].mean() for label in np.unique(second)}
    nearest = [min(set(first), key=lambda grade: abs(grade - means[label])) for label in second]
    assert made.pair.kappa.value == pytest.approx(cohen_kappa_score(first, nearest))


def test_binary_labels_are_noticed():
    people, _ = pilot()
    binary = {t: {d: int(label > 1) for d, label in row.items()} for t, row in labelled(people).items()}
    made = gainful.audit(people, binary, resamples=10)
    assert made.scale == "binary"
    assert any(note.startswith("labels are binary, people's grades 0 to 3") for note in made.notes)
    assert any(note.endswith("label 1 is read as the best grade, 0 as the lowest") for note in made.notes)


def test_labels_that_are_many_are_looked_at_in_ranges():
    people, model = pilot()
    real = {
        t: {d: label / 3 + 0.001 * number for number, (d, label) in enumerate(row.items())}
        for t, row in model.items()
    }
    made = gainful.audit(people, real, resamples=10)
    assert made.scale == "other"
    assert 2 <= len(made.calibration) <= 10
    assert sum(step.pairs for step in made.calibration) == made.pairs
    for before, after in zip(made.calibration, made.calibration[1:], strict=False):
        assert before.last < after.first
    assert set(made.table[0.0]) <= {0.0, 1.0, 2.0, 3.0}


def test_a_few_labels_off_the_scale_are_left_out_and_named():
    people, model = pilot()
    document = next(iter(model["1"]))
    model["1"][document] = -1
    made = gainful.audit(people, model, resamples=10)
    assert (made.scale, made.pairs) == ("same", sum(map(len, people.values())) - 1)
    assert "1 label is off the people's scale 0 to 3 (-1): left out" in made.notes


def test_a_label_off_the_scale_is_left_out_where_nobody_judged_too():
    people, model = pilot()
    topic = next(topic for topic in model if topic not in people)
    model[topic][next(iter(model[topic]))] = 99
    made = gainful.audit(people, model, resamples=10)
    assert (made.scale, made.pairs) == ("same", sum(map(len, people.values())))
    assert "1 label is off the people's scale 0 to 3 (99): left out" in made.notes


def test_a_grade_that_people_did_not_give_is_no_other_scale():
    people = {"1": {"a": 0, "b": 3, "c": 1}, "2": {"a": 0, "b": 3}}
    model = {"1": {"a": 2, "b": 3, "c": 1}, "2": {"a": 2, "b": 3}}
    made = gainful.audit(people, model, resamples=10)
    assert (made.scale, made.pairs) == ("same", 5)


def test_where_people_gave_one_grade_zero_is_still_on_their_scale():
    made = gainful.audit({"1": {"a": 1, "b": 1}}, {"1": {"a": 0, "b": 1}}, resamples=10)
    assert (made.scale, made.pair.same.value) == ("same", 1 / 2)


def test_missing_pairs_and_topics_are_counted():
    people, model = pilot()
    del model["3"]
    for document in list(model["1"])[:4]:
        del model["1"][document]
    made = gainful.audit(people, model, resamples=10)
    asked = sum(len(row) for topic, row in people.items() if topic != "3")
    assert made.notes[0] == "1 topic that people judged has no label by the model ('3'): left out"
    assert made.notes[1].startswith(
        f"the model's file lacks 4 of {asked} documents that people judged in its topics ({100 * 4 / asked:.1f} %)"
    )


def test_the_people_s_own_judgments_are_no_labels(tmp_path):
    people = bundled()
    with pytest.raises(DataError, match="these labels are the people's own: all 1,278 documents"):
        gainful.audit(people, dict(people))
    path = written(tmp_path / "qrels.txt", people)
    with pytest.raises(UsageError, match="given as QRELS and as LABELS: these labels are the people's own"):
        gainful.audit(path, path)


def test_passes_that_contradict_each_other_are_refused(tmp_path):
    path = tmp_path / "model.qrels"
    path.write_text("1 0 a 2\n1 0 b 1\n1 0 a 1\n1 0 b 1\n1 0 c 0\n")
    with pytest.raises(DataError, match="2 pairs have several labels, 1 of them different ones"):
        gainful.audit({"1": {"a": 2}}, str(path))
    rows = [("1", "a", 1), ("1", "a", 2)]
    with pytest.raises(DataError, match="the model's labels: 1 pair has several labels, 1 of them different"):
        gainful.audit({"1": {"a": 2}}, rows)


def test_labels_of_other_topics_or_documents_only_are_refused():
    with pytest.raises(NothingInCommon, match="people's topics are '1', the model's '2'"):
        gainful.audit({"1": {"a": 1}}, {"2": {"a": 1}})
    with pytest.raises(NothingInCommon, match="no document was judged by people and labelled by the model"):
        gainful.audit({"1": {"a": 1}}, {"1": {"b": 1}})
