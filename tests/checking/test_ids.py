"""Plain forms and hashes of ids, against one id at a time in plain Python."""

from hypothesis import given
from hypothesis import strategies as st

from gainful.checking.id_arrays import Spans, paired
from gainful.formats.ids import plain

ids = st.lists(
    st.one_of(
        st.binary(min_size=1, max_size=20),
        st.text("0179.dDxX-é", min_size=1, max_size=12).map(str.encode),
    ),
    max_size=30,
)


def by_hand(raw: bytes) -> bytes:
    """Lower case; no `.0` behind what begins and ends with a digit; no zeros before another digit."""
    lower = bytes(letter + 32 if 65 <= letter <= 90 else letter for letter in raw)
    stem = lower[:-2]
    if lower.endswith(b".0") and stem[:1].isdigit() and stem[-1:].isdigit():
        lower = stem
    while len(lower) > 1 and lower[:1] == b"0" and lower[1:2].isdigit():
        lower = lower[1:]
    return lower


@given(ids)
def test_the_plain_form_is_that_of_each_id_alone(raw: list[bytes]) -> None:
    spans = Spans.of(raw)
    assert [spans[place] for place in range(len(raw))] == raw
    assert [spans.plain[place] for place in range(len(raw))] == [by_hand(one) for one in raw]
    assert [plain(one) for one in raw] == [by_hand(one) for one in raw]


@given(ids)
def test_equal_ids_have_equal_hashes_and_others_do_not(raw: list[bytes]) -> None:
    found = Spans.of(raw).hashes.tolist()
    assert {
        (a, b) for a, x in zip(raw, found, strict=True) for b, y in zip(raw, found, strict=True) if x == y
    } == {(a, b) for a in raw for b in raw if a == b}


def test_a_hash_does_not_depend_on_the_neighbours() -> None:
    alone = Spans.of([b"document-7"]).hashes[0]
    assert Spans.of([b"x", b"document-7", b"document-70"]).hashes[1] == alone
    assert Spans.of([b"document-7", b"\x00"]).hashes[0] == alone


def test_trailing_zero_bytes_tell_ids_apart() -> None:
    first, second = Spans.of([b"a", b"a\x00"]).hashes.tolist()
    assert first != second


def test_pairs_are_ordered() -> None:
    one, other = Spans.of([b"1", b"2"]).hashes, Spans.of([b"2", b"1"]).hashes
    assert paired(one, other)[0] != paired(other, one)[0]


def test_what_people_take_for_the_same_has_one_plain_form() -> None:
    assert plain(b"D7") == plain(b"d7") == b"d7"
    assert plain(b"007") == plain(b"7") == plain(b"7.0") == b"7"
    assert plain(b"0") == plain(b"00") == plain(b"0.0") == b"0"
    assert plain(b"v1.0") == b"v1.0"
    assert plain(b"doc-07") == b"doc-07"


def test_topics_are_looked_at_by_the_thousand_not_one_by_one(monkeypatch, tmp_path):
    from gainful.checking import check

    made = []
    one_by_one = Spans.of.__func__
    monkeypatch.setattr(
        Spans, "of", classmethod(lambda cls, ids: made.append(len(ids)) or one_by_one(cls, ids))
    )
    (tmp_path / "qrels").write_text("".join(f"q{topic} 0 d{topic} 1\n" for topic in range(2000)))
    (tmp_path / "run").write_text("".join(f"Q{topic} Q0 Q{topic} 1 1 t\n" for topic in range(2000)))
    (fault,) = check(str(tmp_path / "qrels"), str(tmp_path / "run")).of("fault")
    assert (fault.code, fault.count) == ("topic-ids", 2000)
    assert len(made) < 20
