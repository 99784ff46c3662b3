"""The pages in Chromium: quick with a script, by keyboard, for everybody; nothing is asked for from outside."""

import pytest

from gainful.filtering.feeds.feed_records import ParsedItem

from ..chromium import violations  # noqa: TID252 (what axe-core finds)
from .serving import publish

SIZES = {"desktop": {"width": 1100, "height": 900}, "phone": {"width": 390, "height": 844}}
PAGES = [
    "/",
    "/nearly",
    "/profiles",
    "/profile?name=bees&threshold=0.05",
    "/feeds",
    "/settings",
    "/?q=nothing",
    "/nothing",
]


@pytest.fixture
def opened(browser, served):
    """Opens a page of ada's in a fresh browser."""
    contexts = []

    def open_(path="/", size="desktop", **given):
        context = browser.new_context(viewport=SIZES[size], **given)
        contexts.append(context)
        secret = served.service.sessions.begin(1)
        context.add_cookies([{"name": "gainful_session", "value": secret, "url": served.base}])
        tab = context.new_page()
        tab.said, tab.asked = [], []
        tab.on("console", lambda message: tab.said.append(message.text))
        tab.on("pageerror", lambda fault: tab.said.append(str(fault)))
        tab.on("request", lambda request: tab.asked.append(request.url))
        tab.goto(served.base + path)
        return tab

    yield open_
    for context in contexts:
        context.close()


def verdicts(served):
    with served.inbox() as inbox:
        return [entry.verdict for entry in inbox.entries()]


def test_a_press_is_answered_in_place(opened, served):
    tab = opened()
    article = tab.locator("article").first
    article.get_by_role("button", name="Not relevant").click()
    tab.locator("#said").filter(has_text="Noted as not relevant.").wait_for()
    assert tab.url == f"{served.base}/"
    assert (
        article.get_by_role("button", name="Not relevant", exact=True).get_attribute("aria-pressed") == "true"
    )
    assert verdicts(served)[0] is False
    article.get_by_role("button", name="Undo").click()
    tab.locator("#said").filter(has_text="Taken back.").wait_for()
    assert verdicts(served)[0] is None
    assert tab.said == []


def test_the_heading_and_the_profiles_say_how_much_is_left_after_a_press(opened, served):
    with served.inbox() as inbox:
        inbox.filter.add_profile("all", text="paper rain", rule="fixed(theta=0.001)")
        publish(inbox, "https://two.example", [(f"Rain {n}", f"paper rain word{n}") for n in range(2)])
        inbox.take_in()
    tab = opened()

    def left():
        return tab.locator("h1").inner_text(), tab.locator("[data-profile] b").all_inner_texts()

    def press(place, name, message):
        tab.locator("article").nth(place).get_by_role("button", name=name, exact=True).click()
        tab.locator("#said").filter(has_text=message).wait_for()
        return left()

    assert left() == ("3 to read", ["1", "2"])
    assert press(0, "Relevant", "Noted as relevant.") == ("2 to read", ["1", "1"])
    assert press(2, "Not relevant", "Noted as not relevant.") == ("1 to read", ["", "1"])
    assert press(1, "Read", "Marked as read.") == ("Nothing left to read", ["", ""])
    assert press(1, "Read", "Marked as unread.") == ("1 to read", ["", "1"])
    tab.goto(f"{served.base}/?profile=all")
    assert left() == ("1 to read in all", ["", "1"])
    assert press(0, "Read", "Marked as read.") == ("Nothing left to read in all", ["", ""])
    assert tab.said == []


def test_keys_move_answer_mark_and_open(opened, served, stand):
    link = f"{stand.base}/meadow"
    with served.inbox() as inbox:
        inbox.answer_entry(inbox.entries()[0].number, "relevant")
        text = "Bees and honey: a swarm of bees left the hive of the beekeeper"
        publish(inbox, "https://late.example", [ParsedItem("1", title="Late bees", text=text, link=link)])
        assert inbox.take_in().deliveries == 1
    tab = opened()
    tab.keyboard.press("j")
    tab.keyboard.press("j")
    tab.keyboard.press("k")
    assert tab.locator("article.here").count() == 1
    assert tab.eval_on_selector("article.here", "one => one === document.querySelector('article')")
    for key, expected in (("y", True), ("u", None), ("n", False), ("u", None)):
        tab.keyboard.press(key)
        tab.wait_for_function(
            "wanted => Array.from(document.querySelectorAll('article.here:not(.busy) button.yes, article.here button.no'))"
            ".map((one) => one.getAttribute('aria-pressed')).join() === wanted",
            arg={True: "true,false", None: "false,false", False: "false,true"}[expected],
        )
        assert verdicts(served)[0] is expected
    tab.keyboard.press("s")
    tab.locator("article.here button.saved").wait_for()
    with tab.context.expect_page() as other:
        tab.keyboard.press("o")
    other.value.wait_for_url(link)
    assert other.value.evaluate("document.referrer") == ""
    assert other.value.evaluate("window.opener") is None
    tab.locator("article.here.is-read").wait_for()
    with served.inbox() as inbox:
        first = inbox.entries()[0]
    assert (first.saved, first.read) == (True, True)
    tab.locator("input[type=search]").press("n")  # a letter in a field is a letter
    assert verdicts(served)[0] is None
    assert tab.said == []


