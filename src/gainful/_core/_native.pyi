from collections.abc import Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from gainful._core.plain import Duplicates, Ties

class Source(Protocol):
    def readinto(self, buffer: Any, /) -> int: ...
    def rewind(self) -> bool: ...

class Rows:
    @staticmethod
    def read(
        source: int | Source, *, kind: Literal["qrels", "run"], threads: int, _block: int = ...
    ) -> Rows: ...
    @staticmethod
    def read_table(
        source: int | Source,
        *,
        separator: str,
        places: tuple[int, int, int],
        header: bool,
        ranked: bool,
        columns: int,
        counting: bool,
        threads: int,
        _block: int = ...,
    ) -> Rows: ...
    @staticmethod
    def of_lists(topics: Sequence[Any], documents: Sequence[Any], values: Sequence[Any]) -> Rows: ...
    @staticmethod
    def of_mapping(nested: Any) -> Rows: ...
    @staticmethod
    def of_stream(
        capsule: object, topic: str, document: str, value: str, *, threads: int | None = ...
    ) -> Rows: ...
    def __len__(self) -> int: ...
    @property
    def topics(self) -> list[bytes]: ...
    @property
    def documents(self) -> list[bytes]: ...
    @property
    def values(self) -> NDArray[np.float64]: ...
    def take_values(self) -> NDArray[np.float64]: ...
    @property
    def tag(self) -> bytes: ...
    @property
    def digest(self) -> str: ...

class Index:
    def __init__(self, rows: Rows, *, duplicates: Literal["error", "first", "best"]) -> None: ...
    def __len__(self) -> int: ...
    @property
    def topics(self) -> list[bytes]: ...
    @property
    def offsets(self) -> NDArray[np.intp]: ...
    @property
    def grade(self) -> NDArray[np.float64]: ...
    @property
    def dropped(self) -> int: ...
    @property
    def digest(self) -> str: ...
    @property
    def grades(self) -> list[float]: ...
    @property
    def longest(self) -> int: ...
    def first_beyond(self, largest: float) -> int | None: ...
    def documents(self, start: int, stop: int) -> list[bytes]: ...

class Top:
    @property
    def offsets(self) -> NDArray[np.intp]: ...
    @property
    def score(self) -> NDArray[np.float64]: ...
    @property
    def row(self) -> NDArray[np.int32]: ...
    @property
    def first(self) -> NDArray[np.int32]: ...
    @property
    def last(self) -> NDArray[np.int32]: ...
    def documents(self, start: int, stop: int) -> list[bytes]: ...

class Found:
    @property
    def offsets(self) -> NDArray[np.intp]: ...
    @property
    def row(self) -> NDArray[np.int32]: ...
    @property
    def rank(self) -> NDArray[np.int32]: ...
    @property
    def first(self) -> NDArray[np.int32]: ...
    @property
    def last(self) -> NDArray[np.int32]: ...
    @property
    def retrieved(self) -> NDArray[np.intp]: ...
    @property
    def present(self) -> NDArray[np.bool_]: ...
    @property
    def close_topic(self) -> NDArray[np.int32]: ...
    @property
    def close_first(self) -> NDArray[np.int32]: ...
    @property
    def close_last(self) -> NDArray[np.int32]: ...
    @property
    def top(self) -> Top: ...
    @property
    def dropped(self) -> int: ...
    @property
    def extra(self) -> list[bytes]: ...
    @property
    def rows(self) -> int: ...
    @property
    def tag(self) -> bytes: ...
    @property
    def digest(self) -> str: ...
    @property
    def absent(self) -> list[int]: ...
    @property
    def lengths(self) -> list[int]: ...
    def straddled(self, rank: int) -> int: ...
    def judged_share(self, index: Index, cutoff: int) -> float: ...

class Crew:
    def __init__(self, threads: int) -> None: ...

class Job:
    def __init__(
        self,
        index: Index,
        source: int | Source,
        *,
        ties: Ties,
        duplicates: Duplicates,
        threads: int,
        drop_self: bool = ...,
        narrow: bool = ...,
        top: int = ...,
        crew: Crew | None = ...,
        _block: int = ...,
        _memory: int = ...,
    ) -> None: ...
    @property
    def bytes_read(self) -> int: ...
    def wait(self, seconds: float) -> bool: ...
    def cancel(self) -> None: ...
    def result(self) -> Found: ...

def judge_rows(
    index: Index,
    rows: Rows,
    *,
    ties: Ties,
    duplicates: Duplicates,
    threads: int,
    drop_self: bool = ...,
    narrow: bool = ...,
    top: int = ...,
) -> Found: ...
def judge_stream(
    index: Index,
    capsule: object,
    names: tuple[str, str, str],
    *,
    ties: Ties,
    duplicates: Duplicates,
    threads: int,
    drop_self: bool = ...,
    narrow: bool = ...,
    top: int = ...,
) -> Found | None: ...
def judge_mapping(
    index: Index,
    nested: Any,
    *,
    ties: Ties,
    narrow: bool = ...,
    top: int = ...,
) -> Found: ...
def columns(capsule: object) -> list[str]: ...
def fit_curve(
    places: NDArray[np.float64],
    labels: NDArray[np.float64],
    weights: NDArray[np.float64],
    *,
    intercept: float,
    slope: float,
    first: float,
    shared: float,
    second: float,
    least_slope: float,
) -> tuple[float, float, float, float, float]: ...

