# mypy: disable-error-code="no-untyped-def,untyped-decorator,no-any-return,no-untyped-call"
# Triton reads the text of a kernel itself: its arguments are blocks of numbers in registers and have no types of Python's.
"""What kernels that compute whole measures are put together from: the first k of a row, the ideal list, the order of a row.

A row that is not too long is read once and stays in registers. A long one is read again for each look at it, from
the cache. The first k are not sorted out of the row: a threshold is searched that at least k and at most ROOM scores
reach, these are written side by side, and only they are sorted.
"""

from __future__ import annotations

from gainful.batch.line_kernels import (
    _first,
    _grades,
    _in_registers,
    _keys,
    _sortable,
    _there,
    _unique,
    jit,
    tl,
)


@jit
def middle(low, high, step):
    """A key above the low one and not above the high one: halfway by score, after 12 steps by key, which always ends."""
    lowest = (low ^ ((low >> 31) & 2147483647)).to(tl.float32, bitcast=True)
    highest = (high ^ ((high >> 31) & 2147483647)).to(tl.float32, bitcast=True)
    by_value = _sortable(0.5 * lowest + 0.5 * highest)
    inside = (step < 12) & (by_value > low) & (by_value <= high)
    return tl.where(inside, by_value, (low & high) + ((low ^ high) >> 1) + 1)


