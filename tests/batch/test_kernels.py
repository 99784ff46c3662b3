"""The kernels give what the plain path gives: on a GPU where there is one, and step by step in Triton's interpreter."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[2] / "benchmarks" / "support" / "kernels_check.py"


@pytest.fixture(autouse=True)
def torch():
    """Imported by the one worker that runs these tests, as it takes seconds."""
    pytest.importorskip("triton", reason="Triton is not installed: no kernels")
    return pytest.importorskip("torch")


def checked(device, **environment):
    command = [sys.executable, str(CHECK), device]
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "equal" in done.stdout


def test_kernels_agree_in_the_interpreter():
    checked("cpu", TRITON_INTERPRET="1")


def test_kernels_agree_on_the_gpu(torch):
    if not torch.cuda.is_available():
        pytest.skip("no GPU here")
    checked("cuda")
