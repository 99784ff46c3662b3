"""Writes docs/measures.md from the measures themselves; `make docs`."""

from pathlib import Path

from gainful.measures import get, names
from gainful.measures._measure_text import explained
from gainful.measures._parse import by_group, everything

HEAD = """\
# Measures

Made from the measures themselves by `make docs`; `gainful measures NAME` prints the same.
Cutoffs are written `nDCG@10`, parameters `AP(rel=2)@100`, another summary than the mean `AP(summary=geometric)`.

"""


def page() -> str:
    """The page: a table of all, group by group, then each."""
    rows = (
        f"| {measure.group} | [`{measure.name}`](#{measure.name.lower()}) | {measure.title} |\n"
        for measure in by_group(everything())
    )
    each = "".join(f"\n## {name}\n\n```text\n{explained(get(name))}```\n" for name in names())
    return f"{HEAD}| group | measure | what it is |\n|---|---|---|\n{''.join(rows)}{each}"


if __name__ == "__main__":
    Path(__file__).with_name("measures.md").write_text(page(), encoding="utf-8")
