"""A ranked list written on the command line: its gains in order, or the ranks of its relevant documents; no files."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import NamedTuple

from gainful.errors import UsageError
from gainful.measures import parse
from gainful.scores.evaluation import needed

TOPIC = "example"
RUN = "list"

_MOST_DOCUMENTS = 10_000
_MOST_RELEVANT = 1_000_000
_REPEATED = re.compile(r"(.+)\*([0-9]{1,9})")


class ByHand(NamedTuple):
    """Judgments and a run, each of one topic, as `explain` takes them."""

    qrels: dict[str, dict[str, float]]
    run: dict[str, dict[str, float]]


def list_of_gains(gains: str, ideal: str | None = None) -> ByHand:
    """A list of documents D1, D2, … with these gains, and the documents that the ideal list has besides.

    gains  of the list in its order, such as "3 2 0 1"; 3*9 is nine times 3
    ideal  how the ideal list begins, or all of it; by default the best order of the list itself

    >>> qrels, run = list_of_gains("3 1", "3*2")
    >>> qrels, list(run["example"])
    ({'example': {'D1': 3.0, 'D2': 1.0, 'missed1': 3.0}}, ['D1', 'D2'])
    """
    found = _numbers("gains", gains)
    best = sorted([] if ideal is None else _numbers("ideal", ideal), reverse=True)
    missed = sorted((Counter(best) - Counter(found)).elements(), reverse=True)
    if sorted([*found, *missed], reverse=True)[: len(best)] != best:
        raise UsageError(
            f"--ideal begins with {_written(best)}, but the list itself has better documents: {_written(found)}; "
            "write the ideal list from its beginning, best first."
        )
    return _by_hand(found, missed)


def list_of_relevant(ranks: str, of: int | None = None) -> ByHand:
    """A list of documents D1, D2, … that are relevant at these ranks; it ends at the last of them.

    ranks  such as "1,2,5,8"
    of     number of relevant documents in all, also those that the list does not have; by default none is missing

    >>> list_of_relevant("1,3", 3).qrels
    {'example': {'D1': 1.0, 'D2': 0.0, 'D3': 1.0, 'missed1': 1.0}}
    """
    relevant: set[int] = set()
    for text in _split("relevant", ranks):
        if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= _MOST_DOCUMENTS:
            raise UsageError(
                f"--relevant takes ranks, such as 1,2,5,8, from 1 to {_MOST_DOCUMENTS:,}; got '{text}'."
            )
        if int(text) in relevant:
            raise UsageError(f"--relevant has rank {text} twice; write each rank once.")
        relevant.add(int(text))
    of = len(relevant) if of is None else of
    if not len(relevant) <= of <= _MOST_RELEVANT:
        raise UsageError(
            f"--of counts all relevant documents, so it is from {len(relevant)} (the ranks in --relevant) "
            f"to {_MOST_RELEVANT:,}; got {of:,}."
        )
    found = [float(rank in relevant) for rank in range(1, max(relevant) + 1)]
    return _by_hand(found, [1.0] * (of - len(relevant)))


def check_measure(measure: str) -> None:
    """Raise if the measure needs more of the judgments than a grade for each document.

    >>> check_measure("NRBP")
    Traceback (most recent call last):
    gainful.errors.UsageError: NRBP needs judgments by subtopics, and a list that is written down has only grades; give files.
    """
    needs = needed([parse(measure)])
    if needs is not None:
        raise UsageError(
            f"{measure} needs judgments by {needs}, and a list that is written down has only grades; give files."
        )


def _by_hand(found: list[float], missed: list[float]) -> ByHand:
    grades = {f"D{rank}": gain for rank, gain in enumerate(found, 1)}
    others = {f"missed{number}": gain for number, gain in enumerate(missed, 1)}
    return ByHand(
        {TOPIC: grades | others}, {TOPIC: {name: -float(rank) for rank, name in enumerate(grades, 1)}}
    )


def _numbers(option: str, text: str) -> list[float]:
    """The numbers of a list, repeated ones as often as is written."""
    numbers: list[float] = []
    for word in _split(option, text):
        repeated = _REPEATED.fullmatch(word)
        value, times = (repeated[1], int(repeated[2])) if repeated else (word, 1)
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not 0 <= number < 1e9:
            raise UsageError(
                f"--{option} takes numbers from 0 on, such as '3 2 0 1', and 3*9 for nine times 3; got '{word}'."
            )
        if len(numbers) + times > _MOST_DOCUMENTS:
            raise UsageError(f"--{option} has more than {_MOST_DOCUMENTS:,} documents; write a shorter list.")
        numbers += [number] * times
    if not numbers:
        raise UsageError(f"--{option} has no document: {text} repeats nothing; write it at least once.")
    return numbers


def _split(option: str, text: str) -> list[str]:
    words = text.replace(",", " ").split()
    if not words:
        raise UsageError(f"--{option} is empty; write its numbers, separated by blanks or commas.")
    return words


def _written(numbers: list[float]) -> str:
    some = " ".join(f"{number:g}" for number in numbers[:10])
    return some if len(numbers) <= 10 else f"{some} …"
