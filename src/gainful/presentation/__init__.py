"""How results look, whatever they are: numbers and counts in words, tables in six forms, charts in one palette.

text_style ──▶ table ──▶ page         text, Markdown, LaTeX, HTML, CSV, JSON
chart_parts ──▶ charts                Vega-Lite specs from points, in one palette
                            chart_files   saved as SVG, PNG, PDF, HTML, JSON

Nothing here knows a run, a measure or a comparison, and nothing is computed but layout.
"""
