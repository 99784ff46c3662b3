"""Simulations: rows, grids, counts by hand, baselines, embeddings, processes, views and charts."""

import csv
import io
import json
import math
import sys
from dataclasses import replace
from multiprocessing import Pipe

import numpy as np
import pytest

import gainful
from gainful.curves.drawing import ready, rendered
from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.filtering import (
    Analyzer,
    Document,
    Feedback,
    LinearUtility,
    Rocchio,
    Rule,
    Topic,
    charts,
    processes,
    simulate,
    views,
)
from gainful.filtering.demo import Demo, demo
from gainful.filtering.rules import parse_profiles, parse_rules
from gainful.filtering.significance import compared


def run(made: Demo, **given):
    return simulate(made.documents, made.topics, made.qrels, **{"reference": 100, **given})


@pytest.fixture(scope="module")
def simulation(small):
    return run(
        small,
        rules=["beta_gamma(gamma=[0.01,0.05])", "zero", "fixed(theta=0.3)"],
        trace=["garden"],
        windows=8,
    )


# ---- rows ------------------------------------------------------------------------------------------------------------


def test_nothing_and_hindsight_are_always_rows(simulation, small):
    names = [row.name for row in simulation.rows]
    assert names == [
        "beta_gamma(gamma=0.01)",
        "beta_gamma",
        "zero",
        "fixed(theta=0.3)",
        "none",
        "hindsight: beta_gamma(gamma=0.01)",
    ]
    alone = [row.name for row in run(small, rules="ratio").rows]
    assert alone == ["ratio", "none", "hindsight: ratio"]
    asked = [row.name for row in run(small, rules=["none", "zero"]).rows]
    assert asked == ["none", "zero", "hindsight: zero"]


def test_delivering_nothing_is_worth_a_third(simulation):
    nothing = simulation["none"]
    assert nothing.scores.mean["T11SU"] == pytest.approx(0.5 / 1.5)
    assert (nothing.scores.mean["NumRet"], nothing.silent, nothing.negative) == (0, 8, 0)


def test_hindsight_is_the_best_single_cut_of_the_scores_as_they_arrived(simulation, small):
    replay = simulation.trace("beta_gamma(gamma=0.01)", "garden")
    relevant = simulation.relevant_to("garden")
    best = 0
    for cut in set(replay.scores[replay.scores > 0]):
        delivered = 100 + np.flatnonzero(replay.scores >= cut)
        good = sum(int(one) in relevant for one in delivered)
        best = max(best, 2 * good - (len(delivered) - good))
    row = simulation["hindsight: beta_gamma(gamma=0.01)"]
    assert row.scores.per_topic["garden"]["T11U"] == best > 0
    assert best >= simulation["beta_gamma(gamma=0.01)"].scores.per_topic["garden"]["T11U"]


def test_measures_are_those_of_counts_by_hand(simulation, small):
    numbers = {document.id: number for number, document in enumerate(small.documents)}
    for row in simulation.rows:
        silent = negative = 0
        for place, topic in enumerate(simulation.topics):
            relevant = {numbers[one] for one in small.qrels[topic] if numbers[one] >= 100}
            delivered = row.deliveries[place].tolist()
            good = len(relevant & set(delivered))
            other = len(delivered) - good
            values = row.scores.per_topic[topic]
            assert values["T11U"] == 2 * good - other
            scaled = (max((2 * good - other) / (2 * len(relevant)), -0.5) + 0.5) / 1.5
            assert values["T11SU"] == pytest.approx(scaled, abs=1e-15)
            precision, recall = good / max(len(delivered), 1), good / len(relevant)
            f = 1.25 * precision * recall / (0.25 * precision + recall) if good else 0
            assert values["T11F"] == pytest.approx(f, abs=1e-15)
            assert (values["SetP"], values["SetR"]) == pytest.approx((precision, recall))
            assert values["NumRet"] == len(delivered)
            silent += not delivered
            negative += 2 * good < other
        assert (row.silent, row.negative) == (silent, negative)


