"""How fast, and in how much memory, are files evaluated? 6,980 topics × 1,000 documents, five measures."""

from support.data import path
from support.measuring import cost, evaluate, hold, means, peers, state, warm

BARS = {"pytrec_eval": 20, "ir_measures": 35, "trec_eval": 15}


def answer() -> None:
    judgments, run = path("medium.qrels"), path("medium.run")
    warm(judgments, run)
    ours = cost(evaluate(judgments, run), repeat=5)
    state("gainful", ours.seconds, ours.megabytes)
    for name, command in peers(judgments, run).items():
        theirs = cost(command, repeat=3)
        state(name, theirs.seconds, theirs.megabytes)
        ratio = theirs.seconds / ours.seconds
        if name in BARS:
            hold(f"faster than {name}", ratio, least=BARS[name])
        if name == "pytrec_eval":
            hold("less memory than pytrec_eval", theirs.megabytes / ours.megabytes, least=12)
            check(means(ours.output), [float(line.split()[1]) for line in theirs.output.splitlines()])


def check(ours: list[float], theirs: list[float]) -> None:
    """Both did the same work."""
    if any(abs(a - b) > 1e-9 for a, b in zip(ours, theirs, strict=True)):
        raise RuntimeError(f"the means differ: {ours} and {theirs}")
