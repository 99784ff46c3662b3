"""Doctests are searched in every module that can be imported here: PyTorch is no package that everybody has."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["gainful/batch/compiled_evaluation.py"]
