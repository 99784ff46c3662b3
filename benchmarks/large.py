"""Does memory stay bounded? A run of 70 million lines (2.5 GB), in order and shuffled; asked with --large."""

from support.data import path
from support.measuring import costs, evaluate, hold, means, tell, warm


def answer() -> None:
    smaller, larger, scattered = (
        "gainful, 7 million lines",
        "gainful, 70 million lines",
        "gainful, 70 million shuffled",
    )
    judgments, run, shuffled = path("large.qrels"), path("large.run"), path("large-shuffled.run")
    small = evaluate(path("medium.qrels"), path("medium.run"))
    warm(judgments, run)
    found = costs({smaller: small, larger: evaluate(judgments, run)}, rounds=3)
    warm(shuffled)
    found |= costs({scattered: evaluate(judgments, shuffled)}, rounds=1)
    tell(found)
    hold(
        "peak memory against the smaller file's", found[larger].megabytes / found[smaller].megabytes, most=1.2
    )
    hold("peak memory when shuffled", found[scattered].megabytes, most=400, unit="MB")
    if means(found[larger].output) != means(found[scattered].output):
        raise RuntimeError("the order of the lines changed the means")
