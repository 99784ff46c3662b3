"""Options that several commands take: how runs are judged, how systems are compared, and where the output goes."""

from __future__ import annotations

import inspect
import os
import re
import stat
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from gainful.formats.runs import NAMES
from gainful.formats.sources import file_type
from gainful.judging.settings import CHOICES, LIMITS, Settings, explained

if TYPE_CHECKING:
    from pathlib import Path

_Command = TypeVar("_Command", bound=Callable[..., Any])
LONGEST_NAME = 255  # bytes, on the file systems in use

JUDGING = tuple(field.name for field in fields(Settings))
"""The options that say how runs are judged: the fields of `Settings`."""


class OutputFile(click.ParamType[str]):
    """A path to write to, whose folder is there."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path, refused before any work is done if it cannot be written."""
        from pathlib import Path

        path = Path(value)
        folder = file_type(str(path.parent))
        if value in ("", "-"):
            so = " Without one, results go to standard output." if param and param.name == "output" else ""
            self.fail(f"{value!r} is not the name of a file.{so}", param, ctx)
        if len(os.fsencode(path.name)) > LONGEST_NAME:
            self.fail(
                f"the name of the file is longer than {LONGEST_NAME} bytes; choose a shorter one.", param, ctx
            )
        if file_type(value) == stat.S_IFDIR:
            self.fail(f"{value} is a directory; name a file in it.", param, ctx)
        if folder != stat.S_IFDIR:
            self.fail(f"there is no folder {path.parent}; create it first.", param, ctx)
        if not os.access(path.parent, os.W_OK):
            self.fail(f"the folder {path.parent} is not writable.", param, ctx)
        return str(value)


def judging(*names: str) -> Callable[[_Command], _Command]:
    """The options of these names that say how runs are judged; their types, defaults and help are those of `Settings`."""
    meant = explained()

    def add(command: _Command) -> _Command:
        for field in reversed([field for field in fields(Settings) if field.name in names]):
            kind: dict[str, Any] = {
                "help": f"{meant.get(field.name, '')[:1].upper()}{meant.get(field.name, '')[1:]}."
            }
            if field.name in CHOICES:
                kind |= {
                    "type": click.Choice(CHOICES[field.name]),
                    "default": field.default,
                    "show_default": True,
                }
            elif isinstance(field.default, bool):
                kind |= {"is_flag": True}
            else:
                within = LIMITS.get(field.name)
                kind |= {"type": click.IntRange(*within[:2]) if within else float, "metavar": "N"}
            command = click.option(f"--{field.name.replace('_', '-')}", **kind)(command)
        return command

    return add


def output(formats: Sequence[str], *, note: str = "") -> Callable[[_Command], _Command]:
    """--format, --output and --overwrite, and --places."""

    def add(command: _Command) -> _Command:
        command = click.option(
            "--places",
            type=click.IntRange(0, 17),
            metavar="N",
            default=4,
            show_default=True,
            help="Decimals in text output; csv, json and parquet have full precision.",
        )(command)
        command = click.option("--overwrite", is_flag=True, help="Replace existing output files.")(command)
        command = click.option("-o", "--output", type=OutputFile(), help="Write to this file, atomically.")(
            command
        )
        return click.option(
            "-f",
            "--format",
            "form",
            type=click.Choice(formats),
            default=formats[0],
            show_default=True,
            help=note or None,
        )(command)

    return add


def wide(command: _Command) -> _Command:
    """--wide: text of any width."""
    return click.option(
        "--wide", is_flag=True, help="Show every column, in lines of any length, instead of 80 columns."
    )(command)


