"""What assessors answered: the files that pages save and the journals that a server keeps, checked against their study."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown, some_quoted
from gainful.formats.sources import Source, file_type
from gainful.formats.types import MARK
from gainful.studies.study_folder import Pair, Study, converted, shown_record, unshown_record
from gainful.studies.study_records import Answer, Answers, Preference

_LARGEST = 1 << 30  # bytes of a file of answers
_UNUSUAL = re.compile(r"[^\w.-]")
Reply = TypeVar("Reply", Answer, Preference)


def file_stem(assessor: str) -> str:
    """The name of an assessor in names of files and in columns: the own name, where that can stand there.

    >>> file_stem("ann"), file_stem("../ann")
    ('ann', '_ann-2a8c40')
    """
    cleaned = _UNUSUAL.sub("_", assessor)
    if cleaned == assessor and not assessor.startswith(".") and len(assessor) <= 80:
        return assessor
    return f"{cleaned[:80].lstrip('.')}-{hashlib.sha256(assessor.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"


def read_answers(study: Study, path: str) -> Answers:
    """The answers in a file, which must be of this study, of one of its assessors, and on its scale."""
    with Source(path) as source:
        content = source.read_all(_LARGEST)
    where = shown(path)
    try:
        fields = msgspec.json.decode(content.removeprefix(MARK))
    except (msgspec.DecodeError, ValueError, RecursionError) as fault:
        raise DataError(
            f"{where}: this is not JSON ({fault}); give a file that a judging page saved."
        ) from None
    if not isinstance(fields, dict) or fields.get("gainful_answers") != 1:
        raise DataError(
            f"{where} does not hold answers (gainful_answers must be 1); give a file that a judging page saved."
        )
    answers = _rewritten(converted(fields, Answers, where), unshown_record)
    check_answers(study, answers, where)
    return answers


def _rewritten(answers: Answers, change: Callable[[Any], Any]) -> Answers:
    return msgspec.structs.replace(
        answers,
        answers=tuple(map(change, answers.answers)),
        preferences=tuple(map(change, answers.preferences)),
    )


def check_answers(study: Study, answers: Answers, where: str) -> None:
    """Raise where answers do not belong to the study."""
    manifest = study.manifest
    if answers.study != manifest.id:
        raise DataError(
            f"{where}: these answers belong to another study ('{shown(answers.study)}', not "
            f"'{shown(manifest.id)}'); give answers of this one."
        )
    if answers.adjudication == (answers.assessor in manifest.assessors):
        raise DataError(
            f"{where}: '{shown(answers.assessor)}' "
            + (
                "is an assessor of the study and cannot decide where assessors disagree; choose another name."
                if answers.adjudication
                else f"is no assessor of this study; it has {some_quoted(manifest.assessors)}."
            )
        )
    askable = _askable(study, answers)
    grades = {level.grade for level in manifest.scale}
    for reply in answers.replies:
        check_reply(reply, askable, grades, f"{where}: {shown(answers.assessor)}")


def _askable(study: Study, answers: Answers) -> set[Pair]:
    """The documents that an assessor, or whoever adjudicates, could have been asked about."""
    if answers.adjudication:
        return {row.pair for row in study.pool}
    return {row.pair for row in study.assignments if row.assessor == answers.assessor}


def check_reply(reply: Answer | Preference, askable: set[Pair], grades: set[int], where: str) -> None:
    """Raise where a single answer is not one that the page could have taken.

    askable  documents that the assessor was asked about
    grades   of the scale
    where    the file and the assessor, for messages
    """
    documents = [reply.document] if isinstance(reply, Answer) else [reply.better, reply.worse]
    for document in documents:
        if (reply.topic, document) not in askable:
            raise DataError(
                f"{where} was not asked about document '{shown(document)}' of topic '{shown(reply.topic)}'; "
                "remove this answer."
            )
    said = f"{where}, document '{shown(documents[0])}' of topic '{shown(reply.topic)}'"
    if isinstance(reply, Answer):
        if reply.state == "graded" and reply.grade not in grades:
            raise DataError(
                f"{said}: grade {reply.grade} is not on the scale of the study ({', '.join(map(str, sorted(grades)))})."
            )
        if reply.state != "graded" and reply.grade is not None:
            raise DataError(f"{said}: an answer that is '{reply.state}' has no grade; got {reply.grade}.")
    elif documents[0] == documents[1]:
        raise DataError(f"{said}: a document cannot be preferred to itself.")
    if reply.at:
        try:
            _time(reply.at)
        except (ValueError, OverflowError):
            raise DataError(f"{said}: '{shown(reply.at)}' is not an ISO time.") from None


def moment(reply: Answer | Preference) -> float:
    """When an answer was given, in seconds since 1970; one without a time is older than any other."""
    return _time(reply.at).timestamp() if reply.at else float("-inf")


def _time(text: str) -> datetime:
    """An ISO time in UTC; one without a zone is in UTC already."""
    time = datetime.fromisoformat(text)
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def latest(replies: Iterable[Reply]) -> list[Reply]:
    """Of each document, or pair of documents, the answer that was given last, in the order of their first."""
    kept: dict[tuple[str, ...], Reply] = {}
    for reply in replies:
        before = kept.get(key_of(reply))
        if before is None or moment(reply) >= moment(before):
            kept[key_of(reply)] = reply
    return list(kept.values())


def key_of(reply: Answer | Preference) -> tuple[str, ...]:
    """What an answer is about: a document of a topic, or two of them, in whatever order."""
    if isinstance(reply, Answer):
        return reply.topic, reply.document
    return (reply.topic, *sorted((reply.better, reply.worse)))


def joined(several: Sequence[Answers]) -> Answers:
    """Answers of one assessor from several places: of each document the latest counts."""
    newest = max(several, key=lambda answers: answers.saved)
    return msgspec.structs.replace(
        newest,
        answers=tuple(latest(reply for answers in several for reply in answers.answers)),
        preferences=tuple(latest(reply for answers in several for reply in answers.preferences)),
    )


def answers_in(study: Study) -> dict[str, Answers]:
    """What the folder of the study holds: a file for each assessor, and the journals of a server beside them."""
    from gainful.studies.answer_journal import read_journal

    folder = _folder(study)
    answers_of: dict[str, Answers] = {}
    for path in sorted(folder.glob("*.json")):
        _add(answers_of, read_answers(study, str(path)), str(path))
    for name in study.manifest.assessors:
        journal = folder / f"{file_stem(name)}.journal"
        if file_type(str(journal)) is not None:
            noted = read_journal(study, name, journal)
            before = answers_of.get(name)
            answers_of[name] = noted if before is None else joined([before, noted])
    return answers_of


def given_answers(study: Study, paths: Sequence[str]) -> dict[str, Answers]:
    """The answers in these files, by assessor; two files of one assessor are refused."""
    answers_of: dict[str, Answers] = {}
    places: dict[str, str] = {}
    for path in paths:
        answers = read_answers(study, path)
        before = places.setdefault(answers.assessor, path)
        if before == path and answers.assessor in answers_of:
            raise UsageError(f"{shown(path)} is given twice; give it once.")
        if before != path:
            later = path if answers.saved > answers_of[answers.assessor].saved else before
            raise UsageError(
                f"{shown(before)} and {shown(path)} are both answers of '{shown(answers.assessor)}'; "
                f"give one of them, the one saved last ({shown(later)})."
            )
        answers_of[answers.assessor] = answers
    return answers_of


def _add(answers_of: dict[str, Answers], answers: Answers, path: str) -> None:
    if answers.assessor in answers_of:
        raise DataError(
            f"{shown(path)}: the folder holds another file with answers of '{shown(answers.assessor)}'; remove one."
        )
    answers_of[answers.assessor] = answers


def content_of(answers: Answers) -> bytes:
    """The file that holds these answers."""
    written = _rewritten(answers, shown_record)
    return msgspec.json.format(msgspec.json.encode(written), indent=1) + b"\n"


def _folder(study: Study) -> Path:
    if study.path is None:
        raise UsageError("the study has no folder yet; write it with write_study first.")
    return study.path / "answers"
