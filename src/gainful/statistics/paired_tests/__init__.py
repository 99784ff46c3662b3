"""Paired tests of the difference between two systems, one file each; all two-sided.

A test is a function of a `PairedSample` that gives a p-value for each pair, made known by `@paired_test`. Its file is named
as the test, and no list is kept. A test of one's own is one file anywhere: import it, or name it by its path,
as in `compare(…, test="median_test.py")` and `gainful compare --test median_test.py`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module, util
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gainful.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gainful.statistics.resampling import Progress

    Floats = NDArray[np.float64]
    Index = NDArray[np.intp]

Way = Literal["formula", "exact", "flips", "resamples", "saddlepoint"]
"""How a p-value was found: by a formula, over all patterns of signs, from random flips or resamples, or by approximation."""


@dataclass(frozen=True, eq=False)
class PairedSample:
    """Pairs of systems on the same topics, and how much randomness a test may use.

    rows       systems × topics
    first      the first system of each pair
    second     the second one; differences are second − first
    weights    how much each topic counts; None where all count alike
    flips      sign flips to draw
    resamples  bootstrap resamples to draw
    seed       random seed
    resolve    the p-value that has to be distinguished from smaller ones; 0 if the given number of flips is to be used as is
    progress   called from time to time with how much is done
    """

    rows: Floats
    first: Index
    second: Index
    weights: Floats | None = None
    flips: int = 100_000
    resamples: int = 10_000
    seed: int = 0
    resolve: float = 0.0
    progress: Progress | None = None

    @cached_property
    def differences(self) -> Floats:
        """Pairs × topics, rounded to a grid so fine that only floating-point noise is lost."""
        from gainful.statistics.differences import differences

        return differences(self.rows, self.first, self.second)


@dataclass(frozen=True, eq=False)
class PValues:
    """p-values of pairs, how each was found, and from how many flips (None for tests without)."""

    p: Floats
    ways: NDArray[np.str_]
    flips: Index | None = None


Together = Callable[[Sequence[PairedSample]], list[PValues]]


@dataclass(frozen=True, eq=False)
class PairedTest:
    """A paired test.

    name       as `--test` takes it
    title      in words: "sign test"
    function   from a `PairedSample` to p-values
    smallest   from a `PairedSample` to the smallest p-value that the test can give each pair, however clear its differences
    draws      what its p-values are counted from: "flips", "resamples", or nothing
    patterns   whether it counts patterns of signs, so that n topics give no p-value under 2/2ⁿ
    weights    whether topics may have weights
    side       from differences to what the test sums, above 0 where it favours larger values; None for the mean
    together   from several samples to the p-values of each, where that is quicker than one after the other
    """

    name: str
    title: str
    function: Callable[[PairedSample], PValues | Floats]
    smallest: Callable[[PairedSample], Floats]
    draws: Literal["flips", "resamples"] | None = None
    patterns: bool = False
    weights: bool = False
    side: Callable[[Floats], Floats] | None = None
    together: Together | None = None

    def each(self, samples: Sequence[PairedSample]) -> list[PValues]:
        """p-values of every pair of each sample."""
        return [self(sample) for sample in samples] if self.together is None else self.together(samples)

    def __call__(self, sample: PairedSample) -> PValues:
        """p-values of every pair of the sample."""
        import numpy as np

        try:
            answer = self.function(sample)
            if isinstance(answer, PValues):
                return answer
            p = np.asarray(answer, np.float64)
        except Exception as error:
            if self.function.__module__.startswith(__name__):
                raise
            raise UsageError(f"test {self.name}: {type(error).__name__}: {error}") from error
        if p.shape != sample.first.shape or not ((p >= 0) & (p <= 1)).all():
            raise UsageError(
                f"test {self.name} must give a p-value between 0 and 1 for each of {len(sample.first):,} pairs."
            )
        return PValues(p, np.full(len(p), self.draws or "formula"))


_KNOWN: dict[str, PairedTest] = {}


def paired_test(
    title: str,
    *,
    smallest: Callable[[PairedSample], Floats] | float = 0.0,
    draws: Literal["flips", "resamples"] | None = None,
    patterns: bool = False,
    weights: bool = False,
    side: Callable[[Floats], Floats] | None = None,
    together: Together | None = None,
) -> Callable[[Callable[[PairedSample], PValues | Floats]], PairedTest]:
    """Make a test of a function from a `PairedSample` to p-values; the function's name is the test's.

    title     in words: "sign test"
    smallest  the smallest p-value it can give, for each pair of a sample or as a number; 0 where there is no such limit
    draws     what its p-values are counted from: "flips", "resamples", or nothing
    patterns  whether it counts patterns of signs, so that n topics give no p-value under 2/2ⁿ
    weights   whether it takes weights of topics
    side      of differences, what it sums: above 0 where it favours larger values; None for a test of the mean
    together  of several samples, where that is quicker than one after the other: as the function says of each alone
    """

    def register(function: Callable[[PairedSample], PValues | Floats]) -> PairedTest:
        test = PairedTest(
            function.__name__, title, function, _of_each(smallest), draws, patterns, weights, side, together
        )
        _KNOWN[test.name] = test
        return test

    return register


def _of_each(smallest: Callable[[PairedSample], Floats] | float) -> Callable[[PairedSample], Floats]:
    if callable(smallest):
        return smallest

    def constant(sample: PairedSample) -> Floats:
        import numpy as np

        return np.full(len(sample.first), float(smallest))

    return constant


def names() -> list[str]:
    """Every test there is, by name.

    >>> names()
    ['bootstrap', 'sign', 'signflip', 't', 'wilcoxon']
    """
    import pkgutil

    files = {info.name for info in pkgutil.iter_modules(__path__)}
    return sorted(files | set(_KNOWN))


def get(name: str) -> PairedTest:
    """The test of that name, or the one that a Python file defines.

    >>> get("sign").title
    'sign test'
    """
    if name.endswith(".py"):
        return _in_file(Path(name))
    if name not in _KNOWN and name in names():
        import_module(f"{__name__}.{name}")
    if name not in _KNOWN:
        near = difflib.get_close_matches(name, names(), 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UsageError(
            f"test must be one of {', '.join(names())}, or a Python file that defines one; got {name!r}.{hint}"
        )
    return _KNOWN[name]


def _in_file(path: Path) -> PairedTest:
    """The last test that the file defines; one of the same name is replaced."""
    spec = util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise UsageError(f"{path}: there is no such file to take a test from.")
    before = dict(_KNOWN)
    try:
        spec.loader.exec_module(util.module_from_spec(spec))
    except Exception as error:  # whatever the user's own code does
        raise UsageError(f"{path}: {type(error).__name__}: {error}") from error
    added = [test for name, test in _KNOWN.items() if before.get(name) is not test]
    if not added:
        raise UsageError(
            f"{path} defines no test; decorate a function with gainful.statistics.paired_tests.paired_test."
        )
    return added[-1]
