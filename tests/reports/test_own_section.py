"""A section of one's own, from one file outside the package; and how often a report opens its files."""

import os
import runpy
import sys
from collections import Counter

import pytest

from gainful.reports import report, section_registry

from .conftest import graded, three_runs

OWN = """
from gainful.presentation.chart_parts import Axis, Interval
from gainful.presentation.charts import Panel
from gainful.presentation.text_style import counted
from gainful.presentation.table import Table
from gainful.reports import Figure, ReportTable, Section, report_section


@report_section
class Depths(Section):
    name, title, order = "depths", "Depths", 25

    def __init__(self, depths):
        self.depths = depths

    @classmethod
    def of(cls, results):
        if results.scores is None:
            return None
        return cls({run.name: int(run.judged.retrieved.sum()) for run in results.scores})

    def sentences(self):
        return [f"{name} has {counted(depth, 'document')} <in all>." for name, depth in self.depths.items()]

    def tables(self, places):
        rows = [{"system": name, "documents": depth} for name, depth in self.depths.items()]
        return [ReportTable("depths", "Documents of each system", Table.of(rows))]

    def figures(self):
        rows = [Interval(name, depth, None, None) for name, depth in self.depths.items()]
        panel = Panel(Axis("documents"), Axis("")).intervals(rows)
        return [Figure("depths", "Documents of each system", "how many", panel.spec())]
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The registry as it is after one file was run."""
    section_registry.report_sections()
    monkeypatch.setattr(section_registry, "_REGISTERED", dict(section_registry._REGISTERED))
    (tmp_path / "depths.py").write_text(OWN, encoding="utf-8")
    runpy.run_path(str(tmp_path / "depths.py"))


def test_a_section_that_cannot_be_made_of_results_is_refused_where_it_is_registered():
    with pytest.raises(TypeError, match="Empty must define of"):

        @section_registry.report_section
        class Empty(section_registry.Section):
            name, title, order = "empty", "Empty", 26

    assert "empty" not in section_registry._REGISTERED


def test_a_section_of_ones_own_is_in_every_format(own, tmp_path):
    made = report(graded(), three_runs(), "AP")
    assert list(made.sections)[:4] == ["verdict", "scores", "depths", "curves"]
    page = made.html()
    assert '<li><a href="#depths">Depths</a></li>' in page
    assert "early has 46 documents &lt;in all&gt;." in page
    assert 'id="figure-depths"' in page
    assert "## Documents of each system" in made.markdown()
    assert "Documents of each system" in made.latex()
    assert made.to_dict()["depths"]["depths"][0] == {"system": "early", "documents": 46}
    assert "depths.csv" in made.figures(str(tmp_path / "figures"))


def test_a_section_that_does_not_apply_is_left_out(own):
    assert "pairs" not in report(graded(), three_runs()["early"], "AP").to_dict()


def test_a_section_may_bring_its_own_template(monkeypatch):
    section_registry.report_sections()
    monkeypatch.setattr(section_registry, "_REGISTERED", dict(section_registry._REGISTERED))

    @section_registry.report_section
    class Greeting(section_registry.Section):
        name, title, order = "greeting", "Greeting", 5
        template = '<section id="greeting"><h2>{{ section.title }} &amp; {{ report.title }}</h2></section>'

        @classmethod
        def of(cls, results):  # noqa: ARG003 (it applies to every report)
            return cls()

    page = report(graded(), three_runs(), "AP", title="<Mine>").html()
    assert '<section id="greeting"><h2>Greeting &amp; &lt;Mine&gt;</h2></section>' in page


OPENS = """
import sys
from collections import Counter
opened = Counter()
sys.addaudithook(lambda event, given: opened.update([str(given[0])]) if event == "open" else None)
import gainful
made = gainful.report("qrels.txt", ["early.run", "late.run", "poor.run"], "nDCG@5, AP")
made.html()
made.text()
print(*(opened[name] for name in ("early.run", "late.run", "poor.run")))
"""


def test_each_run_is_opened_at_most_twice(tmp_path):
    import subprocess

    lines = [f"{t} 0 {d} {g}\n" for t, grades in graded().items() for d, g in grades.items()]
    (tmp_path / "qrels.txt").write_text("".join(lines))
    for name, run in three_runs().items():
        rows = [f"{t} Q0 {d} 1 {s} x\n" for t, scores in run.items() for d, s in scores.items()]
        (tmp_path / f"{name}.run").write_text("".join(rows))
    made = subprocess.run(
        [sys.executable, "-c", OPENS],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
        env=os.environ,
    )
    counts = Counter(map(int, made.stdout.split()))
    assert max(counts) <= 2, counts
    assert sum(counts.values()) == 3
    assert min(counts) >= 1
