"""Is this version of Gainful as fast as an older one? `make bench` compares with peers, this with ourselves.

    python benchmarks/old_and_new.py --old OLD/.venv/bin/python --new .venv/bin/python [QUESTION...]

Each version runs in processes of its own, which take turns. What is measured is their processor time, as other work on
the machine adds little to it; of all rounds the fastest and the median count. The old version runs a second time in every
round: by how much its two results differ is the noise, and a ratio within it says nothing. Memory is the largest of all rounds.
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

from support.data import FOLDER, paths

Call = Callable[[], object]
FILES = {
    "files": ["medium.qrels", "medium.run"],
    "small": ["small.qrels", "small.run"],
    "many_runs": ["many.qrels", *(f"many-{number:02}.run" for number in range(100))],
    "lines": ["medium.qrels", "medium.run"],
    "compressed": ["medium.qrels", "medium.run.gz"],
    "check": ["medium.qrels", "medium-shuffled.run"],
}
MEASURES = ["AP", "nDCG@10", "RR", "P@10", "R@1000"]
BATCHES = 40  # of documents: more than there are rounds


def files() -> Call:
    """6,980 topics × 1,000 documents, read from a file."""
    return _command("files")


def small() -> Call:
    """250 topics × 1,000 documents, read from a file."""
    return _command("small")


def many_runs() -> Call:
    """100 runs of 50 topics × 1,000 documents."""
    return _command("many_runs")


def compressed() -> Call:
    """6,980 topics × 1,000 documents, read from a gz file."""
    return _command("compressed")


def check() -> Call:
    """Faults looked for in 6,980 topics × 1,000 documents whose lines are shuffled."""
    return _gainful("check", *paths(*FILES["check"]), fine=(0, 3))


def report() -> Call:
    """A page about 2 systems × 5,000 topics × 100 documents."""
    from report import MANY_TOPICS, data

    page = FOLDER / f"report-{os.getpid()}.html"
    return _gainful("report", *data(*MANY_TOPICS), "-o", page, "--overwrite")


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


def shim() -> Call:
    """1,000 lists of ten documents, one after the other, through the stand-in for pytrec_eval."""
    from gainful.compat.pytrec_eval import RelevanceEvaluator

    run = {"topic": {f"document-{number}": 10.0 - number for number in range(10)}}
    judgments = {"topic": {f"document-{number}": number % 4 for number in range(0, 20, 2)}}
    evaluator = RelevanceEvaluator(judgments, ["map", "ndcg_cut_10", "recip_rank", "P_10", "recall_100"])
    return lambda: [evaluator.evaluate(run) for _ in range(1000)]


def filtering() -> Call:
    """1,500 documents after 10,000 others or more, against 10,000 profiles, whose thresholds are set anew at least once."""
    from itertools import count
    from tempfile import TemporaryDirectory

    from filter_state import HISTORY, documents, topics

    from gainful.filtering import Filter

    folder = TemporaryDirectory()
    state = Filter.create(Path(folder.name) / "state")
    state.ingest(documents(HISTORY, 1), deliver=False)
    state.add_profiles(topics(10_000))
    batches = (list(documents(1_500, seed)) for seed in count(2))
    coming = [next(batches) for _ in range(BATCHES)]

    return lambda: (
        folder,
        state.ingest(coming.pop()),
    )  # the folder is there as long as somebody may ask for it


QUESTIONS = {
    question.__name__: question
    for question in (
        *(files, small, many_runs, lines, compressed, dicts, one_topic, shim),
        *(check, report, filtering),
    )
}


def _command(question: str) -> Call:
    words = ["-m", ",".join(MEASURES), "-f", "json", "--threads", "1"]
    return _gainful("evaluate", *paths(*FILES[question]), *words)


def _gainful(*words: str | Path, fine: tuple[int, ...] = (0,)) -> Call:
    """A command, which ends with one of these exit codes."""
    command = [Path(sys.executable).parent / "gainful", *words]

    def run() -> object:
        done = subprocess.run(command, check=False, capture_output=True)
        if done.returncode not in fine:
            raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
        return done

    return run


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
    heads = ("old", "new", "fastest", "median", "noise", "old", "new")
    print(f"{'processor time, new/old':<26}{''.join(f'{head:>10}' for head in heads)}")
    for name in asked.questions or QUESTIONS:
        _compare(name, asked.old, asked.new, asked.rounds)


def _compare(name: str, old: str, new: str, rounds: int) -> None:
    workers = {}
    for who, python in (("old", old), ("new", new), ("again", old)):
        workers[who] = _start(name, python)
        _answer(workers[who])  # it is ready, and has made the data that were missing
    seconds: dict[str, list[float]] = {who: [] for who in workers}
    megabytes = dict.fromkeys(workers, 0.0)
    for number in range(rounds + 1):
        for who in sorted(workers, reverse=number % 2 == 1):
            taken, megabytes[who] = _ask(workers[who])
            if number > 0:  # the first round fills the caches
                seconds[who].append(taken)
    for worker in workers.values():
        worker.communicate("", timeout=60)
    fastest = {who: min(taken) for who, taken in seconds.items()}
    median = {who: statistics.median(taken) for who, taken in seconds.items()}
    noise = max(abs(times["again"] / times["old"] - 1) for times in (fastest, median))
    print(
        f"{name:<26}{fastest['old']:>9.3f}s{fastest['new']:>9.3f}s{fastest['new'] / fastest['old']:>10.3f}"
        f"{median['new'] / median['old']:>10.3f}{f'±{noise:.3f}':>10}"
        f"{megabytes['old']:>7.0f} MB{megabytes['new']:>7.0f} MB",
        flush=True,
    )


def _start(name: str, python: str) -> subprocess.Popen[str]:
    worker = [str(Path(python).absolute()), __file__, "--answer", name]
    # Compiled modules are kept, as they are for users: uv installs packages without them.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.Popen(worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


def _ask(worker: subprocess.Popen[str]) -> tuple[float, float]:
    assert worker.stdin is not None
    worker.stdin.write("\n")
    worker.stdin.flush()
    seconds, megabytes = map(float, _answer(worker).split())
    return seconds, megabytes


def _answer(worker: subprocess.Popen[str]) -> str:
    assert worker.stdout is not None
    if not (line := worker.stdout.readline()):
        raise SystemExit("a version failed; what it said stands above")
    return line


def serve(name: str) -> None:
    """The other end: for each line that comes in, the seconds that one call takes, and the peak of memory so far."""
    call = QUESTIONS[name]()
    print("ready", flush=True)
    for _ in sys.stdin:
        start = _processor_seconds()
        call()
        print(_processor_seconds() - start, _megabytes(), flush=True)


def _processor_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _megabytes() -> float:
    """The peak of the commands that were run, or of this process where none was."""
    commands = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return (commands or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / 1024


if __name__ == "__main__":
    if sys.argv[1:2] == ["--answer"]:
        serve(sys.argv[2])
    else:
        main()
