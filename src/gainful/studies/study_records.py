"""The records of a study's files, one class for each kind of line; fields are written in the order in which they stand here.

Ids stand in these classes as they are in Python and are written as people see them (`formats.ids.shown`).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

VERSION = 1

Mode = Literal["grades", "preferences"]
State = Literal["graded", "skipped", "cannot tell", "open"]
Batch = Annotated[int, msgspec.Meta(ge=1)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Probability = Annotated[float, msgspec.Meta(gt=0, le=1)]
Name = Annotated[str, msgspec.Meta(min_length=1)]


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One JSON object of a study; fields that hold their default are not written."""


class ScaleGrade(Record, frozen=True, kw_only=True, omit_defaults=False):
    """A grade that assessors can give: its number, what it is called, and the key that gives it."""

    grade: int
    label: str
    key: str = ""


class Example(Record, frozen=True, kw_only=True):
    """A document with its grade, shown in the instructions."""

    query: str
    title: str = ""
    text: str = ""
    grade: int
    why: str = ""


GRADES = (
    ScaleGrade(grade=0, label="not relevant", key="0"),
    ScaleGrade(grade=1, label="marginally relevant", key="1"),
    ScaleGrade(grade=2, label="relevant", key="2"),
    ScaleGrade(grade=3, label="highly relevant", key="3"),
)
"""The scale of a study that was not given one."""


class Manifest(Record, frozen=True, kw_only=True, omit_defaults=False):
    """study.json: what holds for the whole study.

    id           digest of everything that was decided when the study was made
    strategy     how documents are chosen, as it was written
    random_part  share of the candidates that is drawn at random beside an adaptive strategy
    batch        documents in a batch; None where the strategy has its own size
    depth        ranks of each run that are looked at
    documents    the file that the texts of documents came from, read again for later batches; None where there is none
    measure      the measure that the study is to decide; None where no strategy needed one
    compare      names of the two runs that the study is to decide between, baseline first; empty where there are none
    runs         digest of each run by its name
    """

    gainful_study: Literal[1] = 1
    id: Name
    strategy: Name
    seed: Annotated[int, msgspec.Meta(ge=0)]
    random_part: Share = 0.0
    batch: Batch | None = None
    depth: Annotated[int, msgspec.Meta(ge=1)] = 100
    documents: str | None = None
    measure: str | None = None
    compare: tuple[str, ...] = ()
    runs: dict[str, str]
    scale: tuple[ScaleGrade, ...] = GRADES
    mode: Mode = "grades"
    instructions: str = ""
    examples: tuple[Example, ...] = ()
    assessors: tuple[Name, ...] = ("assessor",)
    overlap: Share = 0.0


class StudyTopic(Record, frozen=True, kw_only=True):
    """topics.jsonl: a topic and what it asks for."""

    topic: Name
    query: str = ""
    description: str = ""


class StudyDocument(Record, frozen=True, kw_only=True):
    """documents.jsonl: a pooled document as assessors read it."""

    document: Name
    title: str = ""
    text: str = ""


class Pooled(Record, frozen=True, kw_only=True):
    """pool.jsonl: a document to judge for a topic.

    reason       why it is there, in words
    probability  with which it was drawn, by now; None where it was not drawn by chance
    stratum      what it was drawn from, with others of the same topic; empty where each document is drawn for itself
    earlier      the probability by the end of each earlier batch since its own, by the number of the batch
    """

    topic: Name
    document: Name
    batch: Batch
    reason: str
    probability: Probability | None = None
    stratum: str = ""
    earlier: dict[str, Probability] = {}

    @property
    def pair(self) -> tuple[str, str]:
        """Topic and document."""
        return self.topic, self.document


class Assignment(Record, frozen=True, kw_only=True):
    """assignments.jsonl: who judges a document; lines stand in the order in which the assessor sees them.

    calibration  the grade is known already and serves to compare assessors
    """

    assessor: Name
    topic: Name
    document: Name
    batch: Batch
    calibration: bool = False

    @property
    def pair(self) -> tuple[str, str]:
        """Topic and document."""
        return self.topic, self.document


class Answer(Record, frozen=True, kw_only=True, omit_defaults=False):
    """What an assessor said of a document.

    grade    None where it was skipped or the assessor could not tell
    state    "open" where an answer was taken back, or only a remark was made so far
    known    whether the assessor knew the document already
    seconds  spent on it
    at       when, as an ISO time
    """

    topic: Name
    document: Name
    grade: int | None = None
    state: State = "graded"
    reason: str = ""
    known: bool = False
    seconds: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    at: str = ""


class Preference(Record, frozen=True, kw_only=True, omit_defaults=False):
    """Which of two documents an assessor preferred; under a tie, or where they were not compared, neither is better.

    state  whether the assessor compared them
    """

    topic: Name
    better: Name
    worse: Name
    tie: bool = False
    state: Literal["compared", "skipped", "cannot tell", "open"] = "compared"
    reason: str = ""
    seconds: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    at: str = ""


class Answers(Record, frozen=True, kw_only=True, omit_defaults=False):
    """answers/NAME.json: everything that one assessor answered; of one pair the last answer counts.

    adjudication  the answers decide where assessors disagreed
    """

    gainful_answers: Literal[1] = 1
    study: Name
    assessor: Name
    adjudication: bool = False
    saved: str = ""
    answers: tuple[Answer, ...] = ()
    preferences: tuple[Preference, ...] = ()

    @property
    def replies(self) -> tuple[Answer | Preference, ...]:
        """All answers, of documents and of pairs of documents."""
        return (*self.answers, *self.preferences)
