"""gainful measures: the everyday ones first, all of them by group, by a word, and one explained."""

import pytest

from gainful.measures import get, names


def listed(out: str) -> list[str]:
    return [line.split()[0] for line in out.splitlines() if line.startswith("  ")]


def test_the_everyday_measures_come_first_in_ten_lines(gainful):
    out = gainful("measures").out
    everyday = [name for name in names() if get(name).group == "everyday"]
    assert listed(out) == everyday
    assert len(everyday) == 10
    assert out.splitlines()[0].startswith("  AP ")
    assert "graded (" in out
    assert all(len(line) <= 90 for line in out.splitlines())


def test_all_lists_every_measure_once_under_its_group(gainful):
    out = gainful("measures", "--all").out
    assert sorted(listed(out)) == sorted(names())
    heads = [line for line in out.splitlines() if line and not line.startswith("  ")][:-1]
    assert heads[:7] == [
        "everyday",
        "graded",
        "recall",
        "user models",
        "diversity",
        "NTCIR",
        "judges and preferences",
    ]
    under = None
    for line in out.splitlines():
        if line in heads:
            under = line
        elif line.startswith("  "):
            assert get(line.split()[0]).group == under


def test_every_measure_of_the_package_has_a_group():
    assert [name for name in names() if get(name).group == "others"] == []


@pytest.mark.parametrize(
    ("words", "has", "lacks"),
    [
        (["recall"], ["R", "IPrec", "SetR", "StRecall"], ["AP", "nDCG"]),
        (["user", "models"], ["RBP", "INST"], ["AP"]),
        (["diversity"], ["alpha_nDCG"], ["nDCG"]),
        (["NOVELTY-"], ["NRBP", "nNRBP"], ["Novelty"]),
    ],
)
def test_a_word_lists_the_measures_about_it(words, has, lacks, gainful):
    found = listed(gainful("measures", *words).out)
    assert set(has) <= set(found)
    assert not set(lacks) & set(found)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("nDCG", "nDCG: "),
        ("ndcg", "nDCG: "),
        ("ndcg_cut_10", "nDCG@10: "),
        ("map", "AP: "),
        ("novelty", "Novelty: "),
        ("bejeweled", "BPM: "),
        ("AP (rel=2)", "AP(rel=2): "),
    ],
)
def test_a_name_or_a_word_of_one_measure_explains_it(text, first, gainful):
    assert gainful("measures", *text.split()).out.startswith(first)


def test_a_name_that_is_near_is_named(gainful):
    outcome = gainful("measures", "nDGC")
    assert outcome.code == 2
    assert "did you mean nDCG" in outcome.err


@pytest.mark.parametrize("name", ["nDCG@10", "RBP(p=0.5)", "P@5"])
def test_a_measure_explains_itself_in_80_columns_with_an_example(name, gainful):
    from gainful.measures import parse
    from gainful.presentation.text_style import width

    made = gainful("measures", name)
    assert made.out.startswith(f"{name}: ")
    assert "\n\nExample: Grades " in made.out
    assert max(map(width, made.out.splitlines())) <= 80
    assert parse(name).text() == made.out
    assert (str(parse(name)), repr(parse(name))) == (name, name)  # the key of results, everywhere
