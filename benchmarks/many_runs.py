"""Do two threads help when many runs share their judgments? 100 runs of 50 topics × 1,000 documents."""

from support.data import path
from support.measuring import cost, evaluate, hold, state, warm


def answer() -> None:
    judgments, runs = path("many.qrels"), [path(f"many-{number:02}.run") for number in range(100)]
    warm(judgments, *runs)
    one = cost(evaluate(judgments, *runs, options=["--threads", "1"]), repeat=5)
    state("gainful, 100 runs, one thread", one.seconds, one.megabytes)
    two = cost(evaluate(judgments, *runs, options=["--threads", "2"]), repeat=5)
    state("gainful, 100 runs, two threads", two.seconds, two.megabytes)
    hold("two threads faster than one", one.seconds / two.seconds, least=1.5)
