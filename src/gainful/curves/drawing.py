"""What all charts share: colours, the library that draws, and the files it makes."""

from __future__ import annotations

from typing import Any

from gainful.errors import UsageError

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""Told apart by people who see few colours, on paper too (Okabe and Ito)."""
GREY = "#707070"

_BRACKET = "\ue03c"  # a character for private use, which becomes an escape of the script's language
_INSTALL = "charts need Altair and vl-convert: pip install 'gainful[charts]'"


def altair() -> Any:
    """The library that charts are made with."""
    try:
        import altair as library
    except ImportError:
        raise UsageError(_INSTALL) from None
    return library


def ready() -> None:
    """Raise, before any work is done, where charts cannot be drawn."""
    altair()
    _convert()


def rendered(picture: Any, suffix: str) -> bytes:
    """An Altair chart as the bytes of a file: .svg, .png, .pdf, or else .html."""
    spec, convert = picture.to_dict(), _convert()
    made: str | bytes
    match suffix:
        case ".svg":
            made = convert.vegalite_to_svg(spec)
        case ".png":
            made = convert.vegalite_to_png(spec, scale=2)
        case ".pdf":
            made = convert.vegalite_to_pdf(spec)
        case _:
            made = convert.vegalite_to_html(_marked(spec), bundle=True).replace(_BRACKET, "\\u003c")
    return made.encode() if isinstance(made, str) else made


def _marked(spec: Any) -> Any:
    """The chart with every opening bracket marked: in a page a name of any origin could end the script it stands in."""
    if isinstance(spec, str):
        return spec.replace("<", _BRACKET)
    if isinstance(spec, dict):
        return {_marked(key): _marked(value) for key, value in spec.items()}
    return [_marked(one) for one in spec] if isinstance(spec, list) else spec


def _convert() -> Any:
    try:
        import vl_convert
    except ImportError:
        raise UsageError(_INSTALL) from None
    return vl_convert
