"""The page of a report or an explanation: templates that are filled; everything is in it, nothing is asked for from outside."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Self

from gainful.errors import UsageError
from gainful.explaining import Difference, Explanation
from gainful.explaining.explanation import explanation_panels
from gainful.formats.ids import shown
from gainful.presentation import chart_files
from gainful.presentation.chart_painter import Painter
from gainful.presentation.page_theme import embedded_json, hashed, placed, shared_script, theme
from gainful.presentation.text_style import fixed, p_value, percent, signed
from gainful.reports.data_section import date, versions
from gainful.reports.report_document import Report
from gainful.reports.report_results import Progress, Results
from gainful.reports.section_registry import Figure, Section

_LIBRARIES = ("vl_convert", "jinja2")
_SCRIPTS = ("tables.js", "charts.js", "pairs.js", "topic.js", "topics.js", "page.js")


def ready() -> None:
    """Raise, before any work is done, where a library that a page is made with is not installed."""
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in _LIBRARIES):
        raise UsageError("a report needs vl-convert and Jinja2: pip install vl-convert-python jinja2")
    chart_files.ready()


def page(report: Report, progress: Progress | None = None, painter: Painter | None = None) -> str:
    """The whole page; a painter that was started before has its tools ready."""
    if painter is None:
        ready()
        with Painter() as own:
            return page(report, progress, own)
    figures = {figure.name: figure for figure in report.charts()}
    asked = {name: painter.svg(figure.spec) for name, figure in figures.items()}
    data: dict[str, Any] = {}
    parts: dict[str, Any] = {}
    for section in report.sections.values():
        data |= section.page_data()
        parts |= section.page_parts()
    pictures = {}
    for number, (name, picture) in enumerate(asked.items()):
        if progress:
            progress("charts", number, len(figures))
        pictures[name] = placed(picture.result(), name)
    ours = (
        "(() => {\n" + '"use strict";\n' + "\n".join([shared_script(), *map(template, _SCRIPTS)]) + "})();\n"
    )
    vega = painter.script.result() if figures else ""
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
    environment = _environment()
    known = {"report": report, "figures": figures, "picture": lambda figure: pictures[figure.name]}
    bodies = [
        _template(environment, section).render(section=section, **known)
        for section in report.sections.values()
    ]
    text: str = environment.get_template("page.html").render(
        **known,
        bodies=bodies,
        policy=policy,
        style=template("style.css"),
        theme=theme(),
        data=data,
        parts=parts,
        ours=ours,
        vega=vega,
    )
    return text


def _template(environment: Any, section: Section) -> Any:
    """The section's template: a file of the package, or text of its own."""
    text = section.template
    return environment.get_template(text) if text.endswith(".html") else environment.from_string(text)


def template(name: str) -> str:
    """The text of a file that is shipped with the package."""
    return files("gainful.reports").joinpath("templates", name).read_text(encoding="utf-8")


def _environment() -> Any:
    from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound
    from markupsafe import Markup

    class Shipped(BaseLoader):
        def get_source(self, environment: Any, name: str) -> tuple[str, str | None, Any]:  # noqa: ARG002 (Jinja's signature)
            try:
                return template(name), None, lambda: True
            except FileNotFoundError:
                raise TemplateNotFound(name) from None

    environment = Environment(
        loader=Shipped(), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "shown": shown,
        "number": fixed,
        "signed": signed,
        "p": p_value,
        "percent": percent,
        "share": _share,
        "sentence": _sentence,
        "full": _full,
        "json": lambda value: Markup(embedded_json(value)),
        "raw": Markup,
    }
    return environment


def _share(value: float, highest: float) -> str:
    """How far along a line from 0 to the highest value this one stands."""
    return f"{0.0 if math.isnan(value) else max(0.0, value) / highest:.4f}"


def _sentence(text: str) -> str:
    """A sentence in large letters: no line of it begins with a percent sign."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _full(value: float | None) -> str:
    """All digits of a number, as JavaScript reads them; nothing where there is none."""
    if value is None or math.isnan(value):
        return ""
    return repr(float(value)).replace("inf", "Infinity")


@dataclass(frozen=True, eq=False)
class ExplanationSection(Section):
    """One topic's value, rank by rank; the only section of its page, and no part of a report."""

    name, title, order, template = "explanation", "Rank by rank", 10, "explanation.html"

    explained: Explanation | Difference
    places: int
    fold: bool

    @classmethod
    def of(cls, results: Results) -> Self | None:  # noqa: ARG003 (a report asks every section)
        """Not a part of any report."""
        return None

    def to_dict(self) -> dict[str, Any]:
        """The explanation, in the layout of the JSON output."""
        return self.explained.to_dict()

    def body(self) -> str:
        """The tables and sentences."""
        return self.explained.html(places=self.places, fold=self.fold)

    def figures(self) -> list[Figure]:
        """The picture; none of an empty list."""
        try:
            drawn, caption = explanation_panels(self.explained.explained)
        except UsageError:
            return []
        return [
            Figure(f"explanation-{number}", f"{panel.y.title} by {panel.x.title}", caption, panel.spec())
            for number, panel in enumerate(drawn, 1)
            if panel.y is not None
        ]


def explanation_page(explained: Explanation | Difference, *, places: int = 4, fold: bool = True) -> str:
    """One explanation, or a difference, as a whole page."""
    lists = explained.explained
    runs = " and ".join(shown(each.run) for each in lists)
    title = f"{lists[0].measure} of {runs} on topic {shown(lists[0].topic)}"
    section = ExplanationSection(explained, places, fold)
    return page(Report(title, {section.name: section}, None, versions(), date()))
