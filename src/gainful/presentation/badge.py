"""A badge: two words side by side as SVG, for a README or a page of a project."""

from __future__ import annotations

from html import escape

GOOD, BAD, OPEN = "#1f7a33", "#b3261e", "#8a5a00"
"""Colours that white letters can be read on: their contrast is 4.5 or more."""
_LABEL = "#444444"
_LETTER = 6.8  # pixels, of 11 pixels high; the text is fitted into what this gives


def badge(label: str, message: str, colour: str) -> str:
    """An SVG picture of label and message; readers of the screen get both as its title.

    >>> badge("search", "pass", GOOD)[:55]
    '<svg xmlns="http://www.w3.org/2000/svg" width="88.0" he'
    """
    widths = [len(text) * _LETTER + 10 for text in (label, message)]
    total = sum(widths)
    title = escape(f"{label}: {message}")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total:.1f}" height="20" role="img" aria-label="{title}">',
        f"<title>{title}</title>",
        f'<clipPath id="round"><rect width="{total:.1f}" height="20" rx="3"/></clipPath>',
        '<g clip-path="url(#round)">',
        f'<rect width="{widths[0]:.1f}" height="20" fill="{_LABEL}"/>',
        f'<rect x="{widths[0]:.1f}" width="{widths[1]:.1f}" height="20" fill="{colour}"/>',
        '</g><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
        *_texts((label, message), widths),
        "</g></svg>",
    ]
    return "\n".join(parts) + "\n"


def _texts(texts: tuple[str, str], widths: list[float]) -> list[str]:
    starts = (5.0, widths[0] + 5)
    return [
        f'<text x="{start:.1f}" y="14" textLength="{width - 10:.1f}">{escape(text)}</text>'
        for text, start, width in zip(texts, starts, widths, strict=True)
    ]
