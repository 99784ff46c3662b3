"""Every public object prints itself: a repr that fits on a screen, a table or sentences as text, HTML in a notebook."""

import importlib
import inspect
import random
from dataclasses import fields, is_dataclass
from html.parser import HTMLParser

import numpy as np
import pytest

import gainful
from gainful import filtering
from gainful.batch import Accumulator, Deliveries
from gainful.comparisons import correlate_orders, correlate_runs, difficulty, leaderboard, moved, unknown
from gainful.comparisons.judges import compare_judges
from gainful.comparisons.readers import sweep
from gainful.explaining import explain_difference
from gainful.reconciling import between

PACKAGES = (
    *("gainful", "gainful.auditing", "gainful.batch", "gainful.checking"),
    *("gainful.comparisons", "gainful.comparisons.judges"),
    *("gainful.comparisons.readers", "gainful.comparisons.unjudged", "gainful.curves", "gainful.explaining"),
    *("gainful.filtering", "gainful.formats", "gainful.judging", "gainful.measures", "gainful.reports"),
    *("gainful.reconciling", "gainful.scores", "gainful.spark", "gainful.studies"),
)
NOT_MADE_HERE = {
    *("Evaluating", "Section", "Filter"),  # keywords; the base of sections; a file that is open
    "Any",  # what types of arrays are while the program runs
    *("SparkScores", "Profiles"),  # made in a cluster
    "Collection",  # made of answers in a folder: tests/studies
    *(
        "Evidence",
        "CurveOptions",
        "Analyzer",
        "Rocchio",
        "Threshold",
        "Schedule",
        "Feedback",
        "LinearUtility",
        "Rule",
    ),
}
SCREEN = 1500  # characters

TOPICS, DOCUMENTS = 60, 80
random.seed(5)
QRELS = {
    f"topic-{t}": {f"document-{t}-{d}": random.randrange(3) for d in range(0, DOCUMENTS, 2)}
    for t in range(TOPICS)
}
RUNS = {
    name: {
        topic: {f"document-{topic[6:]}-{d}": random.random() for d in range(DOCUMENTS)}
        for topic in (*QRELS, *(f"more-{n}" for n in range(40)))
    }
    for name in ("bm25", "dense", "hybrid")
}
TWO = {name: RUNS[name] for name in ("bm25", "dense")}


def made():
    """A result of every call, on data large enough for a repr to grow with."""
    scores = gainful.evaluate(QRELS, RUNS)
    groups = {topic: f"group {number % 2}" for number, topic in enumerate(QRELS)}
    comparison = gainful.compare(QRELS, RUNS, "nDCG@10, AP", groups=groups)
    judges = [QRELS, {t: {d: (g + 1) % 3 for d, g in grades.items()} for t, grades in QRELS.items()}]
    text = "gardens and soil " * 200
    documents = [filtering.Document(f"d{number}", text=f"{text} number{number}") for number in range(40)]
    topics = [filtering.Topic("t1", text, ())]
    yield from (scores, scores["bm25"], scores.judgments, scores["bm25"].judged, comparison)
    yield from (gainful.check(QRELS, RUNS, unjudged=10), gainful.nDCG @ 10, gainful.read_run(RUNS["bm25"]))
    yield gainful.gate(QRELS, RUNS["bm25"], RUNS["dense"], "nDCG@10, AP", margin=0.001, worst=50)
    yield from (gainful.gains([3, 2, 0] * 200), gainful.gains([[3, 2, 0]] * 9))
    yield gainful.explain(QRELS, RUNS["bm25"], "topic-1", "nDCG")
    yield explain_difference(QRELS, RUNS["bm25"], RUNS["dense"], "topic-1", "nDCG")
    yield gainful.curve(QRELS, RUNS, "nDCG, P, R", to=50, band=0.9, resamples=20)
    yield gainful.report(QRELS, TWO, "nDCG@10")
    yield from (leaderboard(comparison), moved(comparison), difficulty(comparison.table))
    yield correlate_runs(RUNS["bm25"], RUNS["dense"], qrels=QRELS)
    yield correlate_orders({str(n): n for n in range(50)}, {str(n): -n for n in range(50)})
    readers = sweep(QRELS, TWO, "rank", resamples=50)
    yield from (unknown(QRELS, TWO, "P@5"), readers, readers.sweeps[0].ranges)
    yield compare_judges(judges, RUNS, "nDCG@10", merge="mean", resamples=20)
    yield gainful.audit(QRELS, judges[1], RUNS, width=0.1, resamples=20)
    yield gainful.reconcile(QRELS, RUNS["bm25"], {"nDCG@10": 0.5})
    yield between(QRELS, RUNS["bm25"], "beir", "lightgbm")
    study = gainful.pool(TWO)
    yield from (study, gainful.next_step(study))
    yield Accumulator("AP")
    yield Deliveries(*np.zeros((3, 5000)))
    yield filtering.simulate(
        documents, topics, {"t1": {d.id: 1 for d in documents}}, rules="zero", reference=10
    )
    yield from (documents[0], topics[0])


