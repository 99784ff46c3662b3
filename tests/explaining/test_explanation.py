"""Worked tables: columns, folding, other names, and every way to print them."""

import gzip
import json
import math

import pytest

import gainful
from gainful.errors import NothingInCommon, UsageError
from gainful.explaining import explain, explain_difference

QRELS = {"q": {"a": 3, "b": 0, "c": 1, "missed": 2, "worthless": 0}, "p": {"a": 1}}
RUN = {"q": {"a": 9.0, "x": 8.0, "b": 7.0, "c": 6.0}, "p": {"a": 1.0}}


def long_run(depth=60, judged=(1, 2, 30, 41)):
    qrels = {"q": {f"d{rank}": 1 for rank in judged}}
    return qrels, {"q": {f"d{rank}": float(-rank) for rank in range(1, depth + 1)}}


def test_the_table_of_ndcg_has_every_step():
    made = explain(QRELS, RUN, "q", "nDCG@4")
    assert made.columns == (
        *("gain", "CG", "discount", "discounted", "DCG", "ideal gain", "ideal DCG", "ratio", "contributes"),
    )
    assert [row.document for row in made.rows] == ["a", "x", "b", "c"]
    assert [row.grade for row in made.rows] == [3, None, 0, 1]
    assert made.column("CG") == [3, 3, 3, 4]
    assert made.column("ideal gain") == [3, 2, 1, 0]
    assert made.column("DCG")[-1] == pytest.approx(3 + 1 / math.log2(5))
    assert made.column("ideal DCG")[-1] == pytest.approx(3 + 2 / math.log2(3) + 1 / 2)
    assert made.column("ratio")[-1] == pytest.approx(made.value)
    assert sum(made.column("contributes")) == pytest.approx(made.value)


def test_the_table_of_ap_has_precision_and_what_it_adds():
    made = explain(QRELS, RUN, "q", "AP")
    assert made.columns == ("relevant", "relevant so far", "precision", "contributes")
    assert made.column("relevant") == [True, False, False, True]
    assert made.column("relevant so far") == [1, 1, 1, 2]
    assert made.column("precision") == [1, None, 1 / 3, 2 / 4]
    assert made.column("contributes") == pytest.approx([1 / 3, 0, 0, 2 / 4 / 3])


@pytest.mark.parametrize(
    "name", ["RR", "RBP", "ERR@3", "Bpref", "P@3", "R@3", "Utility", "NCG", "SetF", "infAP"]
)
def test_the_value_is_what_evaluate_says(name):
    assert explain(QRELS, RUN, "q", name).value == gainful.evaluate(QRELS, RUN, name).per_topic["q"][name]


def test_the_ideal_goes_on_where_the_list_has_ended():
    made = explain({"q": {"a": 1, "b": 2, "c": 3}}, {"q": {"a": 1.0}}, "q", "nDCG@5")
    assert [row.document for row in made.rows] == ["a", None, None]
    assert made.column("ideal gain") == [3, 2, 1]
    assert made.column("gain") == [1, None, None]
    assert made.column("ratio")[-1] == pytest.approx(made.value)
    assert "(end of the list)" in made.text()


def test_without_a_cutoff_the_ideal_has_every_gain():
    made = explain({"q": {"a": 1, "b": 2, "c": 3}}, {"q": {"a": 1.0}}, "q", "nDCG")
    assert made.column("ideal gain") == [3, 2, 1]
    assert made.column("ratio")[-1] == pytest.approx(made.value)


def test_the_value_under_other_names_is_given():
    made = explain(QRELS, RUN, "q", "nDCG@4")
    assert len(made.variants) == 2 * 2 * 4 - 1  # gains, discounts, ideals
    for name, value in made.variants.items():
        assert gainful.evaluate(QRELS, RUN, name).per_topic["q"][name] == value
    assert set(explain(QRELS, RUN, "q", "AP").variants) == {"AP(divisor=min)", "AP(divisor=retrieved)"}
    assert explain(QRELS, RUN, "q", "RR").variants == {}


def test_a_gain_table_is_one_of_the_names():
    made = explain(QRELS, RUN, "q", "CG(gain={3:1})")
    assert made.value == 1
    assert made.variants == {"CG": 4.0, "CG(gain=exp)": 7.0 + 1}


def test_judged_documents_that_are_not_there_are_named():
    made = explain(QRELS, RUN, "q", "nDCG@2")
    assert made.missed == (("missed", 2.0), ("c", 1.0), ("b", 0.0), ("worthless", 0.0))
    assert made.below == (2, 2)
    assert "Not in these ranks: missed (2), c (1)." in made.text()
    assert "Below the cutoff: 2 documents, 2 of them judged." in made.text()


