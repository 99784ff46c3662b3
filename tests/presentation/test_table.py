"""The one table, in all its forms."""

import csv
import io
import json
import subprocess
import sys

from rich.cells import cell_len

from gainful.presentation.table import Cell, Table
from gainful.presentation.text_style import _NARROW, Screen, width


def test_names_in_any_script_align():
    table = Table(["run", "AP"], [["検索システム", "0.25"], ["bm25", "0.5"], ["cafe\u0301", "−0.5"]])
    assert {cell_len(line) for line in table.text().splitlines()} == {18}


def test_letters_that_are_counted_without_rich_are_as_wide_as_rich_says():
    narrow = [chr(code) for code in range(0x3000) if _NARROW.fullmatch(chr(code))]
    assert len(narrow) > 500
    assert {width(letter) for letter in narrow} == {cell_len(letter) for letter in narrow} == {1}


def test_a_cell_is_text_for_people_and_a_value_for_programs():
    table = Table(["run", "AP"], [["a", Cell("0.25", 0.2512345, bold=True, raised="ab")]])
    assert table.text().splitlines()[-1] == "a    0.25 ab"
    assert table.markdown().endswith("| a | **0.25 ab** |")
    assert r"a & \textbf{0.25}\textsuperscript{ab} \\" in table.latex()
    assert "<td><b>0.25</b><sup>ab</sup></td>" in table.html()
    assert list(csv.DictReader(io.StringIO(table.csv()))) == [{"run": "a", "AP": "0.2512345"}]
    assert json.loads(table.json()) == [{"run": "a", "AP": 0.2512345}]


def test_digits_stand_below_each_other_whatever_is_raised_beside_them():
    table = Table(
        ["run", "AP"],
        [["a", Cell("0.25", raised="ab")], ["b", Cell("0.50", raised="c")], ["c", Cell("0.75")]],
    )
    assert [line.index(".") for line in table.text().splitlines()[2:]] == [6, 6, 6]
    assert r"0.50\textsuperscript{c\phantom{b}} \\" in table.latex()
    assert r"0.75\textsuperscript{\phantom{ab}} \\" in table.latex()


def test_what_is_undefined_is_a_dash_for_people_and_empty_for_programs():
    table = Table.of([{"run": "a", "p": float("nan")}, {"run": "b", "p": None}])
    assert [line.split() for line in table.text().splitlines()[2:]] == [["a", "–"], ["b", "–"]]
    assert table.csv() == "run,p\na,\nb,\n"
    assert [row["p"] for row in json.loads(table.json())] == [None, None]


def test_a_table_of_numbers_loads_neither_rich_nor_numpy():
    code = (
        "import sys; from gainful.presentation.table import Table; "
        "Table(['run', 'B − A'], [['a', '−0.25'], ['ö', '–']]).text(); "
        "print([name for name in ('rich', 'numpy', 'msgspec', 'csv') if name in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        == "[]\n"
    )


def test_a_note_is_never_cut_and_runs_over_the_empty_cells_to_its_right():
    heads = ["rank", "document", "AP", "relevant?"]
    note = Cell("(8 unjudged documents)", note=True)
    document = ["1", "a-document-with-a-long-name", "0.25", "yes"]
    assert Table(heads, [document, ["2–9", note, "", ""]], (1,)).text(Screen(36)).splitlines() == [
        "rank  document         AP  relevant?",
        "────  ─────────────  ────  ─────────",
        "   1  a-docum…-name  0.25        yes",
        " 2–9  (8 unjudged documents)",
    ]
    beside_a_number = Table(heads, [document, ["2–9", note, "0.5", ""]], (1,)).text(Screen(36))
    assert beside_a_number.split("\n\n")[0].splitlines()[2:] == [
        "   1  a-document-…-long-name  0.25",
        " 2–9  (8 unjudged documents)   0.5",
    ]
