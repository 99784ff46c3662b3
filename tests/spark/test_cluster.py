"""Executors that are processes of their own, and one that is killed at work."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from spark_data import judgments, run

import gainful

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

QRELS, RUN = judgments(), run()
JUDGED, RANKED = "topic string, document string, grade double", "topic string, document string, score double"
MEASURES = "nDCG@10, AP, ERR, RBP(p=0.8), AP(summary=geometric)"
PATIENCE = 120  # seconds that a step may take on a machine that is busy with other tests


def waited_for(found, what):
    """What is found, as soon as it is."""
    last = time.monotonic() + PATIENCE
    while time.monotonic() < last:
        if answer := found():
            return answer
        time.sleep(0.05)
    raise TimeoutError(f"{what}: not in {PATIENCE} s")


@pytest.fixture
def cluster(sessions):
    """A session whose two executors of one core are Java processes beside the driver."""
    yield sessions.on("local-cluster[2,1,600]", **{"spark.executor.memory": "512m"})
    sessions.stop()


def executor_of(worker: int) -> int:
    """The Java process above a Python worker, which Spark's daemon forks for it."""

    def parent(process):
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])

    java = parent(parent(worker))
    assert "CoarseGrainedExecutorBackend" in Path(f"/proc/{java}/cmdline").read_text()
    return java


def test_executors_in_other_processes_give_the_same_bits_and_so_they_do_when_one_dies(cluster, tmp_path):
    from gainful.spark import evaluate

    started, go = tmp_path / "started", tmp_path / "go"
    started.mkdir()

    @gainful.measure
    def Waits(judged):
        from pyspark import TaskContext

        if task := TaskContext.get():  # else this is the one machine whose values are the oracle
            (started / f"{task.partitionId()} {os.getpid()}").touch()
        while not go.exists():
            time.sleep(0.02)
        return judged.retrieved.copy()

    def tasks():
        """Partition and Python process of each task that began."""
        return [tuple(map(int, path.name.split())) for path in started.iterdir()]

    measures = ["AP, nDCG@10, ERR", Waits]
    answers = []
    judged, ranked = cluster.createDataFrame(QRELS, JUDGED), cluster.createDataFrame(RUN, RANKED)
    theirs = gainful.evaluate(QRELS, RUN, MEASURES)
    assert evaluate(judged, ranked, MEASURES, broadcast=1_000_000).scores.to_dict() == theirs.to_dict()

    thread = threading.Thread(
        target=lambda: answers.append(evaluate(judged, ranked, measures, broadcast=0, partitions=4)),
        daemon=True,
    )
    thread.start()
    waited_for(lambda: len(tasks()) >= 2, "both executors at work")
    (lost, worker), (_, other) = tasks()
    assert executor_of(worker) != executor_of(other)
    os.kill(executor_of(worker), signal.SIGKILL)
    go.touch()
    thread.join(PATIENCE)
    assert answers, "the job did not end"
    assert len([partition for partition, _ in tasks() if partition == lost]) > 1  # it was begun again
    assert answers[0].scores.to_dict() == gainful.evaluate(QRELS, RUN, measures).to_dict()
