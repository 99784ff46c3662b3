"""RSS, Atom and RDF: read, or refused with a reason, in bounded time."""

import gzip
import io
import re
import tarfile
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gainful.errors import DataError, UsageError
from gainful.filtering.feeds.feed_items import read_feed
from gainful.filtering.safe_text import LONGEST, text_of
from gainful.filtering.stream_reader import documents_in

FEEDS = Path(__file__).parents[4] / "shared" / "data" / "filtering" / "feeds-feedparser.tar.gz"
MANY = 100_000


def rss(inside: str) -> str:
    return f'<rss version="2.0"><channel><title>News</title>{inside}</channel></rss>'


def item(description: str = "", rest: str = "<title>t</title>") -> str:
    return rss(f"<item>{rest}<description>{description}</description></item>")


@pytest.fixture
def feed(tmp_path):
    def read(content, *, salvage=False):
        path = tmp_path / "feed.xml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_feed(str(path), salvage=salvage)

    return read


@pytest.fixture
def refused(feed):
    def why(content, *, salvage=False):
        with pytest.raises(DataError) as fault:
            feed(content, salvage=salvage)
        assert "\n" not in str(fault.value)
        return str(fault.value)

    return why


def test_items_have_id_title_text_link_and_date(feed):
    made = feed(
        rss(
            "<item><guid>g1</guid><title>Fish &amp;amp; chips</title><link>https://a.example/1</link>"
            "<pubDate>Mon, 02 Mar 2026 06:00:00 +0100</pubDate><description>&lt;p&gt;Two&lt;/p&gt; for one</description></item>"
        )
    )
    (one,) = made.documents
    assert (one.id, one.title, one.text, one.link) == (
        "g1",
        "Fish & chips",
        "Two\nfor one",
        "https://a.example/1",
    )
    assert one.date == datetime(2026, 3, 2, 5, tzinfo=UTC)
    assert (made.title, made.notes) == ("News", [])


def test_atom_and_rdf_are_feeds_too(feed):
    atom = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:x</id><title type="html">&lt;b&gt;T&lt;/b&gt;</title>'
        '<summary>short</summary><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>long</p></div></content>'
        "</entry></feed>"
    )
    (one,) = feed(atom).documents
    assert (one.id, one.title, one.text) == ("urn:x", "T", "long")
    rdf = (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
        '<item rdf:about="http://a.example/1"><title>R</title></item></rdf:RDF>'
    )
    assert [one.title for one in feed(rdf).documents] == ["R"]


def test_plain_text_keeps_its_brackets_and_html_loses_its_scripts(feed):
    atom = '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title type="text">a &lt;b&gt; c</title></entry></feed>'
    assert feed(atom).documents[0].title == "a <b> c"
    hostile = "a&lt;script&gt;steal()&lt;/script&gt;b&lt;style&gt;p{}&lt;/style&gt;&lt;img onerror=x()&gt;c"
    assert feed(item(hostile)).documents[0].text == "abc"


def test_an_item_without_id_is_known_by_its_link_or_else_by_its_content(feed):
    linked = feed(rss("<item><link>https://a.example/1</link></item>")).documents[0]
    assert linked.id == "https://a.example/1"
    first, again, other = (feed(item(text)).documents[0].id for text in ("same", "same", "other"))
    assert first == again != other


def test_a_link_that_is_no_web_page_is_left_out(feed):
    assert feed(item(rest="<link>javascript:alert(1)</link>")).documents[0].link == ""


def test_items_come_oldest_first_where_all_are_dated_and_as_they_stand_otherwise(feed):
    def dated(name, day):
        return f"<item><guid>{name}</guid><pubDate>Mon, {day:02} Mar 2026 06:00:00 GMT</pubDate></item>"

    assert [one.id for one in feed(rss(dated("new", 3) + dated("old", 2))).documents] == ["old", "new"]
    undated = dated("new", 3) + dated("old", 2) + "<item><guid>when</guid></item>"
    assert [one.id for one in feed(rss(undated)).documents] == ["new", "old", "when"]


