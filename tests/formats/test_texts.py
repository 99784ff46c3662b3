"""Texts of queries and documents, from files of every format and from mappings."""

import gzip
import json
import os
import threading

import pytest

from gainful.errors import DataError, UsageError
from gainful.formats.sources import Source
from gainful.formats.texts import Texts, read_documents, read_queries, tagged_topics, texts_of

TEXTS = {"q1": "red running shoes", "q2": 'a "quoted" query, with a comma'}


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


LINES = "".join(
    json.dumps({"_id": topic, "text": text, "metadata": {}}) + "\n" for topic, text in TEXTS.items()
)
TOPICS = """<top>
<num> Number: q1
<title> Topic: red running
 shoes
<desc> Description:
Shoes that are red.
</top>

<top><num>q2</num><title>a &quot;quoted&quot; query, with a comma</title></top>
"""
FILES = {
    "queries.tsv": 'q1\tred running shoes\nq2\ta "quoted" query, with a comma\n',
    "named.tsv": 'Query-ID\tlang\tQuery\nq1\ten\tred running shoes\n\nq2\ten\ta "quoted" query, with a comma\n',
    "queries.csv": 'id,text\r\nq1,red running shoes\r\nq2,"a ""quoted"" query, with a comma"\r\n',
    "plain.csv": '\ufeffq1,red running shoes\nq2,"a ""quoted"" query, with a comma"\n',
    "semicolons.csv": 'qid;title\nq1;red running shoes\nq2;"a ""quoted"" query, with a comma"\n',
    "queries.jsonl": LINES,
    "topics.txt": TOPICS,
    "attributes.xml": '<topics><topic number="q1"><query>red running shoes</query></topic>'
    '<topic number="q2"><query>a "quoted" query, with a comma</query></topic></topics>',
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_texts(name, tmp_path):
    assert read_queries(written(tmp_path, name, FILES[name])) == TEXTS
    packed = written(tmp_path, f"{name}.gz", gzip.compress(FILES[name].encode()))
    assert read_queries(packed) == TEXTS
    assert read_queries(str(packed), ["q2", "q3"]) == {"q2": TEXTS["q2"]}


def test_parquet_and_mappings(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    path = tmp_path / "queries.parquet"
    parquet.write_table(arrow.table({"query_id": list(TEXTS), "query": list(TEXTS.values())}), path)
    assert read_queries(path) == TEXTS
    assert read_queries(TEXTS | {"q3": "  more \n than a line "}, ["q3"]) == {"q3": "more than a line"}
    assert read_queries({1: "whole numbers are ids too"}, ["1"]) == {"1": "whole numbers are ids too"}


def test_a_topic_without_a_title_has_its_description(tmp_path):
    path = written(tmp_path, "topics", "<top><num> Number: 7\n<desc> Description:\nRed shoes.\n</top>")
    assert read_queries(path) == {"7": "Red shoes."}


def test_unclosed_topics_are_read_up_to_the_next_in_time_proportional_to_their_number(tmp_path):
    path = written(tmp_path, "topics", "<top>\n<num> 1\n<title> one\n" + "<top><num>2<title>two\n" * 50_000)
    with Source(str(path)) as source:
        places = [(place.number, topic) for place, topic, _ in tagged_topics(source)]
    assert places[0] == (1, "1")
    assert places[-1] == (50_003, "2")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty", "", "line 1: neither a tab nor a comma"),
        ("blank.tsv", "id\ttext\n", "holds no queries"),
        ("words.txt", "red shoes\n", "line 1: neither a tab nor a comma stands between id and text"),
        ("three.tsv", "q1\tred\nq2\tblue\tsky\n", "line 2: 3 columns where id and text are expected"),
        ("comma.csv", "q1,red, and more\n", "line 1: 3 columns where id and text are expected"),
        ("short.csv", "id,lang,text\nq1,red\n", "line 2: 2 columns where 3 columns are expected"),
        ("noid.tsv", "q1\tred\n\tblue\n", "line 2: a query without an id"),
        (
            "twice.tsv",
            "q1\tred\nq2\tx\nq1\tblue\n",
            "line 3: query 'q1' stands already in line 1 with another text",
        ),
        ("broken.jsonl", '{"_id": "q1", "text": "red"}\n{"_id": \n', "line 2: this is not JSON"),
        (
            "other.jsonl",
            '{"name": "q1", "text": "red"}\n',
            "line 1: a query needs an id under the name id; got name",
        ),
        (
            "textless.jsonl",
            '{"_id": "q1", "words": "red"}\n',
            "line 1: a query needs a text under the name text",
        ),
        ("number.jsonl", '{"_id": "q1", "text": 3}\n', "line 1: text must be a text; got 3"),
        ("deep.jsonl", '{"_id":' * 100_000, "line 1: this is not JSON"),
        ("top.txt", "<topics></topics>", "holds no topics; expected <top>"),
        ("unnumbered.txt", "\n<top><title>x</top>", "line 2: a topic without a number"),
        ("latin.txt", b"<top>\n<num>1<title>caf\xe9</top>", "line 2: not UTF-8"),
        ("open.csv", 'id,text\nq1,"red\n', "line 2: "),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_place(name, content, message, tmp_path):
    path = written(tmp_path, name, content)
    with pytest.raises(DataError) as refused:
        read_queries(path)
    assert message in str(refused.value)
    assert str(path) in str(refused.value)


def test_the_same_query_twice_with_the_same_text_is_one(tmp_path):
    assert read_queries(written(tmp_path, "q.tsv", "q1\tred\nq1\tred \n")) == {"q1": "red"}


def test_long_texts_are_cut_and_what_is_no_text_is_replaced(tmp_path):
    path = written(tmp_path, "q.tsv", b"q1\t" + b"word " * 1000 + b"\nq2\tcaf\xe9\n")
    texts = read_queries(path)
    assert texts["q1"].endswith("word …")
    assert len(texts["q1"]) <= 2002
    assert texts["q2"] == "caf\ufffd"


def test_a_small_file_that_unpacks_to_very_much_is_refused(tmp_path):
    packed = gzip.compress(b"".join(b"q%d\t%s\n" % (n, b"x" * 100_000) for n in range(60))) * 100
    with pytest.raises(DataError, match="unpack"):
        read_queries(written(tmp_path, "bomb.tsv.gz", packed))


def test_documents_have_titles_texts_or_both(tmp_path):
    path = written(
        tmp_path,
        "docs.jsonl",
        '{"id": "d1", "title": " Red  shoe ", "text": "x"}\n{"id": "d2", "text": "Blue"}\n',
    )
    assert read_documents(path, ["d1", "d2", "d3"]) == {"d1": ("Red shoe", "x"), "d2": ("", "Blue")}
    assert Texts(documents=path).titles(["d1", "d2"]) == {"d1": "Red shoe", "d2": "Blue"}
    path.write_text("")
    with pytest.raises(DataError, match="holds no documents"):
        read_documents(path, ["d1"])


def beir(tmp_path):
    (tmp_path / "qrels").mkdir()
    written(tmp_path, "queries.jsonl", LINES)
    written(tmp_path, "corpus.jsonl", '{"_id": "d1", "title": "Red shoe", "text": "x"}\n')
    return str(written(tmp_path, "qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n"))


def test_queries_and_corpus_are_found_beside_the_folder_of_judgments(tmp_path):
    texts = texts_of(None, None, qrels=beir(tmp_path), topics=["q1"])
    assert texts.notes == []  # nothing has been read yet
    assert texts.of_queries(["q1"]) == {"q1": TEXTS["q1"]}
    assert texts.titles(["d1"]) == {"d1": "Red shoe"}
    assert texts.of_queries(["q1"])
    folder = str(tmp_path)
    assert texts.notes == [
        f"texts of queries are from {folder}/queries.jsonl, found beside the judgments",
        f"texts of documents are from {folder}/corpus.jsonl, found beside the judgments",
    ]


def test_what_is_given_comes_before_what_is_found(tmp_path):
    texts = texts_of({"q1": "mine"}, {"d1": "my title"}, qrels=beir(tmp_path), topics=["q1"])
    assert (texts.of_queries(["q1"]), texts.titles(["d1"])) == ({"q1": "mine"}, {"d1": "my title"})
    assert texts.notes == []


def test_a_file_that_was_found_and_cannot_be_read_is_a_note(tmp_path):
    qrels = beir(tmp_path)
    written(tmp_path, "queries.jsonl", "{broken\n")
    texts = texts_of(None, None, qrels=qrels, topics=["q1"])
    assert texts.of_queries(["q1"]) == {}
    [note] = texts.notes
    assert "queries.jsonl, found beside the judgments, was not read: " in note
    assert "line 1" in note


def test_a_large_corpus_is_not_read_without_being_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr("gainful.formats.texts._LARGEST_FOUND", 30)
    texts = texts_of(None, None, qrels=beir(tmp_path), topics=["q1"])
    assert texts.documents is None
    assert any(
        "corpus.jsonl is larger than 0 MiB and was not read; give it with --documents" in n
        for n in texts.notes
    )


def test_nothing_is_looked_for_beside_other_judgments(tmp_path):
    beir(tmp_path)
    qrels = written(tmp_path, "test.tsv", "")
    assert texts_of(None, None, qrels=str(qrels), topics=[]) is None
    assert texts_of(None, None, qrels=None, topics=[]) is None


def test_what_is_no_file_and_no_mapping_is_refused_and_a_missing_file_at_once(tmp_path):
    with pytest.raises(UsageError, match=r"queries must be a file or \{id: text\}; got list"):
        texts_of(["red"], None, qrels=None, topics=[])
    for given in ({"queries": tmp_path / "none"}, {"documents": tmp_path / "none"}):
        with pytest.raises(DataError, match="there is no such file"):
            texts_of(**{"queries": None, "documents": None, **given}, qrels=None, topics=[])


def test_documents_of_a_pipe_can_be_asked_for_twice(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text('{"id": "d1", "title": "Red"}\n'))
    writer.start()
    texts = texts_of(None, pipe, qrels=None, topics=[])
    writer.join()
    assert texts.titles(["d1"]) == texts.titles(["d1"]) == {"d1": "Red"}


def test_texts_of_other_documents_are_noted_with_ids_of_both_sides(tmp_path):
    path = written(tmp_path, "docs.jsonl", '{"id": "x9", "text": "x"}\n{"id": "D1", "text": "y"}\n')
    texts = texts_of(None, path, qrels=None, topics=[])
    assert texts.notes == []  # nothing has been asked for yet
    texts.titles({"d2", "d3"})
    texts.titles({"d1"})
    assert texts.notes == [
        f"none of 3 listed documents has a text in {path}; ids there: 'D1', 'x9'; "
        "ids without a text: 'd1', 'd2', 'd3'; 'D1' and 'd1' differ only in case"
    ]


@pytest.mark.parametrize(("known", "noted"), [(0, "none of 4 topics has"), (1, "1 of 4 topics has"), (2, "")])
def test_queries_of_less_than_half_of_the_topics_are_noted(known, noted):
    queries = {"zz": "other"} | {str(topic): "words" for topic in range(known)}
    notes = texts_of(queries, None, qrels=None, topics=["0", "1", "2", "3"]).notes
    assert [note.partition(" a text")[0] for note in notes] == [noted] * bool(noted)
    assert all("in the queries given; ids there: 'zz'; ids without a text: " in note for note in notes)


def test_ids_whose_texts_are_empty_are_said_to_be_there(tmp_path):
    path = written(tmp_path, "docs.jsonl", '{"id": "d1", "contents": "x"}\n')
    texts = Texts(documents=path)
    texts.titles(["d1", "d2"])
    assert texts.notes == [
        f"none of 2 listed documents has a text in {path}; "
        "ids are there ('d1'), but their texts are empty or in fields of other names"
    ]


def test_only_some_ids_of_a_file_are_kept_for_examples(monkeypatch):
    monkeypatch.setattr("gainful.formats.texts.SEEN", 5)
    seen = []
    read_documents({f"d{n}": "x" for n in range(9)}, ["d1"], seen=seen)
    assert seen == ["d0", "d1", "d2", "d3", "d4"]
