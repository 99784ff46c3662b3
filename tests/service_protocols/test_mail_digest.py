"""Digests by mail: what is in them, that there is one a period whatever happens, and what their links do."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.errors import UsageError
from gainful.filtering import Document
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.mail_digest import DigestPost, send_digests
from gainful.filtering.service.mail_plans import DigestPlans, current_period
from gainful.filtering.service.mail_server import MailNotSent, MailServer, mail_address
from gainful.filtering.service.visitors import ServiceOptions
from gainful.filtering.state.store_address import open_store

from .conftest import Asked, copied, serving

PUBLIC = "http://gainful.test"


@pytest.fixture
def posted(folder, clock, stock):
    """The service, which knows its public address; ada gets a digest each day from seven."""
    for served in serving(copied(stock, folder, clock), clock, ServiceOptions(public=PUBLIC)):
        DigestPlans(served.service.ledger).put(1, "ada@example.org", upto=0, hour=7, confirmed=True)
        yield served


def plans(served):
    return DigestPlans(served.service.ledger)


def send(served):
    """What the service does every few seconds."""
    Asked.run(send_digests(served.service))


def next_day(served):
    served.clock.now = served.clock.now.replace(hour=7, minute=5) + timedelta(days=1)


def parts(message):
    text, html = message.iter_parts()
    assert (text.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    return text.get_content(), html.get_content()


def links(message, what):
    return re.findall(rf"{PUBLIC}(/mail/{what}/[\w.-]+)", parts(message)[0])


# ---- what is in them


def test_a_digest_has_text_and_html_and_what_mail_programs_need(posted, mailbox):
    next_day(posted)
    send(posted)
    (message,) = mailbox.messages
    assert mailbox.recipients == [["ada@example.org"]]
    assert message["Subject"] == "4 items to read: sport 1, cocoa 3"
    assert (message["From"], message["To"]) == ("Gainful <gainful@example.org>", "ada@example.org")
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message["Date"].datetime == posted.clock.now
    text, html = parts(message)
    assert text.index("The match") < text.index("At the port") < text.index("Cocoa up")
    assert "https://example.org/c" in text
    assert "Because of" in text
    assert "A late &lt;harvest&gt; &amp; more" in html
    assert "<img" not in html
    assert "javascript:" not in text + html
    assert html.count("👍") == html.count("👎") == 4
    assert len(links(message, "answer")) == 8


def test_at_most_so_many_items_and_a_word_about_the_others(posted, mailbox):
    plans(posted).put(1, "ada@example.org", upto=0, hour=7, most=1)
    next_day(posted)
    send(posted)
    text, _ = parts(mailbox.messages[0])
    assert "The match" in text
    assert "Cocoa up" not in text
    assert "3 more items on the page" in text
    next_day(posted)
    send(posted)
    assert len(mailbox.messages) == 1  # what was not in it is on the page, and does not come again


def test_what_is_read_or_answered_is_not_sent(posted, mailbox):
    entries = posted.entries()
    with posted.inbox() as inbox:
        inbox.mark([entries["The match"].number], read=True)
        inbox.answer_entry(entries["Cocoa up"].number, "relevant")
    next_day(posted)
    send(posted)
    assert mailbox.messages[0]["Subject"] == "2 items to read: cocoa 2"


def test_without_a_public_address_a_digest_has_no_links_to_the_service(posted, mailbox):
    next_day(posted)
    post = DigestPost(posted.service.ledger, MailServer.from_environment())
    with posted.inbox() as inbox:
        claim = post.plans.claim(1)
        post.send(claim, post.write(claim, inbox))
    assert mailbox.messages[0]["List-Unsubscribe"] is None
    assert "/mail/" not in "".join(parts(mailbox.messages[0]))


# ---- one a period


def test_a_digest_comes_once_a_day_and_only_with_something_new(posted, mailbox):
    send(posted)
    assert mailbox.messages == []  # its first time is tomorrow
    next_day(posted)
    for _ in range(3):
        send(posted)
        posted.clock.pass_(hours=5)
    assert len(mailbox.messages) == 1
    next_day(posted)
    send(posted)
    assert len(mailbox.messages) == 1
    with posted.inbox() as inbox:
        inbox.filter.ingest([Document("e", "Cocoa prices rise, a poor cocoa harvest", "Again")])
    send(posted)
    assert len(mailbox.messages) == 1  # today's time is over, with nothing to send
    next_day(posted)
    send(posted)
    assert [message["Subject"] for message in mailbox.messages[1:]] == ["1 item to read: cocoa 1"]


def test_a_weekly_digest_comes_on_its_weekday(posted, mailbox):
    plans(posted).put(1, "ada@example.org", upto=0, period="week", weekday=4, hour=16, zone="Europe/Paris")
    sent = []
    for _ in range(24 * 8):
        posted.clock.pass_(hours=1)
        send(posted)
        if mailbox.messages and not sent:
            sent.append(posted.clock.now)
    assert [f"{sent[0]:%A %H}"] == ["Friday 15"]  # four in the afternoon in Paris, in winter
    assert len(mailbox.messages) == 1


def test_two_processes_send_one_digest(anywhere, mailbox):
    plans(anywhere).put(1, "ada@example.org", upto=0, confirmed=True)
    next_day(anywhere)
    second = Ledger(open_store(anywhere.address), anywhere.clock)
    posts = [
        DigestPost(ledger, MailServer.from_environment(), PUBLIC)
        for ledger in (anywhere.service.ledger, second)
    ]
    assert [post.plans.due() for post in posts] == [[1], [1]]
    claims = [post.plans.claim(1) for post in posts]
    assert [claim is not None for claim in claims] == [True, False]
    with anywhere.inbox() as inbox:
        posts[0].send(claims[0], posts[0].write(claims[0], inbox))
    send(anywhere)
    assert len(mailbox.messages) == 1
    second.close()


def test_a_clock_set_back_sends_nothing_twice(posted, mailbox):
    next_day(posted)
    send(posted)
    posted.clock.pass_(days=-3)
    for _ in range(6):
        send(posted)
        posted.clock.pass_(hours=12)
    assert len(mailbox.messages) == 1


def test_a_clock_that_was_years_ahead_does_not_end_digests(posted, mailbox):
    posted.clock.pass_(days=3000)
    send(posted)
    assert len(mailbox.messages) == 1
    posted.clock.pass_(days=-3000)
    next_day(posted)
    send(posted)  # notes today
    with posted.inbox() as inbox:
        inbox.filter.ingest([Document("e", "Cocoa prices rise, a poor cocoa harvest", "Again")])
    next_day(posted)
    send(posted)
    assert len(mailbox.messages) == 2


@given(
    hours=st.lists(st.integers(-200, 400), min_size=1, max_size=30),
    weekly=st.booleans(),
    hour=st.integers(0, 23),
    weekday=st.integers(0, 6),
)
def test_a_period_is_a_day_or_a_week_wherever_the_clock_stands(hours, weekly, hour, weekday):
    now = datetime(2026, 3, 27, 12, 30, tzinfo=UTC)  # summer time begins in Paris
    for step in hours:
        now += timedelta(hours=step)
        given = {"weekday": weekday, "hour": hour, "zone": "Europe/Paris"}
        period = datetime.fromisoformat(current_period(now, "week" if weekly else "day", **given))
        length = timedelta(days=7 if weekly else 1)
        assert period.hour == 0
        assert not weekly or period.weekday() == weekday
        begin = period + timedelta(hours=hour)
        local = now.replace(tzinfo=None) + timedelta(hours=1)  # in Paris it is one or two hours later
        assert begin <= local + timedelta(hours=1)
        assert local < begin + length


# ---- faults


def test_a_refused_digest_is_tried_again_later_and_says_why(posted, mailbox):
    mailbox.at_recipient = lambda _: "550 no such mailbox"
    next_day(posted)
    send(posted)
    plan = plans(posted).of(1)
    assert plan.failures == 1
    assert "550 no such mailbox" in plan.fault
    mailbox.at_recipient = lambda _: "250 OK"
    send(posted)
    assert mailbox.messages == []  # not at once
    posted.clock.pass_(minutes=6)
    send(posted)
    assert len(mailbox.messages) == 1
    assert (plans(posted).of(1).failures, plans(posted).of(1).fault) == (0, "")


def test_a_server_that_is_away_is_asked_less_and_less(posted, monkeypatch):
    monkeypatch.setenv("GAINFUL_SMTP", "smtp://127.0.0.1:1")
    monkeypatch.setenv("GAINFUL_MAIL_FROM", "gainful@example.org")
    next_day(posted)
    waits = []
    for _ in range(5):
        send(posted)
        plan = plans(posted).of(1)
        waits.append((plan.due - posted.clock.now) // timedelta(minutes=1))
        posted.clock.now = plan.due
    assert waits == [5, 10, 20, 40, 80]


async def takes_and_hangs_up(reader, writer):
    """A mail server that takes a message and is gone before it says so."""
    writer.write(b"220 here\r\n")
    while line := await reader.readline():
        if line.upper().startswith(b"DATA"):
            writer.write(b"354 go on\r\n")
            await reader.readuntil(b"\r\n.\r\n")
            break
        writer.write(b"250 OK\r\n")
    writer.close()


def test_when_nobody_knows_whether_it_was_taken_it_is_not_sent_again_that_day(posted, mailbox, monkeypatch):
    listening = Asked.run(asyncio.start_server(takes_and_hangs_up, "127.0.0.1", 0))
    monkeypatch.setenv("GAINFUL_SMTP", f"smtp://127.0.0.1:{listening.sockets[0].getsockname()[1]}")
    next_day(posted)
    send(posted)
    assert "broke off" in plans(posted).of(1).fault
    Asked.loop.call_soon_threadsafe(listening.close)
    monkeypatch.setenv("GAINFUL_SMTP", mailbox.address)
    for _ in range(4):
        posted.clock.pass_(hours=5)
        send(posted)
    assert mailbox.messages == []
    next_day(posted)
    send(posted)
    assert [message["Subject"] for message in mailbox.messages] == ["4 items to read: sport 1, cocoa 3"]


def run_command(state, mailbox):
    """`gainful filter mail send` in a process of its own; the mail server knows its number."""
    environment = os.environ | {"GAINFUL_SMTP": mailbox.address, "GAINFUL_MAIL_FROM": "gainful@example.org"}
    command = [
        sys.executable,
        "-c",
        "from gainful.cli import main; main()",
        *["filter", "mail", "send", "--state"],
        state,
    ]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    mailbox.process = process
    process.communicate(timeout=120)
    return process.returncode


@pytest.mark.parametrize("moment", ["before the message", "after the message"])
def test_a_process_killed_while_sending_sends_no_second_digest(posted, mailbox, moment):
    def kill(envelope):
        if envelope.content is not None:
            mailbox.messages.append(envelope.content)
        os.kill(mailbox.process.pid, signal.SIGKILL)
        return "451 too late"

    def period_passes():
        with posted.service.ledger.writing() as store:
            store.execute("UPDATE mail_digests SET last_period = '2026-01-01'")

    posted.clock.now = datetime.now(UTC)  # by which the process goes
    period_passes()
    usual = mailbox.at_message
    if moment == "before the message":
        mailbox.at_recipient = kill
    else:
        mailbox.at_message = kill
    assert run_command(posted.address, mailbox) == -signal.SIGKILL
    taken = len(mailbox.messages)
    assert taken == (moment == "after the message")
    mailbox.at_recipient = mailbox.at_message = usual
    send(posted)
    assert len(mailbox.messages) == taken  # not in this period
    period_passes()
    send(posted)
    assert mailbox.messages[-1]["Subject"] == "4 items to read: sport 1, cocoa 3"  # and nothing was lost
    assert len(mailbox.messages) == taken + 1


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
