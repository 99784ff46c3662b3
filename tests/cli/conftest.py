"""The command line called in this process; small judgments and runs, and a filter in use."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gainful.cli import run

from .stream import STREAM, lines

QRELS = """\
1 0 a 2
1 0 b 0
1 0 c 1
2 0 a 1
2 0 x 0
"""

RUN = """\
1 Q0 a 1 3.0 tag
1 Q0 u 2 2.0 tag
1 Q0 c 3 1.0 tag
2 Q0 x 1 2.5 tag
2 Q0 a 2 1.5 tag
"""


@dataclass
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def qrels(tmp_path: Path) -> str:
    path = tmp_path / "qrels.txt"
    path.write_text(QRELS)
    return str(path)


@pytest.fixture
def good_run(tmp_path: Path) -> str:
    path = tmp_path / "good.run"
    path.write_text(RUN)
    return str(path)


@pytest.fixture
def gainful(capfd: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def call(*arguments: object) -> Outcome:
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return call


@pytest.fixture
def state(tmp_path, monkeypatch, gainful):
    """A state with one profile, named in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GAINFUL_STATE", "my.filter")
    (tmp_path / "stream.jsonl").write_text(lines(STREAM))
    assert gainful("filter", "init").code == 0
    made = gainful(
        "filter", "profile", "add", "cocoa", "cocoa and its harvest", "--rule", "fixed(theta=0.05)"
    )
    assert made.out == "Profile cocoa looks for: cocoa, harvest.\n"
    return tmp_path


@pytest.fixture
def use(gainful):
    """A command of a filter in use that ends well; what it printed."""

    def call(*words):
        done = gainful("filter", *words)
        assert done.code == 0, done.err
        return done.out

    return call


@pytest.fixture
def full(state, use):
    """The same state after the stream."""
    use("ingest", "stream.jsonl")
    return state
