"""Reports: one page that shows what was measured, how surely, where systems differ and why.

    scores, comparison, readers, check-up ──▶ Results ──sections──▶ Report ─┬─ text, Markdown, LaTeX, JSON
    (or a filter simulation)             (one file each, *_section.py)      ├─ figures ──▶ SVG, PDF, PNG, CSV, LaTeX
                                                                            └─ html_page (templates/), chart_painter ──▶ HTML

A report is data first. A section is one class in one file that registers itself; what is shown of it only rounds.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
