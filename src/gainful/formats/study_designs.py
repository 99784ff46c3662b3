"""The design of a study: which of its documents were drawn by chance, with which probability, and which could have been."""

from __future__ import annotations

import json
import math
import os
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gainful._core import Index, Rows
from gainful.errors import DataError
from gainful.formats.designs import Drawn, Draws, id_bytes, of_records, with_inclusion
from gainful.formats.ids import shown, to_bytes
from gainful.formats.sources import Source
from gainful.formats.text_records import given_id, records

if TYPE_CHECKING:
    from gainful.formats.judgments import Judgments

BY_EFFECT = "sample:change"
"""The strategy of a study that draws documents by their effect on a measure, and those below its cutoff not at all."""
BY_RANK = "sample:ranks:"
"""The strategy of a study that draws documents by their best rank, and those outside its bands of ranks not at all."""
RANDOM_PART, CHOSEN = "random part", "chosen"
"""Strata of a study with a random part: what was drawn at random, and what the strategy chose, which is certain."""
DEPTH = 100.0
"""Ranks of a study's runs that count, unless it says otherwise."""


def of_study(judgments: Judgments, folder: str) -> Judgments:
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
    draws = of_records(path)
    topics, documents, grades = judgments.rows
    judged = {
        pair for pair, grade in zip(zip(topics, documents, strict=True), grades, strict=True) if grade >= 0
    }
    batches: dict[tuple[bytes, bytes], tuple[int, Mapping[str, float]]] = {}
    for _, record in records(path):
        batch, earlier = record.get("batch"), record.get("earlier")
        if not isinstance(batch, int):
            return draws, ""
        pair = id_bytes(record["topic"]), id_bytes(record["document"])
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
    One that the study was made without is none of it, although its runs have it: nothing of it could be drawn.
    """
    open_topics = {topic for topic, _ in draws} - set(judgments.index.topics)
    ranks, bands = _best_ranks(folder, facts), _bands(facts)
    if asked := _topics(folder):
        ranks = {pair: rank for pair, rank in ranks.items() if pair[0] in asked}
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


def _topics(folder: str) -> set[bytes]:
    """The topics of a study; empty where it has no list of them."""
    path = Path(folder, "topics.jsonl")
    if not path.exists():
        return set()
    return {to_bytes(given_id(place, record, "a topic", ("topic",))) for place, record in records(str(path))}


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
