"""Libraries that import pytrec_eval run on Gainful after `install_as`, each in a process of its own."""

import json
import subprocess
import sys

import pytest

import gainful
from gainful.errors import UsageError

DATA = """
from random import Random
random = Random(3)
qrels, run = {}, {}
for topic in map(str, range(30)):
    documents = [f"d{number}" for number in random.sample(range(500), 60)]
    qrels[topic] = {document: random.choice([0, 0, 1, 2]) for document in documents[:30]} | {"sure": 1}
    run[topic] = {document: round(random.random(), 2) for document in random.sample(documents, 40)}
"""
BEIR = (
    DATA
    + """
from beir.retrieval.evaluation import EvaluateRetrieval
values = EvaluateRetrieval.evaluate(qrels, run, [1, 10, 100])
"""
)
IR_MEASURES = (
    DATA
    + """
import ir_measures
from ir_measures import AP, Bpref, P, R, RR, Rprec, SetF, Success, nDCG
asked = [nDCG @ 10, nDCG(gains={2: 5}), AP(rel=2), AP @ 20, P @ 5, R @ 10, RR, Rprec, Bpref, SetF(beta=2.0), Success @ 1]
values = [{str(measure): value for measure, value in ir_measures.pytrec_eval.calc_aggregate(asked, qrels, run).items()}]
"""
)
WHOSE = "\nimport json, pytrec_eval, sys\njson.dump([pytrec_eval.RelevanceEvaluator.__module__, values], sys.stdout)"


def printed(code):
    done = subprocess.run([sys.executable, "-c", code + WHOSE], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("library", [BEIR, IR_MEASURES], ids=["BEIR", "ir_measures"])
def test_a_library_gives_the_same_numbers_on_gainful(library):
    theirs = printed(library)
    ours = printed('import gainful\ngainful.install_as("pytrec_eval")\n' + library)
    assert (theirs[0], ours[0]) == ("pytrec_eval", "gainful.compat.pytrec_eval")
    assert len(ours[1]) == len(theirs[1])
    for mine, other in zip(ours[1], theirs[1], strict=True):
        assert len(mine) > 2
        assert mine == pytest.approx(other, abs=1e-9)


def test_it_comes_before_the_first_import_or_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytrec_eval", sys)
    with pytest.raises(UsageError, match="pytrec_eval is imported already"):
        gainful.install_as("pytrec_eval")
    monkeypatch.delitem(sys.modules, "pytrec_eval")
    installed = gainful.install_as("pytrec_eval")
    assert sys.modules["pytrec_eval"] is installed is gainful.install_as("pytrec_eval")
    monkeypatch.delitem(sys.modules, "pytrec_eval")


def test_other_packages_are_refused_by_name():
    with pytest.raises(UsageError, match="cannot be installed as 'ranx'; it can as pytrec_eval"):
        gainful.install_as("ranx")
