"""Readers as text: which system is better for which readers, in sentences; ranges and points of each sweep as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from gainful.comparisons.comparison_tables import ALL
from gainful.curves.curve_data import plain
from gainful.formats.ids import shown
from gainful.presentation.page import OutputSection, page
from gainful.presentation.table import Table, as_csv, as_json
from gainful.presentation.text_style import percent, signed

if TYPE_CHECKING:
    from gainful.comparisons.readers.reader_ranges import Range, Readers, Sweep

_STRETCHES = 4
"""Ranges of one system up to which each is named."""

_TALKATIVE = 12
"""Sweeps up to which each gets a sentence; beyond, each pair."""

_AT_ONCE = "for all readers at once"
"""What a band holds for: where it has 0 in it, a test of one rank alone may find a difference all the same."""


def of_sweep(sweep: Sweep) -> str:
    """The ranges of one sweep in a sentence."""
    first, second = map(shown, sweep.systems)
    leaders = list(dict.fromkeys(stretch.leader for stretch in sweep.ranges if stretch.leader is not None))
    if sweep.dominant is not None:
        better, worse = (first, second) if sweep.dominant == sweep.systems[0] else (second, first)
        return f"{better} is better than {worse} for all readers, {_whole(sweep)} ({_topics(sweep)})."
    if not leaders:
        return f"{first} and {second} do not differ significantly {_AT_ONCE} with {_topics(sweep)}."
    clauses = []
    for number, leader in enumerate(leaders):
        name = shown(leader)
        if number == 0:
            other = second if leader == sweep.systems[0] else first
            name += " is better" if len(leaders) == 2 else f" is better than {other}"
        clauses.append(f"{name} for readers {_where(sweep, leader)}")
    return "; ".join([*clauses, *_rest(sweep)]) + _closing(sweep)


def of_pair(sweeps: Sequence[Sweep]) -> str:
    """The sweeps of a pair in a sentence, or in one for each where one sweep does not tell all.

    Where one system leads for those who stop early and the other for those who need much, that is the answer.
    """
    some = sweeps[0]
    first, second = map(shown, some.systems)
    if len(sweeps) > 1 and some.dominant and all(sweep.dominant == some.dominant for sweep in sweeps):
        better, worse = (first, second) if some.dominant == some.systems[0] else (second, first)
        return f"{better} is better than {worse} for all readers of every sweep ({_topics(some)})."
    if len(sweeps) > 1 and not any(_leaders(sweep) for sweep in sweeps):
        return f"{first} and {second} do not differ significantly {_AT_ONCE} with {_topics(some)}."
    by = {sweep.by: sweep for sweep in sweeps}
    if "rank" in by and "recall" in by and _turns(by["rank"], by["recall"]):
        stops, needs = by["rank"], by["recall"]
        early, much = stops.ranges[0], needs.ranges[-1]
        between = all(None in [stretch.leader for stretch in sweep.ranges] for sweep in (stops, needs))
        rest = (
            f" For others there is no significant difference {_AT_ONCE} with {_topics(some)}."
            if between
            else ""
        )
        return (  # a sentence for each: ranks and recall are two axes
            f"{shown(str(early.leader))} is better for readers {_phrase(stops, early)}. "
            f"{shown(str(much.leader))} is better for readers {_phrase(needs, much)}"
            f"{'' if between else f' ({_topics(some)})'}.{rest}"
        )
    named: set[str] = set()
    lines = []
    for sweep in sweeps:  # the first with a leader, and what another sweep says of the other system
        if not _leaders(sweep) <= named:
            lines.append(sweep.sentence)
            named |= _leaders(sweep)
    return " ".join(lines) or some.sentence


def _turns(stops: Sweep, needs: Sweep) -> bool:
    """Whether one system leads for readers who stop early, the other for those who need much, and nothing else besides."""
    early, much = stops.ranges[0].leader, needs.ranges[-1].leader
    if early is None or much is None or early == much:
        return False
    whole = [early, None, much]
    return all(
        [leader for leader in whole if leader in leaders] == leaders
        for leaders in ([stretch.leader for stretch in sweep.ranges] for sweep in (stops, needs))
    )


def _leaders(sweep: Sweep) -> set[str]:
    return {stretch.leader for stretch in sweep.ranges if stretch.leader is not None}


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
    mine = [stretch for stretch in sweep.ranges if stretch.leader == leader]
    if len(mine) <= _STRETCHES:
        return " or ".join(_phrase(sweep, stretch) for stretch in mine)
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


_PHRASES = {
    "rank": (
        "who stop at rank {start}",
        "who stop before rank {next}",
        "who go on to rank {start} or deeper",
        "who stop at rank {start} to {stop}",
    ),
    "recall": (
        "who need {start} of the relevant documents",
        "who need no more than {stop} of the relevant documents",
        "who need more than {before} of the relevant documents",
        "who need {start} to {stop} of the relevant documents",
    ),
    "patience": (
        "whose persistence is {start}",
        "whose persistence is {stop} or less",
        "whose persistence is more than {before}",
        "whose persistence is {start} to {stop}",
    ),
}
"""The readers at one point, from the first point on, up to the last, and between."""


def _phrase(sweep: Sweep, stretch: Range) -> str:
    """The readers of one range."""
    at_start, at_end = stretch.start == sweep.at[0], stretch.stop == sweep.at[-1]
    if at_start and at_end and len(sweep.at) > 1:
        return f"of every kind, {_whole(sweep)}"
    if sweep.by == "recall" and stretch.stop == 0:
        return "who need one relevant document"
    alone, first, last, between = _PHRASES[sweep.by]
    form = alone if stretch.start == stretch.stop else first if at_start else last if at_end else between
    number = percent if sweep.by == "recall" else "{:g}".format
    before = float(sweep.at[max(0, int(sweep.at.searchsorted(stretch.start)) - 1)])
    return form.format(
        start=number(stretch.start),
        stop=number(stretch.stop),
        before=number(before),
        next=number(stretch.stop + 1),
    )


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
    apart = [bool(stretch.leader) for stretch in sweep.ranges]
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
        f"{places[0] if len(places) == 1 else 'elsewhere'}, no significant difference {_AT_ONCE} "
        f"with {_topics(sweep)}"
    ]


def _closing(sweep: Sweep) -> str:
    return "." if any(stretch.leader is None for stretch in sweep.ranges) else f" ({_topics(sweep)})."


def of_readers(readers: Readers, form: str, *, places: int = 4) -> str:
    """Ranges and sentences; as csv a line for each point of each sweep, as json everything."""
    if form == "json":
        return as_json(readers.to_dict())
    if form == "csv":
        return as_csv([row for sweep in readers for row in _flat(sweep)])
    table = grid(readers, places=places)
    if form == "latex":
        return table.paper(" ".join([*readers.headlines, readers.how()]))
    return page([table], said(readers), readers.how(), form)


def readers_section(
    readers: Readers, *, places: int = 4, by_group: Mapping[str, Readers] = MappingProxyType({})
) -> OutputSection:
    """Ranges and sentences of readers as a section of a comparison, for all topics and for each group of them."""
    everyone = [({"group": ALL}, readers)] if by_group else [({}, readers)]
    everyone += [({"group": shown(group)}, of_group) for group, of_group in by_group.items()]
    everything = readers.to_dict()
    fields = {name: everything[name] for name in ("crossovers", "sweeps", "sentences", "headlines")}
    if by_group:
        fields["crossovers_by_group"] = {
            shown(group): [stretch.to_dict() for stretch in of_group.crossovers]
            for group, of_group in by_group.items()
        }
    return OutputSection(
        "Readers",
        [
            ("", grid(readers, places=places)),
            *(
                (f"group {shown(group)}", grid(of_group, places=places))
                for group, of_group in by_group.items()
            ),
        ],
        [
            *said(readers),
            *(
                f"Group {shown(group)}: {line}"
                for group, of_group in by_group.items()
                for line in of_group.headlines
            ),
        ],
        readers.how(),
        [named | row for named, swept in everyone for sweep in swept for row in _flat(sweep)],
        fields,
        (*readers.notes, *_only_in_groups(readers.notes, by_group)),
    )


def _only_in_groups(notes: Sequence[str], by_group: Mapping[str, Readers]) -> list[str]:
    """What is noted of a group and not of the whole."""
    return [
        f"group {shown(group)}: {note}"
        for group, of_group in by_group.items()
        for note in of_group.notes
        if note not in notes
    ]


def said(readers: Readers) -> list[str]:
    """The answer for each pair, then for each sweep where they are few."""
    if len(readers.sweeps) > _TALKATIVE or len(readers.sweeps) == len(readers.pairs):
        return list(readers.headlines)
    lines = []
    for pair, headline in zip(readers.pairs, readers.headlines, strict=True):
        sweeps = readers.of(*pair)
        lines += [headline] if all(headline != sweep.sentence for sweep in sweeps) else []
        lines += [f"{sweep.measure} by {sweep.by}: {sweep.sentence}" for sweep in sweeps]
    return lines


def grid(readers: Readers, *, places: int = 4) -> Table:
    """A row for each range: which readers, who leads, and the smallest and the largest difference among them.

    Of one pair the systems head the difference; of several they have a column.
    """
    one_pair = len(readers.pairs) == 1
    difference = _minus(readers.sweeps[0]) if one_pair else "difference"
    heads = ["systems", "by", "measure", "leader", "from", "to", difference, "to"]
    rows = [_cells(sweep, stretch, places) for sweep in readers for stretch in sweep.ranges]
    return Table(heads[one_pair:], [row[one_pair:] for row in rows], names=4 - one_pair)


def html_table(readers: Readers) -> str:
    """The ranges and sentences where no chart can be drawn."""
    lines = "".join(f"<p>{escape(line)}</p>" for line in [*said(readers), readers.how()])
    return grid(readers).html() + lines


def _minus(sweep: Sweep) -> str:
    return " − ".join(map(shown, reversed(sweep.systems)))


def _cells(sweep: Sweep, stretch: Range, places: int) -> list[str]:
    here = sweep.difference[(sweep.at >= stretch.start) & (sweep.at <= stretch.stop)]
    return [
        _minus(sweep),
        sweep.by,
        str(sweep.measure),
        "not significant" if stretch.leader is None else shown(stretch.leader),
        f"{stretch.start:g}",
        f"{stretch.stop:g}",
        signed(float(here.min()), places),
        signed(float(here.max()), places),
    ]


def _flat(sweep: Sweep) -> list[dict[str, Any]]:
    """A row for each point."""
    a, b = map(shown, sweep.systems)
    rows = np.stack([*sweep.curves, sweep.difference, sweep.low, sweep.high]).T.tolist()
    leaders = {1: b, -1: a, 0: ""}
    return [
        {
            "by": sweep.by,
            "measure": str(sweep.measure),
            "a": a,
            "b": b,
            "at": plain(at),
            "mean_a": mean_a,
            "mean_b": mean_b,
            "difference": difference,
            "low": low,
            "high": high,
            "leader": leaders[lead],
        }
        for at, (mean_a, mean_b, difference, low, high), lead in zip(
            sweep.at.tolist(), rows, sweep.leads.tolist(), strict=True
        )
    ]
