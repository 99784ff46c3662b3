"""What is new as a numbered list, answers by number, and a filter that needs no name."""

import json
import os
import sqlite3
import subprocess
import sys

import pytest

from gainful.filtering import Filter
from gainful.filtering.inbox.inbox import Inbox

from .stream import lines

NEWS = [
    {
        "id": f"d{number}",
        "title": f"Cocoa from {place}",
        "text": f"The cocoa harvest of {place} was poor",
        "link": link,
    }
    for number, (place, link) in enumerate(
        [
            ("Ghana", "https://news.example/1"),
            ("Peru", "javascript:alert(1)"),
            ("Togo", "https://news.example/3"),
        ],
        1,
    )
]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Nobody has named a state, and there is none."""
    monkeypatch.delenv("GAINFUL_STATE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data" / "gainful" / "my.filter"


@pytest.fixture
def news(home, use, tmp_path):
    """Three deliveries, not listed yet."""
    (tmp_path / "news.jsonl").write_text(lines(NEWS))
    use("profile", "add", "cocoa", "cocoa and its harvest", "--rule", "fixed(theta=0.05)")
    use("ingest", "news.jsonl")
    return home


def listed(use, *words):
    return json.loads(use("today", "--offline", "--format", "json", *words))


def titles(use, *words):
    return [entry["title"].split()[-1] for entry in listed(use, *words)["entries"]]


def test_the_first_command_makes_a_filter_for_its_owner_alone_and_says_so(home, gainful):
    begun = gainful("filter", "profile", "add", "cocoa", "cocoa harvest")
    assert (begun.code, begun.err) == (0, f"note: a new filter is kept in {home}.\n")
    assert (home.stat().st_mode & 0o777, home.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    again = gainful("filter", "today", "--offline")
    assert (again.code, again.out) == (0, "Nothing new.\n")
    assert again.err == "note: there are no feeds yet; `gainful filter subscribe ADDRESS` adds one.\n"
    assert gainful("filter", "stats").code == 0


def test_init_makes_the_default_filter_too(home, use):
    assert use("init", "--language", "german").splitlines() == [
        f"{home} is ready. Describe what you want to read:",
        'gainful filter profile add NAME "a description in one sentence"',
    ]


def test_a_command_that_needs_a_filter_says_how_to_begin_and_makes_none(home, gainful):
    for words in (["stats"], ["yes", "1"], ["undo"], ["open", "1"], ["deliveries"]):
        refused = gainful("filter", *words)
        assert (refused.code, refused.out) == (2, "")
        assert "Begin with `gainful filter subscribe ADDRESS`" in refused.err
    assert not home.parent.exists()


def test_a_data_folder_that_is_not_absolute_is_not_used(home, gainful, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    gainful("filter", "today", "--offline")
    assert (tmp_path / ".local" / "share" / "gainful" / "my.filter").exists()


def test_a_named_filter_that_is_not_there_is_never_made(home, gainful):
    assert gainful("filter", "today", "--offline", "--state", "typo.filter").code == 3
    assert not home.parent.parent.joinpath("typo.filter").exists()


def test_each_entry_is_listed_once_and_what_does_not_fit_is_in_the_next_list(news, use):
    first = listed(use, "-n", "2")
    assert [entry["number"] for entry in first["entries"]] == [1, 2]
    assert [entry["title"] for entry in first["entries"]] == ["Cocoa from Togo", "Cocoa from Peru"]
    assert first["waiting"] == 1
    assert titles(use) == ["Ghana"]
    assert use("today", "--offline") == "Nothing new.\n"
    use("yes", "1")
    with Filter.open(news) as state:
        assert [delivery.document for delivery in state.deliveries() if delivery.verdict] == ["d1"]


def test_the_list_shows_title_time_profile_and_reasons(news, use):
    shown = use("today", "--offline", "-n", "2")
    first, second, third, *_, more, answer = shown.splitlines()
    assert first == "1  Cocoa from Togo"
    assert second.endswith(" · cocoa")
    assert sorted(third.removeprefix("   because of ").split(", ")) == ["cocoa", "harvest"]
    assert more == "1 more entry: gainful filter today"
    assert answer.startswith("Answer by number: gainful filter yes 1")


def test_keys_of_an_entry(news, use):
    entry = listed(use)["entries"][2]
    assert entry.keys() == {
        *(
            "number",
            "event",
            "profile",
            "id",
            "title",
            "link",
            "feed",
            "also_in",
            "author",
            "published",
            "delivered",
        ),
        *("excerpt", "words", "against", "score", "threshold", "probability", "verdict", "read", "saved"),
    }
    assert (entry["id"], entry["link"], entry["excerpt"]) == ("d1", "https://news.example/1", NEWS[0]["text"])


def test_answers_are_given_by_number_and_taken_back(news, use):
    use("today", "--offline")
    assert use("yes", "1", "3", "1").splitlines()[:2] == [
        "1. Cocoa from Togo: relevant.",
        "3. Cocoa from Ghana: relevant.",
    ]
    *_, moved = use("no", "2").splitlines()
    assert moved == "cocoa: 3 judged, 2 of them relevant; threshold 0.0500 → 0.0500."
    assert use("no", "2").startswith("2. Cocoa from Peru: as before.\n")
    said = [entry["verdict"] for entry in listed(use, "--again")["entries"]]
    assert said == ["relevant", "not-relevant", "relevant"]
    assert "you said: not relevant" in use("today", "--again")
    assert use("undo").startswith("2. Cocoa from Peru: answer taken back.\n")
    assert use("undo", "1-2").splitlines()[:2] == [
        "1. Cocoa from Togo: answer taken back.",
        "2. Cocoa from Peru: nothing to take back.",
    ]
    assert use("undo").startswith("3. Cocoa from Ghana: answer taken back.\n")


def test_numbers_that_are_not_in_the_list_are_refused_kindly_and_nothing_is_answered(news, use, gainful):
    early = gainful("filter", "yes", "1")
    assert (early.code, early.err) == (
        2,
        "gainful: there is no list yet; `gainful filter today` shows one.\n",
    )
    use("today", "--offline")
    beyond = gainful("filter", "yes", "1", "4")
    assert beyond.code == 2
    assert "has 3 entries. `gainful filter today --again` shows it." in beyond.err
    for wrong in ("0", "x", "3-1", "-1", "1-9999999", "²"):
        assert gainful("filter", "yes", "--", wrong).code == 2
    assert gainful("filter", "undo").err.startswith("gainful: there is nothing to take back")
    assert {entry["verdict"] for entry in listed(use, "--again")["entries"]} == {None}


def test_open_prints_links_to_web_pages_only_and_marks_as_read(news, use, gainful):
    use("today", "--offline")
    assert use("open", "1", "3") == "https://news.example/3\nhttps://news.example/1\n"
    assert [entry["read"] for entry in listed(use, "--again")["entries"]] == [True, False, True]
    refused = gainful("filter", "open", "2")
    assert (refused.code, refused.out) == (3, "")
    assert "came without a link" in refused.err


def test_what_was_nearly_delivered_is_answered_by_number_too(news, use):
    use("profile", "edit", "cocoa", "--rule", "fixed(theta=0.99)")
    use("profile", "add", "poor", "poor harvest", "--rule", "fixed(theta=0.99)")
    near = listed(use, "--near", "-p", "poor", "-n", "2")["entries"]
    assert {(entry["profile"], entry["event"]) for entry in near} == {("poor", None)}
    assert use("yes", "1").splitlines()[1].startswith("poor: 1 judged, 1 of them relevant")
    assert listed(use, "--near", "-p", "poor")["entries"][0]["id"] != near[0]["id"]


def test_entries_of_a_removed_profile_cannot_be_answered(news, use, gainful):
    use("today", "--offline")
    use("profile", "remove", "cocoa")
    refused = gainful("filter", "yes", "1")
    assert (refused.code, refused.err) == (
        3,
        "gainful: the profile of number 1 was removed; its entries cannot be answered.\n",
    )
    assert listed(use, "--again")["entries"] == []
    assert "there is no profile yet" in gainful("filter", "today", "--offline").err


def test_what_waits_is_counted_for_the_profile_that_is_asked_for(news, use):
    use("profile", "add", "peru", "Peru", "--rule", "fixed(theta=0.05)")
    shown = listed(use, "-p", "cocoa", "-n", "1")
    assert ([entry["profile"] for entry in shown["entries"]], shown["waiting"]) == (["cocoa"], 2)
    assert listed(use, "-p", "peru") == {"entries": [], "waiting": 0}


def test_a_missing_package_is_named_where_there_are_feeds_to_fetch(news, gainful, monkeypatch):
    assert gainful("filter", "today").code == 0
    with Inbox(news) as inbox:
        inbox.feeds.subscribe(1, "https://news.example/feed")
    for module in ("fetch_round", "fetch_request", "guarded_network"):
        monkeypatch.delitem(sys.modules, f"gainful.filtering.feeds.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "httpx", None)
    refused = gainful("filter", "today")
    assert refused.code == 2
    assert refused.err == "gainful: fetching feeds needs httpx: pip install 'gainful[feeds]'\n"


DAMAGE = {
    "UPDATE listed SET line = -1 WHERE line = 1": 3,
    "UPDATE listed SET profile = 99": 2,
    "UPDATE listed SET document = 'x'": 2,
    "UPDATE marks SET read = 7": 3,
    "UPDATE deliveries SET score = 'high'": 3,
    "UPDATE documents SET link = x'00'": 3,
    "UPDATE terms SET term = CAST('x' || number AS BLOB)": 3,
    "UPDATE counts SET terms = x'00'": 3,
    "DELETE FROM terms": 3,
    "DELETE FROM counts": 3,
    "DROP TABLE marks": 3,
    "DROP TABLE listed": 3,
    "DROP TABLE given": 3,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_filter_is_refused_with_a_sentence(damage, news, use, gainful):
    use("today", "--offline")
    use("yes", "1")
    with sqlite3.connect(news) as file:
        file.execute(damage)
    file.close()
    codes = {
        gainful("filter", *words).code
        for words in (["today", "--again"], ["open", "1"], ["today", "--offline"])
    }
    assert codes <= {0, 2, 3}
    assert DAMAGE[damage] in codes


def test_near_and_again_exclude_each_other(news, gainful):
    assert gainful("filter", "today", "--near", "--again").code == 2


@pytest.mark.parametrize("words", [["yes", "--help"], ["stats", "--help"], ["profile", "--help"]])
def test_commands_import_nothing_that_they_do_not_need(words):
    code = (
        "import sys; from gainful.cli import run; run(sys.argv[1:]); "
        "print(*[name for name in ('numpy', 'httpx', 'starlette', 'psycopg', 'feedparser') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "filter", *words],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "TERM": "dumb"},
    )
    assert done.stdout.splitlines()[-1] == ""


def test_unknown_commands_get_a_hint(gainful):
    assert "did you mean today?" in gainful("filter", "todday").err
