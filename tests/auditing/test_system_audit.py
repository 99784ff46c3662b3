"""Systems under people and under a model: favour, order, turned neighbours, judgments saved, and the plan."""

import math

import numpy as np
import pytest
from scipy import stats

import gainful
from gainful.auditing.judgment_savings import savings
from gainful.auditing.pilot_moments import Moments
from gainful.auditing.system_orders import favours_of
from gainful.auditing.system_values import SystemValues
from gainful.comparisons.score_table import System
from gainful.errors import DataError, UsageError
from gainful.measures import parse

from .simulated_model import RUNS, labelled, pilot


def values_of(qrels, topics):
    """Systems × topics of nDCG@10, by evaluating each."""
    scores = gainful.evaluate(qrels, RUNS, "nDCG@10")
    return np.array([[scores[name].per_topic[topic]["nDCG@10"] for topic in topics] for name in RUNS])


@pytest.fixture(scope="module")
def audited():
    people, model = pilot()
    return people, model, gainful.audit(people, model, RUNS, width=0.12, decide=True, resamples=200)


def test_favour_is_relative_to_the_mean_of_all_systems(audited):
    people, model, made = audited
    added = values_of(model, people) - values_of(people, people)
    apart = added - added.mean(axis=0)
    for number, name in enumerate(RUNS):
        favour = next(each for each in made.orders[0].favours if each.system == name)
        test = stats.ttest_1samp(apart[number], 0)
        ends = test.confidence_interval(1 - 0.05 / len(RUNS))  # Bonferroni
        assert favour.favour == pytest.approx(apart[number].mean())
        assert (favour.low, favour.high) == pytest.approx((ends.low, ends.high))
        assert favour.p == pytest.approx(min(1, len(RUNS) * test.pvalue))


def test_a_system_that_the_model_likes_is_named():
    topics = [f"{n}" for n in range(30)]
    people = {
        topic: {f"a{n}": n % 2 for n in range(5)} | {f"b{n}": (n + 1) % 2 for n in range(5)}
        for topic in topics
    }
    model = {
        topic: {d: 1 if d.startswith("a") else grade for d, grade in row.items()}
        for topic, row in people.items()
    }
    runs = {
        letter: {
            topic: {f"{letter}{n}": float((n * (place + 1)) % 7) for n in range(5)}
            for place, topic in enumerate(topics)
        }
        for letter in "ab"
    }
    made = gainful.audit(people, model, runs, "P@3", resamples=50)
    assert {favour.system: favour.direction for favour in made.orders[0].favours} == {
        "a": "for",
        "b": "against",
    }
    assert any("the model favours a (+" in sentence for sentence in made.sentences)


def test_tau_is_that_of_scipy():
    people, _ = pilot()
    model = labelled(people, seed=4, right=0.3, higher=0.4)
    runs = {
        f"s{number}": {
            topic: {
                document: (hash_of(document) * (number + 3)) % 101 + grade * number
                for document, grade in row.items()
            }
            for topic, row in people.items()
        }
        for number in range(7)
    }
    made = gainful.audit(people, model, runs, resamples=50)
    by_people, by_model = (gainful.evaluate(qrels, runs, "nDCG@10") for qrels in (people, model))
    means = [[scores[name].mean["nDCG@10"] for name in runs] for scores in (by_people, by_model)]
    order = made.orders[0].order
    assert order.tau_b.value == pytest.approx(stats.kendalltau(*means).statistic)
    apart = [np.subtract.outer(of_judge, of_judge) for of_judge in means]
    assert len(order.swaps) == ((apart[0] > 0) & (apart[1] < 0)).sum()


def hash_of(text):
    return sum(map(ord, text))


def ndcg(ranking, grades, cutoff=10):
    """By the formula."""
    gain = sum(grades.get(d, 0) / math.log2(rank + 1) for rank, d in enumerate(ranking[:cutoff], 1))
    ideal = sum(
        grade / math.log2(rank + 1)
        for rank, grade in enumerate(sorted(grades.values(), reverse=True)[:cutoff], 1)
    )
    return gain / ideal if ideal else 0.0


