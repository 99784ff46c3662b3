"""Judgments by subtopic, by judge and as preferences: files, Python objects, faults."""

import gzip

import numpy as np
import pytest

from gainful import evaluate, read_qrels
from gainful.errors import DataError
from gainful.judging.aspects import aspects_of

ROWS = [("t1", "s1", "a", 1), ("t1", "s1", "b", 0), ("t1", "s2", "b", 2), ("t2", "s1", "c", 1)]
TEXT = "".join(f"{topic} {aspect} {document} {grade}\n" for topic, aspect, document, grade in ROWS)


@pytest.fixture
def file(tmp_path):
    """A maker of files."""

    def make(text, name="judgments"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make


def told(judgments):
    """Everything that was said, as (topic, aspect number, document, grade)."""
    aspects = aspects_of(judgments)
    documents = judgments.index.documents(0, len(judgments))
    found = []
    for topic, name in enumerate(judgments.topics):
        for aspect in range(aspects.topics[topic], aspects.topics[topic + 1]):
            for entry in range(aspects.offsets[aspect], aspects.offsets[aspect + 1]):
                document = documents[aspects.row[entry]].decode()
                found.append(
                    (name, int(aspect - aspects.topics[topic]), document, float(aspects.grade[entry]))
                )
    return found


EXPECTED = [("t1", 0, "a", 1), ("t1", 0, "b", 0), ("t1", 1, "b", 2), ("t2", 0, "c", 1)]


@pytest.mark.parametrize("by", ["subtopics", "judges", "preferences"])
def test_rows_of_a_file_are_kept_apart_and_documents_have_their_best_grade(file, by):
    judgments = read_qrels(file(TEXT), by=by)
    assert told(judgments) == EXPECTED
    assert judgments.to_dict() == {"t1": {"a": 1, "b": 2}, "t2": {"c": 1}}


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace(" ", "\t"),
        TEXT.replace("\n", "\r\n"),
        "\ufeff" + TEXT,
        "# a comment\n\n" + TEXT + "   \n",
        TEXT.removesuffix("\n"),
        "".join(reversed(TEXT.splitlines(keepends=True))),
        gzip.compress(TEXT.encode(), mtime=0),
        TEXT.replace(" 2\n", " +2.0 \n"),
    ],
    ids=["tabs", "crlf", "bom", "comments", "no end", "reversed", "gz", "other numbers"],
)
def test_layout_does_not_matter(file, text):
    judgments = read_qrels(file(text), by="subtopics")
    assert told(judgments) == EXPECTED
    assert judgments.digest == read_qrels(file(TEXT), by="subtopics").digest


def test_the_digest_knows_the_subtopics():
    other = [("t1", "s2", *row[2:]) if row[:2] == ("t1", "s1") else row for row in ROWS[:2]] + ROWS[3:]
    digests = {read_qrels(rows, by="subtopics").digest for rows in (ROWS, other, ROWS[1:])}
    assert len(digests) == 3


@pytest.mark.parametrize(
    "given",
    [
        ROWS,
        tuple(zip(*ROWS, strict=True)) and [list(column) for column in zip(*ROWS, strict=True)],
        {"t1": {"s1": {"a": 1, "b": 0}, "s2": {"b": 2}}, "t2": {"s1": {"c": 1}}},
        iter(ROWS),
    ],
    ids=["rows", "columns", "mappings", "iterator"],
)
def test_python_objects_say_the_same(given):
    given = tuple(given) if isinstance(given, list) and isinstance(given[0], list) else given
    assert told(read_qrels(given, by="subtopics")) == EXPECTED


def test_data_frames_have_a_column_of_subtopics():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, columns=["query_id", "iteration", "doc_id", "relevance"])
    assert told(read_qrels(frame, by="subtopics")) == EXPECTED
    with pytest.raises(
        DataError,
        match="no column named judge or assessor or annotator among query_id, it, doc_id, relevance",
    ):
        read_qrels(frame.rename(columns={"iteration": "it"}), by="judges")
    parts = frame.assign(part=1)
    assert aspects_of(read_qrels(parts, by="preferences")).part.tolist() == [0, 0, 0, 0]


def test_ids_may_be_bytes_and_numbers():
    judgments = read_qrels([(1, 2, b"\xff", np.int64(1)), (1, 3, "é", 0.5)], by="subtopics")
    assert judgments.to_dict() == {"1": {"\udcff": 1, "é": 0.5}}


def test_preferences_come_in_parts_where_there_are_five_columns(file):
    text = "t1 Ann 1 a 2\nt1 Ann 1 b 1\nt1 Ann 2 b 2\nt1 Ann 2 c 1\n"
    aspects = aspects_of(read_qrels(file(text), by="preferences"))
    assert aspects.part.tolist() == [0, 0, 1, 1]
    assert aspects.provides == ("preferences",)
    nested = {"t1": {"Ann": {"1": {"a": 2, "b": 1}, "2": {"b": 2, "c": 1}}}}
    assert aspects_of(read_qrels(nested, by="preferences")).part.tolist() == [0, 0, 1, 1]


