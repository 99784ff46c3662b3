"""The blended ratio: precision and normalised gain in one number, rank by rank."""

from gainful.judging import JudgedRun, Ranking
from gainful.judging.ranking import Floats
from gainful.measures._gains import Gain


def blended_ratio(judged: JudgedRun, top: Ranking, gain: Gain, beta: float) -> Floats:
    """(relevant so far + beta · gained so far) / (rank + beta · most that could be gained so far), at each hit.

    A document is relevant here if it has a gain; with beta = 0 this is precision.
    """
    worth, ideal = gain(top.grade), judged.ideal(gain)
    most = ideal.at(ideal.running(gain(ideal.grade)), top)
    return (top.running(worth > 0) + beta * top.running(worth)) / (top.rank + beta * most)
