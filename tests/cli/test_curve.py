"""gainful curve: what it prints and writes, and what it refuses."""

import csv
import io
import json
from pathlib import Path

import pytest


def test_the_table_is_for_people(qrels, good_run, gainful):
    outcome = gainful("curve", qrels, good_run, "-m", "P", "--to", 3)
    assert outcome.code == 0
    assert outcome.out.splitlines()[:7] == [
        "P",
        "",
        "      rank    good",
        "──────────  ──────",
        "         1  0.5000",
        "         2  0.5000",
        "         3  0.5000",
    ]
    assert "mean over 2 topics" in outcome.out
    assert "ties: by document id" in outcome.out


def test_the_values_are_those_of_evaluate(qrels, good_run, gainful):
    curve = json.loads(gainful("curve", qrels, good_run, "-m", "nDCG,AP", "--to", 3, "-f", "json").out)
    measures = ",".join(f"{name}@{k}" for name in ("nDCG", "AP") for k in (1, 2, 3))
    mean = json.loads(gainful("evaluate", qrels, good_run, "-m", measures, "-f", "json").out)["runs"][0][
        "mean"
    ]
    found = {f"{one['y']}@{x}": y for one in curve["curves"] for x, y in one["points"]}
    assert found == mean


def test_csv_states_its_settings(qrels, good_run, gainful):
    outcome = gainful("curve", qrels, good_run, "--kind", "precision-recall", "--ties", "best", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    assert [row["x"] for row in rows][:3] == ["0", "0.1", "0.2"]
    assert "ties best" in rows[0]["settings"]
    assert "settings: ties: higher grades first" in outcome.err


def test_parquet_goes_to_a_file(qrels, good_run, gainful, tmp_path):
    out = tmp_path / "points.parquet"
    assert gainful("curve", qrels, good_run, "-f", "parquet", "-o", out).code == 0
    reader = pytest.importorskip("pyarrow.parquet")
    assert reader.read_table(out).num_rows == 100


def test_a_chart_and_an_output_at_once(qrels, good_run, gainful, tmp_path):
    pytest.importorskip("vl_convert")
    chart, out = tmp_path / "c.svg", tmp_path / "c.json"
    words = ("curve", qrels, good_run, "--to", 5, "--ideal", "--chart", chart, "-f", "json", "-o", out)
    assert gainful(*words).code == 0
    assert chart.read_text().startswith("<svg")
    assert json.loads(out.read_text())["curves"][1]["role"] == "ideal"
    again = gainful(*words)
    assert again.code == 2
    assert "already exists; choose another name, or replace it with --overwrite." in again.err
    assert gainful(*words, "--overwrite").code == 0


def test_a_band_states_its_seed(qrels, good_run, gainful):
    words = ("curve", qrels, good_run, "--to", 3, "--band", 0.9, "--resamples", 50, "--seed", 5)
    first, second = gainful(*words), gainful(*words)
    assert first.out == second.out
    assert "shaded: 90 % of 50 resamples of topics, seed 5" in first.out


def test_two_runs_and_their_difference(qrels, good_run, gainful, tmp_path):
    other = tmp_path / "other.run"
    other.write_text("1 Q0 c 1 2 t\n2 Q0 a 1 1 t\n")
    outcome = gainful("curve", qrels, good_run, other, "-m", "P", "--to", 2, "--difference", "--band", "0.9")
    assert outcome.code == 0
    assert "other − good" in outcome.out
    assert "P: other is nowhere below good" in outcome.out


def test_each_topic_or_one_alone(qrels, good_run, gainful):
    each = json.loads(gainful("curve", qrels, good_run, "-q", "-f", "json").out)["curves"]
    assert [one["topic"] for one in each] == ["1", "2", None]
    alone = json.loads(gainful("curve", qrels, good_run, "--topic", "2", "-f", "json").out)["curves"]
    assert [one["topic"] for one in alone] == ["2"]
    some = json.loads(gainful("curve", qrels, good_run, "--topics", "2", "-f", "json").out)["curves"]
    assert [(one["topic"], one["topics"]) for one in some] == [(None, 1)]


def test_standard_input_may_be_a_run(qrels, good_run, gainful, monkeypatch):
    import os

    with Path(good_run).open("rb") as file:
        kept = os.dup(0)
        os.dup2(file.fileno(), 0)
        try:
            outcome = gainful("curve", qrels, "-", "--to", 2, "-f", "json")
        finally:
            os.dup2(kept, 0)
            os.close(kept)
    assert [one["run"] for one in json.loads(outcome.out)["curves"]] == ["stdin"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-m", "Bpref"], "Bpref has no cutoff"),
        (["-m", "nDCG@10", "--to", "5"], "'nDCG@10' and to end the curves at different ranks (10 and 5)"),
        (["-m", "P(summary=median)"], "P(summary=median) is a median over topics, and curves are means"),
        (["-m", "nonsense"], "is not a measure"),
        (["--topic", "zz"], "topic 'zz' is not judged; the judgments have '1', '2'"),
        (
            ["--chart", "out.gif"],
            "a chart is written as .svg, .png, .pdf, .html, .json; '.gif' is none of them",
        ),
        (["--chart", "out"], "the name has no ending"),
        (["--difference"], "of two runs; got 1"),
        (["--kind", "roc", "-m", "P"], "curves have a fixed measure."),
        (["--kind", "rank", "--levels", "5"], "--levels goes with --kind precision-recall or roc"),
        (["--raw"], "--raw goes with --kind precision-recall"),
        (["--cost", "1=2"], "--cost goes with --kind effort"),
        (
            ["--kind", "effort", "--cost", "much"],
            "--cost takes grades and their costs, such as 1=2,2=3; got '",
        ),
        (["--kind", "effort", "--cost", "1=0"], "the cost of reading a document must be above 0."),
        (["--kind", "precision-recall", "--levels", "a,b"], "--levels takes a number"),
        (["--kind", "precision-recall", "--levels", "0.5,0.1"], "each larger than the one before"),
        (["--kind", "precision-recall", "--levels", "0,nan"], "levels must lie between 0 and 1"),
        (["--kind", "roc", "--levels", "0,inf"], "levels must lie between 0 and 1"),
        (["--kind", "roc", "--levels", "99999999999"], "levels must be 2 to 100,000, or a list of them"),
        (
            ["--kind", "precision-recall", "--average", "ratio"],
            "for curves by rank, not for precision-recall",
        ),
        (
            ["--kind", "precision-recall", "--raw", "--band", "0.9"],
            "--raw is per topic and not interpolated; it does not go with --levels, --band and --difference.",
        ),
        (["--average", "ratio", "-m", "P"], "P has no ideal"),
        (
            ["--topic", "1", "--band", "0.9"],
            "--topic shows single topics; it does not go with --band and --difference, which are over topics.",
        ),
        (
            ["--topic", "1", "--difference"],
            "--topic shows single topics; it does not go with --band and --difference, which are over topics.",
        ),
        (["--seed", "5"], "--resamples and --seed are options of a band; add --band 0.95."),
        (["--band", "95"], "95"),
        (["--to", "0"], "0"),
        (["-o", "same.svg", "--chart", "same.svg"], "cannot be both the output and the chart"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line_and_nothing_is_written(
    words, said, qrels, good_run, gainful, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    outcome = gainful("curve", qrels, good_run, *words)
    assert outcome.code == 2
    assert said in outcome.err, outcome.err
    assert "Traceback" not in outcome.err
    assert outcome.out == ""
    assert sorted(tmp_path.iterdir()) == before


def test_bad_data_gives_the_place_and_no_chart(qrels, gainful, tmp_path):
    bad, chart = tmp_path / "bad.run", tmp_path / "c.svg"
    bad.write_text("1 Q0 a 1 n/a t\n")
    outcome = gainful("curve", qrels, bad, "--chart", chart)
    assert (outcome.code, chart.exists()) == (3, False)
    assert "line 1" in outcome.err


def test_nothing_in_common_is_said(qrels, gainful, tmp_path):
    strange = tmp_path / "strange.run"
    strange.write_text("zz Q0 a 1 1 t\n")
    assert gainful("curve", qrels, strange).code == 4
