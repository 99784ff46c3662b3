"""What does it cost to sweep all readers? 15 runs × 54 topics × 1,000 ranks, 105 pairs, all three sweeps."""

import json
import resource
import sys
import time

from support.data import FOLDER, write_judgments, write_run
from support.measuring import hold, inside, state, warm

RUNS, TOPICS, SEED = 15, 54, 200
JUDGMENTS = FOLDER / "readers.qrels"
FILES = [FOLDER / f"readers-{number:02}.run" for number in range(RUNS)]


def answer() -> None:
    FOLDER.mkdir(exist_ok=True)
    if not all(path.exists() for path in (JUDGMENTS, *FILES)):
        make()
    warm(JUDGMENTS, *FILES)
    for number, most in ((2, 2), (RUNS, 10)):
        found = inside("readers", str(number))
        what = f"gainful, readers of {number} runs, {found['pairs']} pairs, {found['points']:,} points"
        state(what, found["seconds"], found["megabytes"])
        hold(f"all sweeps of {number} runs, files read", found["seconds"], most=most, unit="s")


def make() -> None:
    """Write the files, each whole or not at all."""
    for path in (JUDGMENTS, *FILES):
        partial = path.with_suffix(".part")
        with partial.open("wb") as out:
            if path is JUDGMENTS:
                write_judgments(out, topics=TOPICS, seed=SEED, each=200)
            else:
                write_run(out, topics=TOPICS, seed=SEED, system=FILES.index(path))
        partial.rename(path)


def main(number: str) -> None:
    from gainful.comparisons import readers

    start = time.perf_counter()
    found = readers.sweep(JUDGMENTS, FILES[: int(number)])
    seconds = time.perf_counter() - start
    assert found.sweeps[0].at[-1] == 1000
    points = sum(len(sweep.at) for sweep in found)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps({"seconds": seconds, "megabytes": megabytes, "pairs": len(found.pairs), "points": points})
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
