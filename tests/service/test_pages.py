"""What a reader does on the pages, without a script: reading, answering, profiles, feeds, settings, export, forgetting."""

import json
import re
from html import unescape

import pytest

from gainful.filtering.service.accounts import Preferences
from gainful.filtering.service.page_templates import ago

from .newsstand import opml
from .serving import Browser, Served, publish, titles, told


def first(answer):
    """Number and title of the first item of a page."""
    return re.search(r'name="press" value="[a-z-]+ (\d+)"', answer.text)[1], titles(answer)[0]


def theta(served, name="bees"):
    with served.inbox() as inbox:
        return inbox.filter.profile(name).theta


def test_today_lists_what_was_delivered_newest_first_with_feed_words_score_and_probability(served, ada):
    page = ada.get("/")
    with served.inbox() as inbox:
        entries = inbox.entries()
    assert titles(page) == [entry.title for entry in entries]
    assert entries
    newest = entries[0]
    article = re.search(r"<article.*?</article>", page.text, re.S)[0]
    assert newest.feed in article
    assert all(f"<span>{word}</span>" in article for word in newest.words)
    assert f"Score {newest.score:.3f}, threshold {newest.threshold:.3f}" in article
    assert f"<span data-total>{len(entries)}</span> to read" in page.text


def test_an_answer_moves_the_threshold_is_shown_and_can_be_taken_back(served, ada):
    number, title = first(ada.get("/"))
    before = theta(served)
    page = ada.submit("/entry", press=f"not-relevant {number}")
    after = theta(served)
    assert after != before
    assert f"from {before:.3f} to {after:.3f}" in told(page)
    assert title in titles(page)  # it is still there to take back, though it is read now
    assert re.search(rf'value="undo {number}" class="no"[^>]*aria-pressed="true"', page.text)
    page = ada.submit("/entry", press=f"undo {number}")
    assert "Taken back" in told(page)
    with served.inbox() as inbox:
        assert inbox.entry(int(number)).verdict is None
        assert inbox.filter.profile("bees").n == 0


def test_the_same_answer_twice_is_one_answer(served, ada):
    number, _ = first(ada.get("/"))
    ada.submit("/entry", press=f"relevant {number}")
    with served.inbox() as inbox:
        events = inbox.filter.stats().events
    assert "You had said so before" in told(ada.submit("/entry", press=f"relevant {number}"))
    with served.inbox() as inbox:
        assert inbox.filter.stats().events == events


def test_what_a_script_sends_is_answered_with_the_item_anew(served, ada):
    number, title = first(ada.get("/"))
    answer = ada.say("/entry", press=f"relevant {number}")
    assert answer["said"].startswith("Noted as relevant.")
    assert title in answer["html"]
    assert 'aria-pressed="true"' in answer["html"]
    refused = ada.post("/entry", data={"press": f"relevant {number}"}, headers={"Accept": "application/json"})
    assert (refused.status_code, set(refused.json())) == (403, {"said"})


def test_marks_are_kept_and_taken_away_and_say_nothing_to_the_profile(served, ada):
    number, title = first(ada.get("/"))
    before = theta(served)
    ada.submit("/entry", press=f"save {number}")
    assert titles(ada.get("/?show=saved")) == [title]
    ada.submit("/entry", press=f"unsave {number}")
    assert titles(ada.get("/?show=saved")) == []
    ada.submit("/entry", press=f"read {number}")
    assert title not in titles(ada.get("/"))
    assert title in titles(ada.get("/?show=all"))
    ada.submit("/entry", press=f"unread {number}")
    assert title in titles(ada.get("/"))
    assert theta(served) == before


def test_marking_all_as_read_leaves_what_came_after_the_page_was_made(served, ada):
    page = ada.get("/")
    until = re.search(r'name="until" value="(\d+)"', page.text)[1]
    with served.inbox() as inbox:
        inbox.answer_entry(inbox.entries()[0].number, "relevant")
        late = [("Late bees at the hive", "Bees and honey: a swarm of bees left the hive of the beekeeper")]
        publish(inbox, "https://late.example", late)
        assert inbox.take_in().deliveries == 1
    answer = ada.submit("/read-all", until=until)
    assert "marked as read" in told(answer)
    assert titles(answer) == ["Late bees at the hive"]


