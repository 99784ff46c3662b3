"""gainful evaluate with judgments by subtopic, by judge, and as preferences."""

import json

import pytest

SUBTOPICS = """\
1 wine a 1
1 wine c 1
1 beer c 1
2 x a 1
2 y b 1
"""
PREFERENCES = """\
1 Ann 1 a 2
1 Ann 1 c 1
2 Bob 1 x 0
2 Bob 1 a 1
"""


@pytest.fixture
def file(tmp_path):
    """A maker of files."""

    def make(text):
        path = tmp_path / "judgments.txt"
        path.write_text(text)
        return str(path)

    return make


# The run of conftest: topic 1 ranks a u c; topic 2 ranks x a.


def test_measures_say_how_the_judgments_are_read(file, good_run, gainful):
    outcome = gainful(
        "evaluate", file(SUBTOPICS), good_run, "-m", "StRecall@2,P_IA@2", "-m", "P@2", "-f", "json", "-q"
    )
    assert outcome.code == 0
    (run,) = json.loads(outcome.out)["runs"]
    assert run["per_topic"]["1"] == {"StRecall@2": 1 / 2, "P_IA@2": (1 / 2 + 0) / 2, "P@2": 1 / 2}
    assert run["per_topic"]["2"] == {"StRecall@2": 1 / 2, "P_IA@2": (1 / 2 + 0) / 2, "P@2": 1 / 2}


def test_where_no_measure_says_it_an_option_does(file, good_run, gainful):
    path = file(SUBTOPICS)
    refused = gainful("evaluate", path, good_run, "-m", "P@2")
    assert refused.code == 3
    assert "line 3 and line 2: document 'c' of topic '1' is there twice." in refused.err
    assert "If the second column names subtopics or judges, use --qrels-by." in refused.err
    taken = gainful("evaluate", path, good_run, "-m", "P@2", "--qrels-by", "subtopics")
    assert taken.code == 0
    assert taken.out.splitlines()[2].split() == ["P@2", "0.5000"]


def test_preferences_in_parts_are_told_by_their_columns(file, good_run, gainful):
    outcome = gainful(
        "evaluate", file(PREFERENCES), good_run, "-m", "prefs_simp,prefs_num_prefs_poss", "-f", "trec"
    )
    assert outcome.code == 0
    assert [line.split() for line in outcome.out.splitlines()][1:] == [
        ["prefs_simp", "all", f"{(1 + 0) / 2:.4f}"],
        ["prefs_num_prefs_poss", "all", "2"],
    ]


def test_judgments_without_what_a_measure_needs_are_refused_in_one_line(file, good_run, gainful):
    outcome = gainful("evaluate", file(PREFERENCES), good_run, "-m", "AP_IA", "--qrels-by", "preferences")
    assert outcome.code == 2
    assert outcome.err == (
        "gainful: AP_IA needs judgments that name subtopics, and these were read without; "
        "read them with --qrels-by subtopics (by='subtopics' in Python).\n"
    )


def test_a_measure_says_what_it_needs(gainful):
    assert (
        "Needs judgments by subtopic: topic, subtopic, document, grade"
        in gainful("measures", "alpha_nDCG").out
    )
    assert "Needs preferences" in gainful("measures", "Prefs").out
    assert "Needs" not in gainful("measures", "AP").out
