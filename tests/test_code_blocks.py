"""Every block of code in the docs is run, or checked as far as it can be, or says why it is neither.

run       `>>>` by doctest; `$ gainful` in console blocks here or by test_teaching.py; walks by tests/cli
checked   other commands: read by the command line itself, all but their files; TOML and YAML are parsed
a mark    `<!-- not run: why -->` before the block, or `<!-- Python on this page is not run: why -->`; what it imports is there
text      what is printed, and formulas
"""

import ast
import importlib
import importlib.util
import re
import shlex
import tomllib
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from gainful.cli import run
from gainful.cli.commands import gainful
from gainful.measures import parse_many

ROOT = Path(__file__).parents[1]
PAGES = [
    *sorted(ROOT.glob("docs/*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "docs/website/home.md")),
]
MARK = re.compile(r"<!-- not run: (.+?) -->")
MARK_OF_PAGE = re.compile(r"<!-- Python on this page is not run: (.+?) -->")
WALK = re.compile(r"<!-- (\w+): begin -->.*?<!-- \1: end -->", re.DOTALL)
PROGRAMS = (
    "gainful",
    "make",
    "python",
    ".venv/bin/python",
    "pip",
    "uv",
    "uvx",
    "eval",
    "export",
    "zcat",
    "crontab",
    "man",
)
RUN_BY_TEACHING = {"teaching.md", "filtering.md"}


class Block(NamedTuple):
    """A fenced or indented block: its page, its first line, its language, its mark, and what it holds."""

    page: str
    line: int
    language: str
    mark: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page):
    """The blocks of a page, without those of walks, which are run elsewhere."""
    text = page.read_text(encoding="utf-8")
    text = WALK.sub(lambda walk: "\n" * walk[0].count("\n"), text)
    of_page = MARK_OF_PAGE.search(text)
    lines, place = text.splitlines(), 0
    while place < len(lines):
        fence = re.match(r"( *)(`{3,})(\w*)", lines[place])
        start = place
        if fence:
            place += 1
            while lines[place].strip() != fence[2]:
                place += 1
            language, held = fence[3], lines[start + 1 : place]
        elif _is_indented(lines, place):
            while place < len(lines) and (lines[place].startswith("    ") or not lines[place].strip()):
                place += 1
            language, held = "indented", [line.removeprefix("    ") for line in lines[start:place]]
            place -= 1
        else:
            assert not lines[place].startswith(">>>"), f"{page.name}:{place + 1}: an example without a fence"
            place += 1
            continue
        before = MARK.search(lines[start - 1]) if start else None
        whole = "\n".join(held)
        mark = before[1] if before else (of_page[1] if of_page and _is_python(language, whole) else "")
        yield Block(page.name, start + 1, language, mark, whole)
        place += 1


def _is_indented(lines, place):
    line = lines[place]
    after_blank = place == 0 or not lines[place - 1].strip() or MARK.match(lines[place - 1])
    in_list = any(re.match(r"[-*]|\d+\.", each) for each in lines[max(0, place - 2) : place])
    return line.startswith("    ") and bool(line.strip()) and bool(after_blank) and not in_list


def _is_python(language, text):
    return language == "python" or (
        language == "indented" and bool(re.search(r"^ *(import|from) \w", text, re.MULTILINE))
    )


ALL = [block for page in PAGES for block in blocks(page) if page.name != "measures.md"]
PYTHON = [block for block in ALL if _is_python(block.language, block.text) and ">>>" not in block.text]
COMMANDS = [
    (block, line)
    for block in ALL
    if (block.language in ("", "indented", "text") or block.mark)
    and ">>>" not in block.text
    and block not in PYTHON
    for line in block.text.replace("\\\n", " ").splitlines()
    if re.match(r"(\$ )?([A-Z_]+=\S+ )*gainful (?!\d)", line)  # and not what --version prints
]
CONSOLE = [
    block
    for block in ALL
    if block.language == "console" and block.page not in RUN_BY_TEACHING and not block.mark
]


def test_every_block_has_a_language_that_says_how_it_is_checked():
    known = {"", "indented", "text", "python", "pycon", "console", "toml", "yaml", "json"}
    for block in ALL:
        assert block.language in known or block.mark, (
            f"{block.place}: `{block.language}` is not run, and no mark says why"
        )
        if block.language == "console" and not block.mark:
            assert all(
                re.match(r"\$ (gainful|cat|head) ", line)
                for line in block.text.splitlines()
                if line.startswith("$")
            ), block.place
        if block.language == "pycon":
            assert ">>>" in block.text, f"{block.place} has no example"
    assert len(ALL) > 150


def test_a_block_without_language_holds_commands():
    for block in ALL:
        if block.language == "" and not block.mark:
            words = [
                line.split()[0]
                for line in block.text.splitlines()
                if line.strip() and not line.startswith((" ", "#"))
            ]
            assert {word for word in words if "=" not in word} <= set(PROGRAMS), (
                f"{block.place}: what is this? Write ```text"
            )


def filled(text):
    """Python with what `…` leaves to the reader: an argument, or the rest of an expression."""
    return re.sub(r"(?<=[(\[{, ])…", "...", text).replace("…", "")


def names_in(module):
    """What a module defines; of one that needs a package that is not there, what its text says."""
    try:
        return set(dir(importlib.import_module(module)))
    except ModuleNotFoundError:
        source = Path(importlib.util.find_spec(module).origin).read_text(encoding="utf-8")
        return {getattr(statement, "name", "") for statement in ast.parse(source).body}


def test_python_that_is_not_run_says_why_and_imports_what_is_there():
    for block in PYTHON:
        assert block.mark, f"{block.place}: Python that no test runs, and no mark says why"
        for statement in ast.walk(ast.parse(filled(block.text))):
            if isinstance(statement, ast.ImportFrom) and str(statement.module).startswith("gainful"):
                module = str(statement.module)
                for name in (each.name for each in statement.names):
                    assert name in names_in(module) or importlib.util.find_spec(f"{module}.{name}"), (
                        block.place
                    )
            if (
                isinstance(statement, ast.Attribute)
                and isinstance(statement.value, ast.Name)
                and statement.value.id == "gainful"
            ):
                assert hasattr(importlib.import_module("gainful"), statement.attr), (
                    f"{block.place}: gainful.{statement.attr}"
                )
    assert len(PYTHON) > 20


def words_of(line):
    """The words of a command, without its comment and what it is piped into."""
    words = shlex.split(re.sub(r"^(\$ )?([A-Z_]+=\S+ )*", "", line), comments=True)
    stops = [place for place, word in enumerate(words) if word in ("|", "&&", "||", ">", ";", "2>")]
    return words[: stops[0]] if stops else words


@pytest.mark.parametrize(
    ("block", "line"), COMMANDS, ids=lambda value: value.place if isinstance(value, Block) else ""
)
def test_a_command_is_one_that_the_command_line_reads(block, line):
    command, context = gainful, click.Context(gainful, info_name="gainful", **gainful.context_settings)
    words = words_of(line)[1:]
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        command = command.get_command(context, name)
        context = click.Context(command, parent=context, info_name=name, **command.context_settings)
    given, _, _ = command.make_parser(context).parse_args(words)
    for parameter in command.params:
        for value in _given(given.get(parameter.name)):
            if isinstance(parameter.type, click.Choice | click.types._NumberRangeBase):
                parameter.type.convert(value, parameter, context)
            if (
                parameter.name == "measures"
                and "dialect" not in given
                and command.name in ("evaluate", "compare", "gate")
            ):
                assert parse_many(value), value


def _given(value):
    if value is None or value is True or value is False or not isinstance(value, str | list | tuple):
        return []
    return [value] if isinstance(value, str) else [each for each in value if isinstance(each, str)]


@pytest.mark.parametrize(
    "block",
    [block for block in ALL if block.language in ("toml", "yaml", "json")],
    ids=lambda block: block.place,
)
def test_configuration_is_well_formed(block):
    if block.language == "toml":
        assert tomllib.loads(block.text)
    elif block.language == "yaml":
        assert pytest.importorskip("yaml").safe_load(block.text)


@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: block.place)
def test_a_command_in_a_console_prints_what_stands_below_it(block, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        capfd.readouterr()
        assert run(shlex.split(command)[1:]) == 0
        lines = iter(capfd.readouterr().out.splitlines())
        for line in printed.splitlines():
            assert line in lines, f"{block.place}: not printed, or in another order: {line}"
