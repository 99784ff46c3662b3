"""Several judges: reading them, scores under each, agreement, orders of systems, and every way to print it."""

import csv
import io
import json
import math
import statistics

import numpy as np
import pytest

import gainful
from gainful.comparisons import judges, layout
from gainful.comparisons import tau_ap as tau_ap_of
from gainful.comparisons import tau_b as tau_b_of
from gainful.comparisons.judges import (
    Chance,
    Estimate,
    agree,
    compare_judges,
    merge,
    orders,
    read_judges,
    views,
)
from gainful.comparisons.judges.agreeing import PairAgreement
from gainful.comparisons.statistics import draws
from gainful.errors import DataError, NothingInCommon, UsageError

ROWS = [
    ("q1", "ann", "d1", 1),
    ("q1", "ben", "d1", 0),
    ("q1", "ann", "d2", 2),
    ("q1", "ben", "d2", 2),
    ("q2", "ann", "d1", 0),
    ("q2", "ben", "d3", 1),
]
TOLD = {
    "ann": {"q1": {"d1": 1, "d2": 2}, "q2": {"d1": 0}},
    "ben": {"q1": {"d1": 0, "d2": 2}, "q2": {"d3": 1}},
}


def collection(judges=3, systems=4, topics=12, documents=15, seed=0, noise=0.6):
    """Judges who see the same truth with noise, and systems that rank by it with noise."""
    chance = np.random.default_rng(seed)
    truth = chance.integers(0, 4, size=(topics, documents))
    said = {
        f"judge{number}": {
            f"t{topic}": {
                f"d{place}": int(np.clip(round(grade + noise * chance.normal()), 0, 3))
                for place, grade in enumerate(grades)
            }
            for topic, grades in enumerate(truth)
        }
        for number in range(judges)
    }
    runs = {
        f"system{number}": {
            f"t{topic}": {
                f"d{place}": float(grade + (1 + number / 2) * chance.normal())
                for place, grade in enumerate(grades)
            }
            for topic, grades in enumerate(truth)
        }
        for number in range(systems)
    }
    return said, runs


SAID, RUNS = collection()


@pytest.fixture(scope="module")
def made():
    return compare_judges(SAID, RUNS, "nDCG@5, P(rel=2)@5", resamples=300, merge=["majority", "max"])


# ---- reading ----------------------------------------------------------------------------------------------


def written(folder, name):
    """The rows in a file of that kind."""
    path = folder / f"judged.{name}"
    heads = ("query_id", "Annotator", "doc_id", "relevance")
    if name == "trec":
        path.write_text("".join(f"{' '.join(map(str, row))}\n" for row in ROWS))
    elif name in ("csv", "tsv"):
        with path.open("w", newline="") as file:
            csv.writer(file, delimiter="," if name == "csv" else "\t").writerows([heads, *ROWS])
    elif name == "jsonl":
        path.write_text("".join(json.dumps(dict(zip(heads, row, strict=True))) + "\n" for row in ROWS))
    elif name == "json":
        path.write_text(json.dumps([dict(zip(heads, row, strict=True)) for row in ROWS]))
    elif name == "nested.json":
        nested = {}
        for topic, judge, document, grade in ROWS:
            nested.setdefault(topic, {}).setdefault(judge, {})[document] = grade
        path.write_text(json.dumps(nested))
    else:
        pandas = pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
        pandas.DataFrame(ROWS, columns=heads).to_parquet(path)
    return path


@pytest.mark.parametrize("name", ["trec", "csv", "tsv", "jsonl", "json", "nested.json", "parquet"])
def test_a_column_names_the_judge_in_every_kind_of_file(tmp_path, name):
    found = read_judges(written(tmp_path, name))
    assert {judge: judgments.to_dict() for judge, judgments in found.items()} == TOLD


def test_a_frame_and_judgments_by_judge_are_taken_apart_too():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, columns=["topic", "assessor", "document", "grade"])
    for given in (frame, gainful.read_qrels(ROWS, by="judges")):
        assert {judge: one.to_dict() for judge, one in read_judges(given).items()} == TOLD


