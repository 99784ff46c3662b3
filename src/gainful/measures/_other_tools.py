"""Names and parameters of other tools, understood on input and never printed.

ir_measures writes dcg='exp-log2', gains={…}, judged_only=True, min_rel and max_rel where we write gain=exp,
gain={…,other:linear}, unjudged=condense, bottom and top. Its measure objects are understood by their text.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Any

from gainful.errors import MeasureError

if TYPE_CHECKING:
    from gainful.measures._measure import Measure

# ranx: a name, a cutoff, and with -l2 the level from which on a document is relevant. MTEB: a name, _at_, a cutoff.
OF_RANX = re.compile(r"([a-z_]+1?|r-precision)(@\d+(?:,\d+)*)?(?:-l(\d{1,2}))?\Z")
OF_MTEB = re.compile(r"accuracy_at_(\d+)\Z")
NAMES = {
    "ndcg_burges": "nDCG(gain=exp)",
    "dcg_burges": "DCG(gain=exp)",
    "hits": "NumRelRet(summary=mean)",
    "r-precision": "Rprec",
}
DCG = {"log2": "linear", "exp-log2": "exp"}


def of_other_tools(text: str) -> tuple[str, int | None]:
    """A name of ranx or MTEB as it is written here, and the level of relevance that it asks for.

    >>> of_other_tools("ndcg_burges@10"), of_other_tools("map@100-l2"), of_other_tools("accuracy_at_5")
    (('nDCG(gain=exp)@10', None), ('map@100', 2), ('Success@5', None))
    """
    if of_mteb := OF_MTEB.match(text):  # whether there is a hit: what we call Accuracy is something else
        return f"Success@{of_mteb[1]}", None
    of_ranx = OF_RANX.match(text)
    if of_ranx is None or (of_ranx[1] not in NAMES and of_ranx[3] is None):
        return text, None
    name, cutoff, level = of_ranx.groups()
    return NAMES.get(name, name) + (cutoff or ""), int(level) if level else None


def translated(parameters: Mapping[str, Any], known: Container[str]) -> Mapping[str, Any]:
    """Parameters under the names that they have here; those that a measure knows stay as they are.

    >>> translated({"dcg": "exp-log2", "judged_only": True}, ["cutoff", "gain"])
    {'gain': 'exp', 'unjudged': 'condense'}
    """
    if all(name in known for name in parameters):
        return parameters
    translation: dict[str, Any] = {}
    for name, value in parameters.items():
        translation |= {name: value} if name in known else _translated(name, value, known)
    return translation


def _translated(name: str, value: Any, known: Container[str]) -> dict[str, Any]:
    match name:
        case "judged_only":
            if not isinstance(value, bool):
                raise MeasureError(f"judged_only must be True or False; got {value!r}")
            return {"unjudged": "condense" if value else "nonrelevant"}
        case "dcg" if "gain" in known:
            if value not in DCG:
                raise MeasureError(f"dcg must be log2 or exp-log2; got {value!r}")
            return {"gain": DCG[value]}
        case "dcg" if "bottom" in known and value == "log2":  # SDCG knows no other
            return {}
        case "gains" if "gain" in known:
            return {"gain": {**value, "other": "linear"} if isinstance(value, Mapping) else value}
        case "max_rel" if "top" in known:
            return {"top": value}
        case "min_rel" if "bottom" in known:
            return {"bottom": value}
    return {name: value}


def is_of_ir_measures(given: object) -> bool:
    """Whether this is a measure of ir_measures.

    >>> import ir_measures
    >>> is_of_ir_measures(ir_measures.nDCG @ 10), is_of_ir_measures("nDCG@10")
    (True, False)
    """
    return any(
        kind.__module__.partition(".")[0] == "ir_measures" and kind.__name__ == "Measure"
        for kind in type(given).__mro__
    )


def from_ir_measures(measure: object) -> Measure:
    """The measure here that has the text of a measure object of ir_measures, of which nothing is imported.

    >>> import ir_measures
    >>> from_ir_measures(ir_measures.AP(rel=2) @ 100)
    AP(rel=2)@100
    """
    from gainful.measures._parse import parse

    text = str(measure)
    if text.startswith("SetP(") and "relative=True" in text:  # has a name of its own here
        others = [
            parameter for parameter in text[len("SetP(") : -1].split(",") if parameter != "relative=True"
        ]
        text = f"SetRelP({','.join(others)})"
    try:
        return parse(text)
    except MeasureError as fault:
        raise MeasureError(f"{measure} of ir_measures has no counterpart here: {fault}") from None
