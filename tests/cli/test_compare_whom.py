"""gainful compare: for whom, what moved, what is not known, by groups and weights, under several judges; as typed."""

import csv
import io
import itertools
import json
import random
import subprocess
import sys

import pytest


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Sixteen topics, two runs of ten with a third of it unjudged, groups, weights, and two judges."""
    monkeypatch.chdir(tmp_path)
    chance = random.Random(5)
    topics = range(1, 17)
    qrels, other, by_judge, by_subtopic = [], [], [], []
    for topic in topics:
        for number in range(20):
            grade = int(number < 6)
            if number % 3 != 2:
                qrels.append(f"{topic} 0 d{number} {grade}\n")
                again = grade if chance.random() < 0.85 else 1 - grade
                other.append(f"{topic} 0 d{number} {again}\n")
                by_judge += [f"{topic} ann d{number} {grade}\n", f"{topic} ben d{number} {again}\n"]
                by_subtopic.append(f"{topic} s{number % 2} d{number} {grade}\n")
    (tmp_path / "qrels.txt").write_text("".join(qrels))
    (tmp_path / "other.txt").write_text("".join(other))
    (tmp_path / "judges.txt").write_text("".join(by_judge))
    (tmp_path / "subtopics.txt").write_text("".join(by_subtopic))
    for name, skill in (("old", 0.3), ("new", 1.5), ("third", 0.8)):
        lines = []
        for topic in topics:
            scores = {f"d{number}": chance.gauss(skill * (number < 6), 1) for number in range(20)}
            kept = sorted(scores, key=lambda one: -scores[one])[:10]
            lines += [f"{topic} Q0 {one} 1 {scores[one]} {name}\n" for one in kept]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    (tmp_path / "groups.csv").write_text(
        "topic,group\n" + "".join(f"{topic},{'head' if topic < 9 else 'tail'}\n" for topic in topics)
    )
    (tmp_path / "weights.tsv").write_text("".join(f"{topic}\t{20 - topic}\n" for topic in topics))
    (tmp_path / "scores.csv").write_text("a,b\n" + "".join(f"{n / 20},{n / 16}\n" for n in range(12)))
    return tmp_path


PAIR = ("compare", "qrels.txt", "old.run", "new.run")


def test_what_moved_names_topics_and_documents(files, gainful):
    made = gainful(*PAIR, "--moved", "--rows", "2")
    assert made.code == 0, made.err
    lines = made.out.split("WHAT MOVED")[1].splitlines()
    assert sum(line.startswith("gained") for line in lines) == 2
    assert any("rank 1" in line for line in lines)
    held = json.loads(gainful(*PAIR, "--moved", "-f", "json").out)
    for topic in held["moved"][0]["gained"]:
        parts = sum(one["part"] for one in topic["documents"]) + topic["rest"]
        assert parts == pytest.approx(topic["difference"])
    rows = list(csv.DictReader(io.StringIO(gainful(*PAIR, "--moved", "-f", "csv").out)))
    assert {row["moved"] for row in rows} <= {"gained", "lost"}


def test_what_moved_works_on_scores_and_says_what_is_lacking(files, gainful):
    made = gainful("compare", "scores.csv", "--moved")
    assert made.code == 0
    assert "gained" in made.out
    assert "--moved lists documents only if judgments and runs are given, not for saved scores" in made.err


def test_what_is_not_known_has_shares_bounds_and_documents(files, gainful):
    made = gainful(*PAIR, "--unknown")
    assert made.code == 0, made.err
    assert "share of the top ranks that is judged" in made.out
    assert "judge first: nDCG@10, A old, B new" in made.out
    assert "unjudged documents in the top 10 of the two are judged" in made.out
    held = json.loads(gainful(*PAIR, "--unknown", "--to", "5", "-f", "json").out)["unknown"]
    (pair,) = held["pairs"]
    assert pair["depth"] == 5
    assert pair["difference"]["low"] <= pair["difference"]["value"] <= pair["difference"]["high"]
    assert {one["depth"] for one in held["shares"]} == {5, 10}


def test_unknown_needs_the_lists(files, gainful):
    made = gainful("compare", "scores.csv", "--unknown")
    assert made.code == 2
    assert "scores.csv holds scores alone: give judgments and the runs themselves" in made.err
    gainful("evaluate", "qrels.txt", "old.run", "-m", "nDCG@10", "-q", "-f", "json", "-o", "old.json")
    made = gainful("compare", "qrels.txt", "old.json", "new.run", "--unknown")
    assert made.code == 2
    assert "old.json holds scores alone" in made.err


def test_a_run_from_standard_input_can_be_looked_at_again(files):
    code = "import sys; from gainful.cli import run; sys.exit(run(sys.argv[1:]))"
    with (files / "new.run").open() as run:
        done = subprocess.run(
            [sys.executable, "-c", code, *PAIR[:3], "-", "--unknown", "--moved", "--readers", "-f", "json"],
            stdin=run,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert {"unknown", "moved", "crossovers"} <= set(json.loads(done.stdout))


def test_groups_and_weights_are_in_every_table(files, gainful):
    made = gainful(*PAIR, "--groups", "groups.csv", "--weights", "weights.tsv")
    assert made.code == 0, made.err
    assert [line.split()[0] for line in made.out.splitlines()[4:7]] == ["(all)", "head", "tail"]
    weights = range(4, 20)
    effective = sum(weights) ** 2 / sum(weight**2 for weight in weights)
    assert f"weighted, equivalent to {effective:.1f} topics" in made.out
    assert "on the group: head" in made.out
    rows = list(csv.DictReader(io.StringIO(gainful(*PAIR, "--groups", "groups.csv", "-f", "csv").out)))
    assert [row["group"] for row in rows] == ["(all)", "head", "tail"]
    board = gainful("compare", "qrels.txt", "old.run", "new.run", "third.run", "--groups", "groups.csv")
    assert "group tail" in board.out
    for view in ("components", "topics"):
        assert "tail" in gainful(*PAIR, "--groups", "groups.csv", "--view", view).out


def test_readers_are_swept_and_drawn(files, gainful):
    made = gainful(*PAIR, "--readers", "--by", "rank", "--resamples", "200", "--chart", "readers.svg")
    assert made.code == 0, made.err
    assert "READERS" in made.out
    assert (files / "readers.svg").read_text().startswith("<svg")
    again = gainful(*PAIR, "--readers", "--chart", "readers.svg")
    assert again.code == 2
    held = json.loads(
        gainful(*PAIR, "--readers", "--groups", "groups.csv", "--resamples", "200", "-f", "json").out
    )
    assert {"by", "measure", "from", "to", "leader"} <= set(held["crossovers"][0])
    assert set(held["crossovers_by_group"]) == {"head", "tail"}
    assert held["comparisons"]


def test_readers_by_rank_get_what_is_asked_for(files, gainful):
    made = gainful(
        *PAIR, "--readers", "--by", "rank", "--by-rank", "nDCG", "--resamples", "100", "-f", "json"
    )
    assert made.code == 0, made.err
    assert {one["measure"] for one in json.loads(made.out)["crossovers"]} == {"nDCG"}


def test_readers_of_each_group_are_in_every_format(files, gainful):
    asked = (*PAIR, "--readers", "--by", "rank", "--groups", "groups.csv", "--resamples", "100")
    table = gainful(*asked).out.split("READERS")[1]
    assert "group head\n" in table
    assert "Group tail: " in table
    latex = gainful(*asked, "-f", "latex").out
    assert "\\caption{Readers.}" in latex
    assert "\\caption{Group head.}" in latex
    made = gainful(*asked, "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(made.out)))
    assert [group for group, _ in itertools.groupby(row["group"] for row in rows)] == [
        "(all)",
        "head",
        "tail",
    ]
    assert "note: group head: 8 topics are few" in made.err


def test_judges_are_compared_on_the_documents_that_all_judged(files, gainful):
    lines = (files / "other.txt").read_text().splitlines(keepends=True)
    (files / "half.txt").write_text("".join(line for line in lines if int(line.split()[2][1:]) < 12))
    both = (*("old.run", "new.run"), "--qrels", "qrels.txt", "--qrels", "half.txt", "--resamples", "100")
    made = gainful("compare", *both)
    assert "unless the common ones alone count (--common)" in made.err
    made = gainful("compare", *both, "--common")
    assert made.code == 0, made.err
    assert "only documents that all judged" in made.out
    assert "--common" not in made.err


def test_choices_of_the_command_line_are_those_of_the_library():
    from gainful.cli import compare, compare_options
    from gainful.comparisons.judges.judge_files import MERGED
    from gainful.comparisons.readers import BY
    from gainful.presentation.table import FORMATS

    assert (*FORMATS, "html") == compare.FORMATS
    assert compare_options.SWEEPS == BY
    assert compare_options.MERGES == MERGED


GIVEN = ("measures", "margin", "baseline", "allow_inconclusive")
"""Said by the user, or a flag: these have no default to agree on."""


@pytest.mark.parametrize("command", ["compare", "gate"])
def test_options_of_statistics_have_the_defaults_and_the_choices_of_the_library(command):
    from importlib import import_module
    from inspect import signature

    from gainful.comparisons import Method, gate, method

    documented = signature({"compare": Method, "gate": gate}[command]).parameters
    options = {option.name: option for option in import_module(f"gainful.cli.{command}").command.params}
    shared = [name for name in documented if name in options and name not in GIVEN]
    assert {"alpha", "power", "flips", "seed"} <= set(shared)
    for name in shared:
        assert options[name].default == documented[name].default, name
        if name in method.CHOICES:
            assert tuple(options[name].type.choices) == tuple(method.CHOICES[name]), name


def test_compare_measures_the_same_from_python_and_from_the_command_line(files, gainful):
    from gainful import compare

    made = json.loads(gainful("compare", "qrels.txt", "old.run", "new.run", "-f", "json").out)
    (pair,) = compare("qrels.txt", ["old.run", "new.run"])
    assert [one["measure"] for one in made["comparisons"]] == [str(pair.measure)] == ["nDCG@10"]
    assert made["comparisons"][0]["p_value"] == pair.p_value


def test_several_judges_are_compared(files, gainful):
    made = gainful(
        "compare", "old.run", "new.run", "--qrels", "qrels.txt", "--qrels", "other.txt", "--resamples", "200"
    )
    assert made.code == 0, made.err
    assert "Krippendorff's alpha" in made.out
    column = gainful(
        "compare", "judges.txt", "old.run", "new.run", "--judge-column", "--resamples", "200", "-f", "json"
    )
    held = json.loads(column.out)
    assert [judge["name"] for judge in held["judges"]] == ["ann", "ben"]
    assert held["agreement"]
    one = gainful("compare", "old.run", "new.run", "--qrels", "qrels.txt")
    assert one.out == gainful(*PAIR).out


def test_measures_by_subtopic_are_compared_and_gated(files, gainful):
    made = gainful("compare", "subtopics.txt", "old.run", "new.run", "-m", "alpha_nDCG@10,AP")
    assert made.code == 0, made.err
    assert "alpha_nDCG@10" in made.out
    gate = gainful("gate", "subtopics.txt", "old.run", "old.run", "-m", "alpha_nDCG@10", "--margin", "0.01")
    assert gate.code == 0, gate.err


HOSTILE = {
    "components with weights": (
        ["--weights", "weights.tsv", "--view", "components"],
        2,
        "variance components do not support weights; leave --weights out.",
    ),
    "readers with weights": (
        ["--weights", "weights.tsv", "--readers"],
        2,
        "--readers does not support weights; leave one of the two out.",
    ),
    "wilcoxon with weights": (
        ["--weights", "weights.tsv", "--test", "wilcoxon"],
        2,
        "does not support weights; with weights use",
    ),
    "no such groups": (["--groups", "none.csv"], 3, "none.csv: there is no such file"),
    "binary groups": (["--groups", "binary"], 3, "binary: this is a binary file"),
    "three columns": (
        ["--groups", "three.csv"],
        3,
        "three.csv, line 1: 3 columns where topic and group are expected",
    ),
    "wrong ids": (["--groups", "wrong.csv"], 4, "no topic that is compared has a group"),
    "sections as csv": (["--moved", "--unknown", "-f", "csv"], 2, "csv can hold only one table; use one of"),
    "chart alone": (["--chart", "x.svg"], 2, "--chart draws what --readers finds"),
    "by alone": (["--by", "rank"], 2, "--by is an option of --readers"),
    "to alone": (["--to", "5"], 2, "--to is an option of --unknown"),
    "chart of another kind": (["--readers", "--chart", "x.doc"], 2, ".svg"),
    "chart and text in one file": (
        ["--readers", "--chart", "x.svg", "-o", "./x.svg"],
        2,
        "cannot be both the output and the chart",
    ),
    "by rank alone": (["--by-rank", "nDCG"], 2, "--by-rank says what --readers get"),
    "by rank of others": (
        ["--readers", "--by", "recall", "--by-rank", "nDCG"],
        2,
        "--by-rank needs --by rank; add it, or leave --by out.",
    ),
    "rows alone": (["--rows", "3"], 2, "--rows is an option of --moved and --unknown; add one of them."),
    "target alone": (
        ["--target", "0.9"],
        2,
        "--target is an option of variance components; add --view components.",
    ),
    "leaderboard of a baseline": (["--view", "leaderboard", "--baseline", "old"], 2, "leave --baseline out"),
    "common alone": (["--common"], 2, "--common needs several judges"),
    "section of a view": (["--view", "topics", "--moved"], 2, "leave --view topics out"),
    "merge alone": (["--merge", "max"], 2, "--merge needs several judges"),
    "one judge": (["--judge-column"], 2, "there is one judge"),
    "judges and moved": (["--judge-column", "--moved"], 2, "--moved cannot be used with several judges"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_cannot_be_done_gets_a_sentence_and_the_right_exit_code(files, gainful, case):
    (files / "binary").write_bytes(b"1\0\0\0,2\n")
    (files / "three.csv").write_text("1,a,b\n")
    (files / "wrong.csv").write_text("q1,a\nq2,b\n")
    arguments, code, words = HOSTILE[case]
    made = gainful(*PAIR, *arguments)
    assert made.code == code, made.err
    assert words in made.err
    assert "Traceback" not in made.err


def test_the_help_has_headings_and_no_option_without_one(gainful):
    text = gainful("compare", "--help").out
    for heading in (
        "Comparison:",
        "Readers, topics, unjudged documents:",
        "Several judges:",
        "Evaluation:",
    ):
        assert heading in text
    assert text.rstrip().endswith("-h, --help  Show this message and exit.")
    assert text.count("--threads") == 1


@pytest.mark.parametrize("option", ["--to", "--rows"])
@pytest.mark.parametrize("rank", [2**31, 2**63, 10**23])
def test_ranks_that_no_list_has_are_refused(files, gainful, option, rank):
    made = gainful("compare", "qrels.txt", "old.run", "new.run", "--unknown", option, str(rank))
    assert made.code == 2
    assert "2147483647" in made.err
