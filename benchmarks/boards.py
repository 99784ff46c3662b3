"""What does a large leaderboard cost? 142 and 500 systems × 50 topics, all pairs, on one core: seconds and peak memory."""

import csv
import tempfile
from pathlib import Path

from support.measuring import GAINFUL, costs, hold, state

TOPICS = 50
BOARDS = {142: 10_011, 500: 124_750}
CORRECTIONS = ("holm", "max-t", "tukey")


def answer() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for systems, pairs in BOARDS.items():
            table = written(Path(folder) / f"{systems}.csv", systems)
            for correction in CORRECTIONS:
                name = f"gainful compare, {systems} systems, {pairs:,} pairs, {correction}"
                command = ["taskset", "-c", "0", GAINFUL, "compare", table, "--correction", correction]
                cost = costs({name: command}, rounds=1)[name]
                state(name, cost.seconds, cost.megabytes)
                hold(f"{systems} systems, {correction}", cost.megabytes, most=1000, unit="MB")
                if correction == "holm":
                    hold(f"{systems} systems, {correction}", cost.seconds, most=60, unit="s")


def written(path: Path, systems: int) -> Path:
    """A table of scores as a track has them: topics of different difficulty, systems of different quality."""
    import numpy as np

    random = np.random.default_rng(systems)
    rows = random.beta(2, 3, TOPICS) + random.normal(0, 0.15, (systems, TOPICS))
    rows = np.clip(rows + np.linspace(-0.15, 0.15, systems)[:, None], 0, 1)
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["topic", *(f"system{number}" for number in range(systems))])
        out.writerows([topic + 1, *scores] for topic, scores in enumerate(rows.T.round(4).tolist()))
    return path


if __name__ == "__main__":
    answer()
