"""A real cluster on this machine: executors that are processes of their own, and one that is killed at work."""

import os
import signal
import subprocess
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
PATIENCE = 120  # seconds that a cluster may take for a step, on a machine that is busy with other tests


def waited_for(found, what):
    """What is found, as soon as it is."""
    last = time.monotonic() + PATIENCE
    while time.monotonic() < last:
        if answer := found():
            return answer
        time.sleep(0.05)
    raise TimeoutError(f"{what}: not in {PATIENCE} s")


class Daemon:
    """A process of a cluster; what it says goes to a file, and what it leaves behind when it is killed goes beside it."""

    def __init__(self, folder: Path, name: str, java: str, *command: str) -> None:
        import pyspark

        home = Path(pyspark.__file__).parent
        self.log = folder / f"{name}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [home / "bin" / "spark-class", *command],
                stdout=log,
                stderr=log,
                env={
                    **os.environ,
                    "SPARK_HOME": str(home),
                    "SPARK_LOCAL_IP": "127.0.0.1",
                    "SPARK_DAEMON_MEMORY": "256m",
                    "SPARK_DAEMON_JAVA_OPTS": f"{java} -Djava.io.tmpdir={folder}",
                    "SPARK_LOCAL_DIRS": str(folder),
                },
            )

    def says(self, words: str) -> str:
        """The line that has these words, once it is there."""

        def line():
            assert self.process.poll() is None, self.log.read_text()
            return next((line for line in self.log.read_text().splitlines() if words in line), None)

        return waited_for(line, words)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def cluster(sessions, tmp_path):
    """A session on a master with two workers of one core each, and the workers."""
    started = []
    try:
        options = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        master = Daemon(tmp_path, "master", sessions.java, "org.apache.spark.deploy.master.Master", *options)
        started.append(master)
        url = master.says("Starting Spark master at ").rpartition(" ")[2]
        workers = []
        for name in ("one", "two"):
            options = ["--host", "127.0.0.1", "--cores", "1", "--memory", "600m", "--webui-port", "0"]
            options += ["--work-dir", str(tmp_path / f"work-{name}"), url]
            workers.append(
                Daemon(tmp_path, name, sessions.java, "org.apache.spark.deploy.worker.Worker", *options)
            )
            started.append(workers[-1])
        for worker in workers:
            worker.says("Successfully registered with master")
        yield sessions.on(url, **{"spark.executor.memory": "512m", "spark.executor.cores": "1"}), workers
    finally:
        sessions.stop()
        for daemon in reversed(started):
            daemon.stop()


def test_executors_in_other_processes_give_the_same_bits_and_so_they_do_when_one_dies(cluster, tmp_path):
    session, workers = cluster
    from gainful.spark import evaluate

    def executors():
        return (
            session.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
        )  # the driver is no executor

    waiting, go = tmp_path / "waiting", tmp_path / "go"
    waiting.mkdir()

    @gainful.measure
    def Waits(judged):
        (waiting / str(os.getpid())).touch()
        while not go.exists():
            time.sleep(0.02)
        return judged.retrieved.copy()

    measures = ["AP, nDCG@10, ERR", Waits]
    answers = []
    judged, ranked = session.createDataFrame(QRELS, JUDGED), session.createDataFrame(RUN, RANKED)
    theirs = gainful.evaluate(QRELS, RUN, MEASURES)
    assert evaluate(judged, ranked, MEASURES, broadcast=1_000_000).scores.to_dict() == theirs.to_dict()

    thread = threading.Thread(
        target=lambda: answers.append(evaluate(judged, ranked, measures, broadcast=0, partitions=4)),
        daemon=True,
    )
    thread.start()
    waited_for(lambda: len(list(waiting.iterdir())) >= 2, "both executors at work")
    assert executors() == 2
    workers[0].process.send_signal(signal.SIGKILL)
    workers[0].process.wait()
    go.touch()
    thread.join(PATIENCE)
    assert answers, "the job did not end"
    assert executors() == 1
    assert answers[0].scores.to_dict() == gainful.evaluate(QRELS, RUN, measures).to_dict()
