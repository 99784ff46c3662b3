"""The native core and its plain twin, side by side."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import gainful._core as native
from gainful._core import plain

FIELDS = {
    "Rows": ("topics", "documents", "values", "tag", "digest"),
    "Index": ("topics", "offsets", "grade", "dropped", "digest", "grades", "longest"),
    "Found": (
        *("offsets", "row", "rank", "first", "last", "retrieved", "present"),
        *("close_topic", "close_first", "close_last", "dropped", "extra", "rows", "tag", "digest"),
        *("absent", "lengths"),
    ),
    "Top": ("offsets", "score", "row", "first", "last"),
}


def facts(thing: Any) -> Any:
    """All that an object of the core tells, as plain values with their types."""
    result = {}
    for field in FIELDS[type(thing).__name__]:
        value = getattr(thing, field)
        result[field] = (str(value.dtype), value.tolist()) if isinstance(value, np.ndarray) else value
    if type(thing).__name__ == "Index":
        result["documents"] = thing.documents(0, len(thing))
        result["beyond"] = [thing.first_beyond(largest) for largest in (-1, 0, 1, 100)]
    if type(thing).__name__ == "Top":
        result["documents"] = thing.documents(0, len(thing.score))
    if type(thing).__name__ == "Found":
        result["top"] = facts(thing.top)
        result["straddled"] = [thing.straddled(rank) for rank in range(1, 6)]
    return result


def outcome(call: Callable[[], Any]) -> Any:
    """What a call gives: facts, or the fault that it raised."""
    try:
        return facts(call())
    except (native.Fault, native.Cancelled) as fault:
        return type(fault).__name__, fault.args


class Pair:
    """Calls that must come out the same in the native core and in its twin."""

    facts = staticmethod(facts)
    outcome = staticmethod(outcome)

    def __call__(self, call: Callable[[Any], Any]) -> Any:
        expected, got = outcome(lambda: call(plain)), outcome(lambda: call(native))
        assert got == expected
        return got

    @staticmethod
    @contextmanager
    def file(data: bytes) -> Iterator[int]:
        """A descriptor of a file with this content."""
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            yield file.fileno()


@pytest.fixture(scope="session")
def pair() -> Pair:
    return Pair()


class Stream:
    """A Python source of bytes that gives a few at a time."""

    def __init__(self, data: bytes, step: int = 7, can_rewind: bool = True) -> None:
        self.data, self.step, self.can_rewind, self.at = data, step, can_rewind, 0

    def readinto(self, buffer: Any) -> int:
        part = self.data[self.at : self.at + min(self.step, len(buffer))]
        buffer[: len(part)] = part
        self.at += len(part)
        return len(part)

    def rewind(self) -> bool:
        if self.can_rewind:
            self.at = 0
        return self.can_rewind


@pytest.fixture(scope="session")
def stream() -> type[Stream]:
    return Stream


@pytest.fixture(scope="session")
def cores() -> tuple[ModuleType, ModuleType]:
    return native, plain


@pytest.fixture
def open_descriptors() -> Callable[[], int]:
    return lambda: len(list(Path("/proc/self/fd").iterdir()))