@jit
def reaching(
    score, mask, line, score_step, mask_step, columns, least,
    HAS_MASK: tl.constexpr, PIECES: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """How many candidates of a long row have this key or a larger one."""
    number = tl.zeros([BLOCK], dtype=tl.int32)
    for piece in range(PIECES):
        column = piece * BLOCK + tl.arange(0, BLOCK)
        there = _there(mask, line, mask_step, column, columns, HAS_MASK)
        key = _keys(score, line * score_step + column, there)
        number += (there & (key >= least)).to(tl.int32)
    return tl.sum(number, axis=0)


@jit
def listed(place, kept, key, column, scratch):
    """Write the keys that are kept side by side, each with its column."""
    tl.store(scratch + place, _unique(key, column), mask=kept)


@jit
def first_of_row(key, there, column, candidates, low, high, scratch, K: tl.constexpr, ROOM: tl.constexpr):
    """The first K candidates of a row in registers, best first, and up to ROOM in all: keys with columns."""
    number, step = candidates, 0
    while (number > ROOM) & (low < high):
        mid = middle(low, high, step)
        reached = tl.sum((there & (key >= mid)).to(tl.int32), axis=0)
        low, high = tl.where(reached >= K, mid, low), tl.where(reached >= K, high, mid - 1)
        number = tl.where(reached >= K, reached, number)
        step += 1
    kept = there & (key >= low)
    if number > ROOM:  # many have the score of the last: of these the first columns
        above = there & (key > low)
        left = K - tl.sum(above.to(tl.int32), axis=0)
        equal = there & (key == low)
        kept = above | (equal & (tl.cumsum(equal.to(tl.int32), axis=0) <= left))
        number = K + 0 * number
    listed(tl.cumsum(kept.to(tl.int32), axis=0) - 1, kept, key, column, scratch)
    return in_order(scratch, number, ROOM)


@jit
def first_of_long_row(
    score, mask, line, score_step, mask_step, columns, candidates, low, high, scratch,
    HAS_MASK: tl.constexpr, PIECES: tl.constexpr, BLOCK: tl.constexpr, K: tl.constexpr, ROOM: tl.constexpr,
):  # fmt: skip
    """The first K candidates of a row that is read anew for each look, as in `first_of_row`."""
    number, step = candidates, 0
    while (number > ROOM) & (low < high):
        mid = middle(low, high, step)
        reached = reaching(score, mask, line, score_step, mask_step, columns, mid, HAS_MASK, PIECES, BLOCK)
        low, high = tl.where(reached >= K, mid, low), tl.where(reached >= K, high, mid - 1)
        number = tl.where(reached >= K, reached, number)
        step += 1
    left = number  # of those with the score of the last
    above = 0 * number
    if number > ROOM:
        above = reaching(score, mask, line, score_step, mask_step, columns, low + 1, HAS_MASK, PIECES, BLOCK)
        left = K - above
    written, equals = 0 * number, 0 * number
    for piece in range(PIECES):
        column = piece * BLOCK + tl.arange(0, BLOCK)
        there = _there(mask, line, mask_step, column, columns, HAS_MASK)
        key = _keys(score, line * score_step + column, there)
        equal = (there & (key == low)).to(tl.int32)
        kept = (there & (key > low)) | ((equal != 0) & (equals + tl.cumsum(equal, axis=0) <= left))
        listed(written + tl.cumsum(kept.to(tl.int32), axis=0) - 1, kept, key, column, scratch)
        written += tl.sum(kept.to(tl.int32), axis=0)
        equals += tl.sum(equal, axis=0)
    return in_order(scratch, written, ROOM)


@jit
def in_order(scratch, number, ROOM: tl.constexpr):
    """What was written side by side, largest first; then the lowest number there is."""
    tl.debug_barrier()
    slot = tl.arange(0, ROOM)
    best = tl.load(scratch + slot, mask=slot < number, other=-9223372036854775808)
    return tl.sort(best, descending=True)


@jit
def whole_row(key, column, LOG: tl.constexpr):
    """All keys of a row with their columns, largest first."""
    return tl.sort(_in_registers(_unique(key, column), 2**LOG), descending=True)


@jit
def whole_row_of_short_scores(key, column, LOG: tl.constexpr):
    """The columns of all candidates of a row, best first, and where there are any; for scores of 16 bits.

    In 32 bits, the last 13 of such a score are zeros (ones in the key of a negative one): the column takes their place,
    up to 2^13 columns, and sorting numbers of 32 bits takes a third of the time.
    """
    packed = ((key >> LOG) << LOG) | (2**LOG - 1 - column)
    order = _first(_in_registers(packed, 2**LOG), LOG, LOG)
    return 2**LOG - 1 - (order & (2**LOG - 1)), (order >> LOG) != (-2147483648 >> LOG)


@jit
def columns_of(best):
    """The columns of keys with columns, and where these are of candidates."""
    return 2147483647 - (best & 4294967295).to(tl.int32), (best >> 32).to(tl.int32) != -2147483648


@jit
def best_first(
    pool, highest, K: tl.constexpr, LOG_N: tl.constexpr, LOG_K: tl.constexpr, LEVELS: tl.constexpr
):
    """The first K of the 2^LOG_N grades of a row, best first, in 2^LOG_K places.

    Grades are few different numbers as a rule: each is counted, and fills as many places. Where there are more than
    LEVELS, all are sorted.
    """
    slot = tl.arange(0, 2**LOG_K)
    ideal = tl.full([2**LOG_K], float("-inf"), dtype=tl.float32)
    level, filled, step = highest, 0, 0
    while (filled < K) & (level > float("-inf")) & (step < LEVELS):
        number = tl.sum((pool == level).to(tl.int32), axis=0)
        ideal = tl.where((slot >= filled) & (slot < filled + number), level, ideal)
        level = tl.max(tl.where(pool < level, pool, float("-inf")), axis=0)
        filled += number
        step += 1
    if LEVELS < K:
        # a loop of one turn: in a branch threads exchange numbers slowly, and what does not change in a loop is
        # computed before it, wanted or not
        while (filled < K) & (level > float("-inf")):
            ideal = largest(pool, LOG_N, LOG_K)
            pool = tl.minimum(pool, highest)
            filled = K + 0 * filled
    return ideal


@jit
def largest(pool, LOG_N: tl.constexpr, LOG_K: tl.constexpr):
    """The 2^LOG_K largest of the 2^LOG_N grades of a row, largest first."""
    key = _first(_in_registers(_sortable(pool), 2**LOG_N), LOG_N, LOG_K)
    return (key ^ ((key >> 31) & 2147483647)).to(tl.float32, bitcast=True)


@jit
def best_of_long_row(
    grade, mask, line, grade_step, mask_step, columns, unjudged, highest,
    HAS_MASK: tl.constexpr, HAS_UNJUDGED: tl.constexpr, K: tl.constexpr, SLOTS: tl.constexpr,
    PIECES: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """The first K of all grades of a row that is read anew for each different grade, best first."""
    slot = tl.arange(0, SLOTS)
    ideal = tl.full([SLOTS], float("-inf"), dtype=tl.float32)
    level, filled = highest, 0
    while (filled < K) & (level > float("-inf")):
        equal = tl.zeros([BLOCK], dtype=tl.int32)
        below = tl.full([BLOCK], float("-inf"), dtype=tl.float32)
        for piece in range(PIECES):
            column = piece * BLOCK + tl.arange(0, BLOCK)
            there = _there(mask, line, mask_step, column, columns, HAS_MASK)
            pool = _grades(grade, line * grade_step + column, there, unjudged, HAS_UNJUDGED)
            equal += (pool == level).to(tl.int32)
            below = tl.maximum(below, tl.where(pool < level, pool, float("-inf")))
        number = tl.sum(equal, axis=0)
        ideal = tl.where((slot >= filled) & (slot < filled + number), level, ideal)
        level = tl.max(below, axis=0)
        filled += number
    return ideal


@jit
def pooled(
    grade, mask, beyond, line, grade_step, mask_step, beyond_step, columns, beyond_columns, unjudged,
    HAS_MASK: tl.constexpr, HAS_UNJUDGED: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Grades of the candidates of a row, then of the judged documents beyond them."""
    document = tl.arange(0, BLOCK)
    there = _there(mask, line, mask_step, document, columns, HAS_MASK)
    of_candidates = _grades(grade, line * grade_step + document, there, unjudged, HAS_UNJUDGED)
    further = (document >= columns) & (document < columns + beyond_columns)
    of_others = _grades(beyond, line * beyond_step + document - columns, further, unjudged, HAS_UNJUDGED)
    return tl.maximum(of_candidates, of_others)  # one of them is minus infinity


@jit
def shares_before(going_on):
    """At each place, the product of all before it."""
    slot = tl.arange(0, going_on.shape[0])
    passed = tl.gather(tl.cumprod(going_on, axis=0), tl.maximum(slot - 1, 0), axis=0)
    return tl.where(slot == 0, 1.0, passed)