def test_windows_add_up_to_the_whole(simulation):
    for row in simulation.rows:
        windows = row.over_time
        assert len(windows) == 8
        assert (windows[0]["from"], windows[-1]["to"]) == (100, 900)
        assert sum(one["delivered"] for one in windows) == row.scores.mean["NumRet"]
        assert sum(one["utility"] for one in windows) == pytest.approx(row.scores.mean["T11U"] * 8)
        for one in windows:
            assert one["precision"] == (one["relevant"] / one["delivered"] if one["delivered"] else None)


def test_theta_in_windows_is_the_one_in_force_at_their_end(simulation):
    replay = simulation.trace("zero", "garden")
    row = simulation["zero"]
    ends = [one["to"] for one in row.over_time]
    for number, end in enumerate(ends):
        in_force = [
            theta for at, theta in zip(replay.renewed, replay.thresholds[:, 0], strict=True) if at < end
        ][-1]
        assert row.thresholds[simulation.topics.index("garden"), number, 0] == in_force


def test_deliveries_are_a_run_that_evaluate_scores_alike(simulation, small):
    row = simulation["zero"]
    ids = [document.id for document in small.documents]
    as_run = {
        topic: {ids[number]: -place for place, number in enumerate(row.deliveries[at].tolist())}
        for at, topic in enumerate(simulation.topics)
    }
    late = set(ids[100:])
    judged = {
        topic: {one: grade for one, grade in grades.items() if one in late}
        for topic, grades in small.qrels.items()
    }
    assert gainful.evaluate(judged, as_run, "T11SU").mean["T11SU"] == row.scores.mean["T11SU"]


def test_a_utility_of_one_s_own_is_learned_and_measured(small):
    made = run(small, rules="beta_gamma", utility=LinearUtility(1, -3))
    assert [str(one) for one in made.scores.measures][:3] == [
        "T11SU(credit=1,cost=-3)",
        "T11F",
        "T11U(credit=1,cost=-3)",
    ]
    usual = run(small, rules="beta_gamma")
    assert made.rows[0].scores.mean["NumRet"] < usual.rows[0].scores.mean["NumRet"]


def test_what_is_missed_and_avoided_counts_in_every_column_alike(small):
    made = run(small, rules="zero", utility=LinearUtility(0, -1, missed=-2, avoided=0.5))
    measure = "T11U(cost=-1.5)"  # credit less missed is 2, as usual; cost less avoided is not
    for row in made.rows:
        windows = sum(one["utility"] for one in row.over_time)
        assert windows == pytest.approx(sum(values[measure] for values in row.scores.per_topic.values()))
        assert row.negative == sum(values[measure] < 0 for values in row.scores.per_topic.values())


def test_a_grade_that_is_too_low_is_not_relevant(small):
    graded = {
        topic: {one: 1 + place % 2 for place, one in enumerate(grades)}
        for topic, grades in small.qrels.items()
    }
    made = simulate(small.documents, small.topics, graded, rules="zero", reference=100, rel=2)
    plain = run(small, rules="zero")
    assert sum(map(len, made.relevant)) < sum(map(len, plain.relevant))


# ---- grids -----------------------------------------------------------------------------------------------------------


def test_rules_and_profiles_make_a_grid(small):
    made = run(small, rules="ratio(share=[0.01,0.02])", profiles="rocchio(terms=[20,80],other=0)")
    names = [row.name for row in made.rows[:4]]
    assert names == [
        "ratio(share=0.01) rocchio(other=0,terms=20)",
        "ratio(share=0.02) rocchio(other=0,terms=20)",
        "ratio(share=0.01) rocchio(other=0,terms=80)",
        "ratio(share=0.02) rocchio(other=0,terms=80)",
    ]
    assert made.rows[0].variant.profile == Rocchio(other=0, terms=20)


