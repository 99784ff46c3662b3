"""What trec_eval prints: a line for each column and topic, and for each column over all topics."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gainful.compat._trec_eval_columns import Column
from gainful.errors import DataError
from gainful.formats.ids import shown

ALL = "all"
NO_ZSCORE = -1_000_000.0
"""What trec_eval says where the means and deviations have no line for a measure of a topic."""

Deviations = Mapping[tuple[str, str], tuple[float, float]]
"""(topic, measure as printed) → mean and standard deviation over reference runs."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What trec_eval says of one run: a row of values for each column, topics in the order of their bytes.

    recounted  summaries that are counted over all judgments, not added up from the topics
    """

    run_id: str
    topics: tuple[str, ...]
    columns: tuple[Column, ...]
    values: NDArray[np.float64]
    texts: Mapping[str, list[str]]
    notes: tuple[str, ...] = ()
    deviations: bool = False
    recounted: Mapping[str, float] = field(default_factory=dict)

    def summary(self) -> dict[str, float]:
        """Each column over all topics."""
        rows = zip(self.columns, self.values, strict=True)
        return {column.name: self.recounted.get(column.name, _summed(column, row)) for column, row in rows}

    def text(self, *, per_topic: bool = False, summary: bool = True) -> str:
        """What trec_eval prints; `per_topic` is its -q, no `summary` its -n."""
        return "".join([*(self._topics() if per_topic else ()), *(self._all() if summary else ())])

    def _topics(self) -> Iterator[str]:
        for number, topic in enumerate(self.topics):
            for column, row in zip(self.columns, self.values, strict=True):
                if column.text is not None:
                    yield _line(column.name, topic, f"'{self.texts[column.name][number]}'")
                elif column.single:
                    yield self._number(column, topic, float(row[number]))

    def _all(self) -> Iterator[str]:
        summary = self.summary()
        for column in self.columns:
            if column.root == "runid":
                yield _line(column.name, ALL, self.run_id)
            elif column.text is None:
                yield self._number(column, ALL, summary[column.name])

    def _number(self, column: Column, topic: str, value: float) -> str:
        if self.deviations:
            return "Z" + _line(column.name, topic, _decimals(value))
        return _line(column.name, topic, str(int(value)) if column.whole else _decimals(value))


def read_deviations(path: str) -> Deviations:
    """Means and standard deviations from a file with lines of topic, measure, mean, deviation."""
    found = {}
    try:
        text = Path(path).read_text("utf-8", "surrogateescape")
    except OSError as fault:
        raise DataError(f"{shown(path)} cannot be read: {fault.strerror}.") from None
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split()
        if not fields or line.startswith("#"):
            continue
        try:
            topic, measure, mean, deviation = fields
            found[topic, measure] = float(mean), float(deviation)
        except ValueError:
            raise DataError(
                f"{shown(path)}, line {number}: expected topic, measure, mean, standard deviation; got '{shown(line[:60])}'."
            ) from None
    return found


def in_deviations(made: Evaluation, deviations: Deviations) -> Evaluation:
    """Every value as its distance from the mean, in standard deviations."""
    values = np.array(
        [
            [
                _deviation(value, deviations.get((topic, column.name)))
                for topic, value in zip(made.topics, row, strict=True)
            ]
            if column.root not in ("num_q", "runid")
            else row
            for column, row in zip(made.columns, made.values, strict=True)
        ]
    )
    return replace(made, values=values.reshape(made.values.shape), deviations=True)


def _deviation(value: float, known: tuple[float, float] | None) -> float:
    if known is None:
        return NO_ZSCORE
    mean, deviation = known
    if deviation == 0:
        return 0.0 if value == mean else NO_ZSCORE
    return (value - mean) / deviation


def _summed(column: Column, values: NDArray[np.float64]) -> float:
    """Added up one after the other, as trec_eval does; a sum that rounds better would print other digits at times."""
    total = float(np.add.accumulate(values)[-1])
    if column.summary == "sum":
        return total
    mean = total / len(values)
    return math.exp(mean) if column.summary == "geometric" else mean


def _decimals(value: float) -> str:
    """Four decimals; zero divided by zero as C prints it on x86-64, where it has a sign."""
    return "-nan" if math.isnan(value) else f"{value:.4f}"


def _line(name: str, topic: str, value: str) -> str:
    return f"{name:<22}\t{shown(topic)}\t{value}\n"
