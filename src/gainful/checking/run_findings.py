"""Findings about runs beside judgments: what each looks at, what it says, and what to do about it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gainful.checking.checkup import CUTOFFS, NAMED, Depth, Finding, RunFacts, Severity, some_ids
from gainful.checking.id_arrays import Integers, Spans
from gainful.checking.run_scan import Scan, in_16_bits
from gainful.formats.ids import difference, from_bytes, shown, some_quoted, to_bytes
from gainful.judging.notes import DEPTHS_DIFFER, SHARES_DIFFER
from gainful.presentation.text_style import counted, extremes, percent, whole

FEW_JUDGED, SOME_JUDGED = 0.5, 0.9
MANY_TIED = 0.1  # share of topics
MANY_ALIKE = 0.01
MANY_SELVES = 0.1
MEANINGLESS = 0.5  # share of topics from which on a run says nothing, or the reverse of what it means
TOP = CUTOFFS[0]


# ---- one run -----------------------------------------------------------------------------------------------


def about_topics(
    where: str, missing: Sequence[str], extra: Sequence[str], topics: int, labelled: Collection[str] = ()
) -> Iterator[Finding]:
    """Topics that only one side has, and those of them whose ids differ in case, type or padding only.

    labelled  topics that people did not judge and models labelled
    """
    pairs = _look_alikes(missing, extra)
    if pairs:
        yield Finding(
            "fault",
            "topic-ids",
            where,
            f"{counted(len(pairs), 'topic')} of the run {_differ([kind for *_, kind in pairs])} from a judged one: "
            "they do not match, and the judged ones score 0.",
            "Write the ids in the same way in both files.",
            len(pairs),
            tuple(f"{shown(theirs)} for {shown(ours)}" for ours, theirs, _ in pairs[:NAMED]),
        )
    if len(missing) == topics:
        if not pairs:
            yield Finding(
                "fault",
                "no-common-topic",
                where,
                f"No topic is judged: the run has {some_quoted(extra)}, the judgments {some_quoted(missing)}.",
                "Are these the right files, in the order QRELS RUN?",
                len(extra),
            )
        return
    reported = {topic for ours, theirs, _ in pairs for topic in (ours, theirs)}
    missing, extra = ([topic for topic in group if topic not in reported] for group in (missing, extra))
    if missing:
        yield Finding(
            "warning",
            "missing-topics",
            where,
            f"{counted(len(missing), 'judged topic')} of {topics:,} not in the run: scored as empty lists.",
            "Complete the run, or use --missing skip to average over the topics it has.",
            len(missing),
            some_ids(missing),
        )
    by_models = [topic for topic in extra if topic in labelled]
    extra = [topic for topic in extra if topic not in labelled]
    if by_models:
        yield Finding(
            "note",
            "topics-of-models",
            where,
            f"{counted(len(by_models), 'topic')} of the run judged by no person, but labelled by models: their labels count.",
            "",
            len(by_models),
            some_ids(by_models),
        )
    if extra:
        yield Finding(
            "note",
            "extra-topics",
            where,
            f"{counted(len(extra), 'topic')} of the run not judged: ignored.",
            "",
            len(extra),
            some_ids(extra),
        )


def about_documents(
    where: str, alike: Sequence[tuple[str, str, str]], judged: int, count: int
) -> Iterator[Finding]:
    """Retrieved documents that look like judged ones and are not: (topic, retrieved, judged) of some of them."""
    if not count:
        return
    severe: Severity = "fault" if count >= MANY_ALIKE * judged else "warning"
    kinds = [difference(to_bytes(ours), to_bytes(theirs)) for _, theirs, ours in alike]
    yield Finding(
        severe,
        "document-ids",
        where,
        f"{counted(count, 'retrieved document')} {_differ(kinds)} from a judged one: "
        "they do not match, and count as unjudged.",
        "Write the ids in the same way in both files, as text, not as numbers.",
        count,
        tuple(
            f"{shown(theirs)} for {shown(ours)} in topic {shown(topic)}"
            for topic, theirs, ours in alike[:NAMED]
        ),
    )


def about_ranks(where: str, scan: Scan, values: NDArray[np.float64]) -> Iterator[Finding]:
    """A rank column that says another order than the scores, or the very reverse of it."""
    if scan.rank is None:
        return
    falls, rises = _by_rank(scan, values)
    asked = int((falls + rises > 0).sum())
    reversed_ = int(((falls == 0) & (rises > 0)).sum())
    rising = np.flatnonzero(rises)
    examples = some_ids([from_bytes(scan.names[topic]) for topic in rising[:NAMED]])
    if asked and reversed_ >= MEANINGLESS * asked:
        yield Finding(
            "fault",
            "upside-down",
            where,
            f"In {counted(reversed_, 'topic')} of {asked:,} the scores increase with the rank: are they distances? "
            "Lists are sorted by score, highest first, so these are reversed.",
            "Negate the scores.",
            reversed_,
            examples,
        )
    elif len(rising):
        yield Finding(
            "warning",
            "rank-against-score",
            where,
            f"In {counted(len(rising), 'topic')} of {asked:,} the rank column contradicts the scores, which determine the order.",
            "If the ranks are right, write scores that decrease with the rank.",
            len(rising),
            examples,
        )


def about_ties(
    where: str, facts: RunFacts, span: Mapping[str, tuple[float, float]], constant: int
) -> Iterator[Finding]:
    """Tied scores that straddle a cutoff, and how far their order moves the scores."""
    tied = {cutoff: topics for cutoff, topics in facts.ties.items() if topics}
    if constant:
        yield Finding(
            "fault" if constant >= MEANINGLESS * facts.topics else "warning",
            "constant-scores",
            where,
            f"In {counted(constant, 'topic')} of {facts.topics:,} all scores are equal, so documents are ordered by id.",
            "Write scores that decrease with the rank, or use --ties input if the lines are in order.",
            constant,
        )
    if tied:
        across = ", ".join(f"rank {cutoff} in {topics:,}" for cutoff, topics in tied.items())
        moved = "; ".join(f"{name} is between {low:.4f} and {high:.4f}" for name, (low, high) in span.items())
        share = max(tied.values()) / max(facts.topics, 1)
        yield Finding(
            "warning" if share >= MANY_TIED else "note",
            "ties",
            where,
            f"Tied scores that include judged documents straddle {across} of {facts.topics:,} topics."
            + (f" By the order of ties, {moved}." if moved else ""),
            "Write scores with more digits, or report the --ties setting with the numbers.",
            max(tied.values()),
        )


def about_close_scores(where: str, straddled: Mapping[int, int], topics: int) -> Iterator[Finding]:
    """Scores that are tied in 32 bits, as in trec_eval 9, and not in 64: cutoff → topics in which they straddle it."""
    if straddled:
        across = ", ".join(f"rank {cutoff:,} in {count:,}" for cutoff, count in straddled.items())
        yield Finding(
            "note",
            "close-scores",
            where,
            f"Scores equal as 32-bit floats but not as 64-bit floats straddle {across} of {topics:,} topics.",
            "trec_eval 9 and tools built on it treat them as ties; so does --scores 32.",
            max(straddled.values()),
        )


def about_selves(where: str, topics: Sequence[str], first: int, of: int) -> Iterator[Finding]:
    """Documents whose id is their topic's: the query found itself, or two numberings meet."""
    if not topics:
        return
    severe = first >= MANY_SELVES * of
    yield Finding(
        "warning" if severe else "note",
        "self-matches",
        where,
        f"In {counted(len(topics), 'topic')} of {of:,} a document has the id of its topic, in {first:,} of them at rank 1"
        + (
            ": the query may have retrieved itself."
            if severe
            else ": if ids are numbers, this may be a coincidence."
        ),
        "--drop-self removes such hits." if severe else "",
        len(topics),
        some_ids(topics),
    )


