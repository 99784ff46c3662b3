"""Options and helpers that the filter commands share: the state, text analysis, charts, folders, JSON."""

from __future__ import annotations

import importlib
import inspect
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gainful.cli import say
from gainful.cli.commands import refuse_existing, write
from gainful.cli.options import output as output_options
from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown
from gainful.presentation.chart_files import SUFFIXES

if TYPE_CHECKING:
    from gainful.filtering.simulation import Simulation
    from gainful.filtering.state.filter import Filter

_Command = TypeVar("_Command", bound=Callable[..., Any])
VARIABLE = "GAINFUL_STATE"


class Derived(click.Option):
    """An option whose default, and the names in its help, come from the code that it is for.

    source      `module:function` whose keyword has the option's name (or `keyword`); imported when the command runs
                or help is asked for, not before
    only_shown  the default is for the help; the option is None unless it is given

    In its help, {rules} stands for the names of the threshold rules.
    """

    def __init__(
        self, *given: Any, source: str, keyword: str | None = None, only_shown: bool = False, **more: Any
    ) -> None:
        self.source, self.keyword, self.only_shown = source, keyword, only_shown
        super().__init__(*given, **{"show_default": True, **more})

    def get_default(self, ctx: click.Context, call: bool = True) -> Any:  # noqa: ARG002 (click's signature)
        """The keyword's default."""
        if call and self.only_shown:
            return None
        module, name = self.source.split(":")
        function = attrgetter(name)(importlib.import_module(f"gainful.filtering.{module}"))
        parameters = inspect.signature(getattr(function, "__wrapped__", function)).parameters
        return parameters[self.keyword or self.name or ""].default

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The help, with the names of rules."""
        if self.help and "{rules}" in self.help:
            from gainful.filtering.threshold_registry import rule_names

            self.help = self.help.replace("{rules}", ", ".join(rule_names()))
        return super().get_help_record(ctx)


def derived(
    name: str, source: str, kind: Any, meaning: str, *, metavar: str | None = "N", **more: Any
) -> Callable[[_Command], _Command]:
    """An option whose default is that of the keyword of its name in `module:function`."""
    return click.option(name, cls=Derived, source=source, type=kind, help=meaning, metavar=metavar, **more)


class Share(click.ParamType[Any]):
    """A share, written as 0.3 or as 30%."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The share as a number from 0 to 1."""
        try:
            share = float(value[:-1]) / 100 if str(value).endswith("%") else float(value)
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            self.fail(f"{value!r} is no share from 0 to 1; write it as 0.3 or 30%", param, ctx)
        return share


class Stretch(Share):
    """Two shares of the stream, written as 50%,60%."""

    name = "stretch"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Where it begins and ends, as numbers from 0 to 1."""
        if value is None or isinstance(value, tuple):
            return value
        bounds = str(value).split(",")
        if len(bounds) != 2:
            self.fail(f"{value!r} is not where it begins and ends; write it as 50%,60%", param, ctx)
        return tuple(Share.convert(self, bound, param, ctx) for bound in bounds)


def state_option(command: _Command) -> _Command:
    """--state."""
    return click.option(
        "--state",
        envvar=VARIABLE,
        metavar="FILE|URL",
        type=click.Path(dir_okay=False),
        help="The state of the filter: a file, or postgresql://USER@HOST/DATABASE.  "
        f"[default: ${VARIABLE}, or gainful/my.filter in your data folder]",
    )(command)


@dataclass(frozen=True)
class Answer:
    """What a state answers.

    record  what programs get, as JSON
    text    what people read; takes `places`
    """

    record: Callable[[], Any]
    text: Callable[..., str]


def answering(command: Callable[..., Answer]) -> Callable[..., None]:
    """A command that asks a filter and prints the answer: it gets the open filter, and takes --state, --format and --output."""

    @wraps(command)
    def asked(
        *, state: str | None, form: str, output: str | None, overwrite: bool, places: int, **given: Any
    ) -> None:
        refuse_existing(output, overwrite=overwrite)
        with opened(state) as filter_:
            answer = command(filter_, **given)
        write(as_json(answer.record()) if form == "json" else answer.text(places=places), output)

    return state_option(output_options(("table", "json"))(asked))


def words_options(command: _Command) -> _Command:
    """How text becomes weighted words: --epochs, --language, --title-weight."""
    for option in (
        derived("--title-weight", "analyzer:Analyzer", click.FloatRange(0), "Weight of words in titles."),
        derived(
            "--language",
            "analyzer:Analyzer",
            str,
            "Language for stemming and stop words.",
            metavar="NAME|none",
        ),
        derived(
            "--epochs",
            "simulation_run:simulate",
            str,
            "Recompute idf when the number of documents seen has grown by this factor.",
            metavar="FACTOR|never",
        ),
    ):
        command = option(command)
    return command


def factor(text: str) -> float | None:
    """What --epochs says: a factor, or None for never."""
    if text == "never":
        return None
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"--epochs must be a factor above 1, or never; got {text!r}") from None


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Make a folder, and those that it lies in, where they are not there; `mode` is that of the folder itself."""
    try:
        path.mkdir(mode, parents=True, exist_ok=True)
    except OSError as fault:
        raise DataError(f"{shown(str(path))} cannot be created: {fault.strerror}.") from None


