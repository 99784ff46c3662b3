"""What to look at next: the topics on which the leader loses most, and how many topics would make the result surer."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gainful.formats.ids import shown
from gainful.presentation.text_style import cut_to, listed, rounded, signed, whole

if TYPE_CHECKING:
    from gainful.comparisons.comparison import Comparison
    from gainful.comparisons.verdict import Lead

_TOPICS = 5
_QUERY = 32  # columns of a query's text


def next_steps(comparison: Comparison, lead: Lead | None = None) -> list[str]:
    """What to look at next, in sentences.

    lead  who leads on the lead measure; unless given, as the comparison's verdict has it

    >>> from gainful.comparisons import ScoreTable, compare_scores
    >>> scores = [[0.1, 0.4, 0.3, 0.2, 0.6, 0.5], [0.2, 0.6, 0.4, 0.1, 0.8, 0.3]]
    >>> for step in next_steps(compare_scores(ScoreTable.of_matrix(scores, systems=["old", "new"], measure="AP"))):
    ...     print(step)
    new loses most on topics 6 (−0.200) and 4 (−0.100).
    To find a difference of 0.050 AP with power 0.8 takes 87 topics; there are 6.
    """
    lead = lead or comparison.verdict.leads[0]
    if lead.behind is None or lead.sure is None or lead.same:
        return []
    return [*_lost(comparison, lead), *_surer(comparison, lead)]


def _lost(comparison: Comparison, lead: Lead) -> list[str]:
    """The topics on which the leader is furthest behind, each with its query where that is known."""
    assert lead.behind is not None
    rows, topics = comparison.table.of(lead.measure)
    names, queries = comparison.table.names, comparison.queries
    ahead = rows[names.index(lead.leader)] - rows[names.index(lead.behind)]
    if lead.measure.less_is_better:
        ahead = -ahead
    worst = [place for place in np.argsort(ahead, kind="stable")[:_TOPICS].tolist() if ahead[place] < 0]
    if not worst:
        return []
    said = []
    for place in worst:
        topic = topics[place]
        query = f" “{cut_to(shown(queries[topic]), _QUERY)}”" if topic in queries else ""
        said.append(f"{shown(topic)}{query} ({signed(float(ahead[place]), 3)})")
    return [f"{shown(lead.leader)} loses most on topic{'s' * (len(worst) > 1)} {listed(said)}."]


def _surer(comparison: Comparison, lead: Lead) -> list[str]:
    """How many topics would detect the observed difference, where these did not."""
    assert lead.behind is not None
    pair = comparison.pair(lead.measure, lead.leader, lead.behind)
    if lead.sure or lead.unresolved or not lead.ahead_by or math.isnan(pair.topics_needed):
        return []
    size = f"a difference of {rounded(lead.ahead_by)} {lead.measure}"
    if math.isinf(pair.topics_needed):
        return [f"No number of topics would find {size}."]
    power = f"with power {comparison.method.power:g}"
    there = f"there {'is' if pair.topics == 1 else 'are'} {pair.topics:,}"
    return [f"To find {size} {power} takes {whole(pair.topics_needed)} topics; {there}."]
