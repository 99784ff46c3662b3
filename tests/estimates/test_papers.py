"""statAP and xinfAP against slow transcriptions of their papers, document by document."""

import random

import numpy as np
import pytest

from gainful.errors import MeasureError
from gainful.judging.sampling import sampled_run
from gainful.measures import infAP, statAP, xinfAP

EPSILON = 0.00001


def stat_ap(ranked, drawn, rel):
    """Pavlu & Aslam 2007: the mean of estimated precisions at relevant documents, each weighted by 1 / probability."""
    total, seen = 0.0, 0.0
    for rank, document in enumerate(ranked, 1):
        grade, chance, *_ = drawn.get(document, (-1, 1))
        if grade >= rel:
            total += (1 / chance) * (1 + seen) / rank
            seen += 1 / chance
    number = sum(1 / chance for grade, chance, *_ in drawn.values() if grade >= rel)
    return total / number if number else 0.0


def xinf_ap(ranked, drawn, rel):
    """Yilmaz, Kanoulas & Aslam 2008: the expected precision at a relevant document that is picked at random."""
    strata = sorted({stratum for _, _, stratum in drawn.values()})
    size = {s: sum(stratum == s for _, _, stratum in drawn.values()) for s in strata}
    judged = {s: [g for g, _, stratum in drawn.values() if stratum == s and g >= 0] for s in strata}
    relevant = {s: sum(grade >= rel for grade in judged[s]) for s in strata}
    estimated = {s: size[s] * relevant[s] / len(judged[s]) if judged[s] else 0.0 for s in strata}
    everything = sum(estimated.values())
    value = 0.0
    for s in strata:
        precisions = []
        for rank, document in enumerate(ranked, 1):
            grade, _, stratum = drawn.get(document, (-1, 1, None))
            if stratum != s or grade < rel:
                continue
            above = [drawn[other] for other in ranked[: rank - 1] if other in drawn]
            expected = 0.0
            for t in strata:
                there = [g for g, _, other in above if other == t]
                sampled = [g for g in there if g >= 0]
                if there:
                    share = (sum(g >= rel for g in sampled) + EPSILON) / (len(sampled) + 2 * EPSILON)
                    expected += len(there) / rank * share
            precisions.append(1 / rank + expected)
        if relevant[s] and everything:
            value += estimated[s] / everything * sum(precisions) / relevant[s]
    return value


def topics(seed):
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(chance.randint(4, 14))]
    rates = {"top": 1.0, "middle": 0.5, "rest": 0.25}
    strata = {document: chance.choice(list(rates)) for document in documents}
    drawn = {"z": (-1, 0.25, "rest")}  # not drawn in any case, so that the others are known to be listed
    for document in documents:
        taken = chance.random() < rates[strata[document]]
        grade = chance.choice([0, 0, 1, 2]) if taken else -1
        drawn[document] = (grade, rates[strata[document]], strata[document])
    ranked = [*chance.sample(documents, chance.randint(1, len(documents))), "unseen"]
    chance.shuffle(ranked)
    return ranked, drawn


TRANSCRIPTIONS = {
    "xinfAP": (xinfAP, xinf_ap),
    "statAP": (statAP, stat_ap),
}


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("name", TRANSCRIPTIONS)
def test_the_estimate_is_what_its_paper_says(name, seed, rel):
    measure, transcription = TRANSCRIPTIONS[name]
    ranked, drawn = topics(seed)
    estimate = measure(rel=rel)(sampled_run(ranked, drawn))[0]
    assert estimate == pytest.approx(transcription(ranked, drawn, rel))


def test_with_one_stratum_xinfap_is_infap():
    drawn = {"a": (1, 0.5, "all"), "b": (-1, 0.5, "all"), "c": (1, 0.5, "all"), "d": (0, 0.5, "all")}
    drawn |= {"e": (-1, 0.5, "all"), "f": (-1, 0.5, "all")}
    run = sampled_run("abcdxe", drawn)
    assert xinfAP(run) == pytest.approx(infAP(run))


def test_xinfap_refuses_strata_of_several_probabilities():
    with pytest.raises(MeasureError, match="one probability for all documents of a stratum"):
        xinfAP(sampled_run("ab", {"a": (1, 0.5, "s"), "b": (-1, 0.25, "s")}))


def test_xinfap_refuses_to_guess_which_documents_were_not_drawn():
    with pytest.raises(MeasureError, match="could have been drawn and were not"):
        xinfAP(sampled_run("ab", {"a": (1, 0.5, "s")}))


def test_a_run_without_probabilities_is_refused():
    from gainful.judging import judged_run

    with pytest.raises(
        MeasureError, match="needs the probabilities with which documents were drawn: --design"
    ):
        statAP(judged_run([1, 0]))
    assert np.isfinite(infAP(judged_run([1, 0]))).all()
