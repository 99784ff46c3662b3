"""Hostile items, feeds, files and forms: shown as text, or refused. The table in docs/service.md names these tests."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gainful.filtering.feeds.feed_records import ParsedItem

from .serving import Served, publish, titles, told

MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'><b>"
TEMPLATES = "{{ 7*7 }}{% for x in [].__class__.__base__.__subclasses__() %}${7*7}<%= 7*7 %>"
SQL = "'; DROP TABLE accounts; -- \" OR 1=1 %s ? :name"
TURNED = "abc\u202egnp.exe\u2028\u0007\u001b[2J"
PIECES = {"markup": MARKUP, "templates": TEMPLATES, "sql": SQL, "turned": TURNED}


def deliver(served, *items):
    """Items that the reader's profile delivers; their entries."""
    with served.inbox() as inbox:
        inbox.filter.add_profile("everything", text="okapi", rule="fixed(theta=0.0001)")
        publish(inbox, "https://hostile.example", items)
        inbox.take_in()
        return inbox.entries(profile="everything")


def pages_with(served, ada, entries):
    paths = [
        "/?profile=everything&show=all",
        *(f"/entry/{entry.number}" for entry in entries),
        "/feeds",
        "/profiles",
    ]
    return [ada.get(path) for path in paths]


@pytest.mark.parametrize("kind", PIECES)
def test_markup_templates_and_sql_in_items_are_shown_as_text(served, ada, kind):
    piece = PIECES[kind]
    entries = deliver(
        served,
        ParsedItem(
            "1", title=f"okapi {piece}", text=f"okapi {piece}", author=piece, link="https://a.example/"
        ),
    )
    assert entries
    for page in pages_with(served, ada, entries):
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img" not in page.text
        assert (
            "49" not in re.sub(r'value="[0-9a-f]+"|v=\w+|\d\.\d+|hash\w+', "", page.text)
            or kind != "templates"
        )
    assert served.accounts.named("ada") is not None


def test_scripts_styles_forms_images_and_events_are_removed_from_the_content_of_items(
    served, ada, stand, monkeypatch
):
    """Through the fetcher and its parser, as any feed comes."""
    import asyncio

    from gainful.filtering.service.background_worker import fetch

    bad = (
        '<p onclick="x()">okapi text</p><script>alert(1)</script><style>*{display:none}</style><img src="http://t.example/p.gif">'
        '<form action="https://evil.example"><input name="password"></form><iframe src="https://evil.example"></iframe>'
        '<a href="javascript:alert(1)">one</a><a href="data:text/html,x">two</a><a href="https://ok.example/">three</a>'
        "<svg><script>alert(2)</script></svg><math><mtext></form><form><mglyph><style></math><img src onerror=alert(3)>"
    )
    body = (
        '<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><item><title>okapi</title><guid>1</guid>'
        f"<link>javascript:alert(1)</link><description><![CDATA[{bad}]]></description></item></channel></rss>"
    )
    monkeypatch.setattr(stand, "answer", lambda _: (body.encode(), "application/rss+xml"))
    with served.inbox() as inbox:
        inbox.filter.add_profile("everything", text="okapi", rule="fixed(theta=0.0001)")
        inbox.feeds.subscribe(1, f"{stand.base}/bad.xml")
        inbox.feeds.store.execute(
            "UPDATE feeds SET due = 0 WHERE address LIKE 'http://127%'".replace("%", "%")
        )
    asyncio.run(fetch(served.service))
    with served.inbox() as inbox:
        inbox.take_in()
        entry = inbox.entries(profile="everything")[0]
    content = re.search(
        r'<div class="content">(.*?)</div>\n<p class="note">', ada.get(f"/entry/{entry.number}").text, re.S
    )[1]
    assert "okapi text" in content
    assert not re.search(
        r"<(script|style|img|form|input|iframe|svg|math)|on\w+=|javascript:|data:", content, re.I
    )
    assert 'href="https://ok.example/"' in content
    assert "noreferrer" in content
    page = ada.get("/?profile=everything&show=all").text
    assert "javascript:" not in page


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        " file:///etc/passwd",
        "//evil.example",
    ],
)
def test_a_link_that_leads_to_no_web_page_is_none(served, ada, link):
    entries = deliver(served, ParsedItem("1", title="okapi", text="okapi text", link=link))
    page = ada.get("/?profile=everything&show=all")
    article = re.search(r"<article.*?</article>", page.text, re.S)[0]
    assert "data-open" not in article
    assert link.strip() not in ada.get(f"/entry/{entries[0].number}").text


