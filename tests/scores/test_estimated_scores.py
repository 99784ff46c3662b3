"""evaluate under a design: estimates with intervals, what they say of themselves, and what is refused."""

import json
import math

import numpy as np
import pytest

from gainful import Scores, compare, evaluate
from gainful.errors import DataError, MeasureError, UsageError
from gainful.judging.notes import grouped

TOPICS = [str(number) for number in range(1, 13)]
CHANCE = np.random.default_rng(5)
QRELS = {
    topic: {f"d{number}": int(grade) for number, grade in enumerate(CHANCE.choice([-1, 0, 1, 2], 8))}
    | {"e": 1}
    for topic in TOPICS
}
DESIGN = [(topic, document, 0.5, "") for topic, graded in QRELS.items() for document in graded]
RUN = {topic: {f"d{number}": 9.0 - number for number in range(8)} for topic in TOPICS}


def test_the_interval_over_topics_is_students_for_skewness_and_that_of_these_topics_is_of_documents_alone():
    run = evaluate(QRELS, RUN, "DCG@4", design=DESIGN, estimator="ht").runs[0]
    values = run.values[0]
    spread, reach = values.std(ddof=1), 2.200985160082949 / math.sqrt(12)  # t with 11 degrees of freedom
    skewness = ((values - values.mean()) ** 3).mean() / spread**3
    for end, y in zip(run.intervals["DCG@4"], (reach, -reach), strict=True):
        x = (
            values.mean() - end
        ) / spread  # Hall's transformation of x, which the end of the interval makes ± t / √n
        assert x + skewness * x**2 / 3 + skewness**2 * x**3 / 27 + skewness / (6 * 12) == pytest.approx(y)
    gains = [
        sum(
            2 * QRELS[topic][f"d{n}"] ** 2 / math.log2(n + 2) ** 2
            for n in range(4)
            if QRELS[topic][f"d{n}"] > 0
        )
        for topic in TOPICS
    ]  # (1 − 1/2) / (1/2)² times the square of gain and discount
    half = 1.959963984540054 * math.sqrt(sum(gains)) / 12
    assert run.of_these_topics(0) == pytest.approx((values.mean() - half, values.mean() + half))


def test_auto_is_centred_where_documents_that_were_not_drawn_are_listed():
    by_name = {
        kind: evaluate(QRELS, RUN, "P@4", design=DESIGN, estimator=kind).mean
        for kind in ("auto", "centred", "ht")
    }
    assert by_name["auto"] == by_name["centred"] != by_name["ht"]
    drawn = {
        topic: {document: grade for document, grade in of.items() if grade >= 0}
        for topic, of in QRELS.items()
    }
    plain = {kind: evaluate(drawn, RUN, "P@4", design=DESIGN, estimator=kind).mean for kind in ("auto", "ht")}
    assert plain["auto"] == plain["ht"] == by_name["ht"]
    with pytest.raises(
        UsageError, match="--estimator centred needs the documents that could have been drawn"
    ):
        evaluate(drawn, RUN, "P@4", design=DESIGN, estimator="centred")


def test_a_topic_in_which_nothing_relevant_was_drawn_is_left_out_and_named():
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 0, "b": -1}, "3": {"a": 1, "b": 0}}
    design = {topic: {"a": 0.5, "b": 0.5} for topic in qrels}
    run = {topic: {"a": 2.0, "b": 1.0} for topic in qrels}
    scores = evaluate(qrels, run, "AP, P@1", design=design, estimator="ht")
    assert list(scores.per_topic["2"]) == ["P@1"]
    assert scores.mean["P@1"] == pytest.approx((2 + 0 + 2) / 3)
    assert any(note.startswith("1 topic left out") and note.endswith("2") for note in scores.notes)
    certain = {topic: {"a": 1, "b": 1} for topic in qrels}
    complete = {
        topic: {document: max(grade, 0) for document, grade in of.items()} for topic, of in qrels.items()
    }
    assert evaluate(complete, run, "AP", design=certain).mean["AP"] == pytest.approx(2 / 3)


def test_measures_without_an_estimator_have_bounds_and_say_so():
    scores = evaluate(
        {"1": {"b": 1}}, {"1": {"a": 2.0, "b": 1.0}}, "RR, Bpref, P@2", design={"1": {"b": 0.5}}
    )
    run = scores.runs[0]
    assert run.intervals["RR"] == (0.5, 1.0)
    assert run.intervals["Bpref"] == (0.0, 1.0)
    assert math.isnan(run.mean["RR"])
    assert run.mean["P@2"] == 1.0
    assert any(note.startswith("RR and Bpref cannot be estimated without bias") for note in scores.notes)
    assert "– [0.5000, 1.0000]" in str(scores)