def test_pages_follow_each_other_to_the_end(served, ada):
    served.accounts.prefer(1, Preferences(most=20))
    with served.inbox() as inbox:
        inbox.filter.add_profile("all", text="paper rain", rule="fixed(theta=0.001)")
        publish(
            inbox, "https://many.example", [(f"Rain {n}", f"paper rain number{n} word{n}") for n in range(45)]
        )
        inbox.take_in()
        wanted = [entry.title for entry in inbox.entries(profile="all", most=100)]
    assert len(wanted) == 45
    seen, path = [], "/?profile=all"
    while path:
        page = ada.get(path)
        seen += titles(page)
        older = re.search(r'href="([^"]*)" data-more', page.text)
        path = older[1].replace("&amp;", "&") if older else None
    assert seen == wanted
    part = ada.get("/?profile=all", headers={"Accept": "application/json"}).json()["html"]
    assert part.count("<article") == 20


def test_search_finds_words_of_title_and_text_in_read_items_too(served, ada):
    with served.inbox() as inbox:
        entry = inbox.entries()[0]
        inbox.mark([entry.number], read=True)
    word = entry.text.split()[2]
    assert entry.title in titles(ada.get("/", params={"q": word.upper()}))
    assert "No item has this word" in ada.get("/", params={"q": "xylophone"}).text


def test_what_nearly_came_is_answered_in_the_same_way_and_taken_back(served, ada):
    page = ada.get("/nearly")
    assert titles(page)
    reference = re.search(r'value="relevant (\d+/item-\d+)"', page.text)[1]
    before = theta(served)
    page = ada.submit("/entry", press=f"relevant {reference}")
    assert page.url.path == "/nearly"
    assert theta(served) != before
    assert "Undo the last answer" in page.text
    answer = ada.say("/entry", press=f"undo {reference}")
    assert answer["said"].startswith("Taken back.")
    assert 'aria-pressed="true"' not in answer["html"]
    with served.inbox() as inbox:
        assert inbox.filter.profile("bees").n == 0


def test_an_item_is_shown_whole_with_its_buttons(served, ada):
    number, title = first(ada.get("/"))
    page = ada.get(f"/entry/{number}")
    assert f"<h1>{title}" in re.sub(r"<a[^>]*>", "", page.text)
    page = ada.submit("/entry", press=f"relevant {number}", alone="1")
    assert page.url.path == f"/entry/{number}"
    assert ada.get("/entry/999999").status_code == 404


def test_a_profile_shows_its_words_whole_its_pictures_and_a_preview(served, ada):
    page = ada.get("/profile", params={"name": "bees"})
    words = re.findall(r'<li class="weight-\d">(.*?)</li>', page.text)
    assert {"bees", "honey", "hives"} <= {word.lower() for word in words}
    assert page.text.count("<svg") >= 3  # icons and two charts
    assert 'data-preview="/profile/preview"' in page.text
    tried = ada.get("/profile", params={"name": "bees", "threshold": "0.01"})
    assert "Would have come too" in tried.text
    part = ada.get("/profile/preview", params={"name": "bees", "threshold": "9"}).json()["html"]
    assert "<strong>0</strong> of" in part
    for wrong in ("", "nan", "inf", "x"):
        assert ada.get("/profile/preview", params={"name": "bees", "threshold": wrong}).status_code == 400


def test_the_preview_looks_back_a_month(served, clock):
    clock.pass_by(days=31)
    with served.inbox() as inbox:
        publish(inbox, "https://now.example", [("Bees today", "bees and honey in the hive today")])
        inbox.take_in()
    with served.reader() as ada:
        part = ada.get("/profile/preview", params={"name": "bees", "threshold": "0"}).json()["html"]
    assert "<strong>1</strong> of 1 items" in part


def test_profiles_are_added_changed_removed_and_forgotten(served, ada):
    page = ada.submit("/profiles/add", name="trains", text="night trains and timetables")
    assert "Profile trains looks for" in told(page)
    assert "trains" in ada.get("/profiles").text
    assert "already exists" in told(ada.submit("/profiles/add", name="trains", text="again trains"))
    assert "no text with a word" in told(ada.submit("/profiles/add", name="empty", text="the of and"))
    page = ada.submit(
        "/profile/edit", name="trains", rename="rails/ü?&", text="rails and trams", utility="4,-1"
    )
    assert page.url.params["name"] == "rails/ü?&"
    assert '<option value="4,-1" selected>' in page.text
    assert "delivers no more" in told(ada.submit("/profile/remove", name="rails/ü?&", do="remove"))
    assert "is forgotten" in told(ada.submit("/profile/remove", name="bees", do="forget"))
    with served.inbox() as inbox:
        assert inbox.filter.profiles() == []
        assert inbox.entries() == []
    assert "Read what is worth reading" in ada.get("/").text


