"""The table of a paper: what is bold, what is marked, what the caption says, and that LaTeX sets it."""

import os
import re
import shutil
import string
import subprocess

import numpy as np
import pytest

from gainful.comparisons import Method, ScoreTable, compare_scores
from gainful.comparisons.board_tables import FORMATS, of_boards
from gainful.errors import UsageError
from gainful.measures import parse

BASE = np.linspace(0.1, 0.6, 12)
NOISE = np.array([0.03, -0.03] * 6)
SLIGHT = np.array([0.02] * 10 + [-0.02, -0.01])  # 0.002 < p < 0.05


def table(measure="AP"):
    """A baseline, one that is better on every topic, one slightly better, and one that is not."""
    rows = [BASE, BASE + 0.2, BASE + SLIGHT, BASE + NOISE]
    return ScoreTable.of_matrix(rows, systems=["base", "better", "slightly", "noise"], measure=measure)


def marks(made):
    """What is raised beside each system's number, and which is bold."""
    rows = re.findall(r"<th>(\w+)</th><td>(<b>)?[0-9.−]+(?:</b>)?(?:<sup>(.+?)</sup>)?</td>", made)
    return {name: ("bold " if bold else "") + raised for name, bold, raised in rows}


def test_one_dagger_is_alpha_two_are_a_fifth_of_it_and_the_baseline_has_none():
    made = compare_scores(table(), Method(baseline="base"))
    by_hand = {pair.b: pair.p_adjusted for pair in made}
    assert by_hand["better"] <= 0.01 < by_hand["slightly"] <= 0.05 < by_hand["noise"]
    assert marks(made.paper("html")) == {"base": "", "better": "bold ‡", "slightly": "†", "noise": ""}


def test_daggers_are_given_after_correction():
    alone = compare_scores(table(), Method(baseline="base", correction="none"))
    level = next(pair.p_value for pair in alone if pair.b == "slightly")
    lenient = Method(baseline="base", correction="none", alpha=1.2 * level)
    assert marks(compare_scores(table(), lenient).paper("html"))["slightly"] == "†"
    strict = Method(baseline="base", correction="bonferroni", alpha=1.2 * level)
    assert marks(compare_scores(table(), strict).paper("html"))["slightly"] == ""


def test_without_a_baseline_the_first_system_is_it_and_only_its_pairs_are_corrected():
    made = compare_scores(table())
    assert made.paper() == compare_scores(table(), Method(baseline="base")).paper()
    assert "from base (sign-flip test, Holm over 3 pairs)" in made.paper()


def test_letters_are_those_of_the_leaderboard():
    from gainful.comparisons import leaderboard

    made = compare_scores(table())
    board = {place.system: place.letters for place in leaderboard(made).places}
    assert {
        name: mark.removeprefix("bold ") for name, mark in marks(made.paper("html", letters=True)).items()
    } == board
    with pytest.raises(UsageError, match="leave the baseline out"):
        compare_scores(table(), Method(baseline="base")).paper(letters=True)


def test_where_less_is_better_the_least_is_bold_and_the_caption_says_so():
    made = compare_scores(table("RBPres"))
    assert marks(made.paper("html"))["base"] == "bold "
    assert "; for RBPres, less is better; " in made.paper("html")


def test_numbers_that_are_printed_alike_are_bold_alike():
    nearly = ScoreTable.of_matrix(
        [BASE + 1e-7 * NOISE, BASE, BASE - 0.1], systems=["a", "b", "c"], measure="AP"
    )
    assert [name for name, mark in marks(compare_scores(nearly).paper("html")).items() if "bold" in mark] == [
        "a",
        "b",
    ]


def test_the_caption_is_one_sentence_in_every_format():
    one = table()
    two = ScoreTable(
        (parse("AP"), parse("nDCG@10")), one.systems, one.topics, np.repeat(one.values, 2, axis=0)
    )
    made = compare_scores(two)
    caption = (
        "Mean AP and nDCG@10 over 12 topics; best in bold; † p ≤ 0.05 and ‡ p ≤ 0.01 for the difference from base "
        "(sign-flip test, Holm over 3 pairs)."
    )
    assert f"<caption>{caption}</caption>" in made.paper("html")
    assert f"\n\n{caption}\n\n" in made.paper("markdown")
    assert (
        made.paper().count(
            r"\caption{Mean AP and nDCG@10 over 12 topics; best in bold; $\dagger$ p~$\le$~0.05 "
        )
        == 1
    )
    text = made.paper("table")
    assert caption.replace("best in bold; ", "") in text.replace("\n", " ")


