"""Charts of a profile as pictures: drawn by another process, kept while the profile stays as it is."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from threading import Lock

import msgspec

from gainful.presentation.chart_painter import Painter
from gainful.presentation.chart_parts import Spec
from gainful.presentation.page_theme import placed

_MOST = 200  # pictures that are kept; one has some 20 kB


class Pictures:
    """Draws charts, and keeps those drawn last."""

    def __init__(self) -> None:
        self._painter: Painter | None = None
        self._starting = Lock()
        self._drawn: OrderedDict[bytes, str] = OrderedDict()

    async def svg(self, spec: Spec, name: str) -> str:
        """The chart as SVG that can stand in a page under this name."""
        key = hashlib.sha256(name.encode() + b"\0" + msgspec.json.encode(spec)).digest()
        if key not in self._drawn:
            drawn = await asyncio.wrap_future(self._ready().svg(spec))
            self._drawn[key] = placed(drawn, name)
        self._drawn.move_to_end(key)
        while len(self._drawn) > _MOST:
            self._drawn.popitem(last=False)
        return self._drawn[key]

    def _ready(self) -> Painter:
        with self._starting:
            if self._painter is None:
                self._painter = Painter(bundle=False)
            return self._painter

    def close(self) -> None:
        """End the process that draws."""
        if self._painter is not None:
            self._painter.__exit__(None, None, None)
            self._painter = None
