"""Text to terms, terms to vectors, vectors to profiles; and documents that carry their own vectors."""

import math
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainful.errors import UsageError
from gainful.filtering import Analyzer, Document, Rocchio, Topic
from gainful.filtering.analyzer import STOP, languages
from gainful.filtering.profile_models import Judged, strongest
from gainful.filtering.stream_epochs import Collection
from gainful.filtering.vectors import (
    NOTHING,
    Counts,
    DenseStore,
    Idf,
    TermStore,
    Vector,
    Vocabulary,
)

NONE = np.array([], np.int64)


def judged(relevant=(), other=()):
    return Judged(np.array(relevant, np.int64), np.array(other, np.int64))


def of(*pairs):
    terms, weights = zip(*sorted(pairs), strict=True) if pairs else ((), ())
    return Vector(np.array(terms, np.int32), np.array(weights, np.float64))


# ---- terms -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Oil PRICES rose", ["oil", "price", "rose"]),
        ("the readers' readings", ["reader", "read"]),
        ("the company's shares", ["compani", "share"]),
        ("don't won’t it's", []),
        ("1987 3.5 42nd", ["42nd"]),
        ("x y I a", []),
        ("Straße ﬁnancial", ["straße", "financi"]),
        ("naïve café_bar", ["naïv", "café", "bar"]),
        ("государство", ["государство"]),
        ("", []),
        ("\x00\x01 —…!", []),
    ],
)
def test_words_of_english(text, terms):
    assert Analyzer().terms(text) == terms


def test_another_language_has_its_own_stems_and_stop_words():
    assert Analyzer("german").terms("Die Häuser und der Garten") == ["haus", "gart"]
    assert Analyzer("french").terms("les chevaux de la ville") == ["cheval", "vill"]
    assert Analyzer("spanish").terms("los caballos de la ciudad") == ["caball", "ciud"]


def test_no_language_leaves_words_as_they_are():
    assert Analyzer(None).terms("The Readers") == ["the", "readers"]


@pytest.mark.parametrize(
    "text",
    [
        "हिन्दी में समाचार",
        "தமிழ் செய்திகள்",
        "العَرَبِيَّة أخبار",
        "ייִדיש נײַעס",
        "\U0001e928\U0001e92d\U0001e924\U0001e925\U0001e946\U0001e923 \U0001e925\U0001e944\U0001e923",
        "x\u0304y d\u2019x\u0304y",
    ],
    ids=["hindi", "tamil", "arabic", "yiddish", "adlam", "a mark of its own"],
)
def test_a_mark_on_a_letter_belongs_to_its_word(text):
    words = unicodedata.normalize("NFKC", text).replace("\u2019", "'").split()
    assert Analyzer(None).terms(f"« {text} »") == words


def test_how_a_letter_is_drawn_does_not_make_another_word():
    assert Analyzer(None).terms("ok\ufe0f Cocoa\u2122\ufe0f \u845b\U000e0100\u57ce") == [
        "ok",
        "cocoatm",
        "\u845b\u57ce",
    ]


def test_stop_words_can_be_kept():
    assert Analyzer(stop=False).terms("to be or not") == ["to", "be", "or", "not"]


def test_every_list_of_stop_words_is_for_a_language_with_stems_and_in_lower_case():
    assert set(STOP) <= set(languages())
    assert all(word == word.lower() for words in STOP.values() for word in words)


def test_title_and_body_count_by_their_weights():
    how = Analyzer(title_weight=3, body_weight=0.5)
    assert how.counts("oil", "oil gas") == {"oil": 3.5, "gas": 0.5}
    assert Analyzer(title_weight=0).counts("oil", "gas") == {"gas": 1.0}


@pytest.mark.parametrize("given_", [{"language": "klingon"}, {"title_weight": -1}, {"body_weight": math.nan}])
def test_what_an_analyzer_cannot_do_is_refused(given_):
    with pytest.raises(UsageError):
        Analyzer(**given_)


# ---- vectors ---------------------------------------------------------------------------------------------------------


def counted(*documents):
    vocabulary = Vocabulary()
    return Counts.of([dict(one) for one in documents], vocabulary), vocabulary


def test_a_weight_is_damped_tf_times_idf_scaled_to_length_one():
    # Two documents: oil is in both, gas in one.
    counts, _ = counted({"oil": 1.0}, {"oil": 3.0, "gas": 1.0})
    weights = Idf.of(counts).weighted(counts)
    oil, gas = (1 + math.log(3)) * math.log(3 / 2.5), 1 * math.log(3 / 1.5)
    length = math.hypot(oil, gas)
    assert weights.tolist() == pytest.approx([1.0, oil / length, gas / length], abs=1e-15)


def test_a_tf_below_one_counts_as_it_is():
    counts, _ = counted({"oil": 0.25, "gas": 1.0})
    weights = Idf(10, np.array([5, 5])).weighted(counts)
    assert weights[0] / weights[1] == pytest.approx(0.25)


def test_a_term_that_no_document_had_has_a_weight_too():
    idf = Idf(9, np.array([9, 0]))
    assert idf(np.array([0, 1, 7], np.int32)).tolist() == pytest.approx(
        [math.log(10 / 9.5), math.log(10 / 0.5), math.log(10 / 0.5)]
    )
    assert (idf(np.arange(9, dtype=np.int32)) > 0).all()


