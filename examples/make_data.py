"""Make the example data anew: graded judgments of 50 topics and three systems whose curves cross.

    python examples/make_data.py [FOLDER]

`sprinter` puts what it finds at the very top and then runs out.
`marathon` starts slower and keeps finding to the end of its list.
`plain` is the search that both want to replace.
The numbers come from one seed through `Random.random` alone, whose sequence Python promises to keep:
the files are the same bytes on every machine and in every version.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

SEED = 7
FOLDER = Path(__file__).parent / "data"
THEMES = (  # one to a topic
    "apes arch bark bell bird boat book cave chef clay coal corn crab deer dune fern fish flax frog fuel "
    "gold hail harp iron jade kelp kite lake lamp lava leaf loom mint moon moss myth oats opal palm pear "
    "rice salt sand silk soap swan tide toad wolf yarn"
)
EXIST = 150  # documents on each topic's theme
DEPTH = 80  # of every list
READ = 9  # ranks of every list that the assessors read


@dataclass(frozen=True)
class System:
    """How a system finds and scores."""

    name: str
    finds: dict[int, float]  # down to this rank, this many relevant documents a rank
    top: float  # the score of rank 1
    step: float  # how much a score falls from rank to rank, on average
    places: int  # of a score

    def share(self, rank: int) -> float:
        """Relevant documents a rank, around this rank."""
        return next(share for last, share in self.finds.items() if rank <= last)


SYSTEMS = (
    System("sprinter", {1: 1.2, 5: 0.85, 8: 0.16, 20: 0.09, DEPTH: 0.01}, top=0.995, step=0.01, places=3),
    System("marathon", {14: 0.58, 24: 0.22, 40: 0.07, DEPTH: 0.025}, top=31.5, step=0.33, places=2),
    System("plain", {4: 0.42, 12: 0.28, 30: 0.07, DEPTH: 0.02}, top=-4.1, step=0.09, places=2),
)


def relevant_documents(random: Random, documents: list[str]) -> dict[str, int]:
    """Twelve to fifteen of the documents with a grade from 1 to 3."""
    grades = {}
    for _ in range(12 + int(random.random() * 4)):
        document = documents.pop(int(random.random() * len(documents)))
        luck = random.random()
        grades[document] = 3 if luck < 0.2 else 2 if luck < 0.5 else 1
    return grades


def ranked_list(
    random: Random, system: System, grades: dict[str, int], others: list[str], ease: float
) -> list[str]:
    """Relevant documents at the pace of the system, good ones a little earlier, with others in between."""
    left = sorted(grades, key=lambda document: grades[document] + 3 * random.random())
    filler = list(others)
    luck = ease + 0.5 * (random.random() - 0.5)
    owed = random.random()
    ranked = []
    for rank in range(1, DEPTH + 1):
        owed += system.share(rank) * luck
        if owed > 1.6 * random.random() + 0.2 and left:
            owed -= 1
            ranked.append(left.pop())
        else:
            ranked.append(filler.pop(int(random.random() ** 2 * len(filler))))  # systems share many mistakes
    return ranked


def falling_scores(random: Random, system: System) -> list[str]:
    """A score for each rank, rounded; a few neighbours are tied."""
    score, scores = system.top, []
    for _ in range(DEPTH):
        scores.append(f"{score:.{system.places}f}")
        score -= 0.0 if random.random() < 0.04 else system.step * (0.6 + 0.8 * random.random())
    return scores


def make(seed: int = SEED) -> dict[str, str]:
    """Text of every file, by name."""
    random = Random(seed)
    judgments = []
    runs: dict[str, list[str]] = {system.name: [] for system in SYSTEMS}
    for topic, theme in enumerate(THEMES.split(), start=1):
        others = [f"{theme}-{number}" for number in range(1, EXIST + 1)]
        grades = relevant_documents(random, others)
        ease = 0.85 + 0.3 * random.random()
        read: set[str] = set()
        for system in SYSTEMS:
            ranked = ranked_list(random, system, grades, others, ease)
            read.update(document for document in ranked[:READ] if random.random() < 0.95)
            rows = zip(ranked, falling_scores(random, system), strict=True)
            runs[system.name] += [
                f"{topic} Q0 {document} {rank} {score} {system.name}\n"
                for rank, (document, score) in enumerate(rows, start=1)
            ]
        judged = grades | dict.fromkeys(read - set(grades), 0)
        judgments += [
            f"{topic} 0 {document} {judged[document]}\n" for document in sorted(judged, key=number_of)
        ]
    return {"qrels.txt": "".join(judgments)} | {f"{name}.run": "".join(rows) for name, rows in runs.items()}


def number_of(document: str) -> int:
    """The number at the end of a document's id."""
    return int(document.rpartition("-")[2])


def main(folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in make().items():
        (folder / name).write_text(text, encoding="ascii", newline="\n")
        print(f"{name}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
