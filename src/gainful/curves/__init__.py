"""Curves: a measure going down the list, precision against recall; points first, pictures after.

`by_rank`, `precision_recall`, `raw_points`, `roc` and `effort` make them of scores; `curve` of judgments and runs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
