"""What runs are called in tables, charts and files.

file  the name of the file, without .gz and the like, and without an ending that stands for a format of runs (.run,
      .trec, .res, .results, .csv, .tsv, .json, .jsonl, .parquet); any other ending, such as .txt, stays
tag   what the system calls itself in the last column of a TREC file; the name of the file where there is none
path  the path, as it was given

Unless said, it is the file; where several files have one name, their tags if these differ, and otherwise their paths.
A run that was given a name keeps it. Whatever is still the same is numbered: bm25, bm25#2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, get_args

from gainful.errors import UsageError
from gainful.formats.ids import shown

if TYPE_CHECKING:
    from gainful.formats.runs import Run

Names = Literal["tag", "file", "path"]
NAMES: tuple[str, ...] = get_args(Names)

_COMPRESSED = {".gz", ".bz2", ".xz", ".zst", ".lz4"}
_FORMATS = {".run", ".trec", ".res", ".results", ".csv", ".tsv", ".json", ".jsonl", ".parquet"}


def name_of(path: str) -> str:
    """The name of a run from its file.

    >>> name_of("runs/bm25.run.gz"), name_of("runs/bm25.v2.txt"), name_of("-")
    ('bm25', 'bm25.v2.txt', 'stdin')
    """
    if path == "-":
        return "stdin"
    pure = PurePath(path)
    for endings in (_COMPRESSED, _FORMATS):
        if pure.suffix.lower() in endings and pure.stem:
            pure = pure.with_suffix("")
    return pure.name


def person_of(path: str) -> str:
    """The name of a judge or a user from the file of what they said: as of a run, and without .txt and .qrels.

    >>> person_of("judges/ann.qrels.txt.gz")
    'ann'
    """
    return name_of(path).removesuffix(".txt").removesuffix(".qrels")


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
    """Tags in place of names that several runs have, where all of these differ."""
    times = Counter(names)
    same = [number for number, name in enumerate(names) if times[name] > 1 and not runs[number].named]
    tags = {number: runs[number].tag() for number in same}
    told = {*tags.values()}
    if "" in told or len(told) < len(tags) or told & ({*names} - {names[number] for number in same}):
        return names
    return [tags.get(number, name) for number, name in enumerate(names)]
