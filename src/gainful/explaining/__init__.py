"""Worked tables: how a number came about, document by document.

`explain` works out one topic of one run, `explain_difference` takes the difference of two runs apart, and `gains`
follows a list of gains that is written down by hand.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
