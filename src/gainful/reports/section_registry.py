"""Sections of a report: each is a class in a file of its own that registers itself. No list is kept.

A section of one's own is a class like these, in any file that is imported before the report is made:

    @report_section
    class Depths(Section):
        name, title, order = "depths", "Depths", 25

        def __init__(self, depths): self.depths = depths

        @classmethod
        def of(cls, results): return None if results.scores is None else cls({run.name: … for run in results.scores})

        def tables(self, places): return [ReportTable("depths", "Depth of each list", Table.of(…))]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from gainful.presentation.page import Brief
from gainful.presentation.table import Table
from gainful.presentation.text_style import listed

if TYPE_CHECKING:
    from gainful.reports.report_results import Results

Kind = TypeVar("Kind", bound="type[Section]")

_REGISTERED: dict[str, type[Section]] = {}


@dataclass(frozen=True, repr=False)
class ReportTable(Brief):
    """A table with the name of its file, a title, and what stands below it."""

    name: str
    title: str
    table: Table
    caption: str = ""

    def latex(self) -> str:
        """For a paper."""
        return self.table.paper(f"{self.title}. {self.caption}".strip())


@dataclass(frozen=True, repr=False)
class Figure(Brief):
    """A chart of the page.

    name   a word for files and links
    says   what can be read off it, for those who do not see it
    spec   Vega-Lite, as wide as its place
    words  how to read it, beside its title
    """

    name: str
    title: str
    says: str
    spec: dict[str, Any]
    words: str = ""


class Section(ABC):
    """A part of the page: what it says, and how that is shown in each format.

    name      its anchor on the page, and its key in the JSON output
    title     in the navigation of the page
    order     sections stand in the order of these numbers; those of the package are 10, 20, …
    template  Jinja text, or the name of a file among the templates; the variables are `section`, `report`, `figures`
              (by name) and `picture`
    """

    name: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[float]
    template: ClassVar[str] = "section.html"

    @classmethod
    @abstractmethod
    def of(cls, results: Results) -> Self | None:
        """The section, made from the results; None where it does not apply."""

    def to_dict(self) -> Any:
        """What the JSON output has under the section's name: its tables, unless said otherwise."""
        return {table.name: table.table.records() for table in self.tables(17)}

    def sentences(self) -> Sequence[str]:
        """What it says in words."""
        return ()

    def tables(self, places: int) -> Sequence[ReportTable]:  # noqa: ARG002 (sections with tables take it)
        """Its tables, with so many decimals for people."""
        return ()

    def figures(self) -> Sequence[Figure]:
        """Its charts."""
        return ()

    def page_data(self) -> Mapping[str, Any]:
        """What the page's script reads when the page opens."""
        return {}

    def page_parts(self) -> Mapping[str, Any]:
        """What the page's script reads later, by the id of the element that holds it."""
        return {}


def report_section(section: Kind) -> Kind:
    """Register a section, so that every report asks whether it applies; a second one of the same name replaces the first."""
    if section.__abstractmethods__:
        raise TypeError(f"{section.__name__} must define {listed(sorted(section.__abstractmethods__))}.")
    _REGISTERED[section.name] = section
    return section


def report_sections() -> list[type[Section]]:
    """Every section there is, in the order of the page; the package's own are in its files that end in `_section`."""
    from importlib import import_module
    from pkgutil import iter_modules

    import gainful.reports

    for module in iter_modules(gainful.reports.__path__):
        if module.name.endswith("_section"):
            import_module(f"gainful.reports.{module.name}")
    return sorted(_REGISTERED.values(), key=lambda section: section.order)
