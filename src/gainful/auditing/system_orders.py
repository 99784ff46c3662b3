"""Systems under people and under a model: whom the model favours, and whether their order survives.

For each system, the value by the model minus the value by people, less the mean of that over all systems, topic by topic:

    favour = mean over topics of (f − y) − mean over systems of (f − y)

so that a model that is merely lenient or strict with everybody favours nobody. Intervals are Student's t over topics, at a
confidence of 1 − α/s for s systems (Bonferroni), so that all of them hold together; of two systems, one is the other turned
round, and s is 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gainful.auditing.system_values import SystemValues
from gainful.auditing.turned_pairs import TurnedPair
from gainful.comparisons.judges import OrderPair
from gainful.comparisons.judges.agreement_coefficients import Floats
from gainful.comparisons.judges.judge_orders import orders_of
from gainful.comparisons.judges.topic_estimates import Chance
from gainful.formats.ids import shown
from gainful.measures import Measure
from gainful.presentation.page import Brief
from gainful.statistics import special
from gainful.statistics.resampling import Progress
from gainful.summaries import mean

PEOPLE, MODEL = "people", "the model"


@dataclass(frozen=True, slots=True)
class Favour:
    """What the model does for one system.

    people, model   mean value of the system by people's judgments and by the model's labels
    favour          how much more the model gives it than it gives the mean system
    low, high       interval that holds for all systems together; NaN where there is none
    p               two-sided p-value of no favour, times the number of systems
    """

    system: str
    people: float
    model: float
    favour: float
    low: float
    high: float
    p: float

    @property
    def direction(self) -> str:
        """Whether the model favours the system: "for", "against", or "" where neither is shown.

        >>> Favour("a", 0.5, 0.7, 0.1, 0.02, 0.18, 0.01).direction
        'for'
        """
        return "for" if self.low > 0 else "against" if self.high < 0 else ""

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "system": shown(self.system),
            "people": self.people,
            "model": self.model,
            "favour": self.favour,
            "interval": [self.low, self.high],
            "p": self.p,
            "direction": self.direction,
        }


@dataclass(frozen=True, slots=True, repr=False)
class SystemOrder(Brief):
    """Systems under people and under the model, on one measure.

    favours  of each system, in the people's order
    stretch  slope of the model's values of the systems on the people's: below 1, the model brings systems together; NaN
             where people have them all alike
    order    tau-b and tau_ap of the two orders, with every pair of systems that is turned; None for one system
    turned   neighbours in the people's order that the model turns round, the one turned furthest first
    """

    measure: Measure
    topics: int
    favours: tuple[Favour, ...]
    stretch: float
    order: OrderPair | None
    turned: tuple[TurnedPair, ...]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "topics": self.topics,
            "favours": [favour.to_dict() for favour in self.favours],
            "stretch": self.stretch,
            "order": None if self.order is None else self.order.to_dict(),
            "turned": [pair.to_dict() for pair in self.turned],
        }


def system_orders(
    values: SystemValues,
    turned: Mapping[Measure, Sequence[TurnedPair]],
    chance: Chance,
    progress: Progress | None = None,
) -> tuple[SystemOrder, ...]:
    """For each measure, whom the model favours and how alike the orders are."""
    made = []
    for number, measure in enumerate(values.measures):
        people, model = values.people[number], values.model[number]
        order = None
        if len(values.systems) > 1:
            both = np.stack([people, model])
            (order,) = orders_of(measure, values.names, (PEOPLE, MODEL), both, chance, progress).pairs
        favours = favours_of(values.names, people, model, chance.confidence)
        sign = 1 if measure.less_is_better else -1
        ranked = sorted(favours, key=lambda favour: sign * favour.people)
        stretch = _stretch(people.mean(axis=1), model.mean(axis=1))
        made.append(
            SystemOrder(measure, len(values.topics), tuple(ranked), stretch, order, tuple(turned[measure]))
        )
    return tuple(made)


def _stretch(people: Floats, model: Floats) -> float:
    """The slope of the model's values on the people's; NaN where these are all alike.

    >>> _stretch(np.array([0.2, 0.4]), np.array([0.5, 0.6])).__round__(12)
    0.5
    """
    apart = people - people.mean()
    spread = float((apart**2).sum())
    return float((apart * model).sum()) / spread if spread > 1e-24 else math.nan


def favours_of(names: Sequence[str], people: Floats, model: Floats, confidence: float) -> list[Favour]:
    """Of each system; people and model are systems × topics.

    Two topics, two systems; the model adds 0.2 and 0.4 to the first and nothing to the second: 0.3 − 0.15

    >>> of_a, of_b = favours_of(["a", "b"], np.zeros((2, 2)), np.array([[0.2, 0.4], [0.0, 0.0]]), 0.95)
    >>> round(of_a.favour, 12), round(of_b.favour, 12), of_a.direction
    (0.15, -0.15, '')
    """
    apart = apart_from_mean(people, model)
    comparisons = len(names) if len(names) > 2 else 1
    return [
        favour_of(name, people[number], model[number], apart[number], comparisons, confidence)
        for number, name in enumerate(names)
    ]


def apart_from_mean(people: Floats, model: Floats) -> Floats:
    """What the model adds to each system in each topic, less what it adds to the mean system."""
    added = model - people
    return np.asarray(added - added.mean(axis=0))


def favour_of(
    name: str, people: Floats, model: Floats, apart: Floats, comparisons: int, confidence: float
) -> Favour:
    """The favour of one row of topics, with an interval that holds for so many comparisons together."""
    topics, middle, error = len(apart), float(apart.mean()), math.nan
    if topics > 1 and np.ptp(apart) > 1e-12:
        error = float(apart.std(ddof=1)) / math.sqrt(topics)
    half, p = math.nan, math.nan
    if not math.isnan(error):
        half = float(special().stdtrit(topics - 1, 1 - (1 - confidence) / comparisons / 2)) * error
        p = min(1.0, comparisons * 2 * float(special().stdtr(topics - 1, -abs(middle) / error)))
    return Favour(name, mean(people), mean(model), middle, middle - half, middle + half, p)
