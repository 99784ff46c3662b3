"""Names of systems where there is little room."""

from __future__ import annotations

from collections.abc import Iterable

from gainful.formats.ids import shown


def brief(names: Iterable[str], most: int) -> dict[str, str]:
    """Each name as people see it, the middle of a long one left out; all are whole where two would look alike.

    >>> brief(["bm25", "a-very-long-name-of-a-run-07"], 13)
    {'bm25': 'bm25', 'a-very-long-name-of-a-run-07': 'a-very…run-07'}
    >>> list(brief(["same-beginning-1-same-end", "same-beginning-2-same-end"], 9).values())
    ['same-beginning-1-same-end', 'same-beginning-2-same-end']
    """
    whole = {name: shown(name) for name in names}
    made = {name: _cut(text, most) for name, text in whole.items()}
    return made if len(set(made.values())) == len(made) else whole


def _cut(text: str, most: int) -> str:
    half = (most - 1) // 2
    return text if len(text) <= most else f"{text[:half]}…{text[-half:]}"
