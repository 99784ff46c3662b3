"""What does gzip cost, with a fast library installed and with the standard library alone?"""

import importlib.util
import sys

from support.data import path
from support.measuring import costs, evaluate, hold, tell, warm

FAST = ("isal", "zlib_ng")
HIDDEN = f"import sys; sys.modules.update(dict.fromkeys({FAST})); from gainful.cli import main; main()"


def answer() -> None:
    judgments, run, packed = path("medium.qrels"), path("medium.run"), path("medium.run.gz")
    warm(judgments, run, packed)
    plain, fast, slow = (
        "gainful, plain",
        "gainful, gz with isal or zlib-ng",
        "gainful, gz with the standard library",
    )
    _, *words = evaluate(judgments, packed)
    commands = {plain: evaluate(judgments, run), slow: [sys.executable, "-c", HIDDEN, *words]}
    if any(map(importlib.util.find_spec, FAST)):
        commands[fast] = evaluate(judgments, packed)
    found = costs(commands, rounds=3)
    tell(found)
    if fast in found:
        hold("gz against plain", found[fast].seconds / found[plain].seconds, most=2.5)
    hold("gz with the standard library against plain", found[slow].seconds / found[plain].seconds, most=4.5)
