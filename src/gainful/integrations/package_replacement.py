"""install_as: libraries that import another package get Gainful."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from gainful.errors import UsageError

REPLACED = {"pytrec_eval": "gainful.compat.pytrec_eval"}
"""The packages that can be replaced, and the modules here that have their calls."""


def install_as(name: str) -> ModuleType:
    """Put Gainful in place of another package in this process: whoever imports that package afterwards gets Gainful.

    name  pytrec_eval, which BEIR, MTEB and ir_measures import

    The package need not be installed. Call it before the libraries that use the package are imported: they would keep
    what they have, so that it is refused then.

        import gainful
        gainful.install_as("pytrec_eval")
        from beir.retrieval.evaluation import EvaluateRetrieval   # its evaluate() is now computed by Gainful
    """
    if name not in REPLACED:
        raise UsageError(f"Gainful cannot be installed as '{name}'; it can as {', '.join(REPLACED)}.")
    replacement = import_module(REPLACED[name])
    if sys.modules.get(name, replacement) is not replacement:
        raise UsageError(
            f"{name} is imported already, and libraries that did so would keep it; "
            f'call gainful.install_as("{name}") before them.'
        )
    sys.modules[name] = replacement
    return replacement
