"""Everything but the log can be made anew from it, to the last bit."""

import shutil
import sqlite3

import pytest

from gainful.errors import DataError
from gainful.filtering import Filter
from gainful.filtering.profile_models import Regression
from gainful.filtering.rule_text import Rule
from gainful.filtering.state.events import learning_of, new_settings


@pytest.fixture(scope="module")
def walked(states, tmp_path_factory):
    """A sound state that has been through much; made once, and copied for each damage."""
    path = tmp_path_factory.mktemp("walked") / "state"
    states.walk(path, 5, steps=25).close()
    return path


@pytest.fixture
def state(walked, folder):
    """A copy of the sound state, to be damaged."""
    return shutil.copy(walked, folder / "state")


@pytest.mark.parametrize(("seed", "cap"), [(1, None), (2, 200), (3, 60), (4, 7)])
def test_a_rebuilt_state_is_the_live_one_to_the_last_bit(states, folder, seed, cap):
    path = folder / "state"
    with states.walk(path, seed, cap=cap) as made:
        live = states.content(path)
        found = made.rebuild()
    assert found.differing == ()
    assert found.agrees
    assert states.content(path) == live
    assert found.decisions == len(live["deliveries"]) > 0
    assert found.unchecked == 0
    assert len(live["history"]) < found.documents or cap is None
    assert any("'epoch'" in row for row in live["events"])


def test_a_state_is_the_same_whether_it_stays_open_or_is_opened_for_every_call(states, folder):
    stream = states.documents(400, 9)
    for name in ("open", "opened"):
        clock = states.Clock()
        made = Filter.create(folder / name, clock=clock, cap=150)
        made.add_profile("one", text=states.wish(1))
        for start in range(0, 400, 40):
            made.ingest(stream[start : start + 40])
            if name == "opened":
                made.close()
                made = Filter.open(folder / name, clock=clock)
            for delivery in list(made.deliveries())[-2:]:
                made.feedback(
                    "one", delivery.document, "relevant" if "theme1" in delivery.text else "not-relevant"
                )
            if name == "opened":
                made.close()
                made = Filter.open(folder / name, clock=clock)
        made.close()
    assert states.content(folder / "open") == states.content(folder / "opened")


@pytest.mark.parametrize(("seed", "cap"), [(1, None), (2, 150), (3, 40)])
def test_what_depends_on_the_order_of_answers_is_the_same_reopened_and_rebuilt(states, folder, seed, cap):
    """Places of judged documents, and when a regression learns, follow from the log, not from who called how often."""
    made = states.learned_life(folder / "open", seed, cap=cap)
    made.close()
    states.learned_life(folder / "reopened", seed, cap=cap, reopen=True).close()
    live = states.content(folder / "open")
    assert states.content(folder / "reopened") == live
    with Filter.open(folder / "open") as opened:
        found = opened.rebuild()
        assert found.differing == ()
        assert opened.check() == []
    assert states.content(folder / "open") == live
    assert found.decisions + found.unchecked == len(live["deliveries"]) > 30
    assert sum("None" not in row for row in live["judgments"]) > 5  # they have their places
    assert cap is None or len(live["history"]) < found.documents


def test_answers_given_in_one_call_are_learned_as_those_given_one_by_one(states, folder):
    for name, together in (("one call", True), ("one by one", False)):
        with states.learned_life(folder / name, 6, together=together) as made:
            assert made.check() == []
    assert states.content(folder / "one call") == states.content(folder / "one by one")


def test_the_same_document_judged_twice_in_one_call(fed, states):
    fed.edit_profile("one", rule="expected", model="regression")
    fed.ingest(states.documents(60, 8, first=300))
    sent = states.delivered(fed)[-3:]
    answers = [
        ("one", document, said)
        for said in ("relevant", "not-relevant", "undo", "relevant")
        for document in sent
    ]
    fed.bulk(answers)
    assert fed.check() == []
    assert fed.profile("one").n == len(sent) > 1


def test_an_old_rule_is_kept_until_another_is_asked_for_and_can_be_asked_for_again(states, folder):
    path = folder / "state"
    with Filter.create(path, clock=states.Clock()) as made:
        made.add_profile("one", text=states.wish(1), rule="beta_gamma", model="rocchio")
        made.ingest(states.documents(200, 4))
        for document in states.delivered(made)[:4]:
            made.feedback("one", document, "relevant")
        before = made.profile("one")
    with Filter.open(path, clock=states.Clock()) as made:
        assert made.profile("one") == before
        assert made.profile("one").settings.rule.startswith("beta_gamma(")
        assert all("None" in row for row in states.content(path)["judgments"])  # nobody asked for places
        moved = made.edit_profile("one", rule="expected", model="regression")
        assert (moved.settings.rule[:9], moved.settings.rocchio[:10]) == ("expected(", "regression")
        made.ingest(states.documents(150, 5, first=200))
        waiting = [one.document for one in made.deliveries() if one.verdict is None]
        made.feedback("one", waiting[-1], "not-relevant")
        assert sum("None" not in row for row in states.content(path)["judgments"]) == 1
        made.edit_profile("one", rule=before.settings.rule, model=before.settings.rocchio)
        made.feedback("one", waiting[-1], "undo")
        back = made.profile("one")
        with Filter.open(path) as opened_again:
            assert back.terms == opened_again.profile("one").terms
        assert made.check() == []


