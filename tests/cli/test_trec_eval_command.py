import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Gainful = Callable[..., Any]


def lines(text: str) -> dict[tuple[str, str], str]:
    return {
        (name.strip(), topic): value
        for name, topic, value in (line.split("\t") for line in text.splitlines())
    }


def test_the_official_measures_are_printed_when_nothing_is_asked_for(
    gainful: Gainful, qrels: str, good_run: str
) -> None:
    outcome = gainful("trec_eval", qrels, good_run)
    assert outcome.code == 0
    assert outcome.err == ""
    assert outcome.out.startswith("runid                 \tall\ttag\nnum_q                 \tall\t2\n")
    assert len(outcome.out.splitlines()) == 10 + 11 + 9


def test_options_are_written_as_trec_eval_takes_them(gainful: Gainful, qrels: str, good_run: str) -> None:
    together = gainful("trec_eval", "-qn", "-mmap", "-l2", "-M2", qrels, good_run)
    apart = gainful("trec_eval", qrels, good_run, "-q", "-n", "-m", "map", "-l", "2", "-M", "2")
    long = gainful(
        "trec_eval",
        *("--query_eval_wanted", "--nosummary", "--measure", "map", "--level_for_rel", "2"),
        *("--Max_retrieved_per_topic", "2", qrels, good_run),
    )
    assert together.out == apart.out == long.out
    assert together.out == "map                   \t1\t1.0000\nmap                   \t2\t0.0000\n"


def test_missing_topics_are_left_out_and_told_or_counted(
    gainful: Gainful, qrels: str, tmp_path: Path
) -> None:
    run = tmp_path / "half.run"
    run.write_text("1 Q0 a 1 3.0 half\n")
    left_out = gainful("trec_eval", "-m", "map", qrels, run)
    assert lines(left_out.out) == {("map", "all"): "0.5000"}
    assert left_out.err.startswith("note: 1 judged topic is not in the run and left out")
    complete = gainful("trec_eval", "-c", "-m", "map", "-m", "num_q", qrels, run)
    assert lines(complete.out) == {("num_q", "all"): "2", ("map", "all"): "0.2500"}


def test_unjudged_documents_can_be_removed(gainful: Gainful, qrels: str, good_run: str) -> None:
    assert lines(gainful("trec_eval", "-J", "-q", "-n", "-m", "num_ret", qrels, good_run).out) == {
        ("num_ret", "1"): "2",
        ("num_ret", "2"): "2",
    }


def test_the_size_of_the_collection_reaches_utility(gainful: Gainful, qrels: str, good_run: str) -> None:
    outcome = gainful("trec_eval", "-N", "100", "-m", "utility.0,0,0,1", qrels, good_run)
    # topic 1: 100 less three retrieved, none missed; topic 2: 100 less two
    assert lines(outcome.out) == {("utility_0,0,0,1", "all"): f"{(97 + 98) / 2:.4f}"}


def test_a_file_of_deviations_changes_numbers_and_names(
    gainful: Gainful, qrels: str, good_run: str, tmp_path: Path
) -> None:
    means = tmp_path / "means"
    means.write_text("1 recip_rank 0.5 0.25\n2 recip_rank 0.5 0.25\n")
    outcome = gainful("trec_eval", "-q", "-Z", means, "-m", "recip_rank", qrels, good_run)
    assert lines(outcome.out) == {
        ("Zrecip_rank", "1"): "2.0000",
        ("Zrecip_rank", "2"): "0.0000",
        ("Zrecip_rank", "all"): "1.0000",
    }


def test_a_run_comes_from_standard_input(gainful: Gainful, qrels: str, good_run: str) -> None:
    saved = os.dup(0)
    with Path(good_run).open("rb") as file:
        os.dup2(file.fileno(), 0)
        try:
            outcome = gainful("trec_eval", "-m", "recip_rank", qrels, "-")
        finally:
            os.dup2(saved, 0)
            os.close(saved)
    assert lines(outcome.out) == {("recip_rank", "all"): "0.7500"}


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["-m", "no_such"], 2, "'no_such' is not a measure of trec_eval"),
        (["-m", "P.0"], 2, "P: "),
        (["-l", "high"], 2, "'high' is not a valid integer"),
        (["-T", "other"], 2, "'other' is not 'trec_results'"),
        (["-M", "0"], 2, "0 is not in the range"),
        (
            ["-m", "prefs_simp"],
            2,
            "prefs_simp is not computed from judgments of the kind qrels; it needs -R prefs or",
        ),
        (["-m", "map", "-R", "prefs"], 2, "it needs -R qrels."),
    ],
)
def test_wrong_usage_exits_with_2(
    gainful: Gainful, qrels: str, good_run: str, arguments: list[str], code: int, says: str
) -> None:
    outcome = gainful("trec_eval", *arguments, qrels, good_run)
    assert outcome.code == code
    assert says in outcome.err
    assert outcome.out == ""


def test_bad_data_exit_with_3_and_nothing_in_common_with_4(
    gainful: Gainful, qrels: str, tmp_path: Path
) -> None:
    assert gainful("trec_eval", qrels, tmp_path / "nowhere.run").code == 3
    other = tmp_path / "other.run"
    other.write_text("77 Q0 a 1 3.0 half\n")
    outcome = gainful("trec_eval", qrels, other)
    assert (outcome.code, outcome.out) == (4, "")


def test_the_version_says_whose_dialect_it_is(gainful: Gainful) -> None:
    assert gainful("trec_eval", "-v").out == "gainful trec_eval, as trec_eval 10.0\n"
