"""Inclusion probabilities: a fifth column, a study folder, files and Python objects; and what is refused, in one sentence."""

import json
import math
import pickle

import numpy as np
import pytest

from gainful import evaluate, read_qrels
from gainful.errors import DataError

QRELS = {"1": {"a": 1, "b": 0}, "2": {"a": 2}}


def written(path, *lines):
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def by_document(judgments):
    """(topic, document) → probability and size of the stratum, as they were read."""
    inclusion = judgments.inclusion
    topics, documents, _ = judgments.rows
    pairs = zip(topics, documents, strict=True)
    return {
        (topic.decode(), document.decode()): (
            float(inclusion.probability[row]),
            float(inclusion.size[inclusion.stratum[row]]),
        )
        for row, (topic, document) in enumerate(pairs)
    }


def test_a_fifth_column_is_the_probability_and_a_sixth_the_stratum(tmp_path):
    path = written(tmp_path / "q", "# drawn", "1 0 b 0 0.25 s", "2 0 a 2 1 t", "1 0 a 1 .25 s")
    judgments = read_qrels(path, sampled=True)
    read = by_document(judgments)
    assert read == {("1", "a"): (0.25, 8), ("1", "b"): (0.25, 8), ("2", "a"): (1, 1)}
    assert judgments.to_dict() == {"1": {"a": 1, "b": 0}, "2": {"a": 2}}


def test_without_a_stratum_documents_were_drawn_independently(tmp_path):
    read = by_document(read_qrels(written(tmp_path / "q", "1 0 a 1 0.5", "1 0 b 1 0.25"), sampled=True))
    assert [size for _, size in read.values()] == pytest.approx([math.nan] * 2, nan_ok=True)


def test_probabilities_come_from_mappings_rows_and_files_alike(tmp_path):
    mapping = {"1": {"a": 0.5, "b": 0.25}, "2": {"a": 1}}
    rows = [(topic, document, p) for topic, of_topic in mapping.items() for document, p in of_topic.items()]
    csv = written(tmp_path / "d.csv", "topic,document,probability", *(f"{t},{d},{p}" for t, d, p in rows))
    lines = [json.dumps({"topic": t, "document": d, "probability": p}) for t, d, p in rows]
    jsonl = written(tmp_path / "d.jsonl", *lines)
    column = written(tmp_path / "d.qrels", *(f"{t} 0 {d} 0 {p}" for t, d, p in rows))
    first, *others = (
        by_document(read_qrels(QRELS, design=each)) for each in (mapping, rows, csv, jsonl, column)
    )
    assert {pair: p for pair, (p, _) in first.items()} == {("1", "a"): 0.5, ("1", "b"): 0.25, ("2", "a"): 1}
    for other in others:
        assert {pair: p for pair, (p, _) in other.items()} == {pair: p for pair, (p, _) in first.items()}


def test_judgments_with_other_probabilities_have_another_digest_and_survive_pickle():
    first, second = (read_qrels({"1": {"a": 1}}, design={"1": {"a": p}}) for p in (0.5, 0.25))
    assert len({first.digest, second.digest, read_qrels({"1": {"a": 1}}).digest}) == 3
    copy = pickle.loads(pickle.dumps(first))
    assert (copy.digest, copy.inclusion.probability.tolist()) == (first.digest, [0.5])


@pytest.mark.parametrize("text", ["0", "1.5", "-0.1", "nan", "inf"])
def test_a_probability_is_above_0_and_at_most_1(tmp_path, text):
    path = written(tmp_path / "q", "1 0 a 1 0.5", f"1 0 b 1 {text}")
    with pytest.raises(
        DataError,
        match=rf"q, line 2: the inclusion probability '{text}' must be a number above 0 and at most 1",
    ):
        read_qrels(path, sampled=True)
    with pytest.raises(DataError, match=r"document 'a' of topic '1': the inclusion probability"):
        read_qrels({"1": {"a": 1}}, design={"1": {"a": float(text)}})


def test_a_probability_that_is_missing_is_named(tmp_path):
    with pytest.raises(DataError, match="line 2: the inclusion probability of document 'b' is missing"):
        read_qrels(written(tmp_path / "q", "1 0 a 1 0.5", "1 0 b 1"), sampled=True)
    with pytest.raises(DataError, match="line 2: 6 columns, where the lines before have 5"):
        read_qrels(written(tmp_path / "r", "1 0 a 1 0.5", "1 0 b 1 0.5 s"), sampled=True)
    with pytest.raises(DataError, match="line 2: grade 'x' is not a number"):
        read_qrels(written(tmp_path / "s", "1 0 a 1 0.5", "1 0 b x 0.5"), sampled=True)


