"""Rndcg: nDCG, averaged over the ranks at which the ideal list comes to a lower gain."""

from gainful.judging import JudgedRun, PerTopic, namespace, share
from gainful.measures._gains import Gain, linear, log
from gainful.measures._measure import measure
from gainful.measures._trec import Gains


@measure(
    group="graded",
    bounds=(0, 1),
    when="nothing relevant",
    cite="trec_eval 9.0.8, Rndcg (experimental)",
    trec={"Rndcg": Gains()},
)
def Rndcg(judged: JudgedRun, *, gain: Gain = linear, rel: float = 1) -> PerTopic:
    """Mean nDCG at the ranks where the ideal gain changes.

        Rndcg = mean of DCG(run, n) / DCG(ideal, n) over all n
        n = number of documents of gain ≥ g, for each gain g > 0;
            and the length of the list, if it is longer by two than the documents with gain

    gain  worth of a grade: linear is the grade, exp is 2^grade − 1, binary 1 from grade 1 on, or a table {grade: gain}
    rel   lowest grade that is relevant: a topic without it is worth 0, as in trec_eval; gains do not ask for it

    Misleads when read as nDCG: it is an experiment of trec_eval, whose points differ from topic to topic. That the
    end of the list counts only when it is two ranks further down is what trec_eval does.

    Judged 2 1, retrieved 1 2: the gain changes after ranks 1 and 2:
    (1/2 + (1 + 2/log2 3) / (2 + 1/log2 3)) / 2

    >>> from gainful.judging import judged_run
    >>> Rndcg(judged_run([1, 2])).round(4)
    array([0.6799])
    """
    xp = namespace(judged.grade)
    ideal = judged.ideal(gain)
    worth = gain(ideal.grade)
    last = ideal.rank == ideal.each(ideal.total())
    changes = (worth > 0) & ((ideal.at(worth, ideal, ahead=1) < worth) | last)

    run_dcg = gain(judged.grade) / log(judged.rank)
    ideal_dcg = worth / log(ideal.rank)
    there = share(judged.at(judged.running(run_dcg), ideal), ideal.running(ideal_dcg))
    at_the_end = share(judged.total(run_dcg), ideal.total(ideal_dcg))

    longer = judged.retrieved > ideal.total(where=worth > 0) + 1
    summed = ideal.total(there, where=changes) + xp.where(longer, at_the_end, 0.0)
    points = ideal.total(where=changes)
    points = xp.where(longer, points + 1.0, points)
    return xp.where(judged.count(rel) > 0, share(summed, points), 0.0)  # type: ignore[no-any-return]
