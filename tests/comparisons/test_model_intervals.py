"""evaluate, compare and gate with people's judgments of some topics and models' labels of all."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from tests.auditing.simulated_model import RUNS as BUNDLED
from tests.auditing.simulated_model import pilot, written

import gainful
from gainful.cli.commands import gainful as cli
from gainful.comparisons import leaderboard
from gainful.comparisons.readers.reader_sweeps import sweep_scores
from gainful.comparisons.topic_tables import moved_section
from gainful.errors import DataError, UsageError
from gainful.formats.model_labels import judgments
from gainful.judging.notes import grouped
from gainful.statistics import prediction_powered

from .people_and_labels import DOCUMENTS, LABELS, OTHER, PEOPLE, RUNS, TOPICS, TWO


def by_hand(measure="nDCG@10"):
    """People's and the model's differences, strong − weak, of the ten topics and of the others."""
    people = gainful.evaluate(PEOPLE, TWO, measure)
    model = gainful.evaluate(LABELS, TWO, measure)
    place = [model.runs[0].topics.index(topic) for topic in people.runs[0].topics]
    others = [number for number in range(30) if number not in place]
    ours = people["strong"].values - people["weak"].values
    theirs = model["strong"].values - model["weak"].values
    return ours, theirs[:, place], theirs[:, others]


def test_a_pair_has_the_prediction_powered_difference_interval_and_p_value():
    (pair,) = gainful.compare(PEOPLE, TWO, model_qrels=LABELS).pairs
    means = prediction_powered.over_topics(*by_hand())
    low, high = means.interval(0.95)
    assert pair.difference == pytest.approx(means.estimate[0])
    assert pair.interval == pytest.approx((low[0], high[0]))
    assert pair.p_value == pytest.approx(means.p_values()[0])
    assert pair.mean_b - pair.mean_a == pytest.approx(pair.difference)
    assert (pair.wins + pair.ties + pair.losses, pair.flips) == (10, None)


def test_means_of_evaluate_have_intervals_and_the_means_by_people_stand_beside_them():
    scores = gainful.evaluate(PEOPLE, TWO, "nDCG@10, RR", model_qrels=LABELS)
    run = scores["strong"].to_dict()
    low, high = run["intervals"]["nDCG@10"]
    assert low < run["mean"]["nDCG@10"] < high
    assert run["mean_by_people"] == gainful.evaluate(PEOPLE, TWO, "nDCG@10, RR")["strong"].mean
    assert scores.to_dict()["qrels"]["models"] == {"names": ["model"], "topics": 30, "topics_by_people": 10}
    json.dumps(scores.to_dict())


def test_the_table_the_verdict_and_the_settings_say_whose_labels_they_rest_on():
    comparison = gainful.compare(PEOPLE, TWO, model_qrels=LABELS)
    assert "10 topics judged by people, 30 labelled by model" in str(comparison.verdict)
    assert "prediction-powered t test" in comparison.stated()
    assert "sign-flip" not in comparison.stated()
    assert any("as wide as by people alone" in note for note in comparison.notes)


def test_a_board_of_systems_is_corrected_and_ranked_by_the_same_means():
    comparison = gainful.compare(PEOPLE, RUNS, model_qrels=[LABELS, OTHER])
    board = leaderboard(comparison)
    means = comparison.means["nDCG@10"]
    assert [place.system for place in board.places] == sorted(means, key=means.get, reverse=True)
    assert all(pair.p_adjusted >= pair.p_value for pair in comparison.pairs)
    differences = {(pair.a, pair.b): pair.difference for pair in comparison.pairs}
    assert differences["weak", "strong"] == pytest.approx(
        differences["weak", "middle"] + differences["middle", "strong"]
    )


def test_the_gate_decides_by_the_same_difference():
    gate = gainful.gate(PEOPLE, TWO["weak"], TWO["strong"], "nDCG@10", margin=0.01, model_qrels=LABELS)
    (check,) = gate.checks
    means = prediction_powered.over_topics(*by_hand())
    low, high = means.interval(0.9)  # each end is a one-sided bound at 0.05
    assert (check.lower, check.upper) == pytest.approx((low[0], high[0]))
    assert check.mean_candidate - check.mean_baseline == pytest.approx(check.difference)
    assert "prediction-powered t test against the margin" in gate.stated()


def test_labels_that_say_nothing_leave_the_estimate_of_people_alone():
    constant = {topic: dict.fromkeys(DOCUMENTS, 1) for topic in TOPICS}
    pair = gainful.compare(PEOPLE, TWO, "nDCG@10", model_qrels=constant).pairs[0]
    assert pair.difference == pytest.approx(gainful.compare(PEOPLE, TWO, "nDCG@10").pairs[0].difference)


def test_judgments_carry_both_and_are_taken_as_they_are():
    both = judgments(PEOPLE, [LABELS])
    assert repr(both.models) == "(ModelLabels('model', 360 labels),)"
    pair = gainful.compare(both, TWO).pairs[0]
    assert repr(pair) == repr(gainful.compare(PEOPLE, TWO, model_qrels=LABELS).pairs[0])  # NaN is not NaN


def test_people_who_judged_what_they_chose_get_bounds_in_place_of_an_interval():
    chosen = {topic: dict(list(graded.items())[:6]) for topic, graded in PEOPLE.items()}
    with pytest.raises(DataError, match=r"people left \d+ % .* unjudged(.|\n)*lies between .* and "):
        gainful.compare(chosen, TWO, model_qrels=LABELS)
    scores = gainful.evaluate(chosen, TWO, "nDCG@10", model_qrels=LABELS)
    assert scores["strong"].intervals == {}
    assert any("people judged what they chose" in note for note in scores.notes)


def test_too_few_topics_of_people_resolve_nothing_and_that_is_said():
    few = {topic: PEOPLE[topic] for topic in TOPICS[:4]}
    comparison = gainful.compare(few, TWO, model_qrels=LABELS)
    assert comparison.pairs[0].unresolved(0.05)
    assert "people judged 4 topics, and at least 6 are needed" in str(comparison.verdict)


def test_labels_for_no_other_topic_add_nothing_and_that_is_said():
    comparison = gainful.compare(PEOPLE, TWO, model_qrels={topic: LABELS[topic] for topic in PEOPLE})
    assert any("the labels add nothing" in note for note in comparison.notes)


@pytest.mark.parametrize(
    "keywords",
    [
        {"weights": dict.fromkeys(TOPICS, 1.0)},
        {"correction": "max-t"},
        {"test": "wilcoxon"},
        {"interval": "bca"},
        {"missing": "skip"},
        {"undefined": "skip"},
        {"unjudged": "condense"},
        {"round_mean": 2},
        {"topics": ["q0", "nowhere"]},
        {"topics": TOPICS[15:]},
        {"measures": "P(summary=sum)@5"},
    ],
)
def test_what_does_not_go_together_with_labels_is_refused(keywords):
    with pytest.raises(UsageError):
        gainful.compare(PEOPLE, TWO, model_qrels=LABELS, **keywords)


def test_runs_that_lack_labelled_topics_are_refused_and_topics_that_no_run_has_are_left_out():
    short = {topic: TWO["strong"][topic] for topic in PEOPLE}
    with pytest.raises(DataError, match="strong has no list for 20 topics that models labelled"):
        gainful.compare(PEOPLE, {"weak": TWO["weak"], "strong": short}, model_qrels=LABELS)
    nowhere = {f"x{number}": {"d0": 1, "d1": 0} for number in range(9)}
    pair = gainful.compare(PEOPLE, TWO, model_qrels=LABELS | nowhere).pairs[0]
    assert repr(pair) == repr(gainful.compare(PEOPLE, TWO, model_qrels=LABELS).pairs[0])  # NaN is not NaN


def test_the_mean_of_a_run_is_the_same_alone_and_beside_others():
    alone = gainful.evaluate(PEOPLE, {"weak": TWO["weak"]}, "nDCG@10", model_qrels=LABELS)
    assert alone["weak"].mean == gainful.evaluate(PEOPLE, RUNS, "nDCG@10", model_qrels=LABELS)["weak"].mean


def test_means_about_judging_are_those_of_people():
    scores = gainful.evaluate(PEOPLE, TWO, "Judged@10", model_qrels=LABELS)
    assert scores["weak"].mean == scores["weak"].by_people


def test_a_gate_tells_bounds_where_people_chose_and_says_when_people_alone_decide():
    chosen = {topic: dict(list(graded.items())[:6]) for topic, graded in PEOPLE.items()}
    given = {"margin": 0.01, "model_qrels": LABELS}
    with pytest.raises(
        DataError, match=r"no test and no interval.\nWhatever the grades .* − .* lies between"
    ):
        gainful.gate(chosen, TWO["weak"], TWO["strong"], "nDCG@10", **given)
    few = {topic: PEOPLE[topic] for topic in TOPICS[:5]}
    said = "nDCG@10: the labels give no interval, so that people's 5 topics alone decide (sign-flip test)"
    assert said in gainful.gate(few, TWO["weak"], TWO["strong"], "nDCG@10", **given).notes
    assert not any(
        "alone decide" in note for note in gainful.gate(PEOPLE, *TWO.values(), "nDCG@10", **given).notes
    )


def test_whether_people_chose_does_not_depend_on_the_order_of_models():
    chosen = {topic: dict(list(graded.items())[:6]) for topic, graded in PEOPLE.items()}
    same = {topic: dict(list(graded.items())[:6]) for topic, graded in LABELS.items()}
    for models in ([LABELS, same], [same, LABELS]):
        with pytest.raises(DataError, match="unjudged"):
            gainful.compare(chosen, TWO, model_qrels=models)


def test_with_a_baseline_and_several_models_differences_are_those_of_the_means():
    for pair in gainful.compare(PEOPLE, RUNS, baseline="weak", model_qrels=[LABELS, OTHER]).pairs:
        assert pair.mean_b - pair.mean_a == pytest.approx(pair.difference)


def test_the_gate_passes_an_unchanged_run():
    gate = gainful.gate(PEOPLE, TWO["weak"], TWO["weak"], "nDCG@10", margin=0.01, model_qrels=LABELS)
    assert gate.verdict == "pass"


@pytest.mark.parametrize("topics", [1, 2])
def test_one_or_two_topics_of_people_give_no_interval(topics):
    few = {topic: PEOPLE[topic] for topic in TOPICS[:topics]}
    scores = gainful.evaluate(few, TWO, "nDCG@10", model_qrels=LABELS)
    assert scores["weak"].intervals == {}
    assert "in brackets" not in str(scores)
    assert "in brackets: 95 % confidence" in str(
        gainful.evaluate(PEOPLE, TWO, "nDCG@10", model_qrels=LABELS)
    ).replace("\n", " ")


def test_saved_results_do_not_hold_labels_and_are_refused_beside_them(files, tmp_path):
    saved = str(tmp_path / "weak.json")
    done = CliRunner().invoke(cli, ["evaluate", *files, "-q", "-f", "json", "-o", saved])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(cli, ["compare", files[0], saved, *files[2:]])
    assert "labels by models need the runs themselves" in str(done.exception)
    done = CliRunner().invoke(cli, ["compare", saved])
    assert "was scored with labels by models" in str(done.exception)


def test_what_is_said_of_means_without_intervals_is_said_of_none_that_has_no_use_for_one():
    notes = gainful.evaluate(PEOPLE, TWO, "nDCG@10,Judged@10", model_qrels=LABELS).notes
    assert not any("no interval for" in note for note in notes)


@pytest.fixture
def files(tmp_path):
    for name, run in TWO.items():
        lines = (
            f"{topic} Q0 {document} 1 {score} {name}\n"
            for topic, of_topic in run.items()
            for document, score in of_topic.items()
        )
        (tmp_path / f"{name}.run").write_text("".join(lines))
    paths = [written(tmp_path / "people.qrels", PEOPLE)]
    paths += [str(tmp_path / f"{name}.run") for name in TWO]
    return [*paths, "--model-qrels", written(tmp_path / "labels.qrels", LABELS)]


@pytest.mark.parametrize(
    "command", [["evaluate"], ["compare"], ["gate", "-m", "nDCG@10", "--margin", "0.01"]]
)
def test_commands_take_labels(command, files):
    done = CliRunner().invoke(cli, [*command, *files])
    assert done.exit_code == 0, done.output
    assert "10 topics judged by people, 30 labelled by labels" in done.output.replace("\n", " ")


def test_a_topic_restriction_holds_for_people_and_models(files):
    kept = ",".join([*TOPICS[:8], *TOPICS[20:]])
    done = CliRunner().invoke(cli, ["compare", *files, "--topics", kept])
    assert "8 topics judged by people, 18 labelled by labels" in done.output.replace("\n", " ")


def test_the_report_shows_the_same_means_and_intervals_and_says_whose_labels_they_rest_on():
    scores = gainful.evaluate(PEOPLE, TWO, "nDCG@10", model_qrels=LABELS)
    report = gainful.report(PEOPLE, TWO, "nDCG@10", model_qrels=LABELS)
    cell = report["scores"].cell("strong", "nDCG@10")
    assert (cell.mean, cell.low, cell.high) == (
        scores["strong"].mean["nDCG@10"],
        *scores["strong"].intervals["nDCG@10"],
    )
    assert "10 topics judged by people, 30 labelled by model" in report["verdict"].verdict.headline


def test_the_reports_data_page_calls_no_topic_ignored_that_the_model_labelled():
    unknown = {name: run | {"strange": {"d0": 1.0}} for name, run in TWO.items()}
    for runs, ignored in ((TWO, 0), (unknown, 2)):
        data = gainful.report(PEOPLE, runs, "nDCG@10", model_qrels=LABELS)["data"]
        said = [finding.text for finding in data.findings]
        assert (
            sum("20 topics of the run judged by no person, but labelled by models" in text for text in said)
            == 2
        )
        assert sum("1 topic of the run not judged: ignored" in text for text in said) == ignored


def test_scores_that_rest_on_labels_are_not_merged():
    scores = gainful.evaluate(PEOPLE, TWO, "nDCG@10", model_qrels=LABELS)
    with pytest.raises(UsageError, match="models' labels are not merged"):
        gainful.Scores.merge(scores, scores)


def test_what_shows_single_topics_says_that_these_are_peoples():
    people, model = pilot(20)
    scores = gainful.evaluate(people, BUNDLED, "nDCG@10", model_qrels=model)
    said = "the 20 topics that people judged alone, without the 30 labelled by models"
    assert said in sweep_scores(scores, resamples=20).stated
    assert said in moved_section(gainful.compare(people, BUNDLED, model_qrels=model)).closing
    assert "single topics: those that people judged" in scores.runs[0].stated_design
    assert "alone" not in sweep_scores(gainful.evaluate(people, BUNDLED, "nDCG@10"), resamples=20).stated


def test_an_interval_of_a_mean_stays_within_what_the_measure_can_be():
    people = {f"q{number}": {"a": int(number % 7 > 0), "b": 1} for number in range(12)}
    model = {f"q{number}": {"a": int(number % 5 > 0), "b": 1} for number in range(30)}
    run = {topic: {"a": 2.0, "b": 1.0} for topic in model}
    scored = gainful.evaluate(people, run, "P@1", model_qrels=model).runs[0]
    low, high = scored.intervals["P@1"]
    least, most = scored.assisted[0].interval(0.95)
    assert most > 1
    assert (low, high) == (max(least, 0), 1)
    assert low < scored.mean["P@1"] < high


@pytest.mark.parametrize("beyond", [0, 1, 2])
def test_an_interval_of_a_mean_at_a_bound_or_beyond_it_is_no_wider_and_contains_it(beyond):
    """People's topics are harder by the model than the others: 0.9667 + λ · (mean of f elsewhere − mean of f there)."""

    def graded(numbers):
        return {f"q{t}": {f"d{d}": int(d < number) for d in range(5)} for t, number in enumerate(numbers)}

    people = graded([5] * 10 + [4] * 2)
    labels = graded(
        [5] * (6 - beyond) + [4] * (4 + beyond) + [3] * 2 + [5] * (26 + beyond) + [4] * (2 - beyond)
    )
    run = {topic: {f"d{d}": -float(d) for d in range(5)} for topic in labels}
    scored = gainful.evaluate(people, run, "P@5", model_qrels=labels).runs[0]
    mean, (low, high) = scored.mean["P@5"], scored.intervals["P@5"]
    least, most = scored.assisted[0].interval(0.95)
    assert most > 1
    assert mean == pytest.approx(1) if beyond == 0 else mean > 1
    assert low <= mean <= high
    assert low == pytest.approx(least)
    assert high == max(mean, 1.0)


