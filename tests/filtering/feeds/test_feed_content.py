"""What is left of strangers' markup, JSON Feeds, and the feeds that pages name."""

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.errors import DataError
from gainful.filtering.feeds.feed_content import parsed_feed
from gainful.filtering.feeds.item_markup import cleaned
from gainful.filtering.feeds.page_feeds import feed_links, page_text

from .servers import rss

HERE = "https://a.example/blog/feed"


@pytest.mark.parametrize(
    ("markup", "left"),
    [
        ("<script>alert(1)</script>a", "a"),
        ("<img src=x onerror=alert(1)>a", "a"),
        ("<svg onload=alert(1)><circle /><style>x</style></svg>b", "b"),
        ("<svg onload=alert(1)><p>a</p></svg>b", None),
        ("<iframe src=https://evil.example></iframe>a", "a"),
        ("<style>p{background:url(x)}</style><p style='background:url(x)' class=y id=z>a</p>", "<p>a</p>"),
        ("<form action=/x><input name=p><button>a</button></form>", "a"),
        ("<a href='javascript:alert(1)'>a</a>", '<a rel="noopener noreferrer nofollow">a</a>'),
        ("<a href=' jav&#x09;ascript:alert(1)'>a</a>", '<a rel="noopener noreferrer nofollow">a</a>'),
        ("<a href='data:text/html,x'>a</a>", '<a rel="noopener noreferrer nofollow">a</a>'),
        (
            "<a href='../post?a=1&amp;b' target=_blank rel=opener onclick=x()>a</a>",
            '<a href="https://a.example/post?a=1&amp;b" rel="noopener noreferrer nofollow">a</a>',
        ),
        ("<td colspan=2 rowspan=9999>a</td>", "a"),
        ("<video src=x autoplay></video><audio src=y></audio><object data=z>o</object><embed src=w>a", "a"),
        ("<base href=//evil.example><meta http-equiv=refresh content=0><link rel=stylesheet href=x>a", "a"),
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("{{ 7 * 7 }} {% raw %} ${x}", "{{ 7 * 7 }} {% raw %} ${x}"),
        ("<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>a", None),
        ("<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>", None),
    ],
)
def test_markup_is_left_without_what_runs_or_loads(markup, left):
    clean = cleaned(markup, HERE)
    if left is not None:
        assert clean == left
    assert_harmless(clean)


def test_markup_that_is_nested_beyond_measure_is_left_as_text():
    begun = time.process_time()
    for tag in ("div", "b", "table", "ul><li", "blockquote", "a href=/x"):
        assert cleaned(f"<{tag}>" * 10_000 + "left", HERE) == "<p>left</p>"
    assert time.process_time() - begun < 5
    assert cleaned("<p>a<li>b<br>" * 300, HERE).count("<br>") == 300


def assert_harmless(clean):
    tags = re.findall(r"<(/?\w+)([^>]*)>", clean)
    for tag, attributes in tags:
        assert tag.lstrip("/").lower() not in {
            "script",
            "img",
            "svg",
            "iframe",
            "style",
            "form",
            "input",
            "object",
            "base",
        }
        assert not re.search(r"\bon\w+\s*=|style\s*=|srcdoc|src\s*=", attributes, re.IGNORECASE)
        assert all(
            link.startswith(("http://", "https://")) for link in re.findall(r'href="([^"]*)"', attributes)
        )


PIECES = st.sampled_from(
    [
        *(
            "<script>",
            "</script>",
            "<img src=x onerror=y>",
            "<a href=",
            "javascript:",
            '"',
            "'",
            ">",
            "<",
            "<svg>",
            "</svg>",
        ),
        *(
            "<math>",
            "<style>",
            "</style>",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<p onclick=x>",
            "&lt;",
            "&#60;",
            "<template>",
        ),
        *(
            "<noscript>",
            "<table>",
            "<td>",
            "<iframe>",
            "x",
            " ",
            "\0",
            "<a href='//b.example/'>",
            "</a>",
            "<title>",
            "<b>",
        ),
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_whatever_markup_there_is_it_becomes_harmless_and_stays_as_it_is(markup):
    clean = cleaned(markup, HERE)
    assert_harmless(clean)
    assert cleaned(clean, HERE) == clean


def test_plain_text_of_atom_is_shown_as_text():
    atom = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><id>x</id><author><name>&lt;b&gt;A</name></author>'
        '<content type="text">&lt;script&gt;x&lt;/script&gt;\nb</content></entry></feed>'
    )
    (entry,) = parsed_feed(atom.encode(), HERE, "").items
    assert entry.html == "<p>&lt;script&gt;x&lt;/script&gt;</p><p>b</p>"
    assert (entry.text, entry.author) == ("<script>x</script>\nb", "A")


def test_links_are_made_whole_by_the_address_of_the_feed():
    feed = parsed_feed(
        rss("x", "y")
        .replace("https://story.example/x", "/x")
        .replace("https://story.example/y", "javascript:y")
        .encode(),
        HERE,
        "",
    )
    assert {entry.id: entry.link for entry in feed.items} == {"x": "https://a.example/x", "y": ""}


def test_items_come_oldest_first():
    undated = parsed_feed(rss("new", "old").encode(), HERE, "")
    assert [entry.id for entry in undated.items] == ["old", "new"]
    dated = [("a", "2026-03-02T00:00:00Z"), ("b", "2026-03-01T00:00:00+01:00"), ("c", "2026-03-03")]
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "items": [{"id": name, "date_published": date} for name, date in dated],
    }
    assert [entry.id for entry in parsed_feed(json.dumps(feed).encode(), HERE, "").items] == ["b", "a", "c"]


