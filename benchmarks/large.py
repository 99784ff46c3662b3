"""Does memory stay bounded? A run of 70 million lines (2.5 GB), in order and shuffled; asked with --large."""

from support.data import path
from support.measuring import cost, evaluate, hold, means, state, warm


def answer() -> None:
    smaller = cost(evaluate(path("medium.qrels"), path("medium.run")))
    state("gainful, 7 million lines", smaller.seconds, smaller.megabytes)
    judgments, run, shuffled = path("large.qrels"), path("large.run"), path("large-shuffled.run")
    warm(judgments, run)
    ordered = cost(evaluate(judgments, run))
    state("gainful, 70 million lines", ordered.seconds, ordered.megabytes)
    hold("peak memory against the smaller file's", ordered.megabytes / smaller.megabytes, most=1.2)
    warm(shuffled)
    scattered = cost(evaluate(judgments, shuffled), repeat=1)
    state("gainful, 70 million lines shuffled", scattered.seconds, scattered.megabytes)
    hold("peak memory when shuffled", scattered.megabytes, most=400, unit="MB")
    if means(ordered.output) != means(scattered.output):
        raise RuntimeError("the order of the lines changed the means")
