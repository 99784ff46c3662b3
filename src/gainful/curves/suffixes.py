"""How a chart can be written; known without loading anything that draws."""

from pathlib import PurePath

from gainful.errors import UsageError

SUFFIXES = (".svg", ".png", ".pdf", ".html")


def check_suffix(path: str) -> str:
    """The ending of a chart's file, refused before any work is done if it is not known.

    >>> check_suffix("pr.SVG")
    '.svg'
    """
    suffix = PurePath(path).suffix.lower()
    if suffix not in SUFFIXES:
        ending = f"'{suffix}' is none of them" if suffix else "the name has no ending"
        raise UsageError(f"{path}: a chart is written as {', '.join(SUFFIXES)}; {ending}.")
    return suffix