def test_an_empty_document_is_an_empty_vector_that_scores_nothing():
    counts, _ = counted({"oil": 1.0}, {}, {"oil": 2.0})
    store = TermStore(Idf.of(counts), counts)
    assert store.score(of((0, 1.0)), 0, 3)[1] == 0
    assert len(store.vector(1).terms) == 0


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 9).map(float)), min_size=1, max_size=8
    )
)
def test_a_document_has_the_same_bits_alone_and_beside_others(documents):
    counts, vocabulary = counted(*documents)
    idf = Idf(20, np.arange(len(vocabulary)))
    together = idf.weighted(counts)
    for number in range(len(documents)):
        start, stop = counts.offsets[number : number + 2]
        assert idf.weighted(counts[number : number + 1]).tobytes() == together[start:stop].tobytes()


# ---- idf epochs ------------------------------------------------------------------------------------------------------


def stream(count, text="oil gas"):
    return [Document(f"d{number}", f"{text} word{number}") for number in range(count)]


def test_epochs_begin_when_the_documents_seen_have_doubled():
    assert Collection(stream(1000), [], reference=100).stops == [200, 400, 800, 1000]
    assert Collection(stream(1000), [], reference=0).stops == [64, 128, 256, 512, 1000]
    assert Collection(stream(1000), [], reference=100, epochs=None).stops == [1000]
    assert Collection(stream(300), [], reference=100, epochs=1.5).stops == [150, 225, 300]


def test_a_vector_is_fixed_by_the_epoch_in_which_the_document_arrives_and_an_epoch_makes_all_anew():
    made = Collection(stream(300, "oil"), [Topic("t", "oil")], reference=100)
    (first_stop, first), (_, second) = made.epochs[:2]
    assert (len(first), len(second), first_stop) == (200, 300, 200)
    assert first.idf.documents == 100
    assert second.idf.documents == 200
    assert first.vector(50).weights.tolist() != second.vector(50).weights.tolist()
    # Documents of the epoch itself take no part in its idf: the same vector whether 60 or 90 of them come after.
    longer = Collection(stream(290, "oil"), [Topic("t", "oil")], reference=100)
    assert longer.epochs[0][1].vector(150).weights.tobytes() == first.vector(150).weights.tobytes()


@pytest.mark.parametrize("factor", [1.0, 0.5, math.inf, math.nan])
def test_epochs_that_never_end_are_refused(factor):
    with pytest.raises(UsageError, match="epochs must be above 1"):
        Collection(stream(10), [], epochs=factor)


# ---- profiles --------------------------------------------------------------------------------------------------------


def store_of(*documents):
    counts, vocabulary = counted(*documents)
    return TermStore(Idf(10, np.zeros(len(vocabulary), np.int64)), counts)


def test_a_profile_is_the_description_and_the_means_of_judged_documents():
    # Unit vectors: documents 0 and 1 are relevant, 2 is not; terms a b c.
    store = store_of({"a": 1.0}, {"b": 1.0}, {"b": 1.0, "c": 1.0})
    half = math.sqrt(0.5)
    profile = Rocchio(description=2, relevant=1, other=0.4, terms=None).profile(
        store, of((0, 1.0)), judged([0, 1], [2]), NONE
    )
    a, b, c = 2 * 1 + 1 * 0.5, 1 * 0.5 - 0.4 * half, -0.4 * half
    assert c < 0
    assert profile.terms.tolist() == [0, 1]
    assert profile.weights.tolist() == pytest.approx([a / math.hypot(a, b), b / math.hypot(a, b)], abs=1e-15)


def test_only_the_strongest_terms_are_kept_and_of_equal_ones_the_first():
    vector = of((1, 0.5), (2, 0.9), (3, 0.5), (4, -2.0), (5, 0.0), (6, 0.7))
    assert strongest(vector, 3).terms.tolist() == [1, 2, 6]
    assert strongest(vector, None).terms.tolist() == [1, 2, 3, 6]
    assert strongest(vector, 1).terms.tolist() == [2]


def test_a_profile_of_nothing_is_empty_and_scores_nothing():
    store = store_of({"a": 1.0})
    profile = Rocchio().profile(store, NOTHING, judged(), NONE)
    assert len(profile.terms) == 0
    assert store.score(profile, 0, 1).tolist() == [0]


@pytest.mark.parametrize(
    ("given_", "reason"),
    [
        ({"terms": 0}, "terms must be 1 or more, or None for all; got 0"),
        ({"terms": 2.5}, "terms must be 1 or more"),
        ({"other": -1}, "other must be 0 or more"),
        ({"relevant": math.nan}, "relevant must be 0 or more"),
        ({"description": "1"}, "description must be 0 or more and finite; got '1'"),
    ],
)
def test_profiles_that_cannot_be_are_refused(given_, reason):
    with pytest.raises(UsageError, match=reason):
        Rocchio(**given_)


# ---- embeddings ------------------------------------------------------------------------------------------------------


def test_embeddings_are_scaled_and_scored_by_all_their_dimensions():
    store = DenseStore(np.array([[3.0, 4.0], [-1.0, 0.0], [0.0, 0.0]]))
    assert store.score(of((0, 1.0), (1, 1.0)), 0, 3).tolist() == pytest.approx([1.4, -1.0, 0.0])
    profile = Rocchio(description=1, relevant=1, other=0.5, terms=1).profile(
        store, of((0, 1.0)), judged([0], [1]), NONE
    )
    raw = np.array([1 + 0.6 + 0.5, 0.8])
    assert profile.weights.tolist() == pytest.approx((raw / np.linalg.norm(raw)).tolist())


def test_an_embedding_has_the_same_bits_alone_and_beside_others():
    vectors = np.random.default_rng(4).normal(size=(9000, 96))
    store = DenseStore(vectors)
    profile = Vector(np.arange(96, dtype=np.int32), vectors[5])
    whole = store.score(profile, 0, 9000)
    for start, stop in ((0, 1), (17, 18), (4000, 8999), (8191, 8193)):
        assert store.score(profile, start, stop).tobytes() == whole[start:stop].tobytes()
