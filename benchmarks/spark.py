"""Is it faster than Spark's own RankingMetrics? 2 million rows in the same DataFrames, one measure and five."""

import json
import os
import shutil
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.measuring import hold, inside, state

TOPICS, DEPTH, JUDGED = 2_000, 1_000, 40
ROUNDS = 3
ONE = "AP"
FIVE = "AP, AP@100, P@10, R@100, nDCG@10"


def answer() -> None:
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        print("  (left out: there is no Java)")
        return
    found = inside("spark", "own")
    for count in ("one", "five"):
        state(f"gainful, {count}", found[f"gainful {count}"])
        state(f"RankingMetrics, {count}", found[f"metrics {count}"])
    hold("one measure, at least as fast", found["metrics one"] / found["gainful one"], least=1)
    hold("five measures, faster", found["metrics five"] / found["gainful five"], least=1)


def main(_: str) -> None:
    import pyspark
    from pyspark.sql import SparkSession

    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "4g")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        judgments, run = (session.read.parquet(f"{folder}/{name}") for name in ("qrels", "run"))
        asked: dict[str, Callable[[], dict[str, float]]] = {
            "gainful one": lambda: ours(judgments, run, ONE),
            "metrics one": lambda: theirs(judgments, run, ONE),
            "gainful five": lambda: ours(judgments, run, FIVE),
            "metrics five": lambda: theirs(judgments, run, FIVE),
        }
        taken: dict[str, list[float]] = {name: [] for name in asked}
        means = {name: ask() for name, ask in asked.items()}  # once before the clock runs: Java warms up
        for _ in range(ROUNDS):
            for name, ask in asked.items():
                start = time.perf_counter()
                ask()
                taken[name].append(time.perf_counter() - start)
        for name in ("one", "five"):
            check(means[f"gainful {name}"], means[f"metrics {name}"], pyspark.__version__)
    session.stop()
    print(json.dumps({name: statistics.median(times) for name, times in taken.items()}))


def write(folder: Path) -> None:
    """Judgments and a run in Parquet files; grades are 0 and 1, as RankingMetrics knows no others."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import parquet

    chance = np.random.default_rng(7)
    for name, depth in (("qrels", JUDGED), ("run", DEPTH)):
        (folder / name).mkdir()
        for part in range(4):
            topics = np.arange(part, TOPICS, 4)
            documents = [chance.choice(4 * DEPTH, depth, replace=False) for _ in topics]
            columns = {
                "topic": [f"topic-{topic}" for topic in np.repeat(topics, depth)],
                "document": [f"document-{document}" for document in np.concatenate(documents)],
            }
            values = (
                chance.integers(0, 2, len(topics) * depth)
                if name == "qrels"
                else chance.random(len(topics) * depth)
            )
            columns["grade" if name == "qrels" else "score"] = values
            parquet.write_table(pa.table(columns), folder / name / f"part-{part}.parquet")


def ours(judgments: Any, run: Any, measures: str) -> dict[str, float]:
    from gainful.spark import evaluate

    return evaluate(judgments, run, measures).mean


def theirs(judgments: Any, run: Any, measures: str) -> dict[str, float]:
    """As its documentation has it: ranked lists and relevant documents, a row for each topic."""
    from pyspark.mllib.evaluation import RankingMetrics
    from pyspark.sql import functions as F

    ranked = run.groupBy("topic").agg(
        F.sort_array(F.collect_list(F.struct("score", "document")), asc=False).alias("list")
    )
    relevant = judgments.where("grade > 0").groupBy("topic").agg(F.collect_set("document").alias("relevant"))
    pairs = relevant.join(ranked, "topic").select(F.col("list.document"), "relevant")
    several = "," in measures
    rdd = pairs.rdd.map(lambda row: (row[0], row[1]))
    metrics = RankingMetrics(rdd.cache() if several else rdd)
    found = {"AP": metrics.meanAveragePrecision}
    if several:
        found |= {
            "AP@100": metrics.meanAveragePrecisionAt(100),
            "P@10": metrics.precisionAt(10),
            "R@100": metrics.recallAt(100),
            "nDCG@10": metrics.ndcgAt(10),
        }
        rdd.unpersist()
    return found


def check(ours: dict[str, float], theirs: dict[str, float], version: str) -> None:
    # AP@100 and nDCG@10 are divided differently there (docs/scale.md).
    for name in ("AP", "P@10", "R@100"):
        if name in ours and abs(ours[name] - theirs[name]) > 1e-9:
            raise RuntimeError(f"{name}: {ours[name]} here, {theirs[name]} in Spark {version}")


if __name__ == "__main__":
    main(*sys.argv[1:])
