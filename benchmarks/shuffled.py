"""What does it cost when the lines of the same file come in random order?"""

from support.data import path
from support.measuring import costs, evaluate, hold, means, tell, warm


def answer() -> None:
    judgments, run, shuffled = path("medium.qrels"), path("medium.run"), path("medium-shuffled.run")
    warm(judgments, run, shuffled)
    together, scattered = "gainful, topics together", "gainful, lines shuffled"
    found = costs({together: evaluate(judgments, run), scattered: evaluate(judgments, shuffled)})
    tell(found)
    hold("shuffled against together", found[scattered].seconds / found[together].seconds, most=4)
    hold("peak memory when shuffled", found[scattered].megabytes, most=250, unit="MB")
    if means(found[together].output) != means(found[scattered].output):
        raise RuntimeError("the order of the lines changed the means")
