"""Judged streams on which the filter is measured: Reuters-21578, 20 Newsgroups, CACM, and others made from them."""

import gzip
import json
import random
import runpy
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gainful.filtering import Document, Topic, read_stream, read_topics
from gainful.formats.judgments import read_qrels

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Stream:
    """A judged stream; its first tenth is the reference set.

    parts  topics that are reported on their own too: name → ids
    """

    documents: list[Document]
    topics: list[Topic]
    relevant: dict[str, set[str]]
    parts: dict[str, list[str]]

    @property
    def reference(self) -> int:
        """How many documents come before the start."""
        return round(len(self.documents) / 10)

    def with_topics(self, before: int, after: int, most: float = float("inf")) -> "Stream":
        """Only topics with so many relevant documents in the reference set, and from `after` to `most` after it."""
        early = {document.id for document in self.documents[: self.reference]}
        late = {document.id for document in self.documents[self.reference :]}
        kept = [
            topic
            for topic in sorted(self.topics, key=lambda topic: topic.id)
            if len(self.relevant.get(topic.id, set()) & early) >= before
            and after <= len(self.relevant.get(topic.id, set()) & late) <= most
        ]
        return Stream(self.documents, kept, self.relevant, {})

    def shuffled(self, seed: int) -> "Stream":
        """The documents in another order."""
        documents = list(self.documents)
        random.Random(seed).shuffle(documents)
        return Stream(documents, self.topics, self.relevant, {})


def reuters(data: Path) -> Stream:
    """Reuters-21578: stories whose topics were assigned, in the order of their numbers."""
    whole = reuters_files(data).with_topics(3, 10)
    names = [topic.id for topic in whole.topics]
    halves = {"reuters, choosing half": names[0::2], "reuters, held-out half": names[1::2]}
    return Stream(whole.documents, whole.topics, whole.relevant, halves)


@cache
def reuters_files(data: Path) -> Stream:
    """All stories and topics of the collection."""
    with tempfile.TemporaryDirectory() as made:
        convert = runpy.run_path(str(ROOT / "examples" / "reuters_stream.py"))["convert"]
        convert(data / "filtering" / "reuters21578", Path(made))
        return from_files(Path(made), "stream.jsonl", "topics.jsonl", "qrels.txt")


@cache
def news20(data: Path) -> Stream:
    """20 Newsgroups, in the order of dates."""
    return from_files(data / "filtering" / "news20", "stream.jsonl.xz", "topics.jsonl", "qrels.txt.xz")


def from_files(folder: Path, stream: str, topics: str, qrels: str) -> Stream:
    """A stream as `gainful filter simulate` reads it."""
    grades = read_qrels(folder / qrels).to_dict()
    relevant = {topic: {id_ for id_, grade in of.items() if grade >= 1} for topic, of in grades.items()}
    return Stream(read_stream(folder / stream), read_topics(folder / topics), relevant, {})


def cacm(data: Path) -> Stream:
    """Abstracts of CACM in a random order, with those questions that have 1 relevant one before the start and 5 after."""
    folder = data / "eval" / "classic" / "cacm"
    with gzip.open(folder / "docs.jsonl.gz", "rt", encoding="utf-8") as lines:
        documents = [
            Document(record["id"], record["text"], record["title"]) for record in map(json.loads, lines)
        ]
    questions = [line.split("\t", 1) for line in (folder / "queries.tsv").read_text("utf-8").splitlines()]
    grades = read_qrels(folder / "qrels.txt").to_dict()
    relevant = {topic: {id_ for id_, grade in of.items() if grade >= 1} for topic, of in grades.items()}
    return (
        Stream(documents, [Topic(*question) for question in questions], relevant, {})
        .shuffled(3)
        .with_topics(1, 5)
    )


def reuters_small(data: Path) -> Stream:
    """Reuters topics that are too small for `reuters`: 1 relevant story before the start, and 3 after it."""
    large = {topic.id for topic in reuters(data).topics}
    rest = reuters_files(data).with_topics(1, 3)
    return Stream(
        rest.documents, [topic for topic in rest.topics if topic.id not in large], rest.relevant, {}
    )


def reuters_merged(data: Path) -> Stream:
    """Reuters topics merged in threes, at random."""
    whole = reuters(data)
    topics = list(whole.topics)
    random.Random(5).shuffle(topics)
    threes = [topics[first : first + 3] for first in range(0, len(topics) - 2, 3)]
    merged = [Topic("+".join(t.id for t in three), " ".join(t.text for t in three)) for three in threes]
    relevant = {
        topic.id: set().union(*(whole.relevant[t.id] for t in three))
        for topic, three in zip(merged, threes, strict=True)
    }
    return Stream(whole.documents, merged, relevant, {})


def news20_rare(data: Path) -> Stream:
    """Every other newsgroup thinned to a twelfth of its messages; the rest of the stream stays."""
    whole = news20(data)
    rare = sorted(topic.id for topic in whole.topics)[0::2]
    thinned = set().union(*(whole.relevant[topic] for topic in rare))
    draws = random.Random(7)
    documents = [
        document for document in whole.documents if document.id not in thinned or draws.random() < 1 / 12
    ]
    topics = [topic for topic in whole.topics if topic.id in rare]
    return Stream(documents, topics, whole.relevant, {}).with_topics(2, 10)


STREAMS: dict[str, Callable[[Path], Stream]] = {
    "reuters": reuters,
    "news20": news20,
    "cacm": cacm,
    "reuters, small topics": reuters_small,
    "reuters, very small topics": lambda data: reuters_files(data).with_topics(0, 3, 9),
    "reuters, topics merged": reuters_merged,
    "reuters, other order": lambda data: reuters_files(data).shuffled(5).with_topics(3, 10),
    "news20, rare topics": news20_rare,
    "news20, other order": lambda data: news20(data).shuffled(6),
}
