"""Dialects: what another tool prints under the name of a measure, as conventions of our own.

A dialect is one file in `tools`: the tool, its version, how it spells its measures, and for each of them the measure and the
settings that give its numbers. `find` gives a dialect by name, `evaluate` scores runs in it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
