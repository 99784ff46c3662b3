"""Relevant documents that a run lacks in its first ranks, for the table of topics."""

from __future__ import annotations

from itertools import pairwise

from gainful.formats.ids import from_bytes, shown
from gainful.scores.score_set import Scores

TOP = 10
"""Ranks in which a missed document is looked for, where no measure has a cutoff."""


def missed_documents(scores: Scores) -> list[str]:
    """For each row the best relevant document that the run lacks in its first ranks, with its title.

    Empty unless documents were given; those that lie beside the judgments are not read for this.
    """
    texts = scores.texts
    if texts is None or texts.documents is None or texts.documents in texts.found:
        return []
    depth = next((measure.cutoff for measure in scores.measures if measure.cutoff), TOP)
    index, topics = scores.judgments.index, scores.judgments.topics
    starts = dict(zip(topics, pairwise(index.offsets.tolist()), strict=True))
    documents: list[str | None] = []
    for run in scores:
        judged = run.judged
        near_top = set(judged.row[judged.rank <= depth].tolist())
        for topic, counts in zip(run.topics, run.evaluated.tolist(), strict=True):
            rows = [row for row in range(*starts[topic]) if row not in near_top]
            best = max(rows, key=lambda row: float(index.grade[row]), default=None)
            relevant = best is not None and index.grade[best] >= (run.settings.rel or 1)
            if counts:
                documents.append(
                    from_bytes(index.documents(best, best + 1)[0]) if best is not None and relevant else None
                )
        documents.append(None)  # the row of all topics
    titles = texts.titles({document for document in documents if document is not None})
    return [
        "" if document is None else shown(f"{document} {titles.get(document, '')}".strip())
        for document in documents
    ]