def test_a_caption_promises_no_daggers_where_there_are_none():
    alike = ScoreTable.of_matrix([BASE, BASE + NOISE], systems=["a", "b"], measure="AP")
    assert "; no difference from a is significant (sign-flip test, alpha 0.05)." in compare_scores(
        alike
    ).paper("html")
    few = ScoreTable.of_matrix([BASE[:3], BASE[:3] + 0.2], systems=["a", "b"], measure="AP")
    for letters in (False, True):
        assert "can be resolved: 3 topics give no p-value under 0.25" in compare_scores(few).paper(
            letters=letters
        )


def test_a_test_that_goes_against_the_means_gives_no_dagger_and_the_caption_says_why():
    rows = [np.full(20, 0.5), np.r_[np.full(17, 0.51), np.full(3, 0.3)]]
    odd = ScoreTable.of_matrix(rows, systems=["a", "b"], measure="AP")
    made = compare_scores(odd, Method(test="sign"))
    assert made.pairs[0].significant(0.05)
    assert made.pairs[0].difference < 0
    assert marks(made.paper("html")) == {"a": "bold ", "b": ""}
    assert "(sign test, no mark where the test goes against the means)" in made.paper("html")


def test_every_format_says_how_it_was_made_and_others_are_refused():
    made = compare_scores(table())
    for form in FORMATS:
        assert "all 4,096 flips" in made.paper(form), form  # 2¹² patterns of the signs of 12 topics
    with pytest.raises(UsageError, match="csv and json have all numbers"):
        made.paper("csv")


def test_numbers_stand_below_each_other_whatever_is_marked():
    lines = compare_scores(table()).paper("table").splitlines()[2:6]
    assert len({line.index(".") for line in lines}) == 1


@pytest.fixture(scope="session")
def pdflatex():
    """Debian's LaTeX; without it the tests are skipped, but not where everything must be tested."""
    path = shutil.which("pdflatex")
    if path is None:
        reason = "there is no pdflatex; `make latex` installs it"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    return path


def typeset(pdflatex, folder, *tables):
    body = "\n".join(tables)
    source = f"\\documentclass{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    (folder / "paper.tex").write_text(source)
    command = [pdflatex, "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "paper.tex"]
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-3000:]
    assert (folder / "paper.pdf").read_bytes().startswith(b"%PDF")
    return done.stdout


def test_the_table_compiles_with_pdflatex_whatever_the_systems_are_called(pdflatex, tmp_path):
    names = [
        "[best]",
        "*",
        *(f"a{sign}b" for sign in string.punctuation),
        "café_№1".replace("№", "#"),
        "α-β ≤ 1",
    ]
    values = np.random.default_rng(0).random((len(names), 20))
    made = compare_scores(ScoreTable.of_matrix(values, systems=names, measure="AP"), Method(flips=500))
    typeset(pdflatex, tmp_path, made.paper(), made.paper(letters=True))


def test_letters_that_pdflatex_does_not_have_are_named_beforehand():
    named = ScoreTable.of_matrix([BASE, BASE + NOISE], systems=["検索", "b"], measure="AP")
    assert "% Some letters are not in pdflatex's fonts: use lualatex" in compare_scores(named).paper()
    assert "lualatex" not in compare_scores(table()).paper()


def test_tables_of_pairs_boards_and_components_compile_too(pdflatex, tmp_path):
    from gainful.comparisons import comparison_tables, leaderboard
    from gainful.statistics.anova import components

    made = compare_scores(table())
    analysed = components(table().of("AP")[0], measure="AP")
    typeset(
        pdflatex,
        tmp_path,
        comparison_tables.of_pairs(made, "latex"),
        of_boards(made, [leaderboard(made)], "latex"),
        comparison_tables.of_components(table(), [analysed], "latex"),
    )
