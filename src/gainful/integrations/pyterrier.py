"""PyTerrier: measures of Gainful in `pt.Experiment`, and intervals and corrected p-values from its results.

    results = pt.Experiment([bm25, dense], topics, qrels, [measure("nDCG@10"), "map"], names=["bm25", "dense"], perquery=True)
    table(compare(results, baseline="bm25"))

Neither starts Java.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Unpack

import ir_measures
import numpy as np
import pandas as pd

from gainful.comparisons import Comparison, Method, ScoreTable, compare_scores
from gainful.comparisons.mean_intervals import interval_within
from gainful.comparisons.score_table import System, measure_named
from gainful.dialects.dialect_scores import renamed
from gainful.errors import DataError, NothingInCommon
from gainful.judging.settings import Conventions
from gainful.measures import Measure, parse
from gainful.scores import evaluate

COLUMNS = ("name", "qid", "measure", "value")


def measure(asked: str | Measure, **conventions: Unpack[Conventions]) -> Any:
    """A measure that `pt.Experiment` takes and Gainful computes, also one that ir_measures does not have.

    Conventions are fields of `gainful.Settings`. Topics that a system lacks are scored as empty lists.
    """
    ours = parse(asked) if isinstance(asked, str) else asked

    def values(qrels: pd.DataFrame, run: pd.DataFrame) -> Iterator[tuple[str, float]]:
        judged = (qrels["query_id"], qrels["doc_id"], qrels["relevance"])
        try:
            scores = evaluate(judged, (run["query_id"], run["doc_id"], run["score"]), ours, **conventions)
        except NothingInCommon:  # a system that found nothing at all
            return
        yield from ((topic, value[str(ours)]) for topic, value in scores.per_topic.items())

    return ir_measures.define(values, name=str(ours), support_cutoff=False)


def compare(results: pd.DataFrame, *, baseline: str | None = None, **method: Any) -> Comparison:
    """The comparison of the systems in the results of `pt.Experiment(…, perquery=True)`.

    baseline  name of the system that the others are compared with; otherwise all pairs
    method    other fields of `gainful.comparisons.Method`: test, interval, correction, alpha, …
    """
    lacking = [column for column in COLUMNS if column not in results.columns]
    if lacking:
        raise DataError(
            f"the results lack the columns {', '.join(lacking)}; call pt.Experiment with perquery=True."
        )
    systems, measures, topics = (list(dict.fromkeys(results[name])) for name in ("name", "measure", "qid"))
    values = np.full((len(measures), len(systems), len(topics)), np.nan)
    places = (
        pd.Categorical(results[name], categories=kept).codes
        for name, kept in (("measure", measures), ("name", systems), ("qid", topics))
    )
    values[tuple(places)] = results["value"]
    named = tuple(renamed(measure_named(name), name) for name in measures)
    scores = ScoreTable(named, tuple(map(System, systems)), tuple(map(str, topics)), values)
    return compare_scores(scores, Method(baseline=baseline, **method))


def table(compared: Comparison) -> pd.DataFrame:
    """A row for each system: means with their intervals, and how they differ from the baseline, if there is one.

    Columns are named as in `pt.Experiment`'s table: "map", "map low" and "map high"; and against the baseline "map +" and
    "map -" (topics improved and degraded), "map difference" with the ends of its interval, "map p-value" and "map p-value
    corrected".
    """
    baseline = compared.method.baseline
    rows = []
    for place, system in enumerate(compared.table.names):
        row: dict[str, Any] = {"name": system}
        for each in compared.table.measures:
            name = str(each)
            values, mean = compared.table.of(each)[0][place], compared.means[name][system]
            row[name] = mean
            ends = interval_within(values, mean, compared.method, each.bounds) or (np.nan, np.nan)
            row[f"{name} low"], row[f"{name} high"] = ends
            if baseline is not None and system != baseline:
                pair = compared.pair(each, baseline, system)
                row |= {
                    f"{name} +": pair.wins,
                    f"{name} -": pair.losses,
                    f"{name} difference": pair.difference,
                }
                row[f"{name} difference low"], row[f"{name} difference high"] = pair.interval
                row |= {f"{name} p-value": pair.p_value, f"{name} p-value corrected": pair.p_adjusted}
        rows.append(row)
    return pd.DataFrame(rows)
