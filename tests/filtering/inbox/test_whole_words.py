"""Terms become words of the document again."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.filtering import Analyzer
from gainful.filtering.inbox.whole_words import LONGEST, WholeWords

ENGLISH = WholeWords(Analyzer())
LETTERS = st.characters(codec="utf-8", categories=["L", "M", "N", "P", "Z", "S"])
SENTENCES = st.lists(
    st.text(LETTERS, max_size=12) | st.sampled_from(["Shady", "shadiest", "Berries", "naïve", "It’s"])
)


def word(term, title, text=""):
    return ENGLISH.of([term], title, text)[term]


def test_a_term_is_shown_as_the_word_that_has_it_as_stem():
    assert word("shadi", "A shady border") == "shady"
    assert word("strawberri", "Strawberries", "when strawberries ripen") == "strawberries"


def test_a_word_with_capitals_keeps_them_where_it_has_them_everywhere():
    assert word("nasa", "NASA launches", "The rocket of NASA") == "NASA"
    assert word("octob", "A balcony in October") == "October"


def test_the_first_form_is_taken_and_another_form_in_lower_case_does_not_replace_it():
    assert word("garden", "Gardens", "for gardeners gardening") == "Gardens"


def test_a_word_is_found_far_down_in_a_long_text():
    assert word("peat", "Soil", "filler " * 3000 + "without any peat.") == "peat"


def test_a_term_without_a_word_stays_as_it_is():
    assert word("veget", "Nothing of the kind", "at all") == "veget"
    assert ENGLISH.of([], "Soil", "soil") == {}


def test_words_of_other_scripts_and_apostrophes_are_found():
    german = WholeWords(Analyzer("german"))
    assert german.of(["gart"], "Die Gärten", "")["gart"] == "Gärten"
    assert word("garden", "The gardener’s year") == "gardener"
    unstemmed = WholeWords(Analyzer(None))
    assert unstemmed.of(["हिन्दी"], "हिन्दी में", "")["हिन्दी"] == "हिन्दी"


@pytest.mark.parametrize("language", ["english", "french", None])
@given(title=SENTENCES, text=SENTENCES)
def test_every_term_of_a_document_is_shown_as_a_word_of_it_with_that_stem(language, title, text):
    analyzer = Analyzer(language)
    title, text = " ".join(title), " ".join(text)
    terms = list(analyzer.counts(title, text))
    whole = unicodedata.normalize("NFKC", f"{title}\n{text}")
    plain = whole.lower() == whole.casefold() and len(whole.lower()) == len(whole)
    for term, shown in WholeWords(analyzer).of(terms, title, text).items():
        assert analyzer.terms(shown)[:1] == [term] or shown == term
        if plain and whole.isascii():  # letters whose small form is longer may divide words differently
            assert shown in whole
            assert analyzer.terms(shown) == [term]


def test_a_word_of_any_length_is_cut():
    giant = "x" * 150_000
    words = WholeWords(Analyzer())
    for chosen in (words.of([giant], "A title", f"soil {giant}"), words.among([giant], [("", giant)])):
        assert len(chosen[giant]) <= LONGEST
        assert chosen[giant].startswith("xxx")