class VectorStore:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def append(
        self, offsets: NDArray[np.intp], terms: NDArray[np.int32], weights: NDArray[np.float64]
    ) -> None: ...
    def score(
        self, terms: NDArray[np.int32], weights: NDArray[np.float64], start: int, stop: int
    ) -> NDArray[np.float64]: ...
    def mix(
        self,
        documents: NDArray[np.intp],
        coefficients: NDArray[np.float64],
        terms: NDArray[np.int32],
        weights: NDArray[np.float64],
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
    def separate(
        self,
        documents: NDArray[np.intp],
        terms: NDArray[np.int32],
        weights: NDArray[np.float64],
        labels: NDArray[np.float64],
        costs: NDArray[np.float64],
        *,
        passes: int,
        tolerance: float,
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
    def vector(self, document: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...

class PlaceCurve:
    def __init__(
        self,
        *,
        intercept: float,
        slope: float,
        first: float,
        shared: float,
        second: float,
        nearness: float,
        usual: float,
        far: float,
        least_place: float,
    ) -> None: ...

class Aims:
    def __init__(self, *, needed: float, won: float, lost: float, optimism: float, floor: float) -> None: ...

def expected_thetas(
    scores: NDArray[np.float64], documents: int, curve: PlaceCurve, aims: Aims
) -> tuple[float, float]: ...

class HighestScores:
    def __init__(self, depth: int) -> None: ...
    def __contains__(self, number: int) -> bool: ...
    def keep(self, number: int, scores: NDArray[np.float64]) -> None: ...
    def drop(self, number: int) -> None: ...
    def clear(self) -> None: ...
    def expected_thetas(
        self,
        numbers: NDArray[np.int64],
        held: int,
        documents: int,
        curve: PlaceCurve,
        aims: Aims,
        *,
        threads: int,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

class ProfileIndex:
    def __init__(
        self, terms: Sequence[NDArray[np.int32]], weights: Sequence[NDArray[np.float64]]
    ) -> None: ...
    def __len__(self) -> int: ...
    def score(
        self,
        offsets: NDArray[np.intp],
        terms: NDArray[np.int32],
        weights: NDArray[np.float64],
        *,
        out: NDArray[np.float64],
        threads: int,
    ) -> None: ...
    def reach(
        self,
        offsets: NDArray[np.intp],
        terms: NDArray[np.int32],
        weights: NDArray[np.float64],
        theta: NDArray[np.float64],
        *,
        floor: float,
        threads: int,
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]: ...
    def arrive(
        self,
        offsets: NDArray[np.intp],
        terms: NDArray[np.int32],
        weights: NDArray[np.float64],
        theta: NDArray[np.float64],
        *,
        floor: float,
        threads: int,
        highest: HighestScores,
        numbers: NDArray[np.int64],
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64], NDArray[np.int64]]: ...

class Program:
    def __init__(
        self,
        steps: list[tuple[str, int, int, int, int | None, int | None, int | None]],
        constants: list[float],
        tables: list[NDArray[np.float64]],
        outputs: list[int],
    ) -> None: ...
    def run(
        self,
        offsets: NDArray[np.int64],
        rank: NDArray[np.float64],
        grade: NDArray[np.float64],
        pool_offsets: NDArray[np.int64],
        pool_rank: NDArray[np.float64],
        pool_grade: NDArray[np.float64],
        retrieved: NDArray[np.float64],
        columns: NDArray[np.float64],
        out: NDArray[np.float64],
    ) -> bool: ...

class ScoredRun:
    @property
    def found(self) -> Found: ...
    @property
    def values(self) -> NDArray[np.float64]: ...
    @property
    def undefined(self) -> NDArray[np.bool_]: ...
    @property
    def close(self) -> bool: ...
    def row(self, measure: int) -> list[float]: ...
    def undefined_topics(self, measure: int) -> list[int]: ...

class Scorer:
    def __init__(self, index: Index, of_judgments: Program, program: Program) -> None: ...
    @property
    def usable(self) -> bool: ...
    def score(self, nested: Any) -> ScoredRun | None: ...
    def score_found(self, found: Found) -> ScoredRun | None: ...
    def by_topic(self, nested: Any, names: tuple[str, ...]) -> dict[str, dict[str, float]] | None: ...
    @property
    def too_deep(self) -> float: ...

def log2(x: NDArray[np.float64], out: NDArray[np.float64]) -> None: ...
def say_on_abort(sentence: str, descriptor: int, code: int) -> None: ...
def arrow_stream(
    columns: list[tuple[str, Literal["u", "z", "g"], list[str] | list[bytes] | list[float]]],
) -> object: ...
