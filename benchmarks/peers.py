"""Dialects against the tools themselves, on random collections: python benchmarks/peers.py PYTHON [COLLECTIONS] [TOOL …].

PYTHON is the interpreter of an environment with the peers (`make peers` makes one). Each tool gets collections with what it
takes of ties, missing topics, empty lists, copies of documents, topics with nothing relevant, fractional and negative grades.
"""

import json
import math
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import gainful
from gainful.errors import GainfulError

ADAPTERS = Path(__file__).parent / "support" / "peer_adapters.py"
WHOLE, BINARY, FRACTIONS = (0, 0, 1, 2, 3), (0, 0, 1), (0, 0.5, 1, 1.5, 2)
NEGATIVE = (-1, *WHOLE)
Collection = dict[str, Any]

TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "pytrec_eval": ("pytrec-eval", {"grades": NEGATIVE, "missing": True, "empty": True}),
    "ir_measures": ("ir-measures", {"grades": WHOLE, "missing": True}),
    "gdeval": ("gdeval", {"grades": WHOLE, "missing": True}),
    "beir": ("beir", {"grades": WHOLE, "missing": True, "own_ids": True}),
    "ranx": ("ranx", {"grades": WHOLE, "ties": False}),
    "scikit_learn": ("scikit-learn", {"grades": FRACTIONS}),
    "lightgbm": ("lightgbm", {"grades": WHOLE}),
    "xgboost": ("xgboost", {"grades": BINARY}),
    "catboost": ("catboost", {"grades": FRACTIONS}),
    "rax": ("rax", {"grades": FRACTIONS}),
    "llama_index": ("llama-index", {"grades": WHOLE, "copies": True, "relevant": True}),
    "mlflow": ("mlflow", {"grades": WHOLE}),
}
"""What each adapter is compared with, and the collections it takes."""
LOOSE = {"rax": 1e-6, "beir": 1.001e-5}  # 32 bits; a mean halfway between two printed decimals
ENOUGH = 1e-9


def collection(chance: random.Random, grades: tuple[float, ...], **traits: bool) -> Collection:
    """Judgments and a run of a few topics."""
    judgments: dict[str, dict[str, float]] = {}
    run: dict[str, list[list[Any]]] = {}
    for number in range(chance.randint(2, 4)):
        topic = f"d{number}" if traits.get("own_ids") else f"q{number}"
        documents = [f"d{each}" for each in chance.sample(range(30), chance.randint(2, 12))]
        judged = {
            f"d{each}": chance.choice(grades) for each in chance.sample(range(30), chance.randint(1, 12))
        }
        judged |= {document: chance.choice(grades) for document in documents if chance.random() < 0.5}
        if traits.get("relevant"):
            judged[documents[0]] = 1
        judgments[topic] = judged
        scores = [float(chance.randrange(5)) for _ in documents]
        if not traits.get("ties", True):
            scores = chance.sample(range(100), len(documents))
        rows = [[document, float(score)] for document, score in zip(documents, scores, strict=True)]
        if traits.get("copies") and chance.random() < 0.5:
            rows.append([documents[-1], chance.choice(scores)])
        if traits.get("missing") and number and chance.random() < 0.2:
            continue
        run[topic] = [] if traits.get("empty") and number and chance.random() < 0.1 else rows
    return {"judgments": judgments, "run": run}


def given(each: Collection) -> Any:
    """The run: rows where a document may stand twice, a mapping where a list may be empty."""
    if all(each["run"].values()):
        return [(topic, *row) for topic, rows in each["run"].items() for row in rows]
    return {topic: dict(rows) for topic, rows in each["run"].items()}


def compared(tool: str, python: str, count: int) -> tuple[int, int, float, list[str]]:
    """Collections compared, numbers compared, the largest difference, and what differs."""
    name, traits = TOOLS[tool]
    chance = random.Random(f"{tool} 1")
    collections = [collection(chance, **traits) for _ in range(count)]
    finished = subprocess.run(
        [python, str(ADAPTERS), tool],
        input=json.dumps(collections),
        capture_output=True,
        text=True,
        check=True,
    )
    numbers, worst, different, compared_collections = 0, 0.0, [], 0
    for place, (each, answer) in enumerate(zip(collections, json.loads(finished.stdout), strict=True)):
        if isinstance(answer, str):
            different.append(f"{place}: {answer}")
            continue
        compared_collections += 1
        try:
            ours = gainful.evaluate(each["judgments"], given(each), list(answer), dialect=name).mean
        except GainfulError as declined:
            different.append(f"{place}: declined: {declined}")
            continue
        for measure, value in answer.items():
            apart = abs(ours[measure] - value)
            numbers += 1
            worst = max(worst, apart)
            if not apart <= LOOSE.get(tool, ENOUGH) or math.isnan(apart):
                different.append(f"{place}: {measure}: {ours[measure]!r}, {tool} {value!r}")
    return compared_collections, numbers, worst, different


def main() -> int:
    """Compare every tool, or those named; 1 where one differs."""
    python, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    wrong = 0
    for tool in sys.argv[3:] or TOOLS:
        collections, numbers, worst, different = compared(tool, python, count)
        print(
            f"{tool:<14} {collections:>5} collections {numbers:>7} numbers, largest difference {worst:.1e}",
            flush=True,
        )
        for line in different[:5]:
            print(f"    {line}")
        wrong += bool(different)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
