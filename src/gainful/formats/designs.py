"""Designs: with which probability each judged document was drawn for judging, read from files and Python objects.

    fifth column    topic, iteration, document, grade, probability; a sixth may name the stratum
    study folder    `pool.jsonl` of a study: topic, document, probability and stratum of what was drawn
    other files     JSON lines, CSV or Parquet with columns named topic, document, probability and, if any, stratum
    Python          {topic: {document: probability}}, or rows of (topic, document, probability[, stratum])

A document that was taken for certain has probability 1. Documents of one stratum with one probability are a simple
random sample of fixed size, drawn without replacement; without a stratum, or where probabilities differ within it,
each document was drawn independently of the others. A grade below 0 is a document that could have been drawn and was not.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gainful._core import Fault, Index, Rows
from gainful.errors import DataError
from gainful.formats.fault_messages import explain
from gainful.formats.ids import from_bytes, shown, to_bytes, unshown
from gainful.formats.inclusion import Inclusion, strata_sizes
from gainful.formats.records import DOCUMENT, TOPIC, column_named, number_of
from gainful.formats.sources import Source, opened, path_of
from gainful.formats.text_records import records
from gainful.formats.types import JudgmentDuplicates

if TYPE_CHECKING:
    from gainful.formats.judgments import Judgments

PROBABILITY = ("probability", "inclusion_probability", "inclusion", "prob", "pi")
STRATUM = ("stratum", "strata")
BY_EFFECT = "sample:change"
"""The strategy of a study that draws documents by their effect on a measure, and those below its cutoff not at all."""
BY_RANK = "sample:ranks:"
"""The strategy of a study that draws documents by their best rank, and those outside its bands of ranks not at all."""
RANDOM_PART, CHOSEN = "random part", "chosen"
"""Strata of a study with a random part: what was drawn at random, and what the strategy chose, which is certain."""
DEPTH = 100.0
"""Ranks of a study's runs that count, unless it says otherwise."""
COLUMNS = "topic, iteration, document, grade, probability"


class Drawn(NamedTuple):
    """With which probability a document was drawn, and from which stratum; NaN where it was chosen by other means."""

    probability: float
    stratum: str = ""


Draws = dict[tuple[bytes, bytes], Drawn]
"""What is known of each document, by topic and document."""


def read_sampled(path: str, duplicates: JudgmentDuplicates) -> Judgments:
    """Judgments in TREC text with a fifth column, the inclusion probability, and perhaps a sixth, the stratum."""
    from gainful.formats.judgments import Judgments

    draws: Draws = {}
    topics, documents, grades = [], [], []
    with opened(path) as source:
        for place, fields in _lines(source):
            topic, _, document, grade, probability, *stratum = fields
            number = number_of(grade)
            if number is None or math.isnan(number):
                raise DataError(f"{place}: grade '{shown(from_bytes(grade))}' is not a number.")
            topics.append(topic)
            documents.append(document)
            grades.append(number)
            draws.setdefault(
                (topic, document),
                Drawn(
                    _probability(number_of(probability), place, from_bytes(probability)),
                    "".join(map(from_bytes, stratum)),
                ),
            )
        where = source.name
    try:
        index = Index(Rows.of_lists(topics, documents, grades), duplicates=duplicates)
    except Fault as fault:
        raise explain(fault, where, "qrels", unit="row") from None
    return with_inclusion(Judgments(index, path), draws, f"the fifth column of {where}")


def has_fifth_column(head: bytes) -> bool:
    """Whether text begins with a line of judgments that has an inclusion probability in its fifth column."""
    first = next((line for line in head.splitlines() if line.strip() and not line.startswith(b"#")), b"")
    fields = first.split()
    return len(fields) in (5, 6) and all(number_of(field) is not None for field in fields[3:5])


def _lines(source: Source) -> Iterator[tuple[str, list[bytes]]]:
    """Place and fields of every line that is neither empty nor a comment; all have as many columns as the first."""
    width = 0
    for number, line in enumerate(source.lines(), 1):
        fields = line.split()
        if not fields or line.startswith(b"#"):
            continue
        width = width or len(fields)
        if len(fields) == 4:
            raise DataError(
                f"{source.at(number)}: the inclusion probability of document '{shown(from_bytes(fields[2]))}' is missing; "
                "every line needs one in the fifth column, and 1 for a document that was taken for certain."
            )
        if len(fields) != width:
            raise DataError(
                f"{source.at(number)}: {len(fields)} columns, where the lines before have {width}.\n"
                f"Expected {COLUMNS} and, on all lines or on none, the stratum; nothing was evaluated."
            )
        yield source.at(number), fields


