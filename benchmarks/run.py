"""Ask the questions of this folder: Gainful and its peers in one run, ratios beside the bars to meet.

    python benchmarks/run.py [QUESTION...] [--large] [--strict]

A question is a file beside this one that has a function `answer`.
Without any, all are asked but `large`, which needs --large: it takes minutes and 6 GB of disk.
With --strict a bar that is missed makes the exit status 1.
"""

import argparse
import importlib
import sys
from pathlib import Path

from support.measuring import MISSED

QUESTIONS = sorted(
    path.stem
    for path in Path(__file__).parent.glob("*.py")
    if "\ndef answer()" in path.read_text() and path.stem != "large"
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help=f"{', '.join(QUESTIONS)}, large")
    parser.add_argument("--large", action="store_true", help="ask the question of 70 million lines too")
    parser.add_argument("--strict", action="store_true", help="exit with 1 where a bar is missed")
    wanted = parser.parse_args()
    if unknown := sorted(set(wanted.questions) - {*QUESTIONS, "large"}):
        parser.error(f"no such question: {', '.join(unknown)}; there are {', '.join(QUESTIONS)}, large")
    for name in [*(wanted.questions or QUESTIONS), *(["large"] if wanted.large else [])]:
        question = importlib.import_module(name)
        print(f"\n{name}: {(question.__doc__ or '').splitlines()[0]}", flush=True)
        question.answer()
    print(f"\nMissed: {'; '.join(MISSED)}" if MISSED else "\nEvery bar is met.")
    return 1 if MISSED and wanted.strict else 0


if __name__ == "__main__":
    sys.exit(main())
