"""gainful evaluate, as a user types it."""

import bz2
import csv
import gzip
import io
import json
import lzma
import math
import subprocess
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# The runs of conftest: topic 1 ranks a (grade 2), u (unjudged), c (grade 1); topic 2 ranks x (grade 0), a (grade 1).
AP = ((1 / 1 + 2 / 3) / 2 + (1 / 2) / 1) / 2


def test_the_table_states_values_topics_and_settings(qrels, good_run, gainful):
    outcome = gainful("evaluate", qrels, good_run, "-m", "AP,P@2", "-m", "RR")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0].split() == ["measure", "good"]
    assert [line.split() for line in lines[2:5]] == [["AP", f"{AP:.4f}"], ["P@2", "0.5000"], ["RR", "0.7500"]]
    assert " ".join(lines[6:]) == (
        "2 topics · ties: by document id · missing topics: score 0 · "
        "topics with nothing relevant: kept · unjudged documents: not relevant"
    )


def test_several_runs_are_rows(qrels, good_run, tmp_path, gainful):
    other = tmp_path / "other.run"
    other.write_text("1 Q0 c 1 1.0 t\n2 Q0 a 1 1.0 t\n")
    outcome = gainful("evaluate", qrels, good_run, other, "-m", "RR")
    assert [line.split() for line in outcome.out.splitlines()[2:4]] == [
        ["good", "0.7500"],
        ["other", "1.0000"],
    ]


def test_per_topic_values_come_before_the_summary(qrels, good_run, gainful):
    outcome = gainful("evaluate", qrels, good_run, "-m", "RR", "-q", "--places", "2")
    assert [line.split() for line in outcome.out.splitlines()[2:5]] == [
        ["1", "1.00"],
        ["2", "0.50"],
        ["all", "0.75"],
    ]


def test_json_has_the_documented_layout_and_full_doubles(qrels, good_run, gainful):
    made = json.loads(gainful("evaluate", qrels, good_run, "-m", "AP,P@10", "-q", "-f", "json").out)
    assert made["settings"] == {
        "ties": "docid",
        "missing": "empty",
        "undefined": "keep",
        "unjudged": "nonrelevant",
        "duplicates": "error",
        "pool": "judged",
        "rel": None,
        "depth": None,
        "drop_self": False,
        "scores": "64",
        "round_topics": None,
        "round_mean": None,
        "round_halves": "stored",
    }
    assert (made["qrels"]["path"], made["qrels"]["topics"], made["qrels"]["judgments"]) == (qrels, 2, 5)
    (run,) = made["runs"]
    assert (run["name"], run["path"]) == ("good", good_run)
    assert run["topics"] == {"evaluated": 2, "missing": [], "extra": [], "undefined": {}}
    assert run["mean"] == {"AP": AP, "P@10": (2 / 10 + 1 / 10) / 2}
    assert run["per_topic"]["1"]["AP"] == (1 / 1 + 2 / 3) / 2
    assert len(run["digest"]) == 32
    assert "per_topic" not in json.loads(gainful("evaluate", qrels, good_run, "-f", "json").out)["runs"][0]


