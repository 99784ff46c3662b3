"""A measure of one's own is a decorated function; it is used like any other, and registered nowhere.

How soon does the reader meet one of the best documents that there are?
"""

from pathlib import Path

from gainful import JudgedRun, evaluate, measure, nDCG
from gainful.measures import PerTopic

DATA = Path(__file__).parent / "data"


@measure(bounds=(0, 1), undefined=0.0, when="nothing to gain", cite="made up for this example")
def BestFirst(judged: JudgedRun, *, cutoff: int | None = None) -> PerTopic:
    """Reciprocal rank of the first document with the highest grade of its topic.

        BestFirst = max 1 / rank over grade = highest grade judged,  rank ≤ cutoff

    cutoff  last rank counted; None counts every rank

    Grades 1 3 0 retrieved out of a judged 3 1 0: the 3 stands at rank 2, so 1/2.
    """
    top = judged.cut(cutoff)
    highest = judged.pool.most(judged.pool.grade)
    return top.most(1 / top.rank, where=top.grade == top.each(highest))


runs = {name: DATA / f"{name}.run" for name in ("sprinter", "marathon", "plain")}
scores = evaluate(DATA / "qrels.txt", runs, [BestFirst, BestFirst @ 3, nDCG @ 3])

for run in scores:
    print(f"{run.name:<9}", {name: round(value, 4) for name, value in run.mean.items()})
