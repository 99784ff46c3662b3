"""The pure wheel in Pyodide (make pyodide): in Node, and behind the page of site/browser in Chromium.

NumPy for Pyodide is on npm, SciPy and msgspec are only on Pyodide's own network. So commands that need these refuse here, and
the page shows the scores; what its Python makes of a report is tested in CPython.
"""

import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

import gainful
from gainful.presentation import chart_files

ROOT = Path(__file__).parents[2]
BUILD, DATA, PAGE = ROOT / "build" / "pyodide", ROOT / "examples" / "data", ROOT / "site" / "browser"
NAMES = ("qrels.txt", "sprinter.run", "marathon.run", "plain.run")

needs_pyodide = pytest.mark.skipif(
    not (BUILD / ".installed").exists() or shutil.which("node") is None,
    reason="Pyodide is not in build/pyodide; `make pyodide` installs it (needs npm)",
)
WORDS = [
    ["evaluate", *NAMES, "-q", "-m", "nDCG@10,AP,RBP,ERR", "--places", "12"],
    ["check", *NAMES],
    ["explain", *NAMES[:2], "--topic", "1", "-m", "nDCG@10"],
    ["curve", *NAMES, "-m", "nDCG"],
    ["--version"],
    ["compare", *NAMES],
]


@pytest.fixture(scope="module")
def answers():
    done = subprocess.run(
        ["node", str(Path(__file__).with_name("pyodide_commands.mjs")), str(BUILD), str(DATA)],
        input=json.dumps(WORDS),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout[done.stdout.index("[[") :])


@needs_pyodide
@pytest.mark.parametrize("number", range(4), ids=[words[0] for words in WORDS[:4]])
def test_a_command_prints_in_pyodide_what_it_prints_here(number, answers):
    program = Path(sys.executable).with_name("gainful")
    here = subprocess.run(
        [program, *WORDS[number]], cwd=DATA, capture_output=True, text=True, check=True, env=os.environ
    )
    code, out, _ = answers[number]
    assert code == 0
    assert out == here.stdout


@needs_pyodide
def test_in_pyodide_the_plain_core_runs_and_what_needs_other_packages_says_so(answers):
    assert "plain core · wheel py3-none-any" in answers[4][1]
    code, _, err = answers[5]
    assert code == 2
    assert "pip install" in err


def test_the_report_of_the_page_is_that_of_the_command_line(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(PAGE)
    import browser_report

    paths = [str(DATA / name) for name in NAMES]
    made = browser_report.prepared(paths[0], paths[1:])
    pictures = [chart_files.svg(spec) for spec in json.loads(browser_report.specs(made))]
    page = browser_report.page(made, pictures, chart_files.script())
    assert page == gainful.report(paths[0], paths[1:]).html()


@needs_pyodide
def test_the_page_scores_what_is_dropped_and_sends_nothing(browser, tmp_path):
    numpy = next((BUILD / "node_modules" / "@emscripten-forge" / "numpy" / "pkg").glob("*.tar.gz"))
    for file in PAGE.iterdir():
        if file.is_file():
            shutil.copy(file, tmp_path)
    for name, target in (("npm", BUILD / "node_modules"), ("wheels", BUILD / "wheels")):
        (tmp_path / name).symlink_to(target)
    configuration = {
        "pyodide": "npm/pyodide/",
        "packages": [f"wheels/{file.name}" for file in (BUILD / "wheels").glob("*.whl")],
        "archives": [
            {
                "name": "NumPy",
                "url": f"npm/{numpy.relative_to(BUILD / 'node_modules')}",
                "format": "gztar",
                "folder": "/",
            }
        ],
        "scripts": [f"npm/{name}/build/{name}.min.js" for name in ("vega", "vega-lite", "vega-embed")],
    }
    (tmp_path / "config.json").write_text(json.dumps(configuration), encoding="utf-8")
    sent = []

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            sent.append(self.command)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        tab = browser.new_page()
        try:
            tab.goto(f"http://127.0.0.1:{server.server_address[1]}/report.html")
            tab.wait_for_function("!document.getElementById('files').disabled", timeout=120_000)
            before = len(sent)
            tab.set_input_files("#files", [str(DATA / name) for name in reversed(NAMES)])
            tab.wait_for_selector("#fault:not([hidden])", timeout=120_000)
            scores, fault = tab.text_content("#scores"), tab.text_content("#fault")
        finally:
            tab.close()
            server.shutdown()
    assert "0.6879" in scores
    assert "0.5896" in scores
    assert fault.startswith("There is no report, only the scores:")
    assert set(sent) == {"GET"}
    assert len(sent) - before <= 1  # the Python of the page's own folder
