"""DL-Hard: 20 published runs with trec_eval 9's full output, at relevance level 2, as printed."""

import gzip
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import gainful

Lines = dict[tuple[str, str], str]
RUNS = {"doc": 14, "passage": 6}
TOPICS = 50
MEASURES = 93 - 12  # that trec_eval 9 has, less interpolated precision at 11 levels and its average
COUNTS = ("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")


def shown(name: str, value: float) -> str:
    return f"{value:.0f}" if name in COUNTS else f"{value:.4f}"


@pytest.fixture
def folder(published: Path) -> Path:
    return published / "dl_hard"


@pytest.fixture
def expected(folder: Path, read_lines: Callable[[str], Lines]) -> Callable[[str, str], Lines]:
    """What trec_eval printed for a run."""

    def read(kind: str, name: str) -> Lines:
        return read_lines(
            gzip.decompress((folder / "expected" / kind / f"{name}.eval.gz").read_bytes()).decode()
        )

    return read


@pytest.mark.parametrize("kind", RUNS)
def test_every_value_of_every_run_is_what_trec_eval_printed(
    kind: str, folder: Path, expected: Callable[[str, str], Lines]
) -> None:
    paths = sorted((folder / "runs" / kind).glob("*.run.gz"))
    assert len(paths) == RUNS[kind]
    runs = {path.name.removesuffix(".gz"): path for path in paths}
    names = [name for name, topic in expected(kind, next(iter(runs))) if topic == "all"]
    names = [name for name in names if name not in ("runid", "11pt_avg") and not name.startswith("iprec")]
    assert len(names) == MEASURES
    scores = gainful.evaluate(folder / f"dl_hard-{kind}.qrels", runs, names, rel=2)
    asked = dict.fromkeys(map(gainful.parse, names))  # Rprec and Rprec_mult_1.00 are one measure
    called = dict(zip(asked, map(str, scores.measures), strict=True))
    compared = 0
    for name in runs:
        theirs, ours = expected(kind, name), scores[name]
        assert len(ours.per_topic) == TOPICS
        for measure_name in names:
            measure = called[gainful.parse(measure_name)]
            for topic, values in ours.per_topic.items():
                if (
                    measure_name,
                    topic,
                ) in theirs:  # geometric means and num_q are printed for all topics only
                    value = shown(measure_name, values[measure])
                    assert value == theirs[measure_name, topic], (name, measure_name, topic)
                    compared += 1
            if measure_name != "num_rel":  # trec_eval -c counts level 1 there, whatever the level asked for
                assert shown(measure_name, ours.mean[measure]) == theirs[measure_name, "all"], (
                    name,
                    measure_name,
                )
    assert compared == RUNS[kind] * TOPICS * (MEASURES - 3)


@pytest.mark.parametrize("kind", RUNS)
def test_interpolated_precision_is_exact_and_theirs_nearly(
    kind: str, folder: Path, expected: Callable[[str, str], Lines]
) -> None:
    judgments = gainful.read_qrels(folder / f"dl_hard-{kind}.qrels")
    relevant = {t: sum(grade >= 2 for grade in judged.values()) for t, judged in judgments.to_dict().items()}
    names = [f"iprec_at_recall_{tenth / 10:.2f}" for tenth in range(11)]
    runs = {path.name.removesuffix(".gz"): path for path in (folder / "runs" / kind).glob("*.run.gz")}
    scores = gainful.evaluate(judgments, runs, list(map(gainful.parse, names)), rel=2)
    compared, excused = 0, 0
    for name in runs:
        theirs = expected(kind, name)
        for tenth, (measure_name, measure) in enumerate(zip(names, scores.measures, strict=True)):
            for topic, values in scores[name].per_topic.items():
                exact = math.ceil(Fraction(tenth, 10) * relevant[topic])
                if exact == int(tenth / 10 * relevant[topic] + 0.9):  # as trec_eval 9 counts
                    assert f"{values[str(measure)]:.4f}" == theirs[measure_name, topic], (
                        name,
                        measure_name,
                        topic,
                    )
                    compared += 1
                else:
                    assert values[str(measure)] <= float(theirs[measure_name, topic]) + 0.00005
                    excused += 1
    assert excused == {"doc": 8 * 14, "passage": 5 * 6}[kind]
    assert compared == RUNS[kind] * TOPICS * 11 - excused
