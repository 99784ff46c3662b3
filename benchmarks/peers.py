"""Dialects against the tools themselves, on random collections.

    python benchmarks/peers.py PYTHON [--write] [--anew] [COUNT] [TOOL …]

PYTHON is the interpreter of an environment with the peers (`make peers` makes one). Each tool gets COUNT (1,000) collections with
what it takes of ties, missing topics, empty lists, copies of documents, topics with nothing relevant, fractional and negative
grades. With --write what agrees is put into the table of docs/dialects.md.
"""

import hashlib
import json
import math
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gainful
from gainful.dialects import find
from gainful.errors import GainfulError

ADAPTERS = Path(__file__).parent / "support" / "peer_adapters.py"
PAGE = Path(__file__).parents[1] / "docs" / "dialects.md"
MARK = "<!-- made by benchmarks/peers.py -->"
WHOLE, BINARY, FRACTIONS = (0, 0, 1, 2, 3), (0, 0, 1), (0, 0.5, 1, 1.5, 2)
NEGATIVE, ANY = (-1, *WHOLE), (-1, *FRACTIONS)
ENOUGH = 1e-9
Collection = dict[str, Any]


@dataclass(frozen=True)
class Peer:
    """A version of a tool, and the collections that it takes.

    dialect      the dialect that it is compared with
    grades       grades to draw from; the other fields say whether collections have such things too
    tolerance    largest difference that is agreement: what 32-bit numbers, or its own rounding of a half, leave
    requirement  the version, where it is not the one that the environment has
    """

    dialect: str
    grades: tuple[float, ...]
    ties: bool = True
    missing: bool = False
    empty: bool = False
    copies: bool = False
    relevant: bool = False
    own_ids: bool = False
    tolerance: float = ENOUGH
    requirement: str = ""

    @property
    def traits(self) -> str:
        """What its collections have, in words."""
        words = {
            "ties": self.ties,
            "missing topics": self.missing,
            "empty lists": self.empty,
            "copies": self.copies,
            "topics with nothing relevant": not self.relevant,
            "documents of the topic's id": self.own_ids,
            "fractional grades": any(grade % 1 for grade in self.grades),
            "negative grades": min(self.grades) < 0,
        }
        return ", ".join(word for word, there in words.items() if there)


HALVES = 1.001e-5  # a mean halfway between two printed decimals may be rounded the other way
PEERS: dict[str, Peer] = {
    "pytrec_eval": Peer("pytrec-eval", NEGATIVE, missing=True, empty=True),
    "trec_eval": Peer("trec-eval@9", WHOLE, missing=True),
    "ir_measures": Peer("ir-measures", WHOLE, missing=True),
    "gdeval": Peer("gdeval", WHOLE, missing=True, relevant=True),
    "cwl_eval": Peer("cwl-eval", WHOLE, missing=True),
    "beir": Peer("beir", WHOLE, missing=True, own_ids=True, tolerance=HALVES),
    "beir 1.0.0": Peer(
        "beir@1.0.0", WHOLE, missing=True, own_ids=True, tolerance=HALVES, requirement="beir==1.0.0"
    ),
    "beir 0.2.3": Peer("beir@0.2.3", WHOLE, own_ids=True, tolerance=HALVES, requirement="beir==0.2.3"),
    "mteb": Peer("mteb", WHOLE, missing=True, own_ids=True, tolerance=HALVES),
    "mteb 2.18.18": Peer(
        "mteb@2.18.18", WHOLE, missing=True, own_ids=True, tolerance=HALVES, requirement="mteb==2.18.18"
    ),
    "ranx": Peer("ranx", WHOLE, ties=False),
    "scikit_learn": Peer("scikit-learn", FRACTIONS, missing=True),
    "torchmetrics": Peer("torchmetrics", FRACTIONS, missing=True, tolerance=1e-6),
    "torchmetrics 1.1.2": Peer(
        "torchmetrics@1.1",
        FRACTIONS,
        ties=False,
        missing=True,
        tolerance=1e-6,
        requirement="torchmetrics==1.1.2",
    ),
    "lightgbm": Peer("lightgbm", WHOLE, missing=True),
    "xgboost": Peer("xgboost", BINARY, missing=True),
    "catboost": Peer("catboost", FRACTIONS, missing=True),
    "rax": Peer("rax", FRACTIONS, missing=True, tolerance=1e-6),
    "llama_index": Peer("llama-index", ANY, copies=True, relevant=True),
    "llama_index 0.12.5": Peer(
        "llama-index@0.12.5", ANY, copies=True, relevant=True, requirement="llama-index-core==0.12.5"
    ),
    "haystack": Peer("haystack", ANY, missing=True, empty=True, copies=True),
    "haystack 3.0.0": Peer(
        "haystack@3.0", ANY, missing=True, empty=True, copies=True, requirement="haystack-ai==3.0.0"
    ),
    "mlflow": Peer("mlflow", ANY, missing=True),
    "sentence_transformers": Peer("sentence-transformers", ANY, missing=True, empty=True, copies=True),
    "sentence_transformers 5.7.0": Peer(
        "sentence-transformers@5",
        ANY,
        ties=False,
        missing=True,
        empty=True,
        copies=True,
        requirement="sentence-transformers==5.7.0",
    ),
    "spark": Peer("spark", ANY, missing=True, copies=True),
    "ragas": Peer("ragas", ANY, copies=True),
}
"""What each adapter, or another version of its tool, is compared with."""


