"""Measures from text: nDCG@10, AP(rel=2)@100, P@5,10, and the names of trec_eval (ndcg_cut_10, official).

Python's own parser reads the notation; nothing is ever evaluated.
"""

import ast
import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from gainful.errors import MeasureError
from gainful.measures._gains import linear
from gainful.measures._measure import Measure
from gainful.measures._others import of_other_tools
from gainful.measures._registry import find, in_file, trec_root, unknown
from gainful.measures._trec import SETS

LONGEST = 1000
HOW = "write it like nDCG@10, AP(rel=2)@100 or RBP(p=0.9), with commas between several"
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
GOES_ON = re.compile(rf"\s*(?:{NUMBER}|p={NUMBER}|{NUMBER}={NUMBER})\s*\Z")
NOT_A_KEY = (type(None), ast.Dict, ast.Tuple, ast.List)
AT = re.compile(r"(\w+?)_at_(\d+)\Z")
OWN = re.compile(r"(\w+)(?:@(0|[1-9][0-9]*))?\Z")  # a measure's own name as it stands in papers: nDCG@10


@lru_cache(maxsize=1024)
def parse(text: str) -> Measure:
    """The measure that the text names.

    >>> parse("nDCG@10"), parse("ndcg_cut_10"), parse("AP(summary=geometric)")
    (nDCG@10, nDCG@10, AP(summary=geometric))
    """
    found = _understood(text.strip())
    if len(found) != 1:
        some = ", ".join(map(str, found[:3])) + ", …"
        raise MeasureError(f"'{text.strip()}' is {len(found)} measures ({some}); one is wanted")
    return found[0]


def parse_many(text: str) -> list[Measure]:
    """The measures that a list with commas names, each once; sets of trec_eval are the measures in them.

    >>> parse_many("nDCG@5,10, map, RBP(p=0.9)")
    [nDCG@5, nDCG@10, AP, RBP(p=0.9)]
    """
    return list(_parsed(text))


@lru_cache(maxsize=256)
def _parsed(text: str) -> tuple[Measure, ...]:
    found = [one for piece in _pieces(text) for one in _understood(piece, usual=True)]
    if not found:
        raise MeasureError(f"no measure was named; {HOW}")
    for measure in found:
        if measure._lacks:
            measure.require()
    return tuple(dict.fromkeys(found))


def _understood(text: str, *, usual: bool = False) -> list[Measure]:
    """Measures of a piece of text; with `usual`, a measure without its cutoff is that at trec_eval's cutoffs."""
    if len(text) > LONGEST:
        raise MeasureError(f"a measure's name of {len(text)} characters is too long; {HOW}")
    own = OWN.match(text)
    if own and (measure := in_file(own[1].lower())) is not None and measure.name == own[1]:
        if own[2]:
            return [measure @ int(own[2])]
        if not (usual and measure._lacks):
            return [measure]
    if text in SETS:
        return [one for root in SETS[text] for one in _of_trec(root) or ()]
    renamed, level = of_other_tools(text)
    if (renamed, level) != (text, None):
        return [at_level(one, level, text) for one in _understood(renamed, usual=usual)]
    if "@" in text or "(" in text:
        return list(_written(text))
    at = AT.match(text)
    if at and find(at[1]):
        return [find(at[1]) @ int(at[2])]  # type: ignore[operator]
    found = find(text) if text.isidentifier() else None
    known = _of_trec(text)
    if known is not None:
        return known
    if found is not None:
        return [found]
    raise MeasureError(unknown(text) if _is_a_name(text) else f"'{text}' is not a measure's name; {HOW}")


def at_level(measure: Measure, level: int | None, text: str) -> Measure:
    """The measure with grades below the level counting as nothing."""
    if level is None:
        return measure
    if measure.leaves("rel"):
        return measure(rel=level)
    if measure.params.get("gain") == linear:
        nothing: dict[Any, Any] = dict.fromkeys(range(1, level), 0)
        return measure(gain={**nothing, "other": "linear"}) if nothing else measure
    raise MeasureError(
        f"{text}: {measure} has no level of relevance; a table of gains can say what a grade is worth"
    )


def _of_trec(text: str) -> list[Measure] | None:
    found = trec_root(text)
    if found is None:
        return None
    measure, form, parameters = found
    try:
        return [measure(**given) if given else measure for given in form.read(parameters)]
    except MeasureError as fault:
        raise MeasureError(f"{text}: {fault}") from None


def _written(text: str) -> Iterator[Measure]:
    """Measures in Python's notation; P@5,10 is P@5 and P@10."""
    base, comma, more = text.rpartition("@")
    values = more.split(",") if comma and "(" not in more and "{" not in more else [more]
    for value in values:
        tree = _tree(f"{base}{comma}{value}", text)
        at = tree.right if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult) else None
        yield _measure_of(tree.left if at is not None else tree, at, text)  # type: ignore[attr-defined]


def _tree(text: str, whole: str) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise MeasureError(f"'{whole}' is not a measure's name; {HOW}") from None


def _measure_of(node: ast.expr, at: ast.expr | None, text: str) -> Measure:
    name = node.func if isinstance(node, ast.Call) else node
    if isinstance(at, ast.Call):
        raise MeasureError(f"'{text}': the cutoff comes last, as in AP(rel=2)@100")
    if not isinstance(name, ast.Name):
        raise MeasureError(f"'{text}' is not a measure's name; {HOW}")
    found = find(name.id)
    if found is None:
        raise MeasureError(unknown(name.id))
    given: dict[str, Any] = {}
    if isinstance(node, ast.Call):
        if node.args or any(keyword.arg is None for keyword in node.keywords):
            raise MeasureError(f"'{text}': parameters have names, as in AP(rel=2)")
        given = {str(keyword.arg): _value(keyword.value, text) for keyword in node.keywords}
        if len(given) < len(node.keywords):
            raise MeasureError(f"'{text}' sets a parameter twice")
    measure = found(**given) if given else found
    return measure if at is None else measure @ _value(at, text)


def _value(node: ast.expr, text: str) -> Any:
    """A number, a word, a table or a list; a bare word is a word, never looked up."""
    match node:
        case ast.Constant(value=value) if value is None or isinstance(value, bool | int | float | str):
            return value
        case ast.Name(id=word):
            return word
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)) if isinstance(value, int | float):
            return -value
        case ast.UnaryOp(op=ast.UAdd(), operand=ast.Constant(value=value)) if isinstance(value, int | float):
            return value
        case ast.Tuple(elts=values) | ast.List(elts=values):
            return tuple(_value(one, text) for one in values)
        case ast.Dict(keys=keys, values=values) if not any(isinstance(key, NOT_A_KEY) for key in keys):
            return {
                _value(key, text): _value(one, text) for key, one in zip(keys, values, strict=True) if key
            }
    raise MeasureError(f"'{text}': a parameter is a number, a word, a table {{1:1,2:3}} or a list (0.2,0.5)")


def _pieces(text: str) -> list[str]:
    """The text cut at commas outside brackets; a number alone goes with the piece before it, as in P.5,10."""
    pieces: list[str] = []
    depth, start = 0, 0
    for place, letter in enumerate(text + ","):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and (depth == 0 or place == len(text)):
            piece = text[start:place].strip()
            start = place + 1
            if piece and pieces and GOES_ON.match(piece):
                pieces[-1] += "," + piece
            elif piece:
                pieces.append(piece)
    return pieces


def _is_a_name(text: str) -> bool:
    return re.fullmatch(r"[\w.,=+-]+", text) is not None
