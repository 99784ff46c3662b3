"""Links of digests, which act without a login, and the settings of digests and of the mail server."""

import re

import pytest

from gainful.errors import UsageError
from gainful.filtering.service.mail_digest import DigestPost
from gainful.filtering.service.mail_server import MailNotSent, MailServer, mail_address

from .digests import PUBLIC, links, next_day, plans, send

# ---- links


def test_a_link_opened_changes_nothing_and_its_button_answers(posted, mailbox):
    next_day(posted)
    send(posted)
    yes = links(mailbox.messages[0], "answer")[2]  # of the second item
    with posted.inbox() as inbox:
        before = inbox.filter.profile("cocoa").theta
    with posted.browser() as browser:
        page = browser.get(yes)
        assert "At the port" in page.text
        assert posted.entries()["At the port"].verdict is None
        noted = browser.post(yes)
        assert "Noted: relevant" in noted.text
        assert posted.entries()["At the port"].verdict is True
        with posted.inbox() as inbox:
            assert inbox.filter.profile("cocoa").theta != before
        assert "stays at" in browser.post(yes).text  # a second time it is no second answer
        undo = re.search(r'action="(/mail/answer/[\w.-]+)"', noted.text)[1]
        assert "Noted: not answered" in browser.post(undo).text
        assert posted.entries()["At the port"].verdict is None


def test_links_end_after_a_month_and_cannot_be_changed(posted, mailbox):
    next_day(posted)
    send(posted)
    yes = links(mailbox.messages[0], "answer")[0]
    unsubscribe = links(mailbox.messages[0], "unsubscribe")[0]
    body, dot, signature = yes.rpartition(".")
    with posted.browser() as browser:
        forged = [
            *(
                f"{body}{dot}{signature[::-1]}",
                f"{body[:-2]}AA{dot}{signature}",
                body,
                f"{yes}x",
                "/mail/answer/x.y",
            ),
            unsubscribe.replace("unsubscribe", "answer"),  # signed for something else
            "/mail/answer/" + "A" * 5000,
        ]
        for link in forged:
            assert browser.post(link).status_code == 410, link
        posted.clock.pass_(days=29)
        assert browser.get(yes).status_code == 200
        posted.clock.pass_(days=2)
        assert browser.post(yes).status_code == 410
    assert all(entry.verdict is None for entry in posted.entries().values())


def test_a_link_of_an_item_that_is_gone_says_so_and_not_where_the_state_lies(posted, mailbox):
    next_day(posted)
    send(posted)
    with posted.inbox() as inbox:
        inbox.filter.remove_profile("sport")
    with posted.browser() as browser:
        for answer in (browser.get, browser.post):
            page = answer(links(mailbox.messages[0], "answer")[0])
            assert page.status_code == 404
            assert "This item is gone" in page.text
            assert posted.address not in page.text


def test_one_click_in_the_mail_program_unsubscribes(posted, mailbox):
    next_day(posted)
    send(posted)
    link = mailbox.messages[0]["List-Unsubscribe"].strip("<>").removeprefix(PUBLIC)
    with posted.browser() as browser:
        assert "ada@example.org" in browser.get(link).text
        assert plans(posted).of(1) is not None
        assert browser.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
        assert plans(posted).of(1) is None
        plans(posted).put(1, "other@example.org", upto=0, confirmed=True)
        browser.post(link, data={"List-Unsubscribe": "One-Click"})
        assert plans(posted).of(1).address == "other@example.org"  # an old link does not end other mails


# ---- settings


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ada",
        "a@b\r\nBcc: eve@example.org",
        "a b@example.org",
        "a@-",
        "a..b@example.org",
        "ä@example.org",
        "<a@example.org>",
    ],
)
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(UsageError, match="not a mail address"):
        mail_address(address)


def test_a_mail_server_is_named_by_an_address_and_its_password_is_not_shown():
    server = MailServer.of(
        "smtps://ada%40example.org@mail.example.org", sender="g@example.org", password="secret"
    )
    assert (server.host, server.port, server.security, server.user) == (
        "mail.example.org",
        465,
        "tls",
        "ada@example.org",
    )
    assert "secret" not in repr(server)
    assert MailServer.of("smtp://mail.example.org", sender="g@example.org").security == "starttls"
    assert MailServer.of("smtp://localhost:25", sender="g@example.org").security == "none"
    for wrong in (
        "mail.example.org",
        "http://mail",
        "smtp://",
        "smtp://host:port",
        "smtp://host?security=no",
    ):
        with pytest.raises(UsageError):
            MailServer.of(wrong, sender="g@example.org")
    with pytest.raises(UsageError, match="not encrypted"):
        MailServer.of("smtp://a:b@mail.example.org?security=none", sender="g@example.org")
    assert MailServer.from_environment({}) is None
    with pytest.raises(UsageError, match="GAINFUL_MAIL_FROM"):
        MailServer.from_environment({"GAINFUL_SMTP": "smtp://localhost"})


def test_a_server_without_starttls_is_given_nothing(posted, mailbox):
    server = MailServer.of(f"{mailbox.address}?security=starttls", sender="g@example.org")
    next_day(posted)
    post = DigestPost(posted.service.ledger, server)
    claim = post.plans.claim(1)
    with posted.inbox() as inbox:
        written = post.write(claim, inbox)
    with pytest.raises(MailNotSent, match="STARTTLS"):
        post.send(claim, written)
    assert mailbox.messages == []


@pytest.mark.parametrize(
    "given",
    [
        {"hour": 24},
        {"weekday": 7},
        {"most": 0},
        {"most": 101},
        {"period": "hour"},
        {"zone": "Mars/Base"},
        {"zone": "../../etc/passwd"},
    ],
)
def test_plans_that_cannot_be_kept_are_refused(posted, given):
    with pytest.raises(UsageError):
        plans(posted).put(1, "ada@example.org", upto=0, **given)