def test_a_name_is_read_back_as_itself():
    for text in ("beta_gamma(beta=0,gamma=0.01)", "ratio", "fixed(theta=-0.5)", "none"):
        assert [str(one) for one in parse_rules(text)] == [text]
    assert parse_rules("beta_gamma(beta=0.1)") == parse_rules("beta_gamma") == [Rule("beta_gamma")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("best", "there is no rule 'best'; there are beta_gamma, optimum"),
        ("ratio(beta=1)", "ratio has no parameter 'beta'; it takes share"),
        ("none(beta=1)", "none has no parameter 'beta'; it takes none"),
        ("fixed", "fixed needs theta"),
        ("ratio(share=0)", "share must be above 0"),
        ("ratio(share='a')", "share must be a number; got 'a'"),
        ("ratio(0.5)", "is not understood; write it as"),
        ("ratio(share=[])", "is not understood"),
        ("ratio(share=open('x'))", "is not understood"),
        ("ratio(**{})", "is not understood"),
        ("ratio(share=0.1,share=0.2)", "is not understood"),
        ("ratio.share", "is not understood"),
        ("(" * 500, "is not understood"),
    ],
)
def test_rules_that_are_none_are_refused(text, reason):
    with pytest.raises(UsageError, match=reason):
        parse_rules(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("bm25", "there is rocchio"),
        ("rocchio(k=1)", "no parameter 'k'"),
        ("rocchio(terms=0)", "terms must be"),
    ],
)
def test_profiles_that_are_none_are_refused(text, reason):
    with pytest.raises(UsageError, match=reason):
        parse_profiles(text)


# ---- what goes in ----------------------------------------------------------------------------------------------------


def test_a_reference_set_is_a_number_a_share_or_another_stream(small):
    number, share = (run(small, rules="zero", reference=one) for one in (90, "10%"))
    apart = simulate(
        small.documents[90:], small.topics, small.qrels, rules="zero", reference=small.documents[:90]
    )
    text = run(small, rules="zero", reference="90")
    for other in (share, apart, text):
        assert [one.tolist() for one in other.rows[0].deliveries] == [
            one.tolist() for one in number.rows[0].deliveries
        ]


@pytest.mark.parametrize(
    ("given_", "reason"),
    [
        (900, "some must remain"),
        (-1, "some must remain"),
        ("x%", "is no share"),
        ("inf%", "is no share"),
    ],
)
def test_a_reference_set_that_cannot_be_is_refused(small, given_, reason):
    with pytest.raises(UsageError, match=reason):
        run(small, reference=given_)


def test_examples_that_a_topic_names_are_used_and_must_come_before_the_start(small):
    document = small.documents[7].id
    topics = [replace(small.topics[0], examples=(document,))]
    made = simulate(small.documents, topics, small.qrels, rules="zero", reference=100, trace=1)
    assert made.traces["zero", "garden"].thresholds[0, 4] == 1
    for wrong, reason in (
        ("d00500", "is document 500 of the stream, after the start"),
        ("nowhere", "is not in the stream"),
    ):
        with pytest.raises(DataError, match=reason):
            simulate(
                small.documents, [replace(small.topics[0], examples=(wrong,))], small.qrels, reference=100
            )


def test_a_topic_with_nothing_to_begin_with_is_refused(small):
    with pytest.raises(DataError, match="topics, line 1: topic 'garden' has no text and no examples"):
        simulate(small.documents, [replace(small.topics[0], text=" ")], small.qrels, reference=0)


def test_a_topic_without_judgments_is_refused_or_left_out(small):
    topics = [*small.topics, Topic("opera", "opera singer", place=9)]
    with pytest.raises(DataError, match="topics, line 9: topic 'opera' has no judgments"):
        simulate(small.documents, topics, small.qrels, rules="zero")
    made = simulate(small.documents, topics, small.qrels, rules="zero", unjudged_topics="skip")
    assert "opera" not in made.topics
    assert any("1 topic without judgments left out" in note for note in made.notes)


def test_topics_with_nothing_to_find_after_the_start_are_left_out_and_counted(small):
    early = {"garden": {small.documents[5].id: 1}, "chess": small.qrels["chess"]}
    made = simulate(small.documents, small.topics, early, rules="zero", reference=100, unjudged_topics="skip")
    assert made.topics == ("chess",)
    assert made.nothing_to_find == ("garden",)
    with pytest.raises(NothingInCommon):
        simulate(small.documents, small.topics[:1], {"garden": early["garden"]}, rules="zero", reference=100)


