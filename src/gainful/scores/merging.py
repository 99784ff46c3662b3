"""Scores of disjoint topics become one: nothing is summed, so no bit changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gainful._core import Index, Rows
from gainful.errors import UsageError
from gainful.formats.ids import in_order, shown
from gainful.formats.judgments import Judgments
from gainful.formats.rows import summed
from gainful.judging import JudgedRun, Ranking
from gainful.judging.aspects import aspects_of
from gainful.judging.knowledge import Knowledge
from gainful.scores.run_scores import CloseScores, RunScores, Scores


def merged(parts: Sequence[Scores]) -> Scores:
    """What one evaluation of all topics gives; an error where the parts do not belong together."""
    if not parts:
        raise UsageError("there are no scores to merge.")
    for part in parts:
        if not isinstance(part, Scores):
            raise UsageError(
                f"expected scores, not {type(part).__name__}; give each by itself: Scores.merge(*parts)."
            )
    _check_alike(parts)
    whole = _Whole(parts)
    runs = [whole.run(name) for name in (run.name for run in parts[0])]
    return replace(parts[0], runs=_means_of_users(runs), judgments=whole.judgments, pool=whole.pool)


def _check_alike(parts: Sequence[Scores]) -> None:
    first = parts[0]
    for number, part in enumerate(parts[1:], 2):
        for what, one, other in (
            ("measures", ", ".join(map(str, first.measures)), ", ".join(map(str, part.measures))),
            ("settings", first.settings.stated(), part.settings.stated()),
            ("runs", _names(first), _names(part)),
        ):
            if one != other:
                raise UsageError(f"part {number} has other {what} than part 1: {other}, not {one}.")
        if part.settings != first.settings:
            raise UsageError(
                f"part {number} has other settings than part 1: {part.settings}, not {first.settings}."
            )
    seen: dict[str, int] = {}
    for number, part in enumerate(parts, 1):
        for topic in part.runs[0].topics:
            if seen.setdefault(topic, number) != number:
                raise UsageError(
                    f"topic '{shown(topic)}' is in part {seen[topic]} and in part {number}; parts must be of different topics."
                )


def _close(each: Sequence[RunScores]) -> CloseScores | None:
    """Of disjoint topics: they are only counted, so that their numbers must differ and need not be those of the whole."""
    parts = [run.close for run in each]
    if all(part is None for part in parts):
        return None
    before = np.cumsum([0, *(len(run.judged.present) for run in each)])
    moved = [(part[0] + start, *part[1:]) for part, start in zip(parts, before, strict=False) if part]
    topic, first, last = (np.concatenate(columns) for columns in zip(*moved, strict=True))
    return topic, first, last


def _names(scores: Scores) -> str:
    return ", ".join(sorted(shown(run.name) for run in scores))


class _Whole:
    """Where each topic of the whole stands in the parts, and the judgments of all."""

    def __init__(self, parts: Sequence[Scores]) -> None:
        self.parts = parts
        self.apart = list({part.judgments.digest: part.judgments for part in parts}.values())
        self.judgments = _judgments(self.apart)
        if len(self.apart) > 1 and any(measure.needs == "anywhere" for measure in parts[0].measures):
            raise UsageError(
                "a measure needs to know which documents are judged for any topic, and these parts have only some topics; "
                "give each part all judgments, and its topics with topics=."
            )
        place = {topic: number for number, topic in enumerate(self.judgments.topics)}
        each = [topic for part in parts for topic in part.runs[0].topics]
        self.order = np.argsort([place[topic] for topic in each], kind="stable")
        self.topics = tuple(each[number] for number in self.order)
        self.kept = np.zeros(len(place), bool)
        self.kept[[place[topic] for topic in self.topics]] = True
        self.top = max(part.pool.top for part in parts)
        self.pool = self._ranking([part.pool for part in parts])

    def run(self, name: str) -> RunScores:
        """The run of that name, of all topics."""
        each = [part[name] for part in self.parts]
        judged = self._judged([run.judged for run in each])
        known = set(self.judgments.topics)
        extra = {topic for run in each for topic in run.extra} - known
        made = replace(
            each[0],
            path=_only(run.path for run in each),
            digest=_digest([run.digest for run in each]),
            tag=next((run.tag for run in each if run.tag), ""),
            topics=self.topics,
            judged=judged,
            extra=tuple(in_order(extra)),
            values=np.concatenate([run.values for run in each], axis=1)[:, self.order],
            nothing_to_find=np.concatenate([run.nothing_to_find for run in each], axis=1)[:, self.order],
            dropped=sum({run.digest: run.dropped for run in each}.values()),
            close=_close(each),
        )
        if all(part.pool.top == self.top for part in self.parts):
            return made
        # The best grade of all is that of some parts only, and measures may go by it.
        from gainful.scores.evaluation import values_of

        values, undefined = values_of(judged, made.measures)
        return replace(made, values=values, nothing_to_find=undefined)

    def _judged(self, each: Sequence[JudgedRun]) -> JudgedRun:
        hits = self._hits(each)
        aspects = None if self.judgments.details is None else aspects_of(self.judgments)
        return JudgedRun(
            hits.offsets,
            hits.rank,
            hits.grade,
            pool=self.pool,
            retrieved=np.concatenate([one.retrieved for one in each])[self.order],
            present=np.concatenate([one.present for one in each])[self.order],
            first=np.concatenate([one.first for one in each])[self._places(each)],
            last=np.concatenate([one.last for one in each])[self._places(each)],
            row=np.concatenate(
                [self._row(part, one.row) for part, one in zip(self.parts, each, strict=True)]
            )[self._places(each)],
            aspects=None if aspects is None else aspects.keep(self.kept),
            knowledge=self._knowledge([one.knowledge for one in each]),
            anywhere=None if each[0].anywhere is None else self._ranking([one.anywhere for one in each]),
        )

    def _hits(self, each: Sequence[Ranking]) -> Ranking:
        places = self._places(each)
        lengths = np.concatenate([np.diff(one.offsets) for one in each])[self.order]
        return Ranking(
            np.concatenate(([0], np.cumsum(lengths))),
            np.concatenate([one.rank for one in each])[places],
            np.concatenate([one.grade for one in each])[places],
        )

    def _ranking(self, each: Sequence[Any]) -> Ranking:
        made = self._hits(each)
        return Ranking(made.offsets, made.rank, made.grade, top=self.top)

    def _places(self, each: Sequence[Ranking]) -> NDArray[np.int64]:
        """Where the hits of the topics, in their order, stand in the parts laid end to end."""
        before = np.cumsum([0, *(len(one.rank) for one in each)])
        starts = np.concatenate([one.offsets[:-1] + base for one, base in zip(each, before, strict=False)])[
            self.order
        ]
        lengths = np.concatenate([np.diff(one.offsets) for one in each])[self.order]
        ends = np.cumsum(lengths)
        places: NDArray[np.int64] = np.arange(ends[-1]) + np.repeat(starts - ends + lengths, lengths)
        return places

    def _row(self, part: Scores, row: NDArray[np.int64]) -> NDArray[np.int64]:
        """Places in the judgments of a part become places in the judgments of all."""
        if len(self.apart) == 1:
            return row
        return self._moved(part.judgments)[row]

    def _moved(self, judgments: Judgments) -> NDArray[np.int64]:
        number = {topic: place for place, topic in enumerate(self.judgments.index.topics)}
        lengths = np.diff(judgments.index.offsets)
        starts = self.judgments.index.offsets[[number[topic] for topic in judgments.index.topics]]
        moved: NDArray[np.int64] = np.arange(len(judgments)) + np.repeat(
            starts - judgments.index.offsets[:-1], lengths
        )
        return moved

    def _knowledge(self, each: Sequence[Knowledge | None]) -> Knowledge | None:
        known = [one for one in each if one is not None]
        if len(known) < len(each):
            return None
        notes = tuple(dict.fromkeys(note for one in known for note in one.notes))
        rows: NDArray[np.bool_] | None = known[0].rows
        if rows is not None and len(self.apart) > 1:
            rows = np.zeros(len(self.judgments), bool)
            for part, one in zip(self.parts, known, strict=True):
                rows[self._moved(part.judgments)] = one.rows
        pool = None if known[0].pool is None else self._ranking([one.pool for one in known])
        expected = None
        if known[0].expected is not None:
            expected = np.concatenate([one.expected for one in known if one.expected is not None])[self.order]
        return Knowledge(rows, pool, expected, notes)


def _judgments(apart: Sequence[Judgments]) -> Judgments:
    """The judgments of all parts; an error where parts of different judgments share a topic."""
    if len(apart) == 1:
        return apart[0]
    seen: set[str] = set()
    for judgments in apart:
        if both := seen.intersection(judgments.topics):
            raise UsageError(
                f"the parts have different judgments of topic '{shown(min(both))}'; "
                "give each part all judgments, or those of its own topics."
            )
        seen.update(judgments.topics)
    topics, documents, grades = (
        [value for judgments in apart for value in judgments.rows[place]] for place in range(3)
    )
    details = None
    if apart[0].details is not None:
        each = [judgments.details for judgments in apart if judgments.details is not None]
        joined: dict[str, Any] = {
            name: [value for one in each for value in getattr(one, name)]
            for name in ("topics", "aspects", "documents", "grades")
        }
        parts = None if each[0].parts is None else [part for one in each for part in one.parts or []]
        details = replace(each[0], **joined, parts=parts, digest=_digest([one.digest for one in each]) or "")
    return Judgments(
        Index(Rows.of_lists(topics, documents, grades), duplicates="error"),
        _only(judgments.path for judgments in apart),
        details,
        given_digest=_digest([judgments.digest for judgments in apart]),
    )


def _means_of_users(runs: Sequence[RunScores]) -> tuple[RunScores, ...]:
    """The runs, the mean over users made anew."""
    from gainful.scores.users import MEAN, mean_of

    made = []
    for run in runs:
        base = run.name.removesuffix(f" · {MEAN}")
        users = [one for one in runs if one.user not in (None, MEAN) and one.name == f"{base} · {one.user}"]
        made.append(mean_of(run, users) if run.user == MEAN else run)
    return tuple(made)


def _only(values: Iterable[str | None]) -> str | None:
    """The value that all have; None where they differ."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _digest(digests: Sequence[str | None]) -> str | None:
    """Of the same content, its digest; of different parts, that of all of them together, each once."""
    each = dict.fromkeys(digests)
    if None in each:
        return None
    return digests[0] if len(each) == 1 else summed(digest for digest in each if digest)
