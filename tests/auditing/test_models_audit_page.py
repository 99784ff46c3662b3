"""docs/models_audit.md and docs/models.md show what commands print."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_shows_what_the_audit_of_the_example_prints():
    made = runpy.run_path(str(DOCS / "make_models_audit.py"))
    page = (DOCS / "models_audit.md").read_text(encoding="utf-8")
    assert page == made["page"](made["example"]()), "run `python docs/make_models_audit.py`"


def test_the_walk_shows_what_its_commands_print(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    made = runpy.run_path(str(DOCS / "make_models_walk.py"))
    text = (DOCS / "models.md").read_text(encoding="utf-8")
    assert text == made["page"](text), "run `python docs/make_models_walk.py`"
