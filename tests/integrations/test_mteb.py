"""MTEB's own evaluation before and after `install_as`, and its files in comparisons and reports; BEIR's run files too."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import gainful
from gainful.cli import run as command
from gainful.comparisons.mteb_results import read_results
from gainful.errors import DataError
from gainful.integrations import mteb as for_mteb


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """What MTEB gave on its own and on Gainful, and the folders with its files."""
    pytest.importorskip("torch", reason="needs mteb (make integrations)")
    pytest.importorskip("sentence_transformers", reason="needs mteb (make integrations)")
    pytest.importorskip("mteb", reason="needs mteb (make integrations)")
    found = {}
    for whose in ("theirs", "ours"):
        folder = tmp_path_factory.mktemp(whose)
        script = Path(__file__).parent / "mteb_run.py"
        subprocess.run(
            [sys.executable, script, whose, str(folder)],
            check=True,
            capture_output=True,
            env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "home")},
        )
        found[whose] = folder, json.loads((folder / "found.json").read_text())
    return found


def test_all_scores_of_mteb_are_the_same_on_gainful(evaluated):
    (_, theirs), (_, ours) = evaluated["theirs"], evaluated["ours"]
    assert (theirs["module"], ours["module"]) == ("pytrec_eval", "gainful.compat.pytrec_eval")
    numbers = 0
    for task, splits in theirs["scores"].items():
        for split, entries in splits.items():
            for entry, other in zip(entries, ours["scores"][task][split], strict=True):
                assert entry.keys() == other.keys()
                kept = {name: value for name, value in entry.items() if isinstance(value, float)}
                assert {name: other[name] for name in kept} == pytest.approx(kept, abs=1e-9, nan_ok=True)
                numbers += len(kept)
    assert numbers > 500


def test_predictions_are_runs_and_the_tasks_judgments_give_mtebs_numbers(evaluated):
    folder, found = evaluated["theirs"]
    (entry,) = found["scores"]["Larger"]["test"]
    path = folder / "predictions" / "Larger_predictions.json"
    scores = gainful.evaluate(found["qrels"]["Larger"], path, "NDCG@10, MAP@100, MRR@10", dialect="mteb")
    names = {"NDCG@10": "ndcg_at_10", "MAP@100": "map_at_100", "MRR@10": "mrr_at_10"}
    assert scores.mean == pytest.approx({name: entry[theirs] for name, theirs in names.items()}, abs=1e-9)
    report = gainful.report(found["qrels"]["Larger"], path, "nDCG@10")
    assert report["verdict"].headline.startswith("Larger_predictions scores")


def test_of_several_subsets_queries_have_their_names(evaluated):
    folder, found = evaluated["theirs"]
    path = folder / "predictions" / "MockMultilingualRetrievalTask_predictions.json"
    qrels = found["qrels"]["MockMultilingualRetrievalTask"]
    assert {topic.rpartition("/")[0] for topic in qrels} == {"eng/test", "eng/val", "fra/test", "fra/val"}
    means = gainful.evaluate(qrels, path, "nDCG@10").mean["nDCG@10"]
    splits = found["scores"]["MockMultilingualRetrievalTask"]
    each = [entry["ndcg_at_10"] for entries in splits.values() for entry in entries]
    assert means == pytest.approx(sum(each) / 4, abs=1e-5)  # MTEB rounds to five decimals


def test_results_are_compared_task_by_task(evaluated, tmp_path, capfd):
    folder, found = evaluated["theirs"]
    table = read_results(str(folder / "cache"))
    assert table.names == ("mteb/baseline-random-encoder",)
    assert len(table.topics) == 9
    (entry,) = found["scores"]["Larger"]["test"]
    assert table.values[0, 0, table.topics.index("Larger")] == entry["main_score"]
    better(folder / "cache", tmp_path / "cache")
    assert command(["compare", str(folder / "cache"), str(tmp_path / "cache")]) == 0
    out, err = capfd.readouterr()
    assert "9 topics, paired" in out
    assert "topics are 9 tasks of MTEB" in err


def better(cache, copy):
    """The results of another model, which is better on every task."""
    for path in cache.rglob("*.json"):
        content = json.loads(path.read_text())
        if path.name == "model_meta.json":
            content["name"] = "mteb/better"
        for entry in (entry for entries in content.get("scores", {}).values() for entry in entries):
            entry["main_score"] += 0.1
        target = copy / path.relative_to(cache)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(content))


def saved(folder, model, revision, **scores):
    """A folder as MTEB's cache has it."""
    place = folder / "results" / model / revision
    place.mkdir(parents=True)
    (place / "model_meta.json").write_text(json.dumps({"name": f"org/{model}", "max_tokens": float("inf")}))
    for task, score in scores.items():
        entries = [{"hf_subset": "default", "main_score": score, "languages": ["eng-Latn"]}]
        (place / f"{task}.json").write_text(json.dumps({"task_name": task, "scores": {"test": entries}}))
    return place