def test_a_link_of_an_item_carries_no_referrer_and_no_way_back(served, ada):
    deliver(served, ParsedItem("1", title="okapi", text="okapi text", link="https://a.example/?a=1&b='2'"))
    page = ada.get("/?profile=everything&show=all")
    link = re.search(r"<a [^>]*data-open[^>]*>", page.text)[0]
    assert 'rel="noopener noreferrer"' in link
    assert 'href="https://a.example/?a=1&amp;b=&#39;2&#39;"' in link


def test_a_title_of_ten_megabytes_is_shown_short(served, ada):
    entries = deliver(
        served, ParsedItem("1", title="okapi " * 1_700_000, text="okapi text", link="https://a.example/")
    )
    for path in ("/?profile=everything&show=all", f"/entry/{entries[0].number}" if entries else "/"):
        page = ada.get(path)
        assert page.status_code == 200
        assert len(page.text) < 200_000


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/profiles/add", "name"),
        ("/profiles/add", "text"),
        ("/profile/edit", "rename"),
        ("/entry", "press"),
        ("/settings/name", "name"),
        ("/feeds/subscribe", "address"),
    ],
)
def test_a_field_that_is_too_long_is_refused(served, ada, path, field):
    fields = {
        "name": "bees",
        "text": "bees",
        "rename": "bees",
        "profile": "bees",
        "do": "relevant",
        field: "x" * 30_000,
    }
    answer = ada.submit(path, **fields)
    assert answer.status_code in (400, 413)


def test_bytes_that_are_no_text_are_taken_as_text_or_refused(served, ada):
    token = ada.token().encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = ada.post(
        "/profiles/add",
        content=b"token=" + token + b"&name=%ff%fe%00x&text=bees+%ed%a0%80+%c3%28",
        headers=headers,
    )
    assert answer.status_code == 200
    assert ada.get("/?profile=%ff&q=%ed%a0%80%00").status_code == 404
    assert ada.get("/?q=%ff%00%c3%28").status_code == 200
    assert ada.get("/profile?name=%00%ff").status_code == 404
    assert (
        ada.get("/", headers=[(b"Cookie", b"gainful_session=\x80\xff; gainful_said=%ff%00")]).status_code
        == 200
    )


def test_names_of_every_kind_are_text_on_every_page(served, ada):
    for number, piece in enumerate(PIECES.values()):
        name = f"{piece[:60]}{number}"
        page = ada.submit("/profiles/add", name=name, text=f"bees {piece}")
        assert page.status_code == 200
    for path in ("/", "/profiles", "/nearly"):
        page = ada.get(path)
        assert "<script>alert" not in page.text
        assert "<img" not in page.text
    ada.submit("/settings/name", name=MARKUP[:60])
    assert "<script>alert" not in ada.get("/settings").text
    assert "<script>" not in ada.get("/", params={"q": MARKUP}).text
    assert len(ada.get("/profiles").text.split("profile-card")) == 2 + len(PIECES)


def test_a_message_of_another_sites_making_is_shown_as_text(served, ada):
    """Other sites cannot set the cookie; whoever can finds text only."""
    page = ada.get(
        "/",
        headers={
            "Cookie": f"gainful_session={ada.cookies['gainful_session']}; gainful_said=%3Cscript%3Ealert(1)%3C/script%3E"
        },
    )
    assert told(page) == "<script>alert(1)</script>"
    assert "<script>alert" not in page.text


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE o [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {letter} "{"&" + before + ";" * 1}{("&" + before + ";") * 9}">'
        for before, letter in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]><opml><body><outline xmlUrl='https://x.example/' text='&i;'/></body></opml>"
)
OPMLS = {
    "entities that multiply": BOMB,
    "an outer file": '<?xml version="1.0"?><!DOCTYPE o [<!ENTITY x SYSTEM "file:///etc/passwd">]><opml><body><outline text="&x;" xmlUrl="https://x.example/"/></body></opml>',
    "nesting": "<opml><body>" + "<outline text='a'>" * 100_000 + "</outline>" * 100_000 + "</body></opml>",
    "no XML": "not a list of feeds",
    "nothing": "",
    "bytes": "\x00\xff\xfe",
}


