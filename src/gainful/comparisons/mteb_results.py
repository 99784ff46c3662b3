"""MTEB's results: folders with a file of scores for each task, which become a table of model × task."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from gainful.comparisons.score_table import ScoreTable, System, measure_named
from gainful.errors import DataError
from gainful.formats.ids import shown

META = "model_meta.json"
"""The file beside the results of a model, in MTEB's cache: results/MODEL/REVISION."""
DEEPEST = 3  # folders below the one given: results, a model, its revision
MAIN = "main_score"
_USUAL = ("default", "test")  # subset and split that a name leaves out


def read_results(folder: str) -> ScoreTable | None:
    """The main score of every model in a folder on every task; None where there are no results of MTEB.

    A topic is a task, with subset and split where a task has others than the usual ones.
    """
    models = [path.parent for path in _below(Path(folder), DEEPEST) if path.name == META]
    if not models:
        return None
    scores = {model: _main_scores(model) for model in models}
    names = {model: _name(model) for model in models}
    several = {name for name in names.values() if [*names.values()].count(name) > 1}
    tasks = list(dict.fromkeys(task for of_model in scores.values() for task in of_model))
    values = [[of_model.get(task, np.nan) for task in tasks] for of_model in scores.values()]
    systems = [
        System(f"{name} {model.name}" if name in several else name, str(model))
        for model, name in names.items()
    ]
    note = (
        f"topics are {len(tasks)} tasks of MTEB by their main score, and intervals are over tasks like these"
    )
    return ScoreTable(
        (measure_named(MAIN),), tuple(systems), tuple(tasks), np.array(values)[None], notes=(note,)
    )


def _below(folder: Path, levels: int) -> Iterator[Path]:
    """The files of a folder and of those in it."""
    try:
        for path in sorted(folder.iterdir()):
            if path.is_file():
                yield path
            elif levels and path.is_dir():
                yield from _below(path, levels - 1)
    except OSError:  # one that this user may not enter holds nothing for them
        return


def _name(model: Path) -> str:
    return str(_decoded(model / META).get("name") or model.parent.name)


def _main_scores(model: Path) -> dict[str, float]:
    """The main score of each task, subset and split; no file but those of tasks has a list of them."""
    scores = {}
    for path in sorted(model.glob("*.json")):
        if path.name == META:
            continue
        result = _decoded(path)
        try:
            for split, entries in result["scores"].items():
                for entry in entries:
                    parts = [result["task_name"], entry["hf_subset"], split]
                    others = (part for part, usual in zip(parts[1:], _USUAL, strict=True) if part != usual)
                    scores["/".join([parts[0], *others])] = float(entry[MAIN])
        except (KeyError, TypeError, ValueError, AttributeError):
            raise DataError(
                f"{shown(str(path))}: expected a result of MTEB, with task_name and scores of splits."
            ) from None
    if not scores:
        raise DataError(f"{shown(str(model))} has no results of tasks beside {META}.")
    return scores


def _decoded(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_bytes())
    except OSError as fault:
        raise DataError(f"{shown(str(path))} cannot be read: {fault.strerror}.") from None
    except ValueError as fault:
        raise DataError(f"{shown(str(path))} is not JSON: {fault}.") from None
    if not isinstance(content, dict):
        raise DataError(f"{shown(str(path))}: expected a JSON object.")
    return content
