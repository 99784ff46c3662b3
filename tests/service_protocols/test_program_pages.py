"""The page where a reader gives other programs what they need: passwords, secret feeds, mail, webhooks."""

import html
import re

import pytest

from gainful.filtering.service.mail_plans import DigestPlans
from gainful.filtering.service.secret_feeds import SecretFeeds
from gainful.filtering.service.service_parts import ServiceOptions
from gainful.filtering.service.sessions import forgery_token
from gainful.filtering.service.webhooks import Webhooks

from .conftest import copied, serving

PATH = "/settings/programs"


@pytest.fixture
def served(folder, clock, stock):
    """The service, which knows its public address."""
    yield from serving(copied(stock, folder, clock), clock, ServiceOptions(public="http://gainful.test"))


@pytest.fixture
def browser(served):
    """Ada's browser, logged in; `send` fills a form of the page."""
    secret = served.service.sessions.begin(1)
    with served.browser() as client:
        client.cookies.set("gainful_session", secret)
        client.send_form = lambda path, **given: client.post(
            f"{PATH}{path}", data={"token": forgery_token(secret), **given}, follow_redirects=True
        )
        yield client


def copied_secret(page):
    """What the page shows once."""
    return html.unescape(re.search(r'<code id="secret">([^<]+)</code>', page.text)[1])


def test_a_password_is_shown_once_lets_a_program_in_and_is_revoked(served, browser):
    made = browser.send_form("/password", label="newsboat <b>")
    secret = copied_secret(made)
    assert "newsboat &lt;b&gt;" in made.text
    assert secret not in browser.get(PATH).text
    with served.client(secret) as program:
        assert program.get("user-info").status_code == 200
        number = served.service.accounts.api_passwords(1)[-1].number
        assert "revoked" in browser.send_form("/password/revoke", number=str(number)).text
        assert program.get("user-info").status_code == 401


def test_a_secret_address_is_shown_once_and_revoked(served, browser):
    made = browser.send_form("/feed", profile="1")
    address = copied_secret(made)
    assert browser.get(address).status_code == 200
    (feed,) = SecretFeeds(served.service.ledger).all(1)
    assert feed.hint in browser.get(PATH).text
    browser.send_form("/feed/revoke", number=str(feed.number))
    assert browser.get(address).status_code == 404


def test_a_digest_waits_until_its_address_is_confirmed(served, browser, mailbox):
    given = {
        "address": "ada@example.org",
        "period": "week",
        "weekday": "4",
        "hour": "16",
        "zone": "Europe/Paris",
        "most": "5",
    }
    assert "follow its link" in browser.send_form("/mail", **given).text
    plans = DigestPlans(served.service.ledger)
    assert not plans.of(1).confirmed
    served.clock.pass_(days=5)  # Friday is over
    assert plans.due() == []
    link = re.search(r"http://\S+(/mail/confirm/\S+)", mailbox.messages[0].get_content())[1]
    assert not plans.of(1).confirmed
    browser.get(link)
    assert not plans.of(1).confirmed  # opened by a program that looks after mail, it says nothing
    browser.post(link)
    plan = plans.of(1)
    assert (plan.confirmed, plan.period, plan.weekday, plan.hour, plan.most) == (True, "week", 4, 16, 5)
    assert (
        "The digest is set" in browser.send_form("/mail", **given | {"most": "7"}).text
    )  # no second question
    assert len(mailbox.messages) == 1
    assert "No more digests" in browser.send_form("/mail/end").text
    assert plans.of(1) is None


def test_strangers_are_not_asked_again_and_again(served, browser, mailbox):
    for address in ("a@example.org", "b@example.org"):
        browser.send_form("/mail", address=address, hour="7", most="5")
    assert mailbox.recipients == [["a@example.org"]]
    served.clock.pass_(minutes=11)
    browser.send_form("/mail", address="b@example.org", hour="7", most="5")
    assert mailbox.recipients == [["a@example.org"], ["b@example.org"]]


def test_an_old_confirmation_does_not_allow_a_new_address(served, browser, mailbox):
    browser.send_form("/mail", address="a@example.org", hour="7", most="5")
    link = re.search(r"http://\S+(/mail/confirm/\S+)", mailbox.messages[0].get_content())[1]
    served.clock.pass_(minutes=11)
    browser.send_form("/mail", address="b@example.org", hour="7", most="5")
    assert browser.post(link).status_code == 410
    assert not DigestPlans(served.service.ledger).of(1).confirmed


def test_without_a_mail_server_the_page_says_what_to_do(browser, monkeypatch):
    monkeypatch.delenv("GAINFUL_SMTP", raising=False)
    assert "GAINFUL_SMTP" in browser.get(PATH).text
    assert browser.send_form("/mail", address="a@example.org", hour="7", most="5").status_code == 400


def test_a_webhook_is_added_with_a_secret_and_removed(served, browser):
    made = browser.send_form("/webhook", address="https://me:password@example.org/hook", profile="2")
    assert copied_secret(made).startswith("whsec_")
    assert "password" not in re.sub(r"(?s)<form.*?</form>", "", made.text.partition('id="webhooks"')[2])
    (hook,) = Webhooks(served.service.ledger).all(1)
    assert hook.profile == 2
    assert hook.upto == max(
        entry.number for entry in served.entries().values()
    )  # what came before is not told
    browser.send_form("/webhook/remove", number=str(hook.number))
    assert Webhooks(served.service.ledger).all(1) == []


@pytest.mark.parametrize(
    ("path", "given"),
    [
        ("/webhook", {"address": "http://169.254.169.254/"}),
        ("/webhook", {"address": "https://example.org/", "profile": "99"}),
        ("/feed", {"profile": "99"}),
        ("/feed", {"profile": "1 OR 1=1"}),
        ("/feed/revoke", {"number": "x"}),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(served, browser, path, given):
    assert browser.send_form(path, **given).status_code == 400
    assert Webhooks(served.service.ledger).all(1) == SecretFeeds(served.service.ledger).all(1) == []


@pytest.mark.parametrize("path", ["/password", "/feed", "/mail", "/webhook", "/mail/end", "/password/revoke"])
def test_forms_of_other_sites_and_of_nobody_change_nothing(served, browser, path):
    given = {"number": "1", "label": "x", "address": "https://example.org/", "hour": "7", "most": "5"}
    assert browser.post(f"{PATH}{path}", data=given).status_code == 403
    with served.browser() as stranger:
        assert stranger.post(f"{PATH}{path}", data=given).headers["location"] == "/login"
        assert stranger.get(PATH).headers["location"] == "/login"
    assert len(served.service.accounts.api_passwords(1)) == 1
