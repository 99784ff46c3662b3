"""Answers of several assessors: read strictly, joined by time, merged as asked, written whole or not at all."""

import json
import os
from contextlib import suppress
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful import read_qrels
from gainful.comparisons.judges.topic_estimates import Chance
from gainful.errors import DataError, GainfulError, UsageError
from gainful.formats.user_knowledge import read_known
from gainful.presentation.text_style import WIDE
from gainful.studies.answer_collection import Collection, collect
from gainful.studies.answer_files import content_of, file_stem, joined, read_answers
from gainful.studies.assessor_agreement import assessor_agreement
from gainful.studies.collected_answers import Collected
from gainful.studies.preference_order import consistent
from gainful.studies.study_folder import read_study, write_study
from gainful.studies.study_records import Answers, Preference

from .judging_studies import PAIRS, answers_of, small_study

ANN = dict(zip(PAIRS, [3, 2, 1, 2, 0, "cannot tell"], strict=True))
BOB = dict(zip(PAIRS, [3, 1, 1, 3, 1], strict=False))


@pytest.fixture
def study(tmp_path):
    return write_study(small_study(), tmp_path / "study")


@pytest.fixture
def files(tmp_path):
    """Files with the answers of ann and bob, as their pages save them."""
    paths = []
    for name, grades in (("ann", ANN), ("bob", BOB)):
        path = tmp_path / f"answers-{name}.json"
        path.write_bytes(content_of(answers_of(name, grades)))
        paths.append(str(path))
    return paths


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("merge", "expected"),
    [
        ("majority", [3, 1, 1, 2, 0]),  # of two different grades the lower one
        ("max", [3, 2, 1, 3, 1]),
        ("min", [3, 1, 1, 2, 0]),
        ("mean", [3, 1.5, 1, 2.5, 0.5]),
    ],
)
def test_several_grades_become_one(study, files, merge, expected):
    collected = collect(study, files, merge=merge)
    assert list(collected.judgments.values()) == expected
    assert list(collected.judgments) == PAIRS[:5]


def test_adjudicated_grades_stand_instead_and_known_ones_stay(study, files, tmp_path):
    decided = answers_of("cy", {PAIRS[1]: 0, PAIRS[3]: 3})
    decided = Answers(study="study-1", assessor="cy", adjudication=True, answers=decided.answers)
    (tmp_path / "cy.json").write_bytes(content_of(decided))
    collected = collect(study, [*files, str(tmp_path / "cy.json")])
    assert list(collected.judgments.values()) == [3, 0, 1, 3, 0]
    assert {(row.document, row.decided) for row in collected.conflicts} == {
        ("d2", "adjudicated by cy"),
        ("d4", "adjudicated by cy"),
        ("d5", "majority"),
    }
    assert list(collected.disputed()) == [("2", "d5")]
    assert collected.disputed(apart=2) == {}


def test_everything_is_written_in_formats_that_other_commands_read(study, files):
    Collection.of(collect(study, files)).write()
    folder = study.path
    assert read_qrels(str(folder / "judgments.qrels")).to_dict() == {
        "1": {"d1": 3, "d2": 1, "d3": 1},
        "2": {"d4": 2, "d5": 0},
    }
    assert read_qrels(str(folder / "judges/bob.qrels")).to_dict()["2"] == {"d4": 3, "d5": 1}
    conflicts = [json.loads(line) for line in (folder / "conflicts.jsonl").read_text().splitlines()]
    assert conflicts[0] == {
        "topic": "1",
        "document": "d2",
        "grades": {"ann": 2, "bob": 1},
        "apart": 1,
        "grade": 1,
        "decided": "majority",
    }
    assert read_study(folder).judged()["2", "d4"] == 2
    sheet = (folder / "data_sheet.md").read_text()
    assert "Judge what the page says, not how well it is written." in sheet
    assert "| ann | 6 | 5 | 0 | 1 |" in sheet


def test_what_assessors_knew_is_read_by_coverage_and_novelty(study, tmp_path):
    answers = answers_of("ann", {PAIRS[0]: 3}, known=True)
    more = answers_of("ann", {PAIRS[3]: 1}).answers
    collected = Collected(study, {"ann": joined([answers, Answers(study="s", assessor="ann", answers=more)])})
    Collection.of(collected).write()
    assert read_known(str(study.path / "known.tsv")).users == {"ann": {"1": {"d1"}, "2": set()}}


