"""Draw the pictures of docs/teaching.md again, by the commands that stand there."""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE / "teaching.md"
MAIN = [sys.executable, "-c", "from gainful.cli import main; main()"]


def commands() -> list[tuple[str, list[str]]]:
    """Each command of the page, and the lines that it prints there."""
    told: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S):
        for line in block.splitlines():
            if line.startswith("$ gainful "):
                told.append((line.removeprefix("$ gainful "), []))
            else:
                told[-1][1].append(line)
    return told


def pictures() -> list[str]:
    """The pictures of the page."""
    return re.findall(r"\]\((teaching/[^)]+)\)", PAGE.read_text(encoding="utf-8"))


def draw(folder: Path) -> None:
    """Run every command in the folder, where it leaves its pictures."""
    (folder / "examples").symlink_to(HERE.parent / "examples")
    for command, _ in commands():
        subprocess.run([*MAIN, *shlex.split(command)], cwd=folder, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        draw(Path(made))
        for picture in pictures():
            [drawn] = Path(made).rglob(Path(picture).name)
            (HERE / picture).write_bytes(drawn.read_bytes())
