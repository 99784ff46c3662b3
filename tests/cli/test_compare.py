"""gainful compare and gainful correlate, as they are typed."""

import csv
import io
import json
import os
import random
import subprocess
import sys
import threading

import pytest


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Ten topics, a good run, a middling one that is hardly worse, and a bad one."""
    monkeypatch.chdir(tmp_path)
    chance = random.Random(3)
    topics = range(1, 13)

    def run(name, skill, covered=topics):
        lines = []
        for topic in covered:
            scores = {f"d{number}": chance.gauss(skill if number < 3 else 0, 1) for number in range(8)}
            lines += [f"{topic} Q0 {document} 1 {score} {name}\n" for document, score in scores.items()]
        (tmp_path / f"{name}.run").write_text("".join(lines))

    qrels = "".join(f"{topic} 0 d{number} {int(number < 3)}\n" for topic in topics for number in range(8))
    (tmp_path / "qrels.txt").write_text(qrels)
    (tmp_path / "other.qrels").write_text(qrels.replace(" 1\n", " 2\n"))
    run("good", 2.2)
    run("middling", 1.8)
    run("bad", -2)
    run("half", 3, range(1, 7))
    (tmp_path / "scores.csv").write_text(
        "topic,a,b,c\n"
        + "".join(f"{topic},{chance.random()},{chance.random()},{chance.random() + 2}\n" for topic in topics)
    )
    return tmp_path


def test_two_runs_are_answered_in_a_table_and_in_words(files, gainful):
    made = gainful("compare", "qrels.txt", "bad.run", "good.run", "-m", "AP,RR")
    assert made.code == 0
    lines = made.out.splitlines()
    assert lines[0].startswith("good is better than bad on AP: +0.")
    assert lines[2].split() == ["measure", "bad", "good", "difference", "95", "%", "CI", "p"]
    stated = " ".join(made.out.split())
    assert (
        "12 topics, paired · sign-flip test · t interval · alpha 0.05 · power 0.8 · all 4,096 flips" in stated
    )
    assert "ties: by document id · missing topics: score 0" in stated
    wide = gainful("compare", "qrels.txt", "bad.run", "good.run", "-m", "AP,RR", "--wide").out
    assert wide.splitlines()[2].split()[:3] == ["measure", "A", "B"]
    assert "good is better than bad by 0." in wide


def test_the_default_measure_is_stated(files, gainful):
    assert "nDCG@10" in gainful("compare", "qrels.txt", "bad.run", "good.run").out


def test_several_runs_make_a_leaderboard_and_a_baseline_makes_pairs(files, gainful):
    board = gainful("compare", "qrels.txt", "bad.run", "good.run", "middling.run", "-m", "AP")
    assert [line.split()[1] for line in board.out.split("\n\n")[1].splitlines()[2:]][2] == "bad"
    assert "1 of 2 neighbours on this board do not differ significantly" in board.out
    assert "Holm over 3 pairs" in board.out
    pairs = gainful(
        "compare",
        "qrels.txt",
        "bad.run",
        "good.run",
        "middling.run",
        "-m",
        "AP",
        "--baseline",
        "bad",
        "--wide",
    )
    assert "the best of 2, is better than the baseline bad on AP: +0." in pairs.out.splitlines()[0]
    assert pairs.out.count("is better than bad") == 2
    assert "after Holm" in pairs.out
    refused = gainful(
        "compare", "qrels.txt", "bad.run", "good.run", "--baseline", "bad", "--view", "leaderboard"
    )
    assert refused.code == 2


def test_json_is_written_whole_and_never_over_another_file(files, gainful):
    made = gainful(
        "compare",
        "qrels.txt",
        "bad.run",
        "good.run",
        "middling.run",
        "-m",
        "AP",
        "-f",
        "json",
        "-o",
        "made.json",
    )
    assert (made.code, made.out) == (0, "")
    held = json.loads((files / "made.json").read_text())
    assert [system["name"] for system in held["systems"]] == ["bad", "good", "middling"]
    assert len(held["comparisons"]) == 3
    assert [place["rank"] for place in held["leaderboards"][0]["places"]] == [1, 2, 3]
    assert gainful("compare", "qrels.txt", "bad.run", "good.run", "-o", "made.json").code == 2


def test_csv_says_how_it_was_made_on_standard_error(files, gainful):
    made = gainful("compare", "qrels.txt", "bad.run", "good.run", "-m", "AP", "-f", "csv")
    (row,) = csv.DictReader(io.StringIO(made.out))
    assert float(row["low"]) < float(row["difference"]) < float(row["high"])
    assert "settings: sign-flip test" in made.err


@pytest.mark.parametrize("view", ["pairs", "leaderboard", "components"])
@pytest.mark.parametrize("form", ["table", "csv", "json", "markdown", "latex"])
def test_a_table_of_scores_is_an_input_for_every_view(files, gainful, view, form):
    made = gainful("compare", "scores.csv", "--view", view, "-f", form)
    assert made.code == 0, made.err
    assert "scores" in made.out


def test_components_say_how_far_the_ranking_would_survive(files, gainful):
    made = gainful("compare", "scores.csv", "--view", "components", "--target", "0.9")
    assert "scores: 3 systems × 12 topics: Eρ² 0." in made.out
    assert "For 0.9, the order of systems needs" in made.out


def test_a_saved_result_stands_for_its_runs(files, gainful):
    assert (
        gainful("evaluate", "qrels.txt", "bad.run", "-m", "AP", "-q", "-f", "json", "-o", "bad.json").code
        == 0
    )
    fresh = gainful("compare", "qrels.txt", "bad.run", "good.run", "-m", "AP")
    saved = gainful("compare", "qrels.txt", "bad.json", "good.run", "-m", "AP")
    assert saved.out == fresh.out
    assert (
        gainful("evaluate", "qrels.txt", "good.run", "-m", "AP", "-q", "-f", "json", "-o", "good.json").code
        == 0
    )
    assert gainful("compare", "bad.json", "good.json").out == fresh.out


def test_standard_input_may_be_a_run(files):
    code = "import sys; from gainful.cli import run; sys.exit(run(sys.argv[1:]))"
    with (files / "good.run").open() as run:
        done = subprocess.run(
            [sys.executable, "-c", code, "compare", "qrels.txt", "bad.run", "-", "-m", "AP"],
            stdin=run,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "stdin is better than bad" in done.stdout


def test_a_pipe_may_be_a_run(files, gainful):
    os.mkfifo(files / "pipe")
    content = (files / "good.run").read_bytes()
    threading.Thread(target=lambda: (files / "pipe").write_bytes(content), daemon=True).start()
    made = gainful("compare", "qrels.txt", "bad.run", "pipe", "-m", "AP")
    assert made.code == 0, made.err
    assert "pipe is better than bad" in made.out


HOSTILE = {
    "one run": (["qrels.txt", "good.run"], 2, "only one run is given (good.run)"),
    "one file": (["good.run"], 2, "one file is not enough"),
    "no such file": (["qrels.txt", "good.run", "none.run"], 3, "none.run: there is no such file"),
    "one topic": (["qrels.txt", "good.run", "bad.run", "--topics", "3"], 4, "one topic ('3') is not enough"),
    "identical": (["qrels.txt", "good.run", "good.run"], 0, "good.run and good.run#2 are the same run"),
    "other topics": (
        ["qrels.txt", "good.run", "half.run", "--missing", "skip"],
        3,
        "half lacks 6: 7, 8, 9, 10, 11 and 1 more",
    ),
    "NaN": (["nan.csv"], 3, "nan.csv, line 3: score of system 'a' is nan"),
    "one system": (["one.csv"], 4, "there is only one system ('a')"),
    "one line": (["line.csv"], 4, "one topic ('1') is not enough"),
    "zero variance": (["zero.csv"], 0, "the same amount on every topic"),
    "disjoint": (["disjoint.csv"], 4, "no topic is common to all systems"),
    "other judgments": (
        ["qrels.txt", "other.json", "good.run", "-m", "AP"],
        3,
        "other.json was scored with other judgments",
    ),
    "ignored option": (["scores.csv", "--ties", "best"], 2, "--ties applies to runs"),
    "wrong alpha": (["scores.csv", "--alpha", "5"], 2, "alpha must lie between 1e-09 and 0.999999; got 5.0"),
    "table as run": (
        ["qrels.txt", "scores.csv", "good.run"],
        2,
        "is a table of scores; compare it by itself",
    ),
    "twice stdin": (["-", "-"], 2, "standard input can be read only once, but - is given more than once."),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_input_gets_a_sentence_and_the_right_exit_code(files, gainful, case):
    (files / "nan.csv").write_text("a,b\n0.1,0.2\nnan,0.3\n")
    (files / "one.csv").write_text("topic,a\n1,0.1\n2,0.2\n")
    (files / "line.csv").write_text("a,b\n0.1,0.2\n")
    (files / "zero.csv").write_text("a,b\n0.1,0.2\n0.2,0.3\n0.3,0.4\n0.5,0.6\n0.6,0.7\n0.7,0.8\n")
    (files / "disjoint.csv").write_text("system,topic,score\na,1,0.1\nb,2,0.2\n")
    gainful("evaluate", "other.qrels", "bad.run", "-m", "AP", "-q", "-f", "json", "-o", "other.json")
    arguments, code, words = HOSTILE[case]
    made = gainful("compare", *arguments)
    assert made.code == code, made.err
    assert words in made.err
    assert "Traceback" not in made.err


def test_results_are_the_same_for_the_same_seed(files, gainful):
    options = ["--interval", "bca", "--test", "bootstrap", "--resamples", "300", "-f", "json"]
    once, again, other = (
        gainful("compare", "scores.csv", *options, "--seed", seed).out for seed in (1, 1, 2)
    )
    assert once == again
    assert once != other


def test_two_runs_correlate_by_rank_biased_overlap(files, gainful):
    made = gainful("correlate", "good.run", "middling.run", "--qrels", "qrels.txt")
    assert made.code == 0
    assert [line.split()[0] for line in made.out.splitlines()[2:5]] == ["all", "judged", "relevant"]
    assert "good and middling · means over topics in both · p 0.9 · ties: by document id" in made.out
    whole = json.loads(gainful("correlate", "good.run", "good.run", "-f", "json").out)["lists"][0]
    assert whole["rbo"]["extrapolated"] == pytest.approx(1)
    assert set(whole["overlap"].values()) == {1.0}
    rows = list(csv.DictReader(io.StringIO(gainful("correlate", "good.run", "bad.run", "-f", "csv").out)))
    assert len(rows) == 12


def test_two_orders_of_systems_correlate(files, gainful):
    gainful(
        "evaluate",
        "qrels.txt",
        "good.run",
        "bad.run",
        "half.run",
        "-m",
        "AP,RR",
        "-f",
        "json",
        "-o",
        "means.json",
    )
    made = gainful("correlate", "means.json", "means.json", "-m", "AP")
    assert made.code == 0
    assert "Kendall's tau-b" in made.out
    assert made.out.count("1.0000") == 3
    assert gainful("correlate", "means.json", "means.json", "-m", "map,RR").code == 0
    held = json.loads(gainful("correlate", "scores.csv", "scores.csv", "-f", "json").out)
    assert (held["systems"], held["tau_b"]) == (3, 1)


def test_an_order_begins_with_the_best_where_less_is_better(files, gainful):
    (files / "less.csv").write_text("system,topic,measure,score\n" + LESS)
    held = json.loads(gainful("correlate", "less.csv", "less.csv", "-m", "P@5,Fallout@5", "-f", "json").out)
    assert (held["tau_b"], held["tau_ap"]) == (1, 1)
    assert held["second"] == "less.csv by Fallout@5, lowest first"


LESS = "".join(
    f"{name},1,P@5,{share}\n{name},1,Fallout@5,{1 - share}\n"
    for name, share in {"a": 0.5, "b": 0.25, "c": 0.75}.items()
)


def test_orders_that_have_no_correlation_show_a_dash(files, gainful):
    (files / "same.csv").write_text("topic,a,b\n1,0.5,0.5\n")
    assert "nan" not in gainful("correlate", "same.csv", "same.csv").out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (
            ["good.run", "scores.csv"],
            2,
            "one file is a run and the other holds scores; give two runs or two files of scores.",
        ),
        (["means.json", "means.json"], 2, "has several measures (AP, RR); choose the one"),
        (["means.json", "means.json", "-m", "P@3"], 2, "has no P@3; it has AP, RR"),
        (["means.json", "means.json", "-m", "AP,RR,P@3"], 2, "one for each of the two files; got 3"),
        (["means.json", "scores.csv", "-m", "AP,scores"], 4, "0 systems in common"),
        (["good.run", "bad.run", "-p", "1"], 2, "p must lie between 0 and 1"),
    ],
)
def test_what_cannot_be_correlated_is_refused(files, gainful, arguments, code, words):
    gainful("evaluate", "qrels.txt", "good.run", "bad.run", "-m", "AP,RR", "-f", "json", "-o", "means.json")
    made = gainful("correlate", *arguments)
    assert made.code == code
    assert words in made.err


def test_a_table_for_a_paper_is_written_in_every_format_for_people(files, gainful):
    asked = ["compare", "qrels.txt", "bad.run", "good.run", "middling.run", "-m", "AP,RR", "--paper"]
    latex = gainful(*asked, "-f", "latex")
    assert latex.code == 0, latex.err
    assert latex.out.count(r"\textbf{") >= 2
    assert r"\textsuperscript{$\ddagger$}" in latex.out
    assert "for the difference from bad (sign-flip test, Holm over 2 pairs)." in latex.out
    assert gainful(*asked, "-f", "latex", "--baseline", "good").out.count("from good (sign-flip test") == 1
    assert "<table><caption>Mean AP and RR over 12 topics;" in gainful(*asked, "-f", "html").out
    assert "| system | AP | RR |" in gainful(*asked, "-f", "markdown").out
    assert "share a letter" in gainful(*asked, "--letters").out
    assert max(map(len, gainful(*asked).out.splitlines()[:-1])) <= 80


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--paper -f json", "-f json has all the numbers"),
        ("--paper --moved", "leave --moved out"),
        ("--paper --view pairs", "leave --view out"),
        ("--paper --letters --baseline bad", "leave --baseline or --letters out"),
        ("--paper --baseline nobody", "no system is called 'nobody'"),
        ("-f html", "-f html is for --paper"),
    ],
)
def test_what_a_table_for_a_paper_cannot_hold_is_refused(files, gainful, arguments, words):
    made = gainful("compare", "qrels.txt", "bad.run", "good.run", *arguments.split())
    assert made.code == 2
    assert words in made.err
