"""Writes docs/measures.md from the measures themselves; `make docs`."""

from pathlib import Path

from gainful.measures import get, names
from gainful.measures._measure_text import explained

HEAD = """\
# Measures

Made from the measures themselves by `make docs`; `gainful measures NAME` prints the same.
Cutoffs are written `nDCG@10`, parameters `AP(rel=2)@100`, another summary than the mean `AP(summary=geometric)`.

"""


def page() -> str:
    """The page: a table of all, then each."""
    table = "".join(f"| [`{name}`](#{name.lower()}) | {get(name).title} |\n" for name in names())
    each = "".join(f"\n## {name}\n\n```text\n{explained(get(name))}```\n" for name in names())
    return f"{HEAD}| measure | what it is |\n|---|---|\n{table}{each}"


if __name__ == "__main__":
    Path(__file__).with_name("measures.md").write_text(page(), encoding="utf-8")
