"""What does gzip cost, with a fast library installed and with the standard library alone?"""

import importlib.util
import sys

from support.data import path
from support.measuring import cost, evaluate, hold, state, warm

FAST = ("isal", "zlib_ng")
HIDDEN = f"import sys; sys.modules.update(dict.fromkeys({FAST})); from gainful.cli import main; main()"


def answer() -> None:
    judgments, plain, packed = path("medium.qrels"), path("medium.run"), path("medium.run.gz")
    warm(judgments, plain, packed)
    base = cost(evaluate(judgments, plain), repeat=5)
    state("gainful, plain", base.seconds, base.megabytes)
    if any(map(importlib.util.find_spec, FAST)):
        fast = cost(evaluate(judgments, packed))
        state("gainful, gz with isal or zlib-ng", fast.seconds, fast.megabytes)
        hold("gz against plain", fast.seconds / base.seconds, most=2.5)
    _, *words = evaluate(judgments, packed)
    slow = cost([sys.executable, "-c", HIDDEN, *words])
    state("gainful, gz with the standard library", slow.seconds, slow.megabytes)
    hold("gz with the standard library against plain", slow.seconds / base.seconds, most=4)
