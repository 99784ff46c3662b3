"""Answers of several assessors become judgments: one grade for each document, conflicts named, preferences in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from gainful.comparisons.judges.judge_files import merging
from gainful.errors import UsageError
from gainful.formats.ids import in_order, shown, to_bytes
from gainful.studies.judging_page import Opinion
from gainful.studies.preference_order import consistent
from gainful.studies.study_folder import Grades, Pair, Study
from gainful.studies.study_records import Answers, Preference

MERGE = "majority"
"""How several grades of one document become one, unless another way is asked for."""


@dataclass(frozen=True)
class Conflict:
    """A document that assessors graded differently.

    grades   by assessor
    grade    that counts
    decided  by whom or how
    """

    topic: str
    document: str
    grades: dict[str, int]
    grade: float
    decided: str

    @property
    def apart(self) -> int:
        """The difference between the highest and the lowest grade."""
        return max(self.grades.values()) - min(self.grades.values())

    def to_dict(self) -> dict[str, object]:
        """By name, as a line of conflicts.jsonl."""
        return {
            "topic": shown(self.topic),
            "document": shown(self.document),
            "grades": {shown(name): grade for name, grade in self.grades.items()},
            "apart": self.apart,
            "grade": self.grade,
            "decided": self.decided,
        }


@dataclass(frozen=True, eq=False)
class Collected:
    """What the answers of a study amount to.

    answers      of each assessor, by name
    adjudicated  answers of whoever decided where assessors disagreed; None where nobody has
    merge        how several grades of one document become one: a name of `comparisons.judges.judge_files.MERGED`
    """

    study: Study
    answers: Mapping[str, Answers]
    adjudicated: Answers | None = None
    merge: str = MERGE
    _calibration: set[tuple[str, Pair]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        merging(self.merge)
        calibration = {(row.assessor, row.pair) for row in self.study.assignments if row.calibration}
        object.__setattr__(self, "_calibration", calibration)

    @cached_property
    def by_assessor(self) -> dict[str, dict[Pair, int]]:
        """The grades of each assessor, without those given for practice; assessors who graded nothing are left out."""
        graded = {
            name: {pair: grade for pair, grade in _grades(answers).items() if not self._practice(name, pair)}
            for name, answers in self.answers.items()
        }
        return {name: grades for name, grades in graded.items() if grades}

    @cached_property
    def practice(self) -> dict[str, dict[Pair, int]]:
        """The grades of each assessor for documents whose grade was known."""
        return {
            name: {pair: grade for pair, grade in _grades(answers).items() if self._practice(name, pair)}
            for name, answers in self.answers.items()
        }

    def _practice(self, assessor: str, pair: Pair) -> bool:
        return (assessor, pair) in self._calibration and pair in self.study.known

    @cached_property
    def decisions(self) -> dict[Pair, int]:
        """The grades that were given in adjudication."""
        return {} if self.adjudicated is None else _grades(self.adjudicated)

    @cached_property
    def cells(self) -> dict[Pair, dict[str, int]]:
        """What was said of each document, by assessor; documents in the order of topics."""
        cells: dict[Pair, dict[str, int]] = {}
        for name, grades in self.by_assessor.items():
            for pair, grade in grades.items():
                cells.setdefault(pair, {})[name] = grade
        return {pair: cells[pair] for pair in pairs_in_order(cells)}

    @cached_property
    def judgments(self) -> dict[Pair, float]:
        """One grade for each document: as adjudicated, else merged from what assessors said; and those known before."""
        choose = merging(self.merge)
        graded: dict[Pair, float] = {pair: choose(list(said.values())) for pair, said in self.cells.items()}
        graded |= self.decisions
        graded |= self.study.known
        return {pair: graded[pair] for pair in pairs_in_order(graded)}

    @cached_property
    def conflicts(self) -> list[Conflict]:
        """The documents that assessors graded differently."""
        decider = "" if self.adjudicated is None else f"adjudicated by {shown(self.adjudicated.assessor)}"
        return [
            Conflict(*pair, said, self.judgments[pair], decider if pair in self.decisions else self.merge)
            for pair, said in self.cells.items()
            if len(set(said.values())) > 1
        ]

    def disputed(self, apart: int = 1) -> dict[Pair, list[Opinion]]:
        """Documents whose grades differ by so much at the least and are not adjudicated yet, with what was said of them."""
        if apart < 1:
            raise UsageError(f"apart must be 1 or more; got {apart}.")
        reasons = {
            (name, (reply.topic, reply.document)): reply.reason
            for name, answers in self.answers.items()
            for reply in answers.answers
        }
        return {
            pair: [(name, grade, reasons[name, pair]) for name, grade in conflict.grades.items()]
            for conflict in self.conflicts
            if conflict.apart >= apart and (pair := (conflict.topic, conflict.document)) not in self.decisions
        }

    @cached_property
    def given_up(self) -> set[Pair]:
        """Documents that everybody who was asked has skipped or could not tell about, and nobody has graded."""
        said: dict[Pair, list[str]] = {}
        for answers in self.answers.values():
            for reply in answers.answers:
                said.setdefault((reply.topic, reply.document), []).append(reply.state)
        asked = Counter(row.pair for row in self.study.assignments)
        return {
            pair
            for pair, states in said.items()
            if len(states) == asked[pair]
            and {*states} <= {"skipped", "cannot tell"}
            and pair not in self.decisions
        }

    @cached_property
    def knowledge(self) -> list[tuple[str, str, str, bool]]:
        """Topic, assessor, document, and whether the assessor knew it already, for every document that has an answer."""
        rows = {
            (reply.topic, name, reply.document): reply.known
            for name, answers in self.answers.items()
            for reply in answers.answers
            if reply.state != "open"
        }
        place = _places(topic for topic, *_ in rows)
        ordered = sorted(rows, key=lambda row: (place[row[0]], row[1], to_bytes(row[2])))
        return [(*row, rows[row]) for row in ordered]

    @cached_property
    def preferences(self) -> dict[str, list[Preference]]:
        """The comparisons of each assessor; where they contradict each other the oldest is left out."""
        kept = {name: consistent(answers.preferences)[0] for name, answers in self.answers.items()}
        return {name: preferences for name, preferences in kept.items() if preferences}

    @cached_property
    def contradictions(self) -> dict[str, list[Preference]]:
        """The comparisons of each assessor that contradict later ones."""
        dropped = {name: consistent(answers.preferences)[1] for name, answers in self.answers.items()}
        return {name: preferences for name, preferences in dropped.items() if preferences}


def _grades(answers: Answers) -> dict[Pair, int]:
    return {
        (reply.topic, reply.document): reply.grade
        for reply in answers.answers
        if reply.state == "graded" and reply.grade is not None
    }


def pairs_in_order(pairs: Iterable[Pair]) -> list[Pair]:
    """Topics and documents in the usual order of topics, documents by their bytes."""
    listed = list(pairs)
    place = _places(topic for topic, _ in listed)
    return sorted(listed, key=lambda pair: (place[pair[0]], to_bytes(pair[1])))


def _places(topics: Iterable[str]) -> dict[str, int]:
    return {topic: number for number, topic in enumerate(in_order(set(topics)))}


def qrels_text(grades: Grades) -> bytes:
    """Judgments as TREC text, in the order in which they stand."""
    from gainful._core import Rows
    from gainful.formats.output_files import written

    if not grades:
        return b""
    columns = zip(
        *((to_bytes(t), to_bytes(d), float(grade)) for (t, d), grade in grades.items()), strict=True
    )
    return written(Rows.of_lists(*map(list, columns)), "qrels", "trec", path=".qrels")


def answer_counts(answers: Answers) -> dict[str, int]:
    """How many documents were graded, skipped and left as undecidable, and how many pairs were compared."""
    counts = dict.fromkeys(("graded", "skipped", "cannot tell", "compared"), 0)
    for reply in answers.replies:
        if reply.state != "open":
            counts[reply.state] += 1
    return counts