def test_judges_of_a_list_are_called_as_their_files(tmp_path):
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir()
    paths = [tmp_path / "ann.qrels", tmp_path / "ben.txt.gz", *(folder / "qrels.txt" for folder in folders)]
    for path in paths:
        path.write_text("q 0 d 1\n")
    assert list(read_judges(paths[:2])) == ["ann", "ben"]
    assert list(read_judges(list(map(str, paths[2:])))) == list(map(str, paths[2:]))
    assert list(read_judges([{"q": {"d": 1}}, {"q": {"d": 0}}])) == ["judge 1", "judge 2"]
    with pytest.raises(UsageError, match="is given twice"):
        read_judges([paths[0], paths[0]])


def test_majority_is_what_more_than_half_reach():
    said = {name: {"q": {"d": grade}} for name, grade in zip("abcd", (0, 3, 1, 2), strict=True)}
    assert merge(said).to_dict() == {
        "q": {"d": 1}
    }  # two of four reach 2, which is no majority; three reach 1
    del said["a"]
    assert merge(said).to_dict() == {"q": {"d": 2}}
    assert merge(TOLD, "min").to_dict() == {"q1": {"d1": 0, "d2": 2}, "q2": {"d1": 0, "d3": 1}}
    with pytest.raises(UsageError, match="merged by one of max, min, mean, majority; got 'median'"):
        merge(said, "median")


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ([], UsageError, "there is no judge; two or more are needed"),
        ({"ann": {"q": {"d": 1}}}, UsageError, "one judge \\('ann'\\); two or more are needed"),
        ([{"q": {"d": 1}}], UsageError, "one judge \\('judge 1'\\)"),
        ({"q1": {"d": 1}, "q2": {"d": 1}}, DataError, "judge 'q1': judgments: what should be a mapping"),
        (
            {"a": {"q": {"d": math.inf}}, "b": {"q": {"d": 1}}},
            DataError,
            "judge 'a' has given an infinite grade",
        ),
        (gainful.read_qrels({"q": {"d": 1}}), UsageError, "do not say who judged"),
        (gainful.read_qrels([("q", "0", "d", 1)], by="judges"), UsageError, "one judge \\('0'\\)"),
    ],
)
def test_who_is_not_several_judges_is_refused_in_words(given, error, said):
    with pytest.raises(error, match=said):
        read_judges(given)


# ---- agreement --------------------------------------------------------------------------------------------


def test_agreement_is_over_documents_that_both_judged():
    pair = agree(TOLD).pairs[0]
    assert (pair.items, pair.topics, pair.only_first, pair.only_second) == (2, 1, 1, 1)
    assert pair.same.value == 1 / 2
    assert pair.overlap.value == 1 / 2
    assert pair.kappa.reason == "one topic gives no interval"
    assert math.isnan(pair.kappa.low)


def test_intervals_are_percentiles_over_topics_drawn_with_all_their_items():
    found = agree(SAID, resamples=200, seed=3)
    from sklearn.metrics import cohen_kappa_score

    first, second = (
        [list(of.values()) for _, of in sorted(SAID[judge].items())] for judge in ("judge0", "judge1")
    )
    drawn = []
    for times in draws.counts(3, 12, 0, 200).astype(int):
        chosen = np.repeat(np.arange(12), times)
        both = [[grade for topic in chosen for grade in of[topic]] for of in (first, second)]
        drawn.append(cohen_kappa_score(*both, labels=[0, 1, 2, 3], weights="quadratic"))
    made = found.pairs[0].kappa_quadratic
    assert (made.low, made.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))
    assert found.alpha.low < found.alpha.value < found.alpha.high


def test_fleiss_kappa_says_over_which_documents_it_is():
    assert agree(SAID, resamples=10).fleiss_over == "180 documents with 3 judges each"
    part = SAID | {"judge2": {"t0": SAID["judge2"]["t0"]}}
    assert agree(part, resamples=10).fleiss_over == "15 documents that all 3 judges judged, of 180"
    pairs = {"a": {"q": {"d": 1, "e": 0}}, "b": {"q": {"d": 0, "f": 1}}, "c": {"q": {"e": 1, "f": 1}}}
    assert agree(pairs).fleiss_over == "3 documents with 2 judges each"
    uneven = {
        "a": {"q": {"d": 1, "e": 0}},
        "b": {"q": {"d": 0, "e": 1}},
        "c": {"q": {"d": 1}},
        "z": {"q": {"x": 1}},
    }
    made = agree(uneven).fleiss
    assert math.isnan(made.value)
    assert made.reason == "documents have 2 to 3 judges, none all 4; it needs the same number for each"


