"""The site is built without a network, every link leads somewhere, and its pages work in a browser, from a disk or a server."""

import ast
import functools
import http.server
import re
import threading
import zipfile
from html import escape
from pathlib import Path

import pytest
from docs.website.contents import MOVED, SECTIONS
from docs.website.interface_page import FIELD
from docs.website.link_check import broken
from docs.website.site_build import as_printed, build, moved, sources
from tests.chromium import violations

from gainful.measures import get

ROOT = Path(__file__).parents[2]
LOOKS = [
    *(
        ("index.html", "dark", 390),
        ("measures/ndcg.html", "light", 1280),
        ("measures/ndcg.html", "dark", 390),
    ),
    *(
        ("commands/check.html", "dark", 1280),
        ("tour.html", "light", 390),
        ("python/reconciling.html", "light", 1280),
        ("ci.html", "light", 390),
    ),
]
"""Pages of each kind, in light and dark, on a desk and on a phone."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built anew."""
    pytest.importorskip("zensical")
    folder = tmp_path_factory.mktemp("built") / "site"
    build(folder)
    return folder


@pytest.fixture
def tab(browser):
    """A page of its own that notes every request which is not to a file or to this machine, and every error."""
    context = browser.new_context()
    page = context.new_page()
    page.outside, page.faults = [], []
    page.on("request", lambda request: None if _is_here(request.url) else page.outside.append(request.url))
    page.on("pageerror", lambda fault: page.faults.append(str(fault)))
    page.on("console", lambda said: page.faults.append(said.text) if said.type == "error" else None)
    yield page
    context.close()


def _is_here(address):
    return address.startswith(("file:", "data:", "blob:", "about:", "http://127.0.0.1:"))


