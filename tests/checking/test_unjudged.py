"""The documents to judge next, against a slow count of every list."""

import random
from pathlib import Path

import pytest

from gainful.checking import Unjudged, check
from gainful.checking import id_arrays as text_lines

Nested = dict[str, dict[str, float]]


def by_hand(qrels: Nested, runs: dict[str, Nested], top: int) -> set[tuple[str, str, int, int, float]]:
    ranks: dict[tuple[str, str], list[int]] = {}
    for run in runs.values():
        for topic, scored in run.items():
            if topic in qrels:
                order = sorted(scored.items(), key=lambda item: (item[1], item[0].encode()), reverse=True)
                for rank, (document, _) in enumerate(order[:top], 1):
                    if document not in qrels[topic]:
                        ranks.setdefault((topic, document), []).append(rank)
    return {(*pair, len(found), min(found), sum(found) / len(found)) for pair, found in ranks.items()}


def some_runs(seed: int) -> tuple[Nested, dict[str, Nested]]:
    chance = random.Random(seed)
    qrels = {f"t{topic}": {f"d{chance.randrange(40)}": 1.0 for _ in range(12)} for topic in range(6)}
    runs = {
        f"run{number}": {
            f"t{topic}": {
                f"d{document}": chance.randrange(8) / 2
                for document in chance.sample(range(60), chance.randrange(1, 40))
            }
            for topic in range(8)  # two of them are not judged
        }
        for number in range(4)
    }
    return qrels, runs


def as_text(run: Nested, seed: int) -> str:
    rows = [
        f"{topic} Q0 {document} 0 {score} tag\n"
        for topic, of in run.items()
        for document, score in of.items()
    ]
    random.Random(seed).shuffle(rows)
    return "".join(rows)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("top", [1, 3, 10, 100])
def test_the_list_is_that_of_a_slow_count(seed: int, top: int) -> None:
    qrels, runs = some_runs(seed)
    found = check(qrels, runs, unjudged=top).unjudged
    assert found is not None
    listed = [(one.topic, one.document, one.runs, one.best_rank, one.mean_rank) for one in found]
    assert set(listed) == by_hand(qrels, runs, top)
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("block", [97, 1 << 22])
def test_files_with_scattered_rows_give_the_same_list(
    block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    qrels, runs = some_runs(9)
    monkeypatch.setattr(text_lines, "BLOCK", block)
    paths = []
    for number, (name, run) in enumerate(runs.items()):
        paths.append(tmp_path / f"{name}.run")
        paths[-1].write_text(as_text(run, number))
    assert check(qrels, paths, unjudged=5).unjudged == check(qrels, runs, unjudged=5).unjudged


def test_what_most_runs_have_highest_comes_first() -> None:
    qrels = {"q": {"judged": 1}}
    runs = {
        "a": {"q": {"often": 3.0, "once": 2.0, "judged": 1.0}},
        "b": {"q": {"lower": 3.0, "often": 2.0}},
        "c": {"q": {"judged": 3.0, "lower": 2.0}},
    }
    assert check(qrels, runs, unjudged=2).unjudged == (
        Unjudged("q", "lower", 2, 1, (1 + 2) / 2),
        Unjudged("q", "often", 2, 1, (1 + 2) / 2),  # like the one before; then the id decides
        Unjudged("q", "once", 1, 2, 2.0),
    )


def test_no_list_is_made_unless_it_is_asked_for() -> None:
    assert check({"q": {"a": 1}}, {"q": {"a": 1.0}}).unjudged is None