def test_judges_who_never_meet_have_no_agreement_and_say_why():
    made = agree({"a": {"q": {"d": 1}}, "b": {"q": {"e": 1}}, "c": {"r": {"d": 0}}})
    assert {one.reason for pair in made.pairs for one in pair.estimates().values()} == {
        "no document was judged by both"
    }
    assert made.alpha.reason == made.fleiss.reason == "no document was judged by two judges"
    assert made.overlap.reason == "no document was judged by all"
    assert "cannot be said" in made.sentence()
    for form in layout.FORMATS:
        assert views.of_agreement(made, form)


def test_one_grade_for_everything_is_no_evidence_and_says_so():
    made = agree({name: {"q": {"d": 1, "e": 1}, "r": {"d": 1}} for name in "ab"})
    assert (
        made.alpha.reason
        == made.pairs[0].kappa.reason
        == "every grade is the same, so that chance agrees too"
    )
    assert made.pairs[0].same == Estimate(1.0, 1.0, 1.0)
    assert made.pairs[0].overlap.value == 1
    nothing = agree({name: {"q": {"d": 0}, "r": {"d": 0}} for name in "ab"})
    assert nothing.pairs[0].overlap.reason == "nobody found anything relevant"


def test_draws_without_a_value_are_counted():
    made = agree({"a": {"q": {"d": 1}, "r": {"d": 0}}, "b": {"q": {"d": 1}, "r": {"d": 0}}}, resamples=100)
    lost = int((draws.counts(0, 2, 0, 100) != 1).any(axis=1).sum())
    assert made.pairs[0].kappa.reason == f"undefined in {lost} of 100 resamples, which do not count"
    assert (made.pairs[0].kappa.low, made.pairs[0].kappa.high) == (1, 1)


def test_negative_grades_are_grades_and_not_relevant():
    made = agree({"a": {"q": {"d": -2, "e": 1}}, "b": {"q": {"d": 0, "e": 1}}}).pairs[0]
    assert made.items == 2
    assert made.same.value == 1 / 2
    assert made.kappa_relevant.value == 1
    assert made.overlap.value == 1


def test_only_topics_asked_for_count():
    assert agree(SAID, topics="t1,t2", resamples=5).items == 30
    with pytest.raises(UsageError, match="none of the topics"):
        agree(SAID, topics="nowhere")


# ---- scores and orders ------------------------------------------------------------------------------------


def test_scores_are_those_of_evaluate_under_each_judge(made):
    for judge, said in SAID.items():
        alone = gainful.evaluate(said, RUNS, "nDCG@5, P(rel=2)@5")
        for one in made.scores:
            assert one.by_judge[judge] == alone[one.system].mean[one.measure]
    merged = gainful.evaluate(merge(SAID, "max"), RUNS, "nDCG@5")
    assert made.scores[0].merged["max"] == merged["system0"].mean["nDCG@5"]


def test_the_spread_is_over_judges(made):
    for one in made.scores:
        values = list(one.by_judge.values())
        assert (one.lowest, one.highest) == (min(values), max(values))
        assert one.deviation == pytest.approx(statistics.stdev(values))
        assert one.mean == pytest.approx(statistics.mean(values))


def literal_taus(first, second):
    x, y = np.array(first), np.array(second)
    return tau_b_of(x, y), (tau_ap_of(x, y) + tau_ap_of(y, x)) / 2


