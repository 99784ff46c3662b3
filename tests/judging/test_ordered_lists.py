"""The ordered list against the judged run: hits at their ranks, whatever the settings."""

import os
import random

import pytest

from gainful import evaluate
from gainful.formats.judgments import read_qrels
from gainful.formats.runs import Run
from gainful.judging.ordered_lists import ordered
from gainful.judging.settings import Settings


def made(seed: int) -> tuple[dict[str, dict[str, float]], list[tuple[str, str, float]]]:
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(30)] + ["é", "q1"]
    judged = {
        topic: {document: chance.randint(-1, 3) for document in chance.sample(documents, 12)}
        for topic in ("q1", "q2", "10")
    }
    rows = [
        (topic, document, float(chance.choice([1, 2, 3, 1.00000001])))
        for topic in ("q1", "10", "9")
        for document in chance.sample(documents, 20)
    ]
    return judged, rows


@pytest.mark.parametrize("ties", ["docid", "input", "best", "worst"])
@pytest.mark.parametrize("scores", ["64", "32"])
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("by", ["rows", "file", "mapping"])
def test_hits_stand_in_the_ordered_list_at_their_ranks_in_the_judged_run(ties, scores, seed, by, tmp_path):
    judged, rows = made(seed)
    settings = Settings(ties=ties, scores=scores, drop_self=seed % 2 == 0)
    run = Run(rows)
    if by == "file":
        path = tmp_path / "run"
        path.write_text("".join(f"{topic} Q0 {document} 1 {score!r} t\n" for topic, document, score in rows))
        run = Run(os.fspath(path))
    elif by == "mapping":
        nested: dict[str, dict[str, float]] = {}
        for topic, document, score in rows:
            nested.setdefault(topic, {})[document] = score
        run = Run(nested)
    judgments = read_qrels(judged)
    record = evaluate(judgments, run, "AP", **settings.to_dict()).runs[0].judged
    for depth in (None, 1, 4, 100):
        lists = ordered(run, settings, depth, judgments=judgments)
        assert lists.topics == judgments.topics
        for number, topic in enumerate(lists.topics):
            one = record.select(number, number + 1)
            expected = {
                int(rank): (float(grade), int(first), int(last))
                for rank, grade, first, last in zip(one.rank, one.grade, one.first, one.last, strict=True)
                if depth is None or rank <= depth
            }
            places = lists[topic]
            got = {
                place.rank: (place.grade, place.first, place.last)
                for place in places
                if place.grade is not None
            }
            assert got == expected
            assert len(places) == min(int(one.retrieved[0]), depth or 1000)
            assert [place.rank for place in places] == list(range(1, len(places) + 1))
            alone = ordered(run, settings, depth, judgments=judgments, topics=[topic])
            assert alone[topic] == places


def test_without_judgments_every_topic_of_the_run_has_its_list():
    lists = ordered(Run({"2": {"a": 1.0, "b": 1.0}, "1": {"c": 0.0}}), Settings())
    assert lists.topics == ("1", "2")
    assert lists.documents("2") == ["b", "a"]
    assert lists["2"][0] == (1, "b", 1.0, None, 1, 2)
