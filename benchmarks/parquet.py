"""Is a run in Parquet evaluated as fast as in text? 6,980 topics × 1,000 documents, written by `gainful convert`."""

import sys

from support.data import FOLDER, path
from support.measuring import GAINFUL, costs, evaluate, hold, means, once, tell, warm

ROUNDS = 9
AS_PYARROW_WOULD = """
import sys
from pyarrow import parquet
parquet.write_table(parquet.read_table(sys.argv[1]), sys.argv[2])
"""  # a process of its own: what it takes must not count as ours


def answer() -> None:
    judgments, run = path("medium.qrels"), path("medium.run")
    ours, theirs = FOLDER / "medium.parquet", FOLDER / "medium-pyarrow.parquet"
    if not ours.exists():
        once([GAINFUL, "convert", str(run), str(ours)])
    if not theirs.exists():
        once([sys.executable, "-c", AS_PYARROW_WOULD, str(ours), str(theirs)])
    warm(judgments, run, ours, theirs)
    commands = {
        "gainful, text": evaluate(judgments, run),
        "gainful, Parquet by gainful convert": evaluate(judgments, ours),
        "gainful, Parquet by pyarrow's defaults": evaluate(judgments, theirs),
    }
    found = costs(commands, rounds=ROUNDS)
    tell(found)
    text, converted, default = found.values()
    if not means(text.output) == means(converted.output) == means(default.output):
        raise AssertionError("the same run has other scores in Parquet than in text")
    # one core decodes Parquet, in up to twice the time in which two read the text
    hold("Parquet by gainful convert, against text", converted.seconds / text.seconds, most=2.0)
    print(
        f"  Parquet by pyarrow's defaults, against text {default.seconds / text.seconds:10.2f} times, no bar"
    )
