import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_sound_files_exit_with_0_and_a_table(gainful: Callable[..., Any], qrels: str, good_run: str) -> None:
    outcome = gainful("check", qrels, good_run)
    assert outcome.code == 0
    assert f"{qrels}: 2 topics, 5 judgments (grade 0: 2, 1: 2, 2: 1)" in outcome.out
    head, rule, row = outcome.out.splitlines()[2:5]
    assert head.split() == [
        "run",
        "topics",
        "missing",
        "extra",
        "rows",
        "depth",
        "judged@10",
        "@100",
        "@1000",
        "ties@10",
    ]
    assert set(rule) == {"─", " "}
    assert row.split() == ["good", "2", "0", "0", "5", "2–3", *("80", "%") * 3, "0"]
    assert outcome.out.endswith("; no faults.\n")
    assert outcome.err == ""


def test_a_fault_exits_with_3_and_says_what_to_do(
    gainful: Callable[..., Any], qrels: str, tmp_path: Path
) -> None:
    run = tmp_path / "twice.run"
    run.write_text("1 Q0 a 1 2.0 t\n1 Q0 a 2 1.0 t\n")
    outcome = gainful("check", qrels, run)
    assert outcome.code == 3
    assert "Line 2 and line 1: document 'a' of topic '1' is there twice." in " ".join(outcome.out.split())
    assert "→ Remove one, or choose which one counts with --duplicates" in " ".join(outcome.out.split())
    assert outcome.err == "gainful: 1 fault found.\n"


def test_json_holds_facts_and_findings(gainful: Callable[..., Any], qrels: str, good_run: str) -> None:
    outcome = gainful("check", qrels, good_run, "-f", "json")
    found = json.loads(outcome.out)
    assert found["fine"] is True
    assert found["qrels"]["judgments"] == 5
    assert found["runs"][0]["judged"]["10"] == 4 / 5
    assert {"severity", "code", "where", "text", "way_out", "count", "examples"} == set(found["findings"][0])
    assert "unjudged" not in found


def test_a_fault_exits_with_3_in_json_too(gainful: Callable[..., Any], qrels: str, good_run: str) -> None:
    outcome = gainful("check", good_run, qrels, "-f", "json")
    assert outcome.code == 3
    assert [finding["code"] for finding in json.loads(outcome.out)["findings"]] == ["swapped", "swapped"]


def test_the_list_to_judge_next_has_a_line_for_each_document(
    gainful: Callable[..., Any], qrels: str, good_run: str
) -> None:
    outcome = gainful("check", qrels, good_run, "--unjudged", 10)
    assert outcome.code == 0
    first, *rest = outcome.out.splitlines()
    assert first.startswith("# topic document runs best_rank")
    assert rest == ["1 u 1 2"]


def test_the_list_can_be_json_with_everything_else(
    gainful: Callable[..., Any], qrels: str, good_run: str
) -> None:
    found = json.loads(gainful("check", qrels, good_run, "--unjudged", 10, "-f", "json").out)
    assert found["unjudged"] == [{"topic": "1", "document": "u", "runs": 1, "best_rank": 2, "mean_rank": 2.0}]


def test_output_goes_to_a_file_and_never_over_one(
    gainful: Callable[..., Any], qrels: str, good_run: str, tmp_path: Path
) -> None:
    target = tmp_path / "found.txt"
    assert gainful("check", qrels, good_run, "-o", target).code == 0
    before = target.read_text()
    refused = gainful("check", qrels, good_run, "-o", target)
    assert refused.code == 2
    assert "already exists; choose another name, or replace it with --overwrite." in refused.err
    assert target.read_text() == before
    assert gainful("check", qrels, good_run, "-o", target, "--overwrite").code == 0


def test_standard_input_is_a_run_like_any_other(
    gainful: Callable[..., Any], qrels: str, good_run: str
) -> None:
    saved = os.dup(0)
    with Path(good_run).open("rb") as file:
        os.dup2(file.fileno(), 0)
        try:
            outcome = gainful("check", qrels, "-")
        finally:
            os.dup2(saved, 0)
            os.close(saved)
    assert outcome.code == 0
    assert "stdin" in outcome.out


def test_two_standard_inputs_are_wrong_usage(gainful: Callable[..., Any], qrels: str) -> None:
    assert gainful("check", "-", "-").code == 2
    assert gainful("check", qrels).code == 2


def test_many_findings_of_one_kind_are_told_by_name(
    gainful: Callable[..., Any], qrels: str, tmp_path: Path
) -> None:
    runs = [tmp_path / f"run-{number}.run" for number in range(9)]
    for number, run in enumerate(runs):
        run.write_text(f"1 Q0 a 1 {number + 2}.0 t\n1 Q0 a 2 1.0 t\n2 Q0 x 1 1.0 t\n")
    outcome = gainful("check", qrels, *runs)
    assert outcome.code == 3
    said = " ".join(outcome.out.split())
    assert said.count("is there twice") == 3
    assert "fault: duplicates in 6 more: " in said
    assert all(str(run) in outcome.out for run in runs)
    assert outcome.err == "gainful: 9 faults found.\n"


def test_the_help_shows_how_to_call_it(gainful: Callable[..., Any]) -> None:
    outcome = gainful("check", "--help")
    assert "gainful check qrels.txt *.run --unjudged 10 > to-judge.txt" in outcome.out


def test_the_files_may_be_named_in_a_file_of_options(gainful, qrels, good_run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert gainful("check").code == 2
    (tmp_path / "gainful.toml").write_text('qrels = "qrels.txt"\nruns = "*.run"\nmeasures = "RR"\n')
    made = gainful("check")
    assert (made.code, made.err) == (0, f"options: {tmp_path / 'gainful.toml'}\n")
    assert made.out == gainful("check", str(tmp_path / "qrels.txt"), str(tmp_path / "good.run")).out
    assert gainful("check", "no.txt", "good.run").code == 3


def test_without_files_it_says_the_ways_to_name_them(gainful, qrels, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = gainful("check")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "gainful: no judgments and runs are given: gainful check QRELS RUN..., "
        "or name them in a [tool.gainful] table of pyproject.toml.\n"
    )
    assert gainful("check", qrels).err.startswith("gainful: no run is given: gainful check QRELS RUN...")