def test_csv_is_long_and_reads_back_to_the_same_doubles(qrels, good_run, gainful):
    outcome = gainful("evaluate", qrels, good_run, "-m", "AP", "-q", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    assert [(row["run"], row["topic"], row["measure"]) for row in rows] == [
        ("good", "1", "AP"),
        ("good", "2", "AP"),
        ("good", "all", "AP"),
    ]
    assert float(rows[-1]["value"]) == AP
    assert "ties docid" in rows[0]["settings"]


def test_trec_has_the_topics_in_the_order_of_trec_eval_so_that_outputs_can_be_pasted_together(
    gainful, tmp_path
):
    qrels, run = tmp_path / "qrels.txt", tmp_path / "a.run"
    qrels.write_text("".join(f"{topic} 0 d 1\n" for topic in (1, 2, 10)))
    run.write_text("".join(f"{topic} Q0 d 1 1 t\n" for topic in (1, 2, 10)))
    lines = gainful("evaluate", qrels, run, "-m", "map", "-q", "-f", "trec").out.splitlines()
    assert [line.split()[1] for line in lines] == ["1", "10", "2", "all", "all"]


def test_all_trec_has_every_number_of_trec_eval_under_its_name(qrels, good_run, gainful):
    lines = gainful("evaluate", qrels, good_run, "-m", "all_trec", "-f", "trec").out.splitlines()
    names = [line.split()[0] for line in lines]
    assert names[-5:] == ["rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"]
    at = names.index("Rprec_mult_1.00")
    assert names[at - 1 : at + 2] == ["Rprec_mult_0.80", "Rprec_mult_1.00", "Rprec_mult_1.20"]
    assert lines[at].split()[2] == lines[names.index("Rprec")].split()[2]
    assert "Rprec_mult_1.00" not in gainful("evaluate", qrels, good_run, "-m", "Rprec", "-f", "trec").out


def test_trec_is_trec_evals_own_layout_and_names(qrels, good_run, gainful):
    outcome = gainful("evaluate", qrels, good_run, "-m", "NumQ,AP,nDCG@10,NumRelRet", "-q", "-f", "trec")
    assert outcome.out.splitlines()[:3] == [
        f"map                   \t1\t{(1 + 2 / 3) / 2:.4f}",
        f"ndcg_cut_10           \t1\t{(2 + 1 / 2) / (2 + 1 / math.log2(3)):.4f}",
        "num_rel_ret           \t1\t2",
    ]
    assert outcome.out.splitlines()[6:9] == [
        "runid                 \tall\ttag",
        "num_q                 \tall\t2",
        f"map                   \tall\t{AP:.4f}",
    ]
    assert "ties: by document id" in outcome.err


@pytest.mark.parametrize(
    "compress", [gzip.compress, bz2.compress, lzma.compress, zstd.compress], ids=["gz", "bz2", "xz", "zst"]
)
def test_compression_is_recognised_by_content(compress, qrels, good_run, tmp_path, gainful):
    packed_run, packed_qrels = tmp_path / "packed.run", tmp_path / "packed.qrels"
    packed_run.write_bytes(compress(Path(good_run).read_bytes()))
    packed_qrels.write_bytes(compress(Path(qrels).read_bytes()))
    plain = json.loads(gainful("evaluate", qrels, good_run, "-f", "json").out)
    packed = json.loads(gainful("evaluate", packed_qrels, packed_run, "-f", "json").out)
    assert packed["runs"][0]["mean"] == plain["runs"][0]["mean"]
    assert packed["runs"][0]["digest"] == plain["runs"][0]["digest"]
    assert packed["qrels"]["digest"] == plain["qrels"]["digest"]


def test_gz_of_several_members_is_read_whole(qrels, good_run, tmp_path, gainful):
    lines = Path(good_run).read_bytes().splitlines(keepends=True)
    packed = tmp_path / "good.run.gz"
    packed.write_bytes(gzip.compress(b"".join(lines[:2])) + gzip.compress(b"".join(lines[2:])) + b"\0" * 100)
    assert gainful("evaluate", qrels, packed).out == gainful("evaluate", qrels, good_run).out


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input_is_a_run_or_judgments(packed, qrels, good_run):
    def call(arguments: list[str], path: str) -> str:
        content = Path(path).read_bytes()
        command = [
            sys.executable,
            "-c",
            "from gainful.cli import main; main()",
            "evaluate",
            *arguments,
            "-m",
            "AP",
            "-f",
            "csv",
        ]
        child = subprocess.run(
            command, input=gzip.compress(content) if packed else content, capture_output=True, check=True
        )
        return child.stdout.decode().splitlines()[1].split(",")[3]

    assert float(call([qrels, "-"], good_run)) == AP
    assert float(call(["-", good_run], qrels)) == AP


def test_odd_text_is_read_as_it_is_meant(qrels, tmp_path, gainful):
    path = tmp_path / "odd.run"
    path.write_bytes(
        b"\xef\xbb\xbf# made by hand\r\n1\tQ0   a 1 +3.0 tag\r\n\r\n  1 Q0\t\tu 2 2e0 x\n1 Q0 c 3 1 x \n"
        b"#comment\n2 Q0 x 1 2.5 t\n2 Q0 a 2 1.5 t"
    )
    outcome = gainful("evaluate", qrels, path, "-m", "AP", "-f", "csv")
    assert float(outcome.out.splitlines()[1].split(",")[3]) == AP


def test_missing_and_extra_topics_are_noted_and_follow_the_policy(qrels, tmp_path, gainful):
    path = tmp_path / "part.run"
    path.write_text("1 Q0 a 1 3.0 t\n9 Q0 a 1 3.0 t\n")
    empty = gainful("evaluate", qrels, path, "-m", "RR", "-f", "json")
    assert json.loads(empty.out)["runs"][0]["mean"]["RR"] == 1 / 2
    assert json.loads(empty.out)["runs"][0]["topics"] == {
        "evaluated": 2,
        "missing": ["2"],
        "extra": ["9"],
        "undefined": {},
    }
    assert "1 judged topic of 2 not in the run, scored as empty lists: 2" in empty.err
    assert "1 topic of the run not judged, ignored: 9" in empty.err
    skip = gainful("evaluate", qrels, path, "-m", "RR", "-f", "json", "--missing", "skip")
    assert json.loads(skip.out)["runs"][0]["mean"]["RR"] == 1
    assert json.loads(skip.out)["runs"][0]["topics"]["evaluated"] == 1


def test_topics_with_nothing_relevant_are_listed_and_follow_the_policy(tmp_path, gainful):
    qrels, path = tmp_path / "q", tmp_path / "r"
    qrels.write_text("1 0 a 1\n2 0 b 0\n")
    path.write_text("1 Q0 a 1 3.0 t\n2 Q0 b 1 3.0 t\n")
    keep = json.loads(gainful("evaluate", qrels, path, "-m", "AP", "-f", "json").out)["runs"][0]
    assert (keep["mean"]["AP"], keep["topics"]["undefined"]) == (1 / 2, {"AP": ["2"]})
    skip = json.loads(gainful("evaluate", qrels, path, "-m", "AP", "-f", "json", "--undefined", "skip").out)[
        "runs"
    ][0]
    assert skip["mean"]["AP"] == 1
    for measures, said in {
        "AP": "2 topics, 1 undefined · ties: by document id · ",
        "Judged@1,AP": "2 topics, 1 undefined in AP · ties: by document id · ",
        "AP,R@1": "2 topics, 1 undefined · ties: by document id · ",
        "Judged@1,AP,R@1": "2 topics, 1 undefined in some measures · ties: by document id · ",
        "Judged@1": "2 topics · ties: by document id · ",
    }.items():
        for form in ("table", "markdown"):
            text = gainful("evaluate", qrels, path, "-m", measures, "-f", form).out
            assert any(line.startswith(said.rstrip()) for line in text.splitlines()[-3:])


def test_ties_follow_the_rule_asked_for_and_are_noted(tmp_path, gainful):
    qrels, path = tmp_path / "q", tmp_path / "r"
    qrels.write_text("1 0 m 1\n")
    path.write_text("1 Q0 m 1 5 t\n1 Q0 z 2 5 t\n1 Q0 a 3 5 t\n1 Q0 b 4 5 t\n")

    def reciprocal_rank(rule: str) -> float:
        return json.loads(gainful("evaluate", qrels, path, "-m", "RR", "-f", "json", "--ties", rule).out)[
            "runs"
        ][0]["mean"]["RR"]

    # By id descending z stands before m; in the file m is first; at best m is first of four, at worst last.
    assert [reciprocal_rank(rule) for rule in ("docid", "input", "best", "worst")] == [1 / 2, 1, 1, 1 / 4]
    assert "straddle rank 1 in 1 topic of 1" in gainful("evaluate", qrels, path, "-m", "P@1").err
    assert "across rank" not in gainful("evaluate", qrels, path, "-m", "P@4").err


def test_condense_removes_the_unjudged_before_ranking(qrels, good_run, gainful):
    outcome = gainful("evaluate", qrels, good_run, "-m", "AP", "-f", "json", "--unjudged", "condense")
    assert json.loads(outcome.out)["runs"][0]["mean"]["AP"] == ((1 / 1 + 2 / 2) / 2 + 1 / 2) / 2


def test_depth_and_rel_and_topics_narrow_what_is_counted(qrels, good_run, tmp_path, gainful):
    def mean(*options: str) -> dict[str, float]:
        return json.loads(
            gainful("evaluate", qrels, good_run, "-m", "AP,NumRet", "-f", "json", *options).out
        )["runs"][0]["mean"]

    assert mean("--depth", "1") == {"AP": (1 / 2 + 0) / 2, "NumRet": 2}
    assert mean("--rel", "2")["AP(rel=2)"] == (1 + 0) / 2
    assert mean("--topics", "2") == {"AP": 1 / 2, "NumRet": 2}
    wanted = tmp_path / "topics"
    wanted.write_text("1\n\n")
    assert mean("--topics", str(wanted))["NumRet"] == 3
    unknown = gainful("evaluate", qrels, good_run, "--topics", "1,7")
    assert (unknown.code, "'7'" in unknown.err) == (2, True)


def test_duplicates_can_be_settled_by_policy(tmp_path, gainful):
    qrels, path = tmp_path / "q", tmp_path / "r"
    qrels.write_text("1 0 a 1\n")
    path.write_text("1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n1 Q0 a 3 3 t\n")
    for policy, value in (("first", 1 / 2), ("best", 1)):
        outcome = gainful("evaluate", qrels, path, "-m", "RR,NumRet", "-f", "json", "--duplicates", policy)
        assert json.loads(outcome.out)["runs"][0]["mean"] == {"RR": value, "NumRet": 2}


def test_a_scale_without_zero_and_unequal_runs_are_noted(tmp_path, gainful):
    qrels, short, long = tmp_path / "q", tmp_path / "short", tmp_path / "long"
    qrels.write_text("1 0 a 3\n1 0 b 1\n")
    short.write_text("1 Q0 a 1 9 t\n")
    long.write_text("".join(f"1 Q0 d{rank} {rank} {-rank} t\n" for rank in range(1, 30)))
    err = gainful("evaluate", qrels, short, long).err
    assert "the lowest grade judged is 1" in err
    assert "differ in depth (documents per topic, median): long 29, short 1" in err
    assert "top 10 is judged: short 100 %, long 0 %" in err


def test_ids_that_are_not_utf8_are_escaped_and_still_match(tmp_path, gainful):
    qrels, path = tmp_path / "q", tmp_path / "r"
    qrels.write_bytes(b"caf\xe9 0 d\xff 1\nplain 0 d 1\n")
    path.write_bytes(b"caf\xe9 Q0 d\xff 1 1.0 t\nplain Q0 d 1 1.0 t\n")
    made = json.loads(gainful("evaluate", qrels, path, "-m", "AP", "-q", "-f", "json").out)
    assert made["runs"][0]["per_topic"] == {"caf\\xe9": {"AP": 1.0}, "plain": {"AP": 1.0}}
    assert "caf\\xe9" in gainful("evaluate", qrels, path, "-q").out
    assert made["runs"][0]["mean"]["AP"] == 1
    only = json.loads(
        gainful("evaluate", qrels, path, "-m", "AP", "-q", "-f", "json", "--topics", "caf\\xe9").out
    )
    assert list(only["runs"][0]["per_topic"]) == ["caf\\xe9"]


def test_runs_of_the_same_name_are_told_apart(qrels, good_run, tmp_path, gainful):
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bm25.run").write_bytes(Path(good_run).read_bytes())
    made = json.loads(
        gainful("evaluate", qrels, tmp_path / "x/bm25.run", tmp_path / "y/bm25.run", "-f", "json").out
    )
    assert [run["name"] for run in made["runs"]] == [
        str(tmp_path / "x/bm25.run"),
        str(tmp_path / "y/bm25.run"),
    ]


def test_nothing_but_numpy_click_and_the_core_is_loaded(qrels, good_run):
    code = (
        "import sys; from gainful.cli import run; run(sys.argv[1:]);"
        "print(*sorted(name for name in sys.modules if '.' not in name), file=sys.stderr)"
    )
    child = subprocess.run(
        [sys.executable, "-c", code, "evaluate", qrels, good_run], capture_output=True, text=True, check=True
    )
    loaded = set(child.stderr.split())
    assert not loaded & {
        "rich",
        "msgspec",
        "scipy",
        "pandas",
        "polars",
        "pyarrow",
        "concurrent",
        "asyncio",
        "isal",
    }


def test_a_command_imports_numpy_without_its_docstrings():
    code = "import gainful.cli; gainful.cli._tune(); import numpy as np; print(np.ndarray.sum.__doc__, np.ones(2).sum())"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert child.stdout == "None 2.0\n"


def test_modules_that_scipy_imports_and_nobody_uses_wait_until_somebody_does(qrels, good_run):
    code = f"""
import sys
import gainful.cli
gainful.cli._tune()
print(gainful.cli.run(["compare", {str(qrels)!r}, {str(good_run)!r}, {str(good_run)!r}, "-f", "json", "-o", "/dev/null"]))
import scipy.special, numpy
print([name in sys.modules for name in ("numpy.f2py", "numpy.f2py.crackfortran", "numpy.testing", "numpy.testing._private")])
numpy.testing.assert_allclose(scipy.special.ndtr(0.0), 0.5)
print(numpy.f2py.get_include()[-3:], "numpy.f2py.crackfortran" in sys.modules)
"""
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert child.stdout.splitlines()[-3:] == ["0", "[True, False, True, False]", "src True"]


def test_reading_begins_before_numpy_is_imported(qrels, good_run):
    code = "import sys; import gainful.cli.evaluate, gainful._core; print('numpy' in sys.modules)"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert child.stdout.strip() == "False"


def test_help_has_examples(gainful):
    outcome = gainful("evaluate", "--help")
    assert outcome.code == 0
    assert "gainful evaluate qrels.txt bm25.run" in outcome.out
    assert gainful("--version").out.startswith("gainful 0.")


def test_documents_with_the_id_of_their_topic_can_be_dropped(tmp_path, gainful):
    qrels, path = tmp_path / "q", tmp_path / "r"
    qrels.write_text("q1 0 d 1\nq1 0 q1 0\n")
    path.write_text("q1 Q0 q1 1 9 t\nq1 Q0 d 2 8 t\n")
    assert json.loads(gainful("evaluate", qrels, path, "-m", "RR,NumRet", "-f", "json").out)["runs"][0][
        "mean"
    ] == {"RR": 0.5, "NumRet": 2}
    dropped = json.loads(gainful("evaluate", qrels, path, "-m", "RR,NumRet", "-f", "json", "--drop-self").out)
    assert dropped["runs"][0]["mean"] == {"RR": 1, "NumRet": 1}
    assert dropped["settings"]["drop_self"] is True


def test_a_long_list_of_topics_is_a_list_and_a_wrong_one_is_named(qrels, good_run, gainful):
    many = gainful("evaluate", qrels, good_run, "--topics", ",".join(["1"] * 5000))
    assert many.code == 0
    wrong = gainful("evaluate", qrels, good_run, "--topics", "nofile.txt")
    assert (wrong.code, "nofile.txt" in wrong.err) == (2, True)


def test_a_full_disk_is_told_and_a_link_stays_a_link(qrels, good_run, tmp_path):
    command = (
        f"{sys.executable} -c 'from gainful.cli import main; main()' evaluate {qrels} {good_run} > /dev/full"
    )
    full = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (full.returncode, "No space left" in full.stderr, "Traceback" in full.stderr) == (3, True, False)
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    words = [sys.executable, "-c", "from gainful.cli import main; main()", "evaluate", qrels, good_run]
    subprocess.run([*words, "-f", "csv", "-o", str(link), "--overwrite"], check=True, capture_output=True)
    assert link.is_symlink()
    assert target.read_text().startswith("run,topic,measure,value")


@pytest.mark.parametrize("command", [["evaluate"], ["compare"], ["report", "-f", "text"]])
def test_names_says_what_runs_are_called(command, qrels, good_run, tmp_path, gainful):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.tsv").write_text(Path(good_run).read_text().replace("tag", f"rrf_{name}"))
    paths = [tmp_path / name / "run.tsv" for name in ("one", "two")]
    assert "rrf_one" in gainful(*command, qrels, *paths).out
    assert "rrf_one" in gainful(*command, qrels, *paths, "--names", "tag").out
    by_path = gainful(*command, qrels, *paths, "--names", "path")
    assert "rrf_one" not in by_path.out
    assert "one/run.tsv" in by_path.out
