"""The folder of a study: read strictly, written whole or not at all, and extended by a batch.

study.json         what holds for the whole study
topics.jsonl       topics and their queries
documents.jsonl    titles and texts of the pooled documents
pool.jsonl         documents to judge, each with its reason and, where it was drawn by chance, its probability
assignments.jsonl  who judges what, in the order in which it is shown
known.qrels        judgments that were there before
runs/              the runs, down to the depth that the study looks at
answers/           what assessors answered, a file for each
judgments.qrels    the judgments that were collected from the answers
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from gainful._core import Rows
from gainful.errors import DataError, UsageError
from gainful.formats import Run, read_qrels, read_run
from gainful.formats.ids import in_order, shown, some_quoted, to_bytes, unshown
from gainful.formats.output_files import put, written
from gainful.formats.sources import Source, file_type
from gainful.formats.text_records import Place, lines
from gainful.formats.types import MARK
from gainful.presentation.text_style import counted
from gainful.studies.study_checks import check_study
from gainful.studies.study_records import (
    Assignment,
    Manifest,
    Pooled,
    Record,
    StudyDocument,
    StudyTopic,
)

Pair = tuple[str, str]
"""Topic and document."""
Grades = Mapping[Pair, float]

R = TypeVar("R", bound=Record)

_LARGEST = 64 << 20  # bytes of study.json
_OWN = {"study.json", "topics.jsonl", "documents.jsonl", "pool.jsonl", "assignments.jsonl", "known.qrels"}
_OWN |= {"runs", "answers", "judgments.qrels"}
_IDS = ("topic", "document", "better", "worse")
_UNUSUAL = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, eq=False, repr=False)
class Study:
    """A study: the documents to judge, why each is there, and who judges them.

    runs   by name, down to the depth that the study looks at
    path   the folder; None before the study is written
    notes  what is worth knowing about how the study was made
    """

    manifest: Manifest
    topics: tuple[StudyTopic, ...]
    documents: tuple[StudyDocument, ...]
    pool: tuple[Pooled, ...]
    assignments: tuple[Assignment, ...]
    known: Grades = field(default_factory=dict)
    runs: Mapping[str, Run] = field(default_factory=dict)
    path: Path | None = None
    notes: tuple[str, ...] = ()

    @cached_property
    def batches(self) -> int:
        """How many batches there are so far."""
        return max((row.batch for row in self.pool), default=0)

    def owns(self, path: str) -> bool:
        """Whether a file is one of those that make the study, and must not be written over."""
        if self.path is None:
            return False
        place, folder = Path(os.path.realpath(path)), Path(os.path.realpath(self.path))
        return folder in place.parents and place.relative_to(folder).parts[0] in _OWN

    @cached_property
    def best_grade(self) -> int:
        """The best grade of the scale."""
        return max(step.grade for step in self.manifest.scale)

    def judged(self) -> dict[Pair, float]:
        """The grades by topic and document: those known before, and those collected since."""
        collected = None if self.path is None else self.path / "judgments.qrels"
        if collected is None or file_type(str(collected)) is None or not collected.stat().st_size:
            return dict(self.known)
        return _grades_of(collected) | dict(self.known)

    def extended(
        self,
        pool: Sequence[Pooled],
        assignments: Sequence[Assignment],
        documents: Sequence[StudyDocument] = (),
    ) -> Study:
        """The study with another pool and other assignments, which hold the earlier ones, and with more documents."""
        return replace(
            self,
            pool=in_topic_order(pool),
            assignments=tuple(assignments),
            documents=(*self.documents, *documents),
        )

    def __str__(self) -> str:
        """How many documents there are to judge, how they were chosen, and how many each assessor has."""
        drawn = sum(row.probability is not None for row in self.pool)
        load = Counter(row.assessor for row in self.assignments)
        topics = counted(len({row.topic for row in self.pool}), "topic")
        parts = [f"{counted(len(self.pool), 'document')} of {topics} to judge"]
        if self.known:
            parts.append(f"{len(self.known):,} judged before")
        if drawn:
            parts.append(f"{drawn:,} with an inclusion probability")
        who = ", ".join(f"{shown(name)} {load[name]:,}" for name in self.manifest.assessors[:10])
        how = f"by {self.manifest.strategy} from {some_quoted(list(self.runs))}"
        return f"{', '.join(parts)}; {how}; {who}"

    def __repr__(self) -> str:
        return f"<Study: {self}>"


def in_topic_order(rows: Iterable[Pooled]) -> tuple[Pooled, ...]:
    """The rows by topic and batch; within a batch of a topic in the order in which they were chosen."""
    listed = list(rows)
    place = {topic: number for number, topic in enumerate(in_order({row.topic for row in listed}))}
    return tuple(sorted(listed, key=lambda row: (place[row.topic], row.batch)))


def read_study(path: str | os.PathLike[str]) -> Study:
    """Read a study; whatever contradicts itself in its files is refused with the place.

    >>> read_study("nowhere")
    Traceback (most recent call last):
    gainful.errors.DataError: nowhere is not a study: it has no file study.json; `gainful pool` makes one.
    """
    folder = Path(os.fsdecode(path))
    if file_type(str(folder / "study.json")) is None:
        raise DataError(
            f"{shown(str(folder))} is not a study: it has no file study.json; `gainful pool` makes one."
        )
    manifest = _manifest(folder / "study.json")
    topics = list(_records(folder / "topics.jsonl", StudyTopic))
    documents = list(_records(folder / "documents.jsonl", StudyDocument))
    pool = list(_records(folder / "pool.jsonl", Pooled))
    assignments = list(_records(folder / "assignments.jsonl", Assignment))
    known = folder / "known.qrels"
    grades = {} if file_type(str(known)) is None or not known.stat().st_size else _grades_of(known)
    check_study(folder, manifest, topics, documents, pool, assignments, grades)
    return Study(
        manifest,
        tuple(row for _, row in topics),
        tuple(row for _, row in documents),
        tuple(row for _, row in pool),
        tuple(row for _, row in assignments),
        grades,
        {name: _run(folder, number, name) for number, name in enumerate(manifest.runs, 1)},
        folder,
    )


def write_study(study: Study, path: str | os.PathLike[str]) -> Study:
    """Write a new study; the folder appears with all its files, and must not be there before."""
    folder = Path(os.fsdecode(path))
    if file_type(str(folder)) is not None:
        raise UsageError(f"{shown(str(folder))} already exists; choose another name for the study.")
    if not folder.parent.is_dir():
        raise UsageError(
            f"there is no folder {shown(str(folder.parent))} to make {shown(folder.name)} in; create it first."
        )
    try:
        temporary = folder.parent / f".gainful-{secrets.token_hex(8)}"
        temporary.mkdir()
    except OSError as fault:
        raise DataError(f"{shown(str(folder))} cannot be written: {fault.strerror or fault}.") from None
    try:
        for name, content in _files(study):
            (temporary / name).parent.mkdir(exist_ok=True)
            put(content, str(temporary / name))
        (temporary / "answers").mkdir()
        temporary.rename(folder)
    except DataError as fault:  # it names the folder of this moment
        raise DataError(str(fault).replace(str(temporary), str(folder))) from None
    except OSError as fault:
        raise DataError(f"{shown(str(folder))} cannot be written: {fault.strerror or fault}.") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return replace(study, path=folder)


def write_batch(study: Study) -> None:
    """Write the pool, its documents and the assignments of a study that was extended; other files stay as they are.

    Assignments come last: where the machine stops in between, what is pooled and not assigned is assigned next time.
    """
    if study.path is None:
        raise UsageError("the study has no folder yet; write it with write_study first.")
    for name, content in _rows_of(study):
        put(content, str(study.path / name), overwrite=True)


def _files(study: Study) -> Iterator[tuple[str, bytes]]:
    manifest = msgspec.json.format(msgspec.json.encode(shown_record(study.manifest)), indent=2)
    yield "study.json", manifest + b"\n"
    yield "topics.jsonl", _json_lines(study.topics)
    yield from _rows_of(study)
    if study.known:
        pairs = sorted(study.known, key=lambda pair: to_bytes(pair[1]))
        place = {topic: number for number, topic in enumerate(in_order({topic for topic, _ in pairs}))}
        pairs.sort(key=lambda pair: place[pair[0]])
        columns = zip(*((to_bytes(t), to_bytes(d), float(study.known[t, d])) for t, d in pairs), strict=True)
        yield "known.qrels", written(Rows.of_lists(*map(list, columns)), "qrels", "trec", path="known.qrels")
    for number, (name, run) in enumerate(study.runs.items(), 1):
        yield run_file(number, name), written(run.rows(), "run", "trec", path=".run", tag=_tag(name))


def _rows_of(study: Study) -> Iterator[tuple[str, bytes]]:
    yield "documents.jsonl", _json_lines(study.documents)
    yield "pool.jsonl", _json_lines(study.pool)
    yield "assignments.jsonl", _json_lines(study.assignments)


def run_file(number: int, name: str) -> str:
    """Where a run stands in the folder.

    >>> run_file(2, "runs/my bm25.run")
    'runs/2-runs_my_bm25.run'
    """
    return f"runs/{number}-{_UNUSUAL.sub('_', name.removesuffix('.run'))[:80]}.run"


def _tag(name: str) -> str:
    return _UNUSUAL.sub("_", name) or "run"


def _run(folder: Path, number: int, name: str) -> Run:
    path = folder / run_file(number, name)
    if file_type(str(path)) is None:
        raise DataError(
            f"{shown(str(path))}: there is no such file, and study.json names the run '{shown(name)}'."
        )
    return read_run(str(path), name=name)


def _grades_of(path: Path) -> dict[Pair, float]:
    nested = read_qrels(str(path)).to_dict()
    return {
        (topic, document): grade for topic, graded in nested.items() for document, grade in graded.items()
    }


def _manifest(path: Path) -> Manifest:
    with Source(str(path)) as source:
        content = source.read_all(_LARGEST)
    try:
        fields = msgspec.json.decode(content.removeprefix(MARK))
    except (msgspec.DecodeError, ValueError, RecursionError) as fault:
        raise DataError(f"{shown(str(path))}: this is not JSON ({fault}).") from None
    version = fields.get("gainful_study") if isinstance(fields, dict) else None
    if version != 1:
        raise DataError(
            f"{shown(str(path))}: gainful_study must be 1; got {version!r:.40}. "
            "It is no study, or was made by a newer version of Gainful."
        )
    return converted(fields, Manifest, shown(str(path)))


def _records(path: Path, kind: type[R]) -> Iterator[tuple[Place, R]]:
    """The records of a file of JSON lines, each with its place."""
    with Source(str(path)) as source:
        for number, line in lines(source):
            place = Place(source.name, "line", number)
            try:
                fields = msgspec.json.decode(line)
            except (msgspec.DecodeError, ValueError, RecursionError) as fault:
                raise place.fault(f"this is not JSON ({fault}); one object a line is expected.") from None
            yield place, converted(fields, kind, f"{source.name}, line {number}")


def converted(fields: Any, kind: type[R], where: str) -> R:
    """The fields as a record; ids are turned back into what they were before they were written."""
    try:
        return unshown_record(msgspec.convert(fields, kind))
    except msgspec.ValidationError as fault:
        raise DataError(f"{where}: {_told(fault)}") from None


def unshown_record(record: R) -> R:
    """The record with its ids as they are in Python."""
    return _with_ids(record, unshown)


def shown_record(record: R) -> R:
    """The record with its ids as people see them, which JSON can hold."""
    return _with_ids(record, shown)


def _with_ids(record: R, change: Callable[[str], str]) -> R:
    ids = {name: change(getattr(record, name)) for name in _IDS if name in record.__struct_fields__}
    return msgspec.structs.replace(record, **ids) if ids else record


def _told(fault: msgspec.ValidationError) -> str:
    """What does not fit, with the name of the field instead of a path."""
    what, _, place = str(fault).partition(" - at ")
    name = place.strip("`").removeprefix("$.")
    return f"{name}: {what[:1].lower()}{what[1:]}." if name and name != "$" else f"{what}."


def _json_lines(records: Iterable[Record]) -> bytes:
    return b"".join(msgspec.json.encode(shown_record(record)) + b"\n" for record in records)
