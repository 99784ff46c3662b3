"""Compact letter display: systems that share a letter do not differ significantly.

Not differing significantly is not transitive (a ~ b and b ~ c, yet a differs from c), so groups overlap: a system may
carry several letters. Every two systems that do not differ share a letter, and no two others do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def groups(different: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """Groups of systems none of which differ, so that every two that do not differ are together in one.

    different  systems × systems, in the order of the leaderboard, best first

    The middle one differs from neither end:

    >>> groups(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool))
    [(0, 1), (1, 2)]
    """
    size = len(different)
    alike = [
        sum(1 << other for other in np.flatnonzero(~row).tolist()) | 1 << one
        for one, row in enumerate(different)
    ]
    uncovered = list(alike)
    found = []
    for one in range(size):
        while uncovered[one]:
            group = _grown(one, alike, uncovered)
            for member in _members(group):
                uncovered[member] &= ~group
            found.append(group)
    return sorted(_members(group) for group in _needed(found, size))


def _grown(one: int, alike: Sequence[int], uncovered: Sequence[int]) -> int:
    """A group around one that takes in what it still has to share a letter with, best first, then whoever fits."""
    group, fits = 1 << one, alike[one]
    for wanted in (uncovered[one], fits):
        for other in _members(wanted):
            if fits >> other & 1:
                group |= 1 << other
                fits &= alike[other]
    return group


def _needed(found: Sequence[int], size: int) -> list[int]:
    """The groups without those whose every pair is together elsewhere, the smallest left out first."""
    together = np.zeros((size, size), np.int64)
    for group in found:
        members = np.array(_members(group))
        together[np.ix_(members, members)] += 1
    kept = []
    for group in sorted(found, key=int.bit_count):
        members = np.array(_members(group))
        block = np.ix_(members, members)
        if (together[block] > 1).all():
            together[block] -= 1
        else:
            kept.append(group)
    return kept


def _members(group: int) -> tuple[int, ...]:
    found = []
    while group:
        lowest = group & -group
        found.append(lowest.bit_length() - 1)
        group ^= lowest
    return tuple(found)


def letter(number: int) -> str:
    """The letters a to z, then a1 to z1, a2 …

    >>> letter(0), letter(25), letter(26), letter(53)
    ('a', 'z', 'a1', 'b2')
    """
    turn, place = divmod(number, len(_ALPHABET))
    return _ALPHABET[place] + (str(turn) if turn else "")


def split(marks: str) -> list[str]:
    """The letters of a mark.

    >>> split("abc1d")
    ['a', 'b', 'c1', 'd']
    """
    return re.findall("[a-z][0-9]*", marks)


def short(marks: str, dash: str = "–") -> str:
    """The letters of a mark, four or more in a row as their ends.

    >>> short("abdefghz"), short("abc"), short("wxyza1b1")
    ('abd–hz', 'abc', 'w–b1')
    """
    numbers = [_number(mark) for mark in split(marks)]
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [
        [letter(run[0]), dash, letter(run[-1])] if len(run) > 3 else list(map(letter, run)) for run in runs
    ]
    return "".join(part for run in parts for part in run)


def _number(mark: str) -> int:
    return _ALPHABET.index(mark[0]) + len(_ALPHABET) * int(mark[1:] or 0)


def letters(different: NDArray[np.bool_]) -> list[str]:
    """The letters of each system, best system first.

    >>> letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool))
    ['a', 'ab', 'b']
    """
    made = [""] * len(different)
    for number, group in enumerate(groups(different)):
        for member in group:
            made[member] += letter(number)
    return made
