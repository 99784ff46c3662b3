"""OPML: lists of feeds go out and come back as they were; hostile lists are refused."""

import time
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.errors import DataError
from gainful.filtering.feeds.feed_address import regular_address
from gainful.filtering.feeds.opml import LARGEST, Outline, read_opml, subscriptions_opml, write_opml
from gainful.filtering.feeds.subscriptions import MOST_FEEDS, folder_path
from gainful.filtering.safe_text import line, web, xml


def opml(inside):
    return f'<?xml version="1.0"?><opml version="2.0"><head/><body>{inside}</body></opml>'.encode()


def outline(address, more="", inside=""):
    return f'<outline xmlUrl="{address}" {more}>{inside}</outline>'


def test_feeds_have_address_title_folder_and_site():
    raw = opml(
        '<outline text="News"><outline title="World">'
        + outline("https://a.example/feed", 'text="A &amp;amp; B" htmlUrl="https://a.example/" type="rss"')
        + "</outline></outline>"
        + outline("b.example", 'TITLE="Bee"')
    )
    assert read_opml(raw).feeds == (
        Outline("https://a.example/feed", "A &amp; B", "News/World", "https://a.example/"),
        Outline("https://b.example/", "Bee"),
    )


def test_what_is_no_web_address_is_left_out_and_named():
    raw = opml(
        outline("javascript:alert(1)")
        + outline("file:///etc/passwd")
        + outline("https://me:pw@/x")
        + outline("a.example")
    )
    listed = read_opml(raw)
    assert [feed.address for feed in listed.feeds] == ["https://a.example/"]
    assert listed.refused == ("javascript:alert(1)", "file:///etc/passwd", "https://me:***@/x")


def test_a_feed_that_is_listed_twice_is_read_once():
    assert len(read_opml(opml(2 * outline("https://a.example/"))).feeds) == 1


def test_an_outline_within_a_feed_is_in_the_folder_of_the_feed():
    raw = opml(
        '<outline text="F">'
        + outline("https://a.example/", 'text="A"', outline("https://b.example/"))
        + "</outline>"
    )
    assert [feed.folder for feed in read_opml(raw).feeds] == ["F", "F"]


DEEP = 100_000
HOSTILE = {
    "entities": b'<!DOCTYPE opml [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;">]>' + opml("&b;")[21:],
    "a file": b'<!DOCTYPE opml [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    + opml('<outline text="&a;"/>')[21:],
    "nesting": opml("<outline>" * DEEP + "</outline>" * DEEP),
    "attributes": opml("<outline " + " ".join(f'a{number}="x"' for number in range(1000)) + "/>"),
    "children": opml("<outline/>" * DEEP),
    "too many feeds": opml(
        "".join(f'<outline xmlUrl="https://a.example/{number}"/>' for number in range(MOST_FEEDS + 1))
    ),
    "size": opml(" " * LARGEST),
    "broken": opml("<outline>"),
    "no OPML": b"<rss version='2.0'><channel/></rss>",
    "a page": b"<html><body>hello</body></html>",
    "nothing": b"",
    "no text": bytes(range(256)),
    "wrong bytes": b"\xff\xfe\x00" + opml(""),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_lists_are_refused_at_once(name):
    begun = time.process_time()
    with pytest.raises(DataError, match=r"my\.opml"):
        read_opml(HOSTILE[name], "my.opml")
    assert time.process_time() - begun < 3


def test_hostile_titles_are_shown_as_text():
    raw = opml(outline("https://a.example/", f'''text="&lt;script&gt;{"x" * 1_000_000}"'''))
    (feed,) = read_opml(raw).feeds
    assert feed.title.startswith("<script>")
    assert len(feed.title) == 300
    assert "<script>" not in write_opml([feed])


texts = st.text(max_size=40).map(lambda text: line(xml(text)))
outlines = st.builds(
    Outline,
    st.builds(
        lambda host, path, login: regular_address(f"https://{login}{host}.example/{path}"),
        st.from_regex(r"[a-z]{1,8}", fullmatch=True),
        st.from_regex(r"[A-Za-z0-9/?&=%+;'!.~-]{0,30}", fullmatch=True),
        st.sampled_from(["", "me@", "me:p%40ss@"]),
    ),
    texts,
    st.lists(texts.map(lambda text: text.replace("/", "")), max_size=3).map("/".join).map(folder_path),
    st.sampled_from(["", "https://site.example/?a=1&b=2"]).map(web),
)


@settings(max_examples=50)
@given(st.lists(outlines, max_size=10, unique_by=lambda feed: feed.address))
def test_whatever_is_written_is_read_back(feeds):
    text = write_opml(feeds, title="<&>")
    listed = read_opml(text.encode())
    assert sorted(listed.feeds, key=str) == sorted(feeds, key=str)
    assert listed.refused == ()
    assert ET.fromstring(text.encode()).tag == "opml"


@given(st.binary(max_size=300))
def test_whatever_bytes_there_are_they_are_a_list_or_refused(raw):
    try:
        read_opml(raw)
    except DataError as fault:
        said = str(fault)
        assert "the file" in said


def test_a_readers_feeds_go_out_and_in_again_without_passwords_unless_they_are_asked_for(feeds):
    feeds.subscribe(1, "https://me:secret@a.example/feed", title="Mine", folder="A/B")
    feeds.subscribe(1, "https://b.example/feed")
    feeds.subscribe(2, "https://private.example/")
    text = subscriptions_opml(feeds, 1)
    assert "secret" not in text
    assert "private.example" not in text
    listed = read_opml(text.encode()).feeds
    assert sorted((feed.address, feed.title, feed.folder) for feed in listed) == [
        ("https://b.example/feed", "", ""),
        ("https://me@a.example/feed", "Mine", "A/B"),
    ]
    full = read_opml(subscriptions_opml(feeds, 1, passwords=True).encode()).feeds
    assert feeds.subscribe_all(3, [(feed.address, feed.title, feed.folder) for feed in full]) == 2
    assert feeds.subscribe_all(3, [(feed.address, "", "") for feed in full]) == 0
    mine, theirs = (
        sorted((feed.number, feed.title, feed.folder) for feed in feeds.feeds(reader)) for reader in (1, 3)
    )
    assert mine == theirs


def test_many_feeds_are_subscribed_to_all_or_none(feeds):
    with pytest.raises(DataError):
        feeds.subscribe_all(1, [("https://a.example/", "", ""), ("ftp://b.example/", "", "")])
    assert feeds.feeds(1) == []


def test_the_password_of_a_refused_address_is_hidden_however_long_it_is():
    address = f"https://me:{'secret' * 300}@a.example/feed"
    listed = read_opml(f'<opml><body><outline xmlUrl="{address}"/></body></opml>'.encode())
    assert listed.refused == ("https://me:***@a.example/feed",)