def test_answers_are_kept_in_the_study_and_joined_with_later_ones(study, files, tmp_path):
    Collection.of(collect(study, files)).write()
    later = answers_of("ann", {PAIRS[1]: 3, PAIRS[5]: 2}, at="2026-11-18T10:00:00.000Z")
    earlier = answers_of("ann", {PAIRS[0]: 0}, at="2026-11-18T08:00:00.000Z")
    path = tmp_path / "more.json"
    path.write_bytes(content_of(joined([later, earlier])))
    collected = collect(study, [str(path)])
    assert collected.by_assessor["ann"] == {**dict(zip(PAIRS, [3, 3, 1, 2, 0, 2], strict=True))}
    assert collected.by_assessor["bob"] == BOB


def test_collecting_again_replaces_nothing_unless_asked(study, files, tmp_path):
    Collection.of(collect(study, files)).write()
    Collection.of(collect(study, files)).write()  # nothing has changed
    before = contents(study.path)
    path = tmp_path / "more.json"
    path.write_bytes(content_of(answers_of("bob", {PAIRS[0]: 0}, at="2026-11-18T10:00:00.000Z")))
    collection = Collection.of(collect(study, [str(path)]))
    with pytest.raises(UsageError, match=r"--overwrite\. Nothing was written"):
        collection.write()
    assert contents(study.path) == before
    collection.write(overwrite=True)
    assert read_qrels(str(study.path / "judgments.qrels")).to_dict()["1"]["d1"] == 0


def changed(**fields):
    return lambda content: content | fields


def first_answer(**fields):
    return lambda content: content | {"answers": [content["answers"][0] | fields, *content["answers"][1:]]}


