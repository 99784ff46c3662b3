"""The table of docs/dialects.md anew: nDCG@10, AP and RR of one run, as every dialect prints them."""

from pathlib import Path

import gainful
from gainful.dialects import Dialect, every
from gainful.errors import DataError, MeasureError

HERE = Path(__file__).parent
DATA = HERE.parent / "examples" / "data"
MARK = "<!-- made by docs/make_dialects.py -->"
WANTED = {"nDCG@10": ("nDCG@10", "nDCG"), "AP": ("AP", "AP@10"), "RR": ("RR", "RR@10")}


def cell(dialect: Dialect, asked: tuple[str, ...]) -> str:
    """The value under the tool's name for it; in lists cut at 10 where it has no cutoff for nDCG."""
    for text in asked:
        cut = {"depth": 10} if text == "nDCG" else {}
        try:
            ((name, value),) = gainful.evaluate(
                DATA / "qrels.txt", DATA / "marathon.run", text, dialect=dialect, **cut
            ).mean.items()
        except MeasureError:
            continue
        except DataError as declined:
            return "ties decide" if "ties decide" in str(declined) else "other grades"
        return f"{value:.7g} `{name}`{' of lists cut at 10' if cut else ''}"
    return "–"


def table() -> str:
    """The table in Markdown."""
    rows = [
        f"| {dialect.title} | {' | '.join(cell(dialect, asked) for asked in WANTED.values())} |"
        for dialect in every()
    ]
    return "\n".join([f"| dialect | {' | '.join(WANTED)} |", "|---|---|---|---|", *rows])


def main() -> None:
    """Write the table between its marks."""
    page = HERE / "dialects.md"
    before, _, after = page.read_text("utf-8").split(MARK)
    page.write_text(f"{before}{MARK}\n{table()}\n{MARK}{after}", "utf-8")


if __name__ == "__main__":
    main()
