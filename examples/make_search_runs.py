"""Two runs of the small collection for the walk in docs/search_team.md: BM25 on words as written, and on their stems.

pip install bm25s PyStemmer
python examples/make_search_runs.py [FOLDER]
"""

import sys
from pathlib import Path

import bm25s
import Stemmer

DATA = Path(__file__).parent / "data" / "search"
TOP = 10


def read(name: str) -> dict[str, str]:
    """Text by id, from a file of two columns."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


def run_of(tag: str, stemmer: Stemmer.Stemmer | None) -> str:
    """The best documents for each query, as the lines of a run."""
    documents, queries = read("documents.tsv"), read("queries.tsv")
    engine = bm25s.BM25()
    engine.index(
        bm25s.tokenize(list(documents.values()), stopwords="en", stemmer=stemmer, show_progress=False),
        show_progress=False,
    )
    asked = bm25s.tokenize(list(queries.values()), stopwords="en", stemmer=stemmer, show_progress=False)
    found, scores = engine.retrieve(asked, corpus=list(documents), k=TOP, show_progress=False)
    return "".join(
        f"{query} Q0 {document} {rank} {score:.4f} {tag}\n"
        for query, row in zip(queries, zip(found, scores, strict=True), strict=True)
        for rank, (document, score) in enumerate(zip(*row, strict=True), 1)
        if score > 0
    )


def make() -> dict[str, str]:
    """The content of each file."""
    return {
        "words.run": run_of("words", None),
        "stems.run": run_of("stems", Stemmer.Stemmer("english")),
    }


if __name__ == "__main__":
    for name, text in make().items():
        (Path(*sys.argv[1:2] or [DATA]) / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {text.count(chr(10))} lines")