def test_a_feed_is_found_subscribed_to_renamed_and_removed(state, clock, stand):
    with Served(state, clock) as running, running.reader() as ada:
        page = ada.submit("/feeds/subscribe", address=f"{stand.base}/meadow")  # a page that names its feed
        assert told(page) == "Subscribed to The Meadow Post."
        assert f"{stand.base}/meadow.xml" in page.text
        assert "not fetched yet" in page.text
        feed = re.search(r'name="feed" value="(\d+)"', page.text)[1]
        page = ada.submit("/feeds/rename", feed=feed, title="My meadow", folder="Green")
        assert "My meadow" in page.text
        assert "Green" in page.text
        assert "Unsubscribed from My meadow" in told(ada.submit("/feeds/unsubscribe", feed=feed))
        assert "There are none yet" in ada.get("/feeds").text
        assert ada.submit("/feeds/unsubscribe", feed=feed).status_code == 400


def test_the_health_of_feeds_is_said(served, ada):
    with served.inbox() as inbox:
        store = inbox.feeds.store
        store.execute("UPDATE feeds SET failures = 3, fault = 'the server answers 503' WHERE number = 1")
        store.execute("UPDATE feeds SET gone = 1 WHERE number = 2")
    page = ada.get("/feeds").text
    assert "failing" in page
    assert "the server answers 503 (3 times)" in page
    assert "gone for good" in page
    assert "fine" in page


def test_many_feeds_stand_on_several_pages_and_failing_ones_on_one_of_their_own(state, clock):
    with Served(state, clock) as served, served.reader() as ada:
        with served.inbox() as inbox:
            feeds = [(f"https://{n:03}.example/feed", f"Paper {n:03}", "") for n in range(250)]
            inbox.feeds.subscribe_all(1, feeds)
            inbox.feeds.store.execute("UPDATE feeds SET failures = 3 WHERE address LIKE '%/123.example/%'")
        page, shown = ada.get("/feeds").text, []
        assert ">250 feeds</h1>" in page
        while True:
            shown.append(re.findall(r'<th scope="row">(Paper \d+)', page))
            following = re.search(r'href="([^"]+)" rel="next"', page)
            if not following:
                break
            page = ada.get(unescape(following[1])).text
        assert [len(titles) for titles in shown] == [100, 100, 50]
        assert len({title for titles in shown for title in titles}) == 250
        failing = ada.get("/feeds?show=failing").text
        assert re.findall(r'<th scope="row">(Paper \d+)', failing) == ["Paper 123"]
        assert (
            ada.get("/feeds?from=99999").text.count('<th scope="row">') == 1
        )  # beyond the end is the last one


def test_opml_goes_in_and_comes_out_again(either, clock, stand):
    with Served(either, clock) as served, served.reader() as ada, served.reader("bob") as bob:
        file = {"file": ("feeds.opml", opml(stand.base), "text/x-opml")}
        assert told(ada.submit("/feeds/opml", files=file)) == "Subscribed to 3 feeds of the file."
        given = ada.get("/feeds.opml")
        assert "attachment" in given.headers["content-disposition"]
        assert sorted(re.findall(r'xmlUrl="([^"]+)"', given.text)) == [
            f"{stand.base}/{name}.xml" for name in ("meadow", "rail", "sky")
        ]
        assert given.text.count('<outline text="Nature">') == 1  # the folder
        bob.submit("/feeds/opml", files={"file": ("x.opml", given.content, "text/x-opml")})
        assert bob.get("/feeds.opml").text == given.text


def test_settings_are_kept(served, ada):
    page = ada.submit("/settings/preferences", theme="dark", most="100")
    assert 'data-theme="dark"' in page.text
    assert served.accounts.of(1).preferences == Preferences(theme="dark", most=100)
    assert ada.submit("/settings/preferences", theme="<b>", most="100").status_code == 400
    assert ada.submit("/settings/name", name="Ada L.").status_code == 200
    assert served.accounts.of(1).name == "Ada L."


