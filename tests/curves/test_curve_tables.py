"""Curves as tables, CSV, JSON, Parquet and pictures."""

import builtins
import csv
import io
import json
import math

import pytest

import gainful
from gainful.curves import curve
from gainful.curves.curve_output import caption, chart, drawn, inline, long_csv, parquet, table
from gainful.curves.curve_output import json as as_json
from gainful.errors import DataError, UsageError
from gainful.formats.output_files import put
from gainful.presentation.chart_files import check_suffix

QRELS = {"1": {"a": 2, "b": 1, "c": 0}, "2": {"a": 1, "d": 3}}
RUN = {"1": {"x": 4.0, "a": 3.0, "b": 1.0}, "2": {"d": 2.0, "a": 1.0}}
OTHER = {"1": {"a": 2.0, "b": 1.0}, "2": {"y": 3.0, "a": 1.0}}


@pytest.fixture(scope="module")
def two():
    return curve(
        QRELS,
        {"ours": RUN, "theirs": OTHER},
        "P, nDCG",
        to=40,
        ideal=True,
        band=0.9,
        seed=7,
        per_topic=True,
    )


def test_a_table_has_runs_as_columns_and_says_how_it_was_made(two):
    text = table(two, places=3)
    assert next(line.split() for line in text.splitlines() if line.lstrip().startswith("rank")) == [
        "rank",
        "ours",
        "theirs",
        "ideal",
    ]
    assert "nDCG, topic 2" in text
    assert "of 40 points left out; -f csv has them all" in text
    assert "area, step" in text
    assert "mean over 2 topics · shaded: 90 % of 2,000 resamples of topics, seed 7" in text
    assert " ".join(text.split()).endswith(
        "ties: by document id · missing topics: score 0 · topics with nothing relevant: kept · unjudged documents: not relevant"
    )


def test_a_table_says_which_average_it_is():
    made = curve(QRELS, RUN, "nDCG", to=2, average="ratio")
    assert "ratio of the mean curve to the mean ideal curve, 2 topics" in table(made, places=4)


def test_a_caption_says_how_many_topics_each_run_has():
    half = {"1": RUN["1"]}
    assert (
        caption(curve(QRELS, {"ours": RUN, "half": half}, "P", missing="skip")) == "mean over 1 to 2 topics"
    )
    assert caption(curve(QRELS, {"half": half}, "P", ideal=True, missing="skip")) == "mean over 1 topic"


def test_short_curves_are_shown_whole_and_long_ones_at_round_ranks():
    rows = [line.split()[0] for line in table(curve(QRELS, RUN, "P", to=12), places=4).splitlines()[4:16]]
    assert rows == [str(rank) for rank in range(1, 13)]
    long = table(curve(QRELS, RUN, "P", to=120), places=4).splitlines()
    ranks = [line.split()[0] for line in long[3:] if line.split() and line.split()[0].isdigit()]
    assert ranks == [*map(str, range(1, 11)), "15", "20", "30", "50", "70", "100", "120"]


def test_raw_points_are_shown_where_recall_rises():
    run = {"q": {f"d{n}": -float(n) for n in range(40)}}
    made = curve({"q": {"d3": 1, "d20": 1}}, run, kind="precision-recall", raw=True)
    text = table(made, places=4)
    assert "0.5  0.2500" in text
    assert "area, line" in text


def test_csv_has_every_point_in_full(two):
    rows = list(csv.DictReader(io.StringIO(long_csv(two, places=4))))
    assert len(rows) == 40 * 3 * 3 * 2
    assert {row["role"] for row in rows} == {"run", "ideal"}
    mean = [row for row in rows if row["run"] == "ours" and row["topic"] == "all" and row["y_name"] == "nDCG"]
    whole = next(one for one in two if (one.run, one.topic, one.y) == ("ours", None, "nDCG"))
    assert [float(row["y"]) for row in mean] == whole.values.tolist()
    assert mean[0]["average"] == "topics"
    assert "ties docid" in mean[0]["settings"]
    assert float(mean[3]["low"]) <= float(mean[3]["y"]) <= float(mean[3]["high"])


def test_what_has_no_value_is_empty_in_csv():
    only_relevant = {"1": {"a": 1}, "2": {"a": 1}}  # no topic has a curve of this kind
    made = curve(only_relevant, RUN, kind="roc", band=0.9, resamples=5)
    rows = list(csv.DictReader(io.StringIO(long_csv(made, places=4))))
    assert {(row["y"], row["low"], row["high"]) for row in rows} == {("", "", "")}


def test_json_is_to_dict(two):
    assert json.loads(as_json(two, places=4)) == json.loads(json.dumps(two.to_dict()))


def test_parquet_has_every_point_in_full_and_its_settings(two):
    reader = pytest.importorskip("pyarrow.parquet")
    made = reader.ParquetFile(io.BytesIO(parquet(two, places=4)))
    frame = made.read().to_pydict()
    assert len(frame["y"]) == 40 * 3 * 3 * 2
    assert frame["y"][:3] == two[0].values[:3].tolist()
    assert math.isnan(frame["low"][0])
    assert set(frame["topic"]) == {"1", "2", "all"}
    assert b"ties: by document id" in made.metadata.metadata[b"settings"]


