"""gainful gate, as a pipeline runs it."""

import json
from xml.etree import ElementTree

import pytest

TOPICS = range(1, 21)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Twenty topics with one relevant document, found first, second, or fourth."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "qrels.txt").write_text("".join(f"{topic} 0 d 1\n" for topic in TOPICS))

    def run(name, rank):
        lines = []
        for topic in TOPICS:
            order = ["x", "y", "z"]
            order.insert(rank(topic) - 1, "d")
            lines += [f"{topic} Q0 {document} 1 {9 - place} t\n" for place, document in enumerate(order)]
        (tmp_path / name).write_text("".join(lines))

    run("main.run", lambda _: 2)
    run("same.run", lambda _: 2)
    run("better.run", lambda topic: 1 if topic % 3 else 2)
    run("worse.run", lambda topic: 4 if topic % 4 else 2)
    run("mixed.run", lambda topic: 1 if topic % 2 else 4)
    return tmp_path


def gate(gainful, candidate, *options):
    return gainful("gate", "qrels.txt", "main.run", candidate, "-m", "RR", "--margin", "0.01", *options)


@pytest.mark.parametrize(
    ("candidate", "code", "verdict"),
    [
        ("same.run", 0, "pass"),
        ("better.run", 0, "pass"),
        ("worse.run", 1, "fail"),
        ("mixed.run", 1, "cannot tell"),
    ],
)
def test_three_verdicts_and_two_exit_codes(files, gainful, candidate, code, verdict):
    made = gate(gainful, candidate)
    assert made.code == code
    assert f"\n{verdict}: RR 0.5000 → " in made.out
    assert ("the candidate does not pass (RR: " + verdict in made.err) == (code == 1)


def test_inconclusive_passes_only_when_allowed(files, gainful):
    made = gate(gainful, "mixed.run", "--allow-inconclusive")
    assert made.code == 0
    assert "If the two were equal, " in " ".join(made.out.split())
    assert "cannot tell counts as pass" in made.out


def test_the_topics_that_lost_most_are_listed(files, gainful):
    made = gate(gainful, "worse.run", "--worst", "2")
    assert "RR: the 2 that lost most, of 15 topics that lost" in made.out
    assert "−0.2500" in made.out


def test_all_measures_must_pass_each_with_its_margin(files, gainful):
    arguments = ["gate", "qrels.txt", "main.run", "worse.run", "-m", "RR,R@10", "--margin", "0.01"]
    assert gainful(*arguments).code == 1
    assert gainful(*arguments, "--margin", "RR=0.5").code == 0


def test_a_saved_baseline_need_not_be_scored_again_and_its_judgments_are_compared(files, gainful):
    gainful("evaluate", "qrels.txt", "main.run", "-m", "RR,AP", "-q", "-f", "json", "-o", "main.json")
    made = gainful("gate", "qrels.txt", "main.json", "worse.run", "-m", "RR", "--margin", "0.01")
    scored, saved = (text.split("lost\n")[0] for text in (gate(gainful, "worse.run").out, made.out))
    assert saved == scored
    assert "costs most" not in made.out  # scores name no documents
    (files / "other.qrels").write_text("".join(f"{topic} 0 x 1\n" for topic in TOPICS))
    made = gainful("gate", "other.qrels", "main.json", "worse.run", "-m", "RR", "--margin", "0.01")
    assert made.code == 3
    assert "main.json was scored with other judgments than other.qrels" in made.err


def test_a_summary_is_added_to_the_file_of_the_job(files, gainful, monkeypatch):
    summary = files / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    gate(gainful, "better.run")
    gate(gainful, "worse.run")
    text = summary.read_text()
    assert text.startswith("before\n### ✅ pass: better passed the gate against main\n")
    assert "### ❌ fail: worse did not pass" in text
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(files / "no" / "folder"))
    assert gate(gainful, "better.run").code == 3


def test_junit_is_written_on_request(files, gainful):
    made = gate(gainful, "worse.run", "--junit", "gate.xml")
    assert made.code == 1
    root = ElementTree.parse(files / "gate.xml").getroot()
    assert root.get("failures") == "1"
    assert "fail: RR 0.5000" in root.find("./testsuite/testcase/failure").get("message")
    assert gate(gainful, "better.run", "--junit", "gate.xml").code == 0
    assert ElementTree.parse(files / "gate.xml").getroot().get("failures") == "0"