def test_a_fifth_column_is_refused_where_it_would_be_ignored(tmp_path):
    path = written(tmp_path / "q", "1 0 a 1 0.5")
    with pytest.raises(
        DataError, match="taken for an inclusion probability, which is read by evaluate, compare, gate"
    ):
        read_qrels(path)
    with pytest.raises(DataError, match="5 columns where 4 are expected"):
        read_qrels(written(tmp_path / "r", "1 0 a 1 words"), sampled=True)


def test_a_named_column_of_probabilities_is_never_ignored_silently(tmp_path):
    path = written(tmp_path / "q.csv", "topic,document,grade,probability", "1,a,1,0.5", "1,b,0,0.5")
    run = {"1": {"a": 2.0, "b": 1.0}}
    with pytest.raises(
        DataError, match="has a column of probabilities; to use them give the file as the design too"
    ):
        evaluate(path, run, "P@2")
    assert evaluate(path, run, "P@2", design=path).mean == {"P@2": 1.0}


def test_a_design_that_does_not_belong_to_the_judgments_is_refused():
    with pytest.raises(
        DataError,
        match=r"does not belong .*: 1 of 3 judged documents .* document 'a' of topic '2'",
    ):
        read_qrels(QRELS, design={"1": {"a": 0.5, "b": 0.5}})
    with pytest.raises(DataError, match="a design is a study folder, a file"):
        read_qrels(QRELS, design=3)


def test_a_folder_without_a_pool_is_no_study(tmp_path):
    with pytest.raises(DataError, match=r"is not a study: it has no pool.jsonl"):
        read_qrels(QRELS, design=tmp_path)


def study(tmp_path, *rows, known="", run="1 Q0 a 1 9 r\n1 Q0 b 2 8 r\n1 Q0 c 3 7 r\n1 Q0 d 4 6 r\n"):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "1-r.run").write_text(run)
    (tmp_path / "known.qrels").write_text(known)
    written(tmp_path / "pool.jsonl", *map(json.dumps, rows))
    return tmp_path


def row(document, probability=None, stratum="", topic="1"):
    fields = {"topic": topic, "document": document, "batch": 1, "reason": "", "stratum": stratum}
    return fields | ({} if probability is None else {"probability": probability})


def test_a_study_gives_probabilities_and_lists_what_was_not_drawn(tmp_path):
    folder = study(tmp_path, row("a", 0.5, "top"), row("c", 0.25, "rest"), known="1 0 b 1\n")
    judgments = read_qrels({"1": {"a": 1, "b": 1, "c": 0}}, design=folder)
    read = by_document(judgments)
    assert {document: p for (_, document), (p, _) in read.items()} == pytest.approx(
        {"a": 0.5, "b": 1, "c": 0.25, "d": math.nan}, nan_ok=True
    )
    assert judgments.to_dict()["1"]["d"] == -1
    inclusion = judgments.inclusion
    assert (inclusion.listed, inclusion.by_chance, inclusion.unanswered) == (True, True, 0)


def test_a_topic_of_which_nothing_was_drawn_belongs_to_the_study(tmp_path):
    run = "".join(f"{topic} Q0 {document} 1 1 r\n" for topic in "123" for document in "ab")
    folder = study(tmp_path, row("a", 0.5), row("a", 0.5, topic="3"), run=run)
    judgments = read_qrels({"1": {"a": 1}}, design=folder)
    assert judgments.topics == ("1", "2")  # 3 has still to be judged
    scores = evaluate({"1": {"a": 1}}, {"1": {"a": 1}, "2": {"a": 1}}, "P@1", design=folder, estimator="ht")
    assert scores.mean["P@1"] == (1 / 0.5 + 0) / 2


def test_topics_that_a_study_was_made_without_are_none_of_it_although_its_runs_have_them(tmp_path):
    run = "".join(f"{topic} Q0 {document} 1 1 r\n" for topic in "123" for document in "ab")
    folder = study(tmp_path, row("a", 0.5), run=run)
    written(folder / "topics.jsonl", *(json.dumps({"topic": topic, "query": "?"}) for topic in "13"))
    judgments = read_qrels({"1": {"a": 1}}, design=folder)
    assert judgments.topics == ("1", "3")  # nothing was drawn of 3, and nothing could be of 2


