"""Caveats: what would make a careful reader of the verdict hesitate."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from gainful.comparisons import Comparison
from gainful.errors import GainfulError
from gainful.formats import Run
from gainful.formats.ids import shown
from gainful.judging.notes import grouped
from gainful.reports.topics import Topics
from gainful.scores import Scores

_FEW = 25  # topics
_THIN = 0.8  # share of the top ten that is judged
_FOLLOWED = 1000  # topics up to which unjudged documents are followed


def caveats(scores: Scores, comparison: Comparison | None, topics: Topics) -> list[str]:
    """Topics missing, thin judgments, ties, few topics; each in a sentence."""
    notes = grouped([*scores.notes, *(() if comparison is None else comparison.notes)])
    names = {shown(run.name) for run in scores}
    return [*(_sentence(note, names) for note in notes), *_few(topics), *_thin(topics)]


def not_known(scores: Scores, runs: Mapping[str, Run], systems: Sequence[str]) -> list[str]:
    """How far the lead on the first measure hangs on documents that nobody judged, and on the order of equal scores."""
    from gainful.comparisons import unknown
    from gainful.comparisons.unjudged.unknown_results import sentences

    measure = scores.measures[0]
    if len(scores.runs[0].topics) > _FOLLOWED or measure.needs is not None or measure.summary != "mean":
        return []
    settings = {name: value for name, value in scores.settings.to_dict().items() if name != "depth"}
    try:
        found = unknown(scores.judgments, [runs[system] for system in systems[:2]], [measure], **settings)
    except GainfulError:  # there is a lead all the same; what it hangs on cannot be told
        return []
    return [line for pair in found.pairs for line in sentences(pair, brief=pair.reversal.open == 0)]


def _few(topics: Topics) -> list[str]:
    number = len(topics.topics)
    if number >= _FEW:
        return []
    several = "one topic says" if number == 1 else f"{number} topics say"
    return [f"Few topics: {several} little about others; only large differences can be found."]


def _thin(topics: Topics) -> list[str]:
    known = [topic.judged for topic in topics.topics if topic.judged is not None]
    if not known:
        return ["Nothing was retrieved for any judged topic."]
    share = sum(known) / len(known)
    if share >= _THIN:
        return []
    return [
        f"Thin judgments: {100 * share:.0f} % of the documents in the top ten are judged, and the others count as not relevant."
    ]


def _sentence(note: str, names: Collection[str] = ()) -> str:
    """A note as a sentence; a name that begins it stays as it is.

    >>> _sentence("the runs differ in depth: a 100, b 10")
    'The runs differ in depth: a 100, b 10.'
    >>> _sentence("a and b are the same run", ["a", "b"])
    'a and b are the same run.'
    """
    whole = note if note.endswith((".", "?", "!")) else f"{note}."
    head = whole.split(" ", 1)[0]
    return whole[:1].upper() + whole[1:] if head.islower() and head.isalpha() and head not in names else whole
