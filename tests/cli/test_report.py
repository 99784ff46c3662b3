"""gainful report, as it is typed."""

import json
import os
import subprocess
import sys

import pytest


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Six topics, two runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    topics = range(1, 7)
    (tmp_path / "qrels.txt").write_text(
        "".join(f"{t} 0 d{n} {int(n < 3)}\n" for t in topics for n in range(5))
    )
    orders = {"good": (0, 1, 2, 3), "bad": (4, 3, 1, 0)}
    for name, order in orders.items():
        lines = [f"{t} Q0 d{n} 0 {-place} {name}\n" for t in topics for place, n in enumerate(order)]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def test_the_page_is_written_and_states_its_command(gainful, files):
    made = gainful("report", "qrels.txt", "good.run", "bad.run", "-m", "P@2,RR", "-o", "page.html")
    assert (made.code, made.out) == (0, "")
    assert made.err == "The report is in page.html.\n"
    page = (files / "page.html").read_text(encoding="utf-8")
    assert "<pre>gainful report qrels.txt good.run bad.run --measures P@2,RR --output page.html</pre>" in page
    again = gainful("report", "qrels.txt", "good.run", "bad.run", "-m", "P@2,RR", "-o", "page.html")
    assert again.code == 2
    assert "page.html already exists" in again.err


def test_json_has_the_numbers_that_evaluate_prints(gainful, files):
    said = json.loads(gainful("evaluate", "qrels.txt", "good.run", "bad.run", "-m", "P@2", "-f", "json").out)
    made = json.loads(gainful("report", "qrels.txt", "good.run", "bad.run", "-m", "P@2", "-f", "json").out)
    means = {run["name"]: run["mean"]["P@2"] for run in said["runs"]}
    assert {one["name"]: one["measures"]["P@2"]["mean"] for one in made["scores"]["systems"]} == means
    assert made["verdict"]["headline"].startswith("good ")


def test_text_is_for_the_terminal(gainful, files):
    made = gainful("report", "qrels.txt", "good.run", "-f", "text", "--title", "Mine")
    assert made.code == 0
    assert made.out.startswith("Mine\n════\n")


