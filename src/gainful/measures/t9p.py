"""T9P: share of what was delivered that is relevant, where a certain number of deliveries was asked for."""

from gainful.errors import MeasureError
from gainful.judging import JudgedRun, PerTopic, namespace
from gainful.measures._measure import measure


@measure(
    group="sets and filtering",
    bounds=(0, 1),
    when="nothing relevant",
    cite="Robertson & Hull 2000, The TREC-9 Filtering Track Final Report",
)
def T9P(judged: JudgedRun, *, target: int = 50, rel: float = 1) -> PerTopic:
    """Precision of what a filter delivered, as if it had delivered no fewer documents than asked for.

        T9P = R⁺ / max(target, delivered),  R⁺ relevant documents delivered

    target  how many documents the reader wants over the whole stream
    rel     lowest grade that is relevant

    Misleads when a topic has fewer relevant documents than the target: then 1 is out of reach.

    One of two delivered is relevant, four were asked for:  1 / max(4, 2)

    >>> from gainful.judging import judged_run
    >>> T9P(target=4)(judged_run([1, 0]))
    array([0.25])
    """
    if target < 1:
        raise MeasureError(f"T9P: target must be 1 or more; got {target}")
    found = judged.total(where=judged.grade >= rel)
    return found / namespace(found).maximum(judged.retrieved, float(target))  # type: ignore[no-any-return]
