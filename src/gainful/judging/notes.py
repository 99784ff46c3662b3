"""What would surprise a reader of the scores: a sentence about each run, and one for many runs when they are shown.

Also what is raised where topics are missing so that a run cannot be scored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from gainful.arrays import np
from gainful.errors import DataError, NothingInCommon
from gainful.formats.ids import shown, some, some_quoted
from gainful.judging.settings import Settings
from gainful.presentation.text_style import counted, extremes, percent, whole

DEPTHS_DIFFER = 1.5
"""A note is given if the median list of one run is more than this many times as long as another's."""
SHARES_DIFFER = 0.1
"""A note is given if runs differ by more than this in the judged share of their top ranks."""
TOP = 10
"""Top ranks in which the judged share is compared."""
DECIDES, MAY_CHANGE, GOOD_TO_KNOW = 3, 2, 1
"""How much a note matters: it decides what the numbers mean, may change an order of runs, or is good to know."""


class Note(str):
    """A sentence about a run, with what is needed to say it of many runs in one sentence.

    kind     notes of one kind become one sentence when they are shown
    matters  3 decides what the numbers mean, 2 may change an order of runs, 1 is good to know
    many     the sentence for several runs, with {runs} and {worst} to be filled in
    worst    what fills {worst} if this run is the worst of them
    amount   how bad it is: the worst of a kind has the largest
    run      the run that it is about; "" where it is about none, or about all

    >>> lost = {"kind": "lost", "many": "{runs} lost topics; most: {worst}"}
    >>> notes = [Note(f"{n} topics lost", **lost, worst=f"lost {n}", amount=n, run=run) for run, n in (("a", 2), ("b", 9))]
    >>> grouped(["grades are few", *notes])
    ['grades are few', '2 runs lost topics; most: b lost 9']
    """

    kind: str
    matters: int
    many: str
    worst: str
    amount: float
    run: str

    def __new__(
        cls,
        sentence: str,
        *,
        kind: str = "",
        matters: int = MAY_CHANGE,
        many: str = "",
        worst: str = "",
        amount: float = 0.0,
        run: str = "",
    ) -> Self:
        """A note of one sentence, which begins with the run's name where it is about one."""
        note = super().__new__(cls, f"{run}: {sentence}" if run else sentence)
        note.__dict__.update(kind=kind, matters=matters, many=many, amount=amount, run=run)
        note.worst = f"{run} {worst}" if run else worst
        return note

    def about(self, run: str) -> Note:
        """The note as one about this run."""
        return Note(
            str(self),
            kind=self.kind,
            matters=self.matters,
            many=self.many,
            worst=self.worst,
            amount=self.amount,
            run=run,
        )


def grouped(notes: Iterable[str]) -> list[str]:
    """The notes as they are shown: what matters most first, and one sentence for each kind, with a count and the worst case.

    A plain string is a kind of its own; a repeated sentence is shown once.
    """
    kinds: dict[str, list[Note]] = {}
    for each in notes:
        note = each if isinstance(each, Note) else Note(each)
        kinds.setdefault(note.kind or str(note), []).append(note)
    said: list[tuple[int, str]] = []
    for alike in kinds.values():
        worst = max(alike, key=lambda note: note.amount)
        runs = len({note.run for note in alike})
        together = worst.many.format(runs=counted(runs, "run"), worst=worst.worst)
        said.append((worst.matters, together if runs > 1 and worst.many else str(worst)))
    return [sentence for _, sentence in sorted(said, key=lambda each: -each[0])]


GRADES_FROM_1 = [
    Note(
        "the lowest grade judged is 1, so every judged document is relevant; "
        "if 1 means not relevant here, use --rel 2, RBP(rel=2), and a gain table such as gain={2:1,3:2}",
        kind="grades from 1",
        matters=DECIDES,
    )
]
ONE_SUBTOPIC = [
    Note(
        "every topic has one subtopic in the judgments; is the second column really the subtopic?",
        kind="one subtopic",
        matters=DECIDES,
    )
]


def about_dropped(rows: int, settings: Settings, of: str = "") -> list[Note]:
    """A note on rows left out because their topic had the document already."""
    stays = "the first" if settings.duplicates == "first" else "the best"
    return [
        Note(
            f"{counted(rows, f'row{of}')} dropped as duplicates; {stays} of each counts "
            f"(--duplicates {settings.duplicates})",
            kind=f"dropped{of}",
            many=f"{{runs}} have documents twice in a topic, of which {stays} counts; most dropped: {{worst}}",
            worst=f"{rows:,} rows",
            amount=rows,
        )
    ]


def close_topics(close: tuple[np.ndarray, np.ndarray, np.ndarray], cutoffs: Iterable[int]) -> dict[int, int]:
    """Topics in which scores that are tied in 32 bits and not in 64 straddle each cutoff; cutoffs with none are left out."""
    topic, first, last = close
    counts = {
        cutoff: len(np.unique(topic[(first <= cutoff) & (last > cutoff)])) for cutoff in sorted(set(cutoffs))
    }
    return {cutoff: count for cutoff, count in counts.items() if count}


def about_close_scores(
    close: tuple[np.ndarray, np.ndarray, np.ndarray], cutoffs: Iterable[int], topics: int
) -> list[Note]:
    """Scores that are tied in 32 bits, as in trec_eval 9, and not in 64, where they straddle a cutoff."""
    straddled = close_topics(close, cutoffs)
    if not straddled:
        return []
    ranks = [f"rank {cutoff:,} in {counted(count, 'topic')}" for cutoff, count in straddled.items()]
    worst = max(straddled, key=lambda cutoff: straddled[cutoff])
    why = "trec_eval 9 and tools built on it treat them as ties; so does --scores 32"
    return [
        Note(
            f"scores equal as 32-bit floats but not as 64-bit floats straddle {', '.join(ranks)} of {topics:,}; {why}",
            kind="close scores",
            many=f"scores equal as 32-bit floats but not as 64-bit floats straddle a cutoff in {{runs}}; most: {{worst}}; {why}",
            worst=f"at rank {worst:,} in {straddled[worst]:,} of {counted(topics, 'topic')}",
            amount=straddled[worst],
        )
    ]


