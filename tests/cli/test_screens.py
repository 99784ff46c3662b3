"""What the everyday commands print on a terminal of 80 columns: stored as text, and nothing in it would wrap."""

import os
import re
from pathlib import Path

import pytest

from gainful.presentation.text_style import width

STORED = Path(__file__).parent / "screens"
DATA = Path(__file__).parents[2] / "examples" / "data"
SCREENS = {
    "evaluate": "evaluate qrels.txt marathon.run sprinter.run",
    "evaluate-many": "evaluate qrels.txt marathon.run sprinter.run plain.run -m official",
    "compare": "compare qrels.txt marathon.run sprinter.run -m nDCG@10,AP,P@10",
    "compare-readers": "compare qrels.txt marathon.run sprinter.run --readers --by rank",
    "compare-many": "compare qrels.txt marathon.run sprinter.run plain.run",
    "compare-baseline": "compare qrels.txt marathon.run sprinter.run plain.run --baseline plain -m nDCG@10,AP",
    "explain": "explain qrels.txt sprinter.run --topic 1 -m nDCG@10",
    "explain-compare": "explain qrels.txt sprinter.run --topic 1 -m nDCG@10 --compare marathon.run",
    "curve": "curve qrels.txt marathon.run sprinter.run -m P@5,10",
    "check": "check qrels.txt marathon.run sprinter.run",
    "gate-pass": "gate qrels.txt marathon.run sprinter.run -m nDCG@10,RR --margin 0.01",
    "gate-fail": "gate qrels.txt sprinter.run marathon.run -m nDCG@10,RR --margin 0.01",
    "gate-cannot-tell": "gate qrels.txt marathon.run sprinter.run -m P@10 --margin 0.01",
}


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_of_80_columns_is_as_it_was_stored(name, gainful, monkeypatch):
    monkeypatch.chdir(DATA)
    made = gainful(*SCREENS[name].split())
    assert [line for line in made.out.splitlines() if width(line) > 80] == []
    screen = f"$ gainful {SCREENS[name]}\n{made.out}"
    path = STORED / f"{name}.txt"
    if os.environ.get("GAINFUL_STORE"):  # the way to store it anew, after the change was looked at
        path.write_text(screen, encoding="utf-8")
    assert screen == path.read_text(encoding="utf-8"), (
        "look at the change; then GAINFUL_STORE=1 stores the screen anew"
    )


def test_long_names_are_cut_and_wide_shows_them_whole(gainful, monkeypatch, tmp_path):
    monkeypatch.chdir(DATA)
    long = tmp_path / "a-run-whose-name-tells-all-about-how-it-was-made-and-by-whom.run"
    long.write_text((DATA / "plain.run").read_text())
    command = ["compare", "qrels.txt", "marathon.run", str(long), "sprinter.run", "--view", "pairs"]
    narrow, wide = gainful(*command), gainful(*command, "--wide")
    assert max(map(width, narrow.out.splitlines())) <= 80
    assert re.search(r"a-run-\S*…\S*whom", narrow.out)
    assert "detectable" not in narrow.out
    table = wide.out.split("\n\n")[1]
    assert table.splitlines()[0].endswith("topics needed")
    assert long.stem in table


@pytest.mark.parametrize(("no_colour", "colours"), [("", True), ("1", False)])
def test_a_terminal_gets_colours_unless_no_color_is_set(no_colour, colours, monkeypatch):
    from gainful.cli.commands import screen

    monkeypatch.setenv("NO_COLOR", no_colour)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert screen(None, wide=False).colours == colours
    assert not screen("file.txt", wide=False).colours


def test_of_all_control_sequences_only_colours_reach_a_terminal():
    from gainful.cli.commands import _with_colours
    from gainful.errors import printable
    from gainful.presentation.text_style import BETTER, Screen

    text = Screen(colours=True).coloured("+0.1", BETTER) + "\x1b[2J"
    assert _with_colours(printable(text)) == "\x1b[32m+0.1\x1b[0m\\x1b[2J"


def test_notes_fill_the_width_of_a_terminal_and_stay_one_line_elsewhere(monkeypatch, capsys):
    from gainful.cli import say

    note = "note: " + "word " * 30 + "end"
    say(note)
    assert capsys.readouterr().err == f"{note}\n"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    say(note)
    lines = capsys.readouterr().err.splitlines()
    assert max(map(len, lines)) <= 60
    assert [line.startswith("  ") for line in lines] == [False, True, True]
    assert " ".join(" ".join(lines).split()) == note
