"""Brief: a result whose repr fits on a screen, whatever it holds."""

from __future__ import annotations

import reprlib
from dataclasses import fields
from typing import Any


class Brief:
    """For dataclasses that hold much (declare them with repr=False): the repr names every field and cuts long values.

    >>> from dataclasses import dataclass
    >>> @dataclass(repr=False)
    ... class Ranks(Brief):
    ...     run: str
    ...     ranks: list[int]
    >>> Ranks("bm25", list(range(1000)))
    Ranks(run='bm25', ranks=[0, 1, 2, ...])
    """

    __slots__ = ()

    def __repr__(self) -> str:
        held = (f"{field.name}={_SHORT.repr(getattr(self, field.name))}" for field in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(held)})"


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 2
        self.maxtuple = self.maxlist = self.maxdict = 3
        self.maxstring = self.maxother = 50

    def repr_ndarray(self, array: Any, level: int) -> str:  # noqa: ARG002 (the name by which reprlib finds it)
        return f"<array: {' × '.join(map(str, array.shape))}>"

    def repr_instance(self, value: Any, level: int) -> str:
        return " ".join(super().repr_instance(value, level).split())


_SHORT = _Short()
