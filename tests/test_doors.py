"""Packages import their names when these are asked for; one list of them, the stub beside `__init__.py`, is all there is."""

import ast
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import gainful

ROOT = Path(gainful.__file__).parent
STUBS = {
    "gainful" if stub.parent == ROOT else f"gainful.{stub.parent.name}": stub
    for stub in sorted(ROOT.rglob("__init__.pyi"))
    if "attach_stub" in stub.with_suffix(".py").read_text()  # that of the measures holds their types
}


def homes(package):
    """The public names of a package and the modules they live in, as its stub says."""
    imports = [
        node for node in ast.parse(STUBS[package].read_text()).body if isinstance(node, ast.ImportFrom)
    ]
    return {alias.name: f"{package}.{node.module}" for node in imports for alias in node.names}


def test_there_are_stubs():
    assert {"gainful", "gainful.batch", "gainful.judging", "gainful.spark"} <= set(STUBS)


@pytest.mark.parametrize("package", STUBS)
def test_every_public_name_is_what_its_module_holds_and_there_is_no_other(package):
    module = import_module(package)
    names = homes(package)
    assert set(module.__all__) == set(names) <= set(dir(module))
    for name, home in names.items():
        assert getattr(module, name) is getattr(import_module(home), name)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = module.nonsense


@pytest.mark.parametrize("package", [package for package in STUBS if package != "gainful.spark"])
def test_importing_a_package_loads_none_of_its_modules(package):
    code = f"import sys, json, {package}; json.dump([*sys.modules], sys.stdout)"
    loaded = json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
    assert not set(homes(package).values()) & set(loaded)
    assert "numpy" not in loaded


def test_a_measure_is_a_name_of_the_package_too():
    assert gainful.nDCG is import_module("gainful.measures").nDCG
    assert "nDCG" in dir(gainful)
    assert "nDCG" not in gainful.__all__