def parts(thing, seen):
    """The object and what it holds, one of each class."""
    if isinstance(thing, dict):
        thing = tuple(thing.values())
    if isinstance(thing, list | tuple) and not hasattr(thing, "_fields"):
        for each in thing[:3]:
            parts(each, seen)
    elif type(thing) not in seen and type(thing).__module__.startswith("gainful"):
        seen[type(thing)] = thing
        held = [getattr(thing, field.name) for field in fields(thing)] if is_dataclass(thing) else []
        charts = [*thing.tables(), *thing.charts()] if isinstance(thing, gainful.Report) else []
        for each in (*held, *charts):
            parts(each, seen)
    return seen


@pytest.fixture(scope="module")
def instances():
    seen = {}
    for thing in made():
        parts(thing, seen)
    return seen


def public_classes():
    found = set()
    for name in PACKAGES:
        package = importlib.import_module(name)
        found |= {one for each in package.__all__ if inspect.isclass(one := getattr(package, each))}
    return {one for one in found if one.__name__ not in NOT_MADE_HERE}


def test_every_public_class_is_looked_at(instances):
    assert {one.__qualname__ for one in public_classes() - instances.keys()} == set()


def test_no_repr_is_longer_than_a_screen(instances):
    long = {
        one.__qualname__: len(repr(thing)) for one, thing in instances.items() if len(repr(thing)) > SCREEN
    }
    public = {one.__qualname__ for one in public_classes()}
    assert {name: length for name, length in long.items() if name in public} == {}


class Balanced(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attrs):  # noqa: ARG002 (its signature)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


PRINTED = {
    "Scores": ("nDCG@10", "bm25", "60 topics"),
    "LazyRunScores": ("nDCG@10", "bm25", "60 topics"),
    "Comparison": ("nDCG@10", "dense", "95 %"),
    "Checkup": ("60 topics", "bm25", "judged@10"),
    "Gate": ("nDCG@10", "margin", "topics"),
    "Check": ("nDCG@10", "margin", "60 topics"),
    "Gains": ("ideal DCG", "nDCG", "1.0000"),
    "Explanation": ("nDCG =", "document-1-", "topic-1"),
    "Difference": ("nDCG", "document-1-", "difference"),
    "Curve": ("rank", "bm25", "60 topics"),
    "Curves": ("nDCG", "dense", "60 topics"),
    "Audit": ("nDCG@10", "kappa", "60 topics"),
    "Reconciliation": ("0.5", "nDCG@10", "60 judged topics"),
    "Walk": ("beir@2.2.0", "gain", "60 topics"),
}


@pytest.mark.parametrize("name", PRINTED)
def test_what_is_printed_has_the_numbers_and_what_they_are_of(name, instances):
    thing = next(thing for one, thing in instances.items() if one.__qualname__ == name)
    text = str(thing)
    assert not text.startswith(f"{name}(")
    assert not text.endswith("\n")
    for word in PRINTED[name]:
        assert word in text, (name, word)
    html = Balanced()
    html.feed(thing._repr_html_())
    assert html.open == []
    assert html.text.strip()


def test_a_run_prints_as_the_command_line_does(tmp_path, capfd):
    from gainful.cli import run

    qrels, system = tmp_path / "qrels.txt", tmp_path / "bm25.run"
    qrels.write_text("1 0 a 1\n1 0 b 0\n2 0 c 2\n")
    system.write_text("1 Q0 a 1 2 t\n2 Q0 x 1 2 t\n2 Q0 c 2 1 t\n")
    assert run(["evaluate", str(qrels), str(system), "-m", "nDCG@10 AP"]) == 0
    scores = gainful.evaluate(qrels, system, "nDCG@10 AP")
    assert f"{scores}\n" == f"{scores['bm25']}\n" == capfd.readouterr().out
    assert run(["check", str(qrels), str(system)]) == 0
    assert f"{gainful.check(qrels, system)}\n" == capfd.readouterr().out


def test_a_measure_prints_its_name_and_explains_itself_in_a_notebook(capsys):
    print(gainful.nDCG @ 10)
    assert capsys.readouterr().out == "nDCG@10\n"
    html = (gainful.nDCG @ 10)._repr_html_()
    assert "<b>nDCG@10</b>: Normalised discounted cumulat" in html
    assert "<th>cutoff</th><th>10</th>" in html
    assert "DCG(run) / DCG(ideal)" in html
    assert "10.1145/582415.582418" in html


def test_names_cannot_become_tags_in_a_notebook():
    scores = gainful.evaluate({"q": {"d": 1}}, {"<script>": {"q": {"d": 1.0}}, "b": {"q": {"d": 1.0}}}, "AP")
    for thing in (scores, scores["<script>"]):
        assert "<script>" not in thing._repr_html_()
        assert "&lt;script&gt;" in thing._repr_html_()
