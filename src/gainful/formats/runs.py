"""Runs: topic → documents in rank order, by one system; and what they are called in tables, charts and files.

file  the name of the file, without .gz and the like, and without the ending of a format of runs (.run,
      .trec, .res, .results, .csv, .tsv, .json, .jsonl, .parquet); any other ending, such as .txt, stays
tag   what the system calls itself in the last column of a TREC file; the name of the file where there is none
path  the path, as it was given

The default is the file; if several files have the same name, their tags if these differ, else their paths.
A run that was given a name keeps it. Names that are still equal are numbered: bm25, bm25#2.
"""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from typing import Any, Literal, get_args

from gainful._core import Crew, Fault, Rows
from gainful.errors import GainfulError, UsageError
from gainful.formats.fault_messages import explain
from gainful.formats.ids import from_bytes, shown
from gainful.formats.judgments import cores, threads_of
from gainful.formats.layouts import layout_of_source
from gainful.formats.registry import named
from gainful.formats.rows import is_columns, rows_of
from gainful.formats.run_queue import How, Pending, PendingFile, PendingInMemory, PendingTable
from gainful.formats.sources import (
    NAMELESS,
    Kept,
    Paths,
    Source,
    file_type,
    flows,
    kept,
    name_of,
    opened,
    path_of,
)
from gainful.formats.types import TREC

Names = Literal["tag", "file", "path"]
NAMES: tuple[str, ...] = get_args(Names)

_MAPPINGS = (dict, Mapping)  # dict first: it is by far the quickest to ask for


class Run:
    """Run of one system: its ranked documents for each topic. A file is read only when the run is evaluated.

    >>> Run({"q1": {"d1": 0.9, "d2": 0.4}}, name="bm25")
    Run('bm25')
    """

    _ahead: _OpenedAhead | None = None
    """Its file, if it is open already; shared by copies of the run, taken by the first that is judged."""

    def __init__(self, given: Any, *, name: str | None = None, layout: str | None = None) -> None:
        self.layout = layout
        self.path: str | None = None
        self.content: Rows | Mapping[Any, Any] | None = None  # None where it is in a file
        if isinstance(given, Rows):
            self.content = given
        elif isinstance(given, _MAPPINGS):
            self.content = _with_scores(given) if _is_ranked(given) else given
        elif (path := path_of(given)) is not None:
            self.path = path
        else:
            self.content = rows_of(given, "run", threads=1)
        self.name = name or (name_of(self.path) if self.path not in (None, NAMELESS) else "run")
        self.named = name is not None
        """Whether the caller chose the name, which then stays."""

    @classmethod
    def of_source(cls, source: Source) -> Run:
        """The run in a file that is already open; it is not opened again."""
        run = cls(source.path)
        run._ahead = _OpenedAhead([source])
        return run

    def in_memory(self, rows: Rows | None = None) -> Run:
        """The run with its rows in memory; its file is not opened again.

        rows  the rows of the file, if they have been read already
        """
        if self.content is not None:
            return self
        other = copy(self)
        other.content = (
            rows if rows is not None else rows_of(self.path, "run", threads=cores(), layout=self.layout)
        )
        return other

    def rows(self) -> Rows:
        """The rows of the run; its file is read where they are not in memory."""
        content = self.in_memory().content
        try:
            return content if isinstance(content, Rows) else Rows.of_mapping(content)
        except Fault as fault:
            raise explain(fault, f"run '{self.name}'", "run", unit="row") from None

    def renamed(self, name: str) -> Run:
        """A copy of the run under another name."""
        other = copy(self)
        other.name, other.named = name, True
        return other

    def tag(self) -> str:
        """What the system calls itself: the last column of TREC, the model of MTEB's predictions; else, or in a pipe, empty."""
        if isinstance(self.content, Rows):
            return from_bytes(self.content.tag)
        if self.path is None or flows(self.path):
            return ""
        lines: list[bytes] = []
        with (
            suppress(GainfulError),
            opened(self.path) as source,
        ):  # a fault is raised when the run is read
            layout = layout_of_source(source, "run", self.layout).name
            if layout == TREC:
                lines = source.head(line=True).splitlines()
            elif layout == "json":
                from gainful.formats.mteb_predictions import model_of

                return model_of(source.head())
        first = next((line for line in lines if line.strip() and not line.startswith(b"#")), b"")
        fields = first.split(b"\t") if first.count(b"\t") == 5 else first.split()
        return from_bytes(fields[5].strip()) if len(fields) > 5 else ""

    def begin(self, how: How) -> Pending:
        """Start to judge the run; `finish()` of the result waits for the judged documents."""
        if self.content is not None or self.path is None:
            return PendingInMemory(self, how)
        source = self._ahead.pop() if self._ahead else opened(self.path)
        try:
            layout = layout_of_source(source, "run", self.layout)
            if layout.name == TREC:
                return PendingFile(self, how, source)
            begin = named(layout.name).begin
            return begin(self, how, source) if begin else PendingTable(self, how, source, layout)
        except BaseException:
            source.close()
            raise

    def begin_in(self, crew: Crew, how: How) -> Pending | None:
        """Have a native crew judge the run, if it is a plain file of TREC lines; None for anything else.

        Faults of the file are left to `begin`, so that they are raised when it is the run's turn.
        """
        path = self.path
        if (
            self.content is not None
            or path is None
            or path == "-"
            or isinstance(path, Paths)
            or file_type(path) != stat.S_IFREG
        ):
            return None
        with suppress(GainfulError):
            source = self._ahead.pop() if self._ahead else Source(path)
            self._ahead = _OpenedAhead([source])
            if isinstance(source.handle, int) and layout_of_source(source, "run", self.layout).name == TREC:
                with self._ahead.pop():  # the job has a descriptor of its own
                    return PendingFile(self, how, source, crew)
        return None

    def __copy__(self) -> Run:
        other = Run.__new__(Run)
        other.__dict__ |= self.__dict__
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        # Rows are in native memory and a temporary file belongs to this process: another process builds its own.
        given: Any = self.content
        if given is None and isinstance(self.path, Kept):
            given = rows_of(self.path, "run", threads=cores(), layout=self.layout)
        if isinstance(given, Rows):
            given = (given.topics, given.documents, given.values.tolist())
        elif given is None:
            given = self.path
        return _unpickled, (given, self.name, self.layout)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """`{topic: {document: score}}`."""
        if isinstance(self.content, Mapping):
            return {topic: dict(documents) for topic, documents in self.content.items()}
        rows = self.rows()
        nested: dict[str, dict[str, float]] = {}
        for topic, document, score in zip(rows.topics, rows.documents, rows.values.tolist(), strict=True):
            nested.setdefault(from_bytes(topic), {})[from_bytes(document)] = score
        return nested

    def __repr__(self) -> str:
        return f"Run({self.name!r})"