@pytest.mark.parametrize("record", [{"query": "?"}, {"topic": None}, {"topic": ["1"]}])
def test_a_list_of_topics_that_is_damaged_is_named(tmp_path, record):
    folder = study(tmp_path, row("a", 0.5))
    written(folder / "topics.jsonl", json.dumps(record))
    with pytest.raises(DataError, match=r"topics.jsonl, line 1: "):
        read_qrels({"1": {"a": 1}}, design=folder)


def test_documents_drawn_by_their_effect_say_nothing_of_what_lies_below_the_cutoff(tmp_path):
    folder = study(tmp_path, row("a", 0.5))
    (folder / "study.json").write_text(json.dumps({"strategy": "sample:change:10%"}))
    scores = evaluate({"1": {"a": 1}}, {"1": {"a": 1}}, "P@1", design=folder)
    assert any(
        note.startswith("only documents above the cutoff of the study's measure") for note in scores.notes
    )
    assert scores.judgments.inclusion.source.endswith(", sample:change:10%")
    (folder / "study.json").write_text("{")
    with pytest.raises(DataError, match=r"study.json cannot be read"):
        read_qrels({"1": {"a": 1}}, design=folder)


@pytest.mark.parametrize(
    ("bands", "told"), [("1-10=50%", True), ("1-10=50%,11-30=5%", True), ("1-10=50%,11-100=5%", False)]
)
def test_documents_drawn_by_rank_say_nothing_of_what_lies_below_the_last_band(tmp_path, bands, told):
    folder = study(tmp_path, row("a", 0.5))
    (folder / "study.json").write_text(json.dumps({"strategy": f"sample:ranks:{bands}", "depth": 100}))
    scores = evaluate({"1": {"a": 1}}, {"1": {"a": 1}}, "P@1", design=folder)
    assert any(note.startswith("only documents down to rank") for note in scores.notes) is told


@pytest.mark.parametrize(
    ("facts", "listed"),
    [
        ({"strategy": "sample:change:10%", "measure": "nDCG@2"}, "ab"),
        ({"strategy": "sample:change:10%", "measure": "RBP"}, "abcd"),
        ({"strategy": "sample:ranks:1-1=50%,3-4=50%"}, "acd"),
        ({"strategy": "sample:ranks"}, "abcd"),
        ({"strategy": "adaptive:mtf"}, "abcd"),
        (
            {"strategy": "sample:change:10%", "measure": "nDCG@2", "runs": {"r": ""}, "compare": ["r", "s"]},
            "ab",
        ),
        ({"strategy": "sample:change:10%", "measure": "nDCG@2", "runs": {"r": ""}, "compare": ["s"]}, "a"),
    ],
)
def test_only_documents_that_could_have_been_drawn_are_listed(tmp_path, facts, listed):
    folder = study(tmp_path, row("a", 0.5))
    (folder / "study.json").write_text(json.dumps(facts))
    assert "".join(sorted(read_qrels({"1": {"a": 1}}, design=folder).to_dict()["1"])) == listed


def test_all_documents_are_listed_where_one_was_drawn_beyond_the_ranks_that_the_study_states(tmp_path):
    folder = study(tmp_path, row("a", 0.5), row("c", 0.5))
    (folder / "study.json").write_text(json.dumps({"strategy": "sample:change:10%", "measure": "nDCG@2"}))
    assert "".join(sorted(read_qrels({"1": {"a": 1, "c": 0}}, design=folder).to_dict()["1"])) == "abcd"


def test_a_document_that_was_judged_before_says_nothing_of_the_ranks_that_a_study_draws_from(tmp_path):
    folder = study(tmp_path, row("a", 0.5), known="1 0 d 1\n")
    (folder / "study.json").write_text(json.dumps({"strategy": "sample:change:10%", "measure": "nDCG@2"}))
    assert "".join(sorted(read_qrels({"1": {"a": 1, "d": 1}}, design=folder).to_dict()["1"])) == "abd"


def test_a_batch_of_which_nothing_is_judged_is_left_out_with_the_probabilities_of_then(tmp_path):
    first, later = row("a", 0.5) | {"earlier": {"1": 0.25}}, row("c", 0.5) | {"batch": 2}
    folder = study(tmp_path, first, later)
    judgments = read_qrels({"1": {"a": 1}}, design=folder)
    assert by_document(judgments)["1", "a"][0] == 0.25
    assert judgments.to_dict()["1"]["c"] == -1  # could have been drawn by then, and was not
    assert judgments.inclusion.unanswered == 0
    assert judgments.inclusion.source.endswith("without batch 2, of which nothing is judged yet")
    begun = read_qrels({"1": {"a": 1, "c": 0}}, design=folder)
    assert by_document(begun)["1", "a"][0] == 0.5
    assert "without" not in begun.inclusion.source