@pytest.fixture
def served(site):
    """The site on a plain server of this machine."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_every_page_of_docs_has_its_place_in_the_contents():
    listed = [page for pages in SECTIONS.values() for page in pages if not page.endswith("/")]
    assert len(listed) == len(set(listed))
    assert set(listed) == {MOVED.get(source, Path(source).name) for source in sources()}


def test_links_lead_to_where_a_page_stands_in_the_site():
    text = "[a](measures.md#ndcg) [b](../CONTRIBUTING.md) [c](tour.md#settings) [`d`](../benchmarks/README.md) [e](report.png)"
    assert moved("docs/index.md", text) == (
        "[a](measures/ndcg.md) [b](contributing.md) [c](tour.md#settings) `d` [e](report.png)"
    )
    assert moved("docs/moving.md", "[files.md](files.md)") == "[Files](files.md)"
    assert moved("docs/browser.md", "[f](../site/browser/report.html)") == "[f](browser/report.html)"


def test_a_session_of_python_stands_there_as_it_is_printed():
    text = "```python\n>>> print(scores)\nrun  AP\n<BLANKLINE>\n1 topic\n```\n"
    assert as_printed(text) == "```pycon\n>>> print(scores)\nrun  AP\n\n1 topic\n```\n"
    assert as_printed("```python\nimport gainful\n```\n") == "```python\nimport gainful\n```\n"


def test_the_check_of_links_finds_what_leads_nowhere(tmp_path):
    (tmp_path / "b.html").write_text('<h1 id="there">B</h1>')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">1</a><a href="b.html#gone">2</a><a href="c.html">3</a><a href="https://example.org">4</a>'
        '<img src="no.png"><script src="https://example.org/x.js"></script>'
    )
    assert broken(tmp_path) == [
        "a.html loads https://example.org/x.js from another host",
        "a.html links to b.html#gone, but that page has no such place",
        "a.html links to c.html, which is not there",
        "a.html links to no.png, which is not there",
    ]


def test_a_broken_link_stops_the_build(tmp_path, monkeypatch):
    pytest.importorskip("zensical")

    def two_pages(work):
        (work / "pages").mkdir(parents=True)
        (work / "pages" / "index.md").write_text("# One\n\n[nowhere](two.md#nowhere)\n")
        (work / "pages" / "two.md").write_text("# Two\n")
        (work / "zensical.toml").write_text(
            '[project]\nsite_name = "two"\ndocs_dir = "pages"\nuse_directory_urls = false\n'
        )

    monkeypatch.setattr("docs.website.site_build.stage", two_pages)
    with pytest.raises(SystemExit, match="anchor does not exist"):
        build(tmp_path / "site")


@pytest.mark.parametrize(("page", "scheme", "width"), LOOKS)
def test_pages_are_accessible_in_light_and_dark_and_on_a_phone(page, scheme, width, site, browser, axe):
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 850})
    opened = context.new_page()
    opened.goto((site / page).as_uri())
    opened.wait_for_timeout(150)
    assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
        "the page is wider than the screen"
    )
    assert violations(opened, axe) == []
    context.close()


@pytest.mark.parametrize("where", ["a disk", "a server"])
def test_search_finds_a_measure_without_any_other_host(where, site, served, tab):
    tab.goto((site / "tour.html").as_uri() if where == "a disk" else f"{served}/tour.html")
    tab.locator(".md-search__button:visible").click()
    tab.get_by_role("combobox", name="Search").fill("rank-biased precision")
    found = tab.locator("a[href*='measures/rbp.html']").filter(visible=True)
    found.first.wait_for(timeout=10_000)
    assert tab.outside == []
    assert tab.faults == []


def test_pages_ask_no_other_host_for_anything(site, tab):
    for page in sorted(site.rglob("*.html")):
        for address in re.findall(r"https?://[^\"' )<>]+", page.read_text("utf-8")):
            assert not re.search(r"\.(js|css|woff2?|png|svg)$", address), f"{page.name}: {address}"
    for page in sorted({page for page, *_ in LOOKS}):
        tab.goto((site / page).as_uri())
        tab.wait_for_timeout(100)
    assert tab.outside == []
    assert tab.faults == []


def test_grades_can_be_changed_and_the_value_follows(site, tab):
    from docs.website.worked_example import LIST, MISSED, value_of

    tab.goto((site / "measures" / "ndcg.html").as_uri())
    shown = tab.locator(".worked output strong")
    assert shown.inner_text() == f"{value_of(get('nDCG'), LIST, MISSED):.4f}"
    tab.get_by_label("Grade at rank 2").select_option("3")
    tab.get_by_label("Move the document at rank 2 up").click()
    assert tab.get_by_label("Grade at rank 1").input_value() == "3"
    tab.get_by_role("button", name="Remove the last document").click()
    tab.get_by_label("Measure", exact=True).select_option(label="nDCG(gain=exp)")
    changed = [3, LIST[0], *LIST[2:5]]
    assert shown.inner_text() == f"{value_of(get('nDCG')(gain='exp'), changed, MISSED):.4f}"
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')") == "Measure"


def test_every_measure_and_command_has_a_page(site):
    from docs.make_man import contexts

    from gainful.cli.commands import gainful as command_line
    from gainful.measures import names

    for name in names():
        page = (site / "measures" / f"{name.lower()}.html").read_text("utf-8")
        assert "<math" in page
        assert "Worked example" in page
        assert ("When it misleads" in page) == bool(get(name).misleads)
    for context in contexts(command_line):
        words = context.command_path.split()
        if len(words) > 1:
            page = (site / "commands" / f"{words[1]}.html").read_text("utf-8")
            told = [option for option in context.command.params if getattr(option, "hidden", True) is False]
            assert [
                option.opts for option in told if not any(escape(name) in page for name in option.opts)
            ] == []


def test_a_reader_without_the_project_has_the_data_of_the_examples(site):
    assert 'href="examples.zip"' in (site / "start.html").read_text("utf-8")
    with zipfile.ZipFile(site / "examples.zip") as archive:
        for name in ("qrels.txt", "sprinter.run", "search/words.run", "filter/monday.jsonl"):
            assert archive.read(f"examples/data/{name}") == (ROOT / "examples" / "data" / name).read_bytes()


def test_in_a_docstring_each_name_stands_apart_from_its_meaning():
    """A name that is as long as the column is wide would be read as a sentence, and be missing from the table."""
    seen, run_on = 0, []
    for file in sorted((ROOT / "src" / "gainful").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            for paragraph in re.split(r"\n\s*\n", ast.get_docstring(node) or ""):
                lines = paragraph.splitlines()
                fields = [number for number, line in enumerate(lines) if FIELD.fullmatch(line)]
                seen += len(fields)
                run_on += [
                    f"{file.name}, {node.name}: {line}"
                    for line in (lines[fields[0] :] if fields else ())
                    if set(re.findall(r"^(\w+) (?! )", line)) & names_of(node)
                ]
    assert seen > 1000
    assert run_on == []


def names_of(node):
    """The parameters of a function, the fields of a class."""
    if isinstance(node, ast.ClassDef):
        return {each.target.id for each in node.body if isinstance(each, ast.AnnAssign)}
    arguments = node.args
    return {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}


def test_nothing_of_the_work_is_left(site):
    assert {path.name for path in site.parent.iterdir()} == {"site"}
    pages = (path for path in site.rglob("*") if path.is_file() and site / "browser" not in path.parents)
    assert sum(path.stat().st_size for path in pages) < 25_000_000
