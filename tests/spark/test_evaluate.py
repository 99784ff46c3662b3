"""evaluate on Spark: the numbers, notes and messages of one machine, whatever the DataFrames look like."""

import gzip
import random

import pytest
from spark_data import judgments, run, told_apart

import gainful
from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.measures import get, names

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

QRELS, RUN = judgments(), run()
JUDGED, RANKED = "topic string, document string, grade double", "topic string, document string, score double"
AT = {"cutoff": (5, 20), "recall": (0.3,)}


@pytest.fixture(scope="module")
def evaluate():
    from gainful.spark import evaluate

    return evaluate


def forms(needs):
    """Every measure that needs this, with its defaults and at a cutoff."""
    for measure in (get(name) for name in names() if get(name).needs in needs):
        at = measure.definition.at
        yield from [] if measure._lacks else [measure]
        yield from (measure @ value for value in AT[at] if at in measure.definition.parameters)


def same(ours, theirs):
    assert ours.scores.to_dict() == theirs.to_dict()
    assert [run.values.tobytes() for run in ours.scores] == [run.values.tobytes() for run in theirs]


ASPECTS = {
    "subtopics": ("subtopic", ["s1", "s2", "s3"], "grade"),
    "judges": ("judge", ["ann", "bob"], "grade"),
    "preferences": ("judge", ["ann", "bob"], "level"),
}


@pytest.mark.parametrize("broadcast", [1_000_000, 0], ids=["broadcast", "joined"])
def test_every_measure_of_the_registry_has_the_same_bits(spark, evaluate, broadcast):
    judged = spark.createDataFrame(QRELS, JUDGED).repartition(3)
    ranked = spark.createDataFrame(RUN, RANKED).repartition(5)
    plain = list(forms({None, "anywhere"}))
    same(evaluate(judged, ranked, plain, broadcast=broadcast), gainful.evaluate(QRELS, RUN, plain))
    for by, (aspect, aspects, value) in ASPECTS.items():
        rows = told_apart(QRELS, aspects)
        frame = spark.createDataFrame(rows, f"topic string, {aspect} string, document string, {value} double")
        measures = list(forms({by}))
        theirs = gainful.evaluate(gainful.read_qrels(rows, by=by), RUN, measures)
        same(evaluate(frame, ranked, measures, broadcast=broadcast), theirs)
    users = {
        "known": {"ann": {"q4": ["d1", "d2", "d3"]}, "bob": {"q5": ["d7"]}},
        "expected": {"q4": 3, "q5": 1},
    }
    measures = [*forms({"known", "expected"}), "AP"]
    same(
        evaluate(judged, ranked, measures, broadcast=broadcast, **users),
        gainful.evaluate(QRELS, RUN, measures, **users),
    )


def test_a_frame_of_topic_measure_and_value_comes_back(spark, evaluate):
    runs = {"one": RUN, "two": run(range(20), seed=9)}
    frames = {name: spark.createDataFrame(rows, RANKED) for name, rows in runs.items()}
    chosen = {"missing": "skip", "undefined": "skip"}
    ours = evaluate(spark.createDataFrame(QRELS, JUDGED), frames, "AP, P@5", **chosen)
    theirs = gainful.evaluate(QRELS, runs, "AP, P@5", **chosen)
    assert repr(ours) == "SparkScores(2 runs, 41 topics: AP, P@5)"
    assert ours.per_topic.columns == ["run", "topic", "measure", "value"]
    assert sorted(map(tuple, ours.per_topic.collect())) == sorted(theirs.rows())
    assert ours.summary == {run.name: run.mean for run in theirs}


def test_a_column_tells_runs_apart_and_ids_may_be_numbers_under_other_names(spark, evaluate):
    chance = random.Random(4)
    qrels = [(topic, document, chance.choice([0, 1, 2])) for topic in range(20) for document in range(10)]
    runs = {
        name: [(topic, document, chance.random()) for topic in range(20) for document in range(5, 30)]
        for name in ("b", "a")
    }
    frame = spark.createDataFrame(
        [(name, *row) for name, rows in runs.items() for row in rows],
        "system string, qid bigint, thing int, score float",
    )
    theirs = gainful.evaluate(
        qrels, {name: [(t, d, _float32(s)) for t, d, s in runs[name]] for name in ("a", "b")}, "nDCG, RR"
    )
    ours = evaluate(
        spark.createDataFrame(qrels, "topic int, thing bigint, grade int"),
        frame,
        "nDCG, RR",
        columns={"document": "thing", "run": "system"},
    )
    same(ours, theirs)