def collection(chance: random.Random, peer: Peer) -> Collection:
    """Judgments and a run of a few topics."""
    judgments: dict[str, dict[str, float]] = {}
    run: dict[str, list[list[Any]]] = {}
    copies = peer.copies and chance.random() < 0.5  # a mapping, which may have empty lists, has no copies
    for number in range(chance.randint(2, 4)):
        topic = f"d{number}" if peer.own_ids else f"q{number}"
        documents = [f"d{each}" for each in chance.sample(range(30), chance.randint(2, 12))]
        grades = peer.grades
        judged = {
            f"d{each}": chance.choice(grades) for each in chance.sample(range(30), chance.randint(1, 12))
        }
        judged |= {document: chance.choice(grades) for document in documents if chance.random() < 0.5}
        if peer.relevant:
            judged[documents[0]] = 1
        judgments[topic] = judged
        scores = [float(chance.randrange(5)) for _ in documents]
        if not peer.ties:
            scores = [float(score) for score in chance.sample(range(100), len(documents))]
        rows = [[document, score] for document, score in zip(documents, scores, strict=True)]
        if copies and chance.random() < 0.7:
            rows.append([documents[-1], chance.choice(scores) + (0 if peer.ties else 0.5)])
        if peer.missing and number and chance.random() < 0.2:
            continue
        run[topic] = [] if peer.empty and not copies and number and chance.random() < 0.1 else rows
    return {"judgments": judgments, "run": run}


def given(each: Collection) -> Any:
    """The run: rows where a document may stand twice, a mapping where a list may be empty."""
    if all(each["run"].values()):
        return [(topic, *row) for topic, rows in each["run"].items() for row in rows]
    return {topic: dict(rows) for topic, rows in each["run"].items()}


def answered(python: str, tool: list[str], collections: str) -> Any:
    """What a tool answers to the collections, or how it failed.

    Answers do not depend on Gainful. They are kept in the peers' environment under a digest of all that they depend on, as a
    tool may take many minutes for them; `--anew` asks again.
    """
    here = Path(__file__).parent
    sources = sorted([*here.glob("peers*.txt"), *(here / "support").glob("peer*.py")])
    digest = hashlib.sha256(
        "\0".join([*tool, collections, *(each.read_text("utf-8") for each in sources)]).encode()
    )
    kept = Path(python).parents[1] / "answers" / f"{digest.hexdigest()}.json"
    if not kept.exists() or "--anew" in sys.argv:
        finished = subprocess.run(
            [python, str(ADAPTERS), *tool], input=collections, capture_output=True, text=True, check=False
        )
        if finished.returncode:
            return finished.stderr[-2000:]
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(finished.stdout, "utf-8")
    return json.loads(kept.read_text("utf-8"))


def compared(name: str, python: str, count: int) -> tuple[int, int, float, list[str]]:
    """Collections compared, numbers compared, the largest difference, and what differs."""
    peer, adapter = PEERS[name], name.split(" ", maxsplit=1)[0]
    chance = random.Random(f"{name} 1")
    collections = [collection(chance, peer) for _ in range(count)]
    answers = answered(python, [adapter, *filter(None, [peer.requirement])], json.dumps(collections))
    if isinstance(answers, str):
        return 0, 0, math.nan, [answers]
    numbers, worst, different, compared_collections = 0, 0.0, [], 0
    for place, (each, answer) in enumerate(zip(collections, answers, strict=True)):
        if isinstance(answer, str):
            different.append(f"{place}: {answer}")
            continue
        compared_collections += 1
        try:
            ours = gainful.evaluate(each["judgments"], given(each), list(answer), dialect=peer.dialect).mean
        except GainfulError as declined:
            different.append(f"{place}: declined: {declined}")
            continue
        for measure, value in answer.items():
            apart = 0.0 if math.isnan(value) and math.isnan(ours[measure]) else abs(ours[measure] - value)
            numbers += 1
            worst = max(worst, apart)
            if not apart <= peer.tolerance:
                different.append(f"{place}: {measure}: {ours[measure]!r}, {name} {value!r}")
    return compared_collections, numbers, worst, different


def write(row: str) -> None:
    """The row into the table of the page, in the place of the one of the same dialect."""
    before, made, after = PAGE.read_text("utf-8").split(MARK)
    head = [
        "| dialect | collections | numbers | largest difference | the collections have |",
        "|---|---|---|---|---|",
    ]
    kept = [line for line in made.splitlines() if line and line not in head]
    rows = {line.split(" | ")[0]: line for line in [*kept, row]}
    PAGE.write_text(
        f"{before}{MARK}\n" + "\n".join([*head, *(rows[name] for name in sorted(rows))]) + f"\n{MARK}{after}",
        "utf-8",
    )


def main() -> int:
    """Compare every tool, or those named; 1 where one differs."""
    said = [word for word in sys.argv[1:] if word not in ("--write", "--anew")]
    python, count = said[0], int(said[1]) if len(said) > 1 else 1000
    wrong = 0
    for name in said[2:] or PEERS:
        collections, numbers, worst, different = compared(name, python, count)
        print(
            f"{name:<28} {collections:>5} collections {numbers:>7} numbers, largest difference {worst:.1e}",
            flush=True,
        )
        for line in different[:5]:
            print(f"    {line}")
        wrong += bool(different)
        if "--write" in sys.argv and not different:
            title, traits = find(PEERS[name].dialect).title, PEERS[name].traits
            write(f"| {title} | {collections:,} | {numbers:,} | {worst:.1e} | {traits} |")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