def test_turned_neighbours_name_the_topics_and_documents_that_turn_them():
    people = {"1": {"x": 3, "y": 0, "z": 1}, "2": {"x": 1, "y": 1, "z": 0}, "3": {"x": 2, "y": 1, "z": 0}}
    model = {"1": {"x": 1, "y": 3, "z": 1}, "2": {"x": 1, "y": 1, "z": 0}, "3": {"x": 2, "y": 1, "z": 1}}
    lists = {"first": ["x", "z", "y"], "second": ["y", "x", "z"]}
    runs = {
        name: {t: {d: -float(n) for n, d in enumerate(row)} for t in people} for name, row in lists.items()
    }
    made = gainful.audit(people, model, runs, resamples=20)
    (turned,) = made.orders[0].turned
    assert (turned.better, turned.worse) == ("first", "second")

    def difference(grades):
        return ndcg(lists["second"], grades) - ndcg(lists["first"], grades)

    assert turned.people == pytest.approx(np.mean([difference(row) for row in people.values()]))
    assert turned.model == pytest.approx(np.mean([difference(row) for row in model.values()]))
    moved = {topic: difference(model[topic]) - difference(people[topic]) for topic in people}
    assert [topic.topic for topic in turned.topics] == [
        topic for topic in sorted(moved, key=lambda topic: -moved[topic]) if moved[topic] > 1e-12
    ]
    most = turned.topics[0].documents[0]
    parts = {d: difference(model["1"]) - difference(model["1"] | {d: people["1"][d]}) for d in "xy"}
    assert most.document == max(parts, key=parts.get)
    assert most.moved == pytest.approx(parts[most.document])
    assert (most.grade, most.label, most.ranks) == (0, 3, (3, 1))
    assert "the model turns first and second" in " ".join(made.sentences)


def test_what_is_saved_is_one_less_the_squared_ratio_of_widths(audited):
    people, model, made = audited
    saving = made.savings[0]
    assert (saving.people, saving.labelled, saving.assumed) == (20, 50, False)
    others = [topic for topic in model if topic not in people]
    of = {name: number for number, name in enumerate(RUNS)}
    judged, same, elsewhere = values_of(people, people), values_of(model, people), values_of(model, others)
    rows = [(of[pair.a], of[pair.b]) for pair in saving.pairs]
    y, f, more = (np.array([values[b] - values[a] for a, b in rows]) for values in (judged, same, elsewhere))
    centred = f - f.mean(axis=1, keepdims=True)
    slope = (centred * y).sum() / (centred**2).sum()
    weight = slope * 30 / 50
    for pair, people_row, model_row, more_row in zip(saving.pairs, y, f, more, strict=True):
        assert pair.difference == pytest.approx(people_row.mean())
        alone = people_row.var(ddof=1) / 20
        both = (people_row - weight * model_row).var(ddof=1) / 20 + weight**2 * more_row.var(ddof=1) / 30
        errors = 1 - both / alone  # the widths also differ by their degrees of freedom
        assert pair.saved == pytest.approx(1 - (pair.both_width / pair.people_width) ** 2)
        assert pair.saved == pytest.approx(errors, abs=0.05)
        assert pair.people_width == pytest.approx(2 * stats.t.ppf(0.975, 19) * math.sqrt(alone))


def normal(topics, others, systems=2, noise=0.5, seed=3):
    """Values with known variances: the model's are the people's and noise."""
    random = np.random.default_rng(seed)
    true = random.normal(0.5, 0.2, (systems, topics + others))
    seen = true + random.normal(0, noise * 0.2, true.shape)
    return SystemValues(
        (parse("AP"),),
        tuple(System(f"s{n}") for n in range(systems)),
        tuple(f"{n}" for n in range(topics)),
        true[None, :, :topics],
        seen[None, :, :topics],
        seen[None, :, topics:],
        gainful.Settings(),
        (),
    )


def moments_of(values, slope):
    """Of two systems, whose slope costs a degree of freedom."""
    y, f, others = (of[0][1] - of[0][0] for of in (values.people, values.model, values.elsewhere))
    variances = np.cov(y, f)
    everywhere = np.concatenate([f, others]).var(ddof=1)
    return Moments(variances[0, 0], variances[1, 1], variances[0, 1], everywhere, slope, 1.0)


