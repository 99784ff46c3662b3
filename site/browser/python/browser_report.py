"""What the page asks of Gainful: a table of scores, and a report whose charts the page draws itself."""

from __future__ import annotations

import json
from concurrent.futures import Future
from typing import Any, cast

from gainful.presentation.chart_files import still
from gainful.presentation.chart_painter import Painter
from gainful.reports import Report, report


class DrawnCharts:
    """Stands for the painter: its charts have been drawn by the browser."""

    def __init__(self, pictures: list[str], script: str) -> None:
        self._pictures = iter(pictures)
        self.script = _done(script)

    def svg(self, spec: dict[str, Any]) -> Future[str]:  # noqa: ARG002 (they are asked for in the order of `charts`)
        """The next chart."""
        return _done(next(self._pictures))


def _done(text: str) -> Future[str]:
    future: Future[str] = Future()
    future.set_result(text)
    return future


def prepared(qrels: str, runs: list[str]) -> Report:
    """The report, without its pictures yet."""
    return report(qrels, runs, threads=1, command=None)


def specs(made: Report) -> str:
    """Its charts as Vega-Lite, in JSON, in the order of the page."""
    return json.dumps([still(figure.spec) for figure in made.charts()])


def page(made: Report, pictures: list[str], script: str) -> str:
    """The whole page as HTML."""
    return made.html(painter=cast(Painter, DrawnCharts(pictures, script)))