def test_what_a_strategy_has_chosen_since_was_in_the_random_part_before(tmp_path):
    since = row("a", 1, "chosen") | {"earlier": {"1": 0.5}}
    chosen = row("b", 1, "chosen") | {"earlier": {"1": 1.0}}
    folder = study(tmp_path, since, chosen, row("c", 1, "chosen") | {"batch": 2})
    read = by_document(read_qrels({"1": {"a": 1, "b": 0}}, design=folder))
    assert (read["1", "a"][0], read["1", "b"][0]) == (0.5, 1)
    assert read["1", "a"][1] != read["1", "b"][1]  # strata of their own


def test_a_pool_that_does_not_say_what_was_before_counts_as_it_is(tmp_path):
    folder = study(tmp_path, row("a", 0.5), row("c", 0.5) | {"batch": 2})
    judgments = read_qrels({"1": {"a": 1}}, design=folder)
    assert by_document(judgments)["1", "a"][0] == 0.5
    assert judgments.inclusion.unanswered == 1


def test_a_document_that_was_not_drawn_from_a_band_has_the_stratum_and_probability_of_those_that_were(
    tmp_path,
):
    folder = study(tmp_path, row("a", 0.5, "ranks 1-2"), row("c", 0.5, "ranks 3-4"))
    (folder / "study.json").write_text(json.dumps({"strategy": "sample:ranks:1-2=50%,3-4=50%"}))
    judgments = read_qrels({"1": {"a": 1, "c": 1}}, design=folder)
    read = by_document(judgments)
    assert read["1", "b"] == (0.5, read["1", "a"][1])
    assert read["1", "d"] == (0.5, read["1", "c"][1])
    run = {"1": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
    # two of each stratum: R = 4; precision 1 at rank 1, and 1/3 + 1/3 · (2 of 2 above are as the one drawn) at rank 3
    value = evaluate({"1": {"a": 1, "c": 1}}, run, "xinfAP", design=folder).mean["xinfAP"]
    assert value == pytest.approx((2 * 1 + 2 * (1 / 3 + 2 / 3)) / 4, abs=1e-4)


def test_documents_that_were_drawn_and_not_judged_are_counted(tmp_path):
    folder = study(tmp_path, row("a", 0.5, "s"), row("c", 0.5, "s"))
    assert read_qrels({"1": {"a": 1}}, design=folder).inclusion.unanswered == 1


def test_adaptive_choices_have_no_probability_unless_a_random_part_stands_for_all(tmp_path):
    run = {"1": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
    (tmp_path / "adaptive").mkdir()
    (tmp_path / "both").mkdir()
    adaptive = study(tmp_path / "adaptive", row("a"), row("b"))
    scores = evaluate({"1": {"a": 1, "b": 0}}, run, "P@4, CG", design=adaptive)
    assert not scores.judgments.inclusion.by_chance
    assert np.isnan(scores.runs[0].values).all()
    assert scores.runs[0].intervals["P@4"] == (0.25, 0.75)  # c and d may be relevant, or not
    both = study(tmp_path / "both", row("a"), row("b", 0.5, "random"), row("c", 0.5, "random"))
    scores = evaluate({"1": {"a": 1, "b": 1, "c": 0}}, run, "CG", design=both, estimator="ht")
    assert scores.mean["CG"] == 1 / 0.5  # b stands for two documents, and a, which was chosen, for none


@pytest.mark.parametrize("rare", [9e-7, 1e-200])
def test_a_document_that_was_drawn_with_next_to_no_probability_is_refused_and_one_that_was_not_is_none_of_it(
    rare,
):
    """Of 1/π of a millionth and less, sums had no digits left for others, ideal lists no memory, and squares no number."""
    run = {"1": {"a": 2.0, "b": 1.0}}
    design = {"1": {"a": 0.5, "b": rare}}
    with pytest.raises(DataError, match=r"1 of 2 documents .* below 0\.000001, .* document 'b' of topic '1'"):
        evaluate({"1": {"a": 1, "b": 1}}, run, "DCG@2", design=design)
    assert (
        evaluate({"1": {"a": 1, "b": -1}}, run, "DCG@2", design=design, estimator="ht").mean["DCG@2"] == 2.0
    )
    assert evaluate({"1": {"b": 1}}, run, "CG@2", design={"1": {"b": 1e-6}}).mean["CG@2"] == pytest.approx(
        1e6
    )
