"""Settings: the keywords that every call takes, and what is said where one is misspelt."""

import inspect
from dataclasses import fields
from typing import get_type_hints

import pytest

import gainful
import gainful.scores
from gainful.curves.curve_call import Keywords
from gainful.errors import UsageError
from gainful.judging.settings import Conventions, Settings
from gainful.scores import Evaluating

QRELS = {"q": {"a": 1, "b": 1}, "p": {"a": 1}}
TIED = {"q": {"x": 1.0, "a": 1.0, "b": 1.0}, "p": {"x": 1.0, "a": 1.0}}
CALLS = {
    "evaluate": lambda **said: gainful.evaluate(QRELS, TIED, "AP", **said).settings,
    "compare": lambda **said: gainful.compare(QRELS, [TIED, TIED], "AP", **said).table.settings,
    "gate": lambda **said: gainful.gate(QRELS, TIED, TIED, "AP", margin=0.1, **said).table.settings,
    "curve": lambda **said: gainful.curve(QRELS, TIED, "AP", **said).settings,
    "report": lambda **said: gainful.report(QRELS, TIED, "AP", **said)["data"].settings,
    "explain": lambda **said: gainful.explain(QRELS, TIED, "q", "AP", **said).settings,
    "explain_difference": lambda **said: (
        gainful.explain_difference(QRELS, TIED, TIED, "q", "AP", **said).baseline.settings
    ),
}


def test_the_keywords_are_the_fields_of_the_settings():
    kinds = get_type_hints(Settings)
    assert get_type_hints(Conventions) == {field.name: kinds[field.name] for field in fields(Settings)}
    assert set(get_type_hints(Conventions)) < set(get_type_hints(Evaluating)) < set(get_type_hints(Keywords))
    own = {
        name
        for name, parameter in inspect.signature(gainful.scores.evaluate).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY and name != "progress"
    }
    assert set(get_type_hints(Evaluating)) - set(get_type_hints(Conventions)) == own


@pytest.mark.parametrize("name", CALLS)
def test_every_call_takes_every_setting_as_a_keyword(name):
    said = {
        "ties": "best",
        "missing": "skip",
        "undefined": "skip",
        "unjudged": "condense",
        "duplicates": "first",
        "rel": 1,
        "depth": 2,
        "drop_self": True,
        "pool": "retrieved",
        "scores": "32",
        "round_topics": 6,
        "round_mean": 5,
    }
    made = CALLS[name](**said)
    assert (made if isinstance(made, dict) else made.to_dict()).items() >= said.items()


@pytest.mark.parametrize("name", CALLS)
def test_a_misspelt_keyword_gets_a_sentence_with_the_nearest_one(name):
    with pytest.raises(
        UsageError, match=rf"^{name}\(\) has no keyword tiess; did you mean ties\? The keywords are "
    ):
        CALLS[name](tiess="best")


@pytest.mark.parametrize("name", CALLS)
def test_an_object_of_settings_is_not_taken_and_the_sentence_shows_what_is(name):
    with pytest.raises(UsageError, match=rf"{name}\(…, ties='best'\)"):
        CALLS[name](settings=Settings(ties="best"))


def test_a_value_of_a_wrong_kind_is_refused_as_any_other():
    with pytest.raises(
        UsageError, match="ties must be one of docid, ascending, input, reverse, best, worst, expected; got"
    ):
        gainful.evaluate(QRELS, TIED, "AP", ties=["best"])


def test_a_curve_ends_where_the_lists_are_cut_unless_said_otherwise():
    assert len(gainful.curve(QRELS, TIED, "P")[0]) == 100
    assert len(gainful.curve(QRELS, TIED, "P", depth=2)[0]) == 2
    cut = gainful.curve(QRELS, TIED, "R", depth=2, to=3)[0]
    whole = gainful.curve(QRELS, TIED, "R", to=3)[0]
    assert cut.values.tolist() == [*whole.values.tolist()[:2], whole.values[1]]
