"""Strategies: which documents a study asks about next. One file for each; each registers itself.

    depth      every document down to a rank
    sample     documents drawn by chance, each with a known probability
    adaptive   documents of the runs that have found most so far
    decide     documents that can change the difference of two runs most

A strategy is written `name:parameters`, such as depth:20. One's own is registered by an import, with `@pool_strategy`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from hashlib import blake2b
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.unjudged.evidence import Evidence
from gainful.errors import UsageError
from gainful.formats.ids import shown, to_bytes
from gainful.measures import Measure
from gainful.studies.candidates import best_ranks, pairs_of, topic_numbers

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Situation:
    """What a strategy knows when it chooses: the candidates, what is judged, and how many documents are wanted.

    evidence    the documents of every topic, their ranks in every run, and the grades known by now
    asked       rows that are in the pool already, whether or not they have been judged
    parameters  of the strategy, as they were written behind its name
    batch       the number of the batch, from 1
    size        documents wanted in this batch; None where the strategy has its own size
    measure     the measure to decide
    compared    numbers of the two runs to decide between, baseline first; None where there are none
    seed        random seed of the study
    labels      by a model, for every row; NaN where it gave none, None where no labels were given
    """

    evidence: Evidence
    asked: Flags
    parameters: str
    batch: int
    size: int | None
    measure: Measure
    compared: tuple[int, int] | None
    seed: int
    labels: Floats | None = None

    @cached_property
    def free(self) -> Flags:
        """Rows that may be asked for: neither judged nor in the pool, and in one of the runs."""
        return np.asarray((self.evidence.grade < 0) & ~self.asked & np.isfinite(self.best_rank))

    @cached_property
    def best_rank(self) -> Floats:
        """The best rank of every row in any run."""
        return best_ranks(self.evidence)

    @cached_property
    def topic(self) -> NDArray[np.int64]:
        """The number of the topic of every row."""
        return topic_numbers(self.evidence)

    @cached_property
    def uniform(self) -> Floats:
        """A random number from 0 to 1 for every row, the same whenever this study asks."""
        return permanent_numbers(pairs_of(self.evidence), self.seed)

    def best_place(self, row: int) -> str:
        """Where a document ranks best, in words: rank 3 of bm25."""
        ranks = self.evidence.ranks[:, row]
        run = int(np.argmin(ranks))
        return f"rank {int(ranks[run])} of {self.evidence.names[run]}"


@dataclass(frozen=True)
class Choice:
    """A document that a strategy chose: its row, why, and where it was drawn by chance, from what."""

    row: int
    reason: str
    stratum: str = ""


Choose = Callable[[Situation], Sequence[Choice]]
Probabilities = Callable[[Situation], Floats]


@dataclass(frozen=True)
class Strategy:
    """A way of choosing documents.

    name           as it is written before the colon
    choose         the documents of a batch, those that matter most first
    probabilities  for every row, how likely it was in the pool by the end of this batch, whatever the judgments were;
                   None where documents are not drawn by chance
    adaptive       whether what was judged decides what comes next
    pair           whether it needs two runs to decide between
    """

    name: str
    choose: Choose
    probabilities: Probabilities | None = None
    adaptive: bool = False
    pair: bool = False


_KNOWN: dict[str, Strategy] = {}


def pool_strategy(
    name: str, *, probabilities: Probabilities | None = None, adaptive: bool = False, pair: bool = False
) -> Callable[[Choose], Choose]:
    """Make a strategy of a function from a `Situation` to the documents that it chooses."""

    def register(choose: Choose) -> Choose:
        _KNOWN[name] = Strategy(name, choose, probabilities, adaptive, pair)
        return choose

    return register


def strategy_of(text: str) -> tuple[Strategy, str]:
    """The strategy that a text names, and its parameters.

    >>> strategy, parameters = strategy_of("depth:20")
    >>> strategy.name, parameters
    ('depth', '20')
    """
    _load()
    names = sorted(_KNOWN, key=len, reverse=True)
    name = next((name for name in names if text == name or text.startswith(f"{name}:")), None)
    if name is None:
        near = [*get_close_matches(text, names, 1), *get_close_matches(text.rpartition(":")[0], names, 1)]
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UsageError(f"no strategy '{shown(text)}'; there are {', '.join(sorted(_KNOWN))}.{hint}")
    return _KNOWN[name], text[len(name) + 1 :]


@cache
def _load() -> None:
    """Import every file of strategies, which registers what is in it."""
    for info in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{info.name}")


def share_or_count(text: str, what: str) -> tuple[float, bool]:
    """A positive number, and whether it is a share: 20 % is (0.2, True).

    >>> share_or_count("20%", "size"), share_or_count("3", "size")
    ((0.2, True), (3.0, False))
    """
    is_share = text.strip().endswith("%")
    try:
        number = float(text.strip().removesuffix("%")) / (100 if is_share else 1)
    except ValueError:
        number = -1.0
    if not 0 < number < np.inf or (is_share and number > 1):
        raise UsageError(
            f"{what} must be a number above 0, or a share of 100% at the most, such as 20%; got {text!r}."
        )
    return number, is_share


def permanent_numbers(pairs: Sequence[tuple[str, str]], seed: int) -> Floats:
    """A random number from 0 to 1 for each topic and document, which depends on nothing but these and the seed.

    Because they stay, a larger sample holds the smaller one (permanent random numbers: Ohlsson 1995).
    """
    key = seed.to_bytes(16, "big")
    hashes = (
        blake2b(to_bytes(topic) + b"\0" + to_bytes(document), digest_size=8, key=key).digest()
        for topic, document in pairs
    )
    whole = np.frombuffer(b"".join(hashes), ">u8")
    return np.asarray((whole >> np.uint64(11)) * 2.0**-53)
