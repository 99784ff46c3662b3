"""A filter in use: what it answers, why a document came, what another threshold would have done, everything it holds."""

import io
import json
import math

import numpy as np
import pytest

from gainful.errors import DataError, UsageError
from gainful.filtering import Document, Filter
from gainful.filtering.answer_text import explained

from .states import delivered


def test_an_explanation_adds_up_to_the_score(fed):
    for document in delivered(fed)[:3]:
        fed.feedback("one", document, "relevant")
    one = fed.explain("one", delivered(fed)[-1])
    assert math.fsum(part.in_document * part.in_profile for part in one.parts) == pytest.approx(
        one.score, abs=1e-15
    )
    assert one.margin == one.score - one.profile.theta
    assert [part.adds for part in one.parts] == sorted((part.adds for part in one.parts), reverse=True)
    assert one.delivered.document == one.document
    assert one.reason.startswith(f"It was delivered as document {one.position} of the stream: its score was")
    history = fed.history("one")
    assert one.score == history.scores[history.documents.tolist().index(one.position - 1)]


def test_why_not_and_what_would_have_changed_it(fed, states):
    history = fed.history("one")
    below = history.documents[(history.scores > 0) & (history.scores < history.threshold.theta)].tolist()
    sent = set(delivered(fed))
    number = next(one for one in below if f"doc-{one}" not in sent)
    found = fed.explain("one", f"doc-{number}")
    assert found.delivered is None
    assert not found.delivers
    assert "below the threshold" in found.reason
    told = float(found.change[0].split()[3])
    assert found.score - 1e-4 < told <= found.score
    assert found.change[0].endswith("or less would deliver it.")
    assert f"doc-{number}" in {one.document for one in fed.preview("one", found.score).would_come}
    assert f"doc-{number}" not in {
        one.document for one in fed.preview("one", np.nextafter(found.score, 1)).would_come
    }
    fed.ingest([Document("strange", text="zyxwv utsrq")])
    assert fed.explain("one", "strange").reason == "It shares no term with the profile."
    against = next(int(number) for number in history.documents[history.scores < 0])
    assert "weigh more against it than for it" in fed.explain("one", f"doc-{against}").reason
    fed.add_profile("late", text=states.wish(2))
    assert (
        "It arrived before the profile was added; with the current profile its score is"
        in fed.explain("late", "doc-1").reason
    )


@pytest.fixture
def separated(fed, states):
    """The reader has answered, and her profile has terms that weigh against a document."""
    fed.edit_profile("one", rule="expected", model="regression")
    stream = {one.id: one.text for one in states.documents(300, 4)}
    verdicts = {True: "relevant", False: "not-relevant"}
    fed.bulk([("one", document, verdicts["theme1" in stream[document]]) for document in list(stream)[:40]])
    return fed


def test_an_explanation_with_terms_that_weigh_against_adds_up_to_the_score(separated):
    history = separated.history("one")
    score_of = dict(zip(history.documents.tolist(), history.scores.tolist(), strict=True))
    against = 0
    for number in range(0, 300, 7):
        found = separated.explain("one", f"doc-{number}")
        assert found.score == score_of[number]
        assert math.fsum(part.adds for part in found.parts) == pytest.approx(found.score, abs=1e-15)
        assert [part.adds for part in found.parts] == sorted(
            (part.adds for part in found.parts), reverse=True
        )
        assert all(weight > 0 for _, weight in found.missing)
        against += any(part.adds < 0 for part in found.parts)
        written = explained(found, places=12)
        rows = [row.split() for row in written.split("adds\n")[1].split("score (sum)")[0].splitlines()]
        shown = [float(row[-1].replace("−", "-")) for row in rows if row and row[-1][-1].isdigit()]
        assert sum(shown) == pytest.approx(found.score, abs=1e-10)  # what is not shown is added up in one row
        largest = sorted(found.parts, key=lambda part: -abs(part.adds))[:5]
        assert all(part.term in written for part in largest)
    assert against > 30


def test_a_score_below_zero_is_explained_by_what_weighs_against_it(separated):
    history = separated.history("one")
    numbers = history.documents[history.scores < 0].tolist()
    sent = set(delivered(separated))
    number = next(one for one in numbers if f"doc-{one}" not in sent)
    found = separated.explain("one", f"doc-{number}")
    assert found.reason == (
        f"Its score is −{-found.score:.4f}: the terms that it shares with the profile weigh more against it than for it."
    )
    assert found.change == (
        "Judging it, or documents like it, relevant would move the profile towards them.",
    )
    assert not found.delivers


def test_a_term_that_keeps_a_document_back_is_named(separated):
    separated.edit_profile("one", rule="fixed(theta=9)")
    history, sent = separated.history("one"), set(delivered(separated))
    for number in history.documents[history.scores > 0].tolist():
        found = separated.explain("one", f"doc-{number}")
        worst = min(found.parts, key=lambda part: part.adds)
        if worst.adds < 0 and found.document not in sent:
            break
    without = (found.score - worst.adds) / math.sqrt(1 - worst.in_document**2)
    for theta, is_named in ((found.score + 1e-9, True), (without + 1e-9, False)):
        separated.edit_profile("one", rule=f"fixed(theta={theta!r})")
        change = " ".join(separated.explain("one", found.document).change)
        said = f"Without the term '{worst.term}', which speaks against it, it would reach the threshold."
        assert (said in change) == is_named


