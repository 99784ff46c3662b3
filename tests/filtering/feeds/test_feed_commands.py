"""gainful filter subscribe, unsubscribe, feeds, opml."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from gainful.cli.commands import gainful
from gainful.errors import DataError, UsageError
from gainful.filtering.feeds.fetch_round import fetch_all
from gainful.filtering.feeds.guarded_network import VARIABLE

from .servers import LOOPBACK, rss


@pytest.fixture
def run(address, monkeypatch):
    monkeypatch.setenv(VARIABLE, "1")

    def called(*words, fails=None):
        result = CliRunner().invoke(gainful, ["filter", *words, "--state", str(address)])
        if fails is None:
            assert result.exception is None, result.output
        else:
            assert isinstance(result.exception, fails), result.output
        return result.output if fails is None else str(result.exception)

    return called


@pytest.fixture
def at(server):
    server.answers["/"] = (
        200,
        {"Content-Type": "text/html"},
        "".join(
            f'<link rel=alternate type="application/rss+xml" href="/{name}">' for name in ("feed", "more")
        ),
    )
    server.answers["/feed"] = server.answers["/more"] = (200, {}, rss("one"))
    return lambda path: server.url(path, "127.0.0.1")


def test_a_page_is_subscribed_to_by_its_feed_and_says_what_else_there_is(run, at):
    said = run("subscribe", at("/"), "--folder", "Daily/News")
    assert f"Subscribed to News, {at('/feed')} (feed 1)." in said
    assert f"the page names other feeds too: {at('/more')}" in said
    assert "Daily/News/News" in run("feeds")


def test_passwords_are_never_shown(run, at):
    address = at("/feed").replace("//", "//me:secret@")
    outputs = [run("subscribe", address), run("feeds"), run("feeds", "-f", "json"), run("opml")]
    outputs.append(run("unsubscribe", address.replace("secret", "other")))
    assert all("secret" not in output for output in outputs)
    run("subscribe", address)
    assert "me:secret@" in run("opml", "--passwords")


def test_without_httpx_the_extra_is_named(run, at, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("gainful.filtering.feeds.f")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "httpx", None)
    assert "fetching feeds needs httpx: pip install 'gainful[feeds]'" in run(
        "subscribe", at("/feed"), fails=UsageError
    )
    run("subscribe", at("/feed"), "--unchecked")


def test_one_source_that_fails_stops_no_other_and_the_command_fails(run, at):
    said = run("subscribe", at("/nothing"), at("/feed"), "javascript:alert(1)", fails=DataError)
    assert "status 404" in said
    assert "is not the address of a feed" in said
    assert len(json.loads(run("feeds", "-f", "json"))) == 1


def test_private_addresses_are_refused_unless_they_are_allowed(run, at, monkeypatch):
    monkeypatch.delenv(VARIABLE)
    assert f"{VARIABLE}=1" in run("subscribe", at("/feed"), fails=DataError)
    monkeypatch.setenv(VARIABLE, "0")
    assert "is not allowed" in run("subscribe", "http://127.0.0.1/feed", fails=DataError)


def test_lists_of_feeds_go_in_and_out(run, tmp_path, address):
    lists = tmp_path / "mine.opml"
    lists.write_text(
        '<opml version="2.0"><body><outline text="News"><outline xmlUrl="https://a.example/" text="A"/></outline>'
        '<outline xmlUrl="https://b.example/"/><outline xmlUrl="javascript:x"/></body></opml>'
    )
    said = run("subscribe", str(lists), "--folder", "Mine")
    assert "mine.opml: subscribed to 2 feeds." in said
    assert "1 entry left out, not web addresses: javascript:x." in said
    command = [sys.executable, "-c", "from gainful.cli import main; main()", "filter", "subscribe", "-"]
    again = subprocess.run(
        [*command, "--state", str(address)],
        input=lists.read_text(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "-: subscribed to 0 feeds; 2 feeds you have already." in again.stdout
    out = tmp_path / "out.opml"
    run("opml", "-o", str(out))
    assert '<outline text="Mine">' in out.read_text()
    assert "already exists" in run("opml", "-o", str(out), fails=UsageError)
    run("opml", "-o", str(out), "--overwrite")


def test_a_file_that_is_no_list_is_refused(run, tmp_path):
    (tmp_path / "x").write_text("hello")
    assert "x" in run("subscribe", str(tmp_path / "x"), fails=DataError)


def test_unchecked_addresses_are_taken_as_they_are(run, server):
    run("subscribe", "a.example/feed", "--unchecked", "--title", "My A")
    (feed,) = json.loads(run("feeds", "-f", "json"))
    assert (feed["address"], feed["title"], feed["fetched"]) == ("https://a.example/feed", "My A", None)
    assert server.requests == []
    assert "--title is for one feed" in run(
        "subscribe", "a.example", "b.example", "--title", "x", fails=UsageError
    )


def test_feeds_show_their_health(run, at, address, clock, server):
    server.answers["/gone"] = (410, {}, b"")
    for path in ("/feed", "/missing", "/gone"):
        run("subscribe", at(path), "--unchecked")
    fetch_all(address, rules=LOOPBACK)
    shown = run("feeds")
    assert "the server answered with status 404 (Not Found)" in shown
    assert "failed 1 time" in shown
    assert "gone for good" in shown
    assert "just now" in shown
    by_address = {feed["address"]: feed for feed in json.loads(run("feeds", "-f", "json"))}
    assert by_address[at("/feed")]["failures"] == 0
    assert by_address[at("/missing")]["failures"] == 1
    assert by_address[at("/gone")]["gone"] is True


def test_feeds_are_left_by_number_address_or_title(run):
    for host in "abcde":
        run(
            "subscribe",
            f"https://{host}.example/feed",
            "--unchecked",
            "--title",
            f"Feed {host}" if host < "d" else "Two",
        )
    run("unsubscribe", "1")
    run("unsubscribe", "https://B.example/feed")
    assert "Unsubscribed from Feed c" in run("unsubscribe", "feed C")
    assert "several feeds are called 'Two'; give one of the numbers 4, 5" in run(
        "unsubscribe", "Two", fails=UsageError
    )
    assert "no feed 9 among yours" in run("unsubscribe", "9", fails=UsageError)
    assert "no feed 'x' among yours" in run("unsubscribe", "x", fails=UsageError)
    run("unsubscribe", "4", "5")
    assert "There are no feeds yet" in run("feeds")


def test_titles_cannot_move_the_cursor(run):
    run("subscribe", "https://a.example/", "--unchecked", "--title", "\x1b[2Jwipe")
    assert "\x1b" not in run("feeds") + run("feeds", "-f", "json") + run("opml")
