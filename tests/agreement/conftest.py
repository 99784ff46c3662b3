"""Outside oracles: where their data are, and random judgments and runs that they can read too."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

SHARED = Path(__file__).parents[3] / "shared" / "data" / "eval"

Nested = dict[str, dict[str, float]]
Lines = dict[tuple[str, str], str]


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder with runs, judgments and answers that others published; the project holds no copy."""
    if not SHARED.is_dir():
        pytest.skip("the published runs and answers are not beside the repository (../shared/data/eval)")
    return SHARED


@pytest.fixture(scope="session")
def read_lines() -> Callable[[str], Lines]:
    """A reader of trec_eval's layout: (measure, topic) → the value as printed."""

    def read(text: str) -> Lines:
        fields = [line.split("\t") for line in text.splitlines()]
        found = {(name.strip(), topic.strip()): value.strip() for name, topic, value in fields}
        assert len(found) == len(fields), "a measure of a topic is printed twice"
        return found

    return read


@dataclass(frozen=True)
class Case:
    """Judgments and a run, as text and as dicts."""

    judgments: dict[str, dict[str, int]]
    run: Nested

    def write(self, folder: Path, seed: int) -> tuple[Path, Path]:
        """Both as files, with the rows of a topic scattered."""
        random = Random(seed)
        rows = [f"{t} 0 {d} {g}\n" for t, judged in self.judgments.items() for d, g in judged.items()]
        lines = [
            f"{t} Q0 {d} 0 {s!r} random_run\n" for t, scored in self.run.items() for d, s in scored.items()
        ]
        random.shuffle(rows)
        random.shuffle(lines)
        files = folder / "random.qrels", folder / "random.run"
        for file, text in zip(files, (rows, lines), strict=True):
            file.write_text("".join(text), encoding="utf-8")
        return files


@pytest.fixture(scope="session")
def cases() -> Callable[[int], Case]:
    """A maker of random cases by seed: ties, negative grades, lists of all lengths, topics of every odd kind.

    Scores are multiples of 1/8, which 32 bits hold exactly.
    """
    return make_case


def make_case(seed: int) -> Case:
    random = Random(seed)
    judgments: dict[str, dict[str, int]] = {}
    run: Nested = {}
    for number in range(24):
        topic = str(100 - number) if number % 3 else f"topic-{number}"
        ids = list(some_ids(random, 1500 if number == 5 else 90))
        grades = {document: draw_grade(random, number) for document in random.sample(ids, 40)}
        grades[ids[0]] = max(
            0, grades.get(ids[0], 0)
        )  # trec_eval refuses a topic without a grade of 0 or more
        if number != 7:  # judged, and missing from the run
            retrieved = random.sample(ids, retrieved_count(random, number, len(ids)))
            steps = 1 if number == 3 else 12 if number % 2 else 4000  # all tied · many ties · few
            run[topic] = {document: random.randrange(-steps, steps) / 8 for document in retrieved}
            if number == 3:
                run[topic] = dict.fromkeys(retrieved, 1.5)
        if number != 11:  # in the run, and not judged
            judgments[topic] = grades
    return Case(judgments, run)


def some_ids(random: Random, count: int) -> Iterator[str]:
    """Ids whose order by bytes is neither that of their numbers nor that of their letters."""
    for number in range(count):
        yield random.choice(["D", "d", "doc-", "é", "#", ""]) + str(number * 7)


def draw_grade(random: Random, number: int) -> int:
    """Mostly 0; a topic with nothing relevant, one with all relevant, one with marginal documents only."""
    if number in (13, 14):
        return [0, 3][number - 13]
    highest = 1 if number == 15 else 4
    return random.choice([-2, -1, 0, 0, 0, 0, *range(1, highest + 1)])


def retrieved_count(random: Random, number: int, exist: int) -> int:
    """One document, two, all; or any number between."""
    return {0: 1, 1: 2, 2: exist, 5: exist - 100}.get(number) or random.randrange(3, exist)