def test_tables_and_json_say_that_the_numbers_are_estimates():
    design = [(topic, document, 0.9, "") for topic, document, *_ in DESIGN]
    scores = evaluate(QRELS, RUN, "nDCG@4, R@4, RR", design=design)
    drawn = sum(grade >= 0 for of in QRELS.values() for grade in of.values())
    said = " ".join(str(scores).split())
    assert f"estimated from {drawn} judgments drawn with probability 0.90 (the design)" in said
    content = scores.to_dict()
    design = content["qrels"]["design"]
    assert (design["drawn"], design["by_chance"], design["least_probability"]) == (drawn, True, 0.9)
    of_run = json.loads(json.dumps(content["runs"][0]["intervals"]))
    assert of_run["nDCG@4"]["bias"] == "approximate"
    assert math.isnan(of_run["R@4"]["documents"][0])  # few relevant documents make it too narrow
    assert list(content["runs"][0]["bounds"]) == ["RR"]
    assert "nDCG@4 is approximate under a design: see docs/design_estimates.md for the bias" in grouped(
        scores.notes
    )


def test_only_some_topics_have_the_values_that_they_have_among_all():
    whole = evaluate(QRELS, RUN, "DCG@4, AP, statAP, R@4", design=DESIGN, estimator="ht")
    part = evaluate(QRELS, RUN, "DCG@4, AP, statAP, R@4", design=DESIGN, estimator="ht", topics=["3", "7"])
    assert part.per_topic == {topic: whole.per_topic[topic] for topic in ("3", "7")}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"unjudged": "condense"}, "--unjudged condense changes which documents count"),
        ({"ties": "expected"}, "--ties expected changes"),
        ({"pool": "retrieved"}, "--pool retrieved changes"),
        ({"estimator": "best"}, "estimator must be one of auto, ht, centred, ratio; got 'best'"),
        ({"expected": 3}, "--expected is not possible together with a design"),
    ],
)
def test_settings_that_have_no_meaning_for_estimates_are_refused(options, words):
    with pytest.raises(UsageError, match=words):
        evaluate(QRELS, RUN, "P@4", design=DESIGN, **options)


def test_infap_wants_a_simple_random_sample():
    unequal = [(topic, document, 0.5 if document == "e" else 0.25, "") for topic, document, *_ in DESIGN]
    with pytest.raises(MeasureError, match="infAP is for a simple random sample"):
        evaluate(QRELS, RUN, "infAP", design=unequal)


def test_a_measure_that_needs_probabilities_says_where_they_come_from():
    with pytest.raises(MeasureError, match=r"statAP needs the probabilities .*: --design STUDY"):
        evaluate(QRELS, RUN, "statAP")


def test_estimates_of_some_topics_are_not_merged():
    """What all topics were drawn with decides the values of each, so parts cannot give the whole."""
    parts = [
        evaluate(QRELS, RUN, "nDCG@4", design=DESIGN, topics=topics) for topics in (TOPICS[:6], TOPICS[6:])
    ]
    with pytest.raises(UsageError, match="estimates from a sample of documents are not merged"):
        Scores.merge(*parts)


def test_a_run_whose_documents_could_not_be_drawn_is_named():
    qrels = {"1": {"a": 1, "b": -1, "c": 0}}
    design = {"1": {"a": 0.5, "b": 0.5, "c": 0.5}}
    runs = {"known": {"1": {"a": 3.0, "b": 2.0}}, "other": {"1": {"a": 3.0, "x": 2.0}}}
    scores = evaluate(qrels, runs, "P@2", design=design)
    (note,) = [note for note in scores.notes if "could not be drawn" in note]
    assert note.startswith("other: 50 % of the top 2 could not be drawn for judging")
    assert [run.never_drawn for run in scores] == [0.0, 0.5]
    unlisted = evaluate({"1": {"a": 1, "c": 0}}, runs, "P@2", design={"1": {"a": 0.5, "c": 0.5}})
    assert not any("could not be drawn" in note for note in unlisted.notes)