def test_a_preview_counts_what_a_threshold_would_have_done(fed):
    sent = delivered(fed)
    fed.bulk([("one", sent[0], "relevant"), ("one", sent[1], "not-relevant")])
    every = fed.preview("one", 0.0)
    assert (every.relevant, every.other, every.missed, every.lost) == (1, 1, 0, ())
    assert every.gained == len(every.would_come) - sum(one.delivered for one in every.would_come)
    assert every.utility == 2 - (len(every.would_come) - 1)
    none = fed.preview("one", 2.0)
    assert (none.would_come, none.missed, none.utility) == ((), 1, 0)
    assert {one.document for one in none.lost} == set(sent)
    with pytest.raises(UsageError, match="must be a number"):
        fed.preview("one", math.nan)


def test_the_history_of_a_profile_draws_the_charts_of_a_simulation(fed):
    pytest.importorskip("altair")
    from gainful.filtering.threshold_charts import threshold_over_time, utility_curve

    fed.feedback("one", delivered(fed)[0], "relevant")
    found = fed.history("one")
    assert found.threshold.theta == fed.profile("one").theta
    assert found.replay.renewed[-1] == 300
    assert len(found.replay.deliveries) == len(delivered(fed))
    utility_curve(found.threshold)
    threshold_over_time(found.replay, relevant=found.relevant)


def test_a_curve_is_drawn_around_nothing_before_anything_is_judged(fed):
    fed.edit_profile("one", rule="beta_gamma", model="rocchio")
    from gainful.filtering.threshold_charts import utility_curve

    found = fed.history("one").threshold
    assert found.curve.utility.max() < found.curve.nothing == 0
    low, high = domain_of(utility_curve(found))
    assert low <= found.curve.utility[:10].min() < 0 < high


def domain_of(chart):
    """Of the axis of utility."""
    return next(
        layer["encoding"]["y"]["scale"]["domain"] for layer in chart["layer"] if "y" in layer["encoding"]
    )


def test_the_words_of_many_deliveries_are_those_of_each(fed):
    fed.feedback("one", next(fed.deliveries()).document, "relevant")
    some = list(fed.deliveries())
    assert len(some) > 1
    assert fed.parts(some) == [fed.explain("one", one.document).parts for one in some]


def test_a_file_that_cannot_be_written_says_what_helps(folder):
    with Filter.create(folder / "state") as state:
        state.store.execute("PRAGMA query_only = ON")  # as where file or folder are another's
        with pytest.raises(DataError, match="copy it into a folder of your own"):
            state.add_profile("one", text="cocoa")


def test_an_export_holds_every_event_in_order(fed):
    fed.feedback("one", "doc-1", "relevant")
    fed.feedback("one", "doc-1", "undo")
    fed.add_profile("mute", text="word", rule="none")
    file = io.StringIO()
    lines = fed.export(file)
    header, *events = map(json.loads, file.getvalue().splitlines())
    assert lines == 1 + len(events)
    assert header["kind"] == "filter state"
    assert [one["event"] for one in events] == list(range(1, fed.stats().events + 1))
    found = [(one["id"], one["text"]) for one in events if one["kind"] == "document"]
    assert len(found) == 300
    assert [one["document"] for one in events if one["kind"] == "delivery"] == delivered(fed)
    assert [one["verdict"] for one in events if one["kind"] == "feedback"] == ["relevant", "undo"]
    assert events[0]["body"]["language"] == "english"


def test_a_state_in_numbers(fed):
    found = fed.stats()
    assert (found.documents, found.profiles, found.empty, found.history) == (300, 1, 6, 300)
    assert found.events == 1 + 1 + 300 + found.deliveries + found.epoch + found.feedback
    assert found.epoch_began == 256


def test_near_misses_are_the_highest_scores_that_nobody_saw_or_judged(fed):
    sent = delivered(fed)
    history = fed.history("one")
    ranked = sorted(
        zip(-history.scores, history.documents.tolist(), strict=True), key=lambda pair: (pair[0], pair[1])
    )
    unseen = [f"doc-{number}" for score, number in ranked if score < 0 and f"doc-{number}" not in sent]
    assert [miss.document for miss in fed.near_misses("one", most=5)] == unseen[:5]
    assert [miss.document for miss in fed.near_misses("one", most=1000)] == unseen
    latest = [document for document in unseen if int(document.removeprefix("doc-")) >= 200]
    assert [miss.document for miss in fed.near_misses("one", most=1000, last=100)] == latest
    miss = fed.near_misses("one", most=1)[0]
    found = fed.explain("one", miss.document)
    assert (miss.score, miss.theta, miss.title) == (found.score, found.profile.theta, found.title)
    assert fed.parts([miss]) == [found.parts]


def test_a_near_miss_that_is_judged_is_one_no_more(fed):
    first, second = (miss.document for miss in fed.near_misses("one", most=2))
    fed.feedback("one", first, "not-relevant")
    assert first not in [miss.document for miss in fed.near_misses("one", most=1000)]
    fed.feedback("one", second, "relevant")
    assert fed.profile("one").n == 2


def test_near_misses_have_the_probability_of_the_calibration_that_set_the_threshold(fed):
    fed.edit_profile("one", rule="expected(gamma=1000)")
    fed.bulk([("one", document, "relevant") for document in delivered(fed)[:4]])
    misses = fed.near_misses("one", most=1000)
    chances = [miss.probability for miss in misses]
    assert chances == sorted(chances, reverse=True)
    needed = 1 / 3
    assert all((miss.probability >= needed) == (miss.score >= miss.theta) for miss in misses)
    fed.edit_profile("one", rule="beta_gamma")
    assert {miss.probability for miss in fed.near_misses("one")} == {None}


def test_near_misses_of_none_or_fewer_are_refused(fed):
    for given in ({"most": 0}, {"last": 0}):
        with pytest.raises(UsageError, match="must be 1 document or more; got 0"):
            fed.near_misses("one", **given)
