"""Means over topics of which people judged some and a model all (prediction-powered inference).

y is the value of a topic by people's judgments, known for n topics; f the value by a model's labels, known for these and
m others. The mean of y, over topics like these:

    estimate = mean of y − λ·f over the n  +  λ · mean of f over the m                          (Angelopoulos et al. 2023)
    se²      = variance of (y − λ·f) / n   +  λ² · variance of f / m

    λ = slope of y on f · m / (n + m), which makes se least                                     (PPI++, 2311.01453)

For these n + m topics alone, where chance only chose the n, λ is the slope itself, the first mean is taken from all f, and
se² = (1 − n/(n + m)) · variance of (y − λ·f) / n, as of any regression estimator of survey sampling (Cochran 1977, 7.2).

The slope is shared by all rows (pairs of systems), so that one row's noise hardly moves it. It takes 1/i of a degree of
freedom from each, i the number of independent rows, and adds its own error: (distance of the two means of f)² · m²/(n + m)² ·
variance of (y − λ·f) / (i · Σ (f − f̄)²). Degrees of freedom are n − 1 − 1/i, and fewer where single topics make most of the
variance:

    df = 2 / (2 / (n − 1 − 1/i) + k / n),  k the excess kurtosis of y − λ·f, not below 0

Those of the two parts of se² are put together as by Welch and Satterthwaite. Where residuals are strongly skewed, topics are
drawn again to see how much further an interval must reach to either side (`skewed_residuals`). Where that is more than five
times as far, there is no interval: most topics have next to no spread, and few decide alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gainful.statistics import special
from gainful.statistics.differences import EQUAL
from gainful.statistics.skewed_residuals import stretches

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

LEAST_TOPICS = 6
"""People's topics below which there is no interval: degrees of freedom would be guesses."""
LEAST_EFFECTIVE = 2.0
"""Topics that make the variance of a row, (Σ r²)² / Σ r⁴ of its residuals r; below this one topic decides alone."""
MOST_STRETCHED = 5.0
"""Times as far as Student's t that an interval reaches at most; where resampled topics ask for more, few topics decide alone."""
RIDGE = 0.05
"""Of the variance of each model, against weights that two like models take from each other."""


@dataclass(frozen=True, slots=True)
class PoweredMean:
    """One mean, with its standard error and degrees of freedom (NaN where there are none): Student's t.

    down, up  how many times as far an interval reaches to that side, where residuals are far from normal

    >>> low, high = PoweredMean(2.0, 1.0, 10.0, up=2.0).interval(0.95)  # 2 − 2.2281 and 2 + 2 · 2.2281
    >>> round(low, 4), round(high, 4)
    (-0.2281, 6.4563)
    """

    estimate: float
    error: float
    freedom: float
    down: float = 1.0
    up: float = 1.0

    @property
    def stretched(self) -> bool:
        """Whether residuals are far from normal, so that intervals reach further than Student's."""
        return self.down > 1 or self.up > 1

    @property
    def mirrored(self) -> PoweredMean:
        """The mean of the values with their signs turned."""
        return PoweredMean(-self.estimate, self.error, self.freedom, self.up, self.down)

    def interval(self, confidence: float) -> tuple[float, float] | None:
        """The two-sided confidence interval; None where the standard error is not known."""
        tail = (1 - confidence) / 2
        return (self._bound(tail), self._bound(1 - tail)) if self.error > 0 else None

    def p_above(self, supposed: float) -> float:
        """The p-value of "the true mean is no more than supposed", against more; 1 where there is no error to go by.

        >>> round(PoweredMean(2.0, 1.0, 10.0).p_above(0.0), 4)
        0.0367
        """
        away = supposed - self.estimate
        return self._tail(away, away)

    def p_below(self, supposed: float) -> float:
        """The p-value of "the true mean is no less than supposed", against less."""
        away = supposed - self.estimate
        return self._tail(-away, away)

    def _tail(self, below: float, away: float) -> float:
        return float(special().stdtr(self.freedom, below / self._reach(away))) if self.error > 0 else 1.0

    def _reach(self, away: float) -> float:
        return self.error * (self.down if away < 0 else self.up)

    def lower(self, alpha: float) -> float:
        """The supposed mean up to which `p_above` is alpha or less; −inf where there is none."""
        return self._bound(alpha) if self.error > 0 else -np.inf

    def upper(self, alpha: float) -> float:
        """The supposed mean from which `p_below` is alpha or less; inf where there is none."""
        return self._bound(1 - alpha) if self.error > 0 else np.inf

    def _bound(self, share: float) -> float:
        steps = float(special().stdtrit(self.freedom, share))
        return self.estimate + steps * self._reach(steps)


