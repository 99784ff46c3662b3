"""What do a dialect and ties in random order cost? Processor time, 6,980 topics × 1,000 documents, a tenth tied."""

import random
import resource
import subprocess
from pathlib import Path

from support.data import FOLDER, path
from support.measuring import GAINFUL, hold, state, warm

OURS = "nDCG@10,AP,RR,P@10,R@100"
TREC = "ndcg_cut_10,map,recip_rank,P_10,recall_100"
ASKED = {
    "plain": ["-m", OURS],
    "--dialect trec-eval@10": ["--dialect", "trec-eval@10", "-m", TREC],
    "--dialect trec-eval@9": ["--dialect", "trec-eval@9", "-m", TREC],
    "--ties expected": ["--ties", "expected", "-m", OURS],
}


def answer() -> None:
    judgments, run = path("medium.qrels"), tied()
    warm(judgments, run)
    seconds = {name: min(spent(judgments, run, said) for _ in range(3)) for name, said in ASKED.items()}
    for name, needed in seconds.items():
        state(name, needed)
    for name, most in (
        ("--dialect trec-eval@10", 1.2),
        ("--dialect trec-eval@9", 1.2),
        ("--ties expected", 2),
    ):
        hold(f"{name}, times plain", seconds[name] / seconds["plain"], most=most)


def tied() -> Path:
    """The medium run with every tenth score equal to a neighbour's."""
    made = FOLDER / "tied.run"
    if made.exists():
        return made
    source, chance, before = path("medium.run"), random.Random(1), [b""] * 6
    with source.open("rb") as lines, made.with_suffix(".part").open("wb") as out:
        for line in lines:
            fields = line.split()
            if fields[0] == before[0] and chance.random() < 0.05:
                fields[4] = before[4]
            out.write(b" ".join(fields) + b"\n")
            before = fields
    return made.with_suffix(".part").rename(made)


def spent(judgments: Path, run: Path, said: list[str]) -> float:
    """Seconds of processor time of one command, all threads together."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [GAINFUL, "evaluate", judgments, run, *said],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
