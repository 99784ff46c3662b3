"""Attack the command line with damaged files, and compare what must be equal.

    python -m tests.fuzz --seconds 600 --seed 1
    python -m tests.fuzz --seed 1 --case 4711        one case again, with its files kept

Every case is drawn from the seed and its number alone. A case fails where a command ends with exit code 70, by a signal,
not at all, or with more memory than its bound; and where two ways to give the same data give different scores.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fuzz import cases

KEPT = 20
"""Failures after which the search ends."""


def main() -> int:
    """Exit code 1 where any case failed."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--seconds", type=float, default=600, help="stop after so long (default 600)")
    options.add_argument("--cases", type=int, default=1_000_000, help="stop after so many cases")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--case", type=int, help="run this one alone, and keep its files in build/fuzz")
    asked = options.parse_args()
    cases.warm_up()
    if asked.case is not None:
        return _again(asked.seed, asked.case)
    counts: Counter[str] = Counter()
    failures: list[str] = []
    deadline = time.monotonic() + asked.seconds
    for number in range(asked.cases):
        if time.monotonic() > deadline or len(failures) >= KEPT:
            break
        with tempfile.TemporaryDirectory(prefix="gainful-fuzz-") as folder:
            kind, failure = _case(asked.seed, number, Path(folder))
        counts[kind] += 1
        if failure:
            failures.append(f"case {number} ({kind}): {failure}")
            print(failures[-1], file=sys.stderr, flush=True)
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
    print(f"{counts.total()} cases of seed {asked.seed} ({kinds}): {len(failures)} failed.")
    return 1 if failures else 0


def _case(seed: int, number: int, folder: Path) -> tuple[str, str | None]:
    draw = random.Random(f"{seed}/{number}")
    kind = draw.choice(list(cases.KINDS))
    return kind, cases.KINDS[kind](draw, folder)


def _again(seed: int, number: int) -> int:
    folder = Path("build/fuzz") / f"{seed}-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    kind, failure = _case(seed, number, folder.resolve())
    print(f"case {number} ({kind}) in {folder}: {failure or 'fine'}")
    return 1 if failure else 0


if __name__ == "__main__":
    sys.exit(main())
