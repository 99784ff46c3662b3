"""gainful explain: what it prints, and what it refuses."""

import json
import os
from pathlib import Path

import pytest


def test_the_table_ends_with_what_evaluate_says(qrels, good_run, gainful):
    outcome = gainful("explain", qrels, good_run, "--topic", "1", "-m", "AP")
    value = json.loads(gainful("evaluate", qrels, good_run, "-m", "AP", "-q", "-f", "json").out)
    [run] = value["runs"]
    assert outcome.code == 0
    assert outcome.out.startswith("AP = 0.8333 · topic 1 · good\n")
    assert run["per_topic"]["1"]["AP"] == pytest.approx(0.8333, abs=5e-5)
    assert ["2", "u", "–", "no", "1", "–", "0.0000"] in [line.split() for line in outcome.out.splitlines()]
    assert "AP(divisor=retrieved)  0.8333" in outcome.out


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_every_format_goes_to_a_file(form, qrels, good_run, gainful, tmp_path):
    out = tmp_path / "explained"
    words = ("explain", qrels, good_run, "--topic", "1", "-m", "nDCG@10", "-f", form, "-o", out)
    assert gainful(*words).code == 0
    assert "ideal DCG" in out.read_text()
    assert gainful(*words).code == 2
    assert gainful(*words, "--overwrite").code == 0


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_two_runs_side_by_side(form, qrels, good_run, gainful, tmp_path):
    other = tmp_path / "other.run"
    other.write_text("1 Q0 c 1 2 t\n1 Q0 a 2 1 t\n")
    outcome = gainful(
        "explain", qrels, good_run, "--topic", "1", "-m", "nDCG", "--compare", other, "-f", form
    )
    assert outcome.code == 0
    assert "good" in outcome.out
    assert "other" in outcome.out
    if form == "json":
        made = json.loads(outcome.out)
        assert sum(one["difference"] for one in made["documents"]) == pytest.approx(made["difference"])
        assert made["difference"] == pytest.approx(made["candidate"]["value"] - made["baseline"]["value"])


def test_the_only_topic_needs_no_name(good_run, gainful, tmp_path):
    one = tmp_path / "one.txt"
    one.write_text("2 0 a 1\n2 0 x 0\n")
    assert gainful("explain", one, good_run, "-m", "AP").out.startswith("AP = 0.5000 · topic 2 · good\n")


def test_one_of_many_topics_must_be_chosen(qrels, good_run, gainful):
    outcome = gainful("explain", qrels, good_run)
    assert outcome.code == 2
    assert "the judgments have 2 topics ('1', '2'); choose one (--topic ID" in outcome.err
    both = gainful("explain", qrels, good_run, "--worst", "--topic", "1")
    assert both.code == 2
    assert "choose one of them" in both.err


def test_the_worst_topic_is_the_lowest_or_the_largest_loss(qrels, good_run, gainful, tmp_path):
    assert gainful("explain", qrels, good_run, "--worst", "-m", "AP").out.startswith("AP = 0.5000 · topic 2 ")
    other = tmp_path / "other.run"
    other.write_text("1 Q0 u 1 2 t\n2 Q0 a 1 1 t\n")  # 1: from 0.8333 to 0; 2: from 0.5 to 1
    lost = gainful("explain", qrels, good_run, "--worst", "-m", "AP", "--compare", other)
    assert lost.out.startswith("AP: other 0.0000 minus good 0.8333 = −0.8333 · topic 1\n")


def test_decimals_and_folding_can_be_chosen(qrels, good_run, gainful):
    outcome = gainful("explain", qrels, good_run, "--topic", "1", "-m", "AP", "--places", 2, "--all")
    assert outcome.out.startswith("AP = 0.83 ")


def test_settings_are_followed_and_stated(qrels, good_run, gainful):
    outcome = gainful(
        "explain", qrels, good_run, "--topic", "1", "-m", "AP", "--unjudged", "condense", "--rel", 2
    )
    assert outcome.out.startswith("AP(rel=2) = 1.0000")
    assert "unjudged documents: removed · relevant from grade 2" in outcome.out.replace("\n", " ")


@pytest.mark.parametrize("which", ["run", "compare"])
def test_standard_input_may_be_a_run(which, qrels, good_run, gainful):
    words = ["-"] if which == "run" else [good_run, "--compare", "-"]
    with Path(good_run).open("rb") as file:
        kept = os.dup(0)
        os.dup2(file.fileno(), 0)
        try:
            outcome = gainful("explain", qrels, *words, "--topic", "1", "-m", "AP")
        finally:
            os.dup2(kept, 0)
            os.close(kept)
    assert outcome.code == 0, outcome.err
    assert "  u  " in outcome.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--topic", "zz"], "topic 'zz' is not judged; the judgments have '1', '2'"),
        (["--topic", "1", "-m", "nonsense"], "is not a measure"),
        (["--topic", "1", "-m", "P"], "P needs a cutoff"),
        (["--topic", "1", "-m", "nDCG@99999999999999999999"], "cutoff must be 1,000,000,000 or less"),
        ([], "--topic"),
    ],
)
def test_what_cannot_be_explained_is_refused_in_one_line(words, said, qrels, good_run, gainful, tmp_path):
    before = sorted(tmp_path.iterdir())
    outcome = gainful("explain", qrels, good_run, "-o", tmp_path / "out.txt", *words)
    assert outcome.code == 2
    assert said in outcome.err, outcome.err
    assert "Traceback" not in outcome.err
    assert sorted(tmp_path.iterdir()) == before


def test_a_missing_file_is_named(qrels, gainful, tmp_path):
    outcome = gainful("explain", qrels, tmp_path / "no.run", "--topic", "1")
    assert outcome.code == 3
    assert "no.run" in outcome.err


def test_a_list_is_explained_without_any_file(gainful, tmp_path):
    made = gainful(
        "explain", "--gains", "3 2 1 1 3 1 1 2 1 1", "--ideal", "3*9 2", "-m", "nDCG(discount=jk)@10"
    )
    assert made.code == 0, made.err
    assert made.out.startswith("nDCG(discount=jk)@10 = 0.6111 ")
    assert gainful("explain", "--gains", "3 2").out.startswith("nDCG@10 = 1.0000 ")
    picture = tmp_path / "pr.svg"
    made = gainful("explain", "--relevant", "1,2,5,8", "--of", 10, "--chart", picture)
    assert made.out.startswith("AP = 0.3100 ")
    assert picture.read_text().startswith("<svg")
    assert gainful("explain", "--relevant", "1,2", "--chart", picture).code == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "explain needs judgments and a run"),
        (["--ideal", "3"], "--ideal is an option of --gains"),
        (["--of", "3"], "--of is an option of --relevant"),
        (["--gains", "3", "--relevant", "1"], "use one of them"),
        (["--gains", "3", "--topic", "1"], "leave QRELS, RUN and their options out (--topic, --worst,"),
        (["qrels.txt", "a.run", "--relevant", "1"], "leave QRELS, RUN"),
        (["--gains", "3", "--chart", "x.gif"], "'.gif' is none of them"),
        (["--gains", "3", "-m", "Coverage"], "known"),
        (["--gains", "3", "-m", "alpha_nDCG@5"], "has only grades; give files"),
    ],
)
def test_a_list_and_files_do_not_mix(gainful, arguments, words):
    made = gainful("explain", *arguments)
    assert made.code == 2
    assert words in made.err
