"""What a worker does, without Spark: any partitioning and any batches give what one machine gives."""

import random
import zlib
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spark_data import judgments, run

import gainful
from gainful.errors import DataError, UsageError
from gainful.judging.settings import Settings
from gainful.scores.evaluation import asked_for
from gainful.spark.collected_scores import Gathered, Gathering, cutoffs_of
from gainful.spark.frame_evaluation import shipped
from gainful.spark.worker import Worker, chunks
from gainful.spark.worker_messages import BroadcastJudgments, Task

MEASURES = "nDCG@10, AP, ERR@20, RBP, Judged@10, AP(summary=geometric), P(unjudged=condense)@5"
QRELS, RUN = judgments(), run()
KEYS = 30  # numbers that stand for topics: fewer than topics, so that some share one


def table(rows, **more):
    topics, documents, values = zip(*rows, strict=True)
    ids = {"topic": topics, "document": documents}
    columns = {
        name: pa.array([None if one is None else one.encode() for one in column], pa.binary())
        for name, column in ids.items()
    }
    columns["value"] = pa.array(values, pa.float64())
    return pa.table(
        {**columns, **{name: pa.array([value] * len(rows), pa.string()) for name, value in more.items()}}
    )


def partitioned(whole, parts, key, order, size):
    """What Spark does: rows of a key in one of the parts, sorted there, handed out in batches."""
    number = {value: random.Random(str(value)).randrange(parts) for value in set(whole[key].to_pylist())}
    of = pa.array([number[value] for value in whole[key].to_pylist()])
    for part in range(parts):
        held = whole.filter(pa.compute.equal(of, part))
        held = held.take(pa.compute.sort_indices(held, sort_keys=[(name, "ascending") for name in order]))
        yield iter(held.to_batches(max_chunksize=size))


def scored(qrels, runs, measures=MEASURES, *, held, parts=3, size=7, by=None, topics=None, **chosen):
    """The scores that workers give, on so many partitions, from batches of this size."""
    asked, wanted = asked_for(measures, chosen.get("rel")), Settings(**chosen)
    several = isinstance(runs, dict)
    whole = (
        pa.concat_tables([table(rows, run=name) for name, rows in runs.items()]) if several else table(runs)
    )
    judged = table(qrels)
    task = Task(
        shipped(asked),
        wanted,
        by=by,
        top=max(grade for *_, grade in qrels),
        many_runs=several,
        cutoffs=cutoffs_of(asked, wanted),
    )
    answers = []
    if held:
        worker = Worker(task)
        found = worker.judgments_of(judged)
        answers += [*(worker.empties(found) if found else []), *worker.noticed()]
        task = replace(task, broadcast=BroadcastJudgments(judged))
        order = ["run", "key"] if several else ["key"]
    else:
        whole = pa.concat_tables(
            [
                judged.append_column("kind", pa.array([0] * len(judged), pa.int8())),
                whole.append_column("kind", pa.array([1] * len(whole), pa.int8())),
            ],
            promote_options="default",
        )
        order = ["key"]
    key = pa.array([zlib.crc32(topic or b"") % KEYS for topic in whole["topic"].to_pylist()])
    for batches in partitioned(whole.append_column("key", key), parts, "key", order, size):
        answers += Worker(task).answers(batches)
    names = dict.fromkeys(runs) if several else {"run": None}
    return Gathering(
        Gathered(pa.Table.from_batches(answers)),
        asked,
        wanted,
        names=names,
        tags={},
        path=None,
        by=by,
        cutoffs=task.cutoffs,
        users=(None,),
    ).scores(topics)


