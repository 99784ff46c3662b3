"""TREC Web Track diversity judgments against ndeval, through pyndeval, down to its depth of 20."""

import gzip
from pathlib import Path

import pytest

import gainful

pyndeval = pytest.importorskip("pyndeval")
YEARS = {"wt13": "201-250", "wt14": "251-300"}
AT = {"ERR-IA": "ERR_IA", "nERR-IA": "nERR_IA", "alpha-DCG": "alpha_DCG", "alpha-nDCG": "alpha_nDCG"}
PLAIN = {"P-IA": "P_IA", "strec": "StRecall"}


def measures(alpha: float, beta: float, rel: int) -> dict[str, gainful.Measure]:
    """What ndeval calls each measure; at rank 1 it leaves two of them undivided."""
    named = {f"{name}@{k}": f"{ours}(alpha={alpha})@{k}" for name, ours in AT.items() for k in range(1, 21)}
    named |= {f"{name}@{k}": f"{ours}@{k}" for name, ours in PLAIN.items() for k in range(1, 21)}
    named |= {
        "NRBP": f"NRBP(alpha={alpha},beta={beta})",
        "nNRBP": f"nNRBP(alpha={alpha},beta={beta})",
        "MAP-IA": "AP_IA",
    }
    found = {name: gainful.parse(ours)(rel=rel) for name, ours in named.items()}
    return {name: one for name, one in found.items() if name not in ("ERR-IA@1", "alpha-DCG@1")}


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.5), (0.25, 0.8)])
@pytest.mark.parametrize("year", YEARS)
def test_every_value_is_that_of_ndeval(
    published: Path, year: str, alpha: float, beta: float, rel: int
) -> None:
    folder = published / "diversity_web"
    path = folder / f"qrels.web.{YEARS[year]}.ndeval.txt.gz"
    rows = [line.split() for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
    by_topic: dict[str, list[tuple[float, str]]] = {}
    for line in (folder / f"test.{year}.run").read_text().splitlines():
        topic, _, document, _, score, _ = line.split()
        by_topic.setdefault(topic, []).append((-float(score), document))
    # pyndeval orders equal scores by id, the other way round
    run = [(t, d, float(-place)) for t, some in by_topic.items() for place, (_, d) in enumerate(sorted(some))]

    asked = measures(alpha, beta, rel)
    evaluator = pyndeval.RelevanceEvaluator(
        [(topic, subtopic, document, int(grade)) for topic, subtopic, document, grade in rows],
        list(asked),
        relevance_level=rel,
        alpha=alpha,
        beta=beta,
    )
    theirs = evaluator.evaluate(run)
    ours = gainful.evaluate(path, run, list(asked.values()))
    undefined = ours.runs[0].undefined
    compared = 0
    for topic, values in ours.per_topic.items():
        for name, measure in asked.items():
            if topic in undefined.get(str(measure), ()):  # nothing is relevant: there 0 / 0 is no number
                assert values[str(measure)] == 0
                continue
            assert values[str(measure)] == pytest.approx(theirs[topic][name], abs=1e-12), (name, topic)
            compared += 1
    nothing_relevant = {"wt13": 3, "wt14": 0}[year] if rel == 2 else 0
    assert compared == (50 - nothing_relevant) * 121