def _float32(value):
    import numpy as np

    return float(np.float32(value))


def test_one_topic_with_nine_tenths_of_the_rows_and_empty_partitions_change_nothing(spark, evaluate):
    chance = random.Random(8)
    few = run(range(4, 10), retrieved=40)  # six topics in sixteen partitions
    rows = [
        *few,
        *(("q4", f"x{place}", chance.choice([0.5, chance.random()])) for place in range(9 * len(few))),
    ]
    frame = spark.createDataFrame(rows, RANKED)
    theirs = gainful.evaluate(QRELS, rows, "nDCG, AP, RBP")
    judged = spark.createDataFrame(QRELS, JUDGED)
    for partitions, broadcast in ((1, 0), (16, 1_000_000)):
        same(evaluate(judged, frame, "nDCG, AP, RBP", partitions=partitions, broadcast=broadcast), theirs)


def test_the_order_of_rows_is_a_column_where_it_matters(spark, evaluate):
    rows = [*RUN, ("q4", "d1", 0.7), ("q4", "d1", 0.9)]
    shuffled = [(*row, place) for place, row in enumerate(rows)]
    random.Random(1).shuffle(shuffled)
    frame = spark.createDataFrame(shuffled, f"{RANKED}, position int")
    judged = [*QRELS, ("q4", "d1", 3.0)]
    qrels = spark.createDataFrame(
        [(*row, place) for place, row in enumerate(judged)], f"{JUDGED}, position int"
    )
    chosen = {"ties": "input", "duplicates": "first"}
    for broadcast in (0, 1_000_000):
        ours = evaluate(qrels, frame, "AP, ERR", columns={"order": "position"}, broadcast=broadcast, **chosen)
        assert ours.mean == gainful.evaluate(judged, rows, "AP, ERR", **chosen).mean
    with pytest.raises(
        UsageError, match=r"ties='input' goes by the order of rows, and rows of a DataFrame have none"
    ):
        evaluate(qrels, frame, "AP", ties="input")
    chosen = {"columns": {"order": "position"}, "ties": "input"}
    with pytest.raises(UsageError, match=r"add a column order to the run"):
        evaluate(qrels, {"one": frame, "two": frame.drop("position")}, "AP", **chosen)


def test_faults_are_the_sentences_of_one_machine_not_pages_of_java(spark, evaluate):
    judged = spark.createDataFrame(QRELS, JUDGED)
    nan = spark.createDataFrame([*RUN, ("q4", "d1", float("nan"))], RANKED)
    with pytest.raises(
        DataError,
        match=r"^a run: score of document 'd1' of topic 'q4' is NaN, which cannot be ordered\.",
    ):
        evaluate(judged, nan, "AP")
    twice = spark.createDataFrame([*RUN, RUN[0]], RANKED)
    with pytest.raises(
        DataError,
        match=rf"^run 'run': document '{RUN[0][1]}' of topic '{RUN[0][0]}' is there twice\.\nRemove one",
    ):
        evaluate(judged, twice, "AP", broadcast=0)
    with pytest.raises(DataError, match=r"^a run holds no rows\.$"):
        evaluate(judged, spark.createDataFrame([], RANKED), "AP")
    with pytest.raises(
        NothingInCommon,
        match=r"^run 'run': no topic is judged; the run has 'zz', the judgments have '0', '3', '6' and 38 more",
    ):
        evaluate(judged, spark.createDataFrame([("zz", "d1", 1.0)], RANKED), "AP")
    with pytest.raises(DataError, match=r"^a run: the score is of type string; expected a number\.$"):
        evaluate(
            judged,
            spark.createDataFrame([("q1", "d1", "1")], "topic string, document string, score string"),
            "AP",
        )
    with pytest.raises(UsageError, match=r"expected a Spark DataFrame, not list"):
        evaluate(judged, RUN, "AP")


