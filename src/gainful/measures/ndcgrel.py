"""nDCGrel: nDCG, averaged over the ranks of the relevant documents."""

from gainful.judging import JudgedRun, PerTopic, share
from gainful.measures._gains import Gain, linear, log
from gainful.measures._measure import measure
from gainful.measures._trec import Gains


@measure(
    group="graded",
    bounds=(0, 1),
    when="nothing to gain",
    cite="trec_eval 9.0.8, ndcg_rel (experimental)",
    trec={"ndcg_rel": Gains()},
    may_fall=True,
)
def nDCGrel(judged: JudgedRun, *, gain: Gain = linear) -> PerTopic:
    """Mean nDCG over relevant documents, as AP is mean precision.

        nDCGrel = (Σ nDCG@rank over found documents + nDCG · missed) / (found + missed)
        found and missed documents have a gain

    gain  worth of a grade: linear is the grade, exp is 2^grade − 1, binary 1 from grade 1 on, or a table {grade: gain}

    Misleads when read as nDCG: it is an experiment of trec_eval. Moving a document up also moves the rank at which
    nDCG is taken, so that the value may fall.

    Judged 2 1, retrieved 0 2:  at rank 2, and once more for the other:  (2/log2 3) / (2 + 1/log2 3)

    >>> from gainful.judging import judged_run
    >>> nDCGrel(judged_run([0, 2], judged=[2, 1, 0])).round(4)
    array([0.4796])
    """
    ideal = judged.ideal(gain)
    worth = gain(judged.grade)
    run_dcg = worth / log(judged.rank)
    ideal_dcg = gain(ideal.grade) / log(ideal.rank)

    there = share(judged.running(run_dcg), ideal.at(ideal.running(ideal_dcg), judged))
    at_the_end = share(judged.total(run_dcg), ideal.total(ideal_dcg))
    everything = ideal.total(where=gain(ideal.grade) > 0)
    missed = everything - judged.total(where=worth > 0)
    return share(judged.total(there, where=worth > 0) + missed * at_the_end, everything)
