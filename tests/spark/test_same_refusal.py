"""Files read by Spark: the rows of one machine, or its refusal, however the lines are divided into batches and files."""

import re

import pytest

import gainful
from gainful.errors import DataError
from gainful.spark.cluster_files import Path

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

QRELS = [(f"q{topic}", f"d{document}", 1.0) for topic in range(3) for document in range(3)]
TRAILING = [f"q1 Q0 x{place} 1 {9 - place} t" for place in range(6)]
HEAD = "topic,document,score,text"

REFUSED = {
    "a tag in the last lines only": ["q1 Q0 d1 1 9", "q1 Q0 d2 2 8", "q1 Q0 d3 3 7", "q1 Q0 d4 4 6 t"],
    "no tag in the last line": [*TRAILING, "q1 Q0 d1 9 0.5"],
    "no tag in the last file": [TRAILING, ["q1 Q0 d1 9 0.5"]],
    "an id with a blank, far down": [*TRAILING, "q1\tQ0\tNew York\t9\t0.5"],
    "two columns more": [HEAD, "q1,d1,3,a", "q1,d2,2,b", "q1,d3,1,c,d,e", "q1,d4,1,c,d,e"],
    "a column less": [HEAD, "q1,d1,3,a", "q1,d2,2,b", "q1,d3,1"],
    "a column less, after a quotation mark": [HEAD, 'q1,d1,3,"a"', "q1,d2,2,b", "q1,d3,1"],
    "a column more in the second file": [[HEAD, "q1,d1,3,a"], [HEAD, "q1,d2,2,b,c"]],
    "columns in another order": [[HEAD, "q1,d1,3,a"], ["document,topic,score,text", "d2,q1,2,b"]],
    "the names again": [HEAD, "q1,d1,3,a", HEAD, "q1,d2,2,b"],
    "an empty topic": [HEAD, "q1,d1,3,a", ",d2,2,b"],
    "an empty document": [HEAD, "q1,d1,3,a", "q1,,2,b"],
    "a document of blanks": [HEAD, "q1,d1,3,a", "q1,  ,2,b"],
    "a quoted document of blanks": [HEAD, "q1,d1,3,a", 'q1,"  ",2,b'],
    "a quotation mark that never closes": [HEAD, "q1,d1,3,a", 'q1,d2,2,"b', "q1,d3,9,c"],
    "a score that is text": [HEAD, "q1,d1,3,a", "q1,d2,high,b", "q1,d3,low,b"],
    "NaN": [HEAD, 'q1,d1,3,"a"', "q1,d2,nan,b"],
    "three columns and a fourth": ["q1 d1 1", "q1 d2 2", "q1 d3 3 4"],
    "a record without a document": [
        '{"topic": "q1", "document": "d1", "score": 2}',
        '{"topic": "q1", "score": 1}',
    ],
    "a record whose score is text": [
        '{"topic": "q1", "document": "d1", "score": 2}',
        '{"topic": "q1", "document": "d2", "score": "1"}',
    ],
    "half a record": ['{"topic": "q1", "document": "d1", "score": 2}', '{"topic": "q1",'],
}

READ = {
    "blanks around fields": [HEAD, " q1 , d1 ,3 ,a", "q1,d2, 2,b", "   ", "q1,d3,1,c"],
    "blanks around quoted fields": [HEAD, "q1,d1,3,a", 'q1, "d,2",2,b', "q1,d3,1,c"],
    "a line end in a quoted field": [HEAD, "q1,d1,3,a", 'q1,d2,2,"b', "q1,d9,9,c", '"', "q1,d3,1,c"],
    "comments before the names, in both files": [
        ["# by hand", "#", HEAD, "q1,d1,3,a"],
        ["# more", HEAD, '#1,"d2",2,b'],
    ],
    "names in quotes": ['"topic","document","score","text"', "q1,d1,3,a", "q1,d2,2,b"],
    "carriage returns": [HEAD + "\r", "q1,d1,3,a\r", "q1,d2,2,b\r"],
    "ranks as scores": ["topic,document,rank", "q1,d1,1", "q1,d2,2", "q1,d3,3"],
    "an id that is not UTF-8, in a record": ['{"topic": "q1", "document": "caf\\\\xe9", "score": 2}'],
}


@pytest.fixture
def spark(spark):
    """Batches of two lines, so that no rule holds only because lines came together."""
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "2")
    yield spark
    spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")


def written(folder, content):
    """One file, or a folder with a file for each list of lines."""
    if isinstance(content[0], str):
        path = folder / "a.txt"
        path.write_text("\n".join(content) + "\n")
        return str(path)
    path = folder / "parts"
    path.mkdir()
    for number, lines in enumerate(content):
        (path / f"part-{number}").write_text("\n".join(lines) + "\n")
    return str(path)


def without_place(message):
    """A message without files of a folder and numbers of lines, which Spark does not know."""
    message = re.sub(r"(file:)?(/\S+)/part-\d", r"\2", str(message))
    return re.sub(r", (line|row) \d+", "", message)


@pytest.mark.parametrize("case", REFUSED)
def test_what_one_machine_refuses_spark_refuses_in_the_same_words(spark, tmp_path, case):
    from gainful.spark import evaluate

    path = written(tmp_path, REFUSED[case])
    with pytest.raises(DataError) as here:
        gainful.read_run(path).to_dict()
    judged = spark.createDataFrame(QRELS, "topic string, document string, grade double")
    with pytest.raises(DataError) as there:
        evaluate(judged, Path(spark, path, "run").frame(), "AP")
    assert without_place(there.value) == without_place(here.value)


@pytest.mark.parametrize("case", READ)
def test_what_one_machine_reads_spark_reads_alike(spark, tmp_path, case):
    path = written(tmp_path, READ[case])
    nested = {}
    for topic, document, score in Path(spark, path, "run").frame().collect():
        nested.setdefault(bytes(topic), {})[bytes(document)] = score
    here = gainful.read_run(path).to_dict()
    assert nested == {
        topic.encode("utf-8", "surrogateescape"): {
            document.encode("utf-8", "surrogateescape"): score for document, score in documents.items()
        }
        for topic, documents in here.items()
    }


def test_judgments_by_judges_are_refused_as_on_one_machine(spark, tmp_path):
    from gainful.spark import evaluate

    run = spark.createDataFrame([("q1", "d1", 1.0)], "topic string, document string, score double")
    rows = ["q1 ann d1 1", "q1 bob d1 2", "q1 ann d2 0"]
    for number, wrong in enumerate(["q1 ann d3", "q1 ann d3 1 x", "q1 ann d3 high", "q1 ann d3 nan"]):
        path = written(tmp_path, [*rows, wrong])
        with pytest.raises(DataError) as here:
            gainful.read_qrels(path, by="judges")
        with pytest.raises(DataError) as there:
            evaluate(Path(spark, path, "qrels").frame("judges"), run, "AP", by="judges", broadcast=number % 2)
        assert without_place(there.value) == without_place(here.value)
