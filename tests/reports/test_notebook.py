"""Scores, comparisons, curves and the report show themselves in a notebook that is executed here."""

import nbclient
import nbformat

CELLS = (
    """\
import gainful
qrels = {str(n): {"a": 2, "b": 1, "c": 0} for n in range(6)}
runs = {"good": {t: {"a": 3.0, "b": 2.0} for t in qrels}, "<i>": {t: {"c": 3.0, "x": 2.0, "a": 1.0} for t in qrels}}
scores = gainful.evaluate(qrels, runs, "nDCG@3, AP")
scores""",
    "gainful.compare(qrels, runs, 'nDCG@3')",
    "gainful.curve(qrels, runs, 'nDCG', to=3)",
    "gainful.explain(qrels, runs['good'], '1', 'AP')",
    "gainful.report(qrels, runs, 'nDCG@3, AP')",
    "scores['<i>']",
    "gainful.check(qrels, runs)",
    "gainful.gate(qrels, runs['good'], runs['<i>'], 'AP', margin=0.1)",
    "gainful.gains([3, 0, 1])",
    "gainful.nDCG @ 3",
)
WANTED = ("<table", "<table", "<svg", "<table", "<iframe", *["<table"] * 5)


def test_results_show_themselves_in_a_notebook():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    for cell, wanted in zip(notebook.cells, WANTED, strict=True):
        (output,) = [one for one in cell.outputs if one.output_type == "execute_result"]
        html = output.data["text/html"]
        assert wanted in html
        assert "<i>" not in html
    said = notebook.cells[1].outputs[0].data["text/html"]
    assert "good is better than &lt;i&gt; by" in said
    assert "Holm" not in said  # one pair: nothing to correct for
