"""Labels on another scale, read as people's grades: as many documents reach each grade by the model as by people."""

import numpy as np
import pytest

from gainful.formats.label_scales import read_as_grades, reading_in_words, scale_of

RANDOM = np.random.default_rng(2)
GRADES = RANDOM.choice([0.0, 1.0, 2.0, 4.0], 400, p=[0.5, 0.3, 0.15, 0.05])
SURE = GRADES + RANDOM.normal(size=400)  # all labels differ


def test_as_many_documents_reach_each_grade_as_by_people_where_labels_differ():
    read = read_as_grades(SURE, SURE, GRADES)
    for grade in (1, 2, 4):
        assert np.count_nonzero(read >= grade) == np.count_nonzero(grade <= GRADES)
    assert (np.diff(read[np.argsort(SURE)]) >= 0).all()


def test_other_documents_are_read_by_the_same_steps():
    others = RANDOM.normal(size=50)
    read = read_as_grades(others, SURE, GRADES)
    assert read.tolist() == read_as_grades(np.append(SURE, others), SURE, GRADES)[400:].tolist()


def test_few_labels_reach_each_grade_as_nearly_as_they_allow():
    labels = np.array([1.0, 1, 2, 2, 2, 2, 3, 3, 3, 5])
    grades = np.array(
        [0.0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
    )  # six of ten reach 1, three reach 2; labels 2, 3, 5: 8, 4, 1
    assert read_as_grades(np.array([0.5, 1, 2, 3, 5, 9]), labels, grades).tolist() == [0, 0, 0, 2, 2, 2]


def test_of_binary_labels_one_is_the_best_grade_however_few_documents_people_gave_it():
    binary = (GRADES > 0).astype(float)
    assert read_as_grades(np.array([0.0, 1.0]), binary, GRADES).tolist() == [0, 4]
    assert "label 1 is read as the best grade" in reading_in_words("binary")
    assert "as many documents" in reading_in_words("other")


def test_labels_that_are_all_one_are_the_lowest_grade():
    assert read_as_grades(np.ones(3), np.ones(400), GRADES).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("labels", "scale", "stray"),
    [
        (GRADES, "same", {}),
        (np.minimum(GRADES, 3), "same", {}),  # a whole number between the grades that people gave
        ((GRADES > 0).astype(float), "binary", {}),
        (GRADES / 4, "other", {}),
        (np.append(GRADES[:-1], 7.0), "same", {7.0: 1}),
        (np.append(GRADES[:-9], np.full(9, 7.0)), "other", {}),
    ],
)
def test_the_scale_is_the_peoples_unless_more_than_a_fiftieth_of_the_labels_is_off_it(labels, scale, stray):
    assert scale_of(GRADES, labels) == (scale, stray)


@pytest.mark.parametrize(
    ("grades", "scale"),
    [([0.0, 3.0], "binary"), ([0.0, 1.0], "same"), ([-1.0, 0.0, 1.0], "same"), ([-1.0, 0.0, 2.0], "binary")],
)
def test_labels_of_0_and_1_are_binary_beside_grades_above_1(grades, scale):
    assert scale_of(np.array(grades), np.array([0.0, 1.0])) == (scale, {})