def test_long_stretches_without_a_judgment_are_folded():
    qrels, run = long_run()
    text = explain(qrels, run, "q", "AP").text()
    assert " 3–29  (27 unjudged documents)" in text
    assert [rank for rank in range(1, 61) if f"\n{rank:>5}  d{rank} " in text] == [1, 2, 30, 41, 60]
    whole = explain(qrels, run, "q", "AP").text(fold=False)
    assert all(f"\n{rank:>4}  d{rank} " in whole for rank in range(1, 61))


def test_the_cutoff_is_always_shown():
    qrels, run = long_run()
    text = explain(qrels, run, "q", "AP@25").text()
    assert "\n  25  d25 " in text
    assert "d26" not in text


def test_a_topic_that_the_run_lacks_is_an_empty_list():
    made = explain(QRELS, {"p": {"a": 1.0}}, "q", "AP")
    assert (made.value, made.rows) == (0, ())
    assert made.text()


def test_nothing_to_find_is_said():
    made = explain({"q": {"a": 0}}, {"q": {"a": 1.0}}, "q", "AP")
    assert made.parts.undefined
    sentence = ": nothing is relevant, so this is the value that the measure defines for that case."
    assert sentence in " ".join(made.text().split())  # on two lines of 80 columns


def test_an_unknown_topic_is_refused_by_name():
    with pytest.raises(UsageError, match="topic 'zz' is not judged; the judgments have 'p', 'q'"):
        explain(QRELS, RUN, "zz", "AP")


def test_several_runs_are_refused():
    with pytest.raises(UsageError, match="of one run"):
        explain(QRELS, {"a": RUN, "b": RUN}, "q", "AP")


def test_ties_and_condensing_are_followed():
    tied = {"q": {"a": 1.0, "c": 1.0, "x": 1.0}}
    documents = {
        how: [row.document for row in explain(QRELS, tied, "q", "AP", ties=how).rows]
        for how in ("docid", "input", "best", "worst")
    }
    assert documents == {
        "docid": ["x", "c", "a"],
        "input": ["a", "c", "x"],
        "best": ["a", "c", "x"],
        "worst": ["x", "c", "a"],
    }
    condensed = explain(QRELS, RUN, "q", "AP", unjudged="condense")
    assert [row.document for row in condensed.rows] == ["a", "b", "c"]
    as_measure = explain(QRELS, RUN, "q", "AP(unjudged=condense)")
    assert [row.document for row in as_measure.rows] == ["a", "b", "c"]
    assert as_measure.value == condensed.value == pytest.approx(as_measure.parts.contributions.sum())


@pytest.mark.parametrize("kind", ["file", "gz", "mapping", "rows"])
def test_documents_have_their_names_wherever_the_run_comes_from(kind, tmp_path):
    rows = [("q", document, score) for document, score in RUN["q"].items()] + [("qq", "other", 99.0)]
    text = "".join(f"{topic} Q0 {document} 1 {score} tag\r\n" for topic, document, score in rows)
    run = {"mapping": {**RUN, 7: {"other": 1.0}}, "rows": rows}.get(kind)
    if run is None:
        run = tmp_path / "made.run"
        raw = b"\xef\xbb\xbf# a comment\n" + text.encode()
        run.write_bytes(gzip.compress(raw) if kind == "gz" else raw.rstrip(b"\r\n"))
    made = explain(QRELS, run, "q", "AP")
    assert [row.document for row in made.rows] == ["a", "x", "b", "c"]


def test_repeated_documents_are_told_apart_as_in_evaluate(tmp_path):
    run = tmp_path / "made.run"
    run.write_text("q Q0 x 1 1 t\nq Q0 y 1 2 t\nq Q0 x 1 3 t\n")
    for how, order in (("first", ["y", "x"]), ("best", ["x", "y"])):
        made = explain(QRELS, run, "q", "AP", duplicates=how)
        assert [row.document for row in made.rows] == order


def test_markdown_and_html_show_hostile_ids_as_text():
    bad = "<script>|alert`*"
    made = explain({"q": {bad: 1}}, {"q": {bad: 1.0}}, "q", "AP")
    assert "<script>" not in made.html()
    assert "&lt;script&gt;|alert`*" in made._repr_html_()
    assert r"\<script>\|alert\`\*" in made.markdown()
    assert bad in str(made)


def test_json_has_every_row_and_full_numbers():
    made = explain(QRELS, RUN, "q", "AP").to_dict()
    assert json.loads(json.dumps(made)) == made
    assert made["measure"] == "AP"
    assert made["rows"][3] == {
        "rank": 4,
        "document": "c",
        "grade": 1.0,
        "relevant": True,
        "relevant so far": 2.0,
        "precision": 0.5,
        "contributes": 0.5 / 3,
    }
    assert made["settings"]["ties"] == "docid"


