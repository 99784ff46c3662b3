import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from gainful.formats.ids import from_bytes, in_order, shown, to_bytes, unshown


def hides(letter):
    """Whether a letter could move a terminal's cursor, break a line or turn the direction of writing."""
    embeds = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    return unicodedata.category(letter) in {"Cc", "Zl", "Zp"} or unicodedata.bidirectional(letter) in embeds


@given(st.binary())
def test_every_sequence_of_bytes_is_an_id_and_comes_back(raw):
    assert to_bytes(from_bytes(raw)) == raw


@given(st.binary())
def test_what_is_shown_is_printable_text_and_reads_back(raw):
    text = shown(from_bytes(raw))
    text.encode("utf-8")
    assert not any(hides(letter) for letter in text)
    assert unshown(text) == from_bytes(raw)


@given(st.sampled_from(["\\x41", "\\", "\\x4", "a\\x5cx41", "\\\\x41", "\\xzz"]))
def test_a_backslash_that_looks_like_an_escape_reads_back_as_itself(text):
    assert unshown(shown(text)) == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_text_of_any_script_is_shown_without_what_hides_and_reads_back(text):
    assert not any(hides(letter) for letter in shown(text))
    assert unshown(shown(text)) == text


def test_letters_are_shown_as_they_are_and_what_hides_as_its_bytes():
    assert shown("Größe-日本-עברית-👩‍🌾") == "Größe-日本-עברית-👩‍🌾"
    for point in [*range(0x80, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A)]:
        raw = chr(point).encode()
        assert shown(f"a{chr(point)}b") == "a" + "".join(f"\\x{byte:02x}" for byte in raw) + "b"


def test_topics_stand_by_number_and_then_by_bytes_however_long_the_numbers():
    topics = ["b", "9" * 5000, "10", "1" + "0" * 5000, "9", "09", "0", "00", "-1", "caf\udce9", "²"]
    assert in_order(topics) == [
        *("0", "00", "09", "9", "10", "9" * 5000, "1" + "0" * 5000),
        *("-1", "b", "caf\udce9", "²"),
    ]