def test_judgments_of_documents_elsewhere_count_for_nothing(small):
    more = {topic: {**grades, "elsewhere": 1} for topic, grades in small.qrels.items()}
    made, plain = (
        simulate(small.documents, small.topics, more, rules="zero"),
        run(small, rules="zero", reference=0),
    )
    assert made.rows[0].scores.mean == plain.rows[0].scores.mean
    assert any("not in the stream count for nothing: 8" in note for note in made.notes)


def test_empty_documents_are_kept_and_never_delivered(small):
    documents = list(small.documents)
    documents[200] = Document("empty", "")
    made = simulate(documents, small.topics, small.qrels, rules=["fixed(theta=-1)", "zero"], reference=100)
    assert len(made.documents) == 900
    assert all(200 not in of.tolist() for row in made.rows for of in row.deliveries)


# ---- documents that carry their own vectors ----------------------------------------------------------------------------


def embedded(seed=1, count=400):
    """Documents around four directions, topics near two of them."""
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(4, 16))
    kinds = chance.integers(0, 4, count)
    vectors = centres[kinds] + 0.6 * chance.normal(size=(count, 16))
    documents = [Document(f"d{number}", vector=tuple(map(float, one))) for number, one in enumerate(vectors)]
    topics = [Topic("x", vector=tuple(map(float, centres[0] + chance.normal(size=16)))), Topic("y")]
    qrels = {
        name: {f"d{one}": 1 for one in np.flatnonzero(kinds == kind)} for name, kind in (("x", 0), ("y", 1))
    }
    return documents, topics, qrels


def test_the_same_code_filters_embeddings():
    documents, topics, qrels = embedded()
    made = simulate(documents, topics, qrels, rules=["beta_gamma", "zero"], reference=60, examples=2)
    values = made["beta_gamma"].scores.mean
    assert values["T11SU"] > 0.6
    assert made["hindsight: beta_gamma"].scores.mean["T11U"] >= values["T11U"]


def test_a_topic_needs_a_vector_of_the_same_length_or_examples():
    documents, topics, qrels = embedded()
    with pytest.raises(DataError, match="topic 'y' has no vector and no examples"):
        simulate(documents, topics, qrels, reference=0)
    with pytest.raises(DataError, match="topic 'x' has a vector of 3 numbers, and the documents have 16"):
        simulate(documents, [Topic("x", vector=(1.0, 2.0, 3.0))], qrels, reference=0)


@pytest.mark.parametrize(
    ("before", "has"),
    [
        (Document("r", vector=(1.0, 2.0, 3.0)), "vectors of 3 numbers"),
        (Document("r", "words"), "no vector"),
    ],
)
def test_a_reference_set_must_be_of_the_same_kind_as_the_stream(before, has):
    documents, topics, qrels = embedded()
    said = f"the reference set have {has}, and those of the stream have vectors of 16 numbers"
    with pytest.raises(DataError, match=said):
        simulate(documents, topics[:1], qrels, reference=[before])


# ---- processes -------------------------------------------------------------------------------------------------------


def test_two_processes_give_the_same_as_one(monkeypatch):
    made = demo(documents=3000)
    given_ = {
        "rules": ["beta_gamma", "zero"],
        "examples": 1,
        "trace": ["bees"],
        "reference": 300,
        "feedback": Feedback(10, 0.8),
    }
    told = []
    one = run(made, jobs=1, **given_)
    assert len(made.documents) * 16 < processes._ENOUGH  # too little to start processes for, so ask for them
    monkeypatch.setattr(processes, "_ENOUGH", 0)
    two = run(made, jobs=2, told=lambda done, whole: told.append((done, whole)), **given_)
    assert views.json(two, per_topic=True) == views.json(one, per_topic=True)
    assert two.trace("zero", "bees").thresholds.tobytes() == one.trace("zero", "bees").thresholds.tobytes()
    assert told[-1] == (16, 16)