def test_json_and_markdown_are_formats(files, gainful):
    made = json.loads(gate(gainful, "worse.run", "-f", "json").out)
    assert made["verdict"] == "fail"
    assert made["checks"][0]["regressed"][0]["difference"] == -0.25
    assert gate(gainful, "worse.run", "-f", "markdown").out.startswith("### ❌ fail")


def test_options_may_be_in_pyproject_and_the_command_line_wins(files, gainful, monkeypatch):
    (files / "pyproject.toml").write_text(
        '[tool.gainful.gate]\nqrels = "qrels.txt"\nbaseline = "main.run"\nmeasures = ["RR"]\nmargin = 0.01\n'
    )
    assert gainful("gate", "better.run").code == 0
    assert gainful("gate", "worse.run").code == 1
    assert gainful("gate", "worse.run", "--margin", "0.9").code == 0
    assert gainful("gate", "worse.run", "-m", "R@10").code == 0
    (files / "pyproject.toml").write_text(
        '[tool.gainful.gate]\nqrels = "qrels.txt"\nbaseline = "main.run"\ncandidate = "mixed.run"\n'
        'measures = "RR"\nallow-inconclusive = true\n[tool.gainful.gate.margin]\nRR = 0.01\n'
    )
    (files / "deep").mkdir()
    monkeypatch.chdir(files / "deep")
    assert gainful("gate").code == 0
    assert gainful("gate", "--config", "../pyproject.toml").code == 0
    assert gainful("gate", "--config", "nowhere.toml").code == 3


def test_a_margin_is_for_the_measure_at_the_level_of_relevance_asked_for(files, gainful):
    graded = (files / "qrels.txt").read_text().replace(" 1\n", " 2\n")
    (files / "qrels.txt").write_text(graded)
    both = ["qrels.txt", "main.run", "better.run", "-m", "RR,R@10", "--rel", "2"]
    made = gainful("gate", *both, "--margin", "0.01", "--margin", "R@10=0.2", "-f", "json")
    assert made.code == 0
    margins = {check["measure"]: check["margin"] for check in json.loads(made.out)["checks"]}
    assert margins == {"RR(rel=2)": 0.01, "R(rel=2)@10": 0.2}
    (files / "pyproject.toml").write_text(
        '[tool.gainful.gate]\nqrels = "qrels.txt"\nbaseline = "main.run"\nmeasures = ["RR"]\nrel = 2\n'
        "margin = {RR = 0.01}\n"
    )
    assert gainful("gate", "better.run").code == 0


def test_a_file_of_topics_counts_from_the_folder_of_pyproject(files, gainful, monkeypatch):
    (files / "some.txt").write_text("".join(f"{topic}\n" for topic in range(1, 9)))
    (files / "pyproject.toml").write_text(
        '[tool.gainful.gate]\nqrels = "qrels.txt"\nbaseline = "main.run"\ncandidate = "better.run"\n'
        'measures = "RR"\nmargin = 0.01\ntopics = "some.txt"\n'
    )
    (files / "deep").mkdir()
    monkeypatch.chdir(files / "deep")
    made = gainful("gate", "-f", "json")
    assert (made.code, json.loads(made.out)["checks"][0]["topics"]) == (0, 8)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["qrels.txt", "main.run", "same.run", "-m", "RR(summary=geometric)", "--margin", "0.1"],
            "RR(summary=geometric) is a geometric mean over topics, and comparisons are of means",
        ),
        (
            ["qrels.txt", "main.run", "same.run", "-m", "RR", "--margin", "0.1", "--junit", "./qrels.txt"],
            "./qrels.txt cannot be both the JUnit file and the qrels",
        ),
        (
            [
                "qrels.txt",
                "main.run",
                "same.run",
                "-m",
                "RR",
                "--margin",
                "0",
                "--junit",
                "x.xml",
                "-o",
                "x.xml",
            ],
            "x.xml cannot be both the JUnit file and the output",
        ),
        ([], "no qrels is given"),
        (["better.run"], "no qrels is given"),
        (["qrels.txt", "main.run"], "got 2 files"),
        (["qrels.txt", "main.run", "same.run"], "no measure is given"),
        (["qrels.txt", "main.run", "same.run", "-m", "RR"], "no margin is given"),
        (
            ["qrels.txt", "main.run", "same.run", "-m", "RR", "--margin", "AP=0.1"],
            "no margin is given for RR",
        ),
        (["qrels.txt", "main.run", "same.run", "-m", "RR", "--margin", "a bit"], "margin must be a number"),
        (
            ["qrels.txt", "main.run", "same.run", "-m", "RR", "--margin", "-0.1"],
            "must lie between 0 and 1e+100",
        ),
        (
            ["qrels.txt", "-", "-", "-m", "RR", "--margin", "0.1"],
            "standard input can be read only once, but - is given more than once.",
        ),
    ],
)
def test_what_is_lacking_is_named(files, gainful, arguments, words):
    before = {path.name: path.read_bytes() for path in files.iterdir()}
    made = gainful("gate", *arguments)
    assert made.code == 2
    assert words in made.err
    assert {path.name: path.read_bytes() for path in files.iterdir()} == before


