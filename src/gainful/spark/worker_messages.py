"""What travels between the driver and the workers: the task, a row of values for each topic, and the faults met.

Rows have no numbers on a cluster, so the first fault is the first by topic, and all are counted.

what       run          topic  holds
topic      its name     yes    values of the measures, and what the notes are made of
empty      –            yes    values for a run that does not have the topic
extra      its name     yes    a topic of the run that is not judged; the first ones of each partition
extras     its name     –      how many of them there are
rows       its name     –      how many rows, and the digest of their content
judgments  –            –      how many rows the judgments have, and the digest of their content
any other  its name, –  yes    a fault of that kind, of the run or of the judgments: the first one, and how many
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from gainful._core import Fault
from gainful._core.plain_index import topic_order
from gainful.errors import DataError, GainfulError
from gainful.formats.fault_messages import explain
from gainful.formats.ids import from_bytes, shown, to_bytes
from gainful.formats.judgments import Judgments
from gainful.formats.types import By
from gainful.judging import JudgedRun
from gainful.judging.notes import TOP
from gainful.judging.settings import Settings
from gainful.judging.transforms import knowing
from gainful.measures import Measure
from gainful.scores.evaluation import values_of
from gainful.scores.users import knowledge_of

EXTRA = 1000
"""Unjudged topics that are named for each run; all of them are counted."""

KEY = "key"
"""The column with a number for each topic; rows are sorted by it."""

ONLY_RUN = "run"
"""The name of a run that was given none."""


@dataclass(frozen=True)
class Task:
    """What every worker is to do.

    shipped    the measures, pickled
    broadcast  the judgments; None where they come with the rows, marked by a column `kind`
    by, parts  whether the judgments are by subtopic, by judge or preferences, and whether preferences come in parts
    top        the best grade of all judgments
    many_runs  whether a column `run` names the run of each row
    anywhere   whether a column `anywhere` says that a document is judged for some topic
    cutoffs    ranks at which straddling ties are counted
    known, expected  what users knew and expected: {user: {topic: documents}}, a number or {topic: number}
    """

    shipped: bytes
    settings: Settings
    broadcast: BroadcastJudgments | None = None
    by: By | None = None
    parts: bool = False
    top: float | None = None
    many_runs: bool = False
    anywhere: bool = False
    cutoffs: tuple[int, ...] = ()
    known: dict[str, dict[str, set[str]]] | None = None
    expected: int | dict[str, int] | None = None

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, unpickled once in each process."""
        loaded = pickle.loads(self.shipped)
        return tuple(measure if isinstance(measure, Measure) else Measure(*measure) for measure in loaded)


class BroadcastJudgments:
    """Rows of judgments as bytes; each process decodes them once, however many tasks it gets."""

    def __init__(self, table: Any) -> None:
        import pyarrow as pa

        sink = pa.BufferOutputStream()
        ordered = table.take(pa.compute.sort_indices(table["topic"])).combine_chunks()
        with pa.ipc.new_stream(sink, ordered.schema) as writer:
            writer.write_table(ordered)
        self.raw = sink.getvalue().to_pybytes()
        self.token = uuid4().hex

    def __hash__(self) -> int:
        return hash(self.token)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BroadcastJudgments) and self.token == other.token

    def of(self, topics: list[bytes]) -> Any:
        """The rows of these topics."""
        table, places = _opened(self)
        ranges = [places[topic] for topic in topics if topic in places]
        if not ranges:
            return table.slice(0, 0)
        starts, lengths = np.array(ranges).T
        ends = np.cumsum(lengths)
        return table.take(np.arange(ends[-1]) + np.repeat(starts - ends + lengths, lengths))


@lru_cache(maxsize=2)
def _opened(judgments: BroadcastJudgments) -> tuple[Any, dict[bytes, tuple[int, int]]]:
    """The table, and where each topic begins and how many rows it has."""
    import pyarrow as pa

    table = pa.ipc.open_stream(judgments.raw).read_all()
    numbers = table["topic"].combine_chunks().dictionary_encode()
    codes = numbers.indices.to_numpy()
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    lengths = np.diff(np.append(starts, len(codes)))
    places = zip(starts.tolist(), lengths.tolist(), strict=True)
    return table, dict(zip(numbers.dictionary.to_pylist(), places, strict=True))


DDL = (
    "what string, run string, topic binary, values array<double>, undefined array<boolean>, retrieved double, "
    "straddling array<boolean>, judged double, low double, high double, aspects int, text binary, count bigint"
)
"""The columns of the rows that workers send back, in Spark's notation."""


def schema() -> Any:
    """The columns of the rows that workers send back, as a schema of Arrow."""
    import pyarrow as pa

    lists = {
        "values": pa.list_(pa.float64()),
        "undefined": pa.list_(pa.bool_()),
        "straddling": pa.list_(pa.bool_()),
    }
    scalars = {
        "string": pa.string(),
        "binary": pa.binary(),
        "double": pa.float64(),
        "int": pa.int32(),
        "bigint": pa.int64(),
    }
    columns = (column.split() for column in DDL.split(", "))
    return pa.schema([(name, lists.get(name) or scalars[kind]) for name, kind in columns])


def batch(length: int, **columns: Any) -> Any:
    """Rows with these columns, an array or one value for all rows; the others are null."""
    import pyarrow as pa

    def filled(field: Any) -> Any:
        given = columns.get(field.name)
        if isinstance(given, pa.Array):
            return given
        if isinstance(given, list | np.ndarray):
            return pa.array(given, type=field.type)
        return pa.repeat(pa.scalar(given, type=field.type), length)

    return pa.RecordBatch.from_arrays([filled(field) for field in schema()], schema=schema())


