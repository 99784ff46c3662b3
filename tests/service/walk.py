"""A newcomer's walk through the service, in a browser: a test, and with `make walk` the pictures of docs/service_walk.md.

The feeds are three small papers of two days, served on loopback; the days are those of a clock that the walk moves.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from ..chromium import FLAGS  # noqa: TID252 (how Chromium is started)
from .newsstand import RELEVANT, SENTENCE, Newsstand, opml
from .serving import Clock, Served


class Walk:
    """One reader in a tab. Steps are taken in their order; `picture` is called after those that are worth one."""

    def __init__(self, served: Served, stand: Newsstand, tab, picture=print, *, script: bool = True) -> None:
        self.served, self.stand, self.tab, self.picture, self.script = served, stand, tab, picture, script
        self.heard: list[str] = []

    def enter(self) -> None:
        """Follow the link that the first start prints."""
        account = self.served.accounts.create("reader")
        key = self.served.service.sessions.link(account.reader)
        self.tab.goto(f"{self.served.base}/start?key={key}")
        assert "key=" not in self.tab.url
        self.tab.get_by_role("heading", name="Read what is worth reading").wait_for()
        self.picture("welcome")

    def bring_feeds(self) -> None:
        """Import the feeds of another program."""
        file = {"name": "feeds.opml", "mimeType": "text/x-opml", "buffer": opml(self.stand.base).encode()}
        self.tab.get_by_label("Feeds of another program").set_input_files(file)
        self.tab.get_by_role("button", name="Import").click()
        self._wait_for("Subscribed to 3 feeds of the file.")
        self._until(lambda: self.tab.get_by_text("fine", exact=True).count() == 3)
        self.picture("feeds")

    def describe(self) -> None:
        """Write a profile in a sentence."""
        self.tab.get_by_role("link", name="Today").click()
        self.tab.get_by_label("What do you want to read?").fill(SENTENCE)
        self.tab.get_by_label("Name").fill("bees")
        self.tab.get_by_role("button", name="Add the profile").click()
        self._wait_for("Profile bees looks for")
        self._until(lambda: self.tab.locator("article").count() > 0)
        self.picture("first-items")

    def answer(self) -> dict[str, bool]:
        """Answer everything that was delivered, and what nearly was; what was said of each title."""
        said = self._answer_list()
        self.tab.get_by_role("link", name="Nearly", exact=True).first.click()
        self.picture("nearly")
        return said | self._answer_list(most=10)

    def _answer_list(self, most: int = 100) -> dict[str, bool]:
        """Press a button of each item that has no answer yet."""
        said: dict[str, bool] = {}
        titles = self.tab.locator("article h2").all_inner_texts()[:most]
        for title in titles:
            relevant = title in RELEVANT
            article = (
                self.tab.locator("article")
                .filter(has=self.tab.get_by_role("heading", name=title, exact=True))
                .first
            )
            button = article.get_by_role(
                "button", name="Relevant" if relevant else "Not relevant", exact=True
            )
            if self.script:
                button.click()
                self.tab.wait_for_function("() => !document.querySelector('article.busy')")
            else:
                with self.tab.expect_navigation():
                    button.click()
            self._wait_for("Noted as relevant." if relevant else "Noted as not relevant.")
            self.heard.append(self.tab.locator("#said").inner_text())
            said[title] = relevant
        return said

    def look_at_profile(self) -> None:
        """See what the profile has learned."""
        self.tab.get_by_role("link", name="Profiles", exact=True).first.click()
        self.tab.get_by_role("link", name="bees", exact=True).click()
        self.tab.get_by_role("heading", name="Its threshold").wait_for()
        self.picture("profile")

    def next_day(self) -> list[str]:
        """The papers have new items; the titles that are delivered."""
        self.stand.day = 2
        self.served.clock.pass_by(days=1)
        self.tab.goto(f"{self.served.base}/")
        self._until(lambda: self._documents() >= 28)  # fourteen a day
        self.tab.goto(f"{self.served.base}/")
        self.picture("next-day")
        return self.tab.locator("article h2").all_inner_texts()

    def _documents(self) -> int:
        """How many documents the filter has seen."""
        with self.served.inbox() as inbox:
            return inbox.filter.stats().documents

    def _wait_for(self, message: str) -> None:
        self.tab.locator("#said").filter(has_text=message).wait_for(timeout=20_000)

    def _until(self, there, tries: int = 100) -> None:
        """Load the page again until it has what is waited for."""
        for _ in range(tries):
            if there():
                return
            self.tab.wait_for_timeout(100)
            self.tab.goto(self.tab.url.split("#")[0])
        raise AssertionError(f"it never came: {self.tab.url}")


def served_walk(address: str) -> Served:
    """The service as the walk needs it: it fetches from loopback, often."""
    return Served(address, Clock(), work=True, every=0.2)


def main(folder: Path) -> None:
    """Take the pictures, once in the light and of some pages in the dark and on a phone."""
    from playwright.sync_api import sync_playwright

    from gainful.filtering.state.filter import Filter

    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as state, Newsstand() as stand, sync_playwright() as driver:
        address = f"{state}/my.filter"
        Filter.create(address, clock=Clock()).close()
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        tab = browser.new_page(viewport={"width": 900, "height": 760})

        def picture(name: str) -> None:
            tab.screenshot(path=folder / f"{name}.png", full_page=name == "profile")

        with served_walk(address) as served:
            walk = Walk(served, stand, tab, picture)
            walk.enter()
            walk.bring_feeds()
            walk.describe()
            walk.answer()
            walk.look_at_profile()
            tab.get_by_role("heading", name="Try another threshold").scroll_into_view_if_needed()
            tab.locator("#slide").fill("0.05")
            tab.get_by_text("Would have come too").wait_for()
            tab.locator("section", has=tab.locator("#try")).screenshot(path=folder / "preview.png")
            print("\n".join(walk.next_day()))
            tab.set_viewport_size({"width": 390, "height": 760})
            tab.emulate_media(color_scheme="dark")
            tab.screenshot(path=folder / "phone.png")
            print("\n".join(walk.heard))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
