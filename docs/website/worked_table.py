"""A worked table for measures that need more than a grade for each document: the value of a list cut at each rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import gainful
from gainful.judging import JudgedRun, judged_by
from gainful.judging.knowledge import known_by
from gainful.judging.sampling import sampled_run
from gainful.measures import Measure

LIST = "abcde"
SUBTOPICS = {"wine": {"a": 1, "b": 1, "d": 1}, "beer": {"d": 2}, "bread": {"e": 1, "f": 1}}
JUDGES = {"Ann": {"a": 1, "b": 0, "d": 2}, "Bob": {"a": 0, "b": 1, "d": 1, "f": 1}}
PREFERENCES = {"Ann": {"b": 2, "a": 1, "d": 0}, "Bob": {"a": 2, "d": 1, "e": 1}}
GRADES = {"a": 1, "b": 0, "c": 1, "e": 2, "f": 1}
KNOWN = "af"
DRAWN: Mapping[str, Any] = {
    "a": (1, 1, "top"),
    "b": (0, 1, "top"),
    "c": (1, 0.5, "rest"),
    "e": (-1, 0.5, "rest"),
    "f": (0, 0.5, "rest"),
}
ELSEWHERE = {"c": 1}


class Kind(NamedTuple):
    """What a measure needs: what the table says of each document, and the judged run of a list."""

    columns: Mapping[str, Callable[[str], str]]
    judged: Callable[[str], JudgedRun] | None
    said: str


def _by(aspects: Mapping[str, Mapping[str, int]], word: str, said: str) -> Kind:
    columns = {
        f"{word} {name}": (lambda document, of=of: str(of.get(document, "–"))) for name, of in aspects.items()
    }
    return Kind(columns, lambda documents: judged_by(documents, aspects), said)


def _probability(document: str) -> str:
    return "{1:g} ({2})".format(*DRAWN[document]) if document in DRAWN else "not in the pool"


def _drawn_grade(document: str) -> str:
    return (
        "–" if document not in DRAWN else "not drawn" if DRAWN[document][0] < 0 else str(DRAWN[document][0])
    )


KINDS: dict[str, Kind] = {
    "subtopics": _by(SUBTOPICS, "grade for", "Document f is relevant to bread, and is not found."),
    "judges": _by(JUDGES, "grade by", "Document f has grade 1 by Bob, and is not found."),
    "preferences": _by(
        PREFERENCES, "level by", "A document is preferred to those of lower levels by the same judge."
    ),
    "known": Kind(
        {
            "grade": lambda document: str(GRADES.get(document, "–")),
            "known to the user": lambda document: "yes" if document in KNOWN else "",
        },
        lambda documents: known_by(documents, GRADES, known=KNOWN),
        "Document f is relevant and known to the user, and is not found.",
    ),
    "probabilities": Kind(
        {"grade": _drawn_grade, "drawn with probability (stratum)": _probability},
        lambda documents: sampled_run(documents, DRAWN),
        "Of the stratum rest, half of the documents were drawn for judging.",
    ),
    "anywhere": Kind(
        {
            "grade": lambda document: (
                str(GRADES[document]) if document in GRADES and document not in ELSEWHERE else "–"
            ),
            "judged for another topic": lambda document: "yes" if document in ELSEWHERE else "",
        },
        None,
        "Document c is judged for another topic, document d for none.",
    ),
}


def worked_table(measure: Measure) -> str:
    """The table in Markdown."""
    kind = KINDS[str(measure.needs)]
    asked = measure @ 4 if "cutoff" in measure._lacks else measure
    rows = [
        [
            str(rank),
            document,
            *[column(document) for column in kind.columns.values()],
            f"{_value(asked, kind, LIST[:rank]):.4f}",
        ]
        for rank, document in enumerate(LIST, 1)
    ]
    head = ["rank", "document", *kind.columns, f"{asked} of the list down to here"]
    lines = [f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]]
    return "\n".join([*lines, "", kind.said]) + "\n"


def _value(measure: Measure, kind: Kind, documents: str) -> float:
    if kind.judged is not None:
        return float(measure(kind.judged(documents))[0])
    qrels = {
        "q1": {document: grade for document, grade in GRADES.items() if document not in ELSEWHERE},
        "q2": ELSEWHERE,
    }
    run = {"q1": {document: -float(rank) for rank, document in enumerate(documents)}, "q2": {}}
    return float(gainful.evaluate(qrels, run, [measure]).per_topic["q1"][str(measure)])