def test_a_folder_of_many_models_is_a_table(tmp_path, capfd):
    for number in range(3):
        saved(
            tmp_path, f"m{number}", "1", **{f"T{task}": 0.5 + number / 10 + task / 100 for task in range(6)}
        )
    saved(tmp_path, "m2", "2", **{f"T{task}": 0.9 for task in range(6)})
    table = read_results(str(tmp_path))
    assert table.names == ("org/m0", "org/m1", "org/m2 1", "org/m2 2")
    assert table.mean("main_score")["org/m1"] == pytest.approx(0.6 + 0.15 / 6)
    assert command(["compare", str(tmp_path / "results"), "--baseline", "org/m0"]) == 0
    assert "org/m2 2" in capfd.readouterr().out


def test_what_is_no_result_is_named(tmp_path):
    place = saved(tmp_path, "m", "1", T=0.5)
    (place / "Broken.json").write_text('{"task_name": "Broken"}')
    with pytest.raises(DataError, match=r"Broken.json: expected a result of MTEB"):
        read_results(str(tmp_path))
    (place / "Broken.json").write_text("{")
    with pytest.raises(DataError, match=r"Broken.json is not JSON"):
        read_results(str(tmp_path))
    (tmp_path / "parts").mkdir()
    assert read_results(str(tmp_path / "parts")) is None


def test_predictions_of_something_else_are_refused(tmp_path):
    path = tmp_path / "T_predictions.json"
    path.write_text('{"mteb_model_meta": {"model_name": "m"}, "default": {"test": [0.5, 0.25]}}')
    with pytest.raises(DataError, match="expected MTEB's predictions of a retrieval task"):
        gainful.evaluate({"q": {"d": 1}}, path, "RR")
    path.write_text('{"default": {"test": {"q": {"x": 2, "d": 1}}}, "mteb_model_meta": {"model_name": "m"}}')
    assert gainful.evaluate({"q": {"d": 1}}, path, "RR").mean == {"RR": 1 / 2}


def test_predictions_of_one_task_are_called_by_their_models(tmp_path):
    paths = []
    for model in ("org/old", "org/new"):
        (tmp_path / model).mkdir(parents=True)
        paths.append(tmp_path / model / "T_predictions.json")
        head = {"mteb_model_meta": {"model_name": model, "revision": None}}
        paths[-1].write_text(json.dumps({**head, "default": {"test": {"q": {"x": 2.0, "d": 1.0}}}}))
    scores = gainful.evaluate({"q": {"d": 1}}, paths, "RR")
    assert [run.name for run in scores] == ["org/old", "org/new"]


def test_a_subset_that_the_task_lacks_is_refused():
    relevant = {"q": {"d": 1}, "r": {}}
    task = SimpleNamespace(dataset={"de": {"test": {"relevant_docs": relevant}}}, eval_splits=["test"])
    assert for_mteb.judgments(task) == {"q": {"d": 1}}
    with pytest.raises(gainful.errors.UsageError, match="there are de/test"):
        for_mteb.judgments(task, subset="fr")


def test_beirs_run_files_and_judgments_are_compared_and_reported(tmp_path):
    beir = pytest.importorskip("beir.util", reason="needs beir")
    (tmp_path / "qrels").mkdir()
    qrels = {f"q{number}": {"a": 1, "b": 2} for number in range(8)}
    lines = [f"{q}\t{d}\t{grade}\n" for q, of in qrels.items() for d, grade in of.items()]
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(lines))
    runs = {"good": {q: {"b": 2.0, "a": 1.0} for q in qrels}, "bad": {q: {"x": 2.0, "a": 1.0} for q in qrels}}
    for name, results in runs.items():
        beir.save_runfile(str(tmp_path / f"{name}.run.trec"), results, name)
    paths = [tmp_path / "bad.run.trec", tmp_path / "good.run.trec"]
    compared = gainful.compare(tmp_path / "qrels" / "test.tsv", paths, "nDCG@10")
    assert "is better than" in str(compared.verdict)
    theirs = beir.load_runfile(str(paths[0]))
    assert gainful.read_run(paths[0]).to_dict() == theirs
    report = gainful.report(tmp_path / "qrels" / "test.tsv", [str(path) for path in paths], "nDCG@10")
    assert report["scores"].systems == ("good.run", "bad.run")
