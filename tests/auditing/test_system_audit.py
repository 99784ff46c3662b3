"""Systems under people and under a model: favour, order, and turned neighbours."""

import math

import numpy as np
import pytest
from scipy import stats

import gainful
from gainful.auditing.system_orders import favours_of
from gainful.errors import DataError, UsageError

from .simulated_model import RUNS, labelled, pilot, values_of


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


def test_texts_of_other_documents_are_a_note_with_ids_of_both_sides():
    people = {f"q{topic}": {f"d{number}": number % 3 for number in range(8)} for topic in range(3)}
    model = people | {"q0": people["q0"] | {"d0": 1}}
    said = "none of 8 audited documents has a text in the documents given; ids there: 'D7'; ids without a text: 'd7', "
    made = gainful.audit(people, model, documents={"D7": "words"}, resamples=20)
    [note] = [note for note in made.notes if "audited" in note]
    assert note.startswith(said)
    assert note.endswith("'D7' and 'd7' differ only in case")
    half = gainful.audit(
        people, model, documents={f"d{number}": "words" for number in range(4)}, resamples=20
    )
    assert not any("audited" in note for note in half.notes)
