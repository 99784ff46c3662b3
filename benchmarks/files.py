"""How fast, and in how much memory, are files evaluated? 6,980 topics × 1,000 documents, five measures."""

from support.data import path
from support.measuring import costs, evaluate, hold, means, peers, tell, warm

BARS = {"pytrec_eval": 20, "ir_measures": 35, "trec_eval": 15}


def answer() -> None:
    judgments, run = path("medium.qrels"), path("medium.run")
    warm(judgments, run)
    found = costs({"gainful": evaluate(judgments, run), **peers(judgments, run)}, rounds=3, ours=3)
    tell(found)
    ours, peer = found["gainful"], found["pytrec_eval"]
    check(means(ours.output), [float(line.split()[1]) for line in peer.output.splitlines()])
    for name, bar in BARS.items():
        if name in found:
            hold(f"faster than {name}", found[name].seconds / ours.seconds, least=bar)
    hold("less memory than pytrec_eval", peer.megabytes / ours.megabytes, least=12)


def check(ours: list[float], theirs: list[float]) -> None:
    """Both did the same work."""
    if any(abs(a - b) > 1e-9 for a, b in zip(ours, theirs, strict=True)):
        raise RuntimeError(f"the means differ: {ours} and {theirs}")
