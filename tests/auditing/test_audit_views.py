"""The views of an audit, its pictures, and the command."""

import csv
import io
import json

import pytest

import gainful
from gainful.cli import run
from gainful.errors import UsageError
from gainful.presentation.text_style import width

from .simulated_model import RUNS, pilot, written


@pytest.fixture(scope="module")
def audited():
    people, model = pilot()
    return gainful.audit(people, model, RUNS, "nDCG@10, AP", width=0.1, decide=True, resamples=100)


@pytest.fixture
def files(tmp_path):
    people, model = pilot()
    return written(tmp_path / "people.qrels", people), written(tmp_path / "gpt.qrels", model)


def test_text_fits_on_a_screen_and_says_how_it_was_made(audited):
    text = audited.view()
    assert [line for line in text.splitlines() if width(line) > 80] == []
    for words in ("AUDIT OF MODEL", "kappa, linear weights", "By topic, least agreement first (5 of 20)"):
        assert words in text
    assert "512 documents of 20 topics judged by people and labelled by the model" in text
    assert "Topics that people must judge, AP" in text


def test_json_has_everything_and_csv_a_row_for_each_number(audited):
    fields = json.loads(audited.view("json"))
    assert len([piece for piece in fields["slices"] if piece["kind"] == "topic"]) == 20
    assert [order["measure"] for order in fields["orders"]] == ["nDCG@10", "AP"]
    assert fields["savings"][0]["pairs"][0]["width"].keys() == {"people", "both", "unlimited"}
    assert fields["agreement"]["pairs"][0]["kappa"]["value"] == audited.pair.kappa.value
    rows = list(csv.DictReader(io.StringIO(audited.view("csv"))))
    kappa = next(row for row in rows if row["part"] == "agreement" and row["statistic"] == "kappa")
    assert float(kappa["value"]) == audited.pair.kappa.value
    saved = [row for row in rows if row["part"] == "savings" and row["statistic"] == "saved"]
    assert len(saved) == 2 * 3  # measures × pairs


def test_markdown_and_html_have_the_sentences(audited):
    assert audited.view("markdown").startswith("## Audit of model\n\n**The model gives 76 % of the documents")
    assert "<strong>The model gives 76 %" in audited.view("html")


@pytest.mark.parametrize("view", ["systems", "calibration", "widths"])
def test_each_picture_can_be_had_alone(audited, view):
    spec = audited.chart(view)
    data = spec["datasets"]
    if view == "systems":
        named = {row["w"]: (row["x"], row["y"]) for row in data["dots"]}
        assert named == {
            favour.system: (favour.people, pytest.approx(favour.model, abs=1e-5))
            for favour in audited.orders[0].favours
        }
    elif view == "calibration":
        assert [row["x"] for row in data["shares"]] == [0, 1, 2, 3]
    else:
        curve = audited.savings[0].curve
        assert len(data["lines"]) == 2 * len(curve)
        assert all(both <= alone * 1.01 for _, alone, both in curve)


def test_without_runs_there_is_one_picture():
    people, model = pilot()
    made = gainful.audit(people, model, resamples=10)
    assert "layer" in made.chart()
    with pytest.raises(UsageError, match="there is no picture 'widths'"):
        made.chart("widths")


def test_the_command_prints_what_python_makes(files, capfd):
    assert run(["audit", *files, *RUNS.values(), "--resamples", "50"]) == 0
    out, err = capfd.readouterr()
    made = gainful.audit(*files, list(RUNS.values()), resamples=50)
    assert out == made.view()
    assert out.startswith("AUDIT OF GPT\n")
    assert "note: marathon: tied scores" in err


def test_the_command_writes_pictures(files, tmp_path, capfd):
    chart = tmp_path / "audit.svg"
    assert run(["audit", *files, *RUNS.values(), "--resamples", "50", "--chart", str(chart)]) == 0
    assert chart.read_text().startswith("<svg")
    assert "people and model" in chart.read_text()
    assert run(["audit", *files, "--chart", str(chart)]) == 2
    assert "already exists" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["-m", "AP"], "give their runs too"),
        (["--view", "systems"], "add --chart FILE"),
        (["--chart", "OUT.svg", "--view", "widths"], "give their runs too"),
        (["--width", "0.1"], "give their runs too"),
        (["--width", "0"], "x>0"),
    ],
)
def test_the_command_refuses_what_cannot_be_asked(files, tmp_path, more, said, capfd):
    words = [word.replace("OUT", str(tmp_path / "out")) for word in more]
    assert run(["audit", *files, *words]) == 2
    assert said in " ".join(capfd.readouterr().err.split())


def test_the_command_says_in_a_sentence_what_is_wrong_with_the_files(files, tmp_path, capfd):
    people, _ = files
    assert run(["audit", people, people]) == 2
    assert "these labels are the people's own" in capfd.readouterr().err
    other = tmp_path / "other.qrels"
    other.write_text("900 0 a 1\n")
    assert run(["audit", people, str(other)]) == 4
    assert "no topic was judged by people and labelled by the model" in capfd.readouterr().err
