from hypothesis import given
from hypothesis import strategies as st

from gainful.formats.ids import from_bytes, shown, to_bytes, unshown


@given(st.binary())
def test_every_sequence_of_bytes_is_an_id_and_comes_back(raw):
    assert to_bytes(from_bytes(raw)) == raw


@given(st.binary())
def test_what_is_shown_is_printable_text_and_reads_back(raw):
    text = shown(from_bytes(raw))
    text.encode("utf-8")
    assert not any(ord(letter) < 32 for letter in text)
    assert unshown(text) == from_bytes(raw)


@given(st.sampled_from(["\\x41", "\\", "\\x4", "a\\x5cx41", "\\\\x41", "\\xzz"]))
def test_a_backslash_that_looks_like_an_escape_reads_back_as_itself(text):
    assert unshown(shown(text)) == text
