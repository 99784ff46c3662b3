"""gainful filter: the demo, simulations from files, and what is said where something is wrong."""

import gzip
import json
from pathlib import Path

import pytest

from gainful.filtering.demo import as_files, demo


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stream")
    for name, text in as_files(demo(documents=600, seed=6)).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def simulate(gainful, files):
    def call(*options, stream="stream.jsonl", topics="topics.jsonl", qrels="qrels.txt"):
        inputs = [name if Path(name).is_absolute() else files / name for name in (stream, topics, qrels)]
        return gainful("filter", "simulate", *inputs, "--reference", "100", "--jobs", "1", *options)

    return call


def test_the_demo_shows_a_filter_that_learns(gainful):
    shown = gainful("filter", "demo", "--documents", 600, "--seed", 6)
    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert lines[0].split()[:2] == ["rule", "T11SU"]
    assert [line.split()[0] for line in lines[2:9]] == [
        "expected",
        "beta_gamma",
        "optimum",
        "zero",
        "ratio(share=0.02)",
        "none",
        "hindsight:",
    ]
    assert "The profile of garden began with: garden soil planting." in lines


def test_the_demo_leaves_files_that_simulate_reads(gainful, tmp_path):
    kept = gainful("filter", "demo", "--documents", 300, "--write", tmp_path / "kept")
    assert kept.code == 0
    assert "try: gainful filter simulate" in kept.err
    again = gainful("filter", "demo", "--documents", 300, "--write", tmp_path / "kept")
    assert again.code == 2
    assert "already exists; choose another name, or replace it with --overwrite." in again.err
    names = [tmp_path / "kept" / name for name in ("stream.jsonl", "topics.jsonl", "qrels.txt")]
    assert gainful("filter", "simulate", *names, "-r", "zero", "--jobs", 1).code == 0


def test_many_rules_side_by_side(simulate):
    shown = simulate(
        "-r",
        "beta_gamma(gamma=[0.01,0.02])",
        "-r",
        "fixed(theta=0.4)",
        "-p",
        "rocchio(terms=20)",
        "--compare",
    )
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0].split()[-1] == "p"
    assert [line.partition("  ")[0] for line in lines[2:7]] == [
        "beta_gamma(gamma=0.01) rocchio(terms=20)",
        "beta_gamma rocchio(terms=20)",
        "fixed(theta=0.4) rocchio(terms=20)",
        "none",
        "hindsight: beta_gamma(gamma=0.01) rocchio(terms=20)",
    ]
    assert "8 topics · 500 documents after 100 of reference · 2 to 3 examples a topic · utility 2,-1" in lines


def test_without_rules_the_usual_ones_are_compared(simulate):
    lines = simulate().out.splitlines()
    assert [line.split()[0] for line in lines[2:10]] == [
        "expected",
        "beta_gamma",
        "beta_gamma(beta=0.1,gamma=0.05)",
        "optimum",
        "zero",
        "ratio",
        "none",
        "hindsight:",
    ]


def test_json_csv_and_markdown(simulate, tmp_path):
    out = tmp_path / "made.json"
    assert simulate("-r", "zero", "-f", "json", "-q", "-o", out).code == 0
    made = json.loads(out.read_text())
    assert made["rows"][0]["name"] == "zero"
    assert len(made["rows"][0]["over_time"]) == 20
    csv = simulate("-r", "zero", "-f", "csv")
    assert csv.out.startswith("rule,topic,measure,value,settings\nzero,all,T11SU,")
    assert "settings: 8 topics" in csv.err
    assert simulate("-r", "zero", "-f", "markdown").out.startswith("| rule | T11SU |")
    again = simulate("-r", "zero", "-f", "json", "-o", out)
    assert again.code == 2
    assert "already exists; choose another name, or replace it with --overwrite." in again.err


def test_measures_topics_and_places(simulate):
    shown = simulate(
        "-r", "zero", "-m", "T9U,T9P", "-m", "SetP", "--topics", "garden,bees", "--places", 2, "-q"
    )
    lines = shown.out.splitlines()
    assert lines[0].split() == ["rule", "topic", "T9U", "T9P", "SetP"]
    assert [line.split()[1] for line in lines[2:5]] == ["bees", "garden", "all"]