def lists(matrix: NDArray[Any], null: NDArray[np.bool_] | None = None) -> Any:
    """A list for each row of a matrix; values are null where the mask says so."""
    import pyarrow as pa

    rows, width = matrix.shape
    flat = pa.array(np.ascontiguousarray(matrix).ravel(), mask=None if null is None else np.ravel(null))
    return pa.ListArray.from_arrays(pa.array(np.arange(rows + 1) * width, pa.int32()), flat)


def matrix(column: Any, width: int) -> NDArray[Any]:
    """The lists of a column, all of one width, as a matrix."""
    flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    rows_of_lists: NDArray[Any] = flat.reshape(-1, width) if width else np.zeros((len(column), 0), flat.dtype)
    return rows_of_lists


def answer(
    task: Task, what: str, run: str | None, judgments: Judgments, judged: JudgedRun, where: np.ndarray
) -> Any:
    """A batch with one row for each requested topic; the values of several users are side by side in a row."""
    chosen = np.flatnonzero(where)
    each = (
        values_of(user_run, task.measures, task.settings)
        for user_run in _seen_by_users(task, judgments, judged)
    )
    values, undefined, _ = zip(*each, strict=True)
    pool, top = judged.pool, judged.cut(TOP)
    begins = pool.offsets[:-1]
    straddling = np.array([judged.straddled(k) for k in task.cutoffs], bool).reshape(-1, len(judged))
    return batch(
        len(chosen),
        what=what,
        run=run,
        topic=[judgments.index.topics[place] for place in chosen],
        values=lists(np.concatenate(values).T[chosen]),
        undefined=lists(np.concatenate(undefined).T[chosen]),
        retrieved=judged.retrieved[chosen],
        straddling=lists(straddling.T[chosen]),
        judged=top.total(where=top.grade >= 0)[chosen],
        low=np.minimum.reduceat(np.where(pool.grade >= 0, pool.grade, np.inf), begins)[chosen],
        high=pool.grade[begins][chosen],
        aspects=None if judged.aspects is None else np.diff(judged.aspects.topics)[chosen].astype(np.int32),
    )


def _seen_by_users(task: Task, judgments: Judgments, judged: JudgedRun) -> list[JudgedRun]:
    if task.known is None and task.expected is None:
        return [judged]
    return [
        knowing(judged, knowledge)
        for knowledge in knowledge_of(judgments, task.known, task.expected).values()
    ]


SEPARATOR = b"\x1f"
"""Separates the parts of a message; no part contains it."""


LINE = b"\x1fline "
"""Prefix of the message that takes the place of the document id where a line could not be read."""


def line_fault(kind: bytes, count: int, path: str, columns: int, expected: str, text: bytes) -> bytes:
    """The message that takes the place of the document id where lines could not be read.

    kind              as the core calls it; "error" where the text is the whole message
    columns, expected  how many columns there are, and what they should be
    """
    if kind == b"error":
        return SEPARATOR.join([LINE + kind, b"%d" % count, text])
    parts = [LINE + kind, b"%d" % count, to_bytes(path), b"%d" % columns, expected.encode(), text[:80]]
    return SEPARATOR.join(parts)


class FirstFault(NamedTuple):
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
        self._found: dict[tuple[str | None, str], FirstFault] = {}

    def note(self, fault: FirstFault) -> None:
        """Count a fault, and keep it if it is the first of its kind."""
        before = self._found.get((fault.run, fault.kind))
        if before is None:
            self._found[fault.run, fault.kind] = fault
            return
        first = min(before, fault, key=_place)
        self._found[fault.run, fault.kind] = first._replace(times=before.times + fault.times)

    def note_core(self, run: str | None, fault: Fault) -> None:
        """Count a fault that the core found."""
        kind, _, _, text, count = fault.args
        if kind == "null":
            role, topic, document = text.split(b"\t", 2)
            self.note(missing(run, role.decode(), topic, document)._replace(times=count))
        else:
            self.note(FirstFault(run, kind, text.partition(b"\t")[0], text, count))

    def __bool__(self) -> bool:
        return bool(self._found)

    def __iter__(self) -> Iterator[FirstFault]:
        return iter(self._found.values())


def _place(fault: FirstFault) -> Any:
    return topic_order(fault.topic), fault.text


def error_of(faults: Iterable[FirstFault], names: Mapping[str, str | None], by: By | None) -> GainfulError:
    """What to raise for these: the judgments' first, then the runs' in their order; one message.

    names  of the runs in their order, with the path of each
    """
    merged = Faults()
    for noted in faults:
        merged.note(noted)
    order = {None: -1} | {name: place for place, name in enumerate(names)}
    first = min(
        merged, key=lambda noted: (order.get(noted.run, len(order)), noted.kind == "duplicate", _place(noted))
    )
    kind = "run" if first.run is not None else by or "qrels"
    path = names.get(first.run or "")
    if first.kind == "error":
        return DataError(from_bytes(first.text))
    if first.kind.startswith("line "):
        file, columns, expected, text = first.text.split(SEPARATOR, 3)
        fault = Fault(first.kind.removeprefix("line "), 0, int(columns), text, first.times)
        return explain(fault, shown(from_bytes(file)), kind, columns=expected.decode())
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


def missing(run: str | None, role: str, topic: bytes | None, document: bytes | None) -> FirstFault:
    """A value that is missing; a row without a topic may be a line that could not be read."""
    if role == "topic" and document is not None and document.startswith(LINE):
        kind, count, text = document.removeprefix(LINE).split(SEPARATOR, 2)
        return FirstFault(
            run, "error" if kind == b"error" else f"line {from_bytes(kind)}", b"", text, int(count)
        )
    return FirstFault(run, "null", topic or b"", role.encode() + SEPARATOR + (document or b""), 1)
