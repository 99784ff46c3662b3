"""Modules of `gainful.integrations` whose tool is not installed are left out of the doctests; `make integrations` has all."""

import ast
from importlib.util import find_spec
from pathlib import Path

INTEGRATIONS = Path(__file__).parent / "src" / "gainful" / "integrations"


def pytest_ignore_collect(collection_path):
    """Leave out a module that imports what is not there."""
    if not collection_path.is_relative_to(INTEGRATIONS) or collection_path.suffix != ".py":
        return None
    imported = set()
    for node in ast.parse(collection_path.read_text()).body:
        if isinstance(node, ast.Import):
            imported |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module.partition(".")[0])
    return True if any(find_spec(name) is None for name in imported) else None
