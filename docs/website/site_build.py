"""The site: pages of docs, pages made from the code, and Zensical, which makes HTML of them and checks every link."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from docs.website import browser_report_page
from docs.website.command_page import command_pages
from docs.website.contents import CARRIED, MOVED, SECTIONS
from docs.website.interface_page import interface_pages
from docs.website.link_check import broken
from docs.website.measure_page import groups, measure_pages
from docs.website.schema_page import schema_pages

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LINK = re.compile(r"(?<!!)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
MEASURE = re.compile(r"measures/index\.md#(\w+)")
MADE = {
    "measures": measure_pages,
    "commands": command_pages,
    "python": interface_pages,
    "schemas": schema_pages,
}
"""Folders of pages that are made from the code, and what makes them."""


def build(target: Path) -> None:
    """Write the whole site into a folder, which is emptied first; an error where a link leads nowhere."""
    work = target.parent / f"{target.name}-work"
    shutil.rmtree(work, ignore_errors=True)
    stage(work)
    command = [
        sys.executable,
        "-m",
        "zensical",
        "build",
        "--strict",
        "--config-file",
        str(work / "zensical.toml"),
    ]
    done = subprocess.run(
        command, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(
            f"{done.stdout}{done.stderr}\nThe site was not built; its pages are in {work / 'pages'}."
        )
    if faults := broken(work / "site"):
        raise SystemExit("\n".join([*faults, f"The site was not built; its pages are in {work / 'pages'}."]))
    shutil.rmtree(target, ignore_errors=True)
    (work / "site").rename(target)
    shutil.rmtree(work)


def stage(work: Path) -> None:
    """What Zensical reads: pages, pictures, and its configuration with the contents."""
    pages = work / "pages"
    pages.mkdir(parents=True)
    for source in sources():
        place = pages / MOVED.get(source, Path(source).name)
        place.parent.mkdir(exist_ok=True)
        place.write_text(as_printed(moved(source, (ROOT / source).read_text("utf-8"))), "utf-8")
    made = {folder: make() for folder, make in MADE.items()}
    for folder, texts in made.items():
        (pages / folder).mkdir(exist_ok=True)
        for name, text in texts.items():
            (pages / folder / name).write_text(as_printed(text) if name.endswith(".md") else text, "utf-8")
    (pages / "index.md").write_text((HERE / "home.md").read_text("utf-8"), "utf-8")
    for picture in pictures():
        place = pages / picture.relative_to(ROOT / "docs")
        place.parent.mkdir(exist_ok=True)
        shutil.copy(picture, place)
    if not browser_report_page.place(pages / "browser"):
        print(
            "The page that reports in the browser has no Python beside it; `make pyodide` fetches it.",
            file=sys.stderr,
        )
    with zipfile.ZipFile(pages / CARRIED["examples/data"], "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((ROOT / "examples" / "data").rglob("*.*")):
            archive.write(file, file.relative_to(ROOT))
    for asset in (*HERE.glob("*.js"), *HERE.glob("*.css")):
        shutil.copy(asset, pages)
    configuration = (HERE / "zensical.toml").read_text("utf-8")
    head, theme = configuration.split("\n[project.plugins", 1)
    (work / "zensical.toml").write_text(f"{head}\nnav = {contents(made)}\n\n[project.plugins{theme}", "utf-8")


def sources() -> list[str]:
    """Files of the project that are pages of the site."""
    docs = [f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))]
    return [
        *(name for name in docs if name != "docs/measures.md"),
        *(name for name in MOVED if not name.startswith("docs/")),
    ]


def pictures() -> list[Path]:
    """Pictures beside the pages of docs, and data that they link to."""
    found = [path for kind in ("png", "svg", "csv") for path in (ROOT / "docs").rglob(f"*.{kind}")]
    return [path for path in found if HERE not in path.parents]


def moved(source: str, text: str) -> str:
    """The text of a page with its links leading to where other pages stand in the site."""
    here = MOVED.get(source, Path(source).name)

    def link(found: re.Match[str]) -> str:
        label, target = found[1], found[2]
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        path, _, anchor = target.partition("#")
        place = Path(os.path.normpath(Path(source).parent / path)).as_posix()
        if place.endswith(".md"):
            there = MOVED.get(place, Path(place).name if place.startswith("docs/") else "")
            if not there or not (place in MOVED or (ROOT / place).exists()):
                return label  # a file of the project that is no page
            to = MEASURE.sub(r"measures/\1.md", f"{there}#{anchor}") if anchor else there
            shown = _title(place) if label == Path(place).name else label
            return f"[{shown}]({os.path.relpath(to, Path(here).parent)})"
        if place in CARRIED:
            return f"[{label}]({os.path.relpath(CARRIED[place], Path(here).parent)})"
        return found[0] if place.startswith("docs/") and (ROOT / place).is_file() else label

    return LINK.sub(link, text)


def as_printed(text: str) -> str:
    """Sessions of Python as Python prints them: blank lines without the mark that doctest needs, answers not coloured as code."""
    return re.sub(r"(?m)^```python\n(?=>>> )", "```pycon\n", re.sub(r"(?m)^<BLANKLINE>$", "", text))


def _title(source: str) -> str:
    """What a page is called: a reader of the site sees no files."""
    return (ROOT / source).read_text("utf-8").partition("# ")[2].partition("\n")[0]


def contents(made: Mapping[str, Mapping[str, str]]) -> str:
    """The tabs and their pages in TOML; pages that are made come in the order in which they were made."""
    tabs = [{"Home": "index.md"}] + [{title: [*_entries(listed, made)]} for title, listed in SECTIONS.items()]
    return _toml(tabs)


def _entries(listed: list[str], made: Mapping[str, Mapping[str, str]]) -> Iterator[object]:
    for name in listed:
        if name == "measures/":
            yield "measures/index.md"
            for group, members in groups().items():
                yield {
                    f"{group[0].upper()}{group[1:]}": [
                        {member: f"measures/{member.lower()}.md"} for member in members
                    ]
                }
        elif name.endswith("/"):
            title = {"commands/": "Commands", "python/": "Python", "schemas/": "JSON"}[name]
            yield {title: [f"{name}{page}" for page in made[name.rstrip("/")] if page.endswith(".md")]}
        else:
            yield name


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return (
            "{ "
            + ", ".join(
                f"{json.dumps(key, ensure_ascii=False)} = {_toml(item)}" for key, item in value.items()
            )
            + " }"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