def _probability(number: Any, place: str, text: str) -> float:
    """A probability that is above 0 and at most 1."""
    if not isinstance(number, int | float) or isinstance(number, bool) or not 0 < number <= 1:
        raise DataError(
            f"{place}: the inclusion probability '{shown(text)}' must be a number above 0 and at most 1; "
            "a document that cannot be drawn cannot stand for others."
        )
    return float(number)


# ---- a design that is given beside the judgments ------------------------------------------------------------


def designed(judgments: Judgments, design: Any) -> Judgments:
    """The judgments with the probabilities of a design: a study folder, a file, a mapping, or rows."""
    path = path_of(design)
    if path is not None and Path(path).is_dir():
        return _of_study(judgments, path)
    if path is not None:
        return with_inclusion(judgments, _of_records(path), shown(path))
    return with_inclusion(judgments, _of_object(design), "the design")


def _of_study(judgments: Judgments, folder: str) -> Judgments:
    """The probabilities of a study; what was judged before it counts as certain.

    Documents that were chosen by other means stand for nothing: beside them a random part, drawn from all the documents,
    stands for all. Documents of the study's runs that could have been drawn and were not are listed, with a grade below 0.
    """
    path = os.path.join(folder, "pool.jsonl")  # noqa: PTH118 (a path as it was typed)
    if not os.path.exists(path):  # noqa: PTH110
        raise DataError(f"{shown(folder)} is not a study: it has no pool.jsonl; make one with gainful pool.")
    draws, waiting = _of_judged_batches(path, judgments)
    known = os.path.join(folder, "known.qrels")  # noqa: PTH118
    if os.path.exists(known):  # noqa: PTH110
        with Source(known) as source:
            for line in source.lines():
                fields = line.split()
                if len(fields) == 4:
                    draws.setdefault((fields[0], fields[2]), Drawn(1.0, "judged before"))
    facts = _facts(folder)
    pooled, undrawn = set(draws), _undrawn(folder, facts, judgments, draws)
    draws |= undrawn
    strategy, depth = facts.strategy, facts.depth
    origin = f"{shown(folder)}, {shown(strategy)}" if strategy else shown(folder)
    if waiting:
        origin += f", without batch {waiting}, of which nothing is judged yet"
    sampled = with_inclusion(_listing(judgments, set(undrawn)), draws, origin, asked_for=pooled)
    assert sampled.inclusion is not None
    how = replace(sampled.inclusion, by_effect=strategy.startswith(BY_EFFECT), reach=_reach(strategy, depth))
    return replace(sampled, inclusion=how)


def _of_judged_batches(path: str, judgments: Judgments) -> tuple[Draws, str]:
    """The documents of a study's pool, and the batches that are left out because nothing of them is judged yet.

    What was drawn up to a batch is a sample of its own, with the probabilities that the pool had then: the documents of later
    batches would count as not relevant.
    """
    draws = _of_records(path)
    topics, documents, grades = judgments.rows
    judged = {
        pair for pair, grade in zip(zip(topics, documents, strict=True), grades, strict=True) if grade >= 0
    }
    batches: dict[tuple[bytes, bytes], tuple[int, Mapping[str, float]]] = {}
    for _, record in records(path):
        batch, earlier = record.get("batch"), record.get("earlier")
        if not isinstance(batch, int):
            return draws, ""
        pair = _id(record["topic"]), _id(record["document"])
        batches[pair] = batch, earlier if isinstance(earlier, Mapping) else {}
    numbers = sorted({batch for batch, _ in batches.values()})
    last = max((batches[pair][0] for pair in judged if pair in batches), default=0)
    later = [number for number in numbers if number > last]
    kept = {pair: earlier for pair, (batch, earlier) in batches.items() if batch <= last}
    if not later or not kept or not all(str(last) in earlier for earlier in kept.values()):
        return draws, ""
    then = {pair: _before(draws[pair], float(earlier[str(last)])) for pair, earlier in kept.items()}
    return then, f"{later[0]}" if len(later) == 1 else f"{later[0]} to {later[-1]}"


def _before(drawn: Drawn, probability: float) -> Drawn:
    """A document as it was drawn by the end of an earlier batch: one that a strategy chose since was in the random part."""
    random = drawn.stratum == CHOSEN and probability < 1
    return Drawn(probability, RANDOM_PART if random else drawn.stratum)


def _reach(strategy: str, depth: float) -> float:
    """The last rank of documents that a sample by rank could draw; infinity where that is all of the study's runs.

    >>> _reach("sample:ranks:1-10=50%,11-30=5%", 100), _reach("sample:ranks:1-100=5%", 100)
    (30.0, inf)
    """
    bands = strategy.removeprefix(BY_RANK) if strategy.startswith(BY_RANK) else ""
    last = max(map(float, re.findall(r"-(\d+)\s*=", bands)), default=math.inf)
    return last if last < depth else math.inf