def test_older_items_are_put_below_as_the_reader_comes_near_the_end(opened, served):
    with served.inbox() as inbox:
        inbox.filter.add_profile("all", text="paper rain", rule="fixed(theta=0.001)")
        publish(
            inbox, "https://many.example", [(f"Rain {n}", f"paper rain number{n} word{n}") for n in range(70)]
        )
        inbox.take_in()
    tab = opened("/?profile=all")
    assert tab.locator("article").count() == 50
    tab.locator("article").nth(49).scroll_into_view_if_needed()
    tab.wait_for_function("() => document.querySelectorAll('article').length === 70")
    assert tab.locator("[data-more]").count() == 0
    titles = tab.locator("article h2").all_inner_texts()
    assert titles == [f"Rain {n}" for n in range(69, -1, -1)]


def test_the_slider_previews_without_a_press(opened):
    tab = opened("/profile?name=bees")
    tab.locator("#slide").fill("0.01")
    tab.get_by_text("Would have come too").wait_for()
    assert tab.locator("output").inner_text().startswith("0.0")
    assert tab.said == []


def test_an_answer_on_nearly_stays_in_view_to_be_taken_back(opened, served):
    tab = opened("/nearly")
    article = tab.locator("article").first
    article.get_by_role("button", name="Relevant", exact=True).click()
    article.get_by_role("button", name="Undo").wait_for()
    with served.inbox() as inbox:
        assert inbox.filter.profile("bees").relevant == 1
    article.get_by_role("button", name="Undo").click()
    tab.locator("#said").filter(has_text="Taken back.").wait_for()
    assert tab.locator("article").first.get_by_role("button", name="Undo").count() == 0


def test_a_session_that_has_ended_leads_to_the_login(opened, served):
    tab = opened()
    served.service.sessions.end_all(1)
    tab.locator("article").first.get_by_role("button", name="Relevant", exact=True).click()
    tab.wait_for_url("**/login")


def test_a_server_that_is_away_is_said_and_the_press_can_be_repeated(opened, served):
    tab = opened()
    tab.route("**/entry", lambda route: route.abort())
    button = tab.locator("article").first.get_by_role("button", name="Relevant", exact=True)
    button.click()
    tab.wait_for_function("() => document.getElementById('said').textContent !== ''")
    assert verdicts(served)[0] is None
    tab.unroute("**/entry")
    button.click()
    tab.locator("#said").filter(has_text="Noted as relevant.").wait_for()
    assert verdicts(served)[0] is True


@pytest.mark.parametrize(("size", "scheme"), [("desktop", "light"), ("phone", "dark")])
def test_axe_finds_no_violation_on_any_page_and_nothing_is_asked_for_from_outside(
    opened, served, axe, size, scheme
):
    with served.inbox() as inbox:
        number = inbox.entries()[0].number
        inbox.answer_entry(number, "relevant")
        inbox.feeds.store.execute(
            "UPDATE feeds SET failures = 3, fault = 'the server answers 503' WHERE number = 1"
        )
    tab = opened("/login", size=size, color_scheme=scheme)
    for path in [*PAGES, f"/entry/{number}"]:
        tab.goto(served.base + path)
        tab.eval_on_selector_all("details", "parts => parts.forEach((part) => { part.open = true; })")
        assert (path, violations(tab, axe)) == (path, [])
        across = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert (path, across) == (path, 0)
    assert all(address.startswith(served.base) for address in tab.asked)
    assert [sentence for sentence in tab.said if "404" not in sentence] == []


def test_the_welcome_and_the_login_are_for_everybody_too(browser, state, clock, axe):
    from .serving import Served

    with Served(state, clock) as running:
        running.accounts.create("ada")
        context = browser.new_context(viewport=SIZES["phone"])
        tab = context.new_page()
        tab.goto(f"{running.base}/login")
        assert violations(tab, axe) == []
        tab.goto(f"{running.base}/start?key={running.service.sessions.link(1)}")
        assert tab.locator("h1").inner_text() == "Read what is worth reading"
        assert violations(tab, axe) == []
        context.close()


def test_items_are_printed_without_buttons_and_with_their_addresses(opened):
    tab = opened()
    tab.emulate_media(media="print")
    assert not tab.locator("article button").first.is_visible()
    assert not tab.locator(".top").is_visible()
    after = tab.eval_on_selector("article h2 a", "one => getComputedStyle(one, '::after').content")
    assert "https://" in after or "attr(href)" in after


def test_a_chosen_theme_outweighs_that_of_the_system(opened, served):
    from gainful.filtering.service.accounts import Preferences

    served.accounts.prefer(1, Preferences(theme="dark"))
    dark = opened(color_scheme="light").evaluate("getComputedStyle(document.body).backgroundColor")
    served.accounts.prefer(1, Preferences(theme="light"))
    light = opened(color_scheme="dark").evaluate("getComputedStyle(document.body).backgroundColor")
    assert (dark, light) == ("rgb(20, 24, 29)", "rgb(253, 253, 252)")
