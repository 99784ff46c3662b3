"""The Cranfield collection: look at the files first, search 1,400 abstracts with BM25, evaluate.

    pip install bm25s PyStemmer
    python examples/cranfield.py [FOLDER]

FOLDER holds docs.jsonl.gz, queries.tsv and qrels.txt; where there is none, this says so and ends.
"""

import gzip
import json
import sys
from pathlib import Path

import bm25s
import Stemmer

import gainful
from gainful.checking import check

FOLDER = Path(__file__).parents[2] / "shared" / "data" / "eval" / "classic" / "cran"
TOP = 100

# Cranfield's codes run from 1 (a complete answer) to 4 (of minimum interest); what is not listed is of no interest.
GAINS = "{1:4,2:3,3:2,4:1}"


def search(
    documents: dict[str, str], queries: dict[str, str], stemmer: object | None
) -> dict[str, dict[str, float]]:
    """A run: the best documents for each query, and their scores."""
    engine = bm25s.BM25()
    options = {"stopwords": "en", "stemmer": stemmer, "show_progress": False}
    engine.index(bm25s.tokenize(list(documents.values()), **options), show_progress=False)
    asked = bm25s.tokenize(list(queries.values()), **options)
    found, scores = engine.retrieve(
        asked, corpus=list(documents), k=min(TOP, len(documents)), show_progress=False
    )
    return {
        query: dict(zip(row, map(float, of_row), strict=True))
        for query, row, of_row in zip(queries, found, scores, strict=True)
    }


def main(folder: Path = FOLDER) -> None:
    if not (folder / "docs.jsonl.gz").exists():
        print(f"There is no Cranfield collection in {folder}; nothing to do.")
        return
    with gzip.open(folder / "docs.jsonl.gz", "rt", encoding="utf-8") as lines:
        documents = {document["id"]: document["text"] for document in map(json.loads, lines)}
    rows = (folder / "queries.tsv").read_text(encoding="utf-8").splitlines()
    queries = dict(row.split("\t", 1) for row in rows)
    runs = {
        "words": search(documents, queries, None),
        "stems": search(documents, queries, Stemmer.Stemmer("english")),
    }

    print(f"Cranfield: {len(documents):,} documents, {len(queries)} queries\n")
    for finding in check(folder / "qrels.txt", runs).findings:
        print(f"{finding.severity}: {Path(finding.where).name or 'all runs'}: {finding.text}")
    print()
    scores = gainful.evaluate(folder / "qrels.txt", runs, f"nDCG(gain={GAINS})@10, AP, R@100, Judged@10")
    for run in scores:
        print(f"{run.name:<6}", "  ".join(f"{name} {value:.4f}" for name, value in run.mean.items()))
    better = sum(
        values["AP"] > scores["words"].per_topic[query]["AP"]
        for query, values in scores["stems"].per_topic.items()
    )
    print(f"\nStems have the higher AP on {better} of {len(queries)} queries.")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
