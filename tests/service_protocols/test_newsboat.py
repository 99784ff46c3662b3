"""Debian's newsboat, unmodified, in a terminal of its own: it logs in, lists, reads, stars and unstars."""

import os
import shutil
import subprocess
import time

import httpx
import pytest

from .conftest import Running

WIDTH, HEIGHT = 100, 30
CONFIG = """urls-source "feedhq"
feedhq-url "{base}"
feedhq-login "ada"
feedhq-password "{secret}"
feedhq-flag-star "s"
feedhq-flag-share "n"
feedhq-show-special-feeds no
auto-reload yes
"""


class Terminal:
    """A program in a terminal that nobody sees, as tmux keeps it."""

    def __init__(self, folder, command):
        self._folder = folder
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("TMUX", "XDG_", "http"))
        }
        self._environment = kept | {"HOME": str(folder), "TERM": "screen", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        size = ["-x", str(WIDTH), "-y", str(HEIGHT)]
        self._tmux("-f", "/dev/null", "new-session", "-d", *size, f"{command}; echo it has ended; sleep 60")

    def _tmux(self, *words):
        command = ["tmux", "-S", str(self._folder / "tmux"), *words]
        return subprocess.run(
            command, capture_output=True, text=True, env=self._environment, check=True
        ).stdout

    def keys(self, *keys):
        self._tmux("send-keys", *keys)

    def screen(self):
        return self._tmux("capture-pane", "-p")

    def shows(self, *texts):
        """Wait until the terminal shows all these texts; it has a minute, on a machine that has other things to do.

        Where what newsboat says while it starts was printed into its first page, it is asked to draw that again.
        """
        for tenth in range(1, 601):
            screen = self.screen()
            if all(text in screen for text in texts):
                return screen
            if tenth % 50 == 0:
                self.keys("C-l")
            time.sleep(0.1)
        raise AssertionError(f"the terminal does not show {texts}, but:\n{screen}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._tmux("kill-server")


@pytest.fixture
def newsboat(anywhere, tmp_path):
    """Newsboat, with the service as its source of feeds."""
    for program in ("newsboat", "tmux"):
        if shutil.which(program) is None:
            reason = f"{program} is not installed (Debian's package {program})"
            pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    with Running(anywhere.app) as anywhere.base:
        (tmp_path / "config").write_text(CONFIG.format(base=anywhere.base, secret=anywhere.secret))
        files = f"-C {tmp_path}/config -c {tmp_path}/cache.db -u {tmp_path}/urls"
        with Terminal(tmp_path, f"newsboat {files}") as terminal:
            yield terminal


def standing(served, title):
    """Verdict and reading mark of an entry, and the threshold of its profile."""
    entry = served.entries()[title]
    with served.inbox() as inbox:
        return entry.verdict, entry.read, inbox.filter.profile(entry.profile).theta


def on_page(served, show):
    """Whether the page shows the article among those that are, say, relevant."""
    cookies = {"gainful_session": served.service.sessions.begin(1)}
    with httpx.Client(base_url=served.base, cookies=cookies, timeout=60) as browser:
        return "At the port" in browser.get("/", params={"show": show}).raise_for_status().text


def eventually(look, wanted):
    """Wait until a look at something gives what is wanted: newsboat tells the server in its own time."""
    for _ in range(300):
        result = look()
        if wanted(result):
            return result
        time.sleep(0.1)
    raise AssertionError(f"it stays {result}")


def flags(terminal, *keys):
    """Type into newsboat's line for flags."""
    terminal.keys("C-e")
    terminal.shows("Flags:")
    terminal.keys(*keys, "Enter")
    terminal.shows("Flags updated.")


def test_newsboat_logs_in_lists_reads_stars_and_unstars_and_the_page_shows_it(anywhere, newsboat):
    newsboat.shows("(3/3) cocoa", "(1/1) sport")
    before = standing(anywhere, "At the port")
    assert before[:2] == (None, False)

    newsboat.keys("Enter")
    newsboat.shows(
        "Articles in feed 'cocoa' (3 unread, 3 total)", "At the port", "A late <harvest> & more", "Cocoa up"
    )

    newsboat.keys("Enter")
    newsboat.shows("Title: At the port", "Link: https://example.org/c", "Cocoa prices rise", "Because of")
    newsboat.keys("q")  # newsboat tells the server when it closes the article
    read = eventually(lambda: standing(anywhere, "At the port"), lambda now: now[1])
    assert (read[0], read[2]) == (None, before[2])  # reading says nothing

    newsboat.shows("(2 unread, 3 total)")
    newsboat.keys("Enter")
    newsboat.shows("Title: At the port")
    flags(newsboat, "s")
    starred = eventually(lambda: standing(anywhere, "At the port"), lambda now: now[0] is True)
    assert starred[2] != before[2]
    assert on_page(anywhere, "relevant")

    flags(newsboat, "BSpace")
    unstarred = eventually(lambda: standing(anywhere, "At the port"), lambda now: now[0] is None)
    assert unstarred[2] != starred[2]
    assert not on_page(anywhere, "relevant")

    flags(newsboat, "n")
    eventually(lambda: standing(anywhere, "At the port"), lambda now: now[0] is False)
    assert on_page(anywhere, "not-relevant")


def test_newsboat_marks_a_whole_feed_as_read(anywhere, newsboat):
    newsboat.shows("(3/3) cocoa")
    newsboat.keys("A")
    eventually(
        lambda: [entry.read for entry in anywhere.entries().values()], lambda marks: marks.count(True) == 3
    )
    assert not anywhere.entries()["The match"].read