def test_orders_are_correlated_as_elsewhere_with_neither_judge_the_truth(made):
    for found in made.orders:
        scores = made.of(found.measure)
        for pair in found.pairs:
            first, second = ([one.by_judge[judge] for one in scores] for judge in (pair.first, pair.second))
            assert (pair.tau_b.value, pair.tau_ap.value) == pytest.approx(literal_taus(first, second))
            assert pair.tau_b.low <= pair.tau_b.value <= pair.tau_b.high
            swapped = {
                frozenset((a.system, b.system))
                for a in scores
                for b in scores
                if (a.by_judge[pair.first] - b.by_judge[pair.first])
                * (a.by_judge[pair.second] - b.by_judge[pair.second])
                < 0
            }
            assert {frozenset(names) for names in pair.swaps} == swapped
            for better, worse in pair.swaps:
                by_first = {one.system: one.by_judge[pair.first] for one in scores}
                assert by_first[better] > by_first[worse]
        assert found.tau_b.value == pytest.approx(statistics.mean(pair.tau_b.value for pair in found.pairs))


def test_many_orders_at_once_are_each_as_alone():
    means = np.random.default_rng(1).integers(0, 4, size=(40, 3, 5)) / 10
    above = orders.signs(means)
    b, ap = orders.tau_b(above), orders.tau_ap(above)
    for draw in range(40):
        for one in range(3):
            for other in range(3):
                expected = literal_taus(means[draw, one], means[draw, other])
                assert (b[draw, one, other], ap[draw, one, other]) == pytest.approx(expected, nan_ok=True)


def test_intervals_of_correlations_are_draws_of_topics_moved_to_the_value(made):
    scores = [gainful.evaluate(SAID[judge], RUNS, "nDCG@5") for judge in ("judge0", "judge1")]
    values = [np.array([run.values[0] for run in one.runs]) for one in scores]
    drawn = np.array([tau_b_of(*(of @ times / 12 for of in values)) for times in draws.counts(0, 12, 0, 300)])
    found = made.orders[0].pairs[0].tau_b
    moved = np.clip(drawn + found.value - drawn.mean(), -1, 1)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(moved, [0.025, 0.975])))


def test_systems_that_all_judges_put_the_same_way_have_a_better_one(made):
    for found in made.orders:
        for pair in found.of_systems:
            signs = {np.sign(value) for value in pair.differences.values()}
            expected = pair.b if signs == {1} else pair.a if signs == {-1} else None
            assert pair.better == expected
            assert pair.split == ({-1, 1} <= signs)
            assert 0 <= pair.unanimous <= 1


def test_less_is_better_for_measures_that_say_so():
    runs = {"near": {"q": {"a": 2.0, "x": 1.0}}, "far": {"q": {"x": 2.0, "a": 1.0}}}
    said = {name: {"q": {"a": 1, "x": 0}} for name in ("ann", "ben")}
    found = compare_judges(said, runs, "Fallout@1").orders[0]
    assert found.of_systems[0].better == "near"
    assert found.of_systems[0].unanimous is None
    tau = found.pairs[0].tau_b
    assert (tau.value, tau.reason) == (1.0, "one topic gives no interval")


def test_equal_systems_are_no_swap_and_their_order_is_undefined():
    runs = {name: {"q": {"a": 1.0}, "r": {"a": 1.0}} for name in ("one", "two")}
    said = {"ann": {"q": {"a": 1}, "r": {"a": 1}}, "ben": {"q": {"a": 0}, "r": {"a": 1}}}
    found = compare_judges(said, runs, "RR", resamples=20)
    assert found.orders[0].pairs[0].swaps == ()
    assert found.orders[0].tau_b.reason == "a judge has all systems equal"
    assert found.orders[0].surviving == 0
    assert found.sentences[1] == (
        "RR: the order of the 2 systems cannot be compared between ann and ben "
        "(tau undefined, a judge has all systems equal)."
    )


def test_one_run_has_scores_and_no_order():
    found = compare_judges(SAID, {"only": RUNS["system0"]}, "AP", resamples=10)
    assert found.orders == ()
    assert len(found.scores) == 1
    assert "system" not in views.of_judges(found, "csv").splitlines()[-1]


def test_only_topics_that_all_judged_count_and_a_note_says_so():
    part = SAID | {"judge2": {topic: SAID["judge2"][topic] for topic in ("t0", "t1", "t2")}}
    found = compare_judges(part, RUNS, "AP", resamples=10)
    assert found.topics == ("t0", "t1", "t2")
    assert any("only the 3 topics that all judged" in note for note in found.notes)
    with pytest.raises(UsageError, match="1 of the topics asked for were not judged by every judge: t5"):
        compare_judges(part, RUNS, "AP", topics="t0,t5")
    with pytest.raises(NothingInCommon, match="no topic was judged by every judge"):
        compare_judges({"a": {"x": {"d": 1}}, "b": {"y": {"d": 1}}}, RUNS)


