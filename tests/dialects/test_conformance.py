"""Numbers that other tools printed: every vector of `conformance/` is met by its dialect."""

import json
import math
from pathlib import Path

import pytest

import gainful
from gainful.dialects import every, find

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "conformance"
COLLECTIONS = json.loads((FOLDER / "collections.json").read_text("utf-8"))
FILES = sorted(path.stem for path in FOLDER.glob("*.json") if path.stem != "collections")


def inputs(name):
    """Judgments and run of a collection; rows where a document stands twice, a mapping where a topic has an empty list."""
    if name == "marathon":
        return ROOT / "examples/data/qrels.txt", ROOT / "examples/data/marathon.run"
    collection = COLLECTIONS[name]
    mapping = {topic: dict(documents) for topic, documents in collection["run"].items()}
    if all(len(mapping[topic]) == len(documents) for topic, documents in collection["run"].items()):
        return collection["judgments"], mapping
    return collection["judgments"], [
        (topic, *row) for topic, rows in collection["run"].items() for row in rows
    ]


@pytest.mark.parametrize("file", FILES)
def test_every_vector_is_met_by_its_dialect(file):
    told = json.loads((FOLDER / f"{file}.json").read_text("utf-8"))
    dialect = find(told["dialect"])
    assert dialect.title == told["dialect"]
    assert told["vectors"]
    wrong = []
    for vector in told["vectors"]:
        name, expected = vector["measure"], vector["value"]
        said = {"depth": vector["depth"]} if "depth" in vector else {}
        ours = gainful.evaluate(*inputs(vector["collection"]), [name], dialect=dialect, **said).mean[name]
        same = math.isnan(ours) if expected is None else abs(ours - expected) <= told["tolerance"]
        wrong += [] if same else [(vector, ours)]
    assert wrong == []


def test_only_older_versions_whose_code_was_read_have_no_vectors():
    covered = {json.loads((FOLDER / f"{file}.json").read_text("utf-8"))["dialect"] for file in FILES}
    others = [dialect for dialect in every() if dialect.title not in covered]
    for dialect in others:
        assert "the code of" in dialect.source, f"{dialect.title} has no vectors"
        assert find(dialect.name) != dialect