def about_judged_share(where: str, judged: Mapping[int, float]) -> Iterator[Finding]:
    """How much of the top is judged."""
    share = judged[TOP]
    if share < SOME_JUDGED:
        yield Finding(
            "warning" if share < FEW_JUDGED else "note",
            "unjudged-top",
            where,
            f"{100 * share:.0f} % of the documents in the top {TOP} are judged; the others count as not relevant.",
            f"`gainful check --unjudged {TOP}` lists the documents to judge next.",
        )


def about_depth(where: str, depth: Depth | None, shallow: int, topics: int) -> Iterator[Finding]:
    """Lists that end before the first page does."""
    if depth is not None and shallow:
        yield Finding(
            "note",
            "short-lists",
            where,
            f"{counted(shallow, 'topic')} of {topics:,} with fewer than {TOP} documents (the shortest list has {depth.least:,}).",
            f"P@{TOP} still divides by {TOP}.",
            shallow,
        )


def about_infinite(where: str, values: NDArray[np.float64]) -> Iterator[Finding]:
    """Scores without a number's worth."""
    infinite = int(np.isinf(values).sum())
    if infinite:
        yield Finding(
            "note",
            "infinite-scores",
            where,
            f"{counted(infinite, 'score')} infinite: ranked first or last, and tied with each other.",
            "Write numbers.",
            infinite,
        )


