"""Charts of a simulation, drawn into a folder: what simulate and demo share."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gainful.cli.filter.common import make_folder
from gainful.cli.options import refuse_existing
from gainful.curves.suffixes import SUFFIXES

if TYPE_CHECKING:
    from gainful.filtering.simulation import Simulation

ENDINGS = tuple(suffix.removeprefix(".") for suffix in SUFFIXES)


def charting(function: Callable[..., Any]) -> Callable[..., Any]:
    """--charts, --trace and --chart-format."""
    function = click.option(
        "--chart-format", type=click.Choice(ENDINGS), default="svg", show_default=True, help="Of charts."
    )(function)
    function = click.option(
        "--trace",
        multiple=True,
        metavar="TOPIC",
        help="Draw this topic's curve and threshold too, and put them into JSON; repeats.  [default: the first]",
    )(function)
    return click.option(
        "--charts",
        type=click.Path(file_okay=False, writable=True),
        metavar="FOLDER",
        help="Draw utility over time, and for traced topics utility against cutoff and the threshold over time.",
    )(function)


class Pictures:
    """Charts into a folder; nothing there is replaced unless that is asked for."""

    def __init__(self, folder: str | None, ending: str, *, overwrite: bool) -> None:
        self.folder, self.ending, self.overwrite = None if folder is None else Path(folder), ending, overwrite
        if self.folder is not None:
            from gainful.curves.drawing import ready

            refuse_existing(str(self._path("utility-over-time")), overwrite=overwrite)
            ready()

    def _path(self, name: str) -> Path:
        assert self.folder is not None
        return self.folder / f"{re.sub('[^0-9A-Za-z._-]+', '_', name).replace('_-', '-')}.{self.ending}"

    def draw(self, made: Simulation) -> None:
        """Every chart of the simulation."""
        if self.folder is None:
            return
        from gainful.curves.drawing import rendered
        from gainful.filtering.charts import pictures
        from gainful.formats.files import put

        make_folder(self.folder)
        drawn: set[Path] = set()
        for name, chart in pictures(made):
            path, number = self._path(name), 1
            while path in drawn:  # two topics may differ in letters that a file's name does not have
                number += 1
                path = self._path(f"{name}-{number}")
            drawn.add(path)
            put(rendered(chart, f".{self.ending}"), str(path), overwrite=self.overwrite)
        click.echo(f"The charts are in {self.folder}.", err=True)