def test_compressed_input_gives_the_same(simulate, files):
    (files / "packed.gz").write_bytes(gzip.compress((files / "stream.jsonl").read_bytes()))
    assert simulate("-r", "zero", stream="packed.gz").out == simulate("-r", "zero").out


def test_feedback_that_is_late_or_partial_is_stated(simulate):
    shown = simulate("-r", "zero", "--delay", 20, "--judged", 0.5, "--seed", 3)
    assert "feedback after 20 documents · feedback on 50 % of deliveries, seed 3" in shown.out
    assert shown.out != simulate("-r", "zero").out


def test_shares_are_written_as_numbers_or_in_percent(simulate):
    assert simulate("-r", "zero", "--judged", "50%").out == simulate("-r", "zero", "--judged", "0.5").out
    # 600 documents, of which a tenth is 60
    for tenth in ("10%", "0.1", "60"):
        assert "540 documents after 60 of reference" in simulate("-r", "zero", "--reference", tenth).out


def test_a_reader_of_many_habits_is_stated(simulate):
    habits = ["--clicks", "--wrong", "20%", "--away", "50%,60%", "--switch", "--seed", 4]
    said = (
        "feedback on relevant deliveries only · 20 % of answers wrong, seed 4 · no feedback from 50 % to 60 % of the stream "
        "· interest switches to the next topic in the middle; the second half is measured"
    )
    assert said in simulate("-r", "zero", *habits).out.replace("\n", " ")


def test_charts_are_drawn_into_a_folder(simulate, tmp_path):
    folder = tmp_path / "pictures"
    shown = simulate("-r", "zero", "--charts", folder, "--trace", "bees")
    assert shown.code == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "bees-zero-curve.svg",
        "bees-zero-threshold.svg",
        "utility-over-time.svg",
    ]
    assert all(path.read_text().startswith("<svg") for path in folder.iterdir())
    again = simulate("-r", "zero", "--charts", folder)
    assert again.code == 2
    assert "already exists; choose another name, or replace it with --overwrite." in again.err