class FormatName(click.ParamType[str]):
    """The name of a format: one of those that come with the package, or one that was registered."""

    name = "format"

    def __init__(self, known: Callable[[], Sequence[str]]) -> None:
        self.known = known

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 (click's signature)
        """The names that need nothing more to be installed."""
        return f"[{'|'.join(self.known())}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, refused where nobody knows it."""
        from gainful.formats.registry import built_in, find
        from gainful.formats.types import TREC

        if value != TREC and value not in self.known() and (value in built_in() or find(value) is None):
            self.fail(f"{value!r} is not one of {', '.join(self.known())}.", param, ctx)
        return str(value)


class NumberOrFile(click.ParamType[float | str]):
    """A number, or the name of a file."""

    name = "number or file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float | str:  # noqa: ARG002 (click's signature)
        """The number where it is one."""
        try:
            return float(value)
        except ValueError:
            return str(value)


def names(command: _Command) -> _Command:
    """--names: what runs are called."""
    return click.option(
        "--names",
        type=click.Choice(NAMES),
        help="Names of runs: the tag in the last column of a TREC file, the file name, or the path.  "
        "[default: file; if several files have the same name, their tags if these differ, else their paths]",
    )(command)


def scope(command: _Command) -> _Command:
    """--topics and --threads: how much is read, and by how many threads."""
    command = click.option(
        "--threads",
        type=click.IntRange(min=1),
        metavar="N",
        help="Number of threads.  [default: all cores]",
    )(command)
    return click.option(
        "--topics",
        metavar="FILE|LIST",
        help="Only these topics: a file with one per line, or a comma-separated list.",
    )(command)


def users(command: _Command) -> _Command:
    """--known and --expected: what users knew, and how much they expected."""
    command = click.option(
        "--expected",
        type=NumberOrFile(),
        metavar="N|FILE",
        help="Number of relevant documents that users expect, or a file of topic and number; for RelRecall, RecallEffort.",
    )(command)
    return click.option(
        "--known",
        multiple=True,
        metavar="FILE",
        help="File of documents that a user knew: topic and document, or judgments; for Coverage, Novelty. May be repeated.",
    )(command)


def designs(command: _Command) -> _Command:
    """--design, --estimator and --model-qrels: documents drawn with known probabilities, and labels by models."""
    command = click.option(
        "--model-qrels",
        multiple=True,
        metavar="LABELS",
        help="Labels by a model for more topics, or documents, than people judged, as judgments; may be repeated. QRELS says "
        "what they are worth, and intervals hold whatever that is.",
    )(command)
    command = click.option(
        "--estimator",
        type=click.Choice(("auto", "ht", "centred", "ratio")),
        default="auto",
        show_default=True,
        help="With --design, or a fifth column of QRELS: how sums are estimated: Horvitz–Thompson, centred, "
        "or ratio; auto is centred where the documents that were not drawn are known.",
    )(command)
    return click.option(
        "--design",
        metavar="STUDY|FILE",
        help="How documents were drawn for judging: a study folder, or a file of topic, document and probability; values are "
        "then estimates, with intervals. A fifth column of QRELS says it too.",
    )(command)


def nearest_config() -> Path | None:
    """The file that options come from; none where the current folder has been deleted."""
    from pathlib import Path

    from gainful.configuration import find

    try:
        return find(Path.cwd())
    except FileNotFoundError:
        return None


def config(command_name: str) -> Callable[[_Command], _Command]:
    """--config: what the file says are the defaults of this command; its parameters have the names of the options there."""

    def read(ctx: click.Context, _option: click.Parameter, given: str | None) -> str | None:
        from pathlib import Path  # which evaluate does without

        from gainful.cli import say
        from gainful.configuration import read_options

        if ctx.resilient_parsing:  # the shell asks for completions
            return given
        where = Path(given) if given else nearest_config()
        written = read_options(where, command_name) if where else {}
        if written:
            say(f"options: {where}")
        if isinstance(written.get("measures"), str):
            written["measures"] = [written["measures"]]
        if isinstance(written.get("topics"), list):
            written["topics"] = ",".join(map(str, written["topics"]))
        ctx.default_map = written
        return given

    return click.option("--config", type=click.Path(), is_eager=True, callback=read, help=CONFIG_HELP)


OR_CONFIG = "or name them in a [tool.gainful] table of pyproject.toml"
"""How the files may be given, too, where a command without them refuses."""

CONFIG_HELP = "Where to look for options.  [default: the nearest gainful.toml or pyproject.toml]"


def texts(*names: str) -> Callable[[_Command], _Command]:
    """--queries and --documents: the words that stand beside ids."""
    helps = {
        "queries": "Texts of queries, shown beside their ids: TSV or CSV of id and text, JSON lines, or TREC topics.  "
        "[default: queries.jsonl beside a folder named qrels, as in BEIR]",
        "documents": "Titles and texts of documents: JSON lines with id, title and text (or CSV, Parquet).  "
        "[default: corpus.jsonl beside a folder named qrels, as in BEIR]",
    }

    def add(command: _Command) -> _Command:
        for name in reversed(names or tuple(helps)):
            command = click.option(f"--{name}", metavar="FILE", help=helps[name])(command)
        return command

    return add


def was_said(name: str) -> bool:
    """Whether the option stands on the command line, and not at its default."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def statistics_options(*names: str) -> Callable[[_Command], _Command]:
    """An option for each of these fields of `Method`."""
    from gainful.comparisons.method import Method

    meant = parameters(Method)
    defaults = {field.name: field.default for field in fields(Method)}

    def add(command: _Command) -> _Command:
        for name in reversed(names):
            default = None if defaults[name] is MISSING else defaults[name]
            command = click.option(
                f"--{name}",
                type=_type(name),
                default=default,
                show_default=default is not None,
                metavar=_metavar(name),
                help=meant[name],
            )(command)
        return command

    return add


def parameters(documented: Callable[..., Any]) -> dict[str, str]:
    """The lines of a docstring that explain a parameter each, by name; a line that is further in goes on.

    >>> from gainful.comparisons import Method
    >>> parameters(Method)["seed"]
    'Random seed.'
    """
    lines: dict[str, str] = {}
    name = None
    for line in inspect.cleandoc(documented.__doc__ or "").splitlines():
        if begun := re.match(r"([a-z_]+) {2,}(\S.*)", line):
            name = begun[1]
            lines[name] = begun[2]
        elif name and line.startswith("    "):
            lines[name] += " " + line.strip()
        else:
            name = None
    return lines


def _type(name: str) -> Any:
    from gainful.comparisons.method import CHOICES, LIMITS

    if name in CHOICES:
        return click.Choice(tuple(CHOICES[name]))
    if name in LIMITS:
        return float if isinstance(LIMITS[name][0], float) else int
    return str


def _metavar(name: str) -> str | None:
    from gainful.comparisons.method import CHOICES
    from gainful.statistics import paired_tests

    if name == "test":
        return f"[{'|'.join(paired_tests.names())}|FILE.py]"
    return None if name in CHOICES else "NAME" if name == "baseline" else "N"
