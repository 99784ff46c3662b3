"""Where measures are found: each in a file of its own, named as the measure in lower case. No list is kept."""

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module, util

from gainful.errors import MeasureError
from gainful.measures._measure import Measure
from gainful.measures._trec import SETS, Form

PACKAGE = __name__.rpartition(".")[0]
AFTER = re.compile(r"\Z|[._](?:[-+.\d]|p=)")  # nothing, or the beginning of parameters


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
    found = find(name)
    if found is None:
        raise MeasureError(unknown(name))
    return found


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
    found = (in_file(file) for file in files if not file.startswith("_"))
    return tuple(sorted((one for one in found if one is not None), key=lambda one: one.name.lower()))


@lru_cache(maxsize=512)
def in_file(file: str) -> Measure | None:
    """The measure in the file of that name, if there is one."""
    if not file.isidentifier() or not file.isascii() or file.startswith("_"):
        return None
    if util.find_spec(f"{PACKAGE}.{file}") is None:
        return None
    found = vars(import_module(f"{PACKAGE}.{file}")).values()
    return next((one for one in found if isinstance(one, Measure) and one.name.lower() == file), None)


def unknown(name: str) -> str:
    """What to say of a name that is not known: the nearest that are."""
    from difflib import get_close_matches

    spelled = {one.lower(): one for one in _all_names()}
    near = [spelled[one] for one in get_close_matches(name.lower(), spelled, n=3)]
    hint = f"; did you mean {' or '.join(near)}?" if near else "."
    return f"'{name}' is not a measure{hint} `gainful measures` lists them."


@lru_cache(maxsize=1)
def _by_alias() -> dict[str, Measure]:
    """Aliases as they are written and in lower case; the written ones win."""
    written = {alias: one for one in everything() for alias in one.aliases}
    return {alias.lower(): one for alias, one in written.items()} | written


def _all_names() -> Iterator[str]:
    yield from SETS
    for one in everything():
        yield from one.trec
        yield from one.aliases
    yield from names()
