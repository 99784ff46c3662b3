"""Long work shows how far it is, to people who wait at a terminal and to nobody else."""

import os
import re

import pytest

from gainful.cli import commands as progress
from gainful.cli.commands import Bar, Counted

COLOUR = re.compile(r"\x1b\[[\d;]*m")
END = "(end)"


@pytest.fixture
def shown(monkeypatch):
    """What a terminal of 80 columns gets to see of a bar that is told of half of the work."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(progress, "PATIENCE", 0)

    def show(kind: type[Bar], name: str) -> str:
        master, slave = os.openpty()
        with os.fdopen(slave, "w", encoding="utf-8") as terminal, monkeypatch.context() as standard:
            standard.setattr("sys.stderr", terminal)
            with kind() as bar:
                bar.tell(name, 500_000, 1_000_000)
            terminal.write(END)
            terminal.flush()
            seen = b""
            while not seen.endswith(END.encode()):
                seen += os.read(master, 100_000)
        os.close(master)
        return seen.decode().removesuffix(END)

    return show


@pytest.mark.parametrize(
    ("kind", "amount"), [(Bar, "0.5/1.0 MB"), (Counted, "500000/1000000")], ids=["bytes", "counted"]
)
def test_a_terminal_shows_the_name_as_it_is_and_the_amount(kind, amount, shown):
    seen = shown(kind, "[/b]odd[red].run")
    assert COLOUR.search(seen)
    plain = COLOUR.sub("", seen)
    assert "[/b]odd[red].run" in plain
    assert amount in plain


def test_there_is_no_colour_where_none_is_wanted(shown, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    seen = shown(Bar, "bm25.run")
    assert "bm25.run" in seen
    assert not COLOUR.search(seen)


def test_nothing_is_shown_of_short_work(shown, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 60)
    assert shown(Bar, "bm25.run") == ""


def test_nothing_is_shown_where_nobody_looks(monkeypatch, capfd):
    monkeypatch.setattr(progress, "PATIENCE", 0)
    with Bar() as bar:
        bar.tell("bm25.run", 1, 2)
    assert capfd.readouterr().err == ""
