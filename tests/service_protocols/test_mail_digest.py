"""Digests by mail: what is in them, and that there is one a period whatever happens."""

import asyncio
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.filtering import Document
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.mail_digest import DigestPost
from gainful.filtering.service.mail_plans import current_period
from gainful.filtering.service.mail_server import MailServer
from gainful.filtering.state.store_address import open_store

from .conftest import Asked
from .digests import PUBLIC, links, next_day, parts, plans, send

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
