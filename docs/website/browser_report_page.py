"""The page of the site that makes a report in the browser: site/browser, with Pyodide, Gainful and what it needs beside it.

All of it is files of the site: nothing comes from another host. `make pyodide` fetches what is not of this project.
"""

from __future__ import annotations

import json
import shutil
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE, FETCHED, EXAMPLE = ROOT / "site" / "browser", ROOT / "build" / "pyodide", ROOT / "examples" / "data"
EXAMPLES = ("qrels.txt", "sprinter.run", "marathon.run", "plain.run")
RUNTIME = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
NUMPY = "node_modules/@emscripten-forge/numpy/pkg/*.tar.gz"
SITE_PACKAGES = "lib/python3.12/site-packages/"


def place(folder: Path) -> bool:
    """Write the page into a folder; False where Pyodide has not been fetched: the page then says what is missing."""
    shutil.copytree(PAGE, folder, ignore=shutil.ignore_patterns("python"))
    (folder / "example").mkdir()
    for name in EXAMPLES:
        shutil.copy(EXAMPLE / name, folder / "example")
    (folder / "example" / "files.json").write_text(json.dumps(EXAMPLES), encoding="utf-8")
    if not (FETCHED / ".installed").exists():
        return False
    modules = FETCHED / "node_modules"
    for target, source, names in (
        ("pyodide", modules / "pyodide", RUNTIME),
        *(
            ("vega", modules / name / "build", (f"{name}.min.js",))
            for name in ("vega", "vega-lite", "vega-embed")
        ),
    ):
        (folder / target).mkdir(exist_ok=True)
        for name in names:
            shutil.copy(source / name, folder / target)
    pack(folder / "site-packages.zip")
    return True


def pack(archive: Path) -> None:
    """Write Gainful, what it needs and the Python of the page into one archive, as they lie in site-packages."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packages:
        for wheel in sorted((FETCHED / "wheels").glob("*.whl")):
            _add_wheel(packages, wheel)
        _add_numpy(packages, next(FETCHED.glob(NUMPY)))
        for file in sorted((PAGE / "python").rglob("*.py")):
            packages.write(file, file.relative_to(PAGE / "python"))


def _add_wheel(packages: zipfile.ZipFile, wheel: Path) -> None:
    """What the wheel holds, without parts that were compiled for another machine: MarkupSafe has its own in Python too."""
    with zipfile.ZipFile(wheel) as opened:
        for name in opened.namelist():
            if not name.endswith((".so", "/")):
                packages.writestr(name, opened.read(name))


def _add_numpy(packages: zipfile.ZipFile, archive: Path) -> None:
    with tarfile.open(archive) as opened:
        for member in opened:
            held = opened.extractfile(member)
            if held and member.name.startswith(SITE_PACKAGES) and "/tests/" not in member.name:
                packages.writestr(member.name.removeprefix(SITE_PACKAGES), held.read())
