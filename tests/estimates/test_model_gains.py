"""What models' labels let expect of documents: literal cross-fitted means, and estimates that stay unbiased."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from gainful import evaluate
from gainful.estimates.model_gains import expected_of

RANDOM = np.random.default_rng(8)
TOPIC = np.repeat(np.arange(5), 12)
LABELS = RANDOM.integers(0, 4, 60).astype(float)
LABELS[::13] = np.nan
DRAWN = RANDOM.random(60) < 0.6
X = RANDOM.integers(0, 3, 60).astype(float)


def literal(document):
    others = [d for d in range(60) if DRAWN[d] and TOPIC[d] != TOPIC[document]]
    mean = sum(X[d] for d in others) / len(others)
    alike = [
        d
        for d in others
        if LABELS[d] == LABELS[document] or (math.isnan(LABELS[d]) and math.isnan(LABELS[document]))
    ]
    return (sum(X[d] for d in alike) + 3 * mean) / (len(alike) + 3)


def test_a_document_is_expected_to_be_as_those_with_its_label_in_other_topics():
    expected = expected_of(LABELS[None], TOPIC, DRAWN, X)
    assert expected == pytest.approx([literal(document) for document in range(60)])


def test_what_was_not_drawn_and_the_topics_own_documents_change_nothing():
    changed = X.copy()
    changed[~DRAWN] = 99
    changed[TOPIC == 2] = 7
    before, after = (expected_of(LABELS[None], TOPIC, DRAWN, x) for x in (X, changed))
    assert after[TOPIC == 2] == pytest.approx(before[TOPIC == 2])


def test_labels_of_any_scale_serve_and_many_values_are_cut_into_groups():
    shifted = expected_of((10 - 2 * LABELS)[None], TOPIC, DRAWN, X)
    assert shifted == pytest.approx(expected_of(LABELS[None], TOPIC, DRAWN, X))
    fine = RANDOM.random(60)
    assert len(np.unique(expected_of(fine[None], np.zeros(60, int), DRAWN, X))) <= 12


def test_two_models_of_which_one_is_noise_predict_nearly_as_the_good_one():
    good, noise = X[None] + 0.0, RANDOM.integers(0, 4, (1, 60)).astype(float)
    everything = np.ones(60, bool)
    together = expected_of(np.concatenate([good, noise]), TOPIC, everything, X)
    assert np.corrcoef(together, X)[0, 1] > 0.95


def mean_over_all_samples(labels, topic, gain):
    """The estimated sum of gains of each topic, over all samples of documents drawn with probability 1/2."""
    total = np.zeros(topic.max() + 1)
    samples = [np.array(drawn, bool) for drawn in itertools.product([0, 1], repeat=len(gain))]
    for drawn in samples:
        expected = expected_of(labels, topic, drawn, np.where(drawn, gain, 0.0))
        total += np.bincount(topic, expected + np.where(drawn, 2 * (gain - expected), 0.0))
    return total / len(samples)


def test_sums_are_exactly_unbiased_with_one_model_and_nearly_with_several_and_say_so():
    topic, gain = np.repeat(np.arange(3), 3), np.array([2.0, 0, 1, 0, 0, 3, 1, 1, 0])
    labels = np.array([[1.0, 0, 1, 0, 1, 1, 0, 1, 0], [0.0, 0, 1, 1, 0, 1, 1, 1, 0]])
    truth = np.bincount(topic, gain)
    assert mean_over_all_samples(labels[:1], topic, gain) == pytest.approx(truth)
    several = mean_over_all_samples(labels, topic, gain)
    assert several != pytest.approx(truth)
    assert several == pytest.approx(truth, abs=0.4)
    names = [(f"q{number}", f"d{place}") for number in range(12) for place in range(8)]
    people = {f"q{number}": {f"d{place}": (number + place) % 3 for place in range(8)} for number in range(12)}
    drawn = {
        topic: {document: grade if document < "d5" else -1 for document, grade in row.items()}
        for topic, row in people.items()
    }
    run = {topic: {document: -float(document[1]) for document in row} for topic, row in people.items()}
    models = [
        {
            topic: {document: (grade * times + 1) % 3 for document, grade in row.items()}
            for topic, row in people.items()
        }
        for times in (1, 2)
    ]
    for given, bias, word in (
        (models[:1], "none", "stay unbiased"),
        (models, "small", "stay nearly unbiased"),
    ):
        made = evaluate(drawn, run, "DCG@5", design=[(*name, 0.5, "") for name in names], model_qrels=given)
        assert made.to_dict()["runs"][0]["intervals"]["DCG@5"]["bias"] == bias
        assert any(f"sums {word} however wrong" in note for note in made.notes)
        assert any("sums beside the labels of several models" in note for note in made.notes) == (
            bias == "small"
        )


def test_estimates_with_labels_are_unbiased_whatever_the_labels_and_vary_less_where_they_are_good():
    grades = {f"q{t}": {f"d{d}": int(RANDOM.integers(0, 4)) for d in range(10)} for t in range(12)}
    run = {
        topic: {document: -float(number) for number, document in enumerate(of_topic)}
        for topic, of_topic in grades.items()
    }
    truth = evaluate(grades, run, "DCG@10").mean["DCG@10"]
    random = np.random.default_rng(1)
    wrong = {
        topic: {document: int(random.integers(0, 2)) for document in of_topic}
        for topic, of_topic in grades.items()
    }
    good = {
        topic: {document: 3 - grade for document, grade in of_topic.items()}
        for topic, of_topic in grades.items()
    }  # turned round: only which documents are alike counts
    estimates = {"none": [], "good": [], "wrong": []}
    for _ in range(150):
        drawn = {
            topic: {document: grade if random.random() < 0.4 else -1 for document, grade in of_topic.items()}
            for topic, of_topic in grades.items()
        }
        design = {topic: dict.fromkeys(of_topic, 0.4) for topic, of_topic in grades.items()}
        for name, labels in (("none", None), ("good", good), ("wrong", wrong)):
            scores = evaluate(drawn, run, "DCG@10", design=design, model_qrels=labels)
            estimates[name].append(scores.mean["DCG@10"])
    errors = {name: np.std(each) for name, each in estimates.items()}
    for name, each in estimates.items():
        assert np.mean(each) == pytest.approx(truth, abs=3 * errors[name] / math.sqrt(150)), name
    assert errors["good"] < 0.6 * errors["none"]
    assert errors["wrong"] < 1.15 * errors["none"]


def topics_of(values):
    return {f"q{topic}": {f"d{d}": values[d] for d in range(60) if TOPIC[d] == topic} for topic in range(5)}


def literal_ends(grade, labels, probability, drawn, certain, *, fixed=False):
    """Of each topic, the ideal lists of fewer and of more documents for grades 1 and 2 at ranks 1 to 10, in plain Python."""
    low, high = [0.0] * 5, [0.0] * 5
    for level in (1, 2):
        reached = [1.0 if g >= level else 0.0 for g in grade]
        number, missed, variance = [], [], []
        for topic in range(5):
            own = [d for d in range(60) if TOPIC[d] == topic]
            expected = {d: expected_with(labels, reached, d, drawn) for d in own}
            off = {d: reached[d] - expected[d] for d in own if drawn[d]}
            number.append(sum(expected.values()))
            missed.append(sum(off[d] / probability[d] for d in off))
            odds = {d: (1 - probability[d]) / probability[d] for d in own}
            variance.append(
                sum(expected[d] * (1 - expected[d]) * odds[d] for d in own)
                if fixed
                else sum(off[d] ** 2 * odds[d] / probability[d] for d in off)
            )
        parts = [c * c - v for c, v, sure in zip(missed, variance, certain, strict=True) if not sure]
        typical = max(sum(parts) / len(parts), 0.0)
        for topic in range(5):
            kept = math.sqrt(typical / (typical + variance[topic])) if variance[topic] > 0 else 1.0
            error = math.sqrt(2 * typical * (1 - kept))
            seen = sum(reached[d] for d in range(60) if drawn[d] and TOPIC[d] == topic)
            most = seen + sum(not drawn[d] and TOPIC[d] == topic for d in range(60))
            least = 1.0 if level == 1 and not certain[topic] else 0.0

            def ideal(count, seen=seen, most=most, least=least):
                count = max(min(max(count, seen), most), least)
                return sum(min(max(count - rank + 1, 0), 1) / math.log2(rank + 1) for rank in range(1, 11))

            middle = max(min(max(number[topic] + kept * missed[topic], seen), most), least)
            low[topic] += ideal(middle - error)
            high[topic] += ideal(middle + error)
    return low, high


@pytest.mark.parametrize("rare", [0.5, 0.04])
def test_ndcg_is_the_sum_over_ideal_lists_of_as_many_documents_as_labels_let_expect_put_right(rare):
    probability, labels = np.where(LABELS >= 2, rare, 0.8), np.nan_to_num(LABELS)
    probability[TOPIC == 3] = 1.0
    drawn = DRAWN | (TOPIC == 3)
    judged = topics_of(np.where(drawn, X, -1.0).tolist())
    run = {topic: dict.fromkeys(list(of)[:3], 1.0) for topic, of in judged.items()}
    given = {"design": topics_of(probability.tolist()), "model_qrels": topics_of(labels.tolist())}
    scores = evaluate(judged, run, "DCG@10,nDCG@10", **given).per_topic
    low, high = literal_ends(X, labels, probability, drawn, [topic == 3 for topic in range(5)])
    for topic in range(5):
        total = scores[f"q{topic}"]["DCG@10"]
        found = (total / low[topic] + total / high[topic]) / 2
        assert scores[f"q{topic}"]["nDCG@10"] == pytest.approx(found)
    plain = evaluate({"q3": judged["q3"]}, {"q3": run["q3"]}, "nDCG@10").mean["nDCG@10"]
    assert scores["q3"]["nDCG@10"] == pytest.approx(plain)


def test_of_strata_of_fixed_size_labels_say_how_far_what_they_miss_is_chance():
    labels, drawn = np.nan_to_num(LABELS), DRAWN | (TOPIC == 3)
    number = np.bincount(TOPIC, drawn) / np.bincount(TOPIC)
    probability = number[TOPIC]
    judged = topics_of(np.where(drawn, X, -1.0).tolist())
    run = {topic: dict.fromkeys(list(of)[:3], 1.0) for topic, of in judged.items()}
    design = [(f"q{TOPIC[d]}", f"d{d}", probability[d], "all") for d in range(60)]
    given = {"design": design, "model_qrels": topics_of(labels.tolist())}
    scores = evaluate(judged, run, "DCG@10,nDCG@10", **given).per_topic
    low, high = literal_ends(X, labels, probability, drawn, [p == 1 for p in number], fixed=True)
    for topic in range(5):
        total = scores[f"q{topic}"]["DCG@10"]
        found = (total / low[topic] + total / high[topic]) / 2
        assert scores[f"q{topic}"]["nDCG@10"] == pytest.approx(found)


@pytest.mark.parametrize(
    ("stratum", "drawn", "refused"),
    [("all", 4, "20 % of the documents are drawn"), ("all", 8, ""), (None, 4, "")],
    ids=["few of a stratum", "enough of a stratum", "few drawn independently"],
)
def test_labels_do_not_make_up_for_few_documents_of_strata_of_fixed_size(stratum, drawn, refused):
    random = np.random.default_rng(5)
    names = [f"d{number}" for number in range(20)]
    truth = {f"q{t}": {name: int(random.integers(0, 3)) for name in names} for t in range(30)}
    judged = {}
    for topic, grades in truth.items():
        chosen = set(random.choice(names, drawn, replace=False))
        judged[topic] = {name: grade if name in chosen else -1 for name, grade in grades.items()}
    rows = [(topic, name, drawn / 20, *[stratum][: stratum is not None]) for topic in truth for name in names]
    run = {topic: {name: float(random.random()) for name in names} for topic in truth}
    labels = {
        topic: {name: min(grade + int(random.random() < 0.2), 2) for name, grade in of.items()}
        for topic, of in truth.items()
    }
    scored = evaluate(judged, run, "nDCG@10", design=rows, model_qrels=labels).runs[0]
    assert scored.estimates[0].refused.startswith(refused)
    assert bool(scored.estimates[0].refused) is bool(refused)


@pytest.mark.parametrize("seed", range(12))
def test_no_draw_and_no_labels_take_a_topic_further_than_its_sum_over_one_document(seed):
    """Grades from 1 on: with at least one document in the ideal list, nDCG is no further from 0 than DCG."""
    random = np.random.default_rng(seed)
    share, worth = (0.0, 0.02, 0.3)[seed % 3], (0.03, 0.3)[seed % 2]
    names = {f"q{t}": [f"d{d}" for d in range(random.integers(1, 25))] for t in range(15)}

    def of_each(draw):
        return {topic: {document: draw() for document in row} for topic, row in names.items()}

    probability = of_each(lambda: float(random.choice([worth, 0.5, 0.9])))
    grades = of_each(lambda: int(random.random() < share) * int(random.integers(1, 4)))
    models = [of_each(lambda: int(random.integers(0, 3))) for _ in range(1 + seed % 2)]
    judged = {
        topic: {
            document: grade if random.random() < probability[topic][document] else -1
            for document, grade in row.items()
        }
        for topic, row in grades.items()
    }
    judged["q0"][next(iter(judged["q0"]))] = 1
    run = of_each(lambda: float(random.random()))
    scored = evaluate(judged, run, "DCG@5,nDCG@5", design=probability, model_qrels=models).runs[0]
    total, of_ideal = scored.values
    assert np.isfinite(of_ideal).all()
    assert (np.abs(of_ideal) <= np.abs(total) + 1e-12).all()
    assert (np.sign(of_ideal) == np.sign(total)).all()
    assert scored.left_out == []


def test_notes_say_which_labels_play_no_part():
    probability, labels = topics_of(np.full(60, 0.6).tolist()), topics_of(np.nan_to_num(LABELS).tolist())
    judged = topics_of(np.where(DRAWN, X, -1.0).tolist())
    run = {topic: dict.fromkeys(list(of)[:3], 1.0) for topic, of in judged.items()}
    given = {"design": probability, "model_qrels": labels | {"q8": {"d1": 1}, "q9": {"d1": 2}}}
    notes = evaluate(judged, run, "nDCG@10", **given).notes
    assert any(
        note.startswith("labels of 2 topics of which no document could be drawn play no part")
        for note in notes
    )
    given["model_qrels"] = labels
    assert not any("play no part" in note for note in evaluate(judged, run, "nDCG@10", **given).notes)


def expected_with(labels, x, document, drawn):
    others = [d for d in range(60) if drawn[d] and TOPIC[d] != TOPIC[document]]
    alike = [d for d in others if labels[d] == labels[document]]
    return (sum(x[d] for d in alike) + 3 * sum(x[d] for d in others) / len(others)) / (len(alike) + 3)


def test_where_topics_differ_the_ideal_list_is_right_on_average_even_with_labels_that_say_nothing():
    random = np.random.default_rng(2)
    grades = {
        f"q{t}": {f"d{d}": int(random.random() < (0.3, 0.8)[t % 2]) for d in range(16)} for t in range(40)
    }
    run = {topic: {document: -float(document[1:]) for document in of} for topic, of in grades.items()}
    labels = {topic: {document: 1 + d % 2 for d, document in enumerate(of)} for topic, of in grades.items()}
    truth = np.array([evaluate(grades, run, name).mean[name] for name in ("DCG@10", "nDCG@10")])
    design = {topic: dict.fromkeys(of, 0.4) for topic, of in grades.items()}
    found = []
    for _ in range(40):
        drawn = {
            topic: {document: grade if random.random() < 0.4 else -1 for document, grade in of.items()}
            for topic, of in grades.items()
        }
        scores = evaluate(drawn, run, "DCG@10,nDCG@10", design=design, model_qrels=labels)
        found.append([scores.mean["DCG@10"], scores.mean["nDCG@10"]])
    assert np.mean(found, axis=0) == pytest.approx(truth, rel=0.05)


def test_a_note_says_where_the_coverage_of_ndcg_with_labels_is_told():
    grades = {f"q{t}": {f"d{d}": (d + t) % 2 for d in range(10)} for t in range(12)}
    drawn = {topic: grade | {f"d{t}": -1 for t in (8, 9)} for topic, grade in grades.items()}
    run = {topic: {document: -float(document[1:]) for document in of} for topic, of in grades.items()}
    design = {topic: dict.fromkeys(of, 0.8) for topic, of in grades.items()}
    labels = {topic: {document: 1 + int(document[1:]) % 2 for document in of} for topic, of in grades.items()}
    notes = evaluate(drawn, run, "nDCG@10", design=design, model_qrels=labels).notes
    assert any("nDCG@10 is approximate under a design: see docs/models.md" in note for note in notes)


@pytest.mark.parametrize("seed", [3, 26, 37, 49])
def test_where_what_was_expected_and_what_was_drawn_cancel_a_topic_has_an_ideal_list_all_the_same(seed):
    random = np.random.default_rng(seed)
    grades = {
        f"q{t}": {
            f"d{d}": int(random.random() < (0.4 if t else 0.05)) * int(random.integers(1, 4))
            for d in range(10)
        }
        for t in range(20)
    }
    drawn = {}
    for topic, row in grades.items():
        kept = set(random.permutation(10)[:5].tolist())
        drawn[topic] = {
            document: grade if int(document[1]) in kept else -1 for document, grade in row.items()
        }
    labels = {topic: dict.fromkeys(row, 1.0) for topic, row in grades.items()}
    run = {topic: {document: float(random.random()) for document in row} for topic, row in grades.items()}
    design = {topic: dict.fromkeys(row, 0.5) for topic, row in grades.items()}
    scored = evaluate(drawn, run, "DCG@5,nDCG@5", design=design, model_qrels=labels).runs[0]
    # five of ten documents drawn, none relevant, all labels alike: 10 m − 5 m / 0.5 = 0 documents reach each grade
    assert any(max(row.values()) <= 0 for row in drawn.values())
    assert (np.abs(scored.values[1]) <= np.abs(scored.values[0])).all()
    assert scored.left_out == []


def test_where_no_gain_was_drawn_at_all_sums_and_shares_are_0_and_have_no_interval():
    judged = {f"q{t}": {f"d{d}": 0 if d < 3 else -1 for d in range(8)} for t in range(12)}
    labels = {topic: {document: int(document[1]) % 3 for document in row} for topic, row in judged.items()}
    run = {topic: {document: -float(document[1]) for document in row} for topic, row in judged.items()}
    design = {topic: dict.fromkeys(row, 0.4) for topic, row in judged.items()}
    scored = evaluate(judged, run, "nDCG@5", design=design, model_qrels=labels).runs[0]
    assert scored.values.tolist() == [[0.0] * 12]
    assert scored.to_dict()["intervals"] == {}


def test_intervals_of_means_beside_labels_are_students():
    grades = {f"q{t}": {f"d{d}": (d * t + t) % 3 for d in range(10)} for t in range(15)}
    drawn = {
        topic: {
            document: grade if (int(document[1]) + len(topic)) % 3 else -1 for document, grade in row.items()
        }
        for topic, row in grades.items()
    }
    run = {topic: {document: -float(document[1]) for document in row} for topic, row in grades.items()}
    given = {"design": {topic: dict.fromkeys(row, 0.6) for topic, row in grades.items()}}
    labels = {
        topic: {document: 1 + int(document[1]) % 2 for document in row} for topic, row in grades.items()
    }
    for model_qrels, even in ((labels, True), (None, False)):
        scored = evaluate(drawn, run, "DCG@5,nDCG@5", model_qrels=model_qrels, **given).runs[0]
        for measure, values in zip(scored.measures, scored.values, strict=True):
            ends = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
            assert (scored.intervals[str(measure)] == pytest.approx(ends)) == even


def test_ideal_lists_from_simple_random_samples_are_about_right_on_average_where_labels_tell_nothing():
    """Three of sixteen drawn in each of 60 topics, of which some have several documents of the best grade; 30 samples."""
    random = np.random.default_rng(5)
    topics, documents = [f"q{t}" for t in range(60)], [f"d{d}" for d in range(16)]
    grades = {}
    for t in topics:
        best, good = random.beta(0.5, 4), random.beta(2, 4)
        grades[t] = {
            d: 3 if random.random() < best else int(random.random() < good) * int(random.integers(1, 3))
            for d in documents
        } | {"d15": 1}
    run = {t: {d: g + 2 * float(random.random()) for d, g in row.items()} for t, row in grades.items()}
    labels = {t: {d: int(random.integers(0, 2)) for d in documents} for t in topics}
    truth = evaluate(grades, run, "nDCG@10").mean["nDCG@10"]
    design = [(t, d, 3 / 16, "all") for t in topics for d in documents]
    found = []
    for _ in range(30):
        judged = {t: dict.fromkeys(documents, -1) for t in topics}
        for t in topics:
            for place in random.permutation(16)[:3]:
                judged[t][documents[place]] = grades[t][documents[place]]
        found.append(evaluate(judged, run, "nDCG@10", design=design, model_qrels=labels).mean["nDCG@10"])
    # by the spread among three documents it was 0.27 too high; drawn independently it is 0.10 too high
    assert np.mean(found) == pytest.approx(truth, abs=0.11)
