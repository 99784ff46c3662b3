"""Documents that users knew and numbers that they expected, from files or Python objects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gainful.errors import DataError
from gainful.formats.ids import from_bytes, shown
from gainful.formats.sources import Source, is_path, person_of

_LAYOUT = "topic and document; or topic, user, document; or as in judgments, topic, user, document, and 1 if it was known"
_NO_USER = ("0", "Q0", "q0")  # in the second column, where judgments have no user


@dataclass(frozen=True)
class Known:
    """The documents that each user knew, by topic.

    >>> read_known({"q1": ["d1"]}).users
    {'user': {'q1': {'d1'}}}
    """

    users: dict[str, dict[str, set[str]]]


def read_known(given: Any) -> Known:
    """What users knew, from a path (TREC text, plain or compressed) or from a Python object; or a list of these.

    given  a path: lines of topic and document; of topic, user and document; or as judgments, topic, user, document and
           a number, above 0 where the user knew it · `{topic: [document, …]}` · `{user: {topic: [document, …]}}` ·
           a list of paths, one for each user

    >>> read_known({"ann": {"q1": ["d1"]}, "bob": {"q1": []}}).users
    {'ann': {'q1': {'d1'}}, 'bob': {'q1': set()}}
    """
    if isinstance(given, Known):
        return given
    if is_path(given):
        return Known(_of_file(os.fsdecode(given)))
    if isinstance(given, Mapping):
        return Known(_of_mapping(given))
    if isinstance(given, Sequence) and given and all(is_path(item) for item in given):
        users: dict[str, dict[str, set[str]]] = {}
        for path in given:
            for user, topics in _of_file(os.fsdecode(path)).items():
                if user in users:
                    raise DataError(
                        f"user '{shown(user)}' is in two of the files of what was known; rename one of them."
                    )
                users[user] = topics
        return Known(users)
    raise DataError(
        f"what was known cannot be created from {type(given).__name__}; give a path, {{topic: [document, …]}}, or "
        "{user: {topic: [document, …]}}."
    )


def read_expected(given: Any) -> int | dict[str, int]:
    """How many relevant documents were expected: one number for every topic, or one for each.

    given  a number · a path: lines of topic and number · `{topic: number}`

    >>> read_expected(3), read_expected({"q1": 2})
    (3, {'q1': 2})
    """
    if isinstance(given, Mapping):
        return {
            _id(topic): _whole(number, f"what was expected for topic '{shown(_id(topic))}'")
            for topic, number in given.items()
        }
    if isinstance(given, bool) or not (
        is_path(given) or isinstance(given, int | float) or hasattr(given, "__int__")
    ):
        raise DataError(
            f"expected must be a number, a file, or {{topic: number}}; got {type(given).__name__}."
        )
    if not is_path(given):
        return _whole(given, "what was expected")
    path = os.fsdecode(given)
    expected_of: dict[str, int] = {}
    for number, fields in _lines(path):
        where = f"{shown(path)}, line {number}"
        if len(fields) != 2:
            raise DataError(f"{where}: {len(fields)} columns where topic and number are expected.")
        if fields[0] in expected_of:
            raise DataError(f"{where}: topic '{shown(fields[0])}' is there twice; remove one.")
        expected_of[fields[0]] = _whole(fields[1], where)
    if not expected_of:
        raise DataError(f"{shown(path)} holds no rows; expected lines of topic and number.")
    return expected_of


def _of_file(path: str) -> dict[str, dict[str, set[str]]]:
    rows: list[tuple[str, str, str]] = []
    widths: set[int] = set()
    for number, fields in _lines(path):
        where = f"{shown(path)}, line {number}"
        if len(fields) not in (2, 3, 4):
            columns = f"{len(fields)} column{'' if len(fields) == 1 else 's'}"
            raise DataError(f"{where}: {columns}.\nExpected {_LAYOUT}.")
        widths.add(len(fields))
        if len(widths) > 1:
            raise DataError(
                f"{where}: {len(fields)} columns, and other lines have {min(widths - {len(fields)})}.\nExpected {_LAYOUT}."
            )
        if len(fields) == 4 and not _known(fields[3], where):
            rows.append((fields[1], fields[0], ""))
        else:
            rows.append(
                (
                    "" if len(fields) == 2 else fields[1],
                    fields[0],
                    fields[-1] if len(fields) < 4 else fields[2],
                )
            )
    if not rows:
        raise DataError(f"{shown(path)} holds no rows; expected {_LAYOUT}.")
    named = {user for user, _, _ in rows}
    nameless = len(named) == 1 and named <= {"", *_NO_USER}
    users: dict[str, dict[str, set[str]]] = {}
    for user, topic, document in rows:
        documents = users.setdefault(person_of(path) if nameless else user, {}).setdefault(topic, set())
        if document:
            documents.add(document)
    return users


def _of_mapping(given: Mapping[Any, Any]) -> dict[str, dict[str, set[str]]]:
    by_user = all(
        isinstance(topics, Mapping) and all(_is_ids(documents) for documents in topics.values())
        for topics in given.values()
    )
    if by_user and given:
        return {str(user): _topics(topics) for user, topics in given.items()}
    return {"user": _topics(given)}


def _topics(given: Mapping[Any, Any]) -> dict[str, set[str]]:
    for topic, documents in given.items():
        if not _is_ids(documents):
            raise DataError(
                f"what was known of topic '{shown(_id(topic))}' is a list of document ids; got {type(documents).__name__}."
            )
    return {_id(topic): {_id(document) for document in documents} for topic, documents in given.items()}


def _is_ids(given: Any) -> bool:
    return isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping)


def _id(value: Any) -> str:
    return from_bytes(value) if isinstance(value, bytes) else str(value)


def _known(field: str, where: str) -> bool:
    try:
        return float(field) > 0
    except ValueError:
        raise DataError(
            f"{where}: '{shown(field)}' is not a number; use 1 for a known document, 0 for an unknown one."
        ) from None


def _whole(value: Any, where: str) -> int:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if number < 0 or number != number // 1:
        text = shown(value) if isinstance(value, str) else repr(value)
        raise DataError(f"{where}: a number of documents is whole, 0 or more; got {text}.")
    return int(number)


def _lines(path: str) -> Iterator[tuple[int, list[str]]]:
    """Number and fields of every line that is neither empty nor a comment."""
    with Source(path) as source:
        for number, text in enumerate(source.lines(), 1):
            if b"\0" in text:
                raise DataError(f"{source.name}: this is a binary file, not text.")
            fields = [from_bytes(field) for field in text.split()]
            if fields and not text.startswith(b"#"):
                yield number, fields
