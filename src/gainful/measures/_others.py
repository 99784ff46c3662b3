"""Names and parameters of other tools, understood on input and never printed.

ir_measures writes dcg='exp-log2', gains={…}, judged_only=True, min_rel and max_rel where we write gain=exp,
gain={…,other:linear}, unjudged=condense, bottom and top.
"""

from collections.abc import Container, Mapping
from typing import Any

from gainful.errors import MeasureError

# A name there that is a measure with parameters here; MTEB's accuracy is whether there is a hit, and not ours.
NAMES = {
    "ndcg_burges": "nDCG(gain=exp)",
    "dcg_burges": "DCG(gain=exp)",
    "hits": "NumRelRet(summary=mean)",
    "r-precision": "Rprec",
    "accuracy_at": "Success",
}
DCG = {"log2": "linear", "exp-log2": "exp"}


def translated(parameters: Mapping[str, Any], known: Container[str]) -> Mapping[str, Any]:
    """Parameters under the names that they have here; those that a measure knows stay as they are.

    >>> translated({"dcg": "exp-log2", "judged_only": True}, ["cutoff", "gain"])
    {'gain': 'exp', 'unjudged': 'condense'}
    """
    if all(name in known for name in parameters):
        return parameters
    made: dict[str, Any] = {}
    for name, value in parameters.items():
        made |= {name: value} if name in known else _translated(name, value, known)
    return made


def _translated(name: str, value: Any, known: Container[str]) -> dict[str, Any]:
    match name:
        case "judged_only":
            if not isinstance(value, bool):
                raise MeasureError(f"judged_only must be True or False; got {value!r}")
            return {"unjudged": "condense" if value else "nonrelevant"}
        case "dcg" if "gain" in known or value == "log2":
            if value not in DCG:
                raise MeasureError(f"dcg must be log2 or exp-log2; got {value!r}")
            return {"gain": DCG[value]} if "gain" in known else {}
        case "gains" if "gain" in known:
            return {"gain": {**value, "other": "linear"} if isinstance(value, Mapping) else value}
        case "max_rel" if "top" in known:
            return {"top": value}
        case "min_rel" if "bottom" in known:
            return {"bottom": value}
    return {name: value}
