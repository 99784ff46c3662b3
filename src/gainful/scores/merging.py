"""Merge scores of disjoint topics: nothing is summed, so no value changes in any bit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from gainful._core import Index, Rows
from gainful.arrays import NDArray, np
from gainful.errors import UsageError
from gainful.formats.ids import in_order, shown
from gainful.formats.judgments import Judgments
from gainful.formats.rows import summed
from gainful.judging import JudgedRun, Ranking
from gainful.judging.aspects import aspects_of
from gainful.judging.knowledge import Knowledge
from gainful.judging.transforms import only_retrieved
from gainful.scores.score_set import CloseScores, RunScores, Scores


def merged(parts: Sequence[Scores]) -> Scores:
    """The scores that one evaluation of all topics gives; an error if the parts do not belong together."""
    if not parts:
        raise UsageError("there are no scores to merge.")
    for part in parts:
        if not isinstance(part, Scores):
            raise UsageError(
                f"expected scores, not {type(part).__name__}; give each by itself: Scores.merge(*parts)."
            )
    if any(part.dialect is not None for part in parts):
        raise UsageError("scores in a dialect are not merged; evaluate all topics at once.")
    if any(run.judged.sample is not None for part in parts for run in part):
        raise UsageError("estimates from a sample of documents are not merged; evaluate all topics at once.")
    if any(part.judgments.models for part in parts):
        raise UsageError("means that rest on models' labels are not merged; evaluate all topics at once.")
    _check_alike(parts)
    whole = _Whole(parts)
    runs = [whole.run(name) for name in (run.name for run in parts[0])]
    return replace(parts[0], runs=_means_of_users(runs), judgments=whole.judgments, pool_of_some=whole.pool)


def _check_alike(parts: Sequence[Scores]) -> None:
    first = parts[0]
    for number, part in enumerate(parts[1:], 2):
        for what, of_first, of_part in (
            ("measures", ", ".join(map(str, first.measures)), ", ".join(map(str, part.measures))),
            ("settings", first.settings.stated(), part.settings.stated()),
            ("runs", _names(first), _names(part)),
        ):
            if of_first != of_part:
                raise UsageError(f"part {number} has other {what} than part 1: {of_part}, not {of_first}.")
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
    """Close scores of all parts; topics are only counted later, so their numbers must differ and nothing else."""
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
    """The topics of all parts in order, the judgments of all, and how arrays of the parts become arrays of the whole."""

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
        runs = [part[name] for part in self.parts]
        judged = self._judged([run.judged for run in runs])
        if runs[0].settings.pool == "retrieved":
            judged = only_retrieved(judged)
        extra = {topic for run in runs for topic in run.extra}.difference(self.judgments.topics)
        merged_run = replace(
            runs[0],
            path=_only(run.path for run in runs),
            digest=_digest([run.digest for run in runs]),
            tag=next((run.tag for run in runs if run.tag), ""),
            topics=self.topics,
            judged=judged,
            extra=tuple(in_order(extra)),
            values=np.concatenate([run.values for run in runs], axis=1)[:, self.order],
            nothing_to_find=np.concatenate([run.nothing_to_find for run in runs], axis=1)[:, self.order],
            dropped=sum({run.digest: run.dropped for run in runs}.values()),
            close=_close(runs),
            tie_errors=self._errors(runs),
        )
        if all(part.pool.top == self.top for part in self.parts):
            return merged_run
        # The best grade of all is that of some parts only, and measures may go by it.
        from gainful.scores.evaluation import values_of

        values, undefined, errors = values_of(judged, merged_run.measures, merged_run.settings)
        return replace(merged_run, values=values, nothing_to_find=undefined, tie_errors=errors)

    def _errors(self, runs: Sequence[RunScores]) -> NDArray[np.float64] | None:
        if all(run.tie_errors is None for run in runs):
            return None
        each = [np.zeros_like(run.values) if run.tie_errors is None else run.tie_errors for run in runs]
        return np.concatenate(each, axis=1)[:, self.order]

    def _judged(self, parts: Sequence[JudgedRun]) -> JudgedRun:
        places = self._places(parts)
        hits = self._hits(parts, places)
        row = [self._row(scores, part.row) for scores, part in zip(self.parts, parts, strict=True)]
        aspects = None if self.judgments.details is None else aspects_of(self.judgments)
        anywhere = [part.anywhere for part in parts if part.anywhere is not None]
        return JudgedRun(
            hits.offsets,
            hits.rank,
            hits.grade,
            pool=self.pool,
            retrieved=np.concatenate([part.retrieved for part in parts])[self.order],
            present=np.concatenate([part.present for part in parts])[self.order],
            first=np.concatenate([part.first for part in parts])[places],
            last=np.concatenate([part.last for part in parts])[places],
            row=np.concatenate(row)[places],
            aspects=None if aspects is None else aspects.keep(self.kept),
            knowledge=self._knowledge([part.knowledge for part in parts]),
            anywhere=self._ranking(anywhere) if anywhere else None,
        )

    def _ranking(self, parts: Sequence[Ranking]) -> Ranking:
        return self._hits(parts, self._places(parts), top=self.top)

    def _hits(self, parts: Sequence[Ranking], places: NDArray[np.intp], top: float | None = None) -> Ranking:
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])[self.order]
        return Ranking(
            np.concatenate(([0], np.cumsum(lengths))),
            np.concatenate([part.rank for part in parts])[places],
            np.concatenate([part.grade for part in parts])[places],
            top=top,
        )

    def _places(self, parts: Sequence[Ranking]) -> NDArray[np.intp]:
        """For each hit of the whole, its place in the hits of the parts laid end to end."""
        before = np.cumsum([0, *(len(part.rank) for part in parts)])
        starts = [part.offsets[:-1] + base for part, base in zip(parts, before, strict=False)]
        lengths = np.concatenate([np.diff(part.offsets) for part in parts])[self.order]
        ends = np.cumsum(lengths)
        first = np.concatenate(starts)[self.order] - ends + lengths
        places: NDArray[np.intp] = np.arange(ends[-1]) + np.repeat(first, lengths)
        return places

    def _row(self, part: Scores, row: NDArray[np.intp]) -> NDArray[np.intp]:
        """Places in the judgments of a part become places in the judgments of all."""
        if len(self.apart) == 1:
            return row
        return self._moved(part.judgments)[row]

    def _moved(self, judgments: Judgments) -> NDArray[np.intp]:
        number = {topic: place for place, topic in enumerate(self.judgments.index.topics)}
        lengths = np.diff(judgments.index.offsets)
        starts = self.judgments.index.offsets[[number[topic] for topic in judgments.index.topics]]
        moved: NDArray[np.intp] = np.arange(len(judgments)) + np.repeat(
            starts - judgments.index.offsets[:-1], lengths
        )
        return moved

    def _knowledge(self, parts: Sequence[Knowledge | None]) -> Knowledge | None:
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        notes = tuple(dict.fromkeys(note for part in known for note in part.notes))
        rows: NDArray[np.bool_] | None = known[0].rows
        if rows is not None and len(self.apart) > 1:
            rows = np.zeros(len(self.judgments), bool)
            for scores, part in zip(self.parts, known, strict=True):
                rows[self._moved(scores.judgments)] = part.rows
        pools = [part.pool for part in known if part.pool is not None]
        expected = [part.expected for part in known if part.expected is not None]
        return Knowledge(
            rows,
            self._ranking(pools) if pools else None,
            np.concatenate(expected)[self.order] if expected else None,
            notes,
        )


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
        pieces = [judgments.details for judgments in apart if judgments.details is not None]
        joined: dict[str, Any] = {
            name: [value for piece in pieces for value in getattr(piece, name)]
            for name in ("topics", "aspects", "documents", "grades")
        }
        parts = None if pieces[0].parts is None else [part for piece in pieces for part in piece.parts or []]
        digest = _digest([piece.digest for piece in pieces]) or ""
        details = replace(pieces[0], **joined, parts=parts, digest=digest)
    return Judgments(
        Index(Rows.of_lists(topics, documents, grades), duplicates="error"),
        _only(judgments.path for judgments in apart),
        details,
        given_digest=_digest([judgments.digest for judgments in apart]),
    )


def _means_of_users(runs: Sequence[RunScores]) -> tuple[RunScores, ...]:
    """The runs, with the mean over users computed again from the merged ones."""
    from gainful.scores.users import MEAN, mean_of

    averaged = []
    for run in runs:
        base = run.name.removesuffix(f" · {MEAN}")
        users = [
            other
            for other in runs
            if other.user not in (None, MEAN) and other.name == f"{base} · {other.user}"
        ]
        averaged.append(mean_of(run, users) if run.user == MEAN else run)
    return tuple(averaged)


def _only(values: Iterable[str | None]) -> str | None:
    """The value that all have; None where they differ."""
    different = set(values)
    return different.pop() if len(different) == 1 else None


def _digest(digests: Sequence[str | None]) -> str | None:
    """The digest that all parts share, or else the digest of all different parts together."""
    each = dict.fromkeys(digests)
    if None in each:
        return None
    return digests[0] if len(each) == 1 else summed(digest for digest in each if digest)
