"""Pictures: specs become SVG, PDF and PNG; and the script that makes them live on the page."""

from __future__ import annotations

import copy
import re
from typing import Any

from gainful.errors import UsageError
from gainful.reports.libraries import library
from gainful.reports.palette import columns

WIDTH = 680
"""Of a chart that cannot ask its place how wide it is."""

_LETTERS = 36  # of a label that has room everywhere
_LIVE = "hover"  # layers that are there for the pointer alone
_ID = re.compile(r'\b(id="|url\(#|xlink:href="#|href="#)((?:clip|gradient)[\w-]*)')


def svg(drawn: str, prefix: str) -> str:
    """A drawn chart for a page; ids in it begin with the prefix, as a page has many charts."""
    numbers: dict[str, int] = {}  # Vega counts on from chart to chart; the same chart is to have the same ids
    for found in _ID.finditer(drawn):
        numbers.setdefault(found[2], len(numbers) + 1)
    named = _ID.sub(lambda found: f"{found[1]}{prefix}-{numbers[found[2]]}", drawn)
    return re.sub(r"<svg ", '<svg aria-hidden="true" focusable="false" ', named, count=1)


def raw_svg(spec: dict[str, Any]) -> str:
    """The chart as SVG, as it is drawn."""
    made: str = library("vl_convert").vegalite_to_svg(still(spec))
    return made


def drawn(spec: dict[str, Any], ending: str) -> bytes:
    """The chart as a file."""
    plain, convert = still(spec) | {"background": "white"}, library("vl_convert")
    match ending:
        case "svg":
            text: str = convert.vegalite_to_svg(plain)
            return text.encode()
        case "pdf":
            return convert.vegalite_to_pdf(plain)  # type: ignore[no-any-return]
        case "png":
            return convert.vegalite_to_png(plain, scale=2)  # type: ignore[no-any-return]
    raise UsageError(f"a chart is drawn as svg, pdf or png; got {ending!r}.")


def still(spec: dict[str, Any]) -> dict[str, Any]:
    """The spec without what is there for the pointer, at a fixed width."""
    made = copy.deepcopy(spec)
    made["width"] = WIDTH
    made["padding"] = {"left": 28, "top": 5, "right": 16, "bottom": 5}  # whoever looks may have wider letters
    if "usermeta" in made:
        known = made.pop("usermeta")
        several = columns(known["letters"], WIDTH, known["beside"])
        made["config"]["legend"] |= {"columns": several, "columnPadding": 26}
    if "config" in made and _fit(made["datasets"]):
        for part in ("axisY", "legend"):  # Vega measures every label, over and over, to see whether it fits
            made["config"].setdefault(part, {})["labelLimit"] = 0
    if "layer" in made:
        made["layer"] = [layer for layer in made["layer"] if layer.get("name") != _LIVE]
    return made


def _fit(datasets: dict[str, list[dict[str, Any]]]) -> bool:
    """Whether every text is short enough to be a label as it is."""
    cells = (value for rows in datasets.values() for row in rows for value in row.values())
    return all(len(value) <= _LETTERS for value in cells if isinstance(value, str))


def script() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script, which asks for nothing from outside."""
    bundle: str = library("vl_convert").javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return f"(() => {{{bundle}}})();".replace("</script", "<\\/script").replace("<!--", "<\\!--")