def about_missing(missing: Sequence[str], topics: int, settings: Settings) -> list[Note]:
    """A note on judged topics that the run lacks."""
    fate = "left out" if settings.missing == "skip" else "scored as empty lists"
    return [
        Note(
            f"{counted(len(missing), 'judged topic')} of {topics} not in the run, {fate}: {some(missing)}",
            kind="missing topics",
            matters=DECIDES,
            many=f"{{runs}} lack judged topics, which are {fate}; most: {{worst}}",
            worst=f"lacks {len(missing):,} of {topics:,}",
            amount=len(missing),
        )
    ]


TIE_RULES = {
    "docid": "document id, descending",
    "ascending": "document id, ascending",
    "input": "order given",
    "reverse": "the reverse of the order given",
}


def about_ties(straddling: Mapping[int, int], topics: int, settings: Settings) -> list[Note]:
    """A note on ties: for each cutoff, in how many topics tied scores with a judged document among them straddle it."""
    straddled = {cutoff: count for cutoff, count in sorted(straddling.items()) if count}
    rule = TIE_RULES[settings.ties]
    ranks = [f"rank {cutoff:,} in {counted(count, 'topic')}" for cutoff, count in straddled.items()]
    worst = max(straddled, key=lambda cutoff: straddled[cutoff])
    order = f"their order is by {rule} (--ties)"
    return [
        Note(
            f"tied scores straddle {', '.join(ranks)} of {topics:,}; {order}",
            kind="ties",
            many=f"tied scores straddle a cutoff in {{runs}}; most: {{worst}}; {order}",
            worst=f"at rank {worst:,} in {straddled[worst]:,} of {counted(topics, 'topic')}",
            amount=straddled[worst],
        )
    ]


def about_sampled_orders(
    errors: np.ndarray, measures: Sequence[str], counting: Sequence[np.ndarray]
) -> list[Note]:
    """A note on measures whose expected values are means over a sample of the orders of tied documents.

    errors    standard errors, measures × topics
    counting  for each measure, the topics that count
    """
    notes = []
    for measure, of_topics, counts in zip(measures, errors, counting, strict=True):
        sampled = of_topics[counts] > 0
        if sampled.any():
            # topics that are alike have the same sample, and so the same error, which does not average out between them
            distinct, alike = np.unique(of_topics[counts], return_counts=True)
            error = float(np.sqrt(((distinct * alike) ** 2).sum()) / counts.sum())
            notes.append(
                Note(
                    f"{measure}: in {counted(int(sampled.sum()), 'topic')} tied documents have too many orders to go through; "
                    f"these are means over 1,000 random orders, and the standard error of the mean is {error:.1g}",
                    kind=f"sampled orders of {measure}",
                    matters=GOOD_TO_KNOW,
                    many=f"{measure}: ties with too many orders are sampled in {{runs}}; largest error: {{worst}}",
                    worst=f"{error:.1g}",
                    amount=error,
                )
            )
    return notes


def about_extra(extra: Sequence[str], extras: int) -> list[Note]:
    """A note on topics that are not judged: how many there are, and the names of the first."""
    return [
        Note(
            f"{counted(extras, 'topic')} of the run not judged, ignored: {some(extra, count=extras)}",
            kind="extra topics",
            matters=GOOD_TO_KNOW,
            many="{runs} have topics that are not judged, which are ignored; most: {worst}",
            worst=f"has {extras:,}",
            amount=extras,
        )
    ]


def about_unlike(depths: Mapping[str, float], shares: Mapping[str, float]) -> list[Note]:
    """Notes if runs differ in the median depth of their lists, or in the judged share of their top ranks."""
    notes = []
    if max(shares.values()) - min(shares.values()) > SHARES_DIFFER:
        unlike = f"the runs differ in how much of their top {TOP} is judged: {extremes(shares, _rounded)}"
        notes.append(Note(unlike, kind="judged shares"))
    if depths and max(depths.values()) > DEPTHS_DIFFER * min(depths.values()):
        unlike = f"the runs differ in depth (documents per topic, median): {extremes(depths, whole)}"
        notes.append(Note(unlike, kind="depths"))
    return notes


def _rounded(share: float) -> str:
    return percent(share, 0)


def median(numbers: Iterable[float]) -> float:
    """The median; `np.median` would import masked arrays, which takes as long as reading a small run."""
    ordered = sorted(numbers)
    return float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def nothing_in_common(
    name: str, path: str | None, extra: Sequence[str], topics: Sequence[str]
) -> NothingInCommon:
    """What to raise where no topic of the run of that name is judged."""
    of_run = f"the run has {some_quoted(extra)}" if extra else "the run has no topics at all"
    where = shown(path) if path else f"run '{shown(name)}'"
    return NothingInCommon(
        f"{where}: no topic is judged; {of_run}, the judgments have {some_quoted(topics)}.\n"
        "Are these the right files, in the order QRELS RUN?"
    )


def topics_missing(name: str, path: str | None, missing: Sequence[str]) -> DataError:
    """What to raise where judged topics are missing from the run of that name, and that is an error."""
    return DataError(
        f"{shown(path) if path else f'run {shown(name)!r}'}: "
        f"{counted(len(missing), 'judged topic')} not in the run: {some(missing)}. "
        "Add them, or choose --missing empty or --missing skip (missing=… in Python)."
    )