def test_common_documents_alone_may_be_scored_with():
    part = {
        "ann": {"q": {"a": 1, "b": 0, "c": 1}},
        "ben": {"q": {"a": 0, "b": 1}},
    }
    run = {"run": {"q": {"c": 3.0, "a": 2.0, "b": 1.0}}}
    found = compare_judges(part, run, "RR")
    assert dict(found.scores[0].by_judge) == {"ann": 1, "ben": 1 / 3}
    assert any(
        "did not judge the same documents (ann 3, ben 2; all of them 2)" in note for note in found.notes
    )
    found = compare_judges(part, run, "RR", documents="common")
    assert dict(found.scores[0].by_judge) == {"ann": 1 / 2, "ben": 1 / 3}
    with pytest.raises(NothingInCommon, match="no document was judged by all"):
        compare_judges({"a": {"q": {"d": 1}}, "b": {"q": {"e": 1}}}, run, documents="common")


def test_a_copy_of_a_judge_is_noticed():
    found = compare_judges({"ann": SAID["judge0"], "eve": SAID["judge0"]}, RUNS, "AP", resamples=10)
    assert "ann and eve have the same judgments" in found.notes
    assert found.sentences[1].startswith(
        "AP: the order of the 4 systems survives the change from ann to eve (tau 1.00"
    )


def test_an_order_that_survives_but_for_equal_systems_is_said_to():
    said = {"ann": {"q": {"a": 1, "b": 0, "c": 0}}, "ben": {"q": {"a": 1, "b": 1, "c": 0}}}
    runs = {document: {"q": {document: 1.0}} for document in "abc"}  # 1 0 0 under ann, 1 1 0 under ben
    found = compare_judges(said, runs, "P@1", resamples=10)
    assert found.sentences[1] == (
        "P@1: the order of the 3 systems survives the change from ann to ben, but for systems that one of them has "
        "equal (tau 0.50)."
    )
    assert found.stated().startswith("2 judges, 1 topic that all judged")


def test_few_systems_are_said_to_have_short_intervals_of_tau():
    said = "tau of 4 systems has few values; its intervals are too short"
    assert said in compare_judges(SAID, RUNS, "AP", resamples=10).notes
    fifth = RUNS | {"fifth": RUNS["system0"]}
    for runs in (fifth, {"only": RUNS["system0"]}):
        assert not any("few values" in note for note in compare_judges(SAID, runs, "AP", resamples=10).notes)


def test_topics_that_do_not_count_somewhere_are_left_out_everywhere():
    runs = {"one": {"q": {"a": 1.0}, "r": {"a": 1.0}}, "two": {"q": {"a": 1.0}}}
    said = {name: {"q": {"a": 1}, "r": {"a": 1}} for name in ("ann", "ben")}
    found = compare_judges(said, runs, "RR", missing="skip")
    assert found.topics == ("q",)
    assert any("1 topic does not count for some system" in note for note in found.notes)


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others():
    one, same, other = (
        compare_judges(SAID, RUNS, "AP", resamples=100, seed=seed).to_dict() for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"documents": "some"}, "documents must be one of all, common; got 'some'"),
        ({"merge": "median"}, "merged by one of"),
        ({"resamples": 0}, "resamples must be 1 or more"),
        ({"seed": -1}, "seed must be 0 or more"),
        ({"confidence": 95}, "confidence must lie between 0 and 1; got 95"),
        ({"level": "ratio"}, "level must be one of"),
        ({"measures": "AP(summary=geometric)"}, "is a geometric over topics; comparisons are of means"),
    ],
)
def test_wrong_settings_are_refused_in_words(wrong, said):
    with pytest.raises(UsageError, match=said):
        compare_judges(SAID, RUNS, **({"measures": "AP"} | wrong))


