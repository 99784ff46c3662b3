"""How close is a run of usual size (250 topics × 1,000 documents) to the time Python needs to load numpy?"""

import sys

from support.data import path
from support.measuring import cost, evaluate, hold, peers, state, warm


def answer() -> None:
    judgments, run = path("small.qrels"), path("small.run")
    warm(judgments, run)
    cost(evaluate(judgments, run), repeat=1)
    base = cost([sys.executable, "-c", "import numpy"], repeat=11)
    state('python -c "import numpy"', base.seconds, base.megabytes)
    ours = cost(evaluate(judgments, run), repeat=11)
    state("gainful", ours.seconds, ours.megabytes)
    hold("gainful against loading numpy", ours.seconds / base.seconds, most=2)
    for name, command in peers(judgments, run).items():
        theirs = cost(command)
        state(name, theirs.seconds, theirs.megabytes)
        print(f"  {f'faster than {name}':<44}{theirs.seconds / ours.seconds:10,.2f} times")
