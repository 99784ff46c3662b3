"""The page read by a program: its tables, its data, and what is left when versions and libraries are taken out."""

import json
import re
from html.parser import HTMLParser

_BLOCK = re.compile(r'<script type="application/json" id="([^"]+)">(.*?)</script>', re.DOTALL)


class Tags(HTMLParser):
    """Every tag with its attributes, and the text of cells."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.texts = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)


def tags(page, name):
    return [attributes for tag, attributes in Tags(page).tags if tag == name]


def embedded(page, name):
    """The data of that id."""
    return json.loads(dict(_BLOCK.findall(page))[name])


def rows_of(page, table):
    """The values of the rows of a table of that id, as text."""
    body = re.search(rf'id="{table}".*?<tbody>(.*?)</tbody>', page, re.DOTALL)[1]
    return [
        [one.get("data-value") for tag, one in Tags(row).tags if tag in ("td", "th")]
        for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    ]


def scrubbed(page):
    """The page without what other versions of libraries write otherwise: the bundle, pictures, hashes and versions."""
    page = re.sub(
        r"<script>\(\(\) => \{(?!\n\"use strict\").*?</script>",
        "<script>BUNDLE</script>",
        page,
        flags=re.DOTALL,
    )
    page = re.sub(
        r'<script>\(\(\) => \{\n"use strict".*?</script>', "<script>OURS</script>", page, flags=re.DOTALL
    )
    page = re.sub(r"<style>.*?</style>", "<style>STYLE</style>", page, flags=re.DOTALL)
    page = re.sub(r"<svg .*?</svg>", "<svg/>", page, flags=re.DOTALL)
    page = re.sub(r"&#39;sha256-[^&]*&#39;", "HASH", page)
    page = re.sub(
        r"(gainful|python|numpy|scipy|altair|vl-convert-python|jinja2) \d[\w.]*", r"\1 VERSION", page
    )
    page = re.sub(
        r"-?\d+\.\d{9,}(e-?\d+)?", lambda found: f"{float(found[0]):.9g}", page
    )  # the last digits may differ
    return re.sub(r'(id="spec-[^"]+">).*?(</script>)', r"\1SPEC\2", page, flags=re.DOTALL)
