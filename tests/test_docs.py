"""What the docs say is what the code does."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_page_of_measures_is_made_from_the_measures():
    made = runpy.run_path(str(ROOT / "docs" / "make_measures.py"))["page"]()
    assert (ROOT / "docs" / "measures.md").read_text(encoding="utf-8") == made, "run `make docs`"


def test_the_index_shows_what_make_demo_prints():
    recipe = subprocess.run(
        ["make", "-n", "demo"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    command = next(line for line in recipe.splitlines() if "gainful evaluate" in line)
    arguments = command.split("gainful ", 1)[1].split()
    main = [sys.executable, "-c", "from gainful.cli import main; main()", *arguments]
    printed = subprocess.run(main, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert printed.strip() in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


def test_every_page_is_in_the_index():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {page.name for page in ROOT.glob("docs/*.md")} - {"index.md"}
    assert [name for name in sorted(pages) if f"]({name})" not in index] == []


def test_links_between_pages_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")]:
        for link in page.read_text(encoding="utf-8").split("](")[1:]:
            target = link.split(")")[0].split("#")[0]
            if target and not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


PLACE = re.compile(r"[\w/]+(?:\.(?:py|h|cpp|js)|/)")


def design_tables():
    """The words in backquotes of each row of a table of docs/design.md."""
    for line in (ROOT / "docs" / "design.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("|"):
            yield re.findall(r"`([^`]+)`", line), line


def test_every_place_that_the_design_names_is_there():
    places = 0
    for words, line in design_tables():
        folder = ROOT
        for word in filter(PLACE.fullmatch, words):
            there = [
                base / word for base in (ROOT / "src" / "gainful", ROOT, folder) if (base / word).exists()
            ]
            assert there, f"{word} is not there: {line}"
            folder, places = there[0].parent, places + 1
    assert places > 50


def test_every_function_that_the_design_places_in_a_file_is_there():
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    pairs = re.findall(r"`(\w+)` in `([\w/]+\.(?:py|cpp))`", text)
    assert len(pairs) >= 3
    for name, file in pairs:
        (path,) = (base / file for base in (ROOT, ROOT / "src" / "gainful") if (base / file).exists())
        assert re.search(rf"\b{name}\b", path.read_text(encoding="utf-8")), f"{name} is not in {file}"


def test_the_design_knows_every_room():
    home = ROOT / "src" / "gainful"
    rooms = {init.parent.relative_to(home).as_posix() for init in home.rglob("__init__.py")} - {"."}
    outer = {room.replace("/", ".") for room in rooms if "/" not in room or room.startswith("filtering/")}
    named = {word for words, _ in design_tables() for word in words}
    assert sorted(outer - named) == []
