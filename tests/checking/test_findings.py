"""Each finding: a small input that has it, and the same input put right, which has not."""

import random
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import gainful
from gainful.checking import Checkup, Finding, check
from gainful.errors import UsageError

QRELS = {
    "1": {"D1": 2, "D2": 0, "D3": 1, "D4": 0},
    "2": {"D1": 1, "D5": 0, "D6": 3},
}
RUN = {
    "1": {"D1": 9.0, "D2": 8.0, "D3": 7.0, "D4": 6.0},
    "2": {"D6": 5.0, "D1": 4.0, "D5": 3.0},
}

Write = Callable[[str, str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def put(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return put


def lines_of(run: dict[str, dict[str, float]]) -> str:
    return "".join(
        f"{topic} Q0 {document} {rank} {score} tag\n"
        for topic, documents in run.items()
        for rank, (document, score) in enumerate(documents.items(), 1)
    )


def judgments_of(qrels: dict[str, dict[str, float]]) -> str:
    return "".join(
        f"{topic} 0 {document} {grade}\n" for topic, of in qrels.items() for document, grade in of.items()
    )


def codes(found: Checkup) -> set[str]:
    return {finding.code for finding in found.findings}


def only(found: Checkup, code: str) -> Finding:
    (one,) = [finding for finding in found.findings if finding.code == code]
    return one


def renamed(nested: dict[str, dict[str, float]], change: Callable[[str], str]) -> dict[str, dict[str, float]]:
    return {
        topic: {change(document): value for document, value in of.items()} for topic, of in nested.items()
    }


def test_sound_inputs_have_no_fault_and_no_warning() -> None:
    found = check(QRELS, RUN)
    assert found.fine
    assert {finding.severity for finding in found.findings} <= {"note"}
    assert codes(found) == {"short-lists"}


def test_facts_are_counted() -> None:
    found = check(QRELS, RUN)
    assert found.qrels is not None
    assert (found.qrels.topics, found.qrels.judgments) == (2, 7)
    assert found.qrels.grades == {0: 3, 1: 2, 2: 1, 3: 1}
    (run,) = found.runs
    assert (run.rows, run.topics, run.missing, run.extra) == (7, 2, (), ())
    assert run.depth is not None
    assert (run.depth.least, run.depth.median, run.depth.most) == (3, 3.5, 4)
    assert run.judged == {10: 1.0, 100: 1.0, 1000: 1.0}
    assert run.ties == {10: 0, 100: 0, 1000: 0}
    assert found.never_retrieved == {}


def test_results_are_not_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        check(QRELS, RUN).findings = ()  # type: ignore[misc]


# ---- faults ------------------------------------------------------------------------------------------------


def test_a_document_twice_in_a_topic_of_the_run_is_a_fault_with_both_places(write: Write) -> None:
    run = write("a.run", lines_of(RUN) + "1 Q0 D2 5 5.5 tag\n")
    found = check(QRELS, run)
    finding = only(found, "duplicates")
    assert (finding.severity, finding.count) == ("fault", 1)
    assert finding.text.startswith("Line 8 and line 2: document 'D2' of topic '1' is there twice")
    assert "--duplicates" in finding.way_out
    assert found.runs[0].depth is not None  # the rest is examined all the same
    assert not found.fine


def test_a_document_twice_in_the_judgments_is_a_fault(write: Write) -> None:
    qrels = write("qrels.txt", judgments_of(QRELS) + "2 0 D6 0\n")
    finding = only(check(qrels, RUN), "duplicates")
    assert finding.where == qrels
    assert finding.text.startswith("Line 8 and line 7: ")


def test_nan_is_a_fault_that_names_the_line_and_the_other_runs_are_examined(write: Write) -> None:
    bad = write("bad.run", lines_of(RUN).replace(" 8.0 ", " nan "))
    good = write("good.run", lines_of(RUN))
    found = check(QRELS, [bad, good])
    assert only(found, "nan").text.startswith("Line 2: ")
    assert [run.name for run in found.runs] == ["good"]


def test_what_is_no_number_is_a_fault(write: Write) -> None:
    found = check(QRELS, write("bad.run", lines_of(RUN).replace(" 8.0 ", " high ")))
    assert only(found, "value").text == "Line 2: score 'high' is not a number."
    assert found.runs == ()


def test_a_file_that_is_not_there_is_a_fault(write: Write) -> None:
    found = check(QRELS, ["nowhere.run", write("good.run", lines_of(RUN))])
    assert only(found, "unreadable").where == "nowhere.run"
    assert [run.name for run in found.runs] == ["good"]
    missing = check("nowhere.qrels", RUN)
    assert (missing.qrels, missing.runs, missing.fine) == (None, (), False)


def test_files_in_the_wrong_order_are_told_from_their_lines(write: Write) -> None:
    qrels, run = write("judged.txt", judgments_of(QRELS)), write("ranked.txt", lines_of(RUN))
    found = check(run, qrels)
    first, second = (finding for finding in found.findings if finding.code == "swapped")
    assert first.where == run
    assert first.way_out == f"The judgments may be {qrels}; they must be the first argument."
    assert second.where == qrels
    assert not found.fine


def test_a_run_in_place_of_the_judgments_is_noticed_beside_another_run(write: Write) -> None:
    run = write("a.run", lines_of(RUN))
    assert only(check(run, [write("b.run", lines_of(RUN))]), "swapped").where == run


@pytest.mark.parametrize(
    ("change", "kind"),
    [(str.lower, "case"), (lambda topic: f"{topic}.0", "type"), (lambda topic: f"0{topic}", "padding")],
)
def test_topics_that_differ_in_dress_only_are_a_fault(change: Callable[[str], str], kind: str) -> None:
    qrels = {f"{'A' if kind == 'case' else ''}{topic}": of for topic, of in QRELS.items()}
    run = {change(topic): RUN[topic[-1]] for topic in qrels}
    finding = only(check(qrels, run), "topic-ids")
    assert (finding.severity, finding.count) == ("fault", 2)
    assert f"differ only in {kind} from a judged one" in finding.text
    ours, theirs = next(iter(qrels)), next(iter(run))
    assert finding.examples[0] == f"{theirs} for {ours}"


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (str.lower, "case"),
        (lambda document: f"{document[1:]}.0", "type"),
        (lambda document: f"00{document[1:]}", "padding"),
    ],
)
@pytest.mark.parametrize("as_file", [True, False])
def test_documents_that_differ_in_dress_only_are_a_fault(
    change: Callable[[str], str], kind: str, as_file: bool, write: Write
) -> None:
    qrels = QRELS if kind == "case" else renamed(QRELS, lambda document: document[1:])
    run = renamed(RUN, change)
    given = write("dressed.run", lines_of(run)) if as_file else run
    finding = only(check(qrels, given), "document-ids")
    assert (finding.severity, finding.count) == ("fault", 7)
    assert f"7 retrieved documents differ only in {kind} from a judged one" in finding.text
    ours, theirs = next(iter(qrels["1"])), next(iter(run["1"]))
    assert finding.examples[0] == f"{theirs} for {ours} in topic 1"


def test_topics_and_documents_in_another_dress_are_both_found() -> None:
    run = {f"{topic}.0": of for topic, of in renamed(RUN, str.lower).items()}
    assert {"topic-ids", "document-ids"} <= codes(check(QRELS, run))


def test_documents_of_another_topic_are_not_taken_for_look_alikes() -> None:
    run = {"1": {"d5": 3.0, "d6": 2.0}, "2": {"d2": 1.0}}  # judged, but for the other topic
    assert "document-ids" not in codes(check(QRELS, run))


def test_a_collection_that_tells_case_apart_is_believed() -> None:
    qrels = {"1": {"D7": 1, "d7": 0}}
    assert "document-ids" not in codes(check(qrels, {"1": {"D7": 2.0, "d7": 1.0}}))
    assert "document-ids" not in codes(check({"1": {"D7": 1}}, {"1": {"D7": 2.0, "d7": 1.0}}))


def test_a_few_look_alikes_among_many_are_a_warning_only() -> None:
    qrels = {"1": {f"D{number}": number % 2 for number in range(200)}}
    run = {"1": {f"D{number}": 1.0 + number for number in range(1, 200)} | {"d0": 0.5}}
    finding = only(check(qrels, run), "document-ids")
    assert (finding.severity, finding.count) == ("warning", 1)
    assert finding.text.startswith("1 retrieved document differs only in case")


def test_scores_that_rise_with_the_rank_are_a_fault(write: Write) -> None:
    upside_down = lines_of({topic: {d: -s for d, s in of.items()} for topic, of in RUN.items()})
    finding = only(check(QRELS, write("distances.run", upside_down)), "upside-down")
    assert (finding.severity, finding.count) == ("fault", 2)
    assert "rank-against-score" not in codes(check(QRELS, write("good.run", lines_of(RUN))))


def test_rising_scores_are_noticed_among_ties_and_shuffled_lines(write: Write) -> None:
    tied = {"1": {f"D{number}": number // 2 for number in range(1, 9)}, "2": {"D6": 1.0, "D1": 2.0}}
    text = lines_of(tied).splitlines(keepends=True)
    random.Random(3).shuffle(text)
    assert only(check(QRELS, write("mixed.run", "".join(text))), "upside-down").count == 2


def test_no_topic_in_common_is_a_fault() -> None:
    finding = only(check(QRELS, {"7": {"D1": 1.0}}), "no-common-topic")
    assert finding.text == "No topic is judged: the run has '7', the judgments '1', '2'."


def test_judgments_all_below_zero_are_a_fault() -> None:
    assert not check({"1": {"D1": -1}}, RUN).fine


# ---- warnings and notes ------------------------------------------------------------------------------------


def test_ranks_that_say_another_order_in_some_topics_are_a_warning(write: Write) -> None:
    text = lines_of(RUN).replace("D1 1 9.0", "D1 2 9.0").replace("D2 2 8.0", "D2 1 8.0")
    finding = only(check(QRELS, write("ranks.run", text)), "rank-against-score")
    assert (finding.severity, finding.count, finding.examples) == ("warning", 1, ("1",))


def test_ranks_that_say_nothing_are_left_alone(write: Write) -> None:
    for rank in ("0", "-", "1.5"):
        text = "".join(
            " ".join([*line.split()[:3], rank, *line.split()[4:]]) + "\n"
            for line in lines_of(RUN).splitlines()
        )
        assert codes(check(QRELS, write("zeros.run", text))) == {"short-lists"}


def test_a_rank_that_is_none_does_not_bring_topics_out_of_step(write: Write) -> None:
    # Each topic falls with its ranks; the second begins above the end of the first, and one rank is no number.
    text = "1 Q0 D1 1 3 t\n1 Q0 D2 2 2 t\n1 Q0 D3 3 1 t\n2 Q0 D6 4 9 t\n2 Q0 D1 x 8 t\n2 Q0 D5 6 7 t\n"
    assert "rank-against-score" not in codes(check(QRELS, write("run", text)))
    wrong = text.replace("D3 3 1", "D3 3 2.5")
    assert only(check(QRELS, write("run", wrong)), "rank-against-score").examples == ("1",)


def test_topics_in_another_dress_are_not_told_again_as_missing_or_extra() -> None:
    judged = {"A": {"d": 1}, "b": {"d": 1}, "c": {"d": 1}}
    found = check(judged, {"a": {"d": 1.0}, "b": {"d": 1.0}, "z": {"d": 1.0}})
    assert only(found, "topic-ids").examples == ("a for A",)
    assert (only(found, "missing-topics").examples, only(found, "extra-topics").examples) == (("c",), ("z",))


def test_missing_and_extra_topics_are_told_apart() -> None:
    found = check(QRELS, {"1": RUN["1"], "9": {"D1": 1.0}})
    assert (only(found, "missing-topics").severity, only(found, "missing-topics").examples) == (
        "warning",
        ("2",),
    )
    assert (only(found, "extra-topics").severity, only(found, "extra-topics").examples) == ("note", ("9",))
    assert found.runs[0].missing == ("2",)
    assert found.runs[0].extra == ("9",)


def test_odd_scales_are_noticed() -> None:
    run = {"1": {"a": 1.0}}
    assert only(check({"1": {"a": -1, "b": 1, "c": 0}}, run), "negative-grades").count == 1
    assert only(check({"1": {"a": 0.5, "b": 1, "c": 0}}, run), "fractional-grades").examples == ("0.5",)
    assert only(check({"1": {"a": 1, "b": 2}}, run), "scale-without-zero").severity == "warning"
    assert only(check({"1": {"a": 1, "b": 1}}, run), "only-relevant").severity == "note"
    assert only(check({"1": {"a": 0, "b": 0.5}}, run), "scale-below-one").way_out.endswith("--rel 0.5.")
    assert only(check({"1": {"a": 0, "b": 100}}, run), "high-grades").severity == "note"
    assert only(check({"1": {"a": 0}, "2": {"a": 1, "b": 0}}, run), "nothing-relevant").examples == ("1",)


def test_ties_across_a_cutoff_are_told_with_what_they_are_worth() -> None:
    qrels = {"1": {"a": 1, "z": 0}}
    tied = {"1": {f"d{number}": 9.0 for number in range(9)} | {"a": 1.0, "z": 1.0}}
    finding = only(check(qrels, tied), "ties")
    assert (finding.severity, finding.count) == ("warning", 1)
    # best: `a` stands at rank 10, worth 1/log2(11) of its gain at rank 1; worst: at rank 11, beyond the cutoff
    assert "nDCG@10 is between 0.0000 and 0.2891" in finding.text
    assert "AP is between 0.0909 and 0.1000" in finding.text
    assert "ties" not in codes(check(qrels, {"1": {**tied["1"], "z": 0.5}}))


def test_ties_of_unjudged_documents_alone_change_nothing_and_are_not_told() -> None:
    run = {"1": {f"d{number}": 1.0 for number in range(20)} | {"a": 2.0}}
    assert "ties" not in codes(check({"1": {"a": 1, "b": 0}}, run))


def test_scores_that_are_all_the_same_are_a_warning_and_in_half_of_the_topics_a_fault() -> None:
    good = {"a": 2.0, "b": 1.0}
    qrels = {topic: {"a": 1, "b": 0} for topic in "123"}
    flat = {"a": 1.0, "b": 1.0}

    def found(*lists: dict[str, float]) -> tuple[str, int]:
        finding = only(check(qrels, dict(zip("123", lists, strict=False))), "constant-scores")
        return finding.severity, finding.count

    assert found(flat, good, good) == ("warning", 1)
    assert found(flat, flat, good) == ("fault", 2)
    assert "constant-scores" not in codes(
        check(qrels, {"1": {"a": 1.0}})
    )  # one document has nothing to be equal to


def test_a_topic_that_finds_itself_first_is_a_warning_and_elsewhere_a_note() -> None:
    qrels = {"7": {"8": 1, "9": 0}}
    assert only(check(qrels, {"7": {"7": 3.0, "8": 2.0}}), "self-matches").severity == "warning"
    assert only(check(qrels, {"7": {"8": 3.0, "7": 2.0}}), "self-matches").severity == "note"
    assert "self-matches" not in codes(check(qrels, {"7": {"8": 3.0, "77": 2.0}}))


def test_how_much_of_the_top_is_judged_decides_between_note_and_warning() -> None:
    def with_judged(share: int) -> str:
        qrels = {"1": {f"d{number}": number % 2 for number in range(share)}}
        run = {"1": {f"d{number}": 1.0 + number for number in range(10)}}
        return "".join(
            finding.severity for finding in check(qrels, run).findings if finding.code == "unjudged-top"
        )

    assert [with_judged(judged) for judged in (4, 5, 8, 9, 10)] == ["warning", "note", "note", "", ""]


def test_infinite_scores_are_noted() -> None:
    assert only(check(QRELS, {"1": {"D1": float("inf"), "D2": 1.0}}), "infinite-scores").count == 1


def test_runs_that_are_not_alike_are_told_together() -> None:
    deep = {"1": {f"D{number}": 100.0 - number for number in range(1, 40)}}
    found = check({"1": {"D1": 1, "D2": 0}}, {"deep": deep, "short": {"1": {"D1": 1.0, "D2": 0.5}}})
    assert "deep 39, short 2" in only(found, "depths-differ").text
    assert "short 100 %, deep 20 %" in only(found, "shares-differ").text


def test_the_same_rows_twice_are_told() -> None:
    shuffled = {"2": RUN["2"], "1": RUN["1"]}
    finding = only(check(QRELS, {"one": RUN, "two": shuffled}), "same-run")
    assert finding.text == "one, two have identical rows."


def test_judged_documents_that_no_run_has_are_counted_by_grade() -> None:
    found = check(QRELS, {"one": {"1": {"D1": 1.0}}, "two": {"2": {"D1": 1.0}}})
    assert found.never_retrieved == {0: 3, 1: 1, 3: 1}
    assert only(found, "never-retrieved").text == "2 of 4 relevant documents are in none of the runs."


def test_findings_come_worst_first() -> None:
    found = check({"1": {"D1": -1, "D2": 1, "D3": 0}, "2": {"D1": 1}}, {"1": {"d2": 1.0, "d3": 0.5}})
    severities = [finding.severity for finding in found.findings]
    assert severities == sorted(severities, key=("fault", "warning", "note").index)
    assert severities[0] == "fault"
    assert severities[-1] == "note"


# ---- inputs ------------------------------------------------------------------------------------------------


def test_a_file_a_compressed_one_and_a_mapping_are_found_alike(write: Write, tmp_path: Path) -> None:
    import gzip

    dressed = renamed(RUN, str.lower)
    path = write("some.run", lines_of(dressed))
    packed = tmp_path / "some.run.gz"
    packed.write_bytes(gzip.compress(lines_of(dressed).encode()))
    reports = [check(QRELS, given).findings for given in (path, packed, gainful.read_run(path), dressed)]
    for report in reports[1:]:
        assert [(one.code, one.text, one.examples) for one in report] == [
            (one.code, one.text, one.examples) for one in reports[0]
        ]


def test_rows_of_a_topic_may_be_scattered(write: Write) -> None:
    text = lines_of(RUN).splitlines(keepends=True)
    random.Random(5).shuffle(text)
    path = write("scattered.run", "".join(text))
    assert codes(check(QRELS, path)) == {"short-lists"}
    assert (
        check(QRELS, path).runs[0].digest == check(QRELS, write("together.run", lines_of(RUN))).runs[0].digest
    )


@pytest.mark.parametrize("scattered", [False, True])
def test_topics_are_looked_at_in_portions_of_any_size(
    write: Write, monkeypatch: pytest.MonkeyPatch, scattered: bool
) -> None:
    chance = random.Random(7)
    run = {
        str(topic): {f"D{number}": float(chance.randrange(4 if topic % 3 else 1)) for number in range(12)}
        for topic in range(9)
    }
    run["3"] |= {"3": 9.0}
    text = lines_of(run).splitlines(keepends=True)
    if scattered:
        chance.shuffle(text)
    path = write("some.run", "".join(text))
    judgments = {topic: {"D1": 1, "D2": 0} for topic in run}
    whole = check(judgments, path)
    assert {"upside-down", "rank-against-score", "constant-scores"} & codes(whole)
    for size in (1, 13, 30):
        monkeypatch.setattr("gainful.checking.run_scan._AT_ONCE", size)
        assert check(judgments, path).to_dict() == whole.to_dict()


def test_prepared_judgments_are_taken_as_they_are() -> None:
    assert check(gainful.read_qrels(QRELS), RUN).fine


def test_ids_that_are_not_text_are_shown_safely() -> None:
    run = {"1": {"d\x1b1": 2.0, "D1": 1.0}}
    found = check({"1": {"D\x1b1": 1, "D1": 0}}, run)
    assert only(found, "document-ids").examples == ("d\\x1b1 for D\\x1b1 in topic 1",)


def test_a_list_down_to_rank_zero_is_refused() -> None:
    with pytest.raises(UsageError, match="1 or more"):
        check(QRELS, RUN, unjudged=0)


def test_everything_goes_into_plain_json_types() -> None:
    import json

    found = check(QRELS, {"a": RUN, "b": {"1": {"x": 1.0}}}, unjudged=2)
    again = json.loads(json.dumps(found.to_dict()))
    assert again["fine"] is True
    assert again["qrels"]["grades"] == {"0": 3, "1": 2, "2": 1, "3": 1}
    assert again["runs"][1]["judged"] == {"10": 0.0, "100": 0.0, "1000": 0.0}
    assert again["unjudged"] == [{"topic": "1", "document": "x", "runs": 1, "best_rank": 1, "mean_rank": 1.0}]


def test_scores_that_are_tied_in_32_bits_alone_are_noted_where_they_straddle_a_cutoff() -> None:
    """trec_eval 9 ties 0.30000000001 and 0.3, and puts the higher id first."""
    lists = {topic: {f"d{rank}": 20.0 - rank for rank in range(9)} for topic in ("1", "2")}
    close = {topic: of | {"x": 0.30000000001, "y": 0.3} for topic, of in lists.items()}
    qrels = {topic: dict.fromkeys(of, 1) for topic, of in close.items()}
    finding = only(check(qrels, close), "close-scores")
    assert (finding.severity, finding.count) == ("note", 2)
    assert "straddle rank 10 in 2 of 2 topics" in finding.text
    assert "--scores 32" in finding.way_out
    apart = {topic: of | {"x": 0.31, "y": 0.3} for topic, of in lists.items()}
    assert "close-scores" not in codes(check(qrels, apart))
    higher = {topic: {"x": 90.0000001, "y": 90.0} | of for topic, of in lists.items()}
    assert "close-scores" not in codes(check(qrels, higher))  # at ranks 1 and 2
