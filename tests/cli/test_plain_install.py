"""What `pip install gainful` gives: the everyday commands run on the packages of a plain install, without any extra."""

import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BUNDLED = [str(ROOT / "examples" / "data" / name) for name in ("qrels.txt", "marathon.run", "sprinter.run")]
GUARD = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"a plain install has no {{name}}", name=name)
sys.meta_path.insert(0, Missing())
"""


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def installed_with(requirements: list[str]) -> set[str]:
    """Names of the packages that these requirements bring in, with those that they require themselves."""
    names: set[str] = set()
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        requirement = waiting.pop()
        if normal(requirement.name) not in names and (
            requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        ):
            names.add(normal(requirement.name))
            waiting += map(Requirement, metadata.requires(requirement.name) or ())
    return names


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """Runs a command in a folder of its own, where no package can be imported that a plain install does not have."""
    folder = tmp_path_factory.mktemp("plain")
    there = installed_with(PROJECT["dependencies"]) | {"gainful"}
    missing = {
        module
        for module, packages in metadata.packages_distributions().items()
        if there.isdisjoint(map(normal, packages))
    }
    assert {"pyarrow", "pandas", "isal", "arro3"} <= missing
    (folder / "sitecustomize.py").write_text(GUARD.format(missing=missing), encoding="utf-8")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", "from gainful.cli import main; main()", *words],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.parametrize(
    "words",
    [
        ("check", *BUNDLED),
        ("evaluate", *BUNDLED),
        ("compare", *BUNDLED, "--readers"),
        ("gate", *BUNDLED, "-m", "nDCG@10", "--margin", "0.01"),
        ("curve", *BUNDLED, "-m", "nDCG", "--chart", "ndcg.svg"),
        ("explain", *BUNDLED[:2], "--topic", "1", "-m", "nDCG@10"),
        ("report", *BUNDLED, "-o", "report.html"),
        ("filter", "demo"),
    ],
    ids=lambda words: words[0],
)
def test_a_plain_install_is_enough_for(words, plain):
    done = plain(*words)
    assert done.returncode == 0, done.stderr
    assert "pip install" not in done.stderr


def test_what_an_extra_is_for_names_the_extra(plain):
    done = plain("convert", BUNDLED[1], "marathon.parquet")
    assert done.returncode == 2
    assert "pip install 'gainful[parquet]'" in done.stderr
