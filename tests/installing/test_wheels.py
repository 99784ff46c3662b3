"""Each wheel in dist/ (make wheels), installed into an empty environment without a compiler: the surface, to the last bit."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from math import log2
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEWEST = max(file.stat().st_mtime for file in (ROOT / "src").rglob("*.py"))
WHEELS = sorted(wheel for wheel in (ROOT / "dist").glob("gainful-*.whl") if wheel.stat().st_mtime >= NEWEST)
BUNDLED = [
    str(ROOT / "examples" / "data" / name)
    for name in ("qrels.txt", "sprinter.run", "marathon.run", "plain.run")
]
MONDAY = ROOT / "examples" / "data" / "filter" / "monday.jsonl"
SMALL = """
import gainful
from gainful import AP, RBP, nDCG
scores = gainful.evaluate({"q": {"a": 3, "b": 2, "c": 1}}, {"q": {"x": 9, "a": 8, "c": 7.5}}, [nDCG @ 3, AP, "RR", RBP(p=0.5)])
print(*(value.hex() for value in scores.mean.values()))
"""
# x a c with a best list a b c, the gain of RBP being a share of the highest grade
EXPECTED = (
    (3 / log2(3) + 1 / log2(4)) / (3 + 2 / log2(3) + 1 / log2(4)),
    (1 / 2 + 2 / 3) / 3,
    1 / 2,
    (1 - 0.5) * (0.5 * 3 / 3 + 0.5**2 * 1 / 3),
)

pytestmark = pytest.mark.skipif(
    not WHEELS, reason="no wheels of this source in dist/; `make wheels` builds them"
)


def interpreter(wheel: Path) -> str:
    """A Python for this wheel: the one that runs the tests for the pure wheel, else the version in its name."""
    tag = re.search(r"-cp3(\d+)-", wheel.name)
    return sys.executable if tag is None else f"3.{tag[1]}"


class Installed:
    """An environment with one wheel and what it needs."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.wheel, self.folder = wheel, folder
        uv = str(Path(sys.executable).with_name("uv"))
        python = interpreter(wheel)
        if python != sys.executable:
            homes = sorted((Path.home() / ".pyenv" / "versions").glob(f"{python}.*/bin/python"))
            python = str(homes[-1]) if homes else python
        made = subprocess.run(
            [uv, "venv", "-q", "--python", python, folder], capture_output=True, check=False
        )
        if made.returncode:
            pytest.skip(f"no CPython {python} for {wheel.name}")
        install = [
            "pip",
            "install",
            "-q",
            "--system-certs",
            "--only-binary",
            ":all:",
            "--python",
            str(folder),
        ]
        subprocess.run([uv, *install, str(wheel), "numpy<2.5"], check=True)

    def run(self, *words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        """A command in the environment, with nothing else on the path: no compiler, no other Python."""
        program = self.folder / "bin" / words[0]
        environment = {"PATH": str(self.folder / "bin"), "HOME": str(self.folder), "LANG": "C.UTF-8"}
        assert shutil.which("cc", path=environment["PATH"]) is None
        done = subprocess.run(
            [str(program), *words[1:]],
            cwd=folder or self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done


@pytest.fixture(scope="module")
def environments(tmp_path_factory):
    """Each wheel's environment, made when it is first asked for."""
    made: dict[Path, Installed] = {}

    def environment(wheel: Path) -> Installed:
        if wheel not in made:
            made[wheel] = Installed(wheel, tmp_path_factory.mktemp(wheel.name.split("-")[2]) / "environment")
        return made[wheel]

    return environment


@pytest.fixture(params=WHEELS, ids=lambda wheel: wheel.name)
def installed(request, environments):
    return environments(request.param)


def test_the_version_says_which_core_runs_and_from_which_wheel(installed):
    said = installed.run("gainful", "--version").stdout.strip()
    core = "plain" if "none-any" in installed.wheel.name else "native"
    tag = installed.wheel.stem.split("-", 2)[2].split(".")[0]
    assert f" · {core} core · wheel " in said
    assert tag in said


def test_evaluate_compare_and_report_print_what_they_print_here_to_the_last_bit(installed, tmp_path):
    for words in (
        ("evaluate", *BUNDLED, "-q", "-f", "json"),
        ("compare", *BUNDLED, "-f", "json"),
        ("report", *BUNDLED, "-f", "json"),
        ("check", *BUNDLED),
        ("explain", *BUNDLED[:2], "--topic", "1", "-m", "nDCG@10", "-f", "json"),
    ):
        here = subprocess.run(
            [Path(sys.executable).with_name("gainful"), *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert scrubbed(installed.run("gainful", *words, folder=tmp_path).stdout) == scrubbed(here.stdout), (
            words
        )


def scrubbed(text: str) -> object:
    """Without the versions of the packages, which are those of the environment."""
    if not text.startswith("{"):
        return text
    return {key: value for key, value in json.loads(text).items() if key != "versions"}


def test_the_report_is_one_page_with_its_charts(installed):
    installed.run("gainful", "report", *BUNDLED, "-o", "report.html")
    page = (installed.folder / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") > 3
    assert "sprinter" in page


def test_the_plain_core_says_once_that_it_is_slow_and_the_native_one_says_nothing(installed):
    said = installed.run("gainful", "evaluate", *BUNDLED).stderr
    assert said.count("without its native core") == ("none-any" in installed.wheel.name)


def test_python_calls_give_what_the_formulas_give(installed):
    values = [
        float.fromhex(value) for value in installed.run("python", "-W", "ignore", "-c", SMALL).stdout.split()
    ]
    assert values == pytest.approx(EXPECTED, rel=1e-14)


def test_the_filter_delivers(installed):
    profile = ("garden", "gardening: flowers and vegetables, soil and compost, sowing and planting")
    for words in (("init",), ("profile", "add", *profile), ("ingest", str(MONDAY))):
        installed.run("gainful", "filter", *words, "--state", "my.filter")
    assert "mon-140g" in installed.run("gainful", "filter", "deliveries", "--state", "my.filter").stdout


def test_completion_and_help_come_with_the_wheel(installed):
    assert "_GAINFUL_COMPLETE" in installed.run("gainful", "completion", "bash").stdout
    assert "DCG(run) / DCG(ideal)" in installed.run("gainful", "measures", "nDCG").stdout


@pytest.mark.parametrize("wheel", WHEELS, ids=lambda wheel: wheel.name)
def test_a_wheel_holds_the_package_and_nothing_else(wheel):
    names = [name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith("/")]
    source = ROOT / "src" / "gainful"
    files = {f"gainful/{file.relative_to(source)}" for file in source.rglob("*") if file.is_file()}
    files = {name for name in files if "__pycache__" not in name}
    inside = {name for name in names if name.startswith("gainful/")}
    compiled = {name for name in inside if "/_native." in name and name.endswith(".so")}
    pure = "none-any" in wheel.name
    assert len(compiled) == (not pure)
    assert inside - compiled == files - ({"gainful/_core/_native.pyi"} if pure else set())
    # libraries that auditwheel would have put beside it: there are none
    assert {name.split("/")[0] for name in names} == {
        "gainful",
        f"gainful-{wheel.name.split('-')[1]}.dist-info",
    }
    assert wheel.stat().st_size < 2_500_000


def test_uv_runs_it_without_an_installation(tmp_path):
    uv = str(Path(sys.executable).with_name("uv"))
    wheel = next((wheel for wheel in WHEELS if f"cp3{sys.version_info.minor}" in wheel.name), WHEELS[-1])
    command = [uv, "tool", "run", "-q", "--system-certs", "--python", sys.executable, "--from", str(wheel)]
    done = subprocess.run(
        [*command, "gainful", "evaluate", *BUNDLED],
        env=os.environ | {"UV_TOOL_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "0.6879" in done.stdout
