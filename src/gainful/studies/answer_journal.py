"""Journals of a judging server: every answer is a line, which is on the disk before the assessor's page is told so."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from gainful.errors import DataError
from gainful.formats.ids import shown
from gainful.formats.output_files import put
from gainful.studies.answer_files import (
    answers_in,
    check_reply,
    content_of,
    file_stem,
    key_of,
    latest,
    moment,
)
from gainful.studies.study_folder import Study, converted, shown_record
from gainful.studies.study_records import Answer, Answers, Preference
from gainful.system_calls import lock, sync_folder


def read_journal(study: Study, assessor: str, path: Path) -> Answers:
    """The answers in a journal. A last line that was cut off when the machine stopped was never confirmed, and is left out."""
    replies: list[Answer | Preference] = []
    *lines, _ = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        where = f"{shown(str(path))}, line {number}"
        try:
            fields = msgspec.json.decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError):
            raise DataError(
                f"{where}: this is not JSON; remove the line, or restore the file from a backup."
            ) from None
        replies.append(reply_of(fields, where))
    return _answers(study, assessor, replies)


def reply_of(fields: Any, where: str) -> Answer | Preference:
    """An answer as the page sends it."""
    if isinstance(fields, dict) and "document" in fields:
        return converted(fields, Answer, where)
    return converted(fields, Preference, where)


def _answers(study: Study, assessor: str, replies: Sequence[Answer | Preference]) -> Answers:
    return Answers(
        study=study.manifest.id,
        assessor=assessor,
        saved=datetime.now(UTC).isoformat(timespec="milliseconds"),
        answers=tuple(latest(reply for reply in replies if isinstance(reply, Answer))),
        preferences=tuple(latest(reply for reply in replies if isinstance(reply, Preference))),
    )


class AnswerJournal:
    """The answers of one assessor while a server runs; any thread may add to them, one at a time."""

    def __init__(self, study: Study, assessor: str) -> None:
        assert study.path is not None, "a server has read its study from a folder"
        self._study, self.assessor = study, assessor
        self._folder = study.path / "answers"
        self._folder.mkdir(exist_ok=True)
        self._path = self._folder / f"{file_stem(assessor)}.journal"
        self._turn = threading.Lock()
        self._askable = {row.pair for row in study.assignments if row.assessor == assessor}
        self._grades = {level.grade for level in study.manifest.scale}
        known = answers_in(study).get(assessor)
        self._known = _answers(study, assessor, ()) if known is None else known
        self._latest = {key_of(reply): reply for reply in self._known.replies}
        self._file = self._opened()

    def _opened(self) -> int:
        """The journal, ready for the next line: one that was cut off by a crash is removed first."""
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            lock(handle)
        except OSError:
            os.close(handle)
            raise DataError(
                f"{shown(str(self._path))} is in use: another server serves this study; end it first."
            ) from None
        content = self._path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(handle, whole)
        sync_folder(self._folder)
        return handle

    def add(self, sent: Sequence[Any]) -> list[Answer | Preference]:
        """Keep answers that a page sent; when this returns they are on the disk.

        Returns what now counts for each of them: the answer itself, or a later one that is there already.
        Nothing is kept of a message in which anything is wrong.
        """
        replies = [reply_of(fields, "the message") for fields in sent]
        for reply in replies:
            check_reply(reply, self._askable, self._grades, shown(self.assessor))
        with self._turn:
            news = [reply for reply in replies if self._is_news(reply)]
            if news:
                _write(self._file, b"".join(msgspec.json.encode(shown_record(row)) + b"\n" for row in news))
                self._latest |= {key_of(reply): reply for reply in sorted(news, key=moment)}
            return [self._latest[key_of(reply)] for reply in replies]

    def _is_news(self, reply: Answer | Preference) -> bool:
        before = self._latest.get(key_of(reply))
        return before is None or moment(reply) > moment(before)

    def answers(self) -> Answers:
        """Everything that counts now."""
        with self._turn:
            return _answers(self._study, self.assessor, list(self._latest.values()))

    def close(self) -> None:
        """Write the answers to the assessor's file, and close the journal, which stays."""
        answers = self.answers()
        if answers.answers or answers.preferences:
            path = self._folder / f"{file_stem(self.assessor)}.json"
            put(content_of(answers), str(path), overwrite=True)
        os.close(self._file)


def _write(handle: int, lines: bytes) -> None:
    """Append the lines and wait for the disk; where it refuses, nothing of them stays."""
    before = os.fstat(handle).st_size
    try:
        left = memoryview(lines)
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
    except OSError as fault:
        os.ftruncate(handle, before)
        raise DataError(f"the answers cannot be written: {fault.strerror or fault}.") from None
