"""The shape of the package in numbers: how many files there are, and how many of them a command passes through.

    python benchmarks/house.py [--names]

Only the standard library is used, so that another checkout can be measured with its own interpreter, or with
PYTHONPATH naming its src folder. What is counted:

files, lines, median, largest   Python files of the package
repeated names                  module names (without folders and leading underscores) that stand more than once
opens of a run                  how often a command opens a run, the most of any (heard by an audit hook)
functions, modules              functions of the package that a command calls, and the files they stand in; what is
                                called while modules are imported does not count, nor do comprehensions
recording                       functions of `programs`, which record the measures for the core: not among the others
"""

from __future__ import annotations

import collections
import contextlib
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import CodeType, FrameType

DATA = Path(__file__).resolve().parent.parent / "examples" / "data"
QRELS, RUNS = DATA / "qrels.txt", (DATA / "sprinter.run", DATA / "marathon.run")
COMMANDS = {
    "evaluate": ["evaluate", str(QRELS), str(RUNS[0])],
    "plain compare": ["compare", str(QRELS), *map(str, RUNS)],
    "compare": ["compare", str(QRELS), *map(str, RUNS), "-m", "nDCG@10", "--readers", "--moved", "--unknown"],
    "report": ["report", str(QRELS), *map(str, RUNS), "-o", "REPORT"],
}
PASSED = ("evaluate", "report")


def shape(package: Path) -> dict[str, object]:
    """Files, lines and names of the package in this folder."""
    files = sorted(package.rglob("*.py"))
    lines = {file: len(file.read_text("utf-8").splitlines()) for file in files}
    names = collections.Counter(file.stem.lstrip("_") for file in files if file.stem != "__init__")
    largest = max(files, key=lines.__getitem__)
    return {
        "files": len(files),
        "lines": sum(lines.values()),
        "median lines": statistics.median(lines.values()),
        "largest": f"{largest.relative_to(package)} ({lines[largest]})",
        "repeated names": {name: count for name, count in names.most_common() if count > 1},
    }


def importing(frame: FrameType | None) -> bool:
    """Whether this frame was called by an import."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def traced(name: str) -> dict[str, object]:
    """One command in this process: which functions of the package it calls, and how often it opens each run."""
    import gainful

    home = str(Path(gainful.__file__).parent) + os.sep
    codes: set[CodeType] = set()
    opens: collections.Counter[str] = collections.Counter()
    wanted = {str(run) for run in RUNS}

    def called(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or code in codes or not code.co_filename.startswith(home):
            return
        if (code.co_name == "<lambda>" or not code.co_name.startswith("<")) and not importing(frame):
            codes.add(code)

    def heard(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
            opened = os.fsdecode(arguments[0])
            if opened in wanted:
                opens[opened] += 1

    from gainful.cli import run

    with tempfile.TemporaryDirectory() as folder:
        words = [str(Path(folder) / "page.html") if word == "REPORT" else word for word in COMMANDS[name]]
        sys.addaudithook(heard)
        quiet = io.TextIOWrapper(io.BytesIO(), "utf-8")
        with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(io.StringIO()):
            threading.setprofile(called)
            sys.setprofile(called)
            try:
                code = run(words)
            finally:
                sys.setprofile(None)
                threading.setprofile(None)
    if code != 0:
        raise SystemExit(f"{name} ended with {code}")
    recording = {code for code in codes if code.co_filename.startswith(f"{home}programs{os.sep}")}
    codes -= recording
    return {
        "opens of a run": max(opens.values(), default=0),
        "functions": len(codes),
        "modules": len({code.co_filename for code in codes}),
        "recording": len(recording),
        "names": sorted(f"{code.co_filename.removeprefix(home)}:{code.co_qualname}" for code in codes),
    }


def main() -> None:
    """Print the numbers; every command runs in a process of its own."""
    if len(sys.argv) > 2 and sys.argv[1] == "--trace":
        print(json.dumps(traced(sys.argv[2])))
        return
    import gainful

    found: dict[str, object] = {"package": shape(Path(gainful.__file__).parent)}
    for name in COMMANDS:
        made = subprocess.run(
            [sys.executable, __file__, "--trace", name], capture_output=True, text=True, check=False
        )
        if made.returncode:
            raise SystemExit(made.stderr)
        counts = json.loads(made.stdout.splitlines()[-1])
        if "--names" not in sys.argv:
            del counts["names"]
        if name not in PASSED:
            del counts["functions"], counts["modules"], counts["recording"]
        found[name] = counts
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
