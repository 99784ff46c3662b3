"""Who is better for whom, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gainful.formats.ids import shown
from gainful.presentation.numbers import percent

if TYPE_CHECKING:
    from gainful.comparisons.readers.reader_ranges import Range, Readers, Sweep

_STRETCHES = 4
"""Ranges of one system up to which each is named."""

_ALONG = {"rank": "at any rank", "recall": "at any level of recall", "patience": "at any patience"}


def of_sweep(sweep: Sweep) -> str:
    """The ranges of one sweep in a sentence."""
    first, second = map(shown, sweep.systems)
    leaders = list(dict.fromkeys(found.leader for found in sweep.ranges if found.leader is not None))
    if sweep.dominant is not None:
        better, worse = (first, second) if sweep.dominant == sweep.systems[0] else (second, first)
        return f"{better} is better than {worse} for all readers, {_whole(sweep)} ({_topics(sweep)})."
    if not leaders:
        return f"{first} and {second} do not differ significantly {_ALONG[sweep.by]} with {_topics(sweep)}."
    clauses = []
    for number, leader in enumerate(leaders):
        name = shown(leader)
        if number == 0:
            other = second if leader == sweep.systems[0] else first
            name += " is better" if len(leaders) == 2 else f" is better than {other}"
        clauses.append(f"{name} for readers {_where(sweep, leader)}")
    return "; ".join([*clauses, *_rest(sweep)]) + _closing(sweep)


def of_pair(sweeps: Sequence[Sweep]) -> str:
    """The sweeps of a pair in a sentence, or in two where one sweep does not tell all.

    Where one system leads for those who stop early and the other for those who need much, that is the answer.
    """
    some = sweeps[0]
    first, second = map(shown, some.systems)
    if len(sweeps) > 1 and some.dominant and all(sweep.dominant == some.dominant for sweep in sweeps):
        better, worse = (first, second) if some.dominant == some.systems[0] else (second, first)
        return f"{better} is better than {worse} for all readers of every sweep ({_topics(some)})."
    if len(sweeps) > 1 and not any(_leaders(sweep) for sweep in sweeps):
        return f"{first} and {second} do not differ significantly for any reader with {_topics(some)}."
    by = {sweep.by: sweep for sweep in sweeps}
    if "rank" in by and "recall" in by and _turns(by["rank"], by["recall"]):
        stops, needs = by["rank"], by["recall"]
        early, much = stops.ranges[0], needs.ranges[-1]
        between = all(None in [found.leader for found in sweep.ranges] for sweep in (stops, needs))
        return (
            f"{shown(str(early.leader))} is better for readers {_phrase(stops, early)}; "
            f"{shown(str(much.leader))} for readers {_phrase(needs, much)}"
            + (
                f"; between, no significant difference with {_topics(some)}."
                if between
                else f" ({_topics(some)})."
            )
        )
    named: set[str] = set()
    told = []
    for sweep in sweeps:  # the first with a leader, and what another sweep says of the other system
        if not _leaders(sweep) <= named:
            told.append(sweep.sentence)
            named |= _leaders(sweep)
    return " ".join(told) or some.sentence


def _turns(stops: Sweep, needs: Sweep) -> bool:
    """Whether one system leads for readers who stop early, the other for those who need much, and nothing else besides."""
    early, much = stops.ranges[0].leader, needs.ranges[-1].leader
    if early is None or much is None or early == much:
        return False
    whole = [early, None, much]
    return all(
        [one for one in whole if one in leaders] == leaders
        for leaders in ([found.leader for found in sweep.ranges] for sweep in (stops, needs))
    )


def _leaders(sweep: Sweep) -> set[str]:
    return {found.leader for found in sweep.ranges if found.leader is not None}


def method(readers: Readers) -> str:
    """How the bands were made, in a line."""
    pairs = f" and {len(readers.pairs):,} pairs" if len(readers.pairs) > 1 else ""
    return (
        f"{percent(readers.level)} band over each whole sweep{pairs} · "
        f"studentised bootstrap, {readers.resamples:,} resamples of topics · seed {readers.seed} · {readers.stated}"
    )


def _topics(sweep: Sweep) -> str:
    return f"{sweep.topics:,} topics"


def _where(sweep: Sweep, leader: str) -> str:
    """The readers for whom this system leads."""
    mine = [found for found in sweep.ranges if found.leader == leader]
    if len(mine) <= _STRETCHES:
        return " or ".join(_phrase(sweep, found) for found in mine)
    low, high = mine[0].start, mine[-1].stop
    match sweep.by:
        case "rank":
            return f"who stop in one of {len(mine)} stretches between rank {low:g} and {high:g}"
        case "recall":
            ends = f"{percent(low)} and {percent(high)}"
            return (
                f"who need a share in one of {len(mine)} stretches between {ends} of the relevant documents"
            )
    return f"whose persistence is in one of {len(mine)} stretches between {low:g} and {high:g}"


def _phrase(sweep: Sweep, found: Range) -> str:
    """The readers of one range."""
    at_start, at_end = found.start == sweep.at[0], found.stop == sweep.at[-1]
    if at_start and at_end and len(sweep.at) > 1:
        return f"of every kind, {_whole(sweep)}"
    before = float(sweep.at[max(0, int(sweep.at.searchsorted(found.start)) - 1)])
    return _PHRASES[sweep.by](found, at_start, at_end, before)


def _by_rank(found: Range, at_start: bool, at_end: bool, before: float) -> str:  # noqa: ARG001 - all phrases are called alike
    if found.start == found.stop:
        return f"who stop at rank {found.start:g}"
    if at_start:
        return f"who stop before rank {found.stop + 1:g}"
    if at_end:
        return f"who go on to rank {found.start:g} or deeper"
    return f"who stop at rank {found.start:g} to {found.stop:g}"


def _by_recall(found: Range, at_start: bool, at_end: bool, before: float) -> str:
    if found.stop == 0:
        return "who need one relevant document"
    if found.start == found.stop:
        return f"who need {percent(found.start)} of the relevant documents"
    if at_start:
        return f"who need no more than {percent(found.stop)} of the relevant documents"
    if at_end:
        return f"who need more than {percent(before)} of the relevant documents"
    return f"who need {percent(found.start)} to {percent(found.stop)} of the relevant documents"


def _by_patience(found: Range, at_start: bool, at_end: bool, before: float) -> str:
    if found.start == found.stop:
        return f"whose persistence is {found.start:g}"
    if at_start:
        return f"whose persistence is {found.stop:g} or less"
    if at_end:
        return f"whose persistence is more than {before:g}"
    return f"whose persistence is {found.start:g} to {found.stop:g}"


_PHRASES: dict[str, Callable[[Range, bool, bool, float], str]] = {
    "rank": _by_rank,
    "recall": _by_recall,
    "patience": _by_patience,
}


def _whole(sweep: Sweep) -> str:
    low, high = sweep.at[0], sweep.at[-1]
    match sweep.by:
        case "rank":
            return f"wherever they stop from rank {low:g} to {high:g}"
        case "recall":
            return "however many of the relevant documents they need"
    return f"however patient, from persistence {low:g} to {high:g}"


def _rest(sweep: Sweep) -> list[str]:
    """Where the two do not differ significantly."""
    apart = [bool(found.leader) for found in sweep.ranges]
    if all(apart):
        return []
    first, last = apart.index(True), len(apart) - 1 - apart[::-1].index(True)
    where = {
        number: "before" if number < first else "beyond" if number > last else "between"
        for number, known in enumerate(apart)
        if not known
    }
    places = list(dict.fromkeys(where.values()))
    return [
        f"{places[0] if len(places) == 1 else 'elsewhere'}, no significant difference with {_topics(sweep)}"
    ]


def _closing(sweep: Sweep) -> str:
    return "." if any(found.leader is None for found in sweep.ranges) else f" ({_topics(sweep)})."