@dataclass(frozen=True, slots=True, eq=False)
class PoweredMeans:
    """A mean for each row, with its standard error and degrees of freedom; NaN where a row has too few topics for them.

    down, up  how many times as far an interval reaches to that side, where residuals are far from normal
    """

    estimate: Floats
    error: Floats
    freedom: Floats
    slope: float
    down: Floats
    up: Floats

    @classmethod
    def of_rows(
        cls,
        estimate: Floats,
        variance: Floats,
        freedom: Floats,
        slope: float,
        residual: Floats,
        predicted: Floats,
    ) -> PoweredMeans:
        """The means with these variances; without error and degrees of freedom where resampled topics show too little spread."""
        down, up = stretches(residual, predicted, freedom)
        known = ~np.isnan(freedom) & (np.maximum(down, up) <= MOST_STRETCHED)
        error = np.where(known, np.sqrt(variance), np.nan)
        down, up = (np.where(known, each, 1.0) for each in (down, up))
        return cls(estimate, error, np.where(known, freedom, np.nan), slope, down, up)

    @property
    def stretched(self) -> Booleans:
        """The rows whose residuals are far from normal, so that intervals reach further than Student's."""
        return np.asarray((self.down > 1) | (self.up > 1))

    def interval(self, confidence: float) -> tuple[Floats, Floats]:
        """The ends of two-sided confidence intervals (Student's t)."""
        half = special().stdtrit(self.freedom, 1 - (1 - confidence) / 2) * self.error
        return self.estimate - half * self.down, self.estimate + half * self.up

    def each(self) -> list[PoweredMean]:
        """The means one by one."""
        columns = self.estimate, self.error, self.freedom, self.down, self.up
        return [PoweredMean(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]

    def p_values(self, at: float = 0.0) -> Floats:
        """Two-sided p-values of the hypothesis that each mean is `at`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            error = self.error * np.where(self.estimate > at, self.down, self.up)
            away = np.abs(self.estimate - at) / error
        return np.asarray(2 * special().stdtr(self.freedom, -away))


def common_slope(people: Floats, model: Floats) -> float:
    """The slope of people's values on the model's, rows centred, one for all rows; 0 where the model never varies.

    y = 0 1 3 on f = 0 1 2:  Σ (y − ȳ)(f − f̄) / Σ (f − f̄)² = 3 / 2

    >>> common_slope(np.array([[0.0, 1.0, 3.0]]), np.array([[0.0, 1.0, 2.0]]))
    1.5
    """
    centred = model - model.mean(axis=1, keepdims=True)
    spread = float((centred**2).sum())
    return float((centred * people).sum() / spread) if spread > 1e-12 else 0.0


def over_topics(
    people: Floats, model: Floats, elsewhere: Floats, *, slope: float | None = None, independent: int = 1
) -> PoweredMeans:
    """Means over topics like these.

    people       rows × n, values by people's judgments
    model        rows × n, values by the model's labels for the same topics
    elsewhere    rows × m, values by the model's labels for the other topics
    slope        of people's values on the model's; by default that of these rows
    independent  how many rows are independent of each other: pairs of s systems are s − 1

    With f of no use the estimate is the mean of y:

    >>> means = over_topics(np.array([[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]]), np.zeros((1, 6)), np.zeros((1, 9)))
    >>> means.estimate, means.error.round(4), means.slope  # 1, √(0.8/6)
    (array([1.]), array([0.3651]), 0.0)
    """
    n, m = people.shape[1], elsewhere.shape[1]
    slope = common_slope(people, model) if slope is None else slope
    weight = slope * m / (n + m)
    residual = people - weight * model
    estimate = residual.mean(axis=1) + (weight * elsewhere.mean(axis=1) if m else 0.0)
    variance, freedom = _variance(residual, model, elsewhere, independent if weight else 0)
    every = np.concatenate([model, elsewhere], axis=1)
    variance_elsewhere = weight**2 * every.var(axis=1) / m if m else np.zeros(len(people))
    if m > 1:
        variance_elsewhere = weight**2 * elsewhere.var(axis=1, ddof=1) / m
    with np.errstate(divide="ignore", invalid="ignore"):
        both = (variance + variance_elsewhere) ** 2 / (
            variance**2 / freedom + variance_elsewhere**2 / max(m - 1, 1)
        )
    return PoweredMeans.of_rows(
        estimate, variance + variance_elsewhere, both, slope, residual, weight * elsewhere
    )


def of_these_topics(
    people: Floats, model: Floats, elsewhere: Floats, *, slope: float | None = None, independent: int = 1
) -> PoweredMeans:
    """Means over exactly these topics: chance only chose which of them people judged.

    people       rows × n, values by people's judgments
    model        rows × n, values by the model's labels for the same topics
    elsewhere    rows × m, values by the model's labels for the other topics
    slope        of people's values on the model's; by default that of these rows
    independent  how many rows are independent of each other: pairs of s systems are s − 1
    """
    n, m = people.shape[1], elsewhere.shape[1]
    slope = common_slope(people, model) if slope is None else slope
    residual = people - slope * model
    estimate = residual.mean(axis=1) + slope * np.concatenate([model, elsewhere], axis=1).mean(axis=1)
    share = m / (n + m)
    variance, freedom = _variance(residual, model, elsewhere, independent if slope and m else 0, share=share)
    return PoweredMeans.of_rows(estimate, variance, freedom, slope, residual, elsewhere[:, :0])


def _variance(
    residual: Floats, model: Floats, elsewhere: Floats, independent: int, *, share: float = 1.0
) -> tuple[Floats, Floats]:
    """The variance of the mean of each row's residuals, with that of the slope, and its degrees of freedom.

    independent  rows that the slope was learned from; 0 where there is none
    share        of the topics that are left to chance

    Degrees of freedom are NaN where the topics are too few, or one of them decides alone.
    """
    rows, n = residual.shape
    m = elsewhere.shape[1]
    if n < LEAST_TOPICS:
        return np.full(rows, np.nan), np.full(rows, np.nan)
    deviation = residual - residual.mean(axis=1, keepdims=True)
    deviation[np.abs(deviation) <= EQUAL * np.abs(residual).max(initial=0.0)] = 0.0
    squares, fourths = (deviation**2).sum(axis=1), (deviation**4).sum(axis=1)
    left = n - 1 - (1 / independent if independent else 0.0)
    variance = share * squares / left / n
    if independent:
        spread = ((model - model.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
        apart = (model.mean(axis=1) - elsewhere.mean(axis=1)) * m / (n + m)
        own = np.divide(apart**2, independent * spread, out=np.zeros(rows), where=spread > 0)
        variance = variance + squares / left * own
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = n * fourths / squares**2 - 3
        enough = (squares > 0) & (squares**2 >= LEAST_EFFECTIVE * fourths)
    freedom = 2 / (2 / left + np.maximum(excess, 0.0) / n)
    return variance, np.where(enough, freedom, np.nan)


def combined(people: Floats, models: Floats, elsewhere: Floats) -> tuple[Floats, Floats]:
    """Several models as one, by weights that predict people's values: for the n topics of people, and for the m others.

    people     rows × n
    models     judges × rows × n
    elsewhere  judges × rows × m

    The weights are those of a ridge regression over all rows. For a topic of people's they come from the other topics
    (cross-fitting), so that its own values do not flatter the prediction; for the topics of the models alone they are the mean
    of these. Values are taken as distances from the mean of each model and row, which differences do not notice.
    """
    if len(models) == 1:
        return models[0], elsewhere[0]
    level = np.concatenate([models, elsewhere], axis=2).mean(axis=2, keepdims=True)
    models, elsewhere = models - level, elsewhere - level
    centred = models - models.mean(axis=2, keepdims=True)
    wanted = people - people.mean(axis=1, keepdims=True)
    products = np.einsum("irt,jrt->tij", centred, centred)
    targets = np.einsum("irt,rt->ti", centred, wanted)
    ridge = np.diag(RIDGE * np.diag(products.sum(axis=0)) + 1e-12)
    weights = np.linalg.solve(
        products.sum(axis=0) - products + ridge, (targets.sum(axis=0) - targets)[:, :, None]
    )[:, :, 0]
    return np.einsum("ti,irt->rt", weights, models), np.tensordot(weights.mean(axis=0), elsewhere, 1)
