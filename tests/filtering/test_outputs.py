"""Deliveries as table, JSON lines, digest and Atom feed: complete, stable, and safe whatever the documents hold."""

import json
import math
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import unquote

import feedparser
import pytest
from markdown_it import MarkdownIt

from gainful.filtering.answer_text import explained, explanation_record
from gainful.filtering.delivery_forms import atom, digest, items, json_lines, table
from gainful.filtering.document import Document
from gainful.filtering.safe_text import line, markdown, web
from gainful.filtering.state.filter import Filter

START = datetime(2026, 3, 2, 6, tzinfo=UTC)
HOSTILE = '</title><script>alert("x")</script> [a](javascript:b) *c* \x1b[2J \u202e ]]> & \x00 \udc80'
DOCUMENTS = [
    Document(
        "d1", "Cocoa prices rise after a poor harvest.", "Cocoa", START, link="https://news.example/d_(1)"
    ),
    Document("d2", "A goal late in the match.", "Football"),
    Document("d<3>`", f"Cocoa cocoa {HOSTILE}", HOSTILE, link="javascript:alert(1)"),
    Document("d4", "Cocoa beans and harvest"),
]


@pytest.fixture
def state(tmp_path):
    now = [START]

    def clock():
        now[0] += timedelta(minutes=1)
        return now[0]

    with Filter.create(tmp_path / "my.filter", clock=clock) as made:
        made.add_profile("cocoa", text="cocoa harvest", rule="fixed(theta=0.01)")
        made.add_profile("sport & <more>", text="goal match", rule="fixed(theta=0.01)")
        made.ingest(DOCUMENTS)
        made.feedback("cocoa", "d1", "relevant")
        yield made


@pytest.fixture
def found(state):
    return items(state, state.deliveries())


def test_each_delivery_names_the_words_that_it_came_for(found):
    words = {(item.delivery.profile, item.delivery.document): set(item.words) for item in found}
    assert words["sport & <more>", "d2"] == {"goal", "match"}
    assert {"cocoa", "harvest"} <= words["cocoa", "d1"]


def test_json_lines_hold_everything_in_full(found):
    rows = [json.loads(one) for one in json_lines(found).splitlines()]
    assert [row["id"] for row in rows if row["profile"] == "cocoa"] == ["d1", "d<3>`", "d4"]
    first = next(row for row in rows if row["id"] == "d1")
    assert (first["title"], first["link"], first["verdict"]) == (
        "Cocoa",
        "https://news.example/d_(1)",
        "relevant",
    )
    assert first["date"] == "2026-03-02T06:00:00+00:00"
    delivery = next(item.delivery for item in found if item.delivery.document == "d1")
    assert (first["score"], first["theta"], first["event"]) == (
        delivery.score,
        delivery.theta,
        delivery.number,
    )


def test_the_table_has_a_line_for_each_delivery_and_no_control_characters(found):
    lines = table(found).splitlines()
    assert len(lines) == 2 + len(found)
    assert not {"\x1b", "\x00", "\u202e"} & set("".join(lines))
    assert table([]) == "No deliveries.\n"


def test_the_digest_is_grouped_by_profile_and_marks_stand_for_themselves(found):
    page = digest(found)
    assert [part for part in page.splitlines() if part.startswith("## ")] == [
        "## cocoa",
        "## sport &amp; &lt;more&gt;",
    ]
    assert "**[Cocoa](https://news.example/d%5F%281%29)**" in page
    assert "you said: relevant" in page
    shown = MarkdownIt().render(page)
    assert re.findall('href="([^"]*)"', shown) == ["https://news.example/d%5F%281%29"]
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert "<code>d&lt;3&gt;`</code>" in shown
    assert digest([]) == "# Digest\n\nThere are no deliveries.\n"


def test_the_atom_feed_is_valid_and_reads_back(state, found):
    text = atom(found, of=state.stats().created, profile="cocoa")
    parsed = feedparser.parse(text.encode())
    assert (parsed.bozo, parsed.version) == (False, "atom10")
    assert parsed.feed.title == "Deliveries for cocoa"
    assert parsed.feed.id.startswith("urn:uuid:")
    assert parsed.feed.updated.endswith("Z")
    assert parsed.feed.author == "Gainful"
    assert next(reversed(parsed.entries)).title == "Cocoa"
    assert len({one.id for one in parsed.entries}) == len(found)
    links = {one.title: one.get("link") for one in parsed.entries}
    assert links["Cocoa"] == "https://news.example/d_(1)"
    assert not any((link or "").startswith("javascript") for link in links.values())
    assert '<script>alert("x")</script>' in next(one.title for one in parsed.entries if "script" in one.title)
    assert all(one.title_detail.type == "text/plain" for one in parsed.entries)


def test_ids_of_the_atom_feed_stay_the_same(state, found):
    def ids(some):
        parsed = feedparser.parse(atom(some, of=state.stats().created).encode())
        return parsed.feed.id, {one.id for one in parsed.entries}

    whole, part = ids(found), ids(found[:2])
    assert whole[0] == part[0]
    assert part[1] < whole[1]


