"""Topics shared out to plain processes: the merged scores are those of one evaluation, to the last bit."""

from multiprocessing import get_context
from pathlib import Path

import gainful

DATA = Path(__file__).parent / "data"
QRELS, RUNS = DATA / "qrels.txt", [DATA / "sprinter.run", DATA / "marathon.run"]
MEASURES = "nDCG@10, AP, ERR"
SHARDS = 4


def evaluated(topics: list[str]) -> gainful.Scores:
    """What one process does; on another machine it would be the same call."""
    return gainful.evaluate(QRELS, RUNS, MEASURES, topics=topics)


def main() -> None:
    topics = gainful.read_qrels(QRELS).topics
    shards = [list(topics[first::SHARDS]) for first in range(SHARDS)]
    with get_context("spawn").Pool(2) as processes:
        parts = processes.map(evaluated, shards)
    merged = gainful.Scores.merge(*parts)
    for run in merged:
        print(run.name, {measure: round(value, 4) for measure, value in run.mean.items()})

    whole = gainful.evaluate(QRELS, RUNS, MEASURES)
    print(
        f"{len(parts)} parts, {len(topics)} topics; as one evaluation: {merged.to_dict() == whole.to_dict()}"
    )


if __name__ == "__main__":
    main()
