"""What pages of the package share: colours in the light and in the dark, first rules of style, charts, scripts, and data."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from typing import Any

import msgspec

from gainful.presentation import chart_parts

_ID = re.compile(r'\b(id="|url\(#|xlink:href="#|href="#)((?:clip|gradient)[\w-]*)')


def theme() -> str:
    """How the style of every page begins: colours as variables, in the light and in the dark, and the rules that pages share.

    Colours of charts are swapped for the variables.
    """
    fixed = {
        "page": (chart_parts.PAGE, chart_parts.PAGE_DARK),
        "link": (chart_parts.LINK, chart_parts.LINK_DARK),
    }
    shades = zip(chart_parts.GRADES, chart_parts.GRADES_DARK, strict=True)
    grades = {f"grade-{number}": shade for number, shade in enumerate(shades, 1)}
    pairs = {name: (light, dark) for light, name, dark in chart_parts.swaps()} | fixed | grades
    light = "".join(f"--{name}:{both[0]};" for name, both in pairs.items())
    dark = "".join(f"--{name}:{both[1]};" for name, both in pairs.items())
    swapped = "".join(
        f'.plot [fill="{colour}"]{{fill:var(--{name})}}.plot [stroke="{colour}"]{{stroke:var(--{name})}}'
        for colour, name, _ in chart_parts.swaps()
    )
    return (
        f":root{{color-scheme:light;{light}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}{swapped}\n{_shipped('page.css')}"
    )


def placed(picture: str, prefix: str) -> str:
    """A drawn chart for the page; ids in it begin with the prefix, as a page has many charts."""
    numbers: dict[str, int] = {}  # Vega counts on from chart to chart; the same chart is to have the same ids
    for match in _ID.finditer(picture):
        numbers.setdefault(match[2], len(numbers) + 1)
    named = _ID.sub(lambda match: f"{match[1]}{prefix}-{numbers[match[2]]}", picture)
    return re.sub(r"<svg ", '<svg aria-hidden="true" focusable="false" ', named, count=1)


def shared_script() -> str:
    """Small helpers in JavaScript that every page of the package begins its script with."""
    return _shipped("dom.js")


def _shipped(name: str) -> str:
    return files("gainful.presentation").joinpath("templates", name).read_text(encoding="utf-8")


def hashed(text: str) -> str:
    """What a content-security policy knows a script by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def embedded_json(value: Any) -> str:
    r"""JSON that can stand in a page: no tag begins in it, whatever the data hold.

    >>> print(embedded_json(["</script>"]))
    ["\u003c/script>"]
    """
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")
