"""Making a study: topics, texts, known judgments, and who judges what in which order."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful.cli.commands import gainful as command
from gainful.errors import DataError, NothingInCommon, UsageError
from gainful.studies import study_folder
from gainful.studies.assignment import assigned
from gainful.studies.pooling import next_batch, pool
from gainful.studies.study_folder import read_study
from gainful.studies.study_records import Pooled

from .small_collections import answered, collection, evidence_of

A, B, GRADES = collection()
RUNS = {"a": A, "b": B}


def test_the_same_seed_gives_the_same_study_and_another_seed_another():
    one, same, other = (pool(RUNS, strategy="sample:change:20%", seed=seed) for seed in (1, 1, 2))
    assert (one.manifest.id, one.pool) == (same.manifest.id, same.pool)
    assert one.manifest.id != other.manifest.id
    assert one.pool != other.pool


def test_topics_are_in_order_and_may_be_chosen():
    assert [row.topic for row in pool(RUNS).topics] == [str(number) for number in range(1, 13)]
    assert [row.topic for row in pool(RUNS, topics=["10", "9", "99"]).topics] == ["9", "10"]
    with pytest.raises(NothingInCommon, match="'99'"):
        pool(RUNS, topics=["99"])


def test_queries_descriptions_and_whole_texts_are_in_the_study(tmp_path: Path):
    long = "First line.\n\n" + "word " * 200
    topics = tmp_path / "topics.txt"
    topics.write_text(
        "<top><num>1</num><title>red shoes</title><desc>Shoes that are red.</desc><narr>Not boots.</narr></top>"
    )
    study = pool(
        {"a": {"1": {"x": 1.0, "y": 0.5}}},
        queries=str(topics),
        documents={"x": {"title": "Shoes", "text": long}},
        strategy="depth:2",
    )
    assert (study.topics[0].query, study.topics[0].description) == (
        "red shoes",
        "Shoes that are red.\n\nNot boots.",
    )
    assert [(row.document, row.title, row.text) for row in study.documents] == [
        ("x", "Shoes", long),
        ("y", "", ""),
    ]
    assert study.notes == ("documents without a title or text, shown by their ids: y",)


def test_texts_of_later_batches_come_from_the_same_file(tmp_path: Path):
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(f'{{"id": "{name}", "text": "text of {name}"}}\n' for name in A["1"]))
    study = pool({"a": {"1": A["1"]}, "b": {"1": B["1"]}}, documents=str(path), strategy="depth:5", batch=3)
    longer = next_batch(study, evidence=evidence_of(study, answered(study, GRADES)))
    assert len(longer.documents) == 6
    assert all(row.text == f"text of {row.document}" for row in longer.documents)


def test_known_judgments_are_kept_and_serve_for_calibration(tmp_path: Path):
    have = {"1": {"old": 2, "older": 0}, "99": {"x": 1}}
    study = pool(RUNS, have=have, assessors=["ann", "bob"], calibration=2, output=tmp_path / "s")
    again = read_study(tmp_path / "s")
    assert again.known == {("1", "old"): 2.0, ("1", "older"): 0.0}
    first = [(row.assessor, row.document) for row in again.assignments if row.calibration]
    assert Counter(name for name, _ in first) == {"ann": 2, "bob": 2}
    assert {"old", "older"} <= {row.document for row in study.documents}
    with pytest.raises(DataError, match="the scale of the study ends at 3"):
        pool(RUNS, have={"1": {"old": 4}})


# ---- assignment ---------------------------------------------------------------------------------------------


@given(
    st.lists(st.integers(1, 12), min_size=1, max_size=8),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.2, 1.0]),
    st.integers(0, 5),
)
def test_every_document_has_an_assessor_and_the_share_asked_for_has_two(sizes, people, overlap, seed):
    rows = [
        Pooled(topic=str(topic), document=f"d{place}", batch=1, reason="")
        for topic, size in enumerate(sizes)
        for place in range(size)
    ]
    names = [f"p{number}" for number in range(people)]
    made = assigned(rows, [], names, overlap=overlap, seed=seed)
    times = Counter(row.pair for row in made)
    assert {*times} == {row.pair for row in rows}
    twice = 0 if people == 1 else round(overlap * len(rows))
    assert sum(count == 2 for count in times.values()) == twice
    assert len({(row.assessor, *row.pair) for row in made}) == len(made) == len(rows) + twice
    for name in names:  # the documents of a topic stand together
        topics = [row.topic for row in made if row.assessor == name]
        assert sum(here != there for here, there in pairwise(topics)) == max(0, len({*topics}) - 1)


def test_a_topic_stays_with_its_assessor_in_later_batches():
    study = pool(RUNS, strategy="depth:5", batch=24, assessors=["ann", "bob"])
    longer = next_batch(study, evidence=evidence_of(study, answered(study, GRADES)))
    owner = {row.topic: row.assessor for row in study.assignments}
    assert all(owner[row.topic] == row.assessor for row in longer.assignments if row.topic in owner)
    assert longer.assignments[: len(study.assignments)] == study.assignments


def test_work_is_spread_evenly():
    load = Counter(row.assessor for row in pool(RUNS, assessors=["ann", "bob", "cy"]).assignments)
    assert max(load.values()) - min(load.values()) <= 40  # a topic has no more documents


def test_the_order_of_documents_says_nothing_about_their_ranks():
    study = pool(RUNS, strategy="depth:20")
    place = {row.pair: number for number, row in enumerate(study.pool)}
    shown = [place[row.pair] for row in study.assignments if row.topic == "1"]
    assert shown != sorted(shown)


@pytest.mark.parametrize("strategy", ["adaptive:bandit", "sample:change:20%"])
def test_a_run_that_is_given_twice_is_pooled_once(strategy):
    once = pool(RUNS, strategy=strategy, compare=("a", "b"))
    twice = pool({"a": A, "copy": dict(reversed(A.items())), "b": B}, strategy=strategy, compare=("a", "b"))
    assert twice.pool == once.pool
    assert list(twice.runs) == list(twice.manifest.runs) == ["a", "b"]
    assert "'copy' is the same run as 'a', and is pooled once" in twice.notes
    assert pool({"a": A, "copy": A, "b": B}).manifest.compare == ("a", "b")
    with pytest.raises(UsageError, match="'copy' is the same run as 'a'; name the other one"):
        pool({"a": A, "copy": A, "b": B}, strategy=strategy, compare=("copy", "b"))


# ---- the command --------------------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path):
    for name, run in RUNS.items():
        lines = [f"{t} Q0 {d} 0 {s} {name}\n" for t, scores in run.items() for d, s in scores.items()]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def run(*arguments: str):
    return CliRunner().invoke(command, ["pool", *arguments], standalone_mode=False)


def test_the_command_makes_the_study_that_python_makes(files):
    options = ["--strategy", "adaptive:mtf", "--random", "10%", "--assessors", "ann, bob", "--overlap", "20%"]
    done = run(str(files / "a.run"), str(files / "b.run"), *options, "--seed", "3", "-o", str(files / "s"))
    assert done.exception is None, done.exception
    made, ours = (
        read_study(files / "s"),
        pool(RUNS, strategy="adaptive:mtf", random=0.1, assessors=["ann", "bob"], overlap=0.2, seed=3),
    )
    assert made.pool == ours.pool
    assert made.assignments == ours.assignments
    assert made.manifest.assessors == ("ann", "bob")
    assert "with an inclusion probability" in done.stderr


def test_a_scale_and_instructions_are_taken(files):
    (files / "how.md").write_text("Read **all** of it.")
    options = ["--scale", "0=no,1=yes", "--instructions", str(files / "how.md"), "--preferences"]
    assert run(str(files / "a.run"), *options, "-o", str(files / "s")).exception is None
    manifest = read_study(files / "s").manifest
    assert [(step.grade, step.label, step.key) for step in manifest.scale] == [
        (0, "no", "0"),
        (1, "yes", "1"),
    ]
    assert (manifest.instructions, manifest.mode) == ("Read **all** of it.", "preferences")


@pytest.mark.parametrize(
    ("options", "fault", "message"),
    [
        (["--strategy", "nothing"], UsageError, "no strategy 'nothing'"),
        (["--overlap", "20%"], UsageError, "an overlap needs two assessors"),
        (["--assessors", "ann,ann"], UsageError, "'ann' is there twice"),
        (
            ["--assessors", "Ann,bob,ann"],
            UsageError,
            "assessors 'Ann' and 'ann' differ in upper and lower case",
        ),
        (["--calibration", "3"], UsageError, "give them with --have"),
        (["--assessors", ","], UsageError, "needs an assessor"),
        (["--scale", "yes"], UsageError, "a grade is written 2=relevant"),
        (["--scale", "0=no"], UsageError, "a scale needs two grades"),
        (["--strategy", "sample:change", "--random", "10%"], UsageError, "leave a random part out"),
        (["--strategy", "sample:change", "--batch", "10"], UsageError, "leave a batch size out"),
        (["--have", "nowhere.qrels"], DataError, "there is no such file"),
        (["--compare", "a", "z"], UsageError, "compare must name two of the runs"),
        (["-m", "nDGC@10"], UsageError, "nDGC"),
        (["--topics", ""], UsageError, "no topic is named"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(files, options, fault, message):
    done = run(str(files / "a.run"), str(files / "b.run"), *options, "-o", str(files / "s"))
    assert isinstance(done.exception, fault)
    assert message in str(done.exception)
    assert not (files / "s").exists()
    assert {path.name for path in files.iterdir()} == {"a.run", "b.run"}


def test_the_folder_that_a_study_is_made_in_must_be_there(files):
    done = run(str(files / "a.run"), "-o", str(files / "no" / "s"))
    assert isinstance(done.exception, UsageError)
    assert str(done.exception) == f"there is no folder {files / 'no'} to make s in; create it first."


def test_a_full_disk_is_told_of_the_study_and_not_of_a_folder_of_the_moment(files, monkeypatch):
    def full(content, path):
        raise DataError(f"{path} cannot be written: No space left on device.")

    monkeypatch.setattr(study_folder, "put", full)
    done = run(str(files / "a.run"), "-o", str(files / "s"))
    assert str(done.exception) == f"{files / 's'}/study.json cannot be written: No space left on device."
    assert {path.name for path in files.iterdir()} == {"a.run", "b.run"}


@pytest.mark.parametrize(
    ("option", "content", "said"),
    [
        (
            "--documents",
            '{"id": "zz1", "text": "x"}',
            "pooled documents has a text in {}; ids there: 'zz1'; ids without",
        ),
        ("--documents", '{"id": "%s", "text": "x"}', "' differ only in case."),
        (
            "--queries",
            "zz\tred shoes",
            "pooled topics has a text in {}; ids there: 'zz'; ids without a text: '",
        ),
    ],
)
def test_texts_of_nothing_that_is_pooled_are_refused_with_the_way_out(files, option, content, said):
    document = next(iter(A[next(iter(A))]))
    path = files / ("given.jsonl" if option == "--documents" else "given.tsv")
    path.write_text((content % document.upper() if "%s" in content else content) + "\n")
    done = run(str(files / "a.run"), str(files / "b.run"), option, str(path), "-o", str(files / "s"))
    assert isinstance(done.exception, NothingInCommon)
    assert str(done.exception).startswith("none of ")
    assert said.format(path) in str(done.exception)
    assert f"or leave {option} ({option[2:]}= in Python) out to show ids alone" in str(done.exception)
    assert not (files / "s").exists()


def test_texts_of_less_than_half_are_noted_with_ids_of_both_sides(files):
    study = pool(RUNS)
    topics, documents = [row.topic for row in study.topics], [row.document for row in study.documents]
    texts, queries = {documents[0]: "A text.", "zz1": "Another."}, {topics[0]: "words", "zz": "others"}
    few = pool(RUNS, documents=texts, queries=queries)
    assert few.notes[0].startswith(
        f"1 of {len(topics)} pooled topics has a text in the queries given; ids there: 'zz'; "
    )
    assert few.notes[1].startswith(
        f"1 of {len(documents)} pooled documents has a text in the documents given; ids there: 'zz1'; "
    )
    assert few.notes[1].endswith(f"and {len(documents) - 4:,} more; they are shown by id")
    most = pool(
        RUNS, documents=dict.fromkeys(documents[1:], "A text."), queries=dict.fromkeys(topics[1:], "w")
    )
    assert most.notes == (
        f"topics without a query, shown by their ids: {topics[0]}",
        f"documents without a title or text, shown by their ids: {documents[0]}",
    )


def test_a_later_batch_takes_the_file_of_the_pool_though_none_of_its_documents_has_a_text():
    study = pool(RUNS, strategy="depth:2", batch=4)
    texts = {row.document: "A text." for row in study.documents}
    longer = next_batch(study, documents=texts)
    assert longer.notes[-1].startswith("none of ")
    with pytest.raises(NothingInCommon, match=r"none of .* has a text in the documents given"):
        next_batch(study, documents={"zz1": "Another."})


def test_ids_that_are_not_utf8_are_pooled_and_read_back(files):
    (files / "b.run").write_bytes(b"1 Q0 d\xff 1 2.0 t\n")
    assert run(str(files / "b.run"), "-o", str(files / "s")).exception is None
    assert [row.document for row in read_study(files / "s").pool] == ["d\udcff"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--assessors", "a\udcff"], "the assessor 'a\\xff' has a name that is not UTF-8"),
        (["--scale", "0=n\udcff,1=yes"], "the grade's label 'n\\xff'"),
        (["r\udcff.run"], "the run 'r\\xff'"),
    ],
)
def test_names_that_are_not_utf8_are_refused(files, monkeypatch, options, message):
    monkeypatch.chdir(files)
    Path("r\udcff.run").write_text("1 Q0 other 1 2.0 t\n")
    done = run(str(files / "a.run"), *options, "-o", "s")
    assert isinstance(done.exception, UsageError)
    assert message in str(done.exception)


def test_a_study_without_a_name_is_refused(files):
    assert "-o needs the name of a folder" in str(run(str(files / "a.run"), "-o", "").exception)


def test_judgments_among_the_runs_are_recognised(files):
    (files / "qrels.txt").write_text("1 0 d 1\n")
    done = run(str(files / "qrels.txt"), "-o", str(files / "s"))
    assert "Are these judgments? A run is expected here" in str(done.exception)


def test_a_folder_that_is_there_stays(files):
    (files / "s").mkdir()
    done = run(str(files / "a.run"), "-o", str(files / "s"))
    assert isinstance(done.exception, UsageError)
    assert list((files / "s").iterdir()) == []


def test_the_verbs_are_public():
    assert gainful.pool is pool
    assert gainful.read_study is read_study
