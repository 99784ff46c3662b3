"""Triton where it is installed; where it is not, kernels can be read but are never run."""

from importlib import import_module
from typing import Any


def _found(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None


triton: Any = _found("triton")
tl: Any = _found("triton.language")


def jit(function: Any) -> Any:
    """The function as a kernel, or as it is."""
    return function if triton is None else triton.jit(function)
