"""Is this version of Gainful as fast as an older one? `make bench` compares with peers, this with ourselves.

    python benchmarks/old_and_new.py --old OLD/.venv/bin/python --new .venv/bin/python [QUESTION...]

Each version runs in processes of its own, which take turns. What is measured is their processor time, as other work on
the machine adds little to it; of all rounds the fastest and the median count. The old version runs a second time in every
round: by how much its two results differ is the noise, and a ratio within it says nothing.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from support.data import paths

Call = Callable[[], object]
FILES = {
    "files": ["medium.qrels", "medium.run"],
    "small": ["small.qrels", "small.run"],
    "many_runs": ["many.qrels", *(f"many-{number:02}.run" for number in range(100))],
    "lines": ["medium.qrels", "medium.run"],
}
MEASURES = ["AP", "nDCG@10", "RR", "P@10", "R@1000"]


def files() -> Call:
    """6,980 topics × 1,000 documents, read from a file."""
    return _command("files")


def small() -> Call:
    """250 topics × 1,000 documents, read from a file."""
    return _command("small")


def many_runs() -> Call:
    """100 runs of 50 topics × 1,000 documents."""
    return _command("many_runs")


def lines() -> Call:
    """The file of 7 million lines again, within one process and thread: reading and matching alone."""
    import gainful

    judgments, run = paths(*FILES["lines"])
    prepared = gainful.read_qrels(judgments)
    return lambda: gainful.evaluate(prepared, run, ["AP"], threads=1)


def dicts() -> Call:
    """1,000 topics × 1,000 documents in nested dicts."""
    from dicts import build

    import gainful

    judgments, run = build("own", topics=1000)
    prepared = gainful.read_qrels(judgments)
    return lambda: gainful.evaluate(prepared, run, MEASURES)


def one_topic() -> Call:
    """1,000 calls with one topic and ten documents."""
    import gainful

    run = {"topic": {f"document-{number}": 10.0 - number for number in range(10)}}
    prepared = gainful.read_qrels({"topic": {f"document-{number}": number % 4 for number in range(0, 20, 2)}})
    measure = gainful.nDCG @ 10
    return lambda: [gainful.evaluate(prepared, run, [measure]) for _ in range(1000)]


QUESTIONS = {question.__name__: question for question in (files, small, many_runs, lines, dicts, one_topic)}


def _command(question: str) -> Call:
    words = [
        "evaluate",
        *map(str, paths(*FILES[question])),
        "-m",
        ",".join(MEASURES),
        "-f",
        "json",
        "--threads",
        "1",
    ]
    return lambda: subprocess.run(
        [Path(sys.executable).parent / "gainful", *words], check=True, capture_output=True
    )


def main() -> None:
    """Print how long both versions take, their ratio and the noise, for each question."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--old", required=True, help="the Python of the older version's environment")
    options.add_argument("--new", required=True, help="the Python of the newer version's environment")
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("questions", nargs="*", metavar="QUESTION", help=", ".join(QUESTIONS))
    asked = options.parse_args()
    if unknown := sorted(set(asked.questions) - set(QUESTIONS)):
        options.error(f"no such question: {', '.join(unknown)}; there are {', '.join(QUESTIONS)}")
    print(f"{'processor time, new/old':<26}{'old':>10}{'new':>10}{'fastest':>10}{'median':>10}{'noise':>10}")
    for name in asked.questions or QUESTIONS:
        _compare(name, asked.old, asked.new, asked.rounds)


def _compare(name: str, old: str, new: str, rounds: int) -> None:
    paths(*FILES.get(name, []))  # made by one process
    workers = {who: _start(name, python) for who, python in (("old", old), ("new", new), ("again", old))}
    seconds: dict[str, list[float]] = {who: [] for who in workers}
    for number in range(rounds + 1):
        for who in sorted(workers, reverse=number % 2 == 1):
            taken = _ask(workers[who])
            if number > 0:  # the first round fills the caches
                seconds[who].append(taken)
    for worker in workers.values():
        worker.communicate("", timeout=60)
    fastest = {who: min(taken) for who, taken in seconds.items()}
    median = {who: statistics.median(taken) for who, taken in seconds.items()}
    noise = max(abs(times["again"] / times["old"] - 1) for times in (fastest, median))
    print(
        f"{name:<26}{fastest['old']:>9.3f}s{fastest['new']:>9.3f}s{fastest['new'] / fastest['old']:>10.3f}"
        f"{median['new'] / median['old']:>10.3f}{f'±{noise:.3f}':>10}",
        flush=True,
    )


def _start(name: str, python: str) -> subprocess.Popen[str]:
    worker = [str(Path(python).absolute()), __file__, "--answer", name]
    # Compiled modules are kept, as they are for users: uv installs packages without them.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.Popen(worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def _ask(worker: subprocess.Popen[str]) -> float:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write("\n")
    worker.stdin.flush()
    return float(worker.stdout.readline())


def serve(name: str) -> None:
    """The other end: for each line that comes in, the seconds that one call takes."""
    call = QUESTIONS[name]()
    for _ in sys.stdin:
        start = _processor_seconds()
        call()
        print(_processor_seconds() - start, flush=True)


def _processor_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    if sys.argv[1:2] == ["--answer"]:
        serve(sys.argv[2])
    else:
        main()
