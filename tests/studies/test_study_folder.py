"""The folder of a study: what is written is read back, and what was edited wrongly is refused with its place."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainful.errors import DataError, UsageError
from gainful.formats import Run
from gainful.studies.study_folder import Study, read_study, run_file, write_batch, write_study
from gainful.studies.study_records import Assignment, Manifest, Pooled, StudyDocument, StudyTopic


def small(**changes: object) -> Study:
    manifest = Manifest(
        id="s1", strategy="depth:2", seed=1, runs={"a": "00", "b/c d": "01"}, assessors=("ann",)
    )
    pool = (
        Pooled(topic="9", document="d1", batch=1, reason="rank 1 of a"),
        Pooled(topic="10", document="d2", batch=1, reason="drawn", probability=0.25, stratum="ranks 1-2"),
    )
    return Study(
        manifest,
        (StudyTopic(topic="9", query="red shoes"), StudyTopic(topic="10")),
        (StudyDocument(document="d1", title="One"), StudyDocument(document="d2")),
        pool,
        tuple(Assignment(assessor="ann", topic=row.topic, document=row.document, batch=1) for row in pool),
        {("9", "d0"): 2.0},
        {"a": Run({"9": {"d1": 1.0}}, name="a"), "b/c d": Run({"10": {"d2": 1.0}}, name="b/c d")},
    )


def test_a_study_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    write_study(small(), tmp_path / "s")
    study, again = small(), read_study(tmp_path / "s")
    for name in ("manifest", "topics", "documents", "pool", "assignments", "known"):
        assert getattr(again, name) == getattr(study, name), name
    assert {name: run.to_dict() for name, run in again.runs.items()} == {
        "a": {"9": {"d1": 1.0}},
        "b/c d": {"10": {"d2": 1.0}},
    }
    assert again.judged() == {("9", "d0"): 2.0}


def test_lines_of_the_pool_have_their_fields_in_a_fixed_order_and_no_empty_ones(tmp_path: Path) -> None:
    write_study(small(), tmp_path / "s")
    assert (tmp_path / "s/pool.jsonl").read_text().splitlines() == [
        '{"topic":"9","document":"d1","batch":1,"reason":"rank 1 of a"}',
        '{"topic":"10","document":"d2","batch":1,"reason":"drawn","probability":0.25,"stratum":"ranks 1-2"}',
    ]


def test_collected_judgments_are_joined_with_those_known_before(tmp_path: Path) -> None:
    write_study(small(), tmp_path / "s")
    (tmp_path / "s/judgments.qrels").write_text("9 0 d1 3\n10 0 d2 0\n")
    assert read_study(tmp_path / "s").judged() == {("9", "d0"): 2, ("9", "d1"): 3, ("10", "d2"): 0}


def test_a_study_is_not_written_over_another_one(tmp_path: Path) -> None:
    write_study(small(), tmp_path / "s")
    (tmp_path / "s/answers/ann.json").write_text("precious")
    with pytest.raises(UsageError, match="already exists"):
        write_study(small(), tmp_path / "s")
    assert (tmp_path / "s/answers/ann.json").read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["s"]


def test_a_study_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    study = small()
    bad = Study(
        study.manifest, study.topics, study.documents, study.pool, study.assignments, {("9", "d 0"): 1.0}
    )
    with pytest.raises(DataError, match="not possible in TREC text"):
        write_study(bad, tmp_path / "s")
    assert list(tmp_path.iterdir()) == []


def test_a_batch_is_added_and_answers_stay(tmp_path: Path) -> None:
    study = write_study(small(), tmp_path / "s")
    (tmp_path / "s/answers/ann.json").write_text("precious")
    more = Pooled(topic="9", document="d2", batch=2, reason="rank 2 of a")
    assigned = Assignment(assessor="ann", topic="9", document="d2", batch=2)
    write_batch(study.extended((*study.pool, more), (*study.assignments, assigned)))
    again = read_study(tmp_path / "s")
    assert [row.document for row in again.pool] == ["d1", "d2", "d2"]
    assert again.batches == 2
    assert again.assignments[-1] == assigned
    assert (tmp_path / "s/answers/ann.json").read_text() == "precious"


FAULTS = [
    ("pool.jsonl", '{"topic": "9"', "pool.jsonl, line 3: this is not JSON"),
    ("pool.jsonl", '{"topic": "9", "document": "d1", "batch": 1, "reason": ""}', "stands already in line 1"),
    (
        "pool.jsonl",
        '{"topic": "8", "document": "d1", "batch": 1, "reason": ""}',
        "'8' is not in topics.jsonl",
    ),
    (
        "pool.jsonl",
        '{"topic": "9", "document": "x", "batch": 1, "reason": ""}',
        "'x' is not in documents.jsonl",
    ),
    ("pool.jsonl", '{"topic": "9", "document": "d2", "batch": 3, "reason": ""}', "batch 3 without a batch 2"),
    ("pool.jsonl", '{"topic": "9", "document": "d2", "batch": 0, "reason": ""}', "line 3: batch: "),
    (
        "pool.jsonl",
        '{"topic": "9", "document": "d2", "batch": 1, "reason": "", "probability": 1.5}',
        "probability: ",
    ),
    (
        "pool.jsonl",
        '{"topic": "9", "document": "d2", "batch": 1, "reason": "", "probability": 0}',
        "probability: ",
    ),
    (
        "pool.jsonl",
        '{"topic": "9", "document": "d2", "batch": 1, "reason": "", "prob": 1}',
        "unknown field `prob`",
    ),
    ("pool.jsonl", "[]", "line 3: Expected `object`, got `array`"),
    ("topics.jsonl", '{"topic": "9"}', "topic '9' stands already in line 1"),
    ("documents.jsonl", '{"document": "d1"}', "document 'd1' stands already in line 1"),
    (
        "assignments.jsonl",
        '{"assessor": "bob", "topic": "9", "document": "d1", "batch": 1}',
        "assessor 'bob'",
    ),
    (
        "assignments.jsonl",
        '{"assessor": "ann", "topic": "9", "document": "d1", "batch": 1}',
        "for assessor 'ann'",
    ),
    (
        "assignments.jsonl",
        '{"assessor": "ann", "topic": "9", "document": "d2", "batch": 1}',
        "not in pool.jsonl",
    ),
    ("known.qrels", "9 0 d1 1", "in known.qrels already"),
    ("known.qrels", "9 0 d7 4", "the scale of the study ends at 3"),
]


@pytest.mark.parametrize(("name", "line", "message"), FAULTS)
def test_a_line_that_was_edited_wrongly_is_refused_with_its_place(
    tmp_path: Path, name: str, line: str, message: str
) -> None:
    write_study(small(), tmp_path / "s")
    with (tmp_path / "s" / name).open("a") as file:
        file.write(line + "\n")
    with pytest.raises(DataError) as refused:
        read_study(tmp_path / "s")
    assert message in str(refused.value)
    assert "s/" in str(refused.value)


MANIFESTS = [
    ({"gainful_study": 2}, "gainful_study must be 1; got 2"),
    ({"gainful_study": None}, "gainful_study must be 1; got None"),
    ({"overlap": 2}, "overlap: "),
    ({"mode": "stars"}, "mode: "),
    ({"assessors": []}, "needs an assessor"),
    ({"assessors": ["ann", "ann"]}, "the assessor 'ann' is there twice"),
    ({"scale": [{"grade": 0, "label": "no"}]}, "two grades at the least"),
    ({"scale": [{"grade": 1, "label": "a"}, {"grade": 1, "label": "b"}]}, "the grade '1' is there twice"),
    ({"compare": ["a", "z"]}, "compare must name two of the runs 'a', 'b/c d'"),
    ({"runs": {"a": "00", "z": "02"}}, "there is no such file"),
    ({"id": ""}, "id: "),
]


@pytest.mark.parametrize(("changes", "message"), MANIFESTS)
def test_a_study_json_that_was_edited_wrongly_is_refused(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    write_study(small(), tmp_path / "s")
    path = tmp_path / "s/study.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    with pytest.raises(DataError, match=message.replace("(", r"\(")):
        read_study(tmp_path / "s")


def test_a_byte_order_mark_that_an_editor_left_is_skipped(tmp_path: Path) -> None:
    write_study(small(), tmp_path / "s")
    for name in ("study.json", "pool.jsonl", "assignments.jsonl"):
        path = tmp_path / "s" / name
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_study(tmp_path / "s").pool == small().pool


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    write_study(small(), tmp_path / "s")
    (tmp_path / "s/pool.jsonl").unlink()
    with pytest.raises(DataError, match=r"pool\.jsonl: there is no such file"):
        read_study(tmp_path / "s")


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: text.strip()))
def test_any_id_is_read_back(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    folder = tmp_path_factory.mktemp("study") / "s"
    pool = (Pooled(topic=name, document=name, batch=1, reason=name),)
    manifest = Manifest(id="s1", strategy="depth:1", seed=0, runs={})
    given_to = (Assignment(assessor=manifest.assessors[0], topic=name, document=name, batch=1),)
    study = Study(manifest, (StudyTopic(topic=name),), (StudyDocument(document=name),), pool, given_to)
    write_study(study, folder)
    assert read_study(folder).pool == pool


def test_a_run_has_a_file_name_without_folders_and_blanks() -> None:
    assert run_file(1, "../x y") == "runs/1-.._x_y.run"


def test_a_document_of_the_pool_that_nobody_is_asked_about_is_refused(tmp_path: Path) -> None:
    write_study(small(), tmp_path / "s")
    file = tmp_path / "s" / "assignments.jsonl"
    lines = file.read_text("utf-8").splitlines()
    document = json.loads(lines[0])["document"]
    file.write_text("".join(f"{line}\n" for line in lines if json.loads(line)["document"] != document))
    with pytest.raises(
        DataError, match=rf"pool.jsonl, line \d+: nobody is asked about document '{document}' of"
    ):
        read_study(tmp_path / "s")