def default_state() -> Path:
    """The state of somebody who names none: gainful/my.filter in the user's data folder."""
    given = os.environ.get("XDG_DATA_HOME", "")
    folder = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "share"
    return folder / "gainful" / "my.filter"


def state_address(state: str | None) -> str:
    """The address of the state: the one that was given, or else that of the default one."""
    return state or str(default_state())


def existing_state(state: str | None) -> str:
    """The address of the state; refused with a way out where none was given and there is no default one yet."""
    if not state and not default_state().exists():
        raise UsageError(
            f"there is no filter yet. Begin with `gainful filter subscribe ADDRESS` or `gainful filter profile add NAME "
            f'"what you want to read"`, which make {shown(state_address(state))}; or name another file with --state FILE, or in '
            f"{VARIABLE}."
        )
    return state_address(state)


def new_or_existing_state(state: str | None) -> str:
    """The address of the state; where none was given, the default one is made if it is not there, and that is said."""
    address = state_address(state)
    if not state and not Path(address).exists():
        from gainful.filtering.state.filter import Filter

        ready_folder(state)
        try:
            Filter.create(address).close()
            say(f"note: a new filter is kept in {shown(address)}.")
        except UsageError:
            if not Path(address).exists():  # otherwise another process has made it meanwhile
                raise
    return address


def ready_folder(state: str | None) -> None:
    """Make the folder of the default state, for its owner alone, where no state was given."""
    if not state:
        make_folder(default_state().parent, 0o700)


def opened(state: str | None) -> Filter:
    """The filter of a state that is there, open; to be closed."""
    from gainful.filtering.state.filter import Filter

    return Filter.open(existing_state(state))


@contextmanager
def feeds_extra() -> Iterator[None]:
    """Imports of packages that only `gainful[feeds]` brings; where one is missing, the error says how to install it."""
    try:
        yield
    except ModuleNotFoundError as fault:
        raise UsageError(f"fetching feeds needs {fault.name}: pip install 'gainful[feeds]'") from None


def as_json(record: Any) -> str:
    """A record for programs."""
    import msgspec

    from gainful.filtering.safe_text import json_text

    return json_text(msgspec.json.format(msgspec.json.encode(record), indent=2).decode() + "\n")


ENDINGS = tuple(suffix.removeprefix(".") for suffix in SUFFIXES)


def charting(function: Callable[..., Any]) -> Callable[..., Any]:
    """--charts, --trace and --chart-format."""
    function = click.option(
        "--chart-format",
        type=click.Choice(ENDINGS),
        default="svg",
        show_default=True,
        help="Format of charts.",
    )(function)
    function = click.option(
        "--trace",
        multiple=True,
        metavar="TOPIC",
        help="Topic whose utility curve and threshold are plotted and included in JSON; may be repeated.  [default: the first]",
    )(function)
    return click.option(
        "--charts",
        type=click.Path(file_okay=False, writable=True),
        metavar="FOLDER",
        help="Plot utility over time, and for each --trace topic utility against cutoff, predicted relevance beside the answers, "
        "and the threshold over time.",
    )(function)


class Pictures:
    """Charts into a folder; nothing there is replaced unless that is asked for."""

    def __init__(self, folder: str | None, ending: str, *, overwrite: bool) -> None:
        self.folder, self.ending, self.overwrite = None if folder is None else Path(folder), ending, overwrite
        if self.folder is not None:
            from gainful.presentation.chart_files import ready

            refuse_existing(str(self._path("utility-over-time")), overwrite=overwrite)
            ready()

    def _path(self, name: str) -> Path:
        assert self.folder is not None
        return self.folder / f"{re.sub('[^0-9A-Za-z._-]+', '_', name).replace('_-', '-')}.{self.ending}"

    def draw(self, simulation: Simulation) -> None:
        """Every chart of the simulation."""
        if self.folder is None:
            return
        from gainful.filtering.threshold_charts import pictures
        from gainful.formats.output_files import put
        from gainful.presentation.chart_files import rendered

        make_folder(self.folder)
        drawn: set[Path] = set()
        for name, chart in pictures(simulation):
            path, number = self._path(name), 1
            while path in drawn:  # two topics may differ in letters that a file's name does not have
                number += 1
                path = self._path(f"{name}-{number}")
            drawn.add(path)
            put(rendered(chart, f".{self.ending}"), str(path), overwrite=self.overwrite)
        say(f"The charts are in {self.folder}.")