class _Facts(NamedTuple):
    """What study.json says of a design: how documents were chosen, from which ranks of which runs, for which measure."""

    strategy: str = ""
    depth: float = DEPTH
    measure: str = ""
    runs: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()


def _facts(folder: str) -> _Facts:
    """What study.json says; nothing where there is none."""
    path = Path(folder, "study.json")
    try:
        content = json.loads(path.read_text("utf-8")) if path.exists() else {}
    except (OSError, ValueError) as fault:
        raise DataError(f"{shown(str(path))} cannot be read: {fault}.") from None
    if not isinstance(content, dict):
        return _Facts()
    depth = content.get("depth", DEPTH)
    return _Facts(
        str(content.get("strategy", "")),
        float(depth) if isinstance(depth, int) else DEPTH,
        str(content.get("measure", "")),
        tuple(map(str, content.get("runs") or ())),
        tuple(map(str, content.get("compare") or ())),
    )


def _bands(facts: _Facts) -> list[tuple[float, float]]:
    """The ranks from which a study draws: those of its bands, or down to the cutoff of its measure; all where it is neither.

    >>> _bands(_Facts("sample:ranks:1-10=50%,21-30=5%")), _bands(_Facts("sample:change:10%", measure="nDCG@10"))
    ([(1.0, 10.0), (21.0, 30.0)], [(1.0, 10.0)])
    """
    if facts.strategy.startswith(BY_RANK):
        return [(float(first), float(last)) for first, last in re.findall(r"(\d+)-(\d+)\s*=", facts.strategy)]
    cutoff = re.search(r"@(\d+)$", facts.measure)
    if facts.strategy.startswith(BY_EFFECT) and cutoff:
        return [(1.0, float(cutoff[1]))]
    return [(1.0, math.inf)]


def _undrawn(folder: str, facts: _Facts, judgments: Judgments, draws: Draws) -> Draws:
    """Every document in the runs of a study that could be drawn and was not, but for topics that nobody judged yet.

    Of a sample by rank the band is known, and with it the probability: that of the documents that were drawn from it.
    A topic of which no document was drawn is one of the study all the same: leaving it out would make means too high.
    """
    open_topics = {topic for topic, _ in draws} - set(judgments.index.topics)
    ranks, bands = _best_ranks(folder, facts), _bands(facts)
    band_of = {pair: _band(rank, bands) for pair, rank in ranks.items()}
    by_chance = (pair for pair, drawn in draws.items() if drawn.probability < 1)
    if any(band_of.get(pair, "") is None for pair in by_chance):
        # drawn for another measure too: the ranks that count are not those that the study states
        band_of = dict.fromkeys(ranks, "")
    chances = {
        (topic, drawn.stratum): drawn.probability for (topic, _), drawn in draws.items() if drawn.stratum
    }
    return {
        pair: Drawn(chances.get((pair[0], band), math.nan), band if (pair[0], band) in chances else "")
        for pair, band in band_of.items()
        if band is not None and pair[0] not in open_topics and pair not in draws
    }


def _band(rank: int, bands: Collection[tuple[float, float]]) -> str | None:
    """The band of a rank, as the pool of a study names its stratum; None where a document there cannot be drawn."""
    return next((f"ranks {first:g}-{last:g}" for first, last in bands if first <= rank <= last), None)


def _best_ranks(folder: str, facts: _Facts) -> dict[tuple[bytes, bytes], int]:
    """The best rank of each document of the runs that a strategy looks at; runs of a study stand in rank order."""
    from gainful.formats.runs import read_run

    by_effect = facts.strategy.startswith(BY_EFFECT)
    best: dict[tuple[bytes, bytes], int] = {}
    for path in sorted(Path(folder, "runs").glob("*.run")):
        number = path.name.partition("-")[0]
        name = facts.runs[int(number) - 1] if number.isdigit() and 0 < int(number) <= len(facts.runs) else ""
        if by_effect and facts.compared and name and name not in facts.compared:
            continue
        rows, seen = read_run(str(path)).rows(), Counter[bytes]()
        for pair in zip(rows.topics, rows.documents, strict=True):
            seen[pair[0]] += 1
            best[pair] = min(best.get(pair, seen[pair[0]]), seen[pair[0]])
    return best


def _listing(judgments: Judgments, undrawn: set[tuple[bytes, bytes]]) -> Judgments:
    """The judgments, and the documents that were not drawn with a grade below 0."""
    topics, documents, grades = judgments.rows
    more = sorted(undrawn - set(zip(topics, documents, strict=True)))
    if not more:
        return judgments
    rows = Rows.of_lists(
        [*topics, *(topic for topic, _ in more)],
        [*documents, *(document for _, document in more)],
        [*grades, *[-1.0] * len(more)],
    )
    return replace(judgments, index=Index(rows, duplicates="error"), given_digest=judgments.digest)


