"""Do two threads help when many runs share their judgments? 100 runs of 50 topics × 1,000 documents."""

import statistics
import time
from concurrent.futures import ThreadPoolExecutor

from support.data import path, paths
from support.measuring import Command, costs, evaluate, hold, once, tell, warm


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
    gained = 2 * found[one].seconds / side_by_side(commands[one])
    print(f"  two such commands side by side, against two in a row {gained:.2f} times: what the cores give")


def side_by_side(command: Command, *, rounds: int = 5) -> float:
    """Seconds for two of them at once, which share nothing: the most that a second core of this machine can do."""
    words = [str(word) for word in command]
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(once, [words, words]))
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)