@pytest.fixture(autouse=True, scope="module")
def small_chunks():
    """Chunks of a few topics, so that partitions have several."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "__defaults__", (100,))
        yield


both = pytest.mark.parametrize("held", [True, False], ids=["held", "joined"])


@both
@settings(max_examples=8)
@given(parts=st.integers(1, 9), size=st.integers(1, 200))
def test_no_partitioning_and_no_batch_changes_a_bit(held, parts, size):
    ours = scored(QRELS, RUN, held=held, parts=parts, size=size)
    theirs = gainful.evaluate(QRELS, RUN, MEASURES)
    assert ours.to_dict() == theirs.to_dict()
    assert ours.notes == theirs.notes


@both
@pytest.mark.parametrize(
    "chosen",
    [
        {"missing": "skip"},
        {"undefined": "skip"},
        {"unjudged": "condense"},
        {"ties": "best"},
        {"ties": "worst"},
        {"depth": 5},
        {"rel": 2},
        {"drop_self": True},
        {"topics": ["q4", "6", "q1"]},
    ],
    ids=str,
)
def test_every_setting_does_what_it_does_on_one_machine(held, chosen):
    rows = [*RUN, ("q4", "q4", 9.0)]
    ours, theirs = scored(QRELS, rows, held=held, **chosen), gainful.evaluate(QRELS, rows, MEASURES, **chosen)
    assert ours.to_dict() == theirs.to_dict()
    assert ours.notes == theirs.notes


@both
def test_several_runs_are_one_pass_and_may_lack_topics_of_each_other(held):
    runs = {
        "deep": run(seed=5),
        "short": run(range(10, 20), retrieved=5, seed=6),
        "other": run(range(4), seed=7),
    }
    ours, theirs = scored(QRELS, runs, held=held), gainful.evaluate(QRELS, runs, MEASURES)
    assert ours.to_dict() == theirs.to_dict()
    assert ours.notes == theirs.notes


@both
def test_a_document_given_twice_is_refused_or_the_best_counts(held):
    rows = [*RUN, ("q4", "zz", 1.0), ("q4", "zz", 3.0), ("q5", "zz", 3.0), ("q5", "zz", 3.0)]
    with pytest.raises(DataError) as caught:
        scored(QRELS, rows, held=held)
    assert str(caught.value).startswith(
        "run 'run': document 'zz' of topic 'q4' is there twice (2 repetitions in all).\nRemove one"
    )
    ours = scored(QRELS, rows, held=held, duplicates="best")
    assert ours.mean == gainful.evaluate(QRELS, rows, MEASURES, duplicates="best").mean


@both
@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            ("q4", "d1", float("nan")),
            "a run: score of document 'd1' of topic 'q4' is NaN, which cannot be ordered.\nNothing was evaluated.",
        ),
        (("q4", "d1", None), "a run, document 'd1' of topic 'q4': the value is missing."),
        (("q4", None, 1.0), "a run, topic 'q4': the document is missing."),
        (("q4", "", 1.0), "a run, topic 'q4': the document is missing."),
        (("q4", " \t", 1.0), "a run, topic 'q4': the document is missing."),
        (("", "d1", 1.0), "a run: the topic is missing."),
        ((None, "d1", 1.0), "a run, document 'd1' of topic '': the topic is missing."),
    ],
)
def test_values_that_are_missing_or_not_numbers_are_refused_as_on_one_machine(held, row, said):
    if row[0] is None:
        said = "a run: the topic is missing."
    with pytest.raises(DataError) as caught:
        scored(QRELS, [*RUN, row], held=held)
    way_out = "" if "NaN" in said else "\nFill it in, or remove the row; nothing was evaluated."
    assert str(caught.value) == said + way_out


@both
def test_faults_in_several_partitions_are_one_message_with_a_count(held):
    bad = [(f"q{topic}", "d1", None) for topic in (4, 5, 7, 8, 22)]
    with pytest.raises(
        DataError, match=r"^a run, document 'd1' of topic 'q22': the value is missing \(5 such rows\)\.\n"
    ):
        scored(QRELS, [*RUN, *bad], held=held, parts=5)


@both
def test_a_run_without_a_name_is_refused(held):
    with pytest.raises(DataError, match=r"^a run, document 'd1' of topic 'q4': the run is missing\.\n"):
        scored(QRELS, {"named": RUN, None: [("q4", "d1", 1.0)]}, held=held)


@both
def test_faults_of_the_judgments_come_first(held):
    with pytest.raises(
        DataError, match=r"^judgments: document 'd1' of topic 'nothing' is there twice\.\nRemove one"
    ):
        scored([*QRELS, ("nothing", "d1", 1)], [*RUN, ("q4", "d1", None)], held=held)


def test_a_measure_of_one_s_own_travels_with_its_function():
    @gainful.measure(bounds=(0, 1))
    def First(judged, *, rel: float = 1):
        top = judged.cut(1)
        return top.total(where=top.grade >= rel)

    ours = scored(QRELS, RUN, [First(rel=2)], held=True)
    assert ours.mean == gainful.evaluate(QRELS, RUN, [First(rel=2)]).mean


def test_what_stayed_on_the_cluster_is_not_made_up():
    scores = scored(QRELS, RUN, held=True)
    assert repr(scores) == repr(gainful.evaluate(QRELS, RUN, MEASURES))
    with pytest.raises(UsageError, match="the judged documents stayed on the cluster"):
        _ = scores.runs[0].judged.rank
    with pytest.raises(UsageError, match="the judgments stayed on the cluster"):
        scores.judgments.to_dict()
    with pytest.raises(UsageError, match="stayed on the cluster"):
        gainful.Scores.merge(scores)


def test_a_chunk_holds_whole_topics_and_little_more_than_it_should():
    rows = [
        (f"q{topic:03}", f"d{place}", 1.0)
        for topic in range(50)
        for place in range(30 if topic != 7 else 900)
    ]
    whole = table(rows)
    for size in (1, 11, 64):
        made = list(chunks(iter(whole.to_batches(max_chunksize=size)), ("topic",), 100))
        seen = [chunk["topic"].unique().to_pylist() for chunk in made]
        assert [topic for some in seen for topic in some] == sorted(
            {topic.encode() for topic, *_ in rows}
        )  # each in one chunk, in order
        assert sum(chunk.num_rows for chunk in made) == len(rows)
        assert (
            max(chunk.num_rows for chunk in made if b"q007" not in chunk["topic"].to_pylist())
            <= 100 + 30 + 2 * size
        )
