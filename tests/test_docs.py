"""What the docs say is what the code does."""

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
