"""gainful convert, as a user types it."""

import json
from pathlib import Path

import polars as pl


def test_a_run_goes_round_every_layout_and_comes_back(qrels, good_run, tmp_path, gainful):
    before = json.loads(gainful("evaluate", qrels, good_run, "-f", "json").out)["runs"][0]
    source = good_run
    for name in ("a.parquet", "b.json", "c.csv.gz", "d.jsonl.zst", "e.tsv.xz", "f.run"):
        outcome = gainful("convert", source, tmp_path / name, "--kind", "run")
        assert outcome.code == 0, outcome.err
        source = tmp_path / name
    after = json.loads(gainful("evaluate", qrels, source, "-f", "json").out)["runs"][0]
    assert (after["digest"], after["mean"]) == (before["digest"], before["mean"])


def test_the_kind_is_told_where_the_columns_say_it(qrels, good_run, tmp_path, gainful):
    assert "rows of a run" in gainful("convert", good_run, tmp_path / "a.csv").err
    assert "rows of judgments" in gainful("convert", qrels, tmp_path / "b.csv").err
    assert "rows of judgments" in gainful("convert", tmp_path / "b.csv", tmp_path / "c.txt").err
    asked = gainful("convert", tmp_path / "a.csv", tmp_path / "d.json")
    assert asked.code == 2
    assert "--kind" in asked.err


def test_names_are_kept_and_beir_is_written_as_beir_has_it(qrels, tmp_path, gainful):
    gainful("convert", qrels, tmp_path / "test.tsv", "--to", "beir")
    assert (tmp_path / "test.tsv").read_text().splitlines()[:2] == ["query-id\tcorpus-id\tscore", "1\ta\t2"]


def test_nothing_is_written_when_something_is_wrong(qrels, tmp_path, gainful):
    spaced = tmp_path / "in.json"
    spaced.write_text('{"1": {"with space": 1}}')
    outcome = gainful("convert", spaced, tmp_path / "out.run", "--kind", "run")
    assert outcome.code == 3
    assert "with space" in outcome.err
    (tmp_path / "mine.csv").write_text("mine")
    assert gainful("convert", qrels, tmp_path / "mine.csv").code == 2
    assert (tmp_path / "mine.csv").read_text() == "mine"
    assert gainful("convert", qrels, tmp_path / "out.unknown").code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.json", "mine.csv", "qrels.txt"]


def test_scores_are_written_for_papers_and_programs(qrels, good_run, tmp_path, gainful):
    out = tmp_path / "scores.parquet"
    assert gainful("evaluate", qrels, good_run, "-m", "AP", "-q", "-f", "parquet", "-o", out).code == 0
    frame = pl.read_parquet(out)
    assert frame.columns == ["run", "topic", "measure", "value"]
    assert frame["topic"].to_list() == ["1", "2", "all"]
    latex = gainful("evaluate", qrels, good_run, good_run, "-m", "AP", "-f", "latex").out
    assert r"\toprule" in latex
    lines = gainful("evaluate", qrels, good_run, "-m", "AP", "-f", "jsonl").out.splitlines()
    assert json.loads(lines[0])["settings"]["ties"] == "docid"
    assert json.loads(lines[1])["measure"] == "AP"
    assert gainful("evaluate", qrels, good_run, "-m", "AP", "-f", "markdown").out.startswith(
        "| run | AP |\n|:---|---:|\n| good |"
    )
    assert Path(out).stat().st_size > 0
