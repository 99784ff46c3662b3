"""Feeds at secret addresses: what they hold, that they can be revoked, and that nobody else's are reached."""

from xml.etree import ElementTree

import feedparser

from gainful.filtering.service.secret_feeds import SecretFeeds

ATOM = "{http://www.w3.org/2005/Atom}"


def test_a_profile_is_an_atom_feed_that_feed_parsers_take(anywhere):
    secret = SecretFeeds(anywhere.service.ledger).add(1, 1)
    with anywhere.browser() as browser:
        answer = browser.get(f"/secret/{secret}.atom")
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    assert answer.headers["x-robots-tag"] == "noindex"
    feed = feedparser.parse(answer.content)
    assert not feed.bozo
    assert feed.feed.title == "cocoa"
    assert [entry.link for entry in feed.entries] == [f"https://example.org/{letter}" for letter in "cba"]
    assert len({entry.id for entry in feed.entries}) == 3
    assert "Because of" in feed.entries[0].content[0].value


def test_all_profiles_are_one_json_feed(served):
    secret = SecretFeeds(served.service.ledger).add(1)
    with served.browser() as browser:
        answer = browser.get(f"/secret/{secret}.json")
        feed = answer.json()
    assert answer.headers["content-type"] == "application/feed+json; charset=utf-8"
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["feed_url"].endswith(f"/secret/{secret}.json")
    titles = ["The match", "At the port", "A late <harvest> & more", "Cocoa up"]
    assert [item["title"] for item in feed["items"]] == titles
    assert "url" not in feed["items"][0]  # a javascript: link is none
    assert all(item["id"] and item["content_html"] and item["date_published"] for item in feed["items"])


def test_reading_marks_and_verdicts_do_not_show(served):
    secret = SecretFeeds(served.service.ledger).add(1)
    with served.browser() as browser:
        before = browser.get(f"/secret/{secret}.atom").text
        with served.inbox() as inbox:
            inbox.mark([entry.number for entry in inbox.entries()], read=True, saved=True)
        assert browser.get(f"/secret/{secret}.atom").text == before
        known = browser.get(f"/secret/{secret}.atom").headers["etag"]
        assert (
            browser.get(f"/secret/{secret}.atom", headers={"If-None-Match": f"W/{known}, x"}).status_code
            == 304
        )


def test_ids_stay_when_an_address_is_replaced(served):
    feeds = SecretFeeds(served.service.ledger)
    with served.browser() as browser:
        ids = [
            [item["id"] for item in browser.get(f"/secret/{feeds.add(1, 1)}.json").json()["items"]]
            for _ in range(2)
        ]
    assert ids[0] == ids[1]


def test_a_revoked_address_and_a_wrong_one_are_the_same_nothing(served):
    feeds = SecretFeeds(served.service.ledger)
    secret = feeds.add(1, 1)
    (listed,) = feeds.all(1)
    assert secret.startswith(listed.hint)
    with served.browser() as browser:
        assert browser.get(f"/secret/{secret}.atom").status_code == 200
        feeds.revoke(2, listed.number)  # another reader cannot
        assert browser.get(f"/secret/{secret}.atom").status_code == 200
        feeds.revoke(1, listed.number)
        gone = browser.get(f"/secret/{secret}.atom")
        wrong = browser.get(f"/secret/{secret[::-1]}.json")
    assert (
        (gone.status_code, gone.text) == (wrong.status_code, wrong.text) == (404, "There is no such feed.\n")
    )


def test_a_feed_of_a_removed_profile_says_that_it_is_gone(served):
    secret = SecretFeeds(served.service.ledger).add(1, 2)
    with served.inbox() as inbox:
        inbox.filter.remove_profile("sport")
    with served.browser() as browser:
        assert browser.get(f"/secret/{secret}.atom").status_code == 410


def test_the_state_does_not_hold_the_secret(served, folder):
    secret = SecretFeeds(served.service.ledger).add(1)
    content = b"".join(path.read_bytes() for path in folder.iterdir())
    assert secret.encode() not in content


def test_hostile_text_stays_text(served):
    from gainful.filtering import Document

    with served.inbox() as inbox:
        inbox.filter.ingest(
            [
                Document(
                    "e",
                    "Cocoa prices rise \x00\x0b]]><script>alert(1)</script> harvest",
                    "\x1b<b>&\ufffe harvest cocoa",
                )
            ]
        )
    secret = SecretFeeds(served.service.ledger).add(1, 1)
    with served.browser() as browser:
        feed = ElementTree.fromstring(browser.get(f"/secret/{secret}.atom").text)
        assert "<script>" not in browser.get(f"/secret/{secret}.json").json()["items"][0]["content_html"]
    first = feed.find(f"{ATOM}entry")
    assert first.findtext(f"{ATOM}title") == "<b>& harvest cocoa"
    assert "<script>" not in first.findtext(f"{ATOM}content")
