"""The examples on the pages of measures compute what Gainful computes, and formulas are typeset as they are written."""

import doctest
import importlib
import random
import re
from html import unescape

import pytest
from docs.website.formula_markup import formula_markup
from docs.website.recorded_measure import recorded
from docs.website.site_build import HERE
from docs.website.worked_example import LIST, MISSED, described, examples, value_of
from docs.website.worked_table import KINDS, worked_table

from gainful.measures import get, names

RECORDED = [measure for name in names() for measure in examples(get(name))]
LISTS = 60


@pytest.fixture(scope="module")
def program(browser):
    """A page that has the script which computes programs."""
    page = browser.new_page()
    page.add_script_tag(content=(HERE / "measure_program.js").read_text("utf-8"))
    yield page
    page.close()


def lists(seed):
    """Graded lists with holes, ties of grades and negative grades, some of them empty."""
    draw = random.Random(seed)
    for _ in range(LISTS):
        grades = [draw.choice([None, None, -1, 0, 0, 1, 1, 2, 3, 4]) for _ in range(draw.randrange(12))]
        yield {
            "list": grades,
            "missed": [draw.choice([-1, 0, 1, 1, 2, 4]) for _ in range(draw.randrange(5))],
            "expected": draw.randrange(5),
        }


def test_the_browser_computes_what_gainful_computes_for_every_measure_that_has_an_example(program):
    assert len({measure.name for measure in RECORDED}) >= 60
    for seed, measure in enumerate(RECORDED):
        given = list(lists(seed))
        computed = program.evaluate(
            "([program, lists]) => lists.map((list) => measureProgram.results(program, list).pop())",
            [recorded(measure).operations, given],
        )
        wanted = [value_of(measure, each["list"], each["missed"], each["expected"]) for each in given]
        assert computed == pytest.approx(wanted, rel=1e-12, abs=1e-12), measure


def test_the_terms_that_are_shown_add_up_to_the_sums_and_the_value(program):
    for measure in RECORDED:
        example = described(measure)
        sums = program.evaluate(
            """([{ program, sums }, list]) => {
              const results = measureProgram.results(program, list);
              const read = (each) => ("of" in each ? results[each.of] : each.is);
              return sums.map(({ inputs, total, kind }) => [measureProgram.terms(...inputs.map(read)), results[total], kind]);
            }""",
            [example, {"list": LIST, "missed": MISSED, "expected": 2}],
        )
        for terms, total, kind in sums:
            assert (sum(terms) if kind == "sum" else max([0, *terms])) == pytest.approx(total), measure


def test_the_value_is_said_in_terms_of_the_sums():
    assert described(get("nDCG"))["text"] == "S₁ / S₂"
    assert [column["text"] for column in described(get("nDCG"))["sums"]] == ["gain / log2(rank + 1)"] * 2
    assert described(get("nDCG"))["names"] == {"gain": "max(grade, 0)"}
    (precision, _) = described(get("AP") @ 3)["sums"]
    assert (precision["text"], precision["where"]) == ("(grade ≥ 1) so far / rank", "grade ≥ 1, rank ≤ 3")


def test_every_measure_has_an_example_or_a_table():
    for name in names():
        assert examples(get(name)) or get(name).needs in KINDS, name


def test_a_table_has_the_value_of_the_list_cut_at_each_rank():
    lines = worked_table(get("StRecall")).splitlines()
    assert [line.split(" | ")[-1].rstrip(" |") for line in lines[2:7]] == [
        "0.3333",
        "0.3333",
        "0.3333",
        "0.6667",
        "1.0000",
    ]


def test_a_formula_keeps_all_that_it_says_in_its_order():
    for name in names():
        formula = get(name).formula
        markup = formula_markup(formula)
        shown = re.findall(r"[A-Za-zγεπ]+|\d+(?:\.\d+)?", unescape(re.sub(r"<[^>]*>", " ", markup)))
        said = re.findall(r"[A-Za-zγεπ]+|\d+(?:\.\d+)?", formula.replace("²", " 2 "))
        assert shown == said, name
        for tag in ("mrow", "mfrac", "msup", "msub", "math"):
            assert markup.count(f"<{tag}>") + markup.count(f"<{tag} ") == markup.count(f"</{tag}>"), name


def test_a_fraction_has_one_numerator_and_one_denominator():
    assert formula_markup("DCG = Σ gain(grade) / discount(rank)").count("<mfrac>") == 1
    assert "<mfrac><mi>found</mi><mi>cutoff</mi></mfrac>" in formula_markup("P = found / cutoff")
    both = formula_markup("INSQ = Σ reach · gain / Σ reach")
    assert re.search(r"<mfrac><mrow>.*∑.*<mi>reach</mi><mo>·</mo><mi>gain</mi></mrow>", both)


def test_brackets_are_tall_around_fractions_alone_and_hold_no_space_beside_words():
    assert '<mo stretchy="false">(</mo><mrow><mtext>grades above</mtext></mrow>' in formula_markup(
        "a = stop(grades above)"
    )
    assert "<mo>(</mo><mrow><mfrac>" in formula_markup("a = (b / c)^2")


@pytest.mark.parametrize("module", sorted(path.stem for path in HERE.glob("*.py") if path.stem != "__main__"))
def test_examples_in_docstrings_hold(module):
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.testmod(importlib.import_module(f"docs.website.{module}"), optionflags=flags).failed == 0
