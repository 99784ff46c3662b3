"""Clocks and memory meters, and answers in words."""

import importlib.util
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
GAINFUL = str(Path(sys.executable).parent / "gainful")
MEASURES = ("AP", "nDCG@10", "RR", "P@10", "R@1000")
TREC_MEASURES = ("map", "ndcg_cut_10", "recip_rank", "P_10", "recall_1000")
MISSED: list[str] = []


@dataclass(frozen=True)
class Cost:
    """What a command took, process start to exit."""

    seconds: float  # the median
    megabytes: float  # the highest peak
    output: str  # what it printed the last time

    @classmethod
    def of(cls, found: list[tuple[float, float, str]]) -> "Cost":
        """Of several runs."""
        seconds, peaks, outputs = zip(*found, strict=True)
        return cls(statistics.median(seconds), max(peaks), outputs[-1])


Command = Sequence[str | Path]


def costs(commands: Mapping[str, Command], *, rounds: int = 5, ours: int = 1) -> dict[str, Cost]:
    """What each command takes; they take turns, so that whatever else the machine does falls on all of them.

    Where the peers take long, `ours` is how often Gainful runs in each round, for a steadier median.
    """
    taken: dict[str, list[tuple[float, float, str]]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            for _ in range(ours if name.startswith("gainful") else 1):
                taken[name].append(once([str(word) for word in command]))
    return {name: Cost.of(found) for name, found in taken.items()}


def once(command: list[str]) -> tuple[float, float, str]:
    """Seconds, peak megabytes and standard output of one run of a command."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        files = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_DUP2, err.fileno(), 2)]
        start = time.perf_counter()
        child = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
        _, status, used = os.wait4(child, 0)
        seconds = time.perf_counter() - start
        out.seek(0)
        err.seek(0)
        if status != 0:
            raise RuntimeError(f"{' '.join(command[:4])} … failed:\n{err.read().decode(errors='replace')}")
        return seconds, used.ru_maxrss / 1024, out.read().decode()


def warm(*paths: Path) -> None:
    """Bring files into the page cache."""
    for path in paths:
        with path.open("rb") as file:
            while file.read(1 << 22):
                pass


def inside(question: str, *words: str) -> Any:
    """Ask a question's own file in a fresh process; it prints its answer as JSON."""
    _, _, output = once([sys.executable, str(HERE.parent / f"{question}.py"), *words])
    return json.loads(output.splitlines()[-1])


def evaluate(judgments: Path, *runs: Path, options: Sequence[str] = ()) -> Command:
    """Gainful's command for the five measures."""
    return [GAINFUL, "evaluate", judgments, *runs, "-m", ",".join(MEASURES), "-f", "json", *options]


def peers(judgments: Path, run: Path) -> dict[str, Command]:
    """The command of each peer at hand, for the same five measures on the same files."""
    found: dict[str, Command] = {
        "pytrec_eval": [sys.executable, HERE / "peer_pytrec_eval.py", judgments, run, *TREC_MEASURES],
        "ir_measures": [sys.executable, "-m", "ir_measures", judgments, run, *MEASURES],
    }
    if trec_eval := shutil.which("trec_eval"):
        names = [word for name in TREC_MEASURES for word in ("-m", name.replace("_1", ".1"))]  # P_10 is P.10
        found["trec_eval"] = [trec_eval, *names, judgments, run]
    if importlib.util.find_spec("ranx"):
        found["ranx"] = [sys.executable, HERE / "peer_ranx.py", judgments, run]
    return found


def means(output: str) -> list[float]:
    """The five means in Gainful's JSON."""
    found = json.loads(output)["runs"][0]["mean"]
    return [found[measure] for measure in MEASURES]


def tell(found: Mapping[str, Cost]) -> None:
    """Print what each command took."""
    for name, cost in found.items():
        state(name, cost.seconds, cost.megabytes)


def state(what: str, seconds: float, megabytes: float | None = None) -> None:
    """Print what something took."""
    memory = "" if megabytes is None else f"{megabytes:9,.0f} MB"
    print(f"  {what:<44}{duration(seconds):>10}{memory}", flush=True)


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    return f"{seconds * 1e6:,.1f} µs" if seconds < 1e-3 else f"{seconds:,.3f} s"


def hold(
    what: str, value: float, *, least: float | None = None, most: float | None = None, unit: str = "times"
) -> None:
    """Print a ratio beside its bar, and whether the bar is met."""
    met = (least is None or value >= least) and (most is None or value <= most)
    bar = f"at least {least:g}" if least is not None else f"at most {most:g}"
    print(f"  {what:<44}{value:10,.2f} {unit}, {bar}: {'met' if met else 'MISSED'}", flush=True)
    if not met:
        MISSED.append(what)
