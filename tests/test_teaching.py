"""The pages with pictures: every command prints what stands there and draws the picture beside it."""

import re
import runpy
import shlex
from pathlib import Path

import pytest

from gainful.cli import run

ROOT = Path(__file__).parents[1]
TEACHING = runpy.run_path(str(ROOT / "docs" / "make_teaching.py"))
PAGES = TEACHING["PAGES"]
COMMANDS = [(page, *command) for page in PAGES for command in TEACHING["commands"](page)]


def words(svg):
    """What is written in a picture."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


@pytest.mark.parametrize(("page", "command", "printed"), COMMANDS, ids=lambda value: str(value)[:60])
def test_a_command_prints_and_draws_what_the_page_shows(page, command, printed, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    assert run(shlex.split(command)) == 0
    lines = iter(capfd.readouterr().out.splitlines())
    assert printed, "the page says nothing of what this command prints"
    for line in printed:
        assert line in lines, f"not printed, or in another order: {line}"
    for drawn in tmp_path.rglob("*.svg"):
        if f"{page}/{drawn.name}" in TEACHING["pictures"](page):
            stored = ROOT / "docs" / page / drawn.name
            assert words(drawn.read_text()) == words(stored.read_text()), "run `make teaching`"


@pytest.mark.parametrize("page", PAGES)
def test_every_picture_of_the_page_is_drawn_by_a_command_and_stored_and_no_other_is(page):
    named = " ".join(command for command, _ in TEACHING["commands"](page))
    pictures = TEACHING["pictures"](page)
    for picture in pictures:
        assert Path(picture).name in named or "garden-" in picture
    stored = {f"{page}/{path.name}" for path in (ROOT / "docs" / page).iterdir()}
    assert stored == set(pictures)
    assert sum((ROOT / "docs" / picture).stat().st_size for picture in pictures) < 400_000
