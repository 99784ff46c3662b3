"""The page: templates filled with what a report says. Everything is in it, and nothing is asked for from outside."""

from __future__ import annotations

import base64
import hashlib
import math
import re
from importlib.resources import files
from typing import Any

import msgspec

from gainful.formats.ids import shown
from gainful.presentation import palette
from gainful.presentation.numbers import p_value, signed
from gainful.reports import payload
from gainful.reports.figures import figures
from gainful.reports.libraries import library
from gainful.reports.page import Progress, Report
from gainful.reports.painter import Painter
from gainful.reports.report_charts import Figure

_SCRIPTS = ("dom.js", "tables.js", "charts.js", "pairs.js", "topic.js", "topics.js", "page.js")
_ID = re.compile(r'\b(id="|url\(#|xlink:href="#|href="#)((?:clip|gradient)[\w-]*)')
_MOST_PAIRS = 200  # rows of the table of pairs; of more, those of the first system


def page(report: Report, progress: Progress | None = None, painter: Painter | None = None) -> str:
    """The whole page; a painter that was started before has its tools ready."""
    if painter is None:
        with Painter() as one:
            return page(report, progress, one)
    drawn: dict[str, Figure] = {}
    asked = {}
    for figure in figures(report):
        drawn[figure.name] = figure
        asked[figure.name] = painter.svg(figure.spec)
    sections = _sections(report)
    pictures = {}
    for number, (name, picture) in enumerate(asked.items()):
        if progress:
            progress("charts", number, len(drawn))
        pictures[name] = _placed(picture.result(), name)
    ours = "(() => {\n" + '"use strict";\n' + "\n".join(map(template, _SCRIPTS)) + "})();\n"
    vega = painter.script.result() if drawn else ""
    policy = "; ".join(
        [
            "default-src 'none'",
            "style-src 'unsafe-inline'",
            f"script-src {' '.join(hashed(text) for text in (ours, vega) if text)}",
            "img-src data:",
            "connect-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    made: str = (
        _environment()
        .get_template("page.html")
        .render(
            report=report,
            one=report.evaluated,
            simulated=report.simulated,
            figures=drawn,
            picture=lambda figure: pictures[figure.name],
            policy=policy,
            style=template("style.css"),
            theme=theme(),
            ours=ours,
            vega=vega,
            **sections,
        )
    )
    return made


def _sections(report: Report) -> dict[str, Any]:
    """What the templates need beside the report itself."""
    one = report.evaluated
    if one is None:
        return {}
    some = [] if one.pairs is None else list(one.pairs.of(one.pairs.measures[0]))
    if len(some) > _MOST_PAIRS:
        some = [pair for pair in some if one.first in (pair.a, pair.b)]
    hard = one.topics.difficulty(one.board.measures[0])
    return {
        "pairs_shown": some,
        "difficulty": hard,
        "highest": max([1.0, *(high for _, _, high in hard if not math.isnan(high))]),
        "embedded": payload.embedded(one),
        "lists": [payload.of_topic(one, number) for number in range(len(one.topics.topics))],
    }


def _placed(picture: str, prefix: str) -> str:
    """A drawn chart for the page; ids in it begin with the prefix, as a page has many charts."""
    numbers: dict[str, int] = {}  # Vega counts on from chart to chart; the same chart is to have the same ids
    for found in _ID.finditer(picture):
        numbers.setdefault(found[2], len(numbers) + 1)
    named = _ID.sub(lambda found: f"{found[1]}{prefix}-{numbers[found[2]]}", picture)
    return re.sub(r"<svg ", '<svg aria-hidden="true" focusable="false" ', named, count=1)


def template(name: str) -> str:
    """The text of a file that is shipped with the package."""
    return files("gainful.reports").joinpath("templates", name).read_text(encoding="utf-8")


def theme() -> str:
    """The colours as variables, in the light and in the dark, and the colours of charts swapped for them."""
    fixed = {
        "page": (palette.PAGE, palette.PAGE_DARK),
        "link": (palette.LINK, palette.LINK_DARK),
    }
    shades = zip(palette.GRADES, palette.GRADES_DARK, strict=True)
    grades = {f"grade-{number}": shade for number, shade in enumerate(shades, 1)}
    pairs = {name: (light, dark) for light, name, dark in palette.swaps()} | fixed | grades
    light = "".join(f"--{name}:{both[0]};" for name, both in pairs.items())
    dark = "".join(f"--{name}:{both[1]};" for name, both in pairs.items())
    swapped = "".join(
        f'.plot [fill="{colour}"]{{fill:var(--{name})}}.plot [stroke="{colour}"]{{stroke:var(--{name})}}'
        for colour, name, _ in palette.swaps()
    )
    return (
        f":root{{color-scheme:light;{light}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}{swapped}"
    )


def hashed(text: str) -> str:
    """What a content-security policy knows a script by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def embedded_json(value: Any) -> str:
    r"""JSON that can stand in a page: no tag begins in it, whatever the data hold.

    >>> print(embedded_json(["</script>"]))
    ["\u003c/script>"]
    """
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


def _environment() -> Any:
    library("jinja2")
    from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound
    from markupsafe import Markup

    class Shipped(BaseLoader):
        def get_source(self, environment: Any, name: str) -> tuple[str, str | None, Any]:  # noqa: ARG002 (Jinja's signature)
            try:
                return template(name), None, lambda: True
            except FileNotFoundError:
                raise TemplateNotFound(name) from None

    made = Environment(
        loader=Shipped(), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {
        "shown": shown,
        "number": _number,
        "signed": signed,
        "p": p_value,
        "share": _share,
        "full": _full,
        "json": lambda value: Markup(embedded_json(value)),
        "raw": Markup,
    }
    return made


def _number(value: float | None, measure: str = "", places: int = 4) -> str:
    """A number for people; a measure that counts has no decimals."""
    if value is None or math.isnan(value):
        return "–"
    counts = measure.startswith("Num") and float(value).is_integer()
    return (f"{value:,.0f}" if counts else f"{value:.{places}f}").replace("-", "−")


def _share(value: float, highest: float) -> str:
    """How far along a line from 0 to the highest value this one stands."""
    return f"{0.0 if math.isnan(value) else max(0.0, value) / highest:.4f}"


def _full(value: float | None) -> str:
    """All digits of a number, as JavaScript reads them; nothing where there is none."""
    if value is None or math.isnan(value):
        return ""
    return repr(float(value)).replace("inf", "Infinity")
