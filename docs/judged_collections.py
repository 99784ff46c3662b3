"""Judged collections for simulations of estimates: documents with grades, and their ranks in some systems."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import bm25s
import numpy as np
import Stemmer

from gainful.formats.judgments import Judgments, read_qrels
from gainful.judging.ranking import offsets_of

DEEP_LEARNING = ("dl19_passage", "dl20_passage", "dl21_passage")
NTCIR = ("ntcir13_www", "ntcir13_www/wwwE.trec.qrels.gz", "ntcir13_www/submitted/*.gz")
WEB = ("trec_web2012", "trec_web2012/qrels.web.151-200.txt.gz", "trec_web2012/runs/*.gz")
HARD = ("dl_hard_doc", "dl_hard/dl_hard-doc.qrels", "dl_hard/runs/doc/*.gz")
Grades = dict[str, dict[str, float]]
Lists = dict[str, list[str]]
SYSTEMS = 4  # of each collection, spread evenly from the best to the worst


@dataclass
class Collection:
    """Documents of all topics in a row, with grades and the rank in each of some systems; infinity where it is not retrieved.

    lists  of each system, its documents in rank order, topic by topic, and where each topic begins
    """

    name: str
    offsets: np.ndarray
    grade: np.ndarray
    ranks: np.ndarray
    best_rank: np.ndarray
    lists: list[tuple[np.ndarray, np.ndarray]]

    @property
    def topics(self) -> int:
        """How many there are."""
        return len(self.offsets) - 1

    @property
    def topic(self) -> np.ndarray:
        """The topic of each document."""
        return np.repeat(np.arange(self.topics), np.diff(self.offsets))

    @property
    def top(self) -> float:
        """The best grade."""
        return float(self.grade.max())

    def again(self, picked: np.ndarray) -> tuple[Collection, np.ndarray]:
        """These topics, some of them several times; and the document that each of theirs is here."""
        rows, offsets = joined_parts(self.offsets, picked)
        moved = offsets[:-1] - self.offsets[picked]
        lists = []
        for order, starts in self.lists:
            places, listed = joined_parts(starts, picked)
            lists.append((order[places] + np.repeat(moved, np.diff(listed)), listed))
        return Collection(
            self.name, offsets, self.grade[rows], self.ranks[:, rows], self.best_rank[rows], lists
        ), rows


class Collections(NamedTuple):
    """Collections for simulations: on `first` the limits of rules were set, by two with few relevant documents rules were made
    stricter, and on the last two nothing was chosen.
    """

    first: list[Collection]
    harder: list[Collection]
    elsewhere: list[Collection]


def joined_parts(offsets: np.ndarray, picked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The places of some parts of a row one after another, and where each part begins then."""
    lengths = np.diff(offsets)[picked]
    starts = offsets_of(lengths)
    return np.arange(starts[-1]) + np.repeat(offsets[picked] - starts[:-1], lengths), starts


def collection(name: str, judged: Grades, lists: Iterable[Lists]) -> Collection:
    """The judged documents of a collection, and their ranks in some of its runs."""
    judgments: Judgments = read_qrels(judged)
    documents = [document.decode() for document in judgments.index.documents(0, len(judgments))]
    offsets, grades = judgments.index.offsets, judgments.index.grade.copy()
    place = {
        (topic, documents[row]): row
        for number, topic in enumerate(judgments.topics)
        for row in range(offsets[number], offsets[number + 1])
    }
    runs = []
    for of_run in lists:
        ranks = np.full(len(place), np.inf)
        for topic, ranked in of_run.items():
            for rank, document in enumerate(ranked, 1):
                if (topic, document) in place:
                    ranks[place[topic, document]] = rank
        runs.append(ranks)
    all_ranks = np.array(runs)
    gained = (np.where(all_ranks <= 10, 1 / np.log2(all_ranks + 1), 0.0) * grades).sum(axis=1)
    order = np.argsort(-gained)[np.linspace(0, len(gained) - 1, SYSTEMS).astype(int)]
    topics = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    in_order = []
    for ranks in all_ranks[order]:
        retrieved = np.lexsort((ranks, topics))
        retrieved = retrieved[np.isfinite(ranks[retrieved])]
        starts = offsets_of(np.bincount(topics[retrieved], minlength=len(offsets) - 1))
        in_order.append((retrieved, starts))
    return Collection(name, offsets, grades, all_ranks[order], all_ranks.min(axis=0), in_order)


