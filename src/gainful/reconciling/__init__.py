"""Whose number it is: values that somebody shows, explained by dialects and conventions; and the way between two tools.

values ──▶ claims · judged run ──▶ readings (points in the space of conventions) ──▶ search ──▶ answers, in sentences
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