def test_where_too_little_was_drawn_there_are_bounds_in_place_of_intervals_and_a_sentence_says_what_to_do():
    documents = [f"d{number}" for number in range(20)]
    run = {topic: {document: 20.0 - place for place, document in enumerate(documents)} for topic in TOPICS}
    design = {topic: dict.fromkeys(documents, 0.1) for topic in TOPICS}

    def scores(drawn, measures, first=(), **options):
        grades = dict(first)
        qrels = {
            topic: {d: grades.get(topic, 1) if d == "d0" else 1 if d in drawn else -1 for d in documents}
            for topic in TOPICS
        }
        return evaluate(qrels, run, measures, design=design, **options)

    few = scores({"d0", "d15"}, "AP, DCG@10, statAP", first={"1": 2})
    assert few.runs[0].mean["AP"] > 0
    low, high = few.runs[0].intervals["AP"]
    # least where of the others only those below d15, at ranks 17 to 20, are relevant; most where all are
    assert low == pytest.approx((1 + 2 / 16 + 3 / 17 + 4 / 18 + 5 / 19 + 6 / 20) / 6)
    assert high == pytest.approx(1.0)
    assert math.isnan(few.runs[0].over_topics(0)[0])
    notes = list(few.notes)
    assert any(
        "AP: bounds in place of an interval, as 10 % of the documents are drawn on average" in note
        for note in notes
    )
    assert any(
        "statAP: bounds in place of an interval, as it is biased by an amount" in note for note in notes
    )
    assert "of AP and statAP, bounds" in few.runs[0].stated_design
    content = few.to_dict()["runs"][0]
    assert list(content["intervals"]) == ["DCG@10"]
    assert list(content["bounds"]) == ["AP", "statAP"]
    assert content["bounds"]["statAP"] == content["bounds"]["AP"]  # which it estimates
    alike = scores({"d0", "d1"}, "DCG@10", estimator="ht")
    assert "all topics have one estimate" in " ".join(alike.notes)
    assert list(alike.to_dict()["runs"][0]["bounds"]) == ["DCG@10"]
    ratio = [scores(drawn, "P@10", estimator="ratio").notes for drawn in ({"d0", "d5"}, {"d0", "d5", "d9"})]
    assert ["needs 3" in " ".join(notes) for notes in ratio] == [True, False]


def test_topics_without_anything_relevant_that_are_left_out_leave_no_interval():
    qrels = {topic: {"a": int(number > 1), "b": 0, "c": -1} for number, topic in enumerate(TOPICS)}
    design = {topic: dict.fromkeys("abc", 0.5) for topic in TOPICS}
    run = {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in TOPICS}
    scores = evaluate(qrels, run, "R@2, P@2", design=design)
    assert any(
        "R@2: bounds in place of an interval, as nothing relevant was drawn in 17 % of the topics" in note
        for note in scores.notes
    )
    assert "R@2" in scores.to_dict()["runs"][0]["bounds"]


def sampled(seed, number=30, chance=0.03):
    """Of 20 documents of each topic, some drawn with this chance; of the first five, about half are relevant, of others none."""
    draw = np.random.default_rng(seed)
    documents = [f"d{place}" for place in range(20)]
    topics = [str(topic) for topic in range(number)]
    qrels = {
        topic: {
            document: int(place < 5 and draw.random() < 0.55) if draw.random() < chance else -1
            for place, document in enumerate(documents)
        }
        for topic in topics
    }
    down = {topic: {document: -float(place) for place, document in enumerate(documents)} for topic in topics}
    up = {topic: {document: float(place) for place, document in enumerate(documents)} for topic in topics}
    return qrels, {topic: dict.fromkeys(documents, chance) for topic in topics}, down, up


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["ht", "centred"])
@pytest.mark.parametrize("measure", ["DCG@5", "P@10", "nDCG@5", "AP", "R@5"])
def test_where_little_relevant_was_drawn_nothing_is_certain(measure, kind, seed):
    qrels, design, good, poor = sampled(seed)
    for run in (good, poor):
        scored = evaluate(qrels, run, measure, design=design, estimator=kind).runs[0]
        assert scored.ends[0] is not None
        assert math.isnan(scored.over_topics(0)[0])
        low, high = scored.intervals[measure]
        assert high - low > 0.5


def test_one_topic_has_bounds_and_no_interval_for_topics_and_documents():
    qrels, design = {"1": {"a": 1, "b": -1}}, {"1": {"a": 0.5, "b": 0.5}}
    scored = evaluate(qrels, {"1": {"a": 2.0, "b": 1.0}}, "P@2, DCG@2", design=design).runs[0]
    assert scored.intervals["P@2"] == (0.5, 1.0)
    assert scored.stated_design.endswith("in brackets: bounds")


def test_topics_in_which_everything_was_judged_count_as_known():
    qrels, design, good, _ = sampled(1)
    known = {
        topic: {document: max(grade, 0) for document, grade in of.items()} for topic, of in qrels.items()
    }
    for topic in list(known)[:12]:
        qrels[topic], design[topic] = known[topic] | {"d0": 1}, dict.fromkeys(known[topic], 1.0)
    assert evaluate(qrels, good, "P@5", design=design, estimator="ht").runs[0].estimates[0].refused == ""


