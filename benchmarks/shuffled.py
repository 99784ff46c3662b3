"""What does it cost when the lines of the same file come in random order?"""

from support.data import path
from support.measuring import cost, evaluate, hold, means, state, warm


def answer() -> None:
    judgments, run, shuffled = path("medium.qrels"), path("medium.run"), path("medium-shuffled.run")
    warm(judgments, run, shuffled)
    ordered = cost(evaluate(judgments, run), repeat=5)
    state("gainful, topics together", ordered.seconds, ordered.megabytes)
    scattered = cost(evaluate(judgments, shuffled), repeat=5)
    state("gainful, lines shuffled", scattered.seconds, scattered.megabytes)
    hold("shuffled against together", scattered.seconds / ordered.seconds, most=4)
    hold("peak memory when shuffled", scattered.megabytes, most=250, unit="MB")
    if means(ordered.output) != means(scattered.output):
        raise RuntimeError("the order of the lines changed the means")
