import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gainful.cli import run

DATA = Path(__file__).parent.parent.parent / "examples" / "data" / "seeds"


@pytest.fixture
def seeds() -> Path:
    """The worked examples as files."""
    return DATA


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Callable[..., dict]:
    """What a command prints as JSON."""

    def call(*words: object) -> dict:
        assert run([*map(str, words), "-f", "json"]) == 0
        return json.loads(capfd.readouterr().out)

    return call