FAULTS = {
    "another study": (changed(study="s2"), "these answers belong to another study ('s2', not 'study-1')"),
    "a stranger": (changed(assessor="eve"), "'eve' is no assessor of this study; it has 'ann', 'bob'"),
    "an assessor who decides": (
        changed(adjudication=True),
        "'ann' is an assessor of the study and cannot decide",
    ),
    "a grade outside the scale": (
        first_answer(grade=7),
        "grade 7 is not on the scale of the study (0, 1, 2, 3)",
    ),
    "no grade": (first_answer(grade=None), "grade None is not on the scale"),
    "a grade that was skipped": (
        first_answer(state="skipped"),
        "an answer that is 'skipped' has no grade; got 3",
    ),
    "a strange state": (first_answer(state="perhaps"), "perhaps"),
    "a document not asked about": (
        first_answer(document="d9"),
        "was not asked about document 'd9' of topic '1'",
    ),
    "no time": (first_answer(at="noon"), "'noon' is not an ISO time"),
    "a time before all times": (first_answer(at="0001-01-01T00:00:00+23:59"), "is not an ISO time"),
    "a field too many": (first_answer(mood="good"), "mood"),
    "another file": (lambda _: {"a": 1}, "does not hold answers"),
    "a list": (lambda _: [1], "does not hold answers"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_answers_that_do_not_fit_are_refused_in_a_sentence_and_nothing_is_written(study, files, fault):
    change, expected = FAULTS[fault]
    path = Path(files[0])
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    before = contents(study.path)
    with pytest.raises(DataError) as raised:
        collect(study, files)
    assert expected in str(raised.value)
    assert files[0] in str(raised.value)
    assert contents(study.path) == before


def test_two_files_of_one_assessor_are_refused(study, files, tmp_path):
    path = tmp_path / "again.json"
    path.write_bytes(content_of(answers_of("ann", ANN)))
    with pytest.raises(UsageError, match="are both answers of 'ann'; give one of them"):
        collect(study, [*files, str(path)])
    with pytest.raises(UsageError, match="is given twice"):
        collect(study, [files[0], files[0]])


def test_answers_that_were_cut_off_are_refused(study, files, tmp_path):
    path = tmp_path / "cut.json"
    path.write_bytes(content_of(answers_of("ann", ANN))[:-20])
    with pytest.raises(DataError, match="this is not JSON"):
        read_answers(study, str(path))
    with pytest.raises(DataError, match="no answers yet"):
        collect(study)


def test_answers_taken_back_are_no_judgments_and_stay_taken_back(study, tmp_path):
    given_first = answers_of("ann", {PAIRS[0]: 3, PAIRS[1]: 2})
    taken_back = answers_of("ann", {PAIRS[0]: "open"}, at="2026-11-18T11:00:00.000Z")
    together = joined([taken_back, given_first])
    assert Collected(study, {"ann": together}).judgments == {PAIRS[1]: 2}
    assert joined([given_first, together]).answers[0].state == "open"


def test_a_summary_counts_what_is_open_and_tells_given_up_documents_from_unanswered_ones(study):
    ann = dict(zip(PAIRS, [3, 2, "skipped", "cannot tell", 0], strict=False))
    bob = dict(zip(PAIRS, [3, 1, 1, "skipped"], strict=False))
    collected = Collected(study, {"ann": answers_of("ann", ann), "bob": answers_of("bob", bob)})
    assert Collection.of(collected).summary(WIDE).splitlines()[:4] == [
        "Collected: 4 judgments, by 2 assessors.",  # d1, d2, d3 and d5
        "Answered: ann 5 of 6, bob 4 of 6.",
        "Open: 1 pooled document without an answer; 1 pooled document skipped, or nobody could tell.",
        "Conflicts: 1 document graded differently, none adjudicated; merged by majority.",
    ]


def test_a_summary_names_a_few_assessors_and_counts_the_others():
    names = [f"assessor{number}" for number in range(10)]
    collected = Collected(small_study(names), {name: answers_of(name, {PAIRS[0]: 1}) for name in names})
    answered = Collection.of(collected).summary(WIDE).splitlines()[1]
    assert answered.startswith("Answered: assessor0 1 of 6, ")
    assert answered.endswith("assessor7 1 of 6 and 2 other assessors.")


def test_practice_is_compared_with_the_known_grades_and_is_no_judgment():
    known = {("1", "d2"): 2.0, ("1", "d3"): 1.0}
    study = small_study(known=known, pairs=[("1", "d1")])
    answers = answers_of("ann", {("1", "d2"): 3, ("1", "d3"): 1, ("1", "d1"): 2})
    collected = Collected(study, {"ann": answers})
    assert collected.judgments == {("1", "d1"): 2, **known}
    (ann,) = assessor_agreement(collected, chance=Chance(100)).assessors
    assert (ann.practice, ann.known, ann.same) == (2, (1 + 0) / 2, 1 / 2)
    assert ann.graded == 1


def test_bias_and_agreement_by_grade_topic_and_assessor_follow_the_hand_calculation(study):
    collected = Collected(study, {"ann": answers_of("ann", ANN), "bob": answers_of("bob", BOB)})
    agreement = assessor_agreement(collected, chance=Chance(200))
    differences = [3 - 3, 2 - 1, 1 - 1, 2 - 3, 0 - 1]
    ann, bob = agreement.assessors
    assert ann.bias.value == pytest.approx(sum(differences) / 5)
    assert bob.bias.value == pytest.approx(-sum(differences) / 5)
    assert [(row.given, row.same) for row in agreement.grades] == [
        (1, 0.0),  # once 0, and 1 beside it
        (4, 2 * 1 / 4),  # both gave it once; four times in all
        (2, 0.0),
        (3, 2 * 1 / 3),
    ]
    assert [(row.topic, row.shared, row.same) for row in agreement.topics] == [("1", 3, 2 / 3), ("2", 2, 0.0)]
    assert agreement.together.pairs[0].same.value == 2 / 5


def test_a_single_assessor_has_no_agreement(study):
    collection = Collection.of(Collected(study, {"ann": answers_of("ann", ANN)}))
    assert "fewer than two assessors" in collection.text()
    assert json.loads(collection.text("json"))["agreement"] is None


@given(
    st.lists(
        st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.booleans()).filter(
            lambda row: row[0] != row[1]
        ),
        max_size=12,
        unique_by=lambda row: frozenset(row[:2]),
    )
)
def test_comparisons_that_are_kept_can_all_be_true_and_any_left_out_cannot(rows):
    preferences = [
        Preference(topic="1", better=a, worse=b, tie=tie, at=f"2026-11-18T09:{minute:02}:00Z")
        for minute, (a, b, tie) in enumerate(rows)
    ]
    kept, dropped = consistent(preferences)
    assert len(kept) + len(dropped) == len(preferences)
    assert _possible(kept)
    for row in dropped:
        later = [other for other in kept if other.at > row.at]
        assert not _possible([*later, row])


def _possible(preferences):
    """Whether documents can be given levels that grant everything: longest paths grow for ever where they cannot."""
    levels = dict.fromkeys("abcde", 0)
    for _ in range(len(levels) ** 2 + 1):
        before = dict(levels)
        for row in preferences:
            least = levels[row.worse] + (not row.tie)
            levels[row.better] = max(levels[row.better], least)
            if row.tie:
                levels[row.worse] = max(levels[row.worse], levels[row.better])
        if before == levels:
            return True
    return False


def compared(*pairs):
    """Comparisons in the order of time: "a>b", or "a=b"."""
    return tuple(
        Preference(
            topic="1",
            better=f"d{pair[0]}",
            worse=f"d{pair[2]}",
            tie=pair[1] == "=",
            at=f"2026-11-18T09:{minute:02}:00Z",
        )
        for minute, pair in enumerate(pairs)
    )


def test_two_who_compare_agree_on_what_both_have_ordered(tmp_path):
    study = write_study(small_study(mode="preferences"), tmp_path / "study")
    said = {"ann": compared("1>2", "2>3"), "bob": compared("1>3", "3=2", "2>1", "1>2")}
    answers = {name: Answers(study="study-1", assessor=name, preferences=rows) for name, rows in said.items()}
    collection = Collection.of(Collected(study, answers))
    # ann: 1 > 2 > 3. bob, whose 2 > 1 contradicts what he said later: 1 > 3, 1 > 2, 3 = 2.
    (pair,) = collection.agreement.orders
    assert (pair.pairs, pair.same) == (3, 2 / 3)
    text = collection.text()
    assert "Assessors order 0.67 of 3 pairs of documents alike." in text
    assert "contradict later ones of the same assessor: 1." in text
    assert str(collection).splitlines() == [
        "Collected: 5 comparisons by 2 assessors; 1 contradicting one left out.",
        "Answered: ann 2, bob 4.",
        "Assessors order 0.67 of 3 pairs of documents alike.",
    ]
    collection.write()
    assert not (study.path / "judgments.qrels").exists()
    lines = (study.path / "preferences.qrels").read_text().splitlines()
    assert lines[:2] == ["1 ann 1 d1 2", "1 ann 1 d2 1"]
    assert len(lines) == 2 * (2 + 3)


@given(st.data())
def test_a_damaged_file_of_answers_is_read_or_refused_and_never_breaks(tmp_path_factory, data):
    study = small_study()
    content = bytearray(content_of(answers_of("ann", ANN)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    path = tmp_path_factory.getbasetemp() / f"damaged-{os.getpid()}.json"
    path.write_bytes(bytes(content))
    with suppress(GainfulError):
        Collection.of(Collected(study, {"ann": read_answers(study, str(path))})).files()


@given(st.lists(st.text(min_size=1), min_size=2, max_size=5, unique=True))
def test_assessors_of_any_name_have_files_of_their_own_inside_the_folder(names):
    stems = {file_stem(name) for name in names}
    assert len(stems) == len(names)
    for stem in stems:
        assert stem
        assert not {"/", "\\", "\0", " ", "\n", "\t"} & set(stem)
        assert not stem.startswith(".")


@given(st.permutations(range(4)))
def test_answers_are_joined_alike_in_whatever_order_they_come(order):
    parts = [answers_of("ann", {PAIRS[0]: grade}, at=f"2026-11-18T0{grade}:00:00Z") for grade in range(4)]
    assert joined([parts[place] for place in order]).answers[0].grade == 3
    for first, second in combinations(parts, 2):
        assert joined([first, second]).answers == joined([second, first]).answers
