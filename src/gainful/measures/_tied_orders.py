"""A measure's expected value where tied documents are in random order."""

from gainful.arrays import np
from gainful.errors import MeasureError
from gainful.judging.expected_ties import ExpectedRun, OneOrderAtATime
from gainful.judging.ranking import Booleans, PerTopic
from gainful.judging.record import JudgedRun
from gainful.judging.tie_orders import least_and_greatest, over_orders
from gainful.measures._measure import Measure


def over_tied_orders(measure: Measure, judged: JudgedRun) -> tuple[PerTopic, Booleans, PerTopic]:
    """The expected value of each topic, where there was nothing to measure, and standard errors (0 where exact).

    >>> from gainful.judging import judged_run
    >>> from gainful.measures import RR
    >>> tied = judged_run([1, 0]).replace(first=np.array([1.0, 1.0]), last=np.array([2.0, 2.0]))
    >>> over_tied_orders(RR, tied)[0]
    array([0.75])
    """
    if measure.needs == "anywhere":
        raise MeasureError(f"{measure} needs one order of the documents; choose ties other than expected")
    record = measure.reads(judged)
    if measure.needs is None and measure.definition.module.startswith("gainful.measures."):
        try:
            values, undefined = measure(unjudged="nonrelevant").evaluate(_spread(record))
            return _within(values, measure.bounds[1]), undefined, np.zeros(len(judged))
        except OneOrderAtATime:
            pass  # it is no sum over hits
    undefined = measure.evaluate(judged)[1]
    plain = measure(unjudged="nonrelevant")
    values, errors = over_orders(record, lambda order: plain.evaluate(order)[0], measure.cutoff)
    return values, undefined, errors


def by_grade(measure: Measure) -> bool:
    """Whether no order of tied documents has a greater value than the better grades first, or a lesser one than the reverse."""
    params = measure.params
    rising = params["gain"].rising if "gain" in params else True
    found_alone = (
        params.get("divisor") == "retrieved" and measure.name == "AP"
    )  # what is not found is not missed
    return rising and not (measure.may_fall or measure.needs is not None or found_alone)


def bounds_over_orders(measure: Measure, judged: JudgedRun) -> tuple[PerTopic, PerTopic]:
    """The value of each topic in the worst and in the best order that is looked at."""
    plain = measure(unjudged="nonrelevant")
    least, greatest = least_and_greatest(
        measure.reads(judged), lambda order: plain.evaluate(order)[0], measure.cutoff
    )
    return (greatest, least) if measure.less_is_better else (least, greatest)


def _spread(judged: JudgedRun) -> ExpectedRun:
    spread: ExpectedRun | None = judged._memo.get("spread")
    if spread is None:
        spread = judged._memo["spread"] = ExpectedRun(judged)
    return spread


def _within(values: PerTopic, most: float) -> PerTopic:
    """Values whose sums are above the greatest value by rounding alone are that value."""
    return np.where((values > most) & (values < most + 1e-9), most, values)
