"""A format of one's own, from one file outside the package."""

import subprocess
import sys

import pytest

from gainful import evaluate, read_qrels, read_run
from gainful.errors import DataError, UsageError
from gainful.formats.registry import OWN, built_in, file_format, read_names, written_names

LETOR = """
from gainful.formats.registry import file_format

def written(rows, kind, tag):
    triples = zip(rows.values.tolist(), rows.topics, rows.documents)
    return b"".join(b"%d qid:%s # %s\\n" % (int(value), topic, document) for value, topic, document in triples)

@file_format(
    "letor",
    endings=(".letor",),
    write=written,
    recognise=lambda head: b" qid:" in head.partition(b"\\n")[0],
)
def letor(source, kind):
    for line in source.lines():
        grade, topic, *_, document = line.decode().split()
        yield topic.removeprefix("qid:"), document, float(grade)
"""
FILE = "2 qid:q1 # b\n1 qid:q1 # a\n"


@pytest.fixture
def letor(tmp_path):
    """The format is registered, as importing its file does it, and forgotten afterwards."""
    before = dict(OWN)
    exec(LETOR, {})
    (tmp_path / "run.letor").write_text(FILE)
    yield str(tmp_path / "run.letor")
    OWN.clear()
    OWN.update(before)


def test_a_format_of_ones_own_is_recognised_read_and_named(letor):
    (scores,) = evaluate({"q1": {"a": 1}}, letor, "AP")
    assert scores.mean["AP"] == 1 / 2
    assert read_qrels(letor, layout="letor").to_dict() == {"q1": {"b": 2.0, "a": 1.0}}
    assert read_run([letor, letor], layout="letor").name


def test_what_its_reader_cannot_read_is_said_in_a_sentence(letor, tmp_path):
    (tmp_path / "bad.letor").write_text("x qid:q1 # b\n")
    with pytest.raises(
        DataError, match=r"bad.letor cannot be read as letor: could not convert string to float"
    ):
        read_run(str(tmp_path / "bad.letor"))


def test_a_name_that_is_taken_is_refused(tmp_path):
    (tmp_path / "run").write_text(FILE)
    with pytest.raises(UsageError, match="'json' cannot be the name of a format"):
        file_format("json")
    with pytest.raises(UsageError, match="a layout is one of trec, csv"):
        read_run(str(tmp_path / "run"), layout="letor")


def test_an_installed_package_is_found_by_its_entry_point(tmp_path):
    """Its folder is on the path; nobody imports it."""
    (tmp_path / "my_letor.py").write_text(LETOR)
    metadata = tmp_path / "my_letor-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: my-letor\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[gainful.formats]\nletor = my_letor\n")
    (tmp_path / "run").write_text(FILE)
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    main = "from gainful.cli import main; main()"

    def gainful(*words):
        ended = subprocess.run(
            [sys.executable, "-c", main, *words],
            cwd=tmp_path,
            env={"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    assert "0.5000" in gainful("evaluate", "qrels", "run", "-m", "AP")
    assert "0.5000" in gainful("evaluate", "qrels", "run", "-m", "AP", "--run-format", "letor")
    gainful("convert", "qrels", "made.letor", "--kind", "qrels")
    assert (tmp_path / "made.letor").read_text() == "1 qid:q1 # a\n"


def test_lines_of_trec_are_read_without_the_files_of_other_formats(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 2.5 bm25\n")
    program = (
        "import sys, gainful\n"
        "assert [scores.mean['AP'] for scores in gainful.evaluate('qrels', 'run', 'AP')] == [1]\n"
        "print(sorted(name for name in sys.modules if name.endswith('_format')))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ended.stdout == "[]\n"


def test_every_format_of_the_package_has_a_file_and_can_be_read_or_written():
    forms = built_in()
    assert {"trec", "marco", "columns", "csv", "tsv", "beir", "json", "jsonl", "parquet", "ranx"} <= {*forms}
    assert {*read_names()} | {*written_names()} == {*forms}
    assert "beir" not in read_names()
    assert "ranx" not in written_names()


@pytest.mark.parametrize(
    "first", ["gainful", "gainful.formats.trec_format", "gainful.studies.answer_collection"]
)
def test_the_order_in_which_formats_are_tried_does_not_depend_on_what_was_imported_first(first):
    program = f"import {first}; from gainful.formats.registry import read_names; print(*read_names())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        "trec",
        "csv",
        "tsv",
        "jsonl",
        "json",
        "ranx",
        "parquet",
        "marco",
        "columns",
    ]
