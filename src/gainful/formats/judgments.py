"""Judgments: topic × document → grade, indexed once and used for many runs."""

from __future__ import annotations

import functools
import os
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import index
from typing import TYPE_CHECKING, Any, get_args

from gainful._core import Fault, Index, Rows
from gainful.errors import DataError, UsageError
from gainful.formats.fault_messages import explain
from gainful.formats.ids import from_bytes, shown, unshown
from gainful.formats.layouts import layout_of_source, read_source
from gainful.formats.registry import named
from gainful.formats.rows import of_object
from gainful.formats.sources import Source, opened, path_of
from gainful.formats.types import COLLECTION, TREC, By, JudgmentDuplicates
from gainful.system_calls import processors

if TYPE_CHECKING:
    from gainful.formats.inclusion import Inclusion
    from gainful.formats.model_labels import ModelLabels
    from gainful.formats.qrels_by import Details
    from gainful.formats.texts import Texts

LARGEST_GRADE = 1e100


@dataclass(eq=False, repr=False)
class Judgments:
    """Relevance judgments: a grade for each judged document of each topic.

    >>> judgments = read_qrels({"q1": {"d1": 2, "d2": 0}, "q2": {"d7": 1}})
    >>> judgments
    Judgments(2 topics, 3 judgments)
    >>> judgments.to_dict()["q1"]
    {'d1': 2.0, 'd2': 0.0}
    """

    index: Index
    path: str | None = None
    details: Details | None = None
    """The judgments by subtopic, by judge or as preferences; the index then has the best grade of each document."""
    given_digest: str | None = None
    """Of the rows as they were read in another process; None where they were read here."""
    inclusion: Inclusion | None = None
    """With which probability each document was drawn for judging; None where that is not known."""
    models: tuple[ModelLabels, ...] = ()
    """Labels by models of these and of other documents, where they were given."""
    kept: dict[str, Any] = field(default_factory=dict, init=False)
    """What later stages make of the judgments once and use for every run."""

    @functools.cached_property
    def topics(self) -> tuple[str, ...]:
        """Ids of the judged topics: those that are numbers first, by size, then the others by their bytes."""
        return tuple(map(from_bytes, self.index.topics))

    @property
    def digest(self) -> str:
        """Digest of the content; equal for the same rows in any order and file format."""
        if self.given_digest is not None:
            return self.given_digest
        return self.index.digest if self.details is None else self.details.digest

    @property
    def dropped(self) -> int:
        """Rows that were left out because their topic had the document already."""
        return self.index.dropped

    def texts(self, queries: Any = None, documents: Any = None) -> Texts | None:
        """The texts of queries and documents that were given or lie beside the file; None where there are none."""
        beside = self.path is not None and os.path.basename(os.path.dirname(self.path)) == "qrels"  # noqa: PTH119, PTH120 (at each call of evaluate)
        if queries is None and documents is None and not beside:
            return None
        from gainful.formats.texts import texts_of

        return texts_of(queries, documents, qrels=self.path, topics=self.topics)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """`{topic: {document: grade}}`."""
        offsets, grades = self.index.offsets.tolist(), self.index.grade.tolist()
        return {
            topic: dict(
                zip(map(from_bytes, self.index.documents(start, stop)), grades[start:stop], strict=True)
            )
            for topic, start, stop in zip(self.topics, offsets, offsets[1:], strict=False)
        }

    def check_grades(self) -> None:
        """Raise where a grade is no number, or so large that sums of such could overflow; looked at once."""
        row = None if "sound grades" in self.kept else self.index.first_beyond(LARGEST_GRADE)
        if row is None:
            self.kept["sound grades"] = True
            return
        topic = self.topics[bisect_right(self.index.offsets.tolist(), row) - 1]
        (document,) = self.index.documents(row, row + 1)
        where = f"{shown(self.path)}: " if self.path else ""
        raise DataError(
            f"{where}the grade of document '{shown(from_bytes(document))}' of topic '{shown(topic)}' is "
            f"{self.index.grade[row]:g}; a grade must be a number from {-LARGEST_GRADE:g} to {LARGEST_GRADE:g}."
        )

    def __len__(self) -> int:
        return len(self.index)

    def __reduce__(self) -> tuple[Any, ...]:
        # The index is in native memory; another process builds its own.
        return _again, (self.rows, self.path, self.details, self.digest, self.inclusion, self.models)

    @property
    def rows(self) -> tuple[list[bytes], list[bytes], list[float]]:
        """Topics, documents and grades, row by row."""
        index = self.index
        ranges = zip(index.topics, index.offsets.tolist(), index.offsets[1:].tolist(), strict=False)
        topics = [topic for topic, start, stop in ranges for _ in range(stop - start)]
        return topics, index.documents(0, len(index)), index.grade.tolist()

    def __repr__(self) -> str:
        return f"Judgments({len(self.index.topics)} topics, {len(self)} judgments)"


def _again(
    rows: tuple[list[bytes], list[bytes], list[float]],
    path: str | None,
    details: Details | None,
    digest: str,
    inclusion: Inclusion | None,
    models: tuple[ModelLabels, ...] = (),
) -> Judgments:
    """Judgments from another process; the digest is also of rows that were left out there as duplicates."""
    return Judgments(
        Index(Rows.of_lists(*rows), duplicates="error"), path, details, digest, inclusion, models
    )