def test_a_process_that_has_ended_is_said_whether_it_is_asked_or_waited_for():
    for call in (lambda end: processes._ask(end, (0, 0, False)), processes._answer):
        ours, theirs = Pipe()
        theirs.close()
        with pytest.raises(RuntimeError, match="ended without an answer; was memory short"):
            call(ours)
        ours.close()


# ---- views -----------------------------------------------------------------------------------------------------------


def test_the_table_names_what_it_shows(simulation):
    lines = views.table(simulation).splitlines()
    assert lines[0].split() == [
        "rule",
        "T11SU",
        "T11F",
        "T11U",
        "SetP",
        "SetR",
        "deliveries",
        "silent",
        "negative",
    ]
    assert lines[2].startswith("beta_gamma(gamma=0.01)")
    assert "8 topics · 800 documents after 100 of reference · 2 to 3 examples a topic · utility 2,-1" in lines
    assert "|" in views.markdown(simulation)


def test_csv_has_every_value_in_full(simulation):
    rows = list(csv.DictReader(io.StringIO(views.long_csv(simulation, per_topic=True))))
    found = {(row["rule"], row["topic"], row["measure"]): row["value"] for row in rows}
    assert float(found["zero", "all", "T11SU"]) == simulation["zero"].scores.mean["T11SU"]
    assert float(found["zero", "chess", "T11U"]) == simulation["zero"].scores.per_topic["chess"]["T11U"]
    assert float(found["none", "all", "silent"]) == 8


def test_json_has_everything_that_a_report_needs(simulation):
    whole = json.loads(views.json(simulation, per_topic=True, against=compared(simulation)))
    assert whole["kind"] == "filter simulation"
    assert whole["settings"]["reference"] == 100
    assert whole["settings"]["epoch_ends"] == [200, 400, 800, 900]
    assert whole["settings"]["text"] == {
        "language": "english",
        "stop": True,
        "title_weight": 1,
        "body_weight": 1,
    }
    assert whole["settings"]["utility"] == {"credit": 2, "cost": -1, "missed": 0, "avoided": 0}
    assert [row["name"] for row in whole["rows"]] == [row.name for row in simulation.rows]
    first = whole["rows"][0]
    assert first["rule"] == {"name": "beta_gamma", "beta": 0.1, "gamma": 0.01, "share": 0.005}
    assert first["profile"]["name"] == "rocchio"
    assert len(first["over_time"]) == 8
    garden = first["per_topic"]["garden"]
    assert len(garden["delivered"]) == garden["NumRet"]
    assert len(garden["theta"]) == 8
    assert whole["comparisons"]["baseline"] == "beta_gamma(gamma=0.01)"
    assert len(whole["comparisons"]["pairs"]) == 5
    assert "per_topic" not in json.loads(views.json(simulation))["rows"][0]


def test_rules_are_compared_pair_by_pair_on_the_same_topics(simulation):
    found = compared(simulation)
    assert {(pair.a, pair.b) for pair in found.pairs} == {
        ("beta_gamma(gamma=0.01)", row.name) for row in simulation.rows[1:]
    }
    nothing = next(pair for pair in found.pairs if pair.b == "none")
    expected = np.mean([one["T11SU"] for one in simulation["none"].scores.per_topic.values()]) - np.mean(
        [one["T11SU"] for one in simulation.rows[0].scores.per_topic.values()]
    )
    assert nothing.difference == pytest.approx(expected)
    assert nothing.p_value < 0.05
    lines = views.table(simulation, against=found).splitlines()
    assert lines[0].split()[-1] == "p"
    assert lines[2].split()[-1] == "–"
    with pytest.raises(UsageError, match="there is no row 'x' to compare with"):
        compared(simulation, baseline="x")


def test_what_happens_over_time_is_told_in_parts(simulation):
    lines = views.over_time(simulation, "zero", parts=4).splitlines()
    assert len(lines) == 2 + 4
    assert lines[2].startswith("100 to 300")