OTHER = {"q": {"c": 9.0, "missed": 8.0, "x": 7.0, "a": 6.0}}


@pytest.mark.parametrize(
    "name", ["nDCG@3", "AP", "RR", "ERR", "SetAP", "RBPres", "P@2", "Bpref", "DCG(gain=exp)"]
)
def test_the_documents_parts_sum_to_the_difference(name):
    moved = explain_difference(QRELS, RUN, OTHER, "q", name)
    values = [gainful.evaluate(QRELS, run, name).per_topic["q"][name] for run in (RUN, OTHER)]
    assert moved.value == values[1] - values[0]
    assert moved.start + math.fsum(one.difference for one in moved.documents) == pytest.approx(
        moved.value, abs=1e-12
    )


def test_a_difference_says_where_documents_stand_in_both():
    moved = explain_difference(QRELS, RUN, OTHER, "q", "nDCG@3")
    places = {one.document: (one.baseline_rank, one.candidate_rank) for one in moved.documents}
    assert places == {"a": (1, None), "x": (2, 3), "b": (3, None), "c": (None, 1), "missed": (None, 2)}
    largest = moved.documents[0]
    assert (largest.document, largest.difference) == ("a", pytest.approx(-3 / (3 + 2 / math.log2(3) + 1 / 2)))


@pytest.mark.parametrize("form", ["text", "markdown", "html", "_repr_html_", "__str__"])
def test_a_difference_is_printed_side_by_side(form):
    made = getattr(explain_difference(QRELS, {"ours": RUN}, {"theirs": OTHER}, "q", "nDCG@3"), form)()
    for words in ("ours", "theirs", "missed", "all together", "3 documents caused the difference"):
        assert words in made


def test_runs_that_agree_have_no_difference():
    text = explain_difference(QRELS, RUN, RUN, "q", "AP").text()
    assert "No document contributes to the difference." in text
    assert "run#1" in text


def test_only_the_same_measure_can_be_compared():
    from gainful.explaining.explanation import difference

    with pytest.raises(UsageError, match="same measure and topic"):
        difference(explain(QRELS, RUN, "q", "AP"), explain(QRELS, RUN, "q", "RR"))


def test_a_document_that_is_dropped_leaves_no_name_behind():
    run = {"q": {"q": 9.0, "x": 8.0, "a": 7.0, "y": 6.0, "c": 5.0}}
    made = explain(QRELS, run, "q", "AP", drop_self=True)
    assert [row.document for row in made.rows] == ["x", "a", "y", "c"]


@pytest.mark.parametrize("path", ["made", "made/part*"])
def test_a_run_in_several_files_is_explained(path, tmp_path):
    folder = tmp_path / "made"
    folder.mkdir()
    rows = [f"q Q0 {document} 1 {score} t\n" for document, score in RUN["q"].items()]
    (folder / "part-0").write_text("".join(rows[:2]).rstrip("\n"))
    (folder / "part-1").write_text("".join(rows[2:]))
    made = explain(QRELS, tmp_path / path, "q", "AP")
    assert [row.document for row in made.rows] == ["a", "x", "b", "c"]


def test_runs_keep_their_names():
    run = gainful.read_run(RUN, name="ours")
    moved = explain_difference(QRELS, run, run, "q", "AP")
    assert (moved.baseline.run, moved.candidate.run, run.name) == ("ours#1", "ours#2", "ours")


def test_a_cutoff_far_beyond_the_list_costs_nothing_and_changes_nothing():
    far, whole = (explain(QRELS, RUN, "q", name) for name in ("nDCG@1000000000", "nDCG"))
    assert far.value == whole.value
    assert [row.cells for row in far.rows] == [row.cells for row in whole.rows]


def test_the_worst_topic_has_something_to_find_and_the_highest_value_where_less_is_better():
    qrels = {"a": {"d": 1, "e": 0}, "b": {"d": 0, "e": 0}, "c": {"d": 1, "e": 0}}
    run = {"a": {"d": 2.0, "e": 1.0}, "b": {"d": 2.0}, "c": {"e": 2.0, "d": 1.0}}
    assert gainful.explain(qrels, run, measure="AP", worst=True).topic == "c"
    assert gainful.explain(qrels, run, measure="Fallout@1", worst=True).topic in ("b", "c")
    assert gainful.explain({"a": qrels["a"]}, run).topic == "a"
    with pytest.raises(NothingInCommon, match="none is the worst"):
        gainful.explain({"b": {"d": 0}}, run, measure="AP", worst=True)
