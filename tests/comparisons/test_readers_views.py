"""Readers as tables, JSON, CSV and charts."""

import csv
import io
import json
from pathlib import Path

import pytest

import gainful
from gainful.comparisons import readers
from gainful.comparisons.readers import reader_text as views
from gainful.errors import UsageError

DATA = Path(__file__).parent.parent.parent / "examples" / "data"
RUNS = [DATA / f"{name}.run" for name in ("sprinter", "marathon", "plain")]
FOUND = readers.sweep(DATA / "qrels.txt", RUNS[:2], resamples=400)
THREE = readers.sweep(DATA / "qrels.txt", RUNS, "rank, recall", resamples=400, ranks=20)


def test_json_has_the_crossovers():
    said = json.loads(views.of_readers(FOUND, "json"))
    assert said["crossovers"][:3] == [
        {
            "by": "rank",
            "measure": "P",
            "systems": ["sprinter", "marathon"],
            "from": 1,
            "to": 8,
            "leader": "sprinter",
        },
        {
            "by": "rank",
            "measure": "P",
            "systems": ["sprinter", "marathon"],
            "from": 9,
            "to": 10,
            "leader": None,
        },
        {
            "by": "rank",
            "measure": "P",
            "systems": ["sprinter", "marathon"],
            "from": 11,
            "to": 80,
            "leader": "marathon",
        },
    ]
    assert said["statistics"] == {
        "band": "simultaneous over the sweep and the pairs, studentised bootstrap over topics",
        "level": 0.95,
        "resamples": 400,
        "seed": 0,
    }
    assert said["headlines"] == list(FOUND.headlines)
    assert said["settings"]["ties"] == "docid"
    first = said["sweeps"][0]
    assert first["low"] == FOUND["rank"].low.tolist()
    assert first["at"][:3] == [1, 2, 3]


def test_json_has_null_where_there_is_no_band():
    said = json.loads(views.of_readers(THREE, "json"))
    sweep = next(
        one for one in said["sweeps"] if one["by"] == "recall" and one["systems"] == ["sprinter", "plain"]
    )
    assert sweep["low"][-1] is None
    assert sweep["difference"][-1] == 0.0


def test_csv_has_a_line_for_every_point_in_full():
    lines = list(csv.DictReader(io.StringIO(views.of_readers(FOUND, "csv"))))
    assert len(lines) == 80 + 101 + 50
    assert lines[8]["leader"] == ""
    assert (lines[0]["at"], lines[0]["leader"]) == ("1", "sprinter")
    assert float(lines[4]["low"]) == FOUND["rank"].low[4]
    assert list(lines[0]) == [
        "by",
        "measure",
        "a",
        "b",
        "at",
        "mean_a",
        "mean_b",
        "difference",
        "low",
        "high",
        "leader",
    ]


def test_the_table_has_a_row_for_each_range_and_then_the_sentences():
    text = FOUND.table()
    assert text.splitlines()[0].split() == [
        "by",
        "measure",
        "leader",
        "from",
        "to",
        *("marathon", "−", "sprinter"),
        "to",
    ]
    assert "rank      P        not significant     9    10              −0.0267  +0.0240" in text
    assert FOUND.headlines[0] in text.splitlines()
    assert f"RBP by patience: {FOUND.sentences[2]}" in text.splitlines()
    assert (
        "95 % band over each whole sweep · studentised bootstrap, 400 resamples of topics · seed 0 · ties: by document id"
        in text
    )


def test_many_pairs_are_named_as_what_is_corrected_for():
    assert "95 % band over each whole sweep and 3 pairs" in THREE.table()


def test_markdown_and_latex_are_for_pages_and_papers():
    markdown = views.of_readers(FOUND, "markdown", places=2)
    assert "| rank | P | sprinter | 1 | 8 | −0.46 | −0.08 |" in markdown
    assert f"- {FOUND.headlines[0]}" in markdown
    assert r"\caption{sprinter is better for readers who stop before rank 9" in views.of_readers(
        FOUND, "latex"
    )


def test_the_chart_has_curves_differences_and_leaders():
    pytest.importorskip("altair")
    spec = json.dumps(FOUND.chart().to_dict())
    for part in (
        "rank where the reader stops",
        "how likely the reader goes on",
        "sprinter",
        "difference,",
        FOUND.headlines[0][:40],
    ):
        assert part in spec
    assert '"type": "log"' in spec


def test_the_chart_is_written_whole_and_not_over_another(tmp_path):
    pytest.importorskip("vl_convert")
    path = tmp_path / "readers.svg"
    THREE.save(str(path))
    assert path.read_text(encoding="utf-8").startswith("<svg")
    with pytest.raises(UsageError, match="already exists"):
        THREE.save(str(path))
    with pytest.raises(UsageError, match="a chart is written as"):
        THREE.save(str(tmp_path / "readers.txt"))


def test_a_chart_of_too_many_pairs_is_refused_and_a_notebook_gets_the_table():
    runs = {f"run {n}": str(RUNS[n % 3]) for n in range(5)}
    many = readers.sweep(DATA / "qrels.txt", runs, "rank", ranks=5, resamples=50)
    with pytest.raises(UsageError, match="a chart of 10 pairs cannot be read; name a baseline"):
        many.chart()
    assert "<table>" in many._repr_html_()
    assert "run 1 − run 0" in many._repr_html_()


def test_a_notebook_shows_the_picture_and_the_sentences():
    pytest.importorskip("vl_convert")
    page = FOUND._repr_html_()
    assert "<svg" in page
    assert "who need more than 42 % of the relevant documents" in page


def test_names_cannot_break_a_page(monkeypatch):
    from gainful.presentation import chart_files

    def absent():
        raise UsageError("charts need Altair")

    monkeypatch.setattr(chart_files, "_convert", absent)
    found = readers.sweep(
        DATA / "qrels.txt", {"<b>": str(RUNS[0]), "plain": str(RUNS[2])}, "rank", resamples=50
    )
    assert "<b>" not in found._repr_html_()
    assert "&lt;b&gt;" in found._repr_html_()
    assert "charts need Altair" in found._repr_html_()


def test_it_looks_like_what_it_is():
    assert repr(FOUND) == "<Readers: 2 systems, 1 pairs, 3 sweeps>"
    assert repr(FOUND["rank"]) == "<Sweep by rank: P of sprinter and marathon, 80 points, 3 ranges>"
    assert gainful.__version__ == FOUND.to_dict()["gainful"]
