"""Do two threads help when many runs share their judgments? 100 runs of 50 topics × 1,000 documents."""

from support.data import path, paths
from support.measuring import costs, evaluate, hold, tell, warm


def answer() -> None:
    judgments, runs = path("many.qrels"), paths(*(f"many-{number:02}.run" for number in range(100)))
    warm(judgments, *runs)
    one, two = "gainful, one thread", "gainful, two threads"
    commands = {
        name: evaluate(judgments, *runs, options=["--threads", n]) for name, n in ((one, "1"), (two, "2"))
    }
    found = costs(commands)
    tell(found)
    hold("two threads faster than one", found[one].seconds / found[two].seconds, least=1.5)
