"""docs/models_audit.md shows what the command prints."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_shows_what_the_audit_of_the_example_prints():
    made = runpy.run_path(str(DOCS / "make_models_audit.py"))
    page = (DOCS / "models_audit.md").read_text(encoding="utf-8")
    assert page == made["page"](made["example"]()), "run `python docs/make_models_audit.py`"