@pytest.mark.parametrize("kind", OPMLS)
def test_a_hostile_opml_file_is_refused_with_a_sentence(served, ada, kind):
    file = {"file": ("feeds.opml", OPMLS[kind].encode("utf-8", "replace"), "text/xml")}
    page = ada.submit("/feeds/opml", files=file)
    assert page.status_code in (200, 400)
    assert "root:" not in page.text
    assert "Subscribed" not in page.text
    with served.inbox() as inbox:
        assert len(inbox.feeds.feeds(1)) == 3


def test_an_opml_file_of_javascript_and_local_addresses_adds_none_of_them(served, ada):
    outlines = "".join(
        f'<outline text="x" xmlUrl="{address}"/>'
        for address in ("javascript:alert(1)", "file:///etc/passwd", "gopher://x/")
    )
    page = ada.submit(
        "/feeds/opml",
        files={"file": ("f.opml", f"<opml version='2.0'><body>{outlines}</body></opml>", "text/xml")},
    )
    assert page.status_code == 200
    with served.inbox() as inbox:
        assert len(inbox.feeds.feeds(1)) == 3


def test_an_upload_that_is_too_large_is_refused(served, ada):
    file = {"file": ("feeds.opml", b"x" * 10_100_000, "text/xml")}
    assert ada.post("/feeds/opml", data={"token": ada.token()}, files=file).status_code == 413


@pytest.mark.parametrize(
    "address",
    [
        *(
            "http://127.0.0.1:22/",
            "http://localhost/",
            "http://169.254.169.254/latest/meta-data/",
            "http://[::1]/",
        ),
        *(
            "http://0.0.0.0/",
            "http://10.0.0.1/",
            "http://[::ffff:127.0.0.1]/",
            "http://0x7f.1/",
            "file:///etc/passwd",
        ),
        *("gopher://x.example/", "javascript:alert(1)"),
    ],
)
def test_an_address_of_the_own_network_is_refused_before_anything_is_asked(state, clock, address):
    from gainful.filtering.feeds.guarded_network import NetworkRules

    with Served(state, clock, network=NetworkRules(allow_private=False)) as running, running.reader() as ada:
        page = ada.submit("/feeds/subscribe", address=address)
        assert "Subscribed" not in told(page)
        assert told(page)
        with running.inbox() as inbox:
            assert inbox.feeds.feeds(1) == []


PATHS = [
    *("/", "/nearly", "/profile", "/profile/preview", "/login", "/start", "/entry/1", "/feeds", "/static/x"),
    "/settings",
]
ASKED = ["q", "profile", "show", "before", "keep", "name", "threshold", "key", "in", "answered", "v"]
FORMS = [
    *("/entry", "/read-all", "/profiles/add", "/profile/edit", "/profile/remove", "/feeds/unsubscribe"),
    *("/feeds/rename", "/settings/name"),
]
FIELDS = [
    *(
        "number",
        "do",
        "profile",
        "item",
        "name",
        "rename",
        "text",
        "feed",
        "title",
        "folder",
        "until",
        "back",
    ),
    *("theme", "most", "utility"),
]


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(PATHS), st.dictionaries(st.sampled_from(ASKED), st.text(max_size=30)))
def test_no_address_gives_an_internal_error(seen, path, parameters):
    assert seen.get(path, params=parameters).status_code < 500


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(FORMS), st.dictionaries(st.sampled_from(FIELDS), st.text(max_size=30)))
def test_no_form_gives_an_internal_error(seen, path, fields):
    assert seen.post(path, data={**fields, "token": seen.own_token}).status_code < 500


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """A reader whose requests change nothing that other tests look at."""
    from gainful.filtering.state.filter import Filter

    path = tmp_path_factory.mktemp("seen") / "my.filter"
    Filter.create(path).close()
    with Served(str(path)) as running, running.reader() as reader:
        reader.own_token = reader.token()
        yield reader


def test_titles_that_are_empty_are_still_links(served, ada):
    deliver(served, ParsedItem("1", title="", text="okapi and more words", link="https://a.example/"))
    assert titles(ada.get("/?profile=everything&show=all")) == ["okapi and more words"]
