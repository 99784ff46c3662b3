"""gainful compare with the judgments of several judges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gainful.cli.compare_loading import DEFAULT
from gainful.cli.options import was_said
from gainful.cli.progress import Counted
from gainful.errors import UsageError

_NOT_WITH = (
    *("baseline", "view", "groups", "weights", "readers", "moved", "unknown", "test", "interval"),
    *("correction", "family", "flips", "power", "target"),
)


def judged(
    qrels: Sequence[str],
    runs: Sequence[str],
    measures: Sequence[str],
    settings: dict[str, Any],
    *,
    merge: Sequence[str],
    common: bool,
    alpha: float,
    resamples: int,
    seed: int,
    form: str,
    places: int,
) -> tuple[str, tuple[str, ...]]:
    """Scores under each judge, their agreement, and whether the order of runs survives; and notes."""
    from gainful.comparisons.judges import compare_judges
    from gainful.comparisons.judges.judge_tables import of_judges

    for name in _NOT_WITH:
        if was_said(name):
            raise UsageError(
                f"--{name} is for the judgments of one judge; compare under one at a time, or leave it out."
            )
    if not runs:
        raise UsageError(
            "no run is given; with --qrels all inputs are runs: gainful compare RUN RUN --qrels A --qrels B"
        )
    with Counted() as bar:
        made = compare_judges(
            list(qrels) if len(qrels) > 1 else qrels[0],
            list(runs),
            ",".join(measures) or DEFAULT,
            merge=tuple(merge),
            documents="common" if common else "all",
            resamples=resamples,
            seed=seed,
            confidence=1 - alpha,
            progress=bar.tell,
            **settings,
        )
    return of_judges(made, form, places=places), made.notes
