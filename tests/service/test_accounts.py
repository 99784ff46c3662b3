"""Accounts, sessions, one-time links, limits on failed logins, and leases."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.errors import DataError, UsageError
from gainful.filtering.service.accounts import Accounts, Preferences, clean_line
from gainful.filtering.service.ledger import Ledger
from gainful.filtering.service.sessions import LINK_LASTING, LoginLimits, Sessions
from gainful.filtering.state.store_address import open_store

from .serving import PASSWORD


@pytest.fixture
def ledger(either, clock):
    opened = Ledger(open_store(either), clock)
    yield opened
    opened.close()


@pytest.fixture
def accounts(ledger):
    return Accounts(ledger)


def test_a_name_and_its_password_open_an_account_and_nothing_else_does(accounts):
    ada = accounts.create("Ada", PASSWORD)
    assert accounts.check_password("ada", PASSWORD) == ada
    assert accounts.check_password("ADA ", PASSWORD) == ada
    assert accounts.check_password("ada", PASSWORD + "!") is None
    assert accounts.check_password("ada", "") is None
    assert accounts.check_password("bob", PASSWORD) is None
    assert accounts.check_password("ada", "x" * 100_000) is None


def test_an_account_without_a_password_is_opened_by_none(accounts):
    accounts.create("ada")
    assert accounts.check_password("ada", "") is None
    assert not accounts.named("ada").has_password


def test_the_number_of_a_reader_is_never_given_twice(accounts):
    assert [accounts.create(name).reader for name in ("a", "b")] == [1, 2]
    accounts.remove(2)
    assert accounts.create("c").reader == 3


def test_a_name_that_is_taken_in_other_letters_is_refused(accounts):
    accounts.create("Ada")
    with pytest.raises(DataError, match="already exists"):
        accounts.create("ａｄａ")  # wide letters
    bob = accounts.create("bob")
    with pytest.raises(DataError, match="already exists"):
        accounts.rename(bob.reader, "ADA")
    accounts.rename(bob.reader, "Bob")
    assert accounts.of(bob.reader).name == "Bob"


@pytest.mark.parametrize("name", ["", "   ", "\0\n", "x" * 65])
def test_a_name_that_is_empty_or_long_is_refused(accounts, name):
    with pytest.raises(UsageError, match="1 to 64 characters"):
        accounts.create(name)


@pytest.mark.parametrize("password", ["", "short", "x" * 2000])
def test_a_password_that_is_short_or_endless_is_refused(accounts, password):
    with pytest.raises(UsageError, match="10 to 1,024 characters"):
        accounts.create("ada", password)
    assert accounts.all() == []


@given(st.text())
def test_a_line_has_no_control_characters_whatever_was_typed(text):
    line = clean_line(text)
    assert line == " ".join(line.split())
    assert not any(ord(letter) < 32 or letter in "\x7f\u2028\u202e" for letter in line)


def test_a_password_for_programs_is_apart_from_that_of_the_page(accounts):
    ada, bob = accounts.create("ada", PASSWORD), accounts.create("bob", PASSWORD)
    secret = accounts.add_api_password(ada.reader, "newsboat")
    assert accounts.check_api_password("ada", secret) == ada
    assert accounts.check_api_password("bob", secret) is None
    assert accounts.check_api_password("ada", PASSWORD) is None
    assert accounts.check_password("ada", secret) is None
    assert [password.label for password in accounts.api_passwords(ada.reader)] == ["newsboat"]
    accounts.revoke_api_password(bob.reader, 1)
    assert accounts.check_api_password("ada", secret) == ada
    accounts.revoke_api_password(ada.reader, 1)
    assert accounts.check_api_password("ada", secret) is None


def test_secrets_are_kept_as_hashes_only(accounts, ledger):
    ada = accounts.create("ada", PASSWORD)
    sessions = Sessions(ledger)
    secrets = [
        PASSWORD,
        accounts.add_api_password(ada.reader, "x"),
        sessions.begin(ada.reader),
        sessions.link(ada.reader),
    ]
    with ledger.reading() as store:
        kept = " ".join(
            str(row)
            for table in ("accounts", "api_passwords", "sessions", "login_links")
            for row in store.rows(f"SELECT * FROM {table}")
        )
    assert "argon2id" in kept
    assert not any(secret in kept for secret in secrets)


def test_preferences_stay_and_unknown_ones_of_a_later_version_are_the_usual_ones(accounts, ledger):
    ada = accounts.create("ada")
    accounts.prefer(ada.reader, Preferences(theme="dark", most=100))
    assert accounts.of(ada.reader).preferences == Preferences(theme="dark", most=100)
    with ledger.writing() as store:
        store.execute("UPDATE accounts SET body = ?", ('{"theme": "sepia"}',))
    assert accounts.of(ada.reader).preferences == Preferences()


def test_a_session_lasts_while_it_is_used_and_ends_when_it_is_not(accounts, ledger, clock):
    accounts.create("ada")
    sessions = Sessions(ledger)
    secret = sessions.begin(1)
    for _ in range(4):
        clock.pass_by(days=20)
        assert sessions.reader_of(secret) == 1
    clock.pass_by(days=31)
    assert sessions.reader_of(secret) is None


def test_ending_sessions_elsewhere_leaves_the_own_one_and_those_of_others(accounts, ledger):
    accounts.create("ada")
    accounts.create("bob")
    sessions = Sessions(ledger)
    here, there, bobs = sessions.begin(1), sessions.begin(1), sessions.begin(2)
    link = sessions.link(1)
    sessions.end_all(1, but=here)
    assert [sessions.reader_of(secret) for secret in (here, there, bobs)] == [1, None, 2]
    assert sessions.follow(link) is None


def test_a_link_lets_in_once_and_not_too_late(accounts, ledger, clock):
    accounts.create("ada")
    sessions = Sessions(ledger)
    link = sessions.link(1)
    assert sessions.follow("another") is None
    assert sessions.follow(link) == 1
    assert sessions.follow(link) is None
    old = sessions.link(1)
    clock.pass_by(seconds=LINK_LASTING.total_seconds())
    assert sessions.follow(old) is None


def test_removing_an_account_ends_its_sessions_links_and_passwords(accounts, ledger):
    accounts.create("ada", PASSWORD)
    sessions = Sessions(ledger)
    secret, link, api = sessions.begin(1), sessions.link(1), accounts.add_api_password(1, "x")
    accounts.remove(1)
    assert sessions.reader_of(secret) is None
    assert sessions.follow(link) is None
    assert accounts.check_api_password("ada", api) is None


def test_failed_logins_are_limited_by_name_and_client_and_the_limit_ends(ledger, clock):
    limits = LoginLimits(ledger)
    for _ in range(5):
        assert limits.wait("ada", "192.0.2.1") == 0
        limits.failed("ada", "192.0.2.1")
    assert limits.wait("ADA", "192.0.2.1") == 15 * 60
    assert limits.wait("ada", "192.0.2.2") == 0  # she herself, elsewhere, is not locked out
    assert limits.wait("bob", "192.0.2.1") == 0
    clock.pass_by(minutes=15)
    assert limits.wait("ada", "192.0.2.1") == 0


def test_a_client_that_tries_many_names_is_stopped_and_so_is_a_name_tried_by_many_clients(ledger):
    limits = LoginLimits(ledger)
    for number in range(30):
        limits.failed(f"name {number}", "192.0.2.1")
    assert limits.wait("ada", "192.0.2.1") > 0
    for number in range(100):
        limits.failed("eve", f"198.51.100.{number}")
    assert limits.wait("eve", "203.0.113.9") > 0


def test_the_addresses_of_one_line_of_ipv6_count_together(ledger):
    limits = LoginLimits(ledger)
    for number in range(5):
        limits.failed("ada", f"2001:db8::{number}")
    assert limits.wait("ada", "2001:db8::ffff") > 0
    assert limits.wait("ada", "2001:db8:0:1::1") == 0


def test_a_success_forgets_the_failures_of_that_client_and_a_clock_set_back_locks_nobody_out(ledger, clock):
    limits = LoginLimits(ledger)
    for _ in range(5):
        limits.failed("ada", "192.0.2.1")
    limits.succeeded("ada", "192.0.2.1")
    assert limits.wait("ada", "192.0.2.1") == 0
    for _ in range(5):
        limits.failed("ada", "192.0.2.1")
    clock.pass_by(days=-30)
    assert limits.wait("ada", "192.0.2.1") <= 15 * 60
    limits.failed("bob", "192.0.2.7")
    assert limits.wait("ada", "192.0.2.1") == 0


def test_a_lease_is_one_holders_until_it_ends_or_is_given_back(ledger, clock):
    lasting = timedelta(seconds=90)
    assert ledger.lease("worker", "a", lasting)
    assert ledger.lease("worker", "a", lasting)
    assert not ledger.lease("worker", "b", lasting)
    clock.pass_by(seconds=91)
    assert ledger.lease("worker", "b", lasting)
    ledger.release("worker", "a")
    assert not ledger.lease("worker", "a", lasting)
    ledger.release("worker", "b")
    assert ledger.lease("worker", "a", lasting)
    clock.pass_by(days=-3)
    assert ledger.lease("worker", "b", lasting)  # a clock set back does not stop work for days