class _OpenedAhead(list[Source]):
    """At most one open file, closed with the last run that could have taken it."""

    def __del__(self) -> None:
        for source in self:
            source.close()


def _unpickled(given: Any, name: str, layout: str | None) -> Run:
    return Run(given, name=name, layout=layout)


def read_run(
    given: Any, *, name: str | None = None, layout: str | None = None, threads: int | None = None
) -> Run:
    """Read a run into memory, from a path (plain or compressed; `-` is standard input) or a Python object.

    given    path (a directory, a glob or a list of paths is one run in several files) · open file object (text or
             bytes; read to its end) · `{topic: {document: score}}` · `{topic: [document, …]}`, ranked, best first, which
             get minus their rank as score · anything with an Arrow stream (pandas, polars, also lazy, pyarrow, duckdb) ·
             three columns (topics, documents, scores) · rows of (topic, document, score)
    name     name of the run; by default the file name
    layout   format of a file: trec, marco, csv, tsv, json, jsonl or parquet; by default detected from its content
    threads  number of threads; by default all cores

    >>> read_run([("q1", "d2", 0.4), ("q1", "d1", 0.9)]).to_dict()
    {'q1': {'d2': 0.4, 'd1': 0.9}}
    """
    if isinstance(given, Run):
        return given if name is None else given.renamed(name)
    path = path_of(given)
    if path is not None:
        rows = rows_of(path, "run", threads=threads_of(threads), layout=layout)
        return Run(rows, name=name or name_of(path))
    return Run(given, name=name)


def read_again(run: Run) -> Run:
    """A run that can be read more than once: standard input or a pipe is copied to a temporary file."""
    if run.path is None or run.content is not None:
        return run
    again = copy(run)
    again.path = kept(run.path)
    return again