def test_the_size_of_batches_changes_no_decision(states, folder):
    found = []
    for batch in (1, 7, 256):
        with Filter.create(folder / f"by {batch}", cap=100, clock=states.Clock()) as made:
            made.add_profile("one", text=states.wish(1))
            made.add_profile("two", text=states.wish(2), rule="zero")
            made.ingest(states.documents(500, 3), batch=batch)
            assert made.check() == []
            found.append([(one.profile, one.document, one.score, one.theta) for one in made.deliveries()])
        derived = {
            "learned": "profile",
            "history": "document",
            "epoch": "number",
            "renewals": "profile, seen",
        }
        found.append(states.content(folder / f"by {batch}", derived))
    assert found[0] == found[2] == found[4]
    assert found[1] == found[3] == found[5]
    assert len(found[0]) > 10


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE renewals SET theta = theta + 1e-16 + theta * 1e-15", "thresholds are"),
        ("UPDATE learned SET terms = '', weights = ''", "what profiles have learned is"),
        ("DELETE FROM history WHERE document = 3", "the history"),
        ("UPDATE judgments SET verdict = 1 - verdict", "the judgments"),
        ("UPDATE renewals SET n = n + 1 WHERE seen > 100", "thresholds are"),
        ("UPDATE profiles SET name = name || '!'", "the list of profiles"),
        ("UPDATE epoch SET began = began + 1", "the idf epoch"),
        ("UPDATE judgments SET place = 2.5", "the judgments"),
    ],
)
def test_what_was_tampered_with_is_found_by_check_and_mended_by_rebuild(states, state, damage, said):
    sound = states.content(state)
    with sqlite3.connect(state) as file:
        file.execute(damage)
    file.close()
    damaged = states.content(state)
    with Filter.open(state) as opened:
        (finding,) = opened.check()
        assert said in finding
        assert states.content(state) == damaged  # check changes nothing
        assert said in opened.rebuild().differing[0]
        assert opened.check() == []
    assert states.content(state) == sound


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE learned SET terms = x'0102'",
        "UPDATE profiles SET body = '{}'",
        "UPDATE profiles SET body = '{'",
        "UPDATE epoch SET frequency = x'01'",
        "DROP TABLE learned",
        "UPDATE judgments SET place = 'x'",
        "UPDATE judgments SET place = 9e999",
        "UPDATE judgments SET place = -1.5",
        "UPDATE judgments SET place = x'00'",
    ],
)
def test_tables_that_cannot_be_read_are_told_and_made_anew_from_the_log(states, state, damage):
    sound = states.content(state)
    with sqlite3.connect(state) as file:
        file.execute(damage)
    file.close()
    with Filter.open(state) as opened:
        with pytest.raises(
            DataError, match=r"state is damaged: .*`gainful filter rebuild` rebuilds everything"
        ):
            opened.profiles()
        assert [one for one in opened.check() if one.endswith("rebuild computes it again")]
        assert not opened.rebuild().agrees
        assert opened.check() == []
    assert states.content(state) == sound


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (
            "UPDATE deliveries SET theta = theta / 2 WHERE event = (SELECT max(event) FROM deliveries)",
            "1 deliveries of the log",
        ),
        ("DELETE FROM documents WHERE number = 40", "events refer to missing documents"),
        ("UPDATE counts SET tf = x'00' WHERE document = 12", "lost their terms"),
        ("DELETE FROM events WHERE number = 5", "beyond a gap"),
        ("UPDATE changes SET body = '{' WHERE event = 1", "1 changes are not readable"),
        ("DELETE FROM changes", "events have lost their content"),
        ("DELETE FROM feedback", "events have lost their content"),
    ],
)
def test_a_damaged_log_is_found_and_never_built_upon(states, state, damage, said):
    with sqlite3.connect(state) as file:
        file.execute(damage)
    file.close()
    before = states.content(state)
    with Filter.open(state) as opened:
        assert any(said in one for one in opened.check())
        if "deliveries" in damage:  # they are there, but not those that follow
            assert said in opened.rebuild().differing[0]
            return
        with pytest.raises(
            DataError, match=r"state is damaged: the log: .*Restore a backup; nothing was changed"
        ):
            opened.rebuild()
    assert states.content(state) == before


def test_logs_of_before_profiles_learned_from_silence_keep_to_what_was_said():
    logged = (
        "expected(beta=0,gamma=1,caution=0,example=0.5,recent=0.1,least=15,silence=1,nearness=1.5,optimism=0)"
    )
    assert learning_of(logged, "regression(description=1)", "2,-1")[0] == Rule.of(
        "expected", hint=1, siblings=0
    )


def test_logs_of_before_places_told_of_nearness_keep_their_rule_and_their_model():
    logged = "expected(beta=0,gamma=1,share=0.005,patience=10,example=0.15,recent=0.1,least=15,silence=1,optimism=0)"
    rule, model, _ = learning_of(logged, "regression", "2,-1")
    assert (rule.parameters["nearness"], rule.parameters["patience"], rule.parameters["example"]) == (
        0,
        10,
        0.15,
    )
    assert model == Regression(description=0.5)
    new = new_settings("one", "cocoa")
    assert learning_of(new.rule, new.rocchio, new.utility)[:2] == (Rule.of("expected"), Regression())
    assert new.rocchio == "regression(description=1)"
