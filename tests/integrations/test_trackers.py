"""MLflow, Weights & Biases and TensorBoard keep scores, intervals and the report; each is read back as it stores them."""

import json
from pathlib import Path

import pytest

import gainful
from gainful.comparisons import read_saved
from gainful.comparisons.mean_intervals import mean_intervals

QRELS = {f"q{number}": {"a": 1, "b": 2} for number in range(6)}
RUN = {topic: ["x", "a", "b"][: 1 + number % 3] for number, topic in enumerate(QRELS)}


@pytest.fixture(scope="module")
def scores():
    return gainful.evaluate(QRELS, RUN, "nDCG@10, RR")


@pytest.fixture(scope="module")
def report():
    return gainful.report(QRELS, RUN, "nDCG@10")


@pytest.fixture(scope="module")
def expected(scores):
    """Name, mean and ends."""
    ends = mean_intervals(scores.runs[0])
    by_name = {"nDCG_at_10": "nDCG@10", "RR": "RR"}
    return {name: (scores.mean[measure], *ends[measure]) for name, measure in by_name.items()}


def flat(expected):
    return {
        f"{name}{suffix}": value
        for name, values in expected.items()
        for suffix, value in zip(("", "_low", "_high"), values, strict=True)
    }


def test_mlflow_keeps_metrics_scores_and_the_page(scores, report, expected, tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow", reason="needs mlflow (make integrations)")
    from gainful.integrations.mlflow import log_scores

    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "mlruns").as_uri())
    with mlflow.start_run() as run:
        log_scores(scores, report=report, step=3)
    kept = mlflow.get_run(run.info.run_id)
    assert kept.data.metrics == pytest.approx(flat(expected))
    folder = mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path="gainful")
    saved = read_saved(f"{folder}/scores.json")
    assert saved.mean("nDCG@10")["run"] == pytest.approx(scores.mean["nDCG@10"])
    assert report.title in Path(folder, "report.html").read_text()


def test_mlflow_evaluates_retrievers_by_the_measure():
    mlflow = pytest.importorskip("mlflow", reason="needs mlflow (make integrations)")
    import pandas as pd

    from gainful.integrations.mlflow import metric

    predictions = pd.Series([["x", "a"], ["a", "b"], ["b"]])
    targets = pd.Series([["a"], ["a", "b"], ["a", "c"]])
    value = metric("RR").eval_fn(predictions, targets)
    assert value.scores == [1 / 2, 1, 0]
    assert value.aggregate_results["mean"] == 1 / 2
    assert set(value.aggregate_results) == {"mean", "low", "high"}
    ours = metric("precision_at_3", dialect="mlflow").eval_fn(predictions, targets)
    theirs = mlflow.metrics.precision_at_k(3).eval_fn(predictions, targets)
    assert ours.scores == pytest.approx(theirs.scores)
    assert metric("nDCG@10").name == "nDCG_at_10"


def test_weights_and_biases_keeps_them_offline(scores, report, expected, tmp_path, monkeypatch):
    wandb = pytest.importorskip("wandb", reason="needs wandb (make integrations)")
    from gainful.integrations.wandb import log_scores

    monkeypatch.setenv("WANDB_SILENT", "true")
    with wandb.init(mode="offline", dir=tmp_path, project="search") as run:
        log_scores(scores, run, report=report)
        summary = dict(run.summary)
        files = tmp_path.glob("wandb/offline-run-*/files/media/**/*")
        kept = {path.suffix: path.read_text() for path in files if path.is_file()}
    assert {name: summary[name] for name in flat(expected)} == pytest.approx(flat(expected))
    assert json.loads(kept[".json"])["data"] == [list(row) for row in scores.rows()]
    assert report.title in kept[".html"]


def test_tensorboard_keeps_curves_and_texts(scores, report, expected, tmp_path):
    pytest.importorskip("tensorboard", reason="needs tensorboard (make integrations)")
    writers = pytest.importorskip("torch.utils.tensorboard", reason="needs PyTorch (make integrations)")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    from gainful.integrations.tensorboard import log_scores

    with writers.SummaryWriter(str(tmp_path)) as writer:
        log_scores(scores, writer, step=1)
        log_scores(scores, writer, step=2, report=report)
    events = EventAccumulator(str(tmp_path)).Reload()
    for name, value in flat(expected).items():
        assert [(event.step, event.value) for event in events.Scalars(name)] == [
            (1, pytest.approx(value)),
            (2, pytest.approx(value)),
        ]
    (page,) = events.Tensors("gainful/report/text_summary")
    assert report.title in page.tensor_proto.string_val[0].decode()
    assert len(events.Tensors("gainful/scores/text_summary")) == 2
