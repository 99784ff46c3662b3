"""When a feed is fetched next: often where something is new often, rarely where it fails, never sooner than its server asks.

All times are microseconds, as the state holds them.
"""

from __future__ import annotations

from random import Random

SECOND = 1_000_000
SHORTEST, LONGEST = 15 * 60 * SECOND, 24 * 3600 * SECOND
"""Between two fetches of a feed."""

FIRST_INTERVAL = 3600 * SECOND
"""Between two fetches of a feed about which nothing is known yet."""

GRANTED = 6 * 3600 * SECOND
"""For how long at most a server or a feed is believed that nothing changes."""

LEASE = 10 * 60 * SECOND
"""For how long a feed that is being fetched is left alone by others."""

HORIZON = 2 * LONGEST
"""No feed is due later than this; where one is, the clock was set back."""


def next_interval(every: int, *, new: bool, least: int = 0) -> int:
    """The interval after a fetch that succeeded: half as long where there was something new, half as long again otherwise.

    least  what the feed's server asks for; up to a day is granted

    >>> [next_interval(3600 * SECOND, new=new) // SECOND for new in (True, False)]
    [1800, 5400]
    """
    wanted = every // 2 if new else every + every // 2
    return min(max(wanted, least, SHORTEST), LONGEST)


def backoff(failures: int) -> int:
    """How long to wait after so many failures in a row: a quarter of an hour, twice as long each time, a day at most.

    >>> [backoff(failures) // SECOND // 60 for failures in (1, 2, 3, 20)]
    [15, 30, 60, 1440]
    """
    return min(SHORTEST << min(failures - 1, 10), LONGEST)


def spread(interval: int, chance: Random) -> int:
    """The interval, up to a tenth longer by chance, so that feeds that failed together do not return together."""
    return interval + round(interval * chance.uniform(0, 0.1))