def test_an_item_that_stands_twice_is_read_once_and_a_feed_may_be_empty(feed):
    assert len(feed(rss("<item><guid>a</guid><title>t</title></item>" * 2)).documents) == 1
    assert feed(rss("")).documents == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1", "koi8-r"])
def test_encodings_are_read_as_they_are_declared(feed, encoding):
    word = "чай" if encoding == "koi8-r" else "été"
    text = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>' + item(word)
    made = feed(text.encode(encoding))
    assert (made.documents[0].text, made.notes) == (word, [])


def test_a_wrong_encoding_is_forgiven_with_a_note(feed):
    made = feed(item("été").encode("latin-1"))
    assert made.documents[0].text == "été"
    assert "is not UTF-8 and names no encoding; read as cp1252." in made.notes[0]


@pytest.mark.parametrize("codec", ["rot13", "zlib", "hex", "base64", "bz2", "uu", "quopri", "no-such"])
def test_a_codec_that_is_no_encoding_of_text_is_forgiven_with_a_note(feed, codec):
    made = feed(f"<?xml version='1.0' encoding='{codec}'?>{item('Fish')}")
    assert [one.text for one in made.documents] == ["Fish"]
    assert re.search(rf"names an encoding that is not known, {codec}; read as utf-8", made.notes[0])


BEYOND = {
    "prefixes of namespaces": rss(
        "".join(f'<item xmlns:n{n}="http://e/{n}"><title>t</title><n{n}:a/></item>' for n in range(300))
    ),
    "elements within each other": "<a>" * 300 + "</a>" * 300,
    "elements within one": rss("<item/>" * 20_001),
    "attributes in one element": "<a " + " ".join(f'a{n}="x"' for n in range(257)) + "/>",
    "elements": rss("".join(f"<item>{'<b/>' * 100}</item>" for _ in range(5_000))),
}


@pytest.mark.parametrize("what", BEYOND)
def test_a_feed_beyond_a_bound_is_refused_before_it_is_parsed(refused, monkeypatch, what):
    monkeypatch.setattr("gainful.filtering.feeds.feed_items._parsed", lambda *_: pytest.fail("it was parsed"))
    assert re.search(rf"has more than [\d,]+ {what}; it was refused\.", refused(BEYOND[what]))


def test_as_many_prefixes_as_feeds_have_are_read(feed):
    made = feed(
        rss("".join(f'<item xmlns:n{n % 250}="http://e/{n}"><title>t{n}</title></item>' for n in range(600)))
    )
    assert len(made.documents) == 600


def test_names_of_html_characters_are_known(feed):
    assert feed(item("caf&eacute;&nbsp;noir")).documents[0].text == "café noir"


def test_short_entities_that_a_feed_declares_are_put_in(feed):
    assert (
        feed('<!DOCTYPE rss [<!ENTITY us "We &#38; Co">]>' + item("&us; say")).documents[0].text
        == "We & Co say"
    )


LAUGHS = (
    '<!DOCTYPE rss [<!ENTITY l0 "ha">'
    + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    + "]>"
    + item("&l11;")
)
BOMBS = {
    "a billion laughs": LAUGHS,
    "in UTF-16": LAUGHS.encode("utf-16"),
    "in UTF-7": b'<?xml version="1.0" encoding="utf-7"?>' + LAUGHS.encode("utf-7"),
    "behind markup": '<!DOCTYPE r [<!ENTITY z "<b/>"><!ENTITY a "x"><!ENTITY b "&a;&a;">]>' + item("&b;"),
    "one long entity, often": f'<!DOCTYPE r [<!ENTITY a "{"x" * 50_000}">]>' + item("&a;" * MANY),
    "nested": rss("<item>" + "<a>" * MANY + "</a>" * MANY + "</item>"),
    "attributes": '<rss version="2.0" ' + " ".join(f'a{n}="x"' for n in range(MANY)) + "/>",
    "children": rss("<item>" + "<category>a</category>" * MANY + "</item>"),
    "blank lines": "\n" * MANY + item(),
    "open comments": "<!--" * MANY + item(),
    "an open document type": "<!DOCTYPE r [" + "<!--" * MANY,
}


