"""Packages import their names when these are asked for."""

from importlib import import_module

import pytest

PACKAGES = ("batch", "comparisons", "curves", "explaining", "filtering", "judging", "reports", "spark")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_there_and_no_other(package):
    module = import_module(f"gainful.{package}")
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        assert getattr(module, name) is getattr(module, name)
    with pytest.raises(AttributeError, match=f"module 'gainful.{package}' has no attribute 'nonsense'"):
        _ = module.nonsense
