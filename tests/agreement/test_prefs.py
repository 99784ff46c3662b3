"""trec_eval's outputs for preferences and for several judges, as printed."""

from collections.abc import Callable
from pathlib import Path

import pytest

import gainful

Lines = dict[tuple[str, str], str]


def shown(name: str, value: float) -> str:
    return f"{value:.0f}" if "_num_" in name or name == "num_q" else f"{value:.4f}"


def ordered_as_there(path: Path) -> dict[str, dict[str, float]]:
    """The run with equal scores in the order that trec_eval has for preferences: by id, from the first to the last."""
    by_topic: dict[str, list[tuple[float, str]]] = {}
    for line in path.read_text().splitlines():
        topic, _, document, _, score, _ = line.split()
        by_topic.setdefault(topic, []).append((-float(score), document))
    return {
        topic: {document: float(-place) for place, (_, document) in enumerate(sorted(some))}
        for topic, some in by_topic.items()
    }


@pytest.mark.parametrize(
    ("output", "judgments", "run", "number"),
    [
        ("out.test.prefs", "prefs.test", "prefs.results.test", 351),
        ("out.test.prefs", "prefs.comment.test", "prefs.results.test", 351),
        ("out.test.qrels_prefs", "qrels.test", "results.test", 57),
        ("out.test.qrels_jg", "qrels.123", "results.test", 81),
        ("out.test.qrels_jg", "qrels.comments.123", "results.test", 81),
    ],
)
def test_every_line_is_met_as_printed(
    published: Path, read_lines: Callable[[str], Lines], output: str, judgments: str, run: str, number: int
) -> None:
    folder = published / "trec_eval_tests"
    theirs = read_lines((folder / output).read_text())
    names = [name for name, topic in theirs if topic == "all" and name != "runid"]
    given = folder / run if output.endswith("jg") else ordered_as_there(folder / run)
    ours = gainful.evaluate(folder / judgments, given, names, missing="skip")
    compared = 0
    for (name, topic), value in theirs.items():
        if name != "runid":
            measure = str(gainful.parse(name))
            found = ours.mean[measure] if topic == "all" else ours.per_topic[topic][measure]
            assert shown(name, found) == value, (name, topic)
            compared += 1
    assert compared == number


def test_the_sets_of_trec_eval_are_what_it_prints(
    published: Path, read_lines: Callable[[str], Lines]
) -> None:
    folder = published / "trec_eval_tests"
    for set_, output in {"all_prefs": "out.test.prefs", "qrels_jg": "out.test.qrels_jg"}.items():
        printed = [name for name, topic in read_lines((folder / output).read_text()) if topic == "all"]
        known = gainful.measures.parse_many(set_)
        assert [gainful.parse(name) for name in printed if name != "runid"] == known