@pytest.mark.parametrize("salvage", [False, True])
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_at_once(refused, name, salvage):
    begun = time.process_time()
    assert "feed.xml" in refused(BOMBS[name], salvage=salvage)
    assert time.process_time() - begun < 5


def test_files_that_an_entity_names_are_never_opened(refused, feed, tmp_path):
    (tmp_path / "secret").write_text("hidden")
    hostile = f'<!DOCTYPE r [<!ENTITY a SYSTEM "file://{tmp_path}/secret">]>' + item("&a;")
    assert "broken XML (undefined entity)" in refused(hostile)
    assert "hidden" not in feed(hostile, salvage=True).documents[0].text


def test_broken_xml_is_refused_with_its_line_and_salvaged_where_that_is_asked_for(refused, feed):
    broken = '<?xml version="1.0"?>\n<!-- a\nb -->\n' + rss(
        "<item><title>first</title></item>\n<item><title>R & D</title></item>"
    )
    assert "feed.xml, line 5: broken XML" in refused(broken)
    made = feed(broken, salvage=True)
    assert [one.title for one in made.documents] == ["first", "R & D"]
    assert "line 5: broken XML" in made.notes[0]


@pytest.mark.parametrize("content", ["", "   ", "<html><body>hello</body></html>", "hello", "\x00\x01", "<"])
def test_what_is_no_feed_is_refused(refused, content):
    refused(content)


def test_without_feedparser_the_extra_is_named(feed, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "feedparser", None)
    with pytest.raises(UsageError, match=r"gainful\[feeds\]"):
        feed(item())


@pytest.mark.parametrize(
    "piece", ["<", "<!", "<!--", "<a ", "<a b='", "<a b='>", "<?", "&", "&#9", "<script>", "</script "]
)
def test_hostile_markup_takes_time_in_proportion_to_its_length(piece):
    begun = time.process_time()
    text_of(piece * (LONGEST // len(piece)))
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('<a title="x > y" href=q>c</a>', "c"),
        ("a<br/>b", "a\nb"),
        ("<SCRIPT>x</script >y", "y"),
        ("3 < 4 <3", "3 < 4 <3"),
        ("&#99999999999999999999;", "�"),
        ("&lt;script&gt;", "<script>"),
        ("a\x1b[2Jb\u202ec", "a [2Jb c"),
    ],
)
def test_markup_becomes_what_a_reader_sees(markup, text):
    assert text_of(markup) == text


def test_feeds_are_told_by_their_content_also_compressed(tmp_path):
    path = tmp_path / "anything"
    path.write_bytes(gzip.compress(item("x").encode()))
    assert [one.text for one in documents_in(str(path))] == ["x"]
    path.write_text('{"id": "a", "text": "<x>"}\n')
    assert [one.text for one in documents_in(str(path), prefix="p-")] == ["<x>"]
    assert [one.id for one in documents_in(str(path), prefix="p-")] == ["p-a"]


def read_or_why(feed, raw):
    try:
        return feed(raw), ""
    except DataError as fault:
        return None, str(fault)


@pytest.mark.skipif(not FEEDS.exists(), reason="the collection of feeds is not here")
def test_every_feed_of_the_collection_is_read_as_feedparser_reads_it_or_refused_with_a_reason(feed):
    import feedparser

    read = refused = 0
    with tarfile.open(FEEDS) as archive:
        for member in archive:
            if not member.name.endswith(".xml"):
                continue
            raw = archive.extractfile(member).read()
            made, why = read_or_why(feed, raw)
            if made is None:
                assert re.search(r"broken XML \(.+\)|is not a feed", why), member.name
                assert "illformed" in member.name, member.name
                refused += 1
                continue
            read += 1
            theirs = feedparser.parse(
                io.BytesIO(raw), sanitize_html=False, resolve_relative_uris=False
            ).entries
            named = {" ".join(one["id"].split()) for one in theirs if one.get("id")}
            assert named <= {one.id for one in made.documents}, member.name
            assert len(made.documents) <= len(theirs)
    assert read + refused == 723
    assert refused < 10
