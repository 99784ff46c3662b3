"""The rule by which two items tell the same story, at its edges."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.filtering.feeds.same_story import (
    SIMILAR,
    StoryText,
    keys,
    link_key,
    plain_link,
    same_words,
    similarity,
)

WORDS = [f"word{number}" for number in range(200)]


def text_of(text="", *, title="", link="", feed=1):
    return StoryText(feed, title, text, link)


@pytest.mark.parametrize(
    ("link", "other", "same"),
    [
        ("https://a.example/x", "http://www.A.example/x/", True),
        ("https://a.example/x?b=2&a=1#c", "https://a.example/x?a=1&b=2&utm_source=rss&fbclid=9", True),
        ("https://a.example:443/x", "http://a.example:80/x", True),
        ("https://a.example/x?id=1", "https://a.example/x?id=2", False),
        ("https://a.example/x", "https://a.example/X", False),
        ("https://a.example/x", "https://b.example/x", False),
        ("https://a.example:8443/x", "https://a.example/x", False),
    ],
)
def test_links_are_compared_without_what_does_not_matter(link, other, same):
    assert (link_key(link) == link_key(other)) is same


@pytest.mark.parametrize(
    "link",
    [
        "https://a.example/",
        "http://www.a.example",
        "https://a.example/?utm_source=x#y",
        "",
        "x",
        "ftp://a/b",
        "https://[::1",
    ],
)
def test_links_to_a_front_page_or_nowhere_say_nothing(link):
    assert link_key(link) is None
    assert plain_link(link) == ""


def test_the_same_words_are_the_same_story_from_six_on():
    five, six = text_of("one two three four five"), text_of("one two three four five six")
    assert not same_words(five, text_of("One, two: three four five", feed=2))
    assert same_words(six, text_of("One, two: three (four) five – SIX!", feed=2))
    assert same_words(text_of("b c d e f", title="a"), text_of("c d e f", title="a b", feed=2))


def test_texts_that_share_eighty_percent_of_their_runs_are_the_same_story():
    # Of texts of 56 words each, shifted by n, 54 − n runs are in both and 54 + n in either: 48/60 = 0.8, 47/61 < 0.8.
    first, second, third = (WORDS[start : start + 56] for start in (0, 6, 7))
    assert similarity(first, second) == SIMILAR
    assert same_words(text_of(" ".join(first)), text_of(" ".join(second), feed=2))
    assert not same_words(text_of(" ".join(first)), text_of(" ".join(third), feed=2))


def test_texts_of_fewer_than_twenty_words_are_not_compared():
    first, second = WORDS[:19], [*WORDS[:19], "more"]
    assert similarity(first, second) > SIMILAR
    assert not same_words(text_of(" ".join(first)), text_of(" ".join(second), feed=2))
    assert same_words(text_of(" ".join(WORDS[:20])), text_of(" ".join([*WORDS[:20], "more"]), feed=2))


def test_one_feed_may_repeat_phrases_of_its_own():
    first, second = WORDS[:56], WORDS[1:57]
    assert same_words(text_of(" ".join(first)), text_of(" ".join(second), feed=2))
    assert not same_words(text_of(" ".join(first)), text_of(" ".join(second), feed=1))
    assert same_words(text_of(" ".join(first)), text_of(" ".join(first), feed=1))


def test_similar_texts_have_a_key_in_common():
    """Ten bands of four: of pairs with similarity 0.8, 1 − (1 − 0.8⁴)¹⁰ = 99.5 % are found."""
    chance = random.Random(5)
    found = 0
    for _ in range(400):
        words = [f"w{chance.randrange(10**6)}" for _ in range(62)]
        first, second = words[:56], words[6:62]
        assert similarity(first, second) == SIMILAR
        found += bool(set(keys(text_of(" ".join(first)))) & set(keys(text_of(" ".join(second), feed=2))))
    assert found >= 390


def test_texts_of_a_language_without_spaces_have_keys_too():
    assert len(keys(text_of("天気" * 50, title="x"))) <= 12


@given(st.text(max_size=300), st.text(max_size=50), st.text(max_size=50))
def test_keys_are_the_same_every_time_and_equal_items_share_them(text, title, link):
    first = keys(text_of(text, title=title, link=link))
    assert first == keys(text_of(text, title=title, link=link, feed=2))
    assert all(len(key) == 13 for key in first)
    assert len(first) <= 12
    if same_words(text_of(text, title=title), text_of(text, title=title, feed=2)):
        assert first
