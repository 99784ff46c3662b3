"""Options in pyproject.toml and gainful.toml."""

import pytest

from gainful.configuration import find, read_options
from gainful.errors import DataError, UsageError


def test_options_come_from_the_table_and_paths_count_from_its_folder(tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_text(
        '[tool.gainful.gate]\nqrels = "data/qrels.txt"\nmeasures = ["nDCG@10", "RR"]\nallow-inconclusive = true\n'
        'margin = { "nDCG@10" = 0.01, RR = 0.03 }\nmissing = "skip"\nrel = 2\n'
    )
    assert read_options(path) == {
        "qrels": str(tmp_path / "data/qrels.txt"),
        "measures": ["nDCG@10", "RR"],
        "allow_inconclusive": True,
        "margin": {"nDCG@10": 0.01, "RR": 0.03},
        "missing": "skip",
        "rel": 2,
    }
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert find(deep) == path


@pytest.mark.parametrize("text", ["alpha = 1", "power = 1"])
def test_a_whole_number_is_a_number(tmp_path, text):
    path = tmp_path / "gainful.toml"
    path.write_text(f"[gate]\n{text}\n")
    assert [*read_options(path).values()] == [1]


def test_a_file_without_the_table_says_nothing(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert read_options(tmp_path / "pyproject.toml") == {}


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("[tool.gainful.gate]\nmargins = 1", UsageError, "there is no option 'margins'; did you mean margin"),
        ("[tool.gainful.gate]\nalpha = '5 %'", UsageError, "alpha must be a number; got '5 %'"),
        ("[tool.gainful.gate]\nseed = true", UsageError, "seed must be a whole number; got true"),
        ("[tool.gainful.gate]\nmeasures = [10]", UsageError, "all in measures must be text; got 10"),
        (
            "[tool.gainful.gate]\nmargin = {AP = '1 %'}",
            UsageError,
            "all in margin must be a number; got '1 %'",
        ),
        ("[tool.gainful]\ngate = 'on'", UsageError, "must be a table; 'gate' is 'on'"),
        ("tool = 3", UsageError, "must be a table; 'tool' is 3"),
        ("[tool.gainful.gate\n", DataError, "is not TOML"),
        ("[tool.gainful.gat]\n", UsageError, r"there is no table 'gat'; did you mean \[gate\]"),
    ],
)
def test_wrong_options_are_named(tmp_path, text, error, words):
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    with pytest.raises(error, match=words):
        read_options(path)


def test_a_byte_order_mark_is_skipped(tmp_path):
    path = tmp_path / "gainful.toml"
    path.write_bytes(b"\xef\xbb\xbfalpha = 0.1\n")
    assert read_options(path) == {"alpha": 0.1}


def test_a_file_that_is_not_utf8_is_told_with_the_line(tmp_path):
    path = tmp_path / "gainful.toml"
    path.write_bytes("alpha = 0.1\n# für uns\n".encode("latin-1"))
    with pytest.raises(DataError, match=r"gainful.toml, line 2: this is not UTF-8"):
        read_options(path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        read_options(tmp_path / "pyproject.toml")


SHARED = """
qrels = "qrels.txt"
baseline = "main.run"
candidate = "branch.run"
measures = "RR"
margin = 0.01
ties = "worst"
"""


def test_commands_share_a_table_and_each_takes_what_it_knows(tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_text(
        f"[tool.gainful]{SHARED}[tool.gainful.gate]\nmeasures = 'AP'\n[tool.gainful.report]\ntitle = 'Search'\n"
    )
    files = {name: str(tmp_path / name) for name in ("qrels.txt", "main.run", "branch.run")}
    assert read_options(path, "gate") == {
        "qrels": files["qrels.txt"],
        "baseline": files["main.run"],
        "candidate": files["branch.run"],
        "measures": "AP",
        "margin": 0.01,
        "ties": "worst",
    }
    assert read_options(path, "report") == {
        "qrels": files["qrels.txt"],
        "runs": [files["main.run"], files["branch.run"]],
        "measures": "RR",
        "ties": "worst",
        "title": "Search",
    }


def test_a_file_of_its_own_has_the_same_tables_without_the_prefix_and_comes_first(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.gainful]\nqrels = 'other.txt'\n")
    own = tmp_path / "gainful.toml"
    own.write_text(f"{SHARED}[report]\nbaseline = 'main'\nruns = ['main.run']\n[gate]\nworst = 2\n")
    assert find(tmp_path) == own
    assert read_options(own, "gate")["worst"] == 2
    assert read_options(own, "report")["baseline"] == "main"
    assert read_options(own, "report")["runs"] == [str(tmp_path / "main.run")]


def test_runs_may_be_patterns(tmp_path):
    for name in ("b.run", "a.run", "c.txt"):
        (tmp_path / name).touch()
    path = tmp_path / "gainful.toml"
    path.write_text("runs = ['b.run', '*.run']\n")
    assert read_options(path, "report")["runs"] == [str(tmp_path / "b.run"), str(tmp_path / "a.run")]
    path.write_text("runs = 'runs/*.run'\n")
    with pytest.raises(DataError, match="no file is named 'runs/"):
        read_options(path, "report")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("qrel = 'x'", "gainful.toml: there is no option 'qrel'; did you mean qrels"),
        (
            "output = 'x'",
            "gainful.toml: there is no option 'output'; it belongs in the table of report",
        ),
        (
            "[report]\nmargin = 1",
            r"gainful.toml, \[report\]: there is no option 'margin'; it belongs in the table of gate",
        ),
        ("[report]\noutput = '../x'", r"\[report\]: output = '../x' lies outside the folder"),
        ('[report]\noutput = "a\\u0000b"', r"\[report\]: output = 'a.*b' cannot be the name of a file"),
        ("report = 1", r"\[report\] must be a table; 'report' is 1"),
        ("runs = 3", "runs must be text or a list; got 3"),
        ("runs = [3]", "all in runs must be text; got 3"),
    ],
)
def test_wrong_options_of_a_file_of_its_own_are_named(tmp_path, text, words):
    path = tmp_path / "gainful.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=words):
        read_options(path, "report")


def test_a_file_behind_a_loop_of_links_is_left_to_whoever_writes_it(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    path = tmp_path / "gainful.toml"
    path.write_text("[gate]\njunit = 'loop/x'\n")
    assert read_options(path) == {"junit": str(tmp_path / "loop" / "x")}