def test_a_row_that_is_there_twice_is_refused_with_both_places_or_decided(file):
    path = file(TEXT + "t1 s2 b 1\nt1 s2 b 3\n")
    with pytest.raises(DataError) as fault:
        read_qrels(path, by="subtopics")
    assert (
        "line 5 and line 3: topic 't1', subtopic 's2', document 'b' is there twice (2 repetitions in all)."
        in str(fault.value)
    )
    assert "--duplicates first" in str(fault.value)
    assert told(read_qrels(path, by="subtopics", duplicates="first"))[2] == ("t1", 1, "b", 2)
    assert told(read_qrels(path, by="subtopics", duplicates="best"))[2] == ("t1", 1, "b", 3)


@pytest.mark.parametrize(
    ("text", "by", "said"),
    [
        (
            "t1 s1 a 1\nt1 s1 b\nt1 s1\n",
            "subtopics",
            "line 2: 3 columns where 4 are expected (2 such lines)",
        ),
        ("t1 s1 a 1\nt1 s1 b\n", "subtopics", "Expected topic, subtopic, document, grade"),
        ("t1 J 1 a 1\nt1 J a 1\n", "preferences", "Expected topic, judge, part, document, level"),
        ("t1 J a 1\nt1 J a\n", "preferences", "Expected topic, judge, document, level;"),
        ("t1 s1 a x\n", "subtopics", "line 1: grade 'x' is not a number"),
        ("t1 s1 a 1_0\n", "subtopics", "grade '1_0' is not a number"),
        ("t1 J a x\n", "preferences", "level 'x' is not a number"),
        ("t1 s1 a nan\n", "subtopics", "is NaN"),
        ("t1 s1 a\0b 1\n", "subtopics", "binary file"),
        ("# nothing\n\n", "subtopics", "holds no rows; expected lines of topic, subtopic, document, grade"),
        ("", "judges", "holds no rows"),
        ("t1 s1 " + "a" * (2 << 20) + " 1\n", "subtopics", "longer than"),
    ],
)
def test_a_fault_in_a_file_is_told_with_its_place(file, text, by, said):
    with pytest.raises(DataError) as fault:
        read_qrels(file(text), by=by)
    assert said in str(fault.value)
    assert "judgments" in str(fault.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([("t1", "a", 1)], "judgments, row 1: ('t1', 'a', 1) is not (topic, subtopic, document, grade)."),
        ([("t1", "s", "a", "x")], "judgments, row 1"),
        ([("t1", "s", None, 1)], "judgments, row 1"),
        ([("t1", "s", "a", float("nan"))], "NaN"),
        ([], "judgments holds no rows."),
        ({}, "judgments holds no rows."),
        ({"t1": {"a": 1}}, "is not (topic, subtopic, document, grade)"),
        (
            5,
            "judgments cannot be created from int; give a path, rows or columns of topic, subtopic, document, grade",
        ),
        (
            (["t1"], ["s"], ["a", "b"], [1]),
            "columns of different length: 1 topics, 1 subtopics, 2 documents, 1 grades.",
        ),
    ],
)
def test_a_fault_in_a_python_object_is_told_with_its_place(given, said):
    with pytest.raises(DataError) as fault:
        read_qrels(given, by="subtopics")
    assert said in str(fault.value)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (
            {"1": {"a": 2, "b": 1}, "2": {"b": 2, "a": 1}},
            "judge 'Ann' of topic 't1' has cyclic preferences: ",
        ),
        ({"1": {"a": 2, "b": 1}, "2": {"b": 2, "c": 1}, "3": {"c": 2, "a": 1}}, " over "),
        (
            {"1": {"a": 1, "b": 0}, "2": {"b": 2, "c": 1}},
            "gives document 'b' level 0, not relevant, in one part",
        ),
    ],
)
def test_a_judge_who_contradicts_himself_is_refused(parts, said):
    with pytest.raises(DataError) as fault:
        read_qrels({"t1": {"Ann": parts}}, by="preferences")
    assert said in str(fault.value)


@pytest.mark.parametrize("text", ["t1 s1 a -inf\n", "t1 s1 a -inf\nt1 s1 b 1\n"])
def test_a_grade_without_end_is_refused_by_name(file, text):
    with pytest.raises(DataError, match="the grade of document 'a' of topic 't1' is -inf"):
        evaluate(file(text), {"t1": {"a": 1.0}}, "StRecall")


def test_judges_may_contradict_each_other():
    said = {"t1": {"Ann": {"1": {"a": 2, "b": 1}}, "Bob": {"1": {"a": 1, "b": 2}}}}
    judgments = read_qrels(said, by="preferences")
    for first, second in ("ab", "ba"):  # whichever stands first, one of the two judges gets her wish
        run = {"t1": {first: 2.0, second: 1.0}}
        mean = evaluate(judgments, run, "NumPrefs, NumPrefsFul, Prefs").mean
        assert mean == {"NumPrefs": 2, "NumPrefsFul": 1, "Prefs": 1 / 2}


@pytest.mark.parametrize(
    ("row", "said"),
    [(("", "j", "a", 1), "topic"), (("q", " ", "a", 1), "judge"), (("q", "j", "", 1), "document")],
)
def test_an_empty_id_is_refused_and_the_message_says_which(row, said):
    with pytest.raises(DataError, match=f"judgments, row 2: the {said} is missing"):
        read_qrels([("q", "j", "b", 1), row], by="judges")