def test_a_run_that_can_be_read_once_is_judged_by_everyone(tmp_path):
    import os
    import threading

    path = tmp_path / "pipe"
    os.mkfifo(path)
    text = "".join(f"{t} Q0 {d} 0 {s} x\n" for t, of in RUNS["system0"].items() for d, s in of.items())
    writer = threading.Thread(target=lambda: path.write_text(text))
    writer.start()
    found = compare_judges(SAID, {"pipe": str(path), "held": RUNS["system0"]}, "AP", resamples=10)
    writer.join()
    assert found.scores[0].by_judge == found.scores[1].by_judge


# ---- presentation -----------------------------------------------------------------------------------------


def test_json_has_everything_in_full(made):
    read = json.loads(views.of_judges(made, "json"))
    assert read["scores"][0]["by_judge"]["judge0"] == made.scores[0].by_judge["judge0"]
    assert (
        read["agreement"]["pairs"][0]["kappa_linear"]["value"] == made.agreement.pairs[0].kappa_linear.value
    )
    assert read["orders"][1]["pairs"][2]["tau_ap"]["interval"][0] == made.orders[1].pairs[2].tau_ap.low
    assert [one["name"] for one in read["judges"]] == list(SAID)
    assert read["settings"]["unjudged"] == "nonrelevant"
    assert (read["seed"], read["resamples"], read["confidence"]) == (0, 300, 0.95)


def test_csv_is_one_row_a_number(made):
    rows = list(csv.DictReader(io.StringIO(views.of_judges(made, "csv"))))
    found = {
        (row["part"], row["measure"], row["system"], row["judge"], row["statistic"]): row["value"]
        for row in rows
    }
    assert float(found["scores", "nDCG@5", "system1", "judge2", "mean"]) == made.scores[1].by_judge["judge2"]
    assert {row["statistic"] for row in rows if row["part"] == "agreement"} >= set(
        PairAgreement.__slots__[6:]
    )


def test_tables_show_judges_systems_and_how_it_was_done(made):
    for form in ("table", "markdown", "latex"):
        text = views.of_judges(made, form)
        for word in (
            "judge2",
            "system3",
            "kappa",
            "tau-b",
            "300 resamples of topics, seed 0",
            "unjudged nonrelevant",
        ):
            assert word in text
    html = made._repr_html_()
    assert html.count("<table>") == 4
    with pytest.raises(UsageError, match="format must be one of"):
        views.of_judges(made, "xml")


def test_sentences_tell_survival_and_the_systems_that_swap(made):
    assert made.sentences[0].startswith(
        "3 judges, 180 documents judged by two or more: Krippendorff's alpha (ordinal) 0."
    )
    said = [
        line for line in made.sentences if line.startswith("nDCG@5: the order of the 4 systems survives in ")
    ]
    assert len(said) == 1
    split = [
        pair
        for pair in made.orders[0].of_systems
        if min(pair.differences.values()) < 0 < max(pair.differences.values())
    ]
    assert sum(line.startswith("nDCG@5: judges differ on") for line in made.sentences) == len(split)


def test_of_many_judges_those_who_agree_least_are_shown_and_programs_get_all():
    said, _ = collection(judges=13, topics=3, documents=6)
    told = []
    found = agree(said, resamples=5, progress=lambda *args: told.append(args))
    assert told[-1] == ("pairs of judges", 78, 78)
    text = views.of_agreement(found)
    assert "Of 78 pairs of judges the 20 that agree least are shown" in text
    worst = min(found.pairs, key=lambda pair: pair.kappa_linear.value)
    assert text.splitlines()[2].split()[:2] == [worst.first, worst.second]
    assert views.of_agreement(found, "csv").count(",kappa_linear,") == 78


def test_names_are_shown_safely():
    said = {"a\tb": SAID["judge0"], "<c>": SAID["judge1"]}
    found = compare_judges(said, RUNS, "AP", resamples=10)
    assert "a\\x09b" in views.of_judges(found)
    assert "&lt;c&gt;" in found._repr_html_()
    assert "<c>" not in found._repr_html_()


def test_the_door_has_what_its_list_says():
    assert all(hasattr(judges, name) for name in judges.__all__)
    assert Chance().percent == "95 %"
