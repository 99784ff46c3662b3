"""What several judges mean for the systems, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gainful.comparisons.judges.estimates import Chance
from gainful.comparisons.judges.results import Judges, Orders
from gainful.comparisons.pair import signed
from gainful.formats.ids import shown

_NAMED = 6
"""Swaps up to which each gets a sentence."""
_ROUNDING = 1e-9


def sentences(judges: Judges) -> Iterator[str]:
    """The answer in words: agreement, then the orders by each measure."""
    yield judges.agreement.sentence()
    for orders in judges.orders:
        yield _survival(orders, judges.chance)
        yield from _swaps(orders)


def _survival(orders: Orders, chance: Chance) -> str:
    """Whether the order survives.

    >>> from gainful.comparisons.judges.estimates import Estimate
    >>> from gainful.comparisons.judges.results import OrderPair
    >>> tau = Estimate(1.0, 0.5, 1.0)
    >>> one = OrderPair("AP", "ann", "ben", tau, tau, ())
    >>> print(_survival(Orders("AP", 3, 50, tau, tau, (one,), ()), Chance()))
    AP: the order of the 3 systems survives the change from ann to ben (tau 1.00, 95 % 0.50 to 1.00).
    """
    tau = f"tau {orders.tau_b.stated(chance, open=', ', close='')}"
    subject = f"{orders.measure}: the order of the {orders.systems} systems"
    if len(orders.pairs) == 1:
        pair = orders.pairs[0]
        first, second = shown(pair.first), shown(pair.second)
        if math.isnan(pair.tau_b.value):
            return f"{subject} cannot be compared between {first} and {second} ({tau})."
        survives = "survives" if orders.surviving else "does not survive"
        tied = orders.surviving and pair.tau_b.value < 1 - _ROUNDING
        but = ", but for systems that one of them has equal" if tied else ""
        return f"{subject} {survives} the change from {first} to {second}{but} ({tau})."
    return f"{subject} survives in {orders.surviving} of {len(orders.pairs)} pairs of judges (mean {tau})."


def _swaps(orders: Orders) -> Iterator[str]:
    """Pairs of systems on which judges differ, those most often agreed upon last."""
    split = [pair for pair in orders.of_systems if pair.split]
    split.sort(key=lambda pair: 0 if pair.unanimous is None else pair.unanimous)
    for pair in split[:_NAMED]:
        a, b = shown(pair.a), shown(pair.b)
        said = ", ".join(f"{shown(judge)} {signed(value)}" for judge, value in pair.differences.items())
        yield f"{orders.measure}: judges differ on {a} and {b} ({b} less {a}: {said})."
    if len(split) > _NAMED:
        yield f"{orders.measure}: judges differ on {len(split) - _NAMED:,} more pairs of systems."