def test_skewed_topics_reach_further_in_evaluate_compare_gate_and_report_and_that_is_said():
    random = np.random.default_rng(3)
    runs = {
        name: {f"q{t}": {f"d{d}": -float(d) for d in range(10)} for t in range(40)} for name in ("a", "b")
    }
    truth = {
        f"q{t}": {f"d{d}": int(random.random() < 0.4) for d in range(10)} | {"good": 3} for t in range(40)
    }
    for t in range(40):  # on one topic of seven the second run finds the good document first
        runs["a"][f"q{t}"]["good"] = -9.5
        runs["b"][f"q{t}"]["good"] = 1.0 if t % 7 == 1 else -8.5
    people = {topic: truth[topic] for topic in list(truth)[:24]}
    labels = {
        topic: {d: min(g + (d == "d3"), 3) for d, g in graded.items()} for topic, graded in truth.items()
    }
    comparison = gainful.compare(people, runs, model_qrels=labels)
    (pair,) = comparison.pairs
    low, high = pair.interval
    assert high - pair.difference > 1.2 * (pair.difference - low)
    gate = gainful.gate(people, runs["a"], runs["b"], "nDCG@10", margin=0.01, alpha=0.025, model_qrels=labels)
    assert (gate.checks[0].lower, gate.checks[0].upper) == pytest.approx((low, high))
    first = "P(rel=3)@1"
    report = gainful.report(people, runs, first, model_qrels=labels)
    scores = gainful.evaluate(people, runs, first, model_qrels=labels)
    cell = report["scores"].cell("b", first)
    assert (cell.low, cell.high) == scores["b"].intervals[first]
    assert scores["b"].assisted[0].stretched
    for notes in (comparison.notes, gate.notes, grouped(scores.notes)):
        assert any("strongly skewed over topics" in note for note in notes)