def test_json_that_is_no_feed_is_refused():
    for body in (b"{}", b'{"version": 1}', b"{broken", b'{"items": []}'):
        with pytest.raises(DataError, match="JSON"):
            parsed_feed(body, HERE, "")


def test_what_all_items_hold_together_is_bounded(monkeypatch):
    monkeypatch.setitem(parsed_feed.__globals__, "_ALL", 100_000)
    long = "".join(
        f"<item><guid>{number}</guid><description>{'w ' * 1_000}</description></item>" for number in range(45)
    )
    feed = parsed_feed(f'<rss version="2.0"><channel>{long}</channel></rss>'.encode(), HERE, "")
    assert len(feed.items) == 45
    assert sum(len(entry.html) + len(entry.text) for entry in feed.items) <= 100_000 + 45 * 1_000
    assert [entry.id for entry in feed.items if entry.html] == [str(number) for number in range(24, -1, -1)]


# ---- pages


def link(href, kind="application/rss+xml", rel="alternate", more=""):
    return f'<link rel="{rel}" type="{kind}" href="{href}" {more}>'


def addresses(page, charset=""):
    raw = page if isinstance(page, bytes) else page.encode()
    return [found.address for found in feed_links(raw, HERE, charset)]


def test_a_page_names_its_feeds_in_order():
    page = (
        f"<html><head>{link('/rss')}{link('atom', 'application/atom+xml')}{link('x.json', 'application/feed+json')}"
        f"{link('/style', 'text/css')}{link('/icon', rel='icon')}{link('/rss')}"
        "<LINK TYPE='application/rss+xml' REL='home alternate' HREF='//b.example/upper'>"
    )
    assert addresses(page) == [
        "https://a.example/rss",
        "https://a.example/blog/atom",
        "https://a.example/blog/x.json",
        "https://b.example/upper",
    ]


@pytest.mark.parametrize(
    "page",
    [
        f"<!-- {link('/no')} -->",
        f"<!-- {link('/no')}",
        link("javascript:alert(1)"),
        link("file:///etc/passwd"),
        link("http://[::1"),
        link("mailto:a@b.example"),
        link(""),
        "<link rel=alternate type=application/rss+xml>",
        "",
    ],
)
def test_what_is_no_feed_of_a_page_is_left_out(page):
    assert addresses(page) == []


def test_a_page_names_a_bounded_number_of_feeds():
    assert len(addresses("".join(link(f"/{number}") for number in range(1000)))) == 10


@pytest.mark.parametrize(
    "piece", ["<link ", "<link>", "<!--", "<link rel='", '<link a="', "<base href=x>", "<link a=b", "&", "<"]
)
def test_a_hostile_page_takes_time_in_proportion_to_its_length(piece):
    begun = time.process_time()
    addresses(piece * (1_000_000 // len(piece)))
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("head", "charset", "encoding"),
    [
        ("<meta charset=koi8-r>", "", "koi8-r"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', "utf-8", "koi8-r"),
        ("", "koi8-r", "koi8-r"),
        ("", "", "utf-8"),
        ("", "no-such", "utf-8"),
        ("<meta charset=utf-8>", "koi8-r", "utf-8-sig"),
    ],
)
def test_pages_are_read_in_their_encoding(head, charset, encoding):
    page = f"{head}<title>чай</title>".encode(encoding)
    assert "чай" in page_text(page, charset)


def test_bytes_that_are_no_text_are_a_page_too():
    assert addresses(b"\xff\xfe\x80" + bytes(range(256)) + link("/x").encode("latin-1")) in (
        [],
        ["https://a.example/x"],
    )