def test_the_plan_finds_the_fewest_topics_by_the_formula():
    values = normal(40, 160)
    made = savings(values, 0, confidence=0.95, width=0.1, decide=True)
    (pair,) = made.pairs
    y, f = (of[0][1] - of[0][0] for of in (values.people, values.model))
    slope = np.cov(y, f)[0, 1] / f.var(ddof=1)
    labels = np.concatenate([f, values.elsewhere[0][1] - values.elsewhere[0][0]])

    def error(topics, labelled):
        weight = slope * (labelled - topics) / labelled
        more = weight**2 * labels.var(ddof=1) / (labelled - topics) if topics < labelled else 0
        return math.sqrt((y - weight * f).var(ddof=1) / topics + more)

    def width(topics, labelled=None):
        if labelled is None:
            return 2 * stats.t.ppf(0.975, topics - 1) * math.sqrt(y.var(ddof=1) / topics)
        return 2 * stats.t.ppf(0.975, topics - 2) * error(topics, labelled)

    assert pair.width.people == next(n for n in range(6, 10_000) if width(n) <= 0.1)
    assert pair.width.both == next(n for n in range(6, 200) if width(n, 200) <= 0.1)
    assert pair.width.unlimited == next(n for n in range(6, 10_000) if width(n, 1e12) <= 0.1)
    assert pair.width.both < pair.width.people

    def decides(topics, standard_error):
        critical, away = stats.t.ppf(0.975, topics - 1), abs(y.mean()) / standard_error
        return stats.nct.sf(critical, topics - 1, away) + stats.nct.cdf(-critical, topics - 1, away) >= 0.8

    alone = next(n for n in range(6, 100_000) if decides(n, math.sqrt(y.var(ddof=1) / n)))
    assert pair.decide.people == alone
    assert pair.decide.both == next((n for n in range(6, 201) if decides(n, error(n, 200))), None)


@pytest.mark.parametrize(("far", "given"), [(0.5, True), (20.0, False)])
def test_widths_are_those_of_the_comparison_where_single_topics_make_most_of_the_spread(far, given):
    values = normal(12, 30)
    values.people[0, 1, 3] += far
    (pair,) = savings(values, 0, confidence=0.95).pairs
    y = values.people[0, 1] - values.people[0, 0]
    assert stats.kurtosis(y) > 0.5
    assert pair.people_width == pytest.approx(2 * stats.t.ppf(0.975, 11) * stats.sem(y))
    assert (not math.isnan(pair.saved), not math.isnan(pair.both_width)) == (given, given)


def test_foreseen_widths_come_true():
    pilot_run = normal(10_000, 20_000, seed=5)
    foreseen = savings(pilot_run, 0, confidence=0.95)
    moments = moments_of(pilot_run, foreseen.slope)
    later = [savings(normal(30, 90, seed=seed), 0, confidence=0.95).pairs[0] for seed in range(100, 160)]
    alone, both = (
        np.mean([getattr(pair, name) for pair in later]) for name in ("people_width", "both_width")
    )
    assert moments.width(30, 0.95) == pytest.approx(alone, rel=0.05)
    assert moments.width(30, 0.95, 120) == pytest.approx(both, rel=0.05)


def test_the_curve_is_the_width_of_the_pair_for_every_number_of_topics():
    values = normal(40, 160)
    made = savings(values, 0, confidence=0.95)
    moments = moments_of(values, made.slope)
    assert (made.curve[0][0], made.curve[-1][0]) == (6, 200)
    for topics, alone, both in made.curve:
        assert alone == pytest.approx(moments.width(topics, 0.95))
        assert both == pytest.approx(moments.width(topics, 0.95, 200))


def test_a_perfect_model_saves_the_share_that_was_not_judged_and_a_useless_one_nothing():
    perfect = savings(normal(400, 1200, noise=0.0), 0, confidence=0.95)
    assert perfect.median == pytest.approx(1200 / 1600, abs=0.05)
    random = savings(normal(400, 1200, noise=100.0), 0, confidence=0.95)
    assert random.median == pytest.approx(0, abs=0.02)


