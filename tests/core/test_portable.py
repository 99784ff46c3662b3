"""The native core compiles without a warning with g++, with other compilers and libraries, and for Windows (make compilers)."""

import shutil
import subprocess
import sysconfig
from pathlib import Path

import nanobind
import pytest

ROOT = Path(__file__).parents[2]
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fvisibility=hidden")
# Python's headers are those of this system; its own for Windows do not ask for this one.
SELECT = "typedef struct { int count; } fd_set;\n"


def command(*names: str) -> str:
    """The first of these compilers that is installed."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"no {names[0]}; `make compilers` installs it")
    return found


@pytest.mark.parametrize(
    ("names", "options"),
    [
        (("g++",), ()),
        (("clang++", "clang++-16"), ()),
        (("clang++", "clang++-16"), ("-stdlib=libc++",)),  # as on macOS
        (("x86_64-w64-mingw32-g++-posix",), ()),
    ],
    ids=["gcc", "clang", "clang with libc++", "mingw"],
)
def test_the_core_compiles_without_a_warning(names, options, tmp_path):
    compiler = command(*names)
    together, headers = tmp_path / "core.cpp", tmp_path / "headers"
    # All files as one, which takes a quarter of the time, but for the one that reads a system's own headers.
    files = sorted(set((ROOT / "native").glob("*.cpp")) - {ROOT / "native" / "platform.cpp"})
    together.write_text("".join(f'#include "{file}"\n' for file in files), encoding="utf-8")
    (headers / "sys").mkdir(parents=True)
    if "mingw" in compiler:
        (headers / "sys" / "select.h").write_text(SELECT, encoding="utf-8")
    places = (str(headers), nanobind.include_dir(), sysconfig.get_path("include"))
    for file in (together, ROOT / "native" / "platform.cpp"):
        done = subprocess.run(
            [compiler, "-std=c++20", "-fsyntax-only", *WARNINGS, *options]
            + [word for place in places for word in ("-isystem", place)]
            + [str(file)],
            capture_output=True,
            text=True,
            check=False,
        )
        if "'charconv' file not found" in done.stderr or "'cstdint' file not found" in done.stderr:
            pytest.skip("clang has no libc++; `make compilers` installs it")
        assert done.returncode == 0, done.stderr