def read_qrels(
    given: Any,
    *,
    by: By | None = None,
    layout: str | None = None,
    duplicates: JudgmentDuplicates = "error",
    threads: int | None = None,
    design: Any = None,
    sampled: bool = False,
) -> Judgments:
    """Read judgments from a path (plain or compressed; `-` is standard input) or from a Python object.

    given       path · open file object (text or bytes; read to its end) · irds:ID of a collection that ir_datasets
                knows · `{topic: {document: grade}}` · anything with an Arrow stream (pandas, polars, also lazy, pyarrow,
                duckdb) · three columns (topics, documents, grades) · rows of (topic, document, grade)
    by          "subtopics" or "judges" where the second column names one (rows of four), or where a column has such a
                name (subtopic; judge, assessor or annotator); "preferences" of judges
    layout      format of a file: trec, columns, csv, tsv, json, jsonl or parquet; by default detected from its content
    duplicates  a document judged twice for a topic is an "error", or the "first" or the "best" grade counts
    threads     number of threads; by default all cores
    design      with which probability documents were drawn for judging: a study folder, a file or a mapping; see
                `gainful.formats.designs`
    sampled     whether a fifth column, the inclusion probability, may stand in TREC text; otherwise it is refused

    >>> read_qrels([("q1", "d1", 1), ("q1", "d2", 0)])
    Judgments(1 topics, 2 judgments)
    """
    if design is not None:
        from gainful.formats.designs import designed

        return designed(
            read_qrels(given, by=by, layout=layout, duplicates=duplicates, threads=threads), design
        )
    if isinstance(given, Judgments):
        return given
    if duplicates not in get_args(JudgmentDuplicates):
        raise UsageError(
            f"duplicates must be one of {', '.join(get_args(JudgmentDuplicates))}; got {duplicates!r}."
        )
    if by not in (None, *get_args(By)):
        raise UsageError(f"by must be one of {', '.join(get_args(By))}, or None; got {by!r}.")
    if by is not None and layout not in (None, TREC) and named(layout).named is None:
        raise UsageError(f"judgments by {by} cannot be read from the layout {layout}; it has three columns.")
    path = path_of(given)
    if by is not None:
        from gainful.formats.qrels_by import read_details

        given, where = (given, "judgments") if path is None else (path, shown(path))
        index, details = read_details(given, by, where, layout=layout, duplicates=duplicates)
        return Judgments(index, path, details)
    source, source_layout = None, None
    if path is None or path.startswith(COLLECTION):
        rows = of_object(given, "qrels")
    else:
        with opened(path) as source:
            source_layout = layout_of_source(source, "qrels", layout)
            try:
                rows = read_source(source, "qrels", source_layout, threads=threads_of(threads))
            except DataError as fault:
                return _with_fifth_column(source, duplicates, fault, sampled=sampled)
            if sampled and source_layout.header and b"probability" in source.head(line=True).split(b"\n")[0]:
                raise DataError(
                    f"{source.name} has a column of probabilities; to use them give the file as the design too: "
                    f"--design {source.name} (design=... in Python)."
                )
    try:
        return Judgments(Index(rows, duplicates=duplicates), path)
    except Fault as fault:
        if source is None or source_layout is None:
            raise explain(fault, shown(path or "judgments"), "qrels", unit="row") from None
        unit = source_layout.unit
        raise explain(*source.place(fault, unit), "qrels", unit=unit) from None


def _with_fifth_column(
    source: Source, duplicates: JudgmentDuplicates, fault: DataError, *, sampled: bool
) -> Judgments:
    """Judgments whose fifth column is the inclusion probability; the fault that was found where they are none."""
    from gainful.formats.designs import has_fifth_column, read_sampled

    if not source.rewind() or not has_fifth_column(source.head(line=True)):
        raise fault
    if not sampled:
        raise DataError(
            f"{source.name} has five columns or six; the fifth is taken for an inclusion probability, which is read by "
            "evaluate, compare, gate and report alone. Leave it out, and documents count for themselves."
        ) from None
    return read_sampled(source.path, duplicates)


def read_topics(topics: str | os.PathLike[str] | Iterable[str | bytes]) -> set[str]:
    """Topic ids from a file with one per line, from comma-separated text, or from an iterable.

    >>> sorted(read_topics("301, 302")), sorted(read_topics([301, "q1"]))
    (['301', '302'], ['301', 'q1'])
    """
    if isinstance(topics, os.PathLike) or (isinstance(topics, str) and os.path.exists(topics)):  # noqa: PTH110 (a list of any length)
        with Source(os.fspath(topics)) as source:
            lines = list(source.lines())
        return {unshown(from_bytes(line.split()[0])) for line in lines if line.strip() and line[:1] != b"#"}
    if isinstance(topics, str):
        return {unshown(topic.strip()) for topic in topics.split(",") if topic.strip()}
    return {from_bytes(topic) if isinstance(topic, bytes) else str(topic) for topic in topics}


_CORES = processors()


def cores() -> int:
    """How many processors this process may use."""
    return _CORES


MOST_THREADS = 256


def threads_of(asked: int | None) -> int:
    """How many threads to use: as many as asked for, or one for each processor."""
    if asked is None:
        return _CORES
    if hasattr(asked, "__index__") and 1 <= index(asked) <= MOST_THREADS:
        return index(asked)
    raise UsageError(
        f"threads must be a whole number from 1 to {MOST_THREADS}, or None for all cores; got {asked!r}."
    )
