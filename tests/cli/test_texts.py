"""Texts of queries and titles of documents, in what each command prints."""

import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest

from gainful.presentation.text_style import width

LONG = "waterproof trail running shoes for wide feet that last more than one season of mud and rain"
JAPANESE = "検索エンジンの評価と改善のための" * 2
QUERIES = {"1": "red shoes", "2": LONG, "3": JAPANESE, "4": "\x1b[31mblack\u202e boots"}
TITLES = {
    f"d{n}": f"Product number {n}, a title that is long enough to be cut in a table of the terminal"
    for n in range(8)
}


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """Four topics: the candidate ranks the relevant document lower; queries and titles in files."""
    monkeypatch.chdir(tmp_path)
    good, bad, judged = [], [], []
    for topic in QUERIES:
        judged.append(f"{topic} 0 d1 1\n")
        for run, order in ((good, [1, 2, 3, 4]), (bad, [2, 3, 1, 4] if topic != "1" else [1, 2, 3, 4])):
            run += [f"{topic} Q0 d{d} {rank} {9 - rank} x\n" for rank, d in enumerate(order, 1)]
    for name, lines in (("qrels.txt", judged), ("main.run", good), ("branch.run", bad)):
        (tmp_path / name).write_text("".join(lines))
    (tmp_path / "queries.tsv").write_text("".join(f"{topic}\t{text}\n" for topic, text in QUERIES.items()))
    (tmp_path / "docs.jsonl").write_text(
        "".join(json.dumps({"id": name, "title": title}) + "\n" for name, title in TITLES.items())
    )
    return tmp_path


WORDS = ("--queries", "queries.tsv")
BOTH = (*WORDS, "--documents", "docs.jsonl")
PAIR = ("qrels.txt", "main.run", "branch.run")


def fits(text):
    return all(width(line) <= 80 for line in text.splitlines() if "·" not in line or line.startswith(" "))


def test_evaluate_shows_queries_beside_topics_cut_to_80_columns(shop, gainful):
    made = gainful("evaluate", *PAIR, "-q", "-m", "RR,P@1", *WORDS)
    assert made.code == 0, made.err
    lines = made.out.splitlines()
    assert lines[0].split() == ["run", "topic", "query", "RR", "P@1"]
    assert lines[2].split()[:4] == ["main", "1", "red", "shoes"]
    assert "waterproof trail running" in lines[3]
    assert "…" in lines[3]
    assert fits(made.out.split("\n\n")[0])
    assert "\x1b" not in made.out
    assert "\u202e" not in made.out
    assert LONG in gainful("evaluate", *PAIR, "-q", "-m", "RR", *WORDS, "-f", "markdown").out


def test_evaluate_saves_queries_in_json_and_leaves_other_formats_alone(shop, gainful):
    held = json.loads(gainful("evaluate", *PAIR, "-q", "-m", "RR", *WORDS, "-f", "json").out)
    assert held["queries"]["2"] == LONG
    for form in ("csv", "jsonl", "trec"):
        plain = gainful("evaluate", *PAIR, "-q", "-m", "RR", "-f", form).out
        assert gainful("evaluate", *PAIR, "-q", "-m", "RR", "-f", form, *WORDS).out == plain


def test_saved_scores_bring_their_queries(shop, gainful):
    gainful("evaluate", "qrels.txt", "main.run", "-q", "-m", "RR", *WORDS, "-f", "json", "-o", "saved.json")
    made = gainful("gate", "qrels.txt", "saved.json", "branch.run", "-m", "RR", "--margin", "0.01")
    assert "waterproof trail" in made.out


def test_the_gate_names_the_queries_that_lost_everywhere(shop, gainful, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(shop / "summary.md"))
    made = gainful("gate", *PAIR, "-m", "RR", "--margin", "0.01", *WORDS, "--junit", "gate.xml")
    assert made.code == 1
    table = made.out.split("lost")[-1]
    assert "waterproof trail running shoes" in table
    assert "検索" in table
    assert "red shoes" not in table
    assert LONG in (shop / "summary.md").read_text()
    failure = ElementTree.parse(shop / "gate.xml").find(".//failure")
    assert "waterproof trail" in failure.text
    assert "[31mblack" in failure.text
    held = json.loads(gainful("gate", *PAIR, "-m", "RR", "--margin", "0.01", *WORDS, "-f", "json").out)
    assert held["checks"][0]["regressed"][0]["query"] == LONG


