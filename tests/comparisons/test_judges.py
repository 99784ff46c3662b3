"""Several judges: reading them, merging them, and how far they agree."""

import csv
import json
import math

import numpy as np
import pytest

import gainful
from gainful.comparisons.judges import Estimate, agree, merge, read_judges
from gainful.comparisons.judges import judge_tables as views
from gainful.errors import DataError, UsageError
from gainful.presentation.table import FORMATS
from gainful.statistics import resampling

from .several_judges import SAID

ROWS = [
    ("q1", "ann", "d1", 1),
    ("q1", "ben", "d1", 0),
    ("q1", "ann", "d2", 2),
    ("q1", "ben", "d2", 2),
    ("q2", "ann", "d1", 0),
    ("q2", "ben", "d3", 1),
]
TOLD = {
    "ann": {"q1": {"d1": 1, "d2": 2}, "q2": {"d1": 0}},
    "ben": {"q1": {"d1": 0, "d2": 2}, "q2": {"d3": 1}},
}


# ---- reading ----------------------------------------------------------------------------------------------


def written(folder, name):
    """The rows in a file of that kind."""
    path = folder / f"judged.{name}"
    heads = ("query_id", "Annotator", "doc_id", "relevance")
    if name == "trec":
        path.write_text("".join(f"{' '.join(map(str, row))}\n" for row in ROWS))
    elif name in ("csv", "tsv"):
        with path.open("w", newline="") as file:
            csv.writer(file, delimiter="," if name == "csv" else "\t").writerows([heads, *ROWS])
    elif name == "jsonl":
        path.write_text("".join(json.dumps(dict(zip(heads, row, strict=True))) + "\n" for row in ROWS))
    elif name == "json":
        path.write_text(json.dumps([dict(zip(heads, row, strict=True)) for row in ROWS]))
    elif name == "nested.json":
        nested = {}
        for topic, judge, document, grade in ROWS:
            nested.setdefault(topic, {}).setdefault(judge, {})[document] = grade
        path.write_text(json.dumps(nested))
    else:
        pandas = pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
        pandas.DataFrame(ROWS, columns=heads).to_parquet(path)
    return path


@pytest.mark.parametrize("name", ["trec", "csv", "tsv", "jsonl", "json", "nested.json", "parquet"])
def test_a_column_names_the_judge_in_every_kind_of_file(tmp_path, name):
    found = read_judges(written(tmp_path, name))
    assert {judge: judgments.to_dict() for judge, judgments in found.items()} == TOLD


def test_a_frame_and_judgments_by_judge_are_taken_apart_too():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, columns=["topic", "assessor", "document", "grade"])
    for given in (frame, gainful.read_qrels(ROWS, by="judges")):
        assert {judge: one.to_dict() for judge, one in read_judges(given).items()} == TOLD


def test_judges_of_a_list_are_called_as_their_files(tmp_path):
    folders = [tmp_path / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir()
    paths = [tmp_path / "ann.qrels", tmp_path / "ben.txt.gz", *(folder / "qrels.txt" for folder in folders)]
    for path in paths:
        path.write_text("q 0 d 1\n")
    assert list(read_judges(paths[:2])) == ["ann", "ben"]
    assert list(read_judges(list(map(str, paths[2:])))) == list(map(str, paths[2:]))
    assert list(read_judges([{"q": {"d": 1}}, {"q": {"d": 0}}])) == ["judge 1", "judge 2"]
    with pytest.raises(UsageError, match="is given twice"):
        read_judges([paths[0], paths[0]])


def test_majority_is_what_more_than_half_reach():
    said = {name: {"q": {"d": grade}} for name, grade in zip("abcd", (0, 3, 1, 2), strict=True)}
    assert merge(said).to_dict() == {
        "q": {"d": 1}
    }  # two of four reach 2, which is no majority; three reach 1
    del said["a"]
    assert merge(said).to_dict() == {"q": {"d": 2}}
    assert merge(TOLD, "min").to_dict() == {"q1": {"d1": 0, "d2": 2}, "q2": {"d1": 0, "d3": 1}}
    with pytest.raises(UsageError, match="merged by one of max, min, mean, majority; got 'median'"):
        merge(said, "median")


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ([], UsageError, "there is no judge; two or more are needed"),
        ({"ann": {"q": {"d": 1}}}, UsageError, "one judge \\('ann'\\); two or more are needed"),
        ([{"q": {"d": 1}}], UsageError, "one judge \\('judge 1'\\)"),
        ({"q1": {"d": 1}, "q2": {"d": 1}}, DataError, "judge 'q1': judgments: what should be a mapping"),
        (
            {"a": {"q": {"d": math.inf}}, "b": {"q": {"d": 1}}},
            DataError,
            "judge 'a' has given an infinite grade",
        ),
        (gainful.read_qrels({"q": {"d": 1}}), UsageError, "do not say who judged"),
        (gainful.read_qrels([("q", "0", "d", 1)], by="judges"), UsageError, "one judge \\('0'\\)"),
    ],
)
def test_who_is_not_several_judges_is_refused_in_words(given, error, said):
    with pytest.raises(error, match=said):
        read_judges(given)


