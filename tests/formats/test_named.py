"""Judgments by subtopic, by judge and as preferences from files whose columns have names."""

import json

import pytest

from gainful import read_qrels
from gainful.errors import DataError, UsageError
from gainful.judging.aspects import aspects_of


@pytest.fixture
def file(tmp_path):
    def write(text, name="judged"):
        path = tmp_path / name
        path.write_bytes(text.encode())
        return path

    return write


def test_columns_stand_in_any_order_beside_others_with_quotes_and_comments(file):
    text = '# made by hand\nnote,Rating,doc,"judge",qid\n"a, b",2,d1,ann,q1\n,0.5,d1,ben,q1\n'
    details = read_qrels(file(text), by="judges").details
    assert (details.aspects, details.grades) == ([b"ann", b"ben"], [2, 0.5])


def test_blanks_around_fields_are_no_part_of_them(file):
    text = 'topic, judge, document, grade\nq1, "ann", d1 , 2\n'
    assert read_qrels(file(text), by="judges").to_dict() == {"q1": {"d1": 2}}


def test_semicolons_and_marks_at_the_start_are_fine(file):
    text = "\ufefftopic;subtopic;document;grade\nq1;1;d1;1\n"
    assert read_qrels(file(text), by="subtopics").to_dict() == {"q1": {"d1": 1}}


def test_json_may_have_a_mark_at_its_start(file):
    nested = '\ufeff{"q1": {"ann": {"d1": 1}}}'
    lines = '\ufeff{"topic": "q1", "judge": "ann", "document": "d1", "grade": 1}\n'
    for text in (nested, lines):
        assert read_qrels(file(text), by="judges").to_dict() == {"q1": {"d1": 1}}


def test_a_layout_that_is_named_is_believed(file):
    text = "topic,judge,document,grade\nq1,ann,d1,1\n"
    for layout in (None, "csv"):
        assert len(read_qrels(file(text), by="judges", layout=layout)) == 1
    with pytest.raises(DataError, match="line 1: "):
        read_qrels(file(text), by="judges", layout="trec")
    with pytest.raises(UsageError, match="cannot be read from the layout columns"):
        read_qrels(file(text), by="judges", layout="columns")


def test_preferences_have_levels_and_may_have_parts(file):
    rows = [("q", "ann", part, f"d{place}", place) for part in (1, 2) for place in (1, 2)]
    records = [dict(zip(("topic", "judge", "part", "document", "level"), row, strict=True)) for row in rows]
    judgments = read_qrels(file(json.dumps(records)), by="preferences")
    assert sorted(set(aspects_of(judgments).part.tolist())) == [0, 1]


def test_ids_that_are_not_text_come_back_as_their_bytes(file):
    record = {"topic": "q", "judge": "a", "document": r"d\xff", "grade": 1}
    assert read_qrels(file(json.dumps(record) + "\n"), by="judges").to_dict() == {"q": {"d\udcff": 1}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("topic,judge,document,grade\nq,a,d,x\n", "line 2: 'x' is not a number"),
        ("topic,judge,document,grade\nq,a,d\n", "line 2: 3 columns where 4 are expected"),
        ("topic,judge,document,grade\n", "holds no rows"),
        (
            "topic,document,grade\nq,d,1\n",
            "no column named judge or assessor or annotator among topic, document, grade",
        ),
        (
            "topic,judge,document,grade\nq,a,d,1\nq,a,d,2\n",
            "line 3 and line 2: topic 'q', judge 'a', document 'd' is there",
        ),
        ('topic,judge,document,grade\nq,"a,d,1\n', "line 2: "),
        ('{"topic":"q","judge":"a","document":"d","grade":1}\n{"topic":"q"}\n', "line 2: 'judge' is missing"),
        ('{"topic":"q","judge":"a","document":"d","grade":true}\n', "line 1: True is not a number"),
        (
            '{"topic":"q","judge":"a","document":"d","grade":1}\n7\n',
            "line 2: expected an object with named values",
        ),
        ('{"topic":"q","judge":"a","document":"d","grade":1}\n{\n', "line 2: not JSON"),
        ('[{"topic":"q"}, 3]', "record 2: expected an object"),
        ("[", "is not JSON"),
        ("[]", "holds no rows"),
        ('{"q": {"d": 1}}', r"\('q', 'd', 1\) is not \(topic, judge, document, grade\)"),
        ("PAR1 and no more", "is not a readable Parquet file:"),
    ],
)
def test_faults_name_the_place(file, text, said):
    with pytest.raises(DataError, match=said) as caught:
        read_qrels(file(text), by="judges")
    assert "judged" in str(caught.value)
