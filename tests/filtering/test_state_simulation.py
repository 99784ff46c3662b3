"""A filter in use decides what a simulation decides, delivery by delivery."""

import pytest

from gainful.filtering import Feedback, Filter
from gainful.filtering.experiment import Conditions, Experiment, Variant
from gainful.filtering.rule_text import parse_profiles, parse_rules


def lived(path, demo, examples, *, reference, rule, model, feedback):
    """Every document alone, and the reader's answer to each delivery that gets one, so many documents later."""
    numbers = {document.id: number for number, document in enumerate(demo.documents)}
    found = {topic.id: [] for topic in demo.topics}
    last, coming = 0, []
    with Filter.create(path, cap=None) as made:
        for topic in demo.topics:
            made.add_profile(topic.id, text=topic.text, rule=rule, model=model)
        made.ingest(demo.documents[:reference], deliver=False)
        for name, given in examples.items():
            made.edit_profile(name, examples=[demo.documents[one].id for one in given])
        for seen, document in enumerate(demo.documents[reference:], reference + 1):
            if made.ingest([document]).deliveries:
                for one in list(made.deliveries(since=last)):
                    last = one.number
                    found[one.profile].append((numbers[one.document], one.theta))
                    if feedback.given(one.profile, numbers[one.document]):
                        coming.append((seen + feedback.delay, one))
            while coming and coming[0][0] <= seen:
                one = coming.pop(0)[1]
                good = demo.qrels[one.profile].get(one.document, 0) >= 1
                if good or not feedback.clicks:
                    made.feedback(one.profile, one.document, "relevant" if good else "not-relevant")
        assert made.check() == []
    return found


@pytest.mark.parametrize(
    ("reference", "examples", "feedback", "rule", "model"),
    [
        (0, 0, Feedback(), "beta_gamma", "rocchio"),
        (100, 2, Feedback(), "beta_gamma", "rocchio"),
        (0, 0, Feedback(), "expected", "regression"),
        (100, 2, Feedback(), "expected", "regression"),
        (100, 2, Feedback(delay=17, share=0.5), "expected", "regression"),
        (100, 2, Feedback(clicks=True), "expected(hint=0.2)", "regression"),  # learns from silence
        (70, 1, Feedback(), "expected(beta=1)", "rocchio"),  # delivers also where an idf epoch ends
    ],
)
def test_the_same_documents_are_delivered_at_the_same_thresholds(
    small, folder, reference, examples, feedback, rule, model
):
    conditions = Conditions(reference=reference, examples=examples, feedback=feedback)
    trial = Experiment(small.documents, small.topics, small.qrels, conditions)
    given = {topic.id: trial.examples[number] for number, topic in enumerate(trial.topics)}
    found = lived(
        folder / "state", small, given, reference=reference, rule=rule, model=model, feedback=feedback
    )
    variant = Variant(parse_rules(rule)[0], parse_profiles(model)[0])
    replays = trial.replayed(range(len(trial.topics)), variant)
    for topic, made in zip(trial.topics, replays, strict=True):
        assert [one for one, _ in found[topic.id]] == made.deliveries.tolist()
        at = [made.thresholds[made.renewed <= one][-1, 0] for one in made.deliveries]
        assert [theta for _, theta in found[topic.id]] == at
    assert sum(map(len, found.values())) > 30
