"""What does gzip cost, with a fast library installed and with the standard library alone?

One core has to decompress from the first byte to the last, so the bars compare with a Python that does nothing else.
"""

import importlib.util
import sys

from support.data import path
from support.measuring import costs, evaluate, hold, tell, warm

FAST = ("isal", "zlib_ng")
HIDDEN = f"import sys; sys.modules.update(dict.fromkeys({FAST})); from gainful.cli import main; main()"
DECOMPRESSING = """
import sys
from {module} import open
with open(sys.argv[1]) as content:
    room = bytearray(1 << 21)
    while content.readinto(room):
        pass
"""


def answer() -> None:
    judgments, run, packed = path("medium.qrels"), path("medium.run"), path("medium.run.gz")
    warm(judgments, run, packed)
    plain, slow, gzip = "gainful, plain", "gainful, gz with the standard library", "Python's gzip alone"
    fast, isal = "gainful, gz with isal", "isal alone"
    _, *words = evaluate(judgments, packed)
    commands = {
        plain: evaluate(judgments, run),
        slow: [sys.executable, "-c", HIDDEN, *words],
        gzip: [sys.executable, "-c", DECOMPRESSING.format(module="gzip"), packed],
    }
    if importlib.util.find_spec("isal"):
        commands[fast] = evaluate(judgments, packed)
        commands[isal] = [sys.executable, "-c", DECOMPRESSING.format(module="isal.igzip"), packed]
    found = costs(commands, rounds=5)
    tell(found)
    if fast in found:
        print(f"  gz with isal against plain: {found[fast].seconds / found[plain].seconds:.2f} times")
        hold("evaluating gz against isal alone", found[fast].seconds / found[isal].seconds, most=1.4)
    hold("evaluating gz against Python's gzip alone", found[slow].seconds / found[gzip].seconds, most=1.2)