def test_the_gate_names_the_document_that_cost_most_with_its_title_everywhere(shop, gainful, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(shop / "summary.md"))
    made = gainful("gate", *PAIR, "-m", "RR", "--margin", "0.01", *BOTH, "--junit", "gate.xml")
    assert made.code == 1
    assert fits(made.out)
    assert re.search(r"1 → \d+ d1 Product num", made.out)
    assert re.search(rf"1 → \d+ d1 {TITLES['d1']}", (shop / "summary.md").read_text())
    assert "d1 Product num" in ElementTree.parse(shop / "gate.xml").find(".//failure").text
    held = json.loads(gainful("gate", *PAIR, "-m", "RR", "--margin", "0.01", *BOTH, "-f", "json").out)
    lost = held["checks"][0]["regressed"][0]
    assert lost["documents"][0]["title"] == TITLES["d1"]
    assert lost["difference"] == pytest.approx(lost["candidate"] - lost["baseline"])


def test_evaluate_names_the_best_relevant_document_that_a_run_misses(tmp_path, gainful, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n1 0 b 2\n1 0 c 0\n2 0 a 1\n3 0 c 0\n")
    (tmp_path / "x.run").write_text("1 Q0 a 1 9 x\n1 Q0 c 2 8 x\n1 Q0 b 3 7 x\n2 Q0 a 1 9 x\n3 Q0 a 1 9 x\n")
    (tmp_path / "docs.tsv").write_text("a\tApples\nb\tBananas\n")
    made = gainful("evaluate", "qrels.txt", "x.run", "-m", "P@2", "-q", "--documents", "docs.tsv")
    rows = [line.split() for line in made.out.splitlines()[2:6]]
    # topic 1: b, at rank 3, is not in the first two; nothing relevant is missed for 2, and nothing is relevant for 3
    assert [row[2:] for row in rows] == [["b", "Bananas"], [], [], []]
    assert gainful("evaluate", "qrels.txt", "x.run", "--documents", "docs.tsv").code == 2
    plain = gainful("evaluate", "qrels.txt", "x.run", "-m", "P@2", "-q")
    assert "misses" not in plain.out


def test_the_gate_takes_queries_from_its_configuration(shop, gainful):
    (shop / "pyproject.toml").write_text(
        '[tool.gainful.gate]\nqrels = "qrels.txt"\nbaseline = "main.run"\nqueries = "queries.tsv"\n'
        'measures = "RR"\nmargin = 0.01\n'
    )
    assert "waterproof trail" in gainful("gate", "branch.run").out


def test_what_moved_has_queries_and_titles_in_80_columns(shop, gainful):
    made = gainful("compare", *PAIR, "-m", "RR", "--moved", *BOTH)
    assert made.code == 0, made.err
    moved = made.out.split("WHAT MOVED")[1].split("RR, branch")[0]
    assert "2 waterproof trail running" in moved
    assert "· d1 Product number 1" in moved
    assert fits(moved)
    (pair,) = json.loads(gainful("compare", *PAIR, "-m", "RR", "--moved", *BOTH, "-f", "json").out)["moved"]
    assert LONG in {topic["query"] for topic in pair["lost"]}
    assert pair["lost"][0]["documents"][0]["title"] == TITLES["d1"]
    rows = list(
        csv.DictReader(io.StringIO(gainful("compare", *PAIR, "-m", "RR", "--moved", *BOTH, "-f", "csv").out))
    )
    assert "title" not in rows[0]


def test_topics_of_compare_have_queries_also_of_tables_alone(shop, gainful):
    made = gainful("compare", *PAIR, "-m", "RR", "--view", "topics", *WORDS)
    assert "waterproof trail" in made.out
    (shop / "scores.csv").write_text("topic,a,b\n1,0.5,0.6\n2,0.5,0.7\n")
    made = gainful("compare", "scores.csv", "--view", "topics", *WORDS)
    assert "waterproof trail" in made.out


def test_explain_has_the_query_and_the_titles(shop, gainful):
    made = gainful("explain", *PAIR[:2], "--topic", "2", "-m", "RR", *BOTH)
    assert made.code == 0, made.err
    assert f"topic 2 “{LONG}”" in " ".join(made.out.split("\n\n")[0].split())
    assert fits(made.out)
    assert "d1 Product number 1" in made.out
    held = json.loads(gainful("explain", *PAIR[:2], "--topic", "2", "-m", "RR", *BOTH, "-f", "json").out)
    assert (held["query"], held["rows"][0]["title"]) == (LONG, TITLES["d1"])
    pair = gainful("explain", *PAIR[:2], "--topic", "2", "-m", "RR", "--compare", "branch.run", *BOTH)
    assert pair.out.count("d1 Product number 1") >= 2
    held = json.loads(
        gainful("explain", *PAIR[:2], "--topic", "2", "--compare", "branch.run", *BOTH, "-f", "json").out
    )
    assert (held["query"], held["documents"][0]["title"]) == (LONG, TITLES["d1"])


def test_curves_of_a_topic_have_its_query(shop, gainful):
    made = gainful("curve", *PAIR, "-m", "P", "--topic", "1", *WORDS)
    assert "P, topic 1: red shoes" in made.out
    held = json.loads(gainful("curve", *PAIR, "-m", "P", "--topic", "1", *WORDS, "-f", "json").out)
    assert held["curves"][0]["query"] == "red shoes"


def test_texts_beside_beir_judgments_are_found_and_stated(shop, gainful):
    (shop / "qrels").mkdir()
    rows = "".join(f"{topic}\td1\t1\n" for topic in QUERIES)
    (shop / "qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\n" + rows)
    lines = (json.dumps({"_id": topic, "text": text}) + "\n" for topic, text in QUERIES.items())
    (shop / "queries.jsonl").write_text("".join(lines))
    (shop / "corpus.jsonl").write_text((shop / "docs.jsonl").read_text())
    found = "note: texts of queries are from queries.jsonl, found beside the judgments"
    pair = ("qrels/test.tsv", *PAIR[1:])
    for command in (
        ("evaluate", *pair, "-q"),
        ("compare", *pair, "--moved"),
        ("gate", *pair, "-m", "RR", "--margin", "0.1"),
        ("explain", *pair[:2], "--topic", "1"),
        ("curve", *pair, "--topic", "1"),
    ):
        made = gainful(*command)
        assert "red shoes" in made.out or "waterproof" in made.out, command
        assert found in made.err, command
    assert "Product number 1" in gainful("compare", *pair, "--moved").out
    assert "found beside" not in gainful("evaluate", *pair).err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("evaluate", *PAIR, *WORDS), 2, "--queries are shown beside the values of each topic; add -q."),
        (
            ("curve", *PAIR, *WORDS),
            2,
            "--queries are shown with the curve of each topic; add --topic ID or -q.",
        ),
        (("evaluate", *PAIR, "-q", "--queries", "none.tsv"), 3, "none.tsv: there is no such file."),
        (("compare", *PAIR, "--documents", "none"), 3, "none: there is no such file."),
        (
            ("explain", *PAIR[:2], "--topic", "1", "--queries", "qrels.txt"),
            3,
            "qrels.txt, line 1: neither a tab nor",
        ),
        (
            ("compare", *PAIR[1:], "--qrels", "qrels.txt", "--qrels", "queries.tsv", *WORDS),
            2,
            "--queries cannot be used",
        ),
    ],
)
def test_options_that_cannot_work_are_refused(arguments, code, message, shop, gainful):
    made = gainful(*arguments)
    assert made.code == code
    assert message in made.err


