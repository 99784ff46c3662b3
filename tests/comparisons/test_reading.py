"""Scores that were saved: tables in several layouts, and results of evaluate."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from gainful.comparisons import read_saved, read_table
from gainful.comparisons.compare_call import load, load_saved, measures_of
from gainful.comparisons.saved_scores import read_input, read_means
from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.formats.runs import Run
from gainful.judging.settings import Settings
from gainful.measures import AP, RR, P

QRELS = {f"{number}": {"d": 1, "e": 0} for number in range(1, 8)}
GOOD = {topic: {"d": 2.0, "e": 1.0} for topic in QRELS}
BAD = {topic: {"d": 1.0, "e": 2.0} for topic in QRELS}


@pytest.fixture
def file(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


@pytest.fixture
def saved(file):
    import msgspec

    import gainful

    def save(name, run, measures="RR,P@1", qrels=QRELS, per_topic=True, **settings):
        scores = gainful.evaluate(qrels, {name: run}, measures, **settings)
        return file(f"{name}.json", msgspec.json.encode(scores.to_dict(per_topic=per_topic)))

    return save


WIDE = "topic,bm25,dense\n10,0.1,0.2\n9,0.3,0.4\nx,0.5,0.6\n"


@pytest.mark.parametrize(
    "text",
    [
        WIDE,
        "\ufeff" + WIDE,
        WIDE.replace(",", ";"),
        WIDE.replace(",", "\t"),
        WIDE.replace("\n", "\r\n"),
        WIDE.rstrip("\n"),
        WIDE.replace("topic", ""),
        gzip.compress(WIDE.encode(), mtime=0),
        "system,topic,score\nbm25,10,0.1\nbm25,9,0.3\nbm25,x,0.5\ndense,10,0.2\ndense,9,0.4\ndense,x,0.6\n",
        "query_id,run,value\nx,bm25,0.5\n10,bm25,0.1\n9,bm25,0.3\n10,dense,0.2\n9,dense,0.4\nx,dense,0.6\n",
    ],
)
def test_tables_are_wide_or_long_with_any_delimiter_and_topics_are_put_in_order(file, text):
    path = file("scores.csv", text)
    assert read_input(path).qrels is None
    table = read_table(path)
    assert list(map(str, table.measures)) == ["scores"]
    assert table.names == ("bm25", "dense")
    assert table.topics == ("9", "10", "x")
    assert table.of("scores")[0].tolist() == [[0.3, 0.1, 0.5], [0.4, 0.2, 0.6]]


def test_a_table_without_topics_numbers_them(file):
    table = read_table(file("ap.csv", "run1,run2\n7e-04,0.4711\n0.0036,0\n"))
    assert table.topics == ("1", "2")
    assert table.of("AP")[0].tolist() == [[7e-04, 0.0036], [0.4711, 0]]


def test_the_csv_of_evaluate_is_a_table_without_its_summaries(file):
    import gainful
    from gainful.scores.score_output import FORMS

    scores = gainful.evaluate(QRELS, {"good": GOOD, "bad": BAD}, "RR,P@1")
    table = read_table(file("scores.csv", FORMS["csv"](scores, per_topic=True, places=4)))
    assert list(map(str, table.measures)) == ["RR", "P@1"]
    assert table.names == ("good", "bad")
    assert table.of("RR")[0].tolist() == [[1.0] * 7, [0.5] * 7]


def test_the_json_of_evaluate_is_read_back(saved):
    path = saved("bad", BAD)
    assert read_input(path).qrels is not None
    table = read_saved(path)
    assert (table.measures, table.names) == ((RR, P @ 1), ("bad",))
    assert table.of("RR")[0].tolist() == [[0.5] * 7]
    assert read_means(path) == {RR: {"bad": 0.5}, P @ 1: {"bad": 0.0}}


def test_a_result_of_another_version_is_noted(saved, file):
    path = saved("bad", BAD)
    from pathlib import Path

    text = Path(path).read_text().replace('"gainful":"', '"gainful":"0.0.1+')
    table = read_saved(file("older.json", text))
    assert "was made by gainful 0.0.1+" in table.notes[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n0.1,nan\n", "line 2: score of system 'b' is nan"),
        ("a,b\n0.1,0.2\n0.3,inf\n", "line 3: score of system 'b' is inf"),
        ("a,b\n0.1,x\n", "line 2: score 'x' of system 'b' is not a number"),
        ("a,b\n0.1\n", "line 2: 1 columns where the header has 2"),
        ("a,b\n", "has a header but no rows."),
        ("a,b\n0.1,0.2\r0.3,0.4\n", "line 2: new-line character seen in unquoted field"),
        ('topic,a,b\n1,0.1,0.2\n"2,0.3,0.4\n', "line 3: unexpected end of data"),
        (f"a,b\n0.1,{'0' * 200_000}\n", "line 2: field larger than field limit"),
        ("a,a\n0.1,0.2\n", "names system 'a' twice"),
        ("topic,a,b\n1,0.1,0.2\n1,0.3,0.4\n", "topic '1' has two lines"),
        ("system,topic,score\na,1,0.1\na,1,0.2\n", "line 3: system 'a' has topic '1' twice"),
        ("system,topic,score\na,1,nan\n", "line 2: score of system 'a', topic '1' is nan"),
        ("run,topic,measure,value,settings\na,all,AP,0.1,x\n", "no line for a single topic"),
    ],
)
def test_faults_of_tables_name_the_place(file, text, words):
    with pytest.raises(DataError, match=words):
        read_table(file("scores.csv", text))


@pytest.mark.parametrize(
    "text",
    [
        "1 Q0 doc,1 1 3.5 tag\n",
        "# judged\n1 0 doc;1 2\n",
        "1\tQ0\tdoc\t1\t3.5\ttag\n",
        "1048585\t7187158\t1\n",
        "q1,doc 1,0.5\n",
        "query-id\tcorpus-id\tscore\n1\td\t1\n",
        "qid,docno,rank,score\n1,d,1,0.5\n",
        '{"q1": {"d1": 0.5}}',
        '[{"query_id": "1", "doc_id": "d", "score": 1}]',
        b"PAR1\0\0,x,y\n",
        "",
    ],
)
def test_judgments_and_runs_in_any_layout_are_no_tables(file, text):
    assert isinstance(read_input(file("some.file", text)), Run)


def test_what_is_no_table_is_refused_as_one(file):
    with pytest.raises(DataError, match="is not a table"):
        read_table(file("b.run", "1 Q0 doc 1 3.5 tag\n"))
    with pytest.raises(DataError, match="there is no such file"):
        read_input("nowhere.csv")


def test_systems_may_be_called_by_numbers_beside_a_column_of_topics(file):
    assert read_input(file("s.csv", "topic,1,2\nx,0.1,0.2\n")).names == ("1", "2")


@pytest.mark.parametrize(
    "text", ["{", "{}", '{"gainful": "1", "settings": {}, "qrels": {"digest": "x"}, "runs": [1]}']
)
def test_json_that_is_no_result_is_refused(file, text):
    with pytest.raises(DataError, match="is not a result that `gainful evaluate -q -f json` saved"):
        read_saved(file("other.json", text))


def test_means_alone_are_not_enough_to_compare(saved):
    with pytest.raises(
        DataError, match=r"has only means; save the values of each topic too: gainful evaluate -q -f json\."
    ):
        read_saved(saved("bad", BAD, per_topic=False))


def test_a_saved_result_stands_for_its_run(saved):
    table = load(QRELS, [saved("bad", BAD), GOOD], "RR").table
    assert table.names == ("bad", "run")
    assert table.of("RR")[0].tolist() == [[0.5] * 7, [1.0] * 7]
    both = load(QRELS, [saved("bad", BAD), saved("good", GOOD)], "P@1").table
    assert (both.measures, both.names) == ((P @ 1,), ("bad", "good"))


def test_settings_of_a_saved_result_are_settings_again_and_a_wrong_value_is_named(saved):
    path = saved("bad", BAD)
    assert read_saved(path).settings == Settings()
    text = Path(path).read_text("utf-8").replace('"docid"', '"alphabet"')
    Path(path).write_text(text, "utf-8")
    with pytest.raises(DataError, match=r"bad.json, settings: ties must be one of .*; got 'alphabet'"):
        read_saved(path)


def test_a_saved_result_from_other_judgments_or_settings_is_refused(saved):
    other = {topic: {"d": 0, "e": 1} for topic in QRELS}
    with pytest.raises(DataError, match=r"bad.json was scored with other judgments(.|\n)*Score it again"):
        load(QRELS, [saved("bad", BAD, qrels=other), GOOD], "RR")
    with pytest.raises(DataError, match=r"other settings than .*: ties best, not docid"):
        load(QRELS, [GOOD, saved("bad", BAD, ties="best")], "RR")
    with pytest.raises(DataError, match="has no AP; it has RR, P@1"):
        load(QRELS, [saved("bad", BAD), GOOD], "AP")


def test_a_saved_result_on_other_topics_cannot_be_paired(saved):
    table = load(QRELS, [saved("bad", BAD, topics="1,2,3"), GOOD], "RR").table
    with pytest.raises(DataError, match=r"different topics(.|\n)*bad lacks 4: 4, 5, 6, 7"):
        table.of("RR")


def test_saved_results_lie_side_by_side(saved):
    table = load_saved([saved("bad", BAD), saved("good", GOOD)])
    assert table.names == ("bad", "good")
    assert load_saved([saved("bad", BAD)], "recip_rank").measures == (RR,)
    assert load_saved([saved("bad", BAD)], topics="2,4").topics == ("2", "4")
    with pytest.raises(UsageError, match="AP is not among the scores"):
        load_saved([saved("bad", BAD)], "AP")
    with pytest.raises(UsageError, match="have no scores: 99"):
        load_saved([saved("bad", BAD)], topics="2,99")


def test_tables_of_two_measures_are_put_one_after_the_other(file):
    paths = [file("ap.csv", "a,b\n0.1,0.2\n0.3,0.4\n"), file("rr.csv", "a,b\n0.5,0.6\n0.7,0.8\n")]
    table = load_saved(paths)
    assert (table.measures, table.names) == ((AP, RR), ("a", "b"))
    assert np.array_equal(table.of("RR")[0], [[0.5, 0.7], [0.6, 0.8]])
    with pytest.raises(DataError, match="has other topics than"):
        load_saved([paths[0], file("p.csv", "a,b\n0.1,0.2\n")])
    long = "system,topic,measure,score\na,1,{0},1\nb,1,{0},1\na,1,{1},1\nb,1,{1},1\n"
    several = [file(f"{one}.csv", long.format(*one.split("-"))) for one in ("AP-P", "RR-R", "R-Rprec")]
    with pytest.raises(DataError, match=r"R-Rprec.csv and .*RR-R.csv both have R\."):
        load_saved(several)


def test_measures_of_other_judgments_are_not_put_beside_each_other(file, saved):
    other = {topic: {"d": 0, "e": 1} for topic in QRELS}
    first = Path(saved("bad", BAD, "RR")).rename(Path(file("rr.json", "")))
    with pytest.raises(DataError, match="was scored with other judgments than"):
        load_saved([str(first), saved("bad", BAD, "P@1", qrels=other)])
    assert load_saved([str(first), saved("bad", BAD, "P@1")]).measures == (RR, P @ 1)


def test_systems_of_the_same_name_get_a_number(file):
    first, second = (
        "system,topic,measure,score\nx,1,AP,0.1\nx,2,AP,0.2\n",
        "system,topic,measure,score\nx,1,AP,0.3\nx,2,AP,0.1\n",
    )
    assert load_saved([file("one.csv", first), file("two.csv", second)]).names == ("x", "x#2")


def test_systems_without_a_common_topic_have_nothing_to_compare(file):
    table = read_table(file("s.csv", "system,topic,score\na,1,0.1\nb,2,0.2\n"))
    with pytest.raises(NothingInCommon):
        table.of("s")
    uneven = read_table(file("u.csv", "system,topic,score\na,1,0.1\nb,1,0.2\nb,2,0.2\n"))
    with pytest.raises(DataError, match=r"a lacks 1: 2\nGive every system a score"):
        uneven.of("u")


def test_names_of_measures_are_the_ones_that_evaluate_gives():
    from gainful import AP

    assert list(map(str, measures_of(["RR", AP(rel=2)], rel=3))) == ["RR(rel=3)", "AP(rel=2)"]
    with pytest.raises(UsageError, match="no measure"):
        measures_of([], None)
