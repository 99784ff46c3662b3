"""Measures from text: nDCG@10, AP(rel=2)@100, P@5,10, and the names of trec_eval (ndcg_cut_10, official).

Python's own parser reads the notation; nothing is ever evaluated. Each measure is found in a file of its own, named as
the measure in lower case; no list of them is kept.
"""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import import_module, util
from typing import Any, get_args

from gainful.errors import MeasureError
from gainful.measures._definition import Group
from gainful.measures._gains import linear
from gainful.measures._measure import Measure
from gainful.measures._other_tools import of_other_tools
from gainful.measures._trec import SETS, Form

LONGEST = 1000
HOW = "write it like nDCG@10, AP(rel=2)@100 or RBP(p=0.9), with commas or blanks between several"
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
GOES_ON = re.compile(rf"\s*(?:{NUMBER}|p={NUMBER}|{NUMBER}={NUMBER})\s*\Z")
BLANK = re.compile(r"(?<=[\w)])\s+(?=\w)")  # between two measures; not the blanks of nDCG @ 10
NOT_A_KEY = (type(None), ast.Dict, ast.Tuple, ast.List)
AT = re.compile(r"(\w+?)_at_(\d+)\Z")
PACKAGE = __name__.rpartition(".")[0]
AFTER = re.compile(r"\Z|[._](?:[-+.\d]|p=)")  # nothing, or the beginning of parameters
OWN = re.compile(r"(\w+)(?:@(0|[1-9][0-9]*))?\Z")  # a measure's own name as it stands in papers: nDCG@10


@lru_cache(maxsize=1024)
def parse(text: str) -> Measure:
    """The measure that the text names.

    >>> parse("nDCG@10"), parse("ndcg_cut_10"), parse("AP(summary=geometric)")
    (nDCG@10, nDCG@10, AP(summary=geometric))
    """
    measures = [measure for piece in _pieces(text) or [text] for measure in _understood(piece.strip())]
    if len(measures) != 1:
        first = ", ".join(map(str, measures[:3])) + (", …" if len(measures) > 3 else "")
        raise MeasureError(f"'{text.strip()}' is {len(measures)} measures ({first}); expected one")
    return measures[0]


def parse_many(text: str) -> list[Measure]:
    """The measures that a list names, with commas or blanks between them, each once; sets of trec_eval are the measures in them.

    >>> parse_many("nDCG@5,10, map, RBP(p=0.9)"), parse_many("nDCG@10 AP")
    ([nDCG@5, nDCG@10, AP, RBP(p=0.9)], [nDCG@10, AP])
    """
    measures = [measure for piece in _pieces(text) for measure in _understood(piece, usual=True)]
    if not measures:
        raise MeasureError(f"no measure was named; {HOW}")
    for measure in measures:
        if measure._lacks:
            measure.require()
    return list(dict.fromkeys(measures))


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
        return [measure for root in SETS[text] for measure in _of_trec(root) or ()]
    renamed, level = of_other_tools(text)
    if (renamed, level) != (text, None):
        return [at_level(measure, level, text) for measure in _understood(renamed, usual=usual)]
    name = re.split("[@(]", text, maxsplit=1)[0]
    as_in_papers = name.replace("-", "_")  # alpha-nDCG, ERR-IA
    if as_in_papers != name and find(as_in_papers):
        return _understood(as_in_papers + text[len(name) :], usual=usual)
    if "@" in text or "(" in text:
        return list(_written(text))
    at = AT.match(text)
    if at and find(at[1]):
        return [find(at[1]) @ int(at[2])]  # type: ignore[operator]
    named = find(text) if text.isidentifier() else None
    known = _of_trec(text)
    if known is not None:
        return known
    if named is not None:
        return [named]
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
    known = trec_root(text)
    if known is None:
        return None
    measure, form, parameters = known
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
    base = find(name.id)
    if base is None:
        raise MeasureError(unknown(name.id))
    given: dict[str, Any] = {}
    if isinstance(node, ast.Call):
        if node.args or any(keyword.arg is None for keyword in node.keywords):
            raise MeasureError(f"'{text}': parameters have names, as in AP(rel=2)")
        given = {str(keyword.arg): _value(keyword.value, text) for keyword in node.keywords}
        if len(given) < len(node.keywords):
            raise MeasureError(f"'{text}' sets a parameter twice")
    measure = base(**given) if given else base
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
            return tuple(_value(value, text) for value in values)
        case ast.Dict(keys=keys, values=values) if not any(isinstance(key, NOT_A_KEY) for key in keys):
            return {
                _value(key, text): _value(value, text) for key, value in zip(keys, values, strict=True) if key
            }
    raise MeasureError(f"'{text}': a parameter is a number, a word, a table {{1:1,2:3}} or a list (0.2,0.5)")