def test_where_people_judged_every_topic_the_saving_is_foreseen_for_fewer():
    people, _ = pilot(40)
    made = gainful.audit(people, labelled(people), RUNS, resamples=20)
    saving = made.savings[0]
    assert (saving.assumed, saving.people, saving.labelled) == (True, 12, 40)
    assert 0 < saving.median < 1
    assert any("if they judge 12 of the 40 topics" in sentence for sentence in made.sentences)
    assert any(note.startswith("people judged every topic that the model labelled") for note in made.notes)
    assert saving.curve[-1][1:] == pytest.approx(
        (saving.curve[-1][1],) * 2, rel=0.02
    )  # all judged: the model adds nothing


def test_too_few_topics_give_no_saving():
    people, model = pilot(5)
    made = gainful.audit(people, model, RUNS, resamples=20)
    assert made.savings == ()
    assert "5 topics judged by both are too few to say what the model saves; 6 are needed" in made.notes


def test_a_pair_that_was_chosen_is_told_in_its_own_direction(audited):
    people, model, whole = audited
    made = gainful.audit(people, model, RUNS, compare=("sprinter", "plain"), width=0.12, resamples=20)
    (pair,) = made.savings[0].pairs
    same = next(each for each in whole.savings[0].pairs if {each.a, each.b} == {"sprinter", "plain"})
    assert (pair.a, pair.b) == ("sprinter", "plain")
    assert pair.difference < 0
    assert abs(pair.difference) == pytest.approx(abs(same.difference))
    assert (pair.saved, pair.width) == (same.saved, same.width)
    assert any("this comparison (plain against sprinter) this model saves" in each for each in made.sentences)


def test_documents_that_the_model_alone_labelled_can_be_left_out():
    people, model = pilot()
    model["1"]["unjudged"] = 3
    runs = {name: gainful.read_run(path).to_dict() for name, path in RUNS.items()}
    runs["plain"]["1"]["unjudged"] = 1e9
    made = gainful.audit(people, model, runs, resamples=20)
    assert any(
        "labelled 1 document of people's topics that people did not judge" in note for note in made.notes
    )
    common = gainful.audit(people, model, runs, common=True, resamples=20)
    (first,) = (each.model for each in made.orders[0].favours if each.system == "plain")
    (second,) = (each.model for each in common.orders[0].favours if each.system == "plain")
    assert first > second


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"width": 0.0}, "width must be above 0"),
        ({"compare": ("plain", "other")}, "'other' is none of the systems"),
        ({"compare": ("plain", "plain")}, "cannot be compared with itself"),
        ({"tie": "best"}, "tie"),
        ({"measures": "alpha_nDCG@10"}, "needs judgments by subtopics"),
    ],
)
def test_what_cannot_be_asked_is_refused(given, said):
    people, model = pilot()
    with pytest.raises(UsageError, match=said):
        gainful.audit(people, model, RUNS, **given)


def test_plans_need_runs():
    people, model = pilot()
    with pytest.raises(UsageError, match="give their runs too"):
        gainful.audit(people, model, width=0.1)
    with pytest.raises(UsageError, match="families are of systems"):
        gainful.audit(people, model, families="names")


def test_a_model_that_favours_nobody_is_rarely_said_to_favour_somebody():
    random = np.random.default_rng(7)
    names = [f"s{number}" for number in range(10)]
    accused = 0
    for _ in range(600):
        people = random.normal(0.5, 0.2, (10, 40))
        model = (
            people + random.normal(0, 0.1, (10, 40)) + random.normal(0.1, 0.1, 40)
        )  # lenient, topic by topic
        accused += any(favour.direction for favour in favours_of(names, people, model, 0.95))
    assert 0.02 < accused / 600 < 0.07  # 5 %, by Bonferroni a little less


