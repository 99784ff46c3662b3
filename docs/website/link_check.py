"""Every link, picture, script and style sheet of the built pages leads to a file of the site, and to a place on its page."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FROM = {"a": "href", "link": "href", "img": "src", "script": "src", "source": "src", "iframe": "src"}


class Page(HTMLParser):
    """What a page links to, and the places on it that links can lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = {"", "__skip"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag links to, and the name that it has."""
        given = dict(attrs)
        self.places |= {name for name in (given.get("id"), given.get("name")) if name}
        target = given.get(FROM.get(tag, ""))
        if target is not None:
            (self.links if tag == "a" else self.loads).append(target)


def broken(site: Path) -> list[str]:
    """A sentence for each link that leads nowhere, and for each thing that would be loaded from another host."""
    pages = {
        path: Page(path.read_text("utf-8"))
        for path in sorted(site.rglob("*.html"))
        if path.name != "404.html"
    }
    return [fault for path, page in pages.items() for fault in _faults(site, path, page, pages)]


def _faults(site: Path, path: Path, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    here = path.relative_to(site).as_posix()
    for target in page.loads:
        if urlsplit(target).netloc:
            yield f"{here} loads {target} from another host"
    for target in [*page.links, *page.loads]:
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if there.is_dir():
            there /= "index.html"
        if not there.is_file():
            yield f"{here} links to {target}, which is not there"
        elif there in pages and unquote(parts.fragment) not in pages[there].places:
            yield f"{here} links to {target}, but that page has no such place"