def _of_records(path: str) -> Draws:
    """The documents of a file with named values, or of judgments with a fifth column."""
    with Source(path) as source:
        head = source.head(line=True)
        if has_fifth_column(head):
            return {
                (fields[0], fields[2]): Drawn(
                    _probability(number_of(fields[4]), place, from_bytes(fields[4])),
                    "".join(map(from_bytes, fields[5:])),
                )
                for place, fields in _lines(source)
            }
    draws: Draws = {}
    for place, record in records(path):
        names = list(record)
        topic, document = column_named(names, TOPIC), column_named(names, DOCUMENT)
        if topic is None or document is None:
            raise place.fault("topic or document is missing; a design names both and the probability.")
        probability, stratum = column_named(names, PROBABILITY), column_named(names, STRATUM)
        given = None if probability is None else record[probability]
        given = number_of(to_bytes(given)) if isinstance(given, str) else given
        draws[_id(record[topic]), _id(record[document])] = Drawn(
            math.nan
            if given is None
            else _probability(given, f"{place.name}, {place.unit} {place.number}", str(given)),
            str(record[stratum]) if stratum is not None and record[stratum] is not None else "",
        )
    return draws


def _id(given: Any) -> bytes:
    return given if isinstance(given, bytes) else to_bytes(unshown(str(given)))


def _of_object(given: Any) -> Draws:
    """The documents of {topic: {document: probability}}, or of rows of topic, document, probability and perhaps stratum."""
    rows: Iterable[Any] = (
        (
            (topic, document, probability)
            for topic, of in given.items()
            for document, probability in of.items()
        )
        if isinstance(given, Mapping)
        else given
    )
    draws: Draws = {}
    try:
        for topic, document, probability, *stratum in rows:
            place = f"the design, document '{shown(str(document))}' of topic '{shown(str(topic))}'"
            drawn = Drawn(_probability(probability, place, str(probability)), "".join(map(str, stratum)))
            draws[_id(topic), _id(document)] = drawn
    except DataError:
        raise
    except (TypeError, ValueError):
        raise DataError(
            "a design is a study folder, a file, {topic: {document: probability}}, or rows of "
            f"(topic, document, probability); got {given!r:.60}."
        ) from None
    return draws


def with_inclusion(
    judgments: Judgments, draws: Draws, source: str, *, asked_for: Collection[tuple[bytes, bytes]] = ()
) -> Judgments:
    """The judgments, each document with its probability; refused where a judged document is not in the design.

    asked_for  documents that were drawn for certain, so that one without a judgment was not answered
    """
    if judgments.details is not None:
        raise DataError(
            f"{source} gives inclusion probabilities to documents, and these judgments are by {judgments.details.by}; "
            "estimates need one grade for each document."
        )
    topics, documents, grades = judgments.rows
    pairs = list(zip(topics, documents, strict=True))
    lost = [pair for pair in pairs if pair not in draws]
    if lost:
        topic, document = (shown(from_bytes(id_)) for id_ in lost[0])
        raise DataError(
            f"{source} does not belong to these judgments: {len(lost):,} of {len(pairs):,} judged documents "
            f"have no inclusion probability there; the first is document '{document}' of topic '{topic}'."
        )
    drawn = [draws[pair] for pair in pairs]
    probability = np.array([each.probability for each in drawn])
    codes: dict[tuple[bytes, str], int] = {}
    stratum = np.array(
        [
            codes.setdefault((topic, each.stratum), len(codes))
            for topic, each in zip(topics, drawn, strict=True)
        ],
        dtype=np.int64,
    )
    judged = np.array(grades) >= 0
    named = np.array([bool(name) for _, name in codes])
    here = {pair for pair, there in zip(pairs, judged.tolist(), strict=True) if there}
    known = set(topics)
    unanswered = sum(pair[0] in known and pair not in here for pair in asked_for)
    by_means = judged & np.isnan(probability)
    sampled = {topic for topic, each in zip(topics, drawn, strict=True) if each.probability < 1}
    by_chance = all(topics[row] in sampled for row in np.flatnonzero(by_means))
    inclusion = Inclusion(
        probability,
        stratum,
        strata_sizes(probability, stratum, judged, named),
        bool((~judged).any()),
        source,
        by_chance,
        unanswered,
    )
    digest = hashlib.sha256(f"{judgments.digest} {inclusion.digest}".encode()).hexdigest()
    return replace(judgments, inclusion=inclusion, given_digest=digest[: len(judgments.digest)])