# ---- all runs together -------------------------------------------------------------------------------------


def about_runs(runs: Sequence[RunFacts]) -> Iterator[Finding]:
    """Runs that are not alike, or too much so."""
    same: dict[str, list[str]] = {}
    for run in runs:
        same.setdefault(run.digest, []).append(shown(run.name))
    for names in same.values():
        if len(names) > 1:
            yield Finding(
                "warning",
                "same-run",
                "",
                f"{', '.join(names)} have identical rows.",
                "Keep one of them.",
                len(names),
            )
    depths = {shown(run.name): run.depth.median for run in runs if run.depth}
    if len(depths) > 1 and max(depths.values()) > DEPTHS_DIFFER * max(min(depths.values()), 1):
        yield Finding(
            "warning",
            "depths-differ",
            "",
            "The runs differ in depth (median documents per topic): " + extremes(depths, whole) + ".",
            "Compare them with --depth of the shallowest run, or at cutoffs that all reach.",
        )
    shares = {shown(run.name): run.judged[TOP] for run in runs}
    if len(shares) > 1 and max(shares.values()) - min(shares.values()) > SHARES_DIFFER:
        yield Finding(
            "warning",
            "shares-differ",
            "",
            f"The runs differ in how much of their top {TOP} is judged: "
            + extremes(shares, partial(percent, places=0))
            + ".",
            "Runs with fewer judged documents are underestimated; judge more, or compare with --unjudged condense too.",
        )


def about_never_retrieved(
    never: Mapping[float, int], grades: Mapping[float, int], runs: int
) -> Iterator[Finding]:
    """Relevant documents that no run has."""
    lost = sum(count for grade, count in never.items() if grade >= 1)
    relevant = sum(count for grade, count in grades.items() if grade >= 1)
    if lost:
        nowhere = "in none of the runs" if runs > 1 else "not in the run"
        yield Finding(
            "note",
            "never-retrieved",
            "",
            f"{lost:,} of {relevant:,} relevant documents are {nowhere}.",
            "Recall cannot reach 1. That is expected if they were found by systems that are not among these runs.",
            lost,
        )


# ---- what they look at -------------------------------------------------------------------------------------


def _by_rank(scan: Scan, values: NDArray[np.float64]) -> tuple[Integers, Integers]:
    """For each topic, from how many ranks to the next the score falls, and from how many it rises."""
    assert scan.rank is not None
    falls, rises = np.zeros((2, len(scan.names)), np.intp)
    for first, last, rows, offsets in scan.shards():
        rank, score = scan.rank[rows], values[rows]
        topic = np.repeat(np.arange(last - first, dtype=np.int32), np.diff(offsets))
        same = topic[1:] == topic[:-1]
        if (same & (rank[1:] < rank[:-1])).any():
            order = np.lexsort((in_16_bits(rank), in_16_bits(topic)))
            rank, score = rank[order], score[order]
        later = same & (rank[1:] > rank[:-1]) & (rank[:-1] >= 0)
        for counts, moves in ((falls, score[1:] < score[:-1]), (rises, score[1:] > score[:-1])):
            counts[first:last] = np.bincount(topic[1:][later & moves], minlength=last - first)
    return falls, rises


def _look_alikes(missing: Sequence[str], extra: Sequence[str]) -> list[tuple[str, str, str]]:
    """Judged topics that the run lacks beside topics of the run that look the same: (judged, of the run, what differs)."""
    by_form: dict[bytes, list[str]] = {}
    for form, topic in zip(_plain_forms(extra), extra, strict=True):
        by_form.setdefault(form, []).append(topic)
    pairs = []
    for form, topic in zip(_plain_forms(missing), missing, strict=True):
        alike = by_form.get(form, [])
        if len(alike) == 1:
            pairs.append((topic, alike[0], difference(to_bytes(topic), to_bytes(alike[0]))))
    return pairs


def _plain_forms(topics: Sequence[str]) -> list[bytes]:
    return Spans.of([to_bytes(topic) for topic in topics]).plain.texts()


def _differ(kinds: Sequence[str]) -> str:
    different = [kind for kind in ("type", "case", "padding") if kind in kinds]
    return (
        "differs only in " + " or ".join(different)
        if len(kinds) == 1
        else "differ only in " + " or ".join(different)
    )
