"""Settings are changes of the record, made once; measures know nothing of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gainful.arrays import NDArray, np
from gainful.errors import UsageError
from gainful.judging.knowledge import Knowledge
from gainful.judging.ranking import Ranking, offsets_of
from gainful.judging.record import JudgedRun
from gainful.judging.settings import Settings

if TYPE_CHECKING:
    from gainful.formats import Judgments


def under(settings: Settings, judged: JudgedRun) -> JudgedRun:
    """The record as the settings ask for it: ties first, then depth, then condensing, as trec_eval does; the pool last."""
    if settings.ties in ("best", "worst"):
        judged = order_ties(judged, best=settings.ties == "best")
    if settings.depth is not None:
        judged = shorten(judged, settings.depth)
    if settings.unjudged == "condense":
        judged = condense(judged)
    return only_retrieved(judged) if settings.pool == "retrieved" else judged


def only_retrieved(judged: JudgedRun) -> JudgedRun:
    """The record as if only documents in the list had been judged: what was not retrieved was not there to be found."""
    pool = Ranking.best_first(judged.offsets, judged.grade, top=judged.top)
    return judged.replace(pool=pool)


def shorten(judged: JudgedRun, depth: int) -> JudgedRun:
    """The lists as if they ended at this rank."""
    kept = _keep(judged, judged.rank <= depth)
    return kept.replace(retrieved=np.minimum(judged.retrieved, depth), last=np.minimum(kept.last, depth))


def condensed(judged: JudgedRun) -> JudgedRun:
    """`condense`, made once for a record and kept with it; for measures that ask for it themselves."""
    kept: JudgedRun | None = judged._memo.get("condensed")
    if kept is None:
        kept = judged._memo["condensed"] = condense(judged)
    return kept


def condense(judged: JudgedRun) -> JudgedRun:
    """The lists without what is not judged (a negative grade is not a judgment): each hit's rank is its place among hits."""
    kept = _keep(judged, judged.grade >= 0)
    counts = np.diff(kept.offsets)
    rank = np.arange(1.0, len(kept.rank) + 1) - np.repeat(kept.offsets[:-1], counts)
    group, sizes = tie_groups(kept)
    start = np.cumsum(sizes) - sizes
    first = rank[start][group] if len(rank) else rank
    return kept.replace(
        rank=rank,
        first=first,
        last=first + sizes[group] - 1,
        retrieved=counts.astype(np.float64),
        anywhere=None if judged.anywhere is None else Ranking(kept.offsets, rank, kept.grade),
    )


def order_ties(judged: JudgedRun, *, best: bool) -> JudgedRun:
    """Equal scores in the order that serves the reader best (or worst).

    Best is: judged grades from the highest down to 0, then unjudged documents, then negative grades; worst is the reverse.
    """
    group, sizes = tie_groups(judged)
    order = np.lexsort((-judged.grade if best else judged.grade, group))
    start = np.cumsum(sizes) - sizes
    place = np.arange(len(order)) - start[group]  # within the group; groups are contiguous, before and after
    grade, first, last = judged.grade[order], judged.first[order], judged.last[order]
    ahead = (
        (grade >= 0) if best else (grade < 0)
    )  # the others stand behind the unjudged documents of their group
    rank = np.where(ahead, first + place, last - (sizes[group] - 1 - place))
    return judged.replace(rank=rank, grade=grade, first=first, last=last, row=judged.row[order])


def knowing(judged: JudgedRun, knowledge: Knowledge) -> JudgedRun:
    """The record as a user sees it who knew and expected this; topics are those of the record."""
    return judged.replace(knowledge=knowledge)


def chosen_topics(judgments: Judgments, topics: str | os.PathLike[str] | Iterable[str]) -> NDArray[np.bool_]:
    """Which of the judged topics are asked for; an error where one of them is not judged."""
    from gainful.formats.ids import some_quoted  # measures work where the native core is not built
    from gainful.formats.judgments import read_topics

    asked = read_topics(topics)
    if not asked:
        raise UsageError("no topic is named in --topics (topics=... in Python).")
    kept = np.array([topic in asked for topic in judgments.topics], bool)
    if not kept.any():
        no_file = ", and there is no file of that name" if isinstance(topics, str) and topics in asked else ""
        raise UsageError(
            f"none of the topics asked for ({some_quoted(sorted(asked))}) is judged{no_file}; "
            f"the judgments have {some_quoted(judgments.topics)}."
        )
    unknown = asked - set(judgments.topics)
    if unknown:
        are = "is" if len(unknown) == 1 else "are"
        raise UsageError(
            f"of the topics asked for, {len(unknown)} {are} not judged: {some_quoted(sorted(unknown))}."
        )
    return kept


def keep_topics(judged: JudgedRun, kept: NDArray[np.bool_], pool: Ranking) -> JudgedRun:
    """The record of some of the topics; `pool` is `pool_of_topics` of the same, made once for many runs."""
    hits = _keep(judged, np.repeat(kept, np.diff(judged.offsets)))
    offsets = offsets_of(np.diff(hits.offsets)[kept])
    return hits.replace(
        offsets=offsets,
        pool=pool,
        retrieved=judged.retrieved[kept],
        present=judged.present[kept],
        aspects=None if judged.aspects is None else judged.aspects.keep(kept),
        knowledge=None if judged.knowledge is None else judged.knowledge.keep(kept),
        anywhere=None if judged.anywhere is None else pool_of_topics(judged.anywhere, kept),
        sample=None if judged.sample is None else judged.sample.keep(kept),
    )


def pool_of_topics(pool: Ranking, kept: NDArray[np.bool_]) -> Ranking:
    """The judged grades of some of the topics."""
    counts = np.diff(pool.offsets)
    grades = np.repeat(kept, counts)
    return Ranking(offsets_of(counts[kept]), pool.rank[grades], pool.grade[grades], top=pool.top)


def _keep(judged: JudgedRun, where: NDArray[np.bool_]) -> JudgedRun:
    kept_before = np.concatenate(([0], np.cumsum(where)))
    return judged.replace(
        offsets=kept_before[judged.offsets],
        **{name: getattr(judged, name)[where] for name in ("rank", "grade", "first", "last", "row")},
    )


def tie_groups(judged: JudgedRun) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each hit the number of its tie group, and for each group how many hits it has."""
    begins = np.ones(len(judged.rank), bool)
    begins[1:] = judged.first[1:] != judged.first[:-1]
    topic_starts = judged.offsets[:-1]
    begins[topic_starts[topic_starts < len(begins)]] = True
    group = np.cumsum(begins) - 1
    return group, np.bincount(group)
