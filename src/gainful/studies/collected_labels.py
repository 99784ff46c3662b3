"""A model's labels come back: read, checked against the study and its scale, and written as judgments.

A line is a JSON object with the `id` of the prompt, or `topic` and `document`; with a `label` and, where there is one, a
`reason`. The label is a number, or the model's answer as text: a JSON object with a label, or words with one number in them.
A label of null, or none at all, is a refusal. Every line counts as one of: labelled, refused, unreadable, off the scale.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from gainful.errors import DataError, UsageError
from gainful.formats.ids import shown, unshown
from gainful.formats.output_files import put
from gainful.formats.sources import file_type, person_of
from gainful.formats.text_records import Place, records
from gainful.presentation.page import page
from gainful.presentation.table import Table, as_json
from gainful.presentation.text_style import WIDE, Screen, counted
from gainful.studies.answer_files import file_stem
from gainful.studies.collected_answers import pairs_in_order, qrels_text
from gainful.studies.model_prompts import pair_id
from gainful.studies.study_folder import Pair, Study

LabelState = Literal["labelled", "refused", "unreadable", "off the scale"]

_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?![\w]|\.\d)")
_NAMED = 3
_LARGEST = 1e9  # what is larger is on no scale


@dataclass(frozen=True, slots=True)
class Label:
    """What a model said of a document.

    grade  None where it is not labelled
    given  the label as it stood in the file, for messages
    """

    state: LabelState
    grade: int | None
    reason: str
    given: str


@dataclass(frozen=True, eq=False, repr=False)
class CollectedLabels:
    """The labels of one model.

    model    its name: that of the file
    labels   by topic and document
    missing  documents of the study that have no line
    unknown  lines about documents that are not in the study
    """

    study: Study
    model: str
    labels: Mapping[Pair, Label]
    missing: tuple[Pair, ...]
    unknown: tuple[str, ...]
    files: dict[str, bytes] = field(init=False)

    def __post_init__(self) -> None:
        grades = {pair: label.grade for pair, label in self.labels.items() if label.grade is not None}
        lines = [
            msgspec.json.encode(
                {
                    "topic": shown(topic),
                    "document": shown(document),
                    "label": label.grade,
                    "state": label.state,
                    "reason": label.reason,
                }
            )
            for (topic, document), label in self.labels.items()
        ]
        stem = f"models/{file_stem(self.model)}"
        ordered = {pair: float(grades[pair]) for pair in pairs_in_order(grades)}
        contents = {
            f"{stem}.jsonl": b"".join(line + b"\n" for line in lines),
            f"{stem}.qrels": qrels_text(ordered),
        }
        object.__setattr__(self, "files", contents)

    def __repr__(self) -> str:
        return f"<CollectedLabels: {shown(self.model)}, {counted(self.count('labelled'), 'label')}>"

    def count(self, state: LabelState) -> int:
        """How many documents have this state."""
        return sum(label.state == state for label in self.labels.values())

    def sentences(self) -> list[str]:
        """What is missing, refused, unreadable or off the scale, in sentences."""
        asked = len(self.labels) + len(self.missing)
        said = [
            f"{shown(self.model)} labelled {self.count('labelled'):,} of {counted(asked, 'document')} of the study."
        ]
        if self.missing:
            named = ", ".join(f"{shown(t)} {shown(d)}" for t, d in self.missing[:_NAMED])
            said.append(
                f"{counted(len(self.missing), 'document has', 'documents have')} no line in the file ({named})."
            )
        whys = {
            "refused": "refused or without a label",
            "unreadable": "unreadable",
            "off the scale": f"off the scale of the study ({', '.join(str(step.grade) for step in self.study.manifest.scale)})",
        }
        for state, words in whys.items():
            found = [(pair, label) for pair, label in self.labels.items() if label.state == state]
            if found:
                named = ", ".join(
                    f"{shown(t)} {shown(d)}" + (f": {shown(label.given)[:40]}" if label.given else "")
                    for (t, d), label in found[:_NAMED]
                )
                said.append(f"{counted(len(found), 'label is', 'labels are')} {words} ({named}); left out.")
        if self.unknown:
            said.append(
                f"{counted(len(self.unknown), 'line is', 'lines are')} about documents that are not in the study "
                f"({', '.join(self.unknown[:_NAMED])}); left out."
            )
        return said

    def text(self, form: str = "table", screen: Screen = WIDE) -> str:
        """What was collected, as table, markdown or json."""
        if form == "json":
            return as_json(self.to_dict())
        given = [label.grade for label in self.labels.values()]
        body = [[f"{step.grade}", f"{given.count(step.grade):,}"] for step in self.study.manifest.scale]
        left_out: tuple[LabelState, ...] = ("refused", "unreadable", "off the scale")
        body += [[state, f"{self.count(state):,}"] for state in left_out]
        body.append(["missing", f"{len(self.missing):,}"])
        table = Table(["label", "documents"], body)
        return page([table], self.sentences(), f"labels of {shown(self.model)}", form, screen=screen)

    def to_dict(self) -> dict[str, Any]:
        """By name, in the layout of the JSON output."""
        states: tuple[LabelState, ...] = ("labelled", "refused", "unreadable", "off the scale")
        return {
            "study": self.study.manifest.id,
            "model": shown(self.model),
            **{state.replace(" ", "_"): self.count(state) for state in states},
            "missing": len(self.missing),
            "unknown": len(self.unknown),
            "files": list(self.files),
            "sentences": self.sentences(),
        }

    def check_place(self, *, overwrite: bool) -> Path:
        """The folder of the study; raise where a file would be replaced by another one."""
        folder = self.study.path
        if folder is None:
            raise UsageError("the study has no folder yet; write it with write_study first.")
        for name, content in self.files.items():
            path = folder / name
            if not overwrite and file_type(str(path)) is not None and path.read_bytes() != content:
                raise UsageError(
                    f"{shown(str(path))} already exists and differs from what the labels give now; replace it with "
                    "--overwrite. Nothing was written."
                )
        return folder

    def write(self, *, overwrite: bool = False) -> list[str]:
        """Write judgments and reasons into the folder of the study; their names."""
        folder = self.check_place(overwrite=overwrite)
        (folder / "models").mkdir(exist_ok=True)
        for name, content in self.files.items():
            put(content, str(folder / name), overwrite=True)
        return list(self.files)


def collect_labels(study: Study, path: str) -> CollectedLabels:
    """The labels in a file (JSON lines, CSV or Parquet), checked against the study."""
    pairs = list(dict.fromkeys(row.pair for row in study.pool))
    by_id = {pair_id(study, pair): pair for pair in pairs}
    known = set(pairs)
    scale = {step.grade for step in study.manifest.scale}
    labels: dict[Pair, Label] = {}
    unknown: list[str] = []
    contradictory: list[tuple[Place, Pair]] = []
    for place, record in records(path):
        pair = _pair(place, record, by_id)
        if pair is None or pair not in known:
            unknown.append(f"line {place.number}")
            continue
        label = _label(record, scale)
        before = labels.setdefault(pair, label)
        if (before.state, before.grade) != (label.state, label.grade):
            contradictory.append((place, pair))
    if contradictory:
        place, (topic, document) = contradictory[0]
        more = f" ({len(contradictory):,} such lines)" if len(contradictory) > 1 else ""
        raise place.fault(
            f"document '{shown(document)}' of topic '{shown(topic)}' has another label further up{more}. Several passes of a "
            "model are several judges: give each pass as a file of its own. Nothing was written."
        )
    if not any(label.state == "labelled" for label in labels.values()):
        raise DataError(
            f"{shown(path)} has no label for a document of this study; each line is an object with the id of the prompt (or "
            "topic and document) and a label."
        )
    missing = tuple(pair for pair in pairs if pair not in labels)
    return CollectedLabels(study, _name(path), labels, missing, tuple(unknown))


def _name(path: str) -> str:
    return person_of(path).removesuffix(".jsonl").removesuffix(".json").removesuffix(".csv")


def _pair(place: Place, record: Mapping[str, Any], by_id: Mapping[str, Pair]) -> Pair | None:
    """The document that a line is about; None where its id is of none."""
    number = record.get("id")
    if number is not None:
        return by_id.get(str(number))
    topic, document = record.get("topic"), record.get("document")
    if topic is None or document is None:
        raise place.fault(
            "this line has neither the id of a prompt nor topic and document; give one of them."
        )
    return unshown(str(topic)), unshown(str(document))


def _label(record: Mapping[str, Any], scale: set[int]) -> Label:
    """What a line says.

    >>> _label({"label": "Grade: 2"}, {0, 1, 2, 3}).grade, _label({"label": '{"label": 1, "reason": "so"}'}, {0, 1}).reason
    (2, 'so')
    >>> [_label({"label": label}, {0, 1}).state for label in (None, 7, "maybe", "0 or 1", True)]
    ['refused', 'off the scale', 'unreadable', 'unreadable', 'unreadable']
    """
    label, reason = record.get("label"), record.get("reason")
    if isinstance(label, str) and (inner := _object(label)) is not None:
        label, reason = inner.get("label"), inner.get("reason", reason)
    said = reason if isinstance(reason, str) else ""
    if label is None or label == "":
        return Label("refused", None, said, "")
    number = _number(label)
    given = label if isinstance(label, str) else f"{label}"
    if number is None:
        return Label("unreadable", None, said, given)
    if number not in scale:
        return Label("off the scale", None, said, given)
    return Label("labelled", int(number), said, given)


def _object(text: str) -> dict[str, Any] | None:
    """The JSON object that an answer is, with or without words and fences around it; None where it is none."""
    start, stop = text.find("{"), text.rfind("}")
    if start < 0 or stop < start:
        return None
    try:
        value = msgspec.json.decode(text[start : stop + 1])
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _number(label: Any) -> float | None:
    """The number that a label is, or that stands alone in it."""
    if isinstance(label, bool) or not isinstance(label, str | int | float):
        return None
    if not isinstance(label, str):
        return float(label) if abs(label) < _LARGEST else math.inf
    numbers = _NUMBER.findall(label)
    return float(numbers[0]) if len(numbers) == 1 else None


def all_labels(study: Study, paths: tuple[str, ...]) -> Iterator[CollectedLabels]:
    """The labels of each file, of a model each."""
    names: dict[str, str] = {}
    for path in paths:
        collected = collect_labels(study, path)
        stem = file_stem(collected.model)
        if stem in names:
            raise UsageError(
                f"{shown(names[stem])} and {shown(path)} are both labels of '{shown(collected.model)}'; rename one of them."
            )
        names[stem] = path
        yield collected
