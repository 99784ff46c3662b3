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


def test_judgments_are_written_as_search_engines_take_them(tmp_path, gainful):
    (tmp_path / "qrels.txt").write_text("q1 0 a 2\nq1 0 b 0\nq2 0 c 1\n")
    for name in ("elasticsearch", "opensearch", "quepid"):
        outcome = gainful("convert", tmp_path / "qrels.txt", tmp_path / name, "--to", name, "--tag", "shop")
        assert outcome.code == 0, outcome.err
    request = json.loads((tmp_path / "elasticsearch").read_text())
    assert [each["id"] for each in request["requests"]] == ["q1", "q2"]
    assert request["requests"][0]["ratings"][0] == {"_index": "shop", "_id": "a", "rating": 2}
    imported = json.loads((tmp_path / "opensearch").read_text())
    assert imported["judgmentRatings"][1] == {"query": "q2", "ratings": [{"docId": "c", "rating": "1"}]}
    assert (tmp_path / "quepid").read_text() == "query,docid,rating\nq1,a,2\nq1,b,0\nq2,c,1\n"
    back = gainful(
        "convert", tmp_path / "elasticsearch", tmp_path / "back.txt", "--kind", "qrels", "--from", "json"
    )
    assert back.code == 0, back.err
    assert (tmp_path / "back.txt").read_text().split() == (tmp_path / "qrels.txt").read_text().split()


def test_labels_are_in_the_order_of_the_run_and_unjudged_ones_are_0(tmp_path, gainful):
    (tmp_path / "qrels.txt").write_text("q 0 a 2\nq 0 b 0.5\n")
    (tmp_path / "bm25.run").write_text("q Q0 x 1 3 t\nq Q0 a 2 2 t\nother Q0 a 1 1 t\n")
    given = ("convert", tmp_path / "bm25.run", tmp_path / "labels.json", "--to", "labels")
    assert gainful(*given, "--qrels", tmp_path / "qrels.txt").code == 0
    assert json.loads((tmp_path / "labels.json").read_text()) == {
        "q": {"documents": ["x", "a"], "labels": [0.0, 2.0], "scores": [3.0, 2.0]}
    }
    assert gainful(*given, "--overwrite").code == 2
    assert "--qrels" in gainful(*given, "--overwrite").err


def test_what_a_tool_does_not_take_is_refused(qrels, good_run, tmp_path, gainful):
    run = gainful("convert", good_run, tmp_path / "a", "--to", "elasticsearch")
    assert (run.code, "takes judgments" in run.err) == (2, True)
    (tmp_path / "qrels.txt").write_text("q 0 a 0.5\n")
    half = gainful("convert", tmp_path / "qrels.txt", tmp_path / "b", "--to", "elasticsearch")
    assert (half.code, "document 'a' of topic 'q' has 0.5" in half.err) == (3, True)
    unused = gainful("convert", good_run, tmp_path / "c.json", "--qrels", qrels)
    assert (unused.code, "--qrels is for --to labels" in unused.err) == (2, True)