def collections_of(data: Path) -> Collections:
    """All collections for simulations, from the folder of shared data."""
    return Collections(
        [deep_learning(name, data) for name in DEEP_LEARNING],
        [of_files(data, *WEB), of_files(data, *HARD)],
        [of_files(data, *NTCIR), cranfield(data)],
    )


def of_files(data: Path, name: str, qrels: str, runs: str) -> Collection:
    """A collection in files of TREC."""
    folder = data / "eval"
    return trec(name, folder / qrels, map(lines_of, sorted(folder.glob(runs))))


def trec(name: str, qrels: Path, runs: Iterable[Iterable[str]]) -> Collection:
    """A collection from lines of TREC; a grade below 0 is 0."""
    judged: Grades = {}
    for line in lines_of(qrels):
        topic, _, document, grade = line.split()
        judged.setdefault(topic, {})[document] = max(float(grade), 0.0)
    return collection(name, judged, map(ranked, runs))


def ranked(run: Iterable[str]) -> Lists:
    """The lists of a run, whose lines are in rank order."""
    lists: Lists = {}
    for line in run:
        topic, _, document, *_ = line.split()
        lists.setdefault(topic, []).append(document)
    return lists


def lines_of(file: Path) -> list[str]:
    """The lines of a file, compressed or not."""
    content = file.read_bytes()
    return (gzip.decompress(content) if file.suffix == ".gz" else content).decode().splitlines()


def deep_learning(name: str, data: Path) -> Collection:
    """A passage track of TREC Deep Learning."""
    folder = data / "judging" / name
    with tarfile.open(folder / "runs.tar.xz", "r:xz") as archive:
        streams = [archive.extractfile(member) for member in archive if member.isfile()]
        files = [io.TextIOWrapper(stream, "utf-8").readlines() for stream in streams if stream is not None]
    return trec(name, folder / "qrels.human.txt.gz", files)


def cranfield(data: Path) -> Collection:
    """225 questions on aerodynamics, searched in four ways; documents are the first 30 of each list.

    Its codes run from 1, a complete answer, to 4; what has none is of no interest.
    """
    folder = data / "eval" / "classic" / "cran"
    texts = {each["id"]: each["text"] for each in map(json.loads, lines_of(folder / "docs.jsonl.gz"))}
    queries = dict(line.split("\t", 1) for line in lines_of(folder / "queries.tsv"))
    known: Grades = {}
    for line in lines_of(folder / "qrels.txt"):
        topic, _, document, code = line.split()
        known.setdefault(topic, {})[document] = 5.0 - int(code) if int(code) > 0 else 0.0
    runs = []
    for stemmer, settings in itertools.product(
        (Stemmer.Stemmer("english"), None), ({}, {"k1": 0.2, "b": 0.0})
    ):
        tokens = {"stopwords": "en", "stemmer": stemmer, "show_progress": False}
        engine = bm25s.BM25(**settings)
        engine.index(bm25s.tokenize(list(texts.values()), **tokens), show_progress=False)
        found, _ = engine.retrieve(
            bm25s.tokenize(list(queries.values()), **tokens), corpus=list(texts), k=30, show_progress=False
        )
        runs.append(dict(zip(queries, map(list, found), strict=True)))
    judged = {
        topic: {document: known[topic].get(document, 0.0) for run in runs for document in run[topic]}
        for topic in known
    }
    return collection("cranfield", judged, runs)
