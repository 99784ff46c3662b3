"""Draw the pictures of docs/teaching.md and docs/filtering.md again, by the commands that stand there."""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PAGES = ("teaching", "filtering")
"""Each has its pictures in a folder of its name."""
MAIN = [sys.executable, "-c", "from gainful.cli import main; main()"]


def commands(page: str) -> list[tuple[str, list[str]]]:
    """Each command of the page, and the lines that it prints there."""
    told: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```", _text(page), re.M | re.S):
        for line in block.splitlines():
            if line.startswith("$ gainful "):
                told.append((line.removeprefix("$ gainful "), []))
            else:
                told[-1][1].append(line)
    return told


def pictures(page: str) -> list[str]:
    """The pictures of the page."""
    return re.findall(rf"\]\(({page}/[^)]+)\)", _text(page))


def _text(page: str) -> str:
    return (HERE / f"{page}.md").read_text(encoding="utf-8")


def draw(page: str, folder: Path) -> None:
    """Run every command of the page in the folder, where it leaves its pictures."""
    (folder / "examples").symlink_to(HERE.parent / "examples")
    for command, _ in commands(page):
        subprocess.run([*MAIN, *shlex.split(command)], cwd=folder, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    for page in PAGES:
        with tempfile.TemporaryDirectory() as made:
            draw(page, Path(made))
            for picture in pictures(page):
                [drawn] = Path(made).rglob(Path(picture).name)
                (HERE / picture).parent.mkdir(exist_ok=True)
                (HERE / picture).write_bytes(drawn.read_bytes())
