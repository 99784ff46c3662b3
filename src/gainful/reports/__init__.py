"""Reports: one page that shows what was measured, how surely, where systems differ and why.

    scores, comparison, curves, check-up ──sections──▶ Report ─┬─ tables, views ──▶ text, Markdown, LaTeX, JSON
    (or a filter simulation)                                   ├─ charts, pictures ──▶ SVG, PDF, PNG
                                                               └─ rendering, painter (templates/) ──▶ HTML

A report is data first: each section is a frozen dataclass. What is shown of it only rounds.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
