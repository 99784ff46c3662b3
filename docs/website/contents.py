"""The contents of the site: every page of docs once, in the order in which they are read."""

SECTIONS: dict[str, list[str]] = {
    "Start": [
        "start.md",
        "installing.md",
        "tour.md",
        "choosing.md",
        "browser.md",
        "search_team.md",
        "contents.md",
    ],
    "How-to": [
        *(
            "ci.md",
            "paper.md",
            "moving.md",
            "rag.md",
            "teaching.md",
            "judging.md",
            "judge_page.md",
            "models.md",
        ),
        *("models_audit.md", "reconcile.md", "integrations.md", "scale.md", "arrays.md"),
    ],
    "Concepts": [
        *(
            "conventions.md",
            "statistics.md",
            "curves.md",
            "for_whom.md",
            "readers.md",
            "judgments.md",
            "judges.md",
        ),
        *("design_estimates.md", "dialects.md", "differences.md"),
    ],
    "Measures": ["measures/"],
    "Reference": [
        "commands/",
        "python/",
        "schemas/",
        "files.md",
        "checking.md",
        "report.md",
        "performance.md",
    ],
    "Filtering": [
        *("filtering.md", "filter_use.md", "filter_state.md", "feeds.md", "service.md", "service_walk.md"),
        "service_protocols.md",
    ],
    "Design": ["design.md", "contributing.md", "changes.md", "conformance.md"],
}
"""Tabs and their pages; a folder holds pages that are made from the code."""

MOVED = {
    "docs/index.md": "contents.md",
    "docs/measures.md": "measures/index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "conformance/README.md": "conformance.md",
}
"""Where a file of the project stands in the site, where that is not its name in docs."""

CARRIED = {"site/browser/report.html": "browser/report.html", "examples/data": "examples.zip"}
"""A page that is HTML already, the data of the examples in one archive, and where they stand in the site."""