def _pieces(text: str) -> list[str]:
    """The text cut at commas and blanks outside brackets; a number alone goes with the piece before it, as in P.5,10."""
    pieces: list[str] = []
    blanks = {match.start() for match in BLANK.finditer(text)}
    depth, start = 0, 0
    for place, letter in enumerate(text + ","):
        depth += (letter in "([{") - (letter in ")]}")
        if (letter == "," or place in blanks) and (depth == 0 or place == len(text)):
            piece = text[start:place].strip()
            start = place + 1
            if piece and pieces and GOES_ON.match(piece):
                pieces[-1] += "," + piece
            elif piece:
                pieces.append(piece)
    return pieces


def _is_a_name(text: str) -> bool:
    return re.fullmatch(r"[\w.,=+-]+", text) is not None


def names() -> list[str]:
    """Every measure there is, by name.

    >>> "nDCG" in names()
    True
    """
    return [measure.name for measure in everything()]


def get(name: str) -> Measure:
    """The measure of that name, or of that alias; upper and lower case matter only where they decide.

    >>> get("nDCG"), get("MAP"), get("mrr")
    (nDCG, AP, RR)
    """
    measure = find(name)
    if measure is None:
        raise MeasureError(unknown(name))
    return measure


def find(name: str) -> Measure | None:
    """The measure of that name or alias, or None. A measure's own name asks for its file alone."""
    own = in_file(name.lower())
    if own is not None and own.name == name:
        return own
    return _by_alias().get(name) or own or _by_alias().get(name.lower())


def trec_root(text: str) -> tuple[Measure, Form, str | None] | None:
    """The measure that trec_eval knows by this text, the form of its parameters, and what of the text they are.

    >>> trec_root("ndcg_cut_10")[0], trec_root("ndcg_cut.10,20")[2]
    (nDCG, '10,20')
    """
    own = in_file(text.lower())
    if own is not None and text in own.trec:
        return own, own.trec[text], None
    best: tuple[Measure, Form, str | None] | None = None
    longest = 0
    for measure in everything():
        for root, form in measure.trec.items():
            if len(root) > longest and text.startswith(root) and AFTER.match(text, len(root)):
                longest = len(root)
                best = measure, form, text[len(root) + 1 :] or None
    return best


@lru_cache(maxsize=1)
def everything() -> tuple[Measure, ...]:
    """Every measure, in the order of their names; imports all files."""
    import pkgutil

    files = (info.name for info in pkgutil.iter_modules(import_module(PACKAGE).__path__))
    measures = (in_file(file) for file in files if not file.startswith("_"))
    return tuple(
        sorted(
            (measure for measure in measures if measure is not None), key=lambda measure: measure.name.lower()
        )
    )


def by_group(measures: Iterable[Measure]) -> list[Measure]:
    """Measures in the order of their groups, everyday ones first."""
    return sorted(measures, key=lambda measure: get_args(Group).index(measure.group))


@lru_cache(maxsize=512)
def in_file(file: str) -> Measure | None:
    """The measure in the file of that name, if there is one."""
    if not file.isidentifier() or not file.isascii() or file.startswith("_"):
        return None
    if util.find_spec(f"{PACKAGE}.{file}") is None:
        return None
    values = vars(import_module(f"{PACKAGE}.{file}")).values()
    return next(
        (value for value in values if isinstance(value, Measure) and value.name.lower() == file), None
    )


def unknown(name: str) -> str:
    """What to say of a name that is not known: the measure and cutoff that it runs together, or the nearest names."""
    from difflib import get_close_matches

    spelled = {known.lower(): known for known in _all_names()}
    near = [spelled[known] for known in get_close_matches(name.lower(), spelled, n=3)]
    run_together = re.fullmatch(r"(.*?[a-z])_?([1-9][0-9]*)", name, re.IGNORECASE)
    meant = run_together and find(run_together[1])
    if run_together and meant and "cutoff" in meant.definition.parameters:
        near = [f"{meant.name}@{run_together[2]}"]
    hint = f"; did you mean {' or '.join(near)}?" if near else "."
    return f"'{name}' is not a measure{hint} `gainful measures --all` lists them."


@lru_cache(maxsize=1)
def _by_alias() -> dict[str, Measure]:
    """Aliases as they are written and in lower case; the written ones win."""
    written = {alias: measure for measure in everything() for alias in measure.aliases}
    return {alias.lower(): measure for alias, measure in written.items()} | written


def _all_names() -> Iterator[str]:
    yield from SETS
    for measure in everything():
        yield from measure.trec
        yield from measure.aliases
    yield from names()
