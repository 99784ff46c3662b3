"""Pooling: from runs to a study, and from one batch of documents to the next."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from gainful.comparisons.method import LEAD
from gainful.comparisons.unjudged.evidence import OPEN, Evidence
from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.formats import Run, read_qrels
from gainful.formats.ids import shown, some_quoted
from gainful.formats.judgments import read_topics
from gainful.formats.runs import Names, runs_of
from gainful.formats.sources import is_path
from gainful.formats.study_designs import CHOSEN, RANDOM_PART
from gainful.formats.texts import Given
from gainful.measures import Measure, parse
from gainful.studies.assignment import assigned
from gainful.studies.candidates import all_topics, candidates_of, distinct_runs, pairs_of, top_of
from gainful.studies.strategies import Choice, Floats, Situation, Strategy, strategy_of
from gainful.studies.study_checks import check_known, check_manifest, check_names
from gainful.studies.study_folder import Grades, Pair, Study, in_topic_order, shown_record, write_study
from gainful.studies.study_records import (
    GRADES,
    Example,
    Manifest,
    Mode,
    Pooled,
    ScaleGrade,
)
from gainful.studies.study_texts import study_documents, study_topics

DEFAULT = "depth:20"
DEPTH = 100


def pool(
    runs: Any,
    *,
    queries: Given | None = None,
    documents: Given | None = None,
    have: Any = None,
    strategy: str = DEFAULT,
    compare: Sequence[str] = (),
    measure: str | None = None,
    topics: str | os.PathLike[str] | Collection[str] | None = None,
    depth: int = DEPTH,
    batch: int | None = None,
    random: float = 0.0,
    assessors: Sequence[str] = ("assessor",),
    overlap: float = 0.0,
    calibration: int = 0,
    scale: Sequence[ScaleGrade] = GRADES,
    mode: Mode = "grades",
    instructions: str = "",
    examples: Sequence[Example] = (),
    seed: int = 0,
    names: Names | None = None,
    output: str | os.PathLike[str] | None = None,
) -> Study:
    """Make a study of runs: the documents that people should judge first, why each is there, and who judges it.

    runs          files, mappings or frames, as in `gainful.evaluate`
    queries       texts of queries: a file or {id: text}
    documents     titles and texts of documents: a file or {id: text}
    have          judgments that are there already; they are kept, and never asked for again
    strategy      depth:20, sample:ranks:…, sample:change:…, adaptive:mtf, adaptive:bandit or decide
    compare       names of the two runs to decide between, baseline first; by default both, where there are two
    measure       the measure to decide; by default nDCG@10
    topics        only these topics: a file with one per line, or a list
    depth         ranks of each run that are looked at
    batch         documents in a batch; by default what the strategy takes
    random        share of each topic's documents that is drawn at random beside an adaptive strategy
    assessors     names of those who judge
    overlap       share of the documents that a second assessor judges too
    calibration   documents of `have` that every assessor judges first
    scale         grades that can be given
    mode          "grades", or "preferences" between pairs of documents
    instructions  shown to assessors
    examples      documents with their grades, shown to assessors
    seed          random seed
    names         what runs from files are called
    output        the folder to write; None returns the study alone

    >>> a, b = {"q": {"x": 3.0, "y": 2.0}}, {"q": {"y": 3.0, "z": 2.0}}
    >>> study = pool({"a": a, "b": b}, strategy="depth:1", have={"q": {"w": 1}})
    >>> [(row.document, row.reason) for row in study.pool]
    [('x', 'rank 1 of a'), ('y', 'rank 1 of b')]
    """
    whole, notes = distinct_runs({run.name: run.in_memory() for run in runs_of(runs, names)}, compare)
    cut = {name: top_of(run, depth) for name, run in whole.items()}
    wanted = _topics(cut, topics)
    manifest = Manifest(
        id="new",
        strategy=strategy,
        seed=seed,
        random_part=random,
        batch=batch,
        depth=depth,
        documents=os.fsdecode(documents) if is_path(documents) else None,
        measure=None if measure is None else str(parse(measure)),
        compare=tuple(compare) or (tuple(cut) if len(cut) == 2 else ()),
        runs={name: run.rows().digest for name, run in whole.items()},
        scale=tuple(scale),
        mode=mode,
        instructions=instructions,
        examples=tuple(examples),
        assessors=tuple(assessors),
        overlap=overlap,
    )
    _check(manifest)
    known = _known(have, {*wanted})
    check_known(manifest, known, "the judgments that are there already")
    described, about_queries = study_topics(wanted, queries)
    study = Study(manifest, described, (), (), (), known, cut, notes=(*notes, *about_queries))
    if calibration and not known:
        raise UsageError(
            "calibration needs judgments of these topics that are there already; give them with --have QRELS."
        )
    study = next_batch(study, documents=documents, calibration=calibration)
    study = replace(study, manifest=msgspec.structs.replace(manifest, id=_id(study)))
    return study if output is None else write_study(study, output)


def next_batch(
    study: Study,
    *,
    evidence: Evidence | None = None,
    documents: Given | None = None,
    calibration: int = 0,
    strategy: str | None = None,
    compare: Sequence[str] = (),
    measure: Measure | None = None,
    labels: Floats | None = None,
) -> Study:
    """The study with one more batch of documents; the same study where its strategy has no more.

    evidence     candidates with the grades known by now, where they have been gathered already
    documents    texts; by default the file that the study was made from, if it is still there
    calibration  documents with known grades that every assessor judges first
    strategy     another strategy than the study's own
    compare      names of two runs, and
    measure      the measure to decide between them; by default the study's own
    labels       of the candidates by a model, for strategies that use them
    """
    situation = replace(situation_of(study, evidence=evidence, strategy=strategy), labels=labels)
    if compare:
        names = situation.evidence.names
        pair = names.index(compare[0]), names.index(compare[1])
        situation = replace(situation, compared=pair, measure=measure or situation.measure)
    choosing, _ = strategy_of(strategy or study.manifest.strategy)
    chosen, chances = _chosen(study, situation, choosing)
    while choosing.probabilities is not None and not chosen and (situation.free & (chances > 0)).any():
        situation = replace(situation, batch=situation.batch + 1)  # chance drew nothing this time
        chosen, chances = _chosen(study, situation, choosing)
    pairs = pairs_of(situation.evidence)
    number = {pair: row for row, pair in enumerate(pairs)}
    chosen_of = {pairs[choice.row]: choice for choice in chosen}
    before = [_updated(row, chances, number, chosen_of, before=study.batches) for row in study.pool]
    there = {row.pair for row in before}
    more = [
        _pooled(choice, pairs, situation.batch, chances)
        for choice in chosen
        if pairs[choice.row] not in there
    ]
    if not more and chosen_of:  # all of them were drawn at random before: what comes after them is new
        again = study.extended(before, study.assignments)
        same = {"strategy": strategy, "compare": compare, "measure": measure, "labels": labels}
        longer = next_batch(again, evidence=evidence, documents=documents, **same)  # type: ignore[arg-type]
        return longer if longer is not again else study
    if not more:
        return study
    rows = in_topic_order([*before, *more])
    manifest = study.manifest
    shown_first = _calibration(study, calibration)
    assignments = assigned(
        rows,
        study.assignments,
        manifest.assessors,
        overlap=manifest.overlap,
        seed=manifest.seed,
        calibration=shown_first,
    )
    wanted = dict.fromkeys([*(document for _, document in shown_first), *(row.document for row in more)])
    texts, notes = study_documents(study, list(wanted), documents)
    return replace(study.extended(rows, assignments, texts), notes=(*study.notes, *notes))


def situation_of(
    study: Study, *, evidence: Evidence | None = None, strategy: str | None = None, batch: int | None = None
) -> Situation:
    """What the strategy of a study knows when it chooses the next batch, or an earlier one."""
    manifest = study.manifest
    if evidence is None:
        topics = [row.topic for row in study.topics]
        evidence = candidates_of(study.runs, study.judged(), best=study.best_grade, topics=topics)
    asked = {row.pair for row in study.pool}
    names = list(study.runs)
    return Situation(
        evidence,
        np.array([pair in asked for pair in pairs_of(evidence)], np.bool_),
        strategy_of(strategy or manifest.strategy)[1],
        study.batches + 1 if batch is None else batch,
        manifest.batch,
        parse(manifest.measure or LEAD),
        (names.index(manifest.compare[0]), names.index(manifest.compare[1])) if manifest.compare else None,
        manifest.seed,
    )


def _chosen(study: Study, situation: Situation, strategy: Strategy) -> tuple[list[Choice], Floats]:
    """What a strategy chooses, and the inclusion probability of every row by now; 0 where it has none.

    Beside a random part the strategy chooses as if that were not there: it may choose documents of it, and does not know what
    was found in them. What it chooses is certain; a document that it leaves is in the random part with the probability n/N with
    which all N documents of the topic were drawn, since the choice does not depend on the draw.
    """
    if strategy.probabilities is not None:
        return list(strategy.choose(situation)), strategy.probabilities(situation)
    chances = np.zeros(len(situation.evidence.grade))
    if not study.manifest.random_part:
        return list(strategy.choose(situation)), chances
    drawn = _random_part(study, situation)
    hidden = replace(situation.evidence, grade=np.where(drawn, OPEN, situation.evidence.grade))
    taken = situation.asked & ~drawn
    chosen = [
        replace(choice, stratum=CHOSEN)
        for choice in strategy.choose(replace(situation, evidence=hidden, asked=taken.copy()))
    ]
    taken[[choice.row for choice in chosen]] = True
    left = (situation.asked | situation.free) & ~taken
    for topic in range(len(situation.evidence.topics)):
        part = situation.evidence.part(topic)
        rest = left[part] & drawn[part]
        number = int((situation.asked | situation.free)[part].sum())
        chances[part] = np.where(rest, _drawn_of(number, study) / max(1, number), taken[part])
    if situation.batch == 1:
        rest_rows = np.flatnonzero(drawn & left)
        chosen += [Choice(int(row), "drawn at random", RANDOM_PART) for row in rest_rows]
    return chosen, chances


def _random_part(study: Study, situation: Situation) -> NDArray[np.bool_]:
    """Rows of the random part: of the documents of each topic a share, drawn without replacement at the first batch."""
    drawn = np.zeros(len(situation.evidence.grade), np.bool_)
    if situation.batch > 1:
        random = {row.pair for row in study.pool if row.stratum == RANDOM_PART}
        return np.array([pair in random for pair in pairs_of(situation.evidence)], np.bool_)
    for topic in range(len(situation.evidence.topics)):
        part = situation.evidence.part(topic)
        rows = part.start + np.flatnonzero(situation.free[part])
        first = rows[np.argsort(situation.uniform[rows], kind="stable")]
        drawn[first[: _drawn_of(len(rows), study)]] = True
    return drawn


def _drawn_of(number: int, study: Study) -> int:
    """How many of so many documents of a topic the random part has."""
    return math.ceil(study.manifest.random_part * number - 1e-9)


def _updated(
    row: Pooled, chances: Floats, number: Mapping[Pair, int], chosen: Mapping[Pair, Choice], *, before: int
) -> Pooled:
    """An earlier row as it stands by now: with another probability, or chosen by the strategy too and so certain.

    before  the number of the last batch until now
    """
    if row.probability is None:
        return row
    earlier = row.earlier | {str(before): row.probability}
    if row.pair in chosen:
        reason = f"{chosen[row.pair].reason}; drawn at random before"
        return msgspec.structs.replace(row, reason=reason, probability=1.0, stratum=CHOSEN, earlier=earlier)
    # a document keeps its random number: one that is less likely for another measure was drawn with the earlier probability
    chance = max(row.probability, float(chances[number[row.pair]]))
    return msgspec.structs.replace(row, probability=chance, earlier=earlier)


def _pooled(choice: Choice, pairs: Sequence[Pair], batch: int, chances: Floats) -> Pooled:
    topic, document = pairs[choice.row]
    return Pooled(
        topic=topic,
        document=document,
        batch=batch,
        reason=choice.reason,
        probability=float(chances[choice.row]) or None,
        stratum=choice.stratum,
    )


def _calibration(study: Study, number: int) -> list[Pair]:
    """Known documents that every assessor judges first: as many of each grade as of the others, if there are."""
    by_grade: dict[float, list[Pair]] = {}
    pairs = sorted(study.known)
    for place in np.random.default_rng([study.manifest.seed, 1]).permutation(len(pairs)):
        by_grade.setdefault(study.known[pairs[place]], []).append(pairs[place])
    chosen: list[Pair] = []
    while len(chosen) < number and any(by_grade.values()):
        chosen += [by_grade[grade].pop() for grade in sorted(by_grade) if by_grade[grade]]
    return chosen[:number]


def _topics(runs: Mapping[str, Run], wanted: Any) -> list[str]:
    topics = all_topics(runs)
    if wanted is None:
        return topics
    asked = read_topics(wanted)
    if not asked:
        raise UsageError("no topic is named; name one, or leave --topics (topics= in Python) out for all.")
    kept = [topic for topic in topics if topic in asked]
    if not kept:
        raise NothingInCommon(f"no run has any of the topics asked for ({some_quoted(sorted(asked))}).")
    return kept


def _known(have: Any, topics: Collection[str]) -> Grades:
    if have is None:
        return {}
    return {
        (topic, document): grade
        for topic, graded in read_qrels(have).to_dict().items()
        for document, grade in graded.items()
        if topic in topics
    }


def _check(manifest: Manifest) -> None:
    """Raise where the settings of a new study contradict each other."""
    try:
        check_manifest(manifest, "the study")
    except DataError as contradiction:  # of settings that were given, not of a file
        raise UsageError(str(contradiction)) from None
    check_names(manifest)
    strategy, parameters = strategy_of(manifest.strategy)
    for name, share in (("random", manifest.random_part), ("overlap", manifest.overlap)):
        if not 0 <= share <= 1:
            raise UsageError(f"{name} must be a share from 0 to 1, such as 20%; got {share:g}.")
    if not 0 <= manifest.seed < 1 << 63:
        raise UsageError(f"seed must be 0 or more, and below 2^63; got {manifest.seed}.")
    if strategy.probabilities is not None and (manifest.random_part or manifest.batch):
        odd = "a random part" if manifest.random_part else "a batch size"
        raise UsageError(f"{manifest.strategy} draws by chance, with a size of its own; leave {odd} out.")
    if strategy.pair and not manifest.compare:
        raise UsageError(
            f"{manifest.strategy} needs two runs to decide between; name them with --compare A B, of "
            f"{some_quoted(list(manifest.runs))}."
        )
    if strategy.name == "depth" and parameters.isdecimal() and int(parameters) > manifest.depth:
        raise UsageError(
            f"{shown(manifest.strategy)} looks deeper than rank {manifest.depth}; add --depth {parameters}."
        )
    if manifest.overlap and len(manifest.assessors) < 2:
        raise UsageError("an overlap needs two assessors at the least; name them with --assessors ann,bob.")


def _id(study: Study) -> str:
    """A digest of everything that was decided when the study was made."""
    rows = [[*map(shown_record, rows)] for rows in (study.topics, study.pool, study.assignments)]
    content = msgspec.json.encode([study.manifest, *rows])
    return blake2b(content, digest_size=8).hexdigest()
