"""The worked example on the page of a measure: its program, what is summed up in it in words, and a list to begin with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from docs.website.program_text import list_of, simpler, written
from docs.website.recorded_measure import NotRecorded, Recorded, RecordedRun, recorded

from gainful.errors import GainfulError
from gainful.judging import judged_run
from gainful.judging.knowledge import Knowledge
from gainful.measures import Measure
from gainful.measures._gains import Gain
from gainful.measures._reader_models import Stop, scaled

LIST: list[float | None] = [2, None, 3, 0, 1, 0]
MISSED: list[float] = [2, 1]
EXPECTED = 2
MOST_SUMS = 4  # more columns would say less
LONGEST = 110  # characters of an expression that is still read
OTHER_VALUES: Mapping[str, Any] = {
    "cutoff": 3,
    "rel": 2,
    "gain": "exp",
    "p": 0.5,
    "discount": "jk",
    "T": 2,
    "beta": 2,
}
REQUIRED = {"cutoff": 5, "recall": 0.5}
SHORTER = {"cutoff": 10}  # where the default is a thousand ranks, each with a weight


def examples(measure: Measure) -> list[Measure]:
    """The measure as it is called, and with each of a few parameters changed, as far as they are recorded."""
    first = measure
    for name, value in REQUIRED.items():
        if name in measure._lacks:
            first = first(**{name: value})
    for name, value in SHORTER.items():
        if (first.params.get(name) or 0) > 100:
            first = first(**{name: value})
    changed = [first]
    for name, value in OTHER_VALUES.items():
        if name in first.params and first.params[name] != value:
            changed.append(first(**{name: value}))
    return [each for each in changed if is_recorded(each)]


def is_recorded(measure: Measure) -> bool:
    """Whether the measure can be computed in the browser."""
    try:
        recorded(measure)
    except (NotRecorded, GainfulError):
        return False
    return True


def value_of(
    measure: Measure, grades: list[float | None], missed: list[float], expected: float = EXPECTED
) -> float:
    """What Gainful says of a list."""
    judged = judged_run(grades, judged=[grade for grade in grades if grade is not None] + list(missed))
    judged = judged.replace(knowledge=Knowledge(None, None, np.array([float(expected)])))
    return float(measure(judged)[0])


def described(measure: Measure) -> dict[str, Any]:
    """What the script needs: the program, the sums with their places in it, and how the value follows from them."""
    program = recorded(measure)
    value = simpler(program.value)
    needed = _sums_in(value, {})
    sums = sorted(
        (each for each in program.sums() if id(each) in needed),
        key=lambda each: list_of(each.inputs[0])[0] != "run",
    )
    labels = {id(each): f"S{_lowered(number)}" for number, each in enumerate(sums, 1)}
    columns = [_column(each, labels) for each in sums] if len(sums) <= MOST_SUMS else []
    text = written(value, labels)
    known = {}
    for name, long in _named(measure).items():
        if any(long in column["text"] + column["where"] for column in columns):
            known[name] = long
            text = text.replace(f"({long})", name).replace(long, name)
            for column in columns:
                column |= {
                    key: column[key].replace(f"({long})", name).replace(long, name)
                    for key in ("text", "where")
                }
    readable = all(len(column["text"]) <= LONGEST and len(column["where"]) <= LONGEST for column in columns)
    return {
        "measure": str(measure),
        "program": program.operations,
        "sums": columns if readable else [],
        "text": text if readable and columns and len(text) <= LONGEST else "",
        "names": known,
        "expects": any(operation == ["expected"] for operation in program.operations),
    }


def _named(measure: Measure) -> dict[str, str]:
    """What the formula has a word for, and how it is computed here."""
    run, params = RecordedRun("run"), measure.params
    words: dict[str, Any] = {}
    if isinstance(params.get("gain"), Gain):
        words["gain"] = params["gain"](run.grade)
    if "bottom" in params:
        words["gain"] = scaled(run, run.grade, params["bottom"], params["top"])
    elif "top" in params and "gain" not in params:
        words["gain"] = scaled(run, run.grade, 0.0, params["top"])
    if isinstance(params.get("stop"), Stop):
        words["stop"] = params["stop"](run.grade, run.top if params.get("top") is None else params["top"])
    return {name: written(simpler(x), {}) for name, x in words.items()}


def _sums_in(x: Any, seen: dict[int, bool]) -> set[int]:
    """The sums that a simpler expression still has."""
    if not isinstance(x, Recorded) or id(x) in seen:
        return set()
    seen[id(x)] = True
    own = {id(getattr(x, "original", x))} if x.operation in ("total", "most") else set()
    return own.union(*(_sums_in(each, seen) for each in x.inputs))


def _lowered(number: int) -> str:
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def _column(each: Recorded, labels: Mapping[int, str]) -> dict[str, Any]:
    documents, x, where = each.inputs
    own = {key: label for key, label in labels.items() if key != id(each)}
    which, last, conditions = list_of(documents)
    if isinstance(where, Recorded):
        conditions.append(written(simpler(where), own))
    conditions += [f"rank ≤ {written(simpler(last), own)}"] if last is not None else []
    return {
        "label": labels[id(each)],
        "list": which,
        "kind": "sum" if each.operation == "total" else "most",
        "text": written(simpler(x), own),
        "where": ", ".join(conditions),
        "total": each.place,
        "inputs": [_input(part) for part in each.inputs],
    }


def _input(part: Any) -> dict[str, Any]:
    return {"of": part.place} if isinstance(part, Recorded) else {"is": part}


def markup(measure: Measure) -> str:
    """The example as HTML that worked_example.js brings to life; without scripts it says what Gainful says of the list."""
    asked = examples(measure)
    data = {
        "list": LIST,
        "missed": MISSED,
        "expected": EXPECTED,
        "variants": [described(each) for each in asked],
    }
    shown = ", ".join("not judged" if grade is None else f"{grade:g}" for grade in LIST)
    missed = " and ".join(f"{grade:g}" for grade in MISSED)
    value = value_of(asked[0], LIST, MISSED)
    embedded = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return (
        f'<div class="worked" data-example>\n<p>A list with the grades {shown}, where documents of grades {missed} were not '
        f"found: {asked[0]} = {value:.4f}.</p>\n"
        f'<script type="application/json">{embedded}</script>\n</div>\n'
    )