def test_a_feed_without_deliveries_is_a_feed(state):
    parsed = feedparser.parse(atom([], of=state.stats().created).encode())
    assert (parsed.bozo, parsed.version, parsed.entries) == (False, "atom10", [])


def test_what_terms_add_is_the_score(state):
    found = explanation_record(state.explain("cocoa", "d1"))
    assert sum(one["adds"] for one in found["terms"]) == pytest.approx(found["score"], abs=1e-12)
    assert all(one["adds"] == one["in_document"] * one["in_profile"] for one in found["terms"])
    assert found["margin"] == found["score"] - found["theta"]
    assert found["delivery"]["event"] == next(
        one.number for one in state.deliveries() if one.document == "d1"
    )


def test_a_document_that_did_not_come_is_explained(state):
    state.edit_profile("cocoa", model="rocchio")
    found = state.explain("cocoa", "d2")
    assert explanation_record(found)["delivered"] is False
    said = explained(found)
    assert "It shares no term with the profile." in said
    assert "What would change it:" in said
    assert "The profile's strongest terms that do not occur in it:" in said


def test_the_parts_of_a_learned_threshold_give_theta(state):
    state.add_profile("learner", text="cocoa")
    state.feedback("learner", "d1", "relevant")
    found = explanation_record(state.explain("learner", "d4"))
    made = found["theta_opt"] - found["alpha"] * (found["theta_opt"] - found["theta_zero"])
    assert found["theta"] == pytest.approx(made, abs=1e-15)
    assert found["judged"] == 1


def test_text_is_made_safe_for_where_it_stands():
    assert line("a\n b\tc" * 3, 6) == "a b c…"
    assert markdown("- no list") == "\\- no list"
    assert web("https://a.example/x y") == web("ftp://a.example") == web("https://a.example/<b>") == ""


def test_a_link_in_markdown_leads_where_it_led(state):
    hostile = "https://a.example/)[x](javascript:alert(1))?b=1&copy;=2"
    state.ingest([Document("d9", "cocoa harvest", "Nine", link=hostile)])
    page = MarkdownIt().render(digest(items(state, state.deliveries(profile="cocoa"))))
    (href,) = [one for one in re.findall('href="([^"]*)"', page) if "a.example" in one]
    assert unquote(unescape(href)) == hostile
    assert not re.search('href="(?!https)', page)


def test_ids_in_a_digest_can_be_copied_letter_for_letter(state):
    state.ingest([Document("two  spaces\u202e\x9b", "cocoa harvest")])
    page = digest(items(state, state.deliveries(profile="cocoa")))
    assert "document `two  spaces\\xe2\\x80\\xae\\xc2\\x9b`" in page


def test_deliveries_of_a_removed_profile_are_told_from_those_of_another_with_its_name(state):
    state.remove_profile("cocoa")
    state.add_profile("cocoa", text="beans", rule="fixed(theta=0.01)")
    state.ingest([Document("d9", "beans")])
    found = items(state, state.deliveries())
    readers = {item.delivery.document: (item.reader, item.words) for item in found}
    assert readers["d4"] == (
        "cocoa (removed)",
        [],
    )  # it shares "beans" with the new profile, which did not get it
    assert readers["d9"] == ("cocoa", ["bean"])
    heads = [one for one in digest(found).splitlines() if one.startswith("## ")]
    assert {"## cocoa (removed)", "## cocoa"} < set(heads)
    assert {json.loads(one)["removed"] for one in json_lines(found).splitlines()} == {True, False}


def test_what_is_said_to_keep_a_document_back_would_do_so(state):
    state.edit_profile("cocoa", rule="fixed(theta=0.3)")
    state.ingest([Document("long", "cocoa harvest rain sun wind snow"), Document("short", "cocoa rain")])
    told = []
    for name in ("long", "short"):
        found = state.explain("cocoa", name)
        said = [one.split("'")[1] for one in found.change if one.startswith("Without the term")]
        needed = []
        for part in found.parts:
            left = [one for one in found.parts if one is not part]
            length = math.sqrt(1 - part.in_document**2)
            if sum(one.in_document / length * one.in_profile for one in left) < 0.3:
                needed.append(part.term)
        assert said == needed[:1]
        told += said
    assert told


@pytest.mark.parametrize("control", ["\x1b[2J", "\x9b31m", "\u202e"])
def test_a_link_with_control_characters_is_no_link(state, control):
    state.ingest([Document("d9", "cocoa harvest", link=f"https://a.example/{control}")])
    found = items(state, state.deliveries())
    for page in (digest(found), table(found), atom(found, of=START), json_lines(found)):
        assert control[0] not in page


def test_json_keeps_control_characters_as_escapes_of_the_same_value(state):
    state.ingest([Document("d9", "cocoa \x9b31m harvest", "\x9b")])
    lines = json_lines(items(state, state.deliveries()))
    assert "\x9b" not in lines
    assert any(json.loads(one)["text"] == "cocoa \x9b31m harvest" for one in lines.splitlines())
