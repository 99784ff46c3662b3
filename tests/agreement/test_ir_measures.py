"""Where ir_measures means the same by a name, the number is the same.

The data have no ties, no negative grades and no short lists, where its providers disagree with each other.
Left out, because they mean something else there: IPrec (a rounding of trec_eval 9, tested beside it),
SetF with a beta other than 1 (it stands for its own square there), and what only optional packages compute.
"""

from random import Random

import ir_measures
import pytest

import gainful

MEASURES = (
    "AP AP@10 AP(rel=2) AP(rel=2)@20 Bpref Bpref(rel=2) infAP Judged@5 Judged@20 nDCG nDCG@5 nDCG@10 "
    "NumRel NumRelRet NumRet P@1 P@10 P(rel=2)@10 R@10 R(rel=2)@50 Rprec Rprec(rel=2) RR RR(rel=2) RR@10 "
    "SetAP SetF SetP SetP(rel=2) SetR Success@1 Success@10 Success(rel=2)@10"
)
TOPICS = 30


def make() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    random = Random(5)
    judgments, run = {}, {}
    for number in range(TOPICS):
        ids = [f"d{document}" for document in random.sample(range(1000), 80)]
        judgments[f"t{number}"] = {document: random.choice([0, 0, 1, 2, 3]) for document in ids[:40]}
        retrieved = random.sample(ids, random.randrange(20, 81))
        random.shuffle(retrieved)
        run[f"t{number}"] = {document: float(len(ids) - place) for place, document in enumerate(retrieved)}
    return judgments, run


def test_values_of_every_topic_are_the_same() -> None:
    judgments, run = make()
    asked = MEASURES.split()
    scores = gainful.evaluate(judgments, run, asked)
    assert list(scores.mean) == asked, "the names are the same too"
    theirs = {ir_measures.parse_measure(name): name for name in asked}
    compared = 0
    for metric in ir_measures.iter_calc(list(theirs), judgments, run):
        value = scores.per_topic[metric.query_id][theirs[metric.measure]]
        assert value == pytest.approx(metric.value, abs=1e-9), metric
        compared += 1
    assert compared == TOPICS * len(asked)


def test_a_missing_topic_is_averaged_in_by_both() -> None:
    judgments, run = make()
    del run["t3"]
    asked = [
        name for name in MEASURES.split() if not name.startswith("Num")
    ]  # there a missing topic has no documents
    scores = gainful.evaluate(judgments, run, asked)
    means = ir_measures.calc_aggregate(list(map(ir_measures.parse_measure, asked)), judgments, run)
    assert len(means) == len(asked)
    for measure, mean in means.items():
        assert scores.mean[str(measure)] == pytest.approx(mean, abs=1e-9), measure


@pytest.mark.parametrize("beta", [0.5, 2])
def test_beta_of_f_is_not_their_beta(beta: float) -> None:
    judgments = {"t": {"a": 1, "b": 1, "c": 1}}
    run = {"t": {"a": 4.0, "b": 3.0, "x": 2.0, "y": 1.0}}  # precision 1/2, recall 2/3
    ours = gainful.evaluate(judgments, run, f"SetF(beta={beta:g})").mean[f"SetF(beta={beta:g})"]
    theirs = ir_measures.calc_aggregate([ir_measures.SetF(beta=float(beta))], judgments, run)
    p, r = 1 / 2, 2 / 3
    assert ours == pytest.approx((1 + beta**2) * p * r / (beta**2 * p + r), abs=1e-12)
    assert next(iter(theirs.values())) == pytest.approx((1 + beta) * p * r / (beta * p + r), abs=1e-9)