def test_topics_whose_names_would_be_those_of_one_file_have_charts_of_their_own(gainful, tmp_path):
    made = demo(documents=300, seed=6)
    named = {"garden": "gärten", "chess": "g¿rten"}
    rows = [{"id": named.get(one.id, one.id), "text": one.text} for one in made.topics]
    (tmp_path / "topics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, text in as_files(made).items():
        if name != "topics.jsonl":
            for plain, strange in named.items():
                text = text.replace(f"{plain} 0 ", f"{strange} 0 ")  # noqa: PLW2901 (as it is judged)
            (tmp_path / name).write_text(text)
    inputs = [tmp_path / name for name in ("stream.jsonl", "topics.jsonl", "qrels.txt")]
    traced = [part for name in named.values() for part in ("--trace", name)]
    shown = gainful(
        "filter", "simulate", *inputs, "-r", "zero", "--jobs", 1, "--charts", tmp_path / "c", *traced
    )
    assert (shown.code, shown.err.splitlines()[0]) == (0, f"The charts are in {tmp_path / 'c'}.")
    assert len(list((tmp_path / "c").iterdir())) == 1 + 2 * 2


def test_a_folder_that_cannot_be_made_is_named(gainful, simulate, tmp_path):
    (tmp_path / "file").write_text("")
    for shown in (
        simulate("-r", "zero", "--charts", tmp_path / "file" / "charts"),
        gainful("filter", "demo", "--documents", 200, "--write", tmp_path / "file" / "kept"),
    ):
        assert shown.code == 3
        assert "cannot be created: Not a directory." in shown.err


def test_any_row_may_be_the_one_to_compare_with(simulate):
    hindsight = simulate("-r", "none", "-r", "zero", "--baseline", "hindsight: zero")
    assert hindsight.code == 0
    refused = simulate("-r", "none", "-r", "zero", "--baseline", "hindsight: none")
    assert refused.code == 2
    assert "the rows are none, zero, hindsight: zero" in refused.err


def test_help_is_there(gainful):
    for words in (["filter", "--help"], ["filter", "simulate", "--help"], ["filter", "demo", "--help"]):
        assert gainful(*words).code == 0


BAD = {
    "not JSON": ('{"id": "a", "text": "oil"}\nnonsense\n', "line 2: this is not JSON"),
    "no id": ('{"text": "oil"}\n', "line 1: a document without an id"),
    "a vector of the wrong length": (
        '{"id": "a", "vector": [1, 2]}\n{"id": "b", "vector": [1]}\n',
        "line 2: the vector has 1 numbers",
    ),
    "a vector with NaN": ('{"id": "a", "vector": [NaN, 2]}\n', "line 1: number 1 of the vector is nan"),
    "a date that is none": ('{"id": "a", "text": "x", "date": "soon"}\n', "line 1: date 'soon' is none"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_streams_end_with_one_line_that_names_the_place(simulate, tmp_path, what):
    text, said = BAD[what]
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    shown = simulate(stream=str(path))
    assert (shown.code, shown.out) == (3, "")
    assert shown.err.startswith(f"gainful: {path}, {said}")
    assert len(shown.err.splitlines()) == 1


def test_topics_without_judgments_end_with_one_line_that_names_the_place(simulate, files, tmp_path):
    path = tmp_path / "topics.jsonl"
    path.write_text((files / "topics.jsonl").read_text() + '{"id": "opera", "text": "singer"}\n')
    shown = simulate(topics=str(path))
    assert shown.code == 3
    assert shown.err.startswith(f"gainful: {path}, line 9: topic 'opera' has no judgments")
    assert len(shown.err.splitlines()) == 1
    left_out = simulate("-r", "zero", "--unjudged-topics", "skip", topics=str(path))
    assert left_out.code == 0
    assert "note: 1 topic without judgments left out." in left_out.err


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["-r", "best"], 2, "there is no rule 'best'"),
        (["-r", "ratio(share=2)"], 2, "share must be above 0 and up to 1"),
        (["-p", "rocchio(terms=0)"], 2, "terms must be 1 or more"),
        (["--utility", "2,1"], 2, "cost (1) must not be above avoided"),
        (["--reference", "200%"], 2, "some must remain after the start"),
        (["--epochs", "often"], 2, "--epochs must be a factor above 1, or never"),
        (["--epochs", "1"], 2, "epochs must be above 1"),
        (["--language", "klingon"], 2, "no stemmer for the language 'klingon'"),
        (["--topics", "opera"], 2, "not in"),
        (["--trace", "opera"], 2, "topic 'opera' is not among those replayed"),
        (
            ["--baseline", "best", "-r", "zero"],
            2,
            "there is no row 'best' to compare with; the rows are zero, none",
        ),
        (["-m", "nonsense"], 2, "nonsense"),
        (["--reference", "nowhere.jsonl"], 3, "there is no such file"),
        (["--reference", "1.5"], 2, "reference 1.5 is no share; write it as 10% or 0.1"),
        (["--judged", "2"], 2, "'2' is no share from 0 to 1; write it as 0.3 or 30%"),
        (["--wrong", "many"], 2, "'many' is no share from 0 to 1; write it as 0.3 or 30%"),
        (["--away", "50%"], 2, "'50%' is not where it begins and ends; write it as 50%,60%"),
        (["--away", "0.6,0.5"], 2, "from one share of the stream to a larger one"),
        (["--switch", "--topics", "bees"], 2, "only where there are two or more"),
    ],
)
def test_what_cannot_be_done_is_said(simulate, options, code, said):
    shown = simulate(*options)
    assert shown.code == code
    assert said in shown.err
    assert "Traceback" not in shown.err


@pytest.mark.parametrize(
    "given",
    [
        ("--epochs", "1e308"),
        ("--growth", "1e308"),
        ("--title-weight", "1e308"),
        ("-r", f"beta_gamma(beta={[0.1] * 100},gamma={[0.1] * 100},share={[0.1] * 100})"),
    ],
)
def test_numbers_beyond_reason_are_refused_or_taken_never_an_internal_error(simulate, given):
    assert simulate(*given).code in (0, 2)