# ---- charts ----------------------------------------------------------------------------------------------------------


def data_of(spec, mark):
    """The data of each layer with this kind of mark."""
    layers = [one for one in spec.get("layer", [spec]) if one["mark"]["type"] == mark]
    return [one["data"].get("values") or spec["datasets"][one["data"]["name"]] for one in layers]


def test_the_curve_has_its_three_marks(simulation):
    threshold = simulation.trace("beta_gamma", "garden").last
    spec = charts.utility_curve(threshold).to_dict()
    marks = next(one for one in data_of(spec, "rule") if "mark" in one[0])
    assert {one["mark"].split()[0]: one["score"] for one in marks} == {
        "theta_zero": threshold.theta_zero,
        "theta": threshold.theta,
        "theta_opt": threshold.theta_opt,
    }
    (points,) = data_of(spec, "line")
    assert max(one["utility"] for one in points) == threshold.curve.utility.max()


def test_the_threshold_over_time_has_every_delivery(simulation):
    replay = simulation.trace("zero", "garden")
    spec = charts.threshold_over_time(replay, relevant=simulation.relevant_to("garden")).to_dict()
    (points,) = data_of(spec, "point")
    assert [one["document"] for one in points] == replay.deliveries.tolist()
    good = [one["document"] for one in points if one["delivered"] == "relevant"]
    assert set(good) == simulation.relevant_to("garden") & set(replay.deliveries.tolist())


def test_utility_over_time_ends_at_the_whole(simulation):
    (values,) = data_of(charts.utility_over_time(simulation).to_dict(), "line")
    last = {one["rule"]: one["utility"] for one in values if one["document"] == 900}
    assert last["zero"] == pytest.approx(simulation["zero"].scores.mean["T11U"] * 8)
    assert "hindsight: beta_gamma(gamma=0.01)" not in last


@pytest.mark.parametrize(("suffix", "head"), [(".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_charts_are_drawn(simulation, suffix, head):
    for _, chart in charts.pictures(simulation):
        assert rendered(chart, suffix).lstrip().startswith(head)
        break


def test_every_traced_topic_has_two_pictures_for_each_rule(simulation):
    names = [name for name, _ in charts.pictures(simulation)]
    assert names[0] == "utility-over-time"
    assert len(names) == 1 + 2 * 4
    with pytest.raises(UsageError, match="was not traced"):
        simulation.trace("zero", "chess")


def test_charts_and_stems_say_which_extra_they_need(simulation, monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(UsageError, match="gainful\\[charts\\]"):
        ready()
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    with pytest.raises(UsageError, match="gainful\\[text\\]"):
        Analyzer()
    assert Analyzer(None).terms("as they are") == ["as", "they", "are"]


# ---- the demo --------------------------------------------------------------------------------------------------------


def test_the_demo_is_the_same_for_the_same_seed_and_other_for_another():
    assert demo(documents=300, seed=1) == demo(documents=300, seed=1)
    assert demo(documents=300, seed=1) != demo(documents=300, seed=2)
    with pytest.raises(UsageError, match="200 documents or more"):
        demo(documents=10)


def test_the_demo_drifts():
    made = demo(documents=4000)
    by_id = {document.id: document.text.lower() for document in made.documents}
    relevant = list(made.qrels["garden"])
    early, late = (" ".join(by_id[one] for one in part).split() for part in (relevant[:40], relevant[-40:]))
    assert early.count("seedling") > 3 * max(1, late.count("seedling"))
    assert late.count("harvest") > 3 * max(1, early.count("harvest"))


def test_learning_beats_standing_still_on_the_demo():
    made = demo()
    found = simulate(
        made.documents,
        made.topics,
        made.qrels,
        rules=["beta_gamma(gamma=0.02)", "optimum", "zero"],
        examples=0,
    )
    means = {name: values["T11SU"] for name, values in found.mean.items()}
    assert means["beta_gamma(gamma=0.02)"] > max(means["optimum"], means["zero"], means["none"]) + 0.1
    assert math.isclose(means["none"], 1 / 3)