def test_python_takes_mappings_and_paths(shop):
    import gainful

    qrels, *runs = map(str, (shop / name for name in PAIR))
    for queries in (QUERIES, shop / "queries.tsv"):
        assert gainful.evaluate(qrels, runs, "RR", queries=queries).queries["2"] == LONG
        comparison = gainful.compare(qrels, runs, "RR", queries=queries, documents=TITLES)
        assert comparison.queries["2"] == LONG
        assert comparison.table.titles(["d1", "d99"]) == {"d1": TITLES["d1"]}
        (check,) = gainful.gate(qrels, *runs, "RR", margin=0.01, queries=queries).checks
        assert check.regressed[0].query == LONG
        assert gainful.curve(qrels, runs, "P", per_topic=["1"], queries=queries)[0].query == "red shoes"
        explained = gainful.explain(qrels, runs[0], "2", "RR", queries=queries, documents=shop / "docs.jsonl")
        assert (explained.query, explained.titles["d1"]) == (LONG, TITLES["d1"])
    assert gainful.evaluate(qrels, runs, "RR").queries == {}


@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", *PAIR, "-m", "P@1", "-q"],
        ["compare", *PAIR, "-m", "RR", "--moved"],
        ["gate", *PAIR, "-m", "RR", "--margin", "0.01"],
        ["explain", *PAIR[:2], "-m", "RR", "--topic", "2"],
        ["report", *PAIR, "-m", "RR", "-o", "page.html"],
    ],
    ids=lambda command: command[0],
)
def test_texts_of_other_ids_are_a_note_with_ids_of_both_sides(shop, gainful, command):
    (shop / "other.tsv").write_text("zz\tred shoes\n")
    (shop / "other.jsonl").write_text('{"id": "D1", "title": "One"}\n{"id": "x", "title": "None"}\n')
    made = gainful(*command, "--queries", "other.tsv", "--documents", "other.jsonl")
    assert made.code in (0, 1), made.err
    notes = [line for line in made.err.splitlines() if " has a text in " in line]
    assert (
        notes[0]
        == "note: none of 4 topics has a text in other.tsv; ids there: 'zz'; ids without a text: '1', '2', '3' and 1 more"
    )
    assert notes[1].startswith("note: none of ")
    assert "in other.jsonl; ids there: 'D1', 'x'; ids without a text: 'd1'" in notes[1]
    assert notes[1].endswith("'D1' and 'd1' differ only in case")
    assert len(notes) == 2
