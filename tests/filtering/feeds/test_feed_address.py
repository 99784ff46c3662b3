"""Addresses of feeds: one form for each, no other schemes, no passwords shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.errors import DataError
from gainful.filtering.feeds.feed_address import (
    LONGEST,
    host_of,
    regular_address,
    shown_address,
    without_login,
    without_password,
)


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        (" https://A.Example/Feed?x=Y#z ", "https://a.example/Feed?x=Y"),
        ("HTTP://a.example:80", "http://a.example/"),
        ("https://a.example:443/", "https://a.example/"),
        ("https://a.example:8443/", "https://a.example:8443/"),
        ("a.example/feed", "https://a.example/feed"),
        ("a.example:8080/feed", "https://a.example:8080/feed"),
        ("feed://a.example/x", "http://a.example/x"),
        ("feed:https://a.example/x", "https://a.example/x"),
        ("https://me:p%40ss@A.example/", "https://me:p%40ss@a.example/"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("http://bücher.example/", "http://bücher.example/"),
        ("https://a.example./", "https://a.example/"),
    ],
)
def test_an_address_has_one_form(given_, kept):
    assert regular_address(given_) == kept
    assert regular_address(kept) == kept


@pytest.mark.parametrize(
    "address",
    [
        *(
            "",
            "   ",
            "ftp://a.example/",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "mailto:a@b.example",
            "data:,x",
        ),
        *(
            "http://",
            "https:///x",
            "http://a b.example/",
            "http://a.example:x/",
            "http://a.example:99999/",
            "http://[::1/",
        ),
        *(
            "http://a\\b/",
            "http://a.example/\x00",
            "http://a.example/\nx",
            "http://a.example/\u202e",
            "http://@/",
            "//",
        ),
        *("http://<script>/", "http://a.example/" + "x" * LONGEST, "view-source:http://a.example/"),
    ],
)
def test_what_is_no_web_address_is_refused(address):
    with pytest.raises(DataError):
        regular_address(address)


@pytest.mark.parametrize("address", ["ftp://me:secret@a.example/", "https://me:secret@", "x:me:secret@b"])
def test_a_refusal_shows_no_password(address):
    with pytest.raises(DataError) as fault:
        regular_address(address)
    assert "secret" not in str(fault.value)


names = st.text("abcXYZ0123%.~-", min_size=1, max_size=8)


@given(names, names, st.text("ab/@:?#", max_size=12))
def test_a_password_is_shown_by_nothing(name, password, rest):
    secret = f"SECRET{password}"
    address = f"https://{name}:{secret}@a.example/{rest}"
    assert "SECRET" not in shown_address(address)
    assert "SECRET" not in without_password(address)
    bare, login = without_login(address)
    assert bare == f"https://a.example/{rest}"
    assert login is not None
    assert login[1].startswith("SECRET")


def test_an_at_sign_after_the_host_is_no_password():
    address = "https://a.example/@user:name/feed"
    assert shown_address(address) == without_password(address) == without_login(address)[0] == address
    assert host_of(address) == "a.example"


@given(st.text(max_size=60))
def test_whatever_is_given_is_refused_or_has_a_form_that_stays(text):
    try:
        regular = regular_address(text)
    except DataError:
        return
    assert regular.startswith(("http://", "https://"))
    assert regular_address(regular) == regular
    assert host_of(regular)


def test_a_long_address_is_refused_without_its_password():
    with pytest.raises(DataError, match="more than") as fault:
        regular_address(f"https://me:{'secret' * LONGEST}@a.example/")
    assert "secret" not in str(fault.value)
