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
import math
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
LEAST = 1e-6
"""Probability below which no document is drawn: it would stand for more than a million, and nothing be left of the others."""
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
        from gainful.formats.study_designs import of_study

        return of_study(judgments, path)
    if path is not None:
        return with_inclusion(judgments, of_records(path), shown(path))
    return with_inclusion(judgments, _of_object(design), "the design")


def of_records(path: str) -> Draws:
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
        draws[id_bytes(record[topic]), id_bytes(record[document])] = Drawn(
            math.nan
            if given is None
            else _probability(given, f"{place.name}, {place.unit} {place.number}", str(given)),
            str(record[stratum]) if stratum is not None and record[stratum] is not None else "",
        )
    return draws


def id_bytes(given: Any) -> bytes:
    """An id of a design as judgments have it."""
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
            draws[id_bytes(topic), id_bytes(document)] = drawn
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
    rare = [pair for pair, each in zip(pairs, judged & (probability < LEAST), strict=True) if each]
    if rare:
        topic, document = (shown(from_bytes(id_)) for id_ in rare[0])
        raise DataError(
            f"{source}: {len(rare):,} of {len(pairs):,} documents are said to be drawn with a probability below {LEAST:f}, and "
            f"would stand for more than a million others; the first is document '{document}' of topic '{topic}'. Is that column "
            "the probability?"
        )
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