def test_families_have_the_mean_favour_of_their_systems_with_intervals_for_all_families_together(tmp_path):
    people, model = pilot(20)
    families = {"sprinter": "fast", "marathon": "fast", "plain": "slow"}
    made = gainful.audit(people, model, RUNS, "nDCG@10", families=families, resamples=20)
    of_system = {favour.system: favour.favour for favour in made.orders[0].favours}
    (found,) = made.families
    by_name = {family.favour.system: family for family in found}
    assert by_name["fast"].systems == ("sprinter", "marathon")
    expected = (of_system["sprinter"] + of_system["marathon"]) / 2
    assert by_name["fast"].favour.favour == pytest.approx(expected)
    values = {
        judge: gainful.evaluate(grades, RUNS, "nDCG@10", topics=list(people))
        for judge, grades in (("p", people), ("m", model))
    }
    added = {
        name: values["m"][name].values[0] - values["p"][name].values[0]
        for name in ("sprinter", "marathon", "plain")
    }
    fast = (added["sprinter"] + added["marathon"]) / 2 - sum(added.values()) / 3
    low, high = stats.t.interval(0.95, len(fast) - 1, fast.mean(), stats.sem(fast))
    assert (by_name["fast"].favour.low, by_name["fast"].favour.high) == pytest.approx((low, high))
    file = tmp_path / "families.csv"
    file.write_text("".join(f"{system},{family}\n" for system, family in families.items()))
    again = gainful.audit(people, model, RUNS, "nDCG@10", families=str(file), resamples=20)
    assert again.families == made.families
    assert "Families of systems, nDCG@10" in again.view()
    assert any("families of systems" in line for line in again.sentences)


@pytest.mark.parametrize(
    ("families", "said"),
    [
        ({"sprinter": "x"}, "no family is given for 'marathon', 'plain'"),
        (dict.fromkeys(RUNS, "x"), "every system is of the family 'x'"),
        ("nowhere.csv", "there is no file 'nowhere.csv' of families"),
    ],
)
def test_families_that_cannot_be_are_refused(families, said):
    people, model = pilot(8)
    with pytest.raises((DataError, UsageError), match=said):
        gainful.audit(people, model, RUNS, families=families, resamples=20)


def test_the_family_of_a_name_is_its_beginning():
    people, model = pilot(8)
    runs = {"bm25-a": RUNS["plain"], "bm25_b": RUNS["sprinter"], "dense.1": RUNS["marathon"]}
    made = gainful.audit(people, model, runs, families="names", resamples=20)
    assert {family.favour.system: len(family.systems) for family in made.families[0]} == {
        "bm25": 2,
        "dense": 1,
    }


def test_agreement_by_length_is_that_of_the_documents_of_each_band():
    people = {f"q{topic}": {f"d{number}": number % 3 for number in range(8)} for topic in range(3)}
    model = {
        topic: {d: grade if int(d[1:]) < 4 else 0 for d, grade in row.items()}
        for topic, row in people.items()
    }
    texts = {f"d{number}": {"title": "of", "text": "word " * (10 * number)} for number in range(7)}
    made = gainful.audit(people, model, documents=texts, resamples=20)
    found = {piece.name: (piece.pairs, piece.same.value) for piece in made.by("length")}
    # d0 to d6 have 1, 11, … 61 words; 21 pairs with a text, the quarters end with d1, d3, d5 and d6; d7 has no text
    assert found == {
        "1 to 11 words": (6, 1.0),
        "21 to 31 words": (6, 1.0),
        "41 to 51 words": (6, pytest.approx(sum(number % 3 == 0 for number in (4, 5)) / 2)),
        "61 to 61 words": (3, 1.0),
        "text unknown": (3, 0.0),
    }
    assert "By the length of the document" in made.view()


def test_the_plan_counts_the_documents_that_two_systems_have_above_the_cutoff():
    people, model = pilot(20)
    made = gainful.audit(
        people, model, RUNS, "nDCG@10", compare=("marathon", "sprinter"), width=0.12, resamples=20
    )
    lists = {name: gainful.read_run(RUNS[name]).to_dict() for name in ("marathon", "sprinter")}

    def top(name, topic):
        ranked = lists[name].get(topic, {})
        return set(sorted(ranked, key=lambda document: (ranked[document], document), reverse=True)[:10])

    number = np.mean([len(top("marathon", topic) | top("sprinter", topic)) for topic in people])
    (pair,) = made.savings[0].pairs
    assert pair.documents == pytest.approx(number)
    topics = pair.width.people
    assert any(
        f"{topics} topics (about {math.ceil(number * topics)} documents) judged" in line
        for line in made.sentences
    )
    whole = gainful.audit(people, model, RUNS, "AP", width=0.12, resamples=20)
    assert math.isnan(whole.savings[0].pairs[0].documents)
    assert "documents)" not in " ".join(whole.sentences)
