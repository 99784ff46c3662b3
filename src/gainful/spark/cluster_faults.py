"""Faults met on a cluster: rows have no numbers there, so the first is told by the order of topics, and all are counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gainful._core import Fault
from gainful._core.plain import topic_order
from gainful.errors import DataError, GainfulError
from gainful.formats.fault_messages import explain
from gainful.formats.ids import from_bytes, shown
from gainful.formats.types import By

SEPARATOR = b"\x1f"
"""Stands between the parts of a text that have none."""


LINE = b"\x1fline "
"""Begins what stands in place of a document where a line could not be read: its fault, count, file, columns, text."""


class One(NamedTuple):
    """The first fault of a kind, and how many there are.

    run    whose it is; None for the judgments
    kind   as the core calls it; "line …" for a line of a file, "error" where the text is the whole message
    topic  in which it is
    text   what the core says of it; for a missing value its part and the document, for a line the file and the text
    """

    run: str | None
    kind: str
    topic: bytes
    text: bytes
    times: int


class Faults:
    """Faults met so far: the first of each kind, and how many there are."""

    def __init__(self) -> None:
        self._found: dict[tuple[str | None, str], One] = {}

    def note(self, fault: One) -> None:
        """One more, or several of a kind."""
        before = self._found.get((fault.run, fault.kind))
        if before is None:
            self._found[fault.run, fault.kind] = fault
            return
        first = min(before, fault, key=_place)
        self._found[fault.run, fault.kind] = first._replace(times=before.times + fault.times)

    def note_core(self, run: str | None, fault: Fault) -> None:
        """One that the core found, or several of a kind."""
        kind, _, _, text, count = fault.args
        self.note(One(run, kind, text.partition(b"\t")[0], text, count))

    def __bool__(self) -> bool:
        return bool(self._found)

    def __iter__(self) -> Iterator[One]:
        return iter(self._found.values())


def _place(fault: One) -> Any:
    return topic_order(fault.topic), fault.text


def error_of(faults: Iterable[One], names: Mapping[str, str | None], by: By | None) -> GainfulError:
    """What to raise for these: the judgments' first, then the runs' in their order; one message.

    names  of the runs in their order, with the path of each
    """
    merged = Faults()
    for one in faults:
        merged.note(one)
    order = {None: -1} | {name: place for place, name in enumerate(names)}
    first = min(
        merged, key=lambda one: (order.get(one.run, len(order)), one.kind == "duplicate", _place(one))
    )
    kind = "run" if first.run is not None else by or "qrels"
    path = names.get(first.run or "")
    if first.kind == "error":
        return DataError(from_bytes(first.text))
    if first.kind.startswith("line "):
        file, columns, text = first.text.split(SEPARATOR, 2)
        fault = Fault(first.kind.removeprefix("line "), 0, int(columns), text, first.times)
        return explain(fault, shown(from_bytes(file)), kind)
    where = "judgments" if first.run is None else "a run"
    if path:
        where = shown(path)
    elif first.kind == "duplicate" and first.run is not None:
        where = f"run '{shown(first.run)}'"
    text = first.text
    if first.kind == "null":
        text, document = first.text.split(SEPARATOR, 1)
        ids = f"document '{shown(from_bytes(document))}' of " if document else ""
        where += f", {ids}topic '{shown(from_bytes(first.topic))}'" if first.topic else ""
    return explain(Fault(first.kind, 0, 0, text, first.times), where, kind, unit="row")


def missing(run: str | None, role: str, topic: bytes | None, document: bytes | None) -> One:
    """A value that is missing; a row without a topic may be a line that could not be read."""
    if role == "topic" and document is not None and document.startswith(LINE):
        kind, count, text = document.removeprefix(LINE).split(SEPARATOR, 2)
        return One(run, f"line {from_bytes(kind)}", b"", text, int(count))
    return One(run, "null", topic or b"", role.encode() + SEPARATOR + (document or b""), 1)