def test_a_run_that_alone_has_no_interval_is_named():
    qrels, design, good, poor = sampled(4, 60, 0.3)
    notes = evaluate(qrels, {"good": good, "poor": poor}, "DCG@5", design=design).notes
    (note,) = [note for note in notes if note.startswith("DCG@5: bounds in place of an interval")]
    assert note.endswith("(so in poor)")


def test_of_several_runs_a_measure_has_no_note_on_its_bias_where_it_has_bounds():
    qrels, design, good, poor = sampled(4, 60, 0.5)
    notes = " ".join(evaluate(qrels, {"good": good, "poor": poor}, "AP", design=design).notes)
    assert "AP: bounds in place of an interval" in notes
    assert "ratios of estimates" not in notes


@pytest.mark.parametrize(
    ("measure", "kind"),
    [("P@1", "ratio"), ("P@2", "ratio"), ("DCG@3", "ratio")],
)
def test_a_rule_asks_for_no_more_documents_than_the_cutoff_leaves(measure, kind):
    draw = np.random.default_rng(3)
    documents = [f"d{place}" for place in range(8)]
    run = {
        str(topic): {document: -float(place) for place, document in enumerate(documents)}
        for topic in range(60)
    }
    design = {topic: dict.fromkeys(documents, 0.98) for topic in run}
    qrels = {
        topic: {document: int(draw.integers(2)) if draw.random() < 0.98 else -1 for document in documents}
        for topic in run
    }
    refused = evaluate(qrels, run, measure, design=design, estimator=kind).runs[0].estimates[0].refused
    assert refused == ""
    half = {topic: dict.fromkeys(documents, 0.5) for topic in run}
    few = {topic: {d: 1 if draw.random() < 0.5 else -1 for d in of} for topic, of in qrels.items()}
    assert "needs" in evaluate(few, run, measure, design=half, estimator=kind).runs[0].estimates[0].refused


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("measure", ["R@15", "nDCG@5", "NCG@10", "AP"])
@pytest.mark.parametrize(("chance", "given"), [(0.2, False), (0.4, True)])
def test_whether_a_share_has_an_interval_follows_from_how_many_documents_are_drawn(
    chance, given, measure, listed
):
    """Whatever the grades are; of the first ten of a list half are drawn."""
    documents = [f"d{place}" for place in range(40)]
    run = {
        str(topic): {document: -float(place) for place, document in enumerate(documents)}
        for topic in range(60)
    }
    design = {document: 0.5 if place < 10 else chance for place, document in enumerate(documents)}
    for relevant in (0.9, 0.4):
        draw = np.random.default_rng(8)
        drawn = {topic: {d for d in documents if draw.random() < design[d]} for topic in run}
        qrels = {
            topic: {
                d: int(draw.random() < relevant) * int(draw.integers(1, 3)) if d in drawn[topic] else -1
                for d in documents
                if d in drawn[topic] or listed
            }
            for topic in run
        }
        known = {topic: {d: design[d] for d in of} for topic, of in qrels.items()}
        refused = evaluate(qrels, run, measure, design=known, estimator="ht").runs[0].estimates[0].refused
        assert (refused == "") is given
        if listed and not given:  # (10 · 0.5 + 30 · 0.2) / 40
            assert refused == (
                "28 % of the documents are drawn on average, and 35 % are needed to know what there was to find; "
                "judge more, or take a sum, such as DCG@10"
            )


@pytest.mark.parametrize("topics", [1, 12])
def test_a_design_of_which_nothing_was_drawn_has_bounds_alone_and_no_probability(topics):
    nothing = {topic: dict.fromkeys(("a", "b"), -1) for topic in TOPICS[:topics]}
    design = [(topic, document, 0.5, "") for topic in nothing for document in "ab"]
    first = {topic: {"a": 2.0, "b": 1.0} for topic in nothing}
    made = evaluate(nothing, first, "P@2,nDCG@2", design=design)
    assert made.runs[0].intervals == {"P@2": (0.0, 1.0), "nDCG@2": (0.0, 1.0)}
    said = json.loads(json.dumps(made.to_dict()))["qrels"]["design"]
    assert (said["drawn"], said["least_probability"]) == (0, None)
    assert "estimated from 0 judgments (the design)" in str(made)
    with pytest.raises(DataError, match="drawn above the cutoff in 0 topics"):
        compare(nothing, {"a": first, "b": first}, "P@2", design=design)