def absent(monkeypatch, *names):
    real = builtins.__import__

    def without(name, *more, **given):
        if name.partition(".")[0] in names:
            raise ImportError(name)
        return real(name, *more, **given)

    monkeypatch.setattr(builtins, "__import__", without)


def test_a_chart_tells_runs_apart_without_colour_and_dashes_the_ideal():
    pytest.importorskip("altair")
    made = curve(QRELS, {"ours": RUN, "theirs": OTHER}, "nDCG", to=9, ideal=True, band=0.9)
    spec = chart(made).to_dict()
    text = json.dumps(spec)
    shapes = [
        layer["encoding"]["shape"]["scale"] for layer in spec["layer"] if "shape" in layer.get("encoding", {})
    ]
    assert shapes[0]["domain"] == ["ours", "theirs"]
    assert len(set(shapes[0]["range"])) == 2
    assert '"strokeDash": [6, 4]' in text
    assert any(layer["mark"]["type"] == "area" for layer in spec["layer"])
    titles = {
        layer["encoding"][axis]["title"]
        for layer in spec["layer"]
        for axis in "xy"
        if axis in layer["encoding"]
    }
    assert {"rank", "nDCG"} <= titles


def test_fifteen_runs_have_fifteen_looks():
    pytest.importorskip("altair")
    made = curve(QRELS, {f"run{n}": RUN for n in range(15)}, "P", to=3)
    [encoding] = [
        layer["encoding"] for layer in chart(made).to_dict()["layer"] if "shape" in layer["encoding"]
    ]
    looks = list(zip(encoding["color"]["scale"]["range"], encoding["shape"]["scale"]["range"], strict=True))
    assert len(set(looks)) == 15


def test_measures_topics_and_differences_have_panels_of_their_own(two):
    pytest.importorskip("altair")
    assert [len(row["hconcat"]) for row in chart(two).to_dict()["vconcat"]] == [2, 2, 2]
    apart = curve(QRELS, {"ours": RUN, "theirs": OTHER}, "P", to=3, difference=True)
    assert "difference in P" in json.dumps(chart(apart).to_dict())


def test_a_chart_of_too_many_panels_is_refused():
    pytest.importorskip("altair")
    qrels = {str(n): {"a": 1} for n in range(30)}
    made = curve(qrels, {"1": {"a": 1.0}}, "P", to=2, per_topic=True)
    with pytest.raises(UsageError, match="31 panels cannot be read; ask for fewer topics"):
        chart(made)


@pytest.mark.parametrize(
    ("suffix", "start"),
    [
        (".svg", b"<svg"),
        (".png", b"\x89PNG"),
        (".pdf", b"%PDF"),
        (".html", b"<!DOCTYPE html>"),
        (".json", b"{"),
    ],
)
def test_pictures_are_written_whole(suffix, start, tmp_path):
    pytest.importorskip("vl_convert")
    made = curve(QRELS, RUN, "P", to=3)
    path = tmp_path / f"chart{suffix}"
    made.save(str(path))
    assert path.read_bytes().startswith(start)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    with pytest.raises(UsageError, match="already exists"):
        made.save(str(path))


def test_a_page_asks_nothing_of_the_network():
    pytest.importorskip("vl_convert")
    page = drawn(curve(QRELS, RUN, "P", to=3), ".html").decode()
    assert "<script src=" not in page


def test_hostile_names_are_text_in_pictures():
    pytest.importorskip("vl_convert")
    made = curve(QRELS, {"<script>alert(1)</script>": RUN}, "P", to=3)
    assert "<script>alert" not in drawn(made, ".svg").decode()
    assert "<script>alert" not in made._repr_html_()


@pytest.mark.parametrize("path", ["a.gif", "noending", "x.svg.gz"])
def test_unknown_endings_are_refused(path):
    with pytest.raises(UsageError, match=r"a chart is written as \.svg, \.png, \.pdf, \.html, \.json"):
        check_suffix(path)


def test_a_notebook_shows_the_picture_or_the_numbers(monkeypatch):
    made = curve(QRELS, RUN, "P", to=3)
    if pytest.importorskip("vl_convert"):
        assert "<svg" in made._repr_html_()
        assert "mean over 2 topics" in made._repr_html_()
    absent(monkeypatch, "vl_convert")
    shown = inline(made)
    assert "<table>" in shown
    assert "pip install altair vl-convert-python" in shown


def test_curves_say_what_they_are(two):
    assert repr(two[0]) == "<Curve of ours, topic 1: P by rank, 40 points>"
    assert repr(two).endswith("; …>")
    assert caption(curve(QRELS, RUN, "P", to=2, per_topic=["1"])) == ""


def test_nothing_is_written_where_it_cannot_be(tmp_path):
    with pytest.raises(DataError, match="cannot be written"):
        put(b"x", str(tmp_path / "no" / "such" / "folder"))


def test_public_names_are_at_the_top():
    assert gainful.curve is curve
