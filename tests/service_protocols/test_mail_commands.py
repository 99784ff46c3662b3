"""gainful filter mail: digests set up, shown, ended and sent from the command line."""

import pytest
from click.testing import CliRunner

from gainful.cli.filter import command
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.state.store_address import open_store

from .conftest import copied


@pytest.fixture
def mail(folder, clock, stock, mailbox):
    """Runs `gainful filter mail …` on a stocked state; what it prints, and its exit code."""
    state = copied(stock, folder, clock)

    def run(*words):
        result = CliRunner().invoke(command, ["mail", *words, "--state", state])
        said = result.output if result.exception is None else f"{result.output}{result.exception}"
        return result.exit_code, said

    run.state = state
    return run


def period_passes(state):
    ledger = Ledger(open_store(state))
    with ledger.writing() as store:
        store.execute("UPDATE mail_digests SET last_period = '2026-01-01', upto = 0")
    ledger.close()


def test_a_digest_is_set_shown_sent_and_ended(mail, mailbox):
    assert mail("show") == (0, "No digests are sent.\n")
    code, said = mail(
        "set", "ada@example.org", "--every", "week", "--weekday", "friday", "--hour", "16", "-n", "5"
    )
    assert (code, said) == (0, "Every Friday from 16:00 (UTC) to ada@example.org, at most 5 items.\n")
    assert mail("show")[1] == said
    assert mail("send")[1].startswith("0 sent")
    period_passes(mail.state)
    assert mail("send")[1].startswith("1 sent")
    assert mailbox.messages[0]["Subject"] == "4 items to read: sport 1, cocoa 3"
    assert mail("send")[1].startswith("0 sent")
    assert mail("off") == (0, "No more digests are sent.\n")
    assert mail("off") == (0, "No digests were sent.\n")


def test_a_digest_that_is_refused_is_a_fault_with_its_reason(mail, mailbox):
    mail("set", "ada@example.org")
    period_passes(mail.state)
    mailbox.at_message = lambda _: "552 too much"
    code, said = mail("send")
    assert code
    assert "552 too much" in said
    assert "552 too much" in mail("show")[1]


def test_links_need_the_address_of_the_service(mail, mailbox):
    mail("set", "ada@example.org")
    period_passes(mail.state)
    mail("send", "--public-url", "https://news.example.org/gainful/")
    assert mailbox.messages[0]["List-Unsubscribe"].startswith(
        "<https://news.example.org/gainful/mail/unsubscribe/"
    )


def test_what_is_missing_or_wrong_is_said(mail, monkeypatch):
    assert "not a mail address" in mail("set", "nobody")[1]
    assert "no time zone" in mail("set", "ada@example.org", "--zone", "Mars/Base")[1]
    assert "no account 'eve'" in mail("set", "ada@example.org", "--account", "eve")[1]
    monkeypatch.delenv("GAINFUL_SMTP")
    assert "--smtp" in mail("send")[1]
