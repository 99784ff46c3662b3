"""Whether the files of a study agree with each other; the first contradiction is refused, with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from gainful.errors import DataError, UsageError
from gainful.formats.ids import is_text, shown, some_quoted
from gainful.formats.text_records import Place
from gainful.studies.study_records import Assignment, Manifest, Pooled, Record, StudyDocument, StudyTopic

R = TypeVar("R", bound=Record)
Placed = Sequence[tuple[Place, R]]


def check_study(
    folder: Path,
    manifest: Manifest,
    topics: Placed[StudyTopic],
    documents: Placed[StudyDocument],
    pool: Placed[Pooled],
    assignments: Placed[Assignment],
    known: Mapping[tuple[str, str], float],
) -> None:
    """Raise where the files of a study contradict each other."""
    check_manifest(manifest, f"{shown(str(folder / 'study.json'))}")
    _unique(((place, (row.topic,)) for place, row in topics), "topic '{0}'")
    _unique(((place, (row.document,)) for place, row in documents), "document '{0}'")
    topic_names = {row.topic for _, row in topics}
    document_names = {row.document for _, row in documents}
    pooled = _unique(((place, row.pair) for place, row in pool), "document '{1}' of topic '{0}'")
    for place, row in pool:
        _is_in(place, "topic", row.topic, topic_names, "topics.jsonl")
        _is_in(place, "document", row.document, document_names, "documents.jsonl")
        if row.pair in known:
            raise place.fault(
                f"document '{shown(row.document)}' of topic '{shown(row.topic)}' is in known.qrels already, "
                "so that nobody has to judge it; remove it from one of the two."
            )
    _check_batches(pool)
    _check_assignments(manifest, pooled, assignments, known)
    check_known(manifest, known, shown(str(folder / "known.qrels")))


def check_manifest(manifest: Manifest, where: str) -> None:
    """Raise where the settings of a study contradict each other."""
    for what, values in (
        ("grade", [str(step.grade) for step in manifest.scale]),
        ("key", [step.key for step in manifest.scale if step.key]),
        ("assessor", list(manifest.assessors)),
    ):
        twice = [value for value, times in Counter(values).items() if times > 1]
        if twice:
            raise DataError(f"{where}: the {what} '{shown(twice[0])}' is there twice; remove one.")
    if len(manifest.scale) < 2 or max(step.grade for step in manifest.scale) < 1:
        raise DataError(f"{where}: a scale needs two grades at the least, and one of them above 0.")
    if not manifest.assessors:
        raise DataError(f"{where}: a study needs an assessor; name one (--assessors).")
    if len(manifest.compare) not in (0, 2) or not {*manifest.compare} <= {*manifest.runs}:
        raise DataError(
            f"{where}: compare must name two of the runs {some_quoted(list(manifest.runs))}, or none; "
            f"got {some_quoted(manifest.compare)}."
        )


def _unique(rows: Iterable[tuple[Place, tuple[str, ...]]], what: str) -> dict[tuple[str, ...], Place]:
    """The place of each row; one that is there twice is refused."""
    places: dict[tuple[str, ...], Place] = {}
    for place, names in rows:
        before = places.setdefault(names, place)
        if before is not place:
            raise place.fault(
                f"{what.format(*map(shown, names))} stands already in line {before.number}; remove one."
            )
    return places


def _is_in(place: Place, what: str, name: str, names: Collection[str], file: str) -> None:
    if name not in names:
        raise place.fault(f"{what} '{shown(name)}' is not in {file}; add it there, or remove this line.")


def _check_batches(pool: Placed[Pooled]) -> None:
    """Raise where a batch is missing; only chance may draw nothing for a batch."""
    numbers = {row.batch for _, row in pool}
    for place, row in pool:
        if row.batch > 1 and row.batch - 1 not in numbers and row.probability is None:
            raise place.fault(
                f"batch {row.batch} without a batch {row.batch - 1}; batches are numbered 1, 2, 3, …"
            )


def _check_assignments(
    manifest: Manifest,
    pooled: Mapping[tuple[str, ...], Place],
    assignments: Placed[Assignment],
    known: Mapping[tuple[str, str], float],
) -> None:
    _unique(
        ((place, (row.assessor, *row.pair)) for place, row in assignments),
        "document '{2}' of topic '{1}' for assessor '{0}'",
    )
    for place, row in assignments:
        _is_in(place, "assessor", row.assessor, manifest.assessors, "study.json")
        if row.pair in pooled or (row.calibration and row.pair in known):
            continue
        where = "known.qrels" if row.calibration else "pool.jsonl"
        raise place.fault(
            f"document '{shown(row.document)}' of topic '{shown(row.topic)}' is not in {where}; remove this line."
        )
    given = {row.pair for _, row in assignments}
    forgotten = [pair for pair in pooled if pair not in given]
    if forgotten:
        topic, document = map(shown, forgotten[0])
        more = f" ({len(forgotten):,} such documents)" if len(forgotten) > 1 else ""
        raise pooled[forgotten[0]].fault(
            f"nobody is asked about document '{document}' of topic '{topic}'{more}; give it to an assessor in "
            "assignments.jsonl, or remove this line."
        )


def check_known(manifest: Manifest, known: Mapping[tuple[str, str], float], where: str) -> None:
    """Raise where a grade that is known already is above the scale."""
    best = max(step.grade for step in manifest.scale)
    for (topic, document), grade in known.items():
        if grade > best:
            raise DataError(
                f"{where}: document '{shown(document)}' of topic '{shown(topic)}' has "
                f"grade {grade:g}, and the scale of the study ends at {best}; extend the scale."
            )


def check_names(manifest: Manifest) -> None:
    """Raise where a name of a new study cannot stand in its files, or not beside another one."""
    texts = {
        "run": manifest.runs,
        "assessor": manifest.assessors,
        "grade's label": [step.label for step in manifest.scale],
        "file of documents": [manifest.documents or ""],
    }
    for what, names in texts.items():
        for name in names:
            if not is_text(name):
                raise UsageError(
                    f"the {what} '{shown(name)}' has a name that is not UTF-8, which a study cannot hold; rename it."
                )
    folded = [name.casefold() for name in manifest.assessors]
    if alike := [name for name in manifest.assessors if folded.count(name.casefold()) > 1]:
        quoted = " and ".join(f"'{shown(name)}'" for name in alike)
        raise UsageError(
            f"assessors {quoted} differ in upper and lower case alone, "
            "which names of files and accounts may not tell apart; rename one."
        )