def test_different_topic_sets_are_refused(files, gainful):
    lines = (files / "same.run").read_text().splitlines(keepends=True)
    (files / "short.run").write_text("".join(lines[:40]))
    made = gate(gainful, "short.run", "--missing", "skip")
    assert made.code == 3
    assert "short lacks 10: 11, 12, 13, 14, 15 and 5 more" in made.err


@pytest.mark.parametrize("where", ["../elsewhere.xml", "/tmp/elsewhere.xml", "link/gate.xml"])
def test_a_configuration_cannot_have_files_written_outside_its_folder(
    where, files, gainful, tmp_path_factory
):
    (files / "link").symlink_to(tmp_path_factory.mktemp("outside"))
    (files / "pyproject.toml").write_text(f"[tool.gainful.gate]\njunit = '{where}'\n")
    made = gate(gainful, "better.run")
    assert made.code == 2
    assert "pyproject.toml" in made.err
    assert "lies outside the folder of this file" in made.err


def test_a_configuration_that_is_used_is_named(files, gainful):
    (files / "pyproject.toml").write_text("[tool.gainful.gate]\njunit = 'gate.xml'\n")
    made = gate(gainful, "better.run")
    assert (made.code, made.err.splitlines()[0]) == (0, f"options: {files / 'pyproject.toml'}")
    assert (files / "gate.xml").exists()


def test_a_junit_file_replaces_an_older_one_and_nothing_else(files, gainful):
    (files / "notes.txt").write_text("mine")
    made = gate(gainful, "better.run", "--junit", "notes.txt")
    assert (made.code, (files / "notes.txt").read_text()) == (2, "mine")
    assert "already exists and is not JUnit XML; choose another name." in made.err
    assert [gate(gainful, "better.run", "--junit", "gate.xml").code for _ in range(2)] == [0, 0]


def test_the_gate_works_where_the_current_folder_is_gone(files, gainful, monkeypatch):
    gone = files / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    paths = [str(files / name) for name in ("qrels.txt", "main.run", "same.run")]
    made = gainful("gate", *paths, "-m", "RR", "--margin", "0.01")
    monkeypatch.chdir(files)
    assert made.code == 0, made.err


@pytest.mark.parametrize(
    "option", ["--alpha 1e-320", "--flips 99999999999999999999999", "--seed 99999999999999999999999"]
)
def test_numbers_beyond_all_work_are_refused(files, gainful, option):
    made = gate(gainful, "same.run", *option.split())
    assert made.code == 2
    assert "must lie between" in made.err


def test_a_badge_shows_the_verdict_and_replaces_only_a_picture(files, gainful):
    for run, verdict in (("better.run", "pass"), ("worse.run", "fail"), ("mixed.run", "cannot tell")):
        gate(gainful, run, "--badge", "badge.svg")
        root = ElementTree.parse(files / "badge.svg").getroot()
        assert root.get("aria-label") == f"search: {verdict}"
        assert [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")] == ["search", verdict]
    (files / "notes.txt").write_text("mine")
    made = gate(gainful, "better.run", "--badge", "notes.txt")
    assert (made.code, (files / "notes.txt").read_text()) == (2, "mine")
    assert "already exists and is not an SVG picture" in made.err
    made = gate(gainful, "better.run", "--badge", "x.xml", "--junit", "x.xml")
    assert (made.code, "cannot be both the JUnit file and the badge" in made.err) == (2, True)
