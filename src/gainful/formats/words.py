"""Numbers of things in words."""

from collections.abc import Mapping

NAMED = 5  # at either end of a long list


def counted(number: int, one: str, many: str | None = None) -> str:
    """So many of them.

    >>> counted(1, "topic"), counted(1200, "document"), counted(2, "delivery", "deliveries")
    ('1 topic', '1,200 documents', '2 deliveries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def extremes(values: Mapping[str, float], form: str) -> str:
    """Names with their values, the highest first; of many, those at both ends.

    >>> extremes({"a": 10, "b": 1000}, "{:,.0f}"), extremes({"a": 0.5}, "{:.0%}")
    ('b 1,000, a 10', 'a 50%')
    """
    ordered = sorted(values.items(), key=lambda item: -item[1])
    ends = ordered if len(ordered) <= 2 * NAMED else [*ordered[:NAMED], *ordered[-NAMED:]]
    said = ", ".join(f"{name} {form.format(value)}" for name, value in ends)
    return said if len(ends) == len(ordered) else f"{said} (the first and last five)"