# ---- the command line ---------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    """The same judgments and run in every layout that Spark reads, whole and in parts."""
    lines = [f"{topic} Q0 {document} 0 {score!r} bm25" for topic, document, score in RUN]
    (tmp_path / "qrels.txt").write_text("".join(f"{t} 0 {d} {g}\n" for t, d, g in QRELS))
    (tmp_path / "bm25.run").write_text("\n".join(lines))
    (tmp_path / "parts").mkdir()
    for part in range(3):
        with gzip.open(tmp_path / "parts" / f"part-{part}.gz", "wt") as file:
            file.write("# a part\n" + "\n".join(lines[part::3]) + "\n")
    from gainful.formats.output_files import written
    from gainful.formats.rows import rows_of

    for layout in ("csv", "jsonl", "parquet"):
        raw = written(rows_of(RUN, "run", threads=1), "run", layout, path=f"a.{layout}")
        (tmp_path / f"bm25.{layout}").write_bytes(raw)
    return tmp_path


def test_paths_in_every_layout_have_the_same_content(spark, evaluate, folder):
    from gainful.spark.cluster_files import Path

    theirs = gainful.evaluate(QRELS, RUN, "AP, nDCG@5")
    judged = Path(spark, str(folder / "qrels.txt"), "qrels").frame()
    names = ("bm25.run", "parts", "parts/part-*.gz", "bm25.csv", "bm25.jsonl", "bm25.parquet")
    frames = {name: Path(spark, str(folder / name), "run").frame() for name in names}
    (expected,) = theirs.to_dict()["runs"]
    for found in evaluate(judged, frames, "AP, nDCG@5").scores.to_dict()["runs"]:
        assert found == {**expected, "name": found["name"]}


def test_lines_that_cannot_be_read_are_told_with_their_text(spark, evaluate, folder):
    from gainful.spark.cluster_files import Path

    judged = Path(spark, str(folder / "qrels.txt"), "qrels").frame()
    with (folder / "bm25.run").open("a") as file:
        file.write("\nq4 Q0 d1 1 n/a bm25\nq4 Q0 d2 1 n/a bm25\n")
    with pytest.raises(DataError) as caught:
        evaluate(judged, Path(spark, str(folder / "bm25.run"), "run").frame(), "AP")
    assert str(caught.value) == (
        f"{folder}/bm25.run: score 'n/a' is not a number (2 such lines).\nFix them in the file; nothing was evaluated."
    )
    (folder / "bm25.run").write_text("q4 Q0 d1 1 0.5 bm25\nq4 Q0 d2\n")
    with pytest.raises(
        DataError, match=r"bm25.run: 3 columns where 5 or 6 are expected\.\nExpected topic, Q0"
    ):
        evaluate(judged, Path(spark, str(folder / "bm25.run"), "run").frame(), "AP")
    (folder / "three.txt").write_text("q4 d1 1\nq4 d2 2\nq5 d1 30\nq5 d2 20\n")
    with pytest.raises(DataError, match=r"third column of topic 'q5' is not 1, 2, 3"):
        Path(spark, str(folder / "three.txt"), "run").frame()
    with pytest.raises(DataError, match=r"absent\.run: there is no such file\."):
        Path(spark, str(folder / "absent.run"), "run")


def test_quotes_ends_of_lines_and_number_signs_in_csv_are_read_as_on_one_machine(spark, folder):
    from gainful.spark.cluster_files import Path

    text = 'topic,document,score,text\nq4,d1,2,plain\n"#1","d,2",1,"two\nq4,d9,9,lines"\n#2,d3,1,"a ""quoted"" word"\n'
    (folder / "quoted.csv").write_text(text)
    rows = Path(spark, str(folder / "quoted.csv"), "run").frame().collect()
    nested = {}
    for row in rows:
        nested.setdefault(row["topic"].decode(), {})[row["document"].decode()] = row["score"]
    assert nested == gainful.read_run(str(folder / "quoted.csv")).to_dict()
    assert set(nested) == {"q4", "#1", "#2"}


def test_the_command_prints_what_it_prints_on_one_machine(sessions, folder, capfd):
    from gainful.cli import run as command

    sessions.stop()
    paths = [str(folder / name) for name in ("qrels.txt", "bm25.run", "bm25.csv")] + [f"{folder}/parts/"]
    outputs = []
    for engine in ([], ["--engine", "spark", "--master", "local[2]"]):
        assert command(["evaluate", *paths, "-q", "-f", "json", *engine]) == 0
        outputs.append(capfd.readouterr().out)
    assert outputs[0] == outputs[1]
    assert command(["evaluate", *paths, "--master", "local[2]"]) == 2
    assert "--master is for --engine spark" in capfd.readouterr().err
