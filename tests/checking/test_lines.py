"""Fields of TREC text, found all at once, against str.split."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.checking import id_arrays
from gainful.checking.id_arrays import NO_RANK, NotTrecText, rows_of_lists, rows_of_text

Row = tuple[bytes, bytes, int]

word = st.text("abcXYZ019.#-", min_size=1, max_size=12)
blank = st.sampled_from([" ", "\t", "  ", " \t "])


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Lines as they are found: blank ones, comments, tags with spaces, carriage returns, no final newline."""
    made = []
    for _ in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(["row", "row", "row", "blank", "comment"]))
        if kind == "row":
            topic = draw(word.filter(lambda text: not text.startswith("#")))
            rank = draw(
                st.one_of(st.integers(0, 10**9 - 1).map(str), st.sampled_from(["-", "1.5", "x", "0001"]))
            )
            fields = [topic, "Q0", draw(word), rank, "1.5", *draw(st.lists(word, max_size=2))]
            made.append(draw(st.sampled_from(["", " "])) + draw(blank).join(fields))
        else:
            made.append(
                "# a comment with many words in it"
                if kind == "comment"
                else draw(st.sampled_from(["", "  "]))
            )
    ending = draw(st.sampled_from(["\n", "\r\n"]))
    return draw(st.sampled_from(["", "\ufeff"])) + ending.join(made) + draw(st.sampled_from(["", ending]))


def by_hand(text: str) -> list[Row]:
    rows = []
    for line in text.removeprefix("\ufeff").splitlines():
        fields = line.split()
        if fields and not line.startswith("#"):
            rank = int(fields[3]) if fields[3].isdigit() and len(fields[3]) <= 9 else NO_RANK
            rows.append((fields[0].encode(), fields[2].encode(), rank))
    return rows


def found(path: Path) -> list[Row]:
    return [
        (block.topics[place], block.documents[place], int(block.rank[place]))
        for block in rows_of_text(str(path))
        for place in range(len(block))
    ]


@given(text=texts(), size=st.sampled_from([1, 7, 64, 1 << 22]))
def test_every_row_is_found_whatever_the_blocks(
    text: str, size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("lines") / "some.run"
    path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(id_arrays, "BLOCK", size)
        assert found(path) == by_hand(text)


def test_a_line_with_too_few_fields_is_not_a_run(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("q1 Q0 d1 1 1.5 tag\nq1 0 d1 2\n")
    with pytest.raises(NotTrecText):
        found(path)


def test_lists_give_the_same_rows_without_ranks() -> None:
    topics, documents = [b"q1"] * 3 + [b"q2"], [b"d1", b"d2", b"d3", b"d1"]
    (block,) = rows_of_lists(topics, documents)
    assert [block.topics[place] for place in range(4)] == topics
    assert [block.documents[place] for place in range(4)] == documents
    assert block.rank.tolist() == [NO_RANK] * 4
