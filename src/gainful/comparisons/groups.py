"""Groups of topics: every comparison within each of them, and whether they answer differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gainful.comparisons.comparison import Comparison, compare_scores
from gainful.comparisons.method import Method
from gainful.comparisons.pair import Pair
from gainful.comparisons.score_table import ScoreTable
from gainful.comparisons.topic_attributes import read_pairs
from gainful.errors import NothingInCommon
from gainful.formats.ids import in_order, shown, some
from gainful.measures import Measure
from gainful.presentation.page import Brief
from gainful.presentation.text_style import signed, stated_p
from gainful.statistics.anova import DEALS, interactions
from gainful.statistics.corrections import CORRECTIONS
from gainful.statistics.differences import differences, weighted_mean
from gainful.statistics.resampling import Progress


@dataclass(frozen=True, slots=True)
class Interaction:
    """Whether the difference of a pair depends on the group.

    differences  B − A in each group
    """

    measure: Measure
    a: str
    b: str
    differences: Mapping[str, float]
    p_value: float
    p_adjusted: float

    def sentence(self, alpha: float, adjusted: str | None = None) -> str:
        """Whether the difference depends on the group, in a sentence."""
        p = f"p {stated_p(self.p_value)}"
        if adjusted:
            p += f" ({stated_p(self.p_adjusted).removeprefix('= ')} after {adjusted})"
        pair = f"{shown(self.b)} − {shown(self.a)} on {self.measure}"
        each = ", ".join(f"{shown(group)} {signed(value)}" for group, value in self.differences.items())
        if self.p_adjusted <= alpha:
            return f"{pair} depends significantly on the group: {each}; {p}."
        return f"{pair} does not depend significantly on the group: {each}; {p}."

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "measure": str(self.measure),
            "a": shown(self.a),
            "b": shown(self.b),
            "differences": {shown(group): value for group, value in self.differences.items()},
            "p_value": self.p_value,
            "p_adjusted": self.p_adjusted,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Brief):
    """The comparison within each group, and the interaction of group and system.

    topics      how many topics each group has
    parts       the comparison of each group of two topics or more
    deals       random assignments of topics to groups, behind the p-values of the interactions
    correction  of these p-values
    """

    topics: Mapping[str, int]
    parts: Mapping[str, Comparison]
    interactions: tuple[Interaction, ...]
    deals: int
    correction: str
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        return {
            "deals": self.deals,
            "correction": self.correction,
            "parts": [
                {
                    "group": shown(group),
                    "topics": self.topics[group],
                    "means": {
                        measure: {shown(name): value for name, value in means.items()}
                        for measure, means in part.means.items()
                    },
                    "comparisons": [pair.to_dict() for pair in part.pairs],
                }
                for group, part in self.parts.items()
            ],
            "interactions": [interaction.to_dict() for interaction in self.interactions],
        }


def read_groups(given: Any) -> dict[str, str]:
    """The group of each topic, from a file of topic and group or from a mapping.

    >>> read_groups({"q1": "head", 2: "tail"})
    {'q1': 'head', '2': 'tail'}
    """
    return read_pairs(given, "group", _group)


def grouped(
    comparison: Comparison, groups: Mapping[str, str], *, progress: Progress | None = None
) -> Comparison:
    """The comparison, with one within each group of topics and tests of interaction."""
    table, method = comparison.table, comparison.method
    members, notes = members_of(table, groups)
    parts = {}
    for group, topics in members.items():
        if len(topics) < 2:
            notes.append(
                f"group {shown(group)} has one topic ({shown(topics[0])}); there is nothing to compare in it"
            )
            continue
        part = replace(table.only(set(topics)), notes=())
        try:
            parts[group] = compare_scores(part, method, progress=progress)
        except NothingInCommon as fault:  # a measure does not count enough of its topics
            notes.append(f"group {shown(group)}: {str(fault).removesuffix('.')}")
    if not parts:
        raise NothingInCommon("no group has two topics that count; there is nothing to compare by group.")
    correction = "holm" if method.shared else method.correction
    interactions = _interactions(comparison, members, correction, progress)
    deals = _deals(method)
    by_group = Groups(
        {group: len(topics) for group, topics in members.items()},
        parts,
        interactions,
        deals,
        correction,
        tuple(notes),
    )
    return replace(comparison, groups=by_group, notes=(*comparison.notes, *notes))


def members_of(table: ScoreTable, groups: Mapping[str, str]) -> tuple[dict[str, list[str]], list[str]]:
    """The topics of each group that are compared, and what is to be noted."""
    members: dict[str, list[str]] = {}
    for topic in table.topics:
        if topic in groups:
            members.setdefault(groups[topic], []).append(topic)
    if not members:
        raise NothingInCommon("no topic that is compared has a group; are these the right ids?")
    notes = []
    if lacking := [topic for topic in table.topics if topic not in groups]:
        notes.append(f"{_count(lacking)} in no group, counted in the whole only: {some(lacking)}")
    if unknown := in_order(set(groups) - set(table.topics)):
        notes.append(f"{_count(unknown)} in a group and without scores, ignored: {some(unknown)}")
    return {group: members[group] for group in in_order(members)}, notes


def _interactions(
    comparison: Comparison, members: Mapping[str, list[str]], correction: str, progress: Progress | None
) -> tuple[Interaction, ...]:
    """The interaction of every pair and measure, corrected as the pairs are."""
    if len(members) < 2:
        return ()
    table, method = comparison.table, comparison.method
    number = {topic: place for place, topics in enumerate(members.values()) for topic in topics}
    pairs = {measure: comparison.of(measure) for measure in table.measures}
    alone = {}
    for measure in table.measures:
        rows, topics = table.of(measure)
        kept = [place for place, topic in enumerate(topics) if topic in number]
        place = {name: at for at, name in enumerate(table.names)}
        first, second = (np.array([place[getattr(pair, end)] for pair in pairs[measure]]) for end in "ab")
        weights = table.weights_of(topics)
        labels = np.unique([number[topics[at]] for at in kept], return_inverse=True)[1]
        if labels.max(initial=0) == 0:
            alone[measure] = np.ones(len(pairs[measure]))
            continue
        alone[measure] = interactions(
            differences(rows[:, kept], first, second),
            labels.tolist(),
            weights=None if weights is None else weights[kept],
            deals=_deals(method),
            seed=method.seed,
            progress=progress,
        )
    families = [list(alone)] if method.family == "all" else [[measure] for measure in alone]
    tested = []
    for family in families:
        p = np.concatenate([alone[measure] for measure in family])
        correct = CORRECTIONS[correction].function
        assert correct is not None  # `grouped` takes none that is shared by the family
        after = iter(correct(p).tolist())
        tested += [
            _interaction(table, pair, members, float(before), next(after))
            for measure in family
            for pair, before in zip(pairs[measure], alone[measure], strict=True)
        ]
    return tuple(tested)


def _interaction(
    table: ScoreTable, pair: Pair, members: Mapping[str, Sequence[str]], p: float, after: float
) -> Interaction:
    rows, topics = table.of(pair.measure)
    place = {topic: at for at, topic in enumerate(topics)}
    apart = rows[table.names.index(pair.b)] - rows[table.names.index(pair.a)]
    weights = table.weights_of(topics)
    means = {}
    for group, some_topics in members.items():
        kept = [place[topic] for topic in some_topics if topic in place]
        if kept:
            whole = np.ones(len(kept)) if weights is None else weights[kept]
            means[group] = float(weighted_mean(apart[None, kept], whole)[0])
    return Interaction(pair.measure, pair.a, pair.b, means, p, after)


def _deals(method: Method) -> int:
    return DEALS if method.flips is None else method.flips


def _group(value: Any) -> str:
    text = str(value).strip()
    if not text:
        raise ValueError("must have a name")
    return text


def _count(topics: Sequence[str]) -> str:
    return f"{len(topics):,} topic{' is' if len(topics) == 1 else 's are'}"
