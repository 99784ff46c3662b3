"""Charts as files: .svg, .png, .pdf, .html and .json, by the ending of the name; and as Altair's own charts."""

from __future__ import annotations

import copy
from pathlib import PurePath
from typing import Any

from gainful.errors import DataError, UsageError
from gainful.system_calls import system_limit

SUFFIXES = (".svg", ".png", ".pdf", ".html", ".json")
WIDTH = 680
"""Pixels of a chart that cannot ask its place how wide it is."""

_BRACKET = "\ue03c"  # a character for private use, which becomes an escape of the script's language
_INSTALL = "charts need Altair and vl-convert: pip install altair vl-convert-python"
_DESCRIPTORS = 64  # files that vl-convert may have open, with room for others
_LETTERS = 36  # of a label that has room everywhere


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


def ready() -> None:
    """Raise, before any work is done, where charts cannot be drawn."""
    from importlib.util import find_spec

    if find_spec("altair") is None or find_spec("vl_convert") is None:
        raise UsageError(_INSTALL)
    _check_descriptors()


def save(spec: dict[str, Any], path: str, *, overwrite: bool = False) -> None:
    """Write a chart to a file, whose name says how; it is written atomically."""
    from gainful.formats.output_files import put

    put(rendered(spec, check_suffix(path)), path, overwrite=overwrite)


def rendered(spec: dict[str, Any], suffix: str) -> bytes:
    """A chart as the bytes of a file of this kind."""
    if suffix == ".json":
        from gainful.presentation.table import as_json

        return as_json(_sized(spec)).encode()
    convert = _convert()
    white = {"background": "white"}
    drawn: str | bytes
    match suffix:
        case ".svg":
            drawn = convert.vegalite_to_svg(still(spec) | white)
        case ".png":
            drawn = convert.vegalite_to_png(still(spec) | white, scale=2)
        case ".pdf":
            drawn = convert.vegalite_to_pdf(still(spec) | white)
        case ".html":
            page = convert.vegalite_to_html(_marked(_sized(spec) | white), bundle=True)
            drawn = page.replace(_BRACKET, "\\u003c")
        case _:
            raise UsageError(f"a chart is written as {', '.join(SUFFIXES)}; got {suffix!r}.")
    return drawn.encode() if isinstance(drawn, str) else drawn


def svg(spec: dict[str, Any]) -> str:
    """A chart as SVG with no background, for a page."""
    drawn: str = _convert().vegalite_to_svg(still(spec))
    return drawn


def altair_chart(spec: dict[str, Any]) -> Any:
    """The chart as an Altair chart, to be changed or shown by a notebook."""
    try:
        import altair
    except ImportError:
        raise UsageError(_INSTALL) from None
    kinds: dict[str, Any] = {
        "layer": altair.LayerChart,
        "hconcat": altair.HConcatChart,
        "vconcat": altair.VConcatChart,
    }
    kind = next(chart for key, chart in kinds.items() if key in spec)
    return kind.from_dict(_sized(spec), validate=False)


def script() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script, which asks for nothing from outside."""
    from gainful.presentation.kept_script import kept_script

    convert = _convert()
    bundle = kept_script(
        convert.__version__, lambda: convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    )
    return f"(() => {{{bundle}}})();".replace("</script", "<\\/script").replace("<!--", "<\\!--")


def still(spec: dict[str, Any]) -> dict[str, Any]:
    """The spec at a fixed width, without the layers that are there for the pointer alone."""
    from gainful.presentation.chart_parts import columns

    drawn = _pointless(_sized(spec))
    drawn["padding"] = {
        "left": 28,
        "top": 5,
        "right": 16,
        "bottom": 5,
    }  # whoever looks may have wider letters
    if "usermeta" in drawn:
        known = drawn.pop("usermeta")
        legend_columns = columns(known["letters"], WIDTH, known["beside"])
        drawn["config"]["legend"] |= {"columns": legend_columns, "columnPadding": 26}
    if "config" in drawn and _fit(drawn["datasets"]):
        for part in ("axisY", "legend"):  # Vega measures every label, over and over, to see whether it fits
            drawn["config"].setdefault(part, {})["labelLimit"] = 0
    return drawn


def _sized(spec: dict[str, Any]) -> dict[str, Any]:
    sized = copy.deepcopy(spec)
    return sized | {"width": WIDTH} if sized.get("width") == "container" else sized


def _pointless(spec: dict[str, Any]) -> dict[str, Any]:
    """The spec without layers for the pointer, in every panel of it."""
    from gainful.presentation.charts import HOVER

    still_spec = dict(spec)
    if "layer" in still_spec:
        still_spec["layer"] = [layer for layer in still_spec["layer"] if layer.get("name") != HOVER]
    for side in ("concat", "hconcat", "vconcat"):
        if side in still_spec:
            still_spec[side] = [_pointless(part) for part in still_spec[side]]
    return still_spec


def _fit(datasets: dict[str, list[dict[str, Any]]]) -> bool:
    """Whether every text is short enough to be a label as it is."""
    cells = (value for rows in datasets.values() for row in rows for value in row.values())
    return all(len(value) <= _LETTERS for value in cells if isinstance(value, str))


def _marked(spec: Any) -> Any:
    """The chart with every opening bracket marked: in a page a name of any origin could end the script it stands in."""
    if isinstance(spec, str):
        return spec.replace("<", _BRACKET)
    if isinstance(spec, dict):
        return {_marked(key): _marked(value) for key, value in spec.items()}
    return [_marked(part) for part in spec] if isinstance(spec, list) else spec


def _convert() -> Any:
    try:
        import vl_convert
    except ImportError:
        raise UsageError(_INSTALL) from None
    _check_descriptors()
    return vl_convert


def _check_descriptors() -> None:
    """Raise where so few files may be open that vl-convert would end in a panic."""
    most = system_limit("SC_OPEN_MAX")
    if 0 <= most < _DESCRIPTORS:
        raise DataError(
            f"charts cannot be drawn: this process may have {most} files open at once, and needs {_DESCRIPTORS}; "
            f"raise the limit with `ulimit -n {_DESCRIPTORS}`."
        )