# ---- agreement --------------------------------------------------------------------------------------------


def test_agreement_is_over_documents_that_both_judged():
    pair = agree(TOLD).pairs[0]
    assert (pair.items, pair.topics, pair.only_first, pair.only_second) == (2, 1, 1, 1)
    assert pair.same.value == 1 / 2
    assert pair.overlap.value == 1 / 2
    assert pair.kappa.reason == "one topic gives no interval"
    assert math.isnan(pair.kappa.low)


def test_intervals_are_percentiles_over_topics_drawn_with_all_their_items():
    found = agree(SAID, resamples=200, seed=3)
    from sklearn.metrics import cohen_kappa_score

    first, second = (
        [list(of.values()) for _, of in sorted(SAID[judge].items())] for judge in ("judge0", "judge1")
    )
    drawn = []
    for times in resampling.counts(3, 12, 0, 200).astype(int):
        chosen = np.repeat(np.arange(12), times)
        both = [[grade for topic in chosen for grade in of[topic]] for of in (first, second)]
        drawn.append(cohen_kappa_score(*both, labels=[0, 1, 2, 3], weights="quadratic"))
    made = found.pairs[0].kappa_quadratic
    assert (made.low, made.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))
    assert found.alpha.low < found.alpha.value < found.alpha.high


def test_fleiss_kappa_says_over_which_documents_it_is():
    assert agree(SAID, resamples=10).fleiss_over == "180 documents with 3 judges each"
    part = SAID | {"judge2": {"t0": SAID["judge2"]["t0"]}}
    assert agree(part, resamples=10).fleiss_over == "15 documents that all 3 judges judged, of 180"
    pairs = {"a": {"q": {"d": 1, "e": 0}}, "b": {"q": {"d": 0, "f": 1}}, "c": {"q": {"e": 1, "f": 1}}}
    assert agree(pairs).fleiss_over == "3 documents with 2 judges each"
    uneven = {
        "a": {"q": {"d": 1, "e": 0}},
        "b": {"q": {"d": 0, "e": 1}},
        "c": {"q": {"d": 1}},
        "z": {"q": {"x": 1}},
    }
    made = agree(uneven).fleiss
    assert math.isnan(made.value)
    assert made.reason == "documents have 2 to 3 judges, none all 4; it needs the same number for each"


def test_judges_who_never_meet_have_no_agreement_and_say_why():
    made = agree({"a": {"q": {"d": 1}}, "b": {"q": {"e": 1}}, "c": {"r": {"d": 0}}})
    assert {one.reason for pair in made.pairs for one in pair.estimates().values()} == {
        "no document was judged by both"
    }
    assert made.alpha.reason == made.fleiss.reason == "no document was judged by two judges"
    assert made.overlap.reason == "no document was judged by all"
    assert "Agreement between the judges is undefined:" in made.sentence()
    for form in FORMATS:
        assert views.of_agreement(made, form)


def test_one_grade_for_everything_is_no_evidence_and_says_so():
    made = agree({name: {"q": {"d": 1, "e": 1}, "r": {"d": 1}} for name in "ab"})
    assert (
        made.alpha.reason
        == made.pairs[0].kappa.reason
        == "all grades are equal, so agreement beyond chance is undefined"
    )
    assert made.pairs[0].same == Estimate(1.0, 1.0, 1.0)
    assert made.pairs[0].overlap.value == 1
    nothing = agree({name: {"q": {"d": 0}, "r": {"d": 0}} for name in "ab"})
    assert nothing.pairs[0].overlap.reason == "nobody found anything relevant"


def test_draws_without_a_value_are_counted():
    made = agree({"a": {"q": {"d": 1}, "r": {"d": 0}}, "b": {"q": {"d": 1}, "r": {"d": 0}}}, resamples=100)
    lost = int((resampling.counts(0, 2, 0, 100) != 1).any(axis=1).sum())
    assert made.pairs[0].kappa.reason == f"undefined in {lost} of 100 resamples, which do not count"
    assert (made.pairs[0].kappa.low, made.pairs[0].kappa.high) == (1, 1)


def test_negative_grades_are_grades_and_not_relevant():
    made = agree({"a": {"q": {"d": -2, "e": 1}}, "b": {"q": {"d": 0, "e": 1}}}).pairs[0]
    assert made.items == 2
    assert made.same.value == 1 / 2
    assert made.kappa_relevant.value == 1
    assert made.overlap.value == 1


def test_only_topics_asked_for_count():
    assert agree(SAID, topics="t1,t2", resamples=5).items == 30
    with pytest.raises(UsageError, match="none of the topics"):
        agree(SAID, topics="nowhere")
