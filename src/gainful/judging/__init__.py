"""Runs meet judgments: order, ties, unjudged documents and missing topics are settled here, once.

After it no measure sees an id, a score or a file; a `JudgedRun` is all there is.
Names are imported when they are asked for, so that this package costs nothing before it is used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