def runs_of(given: Any, names: Names | None = None) -> list[Run]:
    """One run or several: a list of runs, or a mapping from their names, is several.

    names  what runs from files are called: "file", "tag" or "path"; see above

    >>> runs_of({"a": {"q1": {"d1": 1.0}}, "b": {"q1": {"d2": 1.0}}})
    [Run('a'), Run('b')]
    >>> runs_of({"q1": {"d1": 1.0}})
    [Run('run')]
    """
    if isinstance(given, _MAPPINGS):
        if _names_runs(given):
            return [
                run.renamed(str(name)) if isinstance(run, Run) else Run(run, name=str(name))
                for name, run in given.items()
            ]
        runs = [Run(given)]
    else:
        if isinstance(given, list | tuple) and not given:
            raise UsageError("no run was given.")
        many = isinstance(given, list | tuple) and (isinstance(given[0], Run) or _are_runs(given))
        runs = [run if isinstance(run, Run) else Run(run) for run in (given if many else [given])]
    # a single run needs no distinct name, and many small calls come this way
    return runs if names is None and len(runs) == 1 else named_apart(runs, names)


def _names_runs(given: Mapping[Any, Any]) -> bool:
    first = next(iter(given.values()), None)
    if isinstance(first, _MAPPINGS):
        second = next(iter(first.values()), None)
        return not isinstance(second, float) and (isinstance(second, _MAPPINGS) or _is_ids(second))
    return first is not None and not _is_ranked(given)


def _is_ranked(given: Mapping[Any, Any]) -> bool:
    """Whether these are ranked lists, {topic: [document, …]}, and not names with the files of each run."""
    if not _is_ids(next(iter(given.values()), None)):
        return False
    lists = list(given.values())
    names = [document for documents in lists if _is_ids(documents) for document in documents]
    files = all(isinstance(name, str) and file_type(name) is not None for name in names)
    return bool(names) and not files and all(map(_is_ids, lists))


def _is_ids(documents: object) -> bool:
    if not isinstance(documents, list | tuple):
        return False
    return all(isinstance(document, str | bytes | int) for document in documents)


def _with_scores(ranked: Mapping[Any, Any]) -> Rows:
    """Ranked lists as rows, each document with minus its rank as score."""
    rows = [
        (topic, document, -float(rank))
        for topic, documents in ranked.items()
        for rank, document in enumerate(documents, 1)
    ]
    return rows_of(rows, "run", threads=1)


def _are_runs(given: Sequence[Any]) -> bool:
    """Whether these are several runs, and not the columns or the rows of one."""
    return not is_columns(given) and (not isinstance(given[0], tuple) or is_columns(given[0]))


def named_apart(runs: Sequence[Run], names: Names | None = None) -> list[Run]:
    """The runs, each under a name of its own."""
    if names not in (None, *NAMES):
        raise UsageError(f"names must be one of {', '.join(NAMES)}, or None; got {names!r}.")
    chosen = [run.name if run.named else _name(run, names) for run in runs]
    if names is None:
        chosen = _by_tags(runs, chosen)
    times = Counter(chosen)
    chosen = [
        _path(run) if times[name] > 1 and not run.named else name
        for run, name in zip(runs, chosen, strict=True)
    ]
    numbers: Counter[str] = Counter()
    apart = []
    for run, name in zip(runs, chosen, strict=True):
        numbers[name] += 1
        only = f"{name}#{numbers[name]}" if numbers[name] > 1 else name
        apart.append(run if run.name == only else run.renamed(only))
    return apart


def _name(run: Run, names: Names | None) -> str:
    if names == "path":
        return _path(run)
    return (run.tag() if names == "tag" else "") or run.name


def _path(run: Run) -> str:
    return run.name if run.path is None else shown(run.path)


def _by_tags(runs: Sequence[Run], names: list[str]) -> list[str]:
    """The names, with tags in place of those that several runs have, if these tags are all different."""
    times = Counter(names)
    same = [number for number, name in enumerate(names) if times[name] > 1 and not runs[number].named]
    tags = {number: runs[number].tag() for number in same}
    different = {*tags.values()}
    others = {*names} - {names[number] for number in same}
    if "" in different or len(different) < len(tags) or different & others:
        return names
    return [tags.get(number, name) for number, name in enumerate(names)]