def test_options_of_the_comparison_and_of_judging_are_obeyed(gainful, files):
    made = gainful(
        *("report", "qrels.txt", "good.run", "bad.run", "-m", "AP", "-f", "json"),
        *("--baseline", "bad", "--test", "t", "--alpha", "0.1", "--ties", "worst", "--topics", "1,2,3"),
    )
    found = json.loads(made.out)
    assert found["pairs"]["statistics"]["test"] == "t"
    assert found["pairs"]["statistics"]["baseline"] == "bad"
    assert found["data"]["settings"]["ties"] == "worst"
    assert [topic["id"] for topic in found["topics"]["topics"]] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            (),
            2,
            "a report needs judgments and runs: gainful report QRELS RUN..., or name them in a [tool.gainful] table",
        ),
        (("qrels.txt",), 2, "no run is given, only the judgments qrels.txt"),
        (("qrels.txt", "none.run"), 3, "none.run: there is no such file."),
        (("qrels.txt", "good.run", "-o", "nowhere/page.html"), 2, "there is no folder nowhere"),
        (("qrels.txt", "good.run", "--figures", "nowhere/figures"), 2, "there is no folder nowhere"),
        (("qrels.txt", "good.run", "--baseline", "godo", "bad.run"), 2, "no system is called 'godo'"),
        (("qrels.txt", "good.run", "-m", "nDCGG"), 2, "nDCGG"),
        (("qrels.txt", "good.run", "--documents", "none.jsonl", "-f", "text"), 3, "none.jsonl"),
        (("--filter", "qrels.txt"), 3, "is not what `gainful filter simulate -f json` writes"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(gainful, files, arguments, code, said):
    made = gainful("report", *arguments)
    assert (made.code, made.out) == (code, "")
    assert said in made.err
    assert "Traceback" not in made.err


def test_runs_with_nothing_in_common_end_with_4_and_no_page(gainful, files):
    (files / "other.run").write_text("77 Q0 d1 1 1.0 x\n")
    made = gainful("report", "qrels.txt", "other.run", "-o", "page.html")
    assert made.code == 4
    assert "no topic is judged" in made.err
    assert not (files / "page.html").exists()


def test_an_unwritable_place_is_refused_before_any_work(gainful, files, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)  # whoever runs the tests may write anywhere
    made = gainful("report", "qrels.txt", "none.run", "-o", "page.html")
    assert made.code == 2
    assert "is not writable." in made.err


def test_a_simulation_that_the_command_wrote_makes_a_page(gainful, files):
    assert gainful("filter", "demo", "--documents", "300", "--write", "stream").code == 0
    inputs = [f"stream/{name}" for name in ("stream.jsonl", "topics.jsonl", "qrels.txt")]
    made = gainful("filter", "simulate", *inputs, "--jobs", "1", "-f", "json", "-o", "simulation.json")
    assert made.code == 0, made.err
    made = gainful("report", "--filter", "simulation.json", "-o", "filter.html")
    assert (made.code, made.err) == (0, "The report is in filter.html.\n")
    page = (files / "filter.html").read_text(encoding="utf-8")
    for name in ("utility", "utility-curve", "threshold"):
        assert f'id="figure-{name}' in page


def test_figures_are_not_replaced_and_that_is_said_before_any_work(gainful, files):
    (files / "figures").mkdir()
    (files / "figures" / "scores.csv").write_text("mine")
    made = gainful("report", "qrels.txt", "none.run", "--figures", "figures", "-f", "text")
    assert made.code == 2
    assert "scores.csv already exists; choose another folder" in made.err


def test_file_names_that_are_no_text_are_shown_as_bytes(gainful, files):
    for name in ("qrels.txt", "good.run"):
        (files / name).rename(files / os.fsdecode(b"caf\xe9-" + os.fsencode(name)))
    names = [os.fsdecode(b"caf\xe9-qrels.txt"), os.fsdecode(b"caf\xe9-good.run")]
    made = gainful("report", *names, "-m", "RR", "-o", "page.html")
    assert made.code == 0, made.err
    page = (files / "page.html").read_text(encoding="utf-8")
    assert "<code>caf\\xe9-qrels.txt</code>" in page
    assert "caf\\xe9-good.run" in page


def test_a_caveat_that_begins_with_a_name_leaves_it_as_it_is(gainful, files):
    (files / "twin.run").write_text((files / "good.run").read_text())
    made = gainful("report", "qrels.txt", "good.run", "twin.run", "-m", "RR", "-f", "text")
    assert "· good and twin are the same run" in made.out


def test_a_page_is_not_printed_on_a_terminal(gainful, files, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    made = gainful("report", "qrels.txt", "good.run")
    assert (made.code, made.out) == (2, "")
    assert "-o report.html" in made.err


def test_too_few_open_files_for_charts_is_said_in_a_sentence(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1 t\n2 Q0 b 1 1 t\n")
    words = '"$0" -c "from gainful.cli import main; main()" report qrels run -o page.html'
    ended = subprocess.run(
        ["sh", "-c", f"ulimit -n 8; exec {words}", sys.executable],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 3, ended.stderr
    assert "may have 8 files open at once" in ended.stderr


def test_nothing_need_be_said_where_a_file_says_it_and_the_command_line_wins(gainful, files, monkeypatch):
    (files / "pyproject.toml").write_text(
        '[tool.gainful]\nqrels = "qrels.txt"\nbaseline = "bad.run"\ncandidate = "good.run"\n'
        'measures = ["P@2", "RR"]\nmargin = 0.1\nties = "worst"\ntopics = ["1", "2", "3"]\n'
        '[tool.gainful.report]\ntitle = "Ours"\n'
    )
    (files / "deep").mkdir()
    monkeypatch.chdir(files / "deep")
    made = gainful("report", "-f", "json")
    assert (made.code, made.err.splitlines()[0]) == (0, f"options: {files / 'pyproject.toml'}")
    arguments = (
        "../qrels.txt",
        "../bad.run",
        "../good.run",
        "-m",
        "P@2,RR",
        "--ties",
        "worst",
        "--topics",
        "1,2,3",
    )
    (files / "none.toml").touch()
    said = gainful("report", *arguments, "--config", "../none.toml", "-f", "json")
    assert said.err == ""
    found, expected = json.loads(made.out), json.loads(said.out)
    assert found["scores"] == expected["scores"]
    assert found["scores"] != json.loads(gainful("report", "-m", "R@1", "-f", "json").out)["scores"]
    assert gainful("report", "-f", "markdown").out.startswith("# Ours")
    (files / "pyproject.toml").write_text('[tool.gainful]\nties = "none"\n')
    refused = gainful("report", "-f", "json")
    assert (refused.code, "'none' is not one of" in refused.err) == (2, True)