def test_a_password_is_changed_by_who_knows_it_and_ends_other_sessions(served, ada):
    with served.reader() as elsewhere:
        new = {"new": "another password", "again": "another password"}
        assert "not your password" in told(ada.submit("/settings/password", password="guess", **new))
        assert "passwords differ" in told(
            ada.submit(
                "/settings/password", password="correct horse battery staple", new="a" * 12, again="b" * 12
            )
        )
        answer = ada.submit("/settings/password", password="correct horse battery staple", **new)
        assert "The password is set" in told(answer)
        assert elsewhere.get("/").url.path == "/login"
    assert served.accounts.check_password("ada", "another password")


def test_logging_out_elsewhere_leaves_this_session(served, ada):
    with served.reader() as elsewhere:
        assert "have ended" in told(ada.submit("/settings/elsewhere"))
        assert elsewhere.get("/").url.path == "/login"


def test_everything_is_exported_as_json_lines(served, ada):
    number, _ = first(ada.get("/"))
    ada.submit("/entry", press=f"relevant {number}")
    lines = [json.loads(line) for line in ada.get("/settings/export").text.splitlines()]
    kinds = {line.get("kind") for line in lines}
    assert {"document", "delivery", "feedback"} <= kinds


@pytest.mark.parametrize("name", ["ada", "bob"])
def test_forgetting_everything_removes_the_reader_and_no_other(served, name):
    with served.reader("ada") as ada, served.reader("bob") as bob:
        with served.inbox(2) as inbox:
            inbox.filter.add_profile("bees", text="bees and hives")
            publish(
                inbox, "https://bob.example", [("Bobs bees", "bees and hives of bob, a word likenoother")]
            )
            inbox.take_in()
        chosen, other = (ada, bob) if name == "ada" else (bob, ada)
        assert "Write the name" in told(chosen.submit("/settings/forget", name="x"))
        assert "not your password" in told(
            chosen.submit("/settings/forget", name=name, password="guess guess")
        )
        gone = chosen.submit("/settings/forget", name=name, password="correct horse battery staple")
        assert gone.url.path == "/login"
        assert chosen.get("/").url.path == "/login"
        assert served.accounts.named(name) is None
        assert titles(other.get("/?show=all"))
    if name == "ada":
        with served.inbox(1) as inbox:
            assert (inbox.filter.profiles(), inbox.entries(), inbox.feeds.feeds(1)) == ([], [], [])
    else:
        from gainful.filtering.state.reader_states import readers_of

        assert readers_of(served.address) == [1]
    assert served.accounts.create("new").reader == 3


def test_a_newcomer_is_shown_the_two_steps(state, clock):
    with Served(state, clock) as running, running.reader() as ada:
        page = ada.get("/").text
        assert "Read what is worth reading" in page
        assert 'action="/feeds/subscribe"' in page
        assert 'action="/profiles/add"' in page
        assert "There is no profile yet" in ada.get("/nearly").text


def test_the_state_away_is_said_and_does_not_end_the_service(served, ada, monkeypatch):
    from gainful.filtering.service.sessions import Sessions
    from gainful.filtering.state.store import StoreUnavailable

    with monkeypatch.context() as away:

        def lost(*_):
            raise StoreUnavailable("the database does not answer; try again.")

        away.setattr(Sessions, "reader_of", lost)
        answer = ada.get("/")
        assert answer.status_code == 503
        assert "cannot be used just now" in answer.text
        assert "the database does not answer" not in answer.text  # that is for the log
    assert ada.get("/").status_code == 200


def test_a_damaged_state_is_said_without_the_place_of_the_servers_files(served, ada):
    with served.inbox() as inbox:
        inbox.filter.store.execute("UPDATE renewals SET theta = 'junk'")
        inbox.filter.store.execute("UPDATE revisions SET revision = revision + 1")
    answer = ada.get("/profile", params={"name": "bees"})
    assert answer.status_code == 409
    assert "my.filter" not in answer.text


def test_an_error_of_the_program_shows_nothing_of_its_inside(served, monkeypatch):
    from gainful.filtering.service import accounts

    with Browser(served, 1) as ada:
        monkeypatch.setattr(accounts.Accounts, "of", lambda *_: 1 / 0)
        answer = ada.get("/")
    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
    assert "ZeroDivision" not in answer.text


def test_times_are_said_in_the_largest_unit():
    from datetime import datetime, timedelta

    noon = datetime(2026, 11, 18, 12)
    assert [ago(noon - timedelta(**gap), noon) for gap in ({"seconds": 5}, {"minutes": 61}, {"days": 3})] == [
        "now", "1 h ago", "3 days ago",
    ]  # fmt: skip
    assert ago(noon - timedelta(days=400), noon) == "14 Oct 2025"
