"""The page of other programs, and those that links in mails lead to, in Chromium: for everybody, on any screen."""

import pytest

from gainful.filtering.service.mail_digest import ANSWERS
from gainful.filtering.service.mail_plans import DigestPlans
from gainful.filtering.service.secret_feeds import SecretFeeds
from gainful.filtering.service.signed_links import SignedLinks
from gainful.filtering.service.webhooks import Webhooks

from ..chromium import violations  # noqa: TID252 (what axe-core finds)
from .conftest import Running


@pytest.fixture
def furnished(served, mailbox):
    """A service that has given other programs something of everything; its address, and a link of a mail."""
    ledger = served.service.ledger
    SecretFeeds(ledger).add(1, 1)
    hooks = Webhooks(ledger)
    hooks.failed(hooks.add(1, f"https://example.org/{'long/' * 30}", upto=0), "it answered with status 503")
    DigestPlans(ledger).put(1, "ada@example.org", upto=0, confirmed=True)
    number = served.entries()["Cocoa up"].number
    served.link = f"/mail/answer/{SignedLinks(ledger, ANSWERS).token(1, number, 'relevant')}"
    with Running(served.app) as served.base:
        yield served


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (390, "dark")])
def test_everybody_can_use_them(furnished, browser, axe, width, scheme):
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    secret = furnished.service.sessions.begin(1)
    context.add_cookies([{"name": "gainful_session", "value": secret, "url": furnished.base}])
    tab, said = context.new_page(), []
    tab.on("console", lambda message: said.append(message.text))
    for path in ("/settings/programs", furnished.link):
        tab.goto(furnished.base + path)
        assert violations(tab, axe) == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
    tab.get_by_role("button", name="This is relevant").click()
    tab.get_by_role("heading", name="Noted: relevant").wait_for()
    assert furnished.entries()["Cocoa up"].verdict is True
    tab.get_by_role("button", name="Undo").click()
    tab.get_by_role("heading", name="Noted: not answered").wait_for()
    assert furnished.entries()["Cocoa up"].verdict is None
    tab.goto(f"{furnished.base}/settings/programs")
    tab.get_by_label("Program").fill("newsboat")
    tab.get_by_role("button", name="New password").click()
    tab.get_by_role("heading", name="Copy it now").wait_for()
    assert violations(tab, axe) == []
    assert said == []
    context.close()
