"""How results look, whatever they are: numbers and counts in words, tables in six forms, charts in one palette.

numbers ──▶ table                 text, Markdown, LaTeX, HTML, CSV, JSON
palette, chart_data ──▶ charts    Vega-Lite specs from points (vega_parts)
                        chart_files   saved as SVG, PNG, PDF, HTML, JSON

Nothing here knows a run, a measure or a comparison, and nothing is computed but layout.
"""
