"""Deliveries from a batch and from a stream: every reader gets what a single machine would send."""

import json

import numpy as np
import pytest

from gainful.errors import DataError, UsageError
from gainful.filtering.vectors import Counts, TermStore
from gainful.spark import Profiles, deliver

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

REFERENCE = ["cocoa prices fell", "oil prices rose", "a ship with cocoa beans", "gas and oil in the north"]
READERS = {"cocoa": "cocoa beans and their price", "energy": "oil and gas", "nobody": "quantum chess"}
DOCUMENTS = [
    ("d1", "Cocoa", "the price of cocoa beans rose again"),
    ("d2", "", "oil, gas, and nothing but oil"),
    ("d3", "Weather", "rain in the north"),
    ("d4", "Cocoa and oil", None),
    ("d5", None, ""),
]
SCHEMA = "document string, title string, text string"


@pytest.fixture(scope="module")
def profiles():
    return Profiles.described(
        READERS, reference=REFERENCE, threshold={"cocoa": 0.2, "energy": 0.3, "nobody": 0.0}
    )


@pytest.fixture(scope="module")
def expected(profiles):
    """Document by document and reader by reader, through the store of one machine."""
    found = set()
    for name, title, text in DOCUMENTS:
        counts = profiles.counts([profiles.analyzer.counts(title or "", text or "")])
        for reader, vector in profiles.vectors.items():
            (score,) = TermStore(profiles.idf, counts).score(vector, 0, 1).tolist()
            if score > 0 and score >= profiles.thresholds[reader]:
                found.add((name, reader, score, profiles.thresholds[reader]))
    return found


def test_what_is_delivered_is_what_the_example_says(expected):
    assert {(document, reader) for document, reader, *_ in expected} == {
        ("d1", "cocoa"),
        ("d2", "energy"),
        ("d4", "cocoa"),
        ("d4", "energy"),
    }


def test_a_document_scores_the_same_beside_any_others(profiles):
    counted = [profiles.analyzer.counts(title or "", text or "") for _, title, text in DOCUMENTS]
    together = profiles.reached(counted)
    apart = [profiles.reached([one]) for one in counted]
    assert together[2].tolist() == np.concatenate([scores for _, _, scores in apart]).tolist()
    assert isinstance(profiles.counts(counted), Counts)


def test_a_profile_needs_a_threshold():
    with pytest.raises(UsageError, match="profile 'b' has no threshold"):
        Profiles.described({"a": "oil", "b": "gas"}, reference=REFERENCE, threshold={"a": 1.0})


def test_a_batch_is_delivered(spark, profiles, expected):
    frame = spark.createDataFrame(DOCUMENTS, SCHEMA).repartition(3)
    assert {tuple(row) for row in deliver(frame, profiles).collect()} == expected
    other = frame.withColumnsRenamed({"document": "guid", "text": "html"})
    assert {
        tuple(row) for row in deliver(other, profiles, columns={"document": "guid", "text": "html"}).collect()
    } == expected
    with pytest.raises(
        DataError, match=r"expected columns document and text \(or title\), got guid, title, html"
    ):
        deliver(other, profiles)


def test_a_stream_is_delivered_as_it_arrives(spark, profiles, expected, tmp_path):
    arriving, out = tmp_path / "arriving", tmp_path / "out"
    arriving.mkdir()
    stream = spark.readStream.schema(SCHEMA).json(str(arriving))
    query = (
        deliver(stream, profiles)
        .writeStream.format("parquet")
        .option("path", str(out))
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .start()
    )
    try:
        for part in (DOCUMENTS[:2], DOCUMENTS[2:]):
            rows = [json.dumps(dict(zip(("document", "title", "text"), row, strict=True))) for row in part]
            (arriving / f"{part[0][0]}.json").write_text("\n".join(rows) + "\n")
            query.processAllAvailable()
            seen = {name for name, *_ in part}
            got = {tuple(row) for row in spark.read.parquet(str(out)).collect() if row.document in seen}
            assert got == {one for one in expected if one[0] in seen}
    finally:
        query.stop()
