"""How close is a run of usual size (250 topics × 1,000 documents) to the time Python needs to load numpy?"""

import sys

from support.data import path
from support.measuring import costs, evaluate, hold, peers, tell, warm


def answer() -> None:
    judgments, run = path("small.qrels"), path("small.run")
    warm(judgments, run)
    numpy = 'python -c "import numpy"'
    ours = evaluate(judgments, run)
    found = costs({numpy: [sys.executable, "-c", "import numpy"], "gainful": ours}, rounds=15)
    found |= costs(peers(judgments, run), rounds=3)
    tell(found)
    hold("gainful against loading numpy", found["gainful"].seconds / found[numpy].seconds, most=1.2)
