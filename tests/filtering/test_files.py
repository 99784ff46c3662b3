"""Streams and topics: every layout gives the same documents, and what is wrong is named with its place."""

import gzip
import json
import lzma
from datetime import UTC, datetime

import pytest

from gainful.errors import DataError
from gainful.filtering import Document, Topic, read_stream, read_topics

RECORDS = [
    {"id": "a", "title": "Oil", "text": 'oil prices, "rose"', "date": "2026-03-13"},
    {"id": "b", "title": "Café", "text": "two\nlines", "date": "2026-03-13T09:30:00+01:00"},
    {"id": "7", "text": ""},
]
DOCUMENTS = [
    ("a", "Oil", 'oil prices, "rose"', datetime(2026, 3, 13, tzinfo=UTC)),
    ("b", "Café", "two\nlines", datetime(2026, 3, 13, 8, 30, tzinfo=UTC)),
    ("7", "", "", None),
]


def essentials(documents):
    return [(one.id, one.title, one.text, one.date) for one in documents]


def json_lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def put(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_json_lines_plain_and_compressed_are_the_same_documents(tmp_path):
    text = json_lines(RECORDS)
    plain = put(tmp_path / "stream.jsonl", "\ufeff" + text.replace("\n", "\r\n") + "\n\n")
    (tmp_path / "stream.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "stream").write_bytes(lzma.compress(text.encode()))
    for path in (plain, tmp_path / "stream.jsonl.gz", tmp_path / "stream"):
        assert essentials(read_stream(path)) == DOCUMENTS
    assert [one.place for one in read_stream(plain)] == [1, 2, 3]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz"])
def test_csv_is_the_same_documents(tmp_path, ending):
    tab = "\t" if ending == ".tsv" else ","
    lines = [["ID", "title", "text", "date"]]
    lines += [
        ["a", "Oil", '"oil prices, ""rose"""', "2026-03-13"],
        ["b", "Café", '"two\nlines"', "2026-03-13T09:30:00+01:00"],
    ]
    lines += [["7", "", "", ""]]
    text = "".join(tab.join(line) + "\n" for line in lines)
    path = tmp_path / f"stream{ending}"
    path.write_bytes(gzip.compress(text.encode()) if ending.endswith(".gz") else text.encode())
    documents = read_stream(path)
    assert essentials(documents) == DOCUMENTS
    assert [one.place for one in documents] == [2, 4, 5]  # the line on which each ends


def test_parquet_is_the_same_documents(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    dates = [one[3] for one in DOCUMENTS]
    columns = {
        "id": ["a", "b", "7"],
        "title": ["Oil", "Café", None],
        "text": [one[2] for one in DOCUMENTS],
        "date": dates,
    }
    parquet.write_table(pyarrow.table(columns), tmp_path / "stream.parquet")
    assert essentials(read_stream(tmp_path / "stream.parquet")) == DOCUMENTS
    (tmp_path / "named-otherwise").write_bytes((tmp_path / "stream.parquet").read_bytes())
    assert essentials(read_stream(tmp_path / "named-otherwise")) == DOCUMENTS


def test_vectors_are_read_from_every_layout(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    put(tmp_path / "v.jsonl", json_lines([{"id": 1, "vector": [0.5, -1]}, {"id": 2, "vector": [1e-3, 2]}]))
    put(tmp_path / "v.csv", 'id,vector\n1,"[0.5, -1]"\n2,0.001 2\n')
    table = pyarrow.table({"id": [1, 2], "vector": [[0.5, -1.0], [0.001, 2.0]]})
    parquet.write_table(table, tmp_path / "v.parquet")
    for name in ("v.jsonl", "v.csv", "v.parquet"):
        assert [(one.id, one.vector) for one in read_stream(tmp_path / name)] == [
            ("1", (0.5, -1.0)),
            ("2", (0.001, 2.0)),
        ]


BAD = {
    "not JSON": ('{"id": "a", "text": "x"}\n{"id": "b", "text"\n', "line 2: this is not JSON"),
    "not JSON at all": ("hello\n", "line 1: this is not JSON"),
    "no object": ('{"id": "a", "text": "x"}\n[1, 2]\n', "line 2: an object is expected"),
    "no id": (
        '{"id": "a", "text": "x"}\n\n{"text": "y"}\n',
        'line 3: a document without an id; give it one under the name "id"',
    ),
    "an empty id": (
        '{"id": " ", "text": "x"}\n',
        "line 1: id must be a text or a whole number, and not empty; got ' '",
    ),
    "an id that is none": ('{"id": 1.5, "text": "x"}\n', "line 1: id must be a text or a whole number"),
    "an id with half of a pair": (
        '{"id": "a\\ud800", "text": "x"}\n',
        "line 1: id 'a\\ud800' is not text: half of a surrogate pair stands alone in it",
    ),
    "an id twice": (
        '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n',
        "line 2: the id 'a' occurs already in line 1",
    ),
    "no text": ('{"id": "a"}\n', "line 1: the document 'a' has no text, no title and no vector"),
    "text that is none": ('{"id": "a", "text": 5}\n', "line 1: text must be a text; got 5"),
    "a vector of the wrong length": (
        '{"id": "a", "vector": [1, 2]}\n{"id": "b", "vector": [1, 2, 3]}\n',
        "line 2: the vector has 3 numbers, and those before it have 2",
    ),
    "NaN in a vector": (
        '{"id": "a", "vector": [1, NaN]}\n',
        "line 1: number 2 of the vector is nan; all must be finite",
    ),
    "infinity in a vector": (
        '{"id": "a", "vector": [-Infinity]}\n',
        "line 1: number 1 of the vector is -inf",
    ),
    "a text in a vector": (
        '{"id": "a", "vector": [1, "x"]}\n',
        "line 1: number 2 of the vector is none: 'x'",
    ),
    "a number in a vector that no float can hold": (
        f'{{"id": "a", "vector": [1, 1{"0" * 400}]}}\n',
        "line 1: number 2 of the vector is none: 1000",
    ),
    "true in a vector": ('{"id": "a", "vector": [true]}\n', "line 1: number 1 of the vector is True"),
    "an empty vector": (
        '{"id": "a", "vector": []}\n',
        "line 1: vector must be a list of numbers, and not empty",
    ),
    "a vector here and not there": (
        '{"id": "a", "vector": [1]}\n{"id": "b", "text": "x"}\n',
        "line 2: the document has no vector, and those before it have one",
    ),
    "a vector there and not here": (
        '{"id": "a", "text": "x"}\n{"id": "b", "vector": [1]}\n',
        "line 2: the document has a vector, and those before it have none",
    ),
    "a date that is none": (
        '{"id": "a", "text": "x", "date": "13th of May"}\n',
        "line 1: date '13th of May' is none",
    ),
    "a date that is a number": ('{"id": "a", "text": "x", "date": 1987}\n', "line 1: date 1987 is none"),
    "a date that is not in the calendar": (
        '{"id": "a", "text": "x", "date": "2026-02-30"}\n',
        "date '2026-02-30' is none",
    ),
    "no documents": ("\n\n", "holds no documents"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_wrong_in_a_stream_is_said_with_file_and_line(tmp_path, what):
    text, said = BAD[what]
    path = put(tmp_path / "bad.jsonl", text)
    with pytest.raises(DataError) as raised:
        read_stream(path)
    message = str(raised.value)
    assert said in message
    assert message.startswith(str(path))
    assert "\n" not in message


BAD_CSV = {
    "": "is empty",
    "text\nx\n": "line 2: a document without an id",
    "id,text\na\n": "line 2: 1 columns where the first line names 2",
    'id,text\na,"x\n': "this is not CSV",
    "id,text,date\na,x,never\n": "line 2: date 'never' is none",
    "id,vector\na,1 2\nb,1 nan\n": "line 3: number 2 of the vector is 'nan'",
}


@pytest.mark.parametrize("text", BAD_CSV)
def test_what_is_wrong_in_csv_is_said_with_file_and_line(tmp_path, text):
    with pytest.raises(DataError, match=BAD_CSV[text]):
        read_stream(put(tmp_path / "bad.csv", text))


def test_bytes_that_are_not_utf8_are_named_with_their_line(tmp_path):
    path = tmp_path / "latin.jsonl"
    path.write_bytes(b'{"id": "a", "text": "x"}\n{"id": "b", "text": "caf\xe9"}\n')
    with pytest.raises(DataError, match="line 2: byte 25 is not UTF-8"):
        read_stream(path)


def test_bytes_that_are_not_utf8_are_named_with_their_line_in_csv_too(tmp_path):
    path = tmp_path / "latin.csv"
    before = b"".join(b'd%d,"two\nlines"\n' % number for number in range(2000))
    path.write_bytes(b"id,text\n" + before + b"caf\xe9,x\n")
    with pytest.raises(DataError, match="line 4002: not UTF-8"):
        read_stream(path)


@pytest.mark.parametrize("content", [b"PAR1 and no more", b"PAR1" + b"\0" * 100 + b"PAR1"])
def test_a_damaged_parquet_file_is_refused(tmp_path, content):
    path = tmp_path / "bad.parquet"
    path.write_bytes(content)
    with pytest.raises(DataError, match="Parquet"):
        read_stream(path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        read_stream(tmp_path / "none.jsonl")


# ---- topics ----------------------------------------------------------------------------------------------------------

TREC = """<top>
<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that take part in crime.

<narr> Narrative:
Not relevant are films.
</top>

<top>
<num> R102 </num>
<title>Polio &amp; after</title>
</top>
"""


def test_topics_in_trec_s_format(tmp_path):
    first, second = read_topics(put(tmp_path / "topics.txt", TREC))
    assert (first.id, first.place, second.place) == ("301", 1, 12)
    assert first.text == "International Organized Crime\nIdentify organizations that take part in crime."
    assert (second.id, second.text) == ("R102", "Polio & after")


@pytest.mark.parametrize(
    ("written", "name"),
    [("Number: 301", "301"), ("Topic 5", "5"), ("Topic5", "Topic5"), ("number-7", "number-7"), (": 9", "9")],
)
def test_the_number_of_a_topic_is_what_follows_its_label(tmp_path, written, name):
    text = f"<top>\n<num> {written} </num>\n<title> x </title>\n</top>\n"
    assert [one.id for one in read_topics(put(tmp_path / "topics.txt", text))] == [name]


def test_topics_in_the_format_of_the_web_tracks(tmp_path):
    inside = "<query>403b</query><description>What is it?</description>"
    text = f'<webtrack>\n<topic number="151" type="faceted">\n{inside}</topic></webtrack>'
    assert read_topics(put(tmp_path / "topics.xml", text)) == [Topic("151", "403b\nWhat is it?", place=2)]


def test_topics_in_json_lines(tmp_path):
    text = json_lines(
        [{"id": 1, "text": "oil"}, {"id": "b", "title": "Gas", "text": "prices", "examples": ["d1", 2]}]
    )
    expected = [Topic("1", "oil", place=1), Topic("b", "Gas\nprices", ("d1", "2"), place=2)]
    assert read_topics(put(tmp_path / "topics.jsonl", text)) == expected


def test_examples_are_named_as_ids_are_shown(tmp_path):
    stream = put(tmp_path / "stream.jsonl", json_lines([{"id": r"caf\xe9", "text": "x"}]))
    topics = put(tmp_path / "topics.jsonl", json_lines([{"id": "a", "examples": [r"caf\xe9"]}]))
    assert read_topics(topics)[0].examples == (read_stream(stream)[0].id,) == ("caf\udce9",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1: this is not JSON"),
        ('{"text": "oil"}', "line 1: a topic without an id"),
        (
            '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}',
            "line 2: the topic 'a' occurs already in line 1",
        ),
        (
            '{"id": "a", "examples": "d1"}\n{"id": "b", "examples": [[1]]}',
            "line 2: examples must be a list of document ids",
        ),
        ('{"id": "a", "vector": [1, null]}', "line 1: number 2 of the vector is none"),
        ("", "holds no topics"),
        ("<top>\n<title> no number\n</top>", "line 1: a topic without a number"),
        ("\n\n<html></html>", "holds no topics; expected <top>"),
    ],
)
def test_what_is_wrong_in_topics_is_said_with_file_and_line(tmp_path, text, said):
    with pytest.raises(DataError) as raised:
        read_topics(put(tmp_path / "topics", text))
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_documents_and_topics_can_be_made_by_hand():
    assert Document("d", "text").title == ""
    assert Topic("t").examples == ()
